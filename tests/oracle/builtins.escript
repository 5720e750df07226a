#!/usr/bin/env escript
%%! +S 1
%% Writes the functions of which `erlang:is_builtin/3` of the installed OTP 25 says so:
%%
%%   escript tests/oracle/builtins.escript > interpreter/lib/otp_builtins.txt
%%
%% One line a module, `MODULE NAME/ARITY,ARITY NAME/ARITY …`, sorted.
-mode(compile).

main([]) ->
    "25" = erlang:system_info(otp_release),
    Files = filelib:wildcard(filename:join([code:lib_dir(), "{kernel,stdlib,erts}-*", "ebin", "*.beam"])),
    Modules = lists:usort([list_to_atom(filename:basename(File, ".beam")) || File <- Files] ++ erlang:pre_loaded()),
    [io:put_chars([atom_to_list(M), functions(Functions), $\n]) || M <- Modules, [_ | _] = Functions <- [builtins(M)]].

builtins(M) ->
    {module, M} = code:ensure_loaded(M),
    [Function || {N, A} = Function <- M:module_info(exports), erlang:is_builtin(M, N, A)].

functions(Functions) ->
    [[$\s, atom_to_list(N), $/, lists:join($,, [integer_to_list(A) || {F, A} <- lists:sort(Functions), F =:= N])] || N <- lists:usort([N || {N, _} <- Functions])].
