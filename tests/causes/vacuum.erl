%% Cause: the database was busy with the vacuum when it was asked: 40 ms were missing. Much else happened after that.
-module(vacuum).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(READS, 20).

%% A database with a vacuum that runs from time to time, and an API in front of it.
main() ->
    {ok, Db} = gen_server:start_link({local, db}, ?MODULE, db, []),
    {ok, Other} = gen_server:start_link({local, replica}, ?MODULE, db, []),
    read_all(Other, ?READS),
    {ok, _} = timer:send_after(100, Db, vacuum),
    Readers = [spawn_monitor(fun() -> read_all(Other, ?READS) end) || _ <- [1, 2]],
    {_, Api} = spawn_monitor(fun() -> timer:sleep(130), exit({answer, api_get(user_17)}) end),
    Answer = receive {'DOWN', Api, process, _, Reason} -> Reason end,
    [receive {'DOWN', R, process, _, normal} -> ok end || {_, R} <- Readers],
    read_all(Other, ?READS),
    case Answer of
        {answer, {ok, _}} -> ok;
        Failure -> error({api_down, Failure})
    end.

api_get(Key) ->
    gen_server:call(db, {get, Key}, 200).

read_all(Server, Reads) ->
    [begin
         gen_server:cast(Server, {put, R, R}),
         {ok, R} = gen_server:call(Server, {get, R})
     end || R <- lists:seq(1, Reads)].

init(db) ->
    {ok, #{user_17 => "Ada"}}.

handle_call({get, Key}, _From, Rows) ->
    {reply, maps:find(Key, Rows), Rows}.

handle_cast({put, Key, Row}, Rows) ->
    {noreply, Rows#{Key => Row}}.

handle_info(vacuum, Rows) ->
    compact(Rows),
    {noreply, Rows}.

%% Two passes over the pages.
compact(_Rows) ->
    [timer:sleep(Pass) || Pass <- [150, 120]].
