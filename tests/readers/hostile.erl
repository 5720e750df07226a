%% Names and messages that could mean something to a reader of an export.
-module(hostile).
-export([main/0]).

main() ->
    register('<script>alert(1)</script>', self()),
    Me = self(),
    Texts = [
        'end', ';', '%%', '#', "<b>\"'&amp;]]>", <<"a\nb\r\nc">>, <<0, 1, 27, 127>>, "\x{202e}\x{2066}bidi", <<"```mermaid">>, '=1+1', "-->>p1: x",
        [16#ffff, 16#fffe], $\x{1f600}, "participant", "Note over p0: y", {'a,b', "c\"d"}, '</title>', <<"--">>
    ],
    [spawn(fun() -> register(list_to_atom("p;" ++ integer_to_list(N) ++ "<i>"), self()), Me ! {N, Text} end) || {N, Text} <- lists:enumerate(Texts)],
    [receive {N, Text} -> Text end || {N, Text} <- lists:enumerate(Texts)],
    receive '<never>' -> ok after 10 -> error({'</svg><script>', "\x{202e}"}) end.
