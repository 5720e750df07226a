%% A raw file is of the process that has opened it; the process of a file that is only written does not know how to read a line.
-module(raw_owner).
-export([main/0]).

main() ->
    Name = "raw_owner.tmp",
    {ok, File} = file:open(Name, [raw, write, read]),
    ok = file:write(File, "abc"),
    Me = self(),
    Tries = [fun() -> file:write(File, "d") end, fun() -> file:position(File, bof) end, fun() -> file:read(File, 1) end, fun() -> file:close(File) end],
    _ = spawn(fun() -> Me ! {tried, [try Try() catch error:Why -> {raised, Why} end || Try <- Tries]} end),
    io:format("~p~n", [receive {tried, Results} -> Results end]),
    io:format("~p~n", [file:write(File, "e")]),
    ok = file:close(File),
    io:format("~p ~p~n", [file:read_file(Name), file:close(File)]),
    logger:set_primary_config(level, none),
    [only_written(Name, Read) || Read <- [fun(F) -> io:get_line(F, '') end, fun file:read_line/1, fun(F) -> io:get_chars(F, '', 2) end, fun(F) -> file:read(F, 2) end]],
    ok = file:delete(Name).

only_written(Name, Read) ->
    {ok, File} = file:open(Name, [write]),
    Monitor = monitor(process, File),
    io:format("~p ", [Read(File)]),
    receive {'DOWN', Monitor, process, File, {Why, _}} -> io:format("~p ~p~n", [element(1, Why), element(2, element(2, Why))]);
            {'DOWN', Monitor, process, File, _} -> io:format("ended~n")
    end.
