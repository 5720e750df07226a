%% The module `dbg`. Nothing can be traced in this way: what asks for it is refused by name, and to stop has nothing to do.
-module(dbg).
-export([stop/0, stop_clear/0, start/0, start/1, tracer/0, tracer/1, tracer/2, tracer/3, p/1, p/2, c/3, c/4, i/0, n/1, cn/1, ln/0,
         tp/2, tp/3, tp/4, tpl/2, tpl/3, tpl/4, tpe/2, ctp/0, ctp/1, ctp/2, ctp/3, ctpl/0, ctpl/1, ctpl/2, ctpl/3, ctpg/0, ctpg/1, ctpg/2, ctpg/3, ctpe/1,
         dtp/0, dtp/1, fun2ms/1, get_tracer/0, get_tracer/1, h/0, h/1, ltp/0, rtp/1, wtp/1, trace_client/2, trace_client/3, trace_port/2, stop_trace_client/1]).

stop() -> ok.
stop_clear() -> ok.

-define(REFUSED(Name, Args), erlang:'$unsupported'("dbg:" ++ Name ++ ": nothing can be traced in this way; the trace of the run has every step",
                                                   {?MODULE, ?FUNCTION_NAME, Args})).

start() -> ?REFUSED("start", []).
start(A) -> ?REFUSED("start", [A]).
tracer() -> ?REFUSED("tracer", []).
tracer(A) -> ?REFUSED("tracer", [A]).
tracer(A, B) -> ?REFUSED("tracer", [A, B]).
tracer(A, B, C) -> ?REFUSED("tracer", [A, B, C]).
p(A) -> ?REFUSED("p", [A]).
p(A, B) -> ?REFUSED("p", [A, B]).
c(A, B, C) -> ?REFUSED("c", [A, B, C]).
c(A, B, C, D) -> ?REFUSED("c", [A, B, C, D]).
i() -> ?REFUSED("i", []).
n(A) -> ?REFUSED("n", [A]).
cn(A) -> ?REFUSED("cn", [A]).
ln() -> ?REFUSED("ln", []).
tp(A, B) -> ?REFUSED("tp", [A, B]).
tp(A, B, C) -> ?REFUSED("tp", [A, B, C]).
tp(A, B, C, D) -> ?REFUSED("tp", [A, B, C, D]).
tpl(A, B) -> ?REFUSED("tpl", [A, B]).
tpl(A, B, C) -> ?REFUSED("tpl", [A, B, C]).
tpl(A, B, C, D) -> ?REFUSED("tpl", [A, B, C, D]).
tpe(A, B) -> ?REFUSED("tpe", [A, B]).
ctp() -> ?REFUSED("ctp", []).
ctp(A) -> ?REFUSED("ctp", [A]).
ctp(A, B) -> ?REFUSED("ctp", [A, B]).
ctp(A, B, C) -> ?REFUSED("ctp", [A, B, C]).
ctpl() -> ?REFUSED("ctpl", []).
ctpl(A) -> ?REFUSED("ctpl", [A]).
ctpl(A, B) -> ?REFUSED("ctpl", [A, B]).
ctpl(A, B, C) -> ?REFUSED("ctpl", [A, B, C]).
ctpg() -> ?REFUSED("ctpg", []).
ctpg(A) -> ?REFUSED("ctpg", [A]).
ctpg(A, B) -> ?REFUSED("ctpg", [A, B]).
ctpg(A, B, C) -> ?REFUSED("ctpg", [A, B, C]).
ctpe(A) -> ?REFUSED("ctpe", [A]).
dtp() -> ?REFUSED("dtp", []).
dtp(A) -> ?REFUSED("dtp", [A]).
fun2ms(A) -> ?REFUSED("fun2ms", [A]).
get_tracer() -> ?REFUSED("get_tracer", []).
get_tracer(A) -> ?REFUSED("get_tracer", [A]).
h() -> ?REFUSED("h", []).
h(A) -> ?REFUSED("h", [A]).
ltp() -> ?REFUSED("ltp", []).
rtp(A) -> ?REFUSED("rtp", [A]).
wtp(A) -> ?REFUSED("wtp", [A]).
trace_client(A, B) -> ?REFUSED("trace_client", [A, B]).
trace_client(A, B, C) -> ?REFUSED("trace_client", [A, B, C]).
trace_port(A, B) -> ?REFUSED("trace_port", [A, B]).
stop_trace_client(A) -> ?REFUSED("stop_trace_client", [A]).
