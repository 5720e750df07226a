-module(audit_SUITE).
-export([all/0, groups/0, init_per_suite/1, end_per_suite/1, init_per_group/2, end_per_group/2, limit/1, data/1, helper/1, skipped/1]).

all() -> [limit, {group, twice}, skipped].
groups() -> [{twice, [{repeat, 2}], [data, helper]}].

init_per_suite(Config) ->
    Suite = self(),
    register(teller, spawn(fun() -> Suite ! ready, teller() end)),
    receive ready -> [{teller, teller} | Config] end.
end_per_suite(_) -> ok.
init_per_group(twice, Config) -> Config.
end_per_group(_, _) -> ok.

%% Lives from init_per_suite on, and prints.
teller() -> receive {From, Text} -> From ! {told, io:format("~ts~n", [Text])}, teller() end.

limit(_) -> 40 = ct:get_config(limit).

data(Config) ->
    {ok, <<"3", _/binary>>} = file:read_file(filename:join(proplists:get_value(data_dir, Config), "times.txt")).

helper(Config) ->
    proplists:get_value(teller, Config) ! {self(), "counted"},
    receive {told, ok} -> ok end.

skipped(_) -> {skip, "not today"}.
