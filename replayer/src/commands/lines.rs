//! Commands that are typed, one on each line: at a terminal, on standard input, or in a script.

use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Context, Editor, Helper, Highlighter, Hinter, Validator};
use serde::Serialize;

use crate::cli::shared::Format;
use crate::commands::Out;
use session::Error;

/// An error, as JSON.
#[derive(Serialize)]
struct FailedLine {
    error: String,
}

/// Commands that go on: at a terminal, an empty line repeats the last one.
const REPEATED: [&str; 21] = [
    "continue",
    "c",
    "reverse-continue",
    "rc",
    "next",
    "n",
    "step",
    "s",
    "finish",
    "fin",
    "reverse-next",
    "rn",
    "reverse-step",
    "rs",
    "reverse-finish",
    "rfin",
    "action",
    "a",
    "back",
    "up",
    "down",
];

/// Limit: lines that are remembered from one session to the next.
const REMEMBERED: usize = 1000;

/// Completes the word before the cursor.
#[derive(Default, Helper, Hinter, Highlighter, Validator)]
struct Words {
    /// Words that begin a command.
    commands: Vec<String>,
    /// What can follow.
    others: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..at];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| is_part(*c))
            .last()
            .map_or(at, |(from, _)| from);
        let words = if before[..start].trim().is_empty() {
            &self.commands
        } else {
            &self.others
        };
        let mut fitting: Vec<String> = words
            .iter()
            .filter(|word| word.starts_with(&before[start..]))
            .cloned()
            .collect();
        fitting.sort_unstable();
        fitting.dedup();
        Ok((start, fitting))
    }
}

/// Where lines come from.
enum Source {
    /// A script, or standard input that is no terminal.
    Lines(std::io::Lines<Box<dyn BufRead>>),
    /// A terminal, with keys, history and completion.
    Terminal(Box<Editor<Words, FileHistory>>),
}

/// The lines of a session.
pub(super) struct SessionLines {
    source: Source,
    /// A script ends at the first command that fails.
    strict: bool,
    from: PathBuf,
    /// The last command that goes on.
    last: Option<String>,
}

/// Where the lines of earlier sessions are: in the folder for the state of programs (XDG Base Directory).
fn history() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let folder = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(folder.join("retell").join("debug_history"))
}

impl SessionLines {
    /// Of a script, or of standard input. `commands`: what can be typed, for completion.
    ///
    /// # Errors
    /// The script cannot be read.
    pub fn open(script: Option<&Path>, commands: &str) -> Result<Self, Error> {
        let (source, strict) = match script {
            Some(path) => {
                let file = std::fs::File::open(path).map_err(|error| Error::Input {
                    path: path.to_owned(),
                    error: error.to_string(),
                })?;
                let reader: Box<dyn BufRead> = Box::new(BufReader::new(file));
                (Source::Lines(reader.lines()), true)
            }
            None if std::io::stdin().is_terminal() => (Source::Terminal(Box::new(terminal(commands)?)), false),
            None => {
                let reader: Box<dyn BufRead> = Box::new(BufReader::new(std::io::stdin()));
                (Source::Lines(reader.lines()), false)
            }
        };
        Ok(Self {
            source,
            strict,
            from: script.map_or_else(|| PathBuf::from("standard input"), Path::to_path_buf),
            last: None,
        })
    }

    /// What can follow a command now. `words` is called only where words are completed.
    pub fn offer(&mut self, words: impl FnOnce() -> Vec<String>) {
        if let Source::Terminal(editor) = &mut self.source
            && let Some(helper) = editor.helper_mut()
        {
            helper.others = words();
        }
    }

    /// The next command; empty lines and comments are skipped. At a terminal, it is asked for with `prompt`, Ctrl-C gives up a line, and an empty
    /// line repeats the last command if that goes on.
    ///
    /// # Errors
    /// It cannot be read; standard output cannot be written.
    pub fn next(&mut self, prompt: &str, out: &mut Out<'_>) -> Result<Option<String>, Error> {
        loop {
            let line = match &mut self.source {
                Source::Lines(lines) => lines.next().transpose().map_err(|error| error.to_string()),
                Source::Terminal(editor) => {
                    out.sink.flush()?;
                    match editor.readline(&format!("{prompt}> ")) {
                        Ok(line) if line.trim().is_empty() => Ok(Some(self.last.clone().unwrap_or_default())),
                        Ok(line) => {
                            let is_repeated = line
                                .split_whitespace()
                                .next()
                                .is_some_and(|word| REPEATED.contains(&word));
                            self.last = is_repeated.then(|| line.clone());
                            // A history that cannot be kept is no reason to stop.
                            let _ = editor.add_history_entry(line.trim());
                            Ok(Some(line))
                        }
                        Err(ReadlineError::Interrupted) => continue,
                        Err(ReadlineError::Eof) => Ok(None),
                        Err(error) => Err(error.to_string()),
                    }
                }
            };
            let line = line.map_err(|error| Error::Input {
                path: self.from.clone(),
                error,
            })?;
            let Some(line) = line else { return Ok(None) };
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok(Some(line.to_owned()));
            }
        }
    }

    /// After a command: an error of a script ends it, others are shown.
    ///
    /// # Errors
    /// That error, or one of standard output.
    pub fn done(&self, result: Result<(), Error>, out: &mut Out<'_>) -> Result<(), Error> {
        match result {
            Ok(()) => {}
            Err(error @ Error::Sink(_)) => return Err(error),
            Err(error) if self.strict => return Err(error),
            Err(error) => {
                let text = log_format::safe_message(&error.to_string());
                match out.format {
                    Format::Text => writeln!(out.sink, "{}", out.paint.bad(&text))?,
                    Format::Json => crate::render::json::write(out.sink, &FailedLine { error: text })?,
                }
            }
        }
        Ok(out.sink.flush()?)
    }
}

impl Drop for SessionLines {
    fn drop(&mut self) {
        if let (Source::Terminal(editor), Some(path)) = (&mut self.source, history()) {
            // A history that cannot be kept is no reason to fail.
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = editor.save_history(&path);
        }
    }
}

/// A line at a terminal. `commands`: help for the commands; each line of it begins with some.
fn terminal(commands: &str) -> Result<Editor<Words, FileHistory>, Error> {
    let failed = |error: ReadlineError| Error::Input {
        path: PathBuf::from("the terminal"),
        error: error.to_string(),
    };
    let config = rustyline::Config::builder()
        .max_history_size(REMEMBERED)
        .map_err(failed)?
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::with_history(config, FileHistory::new()).map_err(failed)?;
    let lines = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    let names = lines
        .flat_map(|line| line.split(','))
        .filter_map(|part| part.split_whitespace().next());
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    editor.set_helper(Some(Words {
        commands: names.filter(is_name).map(str::to_owned).collect(),
        others: Vec::new(),
    }));
    if let Some(path) = history() {
        // There is none before the first session.
        let _ = editor.load_history(&path);
    }
    Ok(editor)
}

/// Is it a command that ends a session?
pub(super) fn quits(line: &str) -> bool {
    matches!(line, "quit" | "q" | "exit")
}
