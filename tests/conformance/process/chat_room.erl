%% A chat room with clients that come and go.
-module(chat_room).
-export([main/0, room/1, client/3]).
room(Members) ->
    receive
        {join, Pid, Nick} -> monitor(process, Pid), broadcast(Members, {joined, Nick}), room(Members#{Pid => Nick});
        {say, Pid, Text} when is_map_key(Pid, Members) -> broadcast(maps:remove(Pid, Members), {said, maps:get(Pid, Members), Text}), room(Members);
        {who, From} -> From ! {members, lists:sort(maps:values(Members))}, room(Members);
        {'DOWN', _, process, Pid, Reason} -> {Nick, Rest} = maps:take(Pid, Members), broadcast(Rest, {left, Nick, Reason}), room(Rest);
        stop -> broadcast(Members, closed), ok
    end.
broadcast(Ms, M) -> maps:foreach(fun(P, _) -> P ! M end, Ms).
client(Room, Nick, Parent) -> Room ! {join, self(), Nick}, Parent ! {ready, Nick}, cloop(Room, Nick, Parent, []).
cloop(Room, Nick, Parent, Log) ->
    receive
        {do, F} -> F(Room), cloop(Room, Nick, Parent, Log);
        closed -> Parent ! {log, Nick, lists:reverse(Log)};
        quit -> exit(bored);
        M -> cloop(Room, Nick, Parent, [M | Log])
    end.
main() ->
    Room = spawn(?MODULE, room, [#{}]), Me = self(),
    Cs = [begin P = spawn(?MODULE, client, [Room, N, Me]), receive {ready, N} -> ok end, {N, P} end || N <- [ann, bob, cy]],
    timer:sleep(5),
    [begin P ! {do, fun(R) -> R ! {say, self(), string:concat("hi from ", atom_to_list(N))} end}, timer:sleep(5) end || {N, P} <- Cs],
    Room ! {who, self()}, receive {members, L} -> io:format("~p~n", [L]) end,
    proplists:get_value(bob, Cs) ! quit, timer:sleep(5),
    Room ! stop,
    [receive {log, N, Log} -> io:format("~s: ~p~n", [N, Log]) after 50 -> io:format("~s gone~n", [N]) end || {N, _} <- Cs].
