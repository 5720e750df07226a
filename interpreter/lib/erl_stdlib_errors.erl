%% The module `erl_stdlib_errors`: why a call of a library function failed, by argument.
-module(erl_stdlib_errors).
-export([format_error/2]).

format_error(_, [{io, Function, Args, Info} | _]) when is_list(Args) ->
    {error_info, Map} = lists:keyfind(error_info, 1, Info),
    {Device, Rest} = device(Function, Args),
    Found = case maps:get(cause, Map, none) of
                {io, arguments} -> about(Device, <<"the device does not exist">>);
                {io, calling_self} -> about(Device, <<"the device is not allowed to be the current process">>);
                {io, terminated} -> about(Device, <<"the device has terminated">>);
                {device, {no_translation, In, Out}} ->
                    about(Device, text("device failed to transcode string from ~p to ~p", [In, Out]));
                {device, Cause} -> output(Function, Rest, Cause);
                _ -> []
            end,
    %% What was found is about the arguments after the device.
    maps:from_list([{if is_integer(N), Device, element(1, hd(Found)) =/= device -> N + 1; N =:= device -> 1; true -> N end, T} || {N, T} <- Found]);
%% The place in the text.
format_error({invalid_byte, Byte}, [{json, _, _, Info} | _]) ->
    {error_info, #{cause := #{position := At}}} = lists:keyfind(error_info, 1, Info),
    Shown = if Byte >= 32, Byte < 127 -> text(" '~c'", [Byte]); true -> <<>> end,
    #{general => text("invalid byte 16#~2.16.0B~s at byte position ~w", [Byte, Shown, At])};
format_error(_, [{M, F, Args, Info} | _]) when is_list(Args) ->
    Cause = case lists:keyfind(error_info, 1, Info) of
                {error_info, #{cause := C}} -> C;
                _ -> none
            end,
    Texts = try judge(M, F, Args, Cause)
            catch error:_ -> []
            end,
    maps:from_list([{N, T} || {N, T} <- lists:zip(lists:seq(1, length(Texts)), Texts), T =/= ""]);
format_error(_, _) -> #{}.

-if(?OTP_RELEASE >= 26).
-define(NEW_TEXTS, true).

iterator_order(Order) when Order =:= undefined; Order =:= ordered; is_function(Order, 2) -> "";
iterator_order(_) -> <<"not 'undefined', 'ordered', 'reversed', or a fun that takes two arguments">>.

binary_replacement(With) when is_binary(With); is_function(With, 1) -> "";
binary_replacement(_) -> <<"not a valid replacement">>.

re_replacement(With) when is_function(With, 1) -> "";
re_replacement(With) -> case iodata(With) of "" -> ""; _ -> <<"not a valid replacement">> end.
-else.
-define(NEW_TEXTS, false).

iterator_order(_) -> "".

binary_replacement(With) -> binary(With).

re_replacement(With) -> iodata(With).
-endif.

%% A text for each argument, "" where nothing is wrong with it; arguments at the end may be left out.
judge(lists, F, [_, Pos, L], _) when F =:= keyfind; F =:= keymember; F =:= keysearch -> ["", positive(Pos), proper_list(L)];
judge(lists, member, [_, L], _) -> ["", proper_list(L)];
judge(lists, reverse, [L, _], _) -> [proper_list(L)];
judge(lists, seq, [First, Last, Step], _) ->
    case [integer(First), integer(Last), integer(Step)] of
        ["", "", ""] when Step =< 0, First - Step =< Last -> ["", "", <<"not a positive increment">>];
        ["", "", ""] -> ["", "", <<"not a negative increment">>];
        Texts -> Texts
    end;
judge(maps, F, Args, _) -> judge_maps(F, Args);
judge(math, fmod, [X, Y], _) when is_number(X), is_number(Y) -> if Y == 0 -> ["", domain()]; true -> [] end;
judge(math, F, [X], _) when is_number(X) ->
    case lists:member(F, [acos, acosh, asin, atanh, log, log2, log10, sqrt]) of
        true -> [domain()];
        false -> []
    end;
judge(math, _, Args, _) -> [number(X) || X <- Args];
judge(unicode, F, [Chars | Encodings], _) when F =:= characters_to_binary; F =:= characters_to_list ->
    case Encodings of
        [] -> [<<"not valid character data (an iodata term)">>];
        _ -> [char_data(Chars) | [encoding(E) || E <- Encodings]]
    end;
judge(unicode, _, [_], _) -> [<<"not valid character data (an iodata term)">>];
judge(binary, F, Args, Cause) -> judge_binary(F, Args, Cause);
judge(re, F, Args, Cause) -> judge_re(F, Args, Cause);
judge(ets, F, Args, Cause) -> judge_ets(F, Args, Cause);
judge(_, _, _, _) -> [].

judge_maps(put, [_, _, _]) when ?NEW_TEXTS -> ["", "", not_a_map()];
judge_maps(update, [_, _, M]) when is_map(M), ?NEW_TEXTS -> [<<"not present in map">>];
judge_maps(to_list, [_]) when ?NEW_TEXTS -> [map_or_iterator(none_such)];
judge_maps(get, [_, M]) when is_map(M) -> [<<"not present in map">>];
judge_maps(F, [_, _]) when F =:= find; F =:= get; F =:= is_key; F =:= remove; F =:= take -> ["", not_a_map()];
judge_maps(get, [_, _, _]) -> ["", not_a_map()];
judge_maps(F, [_]) when F =:= iterator; F =:= keys; F =:= values; F =:= size; F =:= to_list -> [not_a_map()];
judge_maps(F, [_, _, _]) when F =:= put; F =:= update -> ["", "", not_a_map()];
judge_maps(iterator, [M, Order]) -> [map(M), iterator_order(Order)];
judge_maps(next, [_]) -> [<<"not a valid iterator">>];
judge_maps(F, [Fun, M]) when F =:= filter; F =:= filtermap; F =:= foreach; F =:= map -> [function(Fun, 2), map_or_iterator(M)];
judge_maps(fold, [Fun, _, M]) -> [function(Fun, 3), "", map_or_iterator(M)];
judge_maps(from_keys, [L, _]) -> [proper_list(L)];
judge_maps(from_list, [L]) -> [proper_list(L)];
judge_maps(groups_from_list, [Fun, L]) -> [function(Fun, 1), proper_list(L)];
judge_maps(groups_from_list, [Fun1, Fun2, L]) -> [function(Fun1, 1), function(Fun2, 1), proper_list(L)];
judge_maps(F, [A, B]) when F =:= intersect; F =:= merge -> [map(A), map(B)];
judge_maps(F, [Fun, A, B]) when F =:= intersect_with; F =:= merge_with -> [function(Fun, 3), map(A), map(B)];
judge_maps(update_with, [_, Fun, M]) -> ["", function(Fun, 1), map(M)];
judge_maps(update_with, [_, Fun, _, M]) -> ["", function(Fun, 1), "", map(M)];
judge_maps(F, [L, M]) when F =:= with; F =:= without -> [proper_list(L), map(M)];
judge_maps(_, _) -> [].

judge_binary(at, [B, P], _) -> [binary(B), natural(P)];
judge_binary(compile_pattern, [_], _) -> [<<"not a valid pattern">>];
judge_binary(copy, [B, N], _) -> [binary(B), natural(N)];
judge_binary(F, [N | Endian], _) when F =:= encode_unsigned -> [natural(N) | [endianness(E) || E <- Endian]];
judge_binary(decode_unsigned, [B | Endian], _) -> [binary(B) | [endianness(E) || E <- Endian]];
judge_binary(decode_hex, [B], _) when is_binary(B), byte_size(B) rem 2 =:= 1 -> [<<"must contain an even number of bytes">>];
judge_binary(decode_hex, [B], _) when is_binary(B), ?NEW_TEXTS -> [<<"must only contain hex digits 0-9, A-F, and a-f">>];
judge_binary(encode_hex, [B, Case], _) ->
    [binary(B), if Case =:= uppercase; Case =:= lowercase -> ""; true -> <<"not 'uppercase' or 'lowercase'">> end];
judge_binary(join, [Parts, Separator], _) ->
    case binary(Separator) of
        "" when is_list(Parts) -> [case proper_list(Parts) of "" -> <<"not a list of binaries">>; Text -> Text end];
        "" -> [proper_list(Parts)];
        Text -> ["", Text]
    end;
judge_binary(unhex, [B], _) -> [<<B/binary, " is not a valid hex">>];
judge_binary(F, [<<>>], _) when F =:= first; F =:= last -> [<<"a zero-sized binary is not allowed">>];
judge_binary(list_to_bin, [_], _) -> [<<"not an iodata term">>];
judge_binary(F, [_], _) when F =:= longest_common_prefix; F =:= longest_common_suffix -> [<<"not a flat list of binaries">>];
judge_binary(F, [B, Pattern | Options], _) when F =:= match; F =:= matches; F =:= split ->
    case {[binary(B), pattern(Pattern)], Options} of
        {["", ""], [[{scope, {Start, Length}}]]} when F =/= split, is_integer(Start), is_integer(Length) ->
            ["", "", <<"specified part is not wholly inside binary">>];
        {["", ""], [_]} -> ["", "", options()];
        {Texts, _} -> Texts
    end;
judge_binary(F, [B, {P, L}], Cause) when F =:= part orelse F =:= bin_to_list, is_integer(P), is_integer(L) ->
    case judge_binary(F, [B, P, L], Cause) of
        [Text, "", ""] -> [Text];
        [Text | _] -> [Text, range()]
    end;
judge_binary(F, [B, _], _) when F =:= part; F =:= bin_to_list -> [binary(B), <<"not a valid {Pos,Length} tuple">>];
judge_binary(F, [B, P, L], _) when F =:= part; F =:= bin_to_list ->
    case [binary(B), natural(P), integer(L)] of
        ["", "", ""] when P > byte_size(B) -> ["", range()];
        ["", "", ""] -> ["", "", range()];
        Texts -> Texts
    end;
judge_binary(replace, [B, Pattern, With | Options], Cause) ->
    case {[binary(B), pattern(Pattern), binary_replacement(With)], Options} of
        {Texts, [_]} when Cause =:= badopt; Texts =:= ["", "", ""] -> Texts ++ [options()];
        {Texts, _} -> Texts
    end;
judge_binary(_, [B], _) -> [binary(B)];
judge_binary(_, _, _) -> [].

judge_re(import, [_], _) -> [<<"not an exported regular expression">>];
judge_re(compile, [_], _) -> [<<"not an iodata term">>];
judge_re(compile, [Re, _], Cause) ->
    Text = try re:compile(Re) of
               {ok, _} -> "";
               {error, Reason} -> bad_regexp(Reason)
           catch error:_ -> <<"not an iodata term">>
           end,
    [Text | [options() || Cause =:= badopt]];
judge_re(inspect, [Re, Item], _) ->
    Text = try re:inspect(Re, namelist) of
               _ -> ""
           catch error:_ -> <<"not a compiled regular expression">>
           end,
    [Text | [<<"not a valid item">> || Text =:= "" orelse not is_atom(Item)]];
judge_re(replace, [Subject, Re, With | Options], Cause) ->
    [iodata(Subject), regexp(Re), re_replacement(With) | [options() || Options =/= [], Cause =:= badopt]];
judge_re(F, [Subject, Re | Options], Cause) when F =:= run; F =:= split ->
    [iodata(Subject), regexp(Re) | [options() || Options =/= [], Cause =:= badopt]];
judge_re(_, _, _) -> [].

judge_ets(F, [_, Item | _] = Args, Cause) when F =:= insert; F =:= insert_new ->
    Tuple = fun(T) -> is_tuple(T) andalso tuple_size(T) > 0 end,
    [table(Args, Cause),
     if is_tuple(Item) -> case Tuple(Item) of true -> ""; false -> <<"is an empty tuple">> end;
        is_list(Item) ->
            try lists:all(Tuple, Item) of
                true -> "";
                false -> <<"not a non-empty tuple or a list of non-empty tuples">>
            catch error:_ -> <<"not a non-empty tuple or a list of non-empty tuples">>
            end;
        true -> <<"not a tuple">>
     end];
judge_ets(delete_object, [_, Object] = Args, Cause) ->
    [table(Args, Cause), if Object =:= {} -> <<"is an empty tuple">>; is_tuple(Object) -> ""; true -> <<"not a tuple">> end];
judge_ets(give_away, [_, Pid, _] = Args, Cause) ->
    Table = table(Args, Cause),
    case Cause of
        owner -> [Table, <<"the process is already the owner of the table">>];
        not_owner -> [Table, <<"the current process is not the owner">>];
        _ when not is_pid(Pid) -> [Table, <<"not a pid">>];
        _ when Table =:= "" -> [Table, <<"the pid refers to a terminated process">>];
        _ -> [Table]
    end;
judge_ets(lookup_element, [_, _, Pos] = Args, Cause) ->
    case [table(Args, Cause), positive(Pos)] of
        [Table, Position] when Cause =:= badkey -> [Table, key(), Position];
        ["", ""] -> ["", "", <<"position is greater than the size of the object">>];
        [Table, Position] -> [Table, "", Position]
    end;
judge_ets(lookup_element, [Table, Key, Pos, _], Cause) -> judge_ets(lookup_element, [Table, Key, Pos], Cause);
judge_ets(new, [Name, Options], Cause) ->
    case [if is_atom(Name) -> ""; true -> <<"not an atom">> end, proper_list(Options)] of
        ["", ""] when Cause =:= already_exists -> [<<"table name already exists">>];
        ["", ""] -> ["", options()];
        Texts -> Texts
    end;
judge_ets(rename, [_, Name] = Args, Cause) ->
    case [table(Args, Cause), if is_atom(Name) -> ""; true -> <<"invalid table name (must be an atom)">> end] of
        ["", ""] -> ["", <<"table name already exists">>];
        Texts -> Texts
    end;
judge_ets(update_counter, [_, _, _, Default], _) when not is_tuple(Default) -> ["", "", "", <<"not a tuple">>];
judge_ets(update_counter, [_, _, _, _] = Args, default) -> [table(Args, default), "", "", <<"default tuple too small">>];
judge_ets(update_counter, [_, _, _, {}], none) -> ["", "", "", <<"is an empty tuple">>];
judge_ets(update_counter, [_, _, _, _] = Args, table_type) -> [table(Args, table_type)];
judge_ets(update_counter, [_, _, Op] = Args, table_type) ->
    [table(Args, table_type), "", case update_operations(Op) of true -> ""; false -> <<"not a valid update operation">> end];
judge_ets(update_counter, [_, _, Op | _] = Args, Cause) ->
    Operation = case update_operations(Op) of true -> ""; false -> <<"not a valid update operation">> end,
    Table = table(Args, Cause),
    case Cause of
        badkey -> [Table, key(), Operation];
        keypos -> [Table, "", <<"the position is the same as the key position">>];
        position -> [Table, "", <<"the position in the update operation is out of range">>];
        none when Operation =:= "" -> [Table, "", <<"the value in the given position, in the object, is not an integer">>];
        _ -> [Table, "", Operation]
    end;
judge_ets(update_element, [_, _, _, Default] = Args, _) when not is_tuple(Default) -> [table(Args, none), "", "", <<"not a tuple">>];
judge_ets(update_element, [_, _, _, _] = Args, default) -> [table(Args, default), "", "", <<"default tuple too small">>];
judge_ets(update_element, [_, _, Op | _] = Args, Cause) ->
    Pair = fun({Pos, _}) -> is_integer(Pos) andalso Pos > 0; (_) -> false end,
    Table = table(Args, Cause),
    case Cause of
        keypos -> [Table, "", <<"the position is the same as the key position">>];
        position -> [Table, "", <<"the position in the update operation is out of range">>];
        _ when Table =/= "", length(Args) =:= 3 -> [Table];
        _ ->
            case is_list(Op) andalso lists:all(Pair, Op) orelse Pair(Op) of
                true -> [Table, "", range()];
                false -> [Table, "", <<"is not a valid element specification">>]
            end
    end;
judge_ets(whereis, [_], _) -> [<<"invalid table name (must be an atom)">>];
judge_ets(match_spec_run_r, _, _) -> [];
judge_ets(F, [_], _) when F =:= match; F =:= match_object; F =:= select; F =:= select_reverse -> [<<"invalid continuation">>];
judge_ets(F, [_, _, Limit] = Args, Cause) when F =:= match; F =:= match_object -> [table(Args, Cause), "", positive(Limit)];
judge_ets(match_spec_compile, [_], _) -> [specification()];
judge_ets(F, [_, Spec, Limit] = Args, Cause) when F =:= select; F =:= select_reverse ->
    [table(Args, Cause), case is_specification(Spec) of true -> ""; false -> specification() end, positive(Limit)];
judge_ets(F, [_, _] = Args, Cause) ->
    Default = case F of
                  info -> <<"not a valid info item">>;
                  next -> key();
                  next_lookup -> key();
                  prev -> key();
                  prev_lookup -> key();
                  safe_fixtable -> <<"not a boolean value">>;
                  select -> specification();
                  select_count -> specification();
                  select_reverse -> specification();
                  select_replace -> specification();
                  internal_select_delete -> specification();
                  setopts -> options();
                  slot -> range();
                  _ -> ""
              end,
    case table(Args, Cause) of
        "" -> ["", Default];
        Table -> [Table]
    end;
judge_ets(_, Args, Cause) -> [table(Args, Cause)].

table([Ref | _], type) when is_reference(Ref) -> <<"not a valid table identifier">>;
table(_, type) -> <<"not an atom or a table identifier">>;
table(_, id) -> <<"the table identifier does not refer to an existing ETS table">>;
table(_, access) -> <<"the table identifier refers to an ETS table with insufficient access rights">>;
table(_, table_type) -> <<"the table identifier refers to an ETS table of a type not supported by this operation">>;
table([Table | _], none) when not is_atom(Table), not is_reference(Table) -> table([Table], type);
table(_, _) -> "".

update_operations(Ops) when is_list(Ops) -> lists:all(fun update_operation/1, Ops);
update_operations(Op) -> update_operation(Op).

update_operation({Pos, Add}) -> is_integer(Pos) andalso is_integer(Add);
update_operation({Pos, Add, Threshold, Set}) -> lists:all(fun is_integer/1, [Pos, Add, Threshold, Set]);
update_operation(Add) -> is_integer(Add).

is_specification(Spec) ->
    try ets:match_spec_compile(Spec) of
        _ -> true
    catch error:_ -> ets:is_compiled_ms(Spec)
    end.

integer(N) when is_integer(N) -> "";
integer(_) -> <<"not an integer">>.

natural(N) when is_integer(N), N < 0 -> range();
natural(N) -> integer(N).

positive(N) when is_integer(N), N < 1 -> range();
positive(N) -> integer(N).

number(N) when is_number(N) -> "";
number(_) -> <<"not a number">>.

proper_list(L) when is_list(L) -> try length(L) of _ -> "" catch error:_ -> <<"not a proper list">> end;
proper_list(_) -> <<"not a list">>.

map(M) when is_map(M) -> "";
map(_) -> not_a_map().

map_or_iterator(M) when is_map(M) -> "";
map_or_iterator(I) -> try maps:next(I) of _ -> "" catch error:_ -> <<"not a map or an iterator">> end.

function(F, Arity) when is_function(F, Arity) -> "";
function(_, 1) -> <<"not a fun that takes one argument">>;
function(_, 2) -> <<"not a fun that takes two arguments">>;
function(_, 3) -> <<"not a fun that takes three arguments">>.

binary(B) when is_binary(B) -> "";
binary(B) when is_bitstring(B) -> <<"is a bitstring (expected a binary)">>;
binary(_) -> <<"not a binary">>.

endianness(E) when E =:= big; E =:= little -> "";
endianness(_) -> <<"must be 'big' or 'little'">>.

pattern(P) -> try binary:match(<<"a">>, P) of _ -> "" catch error:_ -> <<"not a valid pattern">> end.

iodata(D) -> try iolist_size(D) of _ -> "" catch error:_ -> <<"not an iodata term">> end.

regexp(Re) ->
    try re:compile(Re) of
        {ok, _} -> "";
        {error, Reason} -> bad_regexp(Reason)
    catch error:_ ->
        try re:run("", Re) of _ -> "" catch error:_ -> <<"neither an iodata term nor a compiled regular expression">> end
    end.

bad_regexp({Reason, Column}) -> text("could not parse regular expression~n~ts on character ~p", [Reason, Column]).

char_data(Chars) ->
    case is_chardata(Chars) of
        true -> "";
        false -> <<"not valid character data (an iodata term)">>
    end.

encoding(E) -> try unicode:characters_to_binary(<<"a">>, E) of _ -> "" catch error:_ -> <<"not a valid encoding">> end.

not_a_map() -> <<"not a map">>.
domain() -> <<"is outside the domain for this function">>.
range() -> <<"out of range">>.
options() -> <<"invalid options">>.
key() -> <<"not a key that exists in the table">>.
specification() -> <<"not a valid match specification">>.

about(true, Text) -> [{device, Text}];
about(false, Text) -> [{general, Text}].

text(Format, Args) -> unicode:characters_to_binary(io_lib:format(Format, Args)).

%% Was a device given, and the arguments after it.
device(F, [_, Format, Args]) when F =:= format; F =:= fwrite -> {true, [Format, Args]};
device(F, Args) when F =:= format; F =:= fwrite -> {false, Args};
device(nl, [_]) -> {true, []};
device(nl, []) -> {false, []};
%% OTP takes the encoding for the characters here.
device(put_chars, [_, Encoding, _]) -> {true, [Encoding]};
device(_, [_, Arg]) -> {true, [Arg]};
device(_, Args) -> {false, Args}.

output(F, [Format], Cause) when F =:= format; F =:= fwrite -> format(Format, [], Cause);
output(F, [Format, Args], Cause) when F =:= format; F =:= fwrite -> format(Format, Args, Cause);
output(put_chars, [Chars], Cause) ->
    case is_chardata(Chars) of
        true -> unknown(Cause);
        false -> [{1, <<"not valid character data (an iodata term)">>}]
    end;
output(_, _, Cause) -> unknown(Cause).

unknown(Cause) -> [{general, text("unknown error: ~tp", [Cause])}].

is_chardata(Chars) ->
    try unicode:characters_to_binary(Chars) of
        B -> is_binary(B)
    catch _:_ -> false
    end.

format(Format, Args, Cause) ->
    case is_format(Format) of
        false ->
            [{1, <<"not a valid format string">>} | not_list(Args)]
                ++ [{general, <<"possibly missing argument list">>} || is_pid(Format) orelse is_atom(Format), is_format(Args)];
        true when not is_list(Args) -> not_list(Args);
        true ->
            case types(chars(Format), []) of
                {error, What} -> [{1, text("format string invalid (~ts)", [What])}];
                Types when length(Types) =/= length(Args) ->
                    [{1, <<"wrong number of arguments">>}] ++ [{general, <<"possibly missing argument list">>} || is_atom(Format)];
                Types ->
                    case [text("element ~B must be of type ~p", [N, Type]) || {N, Type} <- wrong(Types, Args, 1)] of
                        [] when Cause =:= format -> [{1, <<"failed to format string">>}];
                        [] ->
                            try io_lib:format(Format, Args) of
                                _ -> unknown(Cause)
                            catch _:_ -> [{1, <<"failed to format string">>}]
                            end;
                        Wrong -> [{2, lists:join("\n", Wrong)}]
                    end
            end
    end.

not_list(Args) when is_list(Args) -> [];
not_list(_) -> [{2, <<"not a list">>}].

is_format(F) when is_atom(F); is_binary(F) -> true;
is_format([C | F]) when is_integer(C) -> is_format(F);
is_format(F) -> F =:= [].

chars(F) when is_atom(F) -> atom_to_list(F);
chars(F) when is_binary(F) -> binary_to_list(F);
chars(F) -> F.

%% The types that a format's control sequences take, or why it is none.
types([], Types) -> lists:reverse(Types);
types([$~ | F], Types) ->
    {F1, T1} = width(F, Types),
    {F2, T2} = precision(F1, T1),
    modifiers(F2, T2);
types([_ | F], Types) -> types(F, Types).

width([$-, C | F], T) when C >= $0, C =< $9 -> {digits(F), T};
width([$-, $* | F], T) -> {F, [integer | T]};
width([$* | F], T) -> {F, [integer | T]};
width(F, T) -> {digits(F), T}.

precision([$., C | F], T) when C >= $0, C =< $9 -> pad(digits(F), T);
precision([$., $* | F], T) -> pad(F, [integer | T]);
precision([$. | F], T) -> pad(F, T);
precision(F, T) -> {F, T}.

pad([$., $* | F], T) -> {F, [integer | T]};
pad([$., _ | F], T) -> {F, T};
pad(F, T) -> {F, T}.

digits([C | F]) when C >= $0, C =< $9 -> digits(F);
digits(F) -> F.

modifiers([$t, $l | F], T) -> modified("lt", F, T, "pP");
modifiers([$l, $t | F], T) -> modified("lt", F, T, "pP");
modifiers([$t | F], T) -> modified("t", F, T, "cspPwW");
modifiers([$l | F], T) -> modified("l", F, T, "pP");
modifiers(F, T) -> control(F, T).

modified(_, [], _, _) -> {error, "truncated"};
modified(Modifiers, [C | _] = F, T, Allowed) ->
    case lists:member(C, Allowed) of
        true -> control(F, T);
        false -> {error, "invalid control ~" ++ Modifiers ++ [C]}
    end.

control([], _) -> {error, "truncated"};
control([C | F], T) ->
    case taken(C) of
        error -> {error, "invalid control ~" ++ [C]};
        Taken -> types(F, Taken ++ T)
    end.

%% In reverse.
taken(C) when C =:= $~; C =:= $n -> [];
taken(C) when C =:= $c; C =:= $b; C =:= $B -> [integer];
taken(C) when C =:= $f; C =:= $e; C =:= $g -> [float];
taken($s) -> [string];
taken(C) when C =:= $w; C =:= $p; C =:= $+; C =:= $#; C =:= $i -> [term];
taken(C) when C =:= $W; C =:= $P -> [integer, term];
taken(C) when C =:= $x; C =:= $X -> [string, integer];
taken(_) -> error.

wrong([], [], _) -> [];
wrong([Type | Types], [Arg | Args], N) ->
    case is_a(Type, Arg) of
        true -> wrong(Types, Args, N + 1);
        false -> [{N, Type} | wrong(Types, Args, N + 1)]
    end.

is_a(term, _) -> true;
is_a(integer, Arg) -> is_integer(Arg);
is_a(float, Arg) -> is_float(Arg);
is_a(string, Arg) when is_list(Arg) ->
    try unicode:characters_to_binary(Arg) of
        _ -> true
    catch _:_ -> false
    end;
is_a(string, Arg) -> is_atom(Arg) orelse is_binary(Arg).
