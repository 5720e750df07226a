//! `tracer completions` and `tracer man`: what a shell and `man` need, made from the command line itself.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::error::{Error, OutputError};
use crate::exit::Exit;

/// Runs `tracer completions`.
#[must_use]
pub fn completions(args: &CompletionsArgs) -> Exit {
    // Into memory first: the generator panics if its sink fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tracer", &mut script);
    match std::io::stdout().write_all(&script) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Error::from(OutputError::Stdout(error)).told(),
        _ => Exit::Success,
    }
}

/// Runs `tracer man`: a page for the tool, and one for each command.
#[must_use]
pub fn man(args: &ManArgs) -> Exit {
    let made = std::fs::create_dir_all(&args.folder);
    match made.and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder)) {
        Ok(()) => Exit::Success,
        Err(error) => {
            let path = args.folder.clone();
            Error::from(OutputError::Pages { path, error }).told()
        }
    }
}
