%% The module `eunit`: starts tests, and prints as OTP's text listener does. The work is divided as there, so that processes, group leaders,
%% exceptions and stack traces are the same for a test.
-module(eunit).
-export([start/0, stop/0, test/1, test/2]).
%% For the macros ?cmd and its like.
-export(['$command'/1]).
%% For eunit_proc: texts.
-export(['$exception'/2, '$skipped'/1]).
%% Of the listener.
-record(tty, {verbose, depth, silent, indent = 0, pass = 0, fail = 0, skip = 0, cancel = 0, groups = [],
              %% Of `tracer test`: a line before the first test, and whether a run without tests says so.
              header = "", is_part = false,
              %% The caller of the run is told of what fails.
              noted = true,
              %% The generator that was named as the entry.
              must = none}).

start() -> ok.
stop() -> ok.

%% The status of a command and what it prints. Its first part takes the place of the shell, as in OTP.
'$command'(Cmd) ->
    Said = os:cmd("(exec " ++ Cmd ++ "\n); echo \" $?\""),
    {Output, [$\s | Status]} = lists:split(string:rstr(Said, " ") - 1, Said),
    {list_to_integer(string:trim(Status)), Output}.

test(Tests) -> test(Tests, []).

test(Tests, Options) when is_list(Options) ->
    Tty = #tty{verbose = proplists:get_bool(verbose, Options), depth = proplists:get_value(print_depth, Options, 20),
               silent = proplists:get_bool(no_tty, Options), header = proplists:get_value('$header', Options, ""),
               is_part = proplists:get_bool('$part', Options), must = proplists:get_value('$must', Options, none), noted = not eunit_proc:is_within_test()},
    Tty#tty.verbose andalso not Tty#tty.is_part andalso say(Tty, "======================== EUnit ========================\n", []),
    Caller = self(),
    Exact = proplists:get_bool(exact_execution, Options),
    Order = case proplists:get_value(inparallel, Options) of true -> {inparallel, 0}; N when is_integer(N) -> {inparallel, N}; _ -> inorder end,
    {Root, Ref} = spawn_monitor(fun() -> eunit_proc:start(Tests, Order, Exact, Tty#tty.noted, Caller) end),
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

verdict(#tty{header = [_ | _], pass = Pass} = Tty) when Pass > 0 -> verdict(header(Tty));
verdict(#tty{pass = 0, fail = 0, skip = 0, cancel = 0, must = Generator}) when Generator =/= none -> error({no_tests, Generator});
verdict(#tty{pass = Pass, fail = 0, skip = 0, cancel = 0} = Tty) ->
    Pass > 0 andalso Tty#tty.verbose andalso bar(Tty),
    case Pass of
        0 when Tty#tty.is_part -> ok;
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
ended(test, Status, Data, Tty0) ->
    Tty = case Tty0#tty.verbose of true -> Tty0; false -> test_begins(Data, Tty0) end,
    case Status of
        {error, Exception} ->
            say(Tty, "*failed*\n~ts", [exception(Exception, Tty#tty.depth)]),
            say(Tty, "  output:<<\"~ts\">>\n\n", [proplists:get_value(output, Data)]),
            Tty#tty{fail = Tty#tty.fail + 1};
        {skipped, Reason} ->
            say(Tty, "*did not run*\n::~ts\n", [skipped(Reason)]),
            Tty#tty{skip = Tty#tty.skip + 1}
    end.

'$exception'(Exception, Depth) -> exception(Exception, Depth).
'$skipped'(Reason) -> skipped(Reason).

skipped({module_not_found, M}) -> io_lib:fwrite("missing module: ~w", [M]);
skipped({no_such_function, {M, F, A}}) -> io_lib:fwrite("no such function: ~w:~tw/~w", [M, F, A]).

cancelled(group, undefined, _, #tty{indent = I, cancel = N} = Tty) -> Tty#tty{indent = I - 1, cancel = N + 1};
cancelled(group, Reason, Data, #tty{indent = I, cancel = N} = Tty0) ->
    Tty = header(Tty0),
    case Reason of
        {blame, _} -> ok;
        _ -> Tty#tty.noted andalso erlang:'$tell'([group, eunit_proc:plain(proplists:get_value(desc, Data)), eunit_proc:one_line(Reason), eunit_proc:plain(cancel_text(Reason, Tty#tty.depth))])
    end,
    Tty#tty.verbose andalso described(Data) orelse begin indent(Tty), say(Tty, "~ts\n", [proplists:get_value(desc, Data)]) end,
    case Reason of
        {blame, _} -> ok;
        _ -> indent(Tty), say(Tty, cancel_text(Reason, Tty#tty.depth), [])
    end,
    Tty#tty{indent = I - 1, cancel = N + 1};
cancelled(test, Reason, Data, #tty{cancel = N} = Tty0) ->
    Tty = case Tty0#tty.verbose of true -> Tty0; false -> test_begins(Data, Tty0) end,
    Text = cancel_text(Reason, Tty#tty.depth),
    say(Tty, Text, []),
    Tty#tty.noted andalso eunit_proc:tell_test(proplists:get_value(source, Data), proplists:get_value(line, Data, 0), proplists:get_value(desc, Data), {cancelled, Reason, Text}, 0, ""),
    Tty#tty{cancel = N + 1}.

header(#tty{header = ""} = Tty) -> Tty;
header(#tty{header = Header} = Tty) ->
    say(Tty, "~ts\n", [Header]),
    Tty#tty{header = ""}.

cancel_text(undefined, _) -> "*skipped*\n";
cancel_text(timeout, _) -> "*timed out*\n";
cancel_text({timeout, Stack}, _) -> ["*timed out*\n", stacktrace(Stack)];
cancel_text({blame, _}, _) -> "*cancelled because of subtask*\n";
cancel_text({exit, Reason}, Depth) -> io_lib:fwrite("*unexpected termination of test process*\n::~tP\n\n", [Reason, Depth]);
cancel_text({abort, Reason}, Depth) -> problem(Reason, Depth).

indent(#tty{indent = I} = Tty) when I >= 1 -> say(Tty, lists:duplicate(I * 2, $\s), []);
indent(_) -> ok.

test_begins(Data, Tty0) ->
    Tty = header(Tty0),
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

