%% The module `logger_filters`: filters for log events.
-module(logger_filters).
-export([domain/2, level/2, progress/2, remote_gl/2]).

domain(#{meta := Meta} = Event, {Action, Compare, MatchDomain})
  when Action =:= log orelse Action =:= stop, is_list(MatchDomain),
       Compare =:= super orelse Compare =:= sub orelse Compare =:= equal orelse Compare =:= not_equal orelse Compare =:= undefined ->
    on(matches(Compare, maps:get(domain, Meta, undefined), MatchDomain), Action, Event);
domain(Event, Extra) -> erlang:error(badarg, [Event, Extra]).

matches(undefined, Domain, _) -> Domain =:= undefined;
matches(not_equal, Domain, Match) -> Domain =/= Match;
matches(equal, Domain, Match) -> Domain =:= Match;
matches(_, undefined, _) -> false;
matches(super, Domain, Match) -> lists:prefix(Domain, Match);
matches(sub, Domain, Match) -> lists:prefix(Match, Domain).

level(#{level := Level} = Event, {Action, Operator, Match}) when Action =:= log; Action =:= stop ->
    Order = logger:compare_levels(Level, Match),
    on(case Operator of
           eq -> Order =:= eq;
           neq -> Order =/= eq;
           gt -> Order =:= gt;
           lt -> Order =:= lt;
           gteq -> Order =/= lt;
           lteq -> Order =/= gt;
           _ -> erlang:error(badarg, [Event, {Action, Operator, Match}])
       end, Action, Event);
level(Event, Extra) -> erlang:error(badarg, [Event, Extra]).

progress(#{msg := {report, #{label := {_, progress}}}} = Event, Action) when Action =:= log; Action =:= stop -> on(true, Action, Event);
progress(_, Action) when Action =:= log; Action =:= stop -> ignore;
progress(Event, Action) -> erlang:error(badarg, [Event, Action]).

remote_gl(#{meta := Meta} = Event, Action) when Action =:= log; Action =:= stop ->
    on(case Meta of #{gl := Leader} -> node(Leader) =/= node(); _ -> false end, Action, Event);
remote_gl(Event, Action) -> erlang:error(badarg, [Event, Action]).

on(true, log, Event) -> Event;
on(true, stop, _) -> stop;
on(false, _, _) -> ignore.
