%% Random names given to the functions of filename.
-module(random_filenames).
-export([main/0]).
main() ->
 rand:seed(exsss, {1, 2, 4}),
 Names = [name() || _ <- lists:seq(1,250)],
 F1 = [basename, dirname, extension, rootname, split, pathtype, flatten, nativename],
 [begin N1 = conv(N), t(F, [N1]) end || N <- Names, F <- F1],
 [begin A = pick(Names), B = pick(Names), t(F, [A, B]) end || _ <- lists:seq(1, 250), F <- [join, append, absname, basename, rootname, absname_join]],
 [t(join, [[pick(Names) || _ <- lists:seq(1, rand:uniform(4))]]) || _ <- lists:seq(1, 200)],
 [t2(filelib, F, [N]) || N <- lists:sublist(Names, 200), F <- [safe_relative_path]], ok.
conv(N) -> case rand:uniform(3) of 1 -> try list_to_binary(N) catch _:_ -> N end; _ -> N end.
pick(L) -> lists:nth(rand:uniform(length(L)), L).
name() -> lists:append([pick(["/", "/", ".", ".", "..", "a", "b.c", "ab", " ", "~", "\\", "é", "x.tar.gz", "//", "-"]) || _ <- lists:seq(0, rand:uniform(6))]).
t(F, A) -> t2(filename, F, A).
t2(M, F, A) -> io:format("~tp ~tp ~tp~n", [F, A, try apply(M, F, A) catch C:E:S -> {C, E, {element(1,hd(S)), element(2,hd(S))}} end]).
