%% Specifications that argparse refuses, with their texts.
-module(argparse_errors).
-export([main/0]).

main() ->
    Commands = [x, [], #{arguments => x}, #{help => 5}, #{commands => []}, #{commands => #{x => #{}}}, #{commands => #{"-x" => #{}}}, #{handler => x}, #{handler => fun(_, _) -> ok end},
                #{handler => {1, 2}}, #{help => [usage, other]}, #{commands => #{"a" => #{commands => #{"b" => #{handler => 1}}}}}, #{commands => #{"a" => x}}],
    Arguments = [[x], [#{}], [#{name => 1}], [#{name => a, help => 1}], [#{name => a, help => {"x", [bad]}}], [#{name => a, long => x}], [#{name => a, long => [1]}], [#{name => a, short => "x"}],
                 [#{name => a, short => 1}], [#{name => a, required => 1}], [#{name => a, action => x}], [#{name => a, action => extend}], [#{name => a, action => {count, 1}}], [#{name => a, type => x}],
                 [#{name => a, type => {integer, [{low, 1}]}}], [#{name => a, type => {integer, [{min, 1.5}]}}], [#{name => a, type => {float, [{min, 1}]}}], [#{name => a, type => {atom, ["x"]}}],
                 [#{name => a, type => {custom, fun(_, _) -> x end}}], [#{name => a, type => {binary, "x"}}], [#{name => a, type => {string, x}}], [#{name => a, nargs => 0}], [#{name => a, nargs => many}],
                 [#{name => a, short => $x}, #{name => b, short => $x}], [#{name => a, long => "-x"}, #{name => b, long => "-x"}], [#{name => a, short => $x, long => "x"}, #{name => b, long => "x"}]],
    All = Commands ++ [#{arguments => A} || A <- Arguments] ++ [#{commands => #{"sub" => #{arguments => A}}} || A <- Arguments],
    [explained(io_lib:format("~0tp", [normal(C)]), fun() -> argparse:validate(C, #{progname => "prog"}) end) || C <- All],
    [explained("progname", fun() -> argparse:validate(#{}, #{progname => Name}) end) || Name <- ["ok", ok, <<"ok">>, 5]],
    explained("parse", fun() -> argparse:parse([], #{help => 5}, #{progname => "p"}) end),
    explained("help", fun() -> argparse:help(#{help => 5}, #{progname => "p"}) end),
    show("args", fun() -> argparse:parse([atom], #{}, #{progname => "p"}) end),
    show("args", fun() -> argparse:parse(x, #{}, #{progname => "p"}) end).

%% Without the funs.
normal(F) when is_function(F) -> 'fun';
normal(L) when is_list(L) -> [normal(X) || X <- L];
normal(T) when is_tuple(T) -> list_to_tuple(normal(tuple_to_list(T)));
normal(M) when is_map(M) -> lists:sort([{K, normal(V)} || {K, V} <- maps:to_list(M)]);
normal(X) -> X.

explained(Name, Fun) ->
    try Fun() of
        Result -> io:format("~ts: ~0tkp~n", [Name, Result])
    catch
        error:Reason:Stack when is_tuple(Reason) ->
            {M, F, Args, _} = hd(Stack),
            Texts = [{K, lists:flatten(io_lib:format("~ts", [V]))} || {K, V} <- lists:sort(maps:to_list(argparse:format_error(Reason, Stack))), K =/= 1],
            io:format("~ts:~n    ~0tkp~n    ~0p ~0p ~p~n    ~0tp~n", [Name, normal(Reason), M, F, length(Args), Texts]);
        error:Reason:Stack ->
            {M, F, Args, _} = hd(Stack),
            io:format("~ts: ~0tp ~0p ~0p ~p~n", [Name, Reason, M, F, length(Args)])
    end.

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
