%% The module `alarm_handler` of SASL: the event manager of that name, and the handler that it begins with.
-module(alarm_handler).
-export([start_link/0, set_alarm/1, clear_alarm/1, get_alarms/0, add_alarm_handler/1, add_alarm_handler/2, delete_alarm_handler/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

start_link() ->
    case gen_event:start_link({local, alarm_handler}) of
        {ok, _} = Started ->
            gen_event:add_handler(alarm_handler, alarm_handler, []),
            Started;
        Error -> Error
    end.

set_alarm(Alarm) -> gen_event:notify(alarm_handler, {set_alarm, Alarm}).

clear_alarm(AlarmId) -> gen_event:notify(alarm_handler, {clear_alarm, AlarmId}).

get_alarms() -> gen_event:call(alarm_handler, alarm_handler, get_alarms).

add_alarm_handler(Module) -> add_alarm_handler(Module, []).

add_alarm_handler(Module, Args) when is_atom(Module) -> gen_event:add_handler(alarm_handler, Module, Args).

delete_alarm_handler(Module) when is_atom(Module) -> gen_event:delete_handler(alarm_handler, Module, []).

%% ---- the first handler: keeps the alarms, and reports them -----------------------------------------------------------

init(_) -> {ok, []}.

handle_event({set_alarm, Alarm}, Alarms) ->
    error_logger:info_report([{alarm_handler, {set, Alarm}}]),
    {ok, [Alarm | Alarms]};
handle_event({clear_alarm, Id}, Alarms) ->
    error_logger:info_report([{alarm_handler, {clear, Id}}]),
    {ok, lists:keydelete(Id, 1, Alarms)};
handle_event(_, Alarms) -> {ok, Alarms}.

handle_call(get_alarms, Alarms) -> {ok, Alarms, Alarms};
handle_call(_, Alarms) -> {ok, {error, bad_query}, Alarms}.

handle_info(_, Alarms) -> {ok, Alarms}.

terminate(swap, Alarms) -> {alarm_handler, Alarms};
terminate(_, _) -> ok.
