%% base64 with its modes and without padding.
-module(base64_modes).
-export([main/0]).

main() ->
    Data = [<<>>, <<"a">>, <<"ab">>, <<"abc">>, <<251, 255, 254>>, <<0, 16, 131, 16, 81, 135>>, "list", [255, 254, 253, 252], list_to_binary(lists:seq(200, 255))],
    Options = [#{}, #{mode => standard}, #{mode => urlsafe}, #{padding => false}, #{mode => urlsafe, padding => false}, #{mode => other}, #{padding => x}],
    [show(io_lib:format("encode ~0p ~0kp", [D, O]), fun() -> {base64:encode(D, O), base64:encode_to_string(D, O)} end) || D <- Data, O <- Options],
    Texts = ["", "YQ==", "YQ", "YQ=", "YWI=", "YWI", "YWJj", "+//+", "-__-", "YW Jj\n", "Y*WJj", "YQ==x", "YQ==YQ==", "Y", "=", "YWJjZA", " YQ==", "YWJjYWJj YWI=", "YQ == ", "YWJ*YWJj", [0], [300]],
    [show(io_lib:format("~w ~0p ~0kp", [F, T, O]), fun() -> base64:F(T, O) end) || F <- [decode, decode_to_string, mime_decode, mime_decode_to_string], T <- Texts, O <- Options],
    [show(io_lib:format("~w ~0p ~0kp", [F, T, O]), fun() -> base64:F(list_to_binary(T), O) end) || F <- [decode, mime_decode], T <- Texts, T =/= [300], O <- Options],
    [show(io_lib:format("~w ~0p", [F, T]), fun() -> base64:F(T) end) || F <- [decode, encode, mime_decode, decode_to_string, encode_to_string], T <- [a, "YQ", <<"YQ">>, 5, <<1:3>>, [1 | 2], ["nested"]]],
    [show("options", fun() -> base64:F("YQ==", []) end) || F <- [decode, encode, mime_decode, decode_to_string, encode_to_string]],
    show("there and back", fun() -> [D =:= base64:decode(base64:encode(D, O), O) || O <- lists:sublist(Options, 5), D <- [list_to_binary(lists:seq(0, N)) || N <- lists:seq(0, 20)]] -- [true || _ <- lists:seq(1, 105)] end),
    explained("text", fun() -> base64:decode("YQ") end),
    explained("text", fun() -> base64:decode(<<"YQ">>) end),
    explained("text", fun() -> base64:mime_decode(<<"YWI">>) end).

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).

%% The text of an error, without the frames of the program.
explained(Name, Fun) ->
    Text =
        try Fun() of
            Result -> io_lib:format("~0tkp", [Result])
        catch
            Class:Reason:Stack ->
                Top = hd(Stack),
                erl_error:format_exception(Class, Reason, [setelement(4, Top, lists:keydelete(line, 1, lists:keydelete(file, 1, element(4, Top))))])
        end,
    io:format("~ts: ~ts~n", [Name, Text]).
