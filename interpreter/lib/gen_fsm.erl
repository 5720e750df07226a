%% The module `gen_fsm`: the older finite state machine. States are functions of the callback module.
-module(gen_fsm).
-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3, send_event/2, sync_send_event/2, sync_send_event/3,
         send_all_state_event/2, sync_send_all_state_event/2, sync_send_all_state_event/3, reply/2, start_timer/2, send_event_after/2,
         cancel_timer/1, enter_loop/4, enter_loop/5, enter_loop/6, wake_hib/7, init_it/6, system_continue/3, system_terminate/4,
         system_code_change/4, system_get_state/1, system_replace_state/2, format_status/2, format_log/1, format_log/2]).

-callback init(Args :: term()) -> term().
-if(?OTP_RELEASE >= 26).
-callback 'StateName'(Event :: term(), StateData :: term()) -> term().
-callback 'StateName'(Event :: term(), From :: {pid(), Tag :: term()}, StateData :: term()) -> term().
-optional_callbacks(['StateName'/2, 'StateName'/3]).
-endif.
-callback handle_event(Event :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_sync_event(Event :: term(), From :: {pid(), term()}, StateName :: atom(), StateData :: term()) -> term().
-callback handle_info(Info :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback terminate(Reason :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback code_change(OldVsn :: term(), StateName :: atom(), StateData :: term(), Extra :: term()) -> term().
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-optional_callbacks([handle_info/3, terminate/3, code_change/4, format_status/2]).

start(Mod, Args, Options) -> gen:start(?MODULE, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(?MODULE, nolink, Name, Mod, Args, Options).
start_link(Mod, Args, Options) -> gen:start(?MODULE, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(?MODULE, link, Name, Mod, Args, Options).
stop(Name) -> gen:stop(Name).
stop(Name, Reason, Timeout) -> gen:stop(Name, Reason, Timeout).

send_event(To, Event) -> send(To, {'$gen_event', Event}).

send_all_state_event(To, Event) -> send(To, {'$gen_all_state_event', Event}).

send({global, Name}, Msg) ->
    catch global:send(Name, Msg),
    ok;
send({via, Mod, Name}, Msg) ->
    catch Mod:send(Name, Msg),
    ok;
send(To, Msg) ->
    To ! Msg,
    ok.

sync_send_event(Name, Event) -> call(Name, '$gen_sync_event', Event, sync_send_event, [Name, Event]).
sync_send_event(Name, Event, Timeout) -> call(Name, '$gen_sync_event', Event, Timeout, sync_send_event, [Name, Event, Timeout]).
sync_send_all_state_event(Name, Event) -> call(Name, '$gen_sync_all_state_event', Event, sync_send_all_state_event, [Name, Event]).
sync_send_all_state_event(Name, Event, Timeout) ->
    call(Name, '$gen_sync_all_state_event', Event, Timeout, sync_send_all_state_event, [Name, Event, Timeout]).

call(Name, Label, Event, Function, Args) -> call(Name, Label, Event, 5000, Function, Args).

call(Name, Label, Event, Timeout, Function, Args) ->
    case catch gen:call(Name, Label, Event, Timeout) of
        {ok, Reply} -> Reply;
        {'EXIT', Reason} -> exit({Reason, {?MODULE, Function, Args}})
    end.

reply(From, Reply) -> gen:reply(From, Reply).

start_timer(Time, Msg) -> erlang:start_timer(Time, self(), {'$gen_timer', Msg}).

send_event_after(Time, Event) -> erlang:start_timer(Time, self(), {'$gen_event', Event}).

cancel_timer(Ref) ->
    case erlang:cancel_timer(Ref) of
        false -> receive {timeout, Ref, _} -> 0 after 0 -> false end;
        Left -> Left
    end.

%% ---- entering -------------------------------------------------------------------------------------------------------

enter_loop(Mod, Options, StateName, StateData) -> enter_loop(Mod, Options, StateName, StateData, self(), infinity).

enter_loop(Mod, Options, StateName, StateData, {Scope, _} = Server) when is_atom(Scope) -> enter_loop(Mod, Options, StateName, StateData, Server, infinity);
enter_loop(Mod, Options, StateName, StateData, {via, _, _} = Server) -> enter_loop(Mod, Options, StateName, StateData, Server, infinity);
enter_loop(Mod, Options, StateName, StateData, Timeout) -> enter_loop(Mod, Options, StateName, StateData, self(), Timeout).

enter_loop(Mod, Options, StateName, StateData, Server, Timeout) ->
    Name = gen:get_proc_name(Server),
    loop(gen:get_parent(), Name, StateName, StateData, Mod, Timeout, gen:hibernate_after(Options), gen:debug_options(Name, Options)).

init_it(Starter, self, Name, Mod, Args, Options) -> init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, Name0, Mod, Args, Options) ->
    Name = gen:name(Name0),
    Debug = gen:debug_options(Name, Options),
    HibernateAfter = gen:hibernate_after(Options),
    Fail = fun(Result) ->
        gen:unregister_name(Name0),
        proc_lib:init_ack(Starter, Result)
    end,
    case try {ok, Mod:init(Args)} catch throw:R -> {ok, R}; C:R:S -> {'EXIT', C, R, S} end of
        {ok, {ok, StateName, StateData}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, StateName, StateData, Mod, infinity, HibernateAfter, Debug);
        {ok, {ok, StateName, StateData, Timeout}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, StateName, StateData, Mod, Timeout, HibernateAfter, Debug);
        {ok, {stop, Reason}} ->
            Fail({error, Reason}),
            exit(Reason);
        {ok, ignore} ->
            Fail(ignore),
            exit(normal);
        {ok, Else} ->
            Error = {bad_return_value, Else},
            Fail({error, Error}),
            exit(Error);
        {'EXIT', Class, Reason, Stacktrace} ->
            Fail({error, case Class of error -> {Reason, Stacktrace}; _ -> Reason end}),
            erlang:raise(Class, Reason, Stacktrace)
    end.

%% ---- the loop -------------------------------------------------------------------------------------------------------

loop(Parent, Name, StateName, StateData, Mod, hibernate, HibernateAfter, Debug) ->
    proc_lib:hibernate(?MODULE, wake_hib, [Parent, Name, StateName, StateData, Mod, HibernateAfter, Debug]);
loop(Parent, Name, StateName, StateData, Mod, infinity, HibernateAfter, Debug) ->
    receive
        Msg -> decode_msg(Msg, Parent, Name, StateName, StateData, Mod, infinity, HibernateAfter, Debug, false)
    after HibernateAfter -> loop(Parent, Name, StateName, StateData, Mod, hibernate, HibernateAfter, Debug)
    end;
loop(Parent, Name, StateName, StateData, Mod, Time, HibernateAfter, Debug) ->
    Msg = receive Input -> Input after Time -> {'$gen_event', timeout} end,
    decode_msg(Msg, Parent, Name, StateName, StateData, Mod, Time, HibernateAfter, Debug, false).

wake_hib(Parent, Name, StateName, StateData, Mod, HibernateAfter, Debug) ->
    Msg = receive Input -> Input end,
    decode_msg(Msg, Parent, Name, StateName, StateData, Mod, hibernate, HibernateAfter, Debug, true).

decode_msg(Msg, Parent, Name, StateName, StateData, Mod, Time, HibernateAfter, Debug, Hib) ->
    case Msg of
        {system, From, Req} ->
            sys:handle_system_msg(Req, From, Parent, ?MODULE, Debug, [Name, StateName, StateData, Mod, Time, HibernateAfter], Hib);
        {'EXIT', Parent, Reason} -> terminate(exit, Reason, [], Name, undefined, Msg, Mod, StateName, StateData, Debug);
        _ ->
            Debug1 = case Debug of [] -> []; _ -> sys:handle_debug(Debug, fun print_event/3, {Name, StateName}, {in, Msg}) end,
            handle_msg(Msg, Parent, Name, StateName, StateData, Mod, HibernateAfter, Debug1)
    end.

handle_msg(Msg, Parent, Name, StateName, StateData, Mod, HibernateAfter, Debug) ->
    From = from(Msg),
    Next = fun(NextName, NextData, Time, Debug1) -> loop(Parent, Name, NextName, NextData, Mod, Time, HibernateAfter, Debug1) end,
    Answer = fun(Reply) ->
        gen:reply(From, Reply),
        case Debug of [] -> []; _ -> sys:handle_debug(Debug, fun print_event/3, {Name, StateName}, {out, Reply, From, StateName}) end
    end,
    case catch dispatch(Msg, Mod, StateName, StateData) of
        {next_state, NextName, NextData} -> Next(NextName, NextData, infinity, Debug);
        {next_state, NextName, NextData, Time} -> Next(NextName, NextData, Time, Debug);
        {reply, Reply, NextName, NextData} when From =/= undefined -> Next(NextName, NextData, infinity, Answer(Reply));
        {reply, Reply, NextName, NextData, Time} when From =/= undefined -> Next(NextName, NextData, Time, Answer(Reply));
        {stop, Reason, NextData} -> terminate(exit, Reason, [], Name, From, Msg, Mod, StateName, NextData, Debug);
        {stop, Reason, Reply, NextData} when From =/= undefined ->
            try terminate(exit, Reason, [], Name, From, Msg, Mod, StateName, NextData, Debug)
            after gen:reply(From, Reply)
            end;
        {'EXIT', What} -> terminate(exit, What, [], Name, From, Msg, Mod, StateName, StateData, Debug);
        Reply -> terminate(exit, {bad_return_value, Reply}, [], Name, From, Msg, Mod, StateName, StateData, Debug)
    end.

from({'$gen_sync_event', From, _}) -> From;
from({'$gen_sync_all_state_event', From, _}) -> From;
from(_) -> undefined.

dispatch({'$gen_event', Event}, Mod, StateName, StateData) -> Mod:StateName(Event, StateData);
dispatch({'$gen_all_state_event', Event}, Mod, StateName, StateData) -> Mod:handle_event(Event, StateName, StateData);
dispatch({'$gen_sync_event', From, Event}, Mod, StateName, StateData) -> Mod:StateName(Event, From, StateData);
dispatch({'$gen_sync_all_state_event', From, Event}, Mod, StateName, StateData) -> Mod:handle_sync_event(Event, From, StateName, StateData);
dispatch({timeout, Ref, {'$gen_timer', Msg}}, Mod, StateName, StateData) -> Mod:StateName({timeout, Ref, Msg}, StateData);
dispatch({timeout, _, {'$gen_event', Event}}, Mod, StateName, StateData) -> Mod:StateName(Event, StateData);
dispatch(Info, Mod, StateName, StateData) ->
    case erlang:function_exported(Mod, handle_info, 3) of
        true -> Mod:handle_info(Info, StateName, StateData);
        false ->
            logger:log(warning, #{label => {gen_fsm, no_handle_info}, module => Mod, message => Info},
                       #{domain => [otp], report_cb => fun gen_fsm:format_log/2,
                         error_logger => #{tag => warning_msg, report_cb => fun gen_fsm:format_log/1}}),
            {next_state, StateName, StateData}
    end.

terminate(Class, Reason, _, Name, _, Msg, Mod, StateName, StateData, Debug) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true ->
            case catch Mod:terminate(Reason, StateName, StateData) of
                {'EXIT', R} ->
                    error_info(R, Name, Msg, StateName, StateData, Debug),
                    exit(R);
                _ -> ok
            end;
        false -> ok
    end,
    case Reason of
        normal -> exit(normal);
        shutdown -> exit(shutdown);
        {shutdown, _} -> exit(Reason);
        _ ->
            error_info(Reason, Name, Msg, StateName, StateData, Debug),
            erlang:Class(Reason)
    end.

error_info(Reason, Name, Msg, StateName, StateData, Debug) ->
    logger:log(error,
               #{label => {gen_fsm, terminate}, name => Name, last_message => Msg, state_name => StateName, state_data => StateData,
                 log => sys:get_log(Debug), reason => Reason, client_info => client(from(Msg))},
               #{domain => [otp], report_cb => fun gen_fsm:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_fsm:format_log/1}}).

client({Pid, _}) when is_pid(Pid), node(Pid) =:= node() ->
    case process_info(Pid, [current_stacktrace, registered_name]) of
        undefined -> {Pid, dead};
        [{current_stacktrace, Stack}, {registered_name, []}] -> {Pid, {Pid, Stack}};
        [{current_stacktrace, Stack}, {registered_name, Name}] -> {Pid, {Name, Stack}}
    end;
client({Pid, _}) when is_pid(Pid) -> {Pid, remote};
client(_) -> undefined.

format_log(Report) -> gen:'$format_log'(Report, fun report/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun report/2).

report(#{label := {gen_fsm, no_handle_info}, module := Mod, message := Msg}, Single) -> gen:'$unhandled'(Mod, Msg, Single);
report(#{label := {gen_fsm, terminate}, name := Name, last_message := Msg, state_name := StateName, state_data := StateData, log := Log,
         reason := Reason, client_info := Client}, true) ->
    ["State machine ", {p, Name}, " terminating. Reason: ", {l, gen:'$fixed_reason'(Reason)}, ". Last event: ", {l, event(Msg)},
     ". State: ", {p, StateName}, ". Data: ", {l, StateData}]
        ++ case Log of [] -> []; _ -> [". Log: ", {l, Log}] end ++ ["."] ++ gen:'$client'(Client, true);
report(#{label := {gen_fsm, terminate}, name := Name, last_message := Msg, state_name := StateName, state_data := StateData, log := Log,
         reason := Reason, client_info := Client}, false) ->
    ["** State machine ", {p, Name}, " terminating \n" | last_event(Msg)]
        ++ ["** When State == ", {p, StateName}, "~n**      Data  == ", {l, StateData}, "~n** Reason for termination ==~n** ",
            {l, gen:'$fixed_reason'(Reason)}, "~n"]
        ++ case Log of [] -> []; _ -> ["** Log ==~n**", {m, Log}, "~n"] end ++ gen:'$client'(Client, false).

last_event({'$gen_event', Event}) -> ["** Last event in was ", {l, Event}, "~n"];
last_event({'$gen_sync_event', {From, _}, Event}) -> ["** Last sync event in was ", {l, Event}, {w, " from ~tw~n", [From]}];
last_event({'$gen_all_state_event', Event}) -> ["** Last event in was ", {l, Event}, " (for all states)~n"];
last_event({'$gen_sync_all_state_event', {From, _}, Event}) ->
    ["** Last sync event in was ", {l, Event}, " (for all states) from ", {p, From}, "~n"];
last_event({timeout, Ref, {'$gen_timer', Msg}}) -> ["** Last timer event in was ", {l, {timeout, Ref, Msg}}, "~n"];
last_event({timeout, _, {'$gen_event', Event}}) -> ["** Last timer event in was ", {l, Event}, "~n"];
last_event(Msg) -> ["** Last message in was ", {l, Msg}, "~n"].

event(Msg) -> [Term || {Kind, Term} <- [P || P <- last_event(Msg), is_tuple(P), tuple_size(P) =:= 2], Kind =:= l orelse Kind =:= p]
                  ++ [From || {w, _, [From]} <- last_event(Msg)].

%% ---- for the module sys ---------------------------------------------------------------------------------------------

system_continue(Parent, Debug, [Name, StateName, StateData, Mod, Time, HibernateAfter]) ->
    loop(Parent, Name, StateName, StateData, Mod, Time, HibernateAfter, Debug).

system_terminate(Reason, _, Debug, [Name, StateName, StateData, Mod, _, _]) ->
    terminate(exit, Reason, [], Name, undefined, [], Mod, StateName, StateData, Debug).

system_code_change([Name, StateName, StateData, Mod, Time, HibernateAfter], _, OldVsn, Extra) ->
    case catch Mod:code_change(OldVsn, StateName, StateData, Extra) of
        {ok, NewName, NewData} -> {ok, [Name, NewName, NewData, Mod, Time, HibernateAfter]};
        Else -> Else
    end.

system_get_state([_, StateName, StateData, _, _, _]) -> {ok, {StateName, StateData}}.

system_replace_state(Fun, [Name, StateName, StateData, Mod, Time, HibernateAfter]) ->
    {NewName, NewData} = Result = Fun({StateName, StateData}),
    {ok, Result, [Name, NewName, NewData, Mod, Time, HibernateAfter]}.

format_status(Opt, [PDict, SysState, Parent, Debug, [Name, StateName, StateData, Mod, _, _]]) ->
    Specific =
        case erlang:function_exported(Mod, format_status, 2) of
            true ->
                case catch Mod:format_status(Opt, [PDict, StateData]) of
                    {'EXIT', _} -> [{data, [{"StateData", StateData}]}];
                    L when is_list(L) -> L;
                    T -> [T]
                end;
            false -> [{data, [{"StateData", StateData}]}]
        end,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", SysState}, {"Parent", Parent}, {"Logged events", sys:get_log(Debug)}, {"StateName", StateName}]} | Specific].

print_event(Dev, {in, Msg}, {Name, StateName}) ->
    case Msg of
        {'$gen_event', Event} -> io:format(Dev, "*DBG* ~tp got event ~tp in state ~tw~n", [Name, Event, StateName]);
        {'$gen_all_state_event', Event} -> io:format(Dev, "*DBG* ~tp got all_state_event ~tp in state ~tw~n", [Name, Event, StateName]);
        {timeout, Ref, {'$gen_timer', M}} -> io:format(Dev, "*DBG* ~tp got timer ~tp in state ~tw~n", [Name, {timeout, Ref, M}, StateName]);
        _ -> io:format(Dev, "*DBG* ~tp got ~tp in state ~tw~n", [Name, Msg, StateName])
    end;
print_event(Dev, {out, Msg, {To, _}, StateName}, {Name, _}) ->
    io:format(Dev, "*DBG* ~tp sent ~tp to ~tw~n      and switched to state ~tw~n", [Name, Msg, To, StateName]).
