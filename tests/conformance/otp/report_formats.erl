%% What the behaviours make of their reports: for a handler of `error_logger`, for one of `logger`, in one line and cut.
-module(report_formats).
-export([main/0]).

main() ->
    Stack = [{m, f, 1, [{file, "m.erl"}, {line, 7}]}],
    Client = {client, {name, Stack}},
    Long = lists:duplicate(30, {some, "thing", [1, 2, 3]}),
    Server = #{label => {gen_server, terminate}, name => srv, last_message => Long, state => Long, log => [], reason => {bad, Stack},
               client_info => Client},
    Statem = #{label => {gen_statem, terminate}, name => st, queue => [{info, x}, {cast, y}], postponed => [p], modules => [st],
               callback_mode => state_functions, state_enter => true, state => {s, Long}, timeouts => {1, [{state_timeout, t}]},
               log => [l], reason => {error, oops, Stack}, client_info => undefined},
    Event = #{label => {gen_event, terminate}, handler => {h, id}, name => ev, last_message => Long, state => s, reason => {'EXIT', oops}},
    Fsm = #{label => {gen_fsm, terminate}, name => fsm, last_message => {'$gen_sync_event', {caller, tag}, go}, state_name => s,
            state_data => Long, log => [], reason => oops, client_info => {who, dead}},
    Sup = #{label => {supervisor, child_terminated},
            report => [{supervisor, {local, sup}}, {errorContext, child_terminated}, {reason, oops}, {offender, [{pid, self}, {id, c}, {mfargs, {m, f, [a]}}]}]},
    Progress = #{label => {supervisor, progress}, report => [{supervisor, {local, sup}}, {started, [{nb_children, 3}, {id, c}]}]},
    Bridge = #{label => {supervisor, error},
               report => [{supervisor, br}, {errorContext, start_error}, {reason, oops}, {offender, [{pid, undefined}, {mod, m}]}]},
    Info = fun(Behaviour) -> #{label => {Behaviour, no_handle_info}, module => mod, message => Long} end,
    Reports = [{gen_server, Server}, {gen_server, Server#{log => [{in, a}, {out, b}]}}, {gen_server, Server#{client_info => {c, dead}}},
               {gen_server, Server#{reason => {undef, [{no_such_module, f, [1], []}]}}}, {gen_server, Info(gen_server)},
               {gen_statem, Statem}, {gen_statem, Statem#{queue => [], postponed => [], timeouts => {0, []}, log => [], state_enter => false}},
               {gen_event, Event}, {gen_event, Info(gen_event)}, {gen_fsm, Fsm}, {gen_fsm, Fsm#{last_message => hello}}, {gen_fsm, Info(gen_fsm)},
               {supervisor, Sup}, {supervisor, Progress}, {supervisor_bridge, Bridge}],
    [io:format("~p: ~p~n", [Module, catch Module:format_log(Report)]) || {Module, Report} <- Reports],
    [io:format("~p ~p:~n~ts~n", [Module, Options, catch Module:format_log(Report, Options)])
     || {Module, Report} <- Reports, Options <- [#{}, #{single_line => true}, #{single_line => true, depth => 10}, #{chars_limit => 80}],
        not (Module =:= gen_fsm andalso is_map_key(single_line, Options))],
    application:set_env(kernel, error_logger_format_depth, 10),
    [io:format("~p: ~p~n", [Module, catch Module:format_log(Report)]) || {Module, Report} <- Reports, Module =/= supervisor, Module =/= supervisor_bridge, Module =/= gen_fsm].
