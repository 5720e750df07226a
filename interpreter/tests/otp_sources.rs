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

/// Every module of an installed OTP runs from its beam file: the forms that are kept in it are a program without errors, and compile. (That nothing
/// of the forms is lost, `forms_of_beams_are_read_and_written` shows.)
#[test]
fn installed_otp_beams_compile() {
    if !steady::has_otp_25() {
        return;
    }
    let mut beams = Vec::new();
    otp::collect(std::path::Path::new(otp::LIB), "beam", &mut beams);
    beams.sort();
    let (mut compiled, mut wrong) = (0, Vec::new());
    for file in seeds::share(beams, 40) {
        let bytes = std::fs::read(&file).expect("listed just now");
        let parsed = interpreter::beam::read(&bytes)
            .map_err(|error| error.to_string())
            .and_then(|object| syntax::parse_forms(&object.forms).map_err(|errors| format!("{errors:?}")));
        let program = Program::new(&[]);
        let unit = parsed.and_then(|parsed| {
            program
                .compile_verified(&parsed.module)
                .map_err(|errors| format!("{errors:?}"))
        });
        match unit {
            Ok(_) => compiled += 1,
            Err(why) => wrong.push(format!("{}: {why}", file.display())),
        }
    }
    println!("{compiled} beam files");
    assert!(compiled > 0);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
