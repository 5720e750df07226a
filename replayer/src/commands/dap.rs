//! `replay dap`: editors drive a replay by the Debug Adapter Protocol, over standard input and output or a local socket.

use std::io::{BufReader, BufWriter};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use clap::Args;
use session::error::Error;
use session::{Session, Target};
use syntax::Release;
use system::{Delivery, whole_number};

use crate::commands::{Out, is_program, open_program, open_session};
use crate::exit::Exit;
use crate::render;
use crate::render::text::Layout;
use session::subject::ShownBounds;

/// Characters on a line of what is explained in an editor's console.
const WIDTH: usize = 100;

/// `replay dap`.
#[derive(Args, Debug)]
#[command(after_help = "The client sends what is to be debugged in its `launch` request:
  program       a trace, or a program FILE.erl
  until         go there first: error, rec:42, … (without it, the session stands at the first line of the program)
  stopOnEntry   false: go on to the first breakpoint or failure
  sourceRoots   folders where the sources are (default: the current one, and that of the trace)
  seed          with FILE.erl: run and record it first, under this schedule
  token         with --listen: the token that is printed

docs/editors.md has the settings for VS Code, Neovim, Emacs and others.

Example: replay dap")]
pub struct DapArgs {
    /// Wait for one client at this address instead of serving standard input; port 0 takes a free one. The address and a token are printed
    #[arg(long, value_name = "127.0.0.1:PORT")]
    pub listen: Option<SocketAddr>,
    /// Memory for checkpoints, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub checkpoint_memory: usize,
}

/// Runs `replay dap`.
///
/// # Errors
/// The address is not a local one, or cannot be used; a message cannot be read or written.
pub fn run(args: &DapArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let memory = args.checkpoint_memory.saturating_mul(1 << 20);
    let Some(address) = args.listen else {
        let mut input = std::io::stdin().lock();
        dap::serve(
            &mut input,
            out.sink,
            &Opener,
            &dap::Options {
                checkpoint_memory: memory,
                token: None,
            },
        )
        .map_err(|error| failed("standard input", &error))?;
        return Ok(Exit::Success);
    };
    if !address.ip().is_loopback() {
        return Err(Error::Usage(format!(
            "--listen {address}: expected a local address, such as 127.0.0.1:0; whoever can connect can read the trace"
        )));
    }
    let about = |error: &std::io::Error| failed(&address.to_string(), error);
    let listener = TcpListener::bind(address).map_err(|error| about(&error))?;
    let bound = listener.local_addr().map_err(|error| about(&error))?;
    let mut secret = [0; 16];
    getrandom::fill(&mut secret).map_err(|error| Error::Bug(format!("no random numbers can be had: {error}")))?;
    let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out.sink, "listening on {bound}, token {token}")?;
    out.sink.flush()?;
    let (stream, _) = listener.accept().map_err(|error| about(&error))?;
    let mut input = BufReader::new(stream.try_clone().map_err(|error| about(&error))?);
    let mut output = BufWriter::new(stream);
    let options = dap::Options {
        checkpoint_memory: memory,
        token: Some(token),
    };
    dap::serve(&mut input, &mut output, &Opener, &options).map_err(|error| about(&error))?;
    Ok(Exit::Success)
}

fn failed(what: &str, error: &std::io::Error) -> Error {
    Error::Input {
        path: PathBuf::from(what),
        error: error.to_string(),
    }
}

/// Opens traces and programs, and explains them.
struct Opener;

impl dap::Backend for Opener {
    fn open(&self, launch: &dap::Launch) -> Result<Session, Error> {
        match is_program(&launch.program) {
            true => open_program(&launch.program, Release::NEWEST, None, launch.seed, Delivery::Causal),
            false => open_session(&launch.program),
        }
    }

    fn why(&self, session: &Session, program: &Path, target: &Target) -> Result<String, Error> {
        let bounds = ShownBounds {
            chars: WIDTH,
            frames: 12,
            items: 12,
        };
        let limits = decisive::Limits::default();
        let view = super::why::story(session, (&target.to_string(), limits), program, &bounds, false)?;
        let layout = Layout {
            paint: crate::paint::Paint::off(),
            width: WIDTH,
            all: false,
        };
        let mut text = Vec::new();
        render::why::why(&mut text, &view, &layout)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}
