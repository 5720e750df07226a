%% An expression evaluator with records: tokenizer, Pratt parser, symbolic derivative, simplifier, printer.
-module(expr_calc).
-export([main/0]).
-record(num, {v}).
-record(var, {name :: atom()}).
-record(bin, {op, l, r}).
-record(fn, {name, arg}).
-define(PREC, #{'+' => {10, left}, '-' => {10, left}, '*' => {20, left}, '/' => {20, left}, '^' => {30, right}}).

main() ->
    Env = #{x => 3, y => 0.5, pi => math:pi()},
    lists:foreach(fun(S) ->
        io:format("~-24s ", [S]),
        try
            {T, []} = parse(tokens(S), 0),
            io:format("~s", [show(T)]),
            V = eval(T, Env),
            io:format(" = ~p", [V]),
            D = simplify(diff(T, x)),
            io:format("; d/dx = ~s", [show(D)])
        catch
            throw:{syntax, W} -> io:format("syntax error: ~p", [W]);
            error:{badmatch, {_, [Tok | _]}} -> io:format("trailing ~p", [Tok]);
            error:badarith:St -> io:format(" arithmetic error in ~p", [hd([F || {?MODULE, F, _, _} <- St])]);
            error:{unbound, V1} -> io:format(" unbound ~p", [V1]);
            C:R -> io:format(" ~p:~p", [C, R])
        end,
        io:nl() end,
        ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "x^2 + 3*x - 5", "sin(x) * cos(y)", "1 / 0", "x / (y - 0.5)", "foo + 1", "1 +", "(1", "1 2", "ln(0-1)", "exp(1)^2", "sqrt(2)*sqrt(2)",
         "$", "-x", "2*-3", "12345678901234567890*98765432109876543210", "10^30", "x*x*x", "1.5e3", "9/3", "7/2"]),
    {T, []} = parse(tokens("2*x+1"), 0),
    io:format("~p~n~p~n", [T, #bin{op = '+', l = #num{v = 1}, r = T}]),
    io:format("~p~n", [catch (T)#num.v]),
    io:format("~p~n", [record_info(fields, bin)]),
    io:format("~w ~w~n", [is_record(T, bin), is_record(T, num)]).

tokens([]) -> [];
tokens([C | S]) when C =:= $\s -> tokens(S);
tokens([C | _] = S) when C >= $0, C =< $9 ->
    case re:run(S, "^[0-9]+(\\.[0-9]+)?(e[0-9]+)?", [{capture, all, list}]) of
        {match, [I]} -> [{num, list_to_integer(I)} | tokens(lists:nthtail(length(I), S))];
        {match, [F | _]} ->
            V = try list_to_float(F) catch error:badarg -> float(list_to_integer(F)) end,
            [{num, V} | tokens(lists:nthtail(length(F), S))]
    end;
tokens([C | _] = S) when C >= $a, C =< $z ->
    {Id, R} = lists:splitwith(fun(X) -> X >= $a andalso X =< $z end, S),
    [{id, list_to_atom(Id)} | tokens(R)];
tokens([C | S]) ->
    case lists:member(C, "+-*/^()") of
        true -> [list_to_atom([C]) | tokens(S)];
        false -> throw({syntax, {bad_char, [C]}})
    end.

parse(Ts, Min) ->
    {L, R} = prefix(Ts),
    infix(L, R, Min).

prefix([{num, N} | R]) -> {#num{v = N}, R};
prefix([{id, F}, '(' | R]) ->
    case parse(R, 0) of
        {A, [')' | R1]} -> {#fn{name = F, arg = A}, R1};
        {_, R1} -> throw({syntax, {expected, ')', R1}})
    end;
prefix([{id, V} | R]) -> {#var{name = V}, R};
prefix(['-' | R]) -> {E, R1} = parse(R, 25), {#bin{op = '-', l = #num{v = 0}, r = E}, R1};
prefix(['(' | R]) ->
    case parse(R, 0) of
        {E, [')' | R1]} -> {E, R1};
        {_, R1} -> throw({syntax, {expected, ')', R1}})
    end;
prefix([]) -> throw({syntax, end_of_input});
prefix([T | _]) -> throw({syntax, T}).

infix(L, [Op | R] = Ts, Min) when is_map_key(Op, ?PREC) ->
    {P, Assoc} = maps:get(Op, ?PREC),
    if
        P < Min -> {L, Ts};
        true ->
            Next = case Assoc of left -> P + 1; right -> P end,
            {E, R1} = parse(R, Next),
            infix(#bin{op = Op, l = L, r = E}, R1, Min)
    end;
infix(L, Ts, _) -> {L, Ts}.

eval(#num{v = V}, _) -> V;
eval(#var{name = N}, Env) -> case Env of #{N := V} -> V; #{} -> error({unbound, N}) end;
eval(#bin{op = Op, l = L, r = R}, Env) -> op(Op, eval(L, Env), eval(R, Env));
eval(#fn{name = ln, arg = A}, Env) -> math:log(eval(A, Env));
eval(#fn{name = F, arg = A}, Env) -> math:F(eval(A, Env)).

op('+', A, B) -> A + B;
op('-', A, B) -> A - B;
op('*', A, B) -> A * B;
op('/', A, B) when is_integer(A), is_integer(B), B =/= 0, A rem B =:= 0 -> A div B;
op('/', A, B) -> A / B;
op('^', A, N) when is_integer(A), is_integer(N), N >= 0 -> ipow(A, N);
op('^', A, B) -> math:pow(A, B).
ipow(_, 0) -> 1;
ipow(A, N) when N band 1 =:= 0 -> H = ipow(A, N bsr 1), H * H;
ipow(A, N) -> A * ipow(A, N - 1).

diff(#num{}, _) -> #num{v = 0};
diff(#var{name = X}, X) -> #num{v = 1};
diff(#var{}, _) -> #num{v = 0};
diff(#bin{op = Op, l = L, r = R}, X) when Op =:= '+' orelse Op =:= '-' -> #bin{op = Op, l = diff(L, X), r = diff(R, X)};
diff(#bin{op = '*', l = L, r = R}, X) -> #bin{op = '+', l = #bin{op = '*', l = diff(L, X), r = R}, r = #bin{op = '*', l = L, r = diff(R, X)}};
diff(#bin{op = '^', l = L, r = #num{v = N}}, X) -> #bin{op = '*', l = #num{v = N}, r = #bin{op = '*', l = #bin{op = '^', l = L, r = #num{v = N - 1}}, r = diff(L, X)}};
diff(#fn{name = sin, arg = A}, X) -> #bin{op = '*', l = #fn{name = cos, arg = A}, r = diff(A, X)};
diff(#fn{name = exp, arg = A} = F, X) -> #bin{op = '*', l = F, r = diff(A, X)}.

simplify(#bin{op = Op, l = L0, r = R0}) ->
    case {Op, simplify(L0), simplify(R0)} of
        {'+', #num{v = 0}, R} -> R;
        {'+', L, #num{v = 0}} -> L;
        {'-', L, #num{v = 0}} -> L;
        {'*', #num{v = 0}, _} -> #num{v = 0};
        {'*', _, #num{v = 0}} -> #num{v = 0};
        {'*', #num{v = 1}, R} -> R;
        {'*', L, #num{v = 1}} -> L;
        {'^', L, #num{v = 1}} -> L;
        {_, #num{v = A}, #num{v = B}} when Op =/= '/' -> #num{v = op(Op, A, B)};
        {_, L, R} -> #bin{op = Op, l = L, r = R}
    end;
simplify(#fn{arg = A} = F) -> F#fn{arg = simplify(A)};
simplify(E) -> E.

show(E) -> lists:flatten(show(E, 0)).
show(#num{v = V}, _) -> io_lib:format("~w", [V]);
show(#var{name = N}, _) -> atom_to_list(N);
show(#fn{name = N, arg = A}, _) -> [atom_to_list(N), $(, show(A, 0), $)];
show(#bin{op = Op, l = L, r = R}, Min) ->
    #{Op := {P, _}} = ?PREC,
    S = [show(L, P), atom_to_list(Op), show(R, P + 1)],
    if P < Min -> [$(, S, $)]; true -> S end.
