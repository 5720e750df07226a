%% Fields: width, precision and padding for every control sequence that takes them.
-module(width_precision).
-export([main/0]).

main() ->
    Fs = ["~10w", "~-10w", "~.4w", "~10.4w", "~10..*w", "~10s", "~-10s", "~.2s", "~10.2s", "~10..*s", "~-10..*s", "~10p", "~.4p", "~10b", "~-10b", "~10..0b", "~.2b", "~10.16b", "~10.16.0B", "~10f", "~.2f", "~10.2f", "~-10.2f", "~10.2.*f", "~10e", "~.3e", "~12.3e", "~10g", "~.3g", "~c", "~5c", "~-5c", "~*c", "~*.*w", "~*.*.*f", "~*s"],
    As = [[abc], ["abc"], [12345], [1.5], [$a], [5, $a], [10, 3, 2.5], [10, 3, $x, 2.5], [6, "ab"], [$-, abc], [$-, "abc"], [$z, 3.14159]],
    [io:format("~s~n", [[F, " ", io_lib:format("~w", [A]), " -> |", try io_lib:format(F, A) catch error:badarg -> "badarg" end, "|"]]) || F <- Fs, A <- As].
