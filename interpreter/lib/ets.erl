%% ets: what is not a native of the system layer.
-module(ets).
-export([foldl/3, foldr/3, is_compiled_ms/1, to_dets/2, from_dets/2, i/0, i/1, i/2, i/3,
         init_table/2, fun2ms/1, table/1, table/2, repair_continuation/2, tab2file/2, tab2file/3, file2tab/1, file2tab/2, tabfile_info/1]).

%% From 26 on, a name is looked up once.
-if(?OTP_RELEASE >= 26).
-define(FIXED(Name, Tab), Tab = soft_whereis(Name)).

soft_whereis(Name) when is_atom(Name) ->
    case ets:whereis(Name) of
        undefined -> erlang:error(badarg, [Name], [{error_info, #{cause => id, module => erl_stdlib_errors}}]);
        Tab -> Tab
    end;
soft_whereis(Tab) -> Tab.
-else.
-define(FIXED(Name, Tab), Tab = Name).
-endif.

foldl(F, Acc, Name) ->
    ?FIXED(Name, Tab),
    ets:safe_fixtable(Tab, true),
    First = ets:first(Tab),
    try do_foldl(F, Acc, First, Tab)
    after ets:safe_fixtable(Tab, false)
    end.

do_foldl(_, Acc, '$end_of_table', _) -> Acc;
do_foldl(F, Acc, Key, Tab) -> do_foldl(F, lists:foldl(F, Acc, ets:lookup(Tab, Key)), ets:next(Tab, Key), Tab).

foldr(F, Acc, Name) ->
    ?FIXED(Name, Tab),
    ets:safe_fixtable(Tab, true),
    Last = ets:last(Tab),
    try do_foldr(F, Acc, Last, Tab)
    after ets:safe_fixtable(Tab, false)
    end.

do_foldr(_, Acc, '$end_of_table', _) -> Acc;
do_foldr(F, Acc, Key, Tab) -> do_foldr(F, lists:foldr(F, Acc, ets:lookup(Tab, Key)), ets:prev(Tab, Key), Tab).

is_compiled_ms({'$compiled_match_spec', _}) -> true;
is_compiled_ms(_) -> false.

repair_continuation('$end_of_table', _Spec) -> '$end_of_table';
repair_continuation({_, _, _, _, _, _, '$ets_continuation'} = Continuation, _Spec) -> Continuation.

init_table(Name, Fun) ->
    ?FIXED(Name, Tab),
    ets:delete_all_objects(Tab),
    init_table_continue(Tab, Fun(read)).

init_table_continue(_, end_of_input) -> true;
init_table_continue(Tab, {Objects, Next}) when is_list(Objects), is_function(Next) ->
    lists:foreach(fun(Object) -> ets:insert(Tab, Object) end, Objects),
    init_table_continue(Tab, Next(read));
init_table_continue(_, Error) -> exit(Error).

fun2ms(F) when is_function(F) ->
    case erl_eval:fun_data(F) of
        {fun_data, Bindings, Clauses} ->
            case ms_transform:transform_from_shell(?MODULE, Clauses, Bindings) of
                {error, [{_, [{_, _, Code} | _]} | _], _} ->
                    io:format("Error: ~ts~n", [ms_transform:format_error(Code)]),
                    {error, transform_error};
                Spec -> Spec
            end;
        %% Only the parse transform ms_transform can look into any other.
        _ ->
            exit({badarg, {ets, fun2ms, [function, called, with, real, 'fun', should, be, transformed, with,
                                         parse_transform, 'or', called, with, a, 'fun', generated, in, the, shell]}})
    end.

%% ---- tables as sources of query handles (`qlc` of an installed OTP) --------------------------------------------------

table(Tab) -> table(Tab, []).

table(Tab, Given) ->
    Options = case is_list(Given) of true -> Given; false -> [Given] end,
    case table_options(Options, {select, 100}) of
        {Traverse, Objects} ->
            Type = ets:info(Tab, type),
            qlc:table(walk(Traverse, Tab, Objects),
                      [{pre_fun, fun(_) -> ets:safe_fixtable(Tab, true) end},
                       {post_fun, fun() -> ets:safe_fixtable(Tab, false) end},
                       {info_fun, fun(Asked) -> table_info(Tab, Asked) end},
                       {format_fun, fun(Asked) -> table_text(Tab, Given, Options, Asked) end},
                       {key_equality, case Type of ordered_set -> '=='; _ -> '=:=' end},
                       {lookup_fun, case Traverse of
                                        {select, _} -> undefined;
                                        _ -> fun(_, Keys) -> lists:flatmap(fun(Key) -> ets:lookup(Tab, Key) end, Keys) end
                                    end}]);
        wrong -> error(badarg, [Tab, Given])
    end.

table_options(Options, {Traverse, Objects}) when is_list(Options) ->
    try
        {Walks, Numbers} = lists:partition(fun({Key, _}) -> Key =:= traverse end, Options),
        {case Walks of [] -> Traverse; [{traverse, How}] -> how(How) end,
         case Numbers of [] -> Objects; [{n_objects, Number}] -> number(Number) end}
    catch
        error:_ -> wrong
    end.

how({select, Spec}) -> _ = ets:match_spec_compile(Spec), {select, Spec};
how(How) when How =:= first_next; How =:= last_prev; How =:= select -> How.

number(default) -> 100;
number(Number) when is_integer(Number), Number > 0 -> Number.

walk(first_next, Tab, _) -> fun() -> step(Tab, ets:first(Tab), fun ets:next/2) end;
walk(last_prev, Tab, _) -> fun() -> step(Tab, ets:last(Tab), fun ets:prev/2) end;
walk(select, Tab, Objects) -> fun(Spec) -> page(ets:select(Tab, Spec, Objects)) end;
walk({select, Spec}, Tab, Objects) -> fun() -> page(ets:select(Tab, Spec, Objects)) end.

step(_, '$end_of_table', _) -> [];
step(Tab, Key, Next) ->
    case ets:lookup(Tab, Key) of
        [] -> step(Tab, Next(Tab, Key), Next);
        Objects -> Objects ++ fun() -> step(Tab, Next(Tab, Key), Next) end
    end.

page('$end_of_table') -> [];
page({Objects, Continuation}) -> Objects ++ fun() -> page(ets:select(Continuation)) end.

table_info(Tab, num_of_objects) -> ets:info(Tab, size);
table_info(Tab, keypos) -> ets:info(Tab, keypos);
table_info(Tab, is_unique_objects) -> ets:info(Tab, type) =/= duplicate_bag;
table_info(Tab, is_sorted_key) -> ets:info(Tab, type) =:= ordered_set;
table_info(_, _) -> undefined.

%% How `qlc:info/1` shows it.
table_text(Tab, Given, _, {all, _, _}) -> {ets, table, [Tab | [Given || Given =/= []]]};
table_text(Tab, _, Options, {match_spec, Spec}) -> {ets, table, [Tab, [{traverse, {select, Spec}} | Options]]};
table_text(Tab, _, _, {lookup, _, [Key], _, Shown}) -> io_lib:format("ets:lookup(~w, ~w)", [Tab, Shown(Key)]);
table_text(Tab, _, _, {lookup, _, Keys, _, Shown}) ->
    io_lib:format("lists:flatmap(fun(V) -> ets:lookup(~w, V) end, ~w)", [Tab, [Shown(Key) || Key <- Keys]]).

to_dets(Tab, Dets) ->
    case dets:from_ets(Dets, Tab) of
        ok -> Dets;
        {error, Reason} -> error(Reason, [Tab, Dets])
    end.

from_dets(Tab, Dets) ->
    case dets:to_ets(Dets, Tab) of
        {error, Reason} -> error(Reason, [Tab, Dets]);
        _ -> true
    end.

%% ---- tables for people ------------------------------------------------------------------------------------------------------------------------

i() ->
    show_row(["id", "name", "type", "size", "mem", "owner"]),
    io:format(" ~ts~n", [lists:duplicate(76, $-)]),
    lists:foreach(fun show_table/1, lists:sort(ets:all())).

show_table(Tab) ->
    case ets:info(Tab) of
        undefined -> ok;
        Info ->
            Told = [proplists:get_value(What, Info) || What <- [name, type, size, memory]],
            show_row([io_lib:format("~tw", [Word]) || Word <- [Tab | Told] ++ [name_of(proplists:get_value(owner, Info))]])
    end.

show_row(Words) ->
    io:format(" ~ts~n", [lists:join($\s, [string:pad(Word, Width) || {Word, Width} <- lists:zip(Words, [15, 17, 5, 6, 8, 0])])]).

name_of(Pid) ->
    case catch process_info(Pid, registered_name) of
        {registered_name, Name} -> Name;
        _ -> Pid
    end.

i(Tab) -> i(Tab, 40).
i(Tab, Height) -> i(Tab, Height, 80).
i(Tab, Height, Width) -> show({keys, Tab, ets:first(Tab)}, 1, {Tab, {keys, Tab, ets:first(Tab)}, Height, Width}).

%% What is left to show is an iteration over keys, or a list of objects that matched; the number of the next object; and what all pages have in
%% common: the table, all that is shown, the sizes.
show(Left, Number, Page) -> show(Left, Number, 1, Page).

show(Left, Number, Line, {_, _, Height, _} = Page) when Line < Height ->
    case more(Left) of
        none -> ask(none, Number, Page);
        {Objects, Rest} -> show_objects(Objects, Rest, Number, Line, Page)
    end;
show(Left, Number, _, Page) -> ask(Left, Number, Page).

show_objects(Objects, Rest, Number, Line, {_, _, _, Width} = Page) ->
    Next = lists:foldl(fun(Object, N) -> show_object(N, Object, Width), N + 1 end, Number, Objects),
    show(Rest, Next, Line + Next - Number, Page).

%% The objects of the next key, or the next object.
more(none) -> none;
more({keys, _, '$end_of_table'}) -> none;
more({keys, Tab, Key}) -> {ets:lookup(Tab, Key), {keys, Tab, ets:next(Tab, Key)}};
more([]) -> none;
more([Object | Rest]) -> {[Object], Rest}.

show_object(Number, Object, Width) ->
    Text = lists:flatten(io_lib:format("~tp", [Object])),
    Shown = case length(Text) > Width - 8 of
                true -> [string:slice(Text, 0, Width - 13), "  ..."];
                false -> Text
            end,
    io:format("<~-4w> ~ts~n", [Number, Shown]).

ask(Left, Number, {Tab, All, Height, Width} = Page) ->
    Ahead = case more(Left) of
                none -> 'EOT  (q)uit (p)Digits (k)ill /Regexp -->';
                _ -> '(c)ontinue (q)uit (p)Digits (k)ill /Regexp -->'
            end,
    case io:get_line(Ahead) of
        eof -> ok;
        "q\n" -> ok;
        "k\n" -> ets:delete(Tab), ok;
        Word when Word =:= "c\n"; Word =:= "\n" ->
            case more(Left) of
                none -> ask(Left, Number, Page);
                {Objects, Rest} -> show_objects(Objects, Rest, Number, 1, Page)
            end;
        "p" ++ Digits ->
            try list_to_integer(string:trim(Digits, trailing, "\n")) of
                N -> show_one(All, N)
            catch
                error:badarg -> io:put_chars("Bad digits\n")
            end,
            ask(Left, Number, Page);
        "/" ++ Pattern ->
            case re:compile(string:trim(Pattern, trailing, "\n"), [unicode]) of
                {ok, Compiled} ->
                    Found = [Object || Object <- objects(All),
                                       re:run(io_lib:format("~tp", [Object]), Compiled, [{capture, none}]) =:= match],
                    show(Found, 1, {Tab, Found, Height, Width});
                {error, {Why, _}} ->
                    io:format("~ts~n", [Why]),
                    ask(Left, Number, Page)
            end;
        _ -> ask(Left, Number, Page)
    end.

show_one(All, N) ->
    case N > 0 andalso lists:nthtail(min(N - 1, length(objects(All))), objects(All)) of
        [Object | _] -> io:format("~tp~n", [Object]);
        _ -> ok
    end.

objects(Left) ->
    case more(Left) of
        none -> [];
        {Objects, Rest} -> Objects ++ objects(Rest)
    end.

%% ---- tables in files --------------------------------------------------------------------------------------------------------------------------

%% A file is a log as OTP's `disk_log` writes it: a head, and for each term its size, a magic number and its bytes. The first term tells of
%% the table; one at the end, where it is asked for, how many objects there are and their checksum.
-define(HEAD, <<1, 2, 3, 4, 99, 88, 77, 11>>).
-define(MAGIC, <<98, 87, 76, 65>>).
%% From this size on the size itself has a checksum.
-define(LARGE, 65528).

tab2file(Tab, File) -> tab2file(Tab, File, []).
tab2file(Tab, File, Options) ->
    try
        Info = parse_ft_options(Options),
        Name = file_name(File),
        _ = file:delete(Name),
        file:read_file_info(Name) =:= {error, enoent} orelse throw(eaccess),
        written(Tab, Name, Info)
    catch
        throw:Reason -> {error, Reason}
    end.

written(Tab, Name, Info) ->
    About = case ets:info(Tab) of
        undefined -> throw(badtab);
        Known -> Known
    end,
    Head = list_to_tuple(About ++ [{major_version, 1}, {minor_version, 0}, {extended_info, Info}]),
    Objects = ets:tab2list(Tab),
    Terms = [term_to_binary(Term) || Term <- [Head | Objects]],
    Last = [{count, length(Objects)} || lists:member(object_count, Info)] ++ [{md5, erlang:md5(Terms)} || lists:member(md5sum, Info)],
    End = [term_to_binary(['$end_of_table', Last]) || Last =/= []],
    case file:write_file(Name, [?HEAD | [logged(Term) || Term <- Terms ++ End]]) of
        ok -> ok;
        {error, Reason} -> throw({file_error, Name, Reason})
    end.

logged(Bytes) when byte_size(Bytes) < ?LARGE -> [<<(byte_size(Bytes)):32>>, ?MAGIC, Bytes];
logged(Bytes) ->
    Size = <<(byte_size(Bytes)):32>>,
    [Size, ?MAGIC, erlang:md5(Size), Bytes].

parse_ft_options(Options) when is_list(Options) -> to_options(Options, none).

to_options([], none) -> [];
to_options([], Info) -> [What || What <- [object_count, md5sum], lists:member(What, Info)];
to_options([{sync, Sync} | Options], Info) when is_boolean(Sync) -> to_options(Options, Info);
to_options([{extended_info, More} | Options], none) -> to_options(Options, extended(More));
to_options([Option | _], _) -> throw({unknown_option, Option});
to_options(Options, _) -> throw({malformed_option, Options}).

extended([What | More]) when What =:= object_count; What =:= md5sum -> [What | extended(More)];
extended([]) -> [];
extended([What | _]) -> throw({unknown_option, [{extended_info, [What]}]});
extended(More) -> throw({malformed_option, More}).

file_name(File) when is_list(File); is_atom(File) -> filename:flatten(File);
file_name(File) -> throw({badarg, file, File}).

file2tab(File) -> file2tab(File, []).
file2tab(File, Options) ->
    try
        {Verify, Target} = from_options(Options, false, new),
        {Head, Info, [HeadBytes | Rest]} = read_tabfile(File),
        proplists:get_value(major_version, Head, 0) > 1 andalso throw({unsupported_file_version, {2, 0}}),
        Tab = case Target of
            new -> made(Head);
            {table, Given} -> Given
        end,
        Terms = [binary_to_term(Bytes) || Bytes <- Rest],
        {Objects, Last} = case Terms =/= [] andalso lists:last(Terms) of
            ['$end_of_table', End] -> {lists:droplast(Terms), End};
            _ -> {Terms, none}
        end,
        ets:insert(Tab, Objects),
        try
            Verify andalso verify(Info, Head, Objects, Last, [HeadBytes | lists:sublist(Rest, length(Objects))]),
            {ok, Tab}
        catch
            throw:Bad ->
                ets:delete(Tab),
                throw(Bad)
        end
    catch
        throw:Reason -> {error, Reason}
    end.

verify([], Head, Objects, _, _) -> proplists:get_value(size, Head) =:= length(Objects) orelse throw(invalid_object_count);
verify(_, _, _, none, _) -> throw(badfile);
verify(Info, Head, Objects, Last, Bytes) ->
    lists:member({md5, erlang:md5(Bytes)}, Last) orelse not lists:member(md5sum, Info) orelse throw(checksum_error),
    Count = case lists:member(object_count, Info) of
        true -> proplists:get_value(count, Last);
        false -> length(Objects)
    end,
    Count =:= length(Objects) andalso proplists:get_value(size, Head) =:= Count orelse throw(invalid_object_count).

from_options([], Verify, Target) -> {Verify, Target};
from_options([{verify, true} | Options], _, Target) -> from_options(Options, true, Target);
from_options([{verify, false} | Options], Verify, Target) -> from_options(Options, Verify, Target);
from_options([{table, Tab} | Options], Verify, new) -> from_options(Options, Verify, {table, Tab});
from_options([Option | _], _, _) -> throw({unknown_option, Option});
from_options(Options, _, _) -> throw({malformed_option, Options}).

made(Head) ->
    [Name, Type, Protection, KeyPos, Named] = [proplists:get_value(Key, Head) || Key <- [name, type, protection, keypos, named_table]],
    try ets:new(Name, [Type, Protection, {keypos, KeyPos} | [named_table || Named]])
    catch _:_ -> throw(cannot_create_table)
    end.

%% What the head tells, what it says of the end, and the bytes of all terms.
read_tabfile(File) ->
    Name = file_name(File),
    case file:read_file(Name) of
        {ok, <<1, 2, 3, 4, _:4/binary, Bytes/binary>>} ->
            [HeadBytes | _] = Terms = terms(Bytes),
            Head = tuple_to_list(binary_to_term(HeadBytes)),
            Needed = [name, type, protection, named_table, keypos, size],
            lists:all(fun(Key) -> lists:keymember(Key, 1, Head) end, Needed) orelse throw(badfile),
            {Head, proplists:get_value(extended_info, Head, []), Terms};
        {ok, _} -> throw({read_error, {not_a_log_file, Name}});
        {error, Reason} -> throw({read_error, {file_error, Name, Reason}})
    end.

terms(<<Size:32, 98, 87, 76, 65, Bytes:Size/binary, Rest/binary>>) when Size < ?LARGE -> [Bytes | terms(Rest)];
terms(<<Size:32, 98, 87, 76, 65, _:16/binary, Bytes:Size/binary, Rest/binary>>) -> [Bytes | terms(Rest)];
terms(<<>>) -> [];
terms(_) -> throw(badfile).

tabfile_info(File) ->
    try
        {Head, Info, _} = read_tabfile(File),
        [Major, Minor] = [proplists:get_value(Key, Head, 0) || Key <- [major_version, minor_version]],
        {ok, [lists:keyfind(Key, 1, Head) || Key <- [name, type, protection, named_table, keypos, size]] ++
             [{extended_info, Info}, {version, {Major, Minor}}]}
    catch
        throw:Reason -> {error, Reason}
    end.
