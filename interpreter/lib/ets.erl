%% ets: what is not a native of the system layer.
-module(ets).
-export([foldl/3, foldr/3, is_compiled_ms/1, to_dets/2, from_dets/2, i/0,
         init_table/2, fun2ms/1, repair_continuation/2]).

foldl(F, Acc, Tab) ->
    ets:safe_fixtable(Tab, true),
    First = ets:first(Tab),
    try do_foldl(F, Acc, First, Tab)
    after ets:safe_fixtable(Tab, false)
    end.

do_foldl(_, Acc, '$end_of_table', _) -> Acc;
do_foldl(F, Acc, Key, Tab) -> do_foldl(F, lists:foldl(F, Acc, ets:lookup(Tab, Key)), ets:next(Tab, Key), Tab).

foldr(F, Acc, Tab) ->
    ets:safe_fixtable(Tab, true),
    Last = ets:last(Tab),
    try do_foldr(F, Acc, Last, Tab)
    after ets:safe_fixtable(Tab, false)
    end.

do_foldr(_, Acc, '$end_of_table', _) -> Acc;
do_foldr(F, Acc, Key, Tab) -> do_foldr(F, lists:foldr(F, Acc, ets:lookup(Tab, Key)), ets:prev(Tab, Key), Tab).

is_compiled_ms({'$compiled_match_spec', _}) -> true;
is_compiled_ms(_) -> false.

repair_continuation('$end_of_table', _Spec) -> '$end_of_table';
repair_continuation({_, _, _, _, _, _, '$ets_continuation'} = Continuation, _Spec) -> Continuation.

init_table(Tab, Fun) ->
    ets:delete_all_objects(Tab),
    init_table_continue(Tab, Fun(read)).

init_table_continue(_, end_of_input) -> true;
init_table_continue(Tab, {Objects, Next}) when is_list(Objects), is_function(Next) ->
    lists:foreach(fun(Object) -> ets:insert(Tab, Object) end, Objects),
    init_table_continue(Tab, Next(read));
init_table_continue(_, Error) -> exit(Error).

fun2ms(F) when is_function(F) ->
    %% Only the parse transform ms_transform can look into a fun.
    exit({badarg, {ets, fun2ms, [function, called, with, real, 'fun', should, be, transformed, with,
                                 parse_transform, 'or', called, with, a, 'fun', generated, in, the, shell]}}).

to_dets(Tab, Dets) -> error(undef, [Tab, Dets]).
from_dets(Tab, Dets) -> error(undef, [Tab, Dets]).

i() ->
    lists:foreach(fun(T) -> io:format(" ~w ~w ~w~n", [ets:info(T, name), ets:info(T, type), ets:info(T, size)]) end,
                  ets:all()).
