%% ~ts, ~tp, ~tw and characters beyond Latin-1.
-module(unicode_print).
-export([main/0]).

main() ->
    io:format("~ts~n", [[1024, 8364, 128512]]),
    io:format("~ts~n", [<<"gr\x{fc}\x{df} dich"/utf8>>]),
    io:format("~ts~n", ["\x{e5}ngstr\x{f6}m"]),
    io:format("~s~n", ["\x{e5}"]),
    io:format("~tc~tc~n", [8364, $a]),
    io:format("~p ~tp~n", [[1024, 1025], [1024, 1025]]),
    io:format("~w ~tw~n", [[1024], [1024]]),
    io:format("~p ~tp~n", [<<"\x{43b}"/utf8>>, <<"\x{43b}"/utf8>>]),
    io:format("~p ~tp ~w ~tw~n", ['\x{43b}', '\x{43b}', '\x{43b}', '\x{43b}']),
    io:format("~p ~tp~n", ['\x{e5}', "\x{e5}"]),
    io:format("~10ts|~-10ts|~.2ts~n", [[8364, $a], [8364, $a], [8364, $a, $b]]),
    io:put_chars([8364, $\n]),
    io:put_chars(<<"\x{20ac}\n"/utf8>>),
    io:format("~w~n", [length("\x{20ac}")]),
    io:format("~w~n", [byte_size(<<"\x{20ac}"/utf8>>)]),
    io:format("~s~n", [try io:format("~s~n", [[8364]]) catch error:badarg -> "badarg" end]).
