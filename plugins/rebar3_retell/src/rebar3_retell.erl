%% `rebar3 retell`: fetches what the project needs, and runs its tests by `tracer test`. Words after the command are given to it:
%% `rebar3 retell -- -k transfer`. If the first of them is `hunt`, it is `tracer hunt`: `rebar3 retell -- hunt -k transfer`. The environment variables
%% TRACER and REPLAY name the programs, if they are not in the PATH.
-module(rebar3_retell).
-export([init/1, do/1, format_error/1]).

init(State) ->
    Provider = providers:create([{name, retell},
                                 {module, ?MODULE},
                                 {bare, true},
                                 {deps, [install_deps]},
                                 {example, "rebar3 retell -- -k transfer"},
                                 {short_desc, "Runs the tests by `tracer test`, and keeps the runs that fail"},
                                 {desc, "Runs the tests of the project by `tracer test`. Words after -- are its options. With hunt as the first of them, it is `tracer hunt`."},
                                 {profiles, [test]},
                                 {opts, []}]),
    {ok, rebar_state:add_provider(State, Provider)}.

do(State) ->
    case program("tracer", "TRACER") of
        false -> {error, {?MODULE, {not_installed, "tracer", "TRACER"}}};
        Tracer ->
            Args = case [unicode:characters_to_list(Word) || Word <- rebar_state:command_args(State), Word =/= "--"] of
                ["hunt" | _] = Words -> Words;
                Words -> ["test" | Words]
            end,
            Port = open_port({spawn_executable, Tracer}, [{args, Args}, {cd, rebar_state:dir(State)}, nouse_stdio, exit_status]),
            receive
                {Port, {exit_status, 0}} -> {ok, State};
                {Port, {exit_status, Status}} ->
                    case program("replay", "REPLAY") of
                        false when Status =:= 1 -> {error, {?MODULE, {not_installed, "replay", "REPLAY"}}};
                        _ -> {error, {?MODULE, {status, Status}}}
                    end
            end
    end.

program(Name, Variable) ->
    case os:getenv(Variable) of
        Unnamed when Unnamed =:= false; Unnamed =:= "" -> os:find_executable(Name);
        Named -> os:find_executable(Named)
    end.

format_error({not_installed, Name, Variable}) ->
    io_lib:format("~s is not in the PATH. Build it in a checkout of retell by `cargo build --release`, and add its folder target/release to the PATH, "
                  "or name the program by the environment variable ~s", [Name, Variable]);
format_error({status, 1}) -> "tests failed; `replay ls` lists the kept runs";
format_error({status, Status}) -> io_lib:format("tracer test ended with status ~w; its message is above", [Status]).
