Nonterminals price.
Terminals number currency.
Rootsymbol price.
price -> number currency : {value('$1'), value('$2')}.
Erlang code.
value({_, _, Value}) -> Value.
