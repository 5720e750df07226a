%% What `qlc` asks of the library: tables as sources, expressions as text, and stack traces as text; and specifications of funs that were evaluated.
-module(queries).
-export([main/0]).

main() ->
    show(erl_eval:new_bindings()),
    {ok, Tokens, _} = erl_scan:string("{f, fun lists:map/2, #Fun<lists.map.2>, a < 3, 1.5}.", 1, [text]),
    show(erl_eval:extended_parse_exprs(Tokens)),
    Pid = pid_to_list(self()),
    {ok, Printed, _} = erl_scan:string("[" ++ Pid ++ ", " ++ Pid ++ "].", 1, [text]),
    {ok, [Exprs]} = erl_eval:extended_parse_exprs(Printed),
    {value, Values, _} = erl_eval:expr(Exprs, []),
    show(Values =:= [self(), self()]),
    {ok, Wrong, _} = erl_scan:string("<1.2.", 1, [text]),
    show(element(1, erl_eval:extended_parse_exprs(Wrong))),
    Stack = [{lists, map, 2, [{file, "lists.erl"}, {line, 3}]}, {foo, bar, [1, {a}], []}, {erl_eval, x, 1, []}],
    [show(unicode:characters_to_list(erl_error:format_stacktrace(Column, Stack, fun(M, _, _) -> M =:= erl_eval end, fun(T, _) -> io_lib:write(T) end)))
     || Column <- [1, 4]],
    show(maybe_parsed()).

%% The keywords of a feature, in tokens.
maybe_parsed() ->
    Keyword = fun('maybe') -> true; ('else') -> true; (Word) -> erl_scan:reserved_word(Word) end,
    {ok, Tokens, _} = erl_scan:string("maybe ok ?= a, 1 else x -> 2 end.", 1, [{reserved_word_fun, Keyword}]),
    erl_parse:parse_exprs(Tokens).

show(Term) -> io:format("~p~n", [Term]).
