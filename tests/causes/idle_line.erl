%% A switchboard opens lines; a line hangs up by itself after a while without words.
%% Cause: the line hung up (its timeout in handle_info) at the time of the second talk, and the switchboard still gave it away.
-module(idle_line).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Board} = gen_server:start_link(?MODULE, board, []),
    heard = talk(Board),
    timer:sleep(20),
    heard = talk(Board),
    ok.

talk(Board) ->
    Line = gen_server:call(Board, line),
    gen_server:call(Line, word).

init(board) -> {ok, none};
init(line) -> {ok, line}.

handle_call(line, _, none) ->
    {ok, Line} = gen_server:start(?MODULE, line, []),
    {reply, Line, {Line, monitor(process, Line)}};
handle_call(line, _, {Line, _} = State) ->
    {reply, Line, State};
handle_call(word, _, line) ->
    {reply, heard, line, 20}.

handle_cast(_, State) -> {noreply, State}.

handle_info(timeout, line) ->
    {stop, normal, line};
handle_info({'DOWN', Gone, process, Line, _}, {Line, Gone}) ->
    {noreply, none}.
