%% A counter that is started when it is first needed. Two who need it at once both start it.
-module(startrace).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    Parent = self(),
    Users = [spawn_monitor(fun() -> user(Parent, N) end) || N <- [1, 2, 3]],
    Got = [receive {got, Pid, V} -> V; {'DOWN', Ref, process, Pid, Why} when Why =/= normal -> exit({user, Why}) end
           || {Pid, Ref} <- Users],
    [1, 2, 3] = lists:sort(Got),
    io:format("counted~n").

user(Parent, N) ->
    timer:sleep((N + 1) div 2),
    Server = counter(),
    Parent ! {got, self(), gen_server:call(Server, next)}.

counter() ->
    case whereis(the_counter) of
        undefined ->
            erlang:yield(),
            undefined = whereis(the_other_counter),
            {ok, Pid} = gen_server:start({local, the_counter}, ?MODULE, [], []),
            Pid;
        Pid -> Pid
    end.

init([]) -> {ok, 0}.

handle_call(next, _From, N) -> {reply, N + 1, N + 1}.

handle_cast(_, N) -> {noreply, N}.
