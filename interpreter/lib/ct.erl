%% The calls of Common Test that suites use most. What is printed by pal and print is shown; log goes to the output of the test.
-module(ct).
-export([pal/1, pal/2, pal/3, pal/4, pal/5, log/1, log/2, log/3, log/4, log/5, print/1, print/2, print/3, print/4, print/5]).
-export([fail/1, fail/2, comment/1, comment/2, sleep/1, timetrap/1, get_config/1, get_config/2, get_config/3, require/1, require/2,
         reload_config/1, add_config/2, remove_config/2]).
-export(['$milliseconds'/1]).

pal(Format) -> pal(default, 50, Format, [], []).
pal(X, Y) -> {Format, Args} = two(X, Y), pal(default, 50, Format, Args, []).
pal(X, Y, Z) -> {Format, Args} = three(X, Y, Z), pal(default, 50, Format, Args, []).
pal(_, _, Format, Args) -> pal(default, 50, Format, Args, []).
pal(_, _, Format, Args, _) ->
    log(Format, Args),
    shown(Format, Args).

print(Format) -> shown(Format, []).
print(X, Y) -> {Format, Args} = two(X, Y), shown(Format, Args).
print(X, Y, Z) -> {Format, Args} = three(X, Y, Z), shown(Format, Args).
print(_, _, Format, Args) -> shown(Format, Args).
print(_, _, Format, Args, _) -> shown(Format, Args).

log(Format) -> io:format(Format ++ "~n", []).
log(X, Y) -> {Format, Args} = two(X, Y), io:format(Format ++ "~n", Args).
log(X, Y, Z) -> {Format, Args} = three(X, Y, Z), io:format(Format ++ "~n", Args).
log(_, _, Format, Args) -> io:format(Format ++ "~n", Args).
log(_, _, Format, Args, _) -> io:format(Format ++ "~n", Args).

%% (Category, Format), (Importance, Format) or (Format, Args).
two(X, Format) when is_atom(X); is_integer(X) -> {Format, []};
two(Format, Args) -> {Format, Args}.

three(X, Y, Format) when is_atom(X), is_integer(Y) -> {Format, []};
three(X, Format, Args) when is_atom(X); is_integer(X) -> {Format, Args};
three(Format, Args, _Options) -> {Format, Args}.

shown(Format, Args) ->
    {{Y, Mo, D}, {H, Mi, S}} = calendar:local_time(),
    io:format(user, "~n----------------------------------------------------~n~4..0w-~2..0w-~2..0w ~2..0w:~2..0w:~2..0w~n" ++ Format ++ "~n~n", [Y, Mo, D, H, Mi, S | Args]),
    ok.

fail(Reason) -> exit({test_case_failed, Reason}).
fail(Format, Args) -> exit({test_case_failed, lists:flatten(io_lib:format(Format, Args))}).

%% The comment would be a column of a page.
comment(Text) when is_list(Text) -> ok;
comment(Term) -> comment("~tp", [Term]).
comment(Format, Args) -> comment(lists:flatten(io_lib:format(Format, Args))).

sleep(Time) -> timer:sleep(case Time of infinity -> infinity; _ -> '$milliseconds'(Time) end).

%% A new time limit, counted from now.
timetrap(Time) ->
    case get('$ct_keeper') of
        undefined -> ok;
        Keeper ->
            Keeper ! {'$ct_timetrap', self(), '$milliseconds'(Time)},
            ok
    end.

get_config(Wanted) -> retell_config:get(Wanted, undefined, []).
get_config(Wanted, Default) -> retell_config:get(Wanted, Default, []).
get_config(Wanted, Default, Opts) -> retell_config:get(Wanted, Default, Opts).
require(Required) -> retell_config:require(Required).
require(Name, Required) -> retell_config:require(Name, Required).
reload_config(Wanted) -> retell_config:reload(Wanted).
add_config(Handler, Files) -> retell_config:add(Handler, Files).
remove_config(Handler, File) -> retell_config:remove(Handler, File).

'$milliseconds'(infinity) -> 16#FFFFFFFF;
'$milliseconds'({hours, N}) -> round(N * 3600000);
'$milliseconds'({minutes, N}) -> round(N * 60000);
'$milliseconds'({seconds, N}) -> round(N * 1000);
'$milliseconds'({milliseconds, N}) -> round(N);
'$milliseconds'(N) when is_number(N) -> round(N).
