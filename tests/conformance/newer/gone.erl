%% Functions that later releases have no more, and modules and functions that have come.
-module(gone).
-export([main/0]).

main() ->
    Gone = [{zlib, adler32, 2}, {zlib, crc32, 1}, {zlib, inflateChunk, 1}, {zlib, getBufSize, 1}, {crypto, crypto_dyn_iv_init, 3}, {code, rehash, 0}, {code, is_module_native, 1}, {disk_log, lclose, 1},
            {erlang, display_nl, 0}, {file, pid2name, 1}],
    [show(io_lib:format("~0p", [X]), fun() -> apply(M, F, lists:duplicate(A, x)) end) || {M, F, A} = X <- Gone, M =/= crypto, M =/= disk_log],
    Come = [{lists, zip, 3}, {maps, iterator, 2}, {json, decode, 1}, {argparse, parse, 3}, {string, jaro_similarity, 2}, {binary, join, 2}, {base64, encode, 2}, {ets, first_lookup, 1}, {proc_lib, set_label, 1},
            {timer, apply_after, 2}, {math, tau, 0}, {io_lib, bformat, 2}, {supervisor, which_child, 2}, {calendar, universal_time_to_system_time, 2}, {erl_anno, set_end_location, 2}, {re, import, 1}],
    [begin _ = code:ensure_loaded(M), show(io_lib:format("~0p", [X]), fun() -> erlang:function_exported(M, F, A) end) end || {M, F, A} = X <- Come],
    [begin _ = code:ensure_loaded(M), show(io_lib:format("~0p", [X]), fun() -> erlang:function_exported(M, F, A) end) end || {M, F, A} = X <- Gone, lists:member(M, [zlib, code, file])],
    show("release", fun() -> erlang:system_info(otp_release) end),
    [show(atom_to_list(M), fun() -> length([x || {F, A} <- M:module_info(exports), F =/= module_info, A < 256]) > 0 end) || M <- [json, argparse]].

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
