%% Nominal types, beside other types.
-module(nominal_types).
-export([main/0, meters/1, feet/1]).
-export_type([meter/0, foot/0, pair/2]).

-nominal meter() :: integer().
-nominal foot() :: integer().
-nominal(pair(A, B) :: {A, B}).
-nominal size() :: small | large | {custom, pos_integer()}.
-opaque hidden() :: meter().
-type lengths() :: [meter() | foot()].
-record(road, {length = 0 :: meter(), name :: string() | undefined}).

-export_type([hidden/0, lengths/0]).

-spec meters(foot()) -> meter().
meters(Feet) -> Feet * 3048 div 10000.

-spec feet(meter()) -> foot().
feet(Meters) -> Meters * 10000 div 3048.

-spec size_of(integer()) -> size().
size_of(N) when N < 10 -> small;
size_of(N) when N < 100 -> large;
size_of(N) -> {custom, N}.

-spec swap(pair(A, B)) -> pair(B, A).
swap({A, B}) -> {B, A}.

main() ->
    io:format("~p~n", [meters(100)]),
    io:format("~p~n", [feet(100)]),
    io:format("~p~n", [[size_of(N) || N <- [1, 10, 1000]]]),
    io:format("~p~n", [swap({a, 1})]),
    io:format("~p~n", [#road{name = "E4"}]),
    Forms = ["-nominal meter() :: integer().", "-nominal pair(A, B) :: {A, B}.", "-nominal(x() :: a | b).", "-nominal meter() -> integer()."],
    [begin
        {ok, Tokens, _} = erl_scan:string(Form),
        case erl_parse:parse_form(Tokens) of
            {ok, Abstract} -> io:format("~p~n~s", [Abstract, erl_pp:form(Abstract)]);
            {error, {Line, Module, Why}} -> io:format("~p ~s~n", [Line, Module:format_error(Why)])
        end
    end || Form <- Forms].
