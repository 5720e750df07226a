%% The same with another name.
-module(name_race).
-export([main/0]).

main() ->
    Me = self(),
    Start = fun() -> register(boss, self()), Me ! {self(), leads}, receive stop -> ok end end,
    A = spawn(Start),
    B = spawn(Start),
    receive {_, leads} -> ok end,
    receive {_, leads} -> ok after 100 -> ok end,
    [P ! stop || P <- [A, B]],
    ok.
