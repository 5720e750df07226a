%% A loader for each currency puts the rate where all can read it. That of yen fails on its text, and main only waits until all have ended.
%% Cause: no race. The loader of yen failed with badarg in binary_to_integer (line 20) before it put its rate (line 21), as the others did.
-module(no_rate).
-export([main/0]).

main() ->
    Texts = [{euro, <<"108">>}, {franc, <<"95">>}, {yen, <<"n/a">>}],
    Refs = [spawn_monitor(fun() -> loader() end) || _ <- Texts],
    [Pid ! {load, Name, Text} || {{Pid, _}, {Name, Text}} <- lists:zip(Refs, Texts)],
    [receive {'DOWN', Ref, process, _, _} -> ok end || {_, Ref} <- Refs],
    convert(1000, yen).

convert(Amount, Name) ->
    case persistent_term:get({rate, Name}, none) of
        none -> error({no_rate, Name});
        Rate -> Amount * Rate div 100
    end.

loader() ->
    receive {load, Name, Text} -> Rate = binary_to_integer(Text),
        persistent_term:put({rate, Name}, Rate)
    end.
