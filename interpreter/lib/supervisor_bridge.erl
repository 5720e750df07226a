%% The module `supervisor_bridge`: a subsystem that is no supervision tree, under a supervisor.
-module(supervisor_bridge).
-behaviour(gen_server).
-export([start_link/2, start_link/3, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3, format_log/1, format_log/2]).

-callback init(Args :: term()) -> {ok, Pid :: pid(), State :: term()} | ignore | {error, Error :: term()}.
-callback terminate(Reason :: term(), State :: term()) -> term().

-record(state, {mod, pid, child_state, name}).

start_link(Mod, Args) -> gen_server:start_link(supervisor_bridge, [Mod, Args, self], []).

start_link(Name, Mod, Args) -> gen_server:start_link(Name, supervisor_bridge, [Mod, Args, Name], []).

init([Mod, Args, Name0]) ->
    process_flag(trap_exit, true),
    Name = case Name0 of self -> {self(), Mod}; _ -> Name0 end,
    case Mod:init(Args) of
        {ok, Pid, State} when is_pid(Pid) ->
            link(Pid),
            {ok, #state{mod = Mod, pid = Pid, child_state = State, name = Name}};
        ignore -> ignore;
        {error, Reason} -> {stop, Reason}
    end.

handle_call(which_children, _, S) -> {reply, [], S};
handle_call(count_children, _, S) -> {reply, [{specs, 0}, {active, 0}, {supervisors, 0}, {workers, 0}], S};
handle_call(_, _, S) -> {reply, {error, badcall}, S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({'EXIT', Pid, Reason}, #state{pid = Pid} = S) ->
    logger:log(error, #{label => {supervisor, error},
                        report => [{supervisor, S#state.name}, {errorContext, child_terminated}, {reason, Reason},
                                   {offender, [{pid, Pid}, {mod, S#state.mod}]}]},
               #{domain => [otp, sasl], report_cb => fun supervisor_bridge:format_log/2, logger_formatter => #{title => "SUPERVISOR REPORT"},
                 error_logger => #{tag => error_report, type => supervisor_report, report_cb => fun supervisor_bridge:format_log/1}}),
    {stop, Reason, S#state{pid = undefined}};
handle_info(_, S) -> {noreply, S}.

terminate(_, #state{pid = undefined}) -> ok;
terminate(Reason, #state{mod = Mod, child_state = State}) -> Mod:terminate(Reason, State).

code_change(_, S, _) -> {ok, S}.

format_log(Report) -> gen:'$format_log'(Report, fun report/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun report/2).

report(#{report := [{supervisor, Name}, {started, Child}]}, true) ->
    {mfa, MFA} = lists:keyfind(mfa, 1, Child),
    {pid, Pid} = lists:keyfind(pid, 1, Child),
    ["Supervisor: ", {p, Name}, ".", {w, " ~s pid=~w,mfa=", ["Started:", Pid]}, {l, MFA}, "."];
report(#{report := [{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, Child}]}, true) ->
    {mod, Mod} = lists:keyfind(mod, 1, Child),
    Who = case lists:keyfind(pid, 1, Child) of
        {pid, Pid} -> {w, " ~s pid=~w,mod=~w.", ["Offender:", Pid, Mod]};
        false -> {w, " ~s mod=~w.", ["Offender:", Mod]}
    end,
    ["Supervisor: ", {p, Name}, ". Context: ", {p, Context}, ". Reason: ", {l, Reason}, ".", Who];
report(#{report := Items}, false) ->
    lists:append([[io_lib:format("    ~s: ", [Key]), {if Key =:= reason; Key =:= started -> l; true -> p end, Value}, "~n"] || {Key, Value} <- Items]).
