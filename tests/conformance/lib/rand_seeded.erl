%% rand and random with fixed seeds: every algorithm's numbers.
-module(rand_seeded).
-export([main/0]).

main() ->
    [begin
         rand:seed(Alg, {1, 2, 3}),
         p({Alg, [rand:uniform(100) || _ <- lists:seq(1, 10)]}),
         p([rand:uniform() || _ <- lists:seq(1, 3)]),
         p([rand:uniform(1 bsl 70) || _ <- [1, 2]]),
         p(rand:normal()),
         p(rand:uniform_real() < 1)
     end || Alg <- [exsss, exrop, exs1024s, exsp, exro928ss, exsplus, exs64, exs1024]],
    rand:seed(exsss, 42), p([rand:uniform(1000) || _ <- [1, 2, 3]]),
    S = rand:seed_s(exsss, {4, 5, 6}), {X, S2} = rand:uniform_s(50, S), {Y, S3} = rand:uniform_s(S2), {Z, _} = rand:normal_s(S3), p({X, Y, Z}),
    J = rand:jump(S), {W, _} = rand:uniform_s(1000, J), p(W),
    {B, _} = rand:bytes_s(5, S), p(B), p(element(1, rand:normal_s(10, 4, S))),
    random:seed(1, 2, 3), p([random:uniform(100) || _ <- lists:seq(1, 10)]), p([random:uniform() || _ <- [1, 2]]), random:seed({7, 8, 9}), p(random:uniform(5)), {R1, _} = random:uniform_s(10, random:seed0()), p(R1).

p(X) -> io:format("~w~n", [X]).
