%% Two services keep a common journal file, with a line per event.
-module(journal).
-export([main/0]).

-define(FILE_NAME, "journal.txt").

main() ->
    ok = file:write_file(?FILE_NAME, <<>>),
    Scribe = spawn_link(fun scribe/0),
    Ps = [spawn_monitor(fun() -> service(Scribe, S) end) || S <- ["mail", "web"]],
    [receive {'DOWN', R, process, P, Why} -> normal = Why end || {P, R} <- Ps],
    Lines = read_lines(),
    _ = file:delete(?FILE_NAME),
    case length(Lines) of
        4 -> io:format("~p~n", [lists:sort(Lines)]);
        _ -> error({lines_lost, Lines})
    end.

service(Scribe, Name) ->
    note(Scribe, Name, "up"),
    note(Scribe, Name, "down").

note(Scribe, Name, Event) ->
    Ref = make_ref(),
    Scribe ! {note, self(), Ref, iolist_to_binary([Name, $ , Event])},
    receive {Ref, ok} -> ok end.

scribe() ->
    receive
        {note, From, Ref, Line} ->
            ok = write_lines(read_lines() ++ [Line]),
            From ! {Ref, ok},
            scribe()
    end.

read_lines() ->
    {ok, Bin} = file:read_file(?FILE_NAME),
    binary:split(Bin, <<"\n">>, [global, trim]).

write_lines(Lines) ->
    file:write_file(?FILE_NAME, [[L, $\n] || L <- Lines]).
