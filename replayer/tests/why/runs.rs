//! Two runs compared.

use super::*;

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
        release: Default::default(),
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
        release: Default::default(),
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
        release: Default::default(),
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
