%% Runs EUnit's tests. A task (a group with `spawn`, an item of `inparallel`) is a process watched by another, the keeper; events go from
%% task to keeper to the task that started it, and at the top to the listener. Each test notes in the trace that it begins and how it ends;
%% its keeper does so for a test that cannot.
-module(eunit_proc).
-export([is_within_test/0, start/5, get_output/0, test_name/2, tell_test/6, one_line/1, plain/1]).
-export(['$leader'/1]).
%% How often a test that still computes gets the time of its limit again.
-define(MORE, 9).

-record(test, {f, desc, timeout, location, line = 0, noted = true}).
-record(group, {desc, order, timeout, context, spawn, tests, only}).
-record(context, {setup, cleanup, process}).
%% Of a task: its keeper, the place of the current item, the order of its items, and whether test modules named on their own bring MODULE_tests, and
%% the words that select tests (`all`: no selection). `noted`: its tests are noted in the trace, and the caller of the run is told of them.
-record(st, {keeper, id = [], order = inorder, exact = false, only = all, noted = true}).

%% Runs the tests and sends each event to the listener.
start(Tests, Order, Exact, Noted, Listener) ->
    Keeper = start_task(fun(St) -> run_group(#group{tests = Tests}, St) end, #st{order = Order, exact = Exact, noted = Noted}),
    forward(Keeper, fun(Event) -> Listener ! {self(), Event} end).

%% Does this process run in a test of a runner? The output of a test goes to a leader of its own. A run of EUnit that a test starts itself is part of
%% this test: its tests are none of the run.
is_within_test() ->
    Leader = group_leader(),
    node(Leader) =:= node() andalso process_info(Leader, initial_call) =:= {initial_call, {?MODULE, '$leader', 1}}.

get_output() ->
    group_leader() ! {get_output, self()},
    receive
        {output, Output} -> Output
    after 100 -> throw({eunit_abort, get_output})
    end.

%% ---- tasks ----------------------------------------------------------------------------------------------------------------------------

%% Starts a task and its keeper; events of the task come as {Keeper, Event}, and {Keeper, done} at its end.
start_task(Fun, St) ->
    Parent = self(),
    spawn_link(fun() ->
        process_flag(trap_exit, true),
        Keeper = self(),
        Task = spawn_link(fun() -> child_process(Fun, St#st{keeper = Keeper}) end),
        keep(Task, Parent, St, none, [])
    end).

child_process(Fun, #st{keeper = Keeper} = St) ->
    group_leader(Keeper, self()),
    try Fun(St)
    catch
        throw:{eunit_abort, Cause} ->
            St#st.noted andalso note_abort(Cause),
            Keeper ! {self(), {St#st.id, {abort, Cause}}},
            exit(aborted)
    end.

%% `Running`: the name of the test that the task runs, or `none`. `Outputs`: what was printed in each item that has begun.
keep(Task, Parent, St, Running, Outputs) ->
    receive
        {Task, {At, {'begin', Kind, Data} = Event}} ->
            Parent ! {self(), {At, Event}},
            Now = case Kind of
                test -> test_name(proplists:get_value(source, Data), proplists:get_value(line, Data));
                group -> Running
            end,
            keep(Task, Parent, St, Now, [[] | Outputs]);
        {Task, {At, {'end', Status, Time}}} ->
            Parent ! {self(), {At, {'end', Status, [{time, Time}, {output, lists:reverse(hd(Outputs))}]}}},
            keep(Task, Parent, St, none, tl(Outputs));
        {Task, {At, {skipped, Reason}}} ->
            Parent ! {self(), {At, {cancel, {abort, Reason}}}},
            keep(Task, Parent, St, Running, Outputs);
        {Task, {At, {abort, Cause}}} ->
            cancel(At, {abort, Cause}, St#st.id, Parent),
            done(Parent);
        {Task, {forward, Event}} ->
            Parent ! {self(), Event},
            keep(Task, Parent, St, Running, Outputs);
        {io_request, From, ReplyAs, Request} ->
            {Reply, Output} = io_request(Request, case Outputs of [] -> []; _ -> hd(Outputs) end),
            From ! {io_reply, ReplyAs, Reply},
            keep(Task, Parent, St, Running, case Outputs of [_ | Rest] when From =:= Task -> [Output | Rest]; _ -> Outputs end);
        {timeout, Task, At, Time, More} when More > 0 ->
            case process_info(Task, status) of
                %% It computes. That takes longer here than under OTP, whose limits these are.
                {status, Status} when Status =/= waiting ->
                    put({more, At}, erlang:send_after(Time, self(), {timeout, Task, At, Time, More - 1}));
                _ -> self() ! {timeout, Task, At, Time, 0}
            end,
            keep(Task, Parent, St, Running, Outputs);
        {in_time, At} ->
            Timer = erase({more, At}),
            Timer =:= undefined orelse erlang:cancel_timer(Timer),
            receive {timeout, Task, At, _, _} -> ok after 0 -> ok end,
            keep(Task, Parent, St, Running, Outputs);
        {timeout, Task, At, _, 0} ->
            Stack = process_info(Task, current_stacktrace),
            St#st.noted andalso note(Task, Running, {failed, exit, timeout, case Stack of {_, Place} -> Place; undefined -> [] end}),
            cancel(At, case Stack of {_, Frames} -> {timeout, Frames}; undefined -> timeout end, St#st.id, Parent),
            exit(Task, kill),
            done(Parent);
        {'EXIT', Task, normal} -> done(Parent);
        {'EXIT', Task, Reason} ->
            St#st.noted andalso note(Task, Running, {failed, exit, Reason, []}),
            Parent ! {self(), {St#st.id, {cancel, {exit, Reason}}}},
            done(Parent);
        {'EXIT', Parent, _} ->
            Running =:= none orelse not St#st.noted orelse note(Task, Running, {failed, exit, cancelled, []}),
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

wait(Task, St) -> forward(Task, fun(Event) -> St#st.keeper ! {self(), {forward, Event}} end).

tell(Event, St) -> St#st.keeper ! {self(), {St#st.id, Event}}.

%% Value and time in milliseconds. The keeper ends a task whose time is up.
with_timeout(infinity, Fun, _) ->
    {T0, _} = statistics(wall_clock),
    Value = Fun(),
    {T1, _} = statistics(wall_clock),
    {Value, T1 - T0};
with_timeout(Time, Fun, St) ->
    Limit = max(0, min(Time, 16#FFFFffff)),
    Timer = erlang:send_after(Limit, St#st.keeper, {timeout, self(), St#st.id, Limit, ?MORE}),
    {T0, _} = statistics(wall_clock),
    try Fun() of
        Value ->
            {T1, _} = statistics(wall_clock),
            {Value, T1 - T0}
    after
        erlang:cancel_timer(Timer) =:= false andalso (St#st.keeper ! {in_time, St#st.id})
    end.

%% ---- running --------------------------------------------------------------------------------------------------------------------------

tests(Tests, #st{order = inorder} = St) -> tests_inorder(Tests, 1, St);
tests(Tests, #st{order = {inparallel, N}, id = Id} = St) -> tests_inparallel(Tests, 1, N, [], Id, St).

%% How many there were.
tests_inorder(Tests, N, #st{id = Id} = St) ->
    case next_item(Tests, St) of
        {Item, Rest} ->
            handle_item(Item, St#st{id = Id ++ [N]}),
            tests_inorder(Rest, N + 1, St);
        none -> N - 1
    end.

%% At most Most at a time (0: all).
tests_inparallel(Tests, N, Most, Running, Id, St) when Most > 0, length(Running) =:= Most ->
    [wait(Task, St) || Task <- lists:reverse(Running)],
    tests_inparallel(Tests, N, Most, [], Id, St);
tests_inparallel(Tests, N, Most, Running, Id, St) ->
    case next_item(Tests, St) of
        {Item, Rest} ->
            Task = start_task(fun(S) -> handle_item(Item, S) end, St#st{id = Id ++ [N]}),
            tests_inparallel(Rest, N + 1, Most, [Task | Running], Id, St);
        none ->
            [wait(Task, St) || Task <- lists:reverse(Running)],
            N - 1
    end.

next_item(Tests, St) ->
    try eunit_data:next(Tests, St#st.exact)
    catch throw:Cause -> throw({eunit_abort, Cause})
    end.

handle_item(#test{desc = D} = T, St) ->
    case is_meant(D, St#st.only) orelse is_wanted(test_name(T#test.location, T#test.line), St#st.only) of
        true -> handle_test(T, St);
        false -> St#st.noted andalso erlang:'$tell'([other, plain(test_name(T#test.location, T#test.line))])
    end;
handle_item(#group{} = G, St) -> handle_group(G, St).

handle_test(T, St) ->
    tell({'begin', test, [{desc, T#test.desc}, {source, T#test.location}, {line, T#test.line}]}, St),
    Outer = group_leader(),
    Runner = self(),
    Leader = spawn_link(?MODULE, '$leader', [Runner]),
    group_leader(Leader, self()),
    Limit = case T#test.timeout of undefined -> 5000; Time -> Time end,
    {Status, Spent} = with_timeout(Limit, fun() -> run_test(T#test{noted = St#st.noted}) end, St),
    group_leader(Outer, self()),
    Leader ! stop,
    receive
        {Leader, Output} ->
            io:put_chars(Output),
            St#st.noted andalso tell_test(T#test.location, T#test.line, T#test.desc, Status, Spent, Output)
    end,
    tell({'end', Status, Spent}, St),
    ok.

handle_group(#group{spawn = undefined} = G, St) -> run_group(G, ordered(G, St));
handle_group(#group{spawn = local} = G, St) -> wait(start_task(fun(S) -> run_group(G, S) end, ordered(G, St)), St);
handle_group(#group{spawn = {remote, Node}}, _) -> throw({eunit_abort, {bad_test, {tests_on_other_nodes_are_not_supported, {spawn, Node}}}}).

ordered(#group{order = Order, only = Words, desc = Desc}, St) ->
    Only = case Words of undefined -> St#st.only; _ -> Words end,
    St#st{order = case Order of undefined -> St#st.order; _ -> Order end, only = case is_meant(Desc, Only) of true -> all; false -> Only end}.

%% Of a description: says which words it has in it.
is_meant(Desc, Only) when Desc =/= undefined, Only =/= all ->
    Words = [Word || Word <- Only, is_wanted(Desc, [Word])],
    [erlang:'$tell'([meant, plain(Word)]) || Word <- Words],
    Words =/= [];
is_meant(Desc, Only) -> is_wanted(Desc, Only).

is_wanted(_, all) -> true;
is_wanted(undefined, _) -> false;
is_wanted(Text, Words) -> lists:any(fun(Word) -> string:find(Text, Word) =/= nomatch end, Words).

run_test(#test{f = F} = T) ->
    Name = test_name(T#test.location, T#test.line),
    T#test.noted andalso note(self(), Name, began),
    Status = try eunit_test:run_testfun(F) of
        {ok, _} -> ok;
        Error -> Error
    catch
        throw:Why -> {skipped, Why}
    end,
    T#test.noted andalso note(self(), Name, case Status of
        ok -> passed;
        {error, {Class, Reason, Stack}} -> {failed, Class, Reason, Stack};
        {skipped, Missing} -> {failed, error, Missing, []}
    end),
    Status.

run_group(#group{timeout = Timeout, context = Context, tests = Tests} = G, St) ->
    tell({'begin', group, [{desc, G#group.desc}, {spawn, G#group.spawn}, {order, G#group.order}]}, St),
    Limit = case Timeout of undefined -> infinity; _ -> Timeout end,
    Enter = fun(Inner) -> with_timeout(Limit, fun() -> tests(Inner, St) end, St) end,
    try
        case Context of
            undefined -> Enter(Tests);
            #context{setup = S, cleanup = C, process = P} ->
                eunit_test:enter_context(S, C, Tests, case P of local -> Enter; spawn -> fun(T) -> Enter({spawn, T}) end; {spawn, N} -> fun(T) -> Enter({spawn, N, T}) end end)
        end
    of
        {Status, Time} -> tell({'end', Status, Time}, St)
    catch
        throw:{context_error, Why, Trace} ->
            St#st.noted andalso note_context(Why, Trace, Context),
            tell({skipped, {Why, Trace}}, St)
    end,
    ok.

%% ---- notes in the trace ---------------------------------------------------------------------------------------------------------------

%% Process runs the test. `none`: no test, but what comes before or between tests.
note(Process, none, What) -> note(Process, "eunit:setup", What);
note(Process, Name, What) -> erlang:'$test'(Process, Name, What).

%% `bank_tests:transfer_test`; of a test that a generator made, with the line: `bank_tests:transfer_test_:12`.
test_name({M, F, _}, Line) ->
    Function = case atom_to_list(F) of
        [$- | Fun] -> lists:takewhile(fun(C) -> C =/= $/ end, Fun);
        Name -> Name
    end,
    lists:append([atom_to_list(M), ":", Function | case Line of 0 -> []; _ -> [":", integer_to_list(Line)] end]);
test_name(_, _) -> "eunit:test".

%% ---- details for the caller of the run --------------------------------------------------------------------------------------------------

tell_test(Location, Line, Desc, Status, Time, Output) ->
    {Word, Class, Reason, Text} = case Status of
        ok -> {passed, "", "", ""};
        {error, {C, R, _} = Exception} -> {failed, C, one_line(R), eunit:'$exception'(Exception, 20)};
        {skipped, Missing} -> {failed, error, one_line(Missing), eunit:'$skipped'(Missing)};
        {cancelled, Why, Shown} -> {cancelled, "", one_line(Why), Shown}
    end,
    erlang:'$tell'([test, Word, plain(test_name(Location, Line)), plain(Desc), Time, Class, Reason, plain(Text), plain(Output)]).

one_line(Term) -> plain(io_lib:format("~0tp", [Term])).

plain(undefined) -> "";
plain(Chars) ->
    try unicode:characters_to_binary(Chars) of
        Text when is_binary(Text) -> Text;
        _ -> iolist_to_binary(io_lib:format("~w", [Chars]))
    catch
        _:_ -> iolist_to_binary(io_lib:format("~w", [Chars]))
    end.

%% A setup, a cleanup or an instantiator failed.
note_context(Why, {Class, Reason, Stack}, #context{setup = S, cleanup = C}) ->
    {Fun, Part} = case Why of
        setup_failed -> {S, ":setup"};
        cleanup_failed -> {C, ":cleanup"};
        _ -> {S, ":instantiator"}
    end,
    Place = case erlang:fun_info_mfa(Fun) of
        {M, _, _} when M =:= eunit_data; M =:= eunit_test -> {eunit, setup, 0};
        Own -> Own
    end,
    note(self(), test_name(Place, 0) ++ Part, {failed, Class, Reason, Stack}).

%% The tests cannot be found.
note_abort({generator_failed, {Place, {Class, Reason, Stack}}}) -> note(self(), test_name(Place, 0), {failed, Class, Reason, Stack});
note_abort({bad_generator, {Place, Term}}) -> note(self(), test_name(Place, 0), {failed, error, {bad_generator, Term}, []});
note_abort({no_such_function, Place} = Cause) -> note(self(), test_name(Place, 0), {failed, error, Cause, []});
note_abort(Cause) -> note(self(), "eunit:tests", {failed, error, Cause, []}).

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
        %% As `stop`, but it stays for what is printed later.
        hand_over ->
            receive after 2 -> ok end,
            leader(Runner, hand_over, Output);
        {get_output, From} ->
            From ! {output, lists:flatten(lists:reverse(Output))},
            leader(Runner, Wait, Output);
        _ -> leader(Runner, Wait, Output)
    after case Wait of hand_over -> 0; _ -> Wait end ->
        Runner ! {self(), lists:reverse(Output)},
        Wait =:= hand_over andalso leader(Runner, infinity, [])
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
