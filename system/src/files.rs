//! Operations on the file system and on the program's surroundings: `erlang:'$file'(Operation, Path, Extra)` and `erlang:'$outside'(What)`.
//! Each is one input: its result is logged, and comes from the log in replay.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::term::Term;

use crate::error::Posix;

/// A request to the file system. Paths are as the program wrote them, relative to its current directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileRequest<'a> {
    /// The names in a directory, in no particular order.
    List(&'a str),
    /// The kind, size and times of a file.
    Info {
        /// The path.
        path: &'a str,
        /// Follow symbolic links?
        follow: bool,
    },
    /// The target of a symbolic link.
    ReadLink(&'a str),
    /// Makes a directory.
    MakeDir(&'a str),
    /// Removes an empty directory.
    DeleteDir(&'a str),
    /// Removes a file.
    Delete(&'a str),
    /// Renames the first to the second.
    Rename(&'a str, &'a str),
    /// Makes the second name a hard link to the first.
    Link(&'a str, &'a str),
    /// Makes the second name a symbolic link to the first.
    Symlink(&'a str, &'a str),
    /// Sets the permission bits.
    SetMode(&'a str, u32),
    /// Sets the times of the last access and the last change, in seconds since 1970-01-01 UTC.
    SetTimes(&'a str, [i64; 2]),
    /// Sets the user and the group; `None`: unchanged.
    SetOwner(&'a str, [Option<u32>; 2]),
    /// The current directory.
    CurrentDir,
    /// Changes the current directory for this program only.
    SetCurrentDir(&'a str),
}

impl<'a> FileRequest<'a> {
    /// The request with this name. `extra` is the second path, or two numbers (`-`: none); `number` is permission bits.
    #[must_use]
    pub fn of(operation: &str, path: &'a str, extra: Option<&'a str>, number: Option<i64>) -> Option<Self> {
        Some(match operation {
            "list" => Self::List(path),
            "info" => Self::Info { path, follow: true },
            "link_info" => Self::Info { path, follow: false },
            "read_link" => Self::ReadLink(path),
            "make_dir" => Self::MakeDir(path),
            "del_dir" => Self::DeleteDir(path),
            "delete" => Self::Delete(path),
            "rename" => Self::Rename(path, extra?),
            "make_link" => Self::Link(path, extra?),
            "make_symlink" => Self::Symlink(path, extra?),
            "set_mode" => Self::SetMode(path, u32::try_from(number?).ok()?),
            "set_times" => {
                let (access, change) = extra?.split_once(' ')?;
                Self::SetTimes(path, [access.parse().ok()?, change.parse().ok()?])
            }
            "set_owner" => {
                let (user, group) = extra?.split_once(' ')?;
                let id = |text: &str| {
                    if text == "-" {
                        Some(None)
                    } else {
                        text.parse().ok().map(Some)
                    }
                };
                Self::SetOwner(path, [id(user)?, id(group)?])
            }
            "cwd" => Self::CurrentDir,
            "set_cwd" => Self::SetCurrentDir(path),
            _ => return None,
        })
    }
}

/// What kind of file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileType {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device.
    Device,
    /// A socket, a pipe, …
    Other,
}

impl FileType {
    const fn name(self) -> &'static str {
        match self {
            Self::Regular => "regular",
            Self::Directory => "directory",
            Self::Symlink => "symlink",
            Self::Device => "device",
            Self::Other => "other",
        }
    }
}

/// The data of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileInfo {
    /// In bytes.
    pub size: u64,
    /// Its kind.
    pub kind: FileType,
    /// May we read it, and write it?
    pub access: (bool, bool),
    /// Last access, last change of contents, last change of attributes: seconds since 1970-01-01 UTC.
    pub times: [i64; 3],
    /// Permission bits and kind, as `stat` gives them.
    pub mode: u32,
    /// Hard links, device, inode, user, group.
    pub numbers: [u64; 5],
}

/// The result of a request to the file system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileAnswer {
    /// Done, without a value.
    Done,
    /// Names, or one name.
    Names(Vec<String>),
    /// See [`FileInfo`].
    Info(FileInfo),
}

/// `ok`, `{ok, Value}` or `{error, Posix}`.
pub(crate) fn answer(heap: &mut Heap, result: Result<FileAnswer, Posix>, request: &FileRequest<'_>) -> Term {
    let value = match result {
        Err(Posix(name)) => return heap.make_tuple(&[Term::atom(Atom::ERROR), Term::atom(Atom::new(name))]),
        Ok(FileAnswer::Done) => return Term::atom(Atom::OK),
        Ok(FileAnswer::Names(names)) => {
            let names: Vec<Term> = names.iter().map(|name| heap.make_binary(name.as_bytes())).collect();
            match (request, names.first()) {
                (FileRequest::ReadLink(_) | FileRequest::CurrentDir, Some(&name)) => name,
                _ => heap.make_list(&names),
            }
        }
        Ok(FileAnswer::Info(info)) => {
            let access = match info.access {
                (true, true) => "read_write",
                (true, false) => "read",
                (false, true) => "write",
                (false, false) => "none",
            };
            let mut fields = vec![
                heap.make_int(info.size as i64),
                Term::atom(Atom::new(info.kind.name())),
                Term::atom(Atom::new(access)),
            ];
            fields.extend(info.times.iter().map(|&t| heap.make_int(t)));
            fields.push(Term::small(i64::from(info.mode)));
            fields.extend(info.numbers.iter().map(|&n| heap.make_int(n as i64)));
            heap.make_tuple(&fields)
        }
    };
    heap.make_tuple(&[Term::atom(Atom::OK), value])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_made_from_what_they_need() {
        assert_eq!(
            FileRequest::of("rename", "a", Some("b"), None),
            Some(FileRequest::Rename("a", "b"))
        );
        assert_eq!(FileRequest::of("rename", "a", None, None), None);
        assert_eq!(
            FileRequest::of("set_mode", "a", None, Some(0o644)),
            Some(FileRequest::SetMode("a", 0o644))
        );
        assert_eq!(FileRequest::of("set_mode", "a", None, Some(-1)), None);
        assert_eq!(FileRequest::of("format_disk", "a", None, None), None);
    }
}
