%% A sequence-number service that is started by whoever needs it first.
-module(singleton).
-export([main/0]).

main() ->
    Self = self(),
    Users = [spawn_link(fun() -> user(Self, N) end) || N <- lists:seq(1, 3)],
    Nums = lists:append([receive {nums, U, L} -> L end || U <- Users]),
    case lists:sort(Nums) of
        [1, 2, 3, 4, 5, 6] -> io:format("numbers are unique~n");
        Wrong -> error({not_a_sequence, Wrong})
    end.

user(Boss, N) ->
    Pid = ensure_started(),
    A = next(Pid),
    _ = lists:seq(1, N),
    B = next(Pid),
    Boss ! {nums, self(), [A, B]}.

ensure_started() ->
    case whereis(seqno) of
        undefined ->
            Pid = spawn(fun() -> loop(1) end),
            try register(seqno, Pid) of
                true -> Pid
            catch
                error:badarg ->
                    exit(Pid, kill),
                    ensure_started()
            end;
        Pid ->
            Pid
    end.

next(Pid) ->
    Ref = make_ref(),
    Pid ! {next, self(), Ref},
    receive {Ref, N} -> N end.

loop(N) ->
    receive
        {next, From, Ref} ->
            From ! {Ref, N},
            loop(N + 1)
    end.
