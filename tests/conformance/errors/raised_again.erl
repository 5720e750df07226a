%% Stack traces of exceptions that are raised again as they were caught, and of those in funs that are called where they are written; what is
%% said of a binary of which more than one part is wrong.
-module(raised_again).
-export([main/0]).
-compile([export_all, nowarn_export_all, nowarn_unused_vars]).

v(X) -> X.
h(1) -> one.

again_after(X) -> try h(X) after v(1) end.
again_not_caught(X) -> try h(X) catch throw:_ -> 1 end.
again(X) -> try h(X) catch C:R:S -> v(1), v(2), erlang:raise(C, R, S) end.
again_in_case(X) -> try h(X) catch C:R:S when C =:= error -> case v(R) of foo -> ok; _ -> erlang:raise(C, R, S) end end.
again_in_if(X) -> try h(X) catch C:R:S -> if C =:= error -> erlang:raise(C, R, S); true -> v(C) end end.
again_in_block(X) -> try h(X) catch C:R:S -> begin v(1), erlang:raise(C, R, S) end end.
again_in_fun(X) -> try h(X) catch C:R:S -> (fun() -> erlang:raise(C, R, S) end)() end.
again_later(X) -> try h(X) catch C:R:S -> F = fun() -> erlang:raise(C, R, S) end, v(F), F() end.
again_named(X) -> try h(X) catch error:function_clause:S -> erlang:raise(error, function_clause, S) end.
again_own(X) -> try (fun(1) -> ok end)(v(X)) catch C:R:S -> erlang:raise(C, R, S) end.
again_fun(X) -> F = v(fun(1) -> ok end), try F(X) catch C:R:S -> erlang:raise(C, R, S) end.
again_library(X) -> try lists:map(X, [1]) catch C:R:S -> erlang:raise(C, R, S) end.
again_case(X) -> try case X of 1 -> ok end catch C:R:S -> erlang:raise(C, R, S) end.
again_bif(X) -> try element(X, {}) catch C:R:S -> erlang:raise(C, R, S) end.
again_undef(X) -> try nomod:f(X) catch C:R:S -> erlang:raise(C, R, S) end.
again_then_after(X) -> try h(X) catch C:R:S -> erlang:raise(C, R, S) after v(1) end.
again_in_try(X) -> try try h(X) catch C:R:S -> erlang:raise(C, R, S) end after v(1) end.
again_other(X) -> try h(X) catch C:_:S -> erlang:raise(v(C), v(foo), S) end.
again_exit(X) -> try h(X) catch _:R:S -> erlang:raise(exit, R, S) end.
not_last_try(X) -> try h(X) catch C:R:S -> try v(1), erlang:raise(C, R, S) after v(2) end end.
not_the_same(X) -> try h(X) catch C:R:S -> erlang:raise(C, R, v(S)) end.
not_last_tuple(X) -> try h(X) catch C:R:S -> {erlang:raise(C, R, S), 1} end.
not_last_catch(X) -> try h(X) catch C:R:S -> catch erlang:raise(C, R, S) end.
not_last(X) -> try h(X) catch C:R:S -> erlang:raise(C, R, S), v(1) end.
not_last_list(X) -> try h(X) catch C:R:S -> [erlang:raise(C, R, S) || _ <- [1]] end.
not_alone(X) -> try h(X) catch C:R:S -> v(S), erlang:raise(C, R, S) end.
not_alone_reason(X) -> try h(X) catch C:R:S -> erlang:raise(C, {R, length(S) > 0}, S) end.
again_and(X) -> try h(X) catch C:R:S -> v(C) =:= error andalso erlang:raise(C, R, S) end.
again_throw(X) -> try throw(X) catch C:R:S -> erlang:raise(C, R, S) end.
again_error(X) -> try erlang:error(foo, [X]) catch C:R:S -> erlang:raise(C, R, S) end.
again_below(X) -> try below(X) catch C:R:S -> erlang:raise(C, R, S) end.
below(X) -> try h(X) catch C:R:S -> erlang:raise(C, R, S) end, ok.

fun_in_catch(X) -> (catch (fun() -> h(v(X)) end)()).
fun_in_try(X) -> try (fun() -> h(v(X)) end)() of Y -> Y catch exit:_ -> 1 end.
fun_in_tuple(X) -> {v([]), (fun() -> case v(X) of Y -> h(Y) end end)()}.
fun_in_fun(X) -> (fun() -> {v([]), (fun() -> h(v(X)) end)()} end)().
fun_last(X) -> (fun() -> h(v(X)) end)().
fun_bound(X) -> F = fun() -> h(v(X)) end, F().
fun_bound_first(X) -> F = fun() -> h(v(X)) end, Y = F(), {Y}.
fun_argument(X) -> v((fun() -> h(v(X)) end)()).

bits_1(X) -> <<(v(X)):(v(a)), (v(b))/utf32>>.
bits_2(X) -> <<(v(b))/utf32, (v(X)):(v(a))>>.
bits_3(X) -> <<(v(x))/bits, (v(X)):8, (v(b))/utf32>>.
bits_4(X) -> <<(v(x)):8, (v(b))/utf32, (v(X))/bits>>.
bits_5(X) -> <<(v(x))/utf16, (v(X)):(v(a))>>.
bits_6(X) -> <<(v(x))/utf8, (v(16#D800))/utf32, (v(X)):8>>.
bits_7(X) -> <<(v(X))/binary, (-128):33/binary>>.
bits_8(X) -> <<(-1):3/bits, (v(X)):8>>.
bits_9(X) -> <<(v(X)):8, (-0.0)/utf32, (v(-1))/utf16>>.
bits_10(X) -> <<(v(X)):(v(a)), (#{}):64/binary>>.
bits_11(X) -> <<(v(x)):8, (<<1, 2, X>>)/integer>>.
bits_12(X) -> <<(v(X)):(v(a)), (<<1, 2:3, "a">>)/float>>.
bits_13(X) -> <<(v(X)):(v(a)), ("ab")/bits>>.
bits_14(X) -> <<(v(X)):(v(a)), (#{a => 1})>>.

shown(S) -> [{M, F, A, places(I)} || {M, F, A, I} <- lists:takewhile(fun({_, F, _, _}) -> F =/= t end, S)].
places([]) -> nowhere;
places(I) -> {somewhere, lists:keymember(error_info, 1, I)}.

t(F) ->
    try io:format("~p ~0p~n", [F, case ?MODULE:F(2) of {'EXIT', {R0, S0}} -> {R0, shown(S0)}; Z -> Z end])
    catch C:R:S ->
        Text = case S of
            [{?MODULE, _, _, [_ | _] = I} | _] when R =:= badarg ->
                case proplists:get_value(error_info, I) of
                    #{cause := _} -> maps:get(general, erl_erts_errors:format_bs_fail(R, S));
                    _ -> none
                end;
            _ -> none
        end,
        io:format("~p ~0p ~0p ~0p ~ts~n", [F, C, R, shown(S), Text])
    end.

main() ->
    [t(F) || {F, 1} <- lists:sort(?MODULE:module_info(exports)),
             lists:member(hd(string:split(atom_to_list(F), "_")), ["again", "not", "fun", "bits"])],
    ok.
