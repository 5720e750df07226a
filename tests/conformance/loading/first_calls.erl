%% Several processes call a module at once that was deleted, or that nobody has called yet: it is loaded once.
-module(first_calls).
-export([main/0]).

main() ->
    Dir = filename:absname("first_calls.tmp"),
    ok = filelib:ensure_path(Dir),
    true = code:add_patha(Dir),
    {ok, fc, Binary} = compile:forms([form(F) || F <- ["-module(fc).", "-export([f/0]).", "f() -> fc."]]),
    ok = file:write_file(filename:join(Dir, "fc.beam"), Binary),
    io:format("~p~n", [all()]),
    _ = code:purge(fc),
    true = code:delete(fc),
    io:format("~p ~p~n", [all(), erlang:check_old_code(fc)]),
    _ = code:purge(fc),
    io:format("~p ~p~n", [erlang:check_old_code(fc), all()]),
    ok = file:del_dir_r(Dir).

all() ->
    Callers = [spawn_monitor(fun() -> exit(fc:f()) end) || _ <- lists:seq(1, 8)],
    lists:usort([receive {'DOWN', Ref, process, Pid, Why} -> Why end || {Pid, Ref} <- Callers]).

form(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, Form} = erl_parse:parse_form(Tokens), Form.
