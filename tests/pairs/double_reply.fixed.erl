%% A server answers twice, and the second answer is taken for another one.
-module(double_reply).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server() end),
    Server ! {ask, first, Main},
    spawn(fun() -> Server ! {ask, other, Main} end),
    receive {answer, A} -> receive {answer, B} -> check(A, B) end end.

check(A, A) -> error({twice, A});
check(_, _) -> ok.

server() ->
    receive
        {ask, first, P} -> P ! {answer, first}, server();
        {ask, Q, P} -> P ! {answer, Q}, server()
    end.
