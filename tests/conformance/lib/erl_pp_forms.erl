%% `erl_pp` over forms that `erl_scan` and `erl_parse` make of texts, with its options.
-module(erl_pp_forms).
-export([main/0]).
main() ->
    Forms = [form(T) || T <- texts()],
    [io:put_chars(erl_pp:form(F)) || F <- Forms],
    io:format("-- narrow~n"),
    [io:put_chars(erl_pp:form(F, [{linewidth, 30}, {indent, 2}])) || {function, _, _, _, _} = F <- Forms],
    io:format("-- expressions~n"),
    {ok, Ts, _} = erl_scan:string("X = case f(Y) of {ok, V} when V > 1; V < -5 -> [V | T]; error -> fun(A) -> A end end, #r{a = 1}, <<X:8/little, \"abc\">>, -(-1), (catch g()), not (A and B)."),
    {ok, Es} = erl_parse:parse_exprs(Ts),
    io:format("~s~n", [erl_pp:exprs(Es)]),
    io:format("~s~n", [erl_pp:exprs(Es, 8, [])]),
    io:format("~s~n", [[erl_pp:exprs(Es, -1, [])]]),
    [io:format("~s~n", [erl_pp:expr(E, 2, 500, none)]) || E <- Es],
    Hook = fun({special, _, What}, I, P, O) -> io_lib:format("<~w at ~w, ~w, ~w>", [What, I, P, length(O)]) end,
    io:format("~s~n", [erl_pp:expr({tuple, 1, [{special, 1, a}, {op, 1, '+', {integer, 1, 1}, {special, 2, b}}]}, [{hook, Hook}])]),
    io:format("~s~n", [erl_pp:expr({strange, 1})]),
    io:format("~s~n", [erl_pp:guard([[{atom, 1, true}], [{var, 1, 'X'}, {atom, 1, false}]])]),
    io:format("~s~n", [erl_pp:expr(erl_parse:abstract({[a, "str", $c], #{k => 1.5, "s" => <<1, 2:4>>}, fun lists:map/2, [1 | 2]}))]),
    io:format("~p~n", [unicode:characters_to_list(erl_pp:expr({string, 1, [955, 34, 10]}, [{encoding, unicode}]))]),
    io:format("~p~n", [unicode:characters_to_list(erl_pp:expr({string, 1, [955, 34, 10]}, [{encoding, latin1}]))]),
    io:format("~s~n", [erl_pp:form(erl_pp:legalize_vars({function, 1, f, 2, [{clause, 1, [{var, 1, x}, {var, 1, 'X'}], [], [{var, 1, x}]}]}))]),
    [io:format("~p~n", [Error]) || T <- ["f(X -> 1.", "f(X) -> 1; g(X) -> 2", "1 + 2."], {error, _} = Error <- [parse(T)]].

form(T) -> {ok, F} = parse(T), F.

parse(T) ->
    {ok, Ts, _} = erl_scan:string(T),
    erl_parse:parse_form(Ts).

texts() ->
    ["-module(m).", "-export([f/1, g/2, 'Odd Name'/0]).", "-export([]).", "-import(lists, [map/2]).", "-behaviour(gen_server).", "-compile([{inline, [f/1]}, nowarn_unused]).",
     "-record(r, {a, b = 1 :: integer(), c = [] :: [atom() | {tag, binary()}], 'D' :: undefined | #r{}}).",
     "-type t(A) :: #{a := A, integer() => [A, ...]} | <<_:8, _:_*4>> | fun((A) -> ok) | 1..5 | 'quoted atom' | mod:t() | nonempty_string().",
     "-opaque o() :: {ok, Reason :: term()} | fun() | fun((...) -> any()).",
     "-spec f(X :: integer()) -> integer(); (Y) -> [Y] when Y :: atom(), Z :: any().", "-callback init(Args :: term()) -> {ok, State :: term()} | ignore.",
     "f(X) when is_integer(X), X > 0; X =:= none -> Y = X * 2 + -X rem 3, Z = (Y + 1) * 2, {Y, Z}; f([H | T] = L) -> [H, L | T]; f(_) -> ok.",
     "g(A, B) -> try h(A) of {ok, V} -> V; _ when B -> b after cleanup(), done end.",
     "h(A) -> try A() catch throw:T -> T; error:E:S when E =/= x -> {E, S}; _:_ -> ok end.",
     "i(M, #r{a = A, _ = '_'} = R) -> M#{k => v, l := w}, R#r{b = 2}, R#r.c, #r.a, #{}, fun m:x/1.",
     "j() -> receive {msg, M} when M > 1 -> M; stop -> ok after 1000 -> timeout end.",
     "k(L) -> [{X, Y} || X <- L, {Y, _} <- X, Y > 1, is_atom(Y)] ++ [B || <<B:4/bits>> <= list_to_binary(L)].",
     "l(B) -> << <<(X + 1):16/little-unsigned-unit:8>> || <<X>> <= B, X =/= 0 >>.",
     "m(X) -> if X > 1, X < 5 -> a; true -> begin b(), c end end.",
     "n() -> F = fun Loop(0) -> done; Loop(N) when N > 0 -> Loop(N - 1) end, G = fun n/0, H = fun lists:map/2, F(3), G(), H(fun(X) -> X end, []).",
     "o(A, B, C) -> A andalso B orelse not C, A and (B or C), catch A ! B ! C, (A = B) =:= C, - - A, bnot A bsl 2.",
     "p() -> \"a long string that does not fit on one line because it is longer than the width that is given, which is 72\", some_function_with_a_long_name(argument_one, argument_two, {three, four}, [five, six, seven], eight).",
     "q(X) -> case X of 1 -> one; 2 -> case X + 1 of 3 -> three end; {a, b} -> really_long_function_name_number_one(X), really_long_function_name_number_two(X) end.",
     "r() -> [1, 2, 3, $a, $\\n, 1.5, 16#ff, \"x\" \"y\", 'Quoted', a@b, <<>>, <<\"bin\">>, <<1, 2:3>>, {}, [], [[]], {{}}]."].
