//! Values of expressions.

use super::{check, value};

#[test]
fn arithmetic_and_calls() {
    check(&[
        ("main() -> 1 + 2 * 3.", "7"),
        (
            "main() -> fib(15). fib(0) -> 0; fib(1) -> 1; fib(N) -> fib(N-1) + fib(N-2).",
            "610",
        ),
        (
            "main() -> fac(25). fac(0) -> 1; fac(N) -> N * fac(N-1).",
            "15511210043330985984000000",
        ),
        (
            "main() -> loop(100000, 0). loop(0, A) -> A; loop(N, A) -> loop(N-1, A+N).",
            "5000050000",
        ),
        (
            "main() -> X = 5, Y = X div 2, {X, Y, X rem 2, X / 2, -X, bnot X, X bsl 3, X bsr 1}.",
            "{5,2,1,2.5,-5,-6,40,2}",
        ),
        (
            "main() -> swap(1, 2, 3). swap(A, B, C) -> swap2(C, A, B). swap2(A, B, C) -> {A, B, C}.",
            "{3,1,2}",
        ),
        (
            "main() -> rot(3, a, b). rot(0, A, B) -> {A, B}; rot(N, A, B) -> rot(N-1, B, A).",
            "{b,a}",
        ),
        (
            // The arguments of a tail call change places in a cycle, while a register above all others is moved to.
            "main() -> k([1], 2, 3, 4). k(A, B, C, D) -> u([], A, length(A), D, C, B). u(A, B, C, D, E, F) -> {A, B, C, D, E, F}.",
            "{[],[1],1,4,3,2}",
        ),
        (
            "main() -> depth(1000000). depth(0) -> 0; depth(N) -> 1 + depth(N-1).",
            "1000000",
        ),
    ]);
}

#[test]
fn lists_and_patterns() {
    check(&[
        (
            "main() -> nrev([1,2,3,4]). nrev([]) -> []; nrev([H|T]) -> app(nrev(T), [H]). app([], L) -> L; app([H|T], L) -> [H|app(T, L)].",
            "[4,3,2,1]",
        ),
        ("main() -> [A, B | C] = [1, 2, 3, 4], {A, B, C}.", "{1,2,[3,4]}"),
        (
            "main() -> f({a, [1, {x, 5}]}, 5). f({a, [1, {x, Z}]}, Z) -> {yes, Z}; f(_, _) -> no.",
            "{yes,5}",
        ),
        ("main() -> f([1|1]). f([X|X]) -> {same, X}; f(_) -> other.", "{same,1}"),
        (
            "main() -> {f(\"abc\"), f(\"abd\"), f(\"xyz\")}. f(\"ab\" ++ T) -> T; f(_) -> no.",
            "{\"c\",\"d\",no}",
        ),
        (
            "main() -> case {1, 2.0, foo} of {1, 2.0, foo} -> yes; _ -> no end.",
            "yes",
        ),
        ("main() -> X = 3, case 3 of X -> bound end.", "bound"),
        (
            "main() -> case 4 of X when X > 5 -> a; X when X < 3; X == 4 -> {b, X}; _ -> c end.",
            "{b,4}",
        ),
        (
            "main() -> [f(X) || X <- [a, b, c, d, e, 1, {x}, []]]. f(a) -> 1; f(b) -> 2; f(c) -> 3; f(d) -> 4; f(e) -> 5; f(1) -> one; f([]) -> nil; f(_) -> other.",
            "[1,2,3,4,5,one,other,nil]",
        ),
        (
            "main() -> [f(X) || X <- [{a, 1}, {b, 2}, {c}, {d, 4}, {e, 5}, {a, 2}, foo, {b, 3}]]. f({a, 1}) -> a1; f({a, X}) -> {a, X}; f({b, X}) when X > 2 -> bigb; f({b, X}) -> {b, X}; f({c}) -> c; f({d, X}) -> X; f(_) -> other.",
            "[a1,{b,2},c,4,other,{a,2},other,bigb]",
        ),
    ]);
}

#[test]
fn control() {
    check(
        &[
            ("main() -> X = if 1 > 2 -> a; true -> b end, X.", "b"),
            (
                "main() -> case foo() of {ok, V} -> R = V; error -> R = none end, R. foo() -> {ok, 5}.",
                "5",
            ),
            (
                "main() -> {true andalso 1, false andalso 1, true orelse 1, false orelse 1}.",
                "{1,false,true,1}",
            ),
            (
                "main() -> {1 < 2, a > b, 1 == 1.0, 1 =:= 1.0, not (1 > 2), is_atom(a) and is_list([])}.",
                "{true,false,true,false,true,true}",
            ),
            ("main() -> try throw(x) catch throw:X -> {caught, X} end.", "{caught,x}"),
            ("main() -> try 1 of 1 -> one after put(k, v) end.", "one"),
            (
                "main() -> try try exit(a) after put(k, v) end catch exit:R -> {R, get(k)} end.",
                "{a,v}",
            ),
            (
                "main() -> {catch throw(a), catch exit(b), catch 1 + 1}.",
                "{a,{EXIT,b},2}",
            ),
            ("main() -> try error(x) catch C:R -> {C, R} end.", "{error,x}"),
            (
                "main() -> maybe {ok, A} ?= {ok, 1}, {ok, B} ?= {error, A}, {A, B} else {error, E} -> {failed, E} end.",
                "{failed,1}",
            ),
            ("main() -> maybe {ok, A} ?= foo, A end.", "foo"),
            ("main() -> receive after 1 -> ok end.", "ok"),
        ][..11],
    );
}

#[test]
fn funs_and_comprehensions() {
    check(&[
        // Variables of filters before the first generator stay until the end of the comprehension.
        (
            "main() -> {[{C, O} || x =/= y, is_integer(S = f(5)), (N = f(1)) < S, C <- [N + 1, S], O <- [a]], [S || (S = f(2)) > 1], [S || (S = f(2)) > 2]}.\nf(X) -> X.",
            "{[{2,a},{5,a}],[2],[]}",
        ),
        ("main() -> F = fun(X) -> X * 2 end, F(21).", "42"),
        (
            "main() -> A = 1, B = 2, F = fun(X, Y) -> {A, B, X, Y} end, F(3, 4).",
            "{1,2,3,4}",
        ),
        ("main() -> F = fun G(0) -> 1; G(N) -> N * G(N - 1) end, F(5).", "120"),
        ("main() -> X = 1, F = fun(X) -> X end, F(2) + X.", "3"),
        (
            "main() -> F = fun f/1, G = fun t:f/1, H = fun erlang:abs/1, {F(1), G(2), apply(H, [-3]), apply(t, f, [4])}. f(X) -> {f, X}.",
            "{{f,1},{f,2},3,{f,4}}",
        ),
        (
            "main() -> [X * Y || X <- [1, 2, 3], X /= 2, Y <- [10, 20]].",
            "[10,20,30,60]",
        ),
        (
            "main() -> X = 5, [X || X <- [1, 2], Y <- [X, X + 1], Y > 1].",
            "[1,2,2]",
        ),
        (
            "main() -> Y = 7, [{X, Y, Z} || X <- [1, 2], Y <- [X], Z <- [Y]] ++ [Y].",
            "[{1,1,1},{2,2,2},7]",
        ),
        ("main() -> [X || {ok, X} <- [{ok, 1}, error, {ok, 2}]].", "[1,2]"),
        ("main() -> << <<(X + 1)>> || X <- [1, 2, 3] >>.", "<<2,3,4>>"),
        (
            "main() -> [{A, B} || <<A:4, B:4>> <= <<16#12, 16#34>>].",
            "[{1,2},{3,4}]",
        ),
        ("main() -> << <<X:16>> || <<X>> <= <<1, 2>>, X > 1 >>.", "<<0,2>>"),
        ("main() -> [X || <<1, X>> <= <<1, 5, 2, 6, 1, 7, 1>>].", "[5,7]"),
        (
            "main() -> #{K => V * 2 || K := V <- #{a => 1, b => 2}}.",
            "#{a=>2,b=>4}",
        ),
        ("main() -> M = t, M:f(1) + apply(M, f, [2]). f(X) -> X.", "3"),
        (
            "main() -> lists:map(fun(X) -> X + 1 end, lists:seq(1, 5)).",
            "[2,3,4,5,6]",
        ),
        (
            "main() -> lists:foldl(fun(X, A) -> X + A end, 0, lists:seq(1, 1000)).",
            "500500",
        ),
    ]);
}

#[test]
fn records_maps_binaries() {
    check(&[
        (
            "-record(r, {a = 1, b, c = x}). main() -> R = #r{b = 2}, S = R#r{a = 5}, {R, S, S#r.a, #r.b, is_record(S, r)}.",
            "{{r,1,2,x},{r,5,2,x},5,3,true}",
        ),
        (
            "-record(r, {a, b}). main() -> f(#r{a = 1, b = 2}). f(#r{a = A, _ = B}) -> {A, B}; f(_) -> no.",
            "{1,2}",
        ),
        ("-record(r, {a, b}). main() -> #r{_ = 7}.", "{r,7,7}"),
        (
            "main() -> M = #{a => 1, b => 2}, #{a := A} = M, N = M#{a := 5, c => 3}, {A, N, map_size(N)}.",
            "{1,#{a=>5,b=>2,c=>3},3}",
        ),
        ("main() -> f(#{k => {v, 1}}). f(#{k := {v, X}}) -> X; f(_) -> no.", "1"),
        (
            "main() -> K = {a, b}, f(#{K => 1}, K). f(M, K) -> #{K := V} = M, V.",
            "1",
        ),
        (
            "main() -> <<A:8, B:16/little, C/binary>> = <<1, 2, 3, 4, 5>>, {A, B, C}.",
            "{1,770,<<4,5>>}",
        ),
        ("main() -> X = 5, <<\"ab\", X:16, 3:4, 1:4>>.", "<<97,98,0,5,49>>"),
        (
            "main() -> <<N, S:N/binary, R/binary>> = <<2, \"abcd\">>, {S, R}.",
            "{<<97,98>>,<<99,100>>}",
        ),
        ("main() -> case <<1:3>> of <<X:2, Y:1>> -> {X, Y} end.", "{0,1}"),
        (
            "main() -> <<H/utf8, T/binary>> = <<\"\\x{e9}t\"/utf8>>, {H, T}.",
            "{233,<<116>>}",
        ),
        (
            "main() -> <<F/float>> = <<1.5/float>>, <<I:16/signed>> = <<-2:16>>, {F, I}.",
            "{1.5,-2}",
        ),
        (
            "main() -> f(<<\"GET /x\">>). f(<<\"GET \", P/binary>>) -> P; f(_) -> no.",
            "<<47,120>>",
        ),
        (
            "main() -> f(<<>>, <<>>). f(<<X, R/binary>>, A) -> f(R, <<A/binary, X, X>>); f(<<>>, A) -> A.",
            "<<>>",
        ),
    ]);
}

#[test]
fn errors() {
    assert_eq!(
        value("main() -> {f(2)}.\nf(1) -> 1."),
        "Error:function_clause [{t,f,[2],[{file,\"t.erl\"},{line,4}]},{t,main,0,[{file,\"t.erl\"},{line,3}]}]"
    );
}

/// Programs call these natives all the time: they are instructions, and the listing shows what the compiler made.
#[test]
fn the_machine_carries_out_some_natives_itself() {
    let source = "-module(t).\n-export([f/0]).\nf() -> T = {self(), b}, {element(tuple_size(T), T), element(1, T) =:= self()}.\n";
    let mut program = super::load(&[source]);
    let own =
        |i: &crate::vm::instr::Instr| *i != i.alone() && matches!(i.alone(), crate::vm::instr::Instr::Native { .. });
    assert_eq!(program.code.iter().filter(|i| own(i)).count(), 5);
    let (process, end) = super::run(&mut program, "f");
    assert_eq!(super::show(&process.heap, end.reason), "{b,true}");
}
