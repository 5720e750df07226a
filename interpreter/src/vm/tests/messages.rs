//! Mailboxes, timeouts, natives of the system layer, budgets and checkpoints.

use std::sync::Arc;

use super::{add, show};
use crate::atom::Atom;
use crate::heap::{Fragment, Heap};
use crate::native::{Native, NativeClass, Raise};
use crate::term::{Pid, Term};
use crate::vm::{EndClass, Judge, MessageTag, Process, ProcessEnd, Program, Stop, Timeout};

const NATIVES: &[Native] = &[
    Native::system("erlang", "send", 2, NativeClass::Effect, 1),
    Native::system("test", "label", 1, NativeClass::Input, 2),
    Native::system("test", "fail", 1, NativeClass::Input, 3),
];

fn start(source: &str) -> (Program, Process) {
    let mut program = Program::new(&[NATIVES]);
    add(
        &mut program,
        "t.erl",
        &format!("-module(t).\n-export([main/0]).\n{source}"),
    );
    let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new("main"), &[]);
    (program, process)
}

/// Sends go to the own mailbox, `test:label(X)` gives `{X}`, waits time out. Everything is written down.
fn drive(program: &Program, process: &mut Process, slice: u32) -> (ProcessEnd, Vec<String>) {
    let mut log = Vec::new();
    let mut sent = 0;
    loop {
        let stop = process.run(program, slice);
        if let Stop::Ended(end) = stop {
            return (end, log);
        }
        *process = process.clone();
        process.collect(program);
        match stop {
            Stop::Native { number: 1, .. } => {
                let message = process.args()[1];
                sent += 1;
                let fragment = process.heap.export(message);
                process.deliver(MessageTag(1, sent), fragment);
                process.answer(message);
            }
            Stop::Native { number: 2, .. } => {
                let arg = process.args()[0];
                log.push(format!("label {}", show(&process.heap, arg)));
                let value = process.heap.make_tuple(&[arg]);
                process.answer(value);
            }
            Stop::Native { .. } => {
                let arg = process.args()[0];
                process.raise(Raise::error(arg));
            }
            Stop::Wait { timeout } => {
                log.push(format!("{timeout:?}"));
                process.time_out();
            }
            Stop::Received(tag) => log.push(format!("received {}", tag.1)),
            Stop::Preempted => {}
            other => panic!("{other:?}"),
        }
        process.shrink(program);
    }
}

fn check(source: &str, expected: &str, expected_log: &[&str]) {
    for slice in [1, 2, 1000] {
        let (program, mut process) = start(source);
        let (end, log) = drive(&program, &mut process, slice);
        let shown = show(&process.heap, end.reason);
        assert_eq!((end.class, &*shown), (EndClass::Normal, expected), "{source}");
        assert_eq!(log, expected_log, "{source}");
    }
}

#[test]
fn selective_receive() {
    check(
        "main() -> self() ! {a, 1}, self() ! {b, [2]}, self() ! c,
            B = receive {b, X} -> X end, C = receive c -> got_c end, A = receive Y -> Y end, {A, B, C}.",
        "{{a,1},[2],got_c}",
        &["received 2", "received 3", "received 1"],
    );
    check(
        "main() -> self() ! x, R = receive y -> no after 50 -> late end, {R, receive Z -> Z after 0 -> none end}.",
        "{late,x}",
        &["Millis(50)", "received 1"],
    );
    check("main() -> receive after 7 -> A = 5 end, A.", "5", &["Millis(7)"]);
    check(
        "main() -> self() ! {n, 5}, f(5).\nf(X) -> receive {n, X} when X > 3 -> {match, X}; {n, _} -> no after infinity -> never end.",
        "{match,5}",
        &["received 1"],
    );
    check(
        "main() -> catch receive after foo -> ok end, catch receive a -> b after -1 -> c end, done.",
        "done",
        &[],
    );
}

#[test]
fn system_natives() {
    check(
        "main() -> X = [1, 2], {test:label(X), f(X), X}.\nf(Y) -> test:label(hd(Y)).",
        "{{[1,2]},{1},[1,2]}",
        &["label [1,2]", "label 1"],
    );
    check(
        "main() -> L = lists(), [test:label(A) || A <- L].\nlists() -> [a, b].",
        "[{a},{b}]",
        &["label a", "label b"],
    );
    check("main() -> apply(test, label, [7]).", "{7}", &["label 7"]);
    check("main() -> F = fun test:label/1, {F(7)}.", "{{7}}", &["label 7"]);
    check(
        "main() -> try {test:fail(oops)} catch error:R -> {caught, R} end.",
        "{caught,oops}",
        &[],
    );
    let (program, mut process) = start("main() -> f([x]), ok.\nf(X) -> test:fail(X).");
    let (end, _) = drive(&program, &mut process, 3);
    assert_eq!(end.class, EndClass::Error);
    assert_eq!(
        show(&process.heap, end.stacktrace),
        "[{test,fail,[[x]],[{error_info,#{module=>erl_stdlib_errors}}]},{t,f,1,[{file,\"t.erl\"},{line,4}]},\
         {t,main,0,[{file,\"t.erl\"},{line,3}]}]"
    );
}

/// The point of a process is a number of counted events: it does not depend on how it is cut into runs.
#[test]
fn budgets_are_exact() {
    let source = "main() -> {loop(5), [X || X <- [1, 2, 3]], lists_map(fun(X) -> X end, [a, b])}.
        loop(0) -> 0; loop(N) -> loop(N - 1).
        lists_map(F, [H | T]) -> [F(H) | lists_map(F, T)]; lists_map(_, []) -> [].";
    // main, 6 × loop, 3 elements, 3 × lists_map, 2 × fun.
    let (program, mut process) = start(source);
    let mut stops = 0;
    while !matches!(process.run(&program, 1), Stop::Ended(_)) {
        stops += 1;
        assert_eq!(process.events(), stops);
        process.collect(&program);
    }
    assert_eq!(process.events(), 15);
    for budget in [0, 4, 14] {
        let (program, mut process) = start(source);
        assert!(matches!(process.run(&program, budget), Stop::Preempted));
        assert_eq!(process.events(), u64::from(budget));
    }
}

/// A clone goes its own way from the same point.
#[test]
fn clones_are_checkpoints() {
    let (program, mut process) = start("main() -> f(20, []).\nf(0, A) -> A; f(N, A) -> f(N - 1, [N | A]).");
    assert!(matches!(process.run(&program, 10), Stop::Preempted));
    process.shrink(&program);
    let mut copy = process.clone();
    let Stop::Ended(one) = process.run(&program, 1000) else {
        panic!()
    };
    let Stop::Ended(two) = copy.run(&program, 1000) else {
        panic!()
    };
    assert_eq!(show(&process.heap, one.reason), show(&copy.heap, two.reason));
}

#[test]
fn frames_show_variables() {
    let (program, mut process) =
        start("main() -> X = {a, 1}, Y = f(X, 2), {X, Y}.\nf(A, B) ->\n  C = [B],\n  test:label(A),\n  {C, B}.");
    let Stop::Native { .. } = process.run(&program, 1000) else {
        panic!()
    };
    let frames = process.frames(&program);
    let text: Vec<String> = frames
        .iter()
        .map(|f| {
            let l = f.location.unwrap();
            let vars: Vec<String> = f
                .variables
                .iter()
                .map(|(n, v)| format!("{n}={}", v.map_or("?".to_owned(), |v| show(&process.heap, v))))
                .collect();
            format!("{}/{}:{} {}", l.function, l.arity, l.line, vars.join(" "))
        })
        .collect();
    assert_eq!(text, ["f/2:6 A=? B=2 C=[2]", "main/0:3 X={a,1}"]);
    assert_eq!(process.args().len(), 1);
    let value = Term::small(1);
    process.answer(value);
    assert!(matches!(process.run(&program, 1000), Stop::Ended(_)));
}

#[test]
fn removed_messages_are_gone() {
    let (program, mut process) = start("main() -> receive b -> 1 end, receive X -> X end.");
    let atom = |name: &str| Fragment::immediate(Term::atom(Atom::new(name)));
    process.deliver(MessageTag(0, 1), atom("a"));
    process.deliver(MessageTag(0, 2), atom("c"));
    assert!(matches!(
        process.run(&program, 9),
        Stop::Wait {
            timeout: Timeout::Infinity
        }
    ));
    assert!(process.mailbox.remove(MessageTag(0, 1)).is_some());
    process.deliver(MessageTag(0, 3), atom("b"));
    assert!(matches!(process.run(&program, 9), Stop::Received(MessageTag(0, 3))));
    assert!(matches!(process.run(&program, 9), Stop::Received(MessageTag(0, 2))));
    let Stop::Ended(end) = process.run(&program, 9) else {
        panic!()
    };
    assert_eq!(show(&process.heap, end.reason), "c");
}

#[test]
fn undefined_functions() {
    let (program, mut process) = start("main() -> {catch nowhere:f(1), catch t:g(2)}.");
    let Stop::Load(module) = process.run(&program, 9) else {
        panic!()
    };
    assert_eq!(module.as_str(), "nowhere");
    process.collect(&program);
    process.undefined();
    let Stop::Ended(end) = process.run(&program, 9) else {
        panic!()
    };
    assert_eq!(
        show(&process.heap, end.reason),
        "{{EXIT,{undef,[{nowhere,f,[1],[]},{t,main,0,[{file,\"t.erl\"},{line,3}]}]}},\
         {EXIT,{undef,[{t,g,[2],[]},{t,main,0,[{file,\"t.erl\"},{line,3}]}]}}}"
    );
}

/// To copy a deep stack at each of many waits would take time that grows with the square of its depth.
#[test]
fn only_shallow_stacks_are_lent() {
    let mut spare = crate::vm::Spare::default();
    for (depth, lent) in [(3, true), (3000, false)] {
        let (program, mut process) = start(&format!(
            "main() -> down({depth}).\ndown(0) -> receive X -> X end;\ndown(N) -> 1 + down(N - 1)."
        ));
        assert!(matches!(process.run(&program, 10_000), Stop::Wait { .. }));
        let before = process.words();
        process.lend_shallow_stack(&program, &mut spare);
        assert_eq!(process.words() < before, lent, "{depth}");
        process.borrow_stack(&program, &mut spare);
        process.deliver(MessageTag(1, 1), {
            let zero = Term::small(0);
            process.heap.export(zero)
        });
        let end = loop {
            match process.run(&program, 10_000) {
                Stop::Ended(end) => break end,
                Stop::Received(_) => {}
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(end.reason, Term::small(depth));
    }
}

/// Runs to the first wait.
fn waiting(source: &str) -> (Program, Process) {
    let (program, mut process) = start(source);
    while !matches!(process.run(&program, 1000), Stop::Wait { .. }) {}
    (program, process)
}

#[test]
fn a_receive_judges_messages_and_stands_where_it_stood() {
    let source = "main() -> L = lists:seq(1, 50), r(L, 3). r(L, N) ->
        receive {a, X} when X > N -> [X | L]; {b, [_ | _] = Y, Y} -> Y; {c, X} when hd(X) =:= N -> L end.";
    let (program, process) = waiting(source);
    let mut judge = Judge::of(&process, &program).expect("it stands in a receive");
    let mut heap = Heap::new(Arc::default());
    let (small, atom) = (Term::small, |name| Term::atom(Atom::new(name)));
    let (one, other) = (heap.make_list(&[small(3), small(9)]), heap.make_list(&[small(4)]));
    let asked = [
        (vec![atom("a"), small(4)], true),
        (vec![atom("a"), small(3)], false),
        (vec![atom("b"), one, one], true),
        (vec![atom("b"), one, other], false),
        (vec![atom("c"), one], true),
        (vec![atom("c"), other], false),
        // A guard that raises.
        (vec![atom("c"), small(1)], false),
        (vec![atom("d")], false),
    ];
    // So often that what it has looked at does not fit.
    for turn in 0..20_000 {
        let (message, expected) = &asked[turn % asked.len()];
        let message = heap.make_tuple(message);
        let fragment = heap.export(message);
        assert_eq!(judge.takes(&program, fragment, 1000), *expected, "{turn}");
    }
}

#[test]
fn what_a_receive_reads_decides_what_it_takes() {
    let judged = |source: &str| {
        let (program, process) = waiting(source);
        process.judged_by(&program)
    };
    let same = |one: &str, other: &str| judged(one).is_some() && judged(one) == judged(other);
    // The body of a clause may need what it likes.
    let list = "main() -> r([1, 2], 7). r(L, N) -> receive {a, X} -> [X, N | L] end.";
    assert!(same(
        list,
        "main() -> r([3], 8). r(L, N) -> receive {a, X} -> [X, N | L] end."
    ));
    let guard = "main() -> r([1], 7). r(L, N) -> receive {a, X} when X > N -> L; {N, _} -> N end.";
    assert!(same(
        guard,
        "main() -> r([2], 7). r(L, N) -> receive {a, X} when X > N -> L; {N, _} -> N end."
    ));
    assert!(!same(
        guard,
        "main() -> r([1], 8). r(L, N) -> receive {a, X} when X > N -> L; {N, _} -> N end."
    ));
    // The value is no single word.
    assert_eq!(judged("main() -> r([1]). r(L) -> receive {a, L} -> L end."), None);
    // It depends on a node's name.
    assert_eq!(judged("main() -> receive X when X =:= node() -> X end."), None);
    assert_eq!(judged("main() -> receive after 10 -> ok end."), None);
}
