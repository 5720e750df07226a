%% Attributes that mean something to other tools only are kept with the module.
-module(free_attributes).
-author("somebody").
-vsn({1, 2}).
-concuerror_options_forced([{depth_bound, 1000}, {ignore_error, deadlock}]).
-owner([first, {places, [a/1, {b, 2}]}]).
-owner([second]).
-limits(#{hours => 8, days => [#{}, {#{1.5 => "x"}}]}).
-export([main/0]).

main() ->
    [io:format("~p: ~p~n", [Name, Value]) || {Name, Value} <- module_info(attributes)],
    Info = fun module_info/1,
    io:format("~p ~p~n", [Info(module), lists:member({main, 0}, Info(exports))]),
    io:format("~p~n", [lists:keyfind(module, 1, module_info())]).
