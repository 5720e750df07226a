%% The module `erts_internal`: what OTP's own libraries ask of the machine.
-module(erts_internal).
-export([term_type/1]).

term_type(Term) when is_atom(Term) -> atom;
term_type([]) -> nil;
term_type([_ | _]) -> cons;
term_type(Term) when is_tuple(Term) -> tuple;
term_type(Term) when is_integer(Term), Term >= -(1 bsl 59), Term < 1 bsl 59 -> fixnum;
term_type(Term) when is_integer(Term) -> bignum;
term_type(Term) when is_float(Term) -> hfloat;
term_type(Term) when is_bitstring(Term), bit_size(Term) =< 512, bit_size(Term) rem 8 =:= 0 -> heap_binary;
term_type(Term) when is_bitstring(Term) -> refc_binary;
term_type(Term) when is_pid(Term), node(Term) =:= node() -> pid;
term_type(Term) when is_pid(Term) -> external_pid;
term_type(Term) when is_reference(Term), node(Term) =:= node() -> reference;
term_type(Term) when is_reference(Term) -> external_reference;
term_type(Term) when is_map(Term), map_size(Term) =< 32 -> flatmap;
term_type(Term) when is_map(Term) -> hashmap;
term_type(Term) when is_function(Term) -> 'fun'.
