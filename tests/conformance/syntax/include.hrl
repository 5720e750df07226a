-ifndef(INCLUDE_HRL).
-define(INCLUDE_HRL, 1).
-define(FROM_HEADER(X), {header, X}).
-define(GUARDED, once).
-record(included, {a = 1, b}).
from_header(X) -> #included{a = X}.
-endif.
-include("include_again.hrl").
