%% Functions of the module `erlang` that are not native. What `display` and its like write goes past every group leader: a term to standard output,
%% texts to standard error.
-module(erlang).
-export([display/1, display_string/1, display_nl/0, garbage_collect/1, garbage_collect/2, ports/0, get_cookie/0,
         get_cookie/1, set_cookie/1, set_cookie/2, disconnect_node/1, port_to_list/1, system_flag/2]).

%% The frame on top of the stack is that of the function called.
-define(BADARG(Args), erlang:error(badarg, Args, [{error_info, #{module => erl_erts_errors}}])).

%% Heaps are collected when they are full: that nothing is done cannot be seen.
garbage_collect(Pid) when is_pid(Pid) -> is_process_alive(Pid);
garbage_collect(Pid) -> erlang:error(badarg, [Pid]).

garbage_collect(Pid, Options) when is_pid(Pid), is_list(Options) ->
    case lists:all(fun({async, _}) -> true; ({type, Type}) -> Type =:= major orelse Type =:= minor; (_) -> false end, Options) of
        true ->
            case lists:keyfind(async, 1, Options) of
                {async, Id} ->
                    self() ! {garbage_collect, Id, is_process_alive(Pid)},
                    async;
                false -> is_process_alive(Pid)
            end;
        false -> erlang:error(badarg, [Pid, Options])
    end;
garbage_collect(Pid, Options) -> erlang:error(badarg, [Pid, Options]).

ports() -> [].

%% There are none.
port_to_list(Port) -> erlang:error(badarg, [Port]).

%% A cookie is compared where a node starts; nodes that are connected stay so. Without another one it is `nocookie`.
get_cookie() ->
    case is_alive() of
        true -> cookie(node());
        false -> nocookie
    end.

get_cookie(Node) when is_atom(Node) ->
    case is_alive() of
        true -> cookie(Node);
        false -> nocookie
    end;
get_cookie(Node) -> ?BADARG([Node]).

cookie(Node) ->
    case erlang:'$env_get'(kernel, {cookie, Node}) of
        {ok, Cookie} -> Cookie;
        undefined when Node =:= node() -> nocookie;
        undefined -> cookie(node())
    end.

set_cookie(Cookie) when is_atom(Cookie) ->
    is_alive() orelse erlang:error(distribution_not_started),
    set_cookie(node(), Cookie);
set_cookie(Cookie) -> ?BADARG([Cookie]).

set_cookie(Node, Cookie) when is_atom(Node), is_atom(Cookie), Node =/= nonode@nohost ->
    is_alive() orelse erlang:error(distribution_not_started),
    erlang:'$env_set'(kernel, {cookie, Node}, Cookie),
    true;
set_cookie(Node, Cookie) -> ?BADARG([Node, Cookie]).

%% Flags are kept and told; nothing obeys them but `statistics(scheduler_wall_time)`. Here is one scheduler.
system_flag(Flag, Value) ->
    case flag(Flag) of
        {Fits, Default} ->
            Fits(Value) orelse ?BADARG([Flag, Value]),
            Before = case erlang:'$env_get'('$system', {system_flag, Flag}) of
                {ok, Set} -> Set;
                undefined -> Default
            end,
            erlang:'$env_set'('$system', {system_flag, Flag}, Value),
            Before;
        none when Flag =:= multi_scheduling, Value =:= block; Flag =:= multi_scheduling, Value =:= unblock;
                  Flag =:= multi_scheduling, Value =:= block_normal; Flag =:= multi_scheduling, Value =:= unblock_normal -> enabled;
        none when Flag =:= schedulers_online, Value =:= 1; Flag =:= dirty_cpu_schedulers_online, Value =:= 1 -> 1;
        none -> erlang:error(badarg, [Flag, Value], [{error_info, #{cause => badopt, module => erl_erts_errors}}])
    end.

flag(scheduler_wall_time) -> {fun is_boolean/1, false};
flag(backtrace_depth) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 8};
flag(fullsweep_after) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 65535};
flag(min_heap_size) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 233};
flag(min_bin_vheap_size) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 46422};
flag(trace_control_word) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 0};
flag(_) -> none.

%% A node that loses the node from which it was started ends.
disconnect_node(Node) ->
    case is_alive() of
        false -> ignored;
        true when Node =:= node(); not is_atom(Node) -> false;
        true ->
            Own = erlang:'$node_origin'(node()),
            case erlang:'$node_origin'(Node) of
                Origin when Origin =:= node() -> erlang:'$node_stop'(Node, disconnect);
                _ when Own =:= Node -> erlang:'$node_stop'(node());
                undefined -> erlang:'$node_up'(Node) andalso part(node(), Own);
                _ ->
                    Parted = erlang:'$node_stop'(Node, disconnect),
                    Parted andalso not erlang:'$first_node'() andalso part(Node, Own),
                    Parted
            end
    end.

%% Both ends of a connection that is lost are disconnected from all who see both of them, as OTP's `global` does it: they lose the nodes from which they
%% were started.
part(Node, Origin) ->
    Own = node(),
    spawn(Origin, fun() ->
        [begin
            logger:log(warning, "'global' at node ~p requested disconnect from node ~p in order to prevent overlapping partitions", [node(), Parted]),
            erlang:'$node_stop'(Parted)
         end || Parted <- lists:usort([Node, Own])]
    end),
    true.

display(Term) ->
    out(user, [text(Term), "\r\n"]),
    true.

display_string(String) when is_list(String) ->
    try list_to_binary(String) of
        _ ->
            out(standard_error, String),
            true
    catch
        error:badarg -> erlang:error(badarg, [String])
    end;
display_string(String) -> erlang:error(badarg, [String]).

display_nl() ->
    out(standard_error, "\r\n"),
    true.

out(Device, Chars) -> erlang:'$put_chars'(Device, unicode:characters_to_binary(Chars)).

%% As the emulator prints a term: floats in six places, lists and binaries as text where all of it can be printed.
text([_ | _] = List) ->
    case printable(List) of
        true -> [$", [escaped(C) || C <- List], $"];
        false -> [$[, elements(List), $]]
    end;
text([]) -> "[]";
text(Tuple) when is_tuple(Tuple) -> [${, lists:join($,, [text(E) || E <- tuple_to_list(Tuple)]), $}];
text(Map) when is_map(Map) -> ["#{", lists:join($,, [[text(K), "=>", text(V)] || {K, V} <- maps:to_list(Map)]), $}];
text(Float) when is_float(Float) -> scientific(Float);
text(Binary) when is_binary(Binary) ->
    case Binary =/= <<>> andalso lists:all(fun(C) -> C >= 32 andalso C =< 126 end, binary_to_list(Binary)) of
        true -> ["<<\"", [escaped(C) || <<C>> <= Binary], "\">>"];
        false -> ["<<", lists:join($,, [integer_to_list(B) || <<B>> <= Binary]), ">>"]
    end;
text(Bits) when is_bitstring(Bits) ->
    Bytes = bit_size(Bits) div 8,
    <<Whole:Bytes/binary, Rest/bitstring>> = Bits,
    Size = bit_size(Rest),
    <<Last:Size>> = Rest,
    ["<<", [[integer_to_list(B), $,] || <<B>> <= Whole], integer_to_list(Last), $:, integer_to_list(Size), ">>"];
text(Term) -> io_lib:write(Term).

elements([E]) -> text(E);
elements([E | Es]) when is_list(Es) -> [text(E), $, | elements(Es)];
elements([E | Tail]) -> [text(E), $|, text(Tail)].

printable([C | Rest]) when is_integer(C), C >= 32, C =< 126; is_integer(C), C >= 9, C =< 13; is_integer(C), C >= 160, C =< 255 -> printable(Rest);
printable(End) -> End =:= [].

escaped($\n) -> "\\n";
escaped($") -> "\\\"";
escaped(C) -> C.

scientific(Float) ->
    [Digits, Exponent] = string:split(io_lib:format("~.7e", [Float]), "e"),
    {Sign, Number} = case Exponent of [$- | N] -> {$-, N}; [$+ | N] -> {$+, N} end,
    [Digits, $e, Sign, string:pad(lists:flatten(Number), 2, leading, $0)].
