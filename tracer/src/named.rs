//! A program as it was typed: its files, and how they are compiled.

use std::path::Path;

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::{CompileOption, safe_path};
use system::loader::{ModuleFile, SourceLoader, render};

use crate::exit::Exit;
use crate::files::Disk;
use crate::installed::Installed;
use crate::options::Compiling;
use crate::{objects, report};

/// A program as it was typed.
pub struct Named<'a> {
    /// Its files; the first one is the entry's, unless it is named.
    pub files: &'a [std::path::PathBuf],
    /// `MOD:FUN`.
    pub entry: Option<&'a str>,
    /// For `main/1`.
    pub arguments: &'a [String],
    /// How it is compiled.
    pub compiling: &'a Compiling,
}

/// Loads these files of a program. Returns the module of the first one, too.
pub fn files(args: &Named<'_>, named: &[std::path::PathBuf]) -> Result<(SourceLoader, Program, Option<Atom>), Exit> {
    let mut folders: Vec<std::path::PathBuf> = Vec::new();
    for file in args.files {
        let folder = file.parent().map_or_else(Default::default, Path::to_path_buf);
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let installed = Installed::from_environment();
    let disk = Disk {
        language: args.compiling.language(&installed, None),
        source_folders: folders,
        include_folders: args.compiling.includes.clone(),
        object_folders: args.compiling.objects.clone(),
        installed,
        options: args.compiling.options(),
        applications: Vec::new(),
        stubs: args.compiling.stubs.clone(),
    };
    let mut loader = crate::transforms::loader(disk);
    let mut program = system::natives::program(loader.release());
    let mut first = None;
    for file in named {
        let file = match read(file, &args.compiling.options()) {
            Ok(file) => file,
            Err(text) => {
                report::tell(&text);
                return Err(Exit::NoInput);
            }
        };
        match loader.load_file(file, &mut program) {
            Ok(module) => {
                first.get_or_insert(module);
            }
            Err(error) => {
                report::say(&error.to_string());
                if args.compiling.warnings {
                    report::say(&render(&loader.warnings));
                }
                return Err(Exit::Program);
            }
        }
    }
    Ok((loader, program, first))
}

fn read(path: &Path, options: &[CompileOption]) -> Result<ModuleFile, String> {
    if path.is_dir() {
        return Err(format!(
            "cannot read {}: it is a directory; name an .erl file",
            safe_path(path)
        ));
    }
    if path.extension().is_some_and(|e| e == "beam") {
        return objects::read(path, options).map_err(|why| format!("cannot run {}: {why}", safe_path(path)));
    }
    if log_format::is_trace(path) {
        return Err(format!(
            "cannot run {0}: it is a trace, not a program; `replay {0}` replays it",
            safe_path(path)
        ));
    }
    let text = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", safe_path(path)))?;
    Ok(ModuleFile {
        path: path.display().to_string(),
        text: text.into(),
        options: options.to_vec(),
        forms: None,
    })
}
