%% The module `erl_stdlib_errors`: why a call of a library function failed. Known for the output functions of `io`; errors of other modules
%% are shown without an explanation.
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
format_error(_, _) -> #{}.

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
