-module(regex_classes).
-export([main/0]).
main() ->
  [io:format("~s ~w~n", [C, [B || B <- lists:seq(128,255), re:run(<<B>>, C, []) =/= nomatch]]) || C <- ["\\w","\\d","\\s","[[:alpha:]]","[[:lower:]]","[[:upper:]]","[[:punct:]]","[[:space:]]","[[:print:]]","[[:graph:]]","[[:cntrl:]]","[[:blank:]]","[[:alnum:]]","[[:word:]]", "\\h","\\v"]],
  [io:format("u ~s ~w~n", [C, [B || B <- lists:seq(128,255), re:run([B], C, [unicode]) =/= nomatch]]) || C <- ["\\w","\\s","[[:alpha:]]"]],
  [io:format("ucp ~s ~w~n", [C, [B || B <- lists:seq(0,255), re:run([B], C, [unicode,ucp]) =/= nomatch]]) || C <- ["\\s","[[:punct:]]","[[:graph:]]","[[:print:]]","[[:cntrl:]]","[[:space:]]", "[[:xdigit:]]"]],
  io:format("~p~n", [[re:run("\x{e5}", "\x{c5}", [caseless]), re:run("k", "\x{212a}", [caseless,unicode]), re:run("\x{df}", "\\p{Ll}"), re:run("A1", "\\pN"), re:run("aB", "\\p{^Ll}"), re:run("aB", "\\p{L&}+"),re:run("aB", "\\P{Lu}")]]).
