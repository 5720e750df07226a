Definitions.
D = [0-9]
Rules.
{D}+ : {token, {number, TokenLine, list_to_integer(TokenChars)}}.
[\s\n]+ : skip_token.
[A-Z]+ : {token, {currency, TokenLine, list_to_atom(TokenChars)}}.
Erlang code.
