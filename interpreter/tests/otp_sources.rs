//! Every source file of an installed OTP compiles: a quarter of them, all in a deep run (`DEEP=1`). Skipped, with a message, if no sources of OTP 25
//! are installed.

#[path = "../../syntax/tests/all/otp/mod.rs"]
mod otp;

use interpreter::vm::Program;
use syntax::parse_module;

/// The compiler and the verifier agree on all of OTP, also when variables are kept for a debugger.
#[test]
fn installed_otp_sources_compile_with_variables_kept() {
    let includes = otp::OtpIncludes::new();
    let (mut compiled, mut wrong) = (0, Vec::new());
    let files = otp::erlang_files("src");
    if files.is_empty() {
        steady::skipped(&format!("there are no sources of Erlang/OTP 25 in {}", otp::LIB));
        return;
    }
    for file in seeds::share(files, 4) {
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
                Ok(_) => compiled += 1,
                // Files that the compiler refuses are not tested here.
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
    assert!(compiled > 0);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
