%% Bank: every branch is a gen_server with its accounts. A transfer between
%% branches is done by the branch of the payer, which calls the other.
-module(xfer).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/2, transfer/4, total/1]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = start_link(north, [{n1, 100}, {n2, 50}]),
    {ok, _} = start_link(south, [{s1, 70}, {s2, 30}]),
    Jobs = [{north, n1, s1, 10}, {south, s2, n2, 5}, {north, n2, n1, 20}],
    Clerks = [spawn_monitor(fun() -> ok = clerk(J) end) || J <- Jobs],
    [receive {'DOWN', R, process, P, Why} -> normal = Why end || {P, R} <- Clerks],
    250 = total(north) + total(south),
    io:format("closed the books~n").

clerk({Branch, From, To, Amount}) ->
    transfer(Branch, From, To, Amount).

start_link(Name, Accounts) ->
    gen_server:start_link({local, Name}, ?MODULE, {Name, maps:from_list(Accounts)}, []).

transfer(Branch, From, To, Amount) ->
    gen_server:call(Branch, {transfer, From, To, Amount}, infinity).

total(Branch) ->
    gen_server:call(Branch, total, infinity).

init(S) -> {ok, S}.

handle_call({transfer, From, To, Amount}, _Clerk, {Name, Accs}) ->
    case branch_of(To) of
        Name ->
            {reply, ok, {Name, book(To, Amount, book(From, -Amount, Accs))}};
        Other ->
            ok = gen_server:call(Other, {deposit, To, Amount}, infinity),
            {reply, ok, {Name, book(From, -Amount, Accs)}}
    end;
handle_call({deposit, To, Amount}, _From, {Name, Accs}) ->
    {reply, ok, {Name, book(To, Amount, Accs)}};
handle_call(total, _From, {Name, Accs}) ->
    {reply, lists:sum(maps:values(Accs)), {Name, Accs}}.

handle_cast({deposit, To, Amount}, {Name, Accs}) ->
    {noreply, {Name, book(To, Amount, Accs)}}.

book(Acc, Amount, Accs) ->
    maps:update_with(Acc, fun(B) -> B + Amount end, Accs).

branch_of(Acc) ->
    case atom_to_list(Acc) of
        "n" ++ _ -> north;
        "s" ++ _ -> south
    end.
