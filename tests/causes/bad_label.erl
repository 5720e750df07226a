%% A printer of labels cannot print one with a minus sign. Those who gave it work ask for the result.
%% Cause: the label's text is negative (line 11), whatever comes first. Not a race, although the entry can hear of it in two ways.
-module(bad_label).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Printer} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    [spawn(fun() -> gen_server:cast(Printer, {label, N}), Me ! {given, N} end)
     || N <- [1, -1, 2]],
    [receive {given, N} -> ok end || N <- [1, -1, 2]],
    3 = length(gen_server:call(Printer, all)),
    ok.

init([]) -> {ok, []}.

handle_call(all, _From, Labels) -> {reply, Labels, Labels}.

handle_cast({label, N}, Labels) -> {noreply, [text(N) | Labels]}.

text(N) when N >= 0 -> integer_to_list(N).
