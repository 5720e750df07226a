#!/usr/bin/env escript
%%! +S 1
%% Writes the table of what Erlang/OTP 25 exports, from the installed OTP:
%%
%%   escript tests/oracle/exports.escript > interpreter/lib/otp_exports.txt
%%
%% One line a module, `APPLICATION MODULE NAME/ARITY,ARITY NAME/ARITY …`, sorted. The applications named in full/1 have their functions;
%% of the others only the modules are listed (a line without functions).
-mode(compile).

main([]) ->
    "25" = erlang:system_info(otp_release),
    Dirs = filelib:wildcard(filename:join([code:lib_dir(), "*", "ebin"])),
    Apps = [{app(D), filelib:wildcard(filename:join(D, "*.beam"))} || D <- Dirs],
    Lines = [line(App, File) || {App, Files} <- Apps, File <- Files],
    [io:put_chars([App, $\s, atom_to_list(M), functions(Fs), $\n]) || {App, M, Fs} <- lists:usort(Lines)].

full(App) -> lists:member(App, ["compiler", "crypto", "erts", "eunit", "kernel", "stdlib"]).

app(Dir) -> hd(string:split(filename:basename(filename:dirname(Dir)), "-")).

line(App, File) ->
    {ok, {M, [{exports, Exports}]}} = beam_lib:chunks(File, [exports]),
    {App, M, case full(App) of true -> Exports; false -> [] end}.

functions(Exports) ->
    Names = lists:usort([N || {N, _} <- Exports, N =/= module_info]),
    [[$\s, atom_to_list(N), $/, lists:join($,, [integer_to_list(A) || {F, A} <- lists:sort(Exports), F =:= N])] || N <- Names].
