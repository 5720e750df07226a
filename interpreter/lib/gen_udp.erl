%% The module `gen_udp`. There is no network here: a socket is refused aloud, with an error that callers know. What needs a socket is missing.
-module(gen_udp).
-export([open/1, open/2]).

open(Port) -> open(Port, []).

open(Port, Options) ->
    try erlang:'$unsupported'("gen_udp:open: there is no network; the answer is {error, eopnotsupp}", {?MODULE, open, [Port, Options]})
    catch error:undef -> {error, eopnotsupp}
    end.
