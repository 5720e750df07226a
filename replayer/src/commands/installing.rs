//! `replay completions` and `replay man`: what a shell and `man` need, made from the command line itself.

use crate::commands::Out;
use crate::exit::Exit;
use clap::Args;
use session::error::Error;
use std::path::PathBuf;

/// `replay completions`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay completions bash > ~/.local/share/bash-completion/completions/replay")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `replay man`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder; it is made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Runs `replay completions`. `replay`: the command line.
///
/// # Errors
/// Standard output cannot be written.
pub fn completions(args: &CompletionsArgs, mut replay: clap::Command, out: &mut Out<'_>) -> Result<Exit, Error> {
    // Into memory first: the generator panics if its sink fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut replay, "replay", &mut script);
    out.sink.write_all(&script)?;
    out.sink.flush()?;
    Ok(Exit::Success)
}

/// Runs `replay man`: a page for the tool, and one for each verb. `replay`: the command line.
///
/// # Errors
/// The folder cannot be made or written.
pub fn man(args: &ManArgs, replay: clap::Command) -> Result<Exit, Error> {
    let made = std::fs::create_dir_all(&args.folder);
    let written = made.and_then(|()| clap_mangen::generate_to(replay, &args.folder));
    written.map(|()| Exit::Success).map_err(|error| Error::Output {
        path: args.folder.clone(),
        error: error.to_string(),
    })
}
