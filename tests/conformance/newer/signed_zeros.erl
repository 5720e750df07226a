%% From OTP 27 on, 0.0 and -0.0 are different terms, although they are equal numbers.
-module(signed_zeros).
-export([main/0]).

main() ->
    [P, N] = [list_to_float(Text) || Text <- ["0.0", "-0.0"]],
    show(compared, [P =:= N, P == N, P < N, N < P, P =< N, P =/= N, P /= N]),
    show(in_terms, [{P} =:= {N}, [P] =:= [N], {P} == {N}, #{P => 1} =:= #{N => 1}, #{k => P} == #{k => N}, [P | N] =:= [P | N]]),
    show(matched, [sign(P), sign(N), try P = N catch error:E -> E end, try {a, P} = {a, N} catch error:F -> F end, case N of P -> same; _ -> other end]),
    show(in_maps, [lists:sort(maps:to_list(#{P => p, N => n})), maps:size(#{P => p, N => n}), maps:find(N, #{P => p}), maps:is_key(P, #{P => p}),
                   maps:merge(#{P => 1}, #{N => 2}), maps:remove(N, #{P => 1})]),
    show(in_lists, [lists:member(P, [N]), lists:keyfind(P, 1, [{N}]), [P] -- [N], lists:usort([P, N]), lists:sort([P, N]), lists:sort([N, P]),
                    lists:delete(N, [P]), lists:uniq([P, N, P])]),
    show(hashed, [erlang:phash2(P) =:= erlang:phash2(N), erlang:phash2({P}) =:= erlang:phash2({N})]),
    Many = maps:from_list([{I * 1.0, I} || I <- lists:seq(1, 40)]),
    show(in_large_maps, [maps:size(Many#{P => p, N => n}), maps:get(N, Many#{P => p, N => n}), maps:is_key(N, Many#{P => p})]),
    [show({table, Type}, table(Type, P, N)) || Type <- [set, ordered_set, bag, duplicate_bag]],
    show(in_guards, [guard(P, N), guard(N, N), is_zero(N)]),
    show(in_dictionary, [put(P, 1), put(N, 2), get(P), get(N)]),
    self() ! {zero, N},
    show(received, receive {zero, P} -> p after 0 -> receive {zero, N} -> n end end),
    show(bits, [<<P/float>> =:= <<N/float>>, <<P/float>>, <<N/float>>]).

show(What, Of) -> io:format("~p: ~w~n", [What, Of]).

sign(X) when X =:= 0.0 -> zero;
sign(_) -> other.

guard(A, B) when A =:= B -> same;
guard(A, B) when A == B -> equal;
guard(_, _) -> none.

is_zero(0) -> integer;
is_zero(X) when X == 0 -> zero;
is_zero(_) -> no.

table(Type, P, N) ->
    T = ets:new(t, [Type]),
    ets:insert(T, [{P, p}, {N, n}]),
    [lists:sort(ets:tab2list(T)), ets:lookup(T, N), ets:member(T, P), ets:match(T, {P, '$1'}), ets:select(T, [{{'$1', '_'}, [{'=:=', '$1', N}], ['$1']}])].
