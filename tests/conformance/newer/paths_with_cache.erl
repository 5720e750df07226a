%% The code path with and without a cache, and coverage by the machine where there is none.
-module(paths_with_cache).
-export([main/0]).

main() ->
    Before = code:get_path(),
    io:format("~p~n", [[code:add_path(".", cache), code:add_patha(".", nocache), code:add_pathz(".", cache)]]),
    io:format("~p~n", [[code:add_paths(["."], cache), code:add_pathsa(["."], nocache), code:add_pathsz(["."], cache)]]),
    io:format("~p~n", [[code:add_path("/no/such/folder", cache), code:add_pathsa(["/no/such/folder"], cache)]]),
    io:format("~p~n", [code:clear_cache()]),
    io:format("~p ~p~n", [code:del_paths(["."]), code:del_paths([])]),
    io:format("~p~n", [lists:member(".", code:get_path())]),
    io:format("~p ~p~n", [code:replace_path(none_such, ".", cache), code:replace_path("none_such", ".", nocache)]),
    io:format("~p ~p~n", [code:set_path(Before, cache), code:get_path() =:= Before]),
    [try apply(code, F, A) of R -> io:format("~p ~p~n", [F, R])
     catch error:Reason:Stack ->
         [{M, N, Args, _} | _] = Stack,
         io:format("~p ~p ~p ~p~n", [Reason, M, N, Args])
     end || {F, A} <- [{add_path, [".", maybe_cache]}, {add_paths, [[], true]}, {set_path, [x, cache]}, {replace_path, [1, ".", cache]}, {add_pathz, [x, cache]}]],
    io:format("~p ~p ~p~n", [code:get_coverage_mode(), code:get_coverage_mode(?MODULE), code:set_coverage_mode(none)]),
    [try apply(code, F, A) of R -> io:format("~p ~p~n", [F, R])
     catch error:Reason:Stack ->
         [{M, N, Args, _} | _] = Stack,
         io:format("~p ~p ~p ~p~n", [Reason, M, N, Args])
     end || {F, A} <- [{get_coverage, [line, ?MODULE]}, {get_coverage, [function, none_such]}, {get_coverage, [x, ?MODULE]}, {get_coverage_mode, [none_such]},
                       {get_coverage_mode, [1]}, {reset_coverage, [?MODULE]}, {reset_coverage, [none_such]}, {set_coverage_mode, [x]},
                       {get_debug_info, [?MODULE]}, {get_debug_info, [none_such]}]].
