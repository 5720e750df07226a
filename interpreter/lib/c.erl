%% The module `c`, besides the native `pid/3`: loading a module again by hand.
-module(c).
-export([l/1]).

l(Module) ->
    code:purge(Module),
    code:load_file(Module).
