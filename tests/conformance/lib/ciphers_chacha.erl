%% ChaCha20, Poly1305, and keys made from passwords.
-module(ciphers_chacha).
-export([main/0]).

%% The line in OTP's C is not ours to know.
t(F) -> io:format("~w~n", [try F() catch C:{K, {File, _}, Text} -> {C, K, File, Text}; C:R -> {C, R} end]).

main() ->
    K = list_to_binary(lists:seq(1, 32)),
    [io:format("~p~n", [lists:sort(maps:to_list(crypto:cipher_info(C)))]) || C <- [chacha20, chacha20_poly1305]],
    chacha(K),
    poly(K),
    derived().

chacha(K) ->
    t(fun() -> crypto:crypto_one_time(chacha20, K, <<0:128>>, <<1, 2, 3>>, true) end),
    t(fun() -> crypto:crypto_one_time(chacha20, K, <<0:128>>, <<1, 2, 3>>, [{encrypt, false}, {padding, pkcs_padding}]) end),
    %% The number of the block goes on in the nonce.
    t(fun() -> crypto:crypto_one_time(chacha20, K, <<16#ffffffff:32/little, 5:96>>, binary:copy(<<0>>, 130), true) end),
    t(fun() -> crypto:crypto_one_time(chacha20, K, <<0:96>>, <<1, 2, 3>>, true) end),
    t(fun() -> crypto:crypto_one_time(chacha20, <<1, 2>>, <<0:128>>, <<1, 2, 3>>, true) end),
    R = crypto:crypto_init(chacha20, K, <<0:128>>, true),
    [t(fun() -> crypto:crypto_update(R, Data) end) || Data <- [<<"abcdefghij">>, binary:copy(<<"z">>, 70), <<"zzz">>, <<>>, ["ab", <<"c">>]]],
    t(fun() -> crypto:crypto_final(R) end).

poly(K) ->
    IV = binary:copy(<<7>>, 12),
    [t(fun() -> crypto:crypto_one_time_aead(chacha20_poly1305, K, binary:copy(<<7>>, N), <<"text">>, <<"aad">>, true) end) || N <- [0, 1, 8, 12, 13, 16]],
    [t(fun() -> crypto:crypto_one_time_aead(chacha20_poly1305, K, IV, <<"text">>, <<"aad">>, N, true) end) || N <- [0, 1, 8, 16, 17]],
    Long = binary:copy(<<"a longer text ">>, 20),
    {Out, Tag} = crypto:crypto_one_time_aead(chacha20_poly1305, K, IV, Long, ["more ", <<"aad">>], true),
    t(fun() -> {Out, Tag} end),
    [t(fun() -> Long =:= crypto:crypto_one_time_aead(chacha20_poly1305, K, IV, Out, <<"more aad">>, binary:part(Tag, 0, N), false) end) || N <- [0, 1, 8, 16]],
    t(fun() -> crypto:crypto_one_time_aead(chacha20_poly1305, K, IV, Out, <<"other">>, Tag, false) end),
    t(fun() -> crypto:crypto_one_time_aead(chacha20_poly1305, K, IV, Out, <<"more aad">>, <<0:128>>, false) end),
    t(fun() -> crypto:crypto_one_time(chacha20_poly1305, K, IV, <<"text">>, true) end).

derived() ->
    [t(fun() -> crypto:pbkdf2_hmac(D, <<"pass">>, <<"salt">>, 1003, 40) end) || D <- [sha, sha224, sha256, sha384, sha512, md5, sha3_256, nope]],
    Cases = [{<<>>, <<>>, 1, 1}, {binary:copy(<<"k">>, 200), <<"s">>, 2, 45}, {<<"a">>, <<"b">>, 0, 3}, {<<"a">>, <<"b">>, 1, 0}, {<<"a">>, <<"b">>, -1, 3},
             {<<"a">>, <<"b">>, 1, -3}, {"a", <<"b">>, 1, 3}, {<<"a">>, ["b"], 1, 3}, {<<"a">>, <<"b">>, x, 3}, {<<"a">>, <<"b">>, 1, x}],
    [t(fun() -> crypto:pbkdf2_hmac(sha, Password, Salt, Times, Length) end) || {Password, Salt, Times, Length} <- Cases].
