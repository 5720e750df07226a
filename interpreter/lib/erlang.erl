%% Functions of the module `erlang` that are not native. What `display` and its like write goes past every group leader: a term to standard output,
%% texts to standard error.
-module(erlang).
-export([check_process_code/2, check_process_code/3, delete_module/1, load_module/2, purge_module/1, loaded/0, pre_loaded/0, module_loaded/1,
         get_module_info/1, get_module_info/2, is_builtin/3]).
-if(?OTP_RELEASE >= 26).
-export([display_string/2]).
-endif.
-if(?OTP_RELEASE >= 28).
-export([processes_iterator/0, processes_next/1]).
-endif.
-if(?OTP_RELEASE < 26).
-export([display_nl/0]).
-endif.
-export([display/1, display_string/1, garbage_collect/1, garbage_collect/2, ports/0,
         port_info/1, port_info/2, dist_get_stat/1,
         trace/3, trace_pattern/2, trace_pattern/3, trace_info/2, system_monitor/0, system_monitor/1, system_monitor/2, get_cookie/0,
         get_cookie/1, set_cookie/1, set_cookie/2, disconnect_node/1, system_flag/2, open_port/2, port_command/2,
         port_command/3, port_close/1, port_connect/2, port_control/3, port_call/2, port_call/3, decode_packet/3, match_spec_test/3, load_nif/2]).

%% The frame on top of the stack is that of the function called.
-define(BADARG(Args), erlang:error(badarg, Args, [{error_info, #{module => erl_erts_errors}}])).
-define(BADARG(Args, Cause), erlang:error(badarg, Args, [{error_info, #{cause => Cause, module => erl_erts_errors}}])).

-define(OF_PORT(Done, Args), case Done of true -> true; _ -> ?BADARG(Args) end).

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

%% Native code cannot be run. A library that is not there is answered as in OTP.
load_nif(Path, Info) when is_list(Path) ->
    Library = Path ++ ".so",
    case filelib:is_regular(Library) of
        true -> erlang:'$unsupported'(nif_of(Library), {erlang, load_nif, [Path, Info]});
        false ->
            Text = "Failed to load NIF library: '" ++ Library ++ ": cannot open shared object file: No such file or directory'",
            {error, {load_failed, Text}}
    end;
load_nif(Path, Info) -> ?BADARG([Path, Info]).

%% What is not supported, and what can be done. The function that loads it has often gone from the stack.
nif_of(Library) ->
    Loads = case erlang:'$env_get'('$on_load', {runs, self()}) of
        {ok, Module} -> [Module];
        undefined ->
            {current_stacktrace, Stack} = process_info(self(), current_stacktrace),
            [Module || {Module, _, _, _} <- Stack, Module =/= ?MODULE]
    end,
    {Name, Kind} = case Loads of
        [First | _] ->
            case atom_to_list(First) of
                "Elixir." ++ Rest -> {Rest, ".ex"};
                Whole -> {Whole, ".erl"}
            end;
        [] -> {"MODULE", ".erl"}
    end,
    "erlang:load_nif: the native code of " ++ Name ++ " cannot be run (" ++ Library ++ "); write a module with its functions, and put it in its place: --stub "
        ++ Name ++ "=FILE" ++ Kind.

%% The processes at the time of the first step; an iterator cannot be looked into.
processes_iterator() -> {0, []}.

processes_next({0, []}) -> processes_next({1, erlang:processes()});
processes_next({1, [Pid | Pids]}) -> {Pid, {1, Pids}};
processes_next({1, []}) -> none;
processes_next(Iterator) -> refused(processes_next, [Iterator]).

%% The ports that OTP's machine begins with (what starts commands, and what the standard devices write to), and one for each connection with a node.
%% Others are sockets.
ports() -> [erlang:list_to_port("#Port<0." ++ integer_to_list(N) ++ ">") || {N, _, _} <- ports_of_the_runtime()] ++ retell_socket:sockets().

ports_of_the_runtime() ->
    [{0, "forker", init}, {3, "2/2", standard_error}, {4, "0/1", user} | [{net_kernel:'$port_number'(Node), "tcp_inet", net_kernel} || Node <- nodes()]].

port_info(Port) when is_port(Port) ->
    case port_named(Port) of
        false -> undefined;
        Known ->
            Items = case port_item(Known, registered_name) of
                [] -> [];
                Name -> [{registered_name, Name}]
            end,
            Items ++ [{Item, port_item(Known, Item)} || Item <- [name, links, id, connected, input, output, os_pid]]
    end;
port_info(Name) when is_atom(Name) -> undefined;
port_info(Port) -> ?BADARG([Port]).

port_info(Port, Item) when is_port(Port) ->
    Known = [registered_name, id, connected, links, monitors, monitored_by, name, input, output, os_pid, memory, queue_size, parallelism, locking],
    lists:member(Item, Known) orelse ?BADARG([Port, Item]),
    case port_named(Port) of
        false -> undefined;
        _ when Item =:= registered_name -> [];
        Named -> {Item, port_item(Named, Item)}
    end;
port_info(Name, _) when is_atom(Name) -> undefined;
port_info(Port, Item) -> ?BADARG([Port, Item]).

%% Nothing is counted of a connection, and nothing waits to be sent.
dist_get_stat({_, Number} = Connection) ->
    case lists:any(fun(Node) -> net_kernel:'$port_number'(Node) =:= Number end, nodes()) of
        true -> {ok, 0, 0, 0};
        false -> ?BADARG([Connection])
    end;
dist_get_stat(Connection) -> ?BADARG([Connection]).

port_named(Port) ->
    case lists:search(fun({N, _, _}) -> erlang:port_to_list(Port) =:= "#Port<0." ++ integer_to_list(N) ++ ">" end, ports_of_the_runtime()) of
        {value, Named} -> Named;
        false ->
            case retell_port:shown(Port) of
                closed ->
                    case retell_socket:shown(Port) of
                        undefined -> false;
                        Shown -> {socket, Port, Shown}
                    end;
                Shown -> {program, Port, Shown}
            end
    end.

open_port(Name, Options) ->
    case retell_port:open(Name, Options) of
        {error, badarg} -> ?BADARG([Name, Options]);
        {error, Reason} -> erlang:error(Reason, [Name, Options]);
        Port -> Port
    end.

port_command(Port, Data) -> ?OF_PORT(is_port(Port) andalso retell_port:command(Port, Data), [Port, Data]).

%% Nobody waits for a program that is slow to take it, so nothing can be busy.
port_command(Port, Data, Options) ->
    Known = is_list(Options) andalso Options -- [force, nosuspend] =:= [],
    ?OF_PORT(is_port(Port) andalso Known andalso retell_port:command(Port, Data), [Port, Data, Options]).

port_close(Port) -> ?OF_PORT(is_port(Port) andalso retell_port:close(Port), [Port]).
port_connect(Port, Pid) -> ?OF_PORT(is_port(Port) andalso is_pid(Pid) andalso retell_port:connect(Port, Pid), [Port, Pid]).

%% Only drivers take these.
port_control(Port, Operation, Data) -> ?OF_PORT(false, [Port, Operation, Data]).
port_call(Port, Data) -> ?OF_PORT(false, [Port, Data]).
port_call(Port, Operation, Data) -> ?OF_PORT(false, [Port, Operation, Data]).

port_item({program, _, {Name, _, _, _, _, _}}, name) -> Name;
port_item({program, Port, _}, id) -> 8 * erlang:phash2(Port, 1 bsl 20);
port_item({program, _, {_, Owner, _, _, _, _}}, connected) -> Owner;
port_item({program, _, {_, _, Links, _, _, _}}, links) -> Links;
port_item({program, _, {_, _, _, Received, _, _}}, input) -> Received;
port_item({program, _, {_, _, _, _, Sent, _}}, output) -> Sent;
port_item({program, _, {_, _, _, _, _, OsPid}}, os_pid) -> OsPid;
port_item({socket, _, _}, name) -> "tcp_inet";
port_item({socket, Port, _}, id) -> 8 * erlang:phash2(Port, 1 bsl 20);
port_item({socket, _, {Owner, _, _}}, connected) -> Owner;
port_item({socket, _, {Owner, _, _}}, links) -> [Owner];
port_item({socket, _, {_, Received, _}}, input) -> Received;
port_item({socket, _, {_, _, Sent}}, output) -> Sent;
port_item({N, _, _}, id) -> N * 8;
port_item({_, Name, _}, name) -> Name;
port_item({_, _, Owner}, connected) -> whereis(Owner);
port_item({0, _, _}, Item) when Item =:= links; Item =:= memory -> case Item of links -> []; memory -> 0 end;
port_item({_, _, Owner}, links) -> [whereis(Owner)];
port_item(_, memory) -> 40;
%% What all devices have written.
port_item({4, _, _}, output) -> element(2, element(2, erlang:statistics(io)));
port_item(_, os_pid) -> undefined;
port_item(_, parallelism) -> false;
port_item(_, locking) -> driver_level;
port_item(_, Item) when Item =:= input; Item =:= output; Item =:= queue_size -> 0;
port_item(_, _) -> [].

%% Tracing: a part of it, for events that are actions.
trace(Which, How, Flags) ->
    case retell_trace:trace(Which, How, Flags) of
        badarg -> ?BADARG([Which, How, Flags]);
        badopt -> ?BADARG([Which, How, Flags], badopt);
        Count -> Count
    end.

trace_pattern(Of, Spec) ->
    case retell_trace:pattern(Of, Spec, []) of
        Count when is_integer(Count) -> Count;
        Cause -> ?BADARG([Of, Spec], Cause)
    end.

trace_pattern(Of, Spec, Flags) ->
    case retell_trace:pattern(Of, Spec, Flags) of
        Cause when is_atom(Cause) -> ?BADARG([Of, Spec, Flags], Cause);
        Count -> Count
    end.

trace_info(Of, Item) ->
    case retell_trace:info(Of, Item) of
        badarg -> ?BADARG([Of, Item]);
        Info -> Info
    end.

%% Nothing of what OTP reports (long collections, large heaps, busy ports) is measured, so what is set is told and no message comes.
system_monitor() ->
    case erlang:'$env_get'('$system', system_monitor) of
        {ok, Set} -> Set;
        undefined -> undefined
    end.

system_monitor(undefined) ->
    Before = system_monitor(),
    erlang:'$env_set'('$system', system_monitor, undefined),
    Before;
system_monitor({Pid, Options}) -> system_monitor(Pid, Options);
system_monitor(Set) -> ?BADARG([Set]).

system_monitor(Pid, Options) when is_pid(Pid), is_list(Options) ->
    lists:all(fun is_monitored/1, Options) andalso is_process_alive(Pid) orelse ?BADARG([Pid, Options]),
    Before = system_monitor(),
    erlang:'$env_set'('$system', system_monitor, case Options of [] -> undefined; _ -> {Pid, Options} end),
    Before;
system_monitor(Pid, Options) -> ?BADARG([Pid, Options]).

is_monitored({Limit, Number}) when is_integer(Number) -> lists:member(Limit, [long_gc, large_heap, long_schedule]) andalso Number > 0;
is_monitored({long_message_queue, {Off, On}}) -> ?OTP_RELEASE >= 27 andalso is_integer(Off) andalso is_integer(On) andalso Off >= 0 andalso On > Off;
is_monitored(Event) -> Event =:= busy_port orelse Event =:= busy_dist_port.

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

%% Flags are kept and told; nothing obeys them but `statistics(scheduler_wall_time)`.
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
        none -> refused(system_flag, [Flag, Value], #{cause => badopt, module => erl_erts_errors})
    end.

flag(scheduler_wall_time) -> {fun is_boolean/1, false};
flag(backtrace_depth) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 8};
flag(fullsweep_after) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 65535};
flag(min_heap_size) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 233};
flag(min_bin_vheap_size) -> {fun(N) -> is_integer(N) andalso N >= 0 end, 46422};
flag(outstanding_system_requests_limit) -> {fun(N) -> is_integer(N) andalso N >= 1 andalso N < 1 bsl 27 end, 2};
flag(Flag) when Flag =:= schedulers_online; Flag =:= dirty_cpu_schedulers_online ->
    Most = erlang:system_info(schedulers),
    {fun(N) -> is_integer(N) andalso N >= 1 andalso N =< Most end, Most};
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
    out(standard_io, [text(Term), "\r\n"]),
    true.

display_string(String) when is_list(String) ->
    try list_to_binary(String) of
        _ ->
            out('$stderr', String),
            true
    catch
        error:badarg -> erlang:error(badarg, [String])
    end;
display_string(String) -> erlang:error(badarg, [String]).

display_string(Device, String) when is_list(String), Device =:= stdin orelse Device =:= stdout orelse Device =:= stderr ->
    try list_to_binary(String) of
        _ ->
            Device =:= stdin orelse out(case Device of stdout -> standard_io; stderr -> '$stderr' end, String),
            true
    catch
        error:badarg -> ?BADARG([Device, String])
    end;
display_string(Device, String) -> ?BADARG([Device, String]).

display_nl() ->
    out('$stderr', "\r\n"),
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

%% Tries a match specification on a term, as `ets` would (those for tracing cannot be tried).
match_spec_test(Term, Spec, table) ->
    case ets:test_ms(case is_list(Term) of true -> list_to_tuple(Term); false -> Term end, Spec) of
        {ok, Result} -> {ok, Result, [], []};
        {error, Errors} -> {error, Errors}
    end;
match_spec_test(Term, Spec, Type) -> ?BADARG([Term, Spec, Type]).

%% ---- packets --------------------------------------------------------------------------------------------------------

decode_packet(Type, Bytes, Options) ->
    try packet(Type, Bytes, packet_options(Options, #{packet_size => 0, line_length => 0, line_delimiter => $\n}))
    catch throw:badarg -> ?BADARG([Type, Bytes, Options])
    end.

packet_options([{packet_size, N} | Rest], Set) when is_integer(N), N >= 0 -> packet_options(Rest, Set#{packet_size := N});
packet_options([{line_length, N} | Rest], Set) when is_integer(N), N >= 0 -> packet_options(Rest, Set#{line_length := N});
packet_options([{line_delimiter, C} | Rest], Set) when is_integer(C), C >= 0, C =< 255 -> packet_options(Rest, Set#{line_delimiter := C});
packet_options([], Set) -> Set;
packet_options(_, _) -> throw(badarg).

packet(_, Bytes, _) when not is_binary(Bytes) -> throw(badarg);
packet(Raw, Bytes, _) when Raw =:= raw; Raw =:= 0 ->
    case Bytes of
        <<>> -> {more, undefined};
        _ -> {ok, Bytes, <<>>}
    end;
packet(Size, Bytes, Set) when Size =:= 1; Size =:= 2; Size =:= 4 ->
    case Bytes of
        <<Length:Size/unit:8, _/binary>> -> sized(Size, Size + Length, Bytes, Set);
        _ -> {more, undefined}
    end;
packet(sunrm, Bytes, Set) ->
    case Bytes of
        <<_:1, Length:31, _/binary>> -> sized(0, 4 + Length, Bytes, Set);
        _ -> {more, undefined}
    end;
packet(cdr, Bytes, Set) ->
    case Bytes of
        <<_:6/binary, _:7, 1:1, _, Length:32/little, _/binary>> -> sized(0, 12 + Length, Bytes, Set);
        <<_:8/binary, Length:32, _/binary>> -> sized(0, 12 + Length, Bytes, Set);
        _ -> {more, undefined}
    end;
packet(fcgi, Bytes, Set) ->
    case Bytes of
        <<1, _, _:16, Length:16, Padding, _, _/binary>> ->
            case sized(0, 8 + Length + Padding, Bytes, Set) of
                {ok, Packet, Rest} -> {ok, binary:part(Packet, 0, 8 + Length), Rest};
                Other -> Other
            end;
        <<_:64, _/binary>> -> {error, invalid};
        _ -> {more, undefined}
    end;
packet(tpkt, Bytes, Set) ->
    case Bytes of
        <<3, _, Length:16, _/binary>> when Length >= 4 -> sized(0, Length, Bytes, Set);
        <<_:32, _/binary>> -> {error, invalid};
        _ -> {more, undefined}
    end;
packet(asn1, Bytes, Set) -> asn1(Bytes, Set);
packet(ssl_tls, Bytes, Set) ->
    case Bytes of
        <<1:1, Length:15, 1, Major, Minor, _/binary>> -> tls(22, {Major, Minor}, 2, 2 + Length, Bytes, Set);
        <<Type, Major, Minor, Length:16, _/binary>> -> tls(Type, {Major, Minor}, 5, 5 + Length, Bytes, Set);
        _ -> {more, undefined}
    end;
packet(line, Bytes, Set) -> line(Bytes, Set);
packet(Http, Bytes, Set) when Http =:= http; Http =:= http_bin; Http =:= httph; Http =:= httph_bin -> http(Http, Bytes, Set);
packet(_, _, _) -> throw(badarg).

%% A packet of this many bytes, of which the first are left out.
sized(_, Total, _, #{packet_size := Most}) when Most > 0, Total > Most -> {error, invalid};
sized(_, Total, Bytes, _) when byte_size(Bytes) < Total -> {more, Total};
sized(Skipped, Total, Bytes, _) ->
    <<_:Skipped/binary, Packet:(Total - Skipped)/binary, Rest/binary>> = Bytes,
    {ok, Packet, Rest}.

tls(Type, Version, Header, Total, Bytes, Set) ->
    case sized(Header, Total, Bytes, Set) of
        {ok, Data, Rest} when Header =:= 2 -> {ok, {ssl_tls, [], Type, Version, tls_hello(Data)}, Rest};
        {ok, Data, Rest} -> {ok, {ssl_tls, [], Type, Version, Data}, Rest};
        Other -> Other
    end.

%% A hello of version 2 becomes one of version 3.
tls_hello(<<1, Data/binary>>) -> <<1, (byte_size(Data)):24, Data/binary>>.

asn1(<<_:3, 31:5, Rest/binary>> = Bytes, Set) ->
    case long_tag(Rest, 1) of
        more -> {more, undefined};
        Tag -> asn1_length(Tag, Bytes, Set)
    end;
asn1(<<_, _/binary>> = Bytes, Set) -> asn1_length(1, Bytes, Set);
asn1(<<>>, _) -> {more, undefined}.

long_tag(<<1:1, _:7, Rest/binary>>, N) -> long_tag(Rest, N + 1);
long_tag(<<_, _/binary>>, N) -> N + 1;
long_tag(<<>>, _) -> more.

asn1_length(Tag, Bytes, Set) ->
    case Bytes of
        <<_:Tag/binary, 0:1, Length:7, _/binary>> -> sized(0, Tag + 1 + Length, Bytes, Set);
        <<_:Tag/binary, 1:1, N:7, _/binary>> when N > 4 -> {error, invalid};
        <<_:Tag/binary, 1:1, N:7, Length:N/unit:8, _/binary>> -> sized(0, Tag + 1 + N + Length, Bytes, Set);
        _ -> {more, undefined}
    end.

line(Bytes, #{packet_size := Most, line_length := Longest, line_delimiter := Delimiter}) ->
    case binary:match(Bytes, <<Delimiter>>) of
        {At, 1} when Most > 0, At + 1 > Most -> {error, invalid};
        {At, 1} when Longest > 0, At + 1 > Longest -> split_at(Longest, Bytes);
        {At, 1} -> split_at(At + 1, Bytes);
        nomatch when Most > 0, byte_size(Bytes) > Most -> {error, invalid};
        nomatch when Longest > 0, byte_size(Bytes) >= Longest -> split_at(Longest, Bytes);
        nomatch -> {more, undefined}
    end.

split_at(N, Bytes) ->
    <<Packet:N/binary, Rest/binary>> = Bytes,
    {ok, Packet, Rest}.

%% A line of a header goes on in the next one that begins with a space.
http(Http, Bytes, #{packet_size := Most} = Set) ->
    Headers = Http =:= httph orelse Http =:= httph_bin,
    case http_line(Bytes, 0, Headers) of
        more when Most > 0, byte_size(Bytes) > Most -> {error, invalid};
        more -> {more, undefined};
        {_, Length} when Most > 0, Length > Most -> {error, invalid};
        {_, Length} when map_get(line_length, Set) > 0, Length > map_get(line_length, Set) -> split_at(map_get(line_length, Set), Bytes);
        {Line, Length} ->
            <<_:Length/binary, Rest/binary>> = Bytes,
            Text = case Http =:= http_bin orelse Http =:= httph_bin of
                true -> fun(Part) -> Part end;
                false -> fun binary_to_list/1
            end,
            Packet = case Headers of
                true -> http_header(Line, Text);
                false -> http_start(Line, Text)
            end,
            case Packet of
                error -> {ok, {http_error, Text(binary:part(Bytes, 0, Length))}, Rest};
                _ -> {ok, Packet, Rest}
            end
    end.

http_line(Bytes, From, Headers) ->
    case binary:match(Bytes, <<"\n">>, [{scope, {From, byte_size(Bytes) - From}}]) of
        nomatch -> more;
        {At, 1} ->
            case Bytes of
                _ when not Headers -> {without_end(binary:part(Bytes, 0, At)), At + 1};
                <<Line:At/binary, _/binary>> when Line =:= <<>>; Line =:= <<"\r">> -> {<<>>, At + 1};
                <<_:At/binary, $\n>> -> more;
                <<_:At/binary, $\n, C, _/binary>> when C =:= $\s; C =:= $\t -> http_line(Bytes, At + 1, Headers);
                _ -> {without_end(binary:part(Bytes, 0, At)), At + 1}
            end
    end.

without_end(Line) ->
    Before = byte_size(Line) - 1,
    case Line of
        <<Kept:Before/binary, $\r>> -> Kept;
        _ -> Line
    end.

http_start(<<"HTTP/", Rest/binary>>, Text) ->
    case re:run(Rest, "^([0-9]+)\\.([0-9]+) +([0-9]+)(?: +(.*))?$", [{capture, [1, 2, 3, 4], binary}, dotall]) of
        {match, [Major, Minor, Status, Phrase]} ->
            {http_response, {binary_to_integer(Major), binary_to_integer(Minor)}, binary_to_integer(Status), Text(Phrase)};
        nomatch -> error
    end;
http_start(Line, Text) ->
    case re:run(Line, "^([^ \t]+) +([^ ]+)(?: +HTTP/([0-9]+)\\.([0-9]+))? *$", [{capture, [1, 2, 3, 4], binary}, dotall]) of
        {match, [Method, Uri, Major, Minor]} ->
            Version = case Major of
                <<>> -> {0, 9};
                _ -> {binary_to_integer(Major), binary_to_integer(Minor)}
            end,
            case http_uri(Uri, Text) of
                error -> error;
                Parsed -> {http_request, http_method(Method, Text), Parsed, Version}
            end;
        nomatch -> error
    end.

http_method(Method, Text) ->
    case lists:member(Method, [<<"OPTIONS">>, <<"GET">>, <<"HEAD">>, <<"POST">>, <<"PUT">>, <<"DELETE">>, <<"TRACE">>]) of
        true -> binary_to_atom(Method);
        false -> Text(Method)
    end.

http_uri(<<"*">>, _) -> '*';
http_uri(<<"/", _/binary>> = Path, Text) -> {abs_path, Text(Path)};
http_uri(Uri, Text) ->
    case re:run(Uri, "^(https?)://([^/:]*)(?::([0-9]+))?(/.*)?$", [{capture, [1, 2, 3, 4], binary}, caseless]) of
        {match, [Scheme, Host, Port, Path]} ->
            {absoluteURI, binary_to_atom(string:lowercase(Scheme)), Text(Host),
             case Port of <<>> -> undefined; _ -> binary_to_integer(Port) end, Text(case Path of <<>> -> <<"/">>; _ -> Path end)};
        nomatch ->
            case binary:split(Uri, <<":">>) of
                [Scheme, Rest] -> {scheme, Text(Scheme), Text(Rest)};
                [_] -> Text(Uri)
            end
    end.

http_header(<<>>, _) -> http_eoh;
http_header(Line, Text) ->
    case re:run(Line, "^([^:\\s]+):[ \t]*(.*)$", [{capture, [1, 2], binary}, dotall]) of
        {match, [Name, Value]} ->
            Usual = usual_case(Name),
            case string:find(<<" ", (http_fields())/binary, " ">>, <<" ", Usual/binary, " ">>) of
                nomatch -> {http_header, 0, Text(Usual), Text(Name), Text(Value)};
                Found ->
                    All = length(binary:matches(http_fields(), <<" ">>)) + 2,
                    {http_header, All - length(binary:matches(Found, <<" ">>)) + 1, binary_to_atom(Usual), Text(Name), Text(Value)}
            end;
        nomatch -> error
    end.

%% The first letter of each word is large.
usual_case(Name) -> iolist_to_binary(lists:join($-, [string:titlecase(string:lowercase(Word)) || Word <- binary:split(Name, <<"-">>, [global])])).

http_fields() ->
    <<"Cache-Control Connection Date Pragma Transfer-Encoding Upgrade Via Accept Accept-Charset Accept-Encoding Accept-Language Authorization "
      "From Host If-Modified-Since If-Match If-None-Match If-Range If-Unmodified-Since Max-Forwards Proxy-Authorization Range Referer User-Agent "
      "Age Location Proxy-Authenticate Public Retry-After Server Vary Warning Www-Authenticate Allow Content-Base Content-Encoding "
      "Content-Language Content-Length Content-Location Content-Md5 Content-Range Content-Type Etag Expires Last-Modified Accept-Ranges "
      "Set-Cookie Set-Cookie2 X-Forwarded-For Cookie Keep-Alive Proxy-Connection">>.

%% Deleted modules are there until they are purged.
loaded() -> lists:usort(erlang:pre_loaded() ++ code:'$loaded'()).

pre_loaded() ->
    [atomics, counters, erl_init, erl_prim_loader, erl_tracer, erlang, erts_code_purger, erts_dirty_process_signal_handler, erts_internal,
     erts_literal_area_collector, init, persistent_term, prim_buffer, prim_eval, prim_file, prim_inet, prim_net, prim_socket, prim_zip, socket_registry, zlib].

%% Code: the natives are in `code`. Unlike that, these functions do not purge.
load_module(Module, Binary) when is_atom(Module), is_binary(Binary) -> code:'$load_binary'(Module, '$unknown', Binary);
load_module(Module, Binary) -> refused(load_module, [Module, Binary]).

delete_module(Module) when is_atom(Module) ->
    case code:'$deleted'(Module) of
        old -> refused(delete_module, [Module]);
        Deleted -> Deleted
    end;
delete_module(Module) -> refused(delete_module, [Module]).

purge_module(Module) when is_atom(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            _ = code:purge(Module),
            true;
        false -> refused(purge_module, [Module])
    end;
purge_module(Module) -> refused(purge_module, [Module]).

%% As if the function were one of the machine. It is called in its place.
refused(Function, Args) -> refused(Function, Args, #{module => erl_erts_errors}).

refused(Function, Args, Info) ->
    [_ | Callers] = try erlang:error(badarg) catch error:badarg:Stack -> Stack end,
    erlang:raise(error, badarg, [{?MODULE, Function, Args, [{error_info, Info}]} | Callers]).

module_loaded(Module) when is_atom(Module) -> code:'$is_current'(Module);
module_loaded(Module) -> refused(module_loaded, [Module]).

is_builtin(Module, Function, Arity) when is_atom(Module), is_atom(Function), is_integer(Arity), Arity >= 0 -> erlang:'$is_builtin'(Module, Function, Arity);
is_builtin(Module, Function, Arity) -> refused(is_builtin, [Module, Function, Arity]).

get_module_info(Module) ->
    try [{Item, module_item(Module, Item)} || Item <- [module, exports, attributes, compile, md5]]
    catch error:badarg -> refused(get_module_info, [Module])
    end.

get_module_info(Module, Item) ->
    try module_item(Module, Item)
    catch error:badarg -> refused(get_module_info, [Module, Item])
    end.

module_item(Module, Item) ->
    case erlang:'$module_info'(Module, Item) of
        '$initial' -> code:'$said'(Module, Item);
        Value -> Value
    end.

check_process_code(Pid, Module) -> check_process_code(Pid, Module, []).

check_process_code(Pid, Module, Options) when is_pid(Pid), is_atom(Module), is_list(Options) ->
    Known = fun({allow_gc, Allow}) -> is_boolean(Allow);
               ({async, _}) -> true;
               (_) -> false
            end,
    lists:all(Known, Options) orelse erlang:error(badarg),
    Found = code:'$is_in_old'(Pid, Module),
    case lists:keyfind(async, 1, Options) of
        {async, Id} ->
            self() ! {check_process_code, Id, Found},
            async;
        false -> Found
    end;
check_process_code(_, _, _) -> erlang:error(badarg).
