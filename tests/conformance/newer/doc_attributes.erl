%% Documentation attributes in all forms.
-module(doc_attributes).
-moduledoc "A module.".
-moduledoc #{since => "27.0", author => ~"nobody"}.
-export([main/0, f/0, g/1, h/1, i/0, j/0, k/0]).
-export_type([t/0, u/0]).

-doc "A type.".
-type t() :: integer().

-doc #{equiv => t/0}.
-type u() :: t().

-doc """
Of f.

    f() -> ok.
""".
-spec f() -> ok.
f() -> ok.

-doc ~"Of g.".
-doc #{equiv => h(X), since => "1.0"}.
g(X) -> h(X).

-doc #{equiv => g/1}.
-doc ~S"""
Of \h.
""".
h(X) -> {h, X}.

-doc false.
i() -> hidden.

-doc hidden.
j() -> hidden.

-doc #{params => #{"a" => ~"first"}, group => ~"x", deprecated => "no", group2 => [a, {b, 1}]}.
k() -> [T || {_, T} <- [{1, f()}]].

main() ->
    io:format("~p~n", [[f(), g(1), h(2), i(), j(), k()]]),
    Forms = ["-doc \"a\" \"b\".", "-doc ~\"x\".", "-doc #{a => [d/3, {x, y/0}]}.", "-doc(hidden).", "-doc true.", "-moduledoc ~S(x).",
             "-doc 1.", "-doc f(X).", "-doc other.", "-doc [1].", "-doc {file, x}.", "-doc #{a => X}.", "-doc #{a := b}.", "-moduledoc #{since => \"1\"}."],
    [begin
        {ok, Tokens, _} = erl_scan:string(Form),
        case erl_parse:parse_form(Tokens) of
            {ok, Abstract} -> io:format("~p~n", [Abstract]);
            {error, {Line, Module, Why}} -> io:format("~p ~s~n", [Line, Module:format_error(Why)])
        end
    end || Form <- Forms].
