-module(carried_terms).
-export([main/0]).
%% Terms that no source can contain, in forms as the value of an integer: the compiler carries them.
main() ->
    Terms = [self(), make_ref(), fun lists:map/2, <<5:3>>, fun() -> ok end, #{a => self()}, 7],
    Clauses = [{clause, 1, [{integer, 1, N}], [], [{tuple, 1, [{atom, 1, ok}, {integer, 1, T}]}]} || {N, T} <- lists:zip(lists:seq(1, length(Terms)), Terms)],
    Forms = [{attribute, 1, module, carried_terms_in}, {attribute, 1, export, [{get, 1}]}, {function, 1, get, 1, Clauses}],
    {ok, carried_terms_in, Bin} = compile:forms(Forms, [debug_info]),
    {module, carried_terms_in} = code:load_binary(carried_terms_in, "carried_terms_in.erl", Bin),
    io:format("~p~n", [[carried_terms_in:get(N) =:= {ok, T} || {N, T} <- lists:zip(lists:seq(1, length(Terms)), Terms)]]).
