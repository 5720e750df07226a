//! `replay completions` and `replay man`: what a shell and `man` need, made from the command line itself.

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::commands::Out;
use crate::exit::Exit;
use session::error::Error;

/// Runs `replay completions`.
///
/// # Errors
/// Standard output cannot be written.
pub fn completions(args: &CompletionsArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    // Into memory first: the generator panics if its sink fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "replay", &mut script);
    out.sink.write_all(&script)?;
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// Runs `replay man`: a page for the tool, and one for each verb.
///
/// # Errors
/// The folder cannot be made or written.
pub fn man(args: &ManArgs) -> Result<Exit, Error> {
    let made = std::fs::create_dir_all(&args.folder);
    let written = made.and_then(|()| clap_mangen::generate_to(Cli::command(), &args.folder));
    written.map(|()| Exit::Success).map_err(|error| Error::Output {
        path: args.folder.clone(),
        error: error.to_string(),
    })
}
