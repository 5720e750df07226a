%% A parcel has an address until it is held back. When the office closes, each parcel's address is written down.
%% Cause: `hold/1` removes the address (line 33) on which `close/1` insists (line 35). Not a race.
-module(no_address).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, A} = gen_server:start(?MODULE, here, []),
    {ok, B} = gen_server:start(?MODULE, there, []),
    Watch = monitor(process, A),
    gen_server:cast(B, weigh),
    gen_server:cast(A, weigh),
    gen_server:cast(A, hold),
    gen_server:cast(A, weigh),
    gen_server:cast(B, close),
    gen_server:cast(A, close),
    receive {'DOWN', Watch, process, A, Why} -> normal = Why end.

init(Address) -> {ok, #{address => Address, weighed => 0}}.

handle_call(_, _From, Parcel) -> {reply, ok, Parcel}.

handle_cast(weigh, Parcel = #{weighed := N}) ->
    {noreply, Parcel#{weighed := N + 1}};
handle_cast(hold, Parcel) ->
    {noreply, hold(Parcel)};
handle_cast(close, Parcel) ->
    close(Parcel),
    {stop, normal, Parcel}.

hold(Parcel) ->
    %% It goes back to the sender.
    maps:remove(address, Parcel).

close(#{address := Address}) -> Address.
