//! The sources of the program that a page shows, with the lines that the replay executed.

use interpreter::vm::CoveredModule;
use rustc_hash::FxHashMap;
use serde::Serialize;
use session::program::Sources;
use session::words;

/// Limit: bytes of one source, and of all.
const TEXT: usize = 400_000;
/// Limit: lines of a long source.
const LINES: usize = 200_000;
/// Of a long source, so many lines before and after each step are shown.
const AROUND: usize = 6;

/// A place in the source: the file, the line, the module, the function.
pub type PlaceRow = (i32, u32, String, String);

/// A file of a page.
#[derive(Serialize)]
pub struct File {
    /// Its name without the folder.
    pub name: String,
    /// Its path.
    pub path: String,
    /// Is it a file of the program?
    pub own: bool,
    /// Its lines, if they are shown. Of a long one, only those around the steps.
    pub text: Option<Vec<Option<String>>>,
    /// Is it a long one?
    #[serde(skip)]
    pub is_long: bool,
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
            text.lines().map(|line| Some(shown(line))).collect()
        });
        let is_long = text.is_none() && source.is_some();
        let number = self.all.len() as i32;
        self.known.insert(path.to_owned(), number);
        self.all.push(File {
            name: words::safe(session::view::file_name(path)),
            path: words::safe(path),
            own,
            text,
            is_long,
            ran: Vec::new(),
        });
        number
    }

    /// All files, with the lines that were executed.
    pub fn finish(mut self, lines: &[CoveredModule], places: &[PlaceRow]) -> Vec<File> {
        let mut paths: Vec<(&str, i32)> = self.known.iter().map(|(path, at)| (path.as_str(), *at)).collect();
        paths.sort_unstable();
        for (path, at) in paths {
            let file = &mut self.all[at as usize];
            let source = self.sources.all().iter().find(|source| &*source.path == path);
            if let Some(source) = source.filter(|_| file.is_long) {
                let steps = places
                    .iter()
                    .filter(|(file, ..)| *file == at)
                    .map(|(_, line, ..)| *line);
                file.text = around(&source.text, steps, &mut self.room);
            }
        }
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
        let bare = files.iter().filter(|file| file.is_long);
        bare.map(|file| file.name.as_str()).collect()
    }
}

/// A line as it is shown.
fn shown(line: &str) -> String {
    words::safe(&line.replace('\t', "        "))
}

/// The lines around some steps, as far as there is room. The others are missing.
fn around(text: &[u8], steps: impl Iterator<Item = u32>, room: &mut usize) -> Option<Vec<Option<String>>> {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let mut out = vec![None; lines.len()];
    for step in steps {
        let step = step as usize;
        for at in step.saturating_sub(AROUND + 1)..(step + AROUND).min(lines.len()) {
            if out[at].is_none() && lines[at].len() <= *room {
                *room -= lines[at].len();
                out[at] = Some(shown(lines[at]));
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_source_the_lines_around_the_steps_are_kept() {
        let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
        let mut room = 1_000;
        let lines = around(text.as_bytes(), [50, 1, 100].into_iter(), &mut room).expect("it has lines");
        let kept: Vec<usize> = (0..100).filter(|at| lines[*at].is_some()).map(|at| at + 1).collect();
        let expected: Vec<usize> = (1..=7).chain(44..=56).chain(94..=100).collect();
        assert_eq!(kept, expected);
        assert_eq!(lines[49].as_deref(), Some("line 50"));
        let mut none = 3;
        let lines = around(text.as_bytes(), [50].into_iter(), &mut none).expect("it has lines");
        assert!(lines.iter().all(Option::is_none));
    }
}
