%% A turnstile counts who is inside. A visitor whose ticket is void leaves by another door, so nobody counts him out.
%% Cause: the visitor with the void ticket never says that he has left.
-module(turnstile).
-export([main/0]).

main() ->
    Main = self(),
    Gate = spawn(fun() -> gate(0, []) end),
    Visitors = [spawn(fun() -> Main ! {self(), visit(Gate, Ticket)} end) || Ticket <- [valid, void]],
    [receive {Visitor, _} -> ok end || Visitor <- Visitors],
    visit(Gate, valid).

visit(Gate, Ticket) ->
    Gate ! {enter, self()},
    receive {Gate, welcome} -> ok end,
    look_around(Gate, Ticket).

look_around(Gate, valid) ->
    Gate ! {leave, self()},
    receive {Gate, bye} -> seen end;
look_around(_Gate, void) ->
    thrown_out.

gate(Inside, Queue) ->
    receive
        {enter, Who} when Inside < 1 ->
            Who ! {self(), welcome},
            gate(Inside + 1, Queue);
        {enter, Who} ->
            gate(Inside, Queue ++ [Who]);
        {leave, Who} ->
            Who ! {self(), bye},
            next(Inside - 1, Queue)
    end.

next(Inside, []) -> gate(Inside, []);
next(Inside, [Who | Queue]) ->
    Who ! {self(), welcome},
    gate(Inside + 1, Queue).
