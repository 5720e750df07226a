%% The module `erl_prim_loader`: files as the loader of OTP reads them, those in archives too.
-module(erl_prim_loader).
-export([get_file/1, list_dir/1, read_file_info/1, read_link_info/1, get_cwd/0, get_cwd/1, get_path/0, set_path/1]).
-if(?OTP_RELEASE >= 27).
-export([read_file/1]).
-endif.

get_file(Name) when is_list(Name); is_atom(Name) ->
    case file:read_file(Name) of
        {ok, Bytes} -> {ok, Bytes, filename:absname(Name)};
        {error, _} ->
            case retell_archive:get(Name) of
                {ok, Bytes} when is_atom(Name) -> {ok, Bytes, atom_to_list(Name)};
                {ok, Bytes} -> {ok, Bytes, Name};
                error -> error
            end
    end.

read_file(Name) ->
    case get_file(Name) of
        {ok, Bytes, _} -> {ok, Bytes};
        error -> error
    end.

list_dir(Name) -> in_archive(file:list_dir(Name), list, Name).
read_file_info(Name) -> in_archive(file:read_file_info(Name), info, Name).
read_link_info(Name) -> in_archive(file:read_link_info(Name), info, Name).

in_archive({ok, Info}, info, Name) when element(3, Info) =:= regular ->
    %% An archive is a folder.
    case retell_archive:info(Name) of
        {ok, Folder} -> {ok, Folder};
        error -> {ok, Info}
    end;
in_archive({error, _}, What, Name) -> retell_archive:What(Name);
in_archive(Found, _, _) -> Found.

get_cwd() -> or_error(file:get_cwd()).
get_cwd(Drive) -> or_error(file:get_cwd(Drive)).

or_error({ok, _} = Found) -> Found;
or_error({error, _}) -> error.

get_path() -> {ok, code:get_path()}.
set_path(Path) when is_list(Path) -> ok.
