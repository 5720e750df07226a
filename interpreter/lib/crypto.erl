%% The module `crypto`: digests, message authentication and random bytes. Ciphers, signatures and keys are not there.
-module(crypto).
-export([start/0, stop/0, info_lib/0, supports/0, supports/1, hash/2, hash_init/1, hash_update/2, hash_final/1, hash_info/1, mac/3, mac/4, macN/4, macN/5,
         mac_init/2, mac_init/3, mac_update/2, mac_final/1, strong_rand_bytes/1, rand_seed/0, rand_seed_s/0, rand_uniform/2, bytes_to_integer/1, exor/2,
         hash_equals/2, mod_pow/3]).

start() -> ok.
stop() -> ok.
info_lib() -> [{<<"OpenSSL">>, 805306368, <<"OpenSSL 3.0.0">>}].

supports() -> [{Type, supports(Type)} || Type <- [hashs, ciphers, public_keys, macs, curves, rsa_opts]].
supports(hashs) -> [sha, sha224, sha256, sha384, sha512, md5];
supports(macs) -> [hmac];
supports(_) -> [].

hash(Type, Data) ->
    Bytes = iolist_to_binary(Data),
    try digest(Type, Bytes)
    catch
        error:type -> erlang:error({badarg, {"hash.c", 108}, "Bad digest type"}, [Type, Bytes])
    end.

digest(md5, Data) -> erlang:md5(Data);
digest(Type, Data) when Type =:= sha; Type =:= sha224; Type =:= sha256; Type =:= sha384; Type =:= sha512 -> crypto:'$digest'(Type, Data);
digest(_, _) -> erlang:error(type).

%% A state is everything so far.
hash_init(Type) ->
    _ = hash(Type, <<>>),
    {'$hash', Type, []}.
hash_update({'$hash', Type, Data}, More) -> {'$hash', Type, [Data | iolist_to_binary(More)]}.
hash_final({'$hash', Type, Data}) -> hash(Type, Data).

hash_info(Type) -> #{block_size => block(Type), size => byte_size(hash(Type, <<>>)), type => number(Type)}.

block(Type) when Type =:= sha384; Type =:= sha512 -> 128;
block(_) -> 64.

number(md5) -> 4;
number(sha) -> 64;
number(sha224) -> 675;
number(sha256) -> 672;
number(sha384) -> 673;
number(sha512) -> 674.

mac(hmac, Type, Key, Data) ->
    Block = block(Type),
    Short = case iolist_to_binary(Key) of
        Long when byte_size(Long) > Block -> hash(Type, Long);
        Fits -> Fits
    end,
    Padded = <<Short/binary, 0:(Block - byte_size(Short))/unit:8>>,
    hash(Type, [<< <<(B bxor 16#5c)>> || <<B>> <= Padded >>, hash(Type, [<< <<(B bxor 16#36)>> || <<B>> <= Padded >>, Data])]);
mac(Type, SubType, _, _) -> erlang:error({notsup, {"mac.c", 0}, "Unsupported mac type"}, [Type, SubType]).
mac(Type, Key, Data) -> erlang:error({notsup, {"mac.c", 0}, "Unsupported mac type"}, [Type, Key, Data]).

macN(Type, SubType, Key, Data, Length) -> binary:part(mac(Type, SubType, Key, Data), 0, Length).
macN(Type, Key, Data, Length) -> binary:part(mac(Type, Key, Data), 0, Length).

mac_init(Type, SubType, Key) -> {'$mac', Type, SubType, Key, []}.
mac_init(Type, Key) -> erlang:error({notsup, {"mac.c", 0}, "Unsupported mac type"}, [Type, Key]).
mac_update({'$mac', Type, SubType, Key, Data}, More) -> {'$mac', Type, SubType, Key, [Data | iolist_to_binary(More)]}.
mac_final({'$mac', Type, SubType, Key, Data}) -> mac(Type, SubType, Key, Data).

hash_equals(A, B) when is_binary(A), is_binary(B), byte_size(A) =:= byte_size(B) -> A =:= B;
hash_equals(A, B) -> erlang:error({badarg, {"hash_equals.c", 0}, "Arguments must have the same size"}, [A, B]).

%% An input: the bytes come from a generator that the outside seeds.
strong_rand_bytes(N) when is_integer(N), N >= 0 ->
    {Bytes, _} = rand:bytes_s(N, rand:seed_s(exsss, erlang:'$entropy'())),
    Bytes;
strong_rand_bytes(N) -> erlang:error(badarg, [N]).

rand_seed() -> rand:seed(exsss).
rand_seed_s() -> rand:seed_s(exsss).

rand_uniform(From, To) when is_integer(From), is_integer(To), From < To -> From + binary:decode_unsigned(strong_rand_bytes(16)) rem (To - From).

bytes_to_integer(Bytes) -> binary:decode_unsigned(Bytes).

exor(A, B) ->
    X = iolist_to_binary(A),
    Y = iolist_to_binary(B),
    Bits = bit_size(X),
    <<I:Bits>> = X,
    <<J:Bits>> = Y,
    <<(I bxor J):Bits>>.

%% By squares.
mod_pow(Base, Exponent, Modulus) ->
    [B, E, M] = [case N of _ when is_binary(N) -> binary:decode_unsigned(N); _ -> N end || N <- [Base, Exponent, Modulus]],
    case pow(B rem M, E, M, 1) of
        0 -> <<0>>;
        N -> binary:encode_unsigned(N)
    end.

pow(_, 0, _, Acc) -> Acc;
pow(B, E, M, Acc) when E band 1 =:= 1 -> pow(B * B rem M, E bsr 1, M, Acc * B rem M);
pow(B, E, M, Acc) -> pow(B * B rem M, E bsr 1, M, Acc).
