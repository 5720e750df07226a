%% A web request asks a service, the service asks a database, and the database waits for its disk. Timeouts get shorter towards the front.
%% Cause: the database was slow (it slept 120 ms flushing its disk) when the service asked it.
-module(chain).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

main() ->
    {ok, Db} = gen_server:start_link(?MODULE, {db, 0}, []),
    {ok, Service} = gen_server:start_link(?MODULE, {service, Db}, []),
    [gen_server:call(Service, {page, N}, 100) || N <- [1, 2]],
    gen_server:cast(Db, flush),
    gen_server:call(Service, {page, 3}, 100).

init(S) -> {ok, S}.
handle_call({page, N}, _, {service, Db}) -> {reply, {page, gen_server:call(Db, {row, N}, 500)}, {service, Db}};
handle_call({row, N}, _, {db, Count}) -> {reply, {row, N}, {db, Count + 1}}.
handle_cast(flush, {db, Count}) -> timer:sleep(120), {noreply, {db, Count}}.
