%% The module `crypto`: digests, message authentication, keys made from passwords, random bytes, AES and ChaCha20. Other ciphers and signatures are not there.
-module(crypto).
-export([crypto_one_time/4, crypto_one_time/5, crypto_one_time_aead/6, crypto_one_time_aead/7, crypto_init/3, crypto_init/4, crypto_update/2,
         crypto_final/1, cipher_info/1]).
-export([start/0, stop/0, info_lib/0, supports/0, supports/1, hash/2, hash_init/1, hash_update/2, hash_final/1, hash_info/1, mac/3, mac/4, macN/4, macN/5,
         mac_init/2, mac_init/3, mac_update/2, mac_final/1, strong_rand_bytes/1, rand_seed/0, rand_seed_s/0, rand_uniform/2, bytes_to_integer/1, exor/2,
         hash_equals/2, mod_pow/3, pbkdf2_hmac/5]).

start() -> ok.
stop() -> ok.
info_lib() -> [{<<"OpenSSL">>, 805306368, <<"OpenSSL 3.0.0">>}].

supports() -> [{Type, supports(Type)} || Type <- [hashs, ciphers, public_keys, macs, curves, rsa_opts]].
supports(hashs) -> [sha, sha224, sha256, sha384, sha512, sha3_224, sha3_256, sha3_384, sha3_512, md5];
supports(ciphers) -> [list_to_atom("aes_" ++ Bits ++ "_" ++ Mode) || Mode <- ["ecb", "cbc", "ctr", "gcm"], Bits <- ["128", "192", "256"]]
    ++ [aes_cbc, aes_ctr, aes_ecb, aes_gcm, chacha20, chacha20_poly1305];
supports(macs) -> [hmac];
supports(_) -> [].

hash(Type, Data) ->
    Bytes = iolist_to_binary(Data),
    try digest(Type, Bytes)
    catch
        error:type -> erlang:error({badarg, {"hash.c", 108}, "Bad digest type"}, [Type, Bytes])
    end.

digest(md5, Data) -> erlang:md5(Data);
digest(Type, Data) when Type =:= sha; Type =:= sha224; Type =:= sha256; Type =:= sha384; Type =:= sha512;
                       Type =:= sha3_224; Type =:= sha3_256; Type =:= sha3_384; Type =:= sha3_512 -> crypto:'$digest'(Type, Data);
digest(_, _) -> erlang:error(type).

%% A state is everything so far.
hash_init(Type) ->
    _ = hash(Type, <<>>),
    {'$hash', Type, []}.
hash_update({'$hash', Type, Data}, More) -> {'$hash', Type, [Data | iolist_to_binary(More)]}.
hash_final({'$hash', Type, Data}) -> hash(Type, Data).

hash_info(Type) -> #{block_size => block(Type), size => byte_size(hash(Type, <<>>)), type => number(Type)}.

block(Type) when Type =:= sha384; Type =:= sha512 -> 128;
block(sha3_224) -> 144;
block(sha3_256) -> 136;
block(sha3_384) -> 104;
block(sha3_512) -> 72;
block(_) -> 64.

number(md5) -> 4;
number(sha) -> 64;
number(sha224) -> 675;
number(sha256) -> 672;
number(sha384) -> 673;
number(sha512) -> 674;
number(sha3_224) -> 1096;
number(sha3_256) -> 1097;
number(sha3_384) -> 1098;
number(sha3_512) -> 1099.

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

%% PBKDF2 (RFC 8018).
pbkdf2_hmac(Type, Password, Salt, Iterations, Length) ->
    Args = [Type, Password, Salt, Iterations, Length],
    lists:member(Type, [sha, sha224, sha256, sha384, sha512])
        orelse case lists:member(Type, supports(hashs)) of
            true -> erlang:error({badarg, {"pbkdf2_hmac.c", 38}, "Not eligible digest type"}, Args);
            false -> erlang:error({badarg, {"pbkdf2_hmac.c", 34}, "Bad digest type"}, Args)
        end,
    is_binary(Password) orelse erlang:error({badarg, {"pbkdf2_hmac.c", 41}, "Not binary"}, Args),
    is_binary(Salt) orelse erlang:error({badarg, {"pbkdf2_hmac.c", 44}, "Not binary"}, Args),
    is_integer(Iterations) andalso Iterations >= 0 orelse erlang:error({badarg, {"pbkdf2_hmac.c", 47}, "Not integer"}, Args),
    Iterations > 0 orelse erlang:error({badarg, {"pbkdf2_hmac.c", 49}, "Must be > 0"}, Args),
    is_integer(Length) andalso Length >= 0 orelse erlang:error({badarg, {"pbkdf2_hmac.c", 52}, "Not integer"}, Args),
    Length > 0 orelse erlang:error({badarg, {"pbkdf2_hmac.c", 54}, "Must be > 0"}, Args),
    Size = byte_size(hash(Type, <<>>)),
    Blocks = [begin
        First = mac(hmac, Type, Password, <<Salt/binary, N:32>>),
        derived(Type, Password, First, First, Iterations - 1)
    end || N <- lists:seq(1, (Length + Size - 1) div Size)],
    binary:part(iolist_to_binary(Blocks), 0, Length).

%% In parts, between which other processes can run.
derived(_, _, _, Sum, 0) -> Sum;
derived(Type, Password, Last, Sum, Left) ->
    Now = min(Left, 500),
    {Next, NextSum} = crypto:'$hmacs'(Type, Password, Last, Sum, Now),
    derived(Type, Password, Next, NextSum, Left - Now).

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

%% ---- AES ------------------------------------------------------------------------------------------------------------------------------

%% {Mode, bytes of a key, bytes of a vector, size of a block, number of OpenSSL}; `none` for a cipher that is not there.
cipher(aes_ecb, Size) -> sized(ecb, Size);
cipher(aes_cbc, Size) -> sized(cbc, Size);
cipher(aes_ctr, Size) -> sized(ctr, Size);
cipher(aes_gcm, Size) -> sized(gcm, Size);
cipher(aes_128_ecb, _) -> {ecb, 16, 0, 16, 418};
cipher(aes_192_ecb, _) -> {ecb, 24, 0, 16, 422};
cipher(aes_256_ecb, _) -> {ecb, 32, 0, 16, 426};
cipher(aes_128_cbc, _) -> {cbc, 16, 16, 16, 419};
cipher(aes_192_cbc, _) -> {cbc, 24, 16, 16, 423};
cipher(aes_256_cbc, _) -> {cbc, 32, 16, 16, 427};
cipher(aes_128_ctr, _) -> {ctr, 16, 16, 1, undefined};
cipher(aes_192_ctr, _) -> {ctr, 24, 16, 1, undefined};
cipher(aes_256_ctr, _) -> {ctr, 32, 16, 1, undefined};
cipher(aes_128_gcm, _) -> {gcm, 16, 12, 1, 895};
cipher(aes_192_gcm, _) -> {gcm, 24, 12, 1, 898};
cipher(aes_256_gcm, _) -> {gcm, 32, 12, 1, 901};
cipher(chacha20, _) -> {chacha20, 32, 16, 1, undefined};
cipher(chacha20_poly1305, _) -> {poly1305, 32, 12, 1, undefined};
cipher(_, _) -> none.

%% A cipher whose name leaves the size of the key open.
sized(Mode, 24) -> cipher(list_to_atom("aes_192_" ++ atom_to_list(Mode)), 24);
sized(Mode, 32) -> cipher(list_to_atom("aes_256_" ++ atom_to_list(Mode)), 32);
sized(Mode, _) -> cipher(list_to_atom("aes_128_" ++ atom_to_list(Mode)), 16).

cipher_info(Cipher) when is_atom(Cipher) ->
    case cipher(Cipher, 16) of
        none -> erlang:error(badarg, [Cipher]);
        {Mode, Key, Vector, Block, Type} ->
            #{block_size => Block, iv_length => Vector, key_length => Key, mode => mode(Mode), prop_aead => Mode =:= gcm orelse Mode =:= poly1305, type => Type}
    end.

mode(Mode) when Mode =:= chacha20; Mode =:= poly1305 -> stream_cipher;
mode(Mode) -> list_to_atom(atom_to_list(Mode) ++ "_mode").

crypto_one_time(Cipher, Key, Data, Options) -> crypto_one_time(Cipher, Key, <<>>, Data, Options).

crypto_one_time(Cipher, Key, IV, Data, Options) ->
    Args = [Cipher, Key, IV, Data, Options],
    {First, Out} = updated(begun(Cipher, Key, IV, Options, Args), Data, Args),
    iolist_to_binary([Out, finished(First, Args)]).

crypto_init(Cipher, Key, Options) -> crypto_init(Cipher, Key, <<>>, Options).

%% A state is a row of a table, as OTP's state is changed by each call.
crypto_init(Cipher, Key, IV, Options) ->
    State = begun(Cipher, Key, IV, Options, [Cipher, Key, IV, Options]),
    Ref = make_ref(),
    put({'$crypto', Ref}, State),
    Ref.

crypto_update(Ref, Data) ->
    {State, Out} = updated(state(Ref, [Ref, Data]), Data, [Ref, Data]),
    put({'$crypto', Ref}, State),
    Out.

crypto_final(Ref) ->
    State = state(Ref, [Ref]),
    finished(State, [Ref]).

state(Ref, Args) ->
    case get({'$crypto', Ref}) of
        undefined -> erlang:error({badarg, {"api_ng.c", 0}, "Bad State"}, Args);
        State -> State
    end.

%% {Mode, Key, IV, encrypts?, Padding, bytes that are left over}.
begun(Cipher, Key0, IV0, Options, Args) ->
    Key = iolist_to_binary(Key0),
    IV = iolist_to_binary(IV0),
    {Encrypts, Padding} = chosen(Options, Args),
    case cipher(Cipher, byte_size(Key)) of
        none when is_atom(Cipher) -> unknown(Cipher, Args);
        none -> erlang:error({badarg, {"api_ng.c", 0}, "expected an atom"}, Args);
        {Mode, _, _, _, _} when Mode =:= gcm; Mode =:= poly1305 -> erlang:error({badarg, {"api_ng.c", 250}, "Missing arguments for this cipher"}, Args);
        {_, Size, _, _, _} when Size =/= byte_size(Key) -> erlang:error({badarg, {"api_ng.c", 244}, "Bad key size"}, Args);
        {Mode, _, Size, _, _} when Mode =/= ecb, Size =/= byte_size(IV) -> erlang:error({badarg, {"api_ng.c", 310}, "Bad iv size"}, Args);
        {Mode, _, _, _, _} -> {Mode, Key, IV, Encrypts, Padding, <<>>}
    end.

%% OTP has it, and it is not there; or nobody has.
unknown(Cipher, Args) ->
    case lists:member(Cipher, [blowfish_ecb, blowfish_ofb64, blowfish_cfb64, blowfish_cbc, des_ecb, des_cfb, des_cbc, des_ede3_cfb,
                               des_ede3_cbc, rc4, rc2_cbc, aes_cfb8, aes_cfb128, aes_ccm]
         ++ [list_to_atom("aes_" ++ Bits ++ "_" ++ Mode) || Bits <- ["128", "192", "256"], Mode <- ["ofb", "cfb8", "cfb128", "ccm"]]) of
        true -> erlang:'$unsupported'("the cipher " ++ atom_to_list(Cipher), {?MODULE, crypto_one_time, Args});
        false -> erlang:error({badarg, {"api_ng.c", 242}, "Unknown cipher"}, Args)
    end.

chosen(Encrypts, _) when is_boolean(Encrypts) -> {Encrypts, none_given};
chosen(Options, Args) when is_list(Options) ->
    Padding = proplists:get_value(padding, Options, none_given),
    lists:member(Padding, [none_given, none, undefined, zero, random, pkcs_padding])
        orelse erlang:error({badarg, {"api_ng.c", 0}, "Bad padding flag"}, Args),
    {proplists:get_value(encrypt, Options, true), case Padding of undefined -> none_given; _ -> Padding end};
chosen(_, Args) -> erlang:error({badarg, {"api_ng.c", 120}, "Options are not a boolean or a proper list"}, Args).

%% A counter goes on within a block: what is left over are as many bytes as were taken of it.
updated({ctr, Key, <<Count:128>> = IV, Encrypts, Padding, Left}, Data, Args) ->
    All = <<Left/binary, (given(Data, Args))/binary>>,
    {Out, _} = crypto:'$aes'(ctr, Key, IV, All, Encrypts),
    Taken = byte_size(Left),
    <<_:Taken/binary, New/binary>> = Out,
    {{ctr, Key, <<(Count + byte_size(All) div 16):128>>, Encrypts, Padding, <<0:(byte_size(All) rem 16)/unit:8>>}, New};
%% What is left over is the number of bytes so far.
updated({chacha20, Key, IV, Encrypts, Padding, Left}, Data, Args) ->
    So = case Left of <<>> -> 0; _ -> Left end,
    Bytes = given(Data, Args),
    {{chacha20, Key, IV, Encrypts, Padding, So + byte_size(Bytes)}, crypto:'$chacha20'(Key, IV, So, Bytes)};
updated({Mode, Key, IV, Encrypts, Padding, Left}, Data, Args) ->
    Bytes = given(Data, Args),
    All = <<Left/binary, Bytes/binary>>,
    Ready = case Mode of
        %% The last block may be padding.
        _ when not Encrypts, Padding =:= pkcs_padding, All =/= <<>> -> (byte_size(All) - 1) div 16 * 16;
        _ -> byte_size(All) div 16 * 16
    end,
    <<Whole:Ready/binary, Rest/binary>> = All,
    {Out, Next} = crypto:'$aes'(Mode, Key, IV, Whole, Encrypts),
    {{Mode, Key, Next, Encrypts, Padding, Rest}, Out}.

given(Data, Args) ->
    try iolist_to_binary(Data) catch error:badarg -> erlang:error({badarg, {"api_ng.c", 966}, "expected binary as data"}, Args) end.

finished({Mode, _, _, _, _, _}, _) when Mode =:= ctr; Mode =:= chacha20 -> <<>>;
finished({_, _, _, _, none_given, _}, _) -> <<>>;
finished({_, _, _, true, none, <<_, _/binary>>}, Args) -> erlang:error({error, {"api_ng.c", 610}, "Padding 'none' but unfilled last block"}, Args);
finished({_, _, _, true, none, <<>>}, _) -> <<>>;
finished({_, _, _, true, Padding, <<>>}, _) when Padding =:= zero; Padding =:= random -> <<>>;
finished({Mode, Key, IV, true, Padding, Left}, _) ->
    N = 16 - byte_size(Left),
    Pad = case Padding of
        pkcs_padding -> binary:copy(<<N>>, N);
        zero -> <<0:N/unit:8>>;
        random -> strong_rand_bytes(N)
    end,
    {Out, _} = crypto:'$aes'(Mode, Key, IV, <<Left/binary, Pad/binary>>, true),
    Out;
finished({Mode, Key, IV, false, pkcs_padding, Left}, Args) when byte_size(Left) =:= 16 ->
    {Out, _} = crypto:'$aes'(Mode, Key, IV, Left, false),
    N = binary:last(Out),
    case N >= 1 andalso N =< 16 andalso binary:part(Out, 16, -N) =:= binary:copy(<<N>>, N) of
        true -> binary:part(Out, 0, 16 - N);
        false -> erlang:error({error, {"api_ng.c", 638}, "Can't finalize"}, Args)
    end;
finished({_, _, _, false, Padding, Left}, Args) when Padding =:= pkcs_padding; Left =/= <<>> ->
    erlang:error({error, {"api_ng.c", 638}, "Can't finalize"}, Args);
finished(_, _) -> <<>>.

crypto_one_time_aead(Cipher, Key, IV, Data, Aad, true) -> crypto_one_time_aead(Cipher, Key, IV, Data, Aad, 16, true).

crypto_one_time_aead(Cipher, Key0, IV0, Data0, Aad0, TagOrLength, Encrypts) ->
    Args = [Cipher, Key0, IV0, Data0, Aad0, TagOrLength, Encrypts],
    [Key, IV, Data, Aad] = [iolist_to_binary(Part) || Part <- [Key0, IV0, Data0, Aad0]],
    case cipher(Cipher, byte_size(Key)) of
        {gcm, Size, _, _, _} when Size =:= byte_size(Key) ->
            IV =/= <<>> andalso byte_size(IV) =< 128 orelse erlang:error({badarg, {"aead.c", 111}, "Bad IV length"}, Args),
            gcm(Key, IV, Data, Aad, TagOrLength, Encrypts, Args);
        {poly1305, Size, Vector, _, _} when Size =:= byte_size(Key) ->
            byte_size(IV) =:= Vector orelse erlang:error({badarg, {"aead.c", 111}, "Bad IV length"}, Args),
            poly1305(Key, IV, Data, Aad, TagOrLength, Encrypts, Args);
        {Mode, _, _, _, _} when Mode =:= gcm; Mode =:= poly1305 -> erlang:error({badarg, {"aead.c", 90}, "Unknown cipher or invalid key size"}, Args);
        none when is_atom(Cipher) -> unknown(Cipher, Args);
        _ -> erlang:error({badarg, "Not an AEAD cipher"}, Args)
    end.

gcm(Key, IV, Data, Aad, Length, true, Args) when is_integer(Length) ->
    Length >= 1 andalso Length =< 16 orelse erlang:error({error, {"aead.c", 156}, "Can't get Tag"}, Args),
    {Hash, First, Start} = gcm_start(Key, IV),
    {Out, _} = crypto:'$aes'(ctr32, Key, Start, Data, true),
    {Out, binary:part(gcm_tag(Hash, First, Aad, Out), 0, Length)};
gcm(Key, IV, Data, Aad, Tag, false, _) ->
    {Hash, First, Start} = gcm_start(Key, IV),
    case binary:part(gcm_tag(Hash, First, Aad, Data), 0, min(16, byte_size(Tag))) of
        Tag when Tag =/= <<>> -> element(1, crypto:'$aes'(ctr32, Key, Start, Data, true));
        _ -> error
    end.

%% RFC 8439. The first block of the key stream is the key of the tag.
poly1305(Key, IV, Data, Aad, Length, true, Args) when is_integer(Length) ->
    Length >= 1 andalso Length =< 16 orelse erlang:error({error, {"aead.c", 156}, "Can't get Tag"}, Args),
    Out = crypto:'$chacha20'(Key, <<1:32/little, IV/binary>>, 0, Data),
    {Out, binary:part(poly1305_tag(Key, IV, Aad, Out), 0, Length)};
poly1305(Key, IV, Data, Aad, Tag, false, _) ->
    case binary:part(poly1305_tag(Key, IV, Aad, Data), 0, min(16, byte_size(Tag))) of
        Tag when Tag =/= <<>> -> crypto:'$chacha20'(Key, <<1:32/little, IV/binary>>, 0, Data);
        _ -> error
    end.

poly1305_tag(Key, IV, Aad, Data) ->
    Once = crypto:'$chacha20'(Key, <<0:32, IV/binary>>, 0, <<0:256>>),
    crypto:'$poly1305'(Once, <<(padded(Aad))/binary, (padded(Data))/binary, (byte_size(Aad)):64/little, (byte_size(Data)):64/little>>).

%% The key of the hash, what the tag is combined with, and the first counter of the data.
gcm_start(Key, IV) ->
    {Hash, _} = crypto:'$aes'(ecb, Key, <<>>, <<0:128>>, true),
    Counter = case IV of
        <<_:12/binary>> -> <<IV/binary, 1:32>>;
        _ -> crypto:'$ghash'(Hash, <<(padded(IV))/binary, 0:64, (bit_size(IV)):64>>)
    end,
    {First, _} = crypto:'$aes'(ecb, Key, <<>>, Counter, true),
    <<Fixed:12/binary, Low:32>> = Counter,
    {Hash, First, <<Fixed/binary, (Low + 1):32>>}.

gcm_tag(Hash, First, Aad, Data) ->
    exor(First, crypto:'$ghash'(Hash, <<(padded(Aad))/binary, (padded(Data))/binary, (bit_size(Aad)):64, (bit_size(Data)):64>>)).

padded(Bytes) ->
    Bits = (16 - byte_size(Bytes) rem 16) rem 16 * 8,
    <<Bytes/binary, 0:Bits>>.
