%% Configuration variables of Common Test: read from files, given as defaults by suite/0, group/1 and the info functions of test cases, required under
%% a name of their own, and looked up. A variable is a row of a table that all processes of the run see. The meaning is OTP's, down to its odd places:
%% a name stands for the required part of a value, but for {Key, [SubKey]} for the whole value.
-module(retell_config).
-export([start/1, require/1, require/2, get/3, reload/1, add/2, remove/2, configure/2, clashes/2, forget/1]).
%% name: what a suite has required it as. scope: `file`, or how long a default lives: suite, {group, Name} or testcase.
-record(var, {key, value, name = '$none', scope = file, handler, file}).
-define(TABLE, '$ct_config').

%% The process that calls this keeps the variables until it ends.
start(Files) ->
    ?TABLE = ets:new(?TABLE, [bag, public, named_table, {keypos, #var.key}]),
    add(ct_config_plain, Files).

%% `ok`, or `{error, {config_file_error, File, Text}}`.
add(_, []) -> ok;
add(Handler, [C | _] = File) when is_integer(C) -> add(Handler, [File]);
add(Handler, [File | Rest]) ->
    case read(Handler, File) of
        {ok, Pairs} ->
            [ets:insert(?TABLE, #var{key = Key, value = Value, handler = Handler, file = File}) || {Key, Value} <- Pairs],
            add(Handler, Rest);
        Error -> Error
    end.

read(ct_config_plain, File) ->
    case file:consult(File) of
        {ok, Terms} -> {ok, Terms};
        {error, Reason} -> {error, {config_file_error, File, lists:flatten(file:format_error(Reason))}}
    end;
read(Handler, File) ->
    case Handler:read_config(File) of
        {ok, Pairs} when is_list(Pairs) -> {ok, Pairs};
        {ok, Pair} -> {ok, [Pair]};
        {error, {Error, Detail}} -> {error, {Error, File, Detail}};
        {error, Error, Detail} -> {error, {Error, File, Detail}}
    end.

remove(Handler, File) ->
    ets:match_delete(?TABLE, #var{handler = Handler, file = File, _ = '_'}),
    ok.

%% Reads the files again that a variable comes from. Names that were given to its variables stay.
reload(Wanted) ->
    case lists:usort([{H, F} || #var{handler = H, file = F, scope = file} <- found(case Wanted of {Key, _} -> Key; _ -> Wanted end)]) of
        [] -> undefined;
        Files ->
            case lists:foldl(fun({H, F}, ok) -> again(H, F); (_, Error) -> Error end, ok, Files) of
                ok -> get(Wanted, undefined, []);
                Error -> Error
            end
    end.

again(Handler, File) ->
    case read(Handler, File) of
        {ok, Pairs} ->
            Old = [V || #var{handler = H, file = F} = V <- rows(), H =:= Handler, F =:= File],
            remove(Handler, File),
            lists:foreach(fun({Key, Value}) ->
                                  case [V#var{value = Value} || #var{key = K} = V <- Old, K =:= Key] of
                                      [] -> ets:insert(?TABLE, #var{key = Key, value = Value, handler = Handler, file = File});
                                      Vars -> [ets:insert(?TABLE, V) || V <- Vars]
                                  end
                          end, Pairs);
        Error -> Error
    end.

%% ---- looking up -----------------------------------------------------------------------------------------------------------------------

get(Wanted, Default, Opts) when is_atom(Wanted) -> shown(values({Wanted}, Default), Wanted, Opts);
get({Path, Key}, Default, Opts) when is_tuple(Path) -> get(erlang:append_element(Path, Key), Default, Opts);
get(Path, Default, Opts) when is_tuple(Path) -> shown(values(Path, Default), Path, Opts).

values(Path, Default) ->
    [First | Rest] = tuple_to_list(Path),
    case found(First) of
        [] -> [Default];
        Vars -> [within(Rest, V#var.value, Default) || V <- Vars]
    end.

%% The variables that were required under this name, or else those with this key.
found(Name) ->
    All = rows(),
    case [V || #var{name = N} = V <- All, N =:= Name] of
        [] -> [V || #var{key = K, name = '$none'} = V <- All, K =:= Name];
        Named -> Named
    end.

rows() ->
    case ets:whereis(?TABLE) of
        undefined -> [];
        _ -> ets:tab2list(?TABLE)
    end.

within([], Value, _) -> Value;
within([[]], Value, _) -> Value;
within([Keys], Value, Default) when is_list(Keys) -> several(Keys, Value, [], Default);
within([Key | Rest], Value, Default) ->
    case several([Key], Value, [], none) of
        [Inner] -> within(Rest, Inner, Default);
        none -> Default
    end.

%% The values of these keys; of two pairs with one key, the second is that of its second mention.
several([Key | Keys], Pairs, Values, Default) when is_list(Pairs) ->
    case lists:keytake(Key, 1, Pairs) of
        {value, {_, Value}, Rest} -> several(Keys, Rest, [Value | Values], Default);
        _ -> Default
    end;
several([], _, Values, _) -> lists:reverse(Values);
several(_, _, _, Default) -> Default.

shown([First | _] = Values, Wanted, Opts) ->
    case {lists:member(all, Opts), lists:member(element, Opts)} of
        {true, true} -> [{Wanted, V} || V <- Values];
        {true, false} -> Values;
        {false, true} -> {Wanted, First};
        {false, false} -> First
    end.

%% ---- requiring ------------------------------------------------------------------------------------------------------------------------

require(Key) when is_atom(Key); is_tuple(Key) -> allocate('$none', Key);
require(Key) -> {error, {invalid, Key}}.

require(Name, Key) when is_atom(Name), is_atom(Key) orelse is_tuple(Key) ->
    case [V#var.key || #var{name = N} = V <- rows(), N =:= Name] of
        [] -> allocate(Name, Key);
        [Known | _] when Known =:= Key; is_tuple(Key), element(1, Key) =:= Known ->
            None = make_ref(),
            case get(Key, None, []) of
                None -> {error, {not_available, Key}};
                {error, _} = Error -> Error;
                _ -> ok
            end;
        [Other | _] -> {error, {name_in_use, Name, Other}}
    end;
require(Name, Keys) -> {error, {invalid, {Name, Keys}}}.

allocate(Name, Key) ->
    None = make_ref(),
    case get(Key, None, [all, element]) of
        [{_, None}] -> {error, {not_available, Key}};
        _ when Name =:= '$none' -> ok;
        Found ->
            Whole = case Key of {K, Subs} when is_atom(K), is_list(Subs) -> true; _ -> os:getenv("COMMON_TEST_ALIAS_TOP") =:= "true" end,
            [associate(Name, Whole, Pair) || Pair <- Found],
            ok
    end.

associate(Name, Whole, {Wanted, Value}) ->
    Key = case Wanted of _ when is_tuple(Wanted) -> element(1, Wanted); _ -> Wanted end,
    [ets:insert(?TABLE, case Whole of true -> V#var{name = Name}; false -> V#var{name = Name, value = Value} end)
     || #var{key = K, name = '$none'} = V <- rows(), K =:= Key].

%% ---- info functions -------------------------------------------------------------------------------------------------------------------

%% Names that Info requires variables as, and that are taken by other info.
clashes(Info, Taken) -> [Name || {require, Name, _} <- Info, lists:any(fun(T) -> tuple_size(T) =:= 3 andalso element(1, T) =:= require andalso element(2, T) =:= Name end, Taken)].

%% What the terms of Info require, with the defaults that are in it too. Scope: how long a default lives. `ok`, or `{error, Reason}`.
configure(Info, Scope) -> required(Info, Info, Scope).

required([{require, Key} | Rest], Info, Scope) -> required(require(Key), '$none', Key, Rest, Info, Scope);
required([{require, Name, Key} | Rest], Info, Scope) -> required(require(Name, Key), Name, Key, Rest, Info, Scope);
required([_ | Rest], Info, Scope) -> required(Rest, Info, Scope);
required([], _, _) -> ok.

required(ok, _, _, Rest, Info, Scope) -> required(Rest, Info, Scope);
required(Error, Name, Key, Rest, Info, Scope) ->
    Defaults = case lists:keyfind(Name, 1, Info) of
        {Name, Pair} -> [Pair];
        _ -> [{Key, Value} || {default_config, K, Value} <- Info, K =:= Key]
    end,
    case Defaults of
        [] -> Error;
        _ ->
            [ets:insert(?TABLE, #var{key = K, value = V, name = Name, scope = Scope}) || {K, V} <- Defaults],
            required(Rest, Info, Scope)
    end.

%% Defaults that have lived long enough.
forget(Scope) ->
    ets:match_delete(?TABLE, #var{scope = Scope, _ = '_'}),
    ok.
