//! `replay`: the binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    replayer::main_with(std::env::args_os().collect()).into()
}
