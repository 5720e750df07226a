%% What Elixir's compiler makes of modules: clauses below the line of their function, and funs beside many constants.
-module(forms_of_elixir).
-export([main/0]).

main() ->
    clauses_below(),
    many_constants(),
    full_stops(),
    requests(),
    modules().

loaded(Forms) ->
    {ok, Module, Object} = compile:forms(Forms),
    {module, Module} = code:load_binary(Module, "made.ex", Object),
    Module.

%% The line of the first clause is that of a `function_clause`.
clauses_below() ->
    Module = loaded([{attribute, 1, module, made_below}, {attribute, 1, export, [{f, 1}]},
                     {function, 3, f, 1, [{clause, 5, [{integer, 5, 1}], [], [{atom, 5, one}]}, {clause, 7, [{integer, 7, 2}], [], [{atom, 7, two}]}]}]),
    try Module:f(3) catch error:Reason:Stack -> io:format("~p ~p~n", [Reason, hd(Stack)]) end.

%% 300 variables that hold constants, and a fun that uses them: they are not captured.
many_constants() ->
    Names = [list_to_atom("V" ++ integer_to_list(N)) || N <- lists:seq(1, 300)],
    Text = fun(N) -> {bin, 1, [{bin_element, 1, {string, 1, "text " ++ integer_to_list(N)}, default, default}]} end,
    Constant = fun(N) when N rem 3 =:= 0 -> Text(N); (N) when N rem 3 =:= 1 -> {tuple, 1, [{atom, 1, a}, Text(N)]}; (N) -> {cons, 1, Text(N), {nil, 1}} end,
    Bound = [{match, 1, {var, 1, Name}, Constant(N)} || {N, Name} <- lists:zip(lists:seq(1, 300), Names)],
    List = lists:foldr(fun(Name, Tail) -> {cons, 1, {var, 1, Name}, Tail} end, {nil, 1}, Names),
    Fun = {'fun', 1, {clauses, [{clause, 1, [], [], [List]}]}},
    Module = loaded([{attribute, 1, module, made_many}, {attribute, 1, export, [{f, 0}]}, {function, 1, f, 0, [{clause, 1, [], [], Bound ++ [Fun]}]}]),
    Made = Module:f(),
    io:format("~p ~p~n", [erlang:fun_info(Made, env), lists:nthtail(296, Made())]).

%% Three dots and a blank do not end a form.
full_stops() ->
    Text = "-spec f([atom(), ... ]) -> ok. rest",
    io:format("~w~n", [erl_scan:tokens([], Text, 1)]),
    io:format("~w~n", [element(1, erl_scan:tokens([], "f(X) -> X.. ", 1))]),
    {more, Continuation} = erl_scan:tokens([], "[a, ..", 1),
    io:format("~w~n", [erl_scan:tokens(Continuation, ". b]. ", 1)]).

%% A device gets text as a binary.
requests() ->
    Self = self(),
    Device = spawn(fun() -> device(Self) end),
    [begin
        Answer = io:request(Device, Request),
        receive {got, Got} -> io:format("~w ~w~n", [Answer, Got]) end
     end || Request <- [{put_chars, unicode, "text"}, {put_chars, unicode, <<"text">>}, {put_chars, unicode, [8364, "x"]}, {put_chars, latin1, [228]}, {put_chars, unicode, [x]}]].

device(To) ->
    receive
        {io_request, From, Ref, Request} ->
            To ! {got, Request},
            From ! {io_reply, Ref, ok},
            device(To)
    end.

%% An application has all its modules, also those that are written otherwise in another machine.
modules() ->
    [begin
        {ok, Modules} = application:get_key(App, modules),
        io:format("~p ~p~n", [App, [lists:member(Module, Modules) || Module <- [lists, io_lib_format, erl_lint, application, code_server, nonesuch]]])
     end || App <- [kernel, stdlib]].
