%% Triple-quoted strings, plain and as sigils.
-module(triple_quoted).
-export([main/0]).

-define(DOC, """
    of a macro
      indented
    """).

text() ->
    """
    one
    two
    """.

main() ->
    show("""
        """),
    show("""

        """),
    show("""
        a line
        """),
    show("""
        a line

        """),
    show("""
        more
          indented

        less
        """),
    show("""
  at two
     at five
  """),
    show("""
at the margin
"""),
    show("""
        "quotes" and ""two"" and '''
        ends with "
        """),
    show(""""
        """
        within
        """
        """"),
    show("""""
        """"
        """""),
    show("""
        no \n escapes \x41 \
        here \"
        """),
    show(~"""
        no \n escapes in bytes å
        """),
    show(~b"""
        escapes \x41\tin bytes
        """),
    show(~B"""
        none \x41
        """),
    show(~s"""
        escapes \x{20AC} "quoted" \
        joined
        """),
    show(~S"""
        none \x{20AC}
        """),
    show(~b"""
        ends with an escape\n
        """),
    show("""
	tabs
		more tabs
	"""),
    show(["""
        in a list
        """, "and" "more"]),
    show({?DOC, text()}),
    show("""
        trailing   
        spaces	
        """),
    show("one" """
        concatenated
        """),
    show(length("""
        å€
        """)),
    case "a\nb" of
        """
        a
        b
        """ -> show(matched)
    end.

show(Value) -> io:format("~w~n", [Value]).
