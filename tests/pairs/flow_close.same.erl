%% flow #76: a stream is closed while its short producers end by themselves.
-module(flow_close).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    Got = take(3, [[1, 2], [3, 4], [5]]),
    3 = length(Got),
    io:format("took ~p items~n", [length(Got)]).

take(N, Lists) ->
    Subs = [subscribe(L) || L <- Lists],
    try collect(N, Subs, [])
    after close_stream(Subs)
    end.

subscribe(List) ->
    {ok, P} = gen_server:start(?MODULE, {self(), List}, []),
    Ref = monitor(process, P),
    gen_server:cast(P, {demand, Ref, 2}),
    {P, Ref}.

collect(0, _Subs, Acc) ->
    lists:reverse(Acc);
collect(N, Subs, Acc) ->
    receive
        {item, Ref, X} ->
            true = lists:keymember(Ref, 2, Subs),
            collect(N - 1, Subs, [X | Acc])
    end.

close_stream(Subs) ->
    [cancel(P, Ref) || {P, Ref} <- Subs].

cancel(P, Ref) ->
    is_process_alive(P) andalso gen_server:call(P, cancel),
    demonitor(Ref, [flush]).

init({Consumer, List}) -> {ok, {Consumer, List}}.

handle_cast({demand, _Ref, 0}, S) ->
    {noreply, S};
handle_cast({demand, _Ref, _N}, {_, []} = S) ->
    {stop, normal, S};
handle_cast({demand, Ref, N}, {C, [X | Xs]}) ->
    C ! {item, Ref, X},
    gen_server:cast(self(), {demand, Ref, N - 1}),
    {noreply, {C, Xs}}.

handle_call(cancel, _From, S) -> {stop, normal, ok, S}.
