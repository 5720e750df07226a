%% The record of `inet:gethostbyname/1` and its like.
-record(hostent,
        {h_name :: inet:hostname(),
         h_aliases = [] :: [inet:hostname()],
         h_addrtype :: inet | inet6,
         h_length :: non_neg_integer(),
         h_addr_list = [] :: [inet:ip_address()]}).
