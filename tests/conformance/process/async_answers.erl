%% Answers of timers that come as messages, refused spawn requests, monitors of the clock and of ports.
-module(async_answers).
-export([main/0]).
t(F) -> try io:format("~p~n", [F()]) catch C:E:S -> io:format("~p ~p~n", [{C,E},element(4,hd(S))]) end.
main() ->
  P = spawn(fun() -> receive stop -> ok end end), Q = spawn(fun() -> ok end), timer:sleep(10),
  t(fun() -> register(a, P) end), t(fun() -> register(a, self()) end), t(fun() -> register(b, P) end), t(fun() -> register(b, Q) end), t(fun() -> register(user, Q) end), t(fun() -> register(c, list_to_pid("<0.9999.0>")) end),
  R = erlang:start_timer(10000, self(), x),
  t(fun() -> erlang:read_timer(R, [{async,true}]) =:= ok end), receive {read_timer, R, N} when N > 9000 -> io:format("msg~n") after 100 -> io:format("none~n") end,
  t(fun() -> erlang:cancel_timer(R, [{async,true}]) end), receive {cancel_timer, R, N2} when N2 > 9000 -> io:format("msg~n") after 100 -> io:format("none~n") end,
  t(fun() -> erlang:cancel_timer(R, [{async,true}]) end), receive {cancel_timer, R, M2} -> io:format("msg ~p~n",[M2]) after 100 -> io:format("none~n") end,
  t(fun() -> erlang:cancel_timer(R, [{async,true},{info,false}]) end), receive {cancel_timer, R, M3} -> io:format("msg ~p~n",[M3]) after 100 -> io:format("none~n") end,
  t(fun() -> erlang:read_timer(R, [{async,true}]) end), receive {read_timer, R, M4} -> io:format("msg ~p~n",[M4]) after 100 -> io:format("none~n") end,
  t(fun() -> erlang:read_timer(R, [{async,false}]) end), t(fun() -> erlang:read_timer(R, []) end), t(fun() -> erlang:read_timer(R, [{async,x}]) end),t(fun() -> erlang:read_timer(foo, [{async,true}]) end),
  t(fun() -> erlang:send_after(1, self(), x, foo) end), t(fun() -> erlang:send_after(1, self(), x, [{abs,x}]) end), t(fun() -> erlang:start_timer(1, self(), x, [foo]) end), t(fun() -> erlang:send_after(-1, self(), x, [foo]) end),
  erlang:send_after(-1, self(), x, [{abs,true}]), receive x -> io:format("x~n") after 100 -> io:format("none~n") end,
  R1 = erlang:spawn_request(fun() -> ok end, [foo]), receive {spawn_reply, R1, A1, B1} -> io:format("~p~n",[{A1,B1}]) after 100 -> io:format("none~n") end,
  R2 = erlang:spawn_request(fun() -> ok end, [{reply,no},foo]), receive {spawn_reply, R2, A2, B2} -> io:format("~p~n",[{A2,B2}]) after 100 -> io:format("none~n") end,
  R3 = erlang:spawn_request(fun() -> ok end, [{reply_tag,me},foo]), receive {TT, R3, A3, B3} -> io:format("~p~n",[{TT,A3,B3}]) after 100 -> io:format("none~n") end,
  R4 = erlang:spawn_request(fun() -> ok end, [foo,{reply_tag,me}]), receive {TT4, R4, A4, B4} -> io:format("~p~n",[{TT4,A4,B4}]) after 100 -> io:format("none~n") end,
  R5 = erlang:spawn_request(fun() -> ok end, [foo,{reply,success_only}]), receive {TT5, R5, A5, B5} -> io:format("~p~n",[{TT5,A5,B5}]) after 100 -> io:format("none~n") end,
  MR = monitor(time_offset, clock_service), io:format("~p~n", [process_info(self(), monitors)]), t(fun() -> demonitor(MR, [info]) end), t(fun() -> demonitor(MR, [info]) end),
  PR = monitor(port, foo), receive {'DOWN', PR, T1, T2, T3} -> io:format("~p~n", [{T1,T2,T3}]) after 100 -> io:format("none~n") end,
  PR2 = monitor(port, {foo,node()}), receive {'DOWN', PR2, U1, U2, U3} -> io:format("~p~n", [{U1,U2,U3}]) after 100 -> io:format("none~n") end,
  t(fun() -> monitor(port, {foo,bar}) end), t(fun() -> monitor(port, P) end), t(fun() -> monitor(port, 1) end), t(fun() -> monitor(time_offset, x) end),
  t(fun() -> halt(0, [{flush,x}]) end), t(fun() -> halt(0, foo) end), t(fun() -> halt(foo, []) end).
