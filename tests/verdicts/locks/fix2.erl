%% A lock server; a job asks for all its locks at once.
-module(locks).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, _} = gen_server:start_link({local, locks}, ?MODULE, [], []),
    Me = self(),
    Jobs = [{printer, scanner}, {scanner, printer}, {printer, disk}],
    [spawn_link(fun() -> copy(A, B), Me ! {done, A, B} end) || {A, B} <- Jobs],
    [receive {done, A, B} -> ok end || {A, B} <- Jobs],
    io:format("all copied~n"),
    gen_server:stop(locks).

copy(A, B) ->
    ok = gen_server:call(locks, {acquire, [A, B]}, infinity),
    gen_server:call(locks, {release, [A, B]}).

init([]) -> {ok, {[], []}}.

handle_call({acquire, Rs}, From, {Held, Queue}) ->
    {noreply, serve(Held, Queue ++ [{From, Rs}], [])};
handle_call({release, Rs}, _, {Held, Queue}) ->
    {reply, ok, serve(Held -- Rs, Queue, [])}.

serve(Held, [], Left) -> {Held, lists:reverse(Left)};
serve(Held, [{From, Rs} = Q | Queue], Left) ->
    case Rs -- (Rs -- Held) of
        [] -> gen_server:reply(From, ok), serve(Rs ++ Held, Queue, Left);
        _ -> serve(Held, Queue, [Q | Left])
    end.

handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
