%% A build coordinator runs one compiler at a time, linked, and traps exits. A
%% compiler that takes too long is stopped and the job is tried once more.
-module(stalexit).
-export([main/0]).

-define(PATIENCE, 20).

main() ->
    process_flag(trap_exit, true),
    Results = [{M, build(M, 2)} || M <- [parser, codegen, linker]],
    io:format("~p~n", [Results]),
    [ok = R || {_, R} <- Results].

build(_, 0) -> gave_up;
build(Module, Tries) ->
    Self = self(),
    Pid = spawn_link(fun() -> compiler(Self, Module, Tries) end),
    receive
        {built, Module} ->
            unlink(Pid),
            receive {'EXIT', Pid, _} -> ok after 0 -> ok end,
            ok;
        {'EXIT', Pid, normal} ->
            build(Module, Tries);
        {'EXIT', Pid, Reason} ->
            {failed, Reason}
    after ?PATIENCE ->
        unlink(Pid),
        exit(Pid, stopped),
        build(Module, Tries - 1)
    end.

compiler(Boss, Module, Tries) ->
    compile(Module, Tries),
    Boss ! {built, Module},
    case Module of
        codegen -> exit(out_of_memory);             % while it tidies up
        _ -> ok
    end.

compile(_, 1) -> timer:sleep(1);
compile(_, _) ->
    <<B>> = crypto:strong_rand_bytes(1),
    timer:sleep(B rem 24).
