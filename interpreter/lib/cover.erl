%% The module `cover`, as far as a program can ask it without measuring: no module is compiled for it, so each call that would do that is refused.
-module(cover).
-export([start/0, start/1, stop/0, stop/1, is_compiled/1, modules/0, imported/0, imported_modules/0, which_nodes/0, local_only/0,
         compile/1, compile/2, compile_module/1, compile_module/2, compile_directory/0, compile_directory/1, compile_directory/2,
         compile_beam/1, compile_beam/2, compile_beam_directory/0, compile_beam_directory/1, analyse/0, analyse/1, analyse/2, analyse/3,
         analyze/1, analyze/2, analyze/3, analyse_to_file/1, analyse_to_file/2, reset/0, reset/1, export/1, export/2, import/1, get_main_node/0]).

start() ->
    case whereis(cover_server) of
        undefined ->
            Starter = self(),
            Pid = spawn(fun() -> served(Starter) end),
            receive {Pid, Answer} -> Answer end;
        Pid -> {error, {already_started, Pid}}
    end.

served(Starter) ->
    try register(cover_server, self()) of
        true ->
            Starter ! {self(), {ok, self()}},
            loop()
    catch
        error:badarg -> Starter ! {self(), {error, {already_started, whereis(cover_server)}}}
    end.

loop() ->
    receive
        {stop, From} ->
            unregister(cover_server),
            From ! {self(), ok};
        _ -> loop()
    end.

start(_) -> {ok, []}.

%% As in OTP, each call starts what is asked.
stop() ->
    _ = start(),
    case whereis(cover_server) of
        undefined -> ok;
        Pid ->
            Ref = monitor(process, Pid),
            Pid ! {stop, self()},
            receive
                {Pid, ok} -> demonitor(Ref, [flush]), ok;
                {'DOWN', Ref, process, Pid, _} -> ok
            end
    end.

stop(_) -> ok.

%% Nothing was compiled for it.
is_compiled(Module) when is_atom(Module) -> answered(false).
modules() -> answered([]).
imported() -> answered([]).
imported_modules() -> answered([]).
which_nodes() -> answered([]).
local_only() -> answered(ok).
get_main_node() -> node().
reset() -> answered(ok).
reset(Module) -> answered({error, {not_cover_compiled, Module}}).

answered(Answer) ->
    _ = start(),
    Answer.

compile(Modules) -> refused(compile, [Modules]).
compile(Modules, Options) -> refused(compile, [Modules, Options]).
compile_module(Module) -> refused(compile_module, [Module]).
compile_module(Module, Options) -> refused(compile_module, [Module, Options]).
compile_directory() -> refused(compile_directory, []).
compile_directory(Dir) -> refused(compile_directory, [Dir]).
compile_directory(Dir, Options) -> refused(compile_directory, [Dir, Options]).
compile_beam(Beam) -> refused(compile_beam, [Beam]).
compile_beam(Beam, Options) -> refused(compile_beam, [Beam, Options]).
compile_beam_directory() -> refused(compile_beam_directory, []).
compile_beam_directory(Dir) -> refused(compile_beam_directory, [Dir]).
analyse() -> refused(analyse, []).
analyse(What) -> refused(analyse, [What]).
analyse(What, Kind) -> refused(analyse, [What, Kind]).
analyse(What, Kind, Level) -> refused(analyse, [What, Kind, Level]).
analyze(What) -> refused(analyze, [What]).
analyze(What, Kind) -> refused(analyze, [What, Kind]).
analyze(What, Kind, Level) -> refused(analyze, [What, Kind, Level]).
analyse_to_file(What) -> refused(analyse_to_file, [What]).
analyse_to_file(What, Options) -> refused(analyse_to_file, [What, Options]).
export(File) -> refused(export, [File]).
export(File, What) -> refused(export, [File, What]).
import(File) -> refused(import, [File]).

refused(Function, Args) -> erlang:'$unsupported'("cover:" ++ atom_to_list(Function), {?MODULE, Function, Args}).
