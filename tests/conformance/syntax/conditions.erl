%% Chains of `-if`, `-elif` and `-else`. OTP 25 asks again behind an `-elif` that closed a branch which was read, and looks at no `-else` of what
%% is skipped.
-module(conditions).
-export([main/0]).
-if(true).
-define(A, first).
-elif(true).
-define(B, second).
-elif(true).
-define(C, third).
-endif.
-if(false).
-elif(true).
-define(D, first).
-elif(true).
-define(E, second).
-else.
-define(F, third).
-endif.
-if(true).
-elif(true).
-elif(false).
-define(G, second).
-else.
-define(H, third).
-endif.
-ifdef(NOT_THERE).
-ifdef(A).
-else.
-elif(true).
-else.
-endif.
-endif.

-define(IS(Name), io:format("~s ~p~n", [??Name, has(fun() -> Name end)])).

has(F) -> F().

-ifdef(A).
a() -> ?A.
-else.
a() -> none.
-endif.
-ifdef(B).
b() -> ?B.
-else.
b() -> none.
-endif.
-ifdef(C).
c() -> ?C.
-else.
c() -> none.
-endif.
-ifdef(D).
d() -> ?D.
-else.
d() -> none.
-endif.
-ifdef(E).
e() -> ?E.
-else.
e() -> none.
-endif.
-ifdef(F).
f() -> ?F.
-else.
f() -> none.
-endif.
-ifdef(G).
g() -> ?G.
-else.
g() -> none.
-endif.
-ifdef(H).
h() -> ?H.
-else.
h() -> none.
-endif.

main() ->
    ?IS(a()), ?IS(b()), ?IS(c()), ?IS(d()), ?IS(e()), ?IS(f()), ?IS(g()), ?IS(h()).
