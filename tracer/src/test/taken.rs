//! What `mix test` of OTP's machine has compiled (`_build/test`) is taken over: a first run need not compile it again. mix itself decides afterwards what
//! of it is out of date, as it would in `_build/test`.

use std::fs;
use std::io;
use std::path::Path;
use std::process;

use crate::objects;
use crate::project::{entries, folders};

/// What mix of OTP's machine compiles to.
const FROM: &str = "_build/test";
/// Limit: files that are taken over.
const MOST: usize = 50_000;
/// Limit: folders in folders.
const DEEPEST: usize = 12;

/// Copies `_build/test` to `build`, if there is nothing yet and if all of it can be used. If not, everything is compiled.
pub fn over(build: &str) {
    if Path::new(build).exists() || !Path::new(FROM).join("lib").is_dir() {
        return;
    }
    // Complete, or not at all.
    let aside = format!("{build}.{}", process::id());
    let aside = Path::new(&aside);
    let copied = is_usable() && copy(Path::new(FROM), aside, 0, &mut 0).is_ok() && fs::rename(aside, build).is_ok();
    if !copied {
        let _nothing_there = fs::remove_dir_all(aside);
    }
}

/// Has each beam file its forms?
fn is_usable() -> bool {
    let apps = folders(&Path::new(FROM).join("lib"));
    let files = apps.iter().flat_map(|app| entries(&app.join("ebin")));
    let mut objects = files.filter(|path| path.extension().is_some_and(|kind| kind == "beam"));
    objects.all(|path| objects::has_forms(&path))
}

/// Copies a folder. Times stay: mix compares them.
fn copy(from: &Path, to: &Path, depth: usize, count: &mut usize) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for path in fs::read_dir(from)? {
        let path = path?.path();
        let place = to.join(path.file_name().unwrap_or_default());
        let meta = fs::symlink_metadata(&path)?;
        *count += 1;
        if *count > MOST || depth > DEEPEST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if meta.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&path)?, &place)?;
        } else if meta.is_dir() {
            copy(&path, &place, depth + 1, count)?;
        } else if meta.is_file() {
            fs::copy(&path, &place)?;
            let times = fs::FileTimes::new().set_modified(meta.modified()?);
            fs::File::options().write(true).open(&place)?.set_times(times)?;
        }
    }
    Ok(())
}
