%% Formats with maps in an order, and binaries from formats.
-module(io_formats).
-export([main/0]).

main() ->
    Map = maps:from_list([{X, X} || X <- [b, a, 3, 2.5, "s", {t}, <<"b">>, #{z => 1, y => 2}]]),
    Large = maps:from_list([{N * 7919 rem 1009, N} || N <- lists:seq(1, 40)]),
    [io:format("~ts~n", [io_lib:format(F, [M])]) || F <- ["~kp", "~kw", "~0kp", "~tkp", "~ktp", "~lkp", "~40kp"], M <- [Map, Large, [Map, {Large}]]],
    [io:format("~ts~n", [io_lib:format(F, [O, M])]) || F <- ["~Kp", "~Kw", "~0tKp"], O <- [ordered, reversed], M <- [Map, Large]],
    [io:format("~ts~n", [io_lib:format("~kP ~kW", [M, D, M, D])]) || D <- [1, 2, 3, 5, 10], M <- [Map]],
    [show("limit", fun() -> lists:flatten(io_lib:format("~kp", [Large], [{chars_limit, N}])) end) || N <- [10, 30, 60, 100]],
    [show(F, fun() -> io_lib:format(F, A) end) || {F, A} <- [{"~kx", [1]}, {"~K", [a]}, {"~Kp", [a]}, {"~kp", []}, {"~ks", ["x"]}, {"~kp", [#{}, 1]}]],
    show("ks", fun() -> lists:flatten(io_lib:format("~ks|~kts|~5kw|~-5kw|", ["x", "y", 1, 2])) end),
    [show("write", fun() -> lists:flatten(io_lib:write(Large, [{maps_order, O}, {depth, 6}])) end) || O <- [ordered, reversed]],
    show("write5", fun() -> lists:flatten(io_lib:write(Map, -1, latin1, ordered, -1)) end),
    Formats = [{"~p ~w~n", [[1, 2], a]}, {"~s|~10s|~-10s|~10.3s|~*s", ["abc", "abc", "abc", "abcdef", 6, "x"]}, {"~ts", [[16#20ac, $x]]}, {"~s", [[233]]}, {"~s", [<<233>>]}, {"~ts", [<<"\x{e9}"/utf8>>]}, {"\x{e9}~w", [1]},
               {"~tp ~tw", [[16#20ac], 'k\x{20ac}']}, {"~b ~.16b ~x ~#", [255, 255, 10, "0x", 5]}, {"~f ~.2f ~e ~g", [1.5, 1.555, 1.5, 0.1]}, {"~c~5c~tc", [$a, $b, 16#20ac]}, {"~~ ~n", []}, {"~i", [x]},
               {"~p", [lists:seq(1, 100)]}, {"abc~80p", [lists:duplicate(12, "text in a list")]}, {<<"~p">>, [x]}, {'~p', [x]}, {["~", "p"], [x]}, {"~p", []}, {"~z", []}, {"~s", [a]}, {"~s", [[16#20ac]]}, {"~p", x}, {x, []}, {"~d", [1]}],
    [show(io_lib:format("~0tp", [F]), fun() -> io_lib:bformat(F, A) end) || {F, A} <- Formats],
    [show(io_lib:format("~0tp", [F]), fun() -> io_lib:bfwrite(F, A) end) || {F, A} <- lists:nthtail(18, Formats)],
    [show(io_lib:format("~0tp", [F]), fun() -> io_lib:bformat(F, A, [{chars_limit, 20}]) end) || {F, A} <- Formats],
    [show("bwrite", fun() -> io_lib:bwrite(T, O) end) || T <- [[1, {2, <<"x">>}], 'a\x{20ac}', "str", #{a => 1}, 1.5, <<1:3>>, [[[[1]]]]], O <- [[], [{depth, 3}], [{encoding, latin1}], [{chars_limit, 5}]]],
    show("bwrite", fun() -> io_lib:bwrite(1, x) end),
    [show("bwrite_string", fun() -> io_lib:bwrite_string(S, Q, E) end) || S <- ["a\"b'\n\t", [233, 16#20ac], <<"a\"b\\\e"/utf8>>, <<"\x{e9}\x{20ac}"/utf8>>, "", <<>>], Q <- [$", $', []], E <- [unicode, latin1]].

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
