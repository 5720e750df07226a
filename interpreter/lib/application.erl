%% The module `application`. Each key of an environment is a resource of its own. The applications that
%% run are known to a process that the first call which needs it starts; the process `application_controller` itself is one of the runtime.
%%
%% A program's application is described by NAME.app, looked for beside the program, in `ebin/` and in `src/`. Those of Erlang/OTP that hold
%% library modules only are known by name and start at once.
-module(application).
-export([load/1, load/2, unload/1, start/1, start/2, stop/1, ensure_started/1, ensure_started/2, ensure_all_started/1, ensure_all_started/2,
         get_env/1, get_env/2, get_env/3, set_env/1, set_env/2, set_env/3, set_env/4, unset_env/2, unset_env/3, get_all_env/0, get_all_env/1,
         get_key/1, get_key/2, get_all_key/0, get_all_key/1, get_application/0, get_application/1, which_applications/0,
         which_applications/1, loaded_applications/0, permit/2, info/0, start_type/0]).
-if(?OTP_RELEASE >= 26).
-export([ensure_all_started/3, get_supervisor/1]).
-endif.
-export(['$controller'/1, '$master'/5]).

-callback start(StartType :: term(), StartArgs :: term()) -> {ok, pid()} | {ok, pid(), State :: term()} | {error, Reason :: term()}.
-callback stop(State :: term()) -> term().
-if(?OTP_RELEASE >= 26).
-callback config_change(Changed :: [{atom(), term()}], New :: [{atom(), term()}], Removed :: [atom()]) -> ok.
-callback prep_stop(State :: term()) -> NewState :: term().
-callback start_phase(Phase :: atom(), StartType :: term(), PhaseArgs :: term()) -> ok | {error, Reason :: term()}.
-optional_callbacks([config_change/3, prep_stop/1, start_phase/3]).
-endif.

%% Versions of the applications of OTP that are always there, by release.
-if(?OTP_RELEASE =:= 25).
-define(KERNEL, "8.5.3").
-define(STDLIB, "4.2").
-define(CRYPTO, "5.1.2").
-define(SASL, "4.2").
-define(RUNTIME_TOOLS, "1.19").
-define(EUNIT, "2.8.1").
-endif.
-if(?OTP_RELEASE =:= 26).
-define(KERNEL, "9.0").
-define(STDLIB, "5.0").
-define(CRYPTO, "5.2").
-define(SASL, "4.2.1").
-define(RUNTIME_TOOLS, "1.19").
-define(EUNIT, "2.8.2").
-endif.
-if(?OTP_RELEASE =:= 27).
-define(KERNEL, "10.0").
-define(STDLIB, "6.0").
-define(CRYPTO, "5.5").
-define(SASL, "4.2.2").
-define(RUNTIME_TOOLS, "2.1").
-define(EUNIT, "2.9.1").
-endif.
-if(?OTP_RELEASE >= 28).
-define(KERNEL, "10.6.3").
-define(STDLIB, "7.3").
-define(CRYPTO, "5.8.3").
-define(SASL, "4.3").
-define(RUNTIME_TOOLS, "2.2").
-define(EUNIT, "2.10").
-endif.

%% Applications of Erlang/OTP whose processes, if there are any, are those of OTP: what describes them.
known(kernel) -> [{description, "ERTS  CXC 138 10"}, {vsn, ?KERNEL}, {applications, []}];
known(stdlib) -> [{description, "ERTS  CXC 138 10"}, {vsn, ?STDLIB}, {applications, [kernel]}];
known(crypto) -> [{description, "CRYPTO"}, {vsn, ?CRYPTO}, {applications, [kernel, stdlib]}];
known(sasl) -> [{description, "SASL  CXC 138 11"}, {vsn, ?SASL}, {applications, [kernel, stdlib]}, {registered, [sasl_sup, alarm_handler, release_handler]}, {mod, {sasl, []}}];
known(runtime_tools) -> [{description, "RUNTIME_TOOLS"}, {vsn, ?RUNTIME_TOOLS}, {applications, [kernel, stdlib]}, {registered, [runtime_tools_sup]}, {mod, {runtime_tools, []}}];
known(eunit) -> [{description, "EUnit"}, {vsn, ?EUNIT}, {applications, [kernel, stdlib]}];
known(_) -> unknown.

%% Other applications of Erlang/OTP 25: description, version, and what they need. Where OTP is installed, it is its own file that counts.
further(asn1) -> {"The Erlang ASN1 compiler version 5.0.21", "5.0.21", []};
further(common_test) -> {"The OTP Common Test application", "1.23.3", []};
further(compiler) -> {"ERTS  CXC 138 10", "8.2.3", []};
further(debugger) -> {"Debugger", "5.3", []};
further(diameter) -> {"Diameter protocol", "2.2.7", []};
further(edoc) -> {"EDoc, the Erlang documentation engine", "1.2", [compiler, syntax_tools]};
further(eldap) -> {"Ldap api", "1.2.10", []};
further(et) -> {"Event Tracer", "1.6.5", []};
further(ftp) -> {"FTP client", "1.1.3", []};
further(inets) -> {"INETS  CXC 138 49", "8.2.2", []};
further(megaco) -> {"Megaco/H.248 protocol", "4.4.2", []};
further(mnesia) -> {"MNESIA  CXC 138 12", "4.21.3", []};
further(observer) -> {"OBSERVER version 1", "2.14", []};
further(odbc) -> {"Erlang ODBC application", "2.14", []};
further(os_mon) -> {"CPO  CXC 138 46", "2.8", [sasl]};
further(parsetools) -> {"XLATETOOLS  CXC 138 xx", "2.4.1", []};
further(public_key) -> {"Public key infrastructure", "1.13.2", [asn1, crypto]};
further(reltool) -> {"Reltool the release management tool", "0.9", []};
further(snmp) -> {"SNMP  CXC 138 13", "5.13.3", []};
further(ssh) -> {"SSH-2 for Erlang/OTP", "4.15.2", [crypto, public_key]};
further(ssl) -> {"Erlang/OTP SSL application", "10.8.7", [crypto, public_key]};
further(syntax_tools) -> {"Syntax tools", "3.0", []};
further(tftp) -> {"TFTP application", "1.0.3", []};
further(tools) -> {"DEVTOOLS  CXC 138 16", "3.5.3", []};
further(wx) -> {"Yet another graphics system", "2.2.1", []};
further(xmerl) -> {"XML parser", "1.3.30", []};
further(_) -> unknown.

%% ---- environment ----------------------------------------------------------------------------------------------------

get_env(Key) ->
    case get_application() of
        {ok, App} -> get_env(App, Key);
        undefined -> undefined
    end.

get_env(App, Key) ->
    case erlang:'$env_get'(App, Key) of
        undefined when App =:= kernel ->
            case lists:keyfind(Key, 1, kernel()) of
                {_, Value} -> {ok, Value};
                false -> undefined
            end;
        Found -> Found
    end.

%% What the environment of kernel holds from the start.
kernel() ->
    Formatter = {logger_formatter, #{legacy_header => true, single_line => false}},
    [{connect_all, true},
     {logger, [{handler, default, logger_std_h, #{config => #{type => standard_io}, formatter => Formatter}}]},
     {logger_level, notice},
     {logger_sasl_compatible, false},
     {net_tickintensity, 4},
     {net_ticktime, 60},
     {prevent_overlapping_partitions, true},
     {shell_docs_ansi, auto}] ++ of_shell().

-if(?OTP_RELEASE >= 26).
of_shell() -> [{shell_history_drop, []}].
-else.
of_shell() -> [].
-endif.

get_env(App, Key, Default) ->
    case get_env(App, Key) of
        {ok, Value} -> Value;
        undefined -> Default
    end.

set_env(Config) -> set_env(Config, []).

set_env(Config, Opts) when is_list(Config) ->
    lists:foreach(fun({App, Env}) -> lists:foreach(fun({Key, Value}) -> set_env(App, Key, Value, Opts) end, Env) end, Config).

set_env(App, Key, Value) -> set_env(App, Key, Value, []).

set_env(App, Key, Value, _) -> erlang:'$env_set'(App, Key, Value).

unset_env(App, Key) -> unset_env(App, Key, []).

unset_env(App, Key, _) -> erlang:'$env_unset'(App, Key).

keys(App) -> [Key || {Key, _} <- get_all_env(App)].

get_all_env() ->
    case get_application() of
        {ok, App} -> get_all_env(App);
        undefined -> []
    end.

get_all_env(kernel) ->
    Set = erlang:'$env_all'(kernel),
    Set ++ [Given || {Key, _} = Given <- kernel(), not lists:keymember(Key, 1, Set)];
get_all_env(App) -> erlang:'$env_all'(App).

%% ---- loading --------------------------------------------------------------------------------------------------------

load(App) -> load(App, []).

load({application, Name, Opts} = Given, _) when is_atom(Name), is_list(Opts) ->
    case request({load, Name, Opts}) of
        {error, {already_loaded, Name}} -> {error, {already_loaded, Given}};
        Answer -> Answer
    end;
load(Name, _) when is_atom(Name) ->
    case lists:keymember(Name, 1, loaded_applications()) of
        true -> {error, {already_loaded, Name}};
        false ->
            case describe(Name) of
                {ok, Opts} -> request({load, Name, Opts});
                Error -> Error
            end
    end;
load(App, _) -> {error, {bad_application, App}}.

describe(Name) ->
    case known(Name) of
        [_ | _] = Opts -> {ok, Opts};
        unknown ->
            File = atom_to_list(Name) ++ ".app",
            case code:'$project'(Name) of
                undefined -> described(Name, File);
                Dir -> of_project(Name, File, Dir)
            end
    end.

described(Name, File) ->
    Beside = [File, "ebin/" ++ File, "src/" ++ File, "src/" ++ File ++ ".src", File ++ ".src"],
    case {further(Name), consult(Beside ++ installed(Name, File), File, Name)} of
        {unknown, {error, {"no such file or directory", _}}} -> in_path(Name, File);
        {unknown, Answer} -> Answer;
        {_, {ok, Opts}} -> {ok, startable(Opts)};
        %% The application starts; a function of it that is not there is refused by its name.
        {{Description, Vsn, Needs}, _} -> {ok, [{description, Description}, {vsn, Vsn}, {applications, Needs ++ [kernel, stdlib]}]}
    end.

%% Without the sources of OTP, or if it needs ports and the like, its own processes are not started.
startable(Opts) ->
    case option(mod, Opts, []) of
        {Mod, _} ->
            case code:ensure_loaded(Mod) of
                {module, _} -> Opts;
                {error, _} -> lists:keydelete(mod, 1, Opts)
            end;
        _ -> Opts
    end.

%% An application of a project, under `tracer test`. Its description before it is built lists no modules.
of_project(Name, File, Dir) ->
    case consult([filename:join([Dir | Path]) || Path <- [["src", File ++ ".src"], ["ebin", File], ["src", File]]], File, Name) of
        {ok, Opts} ->
            Modules = case option(modules, Opts, []) of
                [] -> lists:usort(lists:append([modules(filename:join(Dir, Sources)) || Sources <- sources(Name)]));
                Listed -> Listed
            end,
            Vsn = case option(vsn, Opts, "") of Text when is_list(Text) -> Text; _ -> "0" end,
            {ok, lists:keystore(vsn, 1, lists:keystore(modules, 1, Opts, {modules, Modules}), {vsn, Vsn})};
        Error -> Error
    end.

%% The folders whose modules an application of the project has.
sources(App) ->
    case erlang:'$env_get'(retell, sources) of
        {ok, All} -> proplists:get_value(App, All, ["src"]);
        undefined -> ["src"]
    end.

modules(Dir) ->
    case file:list_dir(Dir) of
        {ok, Files} -> [list_to_atom(filename:basename(File, ".erl")) || File <- Files, filename:extension(File) =:= ".erl"];
        {error, _} -> []
    end.

%% Where the program added the folder to the code path, which can lead into an archive.
in_path(Name, File) ->
    case code:where_is_file(File) of
        non_existing -> {error, {"no such file or directory", File}};
        Path ->
            try
                {ok, Bytes, _} = erl_prim_loader:get_file(Path),
                {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Bytes)),
                {ok, {application, Name, Opts}} = erl_parse:parse_term(Tokens),
                {ok, Opts}
            catch
                error:_ -> {error, {bad_application, Name}}
            end
    end.

%% Of an application of OTP: the description where it is installed.
installed(Name, File) ->
    case further(Name) =/= unknown andalso code:lib_dir(Name) of
        false -> [];
        {error, bad_name} -> [];
        Dir -> [filename:join([Dir, "ebin", File])]
    end.

consult([Path | Paths], File, Name) ->
    case file:consult(Path) of
        {ok, [{application, Name, Opts}]} -> {ok, Opts};
        {ok, _} -> {error, {bad_application, Name}};
        {error, enoent} -> consult(Paths, File, Name);
        {error, Reason} -> {error, {file:format_error(Reason), File}}
    end;
consult([], File, _) -> {error, {"no such file or directory", File}}.

unload(App) -> request({unload, App}).

loaded_applications() -> [{Name, option(description, Opts, ""), option(vsn, Opts, "")} || {Name, Opts} <- request(loaded)].

option(Key, Opts, Default) ->
    case lists:keyfind(Key, 1, Opts) of
        {_, Value} -> Value;
        false -> Default
    end.

get_key(Key) ->
    case get_application() of
        {ok, App} -> get_key(App, Key);
        undefined -> undefined
    end.

get_key(App, Key) ->
    case get_all_key(App) of
        {ok, Keys} ->
            case lists:keyfind(Key, 1, Keys) of
                {_, Value} -> {ok, Value};
                false -> undefined
            end;
        undefined -> undefined
    end.

get_all_key() ->
    case get_application() of
        {ok, App} -> get_all_key(App);
        undefined -> []
    end.

get_all_key(App) ->
    case lists:keyfind(App, 1, request(loaded)) of
        {_, Opts} ->
            {ok, [{Key, option(Key, Opts, Default)}
                  || {Key, Default} <- [{description, ""}, {id, ""}, {vsn, ""}, {modules, own_modules(App)}, {maxP, infinity}, {maxT, infinity}, {registered, []},
                                        {included_applications, []}, {optional_applications, []}, {applications, []}, {env, []}, {mod, []}, {start_phases, undefined}]]};
        false -> undefined
    end.

%% Of an application of OTP.
own_modules(App) -> application:'$modules'(App).

get_application() -> get_application(self()).

get_application(Pid) when is_pid(Pid) ->
    %% The master of an application is among the ancestors of its processes.
    case process_info(Pid, dictionary) of
        {dictionary, Dict} ->
            case lists:keyfind('$application', 1, Dict) of
                {_, App} -> {ok, App};
                false ->
                    Named = case lists:keyfind('$ancestors', 1, Dict) of
                        {_, Ancestors} -> application_of(Ancestors);
                        false -> undefined
                    end,
                    case Named of
                        undefined -> application_of_parent(process_info(Pid, parent));
                        _ -> Named
                    end
            end;
        _ -> undefined
    end;
get_application(Module) when is_atom(Module) ->
    case [Name || {Name, Opts} <- request(loaded), lists:member(Module, option(modules, Opts, []))] of
        [Name | _] -> {ok, Name};
        [] ->
            case code:'$application'(Module) of
                App when App =:= undefined; App =:= erts -> undefined;
                App -> {ok, App}
            end
    end.

%% Who was spawned by a process of an application belongs to it as well.
application_of_parent({parent, Parent}) when is_pid(Parent), node(Parent) =:= node() -> get_application(Parent);
application_of_parent(_) -> undefined.

application_of([Ancestor | Rest]) ->
    case lists:keyfind(Ancestor, 2, case whereis('$application_controller') of undefined -> []; _ -> request(masters) end) of
        {App, _} -> {ok, App};
        false -> application_of(Rest)
    end;
application_of([]) -> undefined.

%% ---- starting and stopping ------------------------------------------------------------------------------------------

start(App) -> start(App, temporary).

start(App, Type) when Type =:= temporary; Type =:= transient; Type =:= permanent ->
    case load(App) of
        ok -> start_loaded(name(App), Type);
        {error, {already_loaded, _}} -> start_loaded(name(App), Type);
        Error -> Error
    end.

name({application, Name, _}) -> Name;
name(Name) -> Name.

start_loaded(Name, Type) -> request({start, Name, Type}).

ensure_started(App) -> ensure_started(App, temporary).

ensure_started(App, Type) ->
    case start(App, Type) of
        ok -> ok;
        {error, {already_started, App}} -> ok;
        Error -> Error
    end.

ensure_all_started(App) -> ensure_all_started(App, temporary).

-if(?OTP_RELEASE >= 26).
ensure_all_started(App, Type) -> ensure_all_started(App, Type, serial).
-else.
ensure_all_started(App, Type) ->
    case ensure_all(App, Type, []) of
        {ok, Started} -> {ok, lists:reverse(Started)};
        {error, Reason, Started} ->
            lists:foreach(fun(S) -> stop(S) end, Started),
            {error, Reason}
    end.
-endif.

%% Several at a time are started one after the other here, in an order that OTP allows too.
ensure_all_started(App, Type, Mode) when is_atom(App) -> ensure_all_started([App], Type, Mode);
ensure_all_started(Apps, Type, Mode) when is_list(Apps), Mode =:= serial orelse Mode =:= concurrent ->
    case ensure_each(Apps, Type, []) of
        {ok, Started} -> {ok, lists:reverse(Started)};
        {error, Reason, Started} ->
            lists:foreach(fun(S) -> stop(S) end, Started),
            {error, Reason}
    end.

ensure_each([App | Apps], Type, Started) ->
    case ensure_all(App, Type, Started) of
        {ok, More} -> ensure_each(Apps, Type, More);
        Error -> Error
    end;
ensure_each([], _, Started) -> {ok, Started}.

%% The process that an application's start function has returned.
get_supervisor(App) when is_atom(App) ->
    case [Master || {Name, Master} <- request(masters), Name =:= App] of
        [Master | _] when is_pid(Master) ->
            case process_info(Master, dictionary) of
                _ when App =:= kernel -> {ok, whereis(kernel_sup)};
                {dictionary, Entries} ->
                    case lists:keyfind('$root', 1, Entries) of
                        {_, Root} -> {ok, Root};
                        false -> undefined
                    end;
                undefined -> undefined
            end;
        _ when App =:= kernel -> {ok, whereis(kernel_sup)};
        _ -> undefined
    end.

ensure_all(App, Type, Started) ->
    case start(App, Type) of
        ok -> {ok, [App | Started]};
        {error, {already_started, App}} -> {ok, Started};
        {error, {not_started, Needed}} ->
            case ensure_all(Needed, Type, Started) of
                {ok, More} -> ensure_all(App, Type, More);
                Error -> Error
            end;
        {error, Reason} -> {error, {App, Reason}, Started}
    end.

stop(App) -> request({stop, App}).

which_applications() -> [{Name, option(description, Opts, ""), option(vsn, Opts, "")} || {Name, Opts} <- request(running)].

which_applications(_) -> which_applications().

permit(_, _) -> ok.

info() -> [{loaded, loaded_applications()}, {running, [{Name, undefined} || {Name, _, _} <- which_applications()]}].

start_type() -> local.

%% ---- the controller -------------------------------------------------------------------------------------------------

request(Request) ->
    case whereis('$application_controller') of
        undefined -> _ = proc_lib:start(?MODULE, '$controller', [self()]);
        _ -> ok
    end,
    {ok, Reply} = gen:call('$application_controller', '$gen_call', Request, infinity),
    Reply.

'$controller'(Starter) ->
    try register('$application_controller', self()) of
        true ->
            process_flag(trap_exit, true),
            proc_lib:init_ack(Starter, {ok, self()}),
            Loaded = [begin {ok, Opts} = describe(Name), {Name, Opts} end || Name <- [kernel, stdlib]],
            controller_loop(#{loaded => Loaded, running => [{stdlib, undefined, permanent}, {kernel, undefined, permanent}], starting => [], stopping => none,
                              later => []})
    catch
        error:badarg -> proc_lib:init_ack(Starter, {error, already_started})
    end.

%% loaded: [{Name, Description}]; running: [{Name, Master or undefined, Type}], the last started first; starting: [{Name, Master, Type, who waits}];
%% stopping: {Master, who waits}; later: requests that came meanwhile. What is starting or stopping may ask for what is loaded, and start others.
controller_loop(S) ->
    receive
        {'$gen_call', From, Request} -> controller_loop(controller_handle(Request, From, S));
        {started, Master} -> controller_loop(has_started(Master, S));
        {failed, Master, Reason} -> controller_loop(has_failed(Master, Reason, S));
        {'EXIT', Master, Reason} -> controller_loop(ended(Master, Reason, S));
        _ -> controller_loop(S)
    end.

controller_handle(Request, From, #{stopping := {_, _}, later := Later} = S)
  when element(1, Request) =:= start; element(1, Request) =:= stop; element(1, Request) =:= unload ->
    S#{later := Later ++ [{Request, From}]};
controller_handle({start, Name, Type}, From, #{starting := Starting} = S) ->
    case lists:keyfind(Name, 1, Starting) of
        {_, Master, First, Waiting} -> S#{starting := lists:keyreplace(Name, 1, Starting, {Name, Master, First, Waiting ++ [From]})};
        false -> controller_start(Name, Type, From, S)
    end;
controller_handle({stop, Name}, From, #{running := Running} = S) ->
    case lists:keyfind(Name, 1, Running) of
        {_, undefined, Type} ->
            report(Name, stopped, Type),
            gen:reply(From, ok),
            S#{running := lists:keydelete(Name, 1, Running)};
        {_, Master, _} ->
            Master ! {stop, self()},
            S#{stopping := {Master, From}};
        false ->
            gen:reply(From, {error, {not_started, Name}}),
            S
    end;
controller_handle(Request, From, S) ->
    {Reply, NS} = controller_request(Request, S),
    gen:reply(From, Reply),
    NS.

controller_start(Name, Type, From, #{loaded := Loaded, running := Running, starting := Starting} = S) ->
    {_, Opts} = lists:keyfind(Name, 1, Loaded),
    case {lists:keymember(Name, 1, Running), [N || N <- option(applications, Opts, []), not lists:keymember(N, 1, Running)], option(mod, Opts, [])} of
        {true, _, _} ->
            gen:reply(From, {error, {already_started, Name}}),
            S;
        {_, [Needed | _], _} ->
            gen:reply(From, {error, {not_started, Needed}}),
            S;
        {_, _, []} ->
            gen:reply(From, ok),
            S#{running := [{Name, undefined, Type} | Running]};
        {_, _, {Mod, Args}} ->
            Master = proc_lib:spawn_link(?MODULE, '$master', [self(), Name, Mod, Args, option(start_phases, Opts, undefined)]),
            S#{starting := [{Name, Master, Type, [From]} | Starting]}
    end.

has_started(Master, #{running := Running, starting := Starting} = S) ->
    {value, {Name, _, Type, Waiting}, Others} = lists:keytake(Master, 2, Starting),
    [gen:reply(From, ok) || From <- Waiting],
    S#{running := [{Name, Master, Type} | Running], starting := Others}.

has_failed(Master, Reason, #{starting := Starting} = S) ->
    {value, {Name, _, Type, Waiting}, Others} = lists:keytake(Master, 2, Starting),
    report(Name, Reason, Type),
    [gen:reply(From, {error, Reason}) || From <- Waiting],
    S#{starting := Others}.

controller_request(loaded, #{loaded := Loaded} = S) -> {Loaded, S};
controller_request(running, #{loaded := Loaded, running := Running} = S) ->
    {[lists:keyfind(Name, 1, Loaded) || {Name, _, _} <- Running], S};
controller_request(masters, #{running := Running, starting := Starting} = S) ->
    {[{Name, Master} || {Name, Master, _} <- Running, is_pid(Master)] ++ [{Name, Master} || {Name, Master, _, _} <- Starting], S};
controller_request({load, Name, Opts}, #{loaded := Loaded} = S) ->
    case lists:keymember(Name, 1, Loaded) of
        true -> {{error, {already_loaded, Name}}, S};
        false ->
            lists:foreach(fun({Key, Value}) -> case get_env(Name, Key) of undefined -> set_env(Name, Key, Value); _ -> ok end end, option(env, Opts, [])),
            {ok, S#{loaded := Loaded ++ [{Name, Opts}]}}
    end;
controller_request({unload, Name}, #{loaded := Loaded, running := Running} = S) ->
    case {lists:keymember(Name, 1, Running), lists:keymember(Name, 1, Loaded)} of
        {true, _} -> {{error, {running, Name}}, S};
        {_, false} -> {{error, {not_loaded, Name}}, S};
        _ ->
            lists:foreach(fun(Key) -> unset_env(Name, Key) end, keys(Name)),
            {ok, S#{loaded := lists:keydelete(Name, 1, Loaded)}}
    end.

ended(Master, _, #{stopping := {Master, From}, running := Running, later := Later} = S) ->
    {Name, _, Type} = lists:keyfind(Master, 2, Running),
    report(Name, stopped, Type),
    gen:reply(From, ok),
    Idle = S#{running := lists:keydelete(Name, 1, Running), stopping := none, later := []},
    lists:foldl(fun({Request, Waiting}, Acc) -> controller_handle(Request, Waiting, Acc) end, Idle, Later);
ended(Master, Reason, #{running := Running, starting := Starting} = S) ->
    case {lists:keyfind(Master, 2, Running), lists:keymember(Master, 2, Starting)} of
        {{Name, _, Type}, _} ->
            report(Name, Reason, Type),
            case Type of
                permanent -> init:stop();
                transient when Reason =/= normal -> init:stop();
                _ -> ok
            end,
            S#{running := lists:keydelete(Master, 2, Running)};
        {_, true} -> has_failed(Master, Reason, S);
        _ -> S
    end.

report(Name, Reason, Type) ->
    logger:log(notice, #{label => {application_controller, exit}, report => [{application, Name}, {exited, Reason}, {type, Type}]},
               #{domain => [otp], report_cb => fun(#{report := Items}, _) -> {F, A} = logger:format_report(Items), [io_lib:format(F, A), "\n"] end,
                 logger_formatter => #{title => "INFO REPORT"}, error_logger => #{tag => info_report, type => std_info}}).

%% The process between the controller and the application's top process.
'$master'(Controller, Name, Mod, Args, Phases) ->
    process_flag(trap_exit, true),
    put('$application', Name),
    case catch Mod:start(normal, Args) of
        {ok, Pid} when is_pid(Pid) -> started(Controller, Mod, Pid, [], Phases);
        {ok, Pid, State} when is_pid(Pid) -> started(Controller, Mod, Pid, State, Phases);
        {error, Reason} -> failed(Controller, {Reason, {Mod, start, [normal, Args]}});
        {'EXIT', Reason} -> failed(Controller, {bad_return, {{Mod, start, [normal, Args]}, {'EXIT', of_master(Reason)}}});
        Other -> failed(Controller, {bad_return, {{Mod, start, [normal, Args]}, Other}})
    end.

%% The caller in OTP.
of_master({Reason, [{_, _, _, _} | _] = Stack}) ->
    Above = lists:takewhile(fun({M, F, _, _}) -> {M, F} =/= {?MODULE, '$master'} end, Stack),
    {Reason, Above ++ [{application_master, start_it_old, 4, [{file, "application_master.erl"}, {line, 293}]}]};
of_master(Reason) -> Reason.

failed(Controller, Reason) ->
    Controller ! {failed, self(), Reason},
    exit(normal).

started(Controller, Mod, Pid, State, Phases) ->
    link(Pid),
    put('$root', Pid),
    case phases(Mod, Phases) of
        ok ->
            Controller ! {started, self()},
            master_loop(Controller, Mod, Pid, State);
        %% As in OTP the top process is left alone.
        {error, Reason} -> failed(Controller, Reason)
    end.

phases(_, Phases) when Phases =:= undefined; Phases =:= [] -> ok;
phases(Mod, [{Phase, Args} | Phases]) ->
    Call = {Mod, start_phase, [Phase, normal, Args]},
    case catch Mod:start_phase(Phase, normal, Args) of
        ok -> phases(Mod, Phases);
        {error, Reason} -> {error, {Reason, Call}};
        Other -> {error, {bad_return, {Call, Other}}}
    end.

prepared(Mod, State) ->
    case erlang:function_exported(Mod, prep_stop, 1) of
        true ->
            case catch Mod:prep_stop(State) of
                {'EXIT', _} -> State;
                Prepared -> Prepared
            end;
        false -> State
    end.

master_loop(Controller, Mod, Pid, State) ->
    receive
        {'EXIT', Pid, Reason} ->
            State1 = prepared(Mod, State),
            _ = (catch Mod:stop(State1)),
            exit(Reason);
        {stop, Controller} ->
            State1 = prepared(Mod, State),
            exit(Pid, shutdown),
            receive {'EXIT', Pid, _} -> ok end,
            _ = (catch Mod:stop(State1)),
            exit(normal);
        {'EXIT', Controller, Reason} ->
            exit(Pid, Reason),
            exit(Reason);
        _ -> master_loop(Controller, Mod, Pid, State)
    end.
