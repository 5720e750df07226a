//! ProgramFiles of the program, as a client knows them: a file on disk if it is there and says the same, or else the text in the trace.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use session::Session;

use crate::answer::Refusal;

/// The files of a program.
#[derive(Debug)]
pub(crate) struct ProgramFiles {
    /// Path in the program, and where it is on disk with the same text.
    all: Vec<(String, Option<PathBuf>)>,
    /// Folders that paths of the program start from.
    roots: Vec<PathBuf>,
}

impl ProgramFiles {
    /// Looks for the files of the program in these folders.
    pub(crate) fn of(session: &Session, roots: Vec<PathBuf>) -> Self {
        let mut files = Self { all: Vec::new(), roots };
        for (path, text) in session.sources().own_texts() {
            files.all.push((path.to_owned(), files.on_disk(path, text)));
        }
        files
    }

    fn on_disk(&self, path: &str, text: &[u8]) -> Option<PathBuf> {
        let candidates = self.roots.iter().map(|root| root.join(path));
        let same = |file: &PathBuf| std::fs::read(file).is_ok_and(|bytes| bytes == text);
        let found = candidates.chain(std::iter::once(PathBuf::from(path))).find(same)?;
        std::path::absolute(found).ok()
    }

    /// The number under which a client can ask for the text of a file.
    fn number(&self, path: &str) -> Option<usize> {
        self.all.iter().position(|(known, _)| known == path)
    }

    /// A file as the protocol describes it.
    pub(crate) fn source(&self, path: &str) -> Value {
        let name = Path::new(path)
            .file_name()
            .map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
        match self.number(path) {
            Some(i) => match &self.all[i].1 {
                Some(file) => json!({"name": name, "path": file.to_string_lossy()}),
                None => json!({"name": name, "path": path, "sourceReference": i + 1, "origin": "from the trace"}),
            },
            // A module of the library: the tool has its text.
            None => json!({"name": name, "presentationHint": "deemphasize", "origin": "library"}),
        }
    }

    /// All files.
    pub(crate) fn list(&self) -> Vec<Value> {
        self.all.iter().map(|(path, _)| self.source(path)).collect()
    }

    /// The path in the program of a file that a client names.
    pub(crate) fn find(&self, source: &Value) -> Result<String, Refusal> {
        let reference = source["sourceReference"].as_u64().filter(|n| *n > 0);
        if let Some((path, _)) = reference.and_then(|n| self.all.get(usize::try_from(n).ok()? - 1)) {
            return Ok(path.clone());
        }
        let Some(path) = source["path"].as_str().or_else(|| source["name"].as_str()) else {
            return Err("the source has no path".into());
        };
        if let Some((known, _)) = self
            .all
            .iter()
            .find(|(known, file)| known == path || file.as_deref().is_some_and(|file| file == Path::new(path)))
        {
            return Ok(known.clone());
        }
        // The same end of the path: the longest one that names one file.
        let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        for from in 0..parts.len() {
            let end = parts[from..].join("/");
            let fits = |known: &str| known == end || known.ends_with(&format!("/{end}"));
            let mut fitting = self.all.iter().filter(|(known, _)| fits(known));
            match (fitting.next(), fitting.next()) {
                (Some((known, _)), None) => return Ok(known.clone()),
                (Some(_), Some(_)) => break,
                _ => {}
            }
        }
        let known: Vec<&str> = self.all.iter().map(|(known, _)| known.as_str()).take(20).collect();
        Err(Refusal(format!(
            "{path} is no file of the recorded program: its files are {}",
            known.join(", ")
        )))
    }

    /// The path of a file by its number.
    pub(crate) fn numbered(&self, number: u64) -> Option<&str> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.all.get(index).map(|(path, _)| path.as_str())
    }
}
