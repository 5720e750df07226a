%% Files in memory: `file:open/2` with `ram`, and the module `ram_file`.
-module(ram_files).
-export([main/0]).

-define(P(Call), shown(??Call, fun() -> Call end)).

shown(Text, Call) -> io:format("~s = ~p~n", [Text, try Call() catch Class:Reason -> {Class, Reason} end]).

main() ->
    write_only(),
    read_only(),
    both(),
    opening(),
    whose().

write_only() ->
    {ok, A} = ram_file:open("hello", [write]),
    ?P(ram_file:get_file(A)),
    ?P(file:read(A, 2)),
    ?P(file:write(A, "XY")),
    ?P(ram_file:get_file(A)),
    ?P(file:position(A, cur)),
    ?P(file:close(A)),
    ?P(file:write(A, "z")),
    ?P(file:close(A)),
    ?P(ram_file:get_file(A)).

read_only() ->
    {ok, B} = ram_file:open("hello", [read]),
    ?P(file:read(B, 2)),
    ?P(file:write(B, "XY")),
    ?P(file:read(B, 20)),
    ?P(file:read(B, 20)),
    ?P(file:pread(B, 1, 3)),
    ?P(file:pread(B, 9, 3)),
    ?P(file:pread(B, [{0, 1}, {9, 1}])),
    ?P(file:position(B, 3)),
    ?P(file:read(B, 0)),
    ?P(file:read(B, 1)),
    ?P(file:truncate(B)),
    ?P(file:position(B, {eof, -1})),
    ?P(file:position(B, {eof, -10})),
    ?P(file:position(B, foo)),
    ?P(file:position(B, -1)),
    ?P(file:sync(B)),
    ?P(file:datasync(B)),
    ?P(file:advise(B, 0, 0, normal)),
    ?P(file:allocate(B, 0, 10)),
    ?P(ram_file:get_size(B)),
    ?P(file:read(B, foo)),
    ?P(file:read(B, -1)),
    ?P(ram_file:write(B, foo)).

both() ->
    {ok, C} = file:open(<<"abc">>, [ram, read, write, binary]),
    ?P(file:read(C, 1)),
    ?P(file:write(C, <<"12345">>)),
    ?P(ram_file:get_file(C)),
    ?P(file:position(C, 2)),
    ?P(file:truncate(C)),
    ?P(ram_file:get_file(C)),
    ?P(file:pwrite(C, 5, "q")),
    ?P(ram_file:get_file(C)),
    ?P(file:position(C, cur)),
    ?P(file:position(C, 10)),
    ?P(file:write(C, ["E", [<<"F">>]])),
    ?P(ram_file:get_file(C)),
    ?P(ram_file:get_size(C)),
    ?P(file:pwrite(C, [{0, "a"}, {1, "b"}])),
    ?P(ram_file:get_file(C)),
    ?P(file:position(C, bof)),
    {ok, D} = file:open([], [ram, write, binary]),
    ?P(file:copy(C, D)),
    ?P(ram_file:get_file(D)),
    ?P(file:pread(C, -1, 2)),
    ?P(file:pwrite(C, a, "x")),
    ?P(file:close(C)).

opening() ->
    ?P(element(2, element(2, ram_file:open("abc", [])))),
    ?P(ram_file:open("abc", [foo])),
    ?P(ram_file:open(abc, [read])),
    ?P(ram_file:open("abc", read)),
    ?P(ram_file:open([300], [read])),
    ?P(file:open(abc, [ram])),
    ?P(file:open("abc", [ram, exclusive])),
    ?P(file:open("abc", [ram, raw])),
    ?P(file:open("abc", [ram, {encoding, utf8}])),
    ?P(file:open("abc", [ram, append])).

%% A file ends with the process that has opened it.
whose() ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        {ok, F} = ram_file:open("hello", [read]),
        Self ! {file, F}
    end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    receive {file, F} -> timer:sleep(10), ?P(file:read(F, 2)) end.
