%% AES in its modes, SHA-3, and what wrong arguments give.
-module(ciphers).
-export([main/0]).
%% The line in OTP's C is not ours to know.
t(F) -> io:format("~p~n", [try F() catch C:{K, {File, _}, Text} -> {C, K, File, Text}; C:R -> {C, R} end]).
main() ->
 
    K = binary:copy(<<1>>,16), I=binary:copy(<<2>>,16),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,<<1,2,3>>,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,binary:copy(<<1>>,20),true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,<<1,2,3>>,[{encrypt,true},{padding,pkcs_padding}]) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,binary:copy(<<1>>,16),[{encrypt,true},{padding,pkcs_padding}]) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,<<1,2,3>>,[{encrypt,true},{padding,zero}]) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,<<1,2,3>>,[{encrypt,true},{padding,none}]) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,binary:copy(<<1>>,16),[{encrypt,false},{padding,pkcs_padding}]) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,<<1,2,3>>,false) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,<<1>>,I,<<1,2,3>>,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,<<1>>,<<1,2,3>>,true) end),
    t(fun() -> crypto:crypto_one_time(aes_cbc,K,I,I,true) end),
    t(fun() -> crypto:crypto_one_time(nope,K,I,I,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_ecb,K,I,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_ctr,K,I,<<"hello">>,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_gcm,K,I,<<"hello">>,true) end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_gcm,K,I,<<"hello">>,<<"aad">>,true) end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_gcm,K,<<"twelve bytes">>,<<"hello">>,<<"aad">>,12,true) end),
    t(fun() -> {C,T}=crypto:crypto_one_time_aead(aes_128_gcm,K,I,<<"hello">>,<<"aad">>,true), {crypto:crypto_one_time_aead(aes_128_gcm,K,I,C,<<"aad">>,T,false),crypto:crypto_one_time_aead(aes_128_gcm,K,I,C,<<"AAD">>,T,false)} end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_cbc,K,I,<<"hello">>,<<"aad">>,true) end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_gcm,<<1>>,I,<<"hello">>,<<"aad">>,true) end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_gcm,K,I,<<"hello">>,<<"aad">>,17,true) end),
    t(fun() -> crypto:crypto_one_time_aead(aes_128_gcm,K,<<>>,<<"hello">>,<<"aad">>,16,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,foo,true) end),
    t(fun() -> crypto:crypto_one_time(aes_128_cbc,K,I,I,foo) end),
    t(fun() -> S=crypto:crypto_init(aes_128_cbc,K,I,true), [crypto:crypto_update(S,<<1,2,3>>),crypto:crypto_update(S,binary:copy(<<5>>,30)),crypto:crypto_final(S)] end),
    t(fun() -> S=crypto:crypto_init(aes_128_ctr,K,I,true), [crypto:crypto_update(S,<<1,2,3>>),crypto:crypto_update(S,binary:copy(<<5>>,30)),crypto:crypto_final(S)] end),
    t(fun() -> crypto:cipher_info(aes_128_cbc) end),
    t(fun() -> [crypto:cipher_info(C)||C<-[aes_128_ecb,aes_192_ecb,aes_256_ecb,aes_192_cbc,aes_256_cbc,aes_128_ctr,aes_192_ctr,aes_256_ctr,aes_128_gcm,aes_192_gcm,aes_256_gcm,aes_cbc,aes_ctr,aes_gcm,aes_ecb]] end),
    t(fun() -> crypto:cipher_info(foo) end),
    t(fun() -> [crypto:hash(H,<<"abc">>)||H<-[sha3_224,sha3_256,sha3_384,sha3_512]] end),
    t(fun() -> [crypto:hash_info(H)||H<-[sha3_224,sha3_256,sha3_384,sha3_512]] end),
    t(fun() -> [crypto:mac(hmac,H,<<"k">>,<<"abc">>)||H<-[sha3_224,sha3_256]] end),
    Long = binary:copy(<<"0123456789abcdef-">>, 20),
    t(fun() -> [crypto:crypto_one_time(aes_256_cbc, <<K/binary, I/binary>>, I, crypto:crypto_one_time(aes_256_cbc, <<K/binary, I/binary>>, I, Long, [{encrypt, true}, {padding, pkcs_padding}]), [{encrypt, false}, {padding, pkcs_padding}]) =:= Long,
                crypto:crypto_one_time(aes_192_ctr, <<K/binary, 1, 2, 3, 4, 5, 6, 7, 8>>, binary:copy(<<255>>, 16), Long, true)] end),
    t(fun() -> crypto:crypto_one_time_aead(aes_256_gcm, <<K/binary, I/binary>>, Long, Long, Long, true) end).
