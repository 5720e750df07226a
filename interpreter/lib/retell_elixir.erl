%% Makes Erlang's forms of what Elixir's compiler keeps in a beam file, as `elixir_erl` of an Elixir does for tools of OTP (the back end of the debug
%% information, `beam_lib` in the manual of stdlib). It looks like a parse transform, and is run as one.
-module(retell_elixir).
-export([parse_transform/2, format_error/1]).

parse_transform(Forms, _) ->
    [Module] = [Name || {attribute, _, module, Name} <- Forms],
    [Definitions] = [Kept || {attribute, _, elixir_definitions, Kept} <- Forms],
    try elixir_erl:debug_info(erlang_v1, Module, Definitions, []) of
        {ok, Made} -> Made;
        {error, _} -> failed(of_another)
    catch
        error:undef -> failed(not_found);
        error:function_clause -> failed(of_another)
    end.

failed(Why) -> {error, [{"", [{0, ?MODULE, Why}]}], []}.

format_error(not_found) ->
    "it is made from Elixir, and the elixir_erl of an Elixir, which makes forms of that, is not found; install one so that `elixir` is in the PATH, or "
    "name its lib/elixir/ebin with -pa";
format_error(of_another) -> "it is made from another Elixir than the one that is found".
