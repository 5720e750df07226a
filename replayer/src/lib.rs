//! The replayer: sessions on a trace, controlled replay, and the command line of `replay`.
//!
//! It never links the real outside: nothing that a replayed program does reaches the world.

#![forbid(unsafe_code)]

pub mod cli;
pub mod commands;
mod diagram;
pub mod exchange;
pub mod exit;
mod interrupt;
pub mod memory;
pub mod paint;
pub mod render;
mod spoken;
pub mod store;
mod unfinished;
mod universes;
pub mod view;
pub mod words;

use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write};

use clap::CommandFactory as _;
use clap::error::ErrorKind;

use crate::cli::shared::FormatWord;
use crate::cli::{Cli, Command};
use crate::commands::Out;
use crate::exit::Exit;
use crate::paint::{ColorChoice, Paint};
use session::Error;

/// Runs `replay` with a command line: answers go to standard output, messages to standard error.
#[must_use]
pub fn main_with(arguments: Vec<OsString>) -> Exit {
    let stdout = std::io::stdout();
    let columns = stdout.is_terminal().then(terminal_columns).flatten();
    let mut sink = BufWriter::new(stdout.lock());
    let checks = cli::parse::is_verb(&arguments, "check");
    let (color, done) = run_with(arguments, &mut sink, columns);
    match done {
        Ok(exit) => exit,
        Err(Error::Sink(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => {
            let paint = Paint::stderr(color);
            // If standard error is closed too, only the exit code is left.
            // The error may contain text from the trace or the command line: it is escaped for the terminal.
            let text = log_format::safe_message(&error.to_string());
            let _ = writeln!(std::io::stderr(), "{} {text}", paint.bad("replay:"));
            if checks {
                commands::check::exit(&error)
            } else {
                Exit::from(&error)
            }
        }
    }
}

/// Runs `replay` with a command line and writes the answer to `sink`. `columns`: the width of the terminal, if it is one.
///
/// # Errors
/// Everything that can go wrong, except wrong command lines: these are reported on standard error at once.
pub fn run_with(
    arguments: Vec<OsString>,
    sink: &mut dyn Write,
    columns: Option<usize>,
) -> (ColorChoice, Result<Exit, Error>) {
    let hidden = |argument: &OsString| argument.to_string_lossy().contains(log_format::is_hidden);
    let checks = cli::parse::is_verb(&arguments, "check");
    let as_it_is = !arguments.iter().any(hidden);
    let cli = match cli::parse::parse(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is not an error.
            if as_it_is {
                let _ = error.print();
            } else {
                // The message contains what was typed.
                let text = log_format::safe_lines(&error.render().to_string());
                let _ = write!(std::io::stderr(), "{text}");
            }
            let exit = match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
                // A bisection must not take a mistyped option for a failure of the program.
                _ if checks => Exit::CheckFailed,
                _ => Exit::Usage,
            };
            return (ColorChoice::Auto, Ok(exit));
        }
    };
    memory::bound(cli.max_memory.map(|megabytes| megabytes as usize));
    spoken::choose(cli.terms);
    let mut out = Out {
        sink,
        format: cli.format(),
        csv: cli.is_csv(),
        word: cli.format_word(),
        paint: Paint::stdout(cli.color),
        columns,
    };
    let done = match (out.word, &cli.command) {
        (_, Command::Export(_)) | (FormatWord::Text | FormatWord::Json, _) | (FormatWord::Csv, Command::Log(_)) => {
            dispatch(&cli.command, &mut out)
        }
        (FormatWord::Csv, _) => Err(Error::Usage(
            "--format csv is for `replay log` and `replay export`: expected text or json".to_owned(),
        )),
        (FormatWord::Svg | FormatWord::Mermaid | FormatWord::Perfetto, _) => Err(Error::Usage(
            "--format svg, mermaid and perfetto are for `replay export`: expected text or json".to_owned(),
        )),
    };
    let flushed = out.sink.flush().map_err(Error::from);
    (cli.color, done.and_then(|exit| flushed.map(|()| exit)))
}

fn dispatch(command: &Command, out: &mut Out<'_>) -> Result<Exit, Error> {
    match command {
        Command::Run(args) => commands::run::run(args, out),
        Command::Why(args) => commands::why::run(args, out),
        Command::Report(args) => commands::report::run(args, out),
        Command::Bundle(args) => commands::bundle::run(args, out),
        Command::Races(args) => commands::races::run(args, out),
        Command::WhatIf(args) => commands::whatif::run(args, out),
        Command::Consequences(args) => commands::why::consequences(args, out),
        Command::Slice(args) => commands::slice::run(args, out),
        Command::Check(args) => commands::check::run(args, out),
        Command::Debug(args) => commands::debug::run(args, out),
        Command::Dap(args) => commands::dap::run(args, out),
        Command::Explore(args) => commands::explore::run(args, out),
        Command::Graph(args) => commands::graph::run(args, out),
        Command::Diff(args) => commands::diff::run(args, out),
        Command::Info(args) => commands::info::run(args, out),
        Command::Log(args) => commands::log::run(args, out),
        Command::Causes(args) => commands::run::causes(args, out),
        Command::State(args) => commands::run::state(args, out),
        Command::Verify(args) => commands::verify::run(args, out),
        Command::Find(args) => commands::find::run(args, out),
        Command::Export(args) => commands::export::export(args, out),
        Command::Import(args) => commands::export::import(args, out),
        Command::Scrub(args) => commands::scrub::run(args, out),
        Command::Ls(args) => commands::ls::ls(args, out),
        Command::Prune(args) => commands::ls::prune(args, out),
        Command::Summary(args) => commands::summary::run(args, out),
        Command::Demo(args) => commands::demo::run(args, out),
        Command::Completions(args) => commands::installing::completions(args, Cli::command(), out),
        Command::Man(args) => commands::installing::man(args, Cli::command()),
    }
}

/// The width of the terminal, as the shell gives it.
fn terminal_columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|&n| n >= 40)
}
