%% The module `application_controller`: what other libraries of OTP ask it directly.
-module(application_controller).
-export([get_loaded/1, loaded_applications/0, which_applications/0, get_env/2, set_env/3]).

get_loaded(Name) ->
    case lists:keyfind(Name, 1, application:loaded_applications()) of
        false -> false;
        Application -> {true, Application}
    end.

loaded_applications() -> application:loaded_applications().
which_applications() -> application:which_applications().
get_env(Name, Key) -> application:get_env(Name, Key).
set_env(Name, Key, Value) -> application:set_env(Name, Key, Value).
