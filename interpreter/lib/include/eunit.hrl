%% The macros of EUnit. Generators are {Line, Fun} pairs, as `eunit:test` takes them.
-ifndef(EUNIT_HRL).
-define(EUNIT_HRL, true).

-ifdef(TEST).
-undef(NOTEST).
-endif.
-ifdef(DEBUG).
-undef(NODEBUG).
-endif.

-ifndef(NOTEST).
-ifndef(ASSERT).
-define(ASSERT, true).
-endif.
-ifndef(TEST).
-define(TEST, true).
-endif.
-ifndef(EUNIT).
-define(EUNIT, true).
-endif.
-else.
-undef(EUNIT).
-endif.

-include_lib("stdlib/include/assert.hrl").

%% Exports the tests and adds test/0.
-ifndef(EUNIT_NOAUTO).
-ifndef(NOTEST).
-compile({parse_transform, eunit_autoexport}).
-endif.
-endif.

-ifndef(LET).
-define(LET(X, Y, Z), begin ((fun(X) -> (Z) end)(Y)) end).
-endif.
-ifndef(IF).
-define(IF(B, T, F), begin (case (B) of true -> (T); false -> (F) end) end).
-endif.
%% Does the code run in a test of EUnit? (Not where it has given itself another group leader.)
-ifndef(UNDER_EUNIT).
-define(UNDER_EUNIT, (case erlang:process_info(erlang:group_leader(), current_function) of {current_function, {eunit_proc, _, _}} -> true; _ -> false end)).
-endif.
-ifndef(capturedOutput).
-define(capturedOutput, case ?UNDER_EUNIT of true -> eunit_proc:get_output(); false -> "" end).
-endif.
-ifndef(MATCHES).
-define(MATCHES(G, E), begin (case (E) of G -> true; _ -> false end) end).
-endif.

-define(_test(Expr), {?LINE, fun() -> (Expr) end}).
-define(_assert(BoolExpr), ?_test(?assert(BoolExpr))).
-define(_assertNot(BoolExpr), ?_assert(not (BoolExpr))).
-define(_assertMatch(Guard, Expr), ?_test(?assertMatch(Guard, Expr))).
-define(_assertNotMatch(Guard, Expr), ?_test(?assertNotMatch(Guard, Expr))).
-define(_assertEqual(Expect, Expr), ?_test(?assertEqual(Expect, Expr))).
-define(_assertNotEqual(Unexpected, Expr), ?_test(?assertNotEqual(Unexpected, Expr))).
-define(_assertException(Class, Term, Expr), ?_test(?assertException(Class, Term, Expr))).
-define(_assertError(Term, Expr), ?_assertException(error, Term, Expr)).
-define(_assertExit(Term, Expr), ?_assertException(exit, Term, Expr)).
-define(_assertThrow(Term, Expr), ?_assertException(throw, Term, Expr)).
-define(_assertNotException(Class, Term, Expr), ?_test(?assertNotException(Class, Term, Expr))).

%% Commands of the operating system: their output, or a failure where they end with another status.
-define(cmdStatus(Status, Cmd),
        begin ((fun() ->
            case eunit:'$command'(Cmd) of
                {(Status), X__Out} -> X__Out;
                {X__Status, _} ->
                    erlang:error({command_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)}, {expected_status, (Status)},
                                                   {status, X__Status}]})
            end
        end)()) end).
-define(_cmdStatus(Status, Cmd), ?_test(?cmdStatus(Status, Cmd))).
-define(cmd(Cmd), ?cmdStatus(0, Cmd)).
-define(_cmd(Cmd), ?_test(?cmd(Cmd))).
-define(assertCmdStatus(Status, Cmd),
        begin ((fun() ->
            case eunit:'$command'(Cmd) of
                {(Status), _} -> ok;
                {X__Status, _} ->
                    erlang:error({assertCmd_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)}, {expected_status, (Status)},
                                                     {status, X__Status}]})
            end
        end)()) end).
-define(assertCmd(Cmd), ?assertCmdStatus(0, Cmd)).
-define(assertCmdOutput(Output, Cmd),
        begin ((fun() ->
            case eunit:'$command'(Cmd) of
                {_, (Output)} -> ok;
                {_, X__Out} ->
                    erlang:error({assertCmdOutput_failed, [{module, ?MODULE}, {line, ?LINE}, {command, (Cmd)}, {expected_output, (Output)},
                                                           {output, X__Out}]})
            end
        end)()) end).
-define(_assertCmdStatus(Status, Cmd), ?_test(?assertCmdStatus(Status, Cmd))).
-define(_assertCmd(Cmd), ?_test(?assertCmd(Cmd))).
-define(_assertCmdOutput(Output, Cmd), ?_test(?assertCmdOutput(Output, Cmd))).

-ifdef(NODEBUG).
-define(debugMsg(S), ok).
-define(debugHere, ok).
-define(debugFmt(S, As), ok).
-define(debugVal(E), (E)).
-define(debugTime(S, E), (E)).
-else.
-define(debugMsg(S), begin io:fwrite(user, <<"~ts:~w:~w: ~ts\n">>, [?FILE, ?LINE, self(), S]), ok end).
-define(debugHere, (?debugMsg("<-"))).
-define(debugFmt(S, As), (?debugMsg(io_lib:format((S), (As))))).
-ifndef(EUNIT_DEBUG_VAL_DEPTH).
-define(EUNIT_DEBUG_VAL_DEPTH, 15).
-endif.
-define(debugVal(E, D), begin ((fun(X__D) -> ?debugFmt(<<"~ts = ~tP">>, [(??E), X__D, D]), X__D end)(E)) end).
-define(debugVal(E), ?debugVal(E, ?EUNIT_DEBUG_VAL_DEPTH)).
-define(debugTime(S, E),
        begin ((fun() ->
            {X__T0, _} = statistics(wall_clock),
            X__D = (E),
            {X__T1, _} = statistics(wall_clock),
            ?debugFmt(<<"~ts: ~.3f s">>, [(S), (X__T1 - X__T0) / 1000]),
            X__D
        end)()) end).
-endif.

-endif.
