%% Runs the cases of one of OTP's test suites, each in a process of its own, and prints lines that `run` reads:
%%   @@START CASE                         a case begins
%%   @@ CASE<TAB>ok|skip|FAIL<TAB>MS<TAB>REASON
%%   @@END                                all cases have run
%% A case of a group is called GROUP/CASE. Arguments: the suite, its data folder, a folder to write in, the limit for a case in
%% milliseconds, and a file that names the cases to run, one in a line (`all`: all of them).
-module(run_cases).
-export([main/0, main/1]).

-define(LONGEST_REASON, 1500).

-record(run, {suite, groups, limit, wanted}).

main() ->
    main(init:get_plain_arguments()).

main([Name, Data, Private, Limit, Selection]) ->
    Suite = list_to_atom(Name),
    {module, Suite} = code:ensure_loaded(Suite),
    Run = #run{suite = Suite, groups = optional(Suite, groups, [], []), limit = list_to_integer(Limit), wanted = wanted(Selection)},
    Config = [{data_dir, Data}, {priv_dir, Private}, {watchdog, make_ref()}, {suite, Suite}],
    case configure(Run, init_per_suite, [], Config) of
        {ok, Ready} ->
            items(Suite:all(), [], Ready, Run),
            configure(Run, end_per_suite, [], Ready);
        {skip, Why} ->
            line("*init_per_suite*", skip, 0, Why);
        {fail, Why} ->
            line("*init_per_suite*", 'FAIL', 0, Why),
            items(Suite:all(), [], Config, Run)
    end,
    io:put_chars("\n@@END\n"),
    halt(0).

wanted("all") ->
    all;
wanted(File) ->
    {ok, Text} = file:read_file(File),
    maps:from_keys(string:lexemes(binary_to_list(Text), "\n"), wanted).

items({skip, Why}, Path, _, _) -> line(name(["*all*" | Path]), skip, 0, Why);
items(Items, Path, Config, Run) -> lists:foreach(fun(Item) -> item(Item, Path, Config, Run) end, Items).

item(Items, Path, Config, Run) when is_list(Items) -> items(Items, Path, Config, Run);
item({group, Group, _}, Path, Config, Run) -> item({group, Group}, Path, Config, Run);
item({group, Group, _, _}, Path, Config, Run) -> item({group, Group}, Path, Config, Run);
item({group, Group}, Path, Config, Run) ->
    case lists:keyfind(Group, 1, Run#run.groups) of
        {Group, Properties, Members} -> group(Group, Properties, Members, Path, Config, Run);
        {Group, Members} -> group(Group, [], Members, Path, Config, Run);
        false -> line(name([Group | Path]), 'FAIL', 0, no_such_group)
    end;
item({testcase, Case}, Path, Config, Run) -> wanted_case(Case, Path, Config, Run);
item({testcase, Case, _}, Path, Config, Run) -> wanted_case(Case, Path, Config, Run);
item({Group, Properties, Members}, Path, Config, Run) -> group(Group, Properties, Members, Path, Config, Run);
item({_Module, Case}, Path, Config, Run) -> wanted_case(Case, Path, Config, Run);
item(Case, Path, Config, Run) -> wanted_case(Case, Path, Config, Run).

group(Group, Properties, Members, Path, Config0, Run) ->
    Config = lists:keystore(tc_group_properties, 1, Config0, {tc_group_properties, [{name, Group} | Properties]}),
    case configure(Run, init_per_group, [Group], Config) of
        {ok, Ready} ->
            items(Members, [Group | Path], Ready, Run),
            configure(Run, end_per_group, [Group], Ready);
        {skip, Why} ->
            line(name([Group | Path]), skip, 0, Why);
        {fail, Why} ->
            line(name([Group | Path]), 'FAIL', 0, Why)
    end.

name(Path) ->
    lists:flatten(lists:join("/", [lists:concat([Part]) || Part <- lists:reverse(Path)])).

optional(Module, Function, Arguments, Default) ->
    case erlang:function_exported(Module, Function, length(Arguments)) of
        true -> apply(Module, Function, Arguments);
        false -> Default
    end.

%% Calls a function of the suite that makes a configuration from another.
configure(#run{suite = Suite}, Function, Arguments, Config) ->
    case in_process(fun() -> optional(Suite, Function, Arguments ++ [Config], Config) end, 60000) of
        {value, {Skip, Why}} when Skip =:= skip; Skip =:= skipped -> {skip, Why};
        {value, {skip_and_save, Why, _}} -> {skip, Why};
        {value, {fail, Why}} -> {fail, Why};
        {value, New} when is_list(New) -> {ok, New};
        {value, _} -> {ok, Config};
        {fail, Why} -> {fail, Why}
    end.

wanted_case(Case, Path, Config, Run) ->
    Name = name([Case | Path]),
    case Run#run.wanted =:= all orelse is_map_key(Name, Run#run.wanted) of
        true -> run_case(Name, Case, Config, Run);
        false -> ok
    end.

run_case(Name, Case, Config, #run{suite = Suite, limit = Limit}) ->
    io:put_chars(["\n@@START ", Name, "\n"]),
    Began = erlang:monotonic_time(millisecond),
    Result = in_process(fun() -> whole_case(Suite, Case, [{tc_logfile, "/dev/null"} | Config]) end, Limit),
    Took = erlang:monotonic_time(millisecond) - Began,
    timer:sleep(20),
    case Result of
        {value, ok} -> line(Name, ok, Took, "");
        {value, {skip, Why}} -> line(Name, skip, Took, Why);
        {value, {fail, Why}} -> line(Name, 'FAIL', Took, Why);
        {fail, Why} -> line(Name, 'FAIL', Took, Why)
    end.

whole_case(Suite, Case, Config0) ->
    put(test_server_loc, {Suite, Case}),
    case result(fun() -> optional(Suite, init_per_testcase, [Case, Config0], Config0) end) of
        {ok, Config} when is_list(Config) ->
            Result = result(fun() -> Suite:Case(Config) end),
            Status = case Result of {fail, Why} -> {failed, Why}; _ -> ok end,
            catch optional(Suite, end_per_testcase, [Case, [{tc_status, Status} | Config]], ok),
            case Result of {ok, _} -> ok; _ -> Result end;
        {fail, Why} -> {fail, {init_per_testcase, Why}};
        Skip -> Skip
    end.

%% What a function of a suite gives: its value, that it is not to run, or why it failed.
result(Fun) ->
    try Fun() of
        {Skip, Why} when Skip =:= skip; Skip =:= skipped -> {skip, Why};
        {Fail, Why} when Fail =:= fail; Fail =:= failed; Fail =:= 'EXIT' -> {fail, Why};
        Value -> {ok, Value}
    catch
        throw:{skip, Why} -> {skip, Why};
        exit:{skip, Why} -> {skip, Why};
        throw:Value -> {ok, Value};
        Class:Why:Stack -> {fail, {Class, Why, lists:sublist(Stack, 6)}}
    end.

in_process(Fun, Limit) ->
    Self = self(),
    Tag = make_ref(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {Tag, Fun()} end),
    receive
        {'DOWN', Monitor, process, Pid, normal} ->
            receive {Tag, Value} -> {value, Value} after 0 -> {fail, ended_without_result} end;
        {'DOWN', Monitor, process, Pid, Why} ->
            {fail, {died, Why}}
    after Limit ->
        Where = process_info(Pid, current_stacktrace),
        exit(Pid, kill),
        receive {'DOWN', Monitor, process, Pid, _} -> ok after 2000 -> ok end,
        {fail, {timetrap, Where}}
    end.

line(Name, Result, Took, Why) ->
    Text = case Why of "" -> ""; _ -> lists:flatten(io_lib:format("~0tP", [Why, 60])) end,
    Line = [case Char of $\n -> $\s; $\t -> $\s; _ -> Char end || Char <- lists:sublist(Text, ?LONGEST_REASON)],
    Bytes = unicode:characters_to_binary(["\n@@ ", Name, "\t", atom_to_list(Result), "\t", integer_to_list(Took), "\t", Line, "\n"]),
    io:put_chars(Bytes).
