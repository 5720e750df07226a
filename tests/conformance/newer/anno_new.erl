%% erl_anno: ends of annotations.
-module(anno_new).
-export([main/0]).

main() ->
    Annos = [0, 5, {3, 4}, erl_anno:set_file("f", erl_anno:new(5)), erl_anno:set_text("ab\ncd", erl_anno:new({1, 2})), erl_anno:set_text("x", erl_anno:new(7)), erl_anno:set_generated(true, erl_anno:new(1)), [], x, [{file, "f"}], [{text, "a"}]],
    [show(io_lib:format("~w ~0p", [F, A]), fun() -> erl_anno:F(A) end) || F <- [end_location, location, line, column, file, text, generated, record, is_anno, to_term], A <- Annos],
    [show(io_lib:format("set_end ~0p ~0p", [L, A]), fun() -> erl_anno:set_end_location(L, A) end) || L <- [9, {9, 1}, x, {0, 0}, -1], A <- Annos],
    [show("end", fun() -> erl_anno:end_location(erl_anno:set_end_location(L, A)) end) || L <- [9, {9, 1}], A <- lists:sublist(Annos, 7)],
    show("again", fun() -> erl_anno:set_end_location(4, erl_anno:set_end_location({9, 1}, erl_anno:new(3))) end),
    show("is_anno", fun() -> erl_anno:is_anno(erl_anno:set_end_location({9, 1}, erl_anno:new(3))) end),
    [show(io_lib:format("set ~w ~0p", [F, A]), fun() -> erl_anno:F(V, A) end) || {F, V} <- [{set_file, "g"}, {set_line, 8}, {set_location, {8, 8}}, {set_text, "t"}, {set_record, true}, {set_generated, false}, {set_line, x}], A <- Annos].

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
