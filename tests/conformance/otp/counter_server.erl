%% A gen_server: call, cast, info, reply, timeout, stop.
-module(counter_server).
-export([main/0]).

-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3]).
main() -> logger:set_primary_config(level, none),
    {ok, S} = gen_server:start_link(?MODULE, 5, []),
    p(gen_server:call(S, get)), p(gen_server:cast(S, {add, 3})), p(gen_server:call(S, get)), S ! {add, 10}, p(gen_server:call(S, get, 1000)), p(gen_server:call(S, later)), p(gen_server:call(S, {delayed, x})),
    {ok, N} = gen_server:start({local, named_counter}, ?MODULE, 0, []), p(gen_server:call(named_counter, get)), p(element(1, gen_server:start({local, named_counter}, ?MODULE, 0, []))), p(whereis(named_counter) =:= N), p(gen_server:stop(named_counter)),
    p(try gen_server:call(named_counter, get) catch exit:{noproc, {gen_server, call, A}} -> {noproc, A} end), p(try gen_server:call(S, never, 5) catch exit:{timeout, _} -> timeout end),
    p(gen_server:start(?MODULE, {stop, because}, [])), p(gen_server:start(?MODULE, ignore, [])), p(gen_server:stop(S)).
init({stop, R}) -> {stop, R};
init(ignore) -> ignore;
init(N) -> {ok, N}.
handle_call(get, _, N) -> {reply, N, N};
handle_call(later, From, N) -> gen_server:reply(From, later_reply), {noreply, N};
handle_call({delayed, X}, From, N) -> self() ! {answer, From, X}, {noreply, N};
handle_call(never, _, N) -> {noreply, N}.
handle_cast({add, K}, N) -> {noreply, N + K}.
handle_info({add, K}, N) -> {noreply, N + K};
handle_info({answer, From, X}, N) -> gen_server:reply(From, {answered, X}), {noreply, N}.
terminate(R, N) -> io:format("terminate ~w ~w~n", [R, N]).
code_change(_, N, _) -> {ok, N}.
p(X) -> io:format("~w~n", [X]).
