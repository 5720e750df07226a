%% In place of the module of the same name in an Elixir: from the forms that Elixir makes of a module, the tool makes a beam file, instead of OTP's back
%% end. Only that is different; the warnings of the passes of OTP's back end are missing.
-module(elixir_erl_compiler).
-export([spawn/1, spawn/2, forms/3, noenv_forms/3, erl_to_core/2, env_compiler_options/0, format_error/1]).

spawn(Fun, Args) -> ?MODULE:spawn(fun() -> apply(Fun, Args) end).

%% As in Elixir, but that the answer is a message: as the reason of an end it would look like a failure.
spawn(Fun) ->
    Info = get(elixir_compiler_info),
    Diagnostics = case get(elixir_code_diagnostics) of
        undefined -> undefined;
        {_, Log} -> {[], Log}
    end,
    Inherit = inherit(),
    Caller = self(),
    Ref = make_ref(),
    {Pid, Monitor} = spawn_monitor(fun() ->
        Inherit(),
        put(elixir_compiler_info, Info),
        put(elixir_code_diagnostics, Diagnostics),
        Told = try {ok, Fun()} catch Kind:Reason:Stack -> {Kind, Reason, Stack} end,
        Caller ! {Ref, Told, get(elixir_code_diagnostics)}
    end),
    receive
        {'DOWN', Monitor, process, Pid, Why} ->
            receive
                {Ref, Told, Found} ->
                    add_diagnostics(Found),
                    case Told of
                        {ok, Result} -> Result;
                        {Kind, Reason, Stack} -> erlang:raise(Kind, Reason, Stack)
                    end
            after 0 -> exit(Why)
            end
    end.

%% From Elixir 1.19 on, the other process has the same error handler.
-ifdef(INHERITS_ERROR_HANDLER).
inherit() ->
    {error_handler, Handler} = process_info(self(), error_handler),
    fun() -> process_flag(error_handler, Handler) end.
-else.
inherit() -> fun() -> ok end.
-endif.

%% From Elixir 1.15 on, whoever collects diagnostics gets those of the other process.
add_diagnostics(undefined) -> ok;
add_diagnostics({Head, _}) ->
    case get(elixir_code_diagnostics) of
        undefined -> ok;
        {Tail, Log} -> put(elixir_code_diagnostics, {Head ++ Tail, Log})
    end.

forms(Forms, File, Options) -> made(Forms, File, Options ++ compile:env_compiler_options()).
noenv_forms(Forms, File, Options) -> made(Forms, File, Options).

env_compiler_options() -> compile:env_compiler_options().

made(Forms0, File, Options) ->
    Source = elixir_utils:characters_to_list(File),
    case transformed([Transform || {parse_transform, Transform} <- Options], Forms0, Options) of
        {error, Errors} -> refused(File, Errors);
        Forms ->
            {Chunks, Given} = lists:partition(fun({extra_chunks, _}) -> true; (_) -> false end, Options),
            case retell_beam:make(Forms, Source, Given, [no_auto_import | Given], lists:append([All || {_, All} <- Chunks])) of
                {ok, Module, Binary} -> {Module, Binary};
                {error, Errors} -> refused(File, [{Source, Errors}])
            end
    end.

transformed([], Forms, _) -> Forms;
transformed([Transform | Transforms], Forms, Options) ->
    case Transform:parse_transform(Forms, Options) of
        {error, Errors, _} -> {error, Errors};
        {warning, After, _} -> transformed(Transforms, After, Options);
        After -> transformed(Transforms, After, Options)
    end.

refused(File, Errors) ->
    [{Line, Module, Why} | _] = lists:append([Some || {_, Some} <- Errors]),
    Place = case Line of {Number, _} -> Number; none -> 0; _ -> Line end,
    elixir_errors:compile_error([{line, Place}], File, iolist_to_binary(Module:format_error(Why))).

erl_to_core(Forms, Options) -> v3_core:module(Forms, Options).

format_error(Why) -> io_lib:format("~tp", [Why]).
