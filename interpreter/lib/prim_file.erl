%% The module `prim_file`: the file system without a server between; here the same as `file`.
-module(prim_file).
-export([open/2, close/1, read/2, read_line/1, write/2, pread/2, pread/3, pwrite/2, pwrite/3, position/2, truncate/1, sync/1, datasync/1, advise/4, copy/3,
         ipread_s32bu_p32bu/3, allocate/3, write_file_info/2, write_file_info/3, read_handle_info/1, read_handle_info/2, get_cwd/1]).
-export([read_file/1, write_file/2, get_cwd/0, set_cwd/1, delete/1, rename/2, make_dir/1, del_dir/1, list_dir/1, list_dir_all/1, make_link/2,
         make_symlink/2, read_link/1, read_link_all/1, read_file_info/1, read_file_info/2, read_link_info/1, read_link_info/2]).

open(Name, Modes) when is_list(Modes) -> file:open(Name, [raw, binary | Modes]).
close(File) -> file:close(File).
read(File, Size) -> file:read(File, Size).
read_line(File) -> file:read_line(File).
write(File, Bytes) -> file:write(File, Bytes).
pread(File, Parts) -> file:pread(File, Parts).
pread(File, At, Size) -> file:pread(File, At, Size).
pwrite(File, Parts) -> file:pwrite(File, Parts).
pwrite(File, At, Bytes) -> file:pwrite(File, At, Bytes).
position(File, Where) -> file:position(File, Where).
truncate(File) -> file:truncate(File).
sync(File) -> file:sync(File).
datasync(File) -> file:datasync(File).
advise(File, At, Size, Advice) -> file:advise(File, At, Size, Advice).
copy(Source, Destination, Size) -> file:copy(Source, Destination, Size).

read_file(Name) -> file:read_file(Name).
write_file(Name, Bytes) -> file:write_file(Name, Bytes).
get_cwd() -> file:get_cwd().
set_cwd(Name) -> file:set_cwd(Name).
delete(Name) -> file:delete(Name).
rename(From, To) -> file:rename(From, To).
make_dir(Name) -> file:make_dir(Name).
del_dir(Name) -> file:del_dir(Name).
list_dir(Name) -> file:list_dir(Name).
list_dir_all(Name) -> file:list_dir_all(Name).
make_link(Old, New) -> file:make_link(Old, New).
make_symlink(Old, New) -> file:make_symlink(Old, New).
read_link(Name) -> file:read_link(Name).
read_link_all(Name) -> file:read_link_all(Name).
read_file_info(Name) -> file:read_file_info(Name).
read_file_info(Name, Options) -> file:read_file_info(Name, Options).
read_link_info(Name) -> file:read_link_info(Name).
read_link_info(Name, Options) -> file:read_link_info(Name, Options).

allocate(File, At, Size) -> file:allocate(File, At, Size).
ipread_s32bu_p32bu(File, At, Most) -> file:ipread_s32bu_p32bu(File, At, Most).
write_file_info(Name, Info) -> file:write_file_info(Name, Info).
write_file_info(Name, Info, Options) -> file:write_file_info(Name, Info, Options).
read_handle_info(File) -> file:read_file_info(File).
read_handle_info(File, Options) -> file:read_file_info(File, Options).
get_cwd(Drive) -> file:get_cwd(Drive).
