%% Texts and terms made at random: there and back, and what errors say of broken texts.
-module(json_random).
-export([main/0]).

main() ->
    rand:seed(exsss, 42),
    Terms = [term(4) || _ <- lists:seq(1, 300)],
    Texts = [iolist_to_binary(json:encode(T)) || T <- Terms],
    io:format("~p~n", [erlang:md5(Texts)]),
    io:format("~p~n", [length([x || {T, X} <- lists:zip(Terms, Texts), back(json:decode(X)) =:= back(T)])]),
    io:format("~p~n", [erlang:md5([json:format(T) || T <- Terms])]),
    Broken = [broken(X) || X <- Texts],
    Results = [try json:decode(X) of V -> {ok, back(V)} catch error:R:S -> {R, element(4, hd(S))} end || X <- Broken],
    Kinds = [case R of {ok, _} -> ok; {R1, _} when is_tuple(R1) -> element(1, R1); {R1, _} -> R1 end || R <- Results],
    io:format("~p~n", [[{K, length([x || X <- Kinds, X =:= K])} || K <- lists:usort(Kinds)]]),
    Places = [case lists:keyfind(error_info, 1, Info) of {_, #{cause := #{position := P}}} -> P; _ -> none end || {{_, _}, Info} <- Results, is_list(Info)],
    io:format("~0p~n", [Places]),
    io:format("~p~n", [erlang:phash2([R || {R, _} <- Results])]).

%% As a term that is written the same for equal ones.
back(M) when is_map(M) -> {map, lists:sort([{iolist_to_binary(key(K)), back(V)} || {K, V} <- maps:to_list(M)])};
back(L) when is_list(L) -> [back(X) || X <- L];
back(A) when is_atom(A), A =/= null, A =/= true, A =/= false -> atom_to_binary(A);
back(X) -> X.

key(K) when is_binary(K) -> K;
key(K) when is_atom(K) -> atom_to_binary(K);
key(K) -> integer_to_binary(K).

term(0) ->
    case rand:uniform(7) of
        1 -> null;
        2 -> true;
        3 -> foo;
        4 -> rand:uniform(100000) - 50000;
        5 -> (rand:uniform(2000) - 1000) / 8;
        _ -> unicode:characters_to_binary([lists:nth(rand:uniform(8), [$a, $\", $\\, $\n, 16#e9, 16#20ac, 16#1f600, 1]) || _ <- lists:seq(1, rand:uniform(6))])
    end;
term(N) ->
    case rand:uniform(3) of
        1 -> [term(N - 1) || _ <- lists:seq(1, rand:uniform(5) - 1)];
        2 -> maps:from_list([{lists:nth(rand:uniform(5), [a, b, <<"c">>, <<"dd">>, 7]), term(N - 1)} || _ <- [1]]);
        3 -> term(0)
    end.

broken(X) ->
    N = rand:uniform(byte_size(X)) - 1,
    <<A:N/binary, _, B/binary>> = X,
    case rand:uniform(3) of
        1 -> <<A/binary, B/binary>>;
        2 -> A;
        3 -> <<A/binary, (rand:uniform(255)), B/binary>>
    end.
