%% Open files: compressed ones, directories, names, attributes, and what stands for a file.
-module(open_files).
-export([main/0]).

main() ->
    Dir = "open_files_" ++ os:getpid(),
    ok = file:make_dir(Dir),
    Name = filename:join(Dir, "f"),
    try run(Dir, Name) after file:del_dir_r(Dir) end.

run(Dir, Name) ->
    {ok, Z} = file:open(Name, [write, compressed]),
    ok = file:write(Z, ["line 1\n", <<"line 2\n">>, lists:duplicate(1000, $x)]),
    ok = file:close(Z),
    {ok, <<16#1f, 16#8b, _/binary>> = Packed} = file:read_file(Name),
    p(byte_size(Packed) < 200),
    {ok, R} = file:open(Name, [read, compressed, binary]),
    p([file:read_line(R), file:read(R, 6), file:position(R, 0), file:read(R, 4)]),
    ok = file:close(R),
    ok = file:write_file(Name, [Packed, Packed]),
    {ok, Two} = file:open(Name, [read, compressed, raw, binary]),
    {ok, Both} = file:read(Two, 5000),
    p(byte_size(Both)),
    ok = file:close(Two),
    ok = file:write_file(Name, "plain\n"),
    {ok, Plain} = file:open(Name, [read, compressed]),
    p(io:get_line(Plain, '')),
    ok = file:close(Plain),
    p([file:open(Name, [read, write, compressed]), file:open(Name, [append, compressed]), file:open("missing", [compressed])]),
    {ok, RW} = file:open(Name, read_write),
    p([file:write(RW, "PL"), file:read(RW, 10), file:position(RW, bof), file:read_line(RW), file:close(RW)]),
    p([element(1, file:open(Dir, [directory])), file:open(Name, [directory]), file:open(Dir, [read])]),
    p([Function("") || Function <- [fun file:make_dir/1, fun file:read_file_info/1, fun file:del_dir/1, fun file:delete/1, fun file:list_dir/1,
                                    fun(N) -> file:open(N, [read]) end]]),
    p(file:read_file_info(Name, [{time, wrong}])),
    {ok, F} = file:open(Name, [read]),
    {ok, Info} = file:read_file_info(F),
    p([element(2, Info), element(3, Info)]),
    p(file:pid2name(F) =:= {ok, Name}),
    p(file:pid2name(self())),
    p([file:advise(F, 0, 0, normal), file:advise(F, 0, 0, wrong)]),
    ok = file:close(F),
    p(file:write_file_info(Name, erlang:make_tuple(14, undefined, [{1, file_info}, {5, 1000}, {6, 2000}, {8, 8#640}]), [{time, posix}])),
    {ok, New} = file:read_file_info(Name, [{time, posix}]),
    p([element(5, New), element(6, New), element(8, New) band 8#777]),
    p(file:change_time(Name, {{2001, 2, 3}, {4, 5, 6}})),
    {ok, Newer} = file:read_file_info(Name),
    p(element(6, Newer)),
    ok = file:write_file(Name, <<0, 0, 0, 3, 0, 0, 0, 10, "..abc">>),
    {ok, I} = file:open(Name, [read, binary, raw]),
    p([file:ipread_s32bu_p32bu(I, 0, infinity), file:ipread_s32bu_p32bu(I, 0, 2), file:ipread_s32bu_p32bu(I, 8, 10)]),
    ok = file:close(I),
    Device = spawn(fun device/0),
    p([file:read(Device, 3), file:read_line(Device), file:write(Device, <<1, 255>>)]),
    p([os:cmd("echo one; sleep 5 & echo two"), os:cmd("cat /dev/zero", #{max_size => 3}), os:cmd("echo abc", #{max_size => 100})]).

%% Answers each request with what was asked.
device() ->
    receive {io_request, From, Ref, Request} -> From ! {io_reply, Ref, {asked, Request}} end,
    device().

p(Term) -> io:format("~0p~n", [Term]).
