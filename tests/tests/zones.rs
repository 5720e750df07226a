//! Local times as in OTP: what `tests/zones/capture.sh` captured from `erl` in several time zones.
//!
//! The zones come from the system's database; if there is none, the test says so and does nothing.

#![cfg(unix)]

use tests::{BinaryRun, Folder};

#[test]
fn local_times_are_those_of_otp() {
    let folder = Folder::new("zones");
    let source = tests::root().join("tests/zones");
    let program = source.join("zones.erl").to_string_lossy().into_owned();
    for zone in [
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "UTC",
        "CET-1CEST,M3.5.0,M10.5.0/3",
    ] {
        if zone.contains('/') && !zone.contains(',') && !std::path::Path::new("/usr/share/zoneinfo").join(zone).exists()
        {
            eprintln!("{zone}: this system has no database of time zones (tzdata); not tried");
            continue;
        }
        let expected = source.join(format!("{}.txt", zone.replace(['/', ','], "_")));
        let expected = std::fs::read_to_string(&expected).expect("captured from erl");
        let run = BinaryRun::new("tracer", folder.path(), ["run", "--quiet", &program]);
        let outcome = run.env("TZ", zone).run().expect(0);
        let differing: Vec<(&str, String)> = expected
            .lines()
            .zip(outcome.out().lines())
            .filter(|(erl, ours)| erl != ours)
            .map(|(erl, ours)| (erl, ours.to_owned()))
            .collect();
        assert!(differing.is_empty(), "{zone}: {differing:#?}");
        assert_eq!(outcome.out().lines().count(), expected.lines().count(), "{zone}");
        // The answers are in the trace, so a replay elsewhere gives the same ones.
        let elsewhere = BinaryRun::new("replay", folder.path(), ["verify", "trace.bin"]);
        elsewhere.env("TZ", "Pacific/Auckland").run().expect(0);
    }
}

/// A run under a seed is the same everywhere: local time is UTC.
#[test]
fn simulated_clocks_know_no_zone() {
    let folder = Folder::new("zones-seed");
    folder.write(
        "clock.erl",
        "-module(clock).\n-export([main/0]).\nmain() -> io:format(\"~w~n\", [calendar:universal_time() =:= calendar:local_time()]).\n",
    );
    let run = BinaryRun::new("tracer", folder.path(), ["run", "--quiet", "--seed", "1", "clock.erl"]);
    let outcome = run.env("TZ", "CET-1CEST,M3.5.0,M10.5.0/3").run().expect(0);
    assert_eq!(outcome.out(), "true\n");
}

/// The variable of the node counts, not that of the tool or of another node.
#[test]
fn a_node_has_the_time_zone_that_it_was_started_with() {
    let folder = Folder::new("zones-nodes");
    folder.write(
        "there.erl",
        "-module(there).\n-export([main/0]).\nmain() -> [io:format(\"~w~n\", [hour(Zone)]) || Zone <- [\"AAA-2\", \"BBB+5\", \"AAA-2\"]].\nhour(Zone) ->\n    {ok, Peer, Node} = peer:start(#{name => peer:random_name(), env => [{\"TZ\", Zone}]}),\n    Noon = {{2021,7,1},{12,0,0}},\n    {_, {Hour, 0, 0}} = erpc:call(Node, erlang, universaltime_to_localtime, [Noon]),\n    Noon = erpc:call(Node, erlang, localtime_to_universaltime, [{{2021,7,1},{Hour,0,0}}]),\n    peer:stop(Peer),\n    Hour.\n",
    );
    for clock in [&[][..], &["--seed", "1"]] {
        let words = ["run", "--quiet", "--sname", "here"]
            .iter()
            .chain(clock)
            .chain(&["there.erl"]);
        let run = BinaryRun::new("tracer", folder.path(), words.copied());
        let outcome = run.env("TZ", "CET-1CEST,M3.5.0,M10.5.0/3").run().expect(0);
        assert_eq!(outcome.out(), "14\n7\n14\n");
        BinaryRun::new("replay", folder.path(), ["verify", "trace.bin"])
            .run()
            .expect(0);
    }
}
