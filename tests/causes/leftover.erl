%% A cleaner removes temporary files. What is written after that is of other sorts.
%% Cause: the cleaner read the table (line 23) before the writer wrote key {tmp,draft} (line 19).
-module(leftover).
-export([main/0]).

main() ->
    files = ets:new(files, [named_table, public]),
    Main = self(),
    Writer = spawn_link(fun() -> writer(Main) end),
    Cleaner = spawn_link(fun() -> cleaner(Main) end),
    Writer ! {write, {tmp, draft}},
    Cleaner ! clean,
    [receive {done, Pid} -> ok end || Pid <- [Writer, Cleaner]],
    [Writer ! {write, {doc, N}} || N <- [1, 2]],
    [receive {done, Writer} -> ok end || _ <- [1, 2]],
    [] = [File || {{tmp, _} = File} <- ets:tab2list(files)].

writer(Main) ->
    receive {write, File} -> ets:insert(files, {File}), Main ! {done, self()} end,
    writer(Main).

cleaner(Main) ->
    receive clean -> [ets:delete(files, File) || {{tmp, _} = File} <- ets:tab2list(files)] end,
    Main ! {done, self()}.
