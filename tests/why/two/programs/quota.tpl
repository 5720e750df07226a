-module(@M@).
-behaviour(supervisor).
-export([main/0, start_limiter/0, start_audit/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(CALLS, @N@).

%% A rate limiter under a supervisor: clients get a number of calls in a window.
main() ->
    {ok, Sup} = supervisor:start_link({local, quota_sup}, ?MODULE, sup),
    batch(?CALLS),
    Me = self(),
    [spawn_link(fun() -> batch(?CALLS), Me ! {batch, B} end) || B <- [1, 2]],
    spawn_link(fun() -> configure(), Me ! configured end),
    spawn_link(fun() -> announce(mobile, 2), Me ! announced end),
    receive configured -> ok end,
    receive announced -> ok end,
    [receive {batch, B} -> ok end || B <- [1, 2]],
    batch(?CALLS),
    {entries, Entries} = gen_server:call(audit, entries),
    Entries = 4 * ?CALLS,
    Answer = ask({take, mobile}),
    exit(Sup, normal),
    case Answer of
        {ok, 1} -> ok;
        _ -> error({mobile_refused, Answer})
    end.

%% The admin sets the window in seconds, from a form.
configure() ->
    try gen_server:call(limiter, {window, "60"})
    catch exit:_ -> rejected
    end.

announce(Client, Max) ->
    ok = ask({register, Client, Max}).

%% The limiter may just be restarting.
ask(Request) ->
    try gen_server:call(limiter, Request)
    catch
        exit:{noproc, _} -> timer:sleep(5), ask(Request);
        exit:{{badarith, _}, _} -> timer:sleep(5), ask(Request)
    end.

batch(Calls) ->
    [gen_server:cast(audit, {entry, C, self()}) || C <- lists:seq(1, Calls)],
    gen_server:call(audit, entries).

start_limiter() ->
    gen_server:start_link({local, limiter}, ?MODULE, limiter, []).

start_audit() ->
    gen_server:start_link({local, audit}, ?MODULE, audit, []).

init(sup) ->
    {ok, {#{strategy => one_for_one, intensity => 3, period => 10},
          [#{id => limiter, start => {?MODULE, start_limiter, []}},
           #{id => audit, start => {?MODULE, start_audit, []}}]}};
init(limiter) ->
    {ok, #{window => 1000, clients => #{}}};
init(audit) ->
    {ok, []}.

handle_call({window, Seconds}, _From, Limiter) ->
    {reply, ok, Limiter#{window := Seconds * 1000}};
handle_call({register, Client, Max}, _From, #{clients := Clients} = Limiter) ->
    {reply, ok, Limiter#{clients := Clients#{Client => Max}}};
handle_call({take, Client}, _From, #{clients := Clients} = Limiter) ->
    case Clients of
        #{Client := Left} when Left > 0 ->
            {reply, {ok, Left - 1}, Limiter#{clients := Clients#{Client := Left - 1}}};
        #{Client := _} ->
            {reply, {error, limited}, Limiter};
        #{} ->
            {reply, {error, unknown_client}, Limiter}
    end;
handle_call(entries, _From, Log) ->
    {reply, {entries, length(Log)}, Log}.

handle_cast({entry, N, From}, Log) ->
    {noreply, [{N, From} | Log]}.
