%% The module `binary`: almost all of it is native.
-module(binary).
-if(?OTP_RELEASE >= 28).
-export([join/2]).
-endif.

%% A part that is no binary is refused where it stands in the call.
join([], Separator) when is_binary(Separator) -> <<>>;
join([Only], Separator) when is_binary(Only), is_binary(Separator) -> Only;
join([First | Rest] = Parts, Separator) when is_binary(Separator) ->
    try join(Rest, Separator, <<First/binary>>)
    catch error:_ -> erlang:error(badarg, [Parts, Separator], [{error_info, #{module => erl_stdlib_errors}}])
    end;
join(Parts, Separator) -> erlang:error(badarg, [Parts, Separator], [{error_info, #{module => erl_stdlib_errors}}]).

join([Part | Rest], Separator, Text) -> join(Rest, Separator, <<Text/binary, Separator/binary, Part/binary>>);
join([], _, Text) -> Text.
