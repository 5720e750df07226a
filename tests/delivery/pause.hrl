%% Under Erlang, capture.sh lets processes pause and gives an ending process many others to tell. Here, every order is explored anyway.
-compile(nowarn_unused_function).
-ifdef(CAPTURE).
pause() -> capture:pause().
crowd(Pid) -> capture:crowd(Pid).
-else.
pause() -> ok.
crowd(_) -> ok.
-endif.
all(0) -> [];
all(N) -> receive Got -> [Got | all(N - 1)] end.
