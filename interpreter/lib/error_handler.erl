%% The module `error_handler`: what becomes of calls of functions that do not exist. The machine does the same without a call of it, unless a process
%% has set another handler, or the module could be found in the code path.
-module(error_handler).
-export([undefined_function/3, undefined_lambda/3, raise_undef_exception/3]).

undefined_function(Module, Function, Arguments) ->
    case code:ensure_loaded(Module) of
        {module, Module} ->
            case erlang:function_exported(Module, Function, length(Arguments)) of
                true -> apply(Module, Function, Arguments);
                false -> handled(Module, Function, Arguments)
            end;
        {error, _} -> raise_undef_exception(Module, Function, Arguments)
    end.

handled(Module, Function, Arguments) ->
    case erlang:function_exported(Module, '$handle_undefined_function', 2) of
        true -> Module:'$handle_undefined_function'(Function, Arguments);
        false -> raise_undef_exception(Module, Function, Arguments)
    end.

%% A fun whose code is not there.
undefined_lambda(Module, Fun, Arguments) ->
    case code:ensure_loaded(Module) of
        {module, Module} -> apply(Fun, Arguments);
        {error, _} -> undefined({Fun, Arguments, []})
    end.

raise_undef_exception(Module, Function, Arguments) -> undefined({Module, Function, Arguments, []}).

%% As if the call itself had failed: the caller has no frame of this module on its stack.
undefined(Call) ->
    Stack = try erlang:error(undef) catch error:undef:Caught -> Caught end,
    Callers = [Frame || Frame <- Stack, element(1, Frame) =/= ?MODULE],
    erlang:raise(error, undef, [Call | Callers]).
