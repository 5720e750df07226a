%% Formats taken apart, put together and printed.
-module(format_parts).
-export([main/0]).
main() -> [begin L = short(fun() -> io_lib:scan_format(F, A) end), io:format("~p~n~p~n~p~n", [L, short(fun() -> io_lib:unscan_format(L) end), short(fun() -> lists:flatten(io_lib:build_text(L)) end)]) end || {F,A} <- [{"a~w~p",[1,b]},{"~-10.5.xs|~ts",["abcdefg","x"]},{"~*.*.*c~n~~", [10,3,$y,$z]},{"~tlp ~10.3f", ["abc", 2.5]},{"~W~P~.16B~x", [[1,2,3],2,[1,2],1,255,17,"0x"]},{'~w',[1]},{<<"~10..0b">>,[7]},{"~-w", [1]}]].

short(Fun) -> try Fun() catch Class:Reason -> {Class, Reason} end.
