%% Names that the head of a fun or a generator binds anew: what sizes and keys in it mean, and who sees what is bound beside.
-module(head_scopes).
-export([main/0]).
main() ->
  K = a, L = 8,
  io:format("~p~n", [(fun(#{K := K}) -> K end)(#{a => 1})]),
  io:format("~p~n", [[K || #{K := K} <- [#{a => 1}, #{b => 2}, #{a => 3}]]]),
  io:format("~p~n", [(fun(L, <<X:L>>) -> {L, X} end)(3, <<7>>)]),
  io:format("~p~n", [[{L, X} || L <- [1, 2], <<X:L, L:(L+6)/bitstring>> <- [<<1>>, <<2>>]]]),
  io:format("~p~n", [(fun F(<<L:L, R/binary>>) when R =/= <<>> -> [L | F(R)]; F(<<L:L>>) -> [L] end)(<<1, 2, 3>>)]),
  io:format("~p~n", [<< <<L>> || <<L:L>> <= <<1, 2, 3>> >>]),
  io:format("~p~n", [[begin G = fun(<<L:L, _/bits>>) -> L + N end, G(<<N>>) end || N <- [1, 2]]]),
  {Y, G} = {Y0 = 5, fun() -> Y0 = 6, Y0 end}, io:format("~p~n", [{Y, Y0, G()}]),
  io:format("~p~n", [{begin Z = 1, (fun() -> Z + 1 end)() end, [Z2 || Z2 <- [1]]}]).
