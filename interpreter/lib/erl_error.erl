<<<<<<< HEAD
%% The module `erl_error`: exceptions as text.
-module(erl_error).
-export([format_exception/3, format_exception/4, format_exception/7, format_exception/8, format_exception/6]).

format_exception(Class, Reason, Stacktrace) -> erl_error:'$format'(1, Class, Reason, Stacktrace).

%% Options: column; the other ones change how much is shown.
format_exception(Class, Reason, Stacktrace, Options) -> erl_error:'$format'(maps:get(column, Options, 1), Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format, _Encoding) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format, _Encoding, _Limit) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).
=======
%% The module `erl_error`. A format fun of the caller's is not supported: the text is made natively.
-module(erl_error).
-export([format_exception/3, format_exception/4]).

format_exception(Class, Reason, Stacktrace) -> format_exception(Class, Reason, Stacktrace, #{}).

format_exception(Class, Reason, Stacktrace, #{format_fun := _} = Options) ->
    erlang:error({unsupported_option, format_fun}, [Class, Reason, Stacktrace, Options]);
format_exception(Class, Reason, Stacktrace, Options) ->
    Trim = maps:get(stack_trim_fun, Options, fun(_, _, _) -> false end),
    Skipped = skipped(Trim, Stacktrace),
    erl_error:'$exception'(Class, Reason, Stacktrace, explanation(Class, Reason, Stacktrace), maps:get(column, Options, 1), 30, Skipped).

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
>>>>>>> 7cd8a48 (Failed calls explained: erl_error, erl_erts_errors, erl_stdlib_errors)
