//! Several versions of one module. The expected values are those of OTP 25, where the version that a process asks for is the current one.

use super::*;
use crate::vm::FunFate;

const FIRST: &str = "-module(v). -export([f/0, g/1, twice/0, only_first/0, a_fun/0, by_name/0]).
f() -> one.
g(X) -> {one, X}.
twice() -> {f(), ?MODULE:f()}.
only_first() -> ok.
a_fun() -> fun() -> {fun_of, f()} end.
by_name() -> fun ?MODULE:f/0.
";

const SECOND: &str = "-module(v). -export([f/0, g/1, twice/0, a_fun/0, '$handle_undefined_function'/2]).
f() -> two.
g(X) -> {two, X}.
twice() -> {f(), ?MODULE:f()}.
a_fun() -> fun() -> {fun_of, f()} end.
'$handle_undefined_function'(F, As) -> {handled, F, As}.
";

const CALLER: &str = "-module(t). -compile(export_all).
local() -> v:f().
all() -> M = id(v), F = id(f), [v:f(), M:f(), M:F(), apply(v, f, []), apply(M, g, [x]), (fun v:g/1)(y)].
id(X) -> X.
old_frame() -> v:twice().
missing() -> v:only_first().
a_fun() -> v:a_fun().
an_external_fun() -> (v:by_name())().
caught() -> try v:nothing() catch error:undef:S -> {M, F, As, _} = hd(S), {M, F, As} end.
";

/// A program with two versions of `v`.
fn two() -> (Program, VersionId, VersionId) {
    let mut program = Program::new(&[]);
    let first = add(&mut program, "v.erl", FIRST);
    add(&mut program, "t.erl", CALLER);
    let second = add(&mut program, "v.erl", SECOND);
    (program, first, second)
}

/// What `t:f()` returns if each call of a disturbed module gets the next of these versions, and then the last one again.
fn outcome(program: &mut Program, f: &str, versions: &[Option<VersionId>]) -> String {
    let mut process = Process::new(program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new(f), &[]);
    let mut asked = versions.iter().copied();
    let mut version = None;
    loop {
        match process.run(program, 3) {
            Stop::Preempted => process.collect(program),
            Stop::Which(module) => {
                assert_eq!(module.as_str(), "v");
                version = asked.next().unwrap_or(version);
                process.enter(version);
            }
            Stop::Load(_) => process.undefined(),
            Stop::Ended(end) => return format!("{:?} {}", end.class, show(&process.heap, end.reason)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_later_version_changes_nothing_for_who_does_not_ask() {
    let (mut program, first, second) = two();
    assert_eq!(
        (program.first(Atom::new("v")), program.module_of(second).as_str()),
        (Some(first), "v")
    );
    assert!(program.attributes_of(first).is_empty());
    assert_eq!(outcome(&mut program, "local", &[]), "Normal one");
    assert_eq!(outcome(&mut program, "old_frame", &[]), "Normal {one,one}");
}

#[test]
fn every_way_to_call_by_name_asks() {
    let (mut program, first, second) = two();
    program.disturb(Atom::new("v"));
    let all = outcome(&mut program, "all", &[Some(second)]);
    assert_eq!(all, "Normal [two,two,two,two,{two,x},{two,y}]");
    let mixed = outcome(
        &mut program,
        "all",
        &[Some(first), Some(second), Some(first), Some(second)],
    );
    assert_eq!(mixed, "Normal [one,two,one,two,{two,x},{two,y}]");
    assert_eq!(
        outcome(&mut program, "an_external_fun", &[Some(first), Some(second)]),
        "Normal two"
    );
}

#[test]
fn local_calls_and_funs_stay_in_their_version() {
    let (mut program, first, second) = two();
    program.disturb(Atom::new("v"));
    assert_eq!(
        outcome(&mut program, "old_frame", &[Some(first), Some(second)]),
        "Normal {one,two}"
    );
    let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new("a_fun"), &[]);
    assert!(matches!(process.run(&program, 100), Stop::Which(_)));
    process.enter(Some(first));
    let Stop::Ended(end) = process.run(&program, 100) else {
        panic!("it goes on")
    };
    // Before each call of the fun, the machine asks what becomes of it; asked again, it answers the same.
    let called = |fate| {
        let mut process = process.clone();
        process.start_fun(end.reason, &[]);
        assert!(matches!(process.run(&program, 100), Stop::Which(_)));
        assert!(matches!(process.run(&program, 100), Stop::Which(_)));
        let fun = process.asked_fun().expect("a fun is called");
        assert!(program.has_fun(first, fun) && !program.has_fun(second, fun));
        process.enter_fun(fate);
        match process.run(&program, 100) {
            Stop::Ended(end) => show(&process.heap, end.reason),
            Stop::Load(handler) => format!("asks {handler}"),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(called(FunFate::Runs), "{fun_of,one}");
    assert!(called(FunFate::Bad).starts_with("{badfun,"));
    assert_eq!(called(FunFate::Handled), "asks error_handler");
}

#[test]
fn what_a_version_lacks_its_own_handler_handles() {
    let (mut program, first, second) = two();
    program.disturb(Atom::new("v"));
    assert_eq!(outcome(&mut program, "missing", &[Some(first)]), "Normal ok");
    assert_eq!(
        outcome(&mut program, "missing", &[Some(second)]),
        "Normal {handled,only_first,[]}"
    );
    assert_eq!(outcome(&mut program, "caught", &[Some(first)]), "Normal {v,nothing,[]}");
    assert_eq!(outcome(&mut program, "caught", &[None]), "Normal {v,nothing,[]}");
}

#[test]
fn a_process_is_in_the_version_that_it_runs_or_returns_to() {
    let (mut program, first, second) = two();
    program.disturb(Atom::new("v"));
    let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new("old_frame"), &[]);
    assert!(matches!(process.run(&program, 100), Stop::Which(_)));
    assert!(!process.is_in(&program, first));
    process.enter(Some(first));
    // It stands at its fully qualified call, to which it returns.
    assert!(matches!(process.run(&program, 100), Stop::Which(_)));
    assert!(process.is_in(&program, first) && !process.is_in(&program, second));
    process.enter(Some(second));
    assert!(matches!(process.run(&program, 100), Stop::Ended(_)));
    assert!(!process.is_in(&program, first) && !process.is_in(&program, second));
}

#[test]
fn two_loads_of_one_code_have_the_same_funs() {
    let (mut program, first, _) = two();
    let again = add(&mut program, "v.erl", FIRST);
    program.disturb(Atom::new("v"));
    let of = |program: &mut Program, version| outcome(program, "a_fun", &[Some(version)]);
    assert_eq!(of(&mut program, first), of(&mut program, again));
    assert_ne!(first, again);
}

#[test]
fn a_program_extends_another_one_with_fewer_versions() {
    let (program, ..) = two();
    let mut more = program.clone();
    add(&mut more, "v.erl", FIRST);
    assert!(more.extends(&program) && !program.extends(&more));
    let mut other = program.clone();
    add(&mut other, "v.erl", SECOND);
    assert!(!other.extends(&more));
}

#[test]
fn natives_belong_to_the_first_version() {
    let mut program = Program::new(&[]);
    let first = add(&mut program, "lists.erl", crate::library::source("lists").unwrap());
    add(
        &mut program,
        "t.erl",
        "-module(t). -export([f/0]). f() -> L = lists, L:reverse([1, 2]).",
    );
    let mock = add(
        &mut program,
        "lists.erl",
        "-module(lists). -export([reverse/1]). reverse(_) -> mocked.",
    );
    program.disturb(Atom::new("lists"));
    let with = |version| {
        let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
        process.start_call(Atom::new("t"), Atom::new("f"), &[]);
        assert!(matches!(process.run(&program, 100), Stop::Which(_)));
        process.enter(Some(version));
        let Stop::Ended(end) = process.run(&program, 100) else {
            panic!("it goes on")
        };
        show(&process.heap, end.reason)
    };
    assert_eq!(with(first), "[2,1]");
    assert_eq!(with(mock), "mocked");
}
