//! Logs written by hand: what the log decides.

use super::*;

#[test]
fn the_log_decides_and_uids_are_targets() {
    for order in [[0, 7], [7, 0]] {
        let scratch = Scratch::new(&format!("race-{}", order[0]));
        let program = race(&scratch, order);
        let imported = import(scratch.0.path(), &[program], &[], &scratch.trace(), None).unwrap();
        assert!(
            imported.warnings.iter().any(|w| w.contains("have no uid")),
            "the late send is told: {:?}",
            imported.warnings
        );
        assert_eq!(imported.renamed, [(80, "0.1.0".to_owned())]);
        let trace = Trace::open(&scratch.trace()).unwrap();
        let first = resolve(&trace, &format!("rec:u{}", order[0])).unwrap();
        let second = resolve(&trace, &format!("rec:u{}", order[1])).unwrap();
        assert_eq!((first.pid, first.action.0), (Pid(1), 3));
        assert_eq!((second.pid, second.action.0), (Pid(1), 4));
        let sent = resolve(&trace, "send:u7").unwrap();
        assert_eq!((sent.pid, sent.action.0), (Pid(91), 1));
        let error = resolve(&trace, "rec:u1").unwrap_err();
        assert_eq!(fault(&error), Fault::NoTarget, "{error}");
    }
}

#[test]
fn a_late_send_that_reached_nobody_is_read_both_ways() {
    // The entry process sends twice to a process that ends; one of the two was too late, and the log does not say which.
    let scratch = Scratch::new("both");
    scratch.write("trace_result.log", RESULT);
    scratch.write("m.erl", "");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0]).
main() ->
    Me = self(),
    A = spawn(fun() -> Me ! up end),
    B = spawn(fun() -> receive go -> Me ! down end end),
    receive up -> ok end,
    A ! one,
    B ! go,
    A ! two,
    receive down -> ok end.
",
    );
    scratch.write(
        "trace_80.log",
        "{trace_spawn,_,90,true}.".replace('_', "nonode@nohost").as_str(),
    );
    let log = |sends: &str| {
        format!(
            "{{trace_spawn,nonode@nohost,90,true}}.\n{{trace_spawn,nonode@nohost,91,true}}.\n{{trace_receive,0}}.\n{sends}{{trace_receive,3}}."
        )
    };
    scratch.write("trace_90.log", "{trace_send,0}.");
    scratch.write("trace_91.log", "{trace_receive,2}.\n{trace_send,3}.");
    // Both had uids; only the first (not distinguishable from only the second if the receiver of `go` decides); none.
    for sends in [
        "{trace_send,1}.\n{trace_send,2}.\n{trace_send,4}.\n",
        "{trace_send,1}.\n{trace_send,2}.\n",
        "{trace_send,2}.\n{trace_send,4}.\n",
        "{trace_send,2}.\n",
    ] {
        scratch.write("trace_80.log", &log(sends));
        let trace = scratch
            .import(&program)
            .unwrap_or_else(|error| panic!("{sends}: {error}"));
        assert!(trace.processes().all(|p| p.unwrap().ended), "{sends}");
    }
    // One send too many matches no interpretation.
    scratch.write(
        "trace_80.log",
        &log("{trace_send,1}.\n{trace_send,2}.\n{trace_send,4}.\n{trace_send,5}.\n"),
    );
    let error = scratch.import(&program).unwrap_err();
    assert_eq!(fault(&error), Fault::BadTrace);
    let text = error.to_string();
    assert!(
        text.contains("trace_80.log") && text.contains("line 7") && text.contains("{trace_send,5}"),
        "{text}"
    );
}

#[test]
fn nodes_start_when_the_log_says() {
    // Two processes try to start one node; a third reads the list of nodes before and after.
    let scratch = Scratch::new("nodes");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0, try_start/2, look/1]).
main() ->
    A = spawn(?MODULE, try_start, [self(), a]),
    B = spawn(?MODULE, try_start, [self(), b]),
    C = spawn(?MODULE, look, [self()]),
    [receive {P, R} -> {N, R} end || {N, P} <- [{a, A}, {b, B}, {c, C}]].
try_start(To, Name) ->
    R = slave:start(site, other),
    Seen = case R of
        {ok, Node} -> P = spawn(Node, fun() -> receive {from, Q} -> Q ! node() end end), P ! {from, self()}, receive N -> N end;
        {error, _} -> taken
    end,
    To ! {self(), {Name, Seen}}.
look(To) -> One = nodes(), Two = nodes(), To ! {self(), {One, Two}}.
",
    );
    scratch.write("trace_result.log", &RESULT.replace("nonode@nohost", "hub@site"));
    for (winner, loser) in [(90, 91), (91, 90)] {
        scratch.write(
            "trace_80.log",
            "{trace_spawn,hub@site,90,true}.\n{trace_spawn,hub@site,91,true}.\n{trace_spawn,hub@site,92,true}.\n{trace_receive,10}.\n{trace_receive,11}.\n{trace_receive,12}.",
        );
        let result = |pid| if pid == 90 { 10 } else { 11 };
        scratch.write(
            &format!("trace_{winner}.log"),
            &format!(
                "{{trace_start,other@site,true}}.\n{{trace_spawn,other@site,95,true}}.\n{{trace_send,1}}.\n{{trace_receive,2}}.\n{{trace_send,{}}}.",
                result(winner)
            ),
        );
        scratch.write(
            &format!("trace_{loser}.log"),
            &format!("{{trace_start,other@site,false}}.\n{{trace_send,{}}}.", result(loser)),
        );
        scratch.write(
            "trace_92.log",
            "{trace_nodes,[]}.\n{trace_nodes,[other@site]}.\n{trace_send,12}.",
        );
        scratch.write("trace_95.log", "{trace_receive,1}.\n{trace_send,2}.");
        let trace = scratch.import(&program).unwrap();
        // Before its start, it may read what the start requires.
        let start = |pid: u64| {
            let mut kinds = trace.log(Pid(pid)).unwrap().map(|item| item.unwrap().1.kind);
            kinds.find(|kind| matches!(kind, Kind::Start { .. })).unwrap()
        };
        assert!(
            matches!(start(winner), Kind::Start { ok: true, .. }),
            "{:?}",
            start(winner)
        );
        assert!(
            matches!(start(loser), Kind::Start { ok: false, .. }),
            "{:?}",
            start(loser)
        );
        let session = Session::of(Arc::new(trace)).unwrap();
        session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
    }
    // A list that is impossible: the node before it could have been started is accepted, another one is not.
    scratch.write(
        "trace_92.log",
        "{trace_nodes,[nobody@site]}.\n{trace_nodes,[other@site]}.\n{trace_send,12}.",
    );
    let error = scratch.import(&program).unwrap_err();
    assert!(error.to_string().contains("trace_92.log"), "{error}");
    assert_eq!(fault(&error), Fault::BadTrace);
}

#[test]
fn several_nodes_and_what_each_saw() {
    // A spawn on a node that has not started yet; two nodes, the second started from the first; processes of all three read the list and
    // report. The logs determine the order of the reports and the lists.
    let scratch = Scratch::new("several-nodes");
    let program = scratch.write(
        "m.erl",
        "-module(m).
-export([main/0, first/1, look/1]).
main() ->
    spawn(two@site, fun() -> ok end),
    {ok, One} = slave:start(site, one),
    spawn(One, ?MODULE, first, [self()]),
    Seen = nodes(),
    [receive {Node, L} -> {Node, L} end || _ <- [1, 2], Seen =/= none].
first(To) ->
    {ok, Two} = slave:start(site, two),
    spawn(Two, ?MODULE, look, [To]),
    To ! {node(), nodes()}.
look(To) -> To ! {node(), nodes()}.
",
    );
    scratch.write("trace_result.log", &RESULT.replace("nonode@nohost", "hub@site"));
    for (order, seen) in [
        ([31, 41], "one@site"),
        ([41, 31], "one@site"),
        ([41, 31], "one@site,two@site"),
    ] {
        scratch.write(
            "trace_80.log",
            &format!(
                "{{trace_spawn,two@site,85,false}}.\n{{trace_start,one@site,true}}.\n{{trace_spawn,one@site,90,true}}.\n{{trace_nodes,[{seen}]}}.\n\
                 {{trace_receive,{}}}.\n{{trace_receive,{}}}.",
                order[0], order[1]
            ),
        );
        scratch.write(
            "trace_90.log",
            "{trace_start,two@site,true}.\n{trace_spawn,two@site,95,true}.\n{trace_nodes,[hub@site,two@site]}.\n{trace_send,31}.",
        );
        scratch.write("trace_95.log", "{trace_nodes,[hub@site,one@site]}.\n{trace_send,41}.");
        let trace = scratch
            .import(&program)
            .unwrap_or_else(|error| panic!("{order:?}, {seen}: {error}"));
        let kinds = |pid: u64| -> Vec<Kind> {
            let count = trace.process(Pid(pid)).unwrap().counts.actions;
            (1..=count)
                .map(|n| trace.action(Pid(pid), ActionNo(n)).unwrap().kind)
                .collect()
        };
        let entry = kinds(1);
        assert!(matches!(entry[0], Kind::SpawnFailed { .. }), "{entry:?}");
        assert!(
            entry.iter().any(|kind| matches!(kind, Kind::Start { ok: true, .. })),
            "{entry:?}"
        );
        // Each process is on its node, and the first message received is as logged.
        let names = trace.nodes().unwrap();
        let node = |pid: u64| names[usize::from(trace.process(Pid(pid)).unwrap().node.0)].clone();
        assert_eq!(
            (node(1), node(90), node(95)),
            ("hub@site".into(), "one@site".into(), "two@site".into())
        );
        let place = |uid: u64| resolve(&trace, &format!("rec:u{uid}")).unwrap().action;
        assert!(place(order[0]) < place(order[1]));
        // The start of the second node is a cause of what its process did, and a target.
        let start = resolve(&trace, "start:two@site").unwrap();
        assert_eq!(start.pid, Pid(90));
        let sent = resolve(&trace, "send:u41").unwrap();
        let causes = causality::causes(
            &trace,
            ActionId {
                pid: sent.pid,
                number: sent.action,
            },
        )
        .unwrap();
        assert!(causes.contains(ActionId {
            pid: start.pid,
            number: start.action
        }));
        let session = Session::of(Arc::new(trace)).unwrap();
        session.replay(&Goal::everything(), system::observer::Nobody).unwrap();
        // Going back before that start undoes what its node did, and not the first node.
        let whole: Vec<ActionId> = session
            .trace()
            .processes()
            .map(|p| p.unwrap())
            .map(|p| ActionId::new(p.pid, p.counts.actions))
            .collect();
        let mut player = session::player::Player::new(&session, 0).unwrap();
        player.forward_to(whole).unwrap();
        player.undo(&[start.id()]).unwrap();
        assert_eq!((player.done(Pid(95)), player.done(Pid(90))), (0, start.action.0 - 1));
        assert!(player.done(Pid(1)) >= 3);
    }
    // An impossible observation is refused where it is found.
    scratch.write("trace_95.log", "{trace_nodes,[hub@site]}.\n{trace_send,41}.");
    let error = scratch.import(&program).unwrap_err();
    let said = error.to_string();
    assert!(said.contains(".log: line ") && said.contains("@site"), "{said}");
    assert_eq!(fault(&error), Fault::BadTrace, "{said}");
}

#[test]
fn a_run_that_was_cut_stops_where_the_log_ends() {
    let scratch = Scratch::new("cut");
    let program = race(&scratch, [0, 7]);
    scratch.write("trace_result.log", &RESULT.replace("success", "timeout"));
    // The tracer was stopped before it wrote the second receive and the send of uid 7.
    scratch.write(
        "trace_80.log",
        "{trace_spawn,nonode@nohost,90,true}.\n{trace_spawn,nonode@nohost,91,true}.\n{trace_receive,0}.",
    );
    std::fs::remove_file(scratch.0.path().join("trace_91.log")).unwrap();
    let trace = scratch.import(&program).unwrap();
    assert_eq!(trace.process(Pid(1)).unwrap().counts.actions, 3);
    assert_eq!(trace.process(Pid(91)).unwrap().counts.actions, 0);
    assert!(matches!(
        trace.run_end().unwrap(),
        Some(log_format::RunEnd::Interrupted(_))
    ));
    // The receive was written, the send was not: the receiver is cut there, with a warning.
    race(&scratch, [7, 0]);
    scratch.write("trace_result.log", &RESULT.replace("success", "timeout"));
    std::fs::remove_file(scratch.0.path().join("trace_91.log")).unwrap();
    let imported = import(
        scratch.0.path(),
        std::slice::from_ref(&program),
        &[],
        &scratch.trace(),
        None,
    )
    .unwrap();
    assert!(
        imported.warnings[0].contains("trace_80.log, line 3"),
        "{:?}",
        imported.warnings
    );
    // If all processes ended, that is a contradiction.
    scratch.write("trace_result.log", RESULT);
    let error = scratch.import(&program).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("line 3: expected a message that some log says was sent"),
        "{error}"
    );
}
