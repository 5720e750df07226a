%% References and pids: identity, order of kinds, conversions.
-module(refs).
-export([main/0]).

main() ->
    R = make_ref(), S = make_ref(), p(R =:= R), p(R =:= S), p(is_reference(R)), p(self() =:= self()), p([kind(X) || X <- lists:sort([<<>>, [], {}, #{}, self(), fun() -> ok end, a, 1, make_ref(), [1], 1.0, "s"])]),
    p(is_list(pid_to_list(self()))), p(list_to_pid(pid_to_list(self())) =:= self()), p(hd(ref_to_list(R))), p(list_to_ref(ref_to_list(R)) =:= R), p(maps:get(R, #{R => found})), p(try list_to_pid("x") catch error:E -> E end), p(R < S).

kind(X) when is_reference(X) -> ref;
kind(X) when is_pid(X) -> pid;
kind(X) when is_function(X) -> function;
kind(X) -> X.

p(X) -> io:format("~w~n", [X]).
