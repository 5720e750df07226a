%% The module `erl_error`: exceptions as text.
-module(erl_error).
-export([format_exception/3, format_exception/4, format_exception/7, format_exception/8, format_exception/6]).

format_exception(Class, Reason, Stacktrace) -> erl_error:'$format'(1, Class, Reason, Stacktrace).

%% Options: column; the other ones change how much is shown.
format_exception(Class, Reason, Stacktrace, Options) -> erl_error:'$format'(maps:get(column, Options, 1), Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format, _Encoding) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).

format_exception(Column, Class, Reason, Stacktrace, _Skip, _Format, _Encoding, _Limit) -> erl_error:'$format'(Column, Class, Reason, Stacktrace).
