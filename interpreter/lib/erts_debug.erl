%% The module `erts_debug`: the words that OTP's machine keeps a term in.
-module(erts_debug).
-export([flat_size/1, size/1]).

%% Here nobody can tell which parts of a term are one in memory: each counts as often as it occurs.
size(Term) -> flat_size(Term).

flat_size(Term) -> words([Term], 0).

words([], Sum) -> Sum;
words([T | Ts], Sum) when is_atom(T); T =:= []; is_pid(T); is_port(T); T =:= {} -> words(Ts, Sum);
words([[H | T] | Ts], Sum) -> words([H, T | Ts], Sum + 2);
words([T | Ts], Sum) when is_tuple(T) -> words(tuple_to_list(T) ++ Ts, Sum + 1 + tuple_size(T));
words([T | Ts], Sum) when is_integer(T), T >= -(1 bsl 59), T < 1 bsl 59 -> words(Ts, Sum);
words([T | Ts], Sum) when is_integer(T) -> words(Ts, Sum + 1 + (byte_size(binary:encode_unsigned(abs(T))) + 7) div 8);
words([T | Ts], Sum) when is_float(T) -> words(Ts, Sum + 2);
words([T | Ts], Sum) when is_reference(T) -> words(Ts, Sum + 3);
words([T | Ts], Sum) when is_binary(T), byte_size(T) =< 64 -> words(Ts, Sum + 2 + (byte_size(T) + 7) div 8);
words([T | Ts], Sum) when is_binary(T) -> words(Ts, Sum + 6);
%% A part of a binary, and the binary.
words([T | Ts], Sum) when is_bitstring(T) ->
    Padding = 8 - bit_size(T) rem 8,
    words([<<T/bitstring, 0:Padding>> | Ts], Sum + 5);
words([T | Ts], Sum) when is_map(T) ->
    words(maps:keys(T) ++ maps:values(T) ++ Ts, Sum + of_map(map_size(T)));
words([T | Ts], Sum) when is_function(T) ->
    case erlang:fun_info(T, env) of
        {env, Values} when is_list(Values) -> words(Values ++ Ts, Sum + 5 + length(Values));
        _ -> words(Ts, Sum + 5)
    end.

of_map(0) -> 3;
of_map(Size) when Size =< 32 -> 4 + 2 * Size;
%% A cell for each pair, and a tree whose shape is that of OTP's own hash: its usual size.
of_map(Size) -> 2 + 2 * Size + Size * 14 div 10.
