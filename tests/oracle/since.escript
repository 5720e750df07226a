#!/usr/bin/env escript
%%! +S 1
%% Adds to the table of what Erlang/OTP 25 exports what a later OTP has and has not. It runs under the later one:
%%
%%   OTP28/bin/escript tests/oracle/since.escript interpreter/lib/otp_exports.txt > new.txt
%%
%% `NAME/ARITY@27` has come with release 27, `NAME/ARITY@-26` is gone from 26 on; a mark after a module's name is that of the module. The
%% release is what the documentation in the beam file says (`since`); known/3 tells the rest. What is known to be newer than 25 and has no
%% release at all counts as 26. Marks of an earlier run are dropped first, so the script can run on its own output.
-mode(interpret).

main([File]) ->
    {ok, Text} = file:read_file(File),
    Old = maps:from_list([base(L) || L <- string:split(binary_to_list(Text), "\n", all), L =/= "", not is_new(L)]),
    New = maps:from_list([{{app(F), module(F)}, exports(F)} || F <- beams()] ++
        [{{"erts", atom_to_list(M)}, {none, [{FA, none} || FA <- M:module_info(exports)]}} || M <- erlang:pre_loaded()]),
    io:put_chars([line(K, maps:get(K, Old, none), maps:get(K, New, none)) || K <- lists:usort(maps:keys(Old) ++ maps:keys(New))]).

%% The table as it is.

is_new(Line) ->
    [_, Module | _] = string:split(Line, " ", all),
    case string:split(Module, "@") of [_, [C | _]] -> C =/= $-; [_] -> false end.

base(Line) ->
    [App, Module | Items] = string:split(Line, " ", all),
    {{App, hd(string:split(Module, "@"))}, lists:append([item(I) || I <- Items, I =/= ""])}.

item(Item) ->
    [Name, Arities] = string:split(Item, "/", trailing),
    [{list_to_atom(Name), list_to_integer(hd(string:split(A, "@")))} || A <- string:split(Arities, ",", all), is_of_25(A)].

is_of_25(Arity) -> case string:split(Arity, "@") of [_, [C | _]] -> C =:= $-; [_] -> true end.

%% The OTP that runs this.

beams() -> filelib:wildcard(filename:join([code:root_dir(), "lib", "*", "ebin", "*.beam"])).

app(File) -> hd(string:split(filename:basename(filename:dirname(filename:dirname(File))), "-")).

module(File) -> filename:basename(File, ".beam").

exports(File) ->
    {ok, {_, [{exports, Exports}]}} = beam_lib:chunks(File, [exports]),
    {ok, {_, [{"Docs", Chunk}]}} = beam_lib:chunks(File, ["Docs"], [allow_missing_chunks]),
    {Module, Functions} = docs(Chunk),
    {Module, [{FA, maps:get(FA, Functions, none)} || FA <- Exports]}.

docs(missing_chunk) -> {none, #{}};
docs(Chunk) ->
    {docs_v1, _, _, _, _, Meta, Docs} = binary_to_term(Chunk),
    {since(Meta), #{{F, A} => since(M) || {{function, F, A}, _, _, _, M} <- Docs}}.

since(#{since := Since}) ->
    Release = hd(string:split(lists:last(string:split(binary_to_list(Since), " ", all)), ".")),
    try list_to_integer(Release) catch error:badarg -> none end;
since(#{}) -> none.

%% Lines.

line({App, _} = Key, Old, none) ->
    Gone = lists:member(App, ["crypto", "erts", "kernel", "stdlib"]),
    text(Key, if Gone -> "@-26"; true -> "" end, [{FA, ""} || FA <- Old]);
line(Key, none, {Since, Exports}) ->
    Module = release(Key, all, Since, [S || {_, S} <- Exports]),
    text(Key, mark(Module), [{FA, case release(Key, FA, S, [Module]) of Module -> ""; R -> mark(R) end} || {FA, S} <- Exports]);
line(Key, Old, {_, Exports}) ->
    Gone = [{FA, "@-" ++ integer_to_list(gone(Key, FA))} || FA <- Old, not lists:keymember(FA, 1, Exports)],
    Kept = [{FA, ""} || FA <- Old, lists:keymember(FA, 1, Exports)],
    Come = [{FA, mark(release(Key, FA, S, []))} || {FA, S} <- Exports, not lists:member(FA, Old)],
    text(Key, "", Gone ++ Kept ++ Come).

mark(Release) -> [$@ | integer_to_list(Release)].

release({_, Module}, What, Since, Others) ->
    case known(list_to_atom(Module), What) of
        none -> if is_integer(Since), Since > 25 -> Since; true -> lists:min([R || R <- Others, is_integer(R), R > 25] ++ [case Others of [] -> 26; _ -> 28 end]) end;
        Release -> Release
    end.

text({App, Module}, Mark, Functions) ->
    Names = lists:usort([N || {{N, _}, _} <- Functions, N =/= module_info]),
    [App, $\s, Module, Mark, [[$\s, atom_to_list(N), $/, lists:join($,, [[integer_to_list(A), M] || {{F, A}, M} <- lists:sort(Functions), F =:= N])] || N <- Names], $\n].

%% What the documentation of OTP 28 does not tell.

known(inet_dns_tsig, all) -> 26;
known(inet_epmd_dist, all) -> 27;
known(inet_epmd_socket, all) -> 27;
known(edlin_context, all) -> 26;
known(edlin_key, all) -> 26;
known(edlin_type_suggestion, all) -> 26;
known(erts_trace_cleaner, all) -> 27;
known(logger_handler, all) -> 26;
known(prim_tty, all) -> 26;
known(prim_tty_sighandler, all) -> 26;
known(shell_docs_markdown, all) -> 27;
known(shell_docs_test, all) -> 27;
known(man_docs, all) -> 28;
known(crypto, {hash_final_xof, 2}) -> 26;
known(erl_prim_loader, _) -> 27;
known(erlang, {exit, 3}) -> 28;
known(erlang, {hibernate, 0}) -> 28;
known(erlang, {link, 2}) -> 28;
known(erlang, {processes_iterator, 0}) -> 28;
known(erlang, {processes_next, 1}) -> 28;
known(erts_internal, {binary_to_integer, 2}) -> 27;
known(erts_internal, {list_to_integer, 2}) -> 27;
known(erts_internal, {trace, 4}) -> 27;
known(erts_internal, {trace_info, 3}) -> 27;
known(erts_internal, {trace_pattern, 4}) -> 27;
known(erts_internal, {trace_session_create, 3}) -> 27;
known(erts_internal, {trace_session_destroy, 1}) -> 27;
known(erts_internal, {mc_iterator, 1}) -> 26;
known(erts_internal, {mc_refill, 1}) -> 26;
known(erts_internal, _) -> 28;
known(persistent_term, {put_new, 2}) -> 28;
known(prim_net, _) -> 27;
known(prim_socket, {sendv, 3}) -> 27;
known(prim_socket, {rest_iov, 2}) -> 28;
known(code, {get_doc, 2}) -> 27;
known(io_lib, {get_until, 1}) -> 26;
known(io_lib, {collect_line, 1}) -> 26;
known(io_lib, {collect_chars, 1}) -> 26;
known(io_lib, {collect_chars_eager, 4}) -> 28;
known(io_lib, {collect_line_no_eol, 4}) -> 28;
known(io_lib, {write, 5}) -> 26;
known(io_lib, {write_bin, 5}) -> 28;
known(io_lib, {write_binary_bin, 4}) -> 28;
known(io_lib, {write_string_bin, 3}) -> 28;
known(inet_res, {getbyname_tm, 4}) -> 28;
known(inet_res, {gethostbyaddr_tm, 3}) -> 28;
known(inet_res, {gethostbyname_tm, 4}) -> 28;
known(io_lib_format, _) -> 28;
known(io_lib_pretty, {print_bin, 2}) -> 28;
known(io_lib_pretty, {write, 2}) -> 28;
known(io_lib_pretty, {intermediate, 7}) -> 26;
known(shell_docs, {test, 2}) -> 27;
known(unicode_util, {is_wide, 1}) -> 26;
known(_, _) -> none.

%% The functions that OTP's list of removed functionality names under 27. All others went with 26 or without a word.
gone({_, "gen_server"}, _) -> 28;
gone({_, "gen_statem"}, _) -> 28;
gone({_, "crypto"}, _) -> 27;
gone({_, "zlib"}, _) -> 27;
gone({_, "file"}, {pid2name, 1}) -> 27;
gone(_, _) -> 26.
