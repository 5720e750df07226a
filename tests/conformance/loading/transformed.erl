%% Parse transforms of files that are compiled at run time: one that was compiled before, one that is not there, and one that says no.
-module(transformed).
-export([main/0]).

main() ->
    Dir = "transformed_" ++ os:getpid(),
    ok = file:make_dir(Dir),
    In = fun(Name) -> filename:join(Dir, Name) end,
    try
        ok = file:write_file(In("adds.erl"), adds()),
        ok = file:write_file(In("asks.erl"), asks("adds")),
        ok = file:write_file(In("lacks.erl"), asks("no_such_transform")),
        {ok, adds, Adds} = compile:file(In("adds"), [binary]),
        {module, adds} = code:load_binary(adds, "adds.beam", Adds),
        {ok, asks, Asks} = compile:file(In("asks"), [binary, {by, 10}]),
        {module, asks} = code:load_binary(asks, "asks.beam", Asks),
        show(asks:number()),
        show(compile:file(In("asks"), [binary])),
        show(element(1, compile:file(In("asks"), [binary, return, {by, none}]))),
        {error, [{_, [{none, compile, Why}]}], []} = compile:file(In("lacks"), [binary, return]),
        show(lists:flatten(compile:format_error(Why))),
        {ok, plain, Plain} = compile:forms([{attribute, 1, module, plain}, {attribute, 1, export, [{number, 0}]},
                                            {function, 1, number, 0, [{clause, 1, [], [], [{integer, 1, 1}]}]}], [{parse_transform, adds}, {by, 20}]),
        {module, plain} = code:load_binary(plain, "plain.beam", Plain),
        show(plain:number())
    after
        [ok = file:delete(In(Name)) || Name <- ["adds.erl", "asks.erl", "lacks.erl"]],
        ok = file:del_dir(Dir)
    end.

adds() ->
    "-module(adds).\n-export([parse_transform/2, format_error/1]).\n"
    "parse_transform(Forms, Options) ->\n"
    "    case proplists:get_value(by, Options) of\n"
    "        undefined -> {error, [{\"asks.erl\", [{{3, 1}, adds, nothing}]}], []};\n"
    "        none -> {warning, Forms, [{\"asks.erl\", [{{3, 1}, adds, nothing}]}]};\n"
    "        N -> add(N, Forms)\n"
    "    end.\n"
    "format_error(nothing) -> \"nothing to add\".\n"
    "add(N, {integer, L, I}) -> {integer, L, I + N};\n"
    "add(N, T) when is_tuple(T) -> list_to_tuple(add(N, tuple_to_list(T)));\n"
    "add(N, [H | T]) -> [add(N, H) | add(N, T)];\n"
    "add(_, Other) -> Other.\n".

asks(Transform) -> "-module(" ++ module(Transform) ++ ").\n-compile({parse_transform, " ++ Transform ++ "}).\n-export([number/0]).\nnumber() -> 1.\n".

module("adds") -> "asks";
module(_) -> "lacks".

show(Term) -> io:format("~p~n", [Term]).
