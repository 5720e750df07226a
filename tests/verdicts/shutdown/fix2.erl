%% Workers and journal under one supervisor, the journal first: it ends last.
-module(shutdown).
-behaviour(gen_server).
-export([main/0, init/1, start/2, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    Me = self(),
    {ok, Sup} = supervisor:start_link(?MODULE, {sup, Me}),
    Workers = [P || {{worker, _}, P, _, _} <- supervisor:which_children(Sup)],
    [gen_server:call(W, {add, N}) || W <- Workers, N <- [1, 2]],
    unlink(Sup),
    exit(Sup, shutdown),
    Total = receive {total, T} -> T end,
    io:format("total ~p~n", [Total]),
    case Total of
        9 -> ok;
        _ -> error({journal_incomplete, Total})
    end.

start(Name, Arg) -> gen_server:start_link({local, Name}, ?MODULE, Arg, []).

init({sup, Boss}) ->
    J = #{id => journal, start => {?MODULE, start, [journal, {journal, Boss}]}},
    Ws = [#{id => {worker, N}, start => {?MODULE, start, [Name, {worker, N}]}}
          || {N, Name} <- [{1, w1}, {2, w2}, {3, w3}]],
    {ok, {#{strategy => rest_for_one}, [J | Ws]}};
init({journal, Boss}) -> process_flag(trap_exit, true), {ok, {journal, Boss, 0}};
init({worker, N}) -> process_flag(trap_exit, true), {ok, {worker, N, 0}}.

handle_call({add, V}, _, {worker, N, T}) -> {reply, ok, {worker, N, T + V}};
handle_call({entry, V}, _, {journal, B, T}) -> {reply, ok, {journal, B, T + V}}.

handle_cast(_, S) -> {noreply, S}.

terminate(_, {worker, _, T}) -> ok = gen_server:call(journal, {entry, T});
terminate(_, {journal, Boss, T}) -> Boss ! {total, T}.
