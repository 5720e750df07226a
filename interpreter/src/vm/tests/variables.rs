//! Programs whose variables are kept: values are right at every line, after a collection at every call, and a run is the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::super::{MessageTag, Observer, Pc};
use super::{EndClass, Process, Program, Stop, add, run, show};
use crate::atom::Atom;
use crate::heap::Fragment;
use crate::term::{Pid, Term};

/// Stops at every new place; notes the lines where the activations stand, by their depth.
#[derive(Default)]
struct Everywhere {
    lines: BTreeMap<usize, u32>,
    is_new: bool,
}

impl Observer for Everywhere {
    fn place(&mut self, program: &Program, _: &Process, pc: Pc, depth: usize) -> ControlFlow<()> {
        let line = program.location(pc).map_or(0, |l| l.line);
        self.lines.retain(|d, _| *d <= depth);
        self.is_new = self.lines.insert(depth, line) != Some(line);
        ControlFlow::Break(())
    }
}

fn program(source: &str) -> Program {
    let mut program = Program::new(&[]);
    program.keep_variables();
    program.collect_always();
    add(
        &mut program,
        "t.erl",
        &format!("-module(t).\n-compile(export_all).\n{source}"),
    );
    program
}

/// The variables of the innermost activation, sorted by name.
fn innermost(process: &Process, program: &Program) -> Option<(u32, String)> {
    let frame = process.frames(program).into_iter().next()?;
    let line = frame.location?.line;
    let mut variables: Vec<String> = frame
        .variables
        .iter()
        .map(|(name, value)| {
            let value = value.map_or_else(|| "?".to_owned(), |v| show(&process.heap, v));
            format!("{name}={value}")
        })
        .collect();
    variables.sort();
    Some((line, variables.join(" ")))
}

/// Runs `t:main()` with the atoms `a`, `b`, `c` in its mailbox. What is shown when line `line` is reached for the last time (1 is the
/// first line of `source`), after a collection there; for line 0, where it has crashed.
fn shown(source: &str, line: u32) -> String {
    let mut program = program(source);
    let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
    process.start_call(Atom::new("t"), Atom::new("main"), &[]);
    for (k, name) in (1..).zip(["a", "b", "c"]) {
        process.deliver(MessageTag(0, k), Fragment::immediate(Term::atom(Atom::new(name))));
    }
    let mut found = None;
    let mut observer = Everywhere::default();
    loop {
        match process.run_observed(&program, u32::MAX, &mut observer) {
            Stop::Observed => {
                process.collect(&program);
                if let Some((at, variables)) = innermost(&process, &program)
                    && at == line + 2
                    && observer.is_new
                {
                    found = Some(variables);
                }
            }
            Stop::Load(module) => match crate::library::source(module.as_str()) {
                Some(source) => {
                    add(&mut program, &format!("{module}.erl"), source);
                }
                None => process.undefined(),
            },
            Stop::Received(_) => process.shrink(&program),
            Stop::Wait { .. } => process.time_out(),
            Stop::Ended(_) => break,
            other => panic!("{other:?}"),
        }
    }
    if line == 0 {
        return innermost(&process, &program).map_or_else(String::new, |f| f.1);
    }
    found.unwrap_or_else(|| panic!("line {line} was not reached:\n{source}"))
}

#[test]
fn unused_values_stay() {
    let source =
        "main() ->\n  X = {x, 1},\n  Y = [X],\n  f(Y),\n  Z = 3,\n  g(Z).\nf(L) ->\n  length(L),\n  ok.\ng(A) ->\n  A.";
    assert_eq!(shown(source, 4), "X={x,1} Y=[{x,1}]");
    assert_eq!(shown(source, 6), "X={x,1} Y=[{x,1}] Z=3");
    assert_eq!(shown(source, 9), "L=[{x,1}]");
}

#[test]
fn alternatives_export_what_all_bind() {
    let source = "main() ->\n  f(1), f(2), f(3).\nf(N) ->\n  case N of\n    1 -> A = {n, N}, B = 1;\n    2 -> A = two, C = 2, C;\n    3 -> A = 3,\n      D = [N],\n      g(D)\n  end,\n  g(A),\n  A.\ng(_) -> ok.";
    assert_eq!(shown(source, 9), "A=3 D=[3] N=3");
    assert_eq!(shown(source, 12), "A=3 N=3");
    let source = "main() ->\n  if hd([1]) > 1 -> A = 1; true -> B = 2, A = {B} end,\n  receive b -> X = 1, Y = 2, Y; Z -> X = [Z] after 0 -> X = none end,\n  f(A, X).\nf(_, _) -> ok.";
    assert_eq!(shown(source, 4), "A={2} X=[a]");
}

#[test]
fn unsafe_variables_are_gone() {
    let source = "main() ->\n  catch (X = f(1)),\n  K = 1,\n  catch begin Y = f(2), error(Y) end,\n  g(K).\nf(X) -> {X}.\ng(_) -> ok.";
    assert_eq!(shown(source, 5), "K=1");
    let source = "main() ->\n  K = f(true),\n  K andalso (begin X = f(1), X end),\n  (f(1) == {1}) orelse (begin Y = f(1), Y end),\n  case f(false) == false andalso (Z = f(true)) == 7 of\n    true -> no;\n    false -> g(K)\n  end.\nf(X) when is_atom(X) -> X;\nf(X) -> {X}.\ng(_) -> ok.";
    assert_eq!(shown(source, 7), "K=true");
}

#[test]
fn handlers_see_what_was_bound_before() {
    let source = "main() ->\n  A = [1],\n  try\n    B = {A},\n    f(B)\n  of\n    ok -> no\n  catch\n    throw:T:S ->\n      g(S),\n      [A | T]\n  after\n    C = length(A),\n    g(C)\n  end.\nf(B) ->\n  throw(B).\ng(_) -> ok.";
    assert_eq!(shown(source, 5), "A=[1] B={[1]}");
    assert_eq!(
        shown(source, 11),
        "A=[1] S=[{t,f,1,[{file,\"t.erl\"},{line,19}]},{t,main,0,[{file,\"t.erl\"},{line,7}]}] T={[1]}"
    );
    assert_eq!(shown(source, 14), "A=[1] C=1");
    assert_eq!(shown(source, 17), "B={[1]}");
}

#[test]
fn crashes_show_what_was_bound() {
    // The failing match stands out of line, where nothing or something else would be in scope.
    let source = "main() ->\n  A = [1],\n  catch begin B = f(2), {x, C} = B, D = f(3), {C, D} end,\n  E = {A},\n  {y, F} = E,\n  G = f(5),\n  F + G.\nf(X) -> {X}.";
    assert_eq!(shown(source, 0), "A=[1] E={[1]}");
    let source = "main() ->\n  A = [1],\n  try B = f(2), {x, C} = B, D = f(3), {C, D}\n  catch error:E -> f(E), {x, F} = E, F end,\n  A.\nf(X) -> {X}.";
    assert_eq!(shown(source, 0), "A=[1] E={badmatch,{2}}");
    let source = "main() ->\n  f([1], x).\nf(A, B) ->\n  g(A ++ [2], B + 1).\ng(A, B) -> {A, B}.";
    assert_eq!(shown(source, 0), "A=[1] B=x");
}

#[test]
fn arguments_of_tail_calls_are_not_variables() {
    // `B` moves into the register of `A` before `G` is found to be no function.
    let source = "main() ->\n  f({a}, {b}, g).\nf(A, B, G) ->\n  G(B).";
    assert_eq!(shown(source, 0), "A=? B=? G=g");
    let source = "main() ->\n  f({a}, {b}, 1).\nf(A, B, N) ->\n  case N of\n    1 -> f(B, A, 2);\n    2 ->\n      g(A),\n      {A, B}\n  end.\ng(_) -> ok.";
    assert_eq!(shown(source, 8), "A={b} B={a} N=2");
}

#[test]
fn comprehensions_and_funs() {
    let source = "main() ->\n  K = {k},\n  L = [begin\n    Y = {X, K},\n    f(Y)\n  end || X <- [1, 2, {3}], X =/= 2],\n  B = << <<(f(C)):8>> || <<C:4, 1:4>> <= <<16#11, 16#22, 16#31>> >>,\n  F = fun(A) ->\n    M = [A | L],\n    f(M)\n  end,\n  F(B),\n  ok.\nf(X) when is_integer(X) -> X;\nf(X) ->\n  X.";
    assert_eq!(shown(source, 5), "K={k} X={3} Y={{3},{k}}");
    assert_eq!(
        shown(source, 10),
        "A=<<1,3>> L=[{1,{k}},{{3},{k}}] M=[<<1,3>>,{1,{k}},{{3},{k}}]"
    );
    assert_eq!(shown(source, 12), "B=<<1,3>> F=#Fun/1 K={k} L=[{1,{k}},{{3},{k}}]");
}

#[test]
fn large_functions_stop_quickly() {
    // One path for every subset of the cases: enumerating them would never end.
    let cases: Vec<String> = (0..300)
        .map(|i| format!("  case f(N + {i}) of N -> A{i} = 1; _ -> A{i} = 2 end,\n"))
        .collect();
    let source = format!(
        "main() -> g(1).\nf(X) -> X.\ng(N) ->\n{}  B = A0 + A299,\n  f(B),\n  ok.",
        cases.concat()
    );
    let all = shown(&source, 305);
    assert!(
        all.contains("A0=1") && all.contains("A299=2") && all.contains("B=3"),
        "{all}"
    );
}

/// The value of `t:main()` and its events, with variables kept or not and collections at every call or not.
pub(super) fn outcome(source: &str, keep: bool, often: bool) -> (String, u64) {
    let mut program = Program::new(&[]);
    if keep {
        program.keep_variables();
    }
    if often {
        program.collect_always();
    }
    add(&mut program, "t.erl", source);
    let (process, end) = run(&mut program, "main");
    let text = match end.class {
        EndClass::Normal => show(&process.heap, end.reason),
        class => format!(
            "{class:?}:{} {}",
            show(&process.heap, end.reason),
            show(&process.heap, end.stacktrace)
        ),
    };
    (text, process.events())
}
