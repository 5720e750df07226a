%% gen_event with two handlers.
-module(events).
-export([main/0]).

-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).
main() ->
    {ok, E} = gen_event:start_link(), p(gen_event:add_handler(E, ?MODULE, [one])), p(gen_event:add_handler(E, {?MODULE, b}, [two])), p(gen_event:sync_notify(E, hello)), p(gen_event:call(E, ?MODULE, get)), p(gen_event:which_handlers(E)), p(gen_event:delete_handler(E, ?MODULE, bye)), p(gen_event:notify(E, again)), p(gen_event:call(E, {?MODULE, b}, get)), p(gen_event:stop(E)).
init([N]) -> {ok, {N, []}}.
handle_event(X, {N, L}) -> io:format("~w ~w~n", [N, X]), {ok, {N, [X | L]}}.
handle_call(get, {N, L}) -> {ok, {N, L}, {N, L}}.
handle_info(_, S) -> {ok, S}.
terminate(R, {N, _}) -> io:format("~w terminates: ~w~n", [N, R]), R.
p(X) -> io:format("~w~n", [X]).
