//! Who runs the parse transforms of a command. Everything that is compiled from the same files shares one.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use interpreter::atom::Atom;
use log_format::CompileOption;
use syntax::{Transformed, Untransformed};
use system::RunClock;
use system::loader::transforms::{RunsTransforms, Stack};
use system::loader::{Files, LoadedFile, SourceLoader};
use system::outside::Outside;
use system::transforms::Aside;

use crate::files::Disk;
use crate::outside::Real;
use crate::{elixir, objects, project};

/// Compiles and loads the modules of these files.
pub fn loader(disk: Disk) -> SourceLoader {
    let aside = of(&disk);
    let language = disk.language;
    SourceLoader::new(Box::new(disk)).of(language).with_transforms(aside)
}

/// Keeps what is made of beam files of Elixir for later commands.
struct Keeping {
    aside: Arc<Aside>,
}

impl RunsTransforms for Keeping {
    fn transform(
        self: Arc<Self>,
        stack: &Stack,
        name: Atom,
        file: &str,
        forms: &[u8],
        options: &[CompileOption],
    ) -> Result<Transformed, Untransformed> {
        let made = Arc::clone(&self.aside).transform(stack, name, file, forms, options);
        if let Ok(made) = &made
            && name.as_str() == elixir::MAKER
        {
            objects::keep(Path::new(file), &made.forms);
        }
        made
    }

    fn sources(&self) -> Vec<LoadedFile> {
        self.aside.sources()
    }
}

fn of(disk: &Disk) -> Arc<Keeping> {
    static ALL: Mutex<Vec<(Disk, Arc<Keeping>)>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, aside)) = all.iter().find(|(known, _)| known == disk) {
        return Arc::clone(aside);
    }
    let own = disk.clone();
    let files = move || -> Box<dyn Files> { Box::new(own.clone()) };
    let built = project::built(&disk.applications);
    let outside = move || -> Box<dyn Outside> {
        let mut outside = Real::new(Arc::new(AtomicBool::new(false)), None, None);
        outside.has_built(built.clone());
        Box::new(outside)
    };
    let words = project::words(&disk.applications);
    let aside = Aside::new(files, outside, RunClock::Real, words, disk.language);
    let aside = Arc::new(Keeping { aside });
    all.push((disk.clone(), Arc::clone(&aside)));
    aside
}
