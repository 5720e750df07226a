%% A keeper lights a lamp, which is linked to him and has a name. Main sends him away and takes another keeper.
%% Cause: the new keeper looked for a lamp before the exit signal of the old keeper had ended the old lamp.
-module(old_lamp).
-export([main/0]).

main() ->
    {One, Left} = keeper(),
    receive {lit, One} -> exit(One, kill) end,
    receive {'DOWN', Left, process, One, killed} -> ok end,
    {Two, Gone} = keeper(),
    receive
        {lit, Two} -> ok;
        {'DOWN', Gone, process, Two, Why} -> exit({dark, Why})
    end.

keeper() ->
    Main = self(),
    spawn_monitor(fun() ->
        true = register(keeper, self()),
        Lamp = spawn_link(fun() -> receive off -> ok end end),
        case whereis(lamp) of
            undefined -> register(lamp, Lamp);
            _ -> exit(another_lamp)
        end,
        Main ! {lit, self()},
        receive home -> ok end
    end).
