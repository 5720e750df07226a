%% A JSON encoder and decoder with the bit syntax, with paths and pretty printing.
-module(json_codec).
-export([main/0]).
-record(st, {line = 1 :: pos_integer(), depth = 0, opts = #{} :: map()}).

main() ->
    Docs = [<<"{\"a\": [1, 2.5, -3e2, true, false, null], \"b\": {\"c\": \"x\\n\\u00e5\\ud83d\\ude00\"}}">>,
            <<"[]">>, <<"  [ {} , \"\" ]  ">>, <<"[1,]">>, <<"{\"a\" 1}">>, <<"tru">>, <<"\"abc">>, <<"[1 2]">>, <<"01">>, <<"-">>, <<"\"\\q\"">>, <<>>,
            <<"[1]\n\nx">>],
    lists:foreach(fun(D) ->
        case catch decode(D) of
            {ok, V} -> io:format("~ts~n  = ~0tp~n  -> ~ts~n", [D, V, encode(V)]);
            Other -> io:format("~ts~n  failed: ~0p~n", [D, Other])
        end end, Docs),
    Big = #{<<"list">> => lists:seq(1, 40), <<"nested">> => #{<<"deep">> => [#{<<"k">> => K, <<"v">> => K * 1.5} || K <- lists:seq(1, 5)]}, atom => true},
    io:format("~p~n", [Big]),
    io:put_chars([pretty(Big, 0), $\n]),
    {ok, Back} = decode(iolist_to_binary(encode(Big))),
    io:format("~p~n", [maps:get(<<"nested">>, Back)]),
    io:format("~p~n", [path([<<"nested">>, <<"deep">>, 2, <<"v">>], Back)]),
    io:format("~p~n", [caught(fun() -> path([<<"nested">>, <<"deep">>, 9], Back) end)]),
    io:format("~p~n", [caught(fun() -> path([<<"nope">>], Back) end)]),
    try encode({not_json, self()}) catch error:{badjson, T}:St -> io:format("badjson ~p in ~p~n", [element(1, T), [{F, A} || {?MODULE, F, A, _} <- St]]) end,
    ok.

decode(Bin) ->
    {V, Rest, St} = value(ws(Bin, #st{})),
    case ws(Rest, St) of
        {<<>>, _} -> {ok, V};
        {<<C/utf8, _/binary>>, #st{line = L}} -> {error, {L, trailing, <<C/utf8>>}}
    end.

ws(<<$\n, R/binary>>, St) -> ws(R, St#st{line = St#st.line + 1});
ws(<<C, R/binary>>, St) when C =:= $\s; C =:= $\t; C =:= $\r -> ws(R, St);
ws(R, St) -> {R, St}.

value({<<"true", R/binary>>, St}) -> {true, R, St};
value({<<"false", R/binary>>, St}) -> {false, R, St};
value({<<"null", R/binary>>, St}) -> {null, R, St};
value({<<$", R/binary>>, St}) -> string(R, <<>>, St);
value({<<$[, R/binary>>, St}) -> array(ws(R, deeper(St)), []);
value({<<${, R/binary>>, St}) -> object(ws(R, deeper(St)), #{});
value({<<C, _/binary>> = B, St}) when C =:= $-; C >= $0, C =< $9 -> number(B, St);
value({<<>>, St}) -> throw({error, {St#st.line, unexpected_end}});
value({<<C/utf8, _/binary>>, St}) -> throw({error, {St#st.line, unexpected, <<C/utf8>>}}).

deeper(#st{depth = D} = St) when D < 100 -> St#st{depth = D + 1};
deeper(St) -> throw({error, {St#st.line, too_deep}}).

array({<<$], R/binary>>, St}, []) -> {[], R, St};
array(In, Acc) ->
    {V, R, St} = value(In),
    case ws(R, St) of
        {<<$,, R1/binary>>, St1} -> array1(ws(R1, St1), [V | Acc]);
        {<<$], R1/binary>>, St1} -> {lists:reverse(Acc, [V]), R1, St1};
        {_, St1} -> throw({error, {St1#st.line, expected, ", or ]"}})
    end.
array1({<<$], _/binary>>, St}, _) -> throw({error, {St#st.line, unexpected, <<"]">>}});
array1(In, Acc) -> array(In, Acc).

object({<<$}, R/binary>>, St}, M) when map_size(M) =:= 0 -> {M, R, St};
object({<<$", R/binary>>, St}, M) ->
    {K, R1, St1} = string(R, <<>>, St),
    case ws(R1, St1) of
        {<<$:, R2/binary>>, St2} ->
            {V, R3, St3} = value(ws(R2, St2)),
            M1 = M#{K => V},
            case ws(R3, St3) of
                {<<$,, R4/binary>>, St4} -> object(ws(R4, St4), M1);
                {<<$}, R4/binary>>, St4} -> {M1, R4, St4};
                {_, St4} -> throw({error, {St4#st.line, expected, ", or }"}})
            end;
        {_, St2} -> throw({error, {St2#st.line, expected, ":"}})
    end;
object({_, St}, _) -> throw({error, {St#st.line, expected, "key"}}).

string(<<$", R/binary>>, Acc, St) -> {Acc, R, St};
string(<<$\\, $u, H:4/binary, R/binary>>, Acc, St) ->
    case {binary_to_integer(H, 16), R} of
        {Hi, <<$\\, $u, L:4/binary, R1/binary>>} when Hi >= 16#D800, Hi =< 16#DBFF ->
            Lo = binary_to_integer(L, 16),
            C = 16#10000 + ((Hi band 16#3FF) bsl 10) + (Lo band 16#3FF),
            string(R1, <<Acc/binary, C/utf8>>, St);
        {C, _} -> string(R, <<Acc/binary, C/utf8>>, St)
    end;
string(<<$\\, E, R/binary>>, Acc, St) ->
    case lists:keyfind(E, 1, [{$n, $\n}, {$t, $\t}, {$r, $\r}, {$b, $\b}, {$f, $\f}, {$\\, $\\}, {$/, $/}, {$", $"}]) of
        {_, C} -> string(R, <<Acc/binary, C>>, St);
        false -> throw({error, {St#st.line, bad_escape, [E]}})
    end;
string(<<C/utf8, R/binary>>, Acc, St) -> string(R, <<Acc/binary, C/utf8>>, St);
string(<<>>, _, St) -> throw({error, {St#st.line, unterminated}}).

number(B, St) ->
    {match, [{0, Len} | Parts]} = re:run(B, "^-?(0|[1-9][0-9]*)?(\\.[0-9]+)?([eE][-+]?[0-9]+)?"),
    <<T:Len/binary, R/binary>> = B,
    V = case Parts of
            [_] -> binary_to_integer(T);
            [_, _] -> binary_to_float(T);
            [_, {-1, 0}, _] ->
                [M, E] = re:split(T, "[eE]", [{return, list}]),
                list_to_float(M ++ ".0e" ++ E);
            [_, _, _] -> binary_to_float(T);
            [] -> throw({error, {St#st.line, bad_number, T}})
        end,
    {V, R, St}.

encode(true) -> <<"true">>;
encode(false) -> <<"false">>;
encode(null) -> <<"null">>;
encode(I) when is_integer(I) -> integer_to_binary(I);
encode(F) when is_float(F) -> io_lib:format("~p", [F]);
encode(B) when is_binary(B) -> [$", << <<(escape(C))/binary>> || <<C/utf8>> <= B >>, $"];
encode(A) when is_atom(A) -> encode(atom_to_binary(A));
encode(L) when is_list(L) -> [$[, lists:join($,, [encode(E) || E <- L]), $]];
encode(M) when is_map(M) -> [${, lists:join($,, [[encode(K), $:, encode(V)] || {K, V} <- lists:sort(maps:to_list(M))]), $}];
encode(T) -> error({badjson, T}).

escape($") -> <<"\\\"">>;
escape($\\) -> <<"\\\\">>;
escape(C) when C < 32; C > 126 -> iolist_to_binary([io_lib:format("\\u~4.16.0b", [U]) || <<U:16>> <= unicode:characters_to_binary([C], unicode, utf16)]);
escape(C) -> <<C>>.

pretty(M, I) when is_map(M), map_size(M) > 0 ->
    Pad = lists:duplicate(I + 2, $\s),
    ["{\n", lists:join(",\n", [[Pad, encode(K), ": ", pretty(V, I + 2)] || {K, V} <- lists:sort(maps:to_list(M))]), $\n, lists:duplicate(I, $\s), $}];
pretty(V, _) -> encode(V).

path([], V) -> V;
path([K | Ks], M) when is_map(M) -> path(Ks, map_get(K, M));
path([I | Ks], L) when is_integer(I) -> path(Ks, lists:nth(I, L)).
caught(F) -> try F() catch C:R -> {C, R} end.
