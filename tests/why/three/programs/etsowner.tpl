%% After lambdaclass/throttle #25: the owner of the table crashes and is restarted; a client counts in between.
-module(@MOD@).
-behaviour(gen_server).
-behaviour(supervisor).
-export([main/0, start/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    logger:set_primary_config(level, none),
    {ok, _Sup} = supervisor:start_link(?MODULE, top),
    Self = self(),
    {Admin, _} = spawn_monitor(fun() -> calls(Self, admin, @LOAD@ div 3), set_rate(api, none) end),
    {Web, R2} = spawn_monitor(fun() -> calls(Self, web, @LOAD@) end),
    {Api, R3} = spawn_monitor(fun() -> calls(Self, api, @LOAD@) end),
    [receive {'DOWN', R, process, P, normal} -> ok; {'DOWN', R, process, P, Why} -> exit({client, Why}) end
     || {P, R} <- [{Web, R2}, {Api, R3}]],
    true = is_pid(Admin),
    ok.

calls(_, _, 0) -> ok;
calls(Main, Who, N) ->
    allowed = check(Who),
    case N rem 5 of 0 -> report(Who, N); _ -> ok end,
    calls(Main, Who, N - 1).

check(Who) ->
    case ets:update_counter(rates, Who, 1, {Who, 0}) of
        N when N < 1000000 -> allowed;
        _ -> limited
    end.

report(Who, N) -> gen_server:cast(limiter, {report, Who, N}).
set_rate(Who, Rate) -> gen_server:cast(limiter, {rate, Who, Rate}).

start() -> gen_server:start_link({local, limiter}, ?MODULE, limiter, []).

init(top) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 5}, [#{id => limiter, start => {?MODULE, start, []}}]}};
init(limiter) ->
    rates = ets:new(rates, [named_table, public]),
    {ok, #{reports => 0}}.

handle_call(reports, _, #{reports := N} = S) -> {reply, N, S}.

handle_cast({report, _, _}, #{reports := N} = S) -> {noreply, S#{reports := N + 1}};
handle_cast({rate, Who, Rate}, S) -> {noreply, S#{Who => Rate * 60}}.
