//! Who runs the parse transforms of a command. Everything that is compiled from the same files shares one.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use system::Clock;
use system::loader::{Files, SourceLoader};
use system::outside::Outside;
use system::transforms::Aside;

use crate::files::Disk;
use crate::outside::Real;
use crate::project;

/// Compiles and loads the modules of these files.
pub fn loader(disk: Disk) -> SourceLoader {
    let aside = of(&disk);
    let language = disk.language;
    SourceLoader::new(Box::new(disk)).of(language).with_transforms(aside)
}

fn of(disk: &Disk) -> Arc<Aside> {
    static ALL: Mutex<Vec<(Disk, Arc<Aside>)>> = Mutex::new(Vec::new());
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
    let aside = Aside::new(files, outside, Clock::Real, words, disk.language);
    all.push((disk.clone(), Arc::clone(&aside)));
    aside
}
