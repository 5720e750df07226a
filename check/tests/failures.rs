//! What counts as the same failure, and what cannot be checked.

use super::*;

#[test]
fn what_cannot_be_checked_is_refused() {
    let program = program("divide");
    let fine = (1..=200).find_map(|seed| {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        (!session::record::is_failure(&end) && !crashes(&bytes)).then_some(bytes)
    });
    let bytes = fine.unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    assert!(
        check(&session, &Options::default()).is_err(),
        "no failure, and none was expected"
    );
    let options = Options {
        expect_ok: true,
        ..with(folder().join("divide.fixed.erl"))
    };
    let checked = check(&session, &options).unwrap();
    assert_eq!(checked.verdict, CheckVerdict::Fixed, "{checked:?}");
    let session = failing("divide");
    assert!(check(&session, &with(PathBuf::from("there/is/no/such.erl"))).is_err());
    let scratch = Scratch::new("broken");
    let path = scratch.0.path().join("divide_broken.erl");
    std::fs::write(&path, "-module(divide).\nmain( ->").unwrap();
    let broken = check(&session, &with(path));
    assert!(matches!(broken, Err(session::error::Error::Changed(_))), "{broken:?}");
}

/// The same process ends with a reason of the program's own that contains other values.
#[test]
fn other_values_in_a_reason_are_the_same_failure() {
    let source = |n: u32| {
        format!(
            "-module(values).\n-export([main/0]).\nmain() -> self() ! {n}, receive N -> exit({{stock_wrong, N}}) end.\n"
        )
    };
    let recorded = Text {
        path: "values.erl".to_owned(),
        source: source(1).into_bytes().into(),
        release: Default::default(),
    };
    let (_, bytes) = recorded.record_bytes(1).unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let scratch = Scratch::new("values");
    let path = scratch.0.path().join("values.erl");
    let verdict = |text: String| {
        std::fs::write(&path, text).unwrap();
        let checked = check(&session, &with(path.clone())).unwrap();
        checked.verdict
    };
    assert_eq!(verdict(source(2)), CheckVerdict::StillFails);
    assert_eq!(
        verdict(source(2).replace("stock_wrong", "till_wrong")),
        CheckVerdict::FailsDifferently
    );
    // Reasons of the runtime stand for many different failures.
    assert_eq!(
        verdict(source(2).replace("exit({stock_wrong, N})", "1 = N")),
        CheckVerdict::FailsDifferently
    );
}

/// Modules of the library are not suggested.
#[test]
fn a_file_of_another_program_is_told_with_the_modules_of_this_one() {
    let recorded = Text {
        path: "sorted.erl".to_owned(),
        source: b"-module(sorted).\n-export([main/0]).\nmain() -> exit(lists:sort([2, 1])).\n"
            .as_slice()
            .into(),
        release: Default::default(),
    };
    let (_, bytes) = recorded.record_bytes(1).unwrap();
    let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
    let scratch = Scratch::new("another");
    let path = scratch.0.path().join("another.erl");
    std::fs::write(&path, "-module(another).\n").unwrap();
    let error = check(&session, &with(path)).unwrap_err().to_string();
    assert!(
        error.ends_with("not a module of the recorded run, whose modules are: sorted"),
        "{error}"
    );
}

/// In a run that succeeded, helpers are killed and workers crash as intended.
#[test]
fn what_belongs_to_a_good_run_is_no_failure() {
    let source = "-module(tidy).\n-export([main/0]).\nmain() ->\n    S = spawn(fun() -> receive stop -> ok end end),\n    \
         {P, R} = spawn_monitor(fun() -> error(poisoned) end),\n    receive {'DOWN', R, process, P, _} -> ok end,\n    exit(S, kill),\n    3 = 1 + 2.\n";
    let session = run_of("tidy", source, true);
    let expect = || Options {
        expect_ok: true,
        ..Options::default()
    };
    let answer = checked(&session, "tidy", &source.replace("3 = 1 + 2", "3 = 2 + 1"), expect());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    let answer = checked(&session, "tidy", &source.replace("3 = 1 + 2", "3 = 2 + 2"), expect());
    assert_eq!(answer.verdict, CheckVerdict::FailsDifferently, "{answer:?}");
}

/// The error says which program does not compile.
#[test]
fn a_changed_program_that_does_not_compile_is_told_as_such() {
    let source = "-module(torn).\n-export([main/0]).\nmain() -> exit(bad).\n";
    let session = run_of("torn", source, false);
    let scratch = Scratch::new("torn");
    let path = scratch.0.path().join("torn.erl");
    std::fs::write(&path, source.replace("exit(bad)", "nobody()")).unwrap();
    let error = check(&session, &with(path)).unwrap_err().to_string();
    assert!(
        error.contains("the program as it is now cannot be loaded") && error.contains("nobody/0"),
        "{error}"
    );
}

/// What a missing choice is reported with: the process, its place in the program, the recorded message, and where the sender waits.
#[test]
fn a_divergence_says_what_was_expected_and_where_the_others_are() {
    let source = "-module(lacks).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    P = spawn(fun() -> Me ! {price, 7}, receive stop -> ok end end),\n    \
         receive {price, N} -> P ! stop, error({dear, N}) end.\n";
    let session = run_of("lacks", source, false);
    let changed = source.replace("Me ! {price, 7}, ", "");
    let answer = checked(&session, "lacks", &changed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Diverged, "{answer:?}");
    let one = &answer.divergences[0];
    assert_eq!(one.message.as_deref(), Some("{price,7}"), "{answer:?}");
    assert!(one.place.ends_with("lacks.erl:6") && one.name == "main/0", "{answer:?}");
    assert!(
        one.found.contains("0.2.0") && one.found.contains("lacks.erl:5"),
        "{answer:?}"
    );
}

/// The recorded crash queried its process's links and messages; a server that continues and is stopped queries its stack.
#[test]
fn the_answer_to_one_question_is_none_to_another() {
    let source = "-module(obs).\n-behaviour(gen_server).\n-export([main/0, init/1, handle_info/2, handle_call/3, handle_cast/2]).\n\
         init(_) -> {ok, data}.\nhandle_call(_, _, S) -> {noreply, S}.\nhandle_cast(_, S) -> {noreply, S}.\n\
         handle_info(hello, S) -> {noreply, S}.\nmain() ->\n    {ok, S} = gen_server:start_link(?MODULE, [], []),\n    S ! boom,\n    \
         timer:sleep(5),\n    gen_server:stop(S).\n";
    let session = run_of("obs", source, false);
    let fixed = source.replace("handle_info(hello", "handle_info(_");
    let answer = checked(&session, "obs", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    // The same for the environment: another variable is another query, which the record does not answer.
    let source = "-module(env).\n-export([main/0]).\nmain() ->\n    \"x\" = os:getenv(\"NO_SUCH_VARIABLE\", \"y\").\n";
    let session = run_of("env", source, false);
    let fixed = source.replace("\"NO_SUCH_VARIABLE\", \"y\"", "\"NOR_THIS_ONE\", \"x\"");
    let answer = checked(&session, "env", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Diverged, "{answer:?}");
}

/// An abnormal end that another process handled, in a run that ended in a deadlock, is not a failure of the changed program.
#[test]
fn a_handled_crash_before_a_deadlock_is_no_failure() {
    let session = run_of("flaky", FLAKY, false);
    let answer = checked(&session, "flaky", &format!("{FLAKY}%% as before\n"), Options::default());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
    let fixed = FLAKY.replace("P, forgotten", "P ! done");
    let answer = checked(&session, "flaky", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
}

/// The entry handled the crash, so its wait for ever is the failure; it can also be named.
#[test]
fn the_wait_of_the_entry_can_be_named() {
    let source = "-module(waits).\n-export([main/0]).\nmain() ->\n    {_, M} = spawn_monitor(fun() -> error(expected) end),\n    \
         receive {'DOWN', M, _, _, _} -> ok end,\n    S = spawn(fun() -> receive {get, P} -> P end end),\n    S ! {get, self()},\n    \
         receive got -> ok end.\n";
    let session = run_of("waits", source, false);
    let fixed = source.replace("-> P end", "-> P ! got end");
    let answer = checked(&session, "waits", &fixed, Options::default());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    let of_the_wait = || Options {
        target: Some("end:0.1.0".to_owned()),
        ..Options::default()
    };
    let answer = checked(&session, "waits", &fixed, of_the_wait());
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{answer:?}");
    let answer = checked(&session, "waits", &source.replace("got", "had"), of_the_wait());
    assert_eq!(answer.verdict, CheckVerdict::StillFails, "{answer:?}");
}

#[test]
fn a_cut_trace_without_a_failure_is_incomplete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/traces/1.0/cut.trace");
    let session = Session::of(Arc::new(Trace::open(&path).unwrap())).unwrap();
    let changed = "-module(many).\n-export([main/1]).\nmain(_) -> ok.\n";
    let found = checked(&session, "many", changed, Options::default());
    assert_eq!(
        (found.verdict, &found.now[..]),
        (CheckVerdict::Incomplete, "the recording was cut")
    );
}

#[test]
fn a_result_that_is_returned_by_an_exit_is_no_failure() {
    let program = |more: &str| {
        format!(
            "-module(summed).\n-export([main/0]).\nmain() ->\n    {{P, R}} = spawn_monitor(fun() -> exit({{sum, add(2, 2)}}) end),\n    \
             receive {{'DOWN', R, process, P, {{sum, 4}}}} -> ok;\n            {{'DOWN', R, process, P, Why}} -> error({{bad, Why}}) end.\n\
             add(A, B) -> A + B{more}.\n"
        )
    };
    let run = run_of("summed", &program(" + 1"), false);
    let verdict = |more: &str| checked(&run, "summed", &program(more), Options::default()).verdict;
    assert_eq!(verdict(""), CheckVerdict::Fixed);
    assert_eq!(verdict(" + 2"), CheckVerdict::StillFails);
}

/// Two races: of a counter, which the entry judges, and of two messages to a process that nobody waits for.
fn two_races(bump: &str) -> String {
    format!(
        "-module(two).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    ets:insert(T, {{n, 0}}),\n    Me = self(),\n    \
         B = spawn(fun() -> receive first -> ok; second -> exit(out_of_order) end end),\n    \
         [spawn(fun() -> B ! M end) || M <- [first, second]],\n    [spawn(fun() -> bump(T), Me ! done end) || _ <- [1, 2]],\n    \
         [receive done -> ok end || _ <- [1, 2]],\n    timer:sleep(10),\n    [{{n, 2}}] = ets:lookup(T, n).\nbump(T) -> {bump}.\n"
    )
}

#[test]
fn another_failure_that_remains_is_told_and_is_not_the_verdict() {
    let source = two_races("[{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1})");
    let program = Text {
        path: "two.erl".to_owned(),
        source: source.as_bytes().into(),
        release: Default::default(),
    };
    let only_the_counter = (1..=200).find_map(|seed| {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        let trace = Trace::from_bytes(bytes.clone()).unwrap();
        let ends = causality::abnormal_ends(&trace).unwrap().len();
        (session::record::is_failure(&end) && ends == 1).then_some(bytes)
    });
    let run = Session::of(Arc::new(Trace::from_bytes(only_the_counter.unwrap()).unwrap())).unwrap();
    let answer = checked(
        &run,
        "two",
        &two_races("ets:update_counter(T, n, 1)"),
        Options::default(),
    );
    assert_eq!(answer.verdict, CheckVerdict::Fixed, "{}", answer.now);
    let [remains] = &answer.remains[..] else {
        panic!("{:?}", answer.remains);
    };
    assert!(remains.failure.ends_with("exit out_of_order"), "{}", remains.failure);
    assert!(remains.runs > 0 && remains.runs < remains.of);
}
