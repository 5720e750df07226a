//! The recorder's binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tracer::main_with(std::env::args_os()).code())
}
