//! `cargo run --package retell-tests --bin goldens`: records golden traces for the version of the format that is written now (see
//! `fixtures/traces/README.md`), and prints which features they lack.

use std::collections::BTreeSet;
use std::process::ExitCode;

fn main() -> ExitCode {
    match tests::goldens::record() {
        Ok(folder) => {
            let mut have = BTreeSet::new();
            let mut bytes = 0;
            for golden in tests::goldens::all() {
                let trace = log_format::Trace::open(&golden.path).expect("it was just written");
                bytes += trace.bytes();
                have.extend(tests::goldens::contents(&trace).expect("it was just written"));
            }
            for what in &have {
                println!("{what}");
            }
            println!("{}: {bytes} bytes in all", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("goldens: {error}");
            ExitCode::FAILURE
        }
    }
}
