%% The module `erts_code_purger`: what `code` asks of it in OTP. There is no process of this name.
-module(erts_code_purger).
-export([purge/1, soft_purge/1]).

%% Was there old code, and did a process have to be killed for it?
purge(Module) when is_atom(Module) ->
    HadOld = erlang:check_old_code(Module),
    {HadOld, code:purge(Module)}.

soft_purge(Module) when is_atom(Module) -> code:soft_purge(Module).
