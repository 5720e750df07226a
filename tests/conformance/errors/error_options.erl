%% Options of `error/3` that are not all known, and requests for processes from funs with arguments.
-module(error_options).
-export([main/0]).

main() ->
    [try error(some, [a], Options) catch error:some:Stack -> [{M, F, A, Where} | _] = Stack, io:format("~p ~p~n", [{M, F, A}, proplists:get_value(error_info, Where)]) end
     || Options <- [[], [{error_info, not_map}], [{error_info, #{}}], [{error_info, #{}}, bad], [{error_info, #{cause => x}}]]],
    io:format("~p~n", [[try spawn_request(F, Options) catch error:Reason -> Reason end || F <- [fun(X) -> X end, fun lists:reverse/1, no_fun], Options <- [[], [monitor]]]]),
    io:format("~p~n", [try spawn_request(node(), fun(X) -> X end, []) catch error:Reason -> Reason end]),
    Ref = spawn_request(fun() -> ok end, [monitor]),
    io:format("~p~n", [receive {spawn_reply, Ref, ok, Pid} -> receive {'DOWN', Ref, process, Pid, Why} -> Why end end]).
