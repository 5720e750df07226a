//! `replay demo`: records the proxy race of [LPV19, Fig. 2] until it fails, and shows the controlled replay of the failure.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use log_format::Trace;

use crate::cli::shared::ShowArgs;
use crate::commands::run::RunArgs;
use crate::commands::{Out, run};
use crate::exit::Exit;
use crate::words::path_argument;
use clap::Args;
use session::error::Error;
use session::record::Text;

/// `replay demo`.
#[derive(Args, Debug)]
#[command(after_help = "Example: replay demo -o demo.bin")]
pub struct DemoArgs {
    /// Where to write the trace. A file that the demo did not write is never replaced
    #[arg(short, long, value_name = "FILE", default_value = "trace.bin")]
    pub output: PathBuf,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// The program.
const PROXY: &str = include_str!("../../../fixtures/proxy/proxy.erl");
/// Its path in the tree, which stack traces show.
const PROXY_PATH: &str = "fixtures/proxy/proxy.erl";
/// Seeds that are tried. About every third one fails.
const SEEDS: u64 = 1000;
/// The command line in the header of a trace that the demo wrote.
const COMMAND: [&str; 2] = ["replay", "demo"];

/// Runs `replay demo`.
///
/// # Errors
/// The trace cannot be written; everything of `replay run`.
pub fn run(args: &DemoArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let path = free_path(&args.output)?;
    let program = Text {
        path: PROXY_PATH.to_owned(),
        source: Arc::from(PROXY.as_bytes()),
        release: Default::default(),
    };
    let mut failing = None;
    for seed in 1..=SEEDS {
        if program.fails(seed)? {
            failing = Some(seed);
            break;
        }
    }
    let Some(seed) = failing else {
        eprintln!("replay: none of the seeds 1 to {SEEDS} made {PROXY_PATH} fail");
        return Ok(Exit::Different);
    };
    let (_, bytes) = program.record_to(seed, &COMMAND.map(str::to_owned), &path)?;
    let file = path_argument(&path);
    eprintln!(
        "{PROXY_PATH}: two messages race to a server; with seed {seed} the wrong one wins and the server crashes.\n\
         The run was recorded in {file} ({bytes} bytes). What led to the crash, and nothing else:\n\n\
         $ replay --until error {file}"
    );
    let run_args = RunArgs {
        view: crate::cli::shared::ViewArgs::default(),
        until: vec!["error".to_owned()],
        moves: vec![crate::commands::run::Move::Until("error".to_owned())],
        back: Vec::new(),
        when: None,
        pattern: None,
        checkpoint_memory: 256,
        trace: path,
        show: args.show,
    };
    let exit = run::run(&run_args, out)?;
    eprintln!("\nThe same as a picture, in one file that any browser opens:\n\n$ replay report {file}");
    Ok(exit)
}

/// The path itself if there is no such file, or a trace of an earlier demo; else a free path beside it.
fn free_path(wanted: &Path) -> Result<PathBuf, Error> {
    let mut path = wanted.to_path_buf();
    for n in 2..100 {
        if is_free(&path) {
            if path != wanted {
                eprintln!(
                    "replay: {} was not written by the demo and is kept",
                    path_argument(wanted)
                );
            }
            return Ok(path);
        }
        let stem = wanted.file_stem().unwrap_or_default().to_string_lossy();
        let extension = wanted
            .extension()
            .map(|e| format!(".{}", e.to_string_lossy()))
            .unwrap_or_default();
        path = wanted.with_file_name(format!("{stem}-{n}{extension}"));
    }
    let error = "it was not written by the demo and is not replaced; name another file with -o".to_owned();
    Err(Error::Output {
        path: wanted.to_path_buf(),
        error,
    })
}

fn is_free(path: &Path) -> bool {
    match path.symlink_metadata() {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        Ok(meta) => meta.is_file() && Trace::open(path).is_ok_and(|trace| trace.header().command == COMMAND),
    }
}
