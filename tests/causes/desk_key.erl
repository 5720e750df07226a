%% A desk makes the label of its drawer from its own registered name, and fails where it has none; main fails with it.
%% Cause: the desk looked before main had registered it. Main was ended by the link and never came to register it.
-module(desk_key).
-export([main/0]).

main() ->
    Desk = spawn_link(fun desk/0),
    true = register(desk, Desk),
    Desk ! {label, self()},
    receive {label, "desk_drawer"} -> ok end.

desk() ->
    {registered_name, Name} = process_info(self(), registered_name),
    receive {label, Who} -> Who ! {label, atom_to_list(Name) ++ "_drawer"} end.
