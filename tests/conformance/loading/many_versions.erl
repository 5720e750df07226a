%% A thousand loads of one module, each called once.
-module(many_versions).
-export([main/0]).

main() ->
    L = [begin
            {ok, mv, B} = compile:forms([{attribute, 1, module, mv}, {attribute, 1, export, [{f, 0}]},
                {function, 1, f, 0, [{clause, 1, [], [], [{integer, 1, N}]}]}]),
            {module, mv} = code:load_binary(mv, "mv", B),
            mv:f()
         end || N <- lists:seq(1, 100)],
    io:format("~p ~p~n", [L =:= lists:seq(1, 100), erlang:check_old_code(mv)]).
