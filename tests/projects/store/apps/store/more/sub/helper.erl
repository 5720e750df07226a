-module(helper).
-export([help/0]).
help() -> helped.
