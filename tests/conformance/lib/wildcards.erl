%% Wildcards over files, hidden ones, links, and files of a module that knows nothing but names.
-module(wildcards).
-export([main/0, list_dir/1, read_link_info/1]).

main() ->
    Dir = "wildcards.tmp",
    file:del_dir_r(Dir),
    [ok = filelib:ensure_dir(filename:join([Dir, Name])) || Name <- [".hid/h", "sub/deep/i.txt"]],
    [ok = file:write_file(filename:join(Dir, Name), <<>>) || Name <- [".dot", "f.txt", "a{b", ".hid/h", "sub/g.txt", "sub/deep/i.txt", "sub/j-k"]],
    ok = file:make_symlink("sub", filename:join(Dir, "link")),
    Patterns = ["*", "**", "*/*", "**/*.txt", "*/g.txt", "f.txt/*", "*/../*", "**/i.txt", ".*", "*/**", "link/**", "**/**", "sub/..", "*/..", "f.txt/..", "..", ".",
                "./*", "nope/..", "nope/*", "*/./*", "s*/", "{f,sub}*", "{f.txt,sub}", "s{u,x}b/*", "[fs]*", "[a-f]*", "[", "sub/[a-]*", "?????", "s?b/?.txt", "a\\{b",
                "a{b", "*.t{x,y}t", "**.txt", "s**/*"],
    [io:format("~p ~p~n", [P, catch_error(fun() -> filelib:wildcard(P, Dir) end)]) || P <- Patterns],
    {ok, Here} = file:get_cwd(),
    Above = filename:join(Here, Dir),
    [io:format("~p~n", [[lists:nthtail(length(Here), F) || F <- filelib:wildcard(filename:join(Above, P))]]) || P <- ["*", "sub", "sub/*.txt", "**/g.txt"]],
    io:format("~p~n", [[filelib:wildcard(P, "", ?MODULE) || P <- ["*", "a/*", "a/b", "*/*", "**", "c", "c/*", "*/x"]]]),
    io:format("~p~n", [filelib:wildcard(Dir ++ "/s*")]),
    file:del_dir_r(Dir).

catch_error(F) -> try F() catch error:Reason -> {error, Reason} end.

list_dir(Dir) ->
    case string:trim(Dir, leading, "/") of
        "" -> {ok, ["a", "c"]};
        "a" -> {ok, ["b", "x"]};
        _ -> {error, enotdir}
    end.

read_link_info("a/b") -> {ok, none};
read_link_info(_) -> {error, enoent}.
