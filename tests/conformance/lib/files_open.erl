%% Directories, files opened in many ways, wildcards, links, the current directory.
-module(files_open).
-export([main/0]).
main() ->
  D = "/tmp/files_open_" ++ os:getpid(), file:del_dir_r(D),
  p(filelib:ensure_dir(D ++ "/a/b")), p(file:make_dir(D)), p(file:list_dir(D)),
  F = D ++ "/x.txt",
  p(file:write_file(F, "hello\nworld\nthree")), p(file:read_file(F)), p(filelib:file_size(F)), p(filelib:is_regular(F)), p(filelib:is_dir(D)), p(filelib:is_file(D ++ "/no")),
  {ok, I} = file:read_file_info(F), p({element(2, I), element(3, I), element(4, I), tuple_size(I)}),
  {ok, H} = file:open(F, [read]), p(io:get_line(H, "")), p(file:read(H, 3)), p(file:position(H, 0)), p(file:read_line(H)), p(io:get_chars(H, "", 4)), p(file:read_line(H)), p(file:read_line(H)), p(file:read_line(H)), p(io:get_line(H, '')), p(file:write(H, "x")), p(file:close(H)), p(file:read(H, 1)), p(element(1, element(2, catch io:format(H, "x", [])))),
  {ok, W} = file:open(F, [write]), p(io:format(W, "~p.~n", [{a, 1}])), p(io:format(W, "~p.~n", ["str"])), p(file:write(W, [<<"b.\n">>, $c, $., $\n])), p(file:position(W, cur)), p(file:close(W)), p(file:read_file(F)), p(file:consult(F)),
  {ok, R} = file:open(F, [read, binary]), p(io:read(R, '')), p(io:read(R, '')), p(file:read_line(R)), p(io:get_line(R, '')), p(io:read(R, '')), p(file:close(R)),
  {ok, A} = file:open(F, [append]), p(file:write(A, "d.")), p(file:close(A)), p(file:consult(F)),
  p(element(1, element(2, catch io:format(element(2, file:open(F, [write])), "~ts", [[955]])))),
  {ok, U} = file:open(F, [write, {encoding, utf8}]), p(io:format(U, "~ts~n", [[955, 229]])), p(file:close(U)), p(file:read_file(F)),
  {ok, U2} = file:open(F, [read, {encoding, utf8}]), p(io:get_line(U2, '')), p(io:getopts(U2)), p(file:close(U2)),
  {ok, RW} = file:open(F, [read, write, raw, binary]), p(file:write(RW, "abcdef")), p(file:position(RW, 2)), p(file:write(RW, "ZZ")), p(file:pread(RW, 0, 10)), p(file:position(RW, {eof, -1})), p(file:read(RW, 5)), p(file:position(RW, 3)), p(file:truncate(RW)), p(file:close(RW)), p(file:read_file(F)),
  p(file:rename(F, D ++ "/y.txt")), p(file:read_file(F)), p(file:copy(D ++ "/y.txt", D ++ "/z.txt")), p(lists:sort(element(2, file:list_dir(D)))),
  p(filelib:wildcard("*.txt", D)), p([filename:basename(X) || X <- filelib:wildcard(D ++ "/*")]), p(filelib:wildcard("{y,z}.t?t", D)), p(filelib:wildcard("**/*", D)), p(filelib:wildcard("[x-y]*", D)), p(element(1, element(2, catch filelib:wildcard("{a", D)))), p(filelib:wildcard("a/../*.txt", D)), p(filelib:wildcard("**", D)),
  p(file:make_symlink("y.txt", D ++ "/l")), p(file:read_link(D ++ "/l")), p(element(3, element(2, file:read_link_info(D ++ "/l")))), p(element(3, element(2, file:read_file_info(D ++ "/l")))),
  p(file:delete(D ++ "/no")), p(file:del_dir(D)), p(file:open(D, [read])), p(file:open(D ++ "/nodir/x", [write])), p(file:open(D ++ "/q", [foo])), p(file:open(foo, bar)), p(file:read_file([a, $b])), p(file:write_file(D ++ "/y.txt", "x", [exclusive])),
  p(file:format_error(enoent)), p(file:format_error(eexist)), p(file:format_error(foo)),
  p(lists:sort(filelib:fold_files(D, ".*txt$", true, fun(X, Acc) -> [filename:basename(X) | Acc] end, []))),
  {ok, G} = file:open(D ++ "/g", [write]), [io:format(G, "~w ", [X]) || X <- [1,2,3]], file:close(G), {ok, G2} = file:open(D ++ "/g", [read]), p(io:fread(G2, '', "~d ~d")), p(io:fread(G2, '', "~d")),
  p(file:set_cwd(D)), {ok, C} = file:get_cwd(), p(filename:basename(C) =:= filename:basename(D)), p(filelib:is_file("g")), p(filename:absname("g") =:= C ++ "/g"),
  p(os:cmd("echo hi; echo err >&2; exit 3")), p(os:type()), p(is_list(os:getpid())), p(is_list(os:find_executable("sh"))), p(os:find_executable("nonono")),
  p(filelib:safe_relative_path("a/../b", "")), p(filelib:safe_relative_path("../b", "")), p(filelib:safe_relative_path("/b", "")), p(file:del_dir_r(D)), p(filelib:is_dir(D)).
p(X) -> io:format("~p~n", [X]).
