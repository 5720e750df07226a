%% The module `queue`: a queue is {Rear, Front}, both lists, Rear reversed.
%% Representation invariant (visible when printed): if the queue holds at least two elements, both lists hold at least one.
-module(queue).
-export([new/0, is_queue/1, is_empty/1, len/1, to_list/1, from_list/1, member/2, in/2, in_r/2, out/1, out_r/1, get/1, get_r/1, peek/1, peek_r/1,
         drop/1, drop_r/1, reverse/1, join/2, split/2, filter/2, filtermap/2, fold/3, any/2, all/2, delete/2, delete_r/2, delete_with/2,
         delete_with_r/2, cons/2, head/1, tail/1, snoc/2, last/1, daeh/1, init/1, liat/1, lait/1]).
-compile({no_auto_import, [get/1]}).

new() -> {[], []}.

is_queue({R, F}) when is_list(R), is_list(F) -> true;
is_queue(_) -> false.

is_empty({[], []}) -> true;
is_empty({R, F}) when is_list(R), is_list(F) -> false;
is_empty(Q) -> erlang:error(badarg, [Q]).

len({R, F}) when is_list(R), is_list(F) -> length(R) + length(F);
len(Q) -> erlang:error(badarg, [Q]).

to_list({R, F}) when is_list(R), is_list(F) -> F ++ lists:reverse(R);
to_list(Q) -> erlang:error(badarg, [Q]).

from_list(L) when is_list(L) -> from_front(L);
from_list(L) -> erlang:error(badarg, [L]).

member(X, {R, F}) when is_list(R), is_list(F) -> lists:member(X, R) orelse lists:member(X, F);
member(X, Q) -> erlang:error(badarg, [X, Q]).

in(X, {[_] = R, []}) -> {[X], R};
in(X, {R, F}) when is_list(R), is_list(F) -> {[X | R], F};
in(X, Q) -> erlang:error(badarg, [X, Q]).

in_r(X, {[], [_] = F}) -> {F, [X]};
in_r(X, {R, F}) when is_list(R), is_list(F) -> {R, [X | F]};
in_r(X, Q) -> erlang:error(badarg, [X, Q]).

out({[], []} = Q) -> {empty, Q};
out({[X], []}) -> {{value, X}, {[], []}};
out({[Y | R], []}) ->
    [X | F] = lists:reverse(R, []),
    {{value, X}, {[Y], F}};
out({R, [X]}) when is_list(R) -> {{value, X}, from_rear(R)};
out({R, [X | F]}) when is_list(R) -> {{value, X}, {R, F}};
out(Q) -> erlang:error(badarg, [Q]).

out_r({[], []} = Q) -> {empty, Q};
out_r({[], [X]}) -> {{value, X}, {[], []}};
out_r({[], [Y | F]}) ->
    [X | R] = lists:reverse(F, []),
    {{value, X}, {R, [Y]}};
out_r({[X], F}) when is_list(F) -> {{value, X}, from_front(F)};
out_r({[X | R], F}) when is_list(F) -> {{value, X}, {R, F}};
out_r(Q) -> erlang:error(badarg, [Q]).

get({[], []} = Q) -> erlang:error(empty, [Q]);
get({R, F}) when is_list(R), is_list(F) -> get(R, F);
get(Q) -> erlang:error(badarg, [Q]).

get(_, [X | _]) -> X;
get([X], []) -> X;
get([_ | R], []) -> lists:last(R).

get_r({[], []} = Q) -> erlang:error(empty, [Q]);
get_r({[X | _], F}) when is_list(F) -> X;
get_r({[], [X]}) -> X;
get_r({[], [_ | F]}) -> lists:last(F);
get_r(Q) -> erlang:error(badarg, [Q]).

peek({[], []}) -> empty;
peek({R, [X | _]}) when is_list(R) -> {value, X};
peek({[X], []}) -> {value, X};
peek({[_ | R], []}) -> {value, lists:last(R)};
peek(Q) -> erlang:error(badarg, [Q]).

peek_r({[], []}) -> empty;
peek_r({[X | _], F}) when is_list(F) -> {value, X};
peek_r({[], [X]}) -> {value, X};
peek_r({[], [_ | F]}) -> {value, lists:last(F)};
peek_r(Q) -> erlang:error(badarg, [Q]).

drop({[], []} = Q) -> erlang:error(empty, [Q]);
drop({[_], []}) -> {[], []};
drop({[Y | R], []}) ->
    [_ | F] = lists:reverse(R, []),
    {[Y], F};
drop({R, [_]}) when is_list(R) -> from_rear(R);
drop({R, [_ | F]}) when is_list(R) -> {R, F};
drop(Q) -> erlang:error(badarg, [Q]).

drop_r({[], []} = Q) -> erlang:error(empty, [Q]);
drop_r({[], [_]}) -> {[], []};
drop_r({[], [Y | F]}) ->
    [_ | R] = lists:reverse(F, []),
    {R, [Y]};
drop_r({[_], F}) when is_list(F) -> from_front(F);
drop_r({[_ | R], F}) when is_list(F) -> {R, F};
drop_r(Q) -> erlang:error(badarg, [Q]).

reverse({R, F}) when is_list(R), is_list(F) -> {F, R};
reverse(Q) -> erlang:error(badarg, [Q]).

join({R, F} = Q, {[], []}) when is_list(R), is_list(F) -> Q;
join({[], []}, {R, F} = Q) when is_list(R), is_list(F) -> Q;
join({R1, F1}, {R2, F2}) when is_list(R1), is_list(F1), is_list(R2), is_list(F2) -> {R2, F1 ++ lists:reverse(R1, F2)};
join(Q1, Q2) -> erlang:error(badarg, [Q1, Q2]).

split(0, {R, F} = Q) when is_list(R), is_list(F) -> {{[], []}, Q};
split(N, {R, F} = Q) when is_integer(N), N >= 1, is_list(R), is_list(F) ->
    Front = length(F),
    if
        N < Front ->
            [X | Rest] = F,
            split_front(N - 1, Rest, R, [X], []);
        N > Front ->
            Rear = length(R),
            M = Front + Rear - N,
            if
                M < 0 -> erlang:error(badarg, [N, Q]);
                M > 0 ->
                    [X | Rest] = R,
                    split_rear(M - 1, Rest, F, [X], []);
                true -> {Q, {[], []}}
            end;
        true -> {from_front(F), from_rear(R)}
    end;
split(N, Q) -> erlang:error(badarg, [N, Q]).

%% The first part keeps what was taken reversed, with its first element in front.
split_front(0, F, R, Taken, []) -> {from_rear(Taken), {R, F}};
split_front(0, F, R, Taken, [_ | _] = More) -> {{More, lists:reverse(Taken)}, {R, F}};
split_front(N, [X | F], R, Taken, More) -> split_front(N - 1, F, R, Taken, [X | More]).

split_rear(0, R, F, Taken, []) -> {{R, F}, from_front(Taken)};
split_rear(0, R, F, Taken, [_ | _] = More) -> {{R, F}, {lists:reverse(Taken), More}};
split_rear(N, [X | R], F, Taken, More) -> split_rear(N - 1, R, F, Taken, [X | More]).

filter(Fun, {R0, F0}) when is_function(Fun, 1), is_list(R0), is_list(F0) ->
    F = filter_f(Fun, F0),
    R = filter_r(Fun, R0),
    balanced(R, F);
filter(Fun, Q) -> erlang:error(badarg, [Fun, Q]).

balanced(R, []) -> from_rear(R);
balanced([], F) -> from_front(F);
balanced(R, F) -> {R, F}.

filter_f(_, []) -> [];
filter_f(Fun, [X | F]) ->
    case Fun(X) of
        true -> [X | filter_f(Fun, F)];
        [Y] -> [Y | filter_f(Fun, F)];
        false -> filter_f(Fun, F);
        [] -> filter_f(Fun, F);
        L when is_list(L) -> L ++ filter_f(Fun, F)
    end.

filter_r(_, []) -> [];
filter_r(Fun, [X | R0]) ->
    R = filter_r(Fun, R0),
    case Fun(X) of
        true -> [X | R];
        [Y] -> [Y | R];
        false -> R;
        [] -> R;
        L when is_list(L) -> lists:reverse(L, R)
    end.

filtermap(Fun, {R0, F0}) when is_function(Fun, 1), is_list(R0), is_list(F0) ->
    F = lists:filtermap(Fun, F0),
    R = filtermap_rear(Fun, R0),
    balanced(R, F);
filtermap(Fun, Q) -> erlang:error(badarg, [Fun, Q]).

filtermap_rear(_, []) -> [];
filtermap_rear(Fun, [X | R0]) ->
    R = filtermap_rear(Fun, R0),
    case Fun(X) of
        true -> [X | R];
        {true, Y} -> [Y | R];
        false -> R
    end.

fold(Fun, Acc, {R, F}) when is_function(Fun, 2), is_list(R), is_list(F) -> lists:foldr(Fun, lists:foldl(Fun, Acc, F), R);
fold(Fun, Acc, Q) -> erlang:error(badarg, [Fun, Acc, Q]).

any(Pred, {R, F}) when is_function(Pred, 1), is_list(R), is_list(F) -> lists:any(Pred, F) orelse lists:any(Pred, R);
any(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

all(Pred, {R, F}) when is_function(Pred, 1), is_list(R), is_list(F) -> lists:all(Pred, F) andalso lists:all(Pred, R);
all(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

delete(X, {R0, F0} = Q) when is_list(R0), is_list(F0) ->
    case delete_front(X, F0) of
        false ->
            case delete_rear(X, R0) of
                false -> Q;
                [] -> from_front(F0);
                R -> {R, F0}
            end;
        [] -> from_rear(R0);
        F -> {R0, F}
    end;
delete(X, Q) -> erlang:error(badarg, [X, Q]).

delete_r(X, {R0, F0}) when is_list(R0), is_list(F0) ->
    {F1, R1} = delete(X, {F0, R0}),
    {R1, F1};
delete_r(X, Q) -> erlang:error(badarg, [X, Q]).

delete_with(Pred, {R0, F0} = Q) when is_function(Pred, 1), is_list(R0), is_list(F0) ->
    case delete_with_front(Pred, F0) of
        false ->
            case delete_with_rear(Pred, R0) of
                false -> Q;
                [] -> from_front(F0);
                R -> {R, F0}
            end;
        [] -> from_rear(R0);
        F -> {R0, F}
    end;
delete_with(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

delete_with_r(Pred, {R0, F0}) when is_function(Pred, 1), is_list(R0), is_list(F0) ->
    {F1, R1} = delete_with(Pred, {F0, R0}),
    {R1, F1};
delete_with_r(Pred, Q) -> erlang:error(badarg, [Pred, Q]).

delete_front(X, L) -> delete_with_front(fun(Y) -> X =:= Y end, L).

delete_with_front(_, []) -> false;
delete_with_front(Pred, [X | L]) ->
    case Pred(X) of
        true -> L;
        false ->
            case delete_with_front(Pred, L) of
                false -> false;
                Rest -> [X | Rest]
            end
    end.

delete_rear(X, L) -> delete_with_rear(fun(Y) -> X =:= Y end, L).

delete_with_rear(_, []) -> false;
delete_with_rear(Pred, [X | L]) ->
    case delete_with_rear(Pred, L) of
        false ->
            case Pred(X) of
                true -> L;
                false -> false
            end;
        Rest -> [X | Rest]
    end.

cons(X, Q) -> in_r(X, Q).

head({[], []} = Q) -> erlang:error(empty, [Q]);
head({R, F}) when is_list(R), is_list(F) -> get(R, F);
head(Q) -> erlang:error(badarg, [Q]).

tail(Q) -> drop(Q).

snoc(Q, X) -> in(X, Q).

daeh(Q) -> get_r(Q).

last(Q) -> get_r(Q).

liat(Q) -> drop_r(Q).

lait(Q) -> drop_r(Q).

init(Q) -> drop_r(Q).

%% A queue of a list that is its front, or its rear: the last elements move to the other side.
from_front([]) -> {[], []};
from_front([_] = F) -> {F, []};
from_front([X, Y]) -> {[Y], [X]};
from_front(F) ->
    {Front, Back} = lists:split(length(F) div 2, F),
    {lists:reverse(Back, []), Front}.

from_rear([]) -> {[], []};
from_rear([_] = R) -> {[], R};
from_rear([X, Y]) -> {[X], [Y]};
from_rear(R) ->
    {Back, Front} = lists:split(length(R) div 2, R),
    {Back, lists:reverse(Front, [])}.
