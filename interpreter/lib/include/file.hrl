%% `kernel/include/file.hrl`: what `file:read_file_info` and `file:read_link_info` answer.
-ifndef(FILE_HRL_).
-define(FILE_HRL_, 1).

-record(file_info,
        {size,          % in bytes
         type,          % device | directory | other | regular | symlink | undefined
         access,        % read | write | read_write | none
         atime,         % times in the form that the call asks for
         mtime,
         ctime,
         mode,          % permission bits
         links,
         major_device,
         minor_device,
         inode,
         uid,
         gid}).

-record(file_descriptor,
        {module :: module(),
         data :: term()}).

-endif.
