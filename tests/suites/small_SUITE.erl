%% Repeated test cases, what requires a configuration, groups in sequences, and saved values. Common Test of OTP 25 says: 7 ok, 1 failed, 1 skipped of 9 test cases.
-module(small_SUITE).
-compile([export_all, nowarn_export_all]).
all() -> [{testcase, repeated, [{repeat, 3}]}, required, {group, outer}, saves, takes].
groups() -> [{outer, [sequence], [a, {inner, [], [c]}, d]}].
repeated(_) -> ok.
required() -> [{require, foo}].
required(_) -> ok.
a(_) -> ok.
c(_) -> error(c).
d(_) -> ok.
saves(_) -> {save_config, [{k, v}]}.
takes(Config) ->
    {saves, [{k, v}]} = proplists:get_value(saved_config, Config),
    undefined = proplists:get_value(nothing, Config).
