%% `erl_pp` prints what is new.
-module(pp_new).
-export([main/0]).

exprs() ->
    ["[X || X <- A && Y <- B].", "[{X, Y, Z} || X <- A && Y <- B && Z <- C, X > 1].", "[X || X <:- A, <<Y>> <:= B].", "[X || K := V <:- M].", "#{K => V || K := V <- M}.", "#{K => V || K <- A && V <- B, K =/= V}.",
     "<< <<X>> || <<X>> <= A && Y <- B >>.", "maybe ok ?= a, b end.", "maybe {ok, X} ?= f(), X else {error, E} -> E; _ -> 'maybe' end.", "~\"abc\".", "~s(abc).", "[~b\"a\\n\" | T].", "16#f.8.", "'maybe'.", "{'else', 'maybe'}.",
     "f(~\"a\", \"\"\"\n  two\n  lines\n  \"\"\").", "#{'maybe' => 'else'}.", "'maybe'('else').", "fun 'maybe'/1.", "a:'maybe'().", "X#'else'{'maybe' = 1}.",
     "[a_rather_long_name_of_a_function(X, Y, 1) || X <- another_long_name_of_a_list_function(1, 2, 3) && Y <- yet_another_function(4, 5, 6), X =/= Y].",
     "#{a_rather_long_name_of_a_key(K) => a_rather_long_name_of_a_value(V) || K := V <- another_long_name_of_a_function(1, 2, 3, 4), is_atom(K), is_integer(V)}.",
     "[{X, Y} || {a_pattern_with_names, X, _Other} <:- a_function_of_a_list(with, some, arguments), <<Y:16/little-unsigned>> <:= a_function_of_a_binary(more)].",
     "maybe {ok, File} ?= file:open(\"a name that is rather long\", [read, raw, binary]), {ok, Data} ?= file:read(File, 1000), process(Data) else {error, enoent} -> none; {error, Reason} -> throw(Reason) end.",
     "[[X || X <- Y && Z <- W] || Y <- A && W <- B]."].

forms() ->
    ["-nominal meter() :: integer().", "-nominal pair(A, B) :: {A, B}.", "-doc \"text\".", "-doc ~\"text\".", "-doc hidden.", "-moduledoc #{since => \"27\"}.", "-doc {file, \"a.md\"}.", "-type t() :: 'maybe' | 'else'.",
     "-spec 'maybe'('else') -> ok.", "f(~\"a\") -> [X || X <- ~s\"b\" && _ <- [1]].", "'maybe'(X) when X > 16#f.8 -> maybe ok ?= X end.", "-record('else', {'maybe' = ~\"a\" :: binary()}).", "-export(['maybe'/1, f/1]).",
     "-doc \"\"\"\n  Two\n  lines.\n  \"\"\"."].

parsed(Text, Parse) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    {ok, Abstract} = Parse(Tokens),
    Abstract.

main() ->
    [io:format("~ts~n", [erl_pp:exprs(parsed(Text, fun erl_parse:parse_exprs/1))]) || Text <- exprs()],
    [io:format("~ts~n", [erl_pp:exprs(parsed(Text, fun erl_parse:parse_exprs/1), [{linewidth, 40}, {indent, 2}])]) || Text <- exprs()],
    [io:format("~ts", [erl_pp:form(parsed(Text, fun erl_parse:parse_form/1))]) || Text <- forms()],
    [io:format("~ts~n", [erl_pp:expr({Line, 3, 7})]) || Line <- [debug_line, executable_line]],
    io:format("~ts~n", [erl_pp:form({attribute, 1, nominal, {t, {type, 1, union, [{atom, 1, a}, {type, 1, list, [{var, 1, 'A'}]}]}, [{var, 1, 'A'}]}})]).
