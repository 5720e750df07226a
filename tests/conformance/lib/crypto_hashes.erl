%% Digests and message authentication.
-module(crypto_hashes).
-export([main/0]).
main() ->
    p([crypto:hash(T, D) || T <- [md5, sha, sha224, sha256, sha384, sha512], D <- ["abc", "", binary:copy(<<"a">>, 200), [<<"x">>, $y]]]),
    p(crypto:mac(hmac, sha256, "k", "data")), p(crypto:mac(hmac, md5, binary:copy(<<"key">>, 50), "data")), p(byte_size(crypto:strong_rand_bytes(5))),
    p(crypto:hash_final(crypto:hash_update(crypto:hash_update(crypto:hash_init(sha), "x"), "y"))), p(crypto:exor("ab", "cd")), p(crypto:mod_pow(3, 200, 50)), p(crypto:bytes_to_integer(<<1, 0>>)).
p(X) -> io:format("~p~n", [X]).
