%% The module `math`: almost all of it is native.
-module(math).
-if(?OTP_RELEASE >= 26).
-export([tau/0]).
-endif.

tau() -> 6.283185307179586.
