%% What errors look like: class, reason and stack trace of each. `errors.txt` is what a real OTP 25 gives (tests/errors.sh captures it).
-module(errors).
-compile(export_all).
-compile(nowarn_export_all).
-record(r, {a, b}).
a(X) -> atom_to_list(X).
b(X) -> Y = atom_to_list(X), {Y}.
c(X) -> [1/Y || Y <- X].
d(X) -> X + 1.
e(X) -> {hd(X)}.
g(X) -> {lists:member(X, X)}.
i(X) -> X().
j(X) -> {X(1)}.
k(X) -> error(X).
l(X) -> error(X, [X]).
m(X) -> #{a := Y} = X, Y.
n(X) -> X#{a := 1}.
o(X) -> <<X:8>>.
p(X) -> <<X/binary, 1>>.
q(X) -> foo:bar(X).
r(X) -> {foo:bar(X)}.
s(1) -> 1.
u(X) -> {s(X)}.
v(X) -> case X of 1 -> 2 end.
w(X) -> [Y || Y <- X].
x(X) -> [Y || Y <- [1], X].
x2(X) -> [Y || Y <- [1], s(X)].
y(X, F) -> {F(X)}.
y(X) -> y(X, fun(1) -> 1 end).
y2(X) -> Z = X, y(X, fun(1) -> Z end).
z(X) -> apply(X, foo, [1]).
aa(X) -> apply(X, foo, 1).
ab(X) -> X:foo(1).
ac(X) -> {X:foo(1)}.
ad(X) -> {apply(X, [1])}.
ae(X) -> << <<Y>> || Y <- X >>.
af(X) -> {length(X)}.
ag(X) -> length(X).
ah(X) -> {X ++ [1]}.
ai(X) -> X and true.
aj(X) -> X andalso true.
ak(X) -> if X -> 1 end.
al(X) -> receive after X -> ok end.
ap(X) -> try s(X) of 5 -> 1 catch throw:_ -> 1 end.
aq(X) -> try X of 5 -> 1 catch throw:_ -> 1 end.
ar(X) -> {a, [s(Y) || Y <- [1,1,X]]}.
as(X) -> try s(X) after foo end.
at(X) -> Y = s(X), Y.
au(X) -> erlang:raise(error, X, []).
av(X) -> not X.
aw(X) -> -X.
ax(X) -> {element(X, {1})}.
ay(X) -> X + 1, ok.
ba(X) -> element(X, {1}).
bb(X) -> throw(X).
bc(X) -> exit(X).
bd(X) -> {throw(X)}.
be(X) -> X > 1 andalso foo:bar().
bg(X) -> F = fun F(0) -> 1/0; F(N) -> 1 + F(N-1) end, y(X, F).
bh(X) -> setelement(1, X, 2).
bj(X) -> list_to_integer(X).
bk(X) -> maps:put(1,2,X).
bn(X) -> [ Z || <<Z>> <= X].
bo(X) -> tuple_size(X).
bp(X) -> map_size(X).
bq(X) -> X#{a => 1}.
br(X) -> lists:keyfind(1,X,[]).
bs(X) -> catch s(X).
bu(X) -> fun X:foo/1.
bv(X) -> X:foo().
bw(X) -> erlang:X().
bx(X) -> trunc(X).
by(X) -> list_to_atom(X).
ca(X) -> X#r.a.
cb(X) -> X#r{a = 1}.
cc(X) -> #r{a = A} = X, A.
cd(X) -> {a, catch cb(X)}.
ce(X) -> try throw(X) catch throw:Y -> error({again, Y}) end.
cf(X) -> try error(X) catch C:R:S -> erlang:raise(C, {R, X}, S) end.
cg(X) -> try error(X) after put(x, X) end.
ch(X) -> [ {A, B} || A <- [1,2], B <- X, s(A)].
ci(X) -> fun(Y) -> X + Y end(a).
cj(X) -> (fun(Y, Z) -> {X + Y, Z} end)(1, 2).
ck(X) -> erlang:error(X, [X, 2], [{error_info, #{cause => foo}}]).
cl(X) -> erlang:error(X, none).
cm(X) -> lists:nth(X, [1]).
cn(X) -> 1 bsl X.
co(X) -> 5 div X.
cp(X) -> X / 0.
cq(X) -> {X, 5 rem 0}.
cr(X) -> <<X:X>>.
cs(X) -> <<1.0:X/float>>.
ct(X) -> <<1, X/utf8>>.
cu(X) -> <<"abc", 1:8, X/binary>>.
cv(X) -> <<X:2/binary>>.
cw(X) -> X bor 1.
cx(X) -> bnot X.
cy(X) -> X xor true.
cz(X) -> float(X).
da(X) -> abs(X).
db(X) -> {max(X, 1), X -- [1]}.
dc(X) -> integer_to_list(X).
dd(X) -> list_to_integer(X).
de(X) -> list_to_tuple(X).
df(X) -> map_get(a, X).
dg(X) -> is_map_key(a, X).
dh(X) -> hd(X) + 1.
di(X) -> receive X -> 1 after foo -> 2 end.
dj(X) -> begin Y = X, s(Y) end.
dk(X) -> case s(X) of Z -> Z end.
dl(X) -> Z = s(X), W = Z, W.
dm(X) -> case X of 1 -> s(2); 2 -> {s(3)}; _ -> s(X), ok end.
dn(X) -> maybe_f(X, fun(A) when A > 1 -> A end).
maybe_f(X, F) -> R = F(X), {R}.
do(X) -> Y = fun(A) -> X + A end, Y(foo).
dp(X) -> [begin F = fun() -> E + X end, F() end || E <- [a]].
dq(X) -> error(undef, [X]).
dr(X) -> erlang:apply(fun s/1, [X]).
ds(X) -> erlang:apply(?MODULE, s, [X]).
dt(X) -> ?MODULE:s(X).
du(X) -> lists:foreach(fun s/1, [X]).
dv(X) -> lists:map(fun(Y) -> s(Y) end, [1, X]).
dw(X) -> throw(X), ok.
dx(X) -> exit(X), ok.
dy(X) -> A = [1|X], length(A).
go() -> L = go0(), go2(L, []).
go2([], A) -> lists:reverse(A);
go2([{F,A}|L], Acc) -> X = call(F, A), go2(L, [X|Acc]).
call(F,A) -> try errors:F(A) of V -> {F,A,V} catch C:R:S -> {F,A,C,R,cut(S)} end.
cut([{errors,call,_,_}|_]) -> []; cut([H|T]) -> [H|cut(T)]; cut([]) -> [].
go0() ->
 [{a,1},
  {b,1},
  {c,[1,2,0]},
  {d,x},
  {e,[]},
  {g,1},
  {i,1},
  {j,1},
  {k,1},
  {l,1},
  {m,1},
  {m,#{}},
  {n,1},
  {n,#{}},
  {o,x},
  {p,x},
  {q,1},
  {r,1},
  {u,2},
  {v,2},
  {w,x},
  {w,[1|x]},
  {x,foo},
  {x2,1},
  {y,2},
  {z,1},
  {z,foo},
  {aa,foo},
  {ab,1},
  {ab,foo},
  {ac,1},
  {ac,foo},
  {ad,1},
  {ae,[x]},
  {af,x},
  {ag,x},
  {ah,x},
  {ai,x},
  {aj,x},
  {ak,x},
  {al,x},
  {ap,2},
  {aq,2},
  {ar,2},
  {as,2},
  {at,2},
  {au,2},
  {av,1},
  {aw,x},
  {ax,3},
  {ay,x},
  {ba,1000},
  {bb,1},
  {bc,1},
  {bd,1},
  {be,2},
  {bg,3},
  {bh,x},
  {bj,"x"},
  {bk,1},
  {bn,1},
  {bo,x},
  {bp,x},
  {bq,x},
  {br,x},
  {bu,1},
  {bv,1},
  {bw,foo},
  {bx,x},
  {by,1},
  {ca,1},
  {cb,1},
  {cc,1},
  {ce,1},
  {cf,1},
  {cg,1},
  {ch,[x]},
  {ch,y},
  {ck,x},
  {cl,x},
  {cn,x},
  {co,0},
  {co,x},
  {cp,1},
  {cq,1},
  {cr,x},
  {cr,-1},
  {cs,7},
  {cs,x},
  {ct,-1},
  {ct,x},
  {cu,x},
  {cv,<<1>>},
  {cw,x},
  {cx,x},
  {cy,x},
  {cz,x},
  {da,x},
  {db,x},
  {dc,x},
  {dd,x},
  {de,x},
  {df,x},
  {df,#{}},
  {dg,x},
  {dh,[a]},
  {di,x},
  {dj,2},
  {dk,2},
  {dn,1},
  {dq,1},
  {dr,2},
  {ds,2},
  {dt,2},
  {dw,1},
  {dx,1},
  {dy,x}].
