%% A client asks a server for rates. The call has no reference; the first one times out, and its answer is taken for the answer to the second.
%% Cause: the reply to {rate, eur} came after the client had given up on it, and the client took it for the reply to {rate, usd}.
-module(rates).
-export([main/0]).

main() ->
    Server = spawn_link(fun() -> server(#{eur => 2, usd => 3, gbp => 2}) end),
    2 = call(Server, {rate, gbp}),
    _ = call(Server, {rate, eur}),
    case call(Server, {rate, usd}) of
        3 -> ok;
        Rate -> exit({wrong_rate, usd, Rate})
    end.

call(Server, Request) ->
    Server ! {request, self(), Request},
    receive
        {reply, Value} -> Value
    after 20 -> timeout
    end.

server(Rates) ->
    receive
        {request, From, {rate, Currency}} ->
            refresh(Currency),
            From ! {reply, maps:get(Currency, Rates)},
            server(Rates)
    end.

refresh(eur) -> timer:sleep(30);
refresh(_) -> ok.
