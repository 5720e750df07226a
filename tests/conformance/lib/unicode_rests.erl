%% What the functions of `unicode` give back of data that they cannot convert, by the shape of the data.
-module(unicode_rests).
-export([main/0]).

main() ->
    Bad = [<<240>>, <<152, 97>>, <<97, 240>>, <<97, 152, 98>>],
    Shapes = [fun(B) -> B end, fun(B) -> [B] end, fun(B) -> [65, B] end, fun(B) -> [B, 66] end, fun(B) -> [B, <<66>>] end, fun(B) -> [B | <<66>>] end, fun(B) -> [[B], 66] end,
              fun(B) -> [[65, B]] end, fun(B) -> [[65 | B], 66] end, fun(B) -> [[[B]], [[66]]] end, fun(B) -> [65 | B] end, fun(B) -> [B, []] end, fun(B) -> [[], B, [], []] end,
              fun(B) -> [[B, 66], 67] end, fun(B) -> [B, B] end, fun(B) -> [B | B] end, fun(B) -> [[[B | <<66>>]] | <<67>>] end],
    Functions = [fun unicode:characters_to_list/1, fun unicode:characters_to_binary/1, fun(X) -> unicode:characters_to_binary(X, utf8, latin1) end,
                 fun unicode:characters_to_nfc_list/1, fun unicode:characters_to_nfc_binary/1, fun(X) -> unicode:characters_to_binary(X, utf8, utf16) end],
    [begin
         io:format("~0p~n", [Shape(B)]),
         [io:format("    ~0p~n", [F(Shape(B))]) || F <- Functions]
     end || Shape <- Shapes, B <- Bad],
    ok.
