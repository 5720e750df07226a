%% Environment, memory, limits and devices: what is answered, and what is refused.
-module(small_refusals).
-export([main/0]).

main() ->
    Calls = [{os, getenv, [<<"b">>]}, {os, getenv, [<<"b">>, x]}, {os, getenv, ["a=b"]}, {os, getenv, [[a]]}, {os, getenv, [atom]},
             {os, unsetenv, [atom]}, {os, unsetenv, [<<"a">>]}, {os, unsetenv, ["a=b"]}, {os, putenv, [<<"a">>, "b"]}, {os, putenv, ["a", <<"b">>]},
             {os, putenv, ["a", b]}, {os, putenv, ["a=b", "b"]}, {os, putenv, ["SMALL_REFUSALS", "b"]}, {os, getenv, ["SMALL_REFUSALS"]},
             {os, unsetenv, ["SMALL_REFUSALS"]}, {os, getenv, ["SMALL_REFUSALS"]},
             {erlang, memory, [foo]}, {erlang, memory, [self()]}, {erlang, memory, [[total, zz]]}, {erlang, memory, [[]]}, {erlang, memory, [maximum]},
             {erlang, system_info, [port_limit]}, {erlang, system_info, [ets_limit]}, {erlang, system_info, [atom_limit]},
             {erlang, system_info, [no_such_item]}, {init, script_id, []},
             {file, read_line, [self()]}, {file, read, [self(), 3]}, {file, write, [self(), "a"]}, {io, get_line, [self(), '']},
             {erlang, send_nosuspend, [self(), x]}, {erlang, send_nosuspend, [self(), x, [noconnect]]}, {erlang, send_nosuspend, [nobody, x, []]},
             {erlang, send_nosuspend, [self(), x, [foo]]},
             {application, set_env, [a, {k, 1}, v]}, {application, get_env, [a, {k, 1}]}, {application, unset_env, [a, {k, 1}]},
             {application, get_env, [a, {k, 1}]}, {application, set_env, ["a", b, v]}, {application, get_env, ["a", b]},
             {application, unset_env, ["a", b]}, {application, get_env, ["a", b, default]},
             {application, get_env, [kernel, logger_level]}, {application, get_env, [kernel, net_ticktime]}, {application, get_env, [kernel, none]},
             {application, set_env, [kernel, net_ticktime, 5]}, {application, get_env, [kernel, net_ticktime]}],
    [io:format("~p:~p ~p~n", [M, F, answer(M, F, Args)]) || {M, F, Args} <- Calls],
    io:format("~p~n", [[K || {K, _} <- erlang:memory([total, ets])]]),
    io:format("~p~n", [[K || {K, _} <- erlang:memory()]]),
    io:format("~p~n", [is_integer(erlang:memory(ets))]),
    io:format("~p~n", [lists:sort(lists:keydelete(logger, 1, application:get_all_env(kernel)))]),
    terms().

answer(M, F, Args) ->
    try apply(M, F, Args)
    catch Class:Why:Stack ->
        {InM, InF, A, _} = hd(Stack),
        {Class, Why, InM, InF, if is_list(A) -> length(A); true -> A end}
    end.

%% All persistent terms at once; there are others that the system has put.
terms() ->
    Given = length(persistent_term:get()),
    #{count := Given, memory := Memory} = persistent_term:info(),
    persistent_term:put({?MODULE, a}, {1, 2, 3}),
    persistent_term:put({?MODULE, b}, "text"),
    persistent_term:put({?MODULE, a}, {1, 2}),
    Own = fun() -> lists:sort([Pair || {{?MODULE, _}, _} = Pair <- persistent_term:get()]) end,
    io:format("~p~n", [Own()]),
    #{count := Now, memory := More} = persistent_term:info(),
    io:format("~p ~p~n", [Now - Given, More > Memory]),
    persistent_term:erase({?MODULE, a}),
    io:format("~p~n", [Own()]),
    io:format("~p~n", [maps:get(count, persistent_term:info()) - Given]).
