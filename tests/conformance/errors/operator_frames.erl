%% Which operators and functions are in the stack trace of their failure: those with floats are instructions, a literal stands behind
%% the other operand, a function that is called last takes its caller's place, and sizes of comprehensions are computed first.
-module(operator_frames).
-export([main/0, floats/0, literals/0, last_calls/0, sizes/0, options/0]).

main() ->
    [begin
         io:format("~p~n", [Group]),
         [show(F) || F <- ?MODULE:Group()]
     end || Group <- [floats, literals, last_calls, sizes, options]],
    ok.

show(F) ->
    try F() of
        Value -> io:format("  ~0p~n", [Value])
    catch
        Class:Reason:Stack ->
            Own = lists:takewhile(fun({M, Name, _, _}) -> {M, Name} =/= {?MODULE, show} end, Stack),
            io:format("  ~p ~0p ~0p~n", [Class, Reason, [{M, place(Name), Args, [Info || {error_info, _} = Info <- Location]} || {M, Name, Args, Location} <- Own]])
    end.

%% The numbers of funs are OTP's own.
place(Name) ->
    case string:split(atom_to_list(Name), "-fun-") of
        [Before, _] -> Before ++ "-fun";
        _ -> Name
    end.

id(X) -> X.

floats() ->
    [fun() -> 1.0 + id(a) end, fun() -> id(a) + 1.0 end, fun() -> 1.0e308 * id(10) end, fun() -> id(a) - 1.0 end, fun() -> -1.0 - id(a) end,
     fun() -> X = id(1) + 1.0, Y = id(a) * X, Y end, fun() -> X = id(2) / 1, X * id(b) end, fun() -> X = id(2) / 1, Y = X, Y * id(b) end,
     fun() -> float(id(1)) + id(a) end, fun() -> X = float(id(1)), X - id(a) end, fun() -> math:sqrt(2) + id(a) end, fun() -> X = math:pi(), X * id(a) end,
     fun() -> (id(1) + 1.0) + id(a) end, fun() -> -(id(1) + 1.0) + id(a) end, fun() -> abs(id(1) + 1.0) + id(a) end, fun() -> X = begin id(1), 2.0 end, X + id(b) end,
     fun() -> X = case id(1) of 1 -> 1.0; _ -> 2.0 end, X * id(b) end, fun() -> X = case id(1) of 1 -> 1; _ -> 2.0 end, X * id(b) end,
     fun() -> (id(1) + id(2)) * 1.0e308 * 1.0e308 end, fun() -> 1.0 + id(1 bsl 2000) end, fun() -> id(1.0) * id(a) end, fun() -> {1.0 + id(a), 1} end,
     fun() -> 1.0 / id(0) end, fun() -> id(a) / 2.0 end, fun() -> id(1) / id(0) end, fun() -> 1.0 < id(a) end, fun() -> X = 1.0, X + id(a) end].

literals() ->
    [fun() -> true and id(a) end, fun() -> id(a) and true end, fun() -> a and id(true) end, fun() -> <<>> xor id(1) end, fun() -> false or id(1) end, fun() -> id(1) or false end,
     fun() -> 1 + id(a) end, fun() -> a + id(1) end, fun() -> 1 - id(a) end, fun() -> a - id(1) end, fun() -> 2 * id(a) end, fun() -> a * id(2) end, fun() -> 1 band id(a) end,
     fun() -> 2 bor id(a) end, fun() -> 3 bxor id(a) end, fun() -> 1 bsl id(a) end, fun() -> 7 div id(a) end, fun() -> 7 rem id(0) end, fun() -> 1180591620717411303424 + id(a) end,
     fun() -> 1180591620717411303424 * id(a) end, fun() -> [1] ++ id(a) end, fun() -> id(a) ++ [1] end, fun() -> [1] -- id(a) end, fun() -> id(a) + id(b) end].

last_calls() ->
    [fun() -> atom_to_binary(id(1)) end, fun() -> binary_to_atom(id(1)) end, fun() -> binary_to_existing_atom(id(1)) end, fun() -> erlang:fun_info(id(a)) end,
     fun() -> B = atom_to_binary(id(1)), {B} end, fun() -> atom_to_list(id(1)) end, fun() -> spawn(id(foo)) end,
     fun() -> maps:to_list(maps:iterator(#{a => 1})) end, fun() -> maps:to_list(id(x)) end].

sizes() ->
    [fun() -> << <<X>> || <<X>> <= id(foo) >> end, fun() -> << <<X:4>> || <<X:4>> <= id(foo) >> end, fun() -> << <<X/float>> || <<X>> <= id(foo) >> end,
     fun() -> N = id(3), << <<X:N>> || <<X>> <= id(foo) >> end, fun() -> << <<X/utf8>> || <<X>> <= id(foo) >> end, fun() -> << X || <<X:1/binary>> <= id(foo) >> end,
     fun() -> << <<X:N>> || <<X, N>> <= id(foo) >> end, fun() -> << <<X>> || X <- id(foo) >> end, fun() -> << <<X>> || X <- [1], <<X>> <= id(foo) >> end,
     fun() -> << (id(<<1>>)) || <<_>> <= id(foo) >> end, fun() -> << <<X:8>> || <<X>> <= id(foo), X > 1 >> end, fun() -> [X || <<X>> <= id(foo)] end,
     fun() -> << <<X>> || <<X, _:8>> <= id(<<1, 2, 3>>) >> end].

%% What is said of options and of tables of numbers.
options() ->
    Array = atomics:new(1, []),
    Counters = counters:new(2, []),
    [explained(F) || F <- [fun() -> binary_to_term(id(<<131, 97, 1>>), badopt) end, fun() -> binary_to_term(id(<<131, 97, 1>>), [badopt]) end, fun() -> binary_to_term(id(x), [safe]) end,
                           fun() -> binary_to_term(id(x), y) end, fun() -> binary_to_term(id(<<131, 97>>), [safe]) end, fun() -> persistent_term:get(id(nokey)) end,
                           fun() -> counters:get(id(x), 1) end, fun() -> counters:get(Counters, 3) end, fun() -> counters:get(Counters, id(x)) end, fun() -> counters:add(Counters, 3, id(a)) end,
                           fun() -> counters:new(0, []) end, fun() -> counters:new(1, [x]) end, fun() -> counters:put(id(x), 1, id(a)) end, fun() -> counters:info(id(x)) end,
                           fun() -> atomics:put(Array, 2, id(a)) end, fun() -> atomics:put(Array, 1, id(1 bsl 70)) end, fun() -> atomics:exchange(Array, 1, id(b)) end,
                           fun() -> atomics:compare_exchange(Array, 1, id(b), id(c)) end, fun() -> atomics:new(0, []) end, fun() -> atomics:new(1, [x]) end, fun() -> atomics:info(id(x)) end,
                           fun() -> atomics:add(id(x), id(y), id(z)) end]].

explained(F) ->
    fun() ->
        try F()
        catch
            Class:Reason:Stack ->
                Lines = string:split(lists:flatten(erl_error:format_exception(Class, Reason, lists:sublist(Stack, 1))), "\n", all),
                [Line || Line <- Lines, string:find(Line, "called as") =:= nomatch, string:find(Line, "***") =/= nomatch]
        end
    end.
