%% The module `inet_parse`: addresses of the Internet protocols as texts.
-module(inet_parse).
-export([address/1, strict_address/1, ipv4_address/1, ipv4strict_address/1, ipv6_address/1, ipv6strict_address/1, ntoa/1, domain/1, visible_string/1,
         dots/1, split_line/1]).

address(Text) when is_list(Text) -> either(ipv4_address(Text), Text);
address(_) -> {error, einval}.

strict_address(Text) when is_list(Text) -> either(ipv4strict_address(Text), Text);
strict_address(_) -> {error, einval}.

either({ok, _} = Found, _) -> Found;
either(_, Text) -> ipv6strict_address(Text).

%% One to four numbers, the last of which fills what is left; decimal, octal (0…) or hexadecimal (0x…).
ipv4_address(Text) when is_list(Text) -> parsed(fun() -> filled([number(Field) || Field <- fields($., Text)], 32, []) end);
ipv4_address(Text) -> erlang:error(function_clause, [Text]).

filled([Last], Bits, Bytes) when Last < 1 bsl Bits ->
    list_to_tuple(lists:reverse(Bytes, binary_to_list(<<Last:Bits>>)));
filled([Byte | Rest], Bits, Bytes) when Byte < 256, Bits > 8 -> filled(Rest, Bits - 8, [Byte | Bytes]).

number([$0, X | Digits]) when X =:= $x; X =:= $X -> number(no_zeros(Digits), 16, 8);
number([$0 | Digits]) -> number([$0 | no_zeros(Digits)], 8, 12);
number(Digits) -> number(Digits, 10, 10).

number(Digits, Base, Most) when length(Digits) =< Most ->
    case list_to_integer(Digits, Base) of
        Number when Number >= 0 -> Number
    end.

no_zeros([$0 | Digits]) -> no_zeros(Digits);
no_zeros(Digits) -> Digits.

%% Four decimal numbers without zeros in front.
ipv4strict_address(Text) when is_list(Text) -> parsed(fun() -> strict4(Text) end);
ipv4strict_address(Text) -> erlang:error(function_clause, [Text]).

strict4(Text) ->
    [_, _, _, _] = Bytes = [strict_number(Field) || Field <- fields($., Text)],
    list_to_tuple(Bytes).

strict_number("0") -> 0;
strict_number([C | _] = Digits) when C =/= $0 ->
    case number(Digits, 10, 3) of
        Byte when Byte < 256 -> Byte
    end.

ipv6_address(Text) ->
    case ipv4_address(Text) of
        {ok, {A, B, C, D}} -> {ok, {0, 0, 0, 0, 0, 16#ffff, A bsl 8 bor B, C bsl 8 bor D}};
        _ -> ipv6strict_address(Text)
    end.

ipv6strict_address(Text) -> parsed(fun() -> ipv6(Text) end).

ipv6(Text) ->
    {Words, Scope} = case lists:splitwith(fun(C) -> C =/= $% end, Text) of
        {Plain, [$% | Id]} -> {words(Plain, false), scope(Id)};
        {Plain, []} -> {words(Plain, true), none}
    end,
    [First, Second | Rest] = Words,
    case Scope of
        none -> list_to_tuple(Words);
        _ when Second =:= 0, First =:= 16#fe80 orelse First =:= 16#ff02 -> list_to_tuple([First, Scope | Rest])
    end.

%% Eight words; `::` stands for one or more that are 0. A scope needs something in front of it.
words(Text, Plain) ->
    case gap(Text, []) of
        none ->
            [_, _, _, _, _, _, _, _] = groups(Text, Plain);
        {Front, Back} when Plain; Front =/= []; Back =/= [] ->
            {Before, After} = {groups(Front, false), groups(Back, Plain)},
            case 8 - length(Before) - length(After) of
                Zeros when Zeros > 0 -> Before ++ lists:duplicate(Zeros, 0) ++ After
            end
    end.

gap([$:, $: | Back], Front) -> {lists:reverse(Front), Back};
gap([C | Rest], Front) -> gap(Rest, [C | Front]);
gap([], _) -> none.

%% The last two words may be written as an IPv4 address.
groups([], _) -> [];
groups(Text, Ipv4) -> words_of(fields($:, Text), Ipv4).

words_of([Last], true) ->
    case lists:member($., Last) of
        true ->
            {A, B, C, D} = strict4(Last),
            [A bsl 8 bor B, C bsl 8 bor D];
        false -> [hex(Last)]
    end;
words_of([Group | Groups], Ipv4) -> [hex(Group) | words_of(Groups, Ipv4)];
words_of([], _) -> [].

hex([C | _] = Digits) when C =/= $+, C =/= $- -> number(Digits, 16, 4).

%% Decimal after a 0. The names of interfaces are not known.
scope([$0]) -> 0;
scope([$0 | Digits]) ->
    true = lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Digits),
    case list_to_integer(Digits) of
        Id when Id =< 16#ffff -> Id
    end;
scope(_) -> 0.

fields(C, Text) ->
    case lists:splitwith(fun(X) -> X =/= C end, Text) of
        {Field, [_ | Rest]} -> [Field | fields(C, Rest)];
        {Field, []} -> [Field]
    end.

parsed(Parse) ->
    try {ok, Parse()}
    catch error:_ -> {error, einval}
    end.

ntoa({A, B, C, D}) when (A bor B bor C bor D) band bnot 255 =:= 0 ->
    lists:append(lists:join(".", [integer_to_list(Byte) || Byte <- [A, B, C, D]]));
ntoa({A, B, C, D, E, F, G, H} = Address) when (A bor B bor C bor D bor E bor F bor G bor H) band bnot 16#ffff =:= 0 ->
    case Address of
        {0, 0, 0, 0, 0, 0, 0, N} when N < 2 -> "::" ++ [$1 || N =:= 1];
        {0, 0, 0, 0, 0, 0, _, _} -> "::" ++ halves(G, H);
        {0, 0, 0, 0, 0, 16#ffff, _, _} -> "::ffff:" ++ halves(G, H);
        _ when B =/= 0, A =:= 16#fe80 orelse A =:= 16#ff02 -> hex_words([A, 0, C, D, E, F, G, H]) ++ "%0" ++ integer_to_list(B);
        _ -> hex_words(tuple_to_list(Address))
    end;
ntoa(_) -> {error, einval}.

halves(G, H) -> ntoa({G bsr 8, G band 255, H bsr 8, H band 255}).

%% The first of the longest runs of zeros, if it is of two or more, is left out.
hex_words(Words) ->
    Runs = [{length(lists:takewhile(fun(W) -> W =:= 0 end, lists:nthtail(At, Words))), -At} || At <- lists:seq(0, 7)],
    case lists:max(Runs) of
        {Zeros, At} when Zeros >= 2 -> joined(lists:sublist(Words, -At)) ++ "::" ++ joined(lists:nthtail(Zeros - At, Words));
        _ -> joined(Words)
    end.

joined(Words) -> lists:append(lists:join(":", [string:lowercase(integer_to_list(Word, 16)) || Word <- Words])).

visible_string([_ | _] = Text) -> visible(Text);
visible_string(_) -> false.

visible([C | Rest]) when C >= $!, C =< $~ -> visible(Rest);
visible(Rest) -> Rest =:= [].

%% Is it a name of labels? Four numbers are none.
domain([_ | _] = Text) ->
    try labels(Text)
    catch error:_ -> false
    end;
domain(_) -> false.

labels([C | _] = Text) when C >= $0, C =< $9 -> not address_like(Text) andalso label(Text);
labels([C | _] = Text) when C >= $a, C =< $z; C >= $A, C =< $Z -> label(Text);
labels(_) -> false.

label(Text) ->
    case lists:splitwith(fun(X) -> X =/= $. end, Text) of
        {Label, []} -> lists:all(fun of_label/1, Label);
        {Label, [$. | Rest]} -> lists:all(fun of_label/1, Label) andalso not lists:member(lists:last(Label), "-_") andalso labels(Rest)
    end.

of_label(C) -> C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z orelse C >= $0 andalso C =< $9 orelse C =:= $- orelse C =:= $_.

address_like(Text) ->
    Fields = string:lexemes(Text, "."),
    length(Fields) =:= 4 andalso lists:all(fun(Field) -> is_integer(catch list_to_integer(Field)) end, Fields).

%% Dots that do not end the name, and whether one does.
dots(Name) -> dots(Name, 0).

dots([$.], N) -> {N, true};
dots([$. | Rest], N) -> dots(Rest, N + 1);
dots([_ | Rest], N) -> dots(Rest, N);
dots([], N) -> {N, false}.

%% The words of a line of a configuration file; `#` begins a comment.
split_line(Line) -> string:lexemes(lists:takewhile(fun(C) -> C =/= $# end, Line), [$\s, $\t, $\n, "\r\n"]).
