-module(bad_segments).
-export([main/0,id/1]).
id(X) -> X.
t1() -> length(?MODULE:id([a|2])).
t2() -> X = length([?MODULE:id(1)|?MODULE:id(2)]), {X}.
t3() -> V = ?MODULE:id([a]), X = <<V/bits, V/binary>>, {X}.
t4() -> V = ?MODULE:id([a]), X = <<V/binary, V/binary>>, {X}.
t5() -> V = ?MODULE:id([a]), N = ?MODULE:id(-1), X = <<V/binary, 1:N>>, {X}.
t6() -> V = ?MODULE:id([a]), X = <<1, V/binary, V/binary>>, {X}.
t7() -> V = ?MODULE:id([a]), X = <<V/binary>>, {X}.
t8() -> V = ?MODULE:id([a]), X = <<V/utf8, 3/utf8, V/binary>>, {X}.
t9() -> V = ?MODULE:id([a]), X = <<V/float, V:16>>, {X}.
t10() -> V = ?MODULE:id(<<1:3>>), X = <<V/binary, (?MODULE:id(a))>>, {X}.
t11() -> V = ?MODULE:id(<<1:3>>), X = <<5, V/binary, (?MODULE:id(a))>>, {X}.
t12() -> V = ?MODULE:id(<<1:3>>), X = <<V:1/binary, (?MODULE:id(a))>>, {X}.
main() -> [try apply(F,[]) catch C:R:S -> io:format("~p ~0p~n", [I, {C,R,[{G,A,case L of [_,{line,Ln}|Mo] -> {Ln, Mo}; _ -> L end} || {bad_segments,G,A,L} <- S]}]) end || {I,F} <- lists:zip(lists:seq(1,12), [fun t1/0,fun t2/0,fun t3/0,fun t4/0,fun t5/0,fun t6/0,fun t7/0,fun t8/0,fun t9/0,fun t10/0,fun t11/0,fun t12/0])].
