%% file:read_file/2 and erl_prim_loader:read_file/1.
-module(reading_files).
-export([main/0]).

main() ->
    Name = "reading_files.tmp",
    ok = file:write_file(Name, <<"some\ntext\n">>),
    [io:format("~p ~p~n", [{File, Options}, try file:read_file(File, Options) catch error:Reason -> Reason end])
     || File <- [Name, list_to_binary(Name), reading_files, "none.tmp", ".", 1, [a, $b]], Options <- [[], [raw], [other], raw]],
    io:format("~p ~p~n", [erl_prim_loader:read_file(Name), erl_prim_loader:read_file("none.tmp")]),
    ok = file:delete(Name).
