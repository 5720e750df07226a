%% with: bank_sup.erl ledger_h.erl
%% A bank: gen_server accounts under a simple_one_for_one supervisor, a ledger with gen_event, crashes and restarts.
-module(bank_app).
-behaviour(gen_server).
-export([main/0, start_link/2, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, handle_continue/2]).
-record(acc, {owner, balance = 0, history = [], limit = infinity}).

main() ->
    process_flag(trap_exit, true),
    {ok, Sup} = bank_sup:start_link(),
    {ok, Ev} = gen_event:start_link({local, ledger}),
    ok = gen_event:add_handler(ledger, ledger_h, [console]),
    [{ok, _} = supervisor:start_child(Sup, [N, #{balance => B}]) || {N, B} <- [{alice, 100}, {bob, 50}, {carol, 0}]],
    io:format("~p~n", [lists:sort(supervisor:count_children(Sup))]),
    io:format("~p~n", [[balance(N) || N <- [alice, bob, carol]]]),
    io:format("~p~n", [transfer(alice, bob, 30)]),
    io:format("~p~n", [transfer(alice, bob, 300)]),
    io:format("~p~n", [transfer(alice, dave, 1)]),
    gen_server:cast(alice, {deposit}),
    timer:sleep(400),
    io:format("restarted ~p ~p~n", [is_pid(whereis(alice)), balance(alice)]),
    gen_server:cast(bob, {deposit, 5}),
    bob ! {interest, 10},
    bob ! garbage,
    io:format("~p~n", [balance(bob)]),
    io:format("~p~n", [gen_server:call(bob, history)]),
    R = try gen_server:call(bob, sleep, 50) catch exit:{timeout, {gen_server, call, [bob, sleep, 50]}} -> timed_out end,
    io:format("~p~n", [R]),
    receive {_Ref, late} -> io:format("late answer~n") after 500 -> io:format("no late answer~n") end,
    io:format("~p~n", [gen_event:call(ledger, ledger_h, total)]),
    io:format("~p~n", [gen_event:delete_handler(ledger, ledger_h, done)]),
    gen_event:stop(Ev),
    io:format("~p~n", [sys:get_state(carol)]),
    sys:replace_state(carol, fun(S) -> setelement(3, S, 7) end),
    io:format("~p~n", [balance(carol)]),
    exit(whereis(carol), kill),
    timer:sleep(400),
    io:format("carol ~p~n", [balance(carol)]),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, Why} -> io:format("sup ended ~p~n", [Why]) end,
    io:format("~p~n", [[whereis(N) || N <- [alice, bob, carol]]]),
    io:format("~p~n", [catch balance(alice)]).

transfer(From, To, N) ->
    case whereis(To) of
        undefined -> {error, {no_account, To}};
        _ ->
            case gen_server:call(From, {withdraw, N}) of
                ok -> gen_server:cast(To, {deposit, N}), gen_event:notify(ledger, {transfer, From, To, N}), ok;
                Error -> Error
            end
    end.
balance(N) -> gen_server:call(N, balance).

start_link(Name, Opts) -> gen_server:start_link({local, Name}, ?MODULE, {Name, Opts}, []).
init({Name, Opts}) -> process_flag(trap_exit, true), {ok, #acc{owner = Name}, {continue, Opts}}.
handle_continue(#{balance := B}, S) -> {noreply, S#acc{balance = B}};
handle_continue(_, S) -> {noreply, S}.
handle_call(balance, _, S) -> {reply, S#acc.balance, S};
handle_call(history, _, S) -> {reply, S#acc.history, S};
handle_call(sleep, From, S) -> timer:sleep(100), gen_server:reply(From, late), {noreply, S};
handle_call({withdraw, N}, _, #acc{balance = B} = S) when is_integer(N), N =< B -> {reply, ok, log({out, N}, S#acc{balance = B - N})};
handle_call({withdraw, N}, _, #acc{balance = B} = S) when is_integer(N) -> {reply, {error, {insufficient, B}}, S}.
handle_cast({deposit, N}, S) -> {noreply, log({in, N}, S#acc{balance = S#acc.balance + N})}.
handle_info({interest, P}, #acc{balance = B} = S) -> {noreply, log({interest, P}, S#acc{balance = B + B * P div 100})};
handle_info(Other, S) -> {noreply, log({unknown, Other}, S)}.
terminate(Reason, #acc{owner = O}) -> io:format("~p ends: ~p~n", [O, case Reason of {R, [{M, F, _, _} | _]} -> {R, M, F}; _ -> Reason end]).
log(E, S) -> S#acc{history = [E | S#acc.history]}.
