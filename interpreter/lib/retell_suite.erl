%% Runs a Common Test suite: all/0, suite/0, groups/0, init and end of suite, groups and test cases, time limits, and the properties of groups:
%% sequence, parallel, shuffle, repeat and repeat_until_…. Others are refused by name. Each test case, and each init and end, is a process of its own, as in OTP, and its
%% end by an exit reaches what is linked to it.
-module(retell_suite).
-export([run/8]).
%% Of a suite: its name, whether it prints, how long a test may take, words that select tests, and who counts.
%% rounds: for each group that runs, how many of its test cases passed and how many failed.
-record(st, {suite, prints = true, limit, words = [], counter, path = [], all = 0, rounds = [],
             %% What suite/0 said; what group/1 of the groups around said, the innermost first.
             info = [], groups = [],
             %% Those that are given for all suites, and who keeps those that are installed.
             given = [], hooks = none,
             %% Test cases and groups that a specification skips, each with a comment.
             skips = [],
             %% Test cases that are in several groups.
             several = []}).
-define(RULE, "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -").

%% `ok`, `error` if a test failed or could not be run, or `none` if there was none to run. Files: those with configuration variables. Hooks: those of all suites. Chosen: what
%% test specifications say; everything runs if they say nothing.
run(Suite, DataDir, PrivDir, Prints, Words, Files, Hooks, Chosen) ->
    St0 = #st{suite = Suite, prints = Prints, limit = 1800000, words = Words, counter = counters:new(4, []), given = Hooks, skips = skips(Chosen)},
    case tree(Suite, Hooks, Chosen) of
        {ok, All} ->
            St1 = St0#st{several = in_several(All)},
            Tree = select(All, St1),
            erlang:'$tell'([planned | [eunit_proc:plain(Name) || Name <- lists:usort(names(Tree, St1))]]),
            Counted = St1#st{all = count(Tree)},
            St = Counted#st.all > 0 andalso begun(Tree, [{data_dir, DataDir}, {priv_dir, PrivDir}], Files, Counted),
            case St of false -> none; _ -> verdict(St) end;
        {skip, Why} ->
            say(St0, "~nTesting ~w: *** SKIPPED all ***~n", [Suite]),
            tell(skipped, atom_to_list(Suite) ++ ":all", "", Why, "", 0, ""),
            ok;
        {error, Reason} -> unusable(Reason, St0)
    end.

%% Nothing of the suite can run.
unusable(Reason, #st{suite = Suite} = St) ->
    Name = atom_to_list(Suite) ++ ":all",
    erlang:'$test'(self(), Name, {failed, error, Reason, []}),
    tell(cancelled, Name, "", Reason, "", 0, ""),
    say(St, "~n~ts~n~ts failed~nReason: ~tP~n~ts~n~n", [?RULE, Name, Reason, 30, ?RULE]),
    error.

begun(Tree, Config, Files, #st{suite = Suite} = St0) ->
    case retell_config:start(Files) of
        {error, Reason} ->
            lacking(Tree, Reason, St0),
            St0;
        ok ->
            case suite_info(Suite) of
                {ok, Info} ->
                    Started = retell_hooks:start(St0#st.given, own_hooks(Info)),
                    St = St0#st{info = Info, limit = limit(Info, St0#st.limit), hooks = case Started of {error, _} -> none; _ -> Started end},
                    Own = case info(fun() -> Suite:init_per_suite() end) of {ok, More} -> More; _ -> [] end,
                    case retell_config:configure(Own ++ Info, suite) of
                        ok when element(1, Started) =:= error -> lacking(Tree, element(2, Started), St);
                        ok ->
                            suite(Tree, Config, St),
                            retell_hooks:stop(St#st.hooks);
                        {error, Reason} -> lacking(Tree, {require_failed_in_suite0, Reason}, St)
                    end,
                    St;
                {error, Reason} ->
                    lacking(Tree, {suite0_failed, Reason}, St0),
                    St0
            end
    end.

names(Tree, St) -> lists:append([case Item of {test, Name} -> [name(Name, St)]; {group, Group, _, Members} -> names(Members, inside(Group, St)) end || Item <- Tree]).

suite(Tree, Config, St) ->
    say(St, "~nTesting ~w: Starting test, ~w test cases~n", [St#st.suite, St#st.all]),
    %% As in OTP, what does not run in parallel has one group leader: a process that init_per_suite starts can print during all test cases.
    Leader = spawn_link(eunit_proc, '$leader', [self()]),
    put('$ct_leader', Leader),
    case configure(init_per_suite, [], Config, own_hooks(St#st.info), St) of
        {ok, Ready} ->
            members(Tree, Ready, [], St),
            finish(end_per_suite, [], Ready, St);
        {skip, Reason} -> skip(Tree, skipped, Reason, St);
        {failed, Reason} -> skip(Tree, cancelled, {failed, {St#st.suite, init_per_suite, Reason}}, St)
    end,
    erase('$ct_leader'),
    Leader ! stop,
    receive {Leader, _} -> ok end.

verdict(#st{counter = C, all = All} = St) ->
    [Ok, Failed, Skipped, Auto] = [counters:get(C, I) || I <- [1, 2, 3, 4]],
    Parts = [io_lib:format("~w ~s", [N, Word]) || {N, Word} <- [{Ok, "ok"}, {Failed, "failed"}, {Skipped + Auto, "skipped"}], N > 0 orelse Word =:= "ok"],
    All > 0 andalso say(St, "Testing ~w: TEST COMPLETE, ~ts of ~w test cases~n~n", [St#st.suite, lists:join(", ", Parts), All]),
    case Failed + Auto of 0 -> ok; _ -> error end.

%% ---- the tree of groups and test cases ------------------------------------------------------------------------------------------------

tree(Suite, Given, Chosen) ->
    try
        Hooks = Given ++ case suite_info(Suite) of {ok, Info} -> own_hooks(Info); _ -> [] end,
        Groups = retell_hooks:shaped(Hooks, post_groups, [Suite], case erlang:function_exported(Suite, groups, 0) of true -> Suite:groups(); false -> [] end),
        case retell_hooks:shaped(Hooks, post_all, [Suite], [Groups], Suite:all()) of
            {skip, Why} -> {skip, Why};
            All ->
                case [Why || {skip, all, Why} <- Chosen] of
                    [Why | _] -> {skip, Why};
                    [] -> {ok, lists:append([node(Item, Groups, []) || Item <- chosen(Chosen, All, Groups)])}
                end
        end
    catch
        throw:{bad_suite, Reason} -> {error, Reason};
        Class:Reason:Stack -> {error, {Class, Reason, Stack}}
    end.

%% What of all/0 and groups/0 a specification asks for.
chosen([], All, _) -> All;
chosen(Chosen, All, Groups) ->
    lists:append([case What of
                      all -> All;
                      {cases, all} -> All;
                      {cases, Cases} -> several(Cases);
                      {groups, all} -> [{group, element(1, G)} || G <- Groups];
                      {groups, Names} -> [{group, Name} || Name <- several(Names)];
                      {groups, Names, {cases, Cases}} -> [only(find(Name, Groups), several(Cases)) || Name <- several(Names)];
                      _ -> []
                  end || What <- Chosen]).

several(Some) when is_list(Some) -> Some;
several(One) -> [One].

only({Name, Properties, _}, Cases) -> {Name, Properties, Cases};
only(false, _) -> throw({bad_suite, no_such_group}).

skips(Chosen) ->
    [{Case, Why} || {skip_cases, Cases, Why} <- Chosen, Case <- several(Cases)] ++
    [{{group, Name}, Why} || {skip_groups, Names, Why} <- Chosen, Name <- several(Names)].

node({group, Name}, Groups, Outer) -> node({group, Name, default}, Groups, Outer);
node({group, Name, Properties, _Sub}, Groups, Outer) -> node({group, Name, Properties}, Groups, Outer);
node({group, Name, Given}, Groups, Outer) ->
    lists:member(Name, Outer) andalso throw({bad_suite, {group_contains_itself, Name}}),
    case find(Name, Groups) of
        {Name, Properties, Members} -> [group(Name, case Given of default -> Properties; _ -> Given end, Members, Groups, Outer)];
        false -> throw({bad_suite, {no_such_group, Name}})
    end;
node({testcase, Name, Properties}, _, _) ->
    lists:append([case P of
                      {repeat, N} when is_integer(N), N > 0 -> lists:duplicate(N, {test, Name});
                      _ -> throw({bad_suite, {unsupported_property, Name, P}})
                  end || P <- case Properties of [] -> [{repeat, 1}]; _ -> Properties end]);
node({Name, Properties, Members}, Groups, Outer) when is_atom(Name), is_list(Properties), is_list(Members) ->
    [group(Name, Properties, Members, Groups, Outer)];
node({Name, Members}, Groups, Outer) when is_atom(Name), is_list(Members) -> [group(Name, [], Members, Groups, Outer)];
node(Name, _, _) when is_atom(Name) -> [{test, Name}];
node(Other, _, _) -> throw({bad_suite, {bad_return_value, Other}}).

group(Name, Properties, Members, Groups, Outer) ->
    [throw({bad_suite, {unsupported_property, Name, P}}) || P <- Properties, not is_known(P)],
    {group, Name, Properties, lists:append([node(M, Groups, [Name | Outer]) || M <- Members])}.

is_known(sequence) -> true;
is_known(parallel) -> true;
is_known(shuffle) -> true;
is_known({shuffle, {A, B, C}}) -> is_integer(A) andalso is_integer(B) andalso is_integer(C);
is_known({Repeat, N})
  when Repeat =:= repeat; Repeat =:= repeat_until_all_ok; Repeat =:= repeat_until_any_ok; Repeat =:= repeat_until_any_fail;
       Repeat =:= repeat_until_all_fail -> is_integer(N) andalso N > 0;
is_known({timetrap, _}) -> true;
is_known(_) -> false.

%% A group can be defined inside of another.
find(Name, [{Name, Properties, Members} | _]) -> {Name, Properties, Members};
find(Name, [{Name, Members} | _]) when is_list(Members) -> {Name, [], Members};
find(Name, [{_, _, Members} | Rest]) ->
    case find(Name, Members) of false -> find(Name, Rest); Found -> Found end;
find(Name, [_ | Rest]) -> find(Name, Rest);
find(_, _) -> false.

select(Tree, #st{words = []}) -> Tree;
select(Tree, St) -> lists:append([pick(Item, St) || Item <- Tree]).

pick({test, Name} = T, St) ->
    %% Without its groups, it names all of them.
    Short = name(Name, St#st{path = []}),
    case is_wanted(name(Name, St), St) orelse is_wanted(Short, St) of
        true ->
            meant(Short, St),
            [T];
        false ->
            erlang:'$tell'([other, eunit_proc:plain(name(Name, St))]),
            []
    end;
pick({group, Name, Properties, Members} = G, St) ->
    case is_wanted(atom_to_list(Name), St) of
        true ->
            meant(atom_to_list(Name), St),
            [G];
        false ->
            case select(Members, inside(Name, St)) of [] -> []; Some -> [{group, Name, Properties, Some}] end
    end.

meant(Text, St) -> [erlang:'$tell'([meant, eunit_proc:plain(Word)]) || Word <- St#st.words, string:find(Text, Word) =/= nomatch].

is_wanted(Text, #st{words = Words}) -> lists:any(fun(Word) -> string:find(Text, Word) =/= nomatch end, Words).

count(Tree) -> lists:sum([case Item of {test, _} -> 1; {group, _, Ps, Members} -> times(Ps) * count(Members) end || Item <- Tree]).

times(Properties) -> proplists:get_value(repeat, Properties, 1).

%% A test case that is in several groups is several: their groups are a part of their names.
name(Test, #st{suite = Suite, path = Path, several = Several}) ->
    Groups = case lists:member(Test, Several) of true -> lists:reverse([proplists:get_value(name, Group) || Group <- Path]); false -> [] end,
    lists:append(lists:join(":", [atom_to_list(Name) || Name <- [Suite | Groups] ++ [Test]])).

inside(Group, St) -> St#st{path = [[{name, Group}] | St#st.path]}.

in_several(Tree) ->
    Cases = [Test || {Test, _} <- lists:usort(places(Tree, []))],
    lists:usort(Cases -- lists:usort(Cases)).

places(Tree, Path) -> lists:append([case Item of {test, Name} -> [{Name, Path}]; {group, Group, _, Members} -> places(Members, [Group | Path]) end || Item <- Tree]).

%% ---- running --------------------------------------------------------------------------------------------------------------------------

%% Did one of them fail?
members(Tree, Config, Properties, St) ->
    case {lists:member(parallel, Properties), lists:member(sequence, Properties)} of
        {true, _} -> lists:member(true, in_parallel([fun() -> member(Item, Config, St) end || Item <- Tree]));
        {false, true} -> in_sequence(Tree, Config, St);
        {false, false} -> lists:member(true, [member(Item, Config, St) || Item <- Tree])
    end.

in_sequence([Item | Rest], Config, St) ->
    case member(Item, Config, St) of
        true ->
            Failed = case Item of {test, Name} -> Name; {group, Name, _, _} -> Name end,
            skip(Rest, cancelled, {failed, {St#st.suite, Failed}}, St),
            true;
        false -> in_sequence(Rest, Config, St)
    end;
in_sequence([], _, _) -> false.

in_parallel(Funs) ->
    Running = [spawn_monitor(fun() -> exit({shutdown, {done, Fun()}}) end) || Fun <- Funs],
    [receive {'DOWN', Ref, process, _, {shutdown, {done, Failed}}} -> Failed; {'DOWN', Ref, process, _, _} -> true end || {_, Ref} <- Running].

member({test, Name} = Item, Config, St) ->
    case lists:keyfind(Name, 1, St#st.skips) of
        {_, Why} -> skip([Item], skipped, Why, St), false;
        false -> test(Name, Config, St)
    end;
member({group, Name, Properties, Members}, Config, St) ->
    case lists:keyfind({group, Name}, 1, St#st.skips) of
        {_, Why} -> skip(Members, skipped, Why, inside(Name, St)), false;
        false -> group_of(Name, Properties, Members, Config, St)
    end.

group_of(Name, Properties, Members, Config, St) ->
    {Until, Most} = case [P || {Kind, _} = P <- Properties, lists:prefix("repeat", atom_to_list(Kind))] of [P | _] -> P; [] -> {repeat, 1} end,
    rounds(Until, Most, {Name, Properties, Members}, Config, St, seed(Properties)).

%% Runs a group again and again. Did a round fail?
rounds(Until, Left, {Name, Properties, Members}, Config, #st{rounds = Rounds} = St, Seed) ->
    {Order, Next} = shuffled(Members, Seed),
    Counts = counters:new(2, []),
    Failed = one_group(Name, Properties, Order, Config, St#st{rounds = [Counts | Rounds]}),
    case Left =:= 1 orelse is_reached(Until, counters:get(Counts, 1), counters:get(Counts, 2)) of
        true -> Failed;
        %% As in OTP, the next round shuffles the order of this one.
        false -> rounds(Until, Left - 1, {Name, Properties, Order}, Config, St, Next) or Failed
    end.

is_reached(repeat, _, _) -> false;
is_reached(repeat_until_all_ok, _, Failed) -> Failed =:= 0;
is_reached(repeat_until_any_ok, Ok, _) -> Ok > 0;
is_reached(repeat_until_any_fail, _, Failed) -> Failed > 0;
is_reached(repeat_until_all_fail, Ok, _) -> Ok =:= 0.

seed(Properties) ->
    case {proplists:lookup(shuffle, Properties), lists:member(shuffle, Properties)} of
        {_, true} -> rand:seed_s(exsplus);
        {{shuffle, Seed}, false} -> rand:seed_s(exsplus, Seed);
        {none, false} -> none
    end.

%% The order is that of OTP for the same seed. The next round goes on with the seed.
shuffled(Members, Seed) when Seed =:= none; Members =:= [] -> {Members, Seed};
shuffled(Members, Seed) -> shuffled(length(Members), lists:reverse(Members), Seed, []).

shuffled(0, [], Seed, Order) -> {lists:reverse(Order), Seed};
shuffled(N, Members, Seed, Order) ->
    {Position, Next} = rand:uniform_s(N, Seed),
    {Before, [Member | After]} = lists:split(Position - 1, Members),
    shuffled(N - 1, Before ++ After, Next, [Member | Order]).

one_group(Name, Properties, Members, Config0, St0) ->
    Path = [[{name, Name} | Properties] | St0#st.path],
    {Told, Info} = case info(fun() -> (St0#st.suite):group(Name) end) of {ok, I} -> {ok, I}; error -> {{error, {group0_failed, bad_return_value}}, []} end,
    Limit = limit(Properties, limit(Info, St0#st.limit)),
    St = St0#st{path = Path, limit = Limit, groups = [Info | St0#st.groups]},
    Config = [{tc_group_properties, hd(Path)}, {tc_group_path, tl(Path)} | lists:keydelete(tc_group_path, 1, lists:keydelete(tc_group_properties, 1, Config0))],
    Ready = case Told of
        ok ->
            Clash = retell_config:clashes(Info, St#st.info ++ lists:append(St0#st.groups)),
            case Clash =:= [] andalso retell_config:configure(Info, {group, Name}) of
                false -> {required, {config_name_already_in_use, Clash}};
                ok -> configure(init_per_group, [Name], Config, [], St);
                {error, Missing} -> {required, {require_failed, Missing}}
            end;
        {error, Bad} -> {required, Bad}
    end,
    Failed = case Ready of
        {required, Why} -> lacking(Members, Why, St), true;
        {ok, New} ->
            members(Members, New, Properties, St),
            %% Only so does a group fail, for a sequence around it.
            finish(end_per_group, [Name], New, St) =:= {return_group_result, failed};
        {skip, Reason} -> skip(Members, skipped, Reason, St), false;
        {failed, Reason} -> skip(Members, cancelled, {failed, {St#st.suite, init_per_group, Reason}}, St), true
    end,
    retell_config:forget({group, Name}),
    Failed.

own_hooks(Info) ->
    case proplists:get_value(ct_hooks, Info, []) of
        Hooks when is_list(Hooks) -> Hooks;
        Hook -> [Hook]
    end.

hook(Word, Function) -> list_to_atom(Word ++ atom_to_list(Function)).

%% Calls init_per_suite or init_per_group in a process of its own, with the hooks around it.
configure(Function, Args, Config, Hooks, #st{suite = Suite} = St) ->
    case erlang:function_exported(Suite, Function, length(Args) + 1) orelse St#st.hooks =/= none of
        false -> {ok, Config};
        true ->
            case apart(fun() -> initial(Function, Args, Config ++ [{ct_hooks, Hooks} || Hooks =/= []], St) end, St#st.limit) of
                {ok, New, _} when is_list(New) -> {ok, New};
                {ok, {skip, Reason}, _} -> {skip, Reason};
                {ok, {fail, Reason}, Output} -> broken(Function, exit, {fail, Reason}, [], Output, St);
                {ok, Other, Output} -> broken(Function, error, {bad_return_value, Other}, [], Output, St);
                {throw, {skip, Reason}, _, _} -> {skip, Reason};
                {Class, Reason, Stack, Output} -> broken(Function, Class, Reason, Stack, Output, St)
            end
    end.

initial(Function, Args, Config0, #st{suite = Suite, hooks = none}) -> apply(Suite, Function, Args ++ [Config0]);
initial(Function, Args, Config0, #st{suite = Suite, hooks = Hooks}) ->
    case retell_hooks:call(Hooks, hook("pre_", Function), [Suite | Args], Config0) of
        Config when is_list(Config) ->
            Result = case erlang:function_exported(Suite, Function, length(Args) + 1) of
                true -> try {ok, apply(Suite, Function, Args ++ [Config])} catch Class:Reason:Stack -> {Class, Reason, Stack} end;
                false -> {ok, Config}
            end,
            Told = case Result of {ok, Value} -> Value; {C, R, S} -> {'EXIT', exit_reason(C, R, S)} end,
            case {retell_hooks:call(Hooks, hook("post_", Function), [Suite | Args] ++ [Config], Told), Result} of
                {Told, {ok, _}} -> Told;
                {Told, {Raised, Why, Frames}} -> erlang:raise(Raised, Why, Frames);
                {Other, _} -> Other
            end;
        %% It is not called.
        Other -> retell_hooks:call(Hooks, hook("post_", Function), [Suite | Args] ++ [Config0], Other)
    end.

exit_reason(error, Reason, Stack) -> {Reason, Stack};
exit_reason(_, Reason, _) -> Reason.

broken(Function, Class, Reason, Stack, Output, #st{suite = Suite, hooks = Hooks} = St) ->
    retell_hooks:tell(Hooks, on_tc_fail, [Suite, Function], exit_reason(Class, Reason, Stack)),
    Name = name(Function, St),
    erlang:'$test'(self(), Name, {failed, Class, Reason, Stack}),
    Text = failure(Function, Class, Reason, Stack, St),
    say(St, "~ts", [Text]),
    tell(cancelled, Name, Class, Reason, Text, 0, Output),
    {failed, Reason}.

%% As in OTP, a failing end_per_suite or end_per_group is told, and fails no test.
finish(Function, Args, Config, #st{suite = Suite} = St) ->
    case erlang:function_exported(Suite, Function, length(Args) + 1) orelse St#st.hooks =/= none of
        false -> ok;
        true ->
            case apart(fun() -> final(Function, Args, Config, St) end, St#st.limit) of
                {ok, Value, _} -> Value;
                {Class, Reason, Stack, _} ->
                    retell_hooks:tell(St#st.hooks, on_tc_fail, [Suite, Function], exit_reason(Class, Reason, Stack)),
                    say(St, "~ts", [failure(Function, Class, Reason, Stack, St)])
            end
    end.

final(Function, Args, Config, #st{suite = Suite, hooks = none}) -> apply(Suite, Function, Args ++ [Config]);
final(Function, Args, Config0, #st{suite = Suite, hooks = Hooks}) ->
    case retell_hooks:call(Hooks, hook("pre_", Function), [Suite | Args], Config0) of
        Config when is_list(Config) ->
            Result = case erlang:function_exported(Suite, Function, length(Args) + 1) of
                true -> try {ok, apply(Suite, Function, Args ++ [Config])} catch Class:Reason:Stack -> {Class, Reason, Stack} end;
                false -> {ok, ok}
            end,
            Told = case Result of {ok, Value} -> Value; {C, R, S} -> {error, exit_reason(C, R, S)} end,
            Answer = retell_hooks:call(Hooks, hook("post_", Function), [Suite | Args] ++ [Config], Told),
            case Result of
                {ok, _} -> Answer;
                {Raised, Why, Frames} -> erlang:raise(Raised, Why, Frames)
            end;
        Other -> Other
    end.

%% They lack what they require. So that the trace tells it, too, each is noted as failed.
lacking(Tree, Reason, St) ->
    [erlang:'$test'(self(), Name, {failed, exit, Reason, []}) || Name <- names(Tree, St)],
    skip(Tree, cancelled, Reason, St).

skip(Tree, Status, Reason, St) ->
    lists:foreach(fun({test, Name}) ->
                          Kind = case Status of skipped -> tc_user_skip; cancelled -> tc_auto_skip end,
                          retell_hooks:tell(St#st.hooks, on_tc_skip, [St#st.suite, case_of(Name, St)], {Kind, Reason}),
                          counted(Status, St),
                          say(St, "Testing ~w: *** SKIPPED ~w ***~n", [St#st.suite, Name]),
                          tell(Status, name(Name, St), "", Reason, io_lib:format("skipped: ~tp", [Reason]), 0, "");
                     ({group, Group, _, Members}) -> skip(Members, Status, Reason, inside(Group, St))
                  end, Tree).

%% As hooks are told of it.
case_of(Test, #st{path = []}) -> Test;
case_of(Test, #st{path = [Group | _]}) -> {Test, proplists:get_value(name, Group)}.

%% Did it fail?
test(Test, Config, #st{suite = Suite, counter = Counter} = St) ->
    Number = lists:sum([counters:get(Counter, I) || I <- [1, 2, 3, 4]]) + 1,
    {Info, Lacking} = test_info(Test, St),
    Limit = limit(Info, St#st.limit),
    Name = name(Test, St),
    {T0, _} = statistics(wall_clock),
    put('$ct_test', Name),
    Answer = case Lacking of
        none ->
            Given = case erase('$ct_saved') of undefined -> Config; Kept -> [{saved_config, Kept} | Config] end,
            apart(fun() -> {in_process(St, Test, Name, Given), get('$ct_save')} end, Limit);
        {_, Kind, Lack, _} ->
            erlang:'$test'(self(), Name, {failed, Kind, Lack, []}),
            {ok, {Lacking, undefined}, ""}
    end,
    erase('$ct_test'),
    {Status, Output} = case Answer of
        {ok, {Result, undefined}, Printed} -> {Result, Printed};
        {ok, {Result, {save, Data}}, Printed} ->
            put('$ct_saved', {Test, Data}),
            {Result, Printed};
        {Class, Reason, Stack, Printed} ->
            %% Its process was ended, or its time was up.
            ended_apart(St, Test, Config, Reason, Limit),
            {{failed, Class, Reason, Stack}, Printed}
    end,
    {T1, _} = statistics(wall_clock),
    case Status of
        ok -> ok;
        {skipped, Why} -> retell_hooks:tell(St#st.hooks, on_tc_skip, [Suite, case_of(Test, St)], {tc_user_skip, Why});
        {auto_skipped, Class1, Why, Stack1} -> retell_hooks:tell(St#st.hooks, on_tc_skip, [Suite, case_of(Test, St)], {tc_auto_skip, exit_reason(Class1, Why, Stack1)});
        {failed, Class1, Why, Stack1} -> retell_hooks:tell(St#st.hooks, on_tc_fail, [Suite, case_of(Test, St)], exit_reason(Class1, Why, Stack1))
    end,
    shown(Status, Test, Name, Number, T1 - T0, Output, St).

shown(ok, _, Name, _, Time, Output, St) ->
    counted(passed, St),
    tell(passed, Name, "", "", "", Time, Output),
    false;
shown({skipped, Reason}, _, Name, Number, Time, Output, St) ->
    counted(skipped, St),
    say(St, "Testing ~w: *** SKIPPED test case ~w of ~w ***~n", [St#st.suite, Number, St#st.all]),
    tell(skipped, Name, "", Reason, "", Time, Output),
    false;
shown({auto_skipped, Class, Reason, Stack}, _, Name, Number, Time, Output, St) ->
    counted(cancelled, St),
    say(St, "Testing ~w: *** SKIPPED test case ~w of ~w ***~n", [St#st.suite, Number, St#st.all]),
    tell(cancelled, Name, Class, Reason, failure(init_per_testcase, Class, Reason, Stack, St), Time, Output),
    true;
shown({failed, Class, Reason, Stack}, Test, Name, Number, Time, Output, St) ->
    counted(failed, St),
    Text = failure(Test, Class, Reason, Stack, St),
    say(St, "~tsTesting ~w: *** FAILED test case ~w of ~w ***~n", [Text, St#st.suite, Number, St#st.all]),
    tell(failed, Name, Class, Reason, Text, Time, Output),
    true.

counted(Status, #st{counter = C, rounds = Rounds}) ->
    counters:add(C, case Status of passed -> 1; failed -> 2; skipped -> 3; cancelled -> 4 end, 1),
    %% What is skipped has neither passed nor failed.
    [counters:add(Round, case Status of passed -> 1; failed -> 2 end, 1) || Round <- Rounds, Status =:= passed orelse Status =:= failed],
    ok.

%% The process of a test case. A failure is noted right after its exception.
in_process(#st{suite = Suite} = St, Test, Name, Config0) ->
    erlang:'$test'(self(), Name, began),
    case prepared(St, Test, Config0) of
        {ok, Config} ->
            Status = called(fun() -> Suite:Test(Config) end),
            note(Name, Status),
            Final = ended(St, Test, Config, Status),
            %% Nothing was noted yet, or end_per_testcase or a hook has made a failure of it.
            Status =:= ok andalso note(Name, case Final of ok -> passed; _ -> Final end),
            Final;
        Other ->
            note(Name, Other),
            Other
    end.

prepared(#st{hooks = none} = St, Test, Config) -> initialised(St, Test, Config);
prepared(#st{suite = Suite, hooks = Hooks} = St, Test, Config0) ->
    Post = fun(Config, Told) -> retell_hooks:call(Hooks, post_init_per_testcase, [Suite, Test, Config], Told) end,
    case retell_hooks:call(Hooks, pre_init_per_testcase, [Suite, Test], Config0) of
        Config when is_list(Config) ->
            case initialised(St, Test, Config) of
                {ok, New} = Done -> by_hook(Post(New, ok), Done);
                {skipped, Reason} = Done -> by_hook(Post(Config, {skip, Reason}), Done);
                {_, Class, Reason, Stack} = Done ->
                    _ = Post(Config, {error, exit_reason(Class, Reason, Stack)}),
                    Done
            end;
        Other -> by_hook(Post(Config0, case Other of {fail, Reason} -> {error, Reason}; _ -> Other end), by_hook(Other, {failed, exit, {bad_return_value, Other}, []}))
    end.

%% What the answer of a hook makes of a result.
by_hook(Config, _) when is_list(Config) -> {ok, Config};
by_hook({Skip, Reason}, _) when Skip =:= skip; Skip =:= skipped -> {skipped, Reason};
by_hook({Fail, Reason}, _) when Fail =:= fail; Fail =:= failed; Fail =:= error -> {failed, exit, Reason, []};
by_hook(_, Result) -> Result.

initialised(#st{suite = Suite}, Test, Config) ->
    case erlang:function_exported(Suite, init_per_testcase, 2) of
        false -> {ok, Config};
        true ->
            try Suite:init_per_testcase(Test, Config) of
                New when is_list(New) -> {ok, New};
                {skip, Reason} -> {skipped, Reason};
                {fail, Reason} -> {failed, exit, Reason, []};
                Other -> {auto_skipped, error, {bad_return_value, Other}, []}
            catch
                throw:{skip, Reason} -> {skipped, Reason};
                Class:Reason:Stack -> {auto_skipped, Class, Reason, Stack}
            end
    end.

called(Fun) ->
    try Fun() of
        {skip, Reason} -> {skipped, Reason};
        {skipped, Reason} -> {skipped, Reason};
        {skip_and_save, Reason, Data} ->
            put('$ct_save', {save, Data}),
            {skipped, Reason};
        {save_config, Data} ->
            put('$ct_save', {save, Data}),
            ok;
        {fail, Reason} -> {failed, exit, Reason, []};
        {failed, Reason} -> {failed, exit, Reason, []};
        _ -> ok
    catch
        throw:{skip, Reason} -> {skipped, Reason};
        exit:{skip, Reason} -> {skipped, Reason};
        Class:Reason:Stack -> {failed, Class, Reason, Stack}
    end.

note(_, ok) -> ok;
note(Name, passed) -> erlang:'$test'(self(), Name, passed);
note(Name, {skipped, _}) -> erlang:'$test'(self(), Name, skipped);
note(Name, {_, Class, Reason, Stack}) -> erlang:'$test'(self(), Name, {failed, Class, Reason, Stack}).

ended(#st{suite = Suite, hooks = Hooks}, Test, Config0, Status) ->
    {Told, Returned} = case Status of
        ok -> {ok, ok};
        {skipped, R} -> {{skipped, R}, {skip, R}};
        {failed, C, R, S} -> {{failed, R}, {error, exit_reason(C, R, S)}}
    end,
    Config = retell_hooks:call(Hooks, pre_end_per_testcase, [Suite, Test], [{tc_status, Told} | Config0]),
    Ended = case is_list(Config) andalso erlang:function_exported(Suite, end_per_testcase, 2) of
        false -> Status;
        true ->
            try Suite:end_per_testcase(Test, Config) of
                {fail, Reason} when Status =:= ok -> {failed, exit, Reason, []};
                _ -> Status
            catch
                _:_ -> Status
            end
    end,
    Result = case Ended of Status -> Returned; {failed, _, Why, _} -> {error, Why} end,
    case retell_hooks:call(Hooks, post_end_per_testcase, [Suite, Test, Config], Result) of
        Result -> Ended;
        Other -> by_hook(Other, Ended)
    end.

ended_apart(St, Test, Config, Reason, Limit) ->
    apart(fun() -> ended(St, Test, Config, {failed, exit, Reason, []}) end, Limit).

%% Calls the function in a process of its own. The answer is {ok, Value, Output} or {Class, Reason, Stack, Output}.
apart(Fun, Limit) ->
    Caller = self(),
    Shared = get('$ct_leader'),
    Leader = case Shared of undefined -> spawn_link(eunit_proc, '$leader', [Caller]); _ -> Shared end,
    {Pid, Ref} = spawn_monitor(fun() ->
        group_leader(Leader, self()),
        put('$ct_keeper', Caller),
        exit({'$apart', try {ok, Fun()} catch Class:Reason:Stack -> {Class, Reason, Stack} end})
    end),
    Timer = erlang:start_timer(Limit, self(), {'$timetrap', Pid}),
    Answer = await(Pid, Ref, Timer, Limit),
    Leader ! case Shared of undefined -> stop; _ -> hand_over end,
    Output = receive {Leader, Printed} -> Printed end,
    case Answer of
        {ok, Value} -> {ok, Value, Output};
        {Class, Reason, Stack} -> {Class, Reason, Stack, Output}
    end.

await(Pid, Ref, Timer, Limit) ->
    receive
        {'DOWN', Ref, process, Pid, Reason} ->
            erlang:cancel_timer(Timer),
            receive {timeout, Timer, _} -> ok after 0 -> ok end,
            case Reason of
                {'$apart', Answer} -> Answer;
                _ ->
                    killed(Pid, Reason, []),
                    {exit, Reason, []}
            end;
        {timeout, Timer, _} ->
            Stack = case process_info(Pid, current_stacktrace) of {_, Frames} -> Frames; undefined -> [] end,
            killed(Pid, {timetrap_timeout, Limit}, Stack),
            exit(Pid, kill),
            receive {'DOWN', Ref, process, Pid, _} -> ok end,
            {exit, {timetrap_timeout, Limit}, Stack};
        {'$ct_timetrap', Pid, New} ->
            erlang:cancel_timer(Timer),
            receive {timeout, Timer, _} -> ok after 0 -> ok end,
            await(Pid, Ref, erlang:start_timer(New, self(), {'$timetrap', Pid}), New)
    end.

%% The test cannot note that it failed.
killed(Pid, Reason, Stack) ->
    case get('$ct_test') of
        undefined -> ok;
        Name -> erlang:'$test'(Pid, Name, {failed, exit, Reason, Stack})
    end.

%% ---- texts ----------------------------------------------------------------------------------------------------------------------------

failure(Function, Class, Reason, Stack, #st{suite = Suite}) ->
    Place = case [{M, F, proplists:get_value(line, L)} || {M, F, _, L} <- Stack, M =:= Suite] ++ [{M, F, proplists:get_value(line, L)} || {M, F, _, L} <- Stack] of
        [{M, F, Line} | _] when Line =/= undefined -> io_lib:format("~w:~tw failed on line ~w", [M, F, Line]);
        _ -> io_lib:format("~w:~tw failed", [Suite, Function])
    end,
    Shown = case Class of throw -> {thrown, Reason}; _ -> Reason end,
    io_lib:format("~n~ts~n~ts~nReason: ~tP~n~ts~n~n", [?RULE, Place, Shown, 30, ?RULE]).

tell(Status, Name, Class, Reason, Text, Time, Output) ->
    Short = case Reason of "" -> ""; _ -> eunit_proc:one_line(Reason) end,
    erlang:'$tell'([test, Status, eunit_proc:plain(Name), "", Time, Class, Short, eunit_proc:plain(Text), eunit_proc:plain(Output)]).

say(#st{prints = false}, _, _) -> ok;
say(_, Format, Args) -> io:format(user, Format, Args).

%% ---- time limits ----------------------------------------------------------------------------------------------------------------------

%% The list that an info function returns; none, if there is no such function.
info(Fun) ->
    try Fun() of
        Info when is_list(Info) -> {ok, [Term || Term <- Info, is_tuple(Term)]};
        _ -> error
    catch
        error:undef -> {ok, []};
        _:_ -> error
    end.

suite_info(Suite) ->
    try Suite:suite() of
        Info when is_list(Info) ->
            case lists:all(fun is_tuple/1, Info) of true -> {ok, Info}; false -> {error, bad_return_value} end;
        _ -> {error, bad_return_value}
    catch
        error:undef -> {ok, []};
        error:Reason:Stack -> {error, {exited, {Reason, Stack}}};
        exit:Reason -> {error, {exited, Reason}};
        throw:_ -> {error, bad_return_value}
    end.

%% The info of a test case, and what keeps it from running. The nearest group's variables are required for each of its test cases, too.
test_info(Test, #st{suite = Suite, groups = Groups} = St) ->
    {Group, Outer} = case Groups of [G | Gs] -> {G, lists:append(Gs)}; [] -> {[], []} end,
    retell_config:forget(testcase),
    case info(fun() -> Suite:Test() end) of
        {ok, Info} ->
            Kept = [T || T <- Group, case T of
                                         {default_config, Key, _} -> [] =:= [K || {default_config, K, _} <- Info, K =:= Key];
                                         _ -> element(1, T) =:= require andalso not lists:member(T, Info)
                                     end],
            Clash = retell_config:clashes(Info, St#st.info ++ Group ++ Outer),
            case Clash =:= [] andalso retell_config:configure(Info ++ Kept, testcase) of
                false -> {Info, {failed, exit, {config_name_already_in_use, Clash}, []}};
                ok -> {Info, none};
                {error, Reason} -> {Info, {auto_skipped, exit, {require_failed, Reason}, []}}
            end;
        error -> {[], {auto_skipped, exit, {testcase0_failed, bad_return_value}, []}}
    end.

limit(Info, Outer) ->
    case proplists:get_value(timetrap, Info) of
        undefined -> Outer;
        Time -> ct:'$milliseconds'(Time)
    end.
