%% Digests and encryption of `crypto`.
-module(digests).
-export([main/0]).
main() ->
    Try = fun(F) -> try is_binary(F()) catch error:Reason -> if is_atom(Reason) -> Reason; true -> element(1, Reason) end end end,
    io:format("~p ~p~n", [Try(fun() -> crypto:hash(blake2b, "a") end), Try(fun() -> crypto:crypto_one_time(aes_128_cfb8, <<0:128>>, <<0:128>>, <<0:128>>, true) end)]).
