%% The module `io`. Output ends in erlang:'$put_chars'(Device | '$own', Utf8Binary), '$own' being the caller's group leader: the system
%% writes it, or answers `protocol` where the device is
%% a process of the program; then the I/O protocol is spoken with that process. Input comes from erlang:'$get_line'(Prompt); what was read
%% and not used goes back by erlang:'$unread'(Binary).
-module(io).
-export([put_chars/1, put_chars/2, nl/0, nl/1, write/1, write/2, format/1, format/2, format/3, fwrite/1, fwrite/2, fwrite/3]).
-export([get_line/1, get_line/2, get_chars/2, get_chars/3, fread/2, fread/3, columns/0, columns/1, rows/0, rows/1]).
-export([read/1, read/2, read/3, read/4, scan_erl_exprs/1, scan_erl_exprs/2, scan_erl_exprs/3, scan_erl_exprs/4, parse_erl_exprs/1, parse_erl_exprs/2,
         parse_erl_exprs/3, parse_erl_exprs/4, scan_erl_form/1, scan_erl_form/2, scan_erl_form/3, scan_erl_form/4]).
-export([parse_erl_form/1, parse_erl_form/2, parse_erl_form/3, parse_erl_form/4, get_password/0, get_password/1]).
-export([getopts/0, getopts/1, setopts/1, setopts/2, request/1, request/2, requests/1, requests/2]).

%% The frame on top of the stack is that of the function called, with its arguments.
-define(OUT(Args, Result),
        case Result of
            {error, Reason, Cause} ->
                erlang:error(Reason, Args, [{error_info, #{cause => Cause, module => erl_stdlib_errors}}]);
            Ok -> Ok
        end).

%% The same for a given device; what is neither a process nor a name is refused by the clauses of request/3, below that frame.
-define(OUT_TO(Device, Args, Request, Result),
        case Result of
            no_device -> ok = request(Device, Request, make_ref());
            Answer -> ?OUT([Device | Args], Answer)
        end).

put_chars(Chars) -> ?OUT([Chars], put_chardata('$own', Chars)).
put_chars(Device, Chars) -> ?OUT_TO(Device, [Chars], {put_chars, unicode, Chars}, put_chardata(Device, Chars)).

nl() -> ?OUT([], put_text('$own', <<"\n">>, nl)).
nl(Device) -> ?OUT_TO(Device, [], nl, put_text(Device, <<"\n">>, nl)).

write(Term) -> ?OUT([Term], put_term('$own', Term)).
write(Device, Term) -> ?OUT_TO(Device, [Term], {write, Term}, put_term(Device, Term)).

format(Format) -> ?OUT([Format], put_format('$own', Format, [])).
format(Format, Args) -> ?OUT([Format, Args], put_format('$own', Format, Args)).
format(Device, Format, Args) -> ?OUT_TO(Device, [Format, Args], {format, Format, Args}, put_format(Device, Format, Args)).

fwrite(Format) -> ?OUT([Format], put_format('$own', Format, [])).
fwrite(Format, Args) -> ?OUT([Format, Args], put_format('$own', Format, Args)).
fwrite(Device, Format, Args) -> ?OUT_TO(Device, [Format, Args], {format, Format, Args}, put_format(Device, Format, Args)).

put_chardata(Device, Chars) ->
    case io_lib:'$chars'(Chars) of
        error -> put_text(Device, error, {put_chars, unicode, Chars});
        Text -> put_text(Device, Text, {put_chars, unicode, Text})
    end.

put_term(Device, Term) -> put_text(Device, io_lib:'$text'("~w", [Term]), {put_chars, unicode, io_lib, write, [Term]}).

put_format(Device, Format, Args) ->
    put_text(Device, io_lib:'$text'(Format, Args), {put_chars, unicode, io_lib, format, [Format, Args]}).

put_text(Device, Text, Request) ->
    case put_text(Device, Text) of
        ok when Text =:= error -> {error, badarg, {device, put_chars}};
        ok -> ok;
        protocol -> put_request(Device, Request);
        {protocol, Leader} -> put_request(Leader, Request);
        arguments when is_atom(Device) -> {error, badarg, {io, arguments}};
        arguments -> no_device
    end.

put_request(Device, Request) ->
    case request(Device, Request, '$io') of
        {'$io', Reason} -> {error, reason(Reason), {io, Reason}};
        {error, Reason} -> {error, reason(Reason), {device, Reason}};
        Other -> Other
    end.

%% Characters that cannot be written are found after a device that does not exist.
put_text(standard_io, Text) -> put_text('$own', Text);
put_text('$own', error) -> device(group_leader());
put_text(Device, error) -> device(Device);
put_text(Device, Text) ->
    try erlang:'$put_chars'(Device, Text)
    catch error:badarg -> arguments
    end.

device(standard_io) -> device(group_leader());
device(user) -> erlang:'$device'(whereis(user));
device(Device) ->
    try erlang:'$device'(Device)
    catch error:badarg -> arguments
    end.

reason(terminated) -> terminated;
reason(calling_self) -> calling_self;
reason({no_translation, _, _}) -> no_translation;
reason(_) -> badarg.

%% ---- the I/O protocol -----------------------------------------------------------------------------------------------------------------

request(Request) -> request(group_leader(), Request).
request(Device, Request) -> request(Device, Request, error).

%% What is asked of the system's own device for input is read here. `Tag` marks an error that is not the device's answer.
request(Device, Request, Tag) when is_pid(Device); is_atom(Device) ->
    case is_question(Request) andalso Device =/= standard_error andalso device(Device) of
        ok -> asked(Request);
        _ -> sent_request(Device, Request, Tag)
    end.

is_question({get_line, _}) -> true;
is_question({get_line, _, _}) -> true;
is_question({get_chars, _, _}) -> true;
is_question({get_chars, _, _, _}) -> true;
is_question({get_until, _, _, _, _}) -> true;
is_question({get_until, _, _, _, _, _}) -> true;
is_question({requests, Requests}) when is_list(Requests) -> lists:any(fun is_question/1, Requests);
is_question(_) -> false.

asked({get_line, Prompt}) -> asked({get_line, latin1, Prompt});
asked({get_line, Encoding, Prompt}) when Encoding =:= latin1; Encoding =:= unicode -> whole(Prompt);
asked({get_chars, Prompt, N}) -> asked({get_chars, latin1, Prompt, N});
asked({get_chars, Encoding, Prompt, N}) when is_integer(N), N >= 0, Encoding =:= latin1; is_integer(N), N >= 0, Encoding =:= unicode -> chars(Prompt, N, list, []);
asked({get_until, Prompt, M, F, Args}) -> asked({get_until, latin1, Prompt, M, F, Args});
asked({get_until, Encoding, Prompt, M, F, Args}) when Encoding =:= latin1; Encoding =:= unicode -> until(Prompt, [], M, F, Args);
asked({requests, Requests}) -> all_asked(Requests, ok);
asked({Get, _, _}) when Get =:= get_line -> {error, collect_line};
asked(Request) when element(1, Request) =:= get_chars -> {error, collect_chars};
asked({get_until, _, _, _, F, _}) -> {error, F};
asked(Request) -> request(user, Request).

all_asked([Request | Requests], _) ->
    case asked(Request) of
        {error, _} = Error -> Error;
        Answer -> all_asked(Requests, Answer)
    end;
all_asked([], Last) -> Last.

sent_request(standard_io, Request, Tag) -> sent_request(group_leader(), Request, Tag);
sent_request(Pid, _, Tag) when Pid =:= self() -> {Tag, calling_self};
sent_request(Pid, Request, Tag) when is_pid(Pid) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! {io_request, self(), Ref, protocol(Request)},
    receive
        {io_reply, Ref, Reply} ->
            erlang:demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, _, _, _} ->
            receive
                {'EXIT', Pid, _} -> ok
            after 0 -> ok
            end,
            {Tag, terminated}
    end;
sent_request(Name, Request, Tag) ->
    case whereis(Name) of
        undefined -> {Tag, arguments};
        Pid -> sent_request(Pid, Request, Tag)
    end.

requests(Requests) -> requests(group_leader(), Requests).
requests(Device, Requests) when is_pid(Device); is_atom(Device) -> request(Device, {requests, [protocol(R) || R <- Requests]}, error).

protocol({write, Term}) -> {put_chars, unicode, io_lib, write, [Term]};
protocol({format, Format, Args}) -> {put_chars, unicode, io_lib, format, [Format, Args]};
protocol({fwrite, Format, Args}) -> {put_chars, unicode, io_lib, format, [Format, Args]};
protocol(nl) -> {put_chars, unicode, "\n"};
protocol({put_chars, Chars}) -> {put_chars, unicode, Chars};
protocol({put_chars, Encoding, Chars} = Request) when is_list(Chars) ->
    case catch unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) -> {put_chars, Encoding, Binary};
        _ -> Request
    end;
protocol({requests, Requests}) -> {requests, [protocol(R) || R <- Requests]};
protocol(Request) -> Request.

%% ---- input ----------------------------------------------------------------------------------------------------------------------------

get_line(Prompt) -> get_line(group_leader(), Prompt).
get_line(Device, Prompt) ->
    input(Device, {get_line, unicode, Prompt}, fun() -> whole(Prompt) end).

get_chars(Prompt, N) -> get_chars(group_leader(), Prompt, N).
get_chars(Device, Prompt, N) when is_integer(N), N >= 0 ->
    input(Device, {get_chars, unicode, Prompt, N}, fun() -> chars(Prompt, N, list, []) end).

fread(Prompt, Format) -> fread(group_leader(), Prompt, Format).
fread(Device, Prompt, Format) ->
    Request = {get_until, unicode, Prompt, io_lib, fread, [Format]},
    input(Device, Request, fun() -> values(Prompt, Format, []) end).

%% A term, and what follows it up to the full stop. With a start, the answers tell where reading ended.
read(Prompt) -> read(group_leader(), Prompt).
read(Device, Prompt) ->
    case tokens(Device, Prompt, [1]) of
        {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
        {error, Why, _} -> {error, Why};
        {eof, _} -> eof;
        Other -> Other
    end.
read(Device, Prompt, Start) -> read(Device, Prompt, Start, []).
read(Device, Prompt, Start, Options) -> parsed(tokens(Device, Prompt, [Start, Options]), fun erl_parse:parse_term/1).

scan_erl_exprs(Prompt) -> scan_erl_exprs(group_leader(), Prompt, 1).
scan_erl_exprs(Device, Prompt) -> scan_erl_exprs(Device, Prompt, 1).
scan_erl_exprs(Device, Prompt, Start) -> scan_erl_exprs(Device, Prompt, Start, []).
scan_erl_exprs(Device, Prompt, Start, Options) -> tokens(Device, Prompt, [Start, Options]).

scan_erl_form(Prompt) -> scan_erl_form(group_leader(), Prompt, 1).
scan_erl_form(Device, Prompt) -> scan_erl_form(Device, Prompt, 1).
scan_erl_form(Device, Prompt, Start) -> scan_erl_form(Device, Prompt, Start, []).
scan_erl_form(Device, Prompt, Start, Options) -> tokens(Device, Prompt, [Start, Options]).

parse_erl_exprs(Prompt) -> parse_erl_exprs(group_leader(), Prompt, 1).
parse_erl_exprs(Device, Prompt) -> parse_erl_exprs(Device, Prompt, 1).
parse_erl_exprs(Device, Prompt, Start) -> parse_erl_exprs(Device, Prompt, Start, []).
parse_erl_exprs(Device, Prompt, Start, Options) -> parsed(tokens(Device, Prompt, [Start, Options]), fun erl_parse:parse_exprs/1).

parse_erl_form(Prompt) -> parse_erl_form(group_leader(), Prompt, 1).
parse_erl_form(Device, Prompt) -> parse_erl_form(Device, Prompt, 1).
parse_erl_form(Device, Prompt, Start) -> parse_erl_form(Device, Prompt, Start, []).
parse_erl_form(Device, Prompt, Start, Options) -> parsed(tokens(Device, Prompt, [Start, Options]), fun erl_parse:parse_form/1).

parsed({ok, Tokens, End}, Parse) ->
    case Parse(Tokens) of
        {ok, Value} -> {ok, Value, End};
        {error, Why} -> {error, Why, End}
    end;
parsed(Other, _) -> Other.

tokens(Device, Prompt, Args) ->
    input(Device, {get_until, unicode, Prompt, erl_scan, tokens, Args}, fun() -> until(Prompt, [], erl_scan, tokens, Args) end).

until(Prompt, Continuation, M, F, Args) ->
    case line(Prompt) of
        {error, _} = Error -> Error;
        Line ->
            case catch apply(M, F, [Continuation, Line | Args]) of
                {more, Next} -> until("", Next, M, F, Args);
                {done, Result, Rest} ->
                    unread(Rest),
                    Result;
                _ -> {error, F}
            end
    end.

%% From the system's device, or by a request to a process of the program.
input(Device, Request, Read) ->
    case device(Device) of
        ok when Device =:= standard_error, element(1, Request) =/= setopts -> {error, {request, Request}};
        ok -> Read();
        arguments when is_atom(Device) -> {error, arguments};
        arguments -> request(Device, as_asked(Request), error);
        protocol -> request(Device, Request, error)
    end.

as_asked({get_until, unicode, Prompt, io_lib, fread, [Format]}) -> {fread, Prompt, Format};
as_asked(Request) -> Request.

line(Prompt) ->
    case whole(Prompt) of
        Line when is_binary(Line) -> binary_to_list(Line);
        Other -> Other
    end.

%% A line as `setopts` has asked for it: a list or a binary.
whole(Prompt) ->
    case erlang:'$get_line'(prompt(Prompt)) of
        Line when is_binary(Line) -> decoded(Line);
        {binary, Line} -> Line;
        Other -> Other
    end.

%% Bytes beyond ASCII are what the device's encoding says.
decoded(Line) ->
    case byte_size(unicode:characters_to_binary(Line, latin1)) =:= byte_size(Line) orelse erlang:'$get_encoding'(user) =:= latin1 of
        true -> binary_to_list(Line);
        false ->
            case unicode:characters_to_list(Line) of
                Chars when is_list(Chars) -> Chars;
                _ -> {error, collect_line}
            end
    end.

chars(_, 0, Mode, Read) -> wanted(Mode, Read);
chars(Prompt, N, Mode, Read) ->
    case whole(Prompt) of
        Line when is_binary(Line) -> take(binary_to_list(Line), N, binary, Read);
        Line when is_list(Line) -> take(Line, N, list, Read);
        eof when Read =/= [] -> wanted(Mode, Read);
        Other -> Other
    end.

take(Line, N, Mode, Read) when length(Line) > N ->
    {Chars, Rest} = lists:split(N, Line),
    unread(Rest),
    wanted(Mode, [Chars | Read]);
take(Line, N, Mode, Read) -> chars("", N - length(Line), Mode, [Line | Read]).

wanted(list, Read) -> lists:append(lists:reverse(Read));
wanted(binary, Read) -> list_to_binary(lists:reverse(Read)).

values(Prompt, Format, Continuation) ->
    case line(Prompt) of
        {error, _} = Error -> Error;
        Line ->
            case io_lib:fread(Continuation, Line, Format) of
                {more, Next} -> values("", Format, Next);
                {done, Result, Rest} ->
                    unread(Rest),
                    Result
            end
    end.

unread(Rest) when Rest =:= []; Rest =:= eof -> ok;
unread(Rest) ->
    Encoded = unicode:characters_to_binary(Rest),
    case byte_size(Encoded) =:= length(Rest) orelse erlang:'$get_encoding'(user) =/= latin1 andalso not erlang:'$get_encoding'(binary) of
        true -> erlang:'$unread'(Encoded);
        false -> erlang:'$unread'(list_to_binary(Rest))
    end.

prompt(Prompt) -> unicode:characters_to_binary(io_lib:format_prompt(Prompt, unicode)).

%% The system's devices are no terminals, and have one set of options.
columns() -> columns(group_leader()).
columns(Device) ->
    case input(Device, {get_geometry, columns}, fun() -> {error, enotsup} end) of
        N when is_integer(N), N > 0 -> {ok, N};
        _ -> {error, enotsup}
    end.

rows() -> rows(group_leader()).
rows(Device) ->
    case input(Device, {get_geometry, rows}, fun() -> {error, enotsup} end) of
        N when is_integer(N), N > 0 -> {ok, N};
        _ -> {error, enotsup}
    end.

get_password() -> get_password(group_leader()).
get_password(Device) ->
    Request = {get_password, unicode},
    input(Device, Request, fun() -> {error, {request, Request}} end).

-if(?OTP_RELEASE >= 26).
-define(OPTIONS(Binary, Encoding),
        [{expand_fun, false}, {echo, false}, {line_history, false}, {log, none}, Binary, Encoding, {terminal, false}, {stdout, false}, {stderr, false},
         {stdin, false}]).
-define(OPTIONS_OF_ERROR(Encoding), [Encoding, {onlcr, false}, {log, none}]).
-else.
-define(OPTIONS(Binary, Encoding), [Binary, Encoding]).
-define(OPTIONS_OF_ERROR(Encoding), [Encoding]).
-endif.

getopts() -> getopts(group_leader()).
getopts(Device) ->
    input(Device, getopts, fun() ->
        Encoding = {encoding, erlang:'$get_encoding'(Device)},
        case Device of
            standard_error -> ?OPTIONS_OF_ERROR(Encoding);
            _ -> ?OPTIONS({binary, erlang:'$get_encoding'(binary)}, Encoding)
        end
    end).

setopts(Options) -> setopts(group_leader(), Options).
setopts(Device, Options) ->
    input(Device, {setopts, Options}, fun() ->
        case [O || O <- Options, not is_encoding(O), not is_mode(Device, O)] of
            [] ->
                [erlang:'$set_encoding'(Device, Encoding) || {encoding, Encoding} <- Options],
                case [mode(O) || O <- Options, not is_encoding(O)] of
                    [_ | _] = Modes when Device =/= standard_error -> erlang:'$set_encoding'(Device, lists:last(Modes));
                    _ -> ok
                end;
            _ -> {error, enotsup}
        end
    end).

%% What is read is lists or binaries; nothing is read from standard error.
is_mode(standard_error, Option) -> Option =:= list orelse Option =:= {binary, false};
is_mode(_, Option) -> lists:member(Option, [list, binary, {binary, true}, {binary, false}]).

mode(Option) when Option =:= binary; Option =:= {binary, true} -> binary;
mode(_) -> list.

is_encoding({encoding, Encoding}) -> lists:member(Encoding, [latin1, unicode, utf8]);
is_encoding(_) -> false.
