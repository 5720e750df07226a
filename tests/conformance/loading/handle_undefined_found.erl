%% '$handle_undefined_function'/2 of a module that is only found in the path when it is called.
-module(handle_undefined_found).
-export([main/0]).

main() ->
    Dir = "handle_undefined_found.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_path(Dir),
    {huf, B} = make(["-module(huf).", "-export(['$handle_undefined_function'/2]).", "'$handle_undefined_function'(F, As) -> {handled, F, As}."]),
    ok = file:write_file(Dir ++ "/huf.beam", B),
    io:format("~p~n", [huf:f(1, 2)]),
    code:delete(huf), code:purge(huf),
    io:format("~p~n", [huf:g()]),
    io:format("~p~n", [error_handler:undefined_function(huf, h, [3])]),
    ok = file:del_dir_r(Dir).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
load(Texts) ->
    {M, B} = make(Texts),
    {module, M} = code:load_binary(M, atom_to_list(M) ++ ".erl", B),
    M.
