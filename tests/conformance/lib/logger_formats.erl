%% What may be logged: formats of all kinds, funs with metadata, lists that are no proper reports.
-module(logger_formats).
-export([main/0, log/2]).

log(#{msg := Msg, meta := Meta}, _) -> io:format("~0p ~0p~n", [Msg, maps:with([more], Meta)]).

main() ->
    ok = logger:remove_handler(default),
    ok = logger:add_handler(h, ?MODULE, #{}),
    p(catch logger:error('~w: ~w', [a, b])),
    p(catch logger:error(<<"bin ~p">>, [1])),
    p(catch logger:error("", [])),
    p(catch logger:error("")),
    p(catch logger:error([])),
    p(catch logger:error(fun(X) -> {"~p", [X]} end, 1)),
    p(catch logger:error(fun(X) -> {{'~p', [X]}, #{more => yes}} end, 2)),
    p(catch logger:error(fun(X) -> {#{report => X}, #{more => yes}} end, 3)),
    p(catch logger:error(fun(_) -> ignore end, 4)),
    p(catch logger:set_module_level({bad}, notice)),
    p(catch logger:set_module_level([a, 1], notice)),
    [p(catch logger:format_report(R)) || R <- [atom, [a | b], {a}, [{a, b} | improper], [1, [2], {k, v}], [{text, "abc"}, {list, [1, x]}, {bad, [a | b]}],
                                               [], #{}, "text", [[{a, 1}], [{b, 2}]]]].

p(X) -> io:format("~0p~n", [X]).
