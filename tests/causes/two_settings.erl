%% For each of two settings, a loader sends the default and a helper the value that the user has chosen. The default must come first.
%% Cause: for both settings the default came after the chosen value and replaced it. Only with the other order for both the run does not fail.
-module(two_settings).
-export([main/0]).

main() ->
    Me = self(),
    Store = spawn_link(fun() -> store(#{}) end),
    Names = [colour, size],
    [spawn_link(fun() -> load(Store, Name), Me ! {loaded, Name} end) || Name <- Names],
    [receive {loaded, Name} -> ok end || Name <- Names],
    [chosen(Store, Name) || Name <- Names],
    ok.

load(Store, Name) ->
    Me = self(),
    spawn_link(fun() -> put_value(Store, Name, chosen), Me ! put end),
    Versions = spawn_link(fun() -> versions() end),
    [version(Versions, Part) || Part <- [major, minor, patch]],
    put_value(Store, Name, default),
    receive put -> ok end.

version(Versions, Part) ->
    Versions ! {version, self(), Part},
    receive {version, Part} -> ok end.

versions() ->
    receive {version, From, Part} -> From ! {version, Part}, versions() end.

put_value(Store, Name, Value) ->
    Store ! {put, self(), Name, Value},
    receive ok -> ok end.

chosen(Store, Name) ->
    Store ! {get, self(), Name},
    receive
        {value, chosen} -> ok;
        {value, default} -> exit({not_chosen, Name})
    end.

store(Values) ->
    receive
        {put, From, Name, Value} -> From ! ok, store(Values#{Name => Value});
        {get, From, Name} -> From ! {value, maps:get(Name, Values)}, store(Values)
    end.
