%% The module `erl_anno`: an annotation is a location, or a list of pairs with one.
-module(erl_anno).
-export([new/1, to_term/1, from_term/1, is_anno/1, column/1, end_location/1, file/1, generated/1, line/1, location/1, record/1, text/1,
         set_file/2, set_generated/2, set_line/2, set_location/2, set_record/2, set_text/2]).
-if(?OTP_RELEASE >= 28).
-export([set_end_location/2]).
-endif.
-define(PLAIN(L), (is_integer(L) andalso L >= 0 orelse
                   is_tuple(L) andalso tuple_size(L) =:= 2 andalso is_integer(element(1, L)) andalso element(1, L) >= 0
                   andalso is_integer(element(2, L)) andalso element(2, L) >= 1)).

%% What a failed look at an annotation shows, and the location of one that has none.
-if(?OTP_RELEASE >= 28).
-define(WRONG(Anno, Item, Default), if Default =:= undefined -> [Anno, Item]; true -> [Anno, Item, Default] end).
-define(NOWHERE, 0).
-define(END_LOCATIONS, true).
-else.
-define(WRONG(Anno, Item, Default), [Anno]).
-define(NOWHERE, undefined).
-define(END_LOCATIONS, false).
-endif.

new(Location) when ?PLAIN(Location) -> Location;
new(Term) -> erlang:error(badarg, [Term]).

to_term(Anno) -> Anno.

from_term(Line) when is_integer(Line), Line < 0 -> set_generated(true, new(-Line));
from_term(Term) -> Term.

is_anno(Location) when ?PLAIN(Location) -> true;
is_anno([_ | _] = Items) -> all(Items) andalso lists:keymember(location, 1, Items);
is_anno(_) -> false.

all([{Item, Value} | Items]) -> is_item(Item, Value) andalso all(Items);
all(End) -> End =:= [].

is_item(location, Location) -> ?PLAIN(Location);
is_item(Item, Value) when Item =:= generated; Item =:= record -> Value =:= true;
is_item(file, Name) -> is_list(Name) orelse is_binary(Name);
is_item(text, Text) -> is_list(Text);
is_item(_, _) -> false.

location(Location) when ?PLAIN(Location) -> Location;
location(Anno) -> anno_info(Anno, location, ?NOWHERE).

line(Anno) ->
    case location(Anno) of
        {Line, _} -> Line;
        Line -> Line
    end.

column(Anno) ->
    case location(Anno) of
        {_, Column} -> Column;
        _ -> undefined
    end.

file(Anno) -> optional(Anno, file, undefined).
generated(Anno) -> optional(Anno, generated, false).
record(Anno) -> optional(Anno, record, false).
text(Anno) -> optional(Anno, text, undefined).

optional(Location, _, Default) when ?PLAIN(Location) -> Default;
optional(Anno, Item, Default) -> anno_info(Anno, Item, Default).

anno_info(Anno, Item, Default) ->
    try lists:keyfind(Item, 1, Anno) of
        {Item, Value} -> Value;
        false -> Default
    catch
        _:_ -> erlang:error(badarg, ?WRONG(Anno, Item, Default))
    end.

-if(?OTP_RELEASE >= 28).
end_location(Location) when ?PLAIN(Location) -> undefined;
end_location(Anno) ->
    case {anno_info(Anno, end_location, undefined), text(Anno)} of
        {undefined, undefined} -> undefined;
        {undefined, Text} -> past(Text, location(Anno));
        {Location, _} -> Location
    end.

set_end_location(Location, Anno) -> set(end_location, Location, Anno).
-else.
set_end_location(Location, Anno) -> set(end_location, Location, Anno).

end_location(Anno) ->
    case text(Anno) of
        undefined -> undefined;
        Text -> past(Text, location(Anno))
    end.
-endif.

past([], Location) -> Location;
past([$\n | Text], {Line, _}) -> past(Text, {Line + 1, 1});
past([_ | Text], {Line, Column}) -> past(Text, {Line, Column + 1});
past([$\n | Text], Line) -> past(Text, Line + 1);
past([_ | Text], Line) -> past(Text, Line).

set_file(File, Anno) -> set(file, File, Anno).
set_generated(Generated, Anno) -> set(generated, Generated, Anno).
set_record(Record, Anno) -> set(record, Record, Anno).
set_text(Text, Anno) -> set(text, Text, Anno).

set_line(Line, Anno) ->
    case location(Anno) of
        {_, Column} -> set_location({Line, Column}, Anno);
        _ -> set_location(Line, Anno)
    end.

set_location(Location, Old) when ?PLAIN(Location), ?PLAIN(Old) -> Location;
set_location(Location, Anno) -> set(location, Location, Anno).

set(Item, Value, Anno) ->
    Settable = is_item(Item, Value) orelse ?END_LOCATIONS andalso Item =:= end_location andalso ?PLAIN(Value) orelse Value =:= false andalso (Item =:= generated orelse Item =:= record),
    Items = if
        ?PLAIN(Anno) -> [{location, Anno}];
        is_list(Anno), Anno =/= [] -> Anno;
        true -> bad
    end,
    if
        not Settable; Items =:= bad -> erlang:error(badarg, [Item, Value, Anno]);
        Value =:= false -> simple(lists:keydelete(Item, 1, Items));
        true ->
            case lists:keymember(Item, 1, Items) of
                true -> simple(lists:keyreplace(Item, 1, Items, {Item, Value}));
                false -> [{Item, Value} | Items]
            end
    end.

simple([{location, Location}]) -> Location;
simple(Items) -> Items.
