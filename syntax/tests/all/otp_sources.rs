//! Every source file of an installed OTP parses: a quarter of them each day, all in a deep run (`DEEP=1`). Skipped, with a word, where no OTP
//! sources are installed.

use std::time::Instant;

use syntax::parse_module;

use crate::otp;

/// Errors of a file whose headers are not installed, or that OTP builds with a transform of its own.
const NOT_OURS: &[&str] = &["can't find include", "parse transform", "-on_load is not supported"];

#[test]
fn installed_otp_sources_parse() {
    let files = otp::erlang_files("src");
    if files.is_empty() {
        eprintln!("skipped: no {}/*/src/*.erl on this machine", otp::LIB);
        return;
    }
    let files = seeds::share(files, 4);
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
        .filter(|line| !NOT_OURS.iter().any(|bad| line.contains(bad)))
        .collect();
    assert!(
        unexpected.is_empty(),
        "{} of {} files failed:\n{unexpected:#?}",
        unexpected.len(),
        files.len()
    );
}
