%% The module `erl_error`. The text is made natively, so a format fun of the caller's is not called: format_exception/4 refuses it, and the
%% internal functions of arity 6 to 8 take it for one that prints terms whole, which is what `proc_lib` passes.
-module(erl_error).
-export([format_exception/3, format_exception/4, format_exception/6, format_exception/7, format_exception/8, format_stacktrace/4,
         format_stacktrace/5]).
-if(?OTP_RELEASE >= 26).
-callback format_error(Reason :: term(), Stacktrace :: [term()]) -> map().
-endif.

format_exception(Class, Reason, Stacktrace) -> format_exception(Class, Reason, Stacktrace, #{}).

format_exception(Class, Reason, Stacktrace, #{format_fun := _} = Options) ->
    erlang:error({unsupported_option, format_fun}, [Class, Reason, Stacktrace, Options]);
format_exception(Class, Reason, Stacktrace, Options) ->
    Trim = maps:get(stack_trim_fun, Options, fun(_, _, _) -> false end),
    format(maps:get(column, Options, 1), Class, Reason, Stacktrace, Trim, 30).

format_exception(Column, Class, Reason, Stacktrace, Trim, _) -> format(Column, Class, Reason, Stacktrace, Trim, -1).
format_exception(Column, Class, Reason, Stacktrace, Trim, _, _) -> format(Column, Class, Reason, Stacktrace, Trim, -1).
format_exception(Column, Class, Reason, Stacktrace, Trim, _, _, _) -> format(Column, Class, Reason, Stacktrace, Trim, -1).

format_stacktrace(Column, Stacktrace, Trim, Format) -> format_stacktrace(Column, Stacktrace, Trim, Format, latin1).

%% The lines below the first one, which tells the reason.
format_stacktrace(Column, Stacktrace, Trim, Format, _) when is_integer(Column), Column >= 1, is_function(Trim, 3), is_function(Format, 2) ->
    case string:split(format(Column, exit, none, Stacktrace, Trim, -1), "\n") of
        [_, Lines] -> Lines;
        [_] -> ""
    end.

format(Column, Class, Reason, Stacktrace, Trim, Depth) ->
    erl_error:'$exception'(Class, Reason, Stacktrace, explanation(Class, Reason, Stacktrace), Column, Depth, skipped(Trim, Stacktrace)).

%% How many frames at the bottom are left out.
skipped(Trim, Stacktrace) when is_list(Stacktrace) ->
    Trimmed = fun({M, F, A, _}) -> Trim(M, F, if is_list(A) -> length(A); true -> A end);
                 (_) -> false
              end,
    length(lists:takewhile(Trimmed, lists:reverse(Stacktrace)));
skipped(_, _) -> 0.

explanation(error, Reason, [{_, _, _, _} | Rest]) when Reason =:= undef; Reason =:= function_clause -> explanation(Reason, Rest);
explanation(_, Reason, Stacktrace) -> explanation(Reason, Stacktrace).

explanation(Reason, [{M, _, _, Info} | _] = Stacktrace) when is_list(Info) ->
    case lists:keyfind(error_info, 1, Info) of
        {error_info, Map} when is_map(Map) ->
            Module = maps:get(module, Map, M),
            Function = maps:get(function, Map, format_error),
            try Module:Function(Reason, Stacktrace)
            catch error:_ -> #{}
            end;
        _ -> #{}
    end;
explanation(_, _) -> #{}.
