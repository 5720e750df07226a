//! Every source file of an installed OTP parses: a quarter of them, all in a deep run (`DEEP=1`). Skipped, with a word, where no sources of OTP 25
//! are installed.

use syntax::parse_module;

use crate::otp;

/// Errors of a file whose headers are not installed, or that OTP builds with a transform of its own.
const NOT_OURS: &[&str] = &["can't find include", "parse transform"];

#[test]
fn installed_otp_sources_parse() {
    let files = otp::erlang_files("src");
    if files.is_empty() {
        steady::skipped(&format!("there are no sources of Erlang/OTP 25 in {}", otp::LIB));
        return;
    }
    let files = seeds::share(files, 4);
    let includes = otp::OtpIncludes::new();
    let (mut bytes, mut failed) = (0, Vec::new());
    let start = steady::used();
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
    let seconds = (steady::used() - start).as_secs_f64();
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
