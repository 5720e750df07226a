%% Calls of the library that start processes here, and in OTP let others do it: none is in a log.
-module(library_helpers).
-export([main/0]).
main() ->
    {ok, File} = file:open("cauder_fixture.tmp", [write]),
    io:format(File, "x~n", []),
    ok = file:close(File),
    file:delete("cauder_fixture.tmp"),
    {ok, Timer} = timer:send_interval(5, tick),
    timer:sleep(20),
    {ok, cancel} = timer:cancel(Timer),
    yes = global:register_name(somebody, self()),
    global:unregister_name(somebody),
    Me = self(),
    spawn(fun() -> Me ! a end),
    receive a -> ok end.
