-module(counted_test).
-compile({parse_transform, counted_pt}).
-include_lib("eunit/include/eunit.hrl").
seen_test() -> {"counted.beam", [d, debug_info, i, no_spawn_compiler_process, outdir, return_errors, return_warnings, src_dirs, warn_unused_import]} = seen().
keys_test() ->
    undefined = application:get_key(counted, modules),
    undefined = application:get_env(counted, key),
    ok = application:load(counted),
    ?assertEqual({ok, [counted, counted_deep, counted_deep_tests, counted_pt, counted_tests, counted_unit]}, application:get_key(counted, modules)),
    {ok, value} = application:get_env(counted, key),
    ok = application:unload(counted).
