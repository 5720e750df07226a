%% file: whole files, through the outside's door. What needs a file descriptor is not supported.
-module(file).
-export([read_file/1, write_file/2, write_file/3, consult/1, get_cwd/0, format_error/1]).

read_file(Name) ->
    erlang:'$read_file'(name(Name)).

write_file(Name, Bytes) ->
    write_file(Name, Bytes, []).

write_file(Name, Bytes, Modes) ->
    try iolist_to_binary(Bytes) of
        Binary -> erlang:'$write_file'(name(Name), Binary, lists:member(append, Modes))
    catch
        error:badarg -> {error, badarg}
    end.

consult(Name) ->
    case read_file(Name) of
        {ok, Bin} ->
            case unicode:characters_to_list(Bin) of
                Chars when is_list(Chars) -> terms(Chars, 1, []);
                _ -> {error, {1, file_io_server, invalid_unicode}}
            end;
        Error -> Error
    end.

terms(Chars, Line, Acc) ->
    case erl_scan:tokens([], Chars, Line) of
        {done, {ok, Tokens, Next}, Rest} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> terms(Rest, Next, [Term | Acc]);
                {error, Why} -> {error, Why}
            end;
        {done, {eof, _}, _} -> {ok, lists:reverse(Acc)};
        {done, {error, Why, _}, _} -> {error, Why};
        {more, Continuation} ->
            case erl_scan:tokens(Continuation, eof, Line) of
                {done, {eof, _}, _} -> {ok, lists:reverse(Acc)};
                {done, {ok, _, Last}, _} -> {error, {Last, erl_parse, ["syntax error before: ", []]}};
                {done, {error, Why, _}, _} -> {error, Why}
            end
    end.

get_cwd() ->
    case os:getenv("PWD") of
        false -> {error, enoent};
        Dir -> {ok, Dir}
    end.

format_error(enoent) -> "no such file or directory";
format_error(eacces) -> "permission denied";
format_error(eisdir) -> "illegal operation on a directory";
format_error(enotdir) -> "not a directory";
format_error(enospc) -> "no space left on device";
format_error(badarg) -> "bad argument";
format_error(Other) -> lists:flatten(io_lib:format("~w", [Other])).

name(Name) when is_atom(Name) -> atom_to_list(Name);
name(Name) when is_binary(Name) -> Name;
name(Name) when is_list(Name) -> lists:flatten(Name);
name(Name) -> error(badarg, [Name]).
