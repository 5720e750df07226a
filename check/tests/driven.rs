//! Unchanged programs, driven by their own choices.

use super::*;

#[test]
fn the_recorded_program_driven_by_its_choices_does_the_same() {
    let root = folder().join("../..");
    let fixtures = [
        "account",
        "barber",
        "client_server",
        "philosophers",
        "philosophers_livelock",
        "philosophers_order",
        "proxy",
        "seats",
        "stock",
    ];
    let paths = fixtures
        .iter()
        .map(|name| root.join(format!("fixtures/{name}/{name}.erl")));
    let pairs = pairs();
    let all = paths.chain(pairs.iter().map(|name| folder().join(format!("{name}.erl"))));
    let (mut runs, mut others) = (0, Vec::new());
    for path in all {
        let text = Text {
            path: path.display().to_string(),
            source: std::fs::read(&path).unwrap().into(),
            release: Default::default(),
        };
        for seed in 1..=4 {
            let bytes = text.record_bytes(seed).unwrap().1;
            let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
            runs += 1;
            if let Some(other) = check::drive_again(&session, false).unwrap().other {
                others.push(format!("{}, seed {seed}: {other}", path.display()));
            }
        }
    }
    assert!(
        others.is_empty(),
        "{} of {runs} runs are others:\n{}",
        others.len(),
        others.join("\n")
    );
}

#[test]
fn conformance_programs_driven_by_their_choices_do_the_same() {
    let root = folder().join("../conformance");
    let (mut runs, mut wrong) = (0, Vec::new());
    let areas = ["process", "ets", "crash", "errors", "misc", "nodes", "otp", "lib"];
    for area in areas {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(root.join(area))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "erl"))
            .collect();
        paths.sort();
        for path in seeds::share(paths, 8) {
            let name = format!("{area}/{}", path.file_stem().unwrap().to_string_lossy());
            let text = Text {
                path: path.display().to_string(),
                source: std::fs::read(&path).unwrap().into(),
                release: Default::default(),
            };
            // This test skips programs of several modules.
            let Ok((_, bytes)) = text.record_bytes(1) else { continue };
            if NOT_FOLLOWED.contains(&name.as_str()) {
                continue;
            }
            let trace = Trace::from_bytes(bytes).unwrap();
            if trace.totals().counts.actions > LONGEST {
                continue;
            }
            runs += 1;
            let session = Session::of(Arc::new(trace)).unwrap();
            let other = check::drive_again(&session, false).map(|again| again.other);
            if !matches!(other, Ok(None)) {
                wrong.push(format!("{name} {other:?}"));
            }
        }
    }
    println!("{runs} programs");
    assert!(runs > seeds::many(12, 100), "{runs} programs");
    assert!(
        wrong.is_empty(),
        "{} of {runs} do something else:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A server for which the requests of many are held back: what can be given next is kept, and not looked for among all of them in each turn.
#[test]
fn what_is_given_next_is_not_looked_for_among_all_that_is_held() {
    let source = "-module(full).\n-export([main/0]).\nmain() ->\n    {S, R} = spawn_monitor(fun() -> serve(0) end),\n    \
         [spawn(fun() -> S ! {add, self()}, receive ok -> ok end end) || _ <- lists:seq(1, MANY)],\n    \
         receive {'DOWN', R, _, _, X} -> exit(X) end.\nserve(MANY - 1) -> receive {add, _} -> exit(full) end;\n\
         serve(K) -> receive {add, P} -> P ! ok, serve(K + 1) end.\n";
    let looks = |n: u64, eager: bool| {
        let session = run_of("full", &source.replace("MANY", &n.to_string()), false);
        check::drive_again(&session, eager).unwrap().looks
    };
    for eager in [false, true] {
        let (few, many) = (looks(60, eager), looks(240, eager));
        assert!(
            many < 6 * few,
            "eager: {eager}, {few} looks for 60 senders, {many} for 240"
        );
    }
}
