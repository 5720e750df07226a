%% io: fwrite, write, put_chars, nl, format with devices.
-module(io_fwrite_etc).
-export([main/0]).

main() -> io:fwrite("a~n"), io:fwrite("~p~n", [x]), io:fwrite(standard_io, "~s~n", ["dev"]), io:put_chars(standard_io, "chars\n"), io:put_chars([<<"io">>, $l, "ist", 10]), io:write(standard_io, {1, "a"}), io:nl(standard_io), io:write([a, 'B', "c"]), io:nl(), io:format("~p~n", [io:columns()]), io:format("~w~n", [io:format("")]), io:format("~w~n", [try io:put_chars(atom) catch error:E -> E end]), io:format("~w~n", [try io:format(nodevice_x, "x", []) catch error:E1 -> E1 end]), io:format(standard_error, "to stderr~n", []), io:format("~w~n", [io:printable_range()]), io:format("end~n").
