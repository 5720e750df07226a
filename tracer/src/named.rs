//! A program as it was typed: its files, and how they are compiled.

use std::path::Path;

use interpreter::atom::Atom;
use interpreter::vm::Program;
use log_format::CompileOption;
use system::loader::{ModuleFile, SourceLoader, render};

use crate::error::{Error, InputError, ProgramError};
use crate::files::Disk;
use crate::installed::Installed;
use crate::objects;
use crate::options::Compiling;

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

/// A program without modules, and a loader of those beside the files.
pub fn beside(args: &Named<'_>) -> (SourceLoader, Program) {
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
    let loader = crate::transforms::loader(disk);
    let program = system::natives::program(loader.release());
    (loader, program)
}

/// Loads these files of a program. Returns the module of the first one, too.
///
/// # Errors
/// A file cannot be read, or does not compile.
pub fn files(args: &Named<'_>, named: &[std::path::PathBuf]) -> Result<(SourceLoader, Program, Option<Atom>), Error> {
    let (mut loader, mut program) = beside(args);
    let mut first = None;
    for file in named {
        let file = read(file, &args.compiling.options())?;
        match loader.load_file(file, &mut program) {
            Ok(module) => {
                first.get_or_insert(module);
            }
            Err(error) => {
                let warnings = match args.compiling.warnings {
                    true => render(&loader.warnings),
                    false => String::new(),
                };
                return Err(ProgramError::DoesNotCompile { error, warnings }.into());
            }
        }
    }
    Ok((loader, program, first))
}

fn read(path: &Path, options: &[CompileOption]) -> Result<ModuleFile, InputError> {
    let named = || path.to_owned();
    if path.is_dir() {
        return Err(InputError::Folder(named()));
    }
    if path.extension().is_some_and(|e| e == "beam") {
        let path = named();
        return objects::read(&path, options).map_err(|error| InputError::Beam { path, error });
    }
    if log_format::is_trace(path) {
        return Err(InputError::Trace(named()));
    }
    let text = std::fs::read(path).map_err(|error| InputError::Unread { path: named(), error })?;
    Ok(ModuleFile {
        path: path.display().to_string(),
        text: text.into(),
        options: options.to_vec(),
        forms: None,
    })
}
