//! Every source file of an installed OTP parses. Skipped, with a word, where no OTP sources are installed.

mod otp;

use std::time::Instant;

use interpreter::syntax::parse_module;
use interpreter::vm::Program;

#[test]
fn installed_otp_sources_parse() {
    let files = otp::erlang_files("src");
    if files.is_empty() {
        eprintln!("skipped: no {}/*/src/*.erl on this machine", otp::LIB);
        return;
    }
    let includes = otp::OtpIncludes::new();
    let (mut bytes, mut failed) = (0, Vec::new());
    let start = Instant::now();
    for file in &files {
        let source = std::fs::read(file).expect("listed just now");
        bytes += source.len();
        if let Err(errors) = parse_module(
            file.to_str().expect("OTP's names are ASCII"),
            &source,
            &otp::options(file),
            &includes,
        ) {
            let first = &errors[0];
            failed.push(format!(
                "{}:{}:{}: {} ({:?})",
                first.file, first.loc.line, first.loc.col, first.message, first.label
            ));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = bytes as f64 / 1e6 / seconds;
    println!(
        "{} files, {bytes} bytes, {} failed, {rate:.1} MB/s",
        files.len(),
        failed.len()
    );
    let unexpected: Vec<_> = failed
        .iter()
        .filter(|line| !otp::NOT_OURS.iter().any(|bad| line.contains(bad)))
        .collect();
    assert!(
        unexpected.is_empty(),
        "{} of {} files failed:\n{unexpected:#?}",
        unexpected.len(),
        files.len()
    );
}

/// The compiler and the verifier agree on all of OTP, also when variables are kept for a debugger.
#[test]
fn installed_otp_sources_compile_with_variables_kept() {
    let includes = otp::OtpIncludes::new();
    let (mut compiled, mut wrong) = (0, Vec::new());
    for file in otp::erlang_files("src") {
        let source = std::fs::read(&file).expect("listed just now");
        let name = file.to_str().expect("OTP's names are ASCII");
        let Ok(parsed) = parse_module(name, &source, &otp::options(&file), &includes) else {
            continue;
        };
        for keep in [false, true] {
            let mut program = Program::new(&[]);
            if keep {
                program.keep_variables();
            }
            match program.load(&parsed.module) {
                Ok(()) => compiled += 1,
                // What the compiler refuses is no matter of this test.
                Err(errors) => wrong.extend(
                    errors
                        .iter()
                        .filter(|e| e.message.contains("bug of this tool"))
                        .map(|e| format!("{name} (variables kept: {keep}): {}", e.message)),
                ),
            }
        }
    }
    println!("{compiled} compilations");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
