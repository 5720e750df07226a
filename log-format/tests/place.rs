//! Files take their place when they are complete, and one at a time is written.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside of test functions")]

use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

use log_format::NewFile;

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_not_kept_leaves_no_trace() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let path = folder.join("a");
    for make in [NewFile::aside, NewFile::at_once] {
        let new = make(&path).unwrap();
        new.handle().unwrap().write_all(b"half").unwrap();
        drop(new);
        assert_eq!(names(folder), [""; 0]);
    }
    std::fs::write(&path, "old").unwrap();
    for make in [NewFile::aside, NewFile::at_once] {
        let new = make(&path).unwrap();
        new.handle().unwrap().write_all(b"half").unwrap();
        drop(new);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder), ["a"]);
    }
}

#[test]
fn what_is_kept_replaces_what_was_there() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let path = folder.join("a");
    for (make, text) in [
        (NewFile::aside as fn(&Path) -> Result<NewFile>, "one"),
        (NewFile::at_once, "two"),
    ] {
        let new = make(&path).unwrap();
        new.handle().unwrap().write_all(text.as_bytes()).unwrap();
        let reader = File::open(&path);
        new.keep().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(names(folder), ["a"]);
        // A reader of the old file continues with it.
        if let Ok(mut reader) = reader {
            let mut old = String::new();
            std::io::Read::read_to_string(&mut reader, &mut old).unwrap();
            assert_eq!(old, "one");
        }
    }
}

#[cfg(unix)]
#[test]
fn one_writer_at_a_time() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let path = folder.join("a");
    let new = NewFile::at_once(&path).unwrap();
    let mut handle = new.handle().unwrap();
    new.keep().unwrap();
    handle.write_all(b"recording").unwrap();
    for make in [NewFile::aside, NewFile::at_once] {
        assert_eq!(make(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
    }
    drop(handle);
    NewFile::at_once(&path).unwrap().keep().unwrap();
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let (path, link) = (folder.join("a"), folder.join("b"));
    std::fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let new = NewFile::aside(&link).unwrap();
    new.handle().unwrap().write_all(b"new").unwrap();
    new.keep().unwrap();
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    // A link whose target does not exist: the target is created, and the link stays.
    let (first, second, target) = (folder.join("l1"), folder.join("l2"), folder.join("sub/t"));
    std::fs::create_dir(folder.join("sub")).unwrap();
    std::os::unix::fs::symlink("l2", &first).unwrap();
    std::os::unix::fs::symlink("sub/t", &second).unwrap();
    for make in [NewFile::aside, NewFile::at_once] {
        let new = make(&first).unwrap();
        new.handle().unwrap().write_all(b"there").unwrap();
        new.keep().unwrap();
        assert!(first.is_symlink() && second.is_symlink());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "there");
        std::fs::remove_file(&target).unwrap();
    }
    let null = NewFile::aside(Path::new("/dev/null")).unwrap();
    null.handle().unwrap().write_all(b"nothing").unwrap();
    null.keep().unwrap();
}

/// Traces hold what a program read; a report for CI holds nothing of it. What replaces a file has the permissions of that file.
#[cfg(unix)]
#[test]
fn a_new_file_can_be_read_by_its_owner_alone() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("a");
    let mode = || metadata(&path).unwrap().permissions().mode() & 0o777;
    for make in [NewFile::aside, NewFile::at_once] {
        make(&path).unwrap().keep().unwrap();
        assert_eq!(mode(), 0o600);
        std::fs::remove_file(&path).unwrap();
    }
    let usual = {
        File::create(&path).unwrap();
        mode()
    };
    std::fs::remove_file(&path).unwrap();
    NewFile::for_all(&path).unwrap().keep().unwrap();
    assert_eq!(mode(), usual);
    set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    NewFile::aside(&path).unwrap().keep().unwrap();
    assert_eq!(mode(), 0o644);
}
