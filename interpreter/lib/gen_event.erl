%% The module `gen_event`. A handler is {Module or {Module, Id}} with its state; handlers are called in the order: last added first.
-module(gen_event).
-export([start/0, start/1, start/2, start_link/0, start_link/1, start_link/2, start_monitor/0, start_monitor/1, start_monitor/2, stop/1,
         stop/3, notify/2, sync_notify/2, add_handler/3, add_sup_handler/3, delete_handler/3, swap_handler/3, swap_sup_handler/3,
         which_handlers/1, call/3, call/4, send_request/3, send_request/5, wait_response/2, receive_response/2, check_response/2,
         wait_response/3, receive_response/3, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1, wake_hib/5,
         init_it/6, system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1, system_replace_state/2,
         format_status/2, format_log/1, format_log/2]).

-callback init(InitArgs :: term()) -> {ok, State :: term()} | {ok, State :: term(), hibernate} | {error, Reason :: term()}.
-callback handle_event(Event :: term(), State :: term()) -> term().
-callback handle_call(Request :: term(), State :: term()) -> term().
-callback handle_info(Info :: term(), State :: term()) -> term().
-callback terminate(Args :: term(), State :: term()) -> term().
-callback code_change(OldVsn :: term(), State :: term(), Extra :: term()) -> {ok, NewState :: term()}.
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-callback format_status(Status :: map()) -> map().
-optional_callbacks([handle_info/2, terminate/2, code_change/3, format_status/1, format_status/2]).

-if(?OTP_RELEASE >= 27).
-define(WITH_LABEL(Report), (Report)#{process_label => proc_lib:get_label(self())}).
-define(LABEL(Report, Before, After), gen:'$label'(Report, Before, After)).
-else.
-define(WITH_LABEL(Report), Report).
-define(LABEL(Report, Before, After), []).
-endif.

-record(handler, {module, id = false, state, supervised = false}).

start() -> gen:start(?MODULE, nolink, none, [], []).
start(Name) when is_tuple(Name) -> gen:start(?MODULE, nolink, Name, none, [], []);
start(Options) when is_list(Options) -> gen:start(?MODULE, nolink, none, [], Options).
start(Name, Options) -> gen:start(?MODULE, nolink, Name, none, [], Options).

start_link() -> gen:start(?MODULE, link, none, [], []).
start_link(Name) when is_tuple(Name) -> gen:start(?MODULE, link, Name, none, [], []);
start_link(Options) when is_list(Options) -> gen:start(?MODULE, link, none, [], Options).
start_link(Name, Options) -> gen:start(?MODULE, link, Name, none, [], Options).

start_monitor() -> gen:start(?MODULE, monitor, none, [], []).
start_monitor(Name) when is_tuple(Name) -> gen:start(?MODULE, monitor, Name, none, [], []);
start_monitor(Options) when is_list(Options) -> gen:start(?MODULE, monitor, none, [], Options).
start_monitor(Name, Options) -> gen:start(?MODULE, monitor, Name, none, [], Options).

stop(M) -> gen:stop(M).
stop(M, Reason, Timeout) -> gen:stop(M, Reason, Timeout).

init_it(Starter, self, Name, Mod, Args, Options) -> init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, Name0, _, _, Options) ->
    process_flag(trap_exit, true),
    Name = gen:name(Name0),
    Debug = gen:debug_options(Name, Options),
    proc_lib:init_ack(Starter, {ok, self()}),
    loop(Parent, Name, [], gen:hibernate_after(Options), Debug, false).

notify(M, Event) -> send(M, {notify, Event}).

sync_notify(M, Event) -> rpc(M, {sync_notify, Event}).

add_handler(M, Handler, Args) -> rpc(M, {add_handler, Handler, Args}).

add_sup_handler(M, Handler, Args) -> rpc(M, {add_sup_handler, Handler, Args, self()}).

delete_handler(M, Handler, Args) -> rpc(M, {delete_handler, Handler, Args}).

swap_handler(M, {H1, A1}, {H2, A2}) -> rpc(M, {swap_handler, H1, A1, H2, A2}).

swap_sup_handler(M, {H1, A1}, {H2, A2}) -> rpc(M, {swap_sup_handler, H1, A1, H2, A2, self()}).

which_handlers(M) -> rpc(M, which_handlers).

call(M, Handler, Query) -> call1(M, {call, Handler, Query}, 5000).

call(M, Handler, Query, Timeout) -> call1(M, {call, Handler, Query}, Timeout).

call1(M, {call, Handler, Query} = Request, Timeout) ->
    try gen:call(M, self(), Request, Timeout) of
        {ok, Reply} -> Reply
    catch exit:Reason -> exit({Reason, {?MODULE, call, [M, Handler, Query] ++ [Timeout || Timeout =/= 5000]}})
    end.

rpc(M, Cmd) ->
    {ok, Reply} = gen:call(M, self(), Cmd, infinity),
    Reply.

send({global, Name}, Cmd) ->
    catch global:send(Name, Cmd),
    ok;
send({via, Mod, Name}, Cmd) ->
    catch Mod:send(Name, Cmd),
    ok;
send(M, Cmd) ->
    M ! Cmd,
    ok.

send_request(M, Handler, Request) -> gen:send_request(M, self(), {call, Handler, Request}).

send_request(M, Handler, Request, Label, Requests) -> gen:send_request(M, self(), {call, Handler, Request}, Label, Requests).

wait_response(ReqId, Timeout) -> unwrapped(gen:wait_response(ReqId, Timeout)).

receive_response(ReqId, Timeout) -> unwrapped(gen:receive_response(ReqId, Timeout)).

check_response(Msg, ReqId) -> unwrapped(gen:check_response(Msg, ReqId)).

wait_response(Requests, Timeout, Delete) -> collected(gen:wait_response(Requests, Timeout, Delete)).

receive_response(Requests, Timeout, Delete) -> collected(gen:receive_response(Requests, Timeout, Delete)).

check_response(Msg, Requests, Delete) -> collected(gen:check_response(Msg, Requests, Delete)).

unwrapped({reply, {error, _} = Error}) -> Error;
unwrapped(Other) -> Other.

collected({Response, Label, Requests}) -> {unwrapped(Response), Label, Requests};
collected(Other) -> Other.

reqids_new() -> gen:reqids_new().
reqids_size(Requests) -> gen:reqids_size(Requests).
reqids_add(ReqId, Label, Requests) -> gen:reqids_add(ReqId, Label, Requests).
reqids_to_list(Requests) -> gen:reqids_to_list(Requests).

%% ---- the loop -------------------------------------------------------------------------------------------------------

loop(Parent, Name, Handlers, HibernateAfter, Debug, true) ->
    proc_lib:hibernate(?MODULE, wake_hib, [Parent, Name, Handlers, HibernateAfter, Debug]);
loop(Parent, Name, Handlers, HibernateAfter, Debug, false) -> fetch_msg(Parent, Name, Handlers, HibernateAfter, Debug, false).

wake_hib(Parent, Name, Handlers, HibernateAfter, Debug) -> fetch_msg(Parent, Name, Handlers, HibernateAfter, Debug, true).

fetch_msg(Parent, Name, Handlers, HibernateAfter, Debug, Hib) ->
    receive
        {system, From, Req} -> sys:handle_system_msg(Req, From, Parent, ?MODULE, Debug, [Name, Handlers, HibernateAfter, Hib], Hib);
        {'EXIT', Parent, Reason} -> terminate_server(Reason, Parent, Handlers, Name);
        Msg when Debug =:= [] -> handle_msg(Msg, Parent, Name, Handlers, HibernateAfter, Debug);
        Msg ->
            Debug1 = sys:handle_debug(Debug, fun print_event/3, Name, {in, Msg}),
            handle_msg(Msg, Parent, Name, Handlers, HibernateAfter, Debug1)
    after HibernateAfter ->
        loop(Parent, Name, Handlers, HibernateAfter, Debug, true)
    end.

handle_msg(Msg, Parent, Name, Handlers, HibernateAfter, Debug) ->
    Next = fun(Hib, NHandlers) -> loop(Parent, Name, NHandlers, HibernateAfter, Debug, Hib) end,
    case Msg of
        {notify, Event} ->
            {Hib, NHandlers} = server_notify(Event, handle_event, Handlers, Name),
            Next(Hib, NHandlers);
        {_, Tag, {sync_notify, Event}} ->
            {Hib, NHandlers} = server_notify(Event, handle_event, Handlers, Name),
            answer(Tag, ok),
            Next(Hib, NHandlers);
        {'EXIT', From, Reason} ->
            Kept = handle_exit(From, Reason, Handlers, Name),
            {_, NHandlers} = server_notify(Msg, handle_info, Kept, Name),
            Next(false, NHandlers);
        {_, Tag, {call, Handler, Query}} ->
            {Hib, Reply, NHandlers} = server_call(Handler, Query, Handlers, Name),
            answer(Tag, Reply),
            Next(Hib, NHandlers);
        {_, Tag, {add_handler, Handler, Args}} ->
            {Hib, Reply, NHandlers} = add(Handler, Args, false, Handlers),
            answer(Tag, Reply),
            Next(Hib, NHandlers);
        {_, Tag, {add_sup_handler, Handler, Args, SupPid}} ->
            link(SupPid),
            {Hib, Reply, NHandlers} = add(Handler, Args, SupPid, Handlers),
            answer(Tag, Reply),
            Next(Hib, NHandlers);
        {_, Tag, {delete_handler, Handler, Args}} ->
            {Reply, NHandlers} = delete(Handler, Args, Handlers, Name),
            answer(Tag, Reply),
            Next(false, NHandlers);
        {_, Tag, {swap_handler, H1, A1, H2, A2}} ->
            {Hib, Reply, NHandlers} = swap(H1, A1, H2, A2, keep, Handlers, Name),
            answer(Tag, Reply),
            Next(Hib, NHandlers);
        {_, Tag, {swap_sup_handler, H1, A1, H2, A2, SupPid}} ->
            link(SupPid),
            {Hib, Reply, NHandlers} = swap(H1, A1, H2, A2, SupPid, Handlers, Name),
            answer(Tag, Reply),
            Next(Hib, NHandlers);
        {_, Tag, stop} ->
            catch terminate_server(normal, Parent, Handlers, Name),
            answer(Tag, ok);
        {_, Tag, which_handlers} ->
            answer(Tag, [handler_name(H) || H <- Handlers]),
            Next(false, Handlers);
        {_, Tag, get_modules} ->
            answer(Tag, lists:usort([H#handler.module || H <- Handlers])),
            Next(false, Handlers);
        _ ->
            {Hib, NHandlers} = server_notify(Msg, handle_info, Handlers, Name),
            Next(Hib, NHandlers)
    end.

answer({To, Tag}, Reply) -> gen:reply({To, Tag}, Reply).

handler_name(#handler{module = Mod, id = false}) -> Mod;
handler_name(#handler{module = Mod, id = Id}) -> {Mod, Id}.

new_handler({Mod, Id}) -> #handler{module = Mod, id = Id};
new_handler(Mod) -> #handler{module = Mod}.

find(Handler, Handlers) ->
    #handler{module = Mod, id = Id} = new_handler(Handler),
    lists:splitwith(fun(H) -> H#handler.module =/= Mod orelse H#handler.id =/= Id end, Handlers).

add(Handler, Args, SupPid, Handlers) -> server_add_handler(new_handler(Handler), Args, SupPid, Handlers).

server_add_handler(#handler{module = Mod} = H, Args, SupPid, Handlers) ->
    case catch Mod:init(Args) of
        {ok, State} -> {false, ok, [H#handler{state = State, supervised = SupPid} | Handlers]};
        {ok, State, hibernate} -> {true, ok, [H#handler{state = State, supervised = SupPid} | Handlers]};
        Other ->
            drop_link(SupPid, Handlers),
            {false, Other, Handlers}
    end.

drop_link(false, _) -> ok;
drop_link(Pid, Handlers) ->
    case lists:keymember(Pid, #handler.supervised, Handlers) of
        true -> ok;
        false -> unlink(Pid)
    end.

delete(Handler, Args, Handlers, Name) ->
    case find(Handler, Handlers) of
        {_, []} -> {{error, module_not_found}, Handlers};
        {Before, [H | After]} -> {do_terminate(H, Args, delete, Name), Before ++ After}
    end.

swap(H1, A1, H2, A2, SupPid, Handlers, Name) ->
    {Result, Rest, Sup} =
        case find(H1, Handlers) of
            {_, []} -> {error, Handlers, case SupPid of keep -> false; _ -> SupPid end};
            {Before, [H | After]} ->
                NewSup = case SupPid of keep -> H#handler.supervised; _ -> SupPid end,
                {do_terminate(H, A1, {swapped, H2, NewSup}, Name), Before ++ After, NewSup}
        end,
    replacement(H2, {A2, Result}, Sup, Rest).

replacement(H2, Args, Sup, Rest) ->
    case server_add_handler(new_handler(H2), Args, Sup, Rest) of
        {Hib, ok, New} -> {Hib, ok, New};
        {_, Error, Rest1} ->
            case Sup of
                false -> ok;
                _ -> Sup ! {gen_event_EXIT, new_handler_name(H2), Error}
            end,
            {false, {error, Error}, Rest1}
    end.

new_handler_name(Handler) -> handler_name(new_handler(Handler)).

server_call(Handler, Query, Handlers, Name) ->
    case find(Handler, Handlers) of
        {_, []} -> {false, {error, bad_module}, Handlers};
        {Before, [H | After]} ->
            case server_call_update(H, Query, Name) of
                {Hib, Reply, NH} -> {Hib, Reply, Before ++ [NH | After]};
                {removed, Reply} -> {false, Reply, Before ++ After};
                {swap_handler, Reply, A1, NH, H2, A2} ->
                    %% The new one takes the place of the old one.
                    {Hib, _, New} = swap_now(NH, A1, H2, A2, [], Name),
                    {Hib, Reply, Before ++ New ++ After}
            end
    end.

server_call_update(#handler{module = Mod, state = State} = H, Query, Name) ->
    case catch Mod:handle_call(Query, State) of
        {ok, Reply, NState} -> {false, Reply, H#handler{state = NState}};
        {ok, Reply, NState, hibernate} -> {true, Reply, H#handler{state = NState}};
        {swap_handler, Reply, A1, NState, H2, A2} -> {swap_handler, Reply, A1, H#handler{state = NState}, H2, A2};
        {remove_handler, Reply} ->
            do_terminate(H, remove_handler, normal, Name),
            {removed, Reply};
        Other ->
            do_terminate(H, {error, Other}, Query, Name),
            {removed, {error, Other}}
    end.

swap_now(#handler{supervised = Sup} = H, A1, H2, A2, Rest, Name) ->
    Result = do_terminate(H, A1, {swapped, H2, Sup}, Name),
    replacement(H2, {A2, Result}, Sup, Rest).

%% The event goes to every handler; some may leave, or be replaced.
server_notify(Event, Func, [Handler | Rest], Name) ->
    case server_update(Handler, Func, Event, Name) of
        {ok, Hib, NHandler} ->
            {Hib1, NRest} = server_notify(Event, Func, Rest, Name),
            {Hib orelse Hib1, [NHandler | NRest]};
        {swap, A1, NHandler, H2, A2} ->
            {Hib, _, New} = swap_now(NHandler, A1, H2, A2, [], Name),
            {Hib1, NRest} = server_notify(Event, Func, Rest, Name),
            {Hib orelse Hib1, New ++ NRest};
        removed -> server_notify(Event, Func, Rest, Name)
    end;
server_notify(_, _, [], _) -> {false, []}.

server_update(#handler{module = Mod, state = State} = H, Func, Event, Name) ->
    case catch Mod:Func(Event, State) of
        {ok, NState} -> {ok, false, H#handler{state = NState}};
        {ok, NState, hibernate} -> {ok, true, H#handler{state = NState}};
        {swap_handler, A1, NState, H2, A2} -> {swap, A1, H#handler{state = NState}, H2, A2};
        remove_handler ->
            do_terminate(H, remove_handler, normal, Name),
            removed;
        {'EXIT', {undef, [{Mod, handle_info, [_, _], _} | _]}} when Func =:= handle_info ->
            logger:log(warning, #{label => {gen_event, no_handle_info}, module => Mod, message => Event},
                       #{domain => [otp], report_cb => fun gen_event:format_log/2,
                         error_logger => #{tag => warning_msg, report_cb => fun gen_event:format_log/1}}),
            {ok, false, H};
        Other ->
            do_terminate(H, {error, Other}, Event, Name),
            removed
    end.

handle_exit(From, Reason, Handlers, Name) ->
    {Stopped, Kept} = lists:partition(fun(H) -> H#handler.supervised =:= From end, Handlers),
    lists:foreach(fun(H) -> do_terminate(H, {stop, Reason}, {parent_terminated, {From, Reason}}, Name) end, Stopped),
    Kept.

do_terminate(#handler{module = Mod, state = State} = H, Args, LastIn, Name) ->
    case erlang:function_exported(Mod, terminate, 2) of
        true ->
            Result = (catch Mod:terminate(Args, State)),
            report_terminate(H, Args, LastIn, Name, Result),
            Result;
        false ->
            report_terminate(H, Args, LastIn, Name, ok),
            ok
    end.

report_terminate(H, How, LastIn, Name, Result) ->
    Reason =
        case How of
            {error, {'EXIT', Why}} -> {'EXIT', Why};
            {error, Why} -> Why;
            _ when LastIn =:= shutdown -> shutdown;
            _ ->
                case {LastIn, How} of
                    {{swapped, New, Sup}, _} -> {swapped, New, Sup};
                    {delete, _} -> delete;
                    {normal, _} -> normal;
                    {_, {stop, Why}} -> Why;
                    _ -> normal
                end
        end,
    case H#handler.supervised of
        false -> ok;
        Pid ->
            Pid ! {gen_event_EXIT, handler_name(H), case Reason of delete -> normal; _ -> Reason end},
            ok
    end,
    case {How, Result} of
        {{error, _}, _} -> report_error(H, Reason, LastIn, Name);
        {_, {'EXIT', Why2}} -> report_error(H, {'EXIT', Why2}, LastIn, Name);
        _ -> ok
    end.

report_error(_, normal, _, _) -> ok;
report_error(_, shutdown, _, _) -> ok;
report_error(_, {swapped, _, _}, _, _) -> ok;
report_error(#handler{module = Mod, state = State} = H, Reason, LastIn, Name) ->
    {Inner, Wrap} =
        case Reason of
            {'EXIT', Why} -> {Why, fun(R) -> {'EXIT', R} end};
            _ -> {Reason, fun(R) -> R end}
        end,
    Status = gen:format_status(Mod, terminate, #{state => State, message => LastIn, reason => Inner}, [get(), State]),
    logger:log(error, ?WITH_LABEL(#{label => {gen_event, terminate}, handler => handler_name(H), name => Name, last_message => maps:get(message, Status),
                        state => maps:get('$status', Status, maps:get(state, Status)), reason => Wrap(maps:get(reason, Status))}),
               #{domain => [otp], report_cb => fun gen_event:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_event:format_log/1}}).

format_log(Report) -> gen:'$format_log'(Report, fun described/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun described/2).

described(#{label := {gen_event, no_handle_info}, module := Mod, message := Msg}, true) -> gen:'$unhandled'(Mod, Msg, true);
described(#{label := {gen_event, no_handle_info}, module := Mod, message := Msg}, false) ->
    [{w, "** Undefined handle_info in ~p\n", [Mod]}, "** Unhandled message: ", {l, Msg}, "\n"];
described(#{label := {gen_event, terminate}, handler := Handler, name := Name, last_message := Msg, state := State, reason := Reason} = Report, true) ->
    ["Generic event handler ", {l, Handler}, " crashed. Installed: ", {p, Name}] ++ ?LABEL(Report, ". Label: ", "") ++ [". Last event: ", {l, Msg}, ". State: ", {l, State},
     ". Reason: ", {l, fixed_reason(Reason)}, "."];
described(#{label := {gen_event, terminate}, handler := Handler, name := Name, last_message := Msg, state := State, reason := Reason} = Report, false) ->
    ["** gen_event handler ", {l, Handler}, " crashed.\n** Was installed in ", {p, Name}, "\n"]
        ++ ?LABEL(Report, "** Process label == ", "\n") ++ ["** Last event was: ", {l, Msg},
     "\n** When handler state == ", {l, State}, "\n** Reason == ", {l, fixed_reason(Reason)}, "\n"].

fixed_reason({'EXIT', Reason}) -> gen:'$fixed_reason'(Reason);
fixed_reason(Reason) -> Reason.

terminate_server(Reason, Parent, Handlers, Name) ->
    lists:foreach(fun(H) -> do_terminate(H, stop, shutdown, Name) end, Handlers),
    lists:foreach(fun(#handler{supervised = false}) -> ok; (#handler{supervised = Pid}) when Pid =/= Parent -> unlink(Pid); (_) -> ok end, Handlers),
    exit(Reason).

%% ---- for the module sys ---------------------------------------------------------------------------------------------

system_continue(Parent, Debug, [Name, Handlers, HibernateAfter, Hib]) -> loop(Parent, Name, Handlers, HibernateAfter, Debug, Hib).

system_terminate(Reason, Parent, _, [Name, Handlers, _, _]) -> terminate_server(Reason, Parent, Handlers, Name).

system_code_change([Name, Handlers, HibernateAfter, Hib], Module, OldVsn, Extra) ->
    New = [case H of
               #handler{module = Module, state = State} ->
                   {ok, NState} = Module:code_change(OldVsn, State, Extra),
                   H#handler{state = NState};
               _ -> H
           end || H <- Handlers],
    {ok, [Name, New, HibernateAfter, Hib]}.

system_get_state([_, Handlers, _, _]) -> {ok, [{M, Id, S} || #handler{module = M, id = Id, state = S} <- Handlers]}.

system_replace_state(Fun, [Name, Handlers, HibernateAfter, Hib]) ->
    {States, New} = lists:unzip([begin
        Old = {M, Id, S},
        try {M, Id, NS} = Fun(Old) of NewState -> {NewState, H#handler{state = NS}}
        catch _:_ -> {Old, H}
        end
    end || #handler{module = M, id = Id, state = S} = H <- Handlers]),
    {ok, States, [Name, New, HibernateAfter, Hib]}.

print_event(Dev, {in, Msg}, Name) ->
    case Msg of
        {notify, Event} -> io:format(Dev, "*DBG* ~tp got event ~tp~n", [Name, Event]);
        {_, _, {call, Handler, Query}} -> io:format(Dev, "*DBG* ~tp(~tp) got call ~tp~n", [Name, Handler, Query]);
        _ -> io:format(Dev, "*DBG* ~tp got ~tp~n", [Name, Msg])
    end;
print_event(Dev, Event, Name) -> io:format(Dev, "*DBG* ~tp dbg  ~tp~n", [Name, Event]).

format_status(Opt, [PDict, SysState, Parent, Debug, [Name, Handlers, _, _]]) ->
    Header = gen:format_status_header("Status for event handler", Name),
    {States, Log} =
        lists:mapfoldl(fun(#handler{module = M, state = S} = H, Logged) ->
                               Status = gen:format_status(M, Opt, #{log => Logged, state => S}, [PDict, S]),
                               {H#handler{state = maps:get('$status', Status, maps:get(state, Status))}, maps:get(log, Status)}
                       end, sys:get_log(Debug), Handlers),
    [{header, Header}, {data, [{"Status", SysState}, {"Parent", Parent}, {"Logged Events", Log}]}, {items, {"Installed handlers", States}}].
