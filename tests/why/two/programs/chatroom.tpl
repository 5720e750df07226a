-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LINES, @N@).

%% A chat room. Users have nicks, may change them, and whisper to each other.
main() ->
    {ok, Room} = gen_server:start_link({local, lobby}, ?MODULE, [], []),
    {ok, Hall} = gen_server:start_link({local, hall}, ?MODULE, [], []),
    Talkers = [talker(Hall, N) || N <- [tim, tom]],
    talk(Talkers),
    Ann = user(Room, ann, fun ann/1),
    Bob = user(Room, bob, fun bob/1),
    [T ! {say, self(), ?LINES} || T <- Talkers],
    [receive {said, T} -> ok end || T <- Talkers],
    receive {finished, Bob} -> ok end,
    talk(Talkers),
    receive {finished, Ann} -> ok end,
    length(gen_server:call(Hall, history)) =:= 6 * ?LINES.

user(Room, Nick, Script) ->
    Main = self(),
    User = spawn_link(fun() ->
        receive go -> ok end,
        Script(Room),
        Main ! {finished, self()}
    end),
    ok = gen_server:call(Room, {join, Nick, User}),
    User ! go,
    User.

ann(Room) ->
    gen_server:cast(Room, {nick, ann, anna}),
    receive
        {whisper, bob, Text} -> io:format("bob whispers ~s~n", [Text])
    end.

bob(Room) ->
    gen_server:cast(Room, {whisper, bob, ann, "the keys are under the mat"}).

talk(Talkers) ->
    [begin
         T ! {say, self(), ?LINES},
         receive {said, T} -> ok end
     end || T <- Talkers].

talker(Hall, Nick) ->
    T = spawn_link(fun() -> talker_loop(Hall, Nick) end),
    ok = gen_server:call(Hall, {join, Nick, T}),
    T.

talker_loop(Hall, Nick) ->
    receive
        {say, From, Lines} ->
            [ok = gen_server:call(Hall, {say, Nick, I}) || I <- lists:seq(1, Lines)],
            From ! {said, self()}
    end,
    talker_loop(Hall, Nick).

init([]) ->
    {ok, {#{}, []}}.

handle_call({join, Nick, Pid}, _From, {Users, History}) ->
    {reply, ok, {Users#{Nick => Pid}, History}};
handle_call({say, Nick, Line}, _From, {Users, History}) ->
    {reply, ok, {Users, [{Nick, Line} | History]}};
handle_call(history, _From, {_, History} = State) ->
    {reply, History, State}.

handle_cast({nick, Old, New}, {Users, History}) ->
    {Pid, Rest} = maps:take(Old, Users),
    {noreply, {Rest#{New => Pid}, History}};
handle_cast({whisper, From, To, Text}, {Users, History}) ->
    case Users of
        #{To := Pid} -> Pid ! {whisper, From, Text};
        #{} -> ok
    end,
    {noreply, {Users, History}}.
