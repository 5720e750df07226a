%% Web sessions that expire: each access renews the timer of the session.
-module(sessions).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/0, login/1, touch/1, audit/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(TTL, 30).

main() ->
    {ok, _} = start_link(),
    Users = [spawn_monitor(fun() -> browse(U, D) end) || {U, D} <- [{kim, 10}, {lee, 14}]],
    Audit = spawn_link(fun() -> auditor(6) end),
    [receive {'DOWN', R, process, P, Why} -> normal = Why end || {P, R} <- Users],
    unlink(Audit),
    exit(Audit, kill),
    io:format("nobody was thrown out~n").

browse(User, Delay) ->
    ok = login(User),
    [begin
         <<J>> = crypto:strong_rand_bytes(1),
         timer:sleep(Delay + J rem 15),
         ok = touch(User)
     end || _ <- lists:seq(1, 4)].

auditor(Every) ->
    timer:sleep(Every),
    _ = audit(3),
    auditor(Every).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
login(U) -> gen_server:call(?MODULE, {login, U}).
touch(U) -> gen_server:call(?MODULE, {touch, U}).
audit(Ms) -> gen_server:call(?MODULE, {audit, Ms}).

init([]) -> {ok, #{}}.

handle_call({login, U}, _From, S) ->
    {reply, ok, S#{U => spawn_monitor(fun session/0)}};
handle_call({touch, U}, From, S) ->
    case S of
        #{U := {Pid, _}} ->
            Pid ! {touch, From},
            {noreply, S};
        #{} ->
            {reply, {error, expired}, S}
    end;
handle_call({audit, Ms}, _From, S) ->
    timer:sleep(Ms),                            % writes a report
    {reply, maps:size(S), S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({'DOWN', _, process, Pid, _}, S) ->
    {noreply, maps:filter(fun(_, {P, _}) -> P =/= Pid end, S)}.

session() ->
    receive
        {touch, From} ->
            gen_server:reply(From, ok),
            session()
    after ?TTL + 10 ->
        ok
    end.
