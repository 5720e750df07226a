%% Syntax of OTP 26 and 27.
-module(otp27_syntax).
-moduledoc "Module docs.".
-moduledoc #{since => "27"}.
-export([main/0, f/1]).
-doc """
  Doc of f.
  """.
-doc(#{equiv => g/1}).
f(X) -> X.
main() ->
    S = """
        line one
          "indented" \n not an escape
        last
        """,
    io:format("~p~n", [S]),
    io:format("~w~n", [~"\x{e5}b"]),
    io:format("~p~n", [~b"esc\n"]),
    io:format("~p~n", [~B"raw\n"]),
    io:format("~p~n", [~s"list\n"]),
    io:format("~p~n", [~S(raw\n)]),
    io:format("~p~n", [~s[a "b" c]]),
    io:format("~p~n", [~B"""
        x\y
        """]),
    io:format("~p~n", [#{K => V * 2 || K := V <- #{a => 1, b => 2}, V > 1}]),
    io:format("~p~n", [lists:sort([{K, V} || K := V <- #{a => 1, b => 2}])]),
    io:format("~p~n", [#{X => X * X || X <- [1, 2, 3]}]),
    io:format("~p~n", [<< <<V>> || _ := V <- #{a => 1} >>]),
    R = maybe
        {ok, A} ?= {ok, 1},
        true ?= A > 0,
        B = A + 1,
        {ok, C} ?= {error, B},
        C
    else
        {error, E} -> {failed, E}
    end,
    io:format("~p~n", [R]),
    io:format("~p~n", [maybe ok ?= ok end]),
    io:format("~p~n", [try maybe a ?= b else c -> d end catch error:{else_clause, V} -> {no_clause, V} end]),
    ok.
