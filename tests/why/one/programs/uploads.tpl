-module(@MOD@).
%% Uploads against a quota that a server keeps in its process dictionary (after basho/sidejob #17).
-export([main/0]).
-define(LOAD, @LOAD@).
-define(QUOTA, 100).

main() ->
    Quota = spawn_link(fun quota_server/0),
    register(quota, Quota),
    Thumbs = spawn_link(fun() -> thumbnailer(0) end),
    backup("zoe", Thumbs, ?LOAD),
    Backups = [spawn_monitor(fun() -> backup(User, Thumbs, ?LOAD) end) || User <- ["yuri", "xena"]],
    Uploads = [spawn_monitor(fun() -> upload("alice", Size) end) || Size <- [60, 70]],
    Results = [await(Upload) || Upload <- Uploads],
    [ok = await(Backup) || Backup <- Backups],
    backup("zoe", Thumbs, ?LOAD),
    io:format("uploads of alice: ~p~n", [Results]),
    audit("alice").

audit(User) ->
    case used(User) of
        Used when Used =< ?QUOTA -> ok;
        Used -> error({over_quota, User, Used, ?QUOTA})
    end.

await({Pid, Ref}) ->
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, {shutdown, Result}} -> Result
    end.

upload(User, Size) ->
    case used(User) + Size of
        Total when Total > ?QUOTA ->
            exit({shutdown, rejected});
        _ ->
            ok = add(User, Size),
            exit({shutdown, stored})
    end.

%% Many small files that are always taken away again.
backup(_User, _Thumbs, 0) -> ok;
backup(User, Thumbs, N) ->
    0 = used(User),
    ok = add(User, 3),
    Thumbs ! {thumbnail, User, N},
    ok = add(User, -3),
    backup(User, Thumbs, N - 1).

used(User) ->
    quota ! {used, self(), User},
    receive {used, User, Bytes} -> Bytes end.

add(User, Size) ->
    quota ! {add, self(), User, Size},
    receive {added, User} -> ok end.

quota_server() ->
    receive
        {used, From, User} ->
            From ! {used, User, bytes_of(User)};
        {add, From, User, Size} ->
            put({used, User}, bytes_of(User) + Size),
            From ! {added, User}
    end,
    quota_server().

bytes_of(User) ->
    case get({used, User}) of
        undefined -> 0;
        Bytes -> Bytes
    end.

thumbnailer(Made) ->
    receive {thumbnail, _User, _File} -> thumbnailer(Made + 1) end.
