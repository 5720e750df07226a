//! An installed OTP's source tree, as include files and as input.

use std::fs;
use std::path::{Path, PathBuf};

use syntax::{IncludeError, IncludeKind, Included, Includes, ReadOptions};

/// Where Debian and most others install OTP's libraries.
pub const LIB: &str = "/usr/lib/erlang/lib";

/// It is there if they are those of OTP 25: later ones use a syntax that is not supported.
const RELEASE: &str = "/usr/lib/erlang/releases/25";

/// With the macros that OTP's own build defines for a file's application.
pub fn options(file: &Path) -> ReadOptions {
    let inside = file.strip_prefix(LIB).ok().and_then(|rest| rest.to_str()).unwrap_or("");
    let names: &[&str] = match inside.split('-').next() {
        Some("compiler") => &["COMPILER_VSN"],
        Some("dialyzer") => &["VSN"],
        Some("megaco") => &["ENABLE_MEGACO_FLEX_SCANNER", "MEGACO_REENTRANT_FLEX_SCANNER"],
        Some("snmp") => &["version", "default_verbosity"],
        _ => &[],
    };
    let defines = names
        .iter()
        .map(|name| ((*name).to_owned(), Some("silence".to_owned())))
        .collect();
    ReadOptions {
        defines,
        ..ReadOptions::default()
    }
}

/// `*.erl` in a folder of every application. None where OTP 25 and its sources are not installed.
pub fn erlang_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if !Path::new(RELEASE).exists() {
        return files;
    }
    for application in entries(Path::new(LIB)) {
        collect(&application.join(folder), "erl", &mut files);
    }
    files.sort();
    files
}

/// Files with an extension in a folder and those inside.
pub fn collect(folder: &Path, wanted: &str, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, wanted, files);
        } else if path.extension().is_some_and(|extension| extension == wanted) {
            files.push(path);
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .map(|found| found.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default()
}

/// Finds include files beside the source, by application name, and else by their last name, the source's own application first.
pub struct OtpIncludes {
    headers: Vec<PathBuf>,
}

impl OtpIncludes {
    pub fn new() -> OtpIncludes {
        let mut headers = Vec::new();
        collect(Path::new(LIB), "hrl", &mut headers);
        headers.sort();
        OtpIncludes { headers }
    }
}

impl Includes for OtpIncludes {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let beside = Path::new(from)
            .parent()
            .map(|folder| folder.join(name))
            .filter(|path| path.is_file());
        let in_application = |path: &&PathBuf, application: &str| {
            let inside = path.strip_prefix(LIB).ok().and_then(|rest| rest.to_str()).unwrap_or("");
            inside.split(['-', '/']).next() == Some(application)
        };
        let from_application = from
            .strip_prefix(LIB)
            .unwrap_or("")
            .trim_start_matches('/')
            .split('-')
            .next()
            .unwrap_or("");
        let (application, file) = match name.split_once('/') {
            Some((application, rest)) if kind == IncludeKind::IncludeLib => (application, rest),
            _ => (from_application, name),
        };
        let ends = |path: &&PathBuf| {
            path.ends_with(file) || file.contains("../") && path.file_name() == Path::new(file).file_name()
        };
        let own = self
            .headers
            .iter()
            .find(|path| ends(path) && in_application(path, application));
        let found = beside.or_else(|| own.or_else(|| self.headers.iter().find(ends)).cloned());
        let path = found.ok_or(IncludeError::NoFiles)?;
        let text = fs::read(&path)?;
        Ok(Included {
            name: path.to_string_lossy().into_owned(),
            text: text.into(),
        })
    }
}
