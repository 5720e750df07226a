%% The end of a process that supervises a handler is told to the other handlers as well.
-module(event_exits).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    {ok, Manager} = gen_event:start(),
    ok = gen_event:add_handler(Manager, {?MODULE, stays}, [stays, self()]),
    Main = self(),
    Pid = spawn(fun() ->
        ok = gen_event:add_sup_handler(Manager, {?MODULE, goes}, [goes, Main]),
        Main ! added,
        receive stop -> exit(done) end
    end),
    receive added -> ok end,
    Pid ! stop,
    [receive {Name, What} -> io:format("~p ~p~n", [Name, What]) end || _ <- [1, 2]],
    io:format("~p~n", [gen_event:which_handlers(Manager)]),
    gen_event:stop(Manager).

init([Name, Main]) -> {ok, {Name, Main}}.
handle_event(_, State) -> {ok, State}.
handle_call(_, State) -> {ok, ok, State}.
handle_info({'EXIT', _, Reason}, {Name, Main} = State) ->
    Main ! {Name, {exited, Reason}},
    {ok, State}.
terminate({stop, Reason}, {Name, Main}) -> Main ! {Name, {terminated, Reason}};
terminate(Reason, {Name, _}) -> io:format("~p ~p~n", [Name, Reason]).
