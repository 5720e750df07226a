%% Two uploads of one user ask for the quota, and set it. Before the first one there is none.
%% Cause: the server takes the second `used` before the first `set`: the second upload writes 10 over 10.
-module(quota).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Quota} = gen_server:start_link(?MODULE, #{bob => 5}, []),
    Uploads = [spawn_monitor(fun() -> upload(Quota, ann, 10) end) || _ <- lists:seq(1, 2)],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Uploads],
    case gen_server:call(Quota, {used, ann}) of
        20 -> ok;
        Used -> exit({wrong_quota, ann, Used})
    end.

upload(Quota, User, Size) ->
    Used = gen_server:call(Quota, {used, User}),
    ok = gen_server:call(Quota, {set, User, Used + Size}).

init(Users) -> {ok, Users}.

handle_call({used, User}, _From, Users) -> {reply, maps:get(User, Users, 0), Users};
handle_call({set, User, Used}, _From, Users) -> {reply, ok, Users#{User => Used}}.

handle_cast(_, Users) -> {noreply, Users}.
