-module(@MOD@).
%% Polling stations report to one server; each reads, adds and writes (after travelping/eradius #194).
-behaviour(gen_server).
-export([main/0, votes/2, set_votes/3]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, @LOAD@).
-define(STATIONS, [{north, 10}, {south, 200}, {harbour, 3000}]).

main() ->
    {ok, Final} = gen_server:start_link(?MODULE, #{}, []),
    {ok, Trial} = gen_server:start_link(?MODULE, #{}, []),
    rehearse(Trial, rehearsal, ?LOAD),
    Observers = [spawn_monitor(fun() -> rehearse(Trial, Topic, ?LOAD) end)
                 || Topic <- [turnout, invalid]],
    Stations = [spawn_monitor(fun() -> report(Final, Bundle) end) || {_Name, Bundle} <- ?STATIONS],
    wait(Stations),
    wait(Observers),
    rehearse(Trial, rehearsal, ?LOAD),
    Expected = lists:sum([Bundle || {_Name, Bundle} <- ?STATIONS]),
    case votes(Final, yes) of
        Expected -> ok;
        Counted -> error({votes_missing, Expected - Counted, Counted})
    end.

wait(Processes) ->
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Processes],
    ok.

%% What each station does when its boxes are counted.
report(Server, Bundle) ->
    SoFar = votes(Server, yes),
    Total = SoFar + Bundle,
    ok = set_votes(Server, yes, Total).

%% Topics of the trial server have one writer each.
rehearse(_Server, _Topic, 0) ->
    ok;
rehearse(Server, Topic, N) ->
    Before = votes(Server, Topic),
    ok = set_votes(Server, Topic, Before + 1),
    rehearse(Server, Topic, N - 1).

votes(Server, Option) ->
    gen_server:call(Server, {votes, Option}).

set_votes(Server, Option, Votes) ->
    gen_server:call(Server, {set_votes, Option, Votes}).

init(Votes) ->
    {ok, Votes}.

handle_call({votes, Option}, _From, Votes) ->
    {reply, maps:get(Option, Votes, 0), Votes};
handle_call({set_votes, Option, Number}, _From, Votes) ->
    {reply, ok, Votes#{Option => Number}}.

handle_cast(_Message, Votes) ->
    {noreply, Votes}.
