//! Random modules of `tests/oracle/programs.escript`, kept with what Erlang/OTP 25 printed for each of their functions: values, and class,
//! reason and stack trace of errors, with the texts that the shell prints.

use std::path::PathBuf;

use tests::{BinaryRun, root};

/// The output of each function, by name; `#` starts a function.
fn functions(out: &str) -> Vec<(String, String)> {
    let text = format!("\n{out}");
    text.split("\n#")
        .skip(1)
        .map(|part| part.split_once(' ').unwrap_or((part, "")))
        .map(|(name, text)| (name.to_owned(), text.trim_end().to_owned()))
        .collect()
}

#[test]
fn random_modules_behave_as_under_otp() {
    let folder = root().join("tests/oracle/programs");
    let mut modules: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of random modules")
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "erl"))
        .collect();
    modules.sort();
    let (mut compared, mut different) = (0, Vec::new());
    for module in &modules {
        let name = module
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name in ASCII");
        let expected =
            functions(&std::fs::read_to_string(module.with_extension("out")).expect("every module has its output"));
        let outcome = BinaryRun::new(
            "tracer",
            &folder,
            ["run", "--no-trace", "--quiet", name].map(str::to_owned),
        )
        .run();
        // Standard output of a program is in Latin-1.
        let found = functions(&outcome.stdout.iter().map(|&byte| char::from(byte)).collect::<String>());
        compared += expected.len();
        for (function, text) in &expected {
            let ours = found.iter().find(|f| f.0 == *function).map_or("(nothing)", |f| &f.1);
            if ours != text {
                different.push(format!("{name} {function}:\n  expected {text}\n  found    {ours}"));
            }
        }
    }
    assert!(compared >= 600, "only {compared} functions found");
    assert!(
        different.is_empty(),
        "{} of {compared} functions differ:\n{}",
        different.len(),
        different.join("\n")
    );
}
