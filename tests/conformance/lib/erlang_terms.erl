%% Tuples, lists, sizes, min and max, comparisons, hashes.
-module(erlang_terms).
-export([main/0]).

main() ->
    [io:format("~w~w = ~w~n", [F, A, try apply(erlang, F, A) catch C:R -> {C, R} end]) || {F, A} <- [
        {element, [2, {a, b}]}, {element, [3, {a, b}]}, {element, [0, {a}]}, {element, [1, a]}, {setelement, [1, {a, b}, z]}, {setelement, [3, {a, b}, z]}, {append_element, [{a}, b]}, {delete_element, [1, {a, b}]}, {insert_element, [2, {a, b}, x]}, {make_tuple, [3, x]}, {make_tuple, [3, x, [{2, y}]]}, {tuple_size, [{a, b}]}, {tuple_size, [a]}, {size, [{}]}, {size, [<<1, 2>>]}, {size, [a]},
        {hd, [[1, 2]]}, {hd, [[]]}, {tl, [[1, 2]]}, {tl, [[]]}, {tl, [[1 | 2]]}, {length, [[1, 2]]}, {length, [[1 | 2]]}, {length, [a]}, {byte_size, [<<1, 2:3>>]}, {bit_size, [<<1, 2:3>>]}, {byte_size, ["ab"]}, {map_size, [#{a => 1}]}, {map_size, [a]}, {map_get, [a, #{a => 1}]}, {map_get, [b, #{a => 1}]}, {is_map_key, [a, #{}]}, {is_map_key, [a, b]},
        {min, [1, a]}, {max, [1, a]}, {max, [1, 1.0]}, {min, [1, 1.0]}, {max, [1.0, 1]}, {phash2, [a]}, {phash2, [{a, 1, "x", 2.5, <<"b">>}]}, {phash2, [12345678901234567890]}, {phash2, [[1, 2, 3], 1000]}, {phash2, [#{a => 1, b => [x]}]}, {phash2, [-1]}, {phash2, [[]]}, {phash2, [""]}, {phash2, [1.5]}, {phash2, [{}]}, {phash2, [foo_bar, 1 bsl 32]}, {phash, [foo, 100]}, {crc32, ["hello"]}, {adler32, ["hello"]}, {md5, ["hello"]}, {crc32, [5, <<"x">>]},
        {is_record, [{r, 1}, r]}, {is_record, [{r, 1}, r, 2]}, {is_record, [{r, 1}, r, 3]}, {is_record, [r, r]}, {binary_part, [<<"hello">>, 1, 3]}, {binary_part, [<<"hello">>, {4, -2}]}, {binary_part, [<<"hello">>, 4, 3]}, {split_binary, [<<"hello">>, 2]}, {split_binary, [<<"hello">>, 9]},
        {'+', [1, 2]}, {'++', [[1], [2]]}, {'--', [[1, 2], [1]]}, {'not', [true]}, {'and', [true, 1]}, {'=:=', [1, 1.0]}, {'bnot', [5]}, {'-', [5]}, {'+', [a]}, {'/', [1, 0]}, {'div', [7, 2]}, {'rem', [-7, 2]}, {'xor', [true, true]}, {'==', [1, 1.0]}, {'/=', [a, a]}, {'<', [a, b]}, {'>=', [a, b]}, {'bsl', [1, 65]}, {'bsr', [-256, 4]}]].
