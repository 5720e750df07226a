%% Runs scripts of Elixir, as the command `elixir` does: its own start, with the words of the command line.
-module(retell_script).
-export([main/1, test/1]).

%% `mix test`: `only` and the number of words of which one is to be in the name of a test, or `alone` and 1; those words, or the name of the only test
%% that runs; and the words for `main/1`.
%% The node has its name from the start, and the tests will make it alive.
test(["alive" | Rest]) ->
    ok = application:set_env(retell, alive, later),
    test(Rest);
test([How, Number | Rest]) ->
    {Names, Words} = lists:split(list_to_integer(Number), Rest),
    Names =/= [] andalso erlang:'$env_set'('$exunit', list_to_atom(How), Names),
    main(Words).

%% The number of folders, the folders of Elixir's applications and others of the path, and the words behind `elixir`.
main([Number | Rest]) ->
    {Folders, Words} = lists:split(list_to_integer(Number), Rest),
    ok = code:add_pathsa(lists:reverse(Folders)),
    {ok, _} = application:ensure_all_started(elixir),
    case code:ensure_loaded('Elixir.Logger') of
        {module, _} -> application:start(logger);
        {error, _} -> ok
    end,
    'Elixir.Kernel.CLI':main(Words).
