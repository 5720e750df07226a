%% Macros with and without arguments, conditionals, predefined, stringification.
-module(macros).
-export([main/0]).
-export([pub/0]).

-define(ONE, 1).
-define(ADD(A, B), (A) + (B)).
-define(ADD(A), ?ADD(A, ?ONE)).
-define(EMPTY(), empty).
-define(LIST(X), [X, ??X]).
-define(BLOCK, begin io:format("block~n"), 3 end).
-define(NAME, macros).
-define(PAIR(X, Y), {X, Y}).
-ifdef(UNDEFINED_THING).
-define(BRANCH, ifdef).
-else.
-define(BRANCH, otherwise).
-endif.
-ifndef(UNDEFINED_THING).
-define(SECOND, yes).
-endif.
-define(TEMP, old).
-undef(TEMP).
-define(TEMP, new).
-if(?ONE =:= 1).
-define(IF, one).
-elif(true).
-define(IF, elif).
-else.
-define(IF, neither).
-endif.
-if(defined(NOPE) orelse ?OTP_RELEASE < 20).
-define(OLD, true).
-else.
-define(OLD, false).
-endif.

main() ->
    io:format("~w~n", [[?ONE, ?ADD(2, 3), ?ADD(4), ?EMPTY(), ?BRANCH, ?SECOND, ?TEMP, ?IF, ?OLD]]),
    io:format("~p~n", [?LIST(foo(1, "x", $y))] -- [[]]),
    io:format("~w~n", [?BLOCK * 2]),
    io:format("~w ~w ~w~n", [?MODULE, ?FUNCTION_NAME, ?FUNCTION_ARITY]),
    io:format("~s~n", [?MODULE_STRING]),
    io:format("~w~n", [?LINE]),
    io:format("~w~n", [?PAIR({a, b}, [c, d])]),
    io:format("~w~n", [?PAIR(?PAIR(1, 2), fun(A, B) -> A + B end(3, 4))]),
    io:format("~w~n", [?NAME:pub()]),
    io:format("~p~n", [lists:suffix("macros.erl", ?FILE)]),
    io:format("~w~n", [?MACHINE]).

pub() -> public.
foo(A, B, C) -> {A, B, C}.
