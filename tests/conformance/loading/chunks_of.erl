%% Chunks and the md5 of a beam file, and what a module says of itself: with the code in a file, and as it was there from the start.
-module(chunks_of).
-vsn(7).
-export([main/0]).

main() ->
    {m, B} = make(["-module(m).", "-export([f/0]).", "f() -> 1."]),
    t(fun() -> is_binary(code:get_chunk(B, "AtU8")) end),
    t(fun() -> code:get_chunk(B, "XXXX") end),
    t(fun() -> code:get_chunk(zlib:gzip(B), "AtU8") =:= code:get_chunk(B, "AtU8") end),
    t(fun() -> code:get_chunk(<<"no beam">>, "AtU8") end),
    t(fun() -> code:get_chunk(B, "bad chunk id") end),
    t(fun() -> code:get_chunk(<<B/bits, 1:3>>, "AtU8") end),
    t(fun() -> byte_size(code:module_md5(B)) end),
    t(fun() -> code:module_md5(<<"no beam">>) end),
    t(fun() -> code:module_md5(<<B/bits, 1:3>>) end),
    t(fun() -> code:load_binary(m, "m", B) end),
    t(fun() -> m:module_info(md5) =:= code:module_md5(B) end),
    t(fun() -> [Vsn] = proplists:get_value(vsn, m:module_info(attributes)), <<Vsn:128>> =:= m:module_info(md5) end),
    t(fun() -> [K || {K, _} <- m:module_info()] end),
    t(fun() -> ?MODULE:module_info(attributes) end),
    t(fun() -> hd([K || {K, _} <- lists:module_info(attributes)]) end),
    t(fun() -> [K || {K, _} <- ?MODULE:module_info()] end),
    t(fun() -> [byte_size(M:module_info(md5)) || M <- [?MODULE, lists, m]] end),
    Info = ?MODULE:module_info(compile),
    t(fun() -> lists:sort([K || {K, _} <- Info]) end),
    t(fun() -> filename:basename(proplists:get_value(source, Info)) end),
    t(fun() -> filename:pathtype(proplists:get_value(source, Info)) end),
    t(fun() -> filename:basename(proplists:get_value(source, lists:module_info(compile))) end),
    t(fun() -> is_list(proplists:get_value(options, lists:module_info(compile))) end).

t(F) ->
    io:format("~p~n", [try F()
                       catch Class:Reason -> {Class, Reason}
                       end]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
