%% As `turnstile`, with a server: a visitor whose pass is void leaves by another door, so nobody counts him out.
%% Cause: the visitor with the void pass calls `leave` never (lines 27 and 28).
-module(void_pass).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    Main = self(),
    {ok, Gate} = gen_server:start(?MODULE, [], []),
    Visitors = [spawn(fun() -> Main ! {self(), visit(Gate, Pass)} end) || Pass <- [valid, void]],
    [receive {Visitor, _} -> ok end || Visitor <- Visitors],
    visit(Gate, valid).

visit(Gate, Pass) ->
    ok = gen_server:call(Gate, enter, infinity),
    show(Gate, self(), Pass).

show(Gate, Me, Pass) ->
    Me ! Pass,
    receive
        valid ->
            ok = gen_server:call(Gate, leave, infinity),
            seen;
        void ->
            %% He has left by the other door.
            Reason = thrown_out,
            {error, Reason}
    end.

init([]) -> {ok, {0, []}}.

handle_call(enter, _From, {0, Queue}) -> {reply, ok, {1, Queue}};
handle_call(enter, From, {N, Queue}) -> {noreply, {N, Queue ++ [From]}};
handle_call(leave, _From, {N, []}) -> {reply, ok, {N - 1, []}};
handle_call(leave, _From, {N, [First | Queue]}) ->
    gen_server:reply(First, ok),
    {reply, ok, {N, Queue}}.

handle_cast(_, State) -> {noreply, State}.
