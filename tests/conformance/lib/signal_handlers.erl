%% Handlers for signals of the operating system, as Elixir adds them.
-module(signal_handlers).
-export([main/0, init/1, handle_event/2, handle_call/2, terminate/2]).

main() ->
    io:format("~p~n", [gen_event:which_handlers(erl_signal_server)]),
    io:format("~p~n", [os:set_signal(sigusr2, handle)]),
    io:format("~p~n", [gen_event:add_handler(erl_signal_server, {?MODULE, one}, state)]),
    io:format("~p~n", [gen_event:add_handler(erl_signal_server, {?MODULE, one}, state)]),
    io:format("~p~n", [gen_event:add_handler(erl_signal_server, ?MODULE, other)]),
    io:format("~p~n", [gen_event:which_handlers(erl_signal_server)]),
    io:format("~p~n", [gen_event:delete_handler(erl_signal_server, {?MODULE, one}, why)]),
    io:format("~p~n", [gen_event:delete_handler(erl_signal_server, {?MODULE, one}, why)]),
    io:format("~p~n", [gen_event:add_handler(erl_signal_server, {?MODULE, two}, refuse)]),
    io:format("~p~n", [gen_event:which_handlers(erl_signal_server)]),
    io:format("~p~n", [{init:get_argument(noshell), lists:keyfind(noshell, 1, init:get_arguments())}]).

init(refuse) -> {error, refused};
init(Args) -> {ok, Args}.
handle_event(_, State) -> {ok, State}.
handle_call(_, State) -> {ok, ok, State}.
terminate(Args, State) -> {gone, Args, State}.
