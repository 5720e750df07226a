%% The module `file`. Whole files and the file system go through the outside's door; an open file is a process, `file_io_server`.
-module(file).
-export([format_error/1, get_cwd/0, get_cwd/1, set_cwd/1, delete/1, delete/2, rename/2, make_dir/1, del_dir/1, del_dir_r/1, list_dir/1, list_dir_all/1,
         read_file_info/1, read_file_info/2, read_link_info/1, read_link_info/2, read_link/1, read_link_all/1, make_link/2, make_symlink/2,
         change_mode/2, read_file/1, write_file/2, write_file/3, native_name_encoding/0]).
-if(?OTP_RELEASE >= 27).
-export([read_file/2]).
-endif.
-if(?OTP_RELEASE < 27).
-export([pid2name/1]).
-endif.
-export([open/2, close/1, read/2, read_line/1, write/2, pread/2, pread/3, pwrite/2, pwrite/3, position/2, truncate/1, sync/1, datasync/1, advise/4, allocate/3,
         copy/2, copy/3, ipread_s32bu_p32bu/3, write_file_info/2, write_file_info/3, change_owner/2, change_owner/3, change_group/2,
         change_time/2, change_time/3]).
-export(['$ipread'/3]).
-export([consult/1, path_consult/2, path_open/3, eval/1, eval/2, path_eval/2, path_eval/3, script/1, script/2, path_script/2, path_script/3]).

-define(NAMED(Name, Text, Then), case name(Name) of error -> {error, badarg}; <<>> -> {error, enoent}; Text -> Then end).

%% A file name as UTF-8, or `error`.
name(Name) ->
    try flat(Name) of
        Chars ->
            case unicode:characters_to_binary(Chars) of
                Text when is_binary(Text) ->
                    case binary:match(Text, <<0>>) of
                        nomatch -> Text;
                        _ -> error
                    end;
                _ -> error
            end
    catch
        error:_ -> error
    end.

flat(Name) when is_atom(Name) -> atom_to_list(Name);
flat(Name) when is_binary(Name) -> Name;
flat([]) -> [];
flat([C | Rest]) when is_integer(C) -> [C | flat(Rest)];
flat([Part | Rest]) -> [flat(Part) | flat(Rest)].

listed({ok, Name}) -> {ok, unicode:characters_to_list(Name)};
listed(Error) -> Error.

native_name_encoding() -> utf8.

get_cwd() -> listed(erlang:'$file'(cwd, <<>>, none)).
get_cwd(_) -> {error, enotsup}.
set_cwd(Name) -> ?NAMED(Name, Text, enter(Text)).

%% The folder in which the run began is kept: paths of sources are relative to it.
enter(Dir) ->
    First = case erlang:'$env_get'('$code', first_dir) of
        undefined -> erlang:'$file'(cwd, <<>>, none);
        {ok, _} -> kept
    end,
    Entered = erlang:'$file'(set_cwd, Dir, none),
    case {Entered, First} of
        {ok, {ok, Here}} -> _ = erlang:'$env_set'('$code', first_dir, Here);
        _ -> ok
    end,
    Entered.

delete(Name) -> ?NAMED(Name, Text, erlang:'$file'(delete, Text, none)).
delete(Name, Options) when is_list(Options) -> delete(Name).
make_dir(Name) -> ?NAMED(Name, Text, erlang:'$file'(make_dir, Text, none)).
del_dir(Name) -> ?NAMED(Name, Text, erlang:'$file'(del_dir, Text, none)).

rename("/", _) -> {error, einval};
rename(From, To) -> two(rename, From, To).
make_link(From, To) -> two(make_link, From, To).
make_symlink(From, To) -> two(make_symlink, From, To).

two(Operation, From, To) -> ?NAMED(From, Text, ?NAMED(To, Other, erlang:'$file'(Operation, Text, Other))).

%% Everything below a directory, then the directory.
del_dir_r(Name) ->
    case read_link_info(Name) of
        {ok, Info} when element(3, Info) =:= directory ->
            case list_dir_all(Name) of
                {ok, Names} -> lists:foreach(fun(N) -> del_dir_r(filename:join(Name, N)) end, Names);
                {error, _} -> ok
            end,
            del_dir(Name);
        {ok, _} -> delete(Name);
        Error -> Error
    end.

list_dir(Name) ->
    case ?NAMED(Name, Text, erlang:'$file'(list, Text, none)) of
        {ok, Names} -> {ok, [unicode:characters_to_list(N) || N <- Names]};
        {error, enoent} = Error -> or_unbuilt(Error, retell_unbuilt:list(unicode:characters_to_list(flat(Name))));
        Error -> Error
    end.

%% What no build has made may be asked for as if it had.
or_unbuilt(Error, none) -> Error;
or_unbuilt(_, Found) -> Found.
list_dir_all(Name) -> list_dir(Name).

read_link(Name) -> listed(?NAMED(Name, Text, erlang:'$file'(read_link, Text, none))).
read_link_all(Name) -> read_link(Name).

read_file_info(Name) -> read_file_info(Name, []).
read_file_info(File, Options) when is_pid(File); is_tuple(File) -> info_of(call(File, info), Options);
read_file_info(Name, Options) -> info(info, Name, Options).
read_link_info(Name) -> read_link_info(Name, []).
read_link_info(Name, Options) -> info(link_info, Name, Options).

info(Operation, Name, Options) ->
    info_of(?NAMED(Name, Text, case erlang:'$file'(Operation, Text, none) of
                                   {error, enoent} = Error -> or_unbuilt(Error, retell_unbuilt:info(Text));
                                   Found -> Found
                               end), Options).

info_of({ok, {Size, Type, Access, Atime, Mtime, Ctime, Mode, Links, Device, Inode, Uid, Gid}}, Options) ->
    case proplists:get_value(time, Options, local) of
        Form when Form =:= local; Form =:= universal; Form =:= posix ->
            [A, M, C] = [time(T, Form) || T <- [Atime, Mtime, Ctime]],
            {ok, {file_info, Size, Type, Access, A, M, C, Mode, Links, Device, 0, Inode, Uid, Gid}};
        _ -> {error, badarg}
    end;
info_of(Error, _) -> Error.

time(Seconds, posix) -> Seconds;
time(Seconds, universal) -> calendar:system_time_to_universal_time(Seconds, second);
time(Seconds, local) -> erlang:universaltime_to_localtime(time(Seconds, universal)).

%% What is undefined stays as it is; but an undefined time of access is now, and one of the last change is that of access.
write_file_info(Name, Info) -> write_file_info(Name, Info, []).
write_file_info(Name, {file_info, _, _, _, Atime, Mtime, _, Mode, _, _, _, _, Uid, Gid}, Options) ->
    Form = proplists:get_value(time, Options, local),
    try {number(Uid), number(Gid), number(Mode), times(Atime, Mtime, Form)} of
        {User, Group, Bits, Times} ->
            ?NAMED(Name, Text,
                   first_error([fun() -> set_owner(Text, User, Group) end,
                                fun() -> Bits =:= undefined orelse erlang:'$file'(set_mode, Text, Bits band 8#7777) end,
                                fun() -> Times =:= undefined orelse erlang:'$file'(set_times, Text, Times) end]))
    catch
        error:_ -> {error, badarg}
    end;
write_file_info(_, _, _) -> {error, badarg}.

number(undefined) -> undefined;
number(N) when is_integer(N) -> N.

set_owner(_, undefined, undefined) -> ok;
set_owner(Text, User, Group) ->
    Given = [case Id of undefined -> "-"; _ -> integer_to_list(Id) end || Id <- [User, Group]],
    erlang:'$file'(set_owner, Text, list_to_binary(lists:join(" ", Given))).

times(undefined, undefined, _) -> undefined;
times(undefined, Mtime, Form) -> times(now_as(Form), Mtime, Form);
times(Atime, undefined, Form) -> times(Atime, Atime, Form);
times(Atime, Mtime, Form) -> iolist_to_binary([integer_to_list(seconds(Atime, Form)), " ", integer_to_list(seconds(Mtime, Form))]).

now_as(posix) -> erlang:system_time(second);
now_as(universal) -> erlang:universaltime();
now_as(local) -> erlang:localtime().

seconds(Seconds, posix) when is_integer(Seconds) -> Seconds;
seconds(Time, universal) -> erlang:universaltime_to_posixtime(Time);
seconds(Time, local) -> erlang:universaltime_to_posixtime(erlang:localtime_to_universaltime(Time)).

first_error([Step | Steps]) ->
    case Step() of
        {error, _} = Error -> Error;
        _ -> first_error(Steps)
    end;
first_error([]) -> ok.

change_owner(Name, User) when is_integer(User) -> write_file_info(Name, setelement(13, blank(), User)).
change_owner(Name, User, Group) when is_integer(User), is_integer(Group) ->
    write_file_info(Name, setelement(14, setelement(13, blank(), User), Group)).
change_group(Name, Group) when is_integer(Group) -> write_file_info(Name, setelement(14, blank(), Group)).
change_time(Name, {{_, _, _}, {_, _, _}} = Time) -> change_time(Name, Time, Time).
change_time(Name, {{_, _, _}, {_, _, _}} = Atime, {{_, _, _}, {_, _, _}} = Mtime) ->
    write_file_info(Name, setelement(6, setelement(5, blank(), Atime), Mtime)).

blank() -> erlang:make_tuple(14, undefined, [{1, file_info}]).

change_mode(Name, Mode) when is_integer(Mode) -> ?NAMED(Name, Text, erlang:'$file'(set_mode, Text, Mode)).

read_file(Name) ->
    ?NAMED(Name, Text, case erlang:'$read_file'(Text) of
                           {error, enoent} = Error -> or_unbuilt(Error, retell_unbuilt:object(Text));
                           Read -> Read
                       end).

%% Nothing stands between here, so what is raw is as all else.
read_file(Name, Options) when is_list(Options) -> read_file(Name).

write_file(Name, Bytes) -> write_file(Name, Bytes, []).

write_file(Name, Bytes, Modes) when is_list(Modes) ->
    try iolist_to_binary(Bytes) of
        Binary ->
            case name(Name) of
                error -> {error, badarg};
                Text ->
                    case lists:member(exclusive, Modes) andalso erlang:'$file'(info, Text, none) of
                        {ok, _} -> {error, eexist};
                        _ -> erlang:'$write_file'(Text, Binary, lists:member(append, Modes))
                    end
            end
    catch
        error:badarg -> {error, badarg}
    end.

%% ---- open files -----------------------------------------------------------------------------------------------------------------------

%% Where it is opened `raw`, the process is wrapped, so that `io` does not take it.
open(Name, Modes) when is_list(Modes) ->
    case lists:member(ram, Modes) of
        true ->
            lists:member(raw, Modes) andalso erlang:error(badarg, [Name, Modes]),
            ram_file:open(Name, Modes);
        false -> open_named(Name, Modes)
    end;
open(Name, read_write) -> open(Name, [read, write]);
open(Name, Mode) when Mode =:= read; Mode =:= write; Mode =:= append; Mode =:= raw; Mode =:= binary; Mode =:= exclusive -> open(Name, [Mode]);
open(Name, {binary, Mode}) when Mode =:= read; Mode =:= write -> open(Name, [binary, Mode]);
open(Name, {binary, read_write}) -> open(Name, [binary, read, write]);
open(Name, {character, Mode}) when is_atom(Mode) -> open(Name, Mode);
open(_, _) -> {error, badarg}.

open_named(Name, Modes) ->
    case name(Name) of
        error -> {error, badarg};
        <<>> -> {error, enoent};
        Text ->
            case file_io_server:start(self(), Text, Modes) of
                {ok, Pid} ->
                    case lists:member(raw, Modes) of
                        true -> {ok, {file_descriptor, file_io_server, #{owner => self(), handle => Pid}}};
                        false -> {ok, Pid}
                    end;
                Error -> Error
            end
    end.

close({file_descriptor, ram_file, _} = File) -> ram_file:close(File);
close(File) ->
    case call(File, close) of
        {error, terminated} -> ok;
        Answer -> Answer
    end.

%% Whoever speaks the I/O protocol can stand for a file.
-define(is_device(File), (is_pid(File) orelse is_atom(File))).

read(Device, Size) when ?is_device(Device), is_integer(Size), Size >= 0 -> of_device(io:request(Device, {get_chars, latin1, '', Size}));
read({file_descriptor, ram_file, _} = File, Size) -> ram_file:read(File, Size);
read({file_descriptor, _, _} = File, Size) when is_integer(Size), Size >= 0 -> call(File, {read, Size});
read(_, _) -> {error, badarg}.

read_line(Device) when ?is_device(Device) -> of_device(io:request(Device, {get_line, latin1, ''}));
read_line({file_descriptor, ram_file, _} = File) -> ram_file:'$read_line'(File);
read_line(File) -> call(File, read_line).

of_device(Data) when is_list(Data); is_binary(Data) -> {ok, Data};
of_device(Other) -> Other.

write(File, Bytes) ->
    try iolist_to_binary(Bytes) of
        Binary when ?is_device(File) -> io:request(File, {put_chars, latin1, Binary});
        Binary -> call(File, {write, Binary})
    catch
        error:badarg -> {error, badarg}
    end.
pread({file_descriptor, ram_file, _} = File, At, Size) -> ram_file:pread(File, At, Size);
pread(File, At, Size) when is_integer(Size), Size >= 0 -> call(File, {pread, At, Size});
pread(_, _, _) -> {error, badarg}.
pread(File, Parts) -> pread_all(File, Parts, []).

pread_all(_, [], Read) -> {ok, lists:reverse(Read)};
pread_all(File, [{At, Size} | Parts], Read) ->
    case pread(File, At, Size) of
        {ok, Data} -> pread_all(File, Parts, [Data | Read]);
        eof -> pread_all(File, Parts, [eof | Read]);
        Error -> Error
    end;
pread_all(_, _, _) -> {error, badarg}.

pwrite({file_descriptor, ram_file, _} = File, At, Bytes) -> ram_file:pwrite(File, At, Bytes);
pwrite(File, At, Bytes) ->
    try iolist_to_binary(Bytes) of
        Binary -> call(File, {pwrite, At, Binary})
    catch
        error:badarg -> {error, badarg}
    end.
pwrite(File, Parts) -> pwrite_all(File, Parts, 0).

pwrite_all(_, [], _) -> ok;
pwrite_all(File, [{At, Bytes} | Parts], Done) ->
    case pwrite(File, At, Bytes) of
        ok -> pwrite_all(File, Parts, Done + 1);
        {error, Reason} -> {error, {Done, Reason}}
    end;
pwrite_all(_, _, _) -> {error, badarg}.

position(File, Where) -> call(File, {position, Where}).
truncate(File) -> call(File, truncate).
sync(File) -> call(File, sync).
datasync(File) -> call(File, sync).

advise(File, At, Size, Advice) ->
    case lists:member(Advice, [normal, random, sequential, will_need, dont_need, no_reuse]) of
        true when is_integer(At), is_integer(Size) -> call(File, sync);
        true -> {error, badarg};
        false -> {error, einval}
    end.

%% A block that its header tells of: its size and where it is, 32 bits each.
ipread_s32bu_p32bu({file_descriptor, ram_file, _} = File, At, Most) -> ram_file:ipread_s32bu_p32bu(File, At, Most);
ipread_s32bu_p32bu(File, At, infinity) -> ipread_s32bu_p32bu(File, At, (1 bsl 31) - 1);
ipread_s32bu_p32bu(File, At, Most) when is_integer(At), is_integer(Most), Most >= 0, Most < 1 bsl 31 ->
    '$ipread'(pread(File, At, 8), Most, fun(There, Size) -> pread(File, There, Size) end);
ipread_s32bu_p32bu(_, _, _) -> {error, badarg}.

'$ipread'({ok, Header}, Most, Read) ->
    case iolist_to_binary(Header) of
        <<Size:32, At:32>> when Size =< Most ->
            case Size > 0 andalso Read(At, Size) of
                {ok, Data} -> {ok, {Size, At, Data}};
                {error, _} = Error -> Error;
                _ -> {ok, {Size, At, eof}}
            end;
        _ -> eof
    end;
'$ipread'(Other, _, _) -> Other.

allocate(File, At, Size) when is_pid(File); is_tuple(File), element(1, File) =:= file_descriptor -> call(File, {allocate, At, Size}).

call({file_descriptor, ram_file, _} = File, Request) -> ram_file:'$call'(File, Request);
%% A raw file is of the process that has opened it.
call({file_descriptor, file_io_server, #{owner := Owner, handle := Pid}}, Request) ->
    Owner =:= self() orelse erlang:error(not_on_controlling_process),
    case call(Pid, Request) of
        {error, terminated} -> {error, einval};
        Answer -> Answer
    end;
call(Pid, Request) when is_pid(Pid) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! {file_request, self(), Ref, Request},
    receive
        {file_reply, Ref, Reply} ->
            erlang:demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, _, _, _} -> {error, terminated}
    end;
call(_, _) -> {error, badarg}.

%% Only the process of a file knows the answer; another one might never give any.
pid2name(Pid) when is_pid(Pid) ->
    case process_info(Pid, initial_call) of
        {_, {file_io_server, '$init', _}} ->
            case call(Pid, name) of
                {ok, Name} -> {ok, unicode:characters_to_list(Name)};
                _ -> undefined
            end;
        _ -> undefined
    end.

copy(Source, Destination) -> copy(Source, Destination, infinity).
copy(Source, Destination, Count) ->
    case contents(Source, Count) of
        {ok, Bytes} ->
            Written = case is_file(Destination) of
                true -> write(Destination, Bytes);
                false ->
                    case Destination of
                        {Name, Modes} -> write_file(Name, Bytes, Modes);
                        Name -> write_file(Name, Bytes)
                    end
            end,
            case Written of
                ok -> {ok, byte_size(Bytes)};
                Error -> Error
            end;
        Error -> Error
    end.

is_file(F) -> is_pid(F) orelse is_tuple(F) andalso element(1, F) =:= file_descriptor.

contents(Source, Count) ->
    Read = case is_file(Source) of
        true ->
            case read(Source, case Count of infinity -> 1 bsl 58; _ -> Count end) of
                eof -> {ok, <<>>};
                {ok, Data} -> {ok, iolist_to_binary(Data)};
                Error -> Error
            end;
        false -> read_file(case Source of {Name, _} -> Name; Name -> Name end)
    end,
    case Read of
        {ok, Bytes} when is_integer(Count), byte_size(Bytes) > Count -> {ok, binary:part(Bytes, 0, Count)};
        _ -> Read
    end.

%% ---- terms and expressions ------------------------------------------------------------------------------------------------------------

consult(Name) -> parsed(Name, fun erl_parse:parse_term/1, fun(Term, _, Terms) -> [Term | Terms] end, [], fun(Terms, _) -> {ok, lists:reverse(Terms)} end).

%% Every full stop ends a term or a sequence of expressions.
parsed(Name, Parse, Fold, Acc, Finish) ->
    case read_file(Name) of
        {ok, Bytes} ->
            case unicode:characters_to_list(Bytes, encoding(Bytes)) of
                Chars when is_list(Chars) -> parts(Chars, 1, Parse, Fold, Acc, Finish);
                _ -> {error, {1, file_io_server, invalid_unicode}}
            end;
        Error -> Error
    end.

encoding(Bytes) ->
    Head = binary:part(Bytes, 0, min(byte_size(Bytes), 400)),
    case re:run(Head, "^([^\n]*\n)?[^\n]*coding[:=]\\s*([-\\w]+)", [{capture, [2], list}]) of
        {match, [Name]} ->
            case string:lowercase(Name) of
                "latin-1" -> latin1;
                _ -> utf8
            end;
        nomatch -> utf8
    end.

parts(Chars, Line, Parse, Fold, Acc, Finish) ->
    case erl_scan:tokens([], Chars, Line) of
        {done, Result, Rest} -> part(Result, Rest, Parse, Fold, Acc, Finish);
        {more, Continuation} ->
            {done, Result, Rest} = erl_scan:tokens(Continuation, eof, Line),
            part(Result, Rest, Parse, Fold, Acc, Finish)
    end.

part({ok, Tokens, Next}, Rest, Parse, Fold, Acc, Finish) ->
    case Parse(Tokens) of
        {ok, Value} ->
            case Rest of
                eof -> Finish(Fold(Value, Next, Acc), Next);
                _ -> parts(Rest, Next, Parse, Fold, Fold(Value, Next, Acc), Finish)
            end;
        {error, Why} -> {error, Why}
    end;
part({eof, Line}, _, _, _, Acc, Finish) -> Finish(Acc, Line);
part({error, Why, _}, _, _, _, _, _) -> {error, Why}.

eval(Name) -> eval(Name, erl_eval:new_bindings()).
eval(Name, Bindings) ->
    case script(Name, Bindings) of
        {error, {_, ?MODULE, undefined_script}} -> ok;
        {ok, _} -> ok;
        Error -> Error
    end.

%% What comes after a failure is evaluated all the same.
script(Name) -> script(Name, erl_eval:new_bindings()).
script(Name, Bindings) ->
    Run = fun(Exprs, Line, {Last, Bs, Error}) ->
        try erl_eval:exprs(Exprs, Bs) of
            {value, Value, Next} -> {{Value}, Next, Error}
        catch
            Class:Reason:Stack when Error =:= none -> {Last, Bs, {Line, ?MODULE, {Class, Reason, Stack}}};
            _:_ -> {Last, Bs, Error}
        end
    end,
    Finish = fun
        ({_, _, Error}, _) when Error =/= none -> {error, Error};
        ({{Value}, _, none}, _) -> {ok, Value};
        ({undefined, _, none}, Line) -> {error, {Line, ?MODULE, undefined_script}}
    end,
    parsed(Name, fun erl_parse:parse_exprs/1, Run, {undefined, Bindings, none}, Finish).

path_consult(Path, Name) -> in_path(Path, Name, fun consult/1).
path_eval(Path, Name) -> path_eval(Path, Name, erl_eval:new_bindings()).
path_eval(Path, Name, Bindings) ->
    case in_path(Path, Name, fun(Full) -> case eval(Full, Bindings) of ok -> {ok, done}; Error -> Error end end) of
        {ok, done, Full} -> {ok, Full};
        Error -> Error
    end.
path_script(Path, Name) -> path_script(Path, Name, erl_eval:new_bindings()).
path_script(Path, Name, Bindings) -> in_path(Path, Name, fun(Full) -> script(Full, Bindings) end).
path_open(Path, Name, Modes) -> in_path(Path, Name, fun(Full) -> open(Full, Modes) end).

in_path([Dir | Path], Name, Use) ->
    Full = case Dir of
        "." -> Name;
        _ -> filename:join(Dir, Name)
    end,
    case Use(Full) of
        {ok, Value} -> {ok, Value, Full};
        {error, Reason} when Reason =:= enoent; Reason =:= enotdir -> in_path(Path, Name, Use);
        Error -> Error
    end;
in_path([], _, _) -> {error, enoent};
in_path(_, _, _) -> {error, badarg}.

%% ---- texts ----------------------------------------------------------------------------------------------------------------------------

format_error({_, ?MODULE, undefined_script}) -> "no value returned from script";
format_error({Line, ?MODULE, {Class, Reason, Stack}}) ->
    io_lib:format("~w: evaluation failed with reason ~w:~w and stacktrace ~w", [Line, Class, Reason, Stack]);
format_error({Line, ?MODULE, {Reason, Stack}}) ->
    io_lib:format("~w: evaluation failed with reason ~w and stacktrace ~w", [Line, Reason, Stack]);
format_error({Line, Module, Reason}) -> io_lib:format("~w: ~ts", [Line, Module:format_error(Reason)]);
format_error(badarg) -> "bad argument";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error(terminated) -> "the file server process is terminated";
format_error(Posix) -> erl_posix_msg:message(Posix).
