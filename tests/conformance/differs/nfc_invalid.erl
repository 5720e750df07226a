%% Invalid code points in `unicode:characters_to_nfc_list/1`.
-module(nfc_invalid).
-export([main/0]).
main() -> [io:format("~w~n", [try unicode:characters_to_nfc_list(Text) catch Class:Reason -> {Class, Reason} end]) || Text <- [[16#D800], [$a, 16#110000]]].
