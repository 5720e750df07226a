%% Names, messages, keys and texts that try to leave the page, or to change what a reader sees.
-module(hostile).
-export([main/0, '<b>fun</b>'/1]).

main() ->
    register('</script><img src=x onerror=alert(1)>', self()),
    ets:new('"><svg onload=alert(2)>', [named_table, public]),
    Me = self(),
    spawn(?MODULE, '<b>fun</b>', [Me]),
    receive
        Message ->
            io:format("~ts </script><script>alert(3)</script>~n", [[16#202e, "reversed", 27, "[31m"]]),
            error({'javascript:alert(4)', Message})
    end.

'<b>fun</b>'(Me) ->
    ets:insert('"><svg onload=alert(2)>', {"'\"><img src=x onerror=alert(5)>", 1}),
    Me ! {"</script><b>bold</b>", list_to_atom([16#202e, $a, 16#2066, 7, 27]), <<"<!--<script>">>, "`code`"}.
