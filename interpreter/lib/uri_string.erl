%% The module `uri_string` (RFC 3986). Parts of a URI are of the kind, list or binary, that the URI was.
-module(uri_string).
-export([parse/1, recompose/1, normalize/1, normalize/2, resolve/2, resolve/3, percent_decode/1, quote/1, quote/2, unquote/1, compose_query/1, compose_query/2,
         dissect_query/1, allowed_characters/0, transcode/2]).

%% ---- parsing --------------------------------------------------------------------------------------------------------------------------

parse(Uri) when is_binary(Uri) ->
    case unicode:characters_to_list(Uri) of
        Chars when is_list(Chars) ->
            case parts(Chars) of
                Map when is_map(Map) -> maps:map(fun(port, N) -> N; (_, V) -> unicode:characters_to_binary(V) end, Map);
                Error -> Error
            end;
        _ -> {error, invalid_utf8, Uri}
    end;
parse(Uri) when is_list(Uri) ->
    case unicode:characters_to_list(Uri) of
        Chars when is_list(Chars) -> parts(Chars);
        _ -> {error, invalid_utf8, Uri}
    end.

parts(Chars) ->
    {match, [Scheme, Auth, Path, Query, Fragment]} =
        re:run(Chars, "^(?:([^:/?#]+):)?(//[^/?#]*)?([^?#]*)(\\?[^#]*)?(#.*)?$", [unicode, dotall, {capture, [1, 2, 3, 4, 5], list}]),
    try
        Scheme =:= "" andalso hd(Chars ++ "/") =:= $: andalso throw({invalid, ":"}),
        M1 = case Scheme of "" -> #{}; _ -> #{scheme => scheme(Scheme)} end,
        M2 = case Auth of "" -> M1; "//" ++ A -> authority(A, M1) end,
        %% Without an authority a path must not begin with two slashes, and a relative one must not have a colon in its first part.
        M3 = M2#{path => part(Path, fun(C) -> is_pchar(C) orelse C =:= $/ end)},
        M4 = case Query of "" -> M3; [_ | Q] -> M3#{query => part(Q, fun is_query/1)} end,
        case Fragment of "" -> M4; [_ | F] -> M4#{fragment => part(F, fun is_query/1)} end
    catch
        %% Behind a scheme it is the colon that does not fit.
        throw:{invalid, _} when Scheme =/= "" -> {error, invalid_uri, ":"};
        throw:{_, What} -> {error, invalid_uri, What}
    end.

scheme([C | Cs] = Scheme) ->
    is_alpha(C) orelse throw({invalid, ":"}),
    [is_alpha(X) orelse is_digit(X) orelse lists:member(X, "+-.") orelse throw({scheme, [X]}) || X <- Cs],
    Scheme.

authority(Text, Map) ->
    {User, HostPort} = case string:split(Text, "@") of
        [U, H] -> {U, H};
        [H] -> {none, H}
    end,
    M1 = case User of none -> Map; _ -> Map#{userinfo => part(User, fun(C) -> is_unreserved(C) orelse is_sub(C) orelse C =:= $: end)} end,
    {Host, Port} = case HostPort of
        [$[ | Rest] ->
            case string:split(Rest, "]") of
                [V6, After] ->
                    [is_hex(C) orelse C =:= $: orelse C =:= $. orelse throw({invalid, [C]}) || C <- V6],
                    case inet:parse_ipv6strict_address(V6) of
                        {ok, _} -> {V6, After};
                        {error, _} -> throw({invalid, V6})
                    end;
                [_] -> throw({invalid, <<>>})
            end;
        _ ->
            case string:split(HostPort, ":") of
                [Name, P] -> {part(Name, fun(C) -> is_unreserved(C) orelse is_sub(C) end), ":" ++ P};
                [Name] -> {part(Name, fun(C) -> is_unreserved(C) orelse is_sub(C) end), ""}
            end
    end,
    M2 = M1#{host => Host},
    case Port of
        "" -> M2;
        ":" -> M2#{port => undefined};
        ":" ++ Digits ->
            [is_digit(D) orelse throw({invalid, [D]}) || D <- Digits],
            M2#{port => list_to_integer(Digits)};
        [C | _] -> throw({invalid, [C]})
    end.

part(Text, Allowed) ->
    check(Text, Allowed),
    Text.

check([C | Rest], Allowed) ->
    C =:= $% orelse Allowed(C) orelse throw({invalid, [C]}),
    check(Rest, Allowed);
check([], _) -> ok.

is_alpha(C) -> C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z.
is_digit(C) -> C >= $0 andalso C =< $9.
is_hex(C) -> is_digit(C) orelse C >= $a andalso C =< $f orelse C >= $A andalso C =< $F.
is_unreserved(C) -> is_alpha(C) orelse is_digit(C) orelse lists:member(C, "-._~").
is_sub(C) -> lists:member(C, "!$&'()*+,;=").
is_pchar(C) -> is_unreserved(C) orelse is_sub(C) orelse C =:= $: orelse C =:= $@.
is_query(C) -> is_pchar(C) orelse C =:= $/ orelse C =:= $?.

%% ---- putting together -----------------------------------------------------------------------------------------------------------------

recompose(Map) ->
    case is_valid(Map) of
        true ->
            try recomposed(Map)
            catch throw:{scheme, _} -> {error, invalid_scheme, maps:get(scheme, Map)}
            end;
        false -> {error, invalid_map, Map}
    end.

is_valid(#{path := _} = Map) ->
    lists:all(fun(Key) -> lists:member(Key, [scheme, userinfo, host, port, path, query, fragment]) end, maps:keys(Map));
is_valid(#{}) -> false.

recomposed(Map) ->
    Binary = lists:all(fun({Key, Value}) -> Key =:= port orelse is_binary(Value) end, maps:to_list(Map)),
    Text = lists:append([
        case Map of #{scheme := S} -> valid_scheme(chars(S)) ++ ":"; _ -> "" end,
        case Map of
            #{host := H} ->
                "//" ++ case Map of #{userinfo := U} -> user(chars(U)) ++ "@"; _ -> "" end
                    ++ host(chars(H)) ++ port(Map);
            #{userinfo := U} -> "//" ++ user(chars(U)) ++ port(Map);
            %% OTP takes a port behind a scheme, and nowhere else without a host.
            #{port := _} when is_map_key(scheme, Map) -> port(Map);
            #{port := _} -> concat(empty, unicode:characters_to_binary(port(Map)));
            _ -> ""
        end,
        case Map of #{path := P} -> rooted(encoded(chars(P), fun(C) -> is_pchar(C) orelse C =:= $/ end), Map); _ -> "" end,
        case Map of #{query := Q} -> "?" ++ encoded(chars(Q), fun is_query/1); _ -> "" end,
        case Map of #{fragment := F} -> "#" ++ encoded(chars(F), fun is_query/1); _ -> "" end]),
    case Binary of
        true -> unicode:characters_to_binary(Text);
        false -> Text
    end.

port(#{port := undefined}) -> ":";
port(#{port := Port}) -> ":" ++ binary_to_list(encode_port(Port));
port(#{}) -> "".

encode_port(Port) -> integer_to_binary(Port).

concat(A, B) when is_list(A) -> A ++ B.

valid_scheme(Scheme) ->
    Scheme =/= "" andalso lists:all(fun(C) -> is_alpha(C) orelse is_digit(C) orelse lists:member(C, "+-.") end, Scheme) orelse throw({scheme, Scheme}),
    Scheme.

user(User) -> encoded(User, fun(C) -> is_unreserved(C) orelse is_sub(C) orelse C =:= $: end).

%% Behind a host a path begins with a slash.
rooted([C | _] = Path, #{host := _}) when C =/= $/ -> [$/ | Path];
rooted(Path, _) -> Path.

host(Host) ->
    case lists:member($:, Host) of
        true -> "[" ++ Host ++ "]";
        false -> encoded(Host, fun(C) -> is_unreserved(C) orelse is_sub(C) end)
    end.

chars(Text) -> unicode:characters_to_list(Text).

%% Percent signs that begin an escape stay.
encoded([$%, A, B | Rest], Allowed) -> [$%, A, B | encoded(Rest, Allowed)];
encoded([C | Rest], Allowed) ->
    case Allowed(C) of
        true -> [C | encoded(Rest, Allowed)];
        false -> escape(C) ++ encoded(Rest, Allowed)
    end;
encoded([], _) -> [].

escape(C) -> lists:append([[$%, hex(B bsr 4), hex(B band 15)] || <<B>> <= <<C/utf8>>]).

hex(N) when N < 10 -> $0 + N;
hex(N) -> $A + N - 10.

quote(Text) -> quote(Text, "").
quote(Text, Safe) ->
    Chars = case chars(Text) of
        List when is_list(List) -> List;
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end,
    Quoted = quoted(Chars, Safe),
    case is_binary(Text) of
        true -> unicode:characters_to_binary(Quoted);
        false -> Quoted
    end.

quoted(Chars, Safe) -> lists:append([case is_unreserved(C) orelse lists:member(C, Safe) of true -> [C]; false -> escape(C) end || C <- Chars]).

unquote(Text) -> decoded(Text).

percent_decode(Map) when is_map(Map) ->
    try maps:map(fun(Key, Value) when Key =:= port; Key =:= scheme -> Value; (Key, Value) -> decoded(Key, Value) end, Map)
    catch throw:Error -> Error
    end;
percent_decode(Text) when is_list(Text); is_binary(Text) -> decoded(Text).

decoded(Key, Text) ->
    case decoded(Text) of
        {error, Kind, What} -> throw({error, {invalid, {Key, {Kind, What}}}});
        Decoded -> Decoded
    end.

%% What is wrong with a list is the answer; with a binary it is thrown.
decoded(Text) when is_binary(Text) ->
    case unescaped(binary_to_list(Text)) of
        Bytes when is_binary(Bytes) ->
            case unicode:characters_to_list(Bytes) of
                Chars when is_list(Chars) -> Bytes;
                {_, _, _} -> throw({error, invalid_utf8, Bytes})
            end;
        Error -> throw(Error)
    end;
decoded(Text) ->
    case unescaped(binary_to_list(unicode:characters_to_binary(Text))) of
        Bytes when is_binary(Bytes) ->
            case unicode:characters_to_list(Bytes) of
                Chars when is_list(Chars) -> Chars;
                _ -> {error, invalid_utf8, Bytes}
            end;
        Error -> Error
    end.

unescaped(Bytes) -> unescaped(Bytes, []).

unescaped([$%, A, B | Rest], Done) ->
    case is_hex(A) andalso is_hex(B) of
        true -> unescaped(Rest, [list_to_integer([A, B], 16) | Done]);
        false -> {error, invalid_percent_encoding, <<$%, A, B>>}
    end;
unescaped([C | Rest], Done) -> unescaped(Rest, [C | Done]);
unescaped([], Done) -> list_to_binary(lists:reverse(Done)).

%% ---- normal form and resolution -------------------------------------------------------------------------------------------------------

normalize(Uri) -> normalize(Uri, []).
normalize(Map, Options) when is_map(Map) ->
    try normal(Map) of
        Normal when Options =:= [return_map] -> Normal;
        Normal -> recompose(Normal)
    catch
        throw:{escape, What} -> {error, invalid_percent_encoding, What}
    end;
normalize(Uri, Options) ->
    case parse(Uri) of
        Map when is_map(Map) -> normalize(Map, Options);
        Error -> Error
    end.

normal(Given) ->
    Map = maps:map(fun(Part, V) when V =/= undefined, Part =:= userinfo orelse Part =:= host orelse Part =:= query orelse Part =:= fragment ->
                           same(cased(chars(V)), V);
                      (_, V) -> V
                   end, case_folded(Given)),
    M2 = case {Map, maps:get(scheme, Map, "")} of
        {#{port := P}, S} -> case lists:member({chars(S), P}, [{"ftp", 21}, {"http", 80}, {"https", 443}, {"ssh", 22}, {"sftp", 22}, {"tftp", 69}]) orelse P =:= undefined of true -> maps:remove(port, Map); false -> Map end;
        _ -> Map
    end,
    case M2 of
        #{path := P2} ->
            Clean = remove_dots(cased(chars(P2))),
            Path = case Clean of "" when is_map_key(host, M2), is_map_key(scheme, M2) -> root(chars(maps:get(scheme, M2))); _ -> Clean end,
            M2#{path := same(Path, P2)};
        _ -> M2
    end.

case_folded(Map) ->
    Lower = fun(K, M) -> case M of #{K := V} when V =/= undefined -> M#{K := same(string:lowercase(chars(V)), V)}; _ -> M end end,
    Lower(host, Lower(scheme, Map)).

%% The path of the root, where a scheme has one that may be left out.
root(Scheme) when Scheme =:= "http"; Scheme =:= "https" -> "/";
root(_) -> "".

same(Chars, Like) when is_binary(Like) -> unicode:characters_to_binary(Chars);
same(Chars, _) -> Chars.

%% Escapes in capitals; those of characters that need none are undone.
cased([$%, A, B | Rest]) ->
    is_hex(A) andalso is_hex(B) orelse throw({escape, <<$%, A, B>>}),
    N = list_to_integer([A, B], 16),
    case is_unreserved(N) of
        true -> [N | cased(Rest)];
        false -> [$%, hex(N bsr 4), hex(N band 15) | cased(Rest)]
    end;
cased([C | Rest]) -> [C | cased(Rest)];
cased([]) -> [].

%% RFC 3986, 5.2.4.
remove_dots(Path) -> remove_dots(Path, "").

remove_dots([], Out) -> Out;
remove_dots("../" ++ Rest, Out) -> remove_dots(Rest, Out);
remove_dots("./" ++ Rest, Out) -> remove_dots(Rest, Out);
remove_dots("/./" ++ Rest, Out) -> remove_dots("/" ++ Rest, Out);
remove_dots("/.", Out) -> remove_dots("/", Out);
remove_dots("/../" ++ Rest, Out) -> remove_dots("/" ++ Rest, without_last(Out));
remove_dots("/..", Out) -> remove_dots("/", without_last(Out));
remove_dots(Dots, Out) when Dots =:= "."; Dots =:= ".." -> Out;
remove_dots([C | Rest], Out) ->
    {Part, Later} = lists:splitwith(fun(X) -> X =/= $/ end, Rest),
    remove_dots(Later, Out ++ [C | Part]).

without_last(Out) ->
    case lists:dropwhile(fun(C) -> C =/= $/ end, lists:reverse(Out)) of
        [$/ | Rest] -> lists:reverse(Rest);
        [] -> ""
    end.

resolve(Ref, Base) -> resolve(Ref, Base, []).
resolve(Ref, Base, Options) ->
    case {map(Ref), map(Base)} of
        {R, B} when is_map(R), is_map(B), not is_map_key(scheme, R), not is_map_key(scheme, B) -> {error, invalid_scheme, ""};
        {R, B} when is_map(R), is_map(B) ->
            T = target(R, B),
            case Options of
                [return_map] -> T;
                [] -> recompose(T)
            end;
        {{error, _, _} = E, _} -> E;
        {_, E} -> E
    end.

map(Uri) when is_map(Uri) -> Uri;
map(Uri) -> parse(Uri).

%% Escapes of text in one encoding become those of the same text in another.
transcode(Uri, Options) ->
    In = proplists:get_value(in_encoding, Options, utf8),
    Out = proplists:get_value(out_encoding, Options, utf8),
    try
        Chars = recoded(in(Uri, In), [], In, Out),
        case is_binary(Uri) of
            true -> in_bytes(Chars, utf8, Out);
            false -> Chars
        end
    catch
        throw:{error, _, _} = Error -> Error
    end.

in(Text, Encoding) when is_list(Text) -> [C || Part <- Text, C <- case Part of _ when is_integer(Part) -> [Part]; _ -> in(Part, Encoding) end];
in(Text, Encoding) ->
    case unicode:characters_to_list(Text, Encoding) of
        Chars when is_list(Chars) -> Chars;
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

in_bytes(Text, In, Out) ->
    case unicode:characters_to_binary(Text, In, Out) of
        Bytes when is_binary(Bytes) -> Bytes;
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

recoded([$%, A, B | Rest] = Text, Bytes, In, Out) ->
    is_hex(A) andalso is_hex(B) orelse throw({error, invalid_percent_encoding, Text}),
    recoded(Rest, [list_to_integer([A, B], 16) | Bytes], In, Out);
recoded(Chars, [_ | _] = Bytes, In, Out) ->
    New = in_bytes(list_to_binary(lists:reverse(Bytes)), In, Out),
    [X || <<B>> <= New, X <- [$%, hex(B bsr 4), hex(B band 15)]] ++ recoded(Chars, [], In, Out);
recoded([C | Rest], [], In, Out) -> [C | recoded(Rest, [], In, Out)];
recoded([], [], _, _) -> [].

%% RFC 3986, 5.2.2.
target(#{scheme := _} = R, _) -> clean(R);
target(#{host := _} = R, #{scheme := S}) -> clean(R#{scheme => S});
target(R, #{scheme := S} = B) ->
    Own = maps:with([userinfo, host, port], B),
    Path = chars(maps:get(path, R, "")),
    T = case Path of
        "" ->
            Query = case R of #{query := Q} -> #{query => Q}; _ -> maps:with([query], B) end,
            maps:merge(Query, #{path => maps:get(path, B, "")});
        [$/ | _] -> maps:merge(maps:with([query], R), #{path => same(remove_dots(Path), maps:get(path, R))});
        _ -> maps:merge(maps:with([query], R), #{path => same(remove_dots(merged(B, Path)), maps:get(path, R))})
    end,
    maps:merge(maps:merge(Own#{scheme => S}, T), maps:with([fragment], R));
target(_, _) -> {error, invalid_scheme, ""}.

clean(#{path := P} = R) -> R#{path := same(remove_dots(chars(P)), P)};
clean(R) -> R.

merged(B, Path) ->
    case chars(maps:get(path, B, "")) of
        "" when is_map_key(host, B) -> "/" ++ Path;
        Base -> case lists:dropwhile(fun(C) -> C =/= $/ end, lists:reverse(Base)) of [] -> Path; Dir -> lists:reverse(Dir) ++ Path end
    end.

%% ---- queries --------------------------------------------------------------------------------------------------------------------------

compose_query(List) -> compose_query(List, [{encoding, utf8}]).
compose_query([], _) -> [];
compose_query(List, Options) ->
    try composed(List, Options)
    catch
        throw:{error, _, _} = Error -> Error
    end.

composed(List, Options) ->
    Text = lists:join($&, [pair(Pair, Options) || Pair <- List]),
    case lists:any(fun({K, V}) -> is_list(K) orelse is_list(V) end, List) of
        true -> lists:flatten(Text);
        false -> list_to_binary(Text)
    end.

pair({Key, true}, Options) -> form(Key, Options);
pair({Key, Value}, Options) -> [form(Key, Options), $=, form(Value, Options)].

%% Bytes of a text in an encoding; latin1 has the numbers of what it cannot hold.
form(Text, [{encoding, latin1}]) when is_list(Text) ->
    form_bytes(list_to_binary([case C of _ when C > 255 -> "&#" ++ integer_to_list(C) ++ ";"; _ -> C end || C <- in(in_bytes(Text, utf8, utf8), utf8)]));
form(Text, [{encoding, latin1}]) when is_binary(Text) -> form(in(Text, utf8), [{encoding, latin1}]);
form(Text, [{encoding, Encoding}]) when is_list(Text), Encoding =:= utf8; Encoding =:= unicode -> form_bytes(in_bytes(Text, utf8, utf8));
form(Text, [{encoding, utf8}]) when is_binary(Text) -> form_bytes(Text);
form(Text, [{encoding, Encoding}]) when is_list(Text); is_binary(Text) -> throw({error, invalid_encoding, Encoding});
form(Text, _) -> throw({error, invalid_input, Text}).

form_bytes(Bytes) ->
    [if
        B =:= $\s -> $+;
        B =:= $*; B =:= $-; B =:= $.; B =:= $_; B >= $0, B =< $9; B >= $A, B =< $Z; B >= $a, B =< $z -> B;
        true -> [$%, hex(B bsr 4), hex(B band 15)]
     end || <<B>> <= Bytes].

dissect_query(Empty) when Empty =:= <<>>; Empty =:= [] -> [];
dissect_query(Query) ->
    try
        Bytes = case is_list(Query) of true -> in_bytes(Query, utf8, utf8); false -> Query end,
        [case Pair of
            {Key, true} -> {same(undone(Key), Query), true};
            {Key, Value} -> {same(undone(Key), Query), same(undone(Value), Query)}
         end || Pair <- keys(Bytes, <<>>)]
    catch
        throw:{error, _, _} = Error -> Error
    end.

%% An ampersand ends a key or a value, unless in a key the number of a character begins with it.
keys(<<$=, Rest/binary>>, Key) -> values(Rest, Key, <<>>);
keys(<<"&#", Rest/binary>>, Key) -> keys(Rest, <<Key/binary, "&#">>);
keys(<<$&, Rest/binary>>, Key) -> [{Key, true} | keys(Rest, <<>>)];
keys(<<Byte, Rest/binary>>, Key) -> keys(Rest, <<Key/binary, Byte>>);
keys(<<>>, Key) -> [{Key, true}].

values(<<$&, Rest/binary>>, Key, Value) -> [{Key, Value} | keys(Rest, <<>>)];
values(<<Byte, Rest/binary>>, Key, Value) -> values(Rest, Key, <<Value/binary, Byte>>);
values(<<>>, Key, Value) -> [{Key, Value}].

undone(Bytes) -> numbered(unpacked(Bytes, <<>>), []).

unpacked(<<$+, Rest/binary>>, Done) -> unpacked(Rest, <<Done/binary, $\s>>);
unpacked(<<$%, A, B, Rest/binary>> = Bytes, Done) ->
    is_hex(A) andalso is_hex(B) orelse throw({error, invalid_percent_encoding, in(Bytes, utf8)}),
    unpacked(Rest, <<Done/binary, (list_to_integer([A, B], 16))>>);
unpacked(<<C/utf8, Rest/binary>>, Done) -> unpacked(Rest, <<Done/binary, C/utf8>>);
unpacked(<<Byte, _/binary>>, _) -> throw({error, invalid_character, [Byte]});
unpacked(<<>>, Done) -> Done.

numbered(<<"&#", Rest/binary>>, Done) ->
    {Number, Left} = number(Rest, 0),
    numbered(Left, [hd(in(<<Number/utf8>>, utf8)) | Done]);
numbered(<<C/utf8, Rest/binary>>, Done) -> numbered(Rest, [C | Done]);
numbered(<<Byte, _/binary>>, _) -> throw({error, invalid_input, [Byte]});
numbered(<<>>, Done) -> lists:reverse(Done).

number(<<$;, Rest/binary>>, N) -> {N, Rest};
number(<<D, Rest/binary>>, N) when D >= $0, D =< $9 -> number(Rest, N * 10 + D - $0);
number(<<Byte, _/binary>>, _) -> throw({error, invalid_input, [Byte]}).

allowed_characters() ->
    Alpha = lists:seq($A, $Z) ++ lists:seq($a, $z), Digits = lists:seq($0, $9), Unreserved = lists:sort("-._~") ++ [],
    [{scheme, lists:usort("+-." ++ Digits ++ Alpha)}, {userinfo, lists:usort("!$%&'()*+,;=:" ++ Unreserved ++ Digits ++ Alpha)},
     {host, lists:usort("!$&'()*+,;=:" ++ Unreserved ++ Digits ++ Alpha)}, {ipv4, lists:usort("." ++ Digits)}, {ipv6, lists:usort(".:ABCDEFabcdef" ++ Digits)},
     {regname, lists:usort("!$%&'()*+,;=" ++ Unreserved ++ Digits ++ Alpha)}, {path, lists:usort("!$%&'()*+,/;=:@" ++ Unreserved ++ Digits ++ Alpha)},
     {query, lists:usort("!$%&'()*+,/;=:@?" ++ Unreserved ++ Digits ++ Alpha)}, {fragment, lists:usort("!$%&'()*+,/;=:@?" ++ Unreserved ++ Digits ++ Alpha)},
     {reserved, lists:usort("!#$&'()*+,/:;=?@[]")}, {unreserved, lists:usort(Unreserved ++ Digits ++ Alpha)}].
