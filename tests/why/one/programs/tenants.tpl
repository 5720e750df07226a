-module(@MOD@).
%% A worker for each tenant, started with its first request (after kafka4beam/brod #505, horde #63).
-export([main/0]).
-define(LOAD, @LOAD@).
-define(TENANTS, [acme, globex, initech]).

main() ->
    workers = ets:new(workers, [named_table, public, set]),
    Audit = spawn_link(fun() -> audit([]) end),
    _ = ensure_worker(internal, Audit),
    serve(internal, Audit, ?LOAD),
    Regulars = [spawn_monitor(fun() -> serve(Tenant, Audit, ?LOAD) end)
                || Tenant <- [umbrella, hooli]],
    Requests = [spawn_monitor(fun() -> request(Tenant, Audit, first_page) end)
                || Tenant <- ?TENANTS, _ <- [browser, mobile]],
    wait(Requests),
    wait(Regulars),
    serve(internal, Audit, ?LOAD),
    Audit ! {started, self()},
    receive
        {started_workers, Started} -> check(Started)
    end.

%% Each tenant must have had one worker.
check(Started) ->
    case lists:usort(Started -- lists:usort(Started)) of
        [] -> ok;
        Twice -> error({workers_started_twice, Twice})
    end.

wait(Processes) ->
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Processes].

serve(_Tenant, _Audit, 0) -> ok;
serve(Tenant, Audit, N) ->
    ok = request(Tenant, Audit, {page, N}),
    serve(Tenant, Audit, N - 1).

request(Tenant, Audit, Page) ->
    Worker = ensure_worker(Tenant, Audit),
    Worker ! {render, self(), Page},
    receive {rendered, Worker, Page} -> ok end.

ensure_worker(Tenant, Audit) ->
    case ets:lookup(workers, Tenant) of
        [{Tenant, Worker}] ->
            Worker;
        [] ->
            Worker = spawn(fun() -> worker(Tenant, Audit) end),
            true = ets:insert(workers, {Tenant, Worker}),
            Worker
    end.

worker(Tenant, Audit) ->
    Audit ! {worker_started, Tenant},
    render_loop(#{}).

render_loop(Cache) ->
    receive
        {render, From, Page} ->
            From ! {rendered, self(), Page},
            render_loop(Cache#{last => Page})
    end.

audit(Started) ->
    receive
        {worker_started, Tenant} -> audit([Tenant | Started]);
        {started, From} -> From ! {started_workers, Started}, audit(Started)
    end.
