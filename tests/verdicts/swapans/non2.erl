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
    Ref = make_ref(),
    ask(Users, Ref, Id),
    ask(Orders, Ref, Id),
    Name = answer(Ref),
    Order = answer(Ref),
    lists:flatten([Name, " has ordered ", Order]).

ask(Backend, Ref, Id) ->
    Backend ! {ask, {self(), Ref}, Id}.

answer(Ref) ->
    receive
        {Ref, {ok, Text}} -> Text;
        {Ref, {error, not_found}} -> "nobody"
    after 500 ->
        "?"
    end.

backend(Table) ->
    receive
        {ask, {From, Ref}, Id} ->
            case Table of
                #{Id := Text} -> From ! {Ref, {ok, Text}};
                #{} -> From ! {Ref, {error, not_found}}
            end,
            backend(Table)
    end.
