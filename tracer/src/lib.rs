//! The recorder: the real outside, the command line of `tracer`, and its messages.

mod aside;
mod bell;
mod beside;
mod built;
mod cli;
mod compare;
mod elixir;
mod error;
mod execute;
mod exit;
mod files;
mod handles;
mod hunt;
mod installed;
mod installing;
mod kept;
mod lingering;
mod map_order;
mod named;
mod named_test;
mod objects;
mod options;
mod outside;
mod patience;
mod project;
mod report;
mod run;
mod script;
mod side_by_side;
mod signals;
mod stdin;
mod test;
mod transforms;
mod zone;

use clap::Parser;
use clap::error::ErrorKind;

pub use exit::Exit;

/// Runs `tracer` with this command line (the first word is the program's name).
pub fn main_with(args: impl IntoIterator<Item = std::ffi::OsString>) -> Exit {
    let args: Vec<std::ffi::OsString> = args.into_iter().collect();
    let cli = match cli::Cli::try_parse_from(options::with_paths(&args)) {
        Ok(cli) => cli,
        Err(error) => {
            let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let hidden = |arg: &std::ffi::OsString| arg.to_string_lossy().contains(log_format::is_hidden);
            // If even this cannot be written, nothing useful can be done.
            if args.iter().any(hidden) {
                // The message contains what was typed.
                let text = log_format::safe_lines(&error.render().to_string());
                let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
            } else {
                let _ = error.print();
            }
            return if help { Exit::Success } else { Exit::Usage };
        }
    };
    match cli.command {
        cli::Command::Hunt(hunt_args) => hunt::hunt(&hunt_args),
        cli::Command::Run(run_args) => run::run(&run_args, &args),
        cli::Command::Test(test_args) => test::test(&test_args, &args),
        cli::Command::Compile(compile_args) => test::compile(&compile_args),
        cli::Command::Doctor(doctor_args) => test::doctor(&doctor_args),
        cli::Command::Compare(compare_args) => compare::compare(&compare_args),
        cli::Command::Completions(args) => installing::completions(&args),
        cli::Command::Man(args) => installing::man(&args),
    }
}
