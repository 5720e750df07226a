//! The front end on its own, for `tests/oracle`: for each line `N FILE` of standard input, writes the abstract code of FILE
//! to `DIR/N.etf`, its errors to `DIR/N.txt` and its warnings to `DIR/N.warnings` (`file:line:column: message` each).
//!
//! `front_end DIR [--include DIR]... [-D NAME=VALUE]... < list`

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use syntax::abstract_code::to_external;
use syntax::diagnostic::{Diagnostic, DiagnosticKind};
use syntax::{IncludeError, IncludeKind, Included, Includes, ReadOptions, parse_module};

struct Folders {
    include: Vec<PathBuf>,
    applications: Vec<PathBuf>,
}

impl Includes for Folders {
    fn read(&self, kind: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let beside = Path::new(from).parent().unwrap_or(Path::new(""));
        let mut paths: Vec<PathBuf> = vec![beside.join(name)];
        paths.extend(self.include.iter().map(|folder| folder.join(name)));
        if let (IncludeKind::IncludeLib, Some((application, rest))) = (kind, name.split_once('/')) {
            let is = |folder: &&PathBuf| {
                let folder = folder.file_name().and_then(|name| name.to_str()).unwrap_or("");
                folder.split('-').next() == Some(application)
            };
            paths.extend(self.applications.iter().filter(is).map(|folder| folder.join(rest)));
        }
        let found = paths
            .into_iter()
            .find(|path| path.is_file())
            .ok_or(IncludeError::NoFiles)?;
        let text = fs::read(&found)?;
        Ok(Included {
            name: found.to_string_lossy().into_owned(),
            text: text.into(),
        })
    }
}

fn lines(diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let mark = if diagnostic.kind == DiagnosticKind::Unsupported {
            "unsupported: "
        } else {
            ""
        };
        let Diagnostic { file, loc, message, .. } = diagnostic;
        format!("{file}:{}:{}: {mark}{message}\n", loc.line, loc.col)
    };
    diagnostics.iter().map(line).collect()
}

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let out = PathBuf::from(
        args.next()
            .expect("usage: front_end DIR [--include DIR]... [-D NAME=VALUE]... < list"),
    );
    let mut folders = Folders {
        include: Vec::new(),
        applications: Vec::new(),
    };
    let mut options = ReadOptions {
        transforms: false,
        ..ReadOptions::default()
    };
    while let Some(flag) = args.next() {
        let value = args.next().expect("a flag has a value");
        match flag.as_str() {
            "--include" => folders.include.push(value.into()),
            "-D" => {
                let (name, value) = value.split_once('=').unwrap_or((&value, "true"));
                options.defines.push((name.to_owned(), Some(value.to_owned())));
            }
            other => panic!("unknown flag {other}"),
        }
    }
    if let Ok(found) = fs::read_dir("/usr/lib/erlang/lib") {
        folders.applications.extend(found.flatten().map(|entry| entry.path()));
    }
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (number, file) = line.split_once(' ').expect("a line is `N FILE`");
        let source = fs::read(file)?;
        let (errors, warnings) = match parse_module(file, &source, &options, &folders) {
            Ok(parsed) => {
                fs::write(out.join(format!("{number}.etf")), to_external(&parsed.module))?;
                (Vec::new(), parsed.warnings)
            }
            Err(found) => found
                .into_iter()
                .partition(|found| found.kind != DiagnosticKind::Warning),
        };
        fs::write(out.join(format!("{number}.txt")), lines(&errors))?;
        fs::write(out.join(format!("{number}.warnings")), lines(&warnings))?;
    }
    Ok(())
}
