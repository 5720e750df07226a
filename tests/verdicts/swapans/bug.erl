%% A web page is put together from two back ends that are asked in parallel.
-module(swapans).
-export([main/0]).

main() ->
    Users = spawn_link(fun() -> backend(#{7 => "Ada"}) end),
    Orders = spawn_link(fun() -> backend(#{7 => "3 books"}) end),
    Pages = [page(Users, Orders, 7) || _ <- [1, 2]],
    [true = io_lib:printable_list(P) || P <- Pages],
    case lists:usort(Pages) of
        ["Ada has ordered 3 books"] -> io:format("~s~n", [hd(Pages)]);
        Bad -> exit({bad_page, Bad})
    end.

page(Users, Orders, Id) ->
    ask(Users, Id),
    ask(Orders, Id),
    Name = answer(),
    Order = answer(),
    lists:flatten([Name, " has ordered ", Order]).

ask(Backend, Id) ->
    Backend ! {ask, self(), Id}.

answer() ->
    receive
        {ok, Text} -> Text;
        {error, not_found} -> "nobody"
    after 500 ->
        "?"
    end.

backend(Table) ->
    receive
        {ask, From, Id} ->
            case Table of
                #{Id := Text} -> From ! {ok, Text};
                #{} -> From ! {error, not_found}
            end,
            backend(Table)
    end.
