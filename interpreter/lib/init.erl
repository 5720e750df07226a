%% The module `init`, but for the command line, which is native. Stopping is done by another process, so that the caller goes on meanwhile.
-module(init).
-export([stop/0, stop/1, get_status/0, script_name/0, script_id/0, objfile_extension/0, archive_extension/0, code_path_choice/0]).

stop() -> stop(0).
stop(Status) when is_integer(Status), Status >= 0; is_list(Status); Status =:= abort ->
    spawn(fun() -> erlang:halt(Status) end),
    ok;
stop(Status) -> erlang:error(badarg, [Status]).

get_status() -> {started, started}.
script_name() -> [].
script_id() -> {"Erlang/OTP", integer_to_list(?OTP_RELEASE)}.
objfile_extension() -> ".beam".
archive_extension() -> ".ez".
code_path_choice() -> relaxed.
