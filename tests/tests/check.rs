//! Exit codes of `replay check`, through the binary, as `git bisect run` needs them.

use tests::{Folder, root};

/// The failure occurred again, or another one.
const FAILS: i32 = 1;
/// No verdict.
const UNDECIDED: i32 = 125;
/// An error of the tool or of its user.
const FAILED: i32 = 128;

fn pair(name: &str) -> String {
    let path = root().join("tests/pairs").join(format!("{name}.erl"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with a failing run of a pair in `trace.bin`, and its program.
fn failing(name: &str) -> Folder {
    let folder = Folder::new(&format!("check-{name}"));
    let file = format!("{name}.erl");
    folder.write(&file, pair(name));
    for seed in 1..200 {
        let seed = seed.to_string();
        let run = folder.tracer(["run", "--seed", &seed, "-o", "trace.bin", &file]);
        if run.code == 1 || run.code == 80 {
            return folder;
        }
    }
    panic!("{name} never fails");
}

#[test]
fn every_verdict_has_its_exit_code() {
    let folder = failing("divide");
    let fixed = folder.write("fixed.erl", pair("divide.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    // The program on disk is the recorded one.
    let same = folder.replay(["check", "trace.bin"]).expect(FAILS);
    assert!(same.out().contains("still fails"), "{}", same.out());
    let done = folder.replay(["check", "trace.bin", "--program", fixed]).expect(0);
    assert!(done.out().starts_with("fixed"), "{}", done.out());
    let json = folder
        .replay(["check", "trace.bin", "--program", fixed, "--json"])
        .expect(0);
    assert!(json.out().contains("\"verdict\""), "{}", json.out());
    folder.write("broken.erl", "-module(divide).\nmain( ->");
    folder
        .replay(["check", "trace.bin", "--program", "broken.erl"])
        .expect(UNDECIDED)
        .says(&["divide.erl:2", "inside a form"]);
    folder
        .replay(["check", "nowhere.bin"])
        .expect(FAILED)
        .says(&["nowhere.bin"]);
    folder
        .replay(["check", "trace.bin", "--program", "nowhere.erl"])
        .expect(FAILED)
        .says(&["nowhere.erl"]);
    folder.write("junk.bin", "no trace at all");
    folder.replay(["check", "junk.bin"]).expect(FAILED).says(&["junk.bin"]);
}

#[test]
fn damage_is_told_with_the_file() {
    let folder = failing("divide");
    let good = std::fs::read(folder.path().join("trace.bin")).expect("a trace");
    let fixed = folder.write("fixed.erl", pair("divide.fixed"));
    let fixed = fixed.to_str().expect("a path in UTF-8");
    let mut told = 0;
    for part in 1..16 {
        let mut bad = good.clone();
        bad[good.len() * part / 16] ^= 0x55;
        folder.write("bad.bin", &bad);
        let outcome = folder.replay(["check", "bad.bin", "--program", fixed]).no_panic();
        if outcome.code == FAILED {
            outcome.says(&["bad.bin"]);
            told += 1;
        }
    }
    assert!(told > 0, "no damage was noticed");
}

#[test]
fn what_a_change_takes_away_is_a_divergence() {
    let folder = failing("divide");
    // A program of the same name that waits for something else.
    folder.write(
        "other.erl",
        "-module(divide).\n-export([main/0]).\nmain() -> receive never -> ok end.\n",
    );
    let other = folder.replay(["check", "trace.bin", "--program", "other.erl"]);
    assert!(
        other.code == UNDECIDED || other.code == FAILS,
        "never fixed: {} {}",
        other.code,
        other.out()
    );
}

/// A program of two modules: an error in the one that is not the entry's is reported as such, and so is a folder without either of them.
#[test]
fn all_changed_modules_must_compile_and_one_must_be_there() {
    let folder = Folder::new("check-modules");
    let main = "-module(front).\n-export([main/0]).\nmain() -> back:run().\n";
    let back = "-module(back).\n-export([run/0]).\nrun() -> exit(bad).\n";
    folder.write("front.erl", main);
    folder.write("back.erl", back);
    folder
        .tracer(["run", "--seed", "1", "-o", "trace.bin", "front.erl"])
        .expect(1);
    folder.write("back.erl", back.replace("exit(bad)", "exti(bad)"));
    for files in [&[][..], &["--program", "back.erl"]] {
        let arguments = [&["check", "trace.bin"][..], files].concat();
        folder
            .replay(arguments)
            .expect(UNDECIDED)
            .says(&["back.erl:3", "exti/1"]);
    }
    folder.write("back.erl", back.replace("exit(bad)", "ok"));
    folder.replay(["check", "trace.bin"]).expect(0);
    let trace = folder.path().join("trace.bin");
    let elsewhere = Folder::new("check-elsewhere");
    elsewhere
        .replay(["check", trace.to_str().expect("a path in UTF-8")])
        .expect(FAILED)
        .says(&["the files of the program are not here", "front.erl", "--program"]);
}
