%% Calls tests, generators, setups and cleanups of EUnit, and says how they failed.
-module(eunit_test).
-export([run_testfun/1, mf_wrapper/2, enter_context/4, multi_setup/1]).

run_testfun(F) ->
    try F() of
        Value -> {ok, Value}
    catch
        throw:{eunit_internal, Term} -> throw(Term);
        Class:Reason:Stack -> {error, {Class, Reason, Stack}}
    end.

%% Without the frames of this module and what is below them.
own(Stack, Tail) ->
    lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, [Frame || Frame <- Stack, element(1, Frame) =/= eunit_data]) ++ Tail.

mf_wrapper(M, F) ->
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

enter_context(Setup, Cleanup, Instantiate, Enter) ->
    try Setup() of
        R ->
            try Instantiate(R) of
                T ->
                    case eunit_data:is_not_test(T) of
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


%% Several setups in turn; what was set up is cleaned up when a later one fails.
multi_setup(List) ->
    All = [case Entry of {Tag, S} -> {Tag, S, fun(_) -> ok end}; _ -> Entry end || Entry <- List],
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

