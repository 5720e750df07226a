//! `tests/projects/umbrella`: one of everything that projects have, by `tracer test` alone.

use std::path::Path;

use tests::Folder;

fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("can be made");
    for entry in std::fs::read_dir(from).expect("can be read") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("it has a name"));
        if from.is_dir() {
            copy_into(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("can be copied");
        }
    }
}

fn umbrella() -> Folder {
    let folder = Folder::new("umbrella");
    copy_into(&tests::root().join("tests/projects/umbrella"), folder.path());
    folder
}

#[test]
fn an_umbrella_needs_no_options() {
    let folder = umbrella();
    // Without an installed OTP there is no generator, so one test fails, and says why.
    let outcome = folder.tracer(["test"]).expect(1);
    for told in [
        "fail_on_warning of rebar.config:2: the compiler does not know it; only a parse transform can read it",
        "the module amount is not made of apps/till/src/amount.xrl: the module leex of OTP's parsetools is not there",
        "node_tests: its node is to be alive, so it is till@",
        "price_tests:price_test failed",
        "16 tests: 1 failed, 1 skipped, 14 passed",
    ] {
        assert!(outcome.stderr.contains(told), "{told}\n{}", outcome.stderr);
    }
    folder.replay(["verify", "latest"]).expect(0);
}

#[test]
fn with_an_otp_the_umbrella_passes() {
    let otp = Path::new("/usr/lib/erlang");
    if !steady::has_otp_25() || !otp.join("lib/parsetools-2.4.1/src/leex.erl").is_file() {
        return;
    }
    let folder = umbrella();
    let outcome = tests::BinaryRun::new("tracer", folder.path(), ["test", "-k", "price", "-k", "application"])
        .env("TRACER_OTP", "/usr/lib/erlang")
        .run()
        .expect(0);
    assert!(outcome.stderr.contains("all 3 tests passed"), "{}", outcome.stderr);
}

/// Each application has a race that the usual schedule hides, and that others show. A mended one has none.
#[test]
fn the_races_of_the_umbrella_are_found_and_mended() {
    let folder = umbrella();
    let search = [
        "test",
        "--runs",
        "40",
        "--seed",
        "1",
        "-k",
        "two_clerks",
        "-k",
        "two_at_once",
    ];
    let outcome = folder.tracer(search).expect(1);
    for test in ["till_tests:two_clerks_test", "audit_tests:two_at_once_test"] {
        let failed = format!("{test}: failed in ");
        assert!(outcome.out().contains(&failed), "{test}\n{}", outcome.out());
    }
    let why = folder.replay(["why", "latest"]).expect(0);
    assert!(!why.out().is_empty());
    let till = folder.path().join("apps/till/src/till.erl");
    let text = std::fs::read_to_string(&till).expect("it is there");
    let racy = "    Total = ledger:read(Ledger, total),\n    ledger:write(Ledger, total, Total + Amount).\n";
    let mended = "    ets:update_counter(Ledger, total, {3, Amount}, {entry, total, 0}).\n";
    assert!(text.contains(racy));
    std::fs::write(&till, text.replace(racy, mended)).expect("can be written");
    let audit = folder.path().join("apps/audit/src/audit.erl");
    let text = std::fs::read_to_string(&audit).expect("it is there");
    let racy = "            Pid = spawn(fun() -> loop(0) end),\n            register(audit, Pid),\n            Pid;\n";
    let mended = "            Pid = spawn(fun() -> loop(0) end),\n            try register(audit, Pid) of true -> Pid catch error:badarg -> exit(Pid, kill), needed() end;\n";
    assert!(text.contains(racy));
    std::fs::write(&audit, text.replace(racy, mended)).expect("can be written");
    folder.tracer(search).expect(0);
}
