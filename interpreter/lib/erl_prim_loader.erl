%% The module `erl_prim_loader`: files as the loader of OTP reads them.
-module(erl_prim_loader).
-export([get_file/1, list_dir/1, read_file_info/1, read_link_info/1, get_cwd/0, get_cwd/1, get_path/0, set_path/1]).

get_file(Name) when is_list(Name); is_atom(Name) ->
    case file:read_file(Name) of
        {ok, Bytes} -> {ok, Bytes, filename:absname(Name)};
        {error, _} -> error
    end.

list_dir(Name) -> or_error(file:list_dir(Name)).
read_file_info(Name) -> or_error(file:read_file_info(Name, [{time, posix}])).
read_link_info(Name) -> or_error(file:read_link_info(Name, [{time, posix}])).
get_cwd() -> or_error(file:get_cwd()).
get_cwd(Drive) -> or_error(file:get_cwd(Drive)).

or_error({ok, _} = Found) -> Found;
or_error({error, _}) -> error.

get_path() -> {ok, code:get_path()}.
set_path(Path) when is_list(Path) -> ok.
