%% A gen_statem with state functions.
-module(switch_statem).
-export([main/0]).

-behaviour(gen_statem).
-export([init/1, callback_mode/0, off/3, on/3, terminate/3]).
main() ->
    {ok, S} = gen_statem:start_link(?MODULE, [], []),
    p(gen_statem:call(S, push)), p(gen_statem:call(S, push)), gen_statem:cast(S, push), p(gen_statem:call(S, count)), p(gen_statem:stop(S)).
init([]) -> {ok, off, 0}.
callback_mode() -> state_functions.
off({call, From}, push, N) -> {next_state, on, N + 1, [{reply, From, on}]};
off(cast, push, N) -> {next_state, on, N + 1};
off({call, From}, count, N) -> {keep_state, N, [{reply, From, {off, N}}]}.
on({call, From}, push, N) -> {next_state, off, N, [{reply, From, off}]};
on(cast, push, N) -> {next_state, off, N};
on({call, From}, count, N) -> {keep_state_and_data, [{reply, From, {on, N}}]}.
terminate(R, S, N) -> io:format("terminate ~w ~w ~w~n", [R, S, N]).
p(X) -> io:format("~w~n", [X]).
