%% Two services keep a common journal file, with a line per event.
-module(journal).
-export([main/0]).

-define(FILE_NAME, "journal.txt").

main() ->
    ok = file:write_file(?FILE_NAME, <<>>),
    Ps = [spawn_monitor(fun() -> service(S) end) || S <- ["mail", "web"]],
    [receive {'DOWN', R, process, P, Why} -> normal = Why end || {P, R} <- Ps],
    Lines = read_lines(),
    _ = file:delete(?FILE_NAME),
    case length(Lines) of
        4 -> io:format("~p~n", [lists:sort(Lines)]);
        _ -> error({lines_lost, Lines})
    end.

service(Name) ->
    note(Name, "up"),
    note(Name, "down").

note(Name, Event) ->
    Line = iolist_to_binary([Name, $ , Event]),
    Lines = read_lines(),
    ok = write_lines(Lines ++ [Line]).

read_lines() ->
    {ok, Bin} = file:read_file(?FILE_NAME),
    binary:split(Bin, <<"\n">>, [global, trim]).

write_lines(Lines) ->
    file:write_file(?FILE_NAME, [[L, $\n] || L <- Lines]).
