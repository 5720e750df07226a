%% EUnit: the macros that run commands.
-module(eunit_commands).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() ->
    t(fun() -> ?cmd("echo hi; echo there") end),
    t(fun() -> ?cmd("printf 'a b  c'") end),
    t(fun() -> ?cmd("false") end),
    t(fun() -> ?cmdStatus(3, "sh -c 'echo x; exit 3'") end),
    t(fun() -> ?cmdStatus(0, "sh -c 'exit 3'") end),
    t(fun() -> ?assertCmd("true") end),
    t(fun() -> ?assertCmd("false") end),
    t(fun() -> ?assertCmdStatus(2, "sh -c 'exit 2'") end),
    t(fun() -> ?assertCmdStatus(1, "sh -c 'exit 2'") end),
    t(fun() -> ?assertCmdOutput("a\n", "echo a") end),
    t(fun() -> ?assertCmdOutput("b\n", "echo a") end),
    t(fun() -> ?assertCmdOutput("a", "printf a") end),
    [begin {Line, F} = Test, t(fun() -> {Line, F()} end) end
     || Test <- [?_cmd("echo x"), ?_assertCmd("false"), ?_cmdStatus(1, "false"), ?_assertCmdStatus(1, "false"), ?_assertCmdOutput("", "true")]].

t(F) -> io:format("~p~n", [try F() catch C:E -> {C, E} end]).
