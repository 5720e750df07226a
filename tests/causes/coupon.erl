%% A coupon may be used once. Whoever wants it looks into a table and then inserts.
%% Cause: both buyers looked before either had inserted: the coupon was used twice.
-module(coupon).
-export([main/0]).

main() ->
    T = ets:new(coupons, [public, set]),
    ets:insert(T, {welcome, 5}),
    Me = self(),
    [spawn_link(fun() -> Me ! {B, buy(T, B, welcome)} end) || B <- [ann, ben, cid]],
    Got = [receive {B, R} -> {B, R} end || B <- [ann, ben, cid]],
    case [B || {B, ok} <- Got] of
        [_] -> ok;
        Many -> exit({coupon_used_by, Many})
    end.

buy(T, Buyer, Code) ->
    case ets:lookup(T, {used, Code}) of
        [] ->
            Price = price(ets:lookup(T, Code)),
            ets:insert(T, {{used, Code}, Buyer, Price}),
            ok;
        _ -> already_used
    end.

price([{_, Off}]) -> 20 - Off.
