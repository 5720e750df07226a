%% The module `eunit`: runs test representations and prints as OTP's text listener does. The work is divided as there, so that processes, group
%% leaders and exceptions are the same for a test: a task (a group with `spawn`, an item of `inparallel`) is a process watched by
%% another, the keeper; events go from task to keeper to the task that started it, and at the top to the listener.
-module(eunit).
-export([start/0, stop/0, test/1, test/2]).
-export(['$leader'/1]).
-record(test, {f, desc, timeout, location, line = 0}).
-record(group, {desc, order, timeout, context, spawn, tests}).
-record(context, {setup, cleanup, process}).
%% Of a task: its keeper, the place of the current item, the order of its items, and whether test modules named on their own bring MODULE_tests.
-record(st, {keeper, id = [], order = inorder, exact = false}).
%% Of the listener.
-record(tty, {verbose, depth, silent, indent = 0, pass = 0, fail = 0, skip = 0, cancel = 0, groups = []}).

start() -> ok.
stop() -> ok.

test(Tests) -> test(Tests, []).

test(Tests, Options) when is_list(Options) ->
    Tty = #tty{verbose = proplists:get_bool(verbose, Options), depth = proplists:get_value(print_depth, Options, 20),
               silent = proplists:get_bool(no_tty, Options)},
    Tty#tty.verbose andalso say(Tty, "======================== EUnit ========================\n", []),
    Caller = self(),
    Exact = proplists:get_bool(exact_execution, Options),
    Order = case proplists:get_value(inparallel, Options) of true -> {inparallel, 0}; N when is_integer(N) -> {inparallel, N}; _ -> inorder end,
    {Root, Ref} = spawn_monitor(fun() ->
        Keeper = start_task(fun(St) -> run_group(#group{tests = Tests}, St) end, #st{order = Order, exact = Exact}),
        forward(Keeper, fun(Event) -> Caller ! {self(), Event} end)
    end),
    Result = listen(Root, Ref, Tty),
    erlang:demonitor(Ref, [flush]),
    Result;
test(Tests, Option) -> test(Tests, [Option]).

%% ---- the listener ---------------------------------------------------------------------------------------------------------------------

listen(Root, Ref, Tty) ->
    receive
        {Root, Event} -> listen(Root, Ref, show(Event, Tty));
        {'DOWN', Ref, process, Root, _} -> verdict(Tty)
    end.

verdict(#tty{pass = Pass, fail = 0, skip = 0, cancel = 0} = Tty) ->
    Pass > 0 andalso Tty#tty.verbose andalso bar(Tty),
    case Pass of
        0 -> say(Tty, "  There were no tests to run.\n", []);
        1 -> say(Tty, "  Test passed.\n", []);
        2 -> say(Tty, "  2 tests passed.\n", []);
        _ -> say(Tty, "  All ~w tests passed.\n", [Pass])
    end,
    ok;
verdict(#tty{pass = Pass, fail = Fail, skip = Skip, cancel = Cancel} = Tty) ->
    bar(Tty),
    say(Tty, "  Failed: ~w.  Skipped: ~w.  Passed: ~w.\n", [Fail, Skip, Pass]),
    Cancel =/= 0 andalso say(Tty, "One or more tests were cancelled.\n", []),
    error.

say(#tty{silent = true}, _, _) -> ok;
say(_, Format, Args) -> io:fwrite(Format, Args).

bar(Tty) -> say(Tty, "=======================================================\n", []).

%% `groups`: what was begun and has not ended, with its data, the innermost first. A cancelled item ends what is inside of it.
show({Id, {'begin', Kind, Data}}, Tty) -> began(Kind, Data, Tty#tty{groups = [{Id, Kind, Data} | Tty#tty.groups]});
show({Id, {'end', Status, More}}, #tty{groups = [{Id, Kind, Data} | Groups]} = Tty) -> ended(Kind, Status, Data ++ More, Tty#tty{groups = Groups});
show({Id, {cancel, Reason}}, #tty{groups = [{Open, Kind, Data} | Groups]} = Tty) ->
    case lists:prefix(Id, Open) of
        true when Id =:= Open -> cancelled(Kind, Reason, Data, Tty#tty{groups = Groups});
        true -> show({Id, {cancel, Reason}}, cancelled(Kind, undefined, Data, Tty#tty{groups = Groups}));
        false -> Tty
    end;
show(_, Tty) -> Tty.

described(Data) ->
    Desc = proplists:get_value(desc, Data),
    Desc =/= "" andalso Desc =/= undefined.

began(group, Data, #tty{verbose = true, indent = I} = Tty) ->
    case described(Data) of
        true ->
            indent(Tty),
            say(Tty, "~ts\n", [proplists:get_value(desc, Data)]),
            Tty#tty{indent = I + 1};
        false -> Tty
    end;
began(test, Data, #tty{verbose = true} = Tty) -> test_begins(Data, Tty);
began(_, _, Tty) -> Tty.

ended(group, _, Data, #tty{verbose = true, indent = I} = Tty) ->
    case described(Data) of
        true ->
            Time = proplists:get_value(time, Data),
            Time > 0 andalso begin indent(Tty), say(Tty, "[done in ~.3f s]\n", [Time / 1000]) end,
            Tty#tty{indent = I - 1};
        false -> Tty
    end;
ended(group, _, _, Tty) -> Tty;
ended(test, ok, Data, #tty{verbose = Verbose, pass = N} = Tty) ->
    Time = proplists:get_value(time, Data, 0),
    Verbose andalso say(Tty, "~tsok\n", [case Time > 0 of true -> io_lib:fwrite("[~.3f s] ", [Time / 1000]); false -> "" end]),
    Tty#tty{pass = N + 1};
ended(test, Status, Data, Tty) ->
    Tty#tty.verbose orelse test_begins(Data, Tty),
    case Status of
        {error, Exception} ->
            say(Tty, "*failed*\n~ts", [exception(Exception, Tty#tty.depth)]),
            case proplists:get_value(output, Data) of
                <<>> -> say(Tty, "\n\n", []);
                <<Text:800/binary, _, _/binary>> -> say(Tty, "  output:<<\"~ts\">>...\n\n", [Text]);
                Output -> say(Tty, "  output:<<\"~ts\">>\n\n", [Output])
            end,
            Tty#tty{fail = Tty#tty.fail + 1};
        {skipped, Reason} ->
            say(Tty, "*did not run*\n::~ts\n", [skipped(Reason)]),
            Tty#tty{skip = Tty#tty.skip + 1}
    end.

skipped({module_not_found, M}) -> io_lib:fwrite("missing module: ~w", [M]);
skipped({no_such_function, {M, F, A}}) -> io_lib:fwrite("no such function: ~w:~tw/~w", [M, F, A]).

cancelled(group, undefined, _, #tty{indent = I, cancel = N} = Tty) -> Tty#tty{indent = I - 1, cancel = N + 1};
cancelled(group, Reason, Data, #tty{indent = I, cancel = N} = Tty) ->
    Tty#tty.verbose andalso described(Data) orelse begin indent(Tty), say(Tty, "~ts\n", [proplists:get_value(desc, Data)]) end,
    case Reason of
        {blame, _} -> ok;
        _ -> indent(Tty), say(Tty, cancel_text(Reason, Tty#tty.depth), [])
    end,
    Tty#tty{indent = I - 1, cancel = N + 1};
cancelled(test, Reason, Data, #tty{cancel = N} = Tty) ->
    Tty#tty.verbose orelse test_begins(Data, Tty),
    say(Tty, cancel_text(Reason, Tty#tty.depth), []),
    Tty#tty{cancel = N + 1}.

cancel_text(undefined, _) -> "*skipped*\n";
cancel_text(timeout, _) -> "*timed out*\n";
cancel_text({timeout, Stack}, _) -> ["*timed out*\n", stacktrace(Stack)];
cancel_text({blame, _}, _) -> "*cancelled because of subtask*\n";
cancel_text({exit, Reason}, Depth) -> io_lib:fwrite("*unexpected termination of test process*\n::~tP\n\n", [Reason, Depth]);
cancel_text({abort, Reason}, Depth) -> problem(Reason, Depth).

indent(#tty{indent = I} = Tty) when I >= 1 -> say(Tty, lists:duplicate(I * 2, $\s), []);
indent(_) -> ok.

test_begins(Data, Tty) ->
    indent(Tty),
    Line = case proplists:get_value(line, Data, 0) of 0 -> ""; L -> io_lib:fwrite("~w:", [L]) end,
    Desc = case described(Data) of true -> io_lib:fwrite(" (~ts)", [proplists:get_value(desc, Data)]); false -> "" end,
    case proplists:get_value(source, Data) of
        {Module, Name, _} -> say(Tty, "~ts:~ts ~ts~ts...", [Module, Line, Name, Desc]);
        _ -> say(Tty, "~ts~ts...", [Line, Desc])
    end,
    Tty.

%% ---- texts of exceptions --------------------------------------------------------------------------------------------------------------

exception({Class, Term, Stack}, Depth) when is_atom(Class), is_list(Stack) ->
    case is_stack(Stack) of
        true -> io_lib:format("~ts**~w:~ts", [stacktrace(Stack), Class, term(Term, Depth)]);
        false -> term(Term, Depth)
    end;
exception(Term, Depth) -> term(Term, Depth).

term(Term, Depth) -> io_lib:format("~tP\n", [Term, Depth]).

is_stack([]) -> true;
is_stack([{M, F, A, L} | Stack]) when is_atom(M), is_atom(F), is_integer(A) orelse is_list(A), is_list(L) -> is_stack(Stack);
is_stack([{M, F, A} | Stack]) when is_atom(M), is_atom(F), is_integer(A) orelse is_list(A) -> is_stack(Stack);
is_stack(_) -> false.

stacktrace(Stack) -> frames(Stack, "in function").

frames([{M, F, A} | Stack], Words) -> frames([{M, F, A, []} | Stack], Words);
frames([{M, F, A, L} | Stack], Words) when is_integer(A) ->
    [io_lib:fwrite("~ts ~w:~tw/~w~ts\n", [Words, M, F, A, place(L)]) | frames(Stack, "in call from")];
frames([{M, F, As, L} | Stack], Words) ->
    Arity = length(As),
    Args = [io_lib:format("~tP", [A, 15]) || A <- As],
    Call = case M =:= erlang andalso is_operator(F, Arity) of
        true when Arity =:= 1 -> io_lib:fwrite("~ts ~ts", [F | Args]);
        true -> io_lib:fwrite("~ts ~ts ~ts", [hd(Args), F, lists:last(Args)]);
        false -> io_lib:fwrite("~tw(~ts)", [F, lists:join(",", Args)])
    end,
    [io_lib:fwrite("~ts ~w:~tw/~w~ts\n  called as ~ts\n", [Words, M, F, Arity, place(L), Call]) | frames(Stack, "in call from")];
frames([], _) -> "".

place(Location) ->
    case {proplists:get_value(file, Location), proplists:get_value(line, Location)} of
        {File, Line} when File =/= undefined, Line =/= undefined -> io_lib:format(" (~ts, line ~w)", [File, Line]);
        _ -> ""
    end.

is_operator(F, 1) -> lists:member(F, ['+', '-', 'bnot', 'not']);
is_operator(F, 2) ->
    lists:member(F, ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr', 'and', 'or', 'xor', '==', '/=', '=<', '<', '>=', '>',
                     '=:=', '=/=', '++', '--', '!']);
is_operator(_, _) -> false.

problem({bad_test, Term}, Depth) -> message("bad test descriptor", "~tP", [Term, Depth]);
problem({bad_generator, {{M, F, A}, Term}}, Depth) ->
    message(io_lib:format("result from generator ~w:~tw/~w is not a test", [M, F, A]), "~tP", [Term, Depth]);
problem({generator_failed, {{M, F, A}, Exception}}, Depth) ->
    message(io_lib:format("test generator ~w:~tw/~w failed", [M, F, A]), "~ts", [exception(Exception, Depth)]);
problem({no_such_function, {M, F, A}}, _) -> message(io_lib:format("no such function: ~w:~tw/~w", [M, F, A]), "", []);
problem({module_not_found, M}, _) -> message("test module not found", "~tp", [M]);
problem({application_not_found, A}, _) -> message("application not found", "~w", [A]);
problem({file_read_error, {_, Text, File}}, _) -> message("error reading file", "~ts: ~ts", [Text, File]);
problem({setup_failed, Exception}, Depth) -> message("context setup failed", "~ts", [exception(Exception, Depth)]);
problem({cleanup_failed, Exception}, Depth) -> message("context cleanup failed", "~ts", [exception(Exception, Depth)]);
problem({{bad_instantiator, {{M, F, A}, Term}}, _}, Depth) ->
    message(io_lib:format("result from instantiator ~w:~tw/~w is not a test", [M, F, A]), "~tP", [Term, Depth]);
problem({instantiation_failed, Exception}, Depth) -> message("instantiation of subtests failed", "~ts", [exception(Exception, Depth)]).

message(Title, Format, Args) -> io_lib:fwrite("*** ~ts ***\n~ts\n\n", [Title, io_lib:format("**" ++ Format, Args)]).

%% ---- tasks ----------------------------------------------------------------------------------------------------------------------------

%% Starts a task and its keeper; events of the task come as {Keeper, Event}, and {Keeper, done} at its end.
start_task(Fun, St) ->
    Parent = self(),
    spawn_link(fun() ->
        process_flag(trap_exit, true),
        Keeper = self(),
        Task = spawn_link(fun() ->
            group_leader(Keeper, self()),
            try Fun(St#st{keeper = Keeper})
            catch
                throw:{eunit_abort, Cause} ->
                    Keeper ! {self(), {St#st.id, {abort, Cause}}},
                    exit(aborted)
            end
        end),
        keep(Task, Parent, St#st.id, [])
    end).

%% `Outputs`: what was printed in each item that has begun.
keep(Task, Parent, Id, Outputs) ->
    receive
        {Task, {At, {'begin', _, _} = Event}} ->
            Parent ! {self(), {At, Event}},
            keep(Task, Parent, Id, [[] | Outputs]);
        {Task, {At, {'end', Status, Time}}} ->
            Output = unicode:characters_to_binary(lists:reverse(hd(Outputs))),
            Parent ! {self(), {At, {'end', Status, [{time, Time}, {output, Output}]}}},
            keep(Task, Parent, Id, tl(Outputs));
        {Task, {At, {skipped, Reason}}} ->
            Parent ! {self(), {At, {cancel, {abort, Reason}}}},
            keep(Task, Parent, Id, Outputs);
        {Task, {At, {abort, Cause}}} ->
            cancel(At, {abort, Cause}, Id, Parent),
            done(Parent);
        {Task, {At, Event}} ->
            Parent ! {self(), {At, Event}},
            keep(Task, Parent, Id, Outputs);
        {io_request, From, ReplyAs, Request} ->
            {Reply, Output} = io_request(Request, case Outputs of [] -> []; _ -> hd(Outputs) end),
            From ! {io_reply, ReplyAs, Reply},
            keep(Task, Parent, Id, case Outputs of [_ | Rest] when From =:= Task -> [Output | Rest]; _ -> Outputs end);
        {timeout, Task, At} ->
            Stack = process_info(Task, current_stacktrace),
            cancel(At, case Stack of {_, Frames} -> {timeout, Frames}; undefined -> timeout end, Id, Parent),
            exit(Task, kill),
            done(Parent);
        {'EXIT', Task, normal} -> done(Parent);
        {'EXIT', Task, Reason} ->
            Parent ! {self(), {Id, {cancel, {exit, Reason}}}},
            done(Parent);
        {'EXIT', Parent, _} ->
            exit(Task, kill),
            done(Parent)
    end.

cancel(At, Cause, Id, Parent) ->
    Parent ! {self(), {At, {cancel, Cause}}},
    At =:= Id orelse (Parent ! {self(), {Id, {cancel, {blame, At}}}}).

done(Parent) ->
    Parent ! {self(), done},
    unlink(Parent),
    exit(normal).

forward(Keeper, Send) ->
    receive
        {Keeper, done} -> ok;
        {Keeper, Event} ->
            Send(Event),
            forward(Keeper, Send)
    end.

wait(Task, St) -> forward(Task, fun(Event) -> St#st.keeper ! {self(), Event} end).

tell(Event, St) -> St#st.keeper ! {self(), {St#st.id, Event}}.

%% Value and time in milliseconds. The keeper ends a task whose time is up.
timed(infinity, Fun, _) ->
    {T0, _} = statistics(wall_clock),
    Value = Fun(),
    {T1, _} = statistics(wall_clock),
    {Value, T1 - T0};
timed(Time, Fun, St) ->
    Timer = erlang:send_after(max(0, min(Time, 16#FFFFffff)), St#st.keeper, {timeout, self(), St#st.id}),
    try timed(infinity, Fun, St)
    after erlang:cancel_timer(Timer)
    end.

%% ---- running --------------------------------------------------------------------------------------------------------------------------

run_items(Tests, #st{order = inorder, id = Id} = St) -> in_order(Tests, 1, Id, St);
run_items(Tests, #st{order = {inparallel, N}, id = Id} = St) -> in_parallel(Tests, 1, N, [], Id, St).

%% How many there were.
in_order(Tests, N, Id, St) ->
    case next_item(Tests, St) of
        {Item, Rest} ->
            run_item(Item, St#st{id = Id ++ [N]}),
            in_order(Rest, N + 1, Id, St);
        none -> N - 1
    end.

%% At most Most at a time (0: all).
in_parallel(Tests, N, Most, Running, Id, St) when Most > 0, length(Running) =:= Most ->
    [wait(Task, St) || Task <- lists:reverse(Running)],
    in_parallel(Tests, N, Most, [], Id, St);
in_parallel(Tests, N, Most, Running, Id, St) ->
    case next_item(Tests, St) of
        {Item, Rest} ->
            Task = start_task(fun(S) -> run_item(Item, S) end, St#st{id = Id ++ [N]}),
            in_parallel(Rest, N + 1, Most, [Task | Running], Id, St);
        none ->
            [wait(Task, St) || Task <- lists:reverse(Running)],
            N - 1
    end.

next_item(Tests, St) ->
    try next(Tests, St)
    catch throw:Cause -> throw({eunit_abort, Cause})
    end.

run_item(#test{} = T, St) ->
    tell({'begin', test, [{desc, T#test.desc}, {source, T#test.location}, {line, T#test.line}]}, St),
    Outer = group_leader(),
    Runner = self(),
    Leader = spawn_link(?MODULE, '$leader', [Runner]),
    group_leader(Leader, self()),
    Limit = case T#test.timeout of undefined -> 5000; Time -> Time end,
    {Status, Spent} = timed(Limit, fun() -> run_test(T#test.f) end, St),
    group_leader(Outer, self()),
    Leader ! stop,
    receive {Leader, Output} -> io:put_chars(Output) end,
    tell({'end', Status, Spent}, St),
    ok;
run_item(#group{spawn = undefined} = G, St) -> run_group(G, ordered(G, St));
run_item(#group{spawn = local} = G, St) -> wait(start_task(fun(S) -> run_group(G, S) end, ordered(G, St)), St);
run_item(#group{spawn = {remote, Node}}, _) -> throw({eunit_abort, {bad_test, {spawn, Node}}}).

ordered(#group{order = undefined}, St) -> St;
ordered(#group{order = Order}, St) -> St#st{order = Order}.

run_test(F) ->
    try call(F) of
        {ok, _} -> ok;
        Error -> Error
    catch
        throw:Why -> {skipped, Why}
    end.

call(F) ->
    try F() of
        Value -> {ok, Value}
    catch
        throw:{eunit_internal, Term} -> throw(Term);
        Class:Reason:Stack -> {error, {Class, Reason, own(Stack, [])}}
    end.

%% Up to the frames of this module.
own(Stack, Tail) -> lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack) ++ Tail.

run_group(#group{timeout = Timeout, context = Context, tests = Tests} = G, St) ->
    tell({'begin', group, [{desc, G#group.desc}, {spawn, G#group.spawn}, {order, G#group.order}]}, St),
    Limit = case Timeout of undefined -> infinity; _ -> Timeout end,
    Enter = fun(Inner) -> timed(Limit, fun() -> run_items(Inner, St) end, St) end,
    try
        case Context of
            undefined -> Enter(Tests);
            #context{setup = S, cleanup = C, process = P} ->
                in_context(S, C, Tests, case P of local -> Enter; spawn -> fun(T) -> Enter({spawn, T}) end; {spawn, N} -> fun(T) -> Enter({spawn, N, T}) end end)
        end
    of
        {Status, Time} -> tell({'end', Status, Time}, St)
    catch
        throw:{context_error, Why, Trace} -> tell({skipped, {Why, Trace}}, St)
    end,
    ok.

in_context(Setup, Cleanup, Instantiate, Enter) ->
    try Setup() of
        R ->
            try Instantiate(R) of
                T ->
                    case is_not_test(T) of
                        true ->
                            {_, Stack} = process_info(self(), current_stacktrace),
                            context_error({bad_instantiator, {erlang:fun_info_mfa(Instantiate), T}}, error, badarg, Stack);
                        false -> ok
                    end,
                    try Enter(T)
                    after
                        try Cleanup(R)
                        catch Class:Term:Trace -> context_error(cleanup_failed, Class, Term, Trace)
                        end
                    end
            catch
                throw:{context_error, _, _} = Error -> throw(Error);
                throw:{eunit_abort, _} = Abort -> throw(Abort);
                Class:Term:Trace -> context_error(instantiation_failed, Class, Term, Trace)
            end
    catch
        throw:{context_error, _, _} = Error -> throw(Error);
        throw:{eunit_abort, _} = Abort -> throw(Abort);
        Class:Term:Trace -> context_error(setup_failed, Class, Term, Trace)
    end.

context_error(Type, Class, Term, Stack) -> throw({context_error, Type, {Class, Term, own(Stack, [])}}).

%% ---- test representations -------------------------------------------------------------------------------------------------------------

next(Tests, St) ->
    case first(Tests) of
        [T | Rest] ->
            case parse(T, St) of
                {data, More} -> next([More | Rest], St);
                Item -> {Item, Rest}
            end;
        [] -> none
    end.

%% A deep list with its first element brought to the front. A string is an element.
first([X | Xs] = All) when is_list(X) ->
    case is_text(X) of
        true -> All;
        false when Xs =:= [] -> first(X);
        false -> first(X, Xs)
    end;
first([_ | _] = All) ->
    case is_text(All) of
        true -> [All];
        false -> All
    end;
first([]) -> [];
first(X) -> [X].

first([], Rest) -> first(Rest);
first([X | Xs], Rest) ->
    Later = case Xs of [] -> Rest; _ -> [Xs | Rest] end,
    case is_list(X) andalso not is_text(X) of
        true -> first(X, Later);
        false -> [X | Later]
    end.

is_text([_ | _] = T) -> is_string(T);
is_text(_) -> false.

is_string([C | Cs]) when is_integer(C), C >= 0, C =< 16#10ffff -> is_string(Cs);
is_string(T) -> T =:= [].

parse({foreach, S, Fs}, _) when is_function(S), is_list(Fs) -> foreach(spawn, S, fun ok/1, Fs, {foreach, S, Fs});
parse({foreach, S, C, Fs} = T, _) when is_function(S), is_function(C), is_list(Fs) -> foreach(spawn, S, C, Fs, T);
parse({foreach, P, S, Fs} = T, _) when is_function(S), is_list(Fs) -> foreach(P, S, fun ok/1, Fs, T);
parse({foreach, P, S, C, Fs} = T, _) when is_function(S), is_function(C), is_list(Fs) -> foreach(P, S, C, Fs, T);
parse({foreachx, S, Ps} = T, _) when is_function(S), is_list(Ps) -> foreachx(spawn, S, fun ok/2, Ps, T);
parse({foreachx, S, C, Ps} = T, _) when is_function(S), is_function(C), is_list(Ps) -> foreachx(spawn, S, C, Ps, T);
parse({foreachx, P, S, Ps} = T, _) when is_function(S), is_list(Ps) -> foreachx(P, S, fun ok/2, Ps, T);
parse({foreachx, P, S, C, Ps} = T, _) when is_function(S), is_function(C), is_list(Ps) -> foreachx(P, S, C, Ps, T);
parse({generator, F}, _) when is_function(F) -> generated(F, erlang:fun_info_mfa(F));
parse({generator, F, {M, N, A}}, _) when is_function(F), is_atom(M), is_atom(N), is_integer(A) -> generated(F, {M, N, A});
parse({generator, M, F}, _) when is_atom(M), is_atom(F) -> generated(wrapper(M, F), {M, F, 0});
parse({inorder, T}, St) -> group(#group{tests = T, order = inorder}, St);
parse({inparallel, T}, St) -> group(#group{tests = T, order = {inparallel, 0}}, St);
parse({inparallel, N, T}, St) when is_integer(N), N >= 0 -> group(#group{tests = T, order = {inparallel, N}}, St);
parse({timeout, N, T}, St) when is_number(N), N >= 0 -> group(#group{tests = T, timeout = round(N * 1000)}, St);
parse({spawn, T}, St) -> group(#group{tests = T, spawn = local}, St);
parse({spawn, N, T}, St) when is_atom(N) -> group(#group{tests = T, spawn = {remote, N}}, St);
parse({setup, S, I}, St) when is_function(S); is_list(S) -> parse({setup, spawn, S, I}, St);
parse({setup, S, C, I}, St) when is_function(S), is_function(C) -> parse({setup, spawn, S, C, I}, St);
parse({setup, P, S, I}, St) when is_function(S) -> parse({setup, P, S, fun ok/1, I}, St);
parse({setup, P, L, I} = T, St) when is_list(L) ->
    {S, C} = many_setups(L, T),
    parse({setup, P, S, C, I}, St);
parse({setup, P, S, C, I} = T, St) when is_function(S), is_function(C), is_function(I) ->
    arity(S, 0, T),
    arity(C, 1, T),
    case is_function(I, 0) of
        true -> parse({setup, S, C, fun(_) -> I end}, St);
        false ->
            arity(I, 1, T),
            case P of
                local -> ok;
                spawn -> ok;
                {spawn, N} when is_atom(N) -> ok;
                _ -> bad(T)
            end,
            #group{tests = I, context = #context{setup = S, cleanup = C, process = P}}
    end;
parse({setup, P, S, C, {with, As}}, St) when is_list(As) -> parse({setup, P, S, C, fun(X) -> {with, X, As} end}, St);
parse({setup, P, S, C, T}, St) when is_function(S), is_function(C) -> parse({setup, P, S, C, fun(_) -> T end}, St);
parse({node, _, _} = T, _) -> throw({bad_test, T});
parse({node, _, _, _} = T, _) -> throw({bad_test, T});
parse({module, M}, St) when is_atom(M) -> {data, {"module '" ++ atom_to_list(M) ++ "'", module_tests(M, St)}};
parse({application, A}, _) when is_atom(A) -> throw({application_not_found, A});
parse({application, A, Info} = T, _) when is_atom(A) ->
    case proplists:get_value(modules, Info) of
        Ms when is_list(Ms) ->
            lists:all(fun is_atom/1, Ms) orelse bad(T),
            {data, {"application '" ++ atom_to_list(A) ++ "'", Ms}};
        _ -> bad(T)
    end;
parse({Kind, Name} = T, _) when Kind =:= file; Kind =:= dir -> is_list(Name) andalso is_string(Name) andalso throw({file_read_error, {enoent, "no such file or directory", Name}}), bad(T);
parse({with, X, As} = T, _) when is_list(As) ->
    case As of
        [A | Rest] ->
            arity(A, 1, T),
            {data, [{erlang:fun_info_mfa(A), fun() -> A(X) end}, {with, X, Rest}]};
        [] -> {data, []}
    end;
parse({S, T1} = T, St) when is_list(S) ->
    is_string(S) orelse bad(T),
    group(#group{tests = T1, desc = unicode:characters_to_binary(S)}, St);
parse({S, T}, St) when is_binary(S) -> group(#group{tests = T, desc = S}, St);
parse(T, St) when is_tuple(T), tuple_size(T) > 2, is_list(element(1, T)) orelse is_binary(element(1, T)) ->
    [S | Es] = tuple_to_list(T),
    parse({S, list_to_tuple(Es)}, St);
parse(M, St) when is_atom(M) -> parse({module, M}, St);
parse(T, _) when is_list(T) ->
    is_string(T) andalso throw({file_read_error, {enoent, "no such file or directory", T}}),
    bad(T);
parse({Line, F}, _) when is_integer(Line), Line >= 0 -> (simple(F))#test{line = Line};
parse({{M, N, A} = Place, F}, _) when is_atom(M), is_atom(N), is_integer(A) -> (simple(F))#test{location = Place};
parse(F, _) -> simple(F).

simple({Line, F}) when is_integer(Line), Line >= 0 -> (simple(F))#test{line = Line};
simple({{M, N, A} = Place, F}) when is_atom(M), is_atom(N), is_integer(A) -> (simple(F))#test{location = Place};
simple(F) when is_function(F) ->
    arity(F, 0, F),
    #test{f = F, location = erlang:fun_info_mfa(F)};
simple({test, M, F}) when is_atom(M), is_atom(F) -> #test{f = wrapper(M, F), location = {M, F, 0}};
simple({M, F}) when is_atom(M), is_atom(F) -> simple({test, M, F});
simple(T) -> bad(T).

foreach(P, S, C, Fs, T) ->
    arity(S, 0, T),
    arity(C, 1, T),
    {data, [{setup, P, S, C, F} || F <- Fs]}.

foreachx(P, S, C, [{X, F} | Ps], T) when is_function(F) ->
    arity(S, 1, T),
    arity(C, 2, T),
    arity(F, 2, T),
    {data, [{setup, P, fun() -> S(X) end, fun(R) -> C(X, R) end, fun(R) -> F(X, R) end}, {foreachx, P, S, C, Ps}]};
foreachx(_, _, _, [], _) -> {data, []};
foreachx(_, _, _, _, T) -> bad(T).

generated(F, Place) ->
    arity(F, 0, {generator, F, Place}),
    case call(F) of
        {ok, T} ->
            is_not_test(T) andalso throw({bad_generator, {Place, T}}),
            {data, T};
        {error, Exception} -> throw({generator_failed, {Place, Exception}})
    end.

is_not_test(T) when is_number(T); is_binary(T); is_pid(T); is_port(T); is_reference(T) -> true;
is_not_test([N | _]) when is_number(N) -> true;
is_not_test({Tag, _}) -> lists:member(Tag, [ok, error, 'EXIT']);
is_not_test(T) -> lists:member(T, [ok, error, true, false, undefined]).

arity(F, N, _) when is_function(F, N) -> ok;
arity(_, _, T) -> bad(T).

-spec bad(_) -> no_return().
bad(T) -> throw({bad_test, T}).

ok(_) -> ok.
ok(_, _) -> ok.

%% Several setups in turn; what was set up is cleaned up when a later one fails.
many_setups(List, T) ->
    lists:foreach(fun({Tag, S, C}) when is_atom(Tag), is_function(S, 0), is_function(C, 1) -> ok;
                     ({Tag, S}) when is_atom(Tag), is_function(S, 0) -> ok;
                     (_) -> bad(T)
                  end, List),
    All = [case Entry of {Tag, S} -> {Tag, S, fun ok/1}; _ -> Entry end || Entry <- List],
    {fun() -> set_up(All, []) end, fun(Rs) -> clean_up(lists:zip([{Tag, C} || {Tag, _, C} <- lists:reverse(All)], lists:reverse(Rs))) end}.

set_up([{Tag, S, C} | Rest], Done) ->
    R = try S()
        catch Class:Term:Trace ->
            clean_up([{{T, U}, V} || {T, U, V} <- Done]),
            throw({Tag, {Class, Term, Trace}})
        end,
    set_up(Rest, [{Tag, C, R} | Done]);
set_up([], Done) -> [R || {_, _, R} <- lists:reverse(Done)].

clean_up([{{Tag, C}, R} | Rest]) ->
    try C(R)
    catch Class:Term:Trace -> throw({Tag, {Class, Term, Trace}})
    end,
    clean_up(Rest);
clean_up([]) -> ok.

wrapper(M, F) ->
    fun() ->
        try M:F()
        catch error:undef:Stack ->
            case erlang:module_loaded(M) of
                false -> throw({eunit_internal, {module_not_found, M}});
                true ->
                    case erlang:function_exported(M, F, 0) of
                        false -> throw({eunit_internal, {no_such_function, {M, F, 0}}});
                        true -> erlang:raise(error, undef, own(Stack, [{M, F, 0}]))
                    end
            end
        end
    end.

%% A group of one item hands down what does not conflict.
group(#group{context = #context{}} = G, _) -> G;
group(#group{tests = T0, desc = Desc, order = Order, context = Context, spawn = Spawn, timeout = Timeout} = G, St) ->
    {T1, Rest} = look(T0, St),
    {T2, _} = look(Rest, St),
    Joins = fun(A, B) -> A =:= undefined orelse B =:= undefined end,
    case T1 of
        _ when T2 =/= none -> G;
        #test{desc = D, timeout = L} when Spawn =:= undefined, Context =:= undefined, Desc =:= undefined orelse D =:= undefined,
                                          Timeout =:= undefined orelse L =:= undefined ->
            T1#test{desc = join(Desc, D), timeout = join(Timeout, L)};
        #test{timeout = undefined} when Timeout =/= undefined, Context =:= undefined ->
            G#group{tests = {timeout, Timeout div 1000, T0}, timeout = undefined};
        #group{desc = D, order = O, context = C, spawn = S, timeout = L} ->
            case Joins(Desc, D) andalso Joins(Order, O) andalso Joins(Context, C) andalso Joins(Spawn, S) andalso Joins(Timeout, L) of
                true -> group(T1#group{desc = join(Desc, D), order = join(Order, O), context = join(Context, C), spawn = join(Spawn, S), timeout = join(Timeout, L)}, St);
                false -> push_order(Order, O, push_timeout(Timeout, L, G))
            end;
        _ -> G
    end.

look(T, St) ->
    case next(T, St) of
        {Item, Rest} -> {Item, Rest};
        none -> {none, []}
    end.

join(undefined, X) -> X;
join(X, _) -> X.

push_timeout(Timeout, undefined, #group{context = undefined, tests = T} = G) when Timeout =/= undefined ->
    G#group{tests = {timeout, Timeout div 1000, T}, timeout = undefined};
push_timeout(_, _, G) -> G.

push_order(inorder, undefined, G) -> G#group{tests = {inorder, G#group.tests}, order = undefined};
push_order({inparallel, N}, undefined, G) -> G#group{tests = {inparallel, N, G#group.tests}, order = undefined};
push_order(_, _, G) -> G.

module_tests(Module, St) ->
    try Module:module_info(exports) of
        Exports ->
            Tests = with_tests_module(Module, own_tests(Module, Exports), St),
            case lists:member({eunit_wrapper_, 1}, Exports) of
                true -> {generator, fun() -> Module:eunit_wrapper_(Tests) end};
                false -> Tests
            end
    catch
        error:undef -> throw({module_not_found, Module})
    end.

own_tests(Module, Exports) ->
    lists:foldr(fun({F, 0}, Acc) ->
            Name = atom_to_list(F),
            case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
                {true, _} -> [{test, Module, F} | Acc];
                {_, true} -> [{generator, Module, F} | Acc];
                _ -> Acc
            end;
       (_, Acc) -> Acc
    end, [], Exports).

%% MODULE_tests belongs to MODULE.
with_tests_module(Module, Tests, #st{exact = Exact} = St) ->
    Name = atom_to_list(Module),
    case Exact orelse lists:suffix("_tests", Name) of
        true -> Tests;
        false ->
            More = list_to_atom(Name ++ "_tests"),
            try module_tests(More, St) of
                Found -> Tests ++ [{"module '" ++ Name ++ "_tests'", Found}]
            catch
                throw:{module_not_found, More} -> Tests
            end
    end.

%% ---- output of a test -----------------------------------------------------------------------------------------------------------------

%% The group leader of a test: keeps what is printed, and hands it over when the test has ended.
'$leader'(Runner) -> leader(Runner, infinity, []).

leader(Runner, Wait, Output) ->
    receive
        {io_request, From, ReplyAs, Request} ->
            {Reply, More} = io_request(Request, Output),
            From ! {io_reply, ReplyAs, Reply},
            leader(Runner, Wait, More);
        stop ->
            receive after 2 -> ok end,
            leader(Runner, 0, Output);
        {get_output, From} ->
            From ! {output, lists:flatten(lists:reverse(Output))},
            leader(Runner, Wait, Output);
        _ -> leader(Runner, Wait, Output)
    after Wait -> Runner ! {self(), lists:reverse(Output)}
    end.

io_request({put_chars, Chars}, Output) -> {ok, [Chars | Output]};
io_request({put_chars, _, Chars}, Output) -> {ok, [Chars | Output]};
io_request({put_chars, M, F, As}, Output) ->
    try apply(M, F, As) of
        Chars -> {ok, [Chars | Output]}
    catch
        Class:Term:Stack -> {{error, {Class, Term, Stack}}, Output}
    end;
io_request({put_chars, _, M, F, As}, Output) -> io_request({put_chars, M, F, As}, Output);
io_request({requests, Requests}, Output) ->
    lists:foldl(fun(R, {ok, Now}) -> io_request(R, Now); (_, Failed) -> Failed end, {ok, Output}, Requests);
io_request({setopts, _}, Output) -> {ok, Output};
io_request(getopts, Output) -> {{error, enotsup}, Output};
io_request({get_geometry, _}, Output) -> {{error, enotsup}, Output};
io_request(Request, Output) when is_tuple(Request) ->
    case lists:member(element(1, Request), [get_chars, get_line, get_until]) of
        true -> {eof, Output};
        false -> {{error, request}, Output}
    end;
io_request(_, Output) -> {{error, request}, Output}.
