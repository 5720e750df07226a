-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(BOOKINGS, @N@).

%% A trip is booked with two-phase commit: a flight, a hotel and a car.
main() ->
    process_flag(trap_exit, true),
    {ok, Flight} = party(flight, [{lisbon, 2}, {oslo, 9}]),
    {ok, Hotel} = party(hotel, [{lisbon, 4}, {oslo, "7"}]),
    {ok, Car} = party(car, [{lisbon, 1}, {oslo, 5}]),
    {ok, Journal} = party(journal, []),
    note(Journal, ?BOOKINGS),
    Clerks = [element(2, spawn_monitor(fun() -> note(Journal, ?BOOKINGS) end)) || _ <- [1, 2]],
    {_, Trip1} = spawn_monitor(fun() -> book([Flight, Hotel, Car], lisbon, 1) end),
    ok = ended(Trip1),
    {_, Trip2} = spawn_monitor(fun() -> book([Flight, Hotel, Car], oslo, 2) end),
    Outcome = ended(Trip2),
    [ok = ended(C) || C <- Clerks],
    note(Journal, ?BOOKINGS),
    Notes = gen_server:call(Journal, notes),
    Notes = 4 * ?BOOKINGS,
    case Outcome of
        ok -> ok;
        {failed, Why} -> error({trip_not_booked, oslo, Why})
    end.

ended(Ref) ->
    receive
        {'DOWN', Ref, process, _, normal} -> ok;
        {'DOWN', Ref, process, _, Reason} -> {failed, Reason}
    end.

book(Parties, Place, People) ->
    Votes = [gen_server:call(P, {prepare, Place, People}) || P <- Parties],
    Decision = case lists:usort(Votes) of
        [yes] -> commit;
        _ -> abort
    end,
    [gen_server:cast(P, {Decision, Place}) || P <- Parties],
    commit = Decision.

note(Journal, Bookings) ->
    [gen_server:cast(Journal, {note, B}) || B <- lists:seq(1, Bookings)],
    gen_server:call(Journal, notes).

party(Name, Free) ->
    gen_server:start_link(?MODULE, {Name, maps:from_list(Free)}, []).

init({Name, Free}) ->
    {ok, {Name, Free, #{}}}.

handle_call({prepare, Place, People}, _From, {Name, Free, Held}) ->
    Left = free(Place, Free) - People,
    Vote = case Left >= 0 of
        true -> yes;
        false -> no
    end,
    {reply, Vote, {Name, Free, Held#{Place => Left}}};
handle_call(notes, _From, {_, _, Held} = State) ->
    {reply, maps:get(notes, Held, 0), State}.

free(Place, Free) ->
    case Free of
        #{Place := N} when is_integer(N) -> N;
        #{} -> 0
    end.

handle_cast({commit, Place}, {Name, Free, Held}) ->
    {Left, Rest} = maps:take(Place, Held),
    {noreply, {Name, Free#{Place := Left}, Rest}};
handle_cast({abort, Place}, {Name, Free, Held}) ->
    {noreply, {Name, Free, maps:remove(Place, Held)}};
handle_cast({note, _}, {Name, Free, Held}) ->
    {noreply, {Name, Free, maps:update_with(notes, fun(N) -> N + 1 end, 1, Held)}}.
