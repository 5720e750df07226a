%% The record of a node's address.
-record(net_address, {address, host, protocol, family}).
