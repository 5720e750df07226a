%% The module `logger_config`: is an event of this level wanted? Levels are numbers here; `logger` keeps them in a persistent term.
-module(logger_config).
-export([allow/1, allow/2]).

allow(Level, Module) ->
    case persistent_term:get({logger, levels}, {5, #{}}) of
        {_, #{Module := Own}} -> less_or_equal_level(Level, Own);
        {Primary, _} -> less_or_equal_level(Level, Primary)
    end.

allow(Level) ->
    {Primary, _} = persistent_term:get({logger, levels}, {5, #{}}),
    less_or_equal_level(Level, Primary).

less_or_equal_level(emergency, Most) -> 0 =< Most;
less_or_equal_level(alert, Most) -> 1 =< Most;
less_or_equal_level(critical, Most) -> 2 =< Most;
less_or_equal_level(error, Most) -> 3 =< Most;
less_or_equal_level(warning, Most) -> 4 =< Most;
less_or_equal_level(notice, Most) -> 5 =< Most;
less_or_equal_level(info, Most) -> 6 =< Most;
less_or_equal_level(debug, Most) -> 7 =< Most.
