//! `why`, `consequences` and `diff` over the fixtures: the story consists of causes, each named by a target that can be pasted, and it names
//! what went wrong.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::Arc;

use log_format::{ActionId, Pid, Trace};
use replayer::commands::diff::diff;
use replayer::commands::why as verb;
use replayer::paint::{ColorChoice, Paint};
use replayer::render::text::Layout;
use session::Session;
use session::record::is_failure;
use session::subject::Bounds;
use session::targets;
use session::view::ActKind;
use why::story::{Because, Why};

use crate::common::fixture;

const BOUNDS: Bounds = Bounds {
    chars: 120,
    frames: 6,
    items: 20,
};

fn tell(session: &Session, target: &str) -> Why {
    verb::story(session, target, Path::new("trace.bin"), &BOUNDS, false).unwrap_or_else(|e| panic!("{target}: {e}"))
}

fn text(view: &Why) -> String {
    let layout = Layout {
        paint: Paint::stdout(ColorChoice::Never),
        width: 160,
        all: false,
    };
    let mut out = Vec::new();
    replayer::render::why::why(&mut out, view, &layout).unwrap();
    String::from_utf8(out).unwrap()
}

/// The failing runs of a fixture under some seeds.
fn failures(name: &str, seeds: u64) -> Vec<Session> {
    let program = fixture(name);
    let mut all = Vec::new();
    for seed in 1..=seeds {
        let (end, bytes) = program.record_bytes(seed).unwrap();
        if is_failure(&end) {
            all.push(Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap());
        }
    }
    assert!(!all.is_empty(), "{name} did not fail under {seeds} seeds");
    all
}

/// Everything in the story is a cause, has a target that resolves to it, and occurs once.
fn check(session: &Session, view: &Why) {
    let trace = session.trace();
    let found = targets::resolve(trace, &view.target).unwrap();
    let slice = causality::causes(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )
    .unwrap();
    let mut told = std::collections::BTreeSet::new();
    for link in &view.links {
        let acts = [Some(&link.act), link.sent.as_ref().map(|sent| &sent.act)];
        for act in acts.into_iter().flatten() {
            let there = targets::resolve(trace, &act.target).unwrap_or_else(|e| panic!("{}: {e}", act.target));
            assert!(
                slice.contains(ActionId {
                    pid: there.pid,
                    number: there.action
                }),
                "{} is no cause",
                act.target
            );
        }
        assert!(
            told.insert(link.act.target.clone()),
            "{} is told twice",
            link.act.target
        );
    }
    for act in &view.required {
        let there = targets::resolve(trace, &act.target).unwrap();
        assert!(
            slice.contains(ActionId {
                pid: there.pid,
                number: there.action
            }),
            "{} is no cause",
            act.target
        );
    }
    for (receive, act) in &view.instead {
        let receive = targets::resolve(trace, receive).unwrap();
        let send = targets::resolve(trace, &act.target).unwrap();
        let past = causality::causes(
            trace,
            ActionId {
                pid: send.pid,
                number: send.action,
            },
        )
        .unwrap();
        assert!(
            !past.contains(ActionId {
                pid: receive.pid,
                number: receive.action
            }),
            "{} follows the receive",
            act.target
        );
    }
}

#[test]
fn stories_are_made_of_causes() {
    for name in [
        "account",
        "proxy",
        "client_server",
        "seats",
        "barber",
        "philosophers_order",
        "philosophers_livelock",
    ] {
        for session in failures(name, 12) {
            let view = tell(&session, "error");
            assert!(
                !view.links.is_empty() || !view.waits.is_empty(),
                "{name}: nothing is told"
            );
            check(&session, &view);
        }
    }
}

#[test]
fn any_action_can_be_asked_about() {
    for name in ["stock", "account", "client_server", "philosophers"] {
        let (_, bytes) = fixture(name).record_bytes(3).unwrap();
        let session = Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap();
        let mut asked = 0;
        let trace = Arc::clone(session.trace());
        for process in trace.processes() {
            let process = process.unwrap();
            for n in (1..=process.counts.actions).step_by(5) {
                let target = format!("event:{}/{n}", process.pid);
                check(&session, &tell(&session, &target));
                asked += 1;
            }
        }
        assert!(asked > 3, "{name}");
    }
}

#[test]
fn a_lost_update_is_told_by_the_state_that_was_read() {
    for session in failures("account", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Answered, "{text}");
        assert_eq!(view.links[1].because, Because::State, "{text}");
        assert!(text.contains("in reply to {get,<0.1.0>}"), "{text}");
        assert!(text.contains("Account ! {put, Balance + Amount}."), "{text}");
        assert!(text.contains("Balance became"), "{text}");
    }
}

#[test]
fn a_message_that_overtook_another_is_told_with_the_other() {
    // If the proxy's message was sent after the server had ended, the trace does not contain its receiver.
    let mut both = 0;
    for session in failures("proxy", 24) {
        let text = text(&tell(&session, "error"));
        assert!(text.contains("ends: error {unexpected,2}"), "{text}");
        assert!(text.contains("server/0 received 2 from 0.1.0 client/2"), "{text}");
        both += u32::from(text.contains("before rec:1: {<0.1.0>,40} from 0.3.0 proxy/0"));
    }
    assert!(both > 0, "the message that was overtaken is never told");
}

#[test]
fn a_deadlock_is_told_by_who_waits() {
    for session in failures("barber", 12) {
        let view = tell(&session, "error");
        let text = text(&view);
        assert!(text.contains("waits for ever: nothing more can happen"), "{text}");
        assert!(view.waits.len() > 1, "{text}");
        assert_eq!(view.waits[0].pid, "0.1.0", "{text}");
    }
}

#[test]
fn stories_fit_on_a_screen() {
    for name in ["account", "proxy", "client_server", "seats", "philosophers_livelock"] {
        for session in failures(name, 12) {
            let text = text(&tell(&session, "error"));
            assert!(text.lines().count() <= 50, "{name}:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 165), "{name}:\n{text}");
        }
    }
}

#[test]
fn two_runs_part_where_nothing_before_differs() {
    let program = fixture("account");
    let open = |seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
    let mut different = 0;
    for seed in 1..=12 {
        let (a, b) = (open(seed), open(seed + 1));
        let same = diff(&a, &a, true, 10).unwrap();
        assert_eq!(same.differences, vec![]);
        assert_eq!(same.equal_actions, a.totals().counts.actions);
        let view = diff(&a, &b, false, usize::MAX).unwrap();
        let back = diff(&b, &a, false, usize::MAX).unwrap();
        assert_eq!(view.equal_actions, back.equal_actions);
        assert_eq!(view.differences.len(), back.differences.len());
        for difference in &view.differences {
            different += 1;
            assert_ne!(difference.a, difference.b);
            let pid: log_format::Pid = difference.pid.parse().unwrap();
            for trace in [&a, &b] {
                let process = trace.process(pid).unwrap();
                let n = difference.number.min(process.counts.actions);
                let past = causality::causes(trace, ActionId::new(pid, n)).unwrap();
                // Everything before is equal in the other run.
                for last in past.iter() {
                    let other = last.pid;
                    let equal = if other == pid { n - 1 } else { last.number.0 };
                    for k in 1..=equal {
                        let number = log_format::ActionNo(k);
                        let (x, y) = (a.action(other, number).unwrap(), b.action(other, number).unwrap());
                        assert_eq!(x.kind, y.kind, "event:{other}/{k} lies before event:{pid}/{n}");
                    }
                }
            }
        }
    }
    assert!(different > 5, "the runs do not differ");
}

#[test]
fn runs_that_differ_never_count_as_the_same() {
    let mut different = 0;
    for name in ["account", "philosophers", "seats", "barber", "client_server"] {
        let program = fixture(name);
        let open = |seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
        for seed in 1..=8 {
            let (a, b) = (open(seed), open(seed + 8));
            let view = diff(&a, &b, false, 10).unwrap();
            let counts = [&a, &b].map(|trace| trace.totals().counts.actions);
            let same = counts.iter().all(|all| *all == view.equal_actions);
            assert_eq!(
                view.differences.is_empty(),
                same,
                "{name}, seeds {seed} and {}",
                seed + 8
            );
            different += u32::from(!same);
        }
    }
    assert!(different > 10, "the runs do not differ");
}

/// A failing run of a program of `tests/pairs`.
fn failing_pair(name: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/pairs/{name}.erl"));
    let program = session::record::Text {
        path: format!("{name}.erl"),
        source: std::fs::read(&path).unwrap().into(),
    };
    let seed = (1..=200).find(|&seed| program.fails(seed).unwrap());
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

#[test]
fn who_wrote_what_was_read_from_a_table_is_told() {
    for (name, key) in [("table_race", "hits"), ("ets_lost_update", "apples")] {
        let session = failing_pair(name);
        let view = tell(&session, "error");
        check(&session, &view);
        let text = text(&view);
        assert_eq!(view.links[0].because, Because::Read, "{text}");
        assert!(
            text.contains(&format!("read key {key} of the table 0.1.0/1, last written by ")),
            "{text}"
        );
        assert!(
            text.contains("written at ") && text.contains("ets:insert(Table"),
            "{text}"
        );
        // That the table exists is not mentioned.
        assert!(!text.contains("reads table(0.1.0/1),"), "{text}");
    }
}

#[test]
fn an_answer_of_the_runtime_is_no_message_from_itself() {
    let session = failing_pair("missed_monitor");
    let text = text(&tell(&session, "error"));
    assert!(text.contains("noproc} from the runtime"), "{text}");
    assert!(
        text.contains("caused by its own call at missed_monitor.erl:13"),
        "{text}"
    );
    assert!(text.contains("watch/1 found that 0.2.0"), "{text}");
    assert!(text.contains("[exit:0.2.0]: it ends normally"), "{text}");
}

#[test]
fn a_wait_tells_who_had_ended_and_what_lies_in_the_mailbox() {
    let told = text(&tell(&failing_pair("lost_exit"), "error"));
    assert!(
        told.contains("0.2.0 had been ended by an exit signal: shutdown [signal:0.2.0]"),
        "{told}"
    );
    let mut lying = 0;
    for session in failures("barber", 12) {
        let told = text(&tell(&session, "error"));
        let first = told.split("\nWait").nth(1).unwrap().lines().nth(3).unwrap_or_default();
        lying += u32::from(first.contains("mailbox: {"));
    }
    assert!(lying > 0, "what the entry had not received is never told");
}

/// A run of a program in this file, under the first seed with which it ends like this.
fn run_of(name: &str, source: &str) -> Session {
    let program = session::record::Text {
        path: format!("{name}.erl"),
        source: format!("-module({name}).\n{source}").into_bytes().into(),
    };
    let seed = (1..=60).find(|&seed| program.fails(seed).unwrap());
    let seed = seed.unwrap_or_else(|| panic!("{name} never fails"));
    Session::of(Arc::new(
        Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap(),
    ))
    .unwrap()
}

/// The story of a target, checked, as text.
fn story(session: &Session, target: &str) -> (Why, String) {
    let view = tell(session, target);
    check(session, &view);
    let text = text(&view);
    (view, text)
}

/// The causes of a target as a separate trace.
fn slice_of(session: &Session, target: &str) -> Session {
    let trace = session.trace();
    let found = targets::resolve(trace, target).unwrap();
    let slice = causality::causes(
        trace,
        ActionId {
            pid: found.pid,
            number: found.action,
        },
    )
    .unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(replayer::commands::slice::write(trace, &slice, Box::new(file.reopen().unwrap())).is_ok());
    let bytes = std::fs::read(file.path()).unwrap();
    Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap()
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not told:\n{text}");
    }
}

#[test]
fn who_took_a_name_is_told() {
    let session = run_of(
        "taken",
        "-export([main/0]).
main() ->
    [{_, A}, {_, B}] = [spawn_monitor(fun claim/0) || _ <- [1, 2]],
    receive {'DOWN', A, _, _, X} -> normal = X end,
    receive {'DOWN', B, _, _, Y} -> normal = Y end.
claim() ->
    register(server, self()),
    receive stop -> ok after 100 -> ok end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[0].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "found the name server taken: 0.2.0 server had registered it",
            "at taken.erl:8: register(server, self())",
        ],
    );
    assert!(!text.contains("Also required"), "{text}");
}

#[test]
fn how_the_holder_of_a_name_ended_is_told() {
    let session = run_of(
        "gone",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, _} = gen_server:start({local, counter}, ?MODULE, [], []),
    gen_server:cast(counter, {divide, 0}),
    timer:sleep(10),
    exit(gen_server:call(counter, get)).
init([]) -> {ok, 10}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast({divide, N}, S) -> {noreply, S div N}.
",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    says(
        &text,
        &[
            "looked for the name counter, but its holder 0.2.0 gone had ended",
            "at gone.erl:11 [exit:0.2.0]: it ends: exit {badarith,",
            "received the cast {divide,0} from 0.1.0 main/0",
            "started 0.2.0: {ok,<0.2.0>}",
        ],
    );
    // How the library starts a server and reports its end is not part of the story.
    assert!(
        !text.contains("proc_lib") && !text.contains("$gen_cast',{divide"),
        "{text}"
    );
    assert!(
        view.required
            .iter()
            .all(|act| !matches!(act.kind, ActKind::Observe | ActKind::Input)),
        "{text}"
    );
    // The place of the failure is shown, though a behaviour caught the error.
    says(
        &story(&session, "exit:0.2.0").1,
        &["in gone:handle_cast/2, gone.erl:11", "{noreply, S div N}"],
    );
}

#[test]
fn a_name_that_nobody_had_registered_yet_is_told() {
    let session = run_of(
        "early",
        "-export([main/0]).
main() ->
    spawn(fun() -> timer:sleep(5), register(late, self()), receive stop -> ok end end),
    late ! hello.
",
    );
    says(
        &story(&session, "error").1,
        &["looked for the name late, which was not registered yet; 0.2.0 registered it later [event:0.2.0/2]"],
    );
}

#[test]
fn what_a_server_read_before_it_answered_is_told() {
    let session = run_of(
        "limits",
        "-export([main/0]).
main() ->
    T = ets:new(limits, [public, named_table]),
    ets:insert(T, {max, 10}),
    Main = self(),
    S = spawn(fun server/0),
    spawn(fun() -> ets:insert(limits, {max, none}), Main ! changed end),
    receive changed -> ok end,
    S ! {max, self()},
    receive {max, N} -> N + 1 end.
server() ->
    receive {max, From} -> From ! {max, ets:lookup_element(limits, max, 2)}, server() end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "read key max of the table limits, last written by 0.3.0",
            "written at limits.erl:8: spawn(fun() -> ets:insert(limits, {max, none})",
        ],
    );
}

#[test]
fn a_wait_in_vain_tells_what_became_of_the_question() {
    let client = "-export([main/0]).
main() ->
    S = spawn(fun() -> server() end),
    S ! {get, self()},
    receive {value, V} -> V after 50 -> exit(no_answer) end.
";
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "slow",
            "server() -> receive {get, From} -> timer:sleep(100), From ! {value, 1} end.",
            &[
                "received it [rec:1, slow.erl:7]",
                "and slept",
                "and sent {value,1}, too late [sent:0.2.0/1, slow.erl:7]",
            ],
        ),
        (
            "deaf",
            "server() -> receive {fetch, From} -> From ! {value, 1} end.",
            &[
                "never received it: it waits for ever, with the message in its mailbox, at deaf.erl:7: server() -> receive {fetch, From}",
            ],
        ),
        (
            "astray",
            "server() -> receive {get, _} -> spawn(fun() -> receive X -> X end end) ! {value, 1} end.",
            &["and sent {value,1} to 0.3.0 [sent:0.2.0/1, astray.erl:7]"],
        ),
        (
            "asks",
            "server() -> receive {get, From} -> From ! {who, self()}, receive {me, N} -> From ! {value, N} after 70 -> ok end end.",
            &[
                "and sent {who,<0.2.0>}, too late",
                "and timed out in a receive [timeout:0.2.0/1, asks.erl:7]",
            ],
        ),
    ];
    for (name, server, words) in cases {
        let session = run_of(name, &format!("{client}{server}\n"));
        let (view, text) = story(&session, "error");
        assert_eq!(view.links[0].because, Because::TimedOut, "{text}");
        says(
            &text,
            &[&format!(
                "0.1.0 main/0 timed out in a receive [timeout:0.1.0/1, {name}.erl:6]"
            )],
        );
        says(&text, &["it had last sent {get,<0.1.0>} to 0.2.0"]);
        says(&text, words);
    }
}

#[test]
fn messages_that_others_sent_to_one_who_waited_are_told() {
    let session = run_of(
        "other",
        "-export([main/0]).
main() ->
    Main = self(),
    spawn(fun() -> Main ! {valeu, 1} end),
    timer:sleep(10),
    receive {value, V} -> V after 50 -> exit(no_answer) end.
",
    );
    says(
        &story(&session, "error").1,
        &["also sent to 0.1.0, but not received by then: {valeu,1} from 0.2.0 a fun in main/0 [sent:0.2.0/1]"],
    );
}

#[test]
fn calls_and_timers_of_behaviours_are_told_as_such() {
    let session = run_of(
        "busy",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    ok = gen_server:call(P, slow, 50),
    ok.
init([]) -> {ok, 10}.
handle_call(slow, _, S) -> timer:sleep(200), {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
",
    );
    let (_, told) = story(&session, "error");
    says(
        &told,
        &[
            "timed out in a receive [timeout:0.1.0/1, busy.erl:6]",
            "it had last sent the call slow to 0.2.0 busy",
            "and sent the reply 10, too late [sent:0.2.0/2]",
        ],
    );
    // Checking the mailbox after the timeout is not a wait.
    assert!(!told.contains("timeout:0.1.0/2"), "{told}");

    let session = run_of(
        "tired",
        "-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, idle/3, busy/3]).
main() ->
    process_flag(trap_exit, true),
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    gen_statem:cast(P, go),
    receive {'EXIT', P, R} -> exit(R) end.
callback_mode() -> state_functions.
init(O) -> {ok, idle, O}.
idle(cast, go, O) -> O ! {please, self()}, {next_state, busy, O, [{state_timeout, 100, tired}]}.
busy(cast, done, O) -> {next_state, idle, O};
busy(state_timeout, tired, _) -> {stop, never_done}.
",
    );
    says(
        &story(&session, "error").1,
        &[
            "0.2.0 tired waited until its timer state_timeout expired",
            "it had last sent {please,<0.2.0>} to 0.1.0",
            "0.1.0 main/0 never received it",
        ],
    );

    let session = run_of(
        "acc",
        "-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, A} = gen_server:start_link({local, acc}, ?MODULE, 0, []),
    P = self(),
    [spawn_link(fun() -> V = gen_server:call(A, get), gen_server:call(A, {put, V + N}), P ! done end) || N <- [10, 20, 30]],
    [receive done -> ok end || _ <- [1, 2, 3]],
    60 = gen_server:call(A, get).
init(N) -> {ok, N}.
handle_call(get, _, S) -> {reply, S, S};
handle_call({put, N}, _, _) -> {reply, ok, N}.
handle_cast(_, S) -> {noreply, S}.
",
    );
    let (_, told) = story(&session, "error");
    says(
        &told,
        &[
            " from 0.2.0 acc, to its call get [rec:",
            "had received the call {put,",
            "State became ",
        ],
    );
    assert!(
        !told.contains("alias|") && !told.contains("$gen_call") && !told.contains("{ack,"),
        "{told}"
    );
}

#[test]
fn of_a_deadlock_the_circle_comes_first() {
    let session = run_of(
        "circle",
        "-export([main/0]).
main() ->
    A = spawn(fun() -> first() end),
    B = spawn(fun() -> second(A) end),
    A ! {peer, B},
    spawn(fun() -> A ! {q, self()}, receive {a, _} -> ok end end),
    A ! {q, self()},
    receive {a, X} -> X end.
first() -> receive {peer, B} -> B ! {q, self()}, receive {a, X} -> X end end.
second(A) -> A ! {q, self()}, receive {a, X} -> X end.
",
    );
    let (view, text) = story(&session, "error");
    assert!(view.circular, "{text}");
    let circle: Vec<&str> = view
        .waits
        .iter()
        .filter(|wait| wait.in_circle)
        .map(|wait| wait.pid.as_str())
        .collect();
    assert_eq!(circle, ["0.2.0", "0.3.0"], "{text}");
    let (first, rest) = text.split_once("Also waiting:").unwrap();
    assert!(
        !first
            .split("Wait cycle:")
            .nth(1)
            .unwrap()
            .contains("0.1.0 main/0 waits"),
        "{text}"
    );
    says(
        rest,
        &["0.1.0 main/0 waits at circle.erl:9", "0.4.0 a fun in main/0 waits"],
    );
}

#[test]
fn texts_of_other_lengths_are_no_difference() {
    let program = session::record::Text {
        path: "prints.erl".to_owned(),
        source: b"-module(prints).
-export([main/0]).
main() ->
    Main = self(),
    [spawn(fun() -> Main ! N end) || N <- [1, 22, 333]],
    io:format(\"~p~n\", [lists:duplicate(rand:uniform(50), x)]),
    [io:format(\"~p~n\", [receive N -> N end]) || _ <- [1, 2, 3]].
"
        .as_slice()
        .into(),
    };
    let open = |seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap();
    let all: Vec<Trace> = (1..=20).map(open).collect();
    let (mut texts, mut orders) = (0, 0);
    for pair in all.windows(2) {
        let view = diff(&pair[0], &pair[1], false, 10).unwrap();
        for difference in &view.differences {
            orders += 1;
            let act = difference.a.as_ref().unwrap();
            assert_eq!(act.kind, ActKind::Rec, "{}", act.target);
        }
        for printed in &view.printed {
            texts += 1;
            assert_eq!(printed.a.as_ref().unwrap().kind, ActKind::Output);
            let values = diff(&pair[0], &pair[1], true, 10).unwrap();
            assert!(!values.differences.is_empty() && values.printed.is_empty());
        }
    }
    assert!(orders > 0 && texts > 0, "{orders} other orders, {texts} other texts");
}

#[test]
fn the_key_that_was_asked_for_is_followed() {
    let session = run_of(
        "store",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> store(#{}, 0) end),
    [S ! {put, K, V} || {K, V} <- [{apples, none}, {pears, 4}, {plums, 7}, {pears, 5}]],
    S ! {get, self(), apples},
    receive {value, N} -> N + 1 end.
store(Map, Count) ->
    receive
        {put, K, V} -> store(Map#{K => V}, Count + 1);
        {get, From, K} -> From ! {value, maps:get(K, Map)}, store(Map, Count)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::State, "{text}");
    says(
        &text,
        &[
            "0.2.0 store/2 had received {put,apples,none} from 0.1.0",
            "apples in Map was added: none",
        ],
    );
}

#[test]
fn the_message_that_holds_the_reason_is_followed() {
    let session = run_of(
        "clients",
        "-export([main/0]).
main() ->
    Bad = spawn_monitor(fun() -> exit({out_of, [{apples, 3}]}) end),
    receive {'DOWN', _, _, _, Why} -> Why end,
    spawn_monitor(fun() -> ok end),
    receive {'DOWN', _, _, _, normal} -> Bad end,
    exit({client_failed, Why}).
",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    says(&text, &["  1. 0.1.0 main/0 received {'DOWN',"]);
    assert!(
        view.links[0]
            .act
            .content
            .as_deref()
            .unwrap()
            .contains("{out_of,[{apples,3}]}"),
        "{text}"
    );
    // The trace's failure is the client's; that the entry process failed too is the next question.
    let view = tell(&session, "error");
    assert_eq!(view.happened.pid, Pid(2));
    assert!(
        view.next
            .iter()
            .any(|next| next.command == "replay why exit:0.1.0 trace.bin"),
        "{:?}",
        view.next
    );
}

/// Both read before either writes: the last writer overwrote the other's write without having seen it.
#[test]
fn a_lost_update_of_a_table_names_the_write_that_was_lost() {
    let session = run_of(
        "lost",
        "-export([main/0]).\nmain() ->\n    T = ets:new(stock, [public, named_table]),\n    ets:insert(T, {sold, 0}),\n    Me = self(),\n    \
         [spawn(fun() -> sell(), Me ! done end) || _ <- [1, 2]],\n    [receive done -> ok end || _ <- [1, 2]],\n    \
         [{sold, N}] = ets:lookup(stock, sold),\n    N =:= 2 orelse exit({sold, N}).\nsell() ->\n    \
         [{sold, N}] = ets:lookup(stock, sold),\n    ets:insert(stock, {sold, N + 1}).\n",
    );
    let (view, text) = story(&session, "error");
    let lost = view.links[0].lost.as_ref().unwrap();
    assert_ne!(lost.read.pid, lost.lost.pid);
    says(
        &text,
        &[
            "read key sold of the table stock, last written by ",
            "this write overwrote a value that its process had not seen: ",
            ", then ",
            "ets:insert(stock, {sold, N + 1}).",
        ],
    );
}

/// `register` after `whereis` returned `undefined`.
#[test]
fn who_finds_a_name_taken_had_found_it_free() {
    let session = run_of(
        "twice",
        "-export([main/0]).\nmain() ->\n    [spawn_link(fun start/0) || _ <- [1, 2]],\n    receive after 100 -> ok end.\nstart() ->\n    \
         case whereis(server) of\n        undefined -> register(server, self()), receive stop -> ok end;\n        _ -> ok\n    end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "found the name server taken",
            "it had found the name free before [event:0.",
        ],
    );
}

/// The counter stops as requested before the last message comes.
#[test]
fn messages_that_came_after_their_receiver_had_ended_are_told() {
    let session = run_of(
        "words",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    C = spawn(fun() -> count(0) end),\n    \
         spawn(fun() -> C ! {word, only} end),\n    C ! {result, Me},\n    \
         receive {counted, N} -> N =:= 1 orelse exit({missing, 1 - N}) end.\ncount(N) ->\n    \
         receive {word, _} -> count(N + 1); {result, P} -> P ! {counted, N} end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "Never received, because the receiver had ended:",
            "to 0.2.0: {word,only} from 0.3.0",
            "[sent:0.3.0/1]",
        ],
    );
}

/// A reply that was given because another one did not come.
#[test]
fn what_an_answering_process_waited_for_in_vain_is_told() {
    let session = run_of(
        "leader",
        "-export([main/0]).\nmain() ->\n    Far = spawn(fun() -> receive {ask, P} -> timer:sleep(50), P ! up end end),\n    \
         Near = spawn(fun() -> near(Far) end),\n    Near ! {who, self()},\n    receive {leader, L} -> L =:= far orelse exit({wrong_leader, L}) end.\n\
         near(Far) ->\n    receive {who, P} ->\n        Far ! {ask, self()},\n        L = receive up -> far after 10 -> near end,\n        \
         P ! {leader, L}\n    end.\n",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links.iter().any(|link| link.because == Because::TimedOut),
        "{text}"
    );
    says(
        &text,
        &["timed out in a receive", "it had last sent {ask,<0.3.0>} to 0.2.0"],
    );
}

/// The owner of a table has crashed: that is the cause, not an earlier read.
#[test]
fn a_table_that_is_gone_is_told() {
    let session = run_of(
        "owner",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    O = spawn(fun() -> ets:new(rates, [named_table, public]), ets:insert(rates, {usd, 1}),\n        \
         Me ! up, receive {divide, N} -> 1 / N end end),\n    receive up -> ok end,\n    ets:lookup(rates, usd),\n    O ! {divide, 0},\n    timer:sleep(5),\n    \
         ets:lookup(rates, gbp).\n",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    assert_eq!(view.links[0].because, Because::Read, "{text}");
    says(
        &text,
        &[
            "found the table rates deleted: its owner 0.2.0",
            "[exit:0.2.0]: it ends: error badarith",
        ],
    );
}

/// Both cashiers read the seat and both sold it; the report reads another table.
#[test]
fn a_lost_update_that_no_step_reads_is_told() {
    let session = run_of(
        "cinema",
        "-export([main/0]).\nmain() ->\n    ets:new(seats, [named_table, public]),\n    ets:insert(seats, {b1, free}),\n    \
         Ps = [spawn_monitor(fun() -> sell(b1, Who) end) || Who <- [bert, carl]],\n    \
         Sold = [receive {'DOWN', R, process, P, {sold, W}} -> W; {'DOWN', R, process, P, _} -> none end || {P, R} <- Ps],\n    \
         case [W || W <- Sold, W =/= none] of\n        [_] -> ok;\n        Many -> error({double_booked, b1, Many})\n    end.\nsell(S, Who) ->\n    \
         case ets:lookup(seats, S) of\n        [{S, free}] -> ets:insert(seats, {S, Who}), exit({sold, Who});\n        _ -> ok\n    end.\n",
    );
    let (view, text) = story(&session, "exit:0.1.0");
    let [update] = &view.unseen[..] else { panic!("{text}") };
    assert!(update.spoken && update.first_read.is_some(), "{text}");
    assert_ne!(update.first.pid, update.second.pid);
    says(
        &text,
        &[
            "Lost update:",
            "both read key b1 of the table seats",
            "then both wrote it.",
        ],
    );
}

/// The second sum is requested from a worker whose logger is dead.
#[test]
fn who_never_answered_is_told_with_its_dead_partner() {
    let session = run_of(
        "stuck",
        "-export([main/0]).\nmain() ->\n    L = spawn(fun() -> receive {log, P, _} -> P ! logged end end),\n    W = spawn(fun() -> work(L) end),\n    \
         W ! {add, self(), [1, 2]},\n    receive {sum, S} -> S after 100 -> exit(no_sum) end.\n\
         work(L) ->\n    receive {add, P, Ns} -> [log(L, N) || N <- Ns], P ! {sum, lists:sum(Ns)} end.\n\
         log(L, N) ->\n    L ! {log, self(), N},\n    receive logged -> ok end.\n",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "and waited until it received logged",
            "sent nothing back; its last message was {log,<0.3.0>,2} to 0.2.0",
            "never received it: it ended",
            "waits for ever at stuck.erl:12",
        ],
    );
    // A slice does not contain how every process ended.
    let view = tell(&slice_of(&session, "error"), "error");
    let text = self::text(&view);
    assert!(!text.contains("never received") && !text.contains("was at  "), "{text}");
}

/// A reply that was received before the wait is not late.
#[test]
fn an_answer_in_time_is_not_told_as_late() {
    let session = run_of(
        "sirens",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    Far = spawn(fun() -> receive stop -> ok end end),\n    \
         Near = spawn(fun() -> receive howl -> Me ! {howling, near} end end),\n    Far ! howl,\n    Near ! howl,\n    \
         [receive {howling, W} -> W after 50 -> exit(silent) end || _ <- [1, 2]].\n",
    );
    let (_, text) = story(&session, "error");
    assert!(!text.contains("too late"), "{text}");
    says(
        &text,
        &[
            "it had sent howl to 0.2.0",
            "waits for ever, with the message in its mailbox,",
        ],
    );
}

/// A state machine was locked by a timer that was cancelled too late.
#[test]
fn the_state_of_a_state_machine_is_followed() {
    let session = run_of(
        "door",
        "-behaviour(gen_statem).\n-export([main/0, init/1, callback_mode/0, open/3, locked/3]).\nmain() ->\n    {ok, D} = gen_statem:start(?MODULE, [], []),\n    \
         spawn(fun() -> D ! lock end),\n    timer:sleep(5),\n    case gen_statem:call(D, ask) of open -> ok; S -> error({door, S}) end.\n\
         init([]) -> {ok, open, none}.\ncallback_mode() -> state_functions.\nopen(info, lock, D) -> {next_state, locked, D};\n\
         open({call, F}, ask, D) -> {keep_state, D, [{reply, F, open}]}.\nlocked({call, F}, ask, D) -> {keep_state, D, [{reply, F, locked}]}.\n",
    );
    says(
        &story(&session, "error").1,
        &["had received lock", "the state became locked (was open)"],
    );
}

/// All of several messages that a failure consists of are followed, not only the last one.
#[test]
fn every_message_that_a_failure_is_made_of_is_told() {
    let session = run_of(
        "gather",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    [spawn(fun() -> Me ! {part, [N, N + 1]} end) || N <- [1, 5]],\n    \
         All = [receive {part, L} -> L end || _ <- [1, 2]],\n    error({not_one_row, lists:append(All)}).\n",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links.iter().any(|link| link.because == Because::Collected),
        "{text}"
    );
    says(&text, &["received {part,[1,2]} from", "received {part,[5,6]} from"]);
}

/// A selective receive takes the later of two messages first.
#[test]
fn a_message_that_passed_an_earlier_one_of_its_sender_is_told() {
    let session = run_of(
        "passed",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    W = spawn(fun() -> work(Me, []) end),\n    W ! {normal, {order, 1}},\n    W ! {urgent, {cancel, 1}},\n    \
         receive {open, []} -> ok; {open, L} -> error({still_open, L}) end.\nwork(Me, Os) ->\n    receive {urgent, {cancel, N}} -> work(Me, lists:delete(N, Os))\n    \
         after 5 ->\n        receive {normal, {order, N}} -> Me ! {open, [N | Os]} end\n    end.\n",
    );
    let (view, text) = story(&session, "error");
    let [one] = &view.overtaken[..] else { panic!("{text}") };
    assert!(one.received.is_some(), "{text}");
    says(
        &text,
        &[
            "Received out of order:",
            "was received before {normal,{order,1}}, which was sent first",
        ],
    );
}

/// A worker that died before is among the causes, though the failure is about a count.
#[test]
fn another_failure_among_the_causes_is_told() {
    let session = run_of(
        "slots",
        "-export([main/0]).\nmain() ->\n    ets:new(t, [named_table, public]),\n    ets:insert(t, {busy, 0}),\n    {_, R} = spawn_monitor(fun() -> \
         ets:update_counter(t, busy, 1), error(mirror_busy) end),\n    receive {'DOWN', R, _, _, _} -> ok end,\n    [{busy, N}] = ets:lookup(t, busy),\n    \
         N =:= 0 orelse error({leaked, N}).\n",
    );
    let view = tell(&session, "exit:0.1.0");
    let told = view.failed.iter().map(|act| act.target.as_str());
    let in_steps = view
        .links
        .iter()
        .filter_map(|link| link.sent.as_ref())
        .map(|sent| sent.act.target.as_str());
    assert!(
        told.chain(in_steps).any(|target| target == "exit:0.2.0"),
        "{}",
        text(&view)
    );
}

/// The slice of a failure leaves out that a supervisor expected the crash before it.
#[test]
fn a_slice_is_told_by_what_it_is_the_slice_of() {
    let session = run_of(
        "keeper",
        "-export([main/0]).\nmain() ->\n    Me = self(),\n    K = spawn(fun() -> keep(Me) end),\n    receive up -> ok end,\n    \
         rates ! {divide, 0},\n    timer:sleep(5),\n    [_] = [K || false],\n    ok.\nkeep(Me) ->\n    process_flag(trap_exit, true),\n    start(),\n    Me ! up,\n    \
         receive {'EXIT', _, _} -> start() end,\n    receive stop -> ok end.\nstart() ->\n    spawn_link(fun() -> register(rates, self()), receive {divide, N} -> 1 / N end end),\n    \
         timer:sleep(1).\n",
    );
    let of = |session: &Session| tell(session, "error").process.pid;
    assert_eq!(of(&session), "0.1.0");
    assert_eq!(of(&slice_of(&session, "error")), "0.1.0");
}

/// Keys of one table share a version count: the order of two independent writes is not a difference.
#[test]
fn independent_writes_of_keys_are_no_difference() {
    let program = session::record::Text {
        path: "keys.erl".to_owned(),
        source: "-module(keys).\n-export([main/0]).\nmain() ->\n    ets:new(t, [named_table, public]),\n    \
                 Ps = [spawn_monitor(fun() -> ets:insert(t, {N, 1}), ets:insert(t, {N, 2}) end) || N <- [1, 2]],\n    \
                 [receive {'DOWN', R, process, P, _} -> ok end || {P, R} <- Ps],\n    ets:lookup(t, 1).\n"
            .as_bytes()
            .into(),
    };
    let runs: Vec<Trace> = (1..=12)
        .map(|seed| Trace::from_bytes(program.record_bytes(seed).unwrap().1).unwrap())
        .collect();
    for run in &runs {
        let view = diff(&runs[0], run, false, 10).unwrap();
        assert!(view.differences.is_empty(), "{view:?}");
    }
    // For one key the order matters.
    let one = session::record::Text {
        path: "keys.erl".to_owned(),
        source: String::from_utf8(program.source.to_vec())
            .unwrap()
            .replace("{N, ", "{key, ")
            .into_bytes()
            .into(),
    };
    let runs: Vec<Trace> = (1..=12)
        .map(|seed| Trace::from_bytes(one.record_bytes(seed).unwrap().1).unwrap())
        .collect();
    let differ = |run: &Trace| !diff(&runs[0], run, false, 10).unwrap().differences.is_empty();
    assert!(
        runs.iter().any(differ),
        "the writes of one key never come in another order"
    );
}

#[test]
fn the_answer_that_the_reason_speaks_of_is_followed() {
    let session = run_of(
        "cache",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> store(#{}) end),
    [call(S, {put, K}) || K <- [a, b, c]],
    H = spawn(fun() -> S ! {del, a} end),
    M = monitor(process, H),
    receive {'DOWN', M, _, _, _} -> ok end,
    call(S, {put, d}),
    Missing = [K || K <- [a, b, c], call(S, {get, K}) =:= none],
    Size = call(S, size),
    Missing =:= [] orelse exit({lost_entries, Missing}),
    Size.
call(S, Q) -> S ! {self(), Q}, receive {S, A} -> A end.
store(Map) ->
    receive
        {From, {put, K}} -> From ! {self(), ok}, store(Map#{K => true});
        {From, {get, K}} -> From ! {self(), maps:get(K, Map, none)}, store(Map);
        {From, size} -> From ! {self(), map_size(Map)}, store(Map);
        {del, K} -> store(maps:remove(K, Map))
    end.
",
    );
    let (view, text) = story(&session, "error");
    // The last message, then the one that the reason names, then what led to it.
    says(&text, &["in reply to {<0.1.0>,size}", "in reply to {<0.1.0>,{get,a}}"]);
    assert!(
        view.links[2].act.content.as_deref().unwrap().contains("{del,a}"),
        "{text}"
    );
    says(&text, &["a in Map was removed (was true)"]);
}

#[test]
fn what_is_missing_is_told_by_who_took_it_away() {
    let session = run_of(
        "keys",
        "-export([main/0]).
main() ->
    S = spawn(fun() -> loop(#{}) end),
    S ! {put, a}, S ! {put, b},
    H = spawn(fun() -> S ! {del, a} end),
    M = monitor(process, H), receive {'DOWN', M, _, _, _} -> ok end,
    S ! {put, c},
    S ! {list, self()},
    receive {keys, L} -> ok end,
    L =:= [a, b, c] orelse error({missing, a, L}).
loop(M) ->
    receive
        {put, K} -> loop(M#{K => true});
        {del, K} -> loop(maps:remove(K, M));
        {list, P} -> P ! {keys, lists:sort(maps:keys(M))}, loop(M)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.links[1].because, Because::State, "{text}");
    says(
        &text,
        &["had received {del,a} from 0.3.0", "a in M was removed (was true)"],
    );
}

#[test]
fn the_number_that_a_reason_names_is_dated() {
    let session = run_of(
        "store2",
        "-export([main/0]).
main() ->
    S = spawn_link(fun() -> loop(100, #{}) end),
    S ! {prepare, t1, -70}, S ! {prepare, t2, -60},
    A = self(),
    spawn(fun() -> S ! {commit, t1}, A ! go end),
    receive go -> ok end,
    S ! {commit, t2},
    receive never -> ok end.
loop(Store, Prepared) ->
    receive
        {prepare, T, N} -> loop(Store, Prepared#{T => N});
        {commit, T} -> {N, P1} = maps:take(T, Prepared), loop(add(N, Store), P1)
    end.
add(N, S) -> S + N >= 0 orelse error({overdrawn, S, N}), S + N.
",
    );
    let (view, text) = story(&session, "error");
    let told = |link: &why::story::Link| {
        link.act
            .content
            .as_deref()
            .is_some_and(|text| text.contains("{commit,t1}"))
    };
    assert!(view.links.iter().take(4).any(told), "{text}");
    says(&text, &["Store became 30 (was 100)"]);
}

#[test]
fn the_answer_that_differs_from_its_like_is_told() {
    let session = run_of(
        "votes",
        "-export([main/0]).
main() ->
    Ps = [spawn(fun() -> count(0) end) || _ <- [1, 2, 3]],
    [P ! {add, N} || P <- Ps, N <- [5, 6]],
    [_, Second, _] = Ps,
    Second ! {add, 10},
    Vals = [begin P ! {value, self()}, receive {P, V} -> V end end || P <- Ps],
    case lists:usort(Vals) of
        [_] -> ok;
        Other -> exit({counts_differ, Other})
    end.
count(N) ->
    receive
        {add, M} -> count(N + M);
        {value, From} -> From ! {self(), N}, count(N)
    end.
",
    );
    let (view, text) = story(&session, "error");
    assert!(
        view.links[1].act.content.as_deref().unwrap().contains("{<0.3.0>,21}"),
        "{text}"
    );
    says(&text, &["N became 21 (was 11)", "had received {add,10}"]);
}

#[test]
fn an_answer_to_one_who_gave_up_is_told() {
    let session = run_of(
        "leak",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    ok = gen_server:call(P, take),
    Me = self(),
    First = lists:foldl(fun(_, To) -> spawn(fun() -> receive gone -> To ! gone end end) end, Me, lists:seq(1, 10)),
    spawn(fun() -> catch gen_server:call(P, take, 10), First ! gone end),
    receive gone -> ok end,
    gen_server:cast(P, give),
    case gen_server:call(P, stats) of
        {0, []} -> ok;
        Left -> exit({leaked, Left})
    end.
init(_) -> {ok, {0, []}}.
handle_call(take, _, {0, W}) -> {reply, ok, {1, W}};
handle_call(take, From, {1, W}) -> {noreply, {1, W ++ [From]}};
handle_call(stats, _, S) -> {reply, S, S}.
handle_cast(give, {1, [From | W]}) -> gen_server:reply(From, ok), {noreply, {1, W}};
handle_cast(give, {1, []}) -> {noreply, {0, []}}.
",
    );
    let (view, text) = story(&session, "error");
    assert_eq!(view.gave_up.len(), 1, "{text}");
    // The turn in which it was sent is a step of the story, the first one.
    assert!(view.gave_up[0].first && !view.gave_up[0].holds, "{text}");
    assert!(text.find("Reply sent after") < text.find("Because:"), "{text}");
    says(
        &text,
        &[
            "Reply sent after the caller had timed out:",
            "0.3.0",
            "sent the call take",
            "0.2.0 leak sent the reply ok",
        ],
    );
}

#[test]
fn who_lends_to_one_who_gave_up_is_told_first() {
    let session = run_of(
        "pool",
        "-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    spawn(fun() -> ok = gen_server:call(P, take), Me ! has_it, timer:sleep(50), gen_server:cast(P, {give, self()}), Me ! back end),
    receive has_it -> ok end,
    spawn(fun() -> catch gen_server:call(P, take, 10), Me ! gone, timer:sleep(1000) end),
    receive gone -> ok end,
    receive back -> timer:sleep(10) end,
    gen_server:cast(P, {give, nobody}),
    gen_server:cast(P, {give, nobody}),
    case gen_server:call(P, stats) of
        {free, []} -> ok;
        {Lent, _} -> exit({leaked, Lent})
    end.
init(_) -> {ok, {free, []}}.
handle_call(take, {From, _}, {free, W}) -> {reply, ok, {[From], W}};
handle_call(take, From, {By, W}) -> {noreply, {By, W ++ [From]}};
handle_call(stats, _, {free, W}) -> {reply, {free, W}, {free, W}};
handle_call(stats, _, {By, W}) -> {reply, {length(By), W}, {By, W}}.
handle_cast({give, By}, {[By], [{Next, _} = From | W]}) -> gen_server:reply(From, ok), {noreply, {[Next], W}};
handle_cast({give, By}, {[By], []}) -> {noreply, {free, []}};
handle_cast({give, _}, S) -> {noreply, S}.
",
    );
    let (view, text) = story(&session, "error");
    assert!(view.gave_up.len() == 1 && view.gave_up[0].holds, "{text}");
    assert!(text.find("Reply sent after") < text.find("Because:"), "{text}");
    says(&text, &["0.2.0 pool sent the reply ok", "still has 0.4.0 in its state"]);
}

#[test]
fn what_changed_of_a_record_is_named_by_its_field() {
    let session = run_of(
        "fields",
        "-export([main/0]).
-record(st, {name = 'a rather long name of a server', free = [], % who is free
             busy = #{}}).
main() ->
    S = spawn_link(fun() -> loop(#st{}) end),
    S ! {lend, first, {some, data}}, S ! {lend, second, {some, data}},
    S ! {get, self()},
    receive {busy, B} -> exit({still_busy, B}) end.
loop(S = #st{busy = B}) ->
    receive
        {lend, K, V} -> loop(S#st{busy = B#{K => V}});
        {get, P} -> P ! {busy, map_size(S#st.busy)}, loop(S)
    end.
",
    );
    let (_, text) = story(&session, "exit:0.1.0");
    says(&text, &["second in busy in S was added: {some,data}"]);
}

#[test]
fn a_message_of_the_program_is_shown_as_it_is() {
    let session = run_of(
        "acks",
        "-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
main() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    S ! {ack, self(), 41},
    receive never -> ok end.
init(_) -> {ok, none}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({ack, P, N}, S) -> error({bad_ack, P, N, S}).
",
    );
    let (_, text) = story(&session, "error");
    says(&text, &["received {ack,<0.1.0>,41} from 0.1.0"]);
}

/// If a value comes from several writers, the last of them is named, not the first.
#[test]
fn of_several_writers_the_last_is_told() {
    let session = run_of(
        "counted",
        "-export([main/0]).
main() ->
    C = counters:new(1, []),
    counters:put(C, 1, 3),
    {B, _} = spawn_monitor(fun() -> receive go -> check(counters:get(C, 1)) end end),
    spawn(fun() -> counters:sub(C, 1, 2), B ! go end),
    receive {'DOWN', _, _, _, R} -> exit(R) end.
check(3) -> ok;
check(N) -> error({low, N}).
",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "last written by 0.3.0 a fun in main/0, one of 2 writers",
            "counters:sub(C, 1, 2)",
        ],
    );
    let session = run_of(
        "listed",
        "-export([main/0]).
main() ->
    C = ets:new(t, [public]),
    ets:insert(C, {a, 3}),
    {B, _} = spawn_monitor(fun() -> receive go -> check(ets:tab2list(C)) end end),
    spawn(fun() -> ets:insert(C, {b, 4}), B ! go end),
    receive {'DOWN', _, _, _, R} -> exit(R) end.
check([_]) -> ok;
check(L) -> error({gone, L}).
",
    );
    let (_, text) = story(&session, "error");
    says(
        &text,
        &[
            "last written by 0.3.0 a fun in main/0, one of 2 writers",
            "ets:insert(C, {b, 4})",
        ],
    );
}
