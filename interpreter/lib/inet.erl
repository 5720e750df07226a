%% The module `inet`, but for sockets: addresses, the name of this host, and names of hosts as the resolver of the operating system has them.
-module(inet).
-export([gethostname/0, getifaddrs/0, getifaddrs/1, getaddr/2, getaddr/3, getaddrs/2, getaddrs/3, gethostbyname/1, gethostbyname/2, gethostbyname/3, gethostbyaddr/1, gethostbyaddr/2]).
-export([ntoa/1, parse_address/1, parse_strict_address/1, parse_ipv4_address/1, parse_ipv4strict_address/1, parse_ipv6_address/1,
         parse_ipv6strict_address/1, is_ip_address/1, is_ipv4_address/1, is_ipv6_address/1, ipv4_mapped_ipv6_address/1, format_error/1]).
-export([peername/1, sockname/1, getstat/1, getstat/2, setopts/2, getopts/2, port/1, close/1, '$options'/1]).
%% As in `kernel/include/inet.hrl`.
-record(hostent, {h_name, h_aliases = [], h_addrtype, h_length, h_addr_list = []}).

-type ip4_address() :: {0..255, 0..255, 0..255, 0..255}.
-type ip6_address() :: {0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535}.
-type ip_address() :: ip4_address() | ip6_address().
-type hostname() :: atom() | string().
-export_type([ip4_address/0, ip6_address/0, ip_address/0, hostname/0]).

-define(V4(A, B, C, D), (A bor B bor C bor D) band bnot 255 =:= 0).
-define(V6(A, B, C, D, E, F, G, H), (A bor B bor C bor D bor E bor F bor G bor H) band bnot 16#ffff =:= 0).

ntoa(Address) -> inet_parse:ntoa(Address).
parse_address(Text) -> inet_parse:address(Text).
parse_strict_address(Text) -> inet_parse:strict_address(Text).
parse_ipv4_address(Text) -> inet_parse:ipv4_address(Text).
parse_ipv4strict_address(Text) -> inet_parse:ipv4strict_address(Text).
parse_ipv6_address(Text) -> inet_parse:ipv6_address(Text).
parse_ipv6strict_address(Text) -> inet_parse:ipv6strict_address(Text).

is_ip_address(Address) -> is_ipv4_address(Address) orelse is_ipv6_address(Address).

is_ipv4_address({A, B, C, D}) when ?V4(A, B, C, D) -> true;
is_ipv4_address(_) -> false.

is_ipv6_address({A, B, C, D, E, F, G, H}) when ?V6(A, B, C, D, E, F, G, H) -> true;
is_ipv6_address(_) -> false.

ipv4_mapped_ipv6_address({A, B, C, D}) when (A bor B bor C bor D) < 256 -> {0, 0, 0, 0, 0, 16#ffff, A bsl 8 bor B, C bsl 8 bor D};
ipv4_mapped_ipv6_address({A, B, C, D, E, F, G, H}) when (A bor B bor C bor D bor E bor F bor G bor H) < 65536 ->
    {G bsr 8, G band 255, H bsr 8, H band 255}.

format_error(exbadport) -> "invalid port state";
format_error(exbadseq) -> "bad command sequence";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error(Reason) -> erl_posix_msg:message(Reason).

%% Sockets of the program are those of `retell_socket`. A connection with another node has the address of that node at this end, and nothing is counted of it.
peername(Port) ->
    case [Node || Node <- nodes(), is_connection(Port, Node)] of
        [Node] -> {ok, net_kernel:'$address'(Node)};
        [] -> of_socket(Port, peername)
    end.

sockname(Port) ->
    case lists:any(fun(Node) -> is_connection(Port, Node) end, nodes()) of
        true -> {ok, net_kernel:'$address'(node())};
        false -> of_socket(Port, sockname)
    end.

of_socket(Socket, Request) ->
    case retell_socket:call(Socket, Request) of
        {error, closed} -> {error, einval};
        Answer -> Answer
    end.

port(Socket) ->
    case sockname(Socket) of
        {ok, {_, Port}} -> {ok, Port};
        Error -> Error
    end.

setopts(Socket, Options) ->
    case '$options'(Options) of
        {ok, Given} -> of_socket(Socket, {setopts, Given});
        badarg -> {error, einval}
    end.

getopts(Socket, Names) when is_list(Names) -> of_socket(Socket, {getopts, Names}).

close(Socket) -> gen_tcp:close(Socket).

%% Options as pairs, each once; the last one counts.
'$options'(Options) -> options(Options, []).

options([Mode | Options], Known) when Mode =:= binary; Mode =:= list -> options(Options, lists:keystore(mode, 1, Known, {mode, Mode}));
options([Family | Options], Known) when Family =:= inet; Family =:= inet6; Family =:= local -> options(Options, Known);
options([{ifaddr, Address} | Options], Known) -> options([{ip, Address} | Options], Known);
options([{raw, _, _, _} | Options], Known) -> options(Options, Known);
options([{Name, _} = Option | Options], Known) when is_atom(Name) -> options(Options, lists:keystore(Name, 1, Known, Option));
options([], Known) -> {ok, Known};
options(_, _) -> badarg.

is_connection(Port, Node) ->
    is_port(Port) andalso erlang:port_to_list(Port) =:= "#Port<0." ++ integer_to_list(net_kernel:'$port_number'(Node)) ++ ">".

getstat(Port) -> getstat(Port, [recv_oct, recv_cnt, recv_max, recv_avg, recv_dvi, send_oct, send_cnt, send_max, send_avg, send_pend]).

getstat(Port, Items) when is_port(Port), is_list(Items) ->
    case lists:any(fun(Node) -> is_connection(Port, Node) end, nodes()) of
        true -> {ok, [{Item, 0} || Item <- Items]};
        false ->
            case retell_socket:shown(Port) of
                undefined -> {error, einval};
                {_, Received, Sent} ->
                    {ok, [{Item, case Item of recv_oct -> Received; send_oct -> Sent; _ -> 0 end} || Item <- Items]}
            end
    end.

%% Up to the first dot. Linux keeps it in a file; elsewhere a command tells it.
gethostname() ->
    Name = case file:read_file("/proc/sys/kernel/hostname") of
        {ok, Text} -> binary_to_list(Text);
        {error, _} -> os:cmd("hostname")
    end,
    case lists:takewhile(fun(C) -> C =/= $. andalso C > $\s end, Name) of
        [] -> {ok, "nohost"};
        Short -> {ok, Short}
    end.

%% What Linux tells of its network interfaces in files. On a system without these files, none is known.
getifaddrs() ->
    Names = case file:list_dir("/sys/class/net") of
        {ok, All} -> lists:sort([{index(Name), Name} || Name <- All]);
        {error, _} -> []
    end,
    Four = ipv4(),
    Six = ipv6(),
    case Names of
        [] -> {error, enotsup};
        _ -> {ok, [{Name, interface(Name, Four, Six)} || {_, Name} <- Names]}
    end.

getifaddrs(_) -> getifaddrs().

index(Name) ->
    try list_to_integer(sys(Name, "ifindex"))
    catch error:badarg -> 0
    end.

sys(Name, What) ->
    case file:read_file("/sys/class/net/" ++ Name ++ "/" ++ What) of
        {ok, Text} -> string:trim(binary_to_list(Text));
        {error, _} -> ""
    end.

interface(Name, Four, Six) ->
    Bits = case sys(Name, "flags") of "0x" ++ Hex -> list_to_integer(Hex, 16); _ -> 0 end,
    Flags = [Flag || {Bit, Flag} <- [{1, up}, {2, broadcast}, {8, loopback}, {16, pointtopoint}, {64, running}, {16#1000, multicast}], Bits band Bit =/= 0],
    %% The kernel counts an interface as running if it is up and has a carrier.
    Running = case lists:member(running, Flags) orelse not lists:member(up, Flags) orelse sys(Name, "carrier") =/= "1" of
        true -> Flags;
        false -> lists:sort(fun(A, B) -> rank(A) =< rank(B) end, [running | Flags])
    end,
    Addresses = lists:append([address(Address, Mask, lists:member(broadcast, Flags)) || {N, Address, Mask} <- Four ++ Six, N =:= Name]),
    Hardware = [{hwaddr, [list_to_integer(Part, 16) || Part <- string:lexemes(Text, ":")]} || [_ | _] = Text <- [sys(Name, "address")], Text =/= ""],
    [{flags, Running} | Addresses] ++ Hardware.

rank(Flag) -> length(lists:takewhile(fun(F) -> F =/= Flag end, [up, broadcast, loopback, pointtopoint, running, multicast])).

address({_, _, _, _} = Address, Mask, true) -> [{addr, Address}, {netmask, Mask}, {broadaddr, zipped(fun(A, M) -> A bor (M bxor 255) end, Address, Mask)}];
address(Address, Mask, _) -> [{addr, Address}, {netmask, Mask}].

zipped(Fun, A, B) -> list_to_tuple(lists:zipwith(Fun, tuple_to_list(A), tuple_to_list(B))).

%% {Name, Address, Mask}. The addresses of this host are in the table of all routes, their interfaces in that of the networks.
ipv4() ->
    Routes = case file:read_file("/proc/net/route") of
        {ok, Table} ->
            [{Name, quad(Network), quad(Mask)}
             || [Name, Network, _, _, _, _, _, Mask | _] <- [string:lexemes(Line, "\t ") || Line <- tl(string:split(binary_to_list(Table), "\n", all))],
                Mask =/= "00000000"];
        {error, _} -> []
    end,
    Local = case file:read_file("/proc/net/fib_trie") of
        {ok, Trie} -> lists:usort(local(string:split(binary_to_list(Trie), "\n", all)));
        {error, _} -> []
    end,
    Networks = Routes ++ [{"lo", {127, 0, 0, 0}, {255, 0, 0, 0}}],
    [{Name, Address, Mask}
     || Address <- Local, {Name, Network, Mask} <- Networks, zipped(fun(A, M) -> A band M end, Address, Mask) =:= Network].

%% "   |-- 10.0.0.2", and then "      /32 host LOCAL".
local([Line, Kind | Lines]) ->
    case {string:lexemes(Line, " |-"), string:lexemes(Kind, " ")} of
        {[Text], ["/32", "host", "LOCAL"]} ->
            case inet_parse:ipv4strict_address(Text) of
                {ok, Address} -> [Address | local(Lines)];
                {error, _} -> local([Kind | Lines])
            end;
        _ -> local([Kind | Lines])
    end;
local(_) -> [].

quad(Hex) ->
    <<D, C, B, A>> = binary:decode_hex(list_to_binary(Hex)),
    {A, B, C, D}.

ipv6() ->
    case file:read_file("/proc/net/if_inet6") of
        {ok, Table} ->
            [{Name, words(binary:decode_hex(list_to_binary(Hex))), mask6(list_to_integer(Prefix, 16))}
             || [Hex, _, Prefix, _, _, Name] <- [string:lexemes(Line, " ") || Line <- string:split(binary_to_list(Table), "\n", all)]];
        {error, _} -> []
    end.

words(Bytes) -> list_to_tuple([Word || <<Word:16>> <= Bytes]).

mask6(Prefix) -> words(<<((1 bsl Prefix) - 1):Prefix, 0:(128 - Prefix)>>).

getaddr(Host, Family) -> getaddr(Host, Family, infinity).
getaddr(Host, Family, Timeout) ->
    case getaddrs(Host, Family, Timeout) of
        {ok, [Address | _]} -> {ok, Address};
        Error -> Error
    end.

getaddrs(Host, Family) -> getaddrs(Host, Family, infinity).
getaddrs({A, B, C, D} = Address, Family, _) when ?V4(A, B, C, D) -> of_family(Address, Family, inet);
getaddrs({A, B, C, D, E, F, G, H} = Address, Family, _) when ?V6(A, B, C, D, E, F, G, H) -> of_family(Address, Family, inet6);
getaddrs(Host, Family, Timeout) when is_atom(Host) -> getaddrs(atom_to_list(Host), Family, Timeout);
getaddrs(Host, Family, Timeout) ->
    case inet_parse:visible_string(Host) andalso gethostbyname(Host, Family, Timeout) of
        false -> {error, einval};
        {ok, #hostent{h_addr_list = Addresses}} -> {ok, Addresses};
        Error -> Error
    end.

of_family(Address, Family, Family) -> {ok, [Address]};
of_family(_, _, _) -> {error, eafnosupport}.

gethostbyname(Name) -> gethostbyname(Name, inet).
gethostbyname(Name, Family) -> gethostbyname(Name, Family, infinity).
gethostbyname(Name, Family, Timeout) when is_atom(Name) -> gethostbyname(atom_to_list(Name), Family, Timeout);
gethostbyname(Name, Family, _) when is_list(Name), Family =:= inet orelse Family =:= inet6 ->
    Parsed = case Family of
        inet -> inet_parse:ipv4_address(Name);
        inet6 -> inet_parse:ipv6strict_address(Name)
    end,
    case Parsed of
        {ok, Address} -> {ok, hostent(Name, [Address], Family)};
        {error, einval} ->
            case lists:all(fun of_name/1, Name) andalso resolved(Name, Family) of
                {ok, _} = Found -> Found;
                _ -> own(Name, Family)
            end
    end;
gethostbyname(_, _, _) -> {error, einval}.

hostent(Name, Addresses, Family) ->
    #hostent{h_name = Name, h_addrtype = Family, h_length = case Family of inet -> 4; inet6 -> 16 end, h_addr_list = Addresses}.

%% Nothing that a shell would understand.
of_name(C) -> C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z orelse C >= $0 andalso C =< $9 orelse lists:member(C, "-_.").

%% Lines `ADDRESS TYPE NAME`; the name stands in the first.
resolved(Name, Family) ->
    Database = case Family of inet -> "ahostsv4"; inet6 -> "ahostsv6" end,
    Lines = [string:lexemes(Line, " ") || Line <- string:lexemes(os:cmd("getent " ++ Database ++ " -- " ++ Name ++ " 2>/dev/null"), "\n")],
    case [Address || [Text, "STREAM" | _] <- Lines, {ok, Address} <- [inet_parse:address(Text)], not mapped(Address)] of
        [] -> nothing;
        Addresses -> {ok, hostent(case hd(Lines) of [_, _, Full] -> Full; _ -> Name end, Addresses, Family)}
    end.

%% `getent` makes addresses of the other family up.
mapped({0, 0, 0, 0, 0, 16#ffff, _, _}) -> true;
mapped(_) -> false.

%% The name of this host is always known.
own(Name, Family) ->
    {ok, Self} = gethostname(),
    case string:lowercase(Name) =:= string:lowercase(Self) of
        true -> {ok, hostent(Self, [case Family of inet -> {127, 0, 0, 1}; inet6 -> {0, 0, 0, 0, 0, 0, 0, 1} end], Family)};
        false -> {error, nxdomain}
    end.

gethostbyaddr(Address) -> gethostbyaddr(Address, infinity).
gethostbyaddr(Address, Timeout) when is_list(Address) ->
    case inet_parse:address(Address) of
        {ok, Parsed} -> gethostbyaddr(Parsed, Timeout);
        _ -> {error, einval}
    end;
gethostbyaddr(Address, _) ->
    case ntoa(Address) of
        {error, _} -> {error, einval};
        Text ->
            case string:lexemes(os:cmd("getent hosts -- " ++ Text ++ " 2>/dev/null"), " \t\n") of
                [_, Name | Aliases] ->
                    Family = case tuple_size(Address) of 4 -> inet; 8 -> inet6 end,
                    {ok, (hostent(Name, [Address], Family))#hostent{h_aliases = Aliases}};
                _ -> {error, nxdomain}
            end
    end.
