%% The module `gen_tcp`. There is no network here: each attempt is refused aloud, with an error that callers know. What needs a socket is missing.
-module(gen_tcp).
-export([connect/2, connect/3, connect/4, listen/2]).

-define(REFUSED(What, Args, Reason),
        try erlang:'$unsupported'("gen_tcp:" ++ What ++ ": there is no network; the answer is {error, " ++ atom_to_list(Reason) ++ "}",
                                  {?MODULE, ?FUNCTION_NAME, Args})
        catch error:undef -> {error, Reason}
        end).

connect(Address, Options) -> connect(Address, Options, infinity).

connect(Address, Options, Timeout) when is_map(Address) -> ?REFUSED("connect", [Address, Options, Timeout], econnrefused);
connect(Address, Port, Options) -> connect(Address, Port, Options, infinity).

connect(Address, Port, Options, Timeout) -> ?REFUSED("connect", [Address, Port, Options, Timeout], econnrefused).

listen(Port, Options) -> ?REFUSED("listen", [Port, Options], eopnotsupp).
