-module(@MOD@).
%% Counts words with mappers and one reducer for each partition (after discoproject/disco #601, SynapseML #545).
-export([main/0]).
-define(LOAD, @LOAD@).
-define(PARTITIONS, 4).

main() ->
    Progress = spawn_link(fun() -> progress(0) end),
    Lines = [["the", "quick", "fox"], ["lazy", "dog"], ["the", "dog"]],
    Rounds = lists:seq(1, ?LOAD),
    %% The trial run has words for each partition.
    [count_words(Progress, [["a", "b", "c", "d"]]) || _ <- Rounds],
    Scanners = [spawn_monitor(fun() -> scan(Progress, 4 * ?LOAD) end) || _ <- [inbox, archive]],
    Counts = count_words(Progress, [L || L <- Lines]),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Scanners],
    io:format("~p~n", [Counts]).

count_words(Progress, Lines) ->
    Job = self(),
    Reducers = [{P, spawn(fun() -> reducer(Job, P, length(Lines)) end)}
                || P <- lists:seq(0, ?PARTITIONS - 1)],
    [spawn(fun() -> mapper(Progress, Line, Reducers) end) || Line <- Lines],
    lists:foldl(fun({P, _}, Counts) ->
                    receive {reduced, P, Part} -> maps:merge(Counts, Part) end
                end, #{}, Reducers).

mapper(Progress, Line, Reducers) ->
    Progress ! {line, self(), Line},
    [Reducer ! {words, [W || W <- Line, partition(W) =:= P]} || {P, Reducer} <- Reducers].

partition(Word) ->
    lists:last(Word) rem ?PARTITIONS.

reducer(Job, Partition, Mappers) ->
    Words = lists:append([receive {words, Some} -> Some end || _ <- lists:seq(1, Mappers)]),
    reduce(Job, Partition, Words, #{}).

reduce(_Job, _Partition, [], Counts) when map_size(Counts) =:= 0 ->
    ok;
reduce(Job, Partition, [], Counts) ->
    Job ! {reduced, Partition, Counts};
reduce(Job, Partition, [Word | Words], Counts) ->
    Count = maps:get(Word, Counts, 0),
    reduce(Job, Partition, Words, Counts#{Word => Count + 1}).

scan(_Progress, 0) -> ok;
scan(Progress, N) ->
    Progress ! {line, self(), N},
    receive {noted, N} -> ok after 0 -> ok end,
    scan(Progress, N - 1).

progress(Lines) ->
    receive {line, _From, _Line} -> progress(Lines + 1) end.
