%% The module `erl_posix_msg`: texts of the errors that files and the operating system give.
-module(erl_posix_msg).
-export([message/1]).

message(e2big) -> "argument list too long";
message(eacces) -> "permission denied";
message(eaddrinuse) -> "address already in use";
message(eagain) -> "resource temporarily unavailable";
message(ebadf) -> "bad file number";
message(ebusy) -> "file busy";
message(echild) -> "no children";
message(econnrefused) -> "connection refused";
message(econnreset) -> "connection reset by peer";
message(edeadlk) -> "resource deadlock avoided";
message(edom) -> "math argument out of range";
message(edquot) -> "disk quota exceeded";
message(eexist) -> "file already exists";
message(efault) -> "bad address in system call argument";
message(efbig) -> "file too large";
message(eintr) -> "interrupted system call";
message(einval) -> "invalid argument";
message(eio) -> "I/O error";
message(eisdir) -> "illegal operation on a directory";
message(eloop) -> "too many levels of symbolic links";
message(emfile) -> "too many open files";
message(emlink) -> "too many links";
message(enametoolong) -> "file name too long";
message(enfile) -> "file table overflow";
message(enodev) -> "no such device";
message(enoent) -> "no such file or directory";
message(enoexec) -> "exec format error";
message(enolck) -> "no locks available";
message(enomem) -> "not enough memory";
message(enospc) -> "no space left on device";
message(enosys) -> "function not implemented";
message(enotconn) -> "socket is not connected";
message(enotdir) -> "not a directory";
message(enotempty) -> "directory not empty";
message(enotsup) -> "operation not supported";
message(enotty) -> "inappropriate device for ioctl";
message(enxio) -> "no such device or address";
message(eoverflow) -> "offset too large for file system";
message(eperm) -> "not owner";
message(epipe) -> "broken pipe";
message(erange) -> "math result unrepresentable";
message(erofs) -> "read-only file system";
message(espipe) -> "invalid seek";
message(esrch) -> "no such process";
message(estale) -> "stale remote file handle";
message(etimedout) -> "connection timed out";
message(etxtbsy) -> "text file or pseudo-device busy";
message(exdev) -> "cross-domain link";
message(_) -> "unknown POSIX error".
