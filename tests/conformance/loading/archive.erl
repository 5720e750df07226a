%% Files in an archive: the loader of OTP reads them, and a code path leads into it. `file` does not.
-module(archive).
-export([main/0]).

zip() -> base64:decode(
    "UEsDBBQAAAAAAAYTe12fqBf4BAAAAAQAAAAPAAAAYm94ZWQtMS9vbmUudHh0b25lClBLAwQUAAAACAAGE3td+rzRCVgAAABsAAAAFgAAAGJveGVkLTEvZWJpbi9ib3hlZC"
    "5hcHCrTiwoyMlMTizJzM/TUUjKr0hN0VGIri4rBvKUDJVqdRSqc/NTSnNSi4HCmXl5qUWxILGi1PTM4pLUIrBqsAiSOSCl2alFeak5OgrFJSk5mUmxtbG1elwAUEsBAhQD"
    "FAAAAAAABhN7XZ+oF/gEAAAABAAAAA8AAAAAAAAAAAAAAKQBAAAAAGJveGVkLTEvb25lLnR4dFBLAQIUAxQAAAAIAAYTe136vNEJWAAAAGwAAAAWAAAAAAAAAAAAAACkAT"
    "EAAABib3hlZC0xL2ViaW4vYm94ZWQuYXBwUEsFBgAAAAACAAIAgQAAAL0AAAAAAA==").

main() ->
    Dir = "archive_" ++ os:getpid(),
    ok = file:make_dir(Dir),
    {ok, Cwd} = file:get_cwd(),
    ok = file:set_cwd(Dir),
    try tried() after
        ok = file:delete("boxed-1.ez"),
        ok = file:delete("bad.ez"),
        ok = file:set_cwd(Cwd),
        ok = file:del_dir(Dir)
    end.

tried() ->
    ok = file:write_file("boxed-1.ez", zip()),
    ok = file:write_file("bad.ez", <<"no archive">>),
    [show(erl_prim_loader:get_file(Name))
     || Name <- ["boxed-1.ez/boxed-1/one.txt", "./boxed-1.ez/boxed-1/one.txt", 'boxed-1.ez/boxed-1/one.txt', "boxed-1.ez/boxed-1/../boxed-1/one.txt",
                 "boxed-1.ez/boxed-1", "boxed-1.ez/none", "none.ez/one.txt", "bad.ez/one.txt"]],
    [show(erl_prim_loader:list_dir(Name)) || Name <- ["boxed-1.ez", "boxed-1.ez/", "boxed-1.ez/boxed-1", "boxed-1.ez/boxed-1/ebin", "boxed-1.ez/boxed-1/one.txt", "bad.ez"]],
    show(erl_prim_loader:read_file_info("boxed-1.ez/boxed-1/one.txt")),
    show(erl_prim_loader:read_link_info("boxed-1.ez/boxed-1/one.txt")),
    [show(shape(erl_prim_loader:read_file_info(Name))) || Name <- ["boxed-1.ez", "boxed-1.ez/boxed-1", "boxed-1.ez/none"]],
    show(file:read_file("boxed-1.ez/boxed-1/one.txt")),
    show(code:add_path("boxed-1.ez/boxed-1/ebin")),
    show(code:add_path("boxed-1.ez/boxed-1/none")),
    show(code:where_is_file("boxed.app")),
    show(application:load(boxed)),
    show(application:get_key(boxed, modules)),
    show(code:del_path(boxed)).

shape({ok, Info}) -> {ok, element(3, Info)};
shape(error) -> error.

show(Term) -> io:format("~p~n", [Term]).
