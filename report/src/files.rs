//! The sources of the program that a page shows, with the lines that the replay executed.

use interpreter::vm::CoveredModule;
use rustc_hash::FxHashMap;
use serde::Serialize;
use session::program::Sources;
use session::words;

/// Limit: bytes of one source, and of all.
const TEXT: usize = 400_000;

/// A file of a page.
#[derive(Serialize)]
pub struct File {
    /// Its name without the folder.
    pub name: String,
    /// Its path.
    pub path: String,
    /// Is it a file of the program?
    pub own: bool,
    /// Its lines, if they are shown.
    pub text: Option<Vec<String>>,
    /// Executed lines, with how often; 0: could have been executed.
    pub ran: Vec<(u32, u64)>,
}

/// The files of a page, by number.
pub struct Files<'a> {
    sources: &'a Sources,
    known: FxHashMap<String, i32>,
    all: Vec<File>,
    room: usize,
}

impl<'a> Files<'a> {
    /// No file yet.
    pub fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            known: FxHashMap::default(),
            all: Vec::new(),
            room: TEXT,
        }
    }

    /// The number of a file.
    pub fn number(&mut self, path: &str) -> i32 {
        if let Some(number) = self.known.get(path) {
            return *number;
        }
        let own = self.sources.owns(path);
        let source = self.sources.all().iter().find(|source| own && &*source.path == path);
        let text = source.filter(|source| source.text.len() <= self.room).map(|source| {
            self.room -= source.text.len();
            let text = String::from_utf8_lossy(&source.text);
            text.lines()
                .map(|line| words::safe(&line.replace('\t', "        ")))
                .collect()
        });
        let number = self.all.len() as i32;
        self.known.insert(path.to_owned(), number);
        self.all.push(File {
            name: words::safe(path.rsplit('/').next().unwrap_or(path)),
            path: words::safe(path),
            own,
            text,
            ran: Vec::new(),
        });
        number
    }

    /// All files, with the lines that were executed.
    pub fn finish(mut self, lines: &[CoveredModule]) -> Vec<File> {
        for module in lines {
            if let Some(number) = self.known.get(&module.file) {
                let file = &mut self.all[*number as usize];
                file.ran
                    .extend(module.lines.iter().map(|(line, count)| (*line, *count)));
            }
        }
        self.all
    }

    /// Files of the program whose text did not fit.
    pub fn without_text(files: &[File]) -> Vec<&str> {
        let bare = files.iter().filter(|file| file.own && file.text.is_none());
        bare.map(|file| file.name.as_str()).collect()
    }
}
