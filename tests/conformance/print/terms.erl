%% ~w and ~p on every kind of term.
-module(terms).
-export([main/0]).

-record(r, {a, b}).
main() ->
    Ts = [[], [a], [a | b], [a, b | c], {}, {a}, {a, b, {c, []}}, #{}, #{a => 1}, #{a => #{b => [1, "s", <<"b">>]}}, #r{a = 1}, <<>>, <<1>>, [[]], [[], [[]]], [{a, 1}, {b, 2}],
          1.0, -0.5, 1 bsl 70, "text", [$a | $b], ["a", "b"], {"a"}, [1, 2, 3, $a], [$a, 1], 'q a', fun lists:map/2, fun erlang:'+'/2, fun 'M x':'F y'/3,
          #{"k" => v, <<"k">> => w, [] => x, {} => y, 1 => z, 2.0 => q}],
    [io:format("~w~n~p~n", [T, T]) || T <- Ts],
    io:format("~w ~p~n", [is_pid(self()), is_reference(make_ref())]).
