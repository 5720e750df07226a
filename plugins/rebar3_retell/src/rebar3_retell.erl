%% `rebar3 retell`: fetches what the project needs, and runs its tests by `tracer test`. Words after the command are given to it:
%% `rebar3 retell -- -k transfer`. The environment variable TRACER names the program, if it is not in the PATH.
-module(rebar3_retell).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create([{name, retell},
                                 {module, ?MODULE},
                                 {bare, true},
                                 {deps, [install_deps]},
                                 {example, "rebar3 retell -- -k transfer"},
                                 {short_desc, "Runs the tests by `tracer test`, and keeps the runs that fail"},
                                 {desc, "Runs the tests of the project by `tracer test`. Words after -- are its options."},
                                 {profiles, [test]},
                                 {opts, []}]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    case tracer() of
        false -> {error, {?MODULE, not_installed}};
        Tracer ->
            Args = ["test" | [unicode:characters_to_list(Word) || Word <- rebar_state:command_args(State), Word =/= "--"]],
            Port = open_port({spawn_executable, Tracer}, [{args, Args}, {cd, rebar_state:dir(State)}, nouse_stdio, exit_status]),
            receive
                {Port, {exit_status, 0}} -> {ok, State};
                {Port, {exit_status, Status}} -> {error, {?MODULE, {status, Status}}}
            end
    end.

tracer() ->
    case os:getenv("TRACER") of
        false -> os:find_executable("tracer");
        "" -> os:find_executable("tracer");
        Named -> Named
    end.

format_error(not_installed) -> "tracer is not in the PATH; install it, or name it by the environment variable TRACER";
format_error({status, 1}) -> "tests failed; `replay ls` lists the kept runs";
format_error({status, Status}) -> io_lib:format("tracer test ended with status ~w; its message is above", [Status]).
