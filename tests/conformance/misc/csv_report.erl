%% CSV parsing, grouping, and a report in columns.
-module(csv_report).
-export([main/0]).
-record(row, {date, region, product = "none", qty = 0 :: integer(), price = 0.0 :: float(), note}).

main() ->
    Text = "date,region,product,qty,price,note\r\n2024-01-03,north,\"Widget, large\",10,2.50,\n2024-01-05,south,Gadget,3,19.99,\"say \"\"hi\"\"\"\n"
           "2024-02-10,north,Gadget,1,19.99,late\n2024-02-29,east,Widget,200,0.75,\n2024-03-01,south,\"Multi\nline\",7,3.333,x\nbroken line\n2024-03-02,west,Thing,abc,1,\n",
    Lines = parse(Text),
    io:format("~p~n", [Lines]),
    [_Header | Data] = Lines,
    {Rows, Errors} = lists:foldr(fun(L, {Rs, Es}) -> try {[row(L) | Rs], Es} catch _:R -> {Rs, [{L, R} | Es]} end end, {[], []}, Data),
    io:format("~p~n", [Errors]),
    io:format("~p~n", [hd(Rows)]),
    table(Rows),
    ByRegion = lists:foldl(fun(#row{region = R} = Row, M) -> maps:update_with(R, fun(L) -> [Row | L] end, [Row], M) end, #{}, Rows),
    maps:foreach(fun(R, L) -> io:format("~-8s|~3w|~10.2f|~*c|~n", [R, length(L), total(L), length(L), $#]) end, ByRegion),
    io:format("~ts~n", [[string:pad(integer_to_list(N), 6, leading, $.) || N <- [1, 22, 333]]]),
    Totals = [{total([R]), R#row.product} || R <- Rows],
    io:format("max ~p~nmin ~p~nsorted ~p~n", [lists:max(Totals), lists:min(Totals), lists:reverse(lists:keysort(1, Totals))]),
    {Cheap, Dear} = lists:partition(fun(#row{price = P}) -> P < 3 end, Rows),
    io:format("~w cheap, ~w dear~n", [length(Cheap), length(Dear)]),
    io:format("~p~n", [[{calendar:day_of_the_week(D), calendar:date_to_gregorian_days(D), calendar:iso_week_number(D)} || #row{date = D} <- Rows]]),
    io:format("~s~n", [out(Rows)]),
    io:format("~p~n", [ets_stats(Rows)]),
    io:format("~8.3e|~12.4g|~.1f|~-10w|~10w|~5..0w|~+.16b|~#|~.36B~n", [12345.678, 0.00012345, 2.45, abc, abc, 42, -255, 255, 123456]).

parse(T) -> parse(T, [], [], []).
parse([], [], [], Rows) -> lists:reverse(Rows);
parse([], F, Fs, Rows) -> lists:reverse([lists:reverse([lists:reverse(F) | Fs]) | Rows]);
parse([$" | T], [], Fs, Rows) -> quoted(T, [], Fs, Rows);
parse([$, | T], F, Fs, Rows) -> parse(T, [], [lists:reverse(F) | Fs], Rows);
parse([$\r, $\n | T], F, Fs, Rows) -> parse([$\n | T], F, Fs, Rows);
parse([$\n | T], F, Fs, Rows) -> parse(T, [], [], [lists:reverse([lists:reverse(F) | Fs]) | Rows]);
parse([C | T], F, Fs, Rows) -> parse(T, [C | F], Fs, Rows).
quoted([$", $" | T], F, Fs, Rows) -> quoted(T, [$" | F], Fs, Rows);
quoted([$" | T], F, Fs, Rows) -> parse(T, F, Fs, Rows);
quoted([C | T], F, Fs, Rows) -> quoted(T, [C | F], Fs, Rows).

row([D, R, P, Q, Pr, N]) ->
    [Y, M, Da] = [list_to_integer(X) || X <- string:tokens(D, "-")],
    true = calendar:valid_date(Y, M, Da),
    #row{date = {Y, M, Da}, region = list_to_atom(R), product = P, qty = list_to_integer(Q), price = to_float(Pr), note = case N of "" -> undefined; _ -> N end}.
to_float(S) -> case string:to_float(S) of {error, no_float} -> float(list_to_integer(S)); {F, ""} -> F end.
total(L) -> lists:sum([Q * P || #row{qty = Q, price = P} <- L]).
table(Rows) ->
    W = lists:max([string:length(R#row.product) || R <- Rows]),
    Line = lists:duplicate(W + 30, $-),
    io:format("~s~n~-12s~-*s~8s~10s~n~s~n", [Line, "date", W, "product", "qty", "price", Line]),
    [io:format("~4..0w-~2..0w-~2..0w  ~-*s~8w~10.2f~n", [Y, M, D, W, re:replace(P, "\n", " ", [{return, list}]), Q, Pr])
     || #row{date = {Y, M, D}, product = P, qty = Q, price = Pr} <- Rows],
    io:format("~s~n", [Line]).
out(Rows) -> lists:join("\n", [lists:join(",", [field(F) || F <- [io_lib:format("~w-~2..0w-~2..0w", tuple_to_list(R#row.date)), atom_to_list(R#row.region), R#row.product, integer_to_list(R#row.qty), float_to_list(R#row.price, [{decimals, 4}, compact])]]) || R <- Rows]).
field(F0) -> F = lists:flatten(F0), case lists:any(fun(C) -> lists:member(C, ",\"\n") end, F) of true -> [$", string:replace(F, "\"", "\"\"", all), $"]; false -> F end.
ets_stats(Rows) ->
    T = ets:new(stats, [ordered_set, {keypos, 1}]),
    [ets:update_counter(T, R#row.region, {2, R#row.qty}, {R#row.region, 0}) || R <- Rows],
    L = ets:tab2list(T), M = ets:select(T, [{{'$1', '$2'}, [{'>', '$2', 9}], ['$$']}]), ets:delete(T), {L, M}.
