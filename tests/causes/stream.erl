%% Cause: the stage waited for the disk, which had three other writes of 40 ms before it: its own is done 9 ms too late.
-module(stream).
-behaviour(gen_statem).
-export([main/0]).
-export([init/1, callback_mode/0, handle_event/4]).
-define(CHUNKS, 1).

%% A stage with back-pressure: a producer may send only what the stage has asked for.
main() ->
    {ok, Disk} = gen_statem:start_link({local, disk}, ?MODULE, {disk, 40}, []),
    {ok, Stage} = gen_statem:start_link({local, stage}, ?MODULE, {stage, Disk}, []),
    {ok, Fast} = gen_statem:start_link({local, memory}, ?MODULE, {disk, 0}, []),
    pump(Fast, ?CHUNKS),
    Me = self(),
    [spawn_link(fun() -> pump(Fast, ?CHUNKS), Me ! {pumped, I} end) || I <- [1, 2]],
    [spawn_link(fun() -> ok = write(Disk, C), Me ! {archived, C} end) || C <- [a, b, c]],
    {_, Producer} = spawn_monitor(fun() -> timer:sleep(1), produce(Stage, [x, y]) end),
    Result = receive {'DOWN', Producer, process, _, Reason} -> Reason end,
    [receive {archived, C} -> ok end || C <- [a, b, c]],
    [receive {pumped, I} -> ok end || I <- [1, 2]],
    pump(Fast, ?CHUNKS),
    case Result of
        normal -> ok;
        _ -> error({stream_broken, Result})
    end.

produce(_Stage, []) ->
    ok;
produce(Stage, [Chunk | Chunks]) ->
    gen_statem:cast(Stage, {chunk, self(), Chunk}),
    receive
        {demand, _N} -> produce(Stage, Chunks)
    after 150 ->
        exit({no_demand, Chunk})
    end.

write(Disk, Chunk) ->
    gen_statem:call(Disk, {write, Chunk}).

pump(Disk, Chunks) ->
    [ok = write(Disk, C) || C <- lists:seq(1, Chunks)].

callback_mode() ->
    handle_event_function.

init({disk, Ms}) ->
    {ok, ready, {Ms, 0}};
init({stage, Disk}) ->
    {ok, asking, Disk}.

handle_event({call, From}, {write, _Chunk}, ready, {Ms, Written}) ->
    seek(Ms),
    {keep_state, {Ms, Written + 1}, {reply, From, ok}};
handle_event(cast, {chunk, From, Chunk}, asking, Disk) ->
    ok = write(Disk, Chunk),
    From ! {demand, 1},
    keep_state_and_data.

seek(0) -> ok;
seek(Ms) -> timer:sleep(Ms).
