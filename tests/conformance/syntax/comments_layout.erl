%% Odd layout: comments everywhere, no spaces, many lines.
-module(comments_layout).
-export([main/0]).

main()->% after the arrow
io:format("~w~n",[{1,2,3}]),io:format("~w~n",[[1|[2|[3|[]]]]]),
    %% between
    X=1,Y=X+1,Z=-Y,
    io:format("~w ~w~n",[Y,Z]), %%% three
    io
    :
    format
    ("~s~n",["spread"]),
    case{X,Y}of{1,2}->io:format("tight~n");_->no end,
    "multi
line" = "multi\nline",
    fun()->ok end(),
    A = $ , B = $%, C = "% not a comment", D = '% quoted',
    io:format("~w ~w ~s ~w~n", [A, B, C, D]),
    io:format("~w~n", [#{a=>1,b=>2}]),
    io:format("~w~n", [<<1,2,(3):8>>]),
    1=:=1,X=<Y,X>=X,a=/=b.
