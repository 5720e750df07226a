%% The part of the test server that OTP's suites call.
-module(test_server).
-export([lookup_config/2, sleep/1, seconds/1, minutes/1, hours/1, timetrap/1, timetrap_cancel/0, timetrap_cancel/1, timetrap_scale_factor/0]).
-export([adjusted_sleep/1, is_cover/0, is_cover/1, is_debug/0, is_valgrind/0, is_asan/0, is_native/1, memory_checker/0, is_commercial/0]).
-export([comment/1, format/1, format/2, fail/0, fail/1, fault/3, is_release_available/1, do_times/2, do_times/4, messages_get/0]).
-export([timecall/3, m_out_of_n/3, temp_name/1, os_type/0, app_test/1, app_test/2, appup_test/1, run_on_shielded_node/2]).
-export([peer_name/2, start_peer/2, start_peer/3, start_peer/5, start_node/3, stop_node/1]).

lookup_config(Key, Config) -> proplists:get_value(Key, Config).
sleep(Time) -> ct:sleep(Time).
adjusted_sleep(Time) -> ct:sleep(Time).
seconds(N) -> trunc(N * 1000).
minutes(N) -> trunc(N * 60000).
hours(N) -> trunc(N * 3600000).
timetrap(_) -> make_ref().
timetrap_cancel() -> ok.
timetrap_cancel(_) -> ok.
timetrap_scale_factor() -> 1.
is_cover() -> false.
is_cover(_) -> false.
is_debug() -> false.
is_valgrind() -> false.
is_asan() -> false.
is_native(_) -> false.
is_commercial() -> false.
is_release_available(_) -> false.
memory_checker() -> none.
comment(_) -> ok.
format(_) -> ok.
format(_, _) -> ok.
fail() -> ct:fail(suite_failed).
fail(Reason) -> ct:fail(Reason).
fault(_, _, _) -> ok.
os_type() -> os:type().
app_test(_) -> ct:fail(no_test_server).
app_test(_, _) -> ct:fail(no_test_server).
appup_test(_) -> ct:fail(no_test_server).
run_on_shielded_node(Fun, _) -> Fun().

do_times(N, Fun) -> lists:foreach(fun(_) -> Fun() end, lists:seq(1, N)).
do_times(N, Module, Function, Args) -> do_times(N, fun() -> apply(Module, Function, Args) end).

messages_get() -> receive Message -> [Message | messages_get()] after 0 -> [] end.

timecall(Module, Function, Args) ->
    {Time, Value} = timer:tc(Module, Function, Args),
    {Time / 1000000, Value}.

m_out_of_n(0, _, _) -> ok;
m_out_of_n(M, 0, _) -> ct:fail({m_out_of_n_failed, {M, left_to_do}});
m_out_of_n(M, N, Fun) ->
    case catch Fun() of
        {'EXIT', _} -> m_out_of_n(M, N - 1, Fun);
        _ -> m_out_of_n(M - 1, N - 1, Fun)
    end.

temp_name(Stem) ->
    Name = Stem ++ integer_to_list(erlang:unique_integer([positive])),
    case filelib:is_file(Name) of
        false -> Name;
        true -> temp_name(Stem)
    end.

peer_name(Module, Case) -> peer:random_name(lists:concat([Module, "-", Case])).

start_peer(Args, Module, Case) when is_list(Args) -> start_peer(#{args => Args, name => peer_name(Module, Case)}, Module);
start_peer(#{name := _} = Options, Module, _) -> start_peer(Options, Module);
start_peer(Options, Module, Case) -> start_peer(Options#{name => peer_name(Module, Case)}, Module).

start_peer(_, _, _, _, _) -> not_available.

start_peer(Options, Module) ->
    Folder = case code:which(Module) of
                 File when is_list(File) -> filename:dirname(File);
                 _ -> "."
             end,
    peer:start_link(Options#{args => ["-pa", Folder | maps:get(args, Options, [])]}).

start_node(Name, _Type, Options) ->
    [_, Host] = string:lexemes(atom_to_list(node()), "@"),
    slave:start_link(list_to_atom(Host), list_to_atom(lists:concat([Name])), proplists:get_value(args, Options, "")).

stop_node(Node) -> slave:stop(Node).
