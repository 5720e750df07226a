%% A caller that OTP's compiler leaves out, since it knows by types that the call never returns.
-module(callers).
-export([main/0]).

main() -> io:format("~p~n", [try outer(1) catch error:_:Stack -> [Name || {callers, Name, _, _} <- Stack] end]).

outer(X) ->
    Y = fails(X),
    {Y, X}.

fails(X) -> length(name(X)).

name(_) -> not_a_list.
