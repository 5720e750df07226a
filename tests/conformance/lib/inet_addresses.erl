-module(inet_addresses).
-export([main/0]).
-include_lib("kernel/include/inet.hrl").
-include_lib("kernel/include/net_address.hrl").
%% Addresses as texts, of every shape, and what is none; names of hosts; the records of two headers.

t(F) -> try F() catch C:R -> {C, R} end.
main() ->
    Ts = ["1.2.3.4", "1.2.3", "1.2", "1", "", ".", "1.", ".1", "1..2", "1.2.3.4.", "1.2.3.4.5", "256.1.1.1", "1.256", "1.65536", "1.65535", "1.2.65535", "1.2.65536",
     "4294967295", "4294967296", "0x7f.1", "0X7F.0.0.1", "0x", "0x.1", "010.1", "08", "00000000000010", "0000", "037777777777", "040000000000", "00037777777777", "+1.2.3.4", "-1.2.3.4","-0.0.0.0", "0x100000000",
     "0x000000000ff", "1.2.3.04", "01.2.3.4", "0.0.0.0", "0.0.0.00", "255.255.255.255", "1.2.3.4 ", " 1", "a", "localhost", "127.0.0.1\n", "001.2", "00x1", "12345678901", "0x12345678", "0x123456789",
     "::", "::1", "1::", "fe80::1", "fe80::1%0", "fe80::1%05", "fe80::1%eth0", "fe80::%01", "ff02::1%065535", "ff02::1%065536", "fe80::1%0a", "::%0", "::1%0", "fe80:1::1%1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8%0",
     "fe80:0:3:4:5:6:7:8%07", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "1:2:3:4:5:6:7:8::", "1::2::3", ":::", ":1", "1:", "1:2", "12345::", "abcd:EF01::", "g::", "::ffff:1.2.3.4", "::1.2.3.4", "1::1.2.3.4",
     "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1:2:3:4:5:1.2.3.4", "::1:2:3:4:5:6:1.2.3.4", "1.2.3.4::", "::01.2.3.4", "::1.2.3", "::1.2.3.4%0", "fe80::1.2.3.4%0","fe80:::1", "fe80::1%", "fe80::1%%", "fe80:%0", "%0", "+1::", "-1::", "fe80::%", "1.2.3.4:1::", "::1.2.3.4:1", "0:0:0:0:0:0:0:0", "fe80::00001", "::+1", [1], [a], ["::1"], "fe80::1%00", "fe80::1%0012", "ff02:0::%03"],
    [io:format("~p ~p ~p ~p~n", [T, F, X, case X of {ok, A} -> inet_parse:ntoa(A); _ -> none end]) || F <- [address, strict_address, ipv4_address, ipv4strict_address, ipv6_address, ipv6strict_address], T <- Ts, X <- [t(fun() -> inet_parse:F(T) end)]],
    [io:format("~p ~p ~p~n", [F, T, t(fun() -> inet_parse:F(T) end)]) || F <- [address, strict_address, ipv4_address, ipv4strict_address, ipv6_address, ipv6strict_address, ntoa, domain, visible_string], T <- [a, <<"1.2.3.4">>, {1,2,3,4}, 1, #{}, [], {1,2,3,256}, {a,b,c,d}, {1,2,3,-4}, {1,2,3,4.0}]],
    rand:seed(exsss, {1,2,3}),
    [begin A = list_to_tuple([lists:nth(rand:uniform(6), [0, 0, 0, 1, 16#fe80, 16#abcd]) || _ <- lists:seq(1, 8)]), S = inet_parse:ntoa(A), io:format("~p ~p ~p~n", [A, S, inet_parse:address(S)]) end || _ <- lists:seq(1, 400)],
    [io:format("~p~n", [inet_parse:ntoa(A)]) || A <- [{0,0,0,0,0,0,1,2},{0,0,0,0,0,65535,1,2},{65152,5,0,0,1,0,0,1},{1,0,0,2,0,0,3,4},{1,0,0,2,0,0,0,3},{1,0,2,0,3,0,4,0}, {65536,0,0,0,0,0,0,0}, {0,0,0,0,0,0,0,2},{65282,65535,0,0,0,0,0,1}]],
    [io:format("~p ~p ~p ~p~n", [D, inet_parse:domain(D), inet_parse:visible_string(D), t(fun() -> inet_parse:dots(D) end)]) || D <- ["a", "a.b", "a.b.", "a-.b", "a_.b", "-a", "a-", "a_", "1.2.3.4", "1.2.3.4.5", "1.2.3.x", "1.2.3.4.", "a..b", ".", "a b", "\x{e9}", "~!", "3com.net", "1a.2.3.4", "a.-b"]],
    [io:format("~p ~p~n", [D, inet_parse:split_line(D)]) || D <- ["127.0.0.1  localhost # x\n", "#", "", "a b\tc", "a#b", "  a\r\n", " ", "a\r b"]],
    [io:format("~p ~p~n", [A, {inet:is_ip_address(A), inet:is_ipv4_address(A), inet:is_ipv6_address(A), t(fun() -> inet:ipv4_mapped_ipv6_address(A) end), inet:ntoa(A)}])
     || A <- [{1,2,3,4}, {1,2,3,256}, {0,0,0,0,0,65535,258,772}, {1,2,3,4,5,6,7,65536}, {a,b,c,d}, x, {1,2,3}, "1.2.3.4"]],
    [io:format("~p ~p ~p~n", [H, F, t(fun() -> inet:getaddr(H, F) end)])
     || H <- [{1,2,3,4}, {1,2,3,256}, {1,2,3,4,5,6,7,8}, "1.2.3.4", '1.2.3.4', "::1", "", "a b", "not!a!name.invalid", [1, 2]], F <- [inet, inet6]],
    io:format("~p~n", [t(fun() -> inet:gethostbyname("10.1.2.3") end)]),
    io:format("~p~n", [t(fun() -> inet:gethostbyname("fe80::1", inet6) end)]),
    io:format("~p~n", [[inet:format_error(E) || E <- [einval, nxdomain, exbadport, exbadseq, system_limit, enoent, no_such_error, eaddrnotavail, eadv, eafnosupport, ealign, ealready, ebade, ebadfd, ebadmsg, ebadr, ebadrpc, ebadrqc, ebadslt, ebfont, echrng, ecomm, econnaborted, edeadlock, edestaddrreq, edirty, edotdot, eduppkg, eftype, ehostdown, ehostunreach, eidrm, einit, einprogress, eisconn, eisnam, el2hlt, el2nsync, el3hlt, el3rst, elbin, elibacc, elibbad, elibexec, elibmax, elibscn, elnrng, emsgsize, emultihop, enavail, enet, enetdown, enetreset, enetunreach, enoano, enobufs, enocsi, enodata, enolink, enomsg, enonet, enopkg, enoprotoopt, enosr, enostr, enosym, enotblk, enotnam, enotsock, enotuniq, eopnotsupp, epfnosupport, eproclim, eprocunavail, eprogmismatch, eprogunavail, eproto, eprotonosupport, eprototype, erefused, eremchg, eremdev, eremote, eremoteio, eremoterelease, erpcmismatch, erremote, eshutdown, esocktnosupport, esrmnt, esuccess, etime, etoomanyrefs, euclean, eunatch, eusers, eversion, ewouldblock, exbadport, exbadseq, exfull, nxdomain]]]),
    {ok, Name} = inet:gethostname(),
    io:format("~p ~p~n", [is_list(Name), lists:member($., Name)]),
    io:format("~p ~p~n", [#hostent{h_name = "n"}, #net_address{host = h}]).
