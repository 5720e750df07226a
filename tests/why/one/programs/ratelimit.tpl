-module(@MOD@).
%% A limiter for requests, one counter for each address (after ExHammer/hammer #129, #130).
-export([main/0]).
-define(LOAD, @LOAD@).
-define(LIMIT, 1).

main() ->
    hits = ets:new(hits, [named_table, public, set]),
    Log = spawn_link(fun() -> access_log(0) end),
    Before = [start_visitor({10, 0, 0, N}, Log, ?LOAD) || N <- lists:seq(1, 2)],
    ok = await(Before),
    Beside = [start_visitor({10, 0, 1, N}, Log, ?LOAD) || N <- lists:seq(1, 3)],
    Answers = login_burst({203, 0, 113, 9}, Log),
    ok = await(Beside),
    ok = await([start_visitor({10, 0, 2, 1}, Log, ?LOAD)]),
    Log ! {total, self()},
    receive
        {logged, Total} -> io:format("~p requests logged~n", [Total])
    end,
    case [A || A <- Answers, A =:= allow] of
        Allowed when length(Allowed) =< ?LIMIT -> ok;
        Allowed -> error({limit_exceeded, {203, 0, 113, 9}, length(Allowed), ?LIMIT})
    end.

%% Two requests for /login from one address.
login_burst(Address, Log) ->
    Parent = self(),
    Requests = [spawn_link(fun() -> login_request(Parent, Address, Log) end)
                || _ <- [first, second]],
    [receive {answer, Request, Answer} -> Answer end || Request <- Requests].

login_request(Parent, Address, Log) ->
    Log ! {request, Address, "/login"},
    Count = hit(Address),
    Answer = if
        Count =< ?LIMIT -> allow;
        true -> deny
    end,
    Parent ! {answer, self(), Answer}.

hit(Address) ->
    case ets:lookup(hits, Address) of
        [] ->
            true = ets:insert(hits, {Address, 1}),
            1;
        [{Address, _}] ->
            ets:update_counter(hits, Address, 1)
    end.

%% Ordinary visitors: each has an address of its own.
start_visitor(Address, Log, Pages) ->
    spawn_monitor(fun() -> visit(Address, Log, Pages) end).

visit(_Address, _Log, 0) ->
    ok;
visit(Address, Log, Pages) ->
    Log ! {request, Address, "/page/" ++ integer_to_list(Pages)},
    _ = hit(Address),
    visit(Address, Log, Pages - 1).

await(Visitors) ->
    lists:foreach(fun({Pid, Ref}) ->
                      receive {'DOWN', Ref, process, Pid, normal} -> ok end
                  end, Visitors).

access_log(Count) ->
    receive
        {request, _Address, _Path} -> access_log(Count + 1);
        {total, From} -> From ! {logged, Count}
    end.
