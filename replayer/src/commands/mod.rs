//! The verbs. A command gathers a view, and writes it as text or JSON.

mod beside;
pub mod bundle;
pub mod check;
mod checks;
mod compiled;
pub mod dap;
pub mod debug;
pub mod demo;
pub mod diff;
pub mod explore;
pub mod export;
pub mod find;
pub mod graph;
pub mod info;
pub mod installing;
mod lines;
pub mod log;
pub mod ls;
pub mod races;
pub mod report;
pub mod run;
mod saved;
pub mod scrub;
pub mod slice;
pub mod summary;
pub mod travel;
pub mod verify;
pub mod whatif;
pub mod why;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use log_format::{Status, Trace};
use serde::Serialize;

use crate::cli::shared::{Format, ShowArgs};
use crate::memory;
use crate::paint::Paint;
use crate::render::text::Layout;
use crate::spoken::ready;
use session::record::Text;
use session::{Error, Session};
use syntax::Release;

/// The sink of an answer, and its format.
pub struct Out<'a> {
    /// Standard output, buffered.
    pub sink: &'a mut dyn Write,
    /// Text or JSON.
    pub format: Format,
    /// As a table instead of text (`replay log`).
    pub csv: bool,
    /// What `--format` names (`replay export`).
    pub word: crate::cli::shared::FormatWord,
    /// Colours.
    pub paint: Paint,
    /// Columns of the terminal, if it is one.
    pub columns: Option<usize>,
}

/// Characters on a line, if there is no terminal.
const WIDTH: usize = 120;

impl Out<'_> {
    /// The layout of text.
    #[must_use]
    pub fn layout(&self, show: ShowArgs) -> Layout {
        let width = show.width.map(usize::from).or(self.columns).unwrap_or(WIDTH).max(40);
        Layout {
            paint: self.paint,
            width,
            all: show.all,
        }
    }

    /// Writes a view.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn view<V: Serialize>(
        &mut self,
        view: &V,
        show: ShowArgs,
        text: impl FnOnce(&mut dyn Write, &V, &Layout) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let layout = self.layout(show);
        match self.format {
            Format::Text => text(self.sink, view, &layout)?,
            Format::Json => crate::render::json::write(self.sink, view)?,
        }
        self.sink.flush()?;
        Ok(())
    }
}

/// Is the answer a text? A view is drawn.
pub(crate) fn is_text(out: &Out<'_>) -> Result<(), Error> {
    match out.format {
        Format::Text => Ok(()),
        Format::Json => Err(Error::Usage(
            "--view draws a text: it does not go with --json".to_owned(),
        )),
    }
}

/// Finds a target by the log alone, or, of a step or a line, by a replay.
///
/// # Errors
/// There is no such target; the trace is damaged; the replay diverges.
pub(crate) fn find(trace: &Arc<Trace>, text: &str) -> Result<causality::Point, Error> {
    let target: causality::Target = text.parse()?;
    if !target.is_place() {
        return Ok(target.resolve(trace)?);
    }
    ready(Session::of(Arc::clone(trace))?).find(target)
}

/// Opens a trace: a file, or one in `_traces` by a short name ([`crate::store`]).
///
/// # Errors
/// As [`Trace::open`], with the path.
pub fn open(path: &Path) -> Result<Arc<Trace>, Error> {
    let file = crate::store::resolve(path.as_os_str())?;
    let mut bar = Bar::default();
    let opened = Trace::open_with(&file, &mut |done, all| bar.show(done, all));
    drop(bar);
    let mut trace = opened.map_err(|error| match crate::store::why_not(path) {
        Some(why) => Error::Input {
            path: path.to_path_buf(),
            error: why.to_owned(),
        },
        None => Error::from(error).about(path),
    })?;
    // If its index cannot be written, the trace is read without it, as it was just now.
    if trace.complete(&file).unwrap_or(false)
        && let Ok(whole) = Trace::open(&file)
    {
        trace = whole;
    }
    if let Status::Incomplete {
        end,
        lost,
        why: Some(why),
        damaged: true,
    } = trace.status()
    {
        let name = crate::words::path_argument(path);
        let lost = crate::words::bytes(*lost);
        let text =
            format!("{name}: only the actions up to byte {end} are used; the {lost} after it cannot be used: {why}");
        // If standard error is closed, there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "replay: {}", log_format::safe_lines(&text));
    }
    Ok(Arc::new(trace))
}

/// Opens a trace as [`open`] does, and compiles its program.
///
/// # Errors
/// As [`open`] and [`Session::of`].
pub fn open_session(path: &Path) -> Result<Session, Error> {
    let session = Session::of(open(path)?).map_err(|e| e.about(path))?;
    Ok(ready(session))
}

/// A program that runs from its `main/0` on the simulated outside: nothing has been done yet, or (`seed`) it is recorded first. `node`: the name
/// of the first node, if it is to be alive.
///
/// # Errors
/// The file cannot be read; the program does not compile.
pub fn open_program(
    path: &Path,
    release: Release,
    node: Option<&str>,
    seed: Option<u64>,
    delivery: system::Delivery,
) -> Result<Session, Error> {
    let source = std::fs::read(path).map_err(|error| Error::Input {
        path: path.to_path_buf(),
        error: error.to_string(),
    })?;
    let text = Text {
        path: path.display().to_string(),
        source: source.into(),
        release,
    };
    // There is no trace yet that the program could be of.
    let named = |error: Error| match error {
        Error::Program(text) => Error::Source(path.to_path_buf(), text),
        error => error,
    };
    let bytes = match seed {
        Some(seed) => {
            let recorded = text.record_bytes_on(node, seed, memory::limit(), delivery);
            recorded.map_err(named)?.1
        }
        None => text.blank_on(node).map_err(named)?,
    };
    let session = Session::of(Arc::new(Trace::from_bytes(bytes)?)).map_err(named)?;
    Ok(ready(session))
}

/// A program that is explored: as [`open_program`] without a seed, with includes, macros and an entry as for `tracer run`.
///
/// # Errors
/// As [`open_program`]; there is no such entry.
pub fn open_explored(args: &crate::commands::explore::arguments::ExploreArgs) -> Result<Session, Error> {
    let path = &args.program;
    let source = std::fs::read(path).map_err(|error| Error::Input {
        path: path.clone(),
        error: error.to_string(),
    })?;
    let text = Text {
        path: path.display().to_string(),
        source: source.into(),
        release: args.otp,
    };
    let entry = match args.entry.as_deref().map(|text| text.split_once(':')) {
        None => None,
        Some(Some((module, function))) if !module.is_empty() && !function.is_empty() => {
            Some((module, function.split_once('/').map_or(function, |(name, _)| name)))
        }
        Some(_) => return Err(Error::Usage("--entry takes MOD:FUN, for example stock:main".to_owned())),
    };
    let options: Vec<log_format::CompileOption> = args
        .defines
        .iter()
        .map(|text| log_format::CompileOption::define(text))
        .collect();
    let files = beside::FilesBeside {
        folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
        includes: args.includes.clone(),
        options: options.clone(),
        random: args.checks.random_choices,
    };
    let mut also: Vec<&str> = args
        .checks
        .invariants
        .iter()
        .filter_map(|text| Some(text.split_once(':')?.0))
        .collect();
    if args.checks.random_choices.is_some() {
        also.push("rand");
    }
    let named = |error: Error| match error {
        Error::Program(text) => Error::Source(path.clone(), text),
        error => error,
    };
    let bytes = text.blank_from(files, options, entry, &also).map_err(named)?;
    let session = Session::of(Arc::new(Trace::from_bytes(bytes)?)).map_err(named)?;
    Ok(ready(session))
}

/// Is it a program, and not a trace?
#[must_use]
pub fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "erl")
}

/// A progress bar on standard error while an index is rebuilt, if that takes longer than half a second.
#[derive(Default)]
struct Bar {
    started: Option<std::time::Instant>,
    bar: Option<indicatif::ProgressBar>,
}

/// The time until the bar appears.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(500);

impl Bar {
    fn show(&mut self, done: u64, all: u64) {
        let started = *self.started.get_or_insert_with(std::time::Instant::now);
        if self.bar.is_none() && started.elapsed() < PATIENCE {
            return;
        }
        // It draws on standard error, and only if that is a terminal.
        let bar = self.bar.get_or_insert_with(|| {
            let bar = indicatif::ProgressBar::new(all);
            bar.set_message("making the index again");
            bar
        });
        bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows, on a terminal, that a command is at work, if that takes longer than half a second.
pub(crate) struct Working {
    /// When this is gone, the command has ended.
    ends: Option<std::sync::mpsc::Sender<()>>,
    shows: Option<std::thread::JoinHandle<()>>,
}

impl Working {
    /// From now on.
    pub(crate) fn begin() -> Self {
        let (ends, ended) = std::sync::mpsc::channel::<()>();
        let show = move || {
            use std::sync::mpsc::RecvTimeoutError::Timeout;
            if ended.recv_timeout(PATIENCE) != Err(Timeout) {
                return;
            }
            // It draws on standard error, and only if that is a terminal.
            let bar = indicatif::ProgressBar::new_spinner();
            bar.set_message("trying other choices");
            while ended.recv_timeout(PATIENCE / 4) == Err(Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        };
        Self {
            ends: Some(ends),
            // Without a thread, nothing is shown.
            shows: std::thread::Builder::new().spawn(show).ok(),
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        drop(self.ends.take());
        if let Some(shows) = self.shows.take() {
            let _shown = shows.join();
        }
    }
}
