//! Nothing overflows the host's stack, however deep the source or the data are.

use super::{EndClass, load, run, show};

/// Compiles and runs on a small host stack.
fn small_stack(source: String) -> String {
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(move || {
            let mut program = load(&[&format!("-module(t).\n-export([main/0]).\n{source}")]);
            let (process, end) = run(&mut program, "main");
            assert_eq!(end.class, EndClass::Normal, "{}", show(&process.heap, end.reason));
            show(&process.heap, end.reason)
        })
        .unwrap()
        .join()
        .unwrap()
}

#[test]
fn long_list_literals() {
    let constant = vec!["1"; 100_000].join(",");
    assert_eq!(small_stack(format!("main() -> length([{constant}]).")), "100000");
    let variable = vec!["X"; 100_000].join(",");
    assert_eq!(
        small_stack(format!("main() -> f(1).\nf(X) -> length([{variable}]).")),
        "100000"
    );
    let calls = vec!["g(X)"; 20_000].join(",");
    assert_eq!(
        small_stack(format!("main() -> hd(f(1)).\nf(X) -> [{calls}].\ng(X) -> X.")),
        "1"
    );
}

#[test]
fn nested_calls_and_data() {
    let n = 10_000;
    let calls = "f(".repeat(n) + "0" + &")".repeat(n);
    assert_eq!(
        small_stack(format!("main() -> {calls}.\nf(X) -> X + 1.")),
        n.to_string()
    );
    let lists = "[".repeat(n) + "x" + &"]".repeat(n);
    assert_eq!(
        small_stack(format!(
            "main() -> depth({lists}, 0).\ndepth([X], N) -> depth(X, N + 1); depth(x, N) -> N."
        )),
        n.to_string()
    );
    let tuples = "{".repeat(n) + "X" + &"}".repeat(n);
    assert_eq!(
        small_stack(format!("main() -> {tuples} = f(1), X.\nf(X) -> {tuples}.")),
        "1"
    );
}

#[test]
fn long_operator_chains() {
    let sum = vec!["X"; 10_000].join("+");
    assert_eq!(small_stack(format!("main() -> f(2).\nf(X) -> {sum}.")), "20000");
    let and = vec!["X"; 5_000].join(" andalso ");
    assert_eq!(small_stack(format!("main() -> f(true).\nf(X) -> {and}.")), "true");
    let append = vec!["[X]"; 5_000].join("++");
    assert_eq!(
        small_stack(format!("main() -> length(f(2)).\nf(X) -> {append}.")),
        "5000"
    );
    let guard = vec!["X > 0"; 5_000].join(",");
    assert_eq!(
        small_stack(format!("main() -> f(2).\nf(X) when {guard} -> yes.")),
        "yes"
    );
}

#[test]
fn many_clauses_and_variables() {
    let clauses: Vec<String> = (0..5_000).map(|i| format!("f({i}) -> {}", i * 2)).collect();
    assert_eq!(
        small_stack(format!("main() -> f(4999) + f(0) + f(77).\n{}.", clauses.join(";"))),
        "10152"
    );
    let matches: Vec<String> = (1..3_000).map(|i| format!("X{i} = g(X{})", i - 1)).collect();
    assert_eq!(
        small_stack(format!(
            "main() -> f(0).\nf(X0) -> {}, X0 + X2999.\ng(X) -> X + 1.",
            matches.join(",")
        )),
        "2999"
    );
    let nested: String = (0..1_000).map(|i| format!("case g(Y{i}) of Y{} -> ", i + 1)).collect();
    assert_eq!(
        small_stack(format!(
            "main() -> f(0).\nf(Y0) -> {nested} Y1000 {}.\ng(X) -> X + 1.",
            "end ".repeat(1_000)
        )),
        "1000"
    );
}

#[test]
fn branches_longer_than_a_short_jump() {
    let long: String = (0..12_000).map(|i| format!("put({i}, X),")).collect();
    assert_eq!(
        small_stack(format!(
            "main() -> {{f(a), f(b)}}.\nf(X) -> if X =:= a -> {long} one; true -> two end."
        )),
        "{one,two}"
    );
}
