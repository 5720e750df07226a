//! Sessions of a debugger on small programs.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use debugger::{Debugger, Failing, Halt, HitRule, Way, Wish};
use session::player::places::Reach;
use session::record::Text;
use session::{ProcessState, Session};

const COUNTER: &str = "-module(m).
-export([main/0]).
main() ->
    Counter = spawn(fun() -> counter(0) end),
    A = spawn(fun() -> add(Counter, 2) end),
    spawn(fun() -> add(Counter, 3) end),
    Counter ! {get, self()},
    receive {value, N} -> check(N, A) end.

check(N, _A) ->
    Wanted = 5,
    Missing = Wanted - N,
    1 / Missing.

add(Counter, N) ->
    Twice = N * 2,
    Counter ! {add, Twice - N},
    done.

counter(N) ->
    receive
        {add, M} ->
            counter(N + M);
        {get, From} when N =:= 5 ->
            From ! {value, N},
            counter(N)
    end.
";

fn open(text: &str) -> Debugger {
    let (_, bytes) = Text::new("m.erl", text).record_bytes(1).unwrap();
    let session = Session::of(Arc::new(log_format::Trace::from_bytes(bytes).unwrap())).unwrap();
    Debugger::new(session, 64 << 20).unwrap()
}

/// Where the current process stands.
fn line(debugger: &Debugger) -> u32 {
    debugger.player.place(debugger.pid).map_or(0, |place| place.line)
}

fn value(debugger: &Debugger, name: &str) -> String {
    debugger
        .evaluate(name, debugger.pid, debugger.own_activation(debugger.pid))
        .unwrap()
}

#[test]
fn each_visit_of_a_line_is_met_once_forward_and_once_back() {
    let mut debugger = open(COUNTER);
    let id = debugger.add_breakpoint("m.erl:17", Wish::default()).unwrap().id;
    let mut forward = Vec::new();
    loop {
        let report = debugger.run(Way::Forward).unwrap();
        if report.halt == Halt::End {
            break;
        }
        assert_eq!(report.halt, Halt::Breakpoints(vec![id]));
        assert_eq!(line(&debugger), 17);
        forward.push((debugger.pid, value(&debugger, "Twice")));
    }
    let values: Vec<&str> = forward.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values.len(), 2);
    assert!(values.contains(&"4") && values.contains(&"6"));
    let mut back = Vec::new();
    while debugger.run(Way::Back).unwrap().halt != Halt::Beginning {
        assert_eq!(line(&debugger), 17);
        back.push((debugger.pid, value(&debugger, "Twice")));
        assert!(back.len() <= 2, "{back:?}");
    }
    back.sort_unstable();
    forward.sort_unstable();
    assert_eq!(back, forward);
    assert_eq!(debugger.player.position().cut.actions(), 0);
}

#[test]
fn a_breakpoint_does_only_causes() {
    let mut debugger = open(COUNTER);
    debugger
        .add_breakpoint(
            "m:add/2",
            Wish {
                when: Some("N =:= 3".to_owned()),
                ..Wish::default()
            },
        )
        .unwrap();
    let report = debugger.run(Way::Forward).unwrap();
    assert!(matches!(report.halt, Halt::Breakpoints(_)));
    assert_eq!((line(&debugger), value(&debugger, "N").as_str()), (16, "3"));
    // The process with 2 has done nothing.
    assert_eq!(debugger.player.position().cut.actions(), 3);
}

#[test]
fn messages_stop_a_run_by_their_pattern() {
    let mut debugger = open(COUNTER);
    debugger
        .add_breakpoint("rec:{add, M} when M > 2", Wish::default())
        .unwrap();
    debugger.run(Way::Forward).unwrap();
    assert_eq!((line(&debugger), value(&debugger, "M").as_str()), (22, "3"));
    assert_eq!(debugger.run(Way::Forward).unwrap().halt, Halt::End);
}

#[test]
fn a_failure_stops_before_the_end_with_the_variables() {
    let mut debugger = open(COUNTER);
    debugger.stop_at_failures(Failing::ALL.to_vec());
    let report = debugger.run(Way::Forward).unwrap();
    let Halt::Failure { reason } = &report.halt else {
        panic!("{:?}", report.halt)
    };
    assert!(reason.contains("badarith"), "{reason}");
    assert_eq!((line(&debugger), value(&debugger, "Missing").as_str()), (13, "0"));
    assert_eq!(
        debugger.player.process(debugger.pid).unwrap().state,
        ProcessState::Running
    );
    // On to the end of the run, and back to the same place.
    assert_eq!(debugger.run(Way::Forward).unwrap().halt, Halt::End);
    assert!(matches!(debugger.run(Way::Back).unwrap().halt, Halt::Failure { .. }));
    assert_eq!(line(&debugger), 13);
    assert_eq!(debugger.run(Way::Back).unwrap().halt, Halt::Beginning);
    let mut other = open(COUNTER);
    other.go_to_failure().unwrap();
    assert_eq!(value(&other, "Wanted - N"), "0");
}

#[test]
fn steps_go_over_into_and_out_of_functions_forward_and_back() {
    let mut debugger = open(COUNTER);
    let mut lines = Vec::new();
    for _ in 0..7 {
        debugger.step(Reach::Into, Way::Forward).unwrap();
        lines.push(line(&debugger));
    }
    assert_eq!(lines, [4, 5, 6, 7, 8, 11, 12]);
    debugger.step(Reach::Into, Way::Back).unwrap();
    assert_eq!(line(&debugger), 11);
    debugger.step(Reach::Out, Way::Back).unwrap();
    assert_eq!(line(&debugger), 8);
    debugger.step(Reach::Over, Way::Back).unwrap();
    assert_eq!(line(&debugger), 7);
    debugger.step(Reach::Over, Way::Forward).unwrap();
    assert_eq!(line(&debugger), 8);
}

#[test]
fn counts_and_sentences_of_breakpoints() {
    let mut debugger = open(COUNTER);
    let second = Wish {
        hits: HitRule::parse("2").unwrap(),
        ..Wish::default()
    };
    debugger.add_breakpoint("rec:{add, _}", second).unwrap();
    let says = Wish {
        log: Some("added {M} to {N}, {{M, N}}".to_owned()),
        ..Wish::default()
    };
    debugger.add_breakpoint("rec:{add, _}", says).unwrap();
    let report = debugger.run(Way::Forward).unwrap();
    assert_eq!(report.halt, Halt::Breakpoints(vec![1]));
    assert_eq!(report.said.len(), 2, "{:?}", report.said);
    assert!(
        report.said[0].ends_with(" to 0, {2,0}") || report.said[0].ends_with(" to 0, {3,0}"),
        "{:?}",
        report.said
    );
}

#[test]
fn values_are_looked_into() {
    let text = "-module(m).\n-export([main/0]).\nmain() ->\n    Big = #{list => lists:seq(1, 5000), pair => {a, [b | c]}},\n    self() ! Big,\n    receive X -> X end.\n";
    let mut debugger = open(text);
    debugger.add_breakpoint("m.erl:5", Wish::default()).unwrap();
    debugger.run(Way::Forward).unwrap();
    let pid = debugger.pid;
    let big = debugger
        .variables(pid, 0)
        .into_iter()
        .find(|one| one.name == "Big")
        .unwrap();
    assert_eq!((big.kind, big.inside), ("map", 2));
    let parts = debugger.inside(big.held(pid).unwrap(), 0, 10);
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["list", "pair"]);
    let tail = debugger.inside(parts[0].held(pid).unwrap(), 4998, 10);
    let values: Vec<(&str, &str)> = tail
        .iter()
        .map(|part| (part.name.as_str(), part.value.as_str()))
        .collect();
    assert_eq!(values, [("4999", "4999"), ("5000", "5000")]);
    let pair = debugger.inside(parts[1].held(pid).unwrap(), 0, 10);
    let improper = debugger.inside(pair[1].held(pid).unwrap(), 0, 10);
    assert_eq!((improper[1].name.as_str(), improper[1].value.as_str()), ("tail", "c"));
}

#[test]
fn places_of_breakpoints_are_checked() {
    let mut debugger = open(COUNTER);
    let said = |debugger: &mut Debugger, text: &str| {
        debugger
            .add_breakpoint(text, Wish::default())
            .map(|one| one.at.clone())
            .map_err(|error| error.to_string())
    };
    assert_eq!(said(&mut debugger, "m.erl:14").as_deref(), Ok("m.erl:16"));
    assert!(
        said(&mut debugger, "m.erl:99")
            .unwrap_err()
            .contains("the last line with code is")
    );
    assert!(
        said(&mut debugger, "x.erl:1")
            .unwrap_err()
            .contains("there is no file x.erl")
    );
    assert!(
        said(&mut debugger, "nosuch:f/1")
            .unwrap_err()
            .contains("there is no module nosuch")
    );
    assert!(
        said(&mut debugger, "bla")
            .unwrap_err()
            .contains("is no place for a breakpoint")
    );
    assert!(said(&mut debugger, "rec:{add,").is_err());
}
