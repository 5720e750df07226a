%% Attributes, types, specs, callbacks, imports: none changes what runs.
-module(attributes).
-export([main/0]).

-vsn("1.0").
-author("nobody").
-compile([nowarn_unused_function, {inline, [small/1]}]).
-import(lists, [map/2, foldl/3]).
-type t() :: integer() | {a, b} | [t()] | #{atom() => t()} | fun((integer()) -> t()).
-type u(X) :: {X, X}.
-opaque o() :: <<_:8, _:_*8>> | nonempty_string() | 1..5.
-export_type([t/0, u/1, o/0]).
-callback init(term()) -> {ok, term()} | {error, Reason :: atom()}.
-optional_callbacks([init/1]).
-dialyzer({nowarn_function, small/1}).
-deprecated([{old, 0, "use main/0"}]).
-export([old/0]).
-record(r, {a :: t(), b = 1 :: u(integer())}).
-custom({anything, [1, 2, "three"]}).
-spec main() -> ok.
main() ->
    io:format("~w ~w~n", [map(fun small/1, [1, 2]), foldl(fun(X, Y) -> X + Y end, 0, [1, 2, 3])]),
    io:format("~w~n", [#r{a = 1}]),
    io:format("~w~n", [proplists:get_value(author, attributes:module_info(attributes))]),
    io:format("~w~n", [lists:member({main, 0}, attributes:module_info(exports))]),
    io:format("~w~n", [attributes:module_info(module)]).

-spec small(X :: integer()) -> integer(); (float()) -> float().
small(X) -> X + 1.

old() -> old.
