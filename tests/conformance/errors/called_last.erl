%% Functions that are parts of OTP's machine and not Erlang return to their caller: it stays in the stack, also where they are called last.
%% And updates of maps that are made for nothing.
-module(called_last).
-export([main/0, f/1, g/2, v/1]).

t(L, F) ->
    try io:format("~0tp ~0tp~n", [L, F()])
    catch C:R:S ->
        Own = lists:takewhile(fun({M, N, _, _}) -> {M, N} =/= {called_last, t} end, S),
        io:format("~0tp ~p:~0tp ~0tp~n", [L, C, R, [{M, N, A} || {M, N, A, _} <- Own]])
    end.

h1(X) -> atomics:add(X, 1, 1).
h2(X) -> atomics:get(X, 1).
h3(X) -> string:list_to_integer(X).
h4(X) -> string:list_to_float(X).
h5(X) -> ets:is_compiled_ms(X).
v(X) -> X.
f(X) -> re:run(X, "a").
f2(X, Y) -> re:run(X, Y, [unicode]).
f3(X, Y) -> re:run(X, Y, [global,unicode]).
f4(X, Y) -> re:run(X, Y, [global]).
f5(X, Y) -> re:compile(X, Y).
f6(X) -> re:compile(X).
f7(X, Y) -> re:inspect(X, Y).
f8(X, Y) -> re:replace(X, "a", Y).
f9(X, Y) -> re:split(X, Y).
f10(X, Y) -> re:run(X, Y, [unicode, report_errors]).
f11(X, Y) -> re:run(X, "a", Y).
g(X, Y) -> << <<B>> || <<B>> <= X, Y >>.
m1(X) -> #{a => v(1)}#{b := X}, ok.
m2(X) -> #{X => 1}#{b := 1}, ok.
m3(X) -> #{a => 1}#{X := 1}, ok.
m4(X) -> #{a => 1}#{b := X+a}, ok.
m5(X) -> (X#{a => 1})#{b := 1}, ok.
main() ->
 t(f1, fun() -> f(v(x)) end), t(f1, fun() -> f(v([-1])) end), t(f1, fun() -> f(v([300])) end),
 t(f2, fun() -> f2(v(<<255>>), "a") end), t(f2, fun() -> f2("a", v("(")) end), t(f2, fun() -> f2("a", v(x)) end), t(f2, fun() -> f2([-1], v("a")) end),t(f2, fun() -> f2([x], v("a")) end),
 t(f3, fun() -> f3(v(<<255>>), "a") end), t(f3, fun() -> f3("a", v("(")) end), t(f3, fun() -> f3("a", v(x)) end), t(f3, fun() -> f3([x], v("a")) end),
 t(f4, fun() -> f4(v(x), "a") end), t(f4, fun() -> f4("a", v("(")) end), t(f4, fun() -> f4("a", v(x)) end), t(f4, fun() -> f4([x], v("a")) end),
 t(f5, fun() -> f5(v(x), []) end), t(f5, fun() -> f5("a", v([x])) end), t(f5, fun() -> f5("a", v(x)) end), t(f5, fun() -> f5([x], v([unicode])) end),
 t(f6, fun() -> f6(v(x)) end), t(f6, fun() -> f6(v([x])) end),
 t(f7, fun() -> f7(v(x), namelist) end), t(f7, fun() -> f7("a", namelist) end), 
 t(f8, fun() -> f8(v(x), "b") end), t(f8, fun() -> f8("a", v(x)) end),
 t(f9, fun() -> f9(v(x), "b") end), t(f9, fun() -> f9("a", v(x)) end), t(f9, fun() -> f9("a", v("(")) end),
 t(f10, fun() -> f10(v(<<255>>), "(") end),t(f10, fun() -> f10(v([-1]), "(") end),t(f10, fun() -> f10(v("a"), "(") end),t(f10, fun() -> f10(v("a"), x) end),t(f10, fun() -> f10(v("a"), [-1]) end),t(f10, fun() -> f10(v("a"), <<255>>) end),t(f10, fun() -> f10(v(<<255>>), <<255>>) end),
 t(f11, fun() -> f11(v("a"), x) end), t(f11, fun() -> f11(v("a"), [x]) end), t(f11, fun() -> f11(v("a"), [{offset,-1}]) end), t(f11, fun() -> f11(v("a"), [{capture,x}]) end), t(f11, fun() -> f11(v("a"), [{capture,all,x}]) end), t(f11, fun() -> f11(v("a"), [{capture,[x,-1],list}]) end),
 t(g, fun() -> g(v(x), true) end), t(g, fun() -> v(g(v(x), true)) end),
 t(g, fun() -> << <<B/binary>> || <<B:3/binary>> <= v(x) >> end),t(g, fun() -> [B || <<B:3/binary>> <= v(x)] end),
 t(m1, fun() -> m1(v(x)) end), t(m2, fun() -> m2(v(x)) end), t(m3, fun() -> m3(v(x)) end), t(m4, fun() -> m4(v(x)) end), t(m5, fun() -> m5(v(#{})) end), t(m5, fun() -> m5(v(x)) end),
 t(m7, fun() -> #{}#{v(1) := v(2)+a}, ok end),t(m6, fun() -> begin #{} end#{v(1) := v(2)}, ok end),
 t(h1, fun() -> h1(v(x)) end), t(h2, fun() -> h2(v(x)) end), t(h2, fun() -> h2(v(atomics:new(0 + length([v(1)]), []))) end),
 t(h3, fun() -> h3(v(x)) end), t(h4, fun() -> h4(v(x)) end), t(h5, fun() -> h5(v(x)) end),
 t(h6, fun() -> atomics:put(v(z), v(1), v(x)) end), t(h6, fun() -> atomics:exchange(v(y), v(1), v(x)) end), ok.
