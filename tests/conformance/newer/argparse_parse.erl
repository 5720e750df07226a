%% Command lines that argparse reads.
-module(argparse_parse).
-export([main/0]).

main() ->
    Lines = ["", "start", "start n1", "start n1 8080", "start n1 x", "start n1 8080 more", "-v start n1", "-vv start n1 -v", "-vvx start n1", "--verbose --verbose start n1",
             "-c file start n1", "-cfile start n1", "--config=file start n1", "--config start n1", "--config", "-c", "--config -v", "--level 5 start n1", "--level 10 start n1",
             "--level 0 start n1", "--level x start n1", "-r 1.5 start n1", "-r 1 start n1", "-r x start n1", "-r -1.5 start n1", "-t a -t b start n1", "--dry start n1",
             "--dry true start n1", "--dry false start n1", "start n1 -f", "start n1 -f false", "start -f n1", "stop", "stop a", "stop a b c", "stop d", "stop a -v", "copy a b",
             "copy a b c", "copy a b c d e -v", "copy a b c --unknown x", "copy a b c deep", "copy deep", "copy a b c deep --x", "copy a b c deep --x 5", "copy a b c deep -y", "copy a b c deep -y 3",
             "copy a b c deep -y x", "copy a b c deep -y -3", "secret", "secret x", "unknown", "--unknown", "-u", "-", "--", "-1", "start -1", "start n1 -1"],
    [show(Line, fun() -> parsed(argparse:parse(string:lexemes(Line, " "), command(), #{progname => "prog"})) end) || Line <- Lines],
    [show(Line, fun() -> parsed(argparse:parse(string:lexemes(Line, " "), command(), #{progname => prog, prefixes => [$+, $-], default => nothing})) end)
     || Line <- ["start n1", "+v start n1", "++level 4 start n1", "-v +t x start n1", "stop a"]],
    show("binaries", fun() -> parsed(argparse:parse([<<"-v">>, <<"start">>, "n1"], command(), #{progname => <<"prog">>})) end),
    Short = #{arguments => [#{name => one, short => $1, type => boolean}, #{name => n, type => integer}]},
    [show(Line, fun() -> argparse:parse(string:lexemes(Line, " "), Short, #{progname => "p"}) end) || Line <- ["-1 5", "5", "-2", "-5 -1", "-1 -5"]],
    Types = [boolean, integer, float, string, binary, atom, {atom, unsafe}, {atom, [a, b]}, {string, ["x", "1"]}, {string, "^[0-9]+$"}, {string, "^A", [caseless]}, {binary, [<<"x">>]},
             {binary, <<"^[ab]">>}, {integer, [1, 2, 3]}, {float, [{min, 0.5}]}, {float, [1.5, 2.5]}, {custom, fun(X) -> list_to_integer(X) + 1 end}],
    [show(io_lib:format("~0p ~0p", [case Type of {custom, _} -> custom; _ -> Type end, Text]), fun() -> short(argparse:parse([Text], #{arguments => [#{name => it, type => Type}]}, #{progname => "p"})) end)
     || Type <- Types, Text <- ["1", "x", "1.5", "abc", "true", "no_such_atom_anywhere", "ax"]],
    Actions = [store, {store, 5}, append, {append, 6}, count, extend],
    [show(io_lib:format("~0p ~0p", [Action, Line]), fun() ->
         short(argparse:parse(Line, #{arguments => [#{name => it, short => $a, action => Action, nargs => list, type => integer, default => [0]}]}, #{progname => "p"})) end)
     || Action <- Actions, Line <- [[], ["-a"], ["-a", "1", "2"], ["-a", "1", "-a", "2"]]].

parsed({ok, Args, Path, _}) -> {ok, Args, Path};
parsed({error, Reason}) -> {error, setelement(2, Reason, name(element(2, Reason))), lists:flatten(argparse:format_error(Reason))}.

short({ok, Args, Path, _}) -> {ok, Args, Path};
short({error, Reason}) -> lists:flatten(argparse:format_error(Reason)).

name(#{name := Name}) -> Name;
name(Other) -> Other.

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
