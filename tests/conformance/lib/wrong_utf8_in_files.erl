%% Bytes that are no characters, in a file of UTF-8: each way to read ends the file.
-module(wrong_utf8_in_files).
-export([main/0]).
p(X) -> io:format("~tp~n", [X]).
main() ->
    F = "bu.txt",
    Texts = [<<"ok line\n", 255, "bad\nmore\n">>, <<"ab", 255, "cd\nnext\n">>, <<"tail", 16#C3>>, <<"{a, 1}.\n{b, ", 255, "}.\n">>, <<"'smile ", 16#1F600/utf8, "'\nz\n">>, <<16#C3>>, <<"x\r\ny\r\n", 16#E2, 16#82, "\n">>, <<>>],
    [[run(F, Text, Modes, Name, Ask) || Modes <- [[], [binary]], {Name, Ask} <- asks()] || Text <- Texts],
    file:delete(F).
run(F, Text, Modes, Name, Ask) ->
    ok = file:write_file(F, Text),
    {ok, G} = file:open(F, [read, {encoding, utf8} | Modes]),
    M = monitor(process, G),
    p({Text, Modes, Name, [catch Ask(G) || _ <- [1, 2, 3, 4]], file:close(G)}),
    receive {'DOWN', M, _, _, _} -> ok after 1000 -> p(lives) end.
asks() ->
    [{line, fun(G) -> io:get_line(G, "") end}, {chars, fun(G) -> io:get_chars(G, "", 3) end}, {chars9, fun(G) -> io:get_chars(G, "", 9) end}, {chars0, fun(G) -> io:get_chars(G, "", 0) end},
     {read_line, fun(G) -> file:read_line(G) end}, {read, fun(G) -> file:read(G, 3) end}, {term, fun(G) -> io:read(G, "") end}, {exprs, fun(G) -> io:parse_erl_exprs(G, "") end}, {fread, fun(G) -> io:fread(G, "", "~s") end}].
