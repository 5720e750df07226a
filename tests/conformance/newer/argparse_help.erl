%% The help of argparse.
-module(argparse_help).
-export([main/0]).

main() ->
    [io:format("~ts--~n", [argparse:help(command(), Options#{progname => "prog"})])
     || Options <- [#{}, #{columns => 40}, #{columns => 120}, #{prefixes => [$+]}, #{command => ["start"]}, #{command => ["stop"]}, #{command => ["prog", "copy"]},
                    #{command => ["copy", "deep"]}, #{command => ["secret"]}]],
    Templates = [["A template: ", usage, <<"\n">>, "Commands:\n", commands, arguments, options, <<"end\n">>], <<"a binary">>, "", hidden],
    [io:format("~ts--~n", [argparse:help((command())#{help => Help}, #{progname => p})]) || Help <- Templates],
    Many = #{arguments => [
        #{name => a, help => "text", default => 1}, #{name => b, help => "", default => "str"}, #{name => c, type => integer}, #{name => d, type => {integer, [{min, 1}]}, help => "x"},
        #{name => e, type => {float, [{max, 2.5}]}, default => 1.5}, #{name => f, type => {integer, [{min, 1}, {max, 5}]}}, #{name => g, type => {integer, [1, 2]}}, #{name => h, type => {float, [1.5]}},
        #{name => i, type => {string, "re"}}, #{name => j, type => {string, ["a", "b"]}, default => "a"}, #{name => k, type => {binary, [<<"x">>, <<"y">>]}}, #{name => l, type => atom, default => abc},
        #{name => m, type => {atom, unsafe}}, #{name => n, type => {atom, [p, q]}}, #{name => o, type => boolean, default => false}, #{name => p, type => {custom, fun(X) -> X end}, default => {1, 2}},
        #{name => q, type => binary, required => false}, #{name => r, nargs => list}, #{name => s, nargs => 3, required => false}, #{name => "string name"}, #{name => <<"binary name">>},
        #{name => t, short => $t, required => true}, #{name => u, long => "-uu", required => true, type => boolean}, #{name => v, short => $w, long => "-ww", nargs => all},
        #{name => x, short => $x, long => "-a-very-long-name-of-an-option-here", help => "its text"}, #{name => y, long => "-yy", help => {"[--yy Y]", fun() -> "made by a fun" end}},
        #{name => z, short => $z, type => boolean, help => {<<"[-z]">>, [<<"parts ">>, type, default]}}]},
    io:format("~ts--~n", [argparse:help(Many, #{progname => "many"})]),
    io:format("~ts--~n", [argparse:help(#{}, #{progname => "none"})]),
    io:format("~ts--~n", [argparse:help(#{commands => #{"x" => #{}, "y" => #{help => "why"}}}, #{progname => "two"})]),
    io:format("~ts--~n", [argparse:help(#{help => "Line one\nline two with more words than fit into thirty columns\n\nlast"}, #{progname => "lines", columns => 30})]).

command() ->
    #{
        arguments => [
            #{name => verbose, short => $v, long => "-verbose", action => count, help => "how much is said", default => 0},
            #{name => config, short => $c, long => "-config", type => string, help => "a file with settings that is read before all others, if it is there"},
            #{name => level, long => "-level", type => {integer, [{min, 1}, {max, 9}]}, default => 3},
            #{name => rate, short => $r, type => float, help => {"RATE", ["a rate (", type, "), ", default, " if none"]}, default => 0.5},
            #{name => tag, short => $t, long => "-tag", action => append, required => false},
            #{name => dry, long => "-dry", type => boolean, help => hidden}
        ],
        help => "Does this and that, in a text that is long enough to be broken into several lines of the usual eighty columns.",
        commands => #{
            "start" => #{
                help => "starts it",
                handler => fun(Args) -> {started, Args} end,
                arguments => [#{name => node, type => {atom, unsafe}, help => "which one"}, #{name => port, type => integer, required => false, default => 80},
                              #{name => force, short => $f, type => boolean}]
            },
            "stop" => #{
                help => <<"stops it">>,
                handler => {lists, reverse, none},
                arguments => [#{name => nodes, nargs => nonempty_list, type => {string, ["a", "b", "c"]}}]
            },
            "copy" => #{
                arguments => [#{name => from}, #{name => to, nargs => 2}, #{name => rest, nargs => all, required => false}],
                handler => {fun(V, C, L, R, T, D, From, To, Rest) -> [V, C, L, R, T, D, From, To, Rest] end, none},
                commands => #{"deep" => #{arguments => [#{name => x, long => "-x", nargs => 'maybe', default => 7}, #{name => y, short => $y, nargs => {'maybe', 9}, type => integer}]}}
            },
            "secret" => #{help => hidden, handler => optional}
        }
    }.
