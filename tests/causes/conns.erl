%% A pool of two connections. A client that cannot parse the answer throws out of the transaction without giving its connection back.
%% Cause: the client of request 2 failed between checkout and checkin and never gave connection c2 back.
-module(conns).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).
-record(pool, {free = [], used = #{}, count = 0}).

main() ->
    {ok, Pool} = gen_server:start_link(?MODULE, [c1, c2], []),
    Me = self(),
    Ask = fun(N, Text) ->
                  spawn(fun() -> Me ! {N, (catch query(Pool, Text))} end),
                  receive {N, R} -> R end
          end,
    Ask(1, "10"), Ask(2, "ten"), Ask(3, "30"), Ask(4, "40"), Ask(5, "50"), Ask(6, "60"), Ask(7, "seventy"), Ask(8, "80"),
    case Ask(9, "90") of
        {ok, 90} -> ok;
        Other -> exit({request_failed, 9, Other})
    end.

query(Pool, Text) ->
    case gen_server:call(Pool, checkout) of
        {ok, C} ->
            N = list_to_integer(Text),
            ok = gen_server:call(Pool, {checkin, C}),
            {ok, N};
        empty -> {error, no_connection}
    end.

init(Conns) -> {ok, #pool{free = Conns}}.
handle_call(checkout, _, #pool{free = []} = P) -> {reply, empty, P};
handle_call(checkout, {Pid, _}, #pool{free = [C | Rest], used = Used, count = N} = P) ->
    {reply, {ok, C}, P#pool{free = Rest, used = Used#{C => Pid}, count = N + 1}};
handle_call({checkin, C}, _, #pool{free = Free, used = Used} = P) ->
    {reply, ok, P#pool{free = [C | Free], used = maps:remove(C, Used)}}.
handle_cast(_, P) -> {noreply, P}.
