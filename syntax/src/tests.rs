//! The front end as a whole: what parses, what is refused and with which message, and that no input makes it panic.

use super::ast::*;
use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::{IncludeError, IncludeKind, Included, Includes, NoIncludes, Parsed, ReadOptions, parse_module};

fn parse(source: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse_module("m.erl", source.as_bytes(), &ReadOptions::default(), &NoIncludes)
}

/// Errors of a module made of these forms, as `line:column: message`.
fn errors(forms: &str) -> Vec<String> {
    match parse(&format!(
        "-module(m). -compile([export_all, nowarn_export_all]).\n{forms}\n"
    )) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .iter()
            .filter(|e| e.kind != DiagnosticKind::Warning)
            .map(|e| format!("{}:{}: {}", e.loc.line - 1, e.loc.col, e.message))
            .collect(),
    }
}

fn warnings(forms: &str) -> Vec<String> {
    let parsed = parse(&format!(
        "-module(m). -compile([export_all, nowarn_export_all]).\n{forms}\n"
    ))
    .unwrap();
    parsed
        .warnings
        .iter()
        .map(|e| format!("{}:{}: {}", e.loc.line - 1, e.loc.col, e.message))
        .collect()
}

#[track_caller]
fn fine(forms: &str) {
    assert_eq!(errors(forms), Vec::<String>::new(), "{forms}");
}

#[track_caller]
fn refused(forms: &str, expected: &[&str]) {
    assert_eq!(errors(forms), expected, "{forms}");
}

#[test]
fn every_construct_parses() {
    fine(
        r#"
-record(r, {a = 1 :: integer(), b, 'C' = #{}}).
-type t(A) :: {A, [t(A)], fun((...) -> A), #{a := A, b => 1..2}, <<_:8, _:_*4>>, #r{a :: 1}, -1 | $a}.
-spec f(X :: t(Y)) -> Y when Y :: term(); (atom()) -> ok.
f(X) -> X.
g(#r{a = A, _ = B} = R, [H | T], {x, "s", $c, 1.5}, <<X:8/little-signed, Y:X/binary, _/bits>>, #{k := V}) when A > B; is_list(T), H =:= V ->
    R1 = R#r{a = 2, b = R#r.b}, #r.a, {R1#r.a, Y, record_info(fields, r), record_info(size, r)};
g("abc" ++ T, _, _, _, -1) -> T;
g(1 + 2 * 3 bsl 4, _, _, _, _) -> ok.
h(M, L) ->
    [X || X <- L, X > 1] ++ [X || <<X:4>> <= <<1, 2>>], << <<X>> || X <- L >>, #{K => V || K := V <- M},
    M#{a => 1, b := 2}, catch f(1), F = fun f/1, F(1), (fun(X) -> X end)(2), fun lists:map/2, fun Loop(0) -> 0; Loop(N) -> Loop(N - 1) end,
    begin 1, 2 end, if L == [] -> a; true -> b end, case L of [] -> a; [_ | _] when L > M -> b; _ -> c end,
    receive {a, X} -> X; _ -> b after 10 -> c end, receive after infinity -> ok end,
    try f(1), 2 of 2 -> ok catch throw:T -> T; error:E:S when E == a -> S; C:_ -> C; x -> y after ok end,
    self() ! a andalso b orelse not c, erlang:M(), M:f(1), fun M:f/1,
    "con" "cat" "enated", 1_000, 16#FF, $\n, 'quoted atom', <<"utf"/utf8, 1:2/unit:3>>,
    maybe {ok, A} ?= f(1), B = A, {ok, B} else {error, _} -> e end, maybe 1 end.
"#,
    );
}

#[test]
fn maybe_stays_an_atom_where_it_was_one() {
    fine("f() -> maybe. g(X) -> maybe == X. maybe(X) -> maybe(X). h() -> {maybe, else}.");
    let enabled =
        "-feature(maybe_expr, enable).\n-module(m). -export([f/1]).\nf(X) -> maybe (ok) ?= X else _ -> no end.";
    assert!(parse(enabled).is_ok());
}

#[test]
fn syntax_errors_say_what_was_expected() {
    let error = |forms: &str| {
        let all = parse(&format!("-module(m).\n{forms}")).unwrap_err();
        (
            all[0].message.clone(),
            all[0].label.clone().unwrap_or_default(),
            all[0].loc.col,
        )
    };
    let expect = |forms: &str, message: &str, label: &str, col: u16| {
        assert_eq!(error(forms), (message.to_owned(), label.to_owned(), col), "{forms}");
    };
    expect("f() -> .", "syntax error before: '.'", "expected an expression", 8);
    expect(
        "f() -> case X of a -> b.",
        "syntax error before: '.'",
        "expected `,`, `;` or `end`",
        24,
    );
    expect("f(X -> X.", "syntax error before: '->'", "expected `,` or `)`", 5);
    expect(
        "f() -> [1, 2.",
        "syntax error before: '.'",
        "expected `,`, `|` or `]`",
        13,
    );
    expect(
        "f() -> try 1 end.",
        "syntax error before: 'end'",
        "expected `of`, `catch` or `after`",
        14,
    );
    expect(
        "f() -> a < b < c.",
        "syntax error before: '<'",
        "expected parentheses around one of the two comparisons",
        14,
    );
    expect("f() -> x:y.", "illegal expression", "", 8);
    expect(
        "F() -> x.",
        "syntax error before: F",
        "expected a function name or an attribute `-name(…)`",
        1,
    );
    expect(
        "f() -> f(1)(2).",
        "syntax error before: '('",
        "expected `,`, `;`, `.` or an operator",
        12,
    );
    expect(
        "f(1) -> a; g(1) -> b.",
        "head mismatch",
        "this clause is of g/1, the function is f/1",
        12,
    );
    expect("f() -> fun(1) -> a; (1, 2) -> b end.", "head mismatch", "", 21);
    expect("f() -> <<1:8/foo>>.", "bit type foo undefined", "", 10);
    expect("-export([f]).", "bad Name/Arity", "", 9);
    expect("-record(r, [a]).", "bad record declaration", "", 12);
}

#[test]
fn variables_are_checked() {
    refused("f() -> X.", &["1:8: variable 'X' is unbound"]);
    refused("f() -> _.", &["1:8: variable '_' is unbound"]);
    refused("f() -> {X = 1, X}.", &["1:16: variable 'X' is unbound"]);
    refused(
        "f(Y) -> case Y of 1 -> X = 1; _ -> ok end, X.",
        &["1:44: variable 'X' unsafe in 'case' (line 2, column 9)"],
    );
    refused(
        "f(Y) -> try X = Y after ok end, X.",
        &["1:33: variable 'X' unsafe in 'try' (line 2, column 9)"],
    );
    refused(
        "f(Y) -> Y andalso (X = Y), X.",
        &["1:28: variable 'X' unsafe in 'andalso' (line 2, column 11)"],
    );
    refused(
        "f(Y) -> (catch (X = Y)), X.",
        &["1:26: variable 'X' unsafe in 'catch' (line 2, column 10)"],
    );
    refused("f() -> fun(X) -> X end, X.", &["1:25: variable 'X' is unbound"]);
    refused("f(L) -> [X || X <- L], X.", &["1:24: variable 'X' is unbound"]);
    refused("f(#{K := V}, K) -> V.", &["1:5: variable 'K' is unbound"]);
    refused(
        "f() -> try 1 catch _:_:S when S == 1 -> S end.",
        &["1:31: stacktrace variable 'S' must not be used in a guard"],
    );
    fine("f(Y) -> case Y of 1 -> X = 1; _ -> X = 2 end, X.");
    fine("f(<<N, B:N/binary>>) -> B. h() -> fun F(0) -> 0; F(N) -> F(N - 1) end.");
    fine("f(L) -> [{X, Y} || X <- L, Y <- X, X =/= Y].");
    fine("f() -> X = 1, try X of 1 -> X catch _:R -> R after X end.");
    fine("f(X) -> receive {X, Y} -> Y after X -> Y = 1 end, Y.");
}

#[test]
fn functions_are_checked() {
    refused("f() -> g().", &["1:8: function g/0 undefined"]);
    refused("f() -> fun g/1.", &["1:8: function g/1 undefined"]);
    refused("f() -> 1. g() -> 2. f() -> 3.", &["1:21: function f/0 already defined"]);
    refused("f() -> spawn(). spawn() -> 1.", &[]);
    refused(
        "f() -> self(). self() -> 1.",
        &["1:8: ambiguous call of overridden pre R14 auto-imported BIF self/0"],
    );
    refused(
        "-import(lists, [map/2]). map(_, _) -> 1.",
        &["1:26: defining imported function map/2"],
    );
    refused("-spec g() -> ok.\nf() -> 1.", &["1:2: spec for undefined function g/0"]);
    fine("-compile({no_auto_import, [self/0]}). f() -> self(). self() -> 1.");
    fine("f() -> module_info(), ?MODULE:module_info(exports).");
    let all = parse("-module(m).\n-export([f/0, f/1]).\nf() -> 1.").unwrap_err();
    assert_eq!(all[0].message, "function f/1 undefined");
    assert_eq!(all[0].hint.as_deref(), Some("there is f/0"));
    assert_eq!(parse("f() -> 1.").unwrap_err()[0].message, "no module definition");
}

#[test]
fn records_guards_and_patterns_are_checked() {
    refused("f() -> #r{}.", &["1:8: record r undefined"]);
    refused(
        "-record(r, {a}).\nf(X) -> X#r.b.",
        &["2:13: field b undefined in record r"],
    );
    refused(
        "-record(r, {a}).\nf() -> #r{a = 1, a = 2}.",
        &["2:18: field a already defined in record r"],
    );
    refused(
        "-record(r, {a}).\n-record(r, {b}).\nf() -> 1.",
        &["2:2: record r already defined"],
    );
    refused("-record(r, {a = X}).\nf() -> 1.", &["1:17: variable 'X' is unbound"]);
    refused(
        "f(X) when g(X) -> 1. g(_) -> 1.",
        &["1:11: call to local/imported function g/1 is illegal in guard"],
    );
    refused("f(X) when X ! 1 -> 1.", &["1:13: illegal guard expression"]);
    refused(
        "f(X) when lists:member(X, []) -> 1.",
        &["1:11: illegal guard expression"],
    );
    refused("f(g()) -> 1.", &["1:3: illegal pattern"]);
    refused(
        "f(X + 1) -> X.",
        &["1:5: illegal pattern", "1:13: variable 'X' is unbound"],
    );
    refused(
        "f(#{a => X}) -> X.",
        &["1:7: illegal pattern, did you mean to use `:=`?"],
    );
    refused("f(1 / 0) -> 1.", &["1:5: illegal pattern"]);
    refused(
        "f() -> #{a := 1}.",
        &["1:12: only association operators '=>' are allowed in map construction"],
    );
    refused(
        "f(<<X/binary, Y>>) -> {X, Y}.",
        &["1:5: a binary field without size is only allowed at the end of a binary pattern"],
    );
    refused(
        "f(<<A>> = <<B>>) -> {A, B}.",
        &["1:3: binary patterns cannot be matched in parallel using '='"],
    );
    fine("f(X) when is_list(X), length(X) > 1 orelse X == a; erlang:'+'(X, 1) > 2 -> 1.");
}

#[test]
fn types_are_checked() {
    refused("-type t() :: u().\nf() -> 1.", &["1:14: type u() undefined"]);
    refused(
        "-type t(A) :: atom().\nf() -> 1.",
        &["1:9: type variable 'A' is only used once (is unbound)"],
    );
    refused(
        "-type list() :: 1.\nf() -> 1.",
        &["1:2: type list() is a builtin type; it cannot be redefined"],
    );
    refused("-type t() :: 3..1.\nf() -> 1.", &["1:14: bad range type"]);
    fine("-type t(A) :: {A, A}.\n-spec f(A) -> t(A).\nf(X) -> {X, X}.");
}

#[test]
fn warnings_that_people_rely_on() {
    assert_eq!(
        warnings("f(X, _Y) -> Z = 1, ok."),
        ["1:3: variable 'X' is unused", "1:13: variable 'Z' is unused"]
    );
    assert_eq!(
        warnings("f(X) -> fun(X) -> X end."),
        ["1:3: variable 'X' is unused", "1:13: variable 'X' shadowed in 'fun'"]
    );
    assert_eq!(
        warnings("f(X) -> case X of _ -> 1; a -> 2 end."),
        ["1:27: this clause cannot match because a previous clause at line 2 always matches"]
    );
    let unused = parse("-module(m). -export([f/0]).\nf() -> 1.\ng() -> h().\nh() -> g().").unwrap();
    let messages: Vec<_> = unused.warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(messages, ["function g/0 is unused", "function h/0 is unused"]);
}

/// The first expression of the first function.
fn body(source: &str) -> ExprKind {
    let mut module = parse(&format!("-module(m). -export([f/0]).\n{source}")).unwrap().module;
    module.functions[0].clauses[0].body.remove(0).into_kind()
}

#[test]
fn macros_expand() {
    let text = |source: &str| match body(source) {
        ExprKind::String(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    let integer = |source: &str| match body(source) {
        ExprKind::Integer(value) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(integer("-define(A, 7).\nf() -> ?A."), 7);
    assert_eq!(integer("-define(A(X), X).\n-define(B(X), ?A(X)).\nf() -> ?B((7))."), 7);
    assert_eq!(integer("-define(A(), 1).\n-define(A(X), 2).\nf() -> ?A(x)."), 2);
    assert_eq!(integer("f() -> ?LINE."), 2);
    assert_eq!(integer("f() -> ?FUNCTION_ARITY."), 0);
    assert_eq!(
        integer("-if(?OTP_RELEASE >= 25).\nf() -> 1.\n-else.\nf() -> 2.\n-endif."),
        1
    );
    assert_eq!(
        integer("-if(defined(NO)).\nf() -> 1.\n-elif(not defined(NO)).\nf() -> 2.\n-else.\nf() -> 3.\n-endif."),
        2
    );
    assert_eq!(
        integer("-ifdef(NO).\nf() -> 1.0e999.\n-ifdef(X).\n-else.\n-endif.\n-else.\nf() -> 2.\n-endif."),
        2
    );
    assert_eq!(
        integer("-define(A, 1).\n-undef(A).\n-ifndef(A).\nf() -> 3.\n-endif."),
        3
    );
    assert_eq!(
        text("-define(S(X), ??X).\nf() -> ?S({a, [B|\"c\"]} + $d)."),
        "{ a , [ B | \"c\" ] } + $d"
    );
    assert_eq!(text("f() -> ?FILE."), "m.erl");
    assert_eq!(text("f() -> ?MODULE_STRING."), "m");
    assert_eq!(text("-file(\"other.erl\", 10).\nf() -> ?FILE."), "other.erl");
    assert!(matches!(body("f() -> ?FUNCTION_NAME."), ExprKind::Atom(name) if name.as_str() == "f"));
}

#[test]
fn preprocessor_errors() {
    refused("f() -> ?X.", &["1:9: undefined macro 'X'"]);
    refused("f() -> ?X(1, 2).", &["1:9: undefined macro 'X/2'"]);
    refused(
        "-define(X(A), A).\nf() -> ?X(1, 2).",
        &["2:9: argument mismatch for macro 'X'"],
    );
    refused(
        "-define(X, ?Y).\n-define(Y, ?X).\nf() -> ?X.",
        &["3:9: circular macro 'X'"],
    );
    refused(
        "-define(X, 1).\n-define(X, 2).\nf() -> ?X.",
        &["2:9: redefining macro 'X'"],
    );
    refused(
        "-define(LINE, 1).\nf() -> 1.",
        &["1:9: redefining predefined macro 'LINE'"],
    );
    refused("-endif.\nf() -> 1.", &["1:2: unbalanced '-endif'"]);
    refused("-error(\"no way\").\nf() -> 1.", &["1:2: -error(\"no way\")."]);
    refused(
        "-include(\"x.hrl\").\nf() -> 1.",
        &["1:10: can't find include file \"x.hrl\""],
    );
    let open = errors("-ifdef(X).\nf() -> 1.");
    assert_eq!(open, ["3:1: unterminated '-ifdef'"]);
    let bomb: String = (0..60)
        .map(|i| format!("-define(M{}, ?M{i} + ?M{i}).\n", i + 1))
        .collect();
    let all = errors(&format!("-define(M0, 1).\n{bomb}f() -> ?M60."));
    assert!(all[0].contains("expand to more than"), "{all:?}");
}

/// Files by name.
struct Files(Vec<(&'static str, &'static str)>);

impl Includes for Files {
    fn read(&self, _: IncludeKind, name: &str, _: &str) -> Result<Included, IncludeError> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found
            .map(|(name, text)| Included {
                name: (*name).to_owned(),
                text: text.as_bytes().into(),
            })
            .ok_or(IncludeError::NotFound(vec!["a folder".to_owned()]))
    }
}

#[test]
fn included_files_keep_their_places() {
    let files = Files(vec![
        ("a.hrl", "-include(\"b.hrl\").\n-record(a, {x}).\n"),
        ("b.hrl", "-define(B, 2).\n"),
        ("loop.hrl", "-include(\"loop.hrl\").\n"),
    ]);
    let source = "-module(m).\n-export([f/0]).\n-include(\"a.hrl\").\nf() -> #a{x = ?B}.\n";
    let parsed = parse_module("m.erl", source.as_bytes(), &ReadOptions::default(), &files).unwrap();
    let module = parsed.module;
    assert_eq!(
        module.files.iter().map(|f| &**f).collect::<Vec<_>>(),
        ["m.erl", "a.hrl", "b.hrl"]
    );
    assert_eq!(
        module.records[0].loc,
        Loc {
            line: 2,
            col: 2,
            file: 1
        }
    );
    assert_eq!(
        module.functions[0].loc,
        Loc {
            line: 4,
            col: 1,
            file: 0
        }
    );
    let marks: Vec<_> = module.file_marks.iter().map(|mark| (mark.file, mark.line)).collect();
    assert_eq!(marks, [(0, 1), (1, 1), (2, 1), (1, 2), (0, 4)]);
    let looping = parse_module(
        "m.erl",
        b"-module(m).\n-include(\"loop.hrl\").\n",
        &ReadOptions::default(),
        &files,
    );
    let errors = looping.unwrap_err();
    assert_eq!(errors[0].message, "include too deep");
    assert_eq!(&*errors[0].file, "loop.hrl");
}

/// On a small stack: long lists, deep nesting and long operator chains neither overflow nor are refused.
#[test]
fn deep_and_long_sources_parse() {
    let run = || {
        let list = format!("f() -> [{}1].", "1, ".repeat(100_000));
        let calls = format!("f() -> {}1{}.", "abs(".repeat(10_000), ")".repeat(10_000));
        let parens = format!("f() -> {}1{}.", "(".repeat(10_000), ")".repeat(10_000));
        let tuples = format!("f() -> {}1{}.", "{".repeat(10_000), "}".repeat(10_000));
        let chain = format!("f() -> 1{}.", " + 1".repeat(20_000));
        let right = format!("f() -> []{}.", " ++ []".repeat(20_000));
        let patterns = format!("f() -> {}X{} = 1.", "{".repeat(10_000), "}".repeat(10_000));
        let types = format!(
            "-type t() :: {}x{}. -export_type([t/0]). f() -> 1.",
            "[".repeat(10_000),
            "]".repeat(10_000)
        );
        for source in [list, calls, parens, tuples, chain, right, patterns, types] {
            let start: String = source.chars().take(20).collect();
            assert_eq!(errors(&source), Vec::<String>::new(), "{start}…");
        }
        let bottomless = format!("f() -> {}", "(".repeat(300_000));
        assert_eq!(errors(&bottomless).len(), 1);
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn unsupported_is_told_apart() {
    let kind = |source: &str| parse(source).unwrap_err()[0].kind;
    assert!(parse("-module(m).\n-on_load(f/0).\nf() -> ok.").is_ok());
    assert_eq!(kind("-module(m).\n-on_load(f/1).\nf(_) -> ok."), DiagnosticKind::Lint);
    assert_eq!(kind("-module(m).\n-on_load(f/0)."), DiagnosticKind::Lint);
    assert_eq!(
        kind("-module(m).\n-compile([{parse_transform, foo}])."),
        DiagnosticKind::Unsupported
    );
    assert!(parse("-module(m).\n-compile({parse_transform, ms_transform}).").is_ok());
    assert_eq!(kind("-module(m).\nf() -> \"\u{0}"), DiagnosticKind::Scan);
}

/// What `ets:fun2ms` became, as text.
fn match_spec(fun: &str) -> Result<String, String> {
    let source = format!(
        "-module(m). -export([f/1]).\n-compile({{parse_transform, ms_transform}}).\n-record(r, {{a, b = 1}}).\nf(X) -> {{X, ets:fun2ms({fun})}}."
    );
    let module = parse(&source).map_err(|errors| errors[0].message.clone())?.module;
    let ExprKind::Tuple(parts) = &module.functions[0].clauses[0].body[0].kind else {
        panic!("a tuple was written")
    };
    Ok(show(&parts[1]))
}

fn show(expr: &Expr) -> String {
    let all = |items: &[Expr]| items.iter().map(show).collect::<Vec<_>>().join(",");
    match &expr.kind {
        ExprKind::Atom(name) => format!("{name:?}").replace('\'', ""),
        ExprKind::Var(name) => name.to_string(),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Tuple(items) => format!("{{{}}}", all(items)),
        ExprKind::List(list) => format!(
            "[{}{}]",
            all(&list.items),
            list.tail
                .iter()
                .map(|tail| format!("|{}", show(tail)))
                .collect::<String>()
        ),
        ExprKind::Nil => "[]".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Expected texts are what `ets:fun2ms/1` gives in OTP 25.
#[test]
fn match_specifications_are_those_of_otp() {
    let fine = |fun: &str, expected: &str| assert_eq!(match_spec(fun).as_deref(), Ok(expected), "{fun}");
    fine("fun({A, B}) when A > 1 + 2 -> B end", "[{{$1,$2},[{>,$1,3}],[$2]}]");
    fine(
        "fun({A, _} = O) -> {A, O, X} end",
        "[{{$1,_},[],[{{$1,$_,{const,X}}}]}]",
    );
    fine(
        "fun(#r{a = A}) when A; not A -> A end",
        "[{{r,$1,_},[$1],[$1]},{{r,$1,_},[{not,$1}],[$1]}]",
    );
    fine(
        "fun(R) when is_record(R, r), R#r.b == 2 -> R#r{a = 1} end",
        "[{$1,[{is_record,$1,r,3},{==,{element,3,$1},2}],[{{r,1,{element,3,$1}}}]}]",
    );
    fine(
        "fun({[H | T]}) when is_list(T), list(T) -> [H, object(), bindings()], #r{} end",
        "[{{[$1|$2]},[{is_list,$2},{is_list,$2}],[[$1,$_,$*],{{r,undefined,1}}]}]",
    );
    fine("fun({'$a'}) -> '$a' end", "[{{$a},[],[{const,$a}]}]");
    assert_eq!(
        match_spec("fun(1) -> 1 end").unwrap_err(),
        "ets:fun2ms requires fun with single variable or tuple parameter"
    );
    assert_eq!(
        match_spec("foo").unwrap_err(),
        "Parameter of ets/dbg:fun2ms/1 is not a literal fun"
    );
    assert_eq!(
        match_spec("fun({A}) -> f(A) end").unwrap_err(),
        "fun containing the local function call 'f/1' (called in body) cannot be translated into match_spec"
    );
}

#[test]
fn eunit_tests_are_exported() {
    let source = "-module(m).\n-compile({parse_transform, eunit_autoexport}).\na_test() -> ok.\nb_test_() -> [].\nhelper() -> ok.\n";
    let parsed = parse(source).unwrap();
    let exported: Vec<_> = parsed.module.exports[0]
        .items
        .iter()
        .map(|(_, id)| id.name.as_str())
        .collect();
    assert_eq!(exported, ["a_test", "b_test_", "test"]);
    assert_eq!(parsed.warnings.len(), 1, "{:?}", parsed.warnings);
}

#[test]
fn expressions_at_a_prompt() {
    assert_eq!(super::parse_expressions("X = 1, X + 2").unwrap().len(), 2);
    assert_eq!(super::parse_expressions("f(X).").unwrap().len(), 1);
    let error = super::parse_expressions("f(X)) + 1").unwrap_err().remove(0);
    assert_eq!((error.loc.col, &*error.message), (5, "syntax error before: ')'"));
    assert!(super::parse_expressions("a. b.").is_err());
    assert!(super::parse_expressions("").is_err());
}

/// A small random number generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Random bytes, and sources with bytes and tokens changed, dropped, doubled or moved, each give a result that can be rendered.
#[test]
fn no_bytes_break_the_front_end() {
    let seed = include_str!("tests.rs");
    let words = [
        "case",
        "of",
        "end",
        "fun",
        "->",
        "(",
        ")",
        "<<",
        ">>",
        "#",
        "{",
        "}",
        "?",
        "X",
        "a",
        ".",
        ". ",
        "-",
        "1",
        "\"",
        "'",
        "$",
        "\\",
        "when",
        "try",
        "catch",
        "-define(X, ",
        "-ifdef(X).",
        "-endif.",
        "-record(r, ",
        "||",
        "<-",
        ":=",
        "::",
        "maybe",
        "?=",
        "\u{202e}",
        "\n",
        "16#",
        "1.0e",
        "-spec ",
        "-type ",
        "...",
        "~",
        "\"\"\"\n",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let check = |bytes: &[u8]| {
        if let Err(errors) = parse_module("m.erl", bytes, &ReadOptions::default(), &NoIncludes) {
            assert!(!errors.is_empty());
            for error in errors.iter().take(3) {
                assert!(!error.render(false, 80).is_empty());
            }
        }
    };
    for _ in 0..400 {
        let length = random.next(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.next(256) as u8).collect();
        check(&bytes);
    }
    for _ in 0..1500 {
        let soup: Vec<&str> = (0..random.next(60)).map(|_| words[random.next(words.len())]).collect();
        check(
            format!(
                "-module(m).\nf() -> {}",
                soup.join(if random.next(2) == 0 { " " } else { "" })
            )
            .as_bytes(),
        );
    }
    let chars: Vec<char> = seed.chars().collect();
    for _ in 0..300 {
        let start = random.next(chars.len() - 2000);
        let mut text: Vec<char> = chars[start..start + 1500].to_vec();
        for _ in 0..random.next(8) {
            let at = random.next(text.len());
            match random.next(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, chars[random.next(chars.len())]),
                _ => words[random.next(words.len())]
                    .chars()
                    .rev()
                    .for_each(|c| text.insert(at, c)),
            }
        }
        check(text.into_iter().collect::<String>().as_bytes());
    }
}
