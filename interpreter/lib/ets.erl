%% ets: what is not a native of the system layer.
-module(ets).
-export([foldl/3, foldr/3, match_spec_compile/1, is_compiled_ms/1, to_dets/2, from_dets/2, i/0,
         init_table/2, fun2ms/1, repair_continuation/2]).

foldl(F, Acc, Tab) ->
    lists:foldl(F, Acc, ets:tab2list(Tab)).

foldr(F, Acc, Tab) ->
    lists:foldr(F, Acc, ets:tab2list(Tab)).

match_spec_compile(Spec) ->
    case ets:test_ms({}, Spec) of
        {error, _} -> error(badarg, [Spec]);
        _ -> {'$compiled_match_spec', Spec}
    end.

is_compiled_ms({'$compiled_match_spec', _}) -> true;
is_compiled_ms(_) -> false.

repair_continuation(Continuation, _Spec) -> Continuation.


init_table(Tab, Fun) ->
    ets:delete_all_objects(Tab),
    init_table_loop(Tab, Fun).

init_table_loop(Tab, Fun) ->
    case Fun(read) of
        end_of_input -> true;
        {Objects, Next} -> ets:insert(Tab, Objects), init_table_loop(Tab, Next)
    end.

fun2ms(F) when is_function(F) ->
    %% Only the parse transform ms_transform can look into a fun.
    exit({badarg, {ets, fun2ms, [function, called, with, real, 'fun', should, be, transformed, with,
                                 parse_transform, 'or', called, with, a, 'fun', generated, in, the, shell]}});
fun2ms(Arg) ->
    error(badarg, [Arg]).

to_dets(Tab, Dets) -> error(undef, [Tab, Dets]).
from_dets(Tab, Dets) -> error(undef, [Tab, Dets]).

i() ->
    lists:foreach(fun(T) -> io:format(" ~w ~w ~w~n", [ets:info(T, name), ets:info(T, type), ets:info(T, size)]) end,
                  ets:all()).
