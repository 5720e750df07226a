-module(table_files).
-export([main/0]).
%% Tables written to files and read again, damaged files, and wrong arguments.

t(F) -> try F() catch C:R -> {C, R} end.

shown(Tab) -> {lists:sort(ets:tab2list(Tab)), [ets:info(Tab, I) || I <- [name, type, protection, named_table, keypos, size]]}.

round_trip(Options, Tab, File, Write, Read) ->
    ok = ets:tab2file(Tab, File, Write),
    io:format("~p ~p: ~p~n", [Write, Read, ets:tabfile_info(File)]),
    Named = lists:member(named_table, Options),
    Before = shown(Tab),
    Named andalso ets:delete(Tab),
    case ets:file2tab(File, Read) of
        {ok, New} ->
            io:format("~p~n", [shown(New) =:= Before]),
            io:format("~p~n", [shown(New)]),
            Named orelse ets:delete(New);
        Other -> io:format("~p~n", [Other])
    end.

main() ->
    File = "table_files.tmp",
    Infos = [[], [{sync, true}], [{extended_info, [md5sum]}], [{extended_info, [object_count]}], [{extended_info, [md5sum, object_count]}, {sync, false}]],
    [begin
         Tab = ets:new(a_table, Options),
         ets:insert(Tab, [{1, 2}, {2, 1, x}, {"k", <<1, 2:3>>}, {{a, b}, #{c => 1.5}}, {1, 2}, {1, 3}]),
         round_trip(Options, Tab, File, Write, [{verify, Verify}]),
         ets:delete(Tab)
     end || Options <- [[], [named_table, public, {keypos, 2}], [bag, private], [ordered_set]], Write <- Infos, Verify <- [true, false]],
    %% A term so large that its size has a checksum.
    Big = ets:new(big, []),
    ets:insert(Big, [{N, binary:copy(<<"0123456789">>, N * 2000)} || N <- lists:seq(1, 6)]),
    ok = ets:tab2file(Big, File, [{extended_info, [md5sum]}]),
    {ok, Read} = ets:file2tab(File, [{verify, true}]),
    io:format("~p ~p~n", [lists:sort(ets:tab2list(Read)) =:= lists:sort(ets:tab2list(Big)), ets:info(Read, size)]),
    %% Into a table that is there.
    There = ets:new(there, [ordered_set]),
    ets:insert(There, {0, old}),
    io:format("~p ~p~n", [ets:file2tab(File, [{table, There}]) =:= {ok, There}, [K || {K, _} <- ets:tab2list(There)]]),
    %% Wrong arguments.
    Tab = ets:new(tab, [named_table]),
    [io:format("~p: ~p~n", [Options, t(fun() -> ets:tab2file(Tab, File, Options) end)])
     || Options <- [[x], x, [{sync, 1}], [{extended_info, [x]}], [{extended_info, x}], [{extended_info, []}, {extended_info, []}], [{extended_info, [md5sum]}, {extended_info, []}], [{sync, true} | x]]],
    [io:format("~p: ~p~n", [Options, t(fun() -> ets:file2tab(File, Options) end)])
     || Options <- [[x], x, [{verify, 1}], [{table, no_table}], [{verify, true} | x]]],
    ok = ets:tab2file(Tab, File),
    io:format("~p~n", [t(fun() -> ets:file2tab(File) end)]),
    io:format("~p~n", [t(fun() -> ets:tab2file(no_table, File) end)]),
    io:format("~p~n", [t(fun() -> ets:tab2file(Tab, "no_such_folder/file") end)]),
    io:format("~p~n", [t(fun() -> ets:file2tab("no_such_file") end)]),
    io:format("~p~n", [t(fun() -> ets:tabfile_info("no_such_file") end)]),
    ok = file:write_file(File, "not a table"),
    io:format("~p~n", [t(fun() -> ets:file2tab(File) end)]),
    io:format("~p~n", [t(fun() -> ets:tabfile_info(File) end)]),
    %% A log of OTP's that is cut off, and one that says less than is in it.
    ok = ets:tab2file(Big, File, [{extended_info, [md5sum, object_count]}]),
    {ok, <<Head:600/binary, _/binary>>} = file:read_file(File),
    ok = file:write_file(File, Head),
    io:format("~p~n", [element(1, t(fun() -> ets:file2tab(File, [{verify, true}]) end))]),
    ok = file:delete(File).
