%% Two processes count in a file: read, add one, write. One count is lost.
%% Cause: one wrote 1 over 1 (or 2), computed from the 0 that it had read.
-module(file_count).
-export([main/0]).

main() ->
    File = "count.txt",
    ok = file:write_file(File, <<"0">>),
    Me = self(),
    [spawn(fun() -> inc(File), Me ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    {ok, B} = file:read_file(File),
    2 = binary_to_integer(B).

inc(File) ->
    {ok, B} = file:read_file(File),
    N = binary_to_integer(B),
    ok = file:write_file(File, integer_to_binary(N + 1)).
