%% node: erl_libs_test
%% The folders of `ERL_LIBS` are in the code path of a node that is started with it: of each application the newest, behind kernel and stdlib.
-module(erl_libs).
-export([main/0]).

main() ->
    Root = "erl_libs.tmp",
    [ok = filelib:ensure_dir(Root ++ "/" ++ App ++ "/ebin/x") || App <- ["one-1.9", "one-1.10", "two", "two-b"]],
    ok = filelib:ensure_dir(Root ++ "/none/src/x"),
    ok = file:write_file(Root ++ "/elm.erl", "-module(elm).\n-export([f/0]).\nf() -> node().\n"),
    {ok, elm} = compile:file(Root ++ "/elm", [{outdir, Root ++ "/one-1.10/ebin"}]),
    {ok, Here} = file:get_cwd(),
    {ok, Peer, Node} = peer:start_link(#{name => erl_libs_peer, args => ["-env", "ERL_LIBS", filename:join(Here, Root)]}),
    Path = rpc:call(Node, code, get_path, []),
    {_, [Stdlib | After]} = lists:splitwith(fun(Dir) -> string:find(Dir, "/stdlib-") =:= nomatch end, Path),
    io:format("~p~n", [string:find(Stdlib, "/ebin")]),
    io:format("~p~n", [lists:sort([string:prefix(Dir, filename:join(Here, Root)) || Dir <- lists:sublist(After, 3)])]),
    io:format("~p~n", [string:prefix(rpc:call(Node, code, lib_dir, [one]), filename:join(Here, Root))]),
    io:format("~p ~p~n", [rpc:call(Node, elm, f, []) =:= Node, init:archive_extension()]),
    ok = peer:stop(Peer),
    ok = file:del_dir_r(Root).
