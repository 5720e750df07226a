-module(files_tour).
-export([main/0]).
-include_lib("kernel/include/file.hrl").
main() ->
    D = "tmp_p20", file:del_dir_r(D), ok = file:make_dir(D), F = filename:join(D, "a.txt"),
    ok = file:write_file(F, ["line one\n", <<"line two\n">>, "third ", $x, "\n"]),
    {ok, B} = file:read_file(F), io:format("~p~n", [B]),
    {ok, H} = file:open(F, [read]), io:format("~p ~p~n", [io:get_line(H, ""), io:get_line(H, '')]), io:format("~p ~p~n", [file:read_line(H), file:read_line(H)]), file:close(H),
    {ok, H2} = file:open(F, [append, {encoding, utf8}]), io:format(H2, "~ts ~p~n", ["\x{3bb}", {a, 1}]), io:put_chars(H2, "end"), file:close(H2),
    {ok, H3} = file:open(F, [read, binary, {encoding, utf8}]), io:format("~tp~n", [read_all(H3, [])]), file:close(H3),
    {ok, I} = file:read_file_info(F), io:format("~p ~p ~p~n", [I#file_info.size, I#file_info.type, I#file_info.access]),
    io:format("~p~n", [file:read_file("nope.txt")]), io:format("~p~n", [file:open("no/such", [write])]), io:format("~s~n", [file:format_error(enoent)]),
    ok = file:write_file(filename:join(D, "t.config"), "{a, 1}.\n{b, [\"x\", <<\"y\">>]}.\n%% comment\nc.\n"), io:format("~p~n", [file:consult(filename:join(D, "t.config"))]),
    ok = file:write_file(filename:join(D, "bad.config"), "{a, 1.\n"), io:format("~p~n", [file:consult(filename:join(D, "bad.config"))]),
    ok = file:copy(F, filename:join(D, "b.txt")) =:= ok orelse ok, io:format("~p~n", [lists:sort(element(2, file:list_dir(D)))]),
    ok = file:rename(filename:join(D, "b.txt"), filename:join(D, "c.txt")), io:format("~p ~p~n", [filelib:is_file(filename:join(D, "b.txt")), filelib:is_regular(filename:join(D, "c.txt"))]),
    io:format("~p~n", [lists:sort(filelib:wildcard("*.txt", D))]), io:format("~p~n", [filelib:fold_files(D, "\\.txt$", true, fun(X, A) -> [filename:basename(X) | A] end, []) -- []]),
    {ok, R} = file:open(F, [read, write, raw, binary]), io:format("~p~n", [file:pread(R, 5, 3)]), ok = file:pwrite(R, 0, <<"LINE">>), {ok, 0} = file:position(R, bof), io:format("~p ~p~n", [file:read(R, 8), file:position(R, cur)]), file:truncate(R), file:close(R), io:format("~p~n", [file:read_file(F)]),
    io:format("~p~n", [file:delete("nope")]), io:format("~p~n", [filelib:file_size(F)]), ok = filelib:ensure_dir(filename:join([D, "x", "y", "z"])), io:format("~p~n", [filelib:is_dir(filename:join([D, "x", "y"]))]),
    T = ets:new(t, []), ets:insert(T, [{1, a}, {2, b}]),
    ok = file:write_file(filename:join(D, "term"), term_to_binary({T, [1]}, [compressed])), {ok, Bt} = file:read_file(filename:join(D, "term")), io:format("~p~n", [element(2, binary_to_term(Bt))]),
    Rows = [csv(L) || L <- string:split("name,age\n\"Smith, J\",42\n\"say \"\"hi\"\"\",7", "\n", all)], io:format("~p~n", [Rows]),
    file:del_dir_r(D), io:format("~p~n", [filelib:is_dir(D)]), io:format("~p~n", [file:list_dir(D)]), io:format("~p~n", [catch file:open(<<0>>, [read])]), io:format("~p~n", [file:get_cwd() =:= file:get_cwd()]),
    io:format("~p~n", [io:setopts([{encoding, unicode}])]), io:format("~p~n", [io:get_line("prompt> ")]), io:format("~p~n", [io:fread("", "~d")]), io:format("~p~n", [io:read("")]).
read_all(H, A) -> case io:get_line(H, "") of eof -> lists:reverse(A); L -> read_all(H, [L | A]) end.
csv(L) -> csv(L, [], []).
csv([], F, Acc) -> lists:reverse([lists:reverse(F) | Acc]);
csv([$, | T], F, Acc) -> csv(T, [], [lists:reverse(F) | Acc]);
csv([$" | T], [], Acc) -> q(T, [], Acc);
csv([C | T], F, Acc) -> csv(T, [C | F], Acc).
q([$", $" | T], F, Acc) -> q(T, [$" | F], Acc);
q([$" | T], F, Acc) -> csv(T, F, Acc);
q([C | T], F, Acc) -> q(T, [C | F], Acc).
