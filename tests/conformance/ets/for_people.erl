%% Tables shown by `ets:i`: a person's answers are played by the group leader.
-module(for_people).
-export([main/0]).

main() ->
    T = ets:new(tab, [ordered_set, named_table]),
    ets:insert(T, [{K, list_to_atom(lists:duplicate(K + 60, $a))} || K <- lists:seq(1, 12)]),
    shown([tab], ["p3\n", "p3x\n", "px\n", "p-1\n", "p 2\n", "p99\n", "\n", "c\n", "x\n", "q\n"]),
    shown([tab, 4], ["/1\n", "p1\n", "p10\n", "c\n", "c\n", "/(\n", "/nothing\n", "q\n"]),
    shown([tab, 4], ["\n", "c\n", "q extra\n", "\n", "q\n"]),
    shown([tab, 3, 30], ["\n", "p4\n", "q\n"]),
    shown([tab, 1], ["c\n"]),
    shown([nothere], []),
    B = ets:new(bag, [bag, named_table]),
    shown([B], ["\n"]),
    ets:insert(B, {1, "text\n", 'a b'}),
    ets:insert(B, {1, #{a => 1.5}, <<"bin">>}),
    ets:insert(B, {1, [$a, 955]}),
    shown([B, 2], ["c\n", "p2\n"]),
    shown([tab], ["k\n"]),
    io:format("~p~n", [ets:whereis(tab)]),
    ets:new(a_table_with_a_long_name, [duplicate_bag, named_table]),
    Self = self(),
    Other = spawn(fun() -> register(somebody, self()), ets:new(of_another, [named_table]), Self ! there, receive stop -> ok end end),
    receive there -> ok end,
    Mine = fun(Line) -> lists:any(fun(Word) -> string:find(Line, Word) =/= nomatch end, [" id ", "---", "a_table", "of_another"]) end,
    [io:format("~s~n", [re:replace(Line, "[0-9]+ +(somebody|<)[0-9.>]*$", "N \\1")]) || Line <- string:split(told([], []), "\n", all), Mine(Line)],
    Other ! stop.

shown(Args, Answers) -> io:format("~p~n~ts~n", [Args, told(Args, Answers)]).

%% What `ets:i` writes, with what it returns.
told(Args, Answers) ->
    Self = self(),
    Leader = spawn(fun() -> device([], Answers) end),
    Before = group_leader(),
    group_leader(Leader, self()),
    Result = try apply(ets, i, Args) catch Class:Reason -> {Class, Reason} end,
    group_leader(Before, self()),
    Leader ! {stop, Self},
    receive {written, Text} -> [Text, io_lib:format("~p", [Result])] end.

device(Written, Answers) ->
    receive
        {io_request, From, As, {put_chars, unicode, Chars}} -> answer(From, As, ok, [Written, Chars], Answers);
        {io_request, From, As, {put_chars, unicode, M, F, A}} -> answer(From, As, ok, [Written, apply(M, F, A)], Answers);
        {io_request, From, As, {get_line, unicode, Prompt}} ->
            case Answers of
                [] -> answer(From, As, eof, [Written, io_lib:format("~p", [Prompt]), "<eof>\n"], []);
                [Line | Rest] -> answer(From, As, Line, [Written, io_lib:format("~p", [Prompt]), Line], Rest)
            end;
        {stop, Pid} -> Pid ! {written, unicode:characters_to_list(Written)}
    end.

answer(From, As, Answer, Written, Answers) ->
    From ! {io_reply, As, Answer},
    device(Written, Answers).
