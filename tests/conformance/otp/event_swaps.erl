%% gen_event: where a handler stands that takes another one's place, and the frame of an init/1 that fails.
-module(event_swaps).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2]).

main() ->
    logger:set_primary_config(level, none),
    {ok, P} = gen_event:start(),
    [gen_event:add_handler(P, {?MODULE, Id}, Id) || Id <- [a, b, c, d]],
    show(P),
    swapped = gen_event:call(P, {?MODULE, b}, swap),
    show(P),
    gen_event:sync_notify(P, {swap, c}),
    show(P),
    gen_event:sync_notify(P, hello),
    P ! hi,
    ok = gen_event:swap_handler(P, {{?MODULE, a}, bye}, {{?MODULE, new}, x}),
    show(P),
    {'EXIT', {boom, [{_, init, 1, _} = First, {M, F, A, _} | _]}} = gen_event:add_handler(P, {?MODULE, e}, fail),
    io:format("~p ~p~n", [element(2, First), {M, F, A}]),
    swapped = gen_event:call(P, {?MODULE, d}, swap_badly),
    show(P),
    gen_event:stop(P).

show(P) -> io:format("~p~n", [gen_event:which_handlers(P)]).

init({Args, Before}) -> {ok, {Args, Before}};
init(fail) -> error(boom);
init(refused) -> {error, refused};
init(Id) -> {ok, Id}.

handle_event({swap, Id}, Id) -> {swap_handler, out, Id, {?MODULE, {event, Id}}, new};
handle_event(E, S) -> io:format("~p: ~p~n", [S, E]), {ok, S}.

handle_call(swap, S) -> {swap_handler, swapped, out, S, {?MODULE, {call, S}}, new};
handle_call(swap_badly, S) -> {swap_handler, swapped, out, S, {nomod, S}, new}.

handle_info(I, S) -> io:format("~p: ~p~n", [S, I]), {ok, S}.
