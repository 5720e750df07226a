%% The module `filename`, for Unix names. A name is a string, an atom, a deep list of them, or a binary; the result is a binary if one part is.
-module(filename).
-export([absname/1, absname/2, absname_join/2, append/2, basename/1, basename/2, dirname/1, extension/1, flatten/1, join/1, join/2,
         nativename/1, pathtype/1, rootname/1, rootname/2, split/1, validate/1]).

%% The characters of a name, and how to give back a result.
chars(Name) when is_binary(Name) -> {binary_to_list(Name), fun list_to_binary/1};
chars(Name) -> {flatten(Name), fun(L) -> L end}.

flatten(Bin) when is_binary(Bin) -> Bin;
flatten(Atom) when is_atom(Atom) -> atom_to_list(Atom);
flatten(List) when is_list(List) -> do_flatten(List, []).

do_flatten([H | T], Tail) when is_list(H) -> do_flatten(H, do_flatten(T, Tail));
do_flatten([H | T], Tail) when is_atom(H) -> atom_to_list(H) ++ do_flatten(T, Tail);
do_flatten([H | T], Tail) -> [H | do_flatten(T, Tail)];
do_flatten([], Tail) -> Tail.

absname(Name) ->
    {ok, Cwd} = file:get_cwd(),
    absname(Name, Cwd).

absname(Name, Dir) ->
    case pathtype(Name) of
        relative -> absname_join(Dir, Name);
        absolute -> join([flatten(Name)])
    end.

absname_join(Dir, Name) -> join(Dir, flatten(Name)).

basename(Name) when is_binary(Name) -> list_to_binary(last_component(binary_to_list(Name)));
basename(Name) -> base(flatten(Name), none, []).

%% What follows the last slash, of which one at the end does not count, up to the extension.
base(Ext, Ext, Acc) -> lists:reverse(Acc);
base("/", _, Acc) -> lists:reverse(Acc);
base([$/ | Rest], Ext, _) -> base(Rest, Ext, []);
base([C | Rest], Ext, Acc) -> base(Rest, Ext, [C | Acc]);
base([], _, Acc) -> lists:reverse(Acc).

last_component(Chars) -> lists:reverse(lists:takewhile(fun not_slash/1, drop_slashes(lists:reverse(Chars)))).

not_slash(C) -> C =/= $/.

drop_slashes(Reversed) -> lists:dropwhile(fun(C) -> C =:= $/ end, Reversed).

basename(Name, Ext) when not is_binary(Name), not is_binary(Ext) -> base(flatten(Name), flatten(Ext), []);
basename(Name, Ext) ->
    {Base0, Back} = chars(basename(Name)),
    {ExtChars, _} = chars(Ext),
    case lists:suffix(ExtChars, Base0) of
        true when ExtChars =/= [] -> result(Back, lists:sublist(Base0, length(Base0) - length(ExtChars)), Ext);
        _ -> Back(Base0)
    end.

%% A binary argument makes the result a binary.
result(_, Chars, Other) when is_binary(Other) -> list_to_binary(Chars);
result(Back, Chars, _) -> Back(Chars).

dirname(Name) ->
    {Chars, Back} = chars(Name),
    Back(dirname_chars(lists:reverse(Chars))).

dirname_chars(Reversed) ->
    case drop_slashes(lists:dropwhile(fun not_slash/1, Reversed)) of
        [] ->
            case lists:member($/, Reversed) of
                true -> "/";
                false -> "."
            end;
        Dir -> lists:reverse(Dir)
    end.

%% The last dot of the last component, unless it begins it.
extension(Name) ->
    {Chars, Back} = chars(Name),
    case split_extension(Chars) of
        {[], _} -> Back([]);
        {_, Ext} -> Back(Ext)
    end.

rootname(Name) ->
    {Chars, Back} = chars(Name),
    {Root, _} = split_extension(Chars),
    Back(Root).

split_extension(Chars) ->
    case lists:splitwith(fun(C) -> C =/= $. andalso C =/= $/ end, lists:reverse(Chars)) of
        {Ext, [$. | Root]} when Root =:= []; hd(Root) =/= $/ -> {lists:reverse(Root), [$. | lists:reverse(Ext)]};
        _ -> {Chars, []}
    end.

rootname(Name, Ext) ->
    {Chars, Back} = chars(Name),
    {ExtChars, _} = chars(Ext),
    Root = lists:sublist(Chars, erlang:max(0, length(Chars) - length(ExtChars))),
    case (Root =:= [] orelse lists:last(Root) =/= $/) andalso Root ++ ExtChars =:= Chars of
        true -> result(Back, Root, Ext);
        false -> result(Back, Chars, Ext)
    end.

join([Name1, Name2 | Rest]) -> join([join(Name1, Name2) | Rest]);
join([Name]) when is_binary(Name) -> list_to_binary(clean(binary_to_list(Name)));
join([Name]) -> clean(flatten(Name)).

join(Name1, Name2) ->
    {Chars1, _} = chars(Name1),
    {Chars2, _} = chars(Name2),
    Joined =
        case Chars2 of
            [$/ | _] -> clean(Chars2);
            [] -> clean(Chars1);
            _ -> finish(normal(Chars2, directory(normal(Chars1, []))))
        end,
    if
        is_binary(Name1); is_binary(Name2) -> list_to_binary(Joined);
        true -> Joined
    end.

%% One slash between parts, none at the end, and no part that is a dot but the first and the last. Backwards.
normal([$/ | T], [$., $/ | Acc]) -> normal(T, [$/ | Acc]);
normal([$/ | T], [$/ | _] = Acc) -> normal(T, Acc);
normal([C | T], Acc) -> normal(T, [C | Acc]);
normal([], Acc) -> Acc.

directory([$/ | _] = Acc) -> Acc;
directory([$., $/ | Acc]) -> [$/ | Acc];
directory(Acc) -> [$/ | Acc].

finish("/") -> "/";
finish([$/ | Acc]) -> lists:reverse(Acc);
finish(Acc) -> lists:reverse(Acc).

clean(Chars) -> finish(normal(Chars, [])).

append(Dir, Name) when is_binary(Dir); is_binary(Name) -> list_to_binary([to_text(Dir), $/, to_text(Name)]);
append(Dir, Name) -> Dir ++ [$/ | Name].

to_text(X) when is_binary(X) -> X;
to_text(X) -> flatten(X).

pathtype(Name) ->
    case chars(Name) of
        {[$/ | _], _} -> absolute;
        _ -> relative
    end.

nativename(Name) -> join([Name]).

split(Name) ->
    {Chars, Back} = chars(Name),
    Parts = [Back(P) || P <- components(Chars)],
    case Chars of
        [$/ | _] -> [Back("/") | Parts];
        _ -> Parts
    end.

components(Chars) -> string:tokens(Chars, "/").

validate(Name) when is_atom(Name) -> true;
validate(Name) when is_binary(Name) -> not lists:member(0, binary_to_list(Name));
validate(Name) when is_list(Name) ->
    try lists:all(fun(C) -> is_integer(C) andalso C > 0 end, flatten(Name))
    catch _:_ -> false
    end;
validate(_) -> false.
