-module(bank_sup).
-behaviour(supervisor).
-export([start_link/0, init/1]).
start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).
init([]) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 5, period => 10},
          [#{id => account, start => {bank_app, start_link, []}, restart => permanent, shutdown => 1000, type => worker, modules => [bank_app]}]}}.
