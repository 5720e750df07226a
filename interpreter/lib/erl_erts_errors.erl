%% The module `erl_erts_errors`: why a call of a function of the runtime, or the construction of a binary, failed.
-module(erl_erts_errors).
-export([format_error/2, format_bs_fail/2]).

format_error(_, [{persistent_term, get, [_], _} | _]) -> #{1 => <<"no persistent term stored with this key">>};
format_error(badarg, [{M, new, [Size, Options], Info} | _]) when M =:= atomics; M =:= counters ->
    Bad = case lists:keyfind(error_info, 1, Info) of
        _ when not is_list(Options) -> <<"not a list">>;
        {error_info, #{cause := badopt}} -> <<"invalid option in list">>;
        _ -> <<>>
    end,
    told([number(Size, 1, infinity), Bad]);
%% What is added to a counter is looked at later only.
format_error(badarg, [{counters, F, [Ref, Index, _], Info} | Stack]) when F =:= add; F =:= sub ->
    format_error(badarg, [{counters, F, [Ref, Index], Info} | Stack]);
format_error(badarg, [{M, _, [Ref | Args], _} | _]) when M =:= atomics; M =:= counters ->
    Size = try M:info(Ref) of #{size := N} -> N
           catch error:_ -> none
           end,
    Array = case Size of none -> <<"invalid atomics reference">>; _ -> <<>> end,
    told([Array | case Args of
                      [] -> [];
                      [Index | Values] -> [number(Index, 1, case Size of none -> infinity; _ -> Size end) | [number(V, -(1 bsl 63), 1 bsl 64 - 1) || V <- Values]]
                  end]);
format_error(Reason, [{M, F, Args, _} | _]) when is_list(Args) -> erl_erts_errors:'$explain'(M, F, Args, Reason);
format_error(_, _) -> #{}.

%% What is wrong with a number, which is smaller than every atom.
number(N, Least, Most) when is_integer(N), N >= Least, N =< Most -> <<>>;
number(N, _, _) when is_integer(N) -> <<"out of range">>;
number(_, _, _) -> <<"not an integer">>.

told(Texts) -> maps:from_list([{At, Text} || {At, Text} <- lists:zip(lists:seq(1, length(Texts)), Texts), Text =/= <<>>]).

format_bs_fail(Reason, [{_, _, _, Info} | _]) ->
    case lists:keyfind(error_info, 1, Info) of
        {error_info, #{cause := {Segment, Type, Cause, Value}} = Map} ->
            Show = maps:get(pretty_printer, Map, fun shown/1),
            Text = io_lib:format("segment ~p of type '~ts': ~ts",
                                 [maps:get(override_segment_position, Map, Segment), Type, segment(Reason, Type, Cause, Value, Show)]),
            #{general => iolist_to_binary(Text), reason => <<"construction of binary failed">>};
        _ -> #{}
    end.

segment(system_limit, binary, binary, size, _) ->
    io_lib:format("the size of the binary/bitstring is too large (exceeding ~p bits)", [(1 bsl 31) - 1]);
segment(system_limit, _, size, Size, _) -> io_lib:format("the size ~p is too large", [Size]);
segment(badarg, float, invalid, Size, _) -> io_lib:format("expected one of the supported sizes 16, 32, or 64 but got: ~p", [Size]);
segment(badarg, float, no_float, Value, Show) -> ["the value ", Show(Value), " is outside the range expressible as a float"];
segment(badarg, binary, unit, Value, Show) -> ["the size of the value ", Show(Value), " is not a multiple of the unit for the segment"];
segment(badarg, _, short, Value, Show) -> ["the value ", Show(Value), " is shorter than the size of the segment"];
segment(badarg, _, size, Value, Show) -> ["expected a non-negative integer as size but got: ", Show(Value)];
segment(badarg, Type, type, Value, Show) ->
    Wanted = case Type of
                 binary -> "a binary";
                 float -> "a float or an integer";
                 integer -> "an integer";
                 _ -> ["a non-negative integer encodable as ", atom_to_list(Type)]
             end,
    ["expected ", Wanted, " but got: ", Show(Value)].

%% Large values with their middle left out.
shown(N) when is_integer(N) ->
    Digits = integer_to_list(N),
    case length(Digits) of
        Size when Size < 48 -> Digits;
        Size -> [lists:sublist(Digits, 12), "...", lists:nthtail(Size - 12, Digits)]
    end;
shown(B) when is_bitstring(B), byte_size(B) >= 16 ->
    Skipped = byte_size(B) - 10,
    <<First:8/binary, _:Skipped/binary, Last/bitstring>> = B,
    Begin = lists:flatten(io_lib:format("~w", [First])),
    [lists:sublist(Begin, length(Begin) - 2), "...,", lists:nthtail(2, lists:flatten(io_lib:format("~w", [Last])))];
shown(B) when is_bitstring(B) -> io_lib:format("~p", [B]);
shown(Value) -> io_lib:format("~P", [Value, 20]).
