%% The part of Common Test that OTP's suites call. It prints nothing.
-module(ct).
-export([fail/1, fail/2, error/2, pal/1, pal/2, pal/3, pal/4, log/1, log/2, log/3, log/4, print/1, print/2, print/3, comment/1, comment/2]).
-export([timetrap/1, get_timetrap_info/0, sleep/1, get_config/1, get_config/2, get_progname/0, capture_start/0, capture_stop/0, capture_get/0]).

fail(Reason) -> exit({test_case_failed, Reason}).
fail(Format, Args) -> fail(lists:flatten(io_lib:format(Format, Args))).
error(Format, Args) -> fail(Format, Args).

pal(_) -> ok.
pal(_, _) -> ok.
pal(_, _, _) -> ok.
pal(_, _, _, _) -> ok.
log(_) -> ok.
log(_, _) -> ok.
log(_, _, _) -> ok.
log(_, _, _, _) -> ok.
print(_) -> ok.
print(_, _) -> ok.
print(_, _, _) -> ok.
comment(_) -> ok.
comment(_, _) -> ok.
capture_start() -> ok.
capture_stop() -> ok.
capture_get() -> [].

timetrap(_) -> ok.
get_timetrap_info() -> {100000, {false, 1}}.
get_config(_) -> undefined.
get_config(_, Default) -> Default.
get_progname() -> "erl".

sleep({hours, Hours}) -> sleep(Hours * 3600000);
sleep({minutes, Minutes}) -> sleep(Minutes * 60000);
sleep({seconds, Seconds}) -> sleep(Seconds * 1000);
sleep(Time) -> timer:sleep(Time).
