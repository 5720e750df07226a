-module(fields_and_exports).
-behaviour(gen_server).
-compile([export_all, nowarn_export_all, warn_export_vars]).

init(X) -> {ok, X}.
handle_call(_, _, S) -> {reply, ok, S}.

%% What two fields of a map bind is not used by that; what two elements of a tuple bind is.
fields(X) -> #{a => case X of {1, Z} -> 1; _ -> 2 end, b => case X of {2, Z} -> 2; _ -> 3 end}.
updated(M, X) -> M#{a := case X of {1, Z} -> 1; _ -> 2 end, b => case X of {2, Z} -> 2; _ -> 3 end}.
elements(X) -> {case X of {1, Z} -> 1; _ -> 2 end, case X of {2, Z} -> 2; _ -> 3 end}.

exported(X) ->
    case X of
        1 -> Y = 1;
        _ -> Y = 2
    end,
    Y.
