%% What a supervisor says whose children cannot be started: the functions in the stack, in order.
-module(start_errors).
-behaviour(supervisor).
-export([main/0, init/1, bad/0, child/0]).

init(Specs) -> {ok, {#{strategy => one_for_one, intensity => 1, period => 5}, Specs}}.

bad() -> error(oops).

child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    Good = fun(Id) -> #{id => Id, start => {?MODULE, child, []}} end,
    try_start([#{id => missing, start => {?MODULE, no_such_function, []}}]),
    try_start([#{id => bad, start => {?MODULE, bad, []}}]),
    try_start([Good(one), #{id => bad, start => {?MODULE, bad, []}}, Good(never)]),
    try_start([Good(two), #{id => none, start => {lists, last, [[ignore]]}}, #{id => gone, restart => temporary, start => {lists, last, [[ignore]]}}, Good(three)]),
    {ok, S} = supervisor:start_link(?MODULE, []),
    show(supervisor:start_child(S, #{id => bad, start => {?MODULE, bad, []}})).

try_start(Specs) ->
    case supervisor:start_link(?MODULE, Specs) of
        {ok, S} ->
            io:format("~p~n", [[{Id, is_pid(P)} || {Id, P, _, _} <- supervisor:which_children(S)]]),
            unlink(S),
            exit(S, kill);
        Error -> show(Error)
    end.

show({error, {shutdown, {failed_to_start_child, Id, Why}}}) -> io:format("~p ", [Id]), show({error, Why});
show({error, {'EXIT', {Why, Stack}}}) -> io:format("~p ~p~n", [Why, [{M, name(F), A} || {M, F, A, _} <- Stack]]);
show({error, {{'EXIT', Why}, Child}}) when is_tuple(Child) -> show({error, {'EXIT', Why}});
show(Other) -> io:format("~p~n", [Other]).

name(F) -> [hd(string:split(atom_to_list(F), "-fun-")), length(string:split(atom_to_list(F), "-fun-"))].
