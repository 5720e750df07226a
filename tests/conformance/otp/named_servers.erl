%% gen_server with local names, multi_call on one node, replies, infos, timeouts, hibernate.
-module(named_servers).
-export([main/0]).

-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).
main() ->
    process_flag(trap_exit, true),
    {ok, P} = gen_server:start_link({local, srv}, ?MODULE, [], []), p(gen_server:call(srv, ping)), p(gen_server:call({srv, node()}, ping)), srv ! hello, p(gen_server:call(srv, infos)), p(gen_server:call(P, timeout_soon)), timer:sleep(20), p(gen_server:call(P, infos)), p(gen_server:cast(no_such_server_x, foo)), p(gen_server:abcast(srv, note)), p(gen_server:call(srv, infos)), R = gen_server:send_request(srv, ping), p(gen_server:wait_response(R, 1000)), p(gen_server:call(srv, {reply_and_continue, 5})), p(gen_server:call(srv, infos)), p(gen_server:call(srv, hibernate)), p(gen_server:call(srv, ping)), {error, {already_started, P2}} = gen_server:start_link({local, srv}, ?MODULE, [], []), p(P2 =:= P), p(gen_server:call(srv, stop)), receive {'EXIT', P, W} -> p(W) end, p(whereis(srv)).
init([]) -> {ok, []}.
handle_call(ping, _, S) -> {reply, pong, S};
handle_call(infos, _, S) -> {reply, lists:reverse(S), S};
handle_call(timeout_soon, _, S) -> {reply, ok, S, 1};
handle_call({reply_and_continue, X}, _, S) -> {reply, X, S, {continue, more}};
handle_call(hibernate, _, S) -> {reply, ok, S, hibernate};
handle_call(stop, _, S) -> {stop, normal, stopping, S}.
handle_cast(M, S) -> {noreply, [{cast, M} | S]}.
handle_info(M, S) -> {noreply, [{info, M} | S]}.

handle_continue(M, S) -> {noreply, [{continue, M} | S]}.
p(X) -> io:format("~w~n", [X]).
