%% The module `erl_erts_errors`: why a call of a function of the runtime failed.
-module(erl_erts_errors).
-export([format_error/2]).

format_error(Reason, [{M, F, Args, _} | _]) when is_list(Args) -> erl_erts_errors:'$explain'(M, F, Args, Reason);
format_error(_, _) -> #{}.
