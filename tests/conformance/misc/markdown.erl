%% A markdown renderer: regular expressions, string functions on binaries and lists, unicode.
-module(markdown).
-export([main/0]).
main() ->
    io:setopts([{encoding, unicode}]),
    Doc = <<"# Title *one*\n\nSome **bold** text with `code <b>` and a [link](http://x.y/?a=1&b=2).\nSecond line åäö €.\n\n- item 1\n- item _two_\n  - nested\n- item 3\n\n1. first\n2. second\n\n> quote\n> more\n\n```erlang\nfoo() -> <<1>>.\n```\n\n---\n\n## Sub-title with ünïcode ##\n\nlast"/utf8>>,
    Html = render(Doc),
    io:format("~ts~n", [Html]),
    io:format("~p~n", [toc(Doc)]),
    io:format("~p~n", [words(Doc)]),
    io:format("~tp~n", [[slug(T) || T <- ["Hello, World!", "Ünïcode  Title", "a--b__c", <<"Bin Title">>]]]),
    io:format("~ts~n", [wrap("The quick brown fox jumps over the lazy dog and keeps running through the forest until night falls.", 30)]),
    io:format("~tp~n", [re:split("a1b22c333", "[0-9]+", [{return, list}, {parts, 3}])]),
    io:format("~tp~n", [re:run("key=value; k2 = v2", "(?<k>\\w+)\\s*=\\s*(?<v>\\w+)", [global, {capture, [k, v], binary}])]),
    io:format("~ts~n", [re:replace("2024-02-29", "(\\d+)-(\\d+)-(\\d+)", "\\3.\\2.\\1 [&]", [{return, list}])]),
    io:format("~p~n", [caught(fun() -> re:replace("x", "(", "y") end)]),
    io:format("~p~n", [re:compile("a(b")]),
    io:format("~ts|~ts|~ts~n", [string:titlecase("hello wörld"), string:uppercase("straße"), string:casefold("ÅÄÖ")]),
    io:format("~p~n", [string:split("k=v=w", "=", all)]),
    io:format("~p~n", [[string:find("abcabc", "c", trailing), string:prefix("prefix-x", "prefix-"), string:slice("hello", 1, 3), string:equal("a", <<"a">>)]]),
    io:format("~tp~n", [string:to_graphemes("e\x{301}x\r\n")]),
    io:format("~p ~p~n", [string:to_integer("12abc"), string:to_float("1.5e3xyz")]).
render(Doc) ->
    Blocks = blocks(binary:split(Doc, <<"\n">>, [global]), []),
    [block(B) || B <- Blocks].
blocks([], Acc) -> lists:reverse(Acc);
blocks([<<>> | Ls], Acc) -> blocks(Ls, Acc);
blocks([<<"```", Lang/binary>> | Ls], Acc) -> {Code, [_ | Rest]} = lists:splitwith(fun(L) -> L =/= <<"```">> end, Ls), blocks(Rest, [{code, Lang, Code} | Acc]);
blocks([<<"---">> | Ls], Acc) -> blocks(Ls, [hr | Acc]);
blocks([<<"#", _/binary>> = L | Ls], Acc) ->
    {match, [H, T]} = re:run(L, <<"^(#+)\\s+(.*?)\\s*#*$">>, [{capture, all_but_first, binary}, unicode]),
    blocks(Ls, [{h, byte_size(H), T} | Acc]);
blocks([<<"> ", _/binary>> | _] = Ls, Acc) -> {Q, Rest} = lists:splitwith(fun(<<"> ", _/binary>>) -> true; (_) -> false end, Ls), blocks(Rest, [{quote, [T || <<"> ", T/binary>> <- Q]} | Acc]);
blocks([L | Ls] = All, Acc) ->
    case re:run(L, "^\\s*(-|\\d+\\.) ") of
        {match, _} -> {Is, Rest} = lists:splitwith(fun(X) -> re:run(X, "^\\s*(-|\\d+\\.) ") =/= nomatch end, All), blocks(Rest, [{list, [item(I) || I <- Is]} | Acc]);
        nomatch -> {P, Rest} = lists:splitwith(fun(X) -> X =/= <<>> end, Ls), blocks(Rest, [{p, [L | P]} | Acc])
    end.
item(L) -> {match, [S, M, T]} = re:run(L, "^(\\s*)(-|\\d+\\.) (.*)$", [{capture, all_but_first, binary}]), {byte_size(S) div 2, case M of <<"-">> -> ul; _ -> ol end, T}.
block(hr) -> <<"<hr/>\n">>;
block({h, N, T}) -> io_lib:format("<h~b id=\"~ts\">~ts</h~b>~n", [N, slug(T), inline(T), N]);
block({p, Ls}) -> ["<p>", lists:join($\n, [inline(L) || L <- Ls]), "</p>\n"];
block({quote, Ls}) -> ["<blockquote>", lists:join("<br/>", lists:map(fun inline/1, Ls)), "</blockquote>\n"];
block({code, Lang, Ls}) -> ["<pre class=\"", Lang, "\">", [[esc(L), $\n] || L <- Ls], "</pre>\n"];
block({list, Is}) -> [[lists:duplicate(D * 2, $\s), "<li ", atom_to_list(K), ">", inline(T), "</li>\n"] || {D, K, T} <- Is].
inline(T) ->
    lists:foldl(fun({Re, To}, Acc) -> re:replace(Acc, Re, To, [global, unicode, {return, binary}]) end, esc(T),
        [{"\\*\\*(.+?)\\*\\*", "<b>\\1</b>"}, {"[*_](.+?)[*_]", "<i>\\1</i>"}, {"`(.+?)`", "<code>\\1</code>"}, {"\\[(.+?)\\]\\((.+?)\\)", "<a href=\"\\2\">\\1</a>"}]).
esc(T) -> << <<(case C of $< -> <<"&lt;">>; $> -> <<"&gt;">>; $& -> <<"&amp;">>; _ -> <<C/utf8>> end)/binary>> || <<C/utf8>> <= T >>.
toc(Doc) -> [{length(H), T} || L <- string:split(Doc, "\n", all), {match, [H, T]} <- [re:run(L, "^(#+) (.*)", [{capture, all_but_first, list}, unicode])]].
words(Doc) ->
    Ws = string:lexemes(string:lowercase(Doc), " \n.,*_`[]()<>#-"),
    M = lists:foldl(fun(W, M) -> M#{W => maps:get(W, M, 0) + 1} end, #{}, Ws),
    lists:sublist(lists:sort(fun({A, X}, {B, Y}) -> {Y, A} =< {X, B} end, maps:to_list(M)), 6).
slug(T) ->
    L = string:lowercase(unicode:characters_to_list(unicode:characters_to_nfd_list(T))),
    lists:flatten(lists:join("-", string:lexemes([case C of _ when C >= $a, C =< $z; C >= $0, C =< $9 -> C; _ when C >= 768, C < 880 -> []; _ -> $\s end || C <- L], " "))).
wrap(T, W) -> lists:join($\n, lists:reverse([lists:join($\s, lists:reverse(L)) || L <- wrap(string:lexemes(T, " "), W, 0, [[]])])).
wrap([], _, _, Ls) -> Ls;
wrap([X | Xs], W, N, [L | Ls]) -> K = string:length(X), if N + K > W, N > 0 -> wrap(Xs, W, K + 1, [[X], L | Ls]); true -> wrap(Xs, W, N + K + 1, [[X | L] | Ls]) end.
caught(F) -> try F() catch C:R -> {C, R} end.
