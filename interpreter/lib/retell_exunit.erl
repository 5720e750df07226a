%% ExUnit in the interpreter: what its tests do is noted in the trace and told to the tool, as of EUnit's tests. Nothing of it is printed.
%%
%% Some functions of modules of Elixir are replaced when the modules are loaded (`hooked/2`): the new one calls `call/3` here, with the old one.
-module(retell_exunit).
-export([hooked/2, is_hooked/1, call/3]).

%% By name and arity, as the sources of Elixir 1.14 to 1.20 have them. `tracer` asks for the same ones before it runs an Elixir
%% (`tracer/src/elixir/hooks.rs`).
hooks('Elixir.ExUnit.Runner') -> [{exec_test_setup, 2}, {exec_test, 1}, {exec_test, 2}, {receive_test_reply, 4}, {exec_on_exit, 3}, {prepare_tests, 2}, {prepare_tests, 3}, {prepare_tests, 4}, {run_tests, 3}, {run_tests, 4}];
hooks('Elixir.ExUnit.EventManager') -> [{test_finished, 2}, {suite_finished, 2}];
hooks('Elixir.Mix.Compilers.Test') -> [{require_and_run, 4}];
hooks('Elixir.Mix.Utils') -> [{last_modified_and_size, 1}];
hooks(elixir_compiler) -> [{is_purgeable, 2}];
hooks(_) -> [].

is_hooked(Module) -> hooks(Module) =/= [].

hooked(Module, Forms) ->
    case hooks(Module) of
        [] -> Forms;
        Functions -> lists:append([hook(Form, Functions) || Form <- Forms])
    end.

hook({function, Anno, Name, Arity, Clauses} = Form, Functions) ->
    case lists:member({Name, Arity}, Functions) of
        true ->
            Old = list_to_atom("$" ++ atom_to_list(Name)),
            Vars = [{var, Anno, list_to_atom("V" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)],
            List = lists:foldr(fun(Var, Tail) -> {cons, Anno, Var, Tail} end, {nil, Anno}, Vars),
            Call = {call, Anno, {remote, Anno, {atom, Anno, ?MODULE}, {atom, Anno, call}}, [{atom, Anno, Name}, {'fun', Anno, {function, Old, Arity}}, List]},
            [{function, Anno, Old, Arity, Clauses}, {function, Anno, Name, Arity, [{clause, Anno, Vars, [], [Call]}]}];
        false -> [Form]
    end;
hook(Form, _) -> [Form].

%% The project was compiled before this run: a test that asks mix to compile finds it done, as in a run of mix that compiles.
call(require_and_run, Real, Args) ->
    case erlang:function_exported('Elixir.Mix.TasksServer', run, 1) of
        true -> 'Elixir.Mix.TasksServer':run({task, <<"compile">>, 'Elixir.Mix.Project':get()});
        false -> ok
    end,
    apply(Real, Args);
%% Files are never newer than the real clock, but newer than a simulated one: mix would set their time back.
call(last_modified_and_size, _, [Path]) ->
    case elixir_utils:read_posix_mtime_and_size(Path) of
        {ok, Time, Size} -> {Time, Size};
        {error, _} -> {0, 0}
    end;
%% Without the tables that `beam_lib` makes.
call(is_purgeable, _, [_, Binary]) -> retell_beam:chunk_of(Binary, "LocT") =:= <<0:32>>;
call(exec_test_setup, Real, [Test | _] = Args) ->
    erlang:'$test'(self(), name(Test), began),
    case apply(Real, Args) of
        {error, Failed} = Answer ->
            failed(self(), Failed),
            Answer;
        Answer -> Answer
    end;
call(exec_test, Real, Args) ->
    case apply(Real, Args) of
        #{state := nil} = Test ->
            erlang:'$test'(self(), name(Test), passed),
            Test;
        Test ->
            failed(self(), Test),
            Test
    end;
%% The process of the test was ended, or its time was up.
call(receive_test_reply, Real, [_, Of | _] = Args) ->
    Test = apply(Real, Args),
    case Test of
        #{state := {failed, [{{'EXIT', _}, _, _} | _]}} -> failed(Of, Test);
        #{state := {failed, [{error, #{'__struct__' := 'Elixir.ExUnit.TimeoutError'}, _} | _]}} -> failed(Of, Test);
        _ -> ok
    end,
    Test;
call(exec_on_exit, Real, [Before, Of | _] = Args) ->
    After = apply(Real, Args),
    case {Before, After} of
        {#{state := nil}, #{state := {failed, _}}} -> failed(Of, After);
        %% Of all tests of a module.
        {#{state := {failed, _}, tests := _}, _} -> failed(Of, After);
        _ -> ok
    end,
    After;
call(prepare_tests, Real, [Config | _] = Args) ->
    erlang:'$tell'([seed, maps:get(seed, Config, 0)]),
    case apply(Real, Args) of
        Tests when is_list(Tests) -> chosen(Tests);
        %% From Elixir 1.17 on: those that run, and the others.
        {Run, Others} -> lists:partition(fun(#{state := State}) -> State =:= nil end, chosen(Run ++ Others))
    end;
call(run_tests, Real, [Config, [_, _ | _] = Tests | Rest]) ->
    erlang:'$prepared'(),
    apply(Real, [Config, ordered(erlang:'$order'(), Tests) | Rest]);
call(run_tests, Real, Args) -> apply(Real, Args);
call(test_finished, Real, [_, Test] = Args) ->
    told(Test),
    apply(Real, Args);
call(suite_finished, Real, Args) ->
    erlang:'$tell'([finished]),
    apply(Real, Args).

%% A run of a hunt draws the order; otherwise it is that of ExUnit.
ordered(0, Tests) -> Tests;
ordered(Draw, Tests) -> [Test || {_, _, Test} <- lists:sort([{erlang:phash2({Draw, N}), N, Test} || {N, Test} <- lists:enumerate(Tests)])].

%% The tests, with those excluded that are not wanted.
chosen(Tests) ->
    case [{How, Names} || How <- [only, alone], {ok, Names} <- [erlang:'$env_get'('$exunit', How)]] of
        [{only, Words}] -> [selected(Test, Words) || Test <- Tests];
        [{alone, [Name]}] -> [alone(Test, Name) || Test <- Tests];
        [] -> Tests
    end.

selected(#{state := nil} = Test, Words) ->
    Name = unicode:characters_to_list(name(Test)),
    case lists:any(fun(Word) -> string:find(Name, Word) =/= nomatch orelse is_of(Word, Name) end, Words) of
        true -> Test;
        false ->
            erlang:'$tell'([other, name(Test)]),
            Test#{state := {excluded, <<"due to -k">>}}
    end;
selected(Test, _) -> Test.

%% The test of this name runs, whatever tags it has, and no other one.
alone(#{module := Module, name := Of, tags := Tags, state := State} = Test, Name) ->
    Own = unicode:characters_to_list(name(Test)),
    case Own =:= Name orelse is_of(Name, Own) of
        true when State =:= nil -> Test;
        true when element(1, State) =:= excluded -> Test#{state := nil, tags := Tags#{test => Of, module => Module}};
        _ when element(1, State) =:= skipped -> Test;
        _ -> Test#{state := {excluded, <<"not this one">>}}
    end.

name(#{tests := _, name := Module}) -> <<(module(Module))/binary, ":setup_all">>;
name(#{module := Module, name := Name} = Test) -> <<(module(Module))/binary, ":", (atom_to_binary(Name))/binary, (parameters(Test))/binary>>.

%% From Elixir 1.18 on, a test can run several times, with parameters that it gets only when it runs.
parameters(#{parameters := Parameters}) when map_size(Parameters) > 0 ->
    Each = [[atom_to_binary(Key), ": ", shown(Value)] || {Key, Value} <- lists:sort(maps:to_list(Parameters)), is_atom(Key)],
    unicode:characters_to_binary([" %{", lists:join(", ", Each), "}"]);
parameters(_) -> <<>>.

%% Without the protocol `Inspect`, which may be about to be loaded.
shown(Value) when Value =:= nil; is_boolean(Value) -> atom_to_binary(Value);
shown(Value) when is_atom(Value) ->
    case atom_to_list(Value) of
        "Elixir." ++ Module -> Module;
        Name -> [$: | Name]
    end;
shown(Value) when is_binary(Value) ->
    case unicode:characters_to_list(Value) of
        Text when is_list(Text) -> io_lib:format("~0tp", [Text]);
        _ -> io_lib:format("~0p", [Value])
    end;
shown(Value) -> io_lib:format("~0tp", [Value]).

%% Is it this name, without its module perhaps, with parameters behind it?
is_of(Word, Name) ->
    case string:split(Word, " %{", trailing) of
        [Before, _] -> lists:suffix(Before, Name);
        [_] -> false
    end.

module(Module) ->
    case atom_to_binary(Module) of
        <<"Elixir.", Name/binary>> -> Name;
        Name -> Name
    end.

failed(Of, #{state := {failed, [{Kind, Reason, Stack} | _]}} = Test) -> erlang:'$test'(Of, name(Test), {failed, class(Kind), reason(Reason), Stack});
failed(Of, Test) -> erlang:'$test'(Of, name(Test), {failed, error, maps:get(state, Test, undefined), []}).

class({'EXIT', _}) -> exit;
class(Kind) -> Kind.

%% Of an assertion: its text, and the values of both sides.
reason(#{'__struct__' := 'Elixir.ExUnit.AssertionError', message := Message} = Error) ->
    Values = maps:filter(fun(Key, Value) -> (Key =:= left orelse Key =:= right) andalso Value =/= ex_unit_no_meaningful_value end, Error),
    {assertion_failed, text(Message), Values};
reason(#{'__struct__' := 'Elixir.ErlangError', original := Original}) -> Original;
reason(Reason) -> Reason.

text(Text) when is_binary(Text) -> Text;
text(Other) -> 'Elixir.Kernel':inspect(Other).

told(#{state := {excluded, _}}) -> ok;
told(#{state := nil} = Test) -> told(passed, Test, "", "", "");
told(#{state := {skipped, Why}} = Test) -> told(skipped, Test, "", Why, Why);
told(#{state := {failed, [{Kind, Reason, Stack} | _] = Failures}} = Test) ->
    erlang:'$tell'([file, name(Test), maps:get(file, maps:get(tags, Test, #{}), <<>>)]),
    Text = 'Elixir.ExUnit.Formatter':format_test_failure(Test, Failures, 1, 80, fun(_, Shown) -> Shown end),
    told(failed, Test, class(Kind), 'Elixir.Exception':format_banner(Kind, Reason, Stack), Text);
told(#{state := {invalid, _}} = Test) -> told(cancelled, Test, "", <<"failure on setup_all callback">>, <<"failure on setup_all callback">>);
told(_) -> ok.

told(Status, Test, Class, Reason, Text) ->
    Time = maps:get(time, Test, 0) div 1000,
    erlang:'$tell'([test, Status, name(Test), "", Time, Class, first_line(Reason), plain(Text), ""]).

first_line(Text) -> hd(binary:split(plain(Text), <<"\n">>)).

plain(Text) ->
    case unicode:characters_to_binary(Text) of
        Plain when is_binary(Plain) -> Plain;
        _ -> <<>>
    end.
