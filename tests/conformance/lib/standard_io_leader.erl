%% The device `standard_io` is the group leader of who uses it.
-module(standard_io_leader).
-export([main/0]).

main() ->
    Me = self(),
    Leader = spawn(fun() -> leader(Me) end),
    Old = group_leader(),
    group_leader(Leader, self()),
    Got = [collected(fun() -> io:put_chars(standard_io, "a\n") end), collected(fun() -> io:format(standard_io, "~w~n", [b]) end),
           collected(fun() -> io:nl(standard_io) end), collected(fun() -> io:write(standard_io, {c}) end),
           collected(fun() -> io:request(standard_io, {put_chars, unicode, "d\n"}) end), collected(fun() -> io:get_line(standard_io, "e> ") end)],
    group_leader(Old, self()),
    [io:format("~p~n", [One]) || One <- Got].

collected(Do) ->
    Answer = Do(),
    receive {got, Request} -> {Answer, text(Request)} end.

text({put_chars, unicode, Chars}) -> unicode:characters_to_list(Chars);
text({put_chars, unicode, M, F, Args}) -> lists:flatten(apply(M, F, Args));
text(Request) -> Request.

leader(Me) ->
    receive
        {io_request, From, Tag, Request} ->
            Me ! {got, Request},
            From ! {io_reply, Tag, case element(1, Request) of get_line -> "line\n"; _ -> ok end},
            leader(Me)
    end.
