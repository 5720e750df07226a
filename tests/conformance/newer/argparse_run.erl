%% Handlers of argparse:run/3, and what it prints of a wrong command line before it halts.
-module(argparse_run).
-export([main/0]).

main() ->
    Options = #{progname => "prog"},
    show("fun", fun() -> argparse:run(["start", "n1", "-f"], command(), Options) end),
    show("default", fun() -> argparse:run(["copy", "a", "b", "c"], command(), Options) end),
    show("module", fun() -> argparse:run(["x"], #{arguments => [#{name => a}], handler => {maps, keys}}, Options) end),
    show("in order", fun() -> argparse:run(["7", "-k", "v"], #{arguments => [#{name => k, short => $k}, #{name => n, type => integer}], handler => {erlang, max, 0}}, Options) end),
    show("failing", fun() -> argparse:run(["x"], #{arguments => [#{name => a}], handler => fun(#{a := "x"}) -> throw(thrown) end}, Options) end),
    io:format("before~n"),
    argparse:run(["start"], command(), Options),
    io:format("never~n").

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
