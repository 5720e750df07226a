%% Notes how each test of EUnit ended, one line a test, in the file $COMPAT_REPORT: `tests/compat/run` compares them with those of `tracer test`.
-module(compat_report).
-behaviour(eunit_listener).
-export([start/0, start/1]).
-export([init/1, handle_begin/3, handle_end/3, handle_cancel/3, terminate/2]).

start() -> start([]).
start(Options) -> eunit_listener:start(?MODULE, Options).

init(_Options) ->
    receive {start, _Reference} -> ok end,
    {ok, File} = file:open(os:getenv("COMPAT_REPORT"), [append, {encoding, utf8}]),
    File.

handle_begin(_Kind, _Data, File) -> File.

handle_end(test, Data, File) ->
    Status = case proplists:get_value(status, Data) of
        ok -> passed;
        {skipped, _} -> skipped;
        {error, _} -> failed
    end,
    note(Status, Data, File);
handle_end(group, _Data, File) -> File.

%% A cancelled group counts once, as in EUnit's own summary; a module without tests is none.
handle_cancel(Kind, Data, File) ->
    case proplists:get_value(reason, Data) of
        {abort, {module_not_found, _}} -> File;
        Reason when Kind =:= group; Reason =/= undefined -> note(cancelled, Data, File);
        _ -> File
    end.

terminate({ok, _Counts}, File) -> file:close(File);
terminate({error, Reason}, File) ->
    io:format(File, "ended ~0p~n", [Reason]),
    file:close(File).

note(Status, Data, File) ->
    {Module, Function, _Arity} = case proplists:get_value(source, Data) of
        undefined -> {'-', '-', 0};
        Source -> Source
    end,
    Why = case Status of
        failed -> proplists:get_value(status, Data);
        cancelled -> proplists:get_value(reason, Data);
        _ -> ok
    end,
    io:format(File, "~s ~s:~s ~ts~n", [Status, Module, Function, string:slice(io_lib:format("~0tP", [Why, 20]), 0, 200)]),
    File.
