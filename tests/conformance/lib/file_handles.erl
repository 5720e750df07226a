-module(file_handles).
-export([main/0]).
%% An open file is not its name: it is removed, renamed, and opened twice.

p(T) -> io:format("~p~n", [T]).

main() ->
    Dir = "file_handles_" ++ os:getpid(),
    ok = file:make_dir(Dir),
    Name = filename:join(Dir, "f"),
    Other = filename:join(Dir, "g"),
    try
        [begin
             p(Modes),
             removed(Name, Modes),
             renamed(Name, Other, Modes),
             twice(Name, Modes),
             places(Name, Modes),
             appended(Name, Modes)
         end || Modes <- [[raw, binary], [binary], []]],
        characters(Name),
        lines(Name),
        delayed(Name),
        ends(Name, Other),
        kept(Name)
    after file:del_dir_r(Dir) end.

removed(Name, Modes) ->
    {ok, F} = file:open(Name, [read, write | Modes]),
    ok = file:write(F, "hello"),
    ok = file:delete(Name),
    ok = file:write(F, "world"),
    {ok, Info} = file:read_file_info(F),
    p([file:pread(F, 0, 10), element(2, Info), element(10, Info), filelib:is_file(Name)]),
    %% Another file of that name.
    ok = file:write_file(Name, "new"),
    p([file:pread(F, 0, 10), file:write(F, "!"), file:read_file(Name), file:close(F), file:read_file(Name)]).

renamed(Name, Other, Modes) ->
    {ok, F} = file:open(Name, [write | Modes]),
    ok = file:write(F, "one "),
    ok = file:rename(Name, Other),
    ok = file:write(F, "two"),
    p([file:close(F), file:read_file(Name), file:read_file(Other)]),
    {ok, R} = file:open(Other, [read | Modes]),
    p(file:read(R, 3)),
    ok = file:write_file(Name, "another"),
    ok = file:rename(Name, Other),
    p([file:read(R, 10), file:read(R, 1), file:close(R), file:read_file(Other)]).

twice(Name, Modes) ->
    ok = file:write_file(Name, ""),
    {ok, A} = file:open(Name, [read, write | Modes]),
    {ok, B} = file:open(Name, [read, write | Modes]),
    p([file:write(A, "aaaa"), file:pread(B, 0, 10), file:pwrite(B, 4, "bb"), file:write(A, "cc"), file:pread(B, 0, 10)]),
    ok = file:write_file(Name, ""),
    p([file:write(A, "d"), file:read_file(Name), file:pread(B, 0, 3), file:position(B, eof)]),
    p([file:position(A, 2), file:truncate(A), file:position(B, eof), file:close(A), file:write(B, "e"), file:close(B), file:read_file(Name)]).

places(Name, Modes) ->
    {ok, F} = file:open(Name, [read, write | Modes]),
    ok = file:truncate(F),
    p([file:write(F, "0123456789"), file:position(F, cur), file:position(F, {bof, 3}), file:read(F, 2), file:position(F, {cur, -1}), file:read(F, 3)]),
    p([file:position(F, {eof, -2}), file:read(F, 9), file:read(F, 9), file:position(F, {cur, -100}), file:position(F, wrong), file:position(F, -1)]),
    p([file:position(F, 12), file:read(F, 1), file:write(F, "x"), file:pread(F, 0, 20), file:position(F, cur)]),
    p([file:pread(F, [{0, 2}, {5, 2}, {40, 1}]), file:pwrite(F, [{1, "AB"}, {14, <<"CD">>}]), file:pread(F, 0, 20), file:position(F, cur)]),
    p([file:position(F, 4), file:truncate(F), file:pread(F, 0, 20), file:position(F, 6), file:truncate(F), file:pread(F, 0, 20)]),
    p([file:pread(F, 3, 0), file:read(F, 0), file:position(F, 1), file:read_line(F), file:read_line(F)]),
    p([file:close(F), file:close(F), file:read(F, 1)]),
    {ok, R} = file:open(Name, [read | Modes]),
    p([file:write(R, "a"), file:pwrite(R, 0, "a"), file:truncate(R), file:read(R, 3), file:close(R)]),
    {ok, W} = file:open(Name, [write | Modes]),
    p([file:read(W, 3), file:pread(W, 0, 3), file:read_line(W), file:close(W), file:read_file(Name)]),
    p([file:open(Name, [write, exclusive | Modes]), file:open(Name ++ "x", [read | Modes]), file:open(Name ++ "/x", [write | Modes])]).

appended(Name, Modes) ->
    ok = file:write_file(Name, "abc"),
    {ok, A} = file:open(Name, [read, append | Modes]),
    {ok, B} = file:open(Name, [append | Modes]),
    p([file:write(A, "d"), file:write(B, "e"), file:write(A, "f"), file:pread(A, 0, 10), file:position(A, 1), file:read(A, 2)]),
    p([file:pwrite(A, 0, "g"), file:read(A, 3), file:read_file(Name)]),
    ok = file:write_file(Name, ""),
    p([file:write(B, "h"), file:write(A, "i"), file:close(A), file:close(B), file:read_file(Name)]).

characters(Name) ->
    ok = file:write_file(Name, unicode:characters_to_binary(["äöü\n", "Ωλ – x\n", "last"])),
    {ok, F} = file:open(Name, [read, write, {encoding, utf8}]),
    p([io:get_chars(F, '', 2), file:position(F, cur), io:get_line(F, ''), io:get_line(F, ''), file:position(F, cur)]),
    p([io:put_chars(F, "é"), file:position(F, bof), io:get_line(F, ''), io:get_line(F, ''), io:get_line(F, ''), io:get_line(F, '')]),
    p([file:position(F, 0), io:fread(F, '', "~ts"), io:get_chars(F, '', 3), file:close(F)]),
    {ok, L} = file:open(Name, [read, {encoding, {utf16, little}}, write]),
    p([file:truncate(L), io:put_chars(L, "aΩ\nb"), file:position(L, 0), io:get_line(L, ''), io:get_chars(L, '', 5), file:close(L), file:read_file(Name)]).

lines(Name) ->
    Lines = [[integer_to_list(N), $ , lists:duplicate(N rem 70, $x), case N rem 3 of 0 -> "\r\n"; _ -> "\n" end] || N <- lists:seq(1, 1000)],
    ok = file:write_file(Name, [Lines, lists:duplicate(30000, $y)]),
    [begin
         {ok, F} = file:open(Name, [read | Modes]),
         Read = all(fun() -> file:read_line(F) end),
         p([Modes, length(Read), erlang:md5(Read), iolist_size(lists:last(Read)), file:close(F)])
     end || Modes <- [[], [binary], [raw], [raw, binary], [raw, binary, read_ahead]]],
    {ok, F} = file:open(Name, [read]),
    p([io:read(F, ''), file:position(F, cur), io:get_line(F, ''), io:fread(F, '', "~d ~s"), io:get_chars(F, '', 4), file:position(F, cur), file:close(F)]),
    {ok, G} = file:open(Name, [read, binary]),
    p([byte_size(element(2, file:read(G, 9000))), file:read(G, 5), element(2, file:position(G, cur)), file:read_line(G), file:close(G)]).

all(Next) ->
    case Next() of
        {ok, Line} -> [Line | all(Next)];
        eof -> []
    end.

delayed(Name) ->
    {ok, F} = file:open(Name, [write, read, binary, {delayed_write, 1000, 60000}]),
    p([file:truncate(F), file:write(F, "abc"), file:read_file(Name), file:write(F, "def"), file:pread(F, 1, 4), file:read_file(Name)]),
    p([file:write(F, "g"), file:delete(Name), file:close(F), file:read_file(Name)]).

%% The owner ends, and the file is closed.
ends(Name, Other) ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        {ok, F} = file:open(Name, [write]),
        ok = file:write(F, "mine"),
        Me ! {file, F},
        ok = file:rename(Name, Other)
    end),
    File = receive {file, F} -> F end,
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    timer:sleep(50),
    p([file:write(File, "late"), file:read_file(Name), file:read_file(Other)]).

%% What was read ahead is kept, until the place changes.
kept(Name) ->
    ok = file:write_file(Name, ["first\n", "second\n", lists:duplicate(300, $z), "\nlast\n"]),
    {ok, A} = file:open(Name, [read]),
    {ok, B} = file:open(Name, [read, write, raw]),
    p(io:get_line(A, '')),
    ok = file:pwrite(B, 6, "SECOND"),
    ok = file:pwrite(B, 313, "\nLAST"),
    p([io:get_line(A, ''), length(io:get_line(A, '')), io:get_line(A, '')]),
    p([file:position(A, 6), io:get_line(A, ''), file:close(A), file:close(B)]).
