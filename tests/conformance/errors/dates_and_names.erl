%% Dates and times that do not exist, names of files in every shape, parts of URIs: results, and where it fails.
-module(dates_and_names).
-export([main/0]).
-compile(nowarn_deprecated_function).

t(L, F) ->
    try io:format("~0tp ~0tp~n", [L, F()])
    catch C:R:S ->
        Own = lists:takewhile(fun({M, _, _, _}) -> M =/= dates_and_names end, S),
        io:format("~0tp ~p:~0tp ~0tp~n", [L, C, R, [{M, N, A} || {M, N, A, _} <- Own]])
    end.

a(M, F, As) -> [t({F, A}, fun() -> apply(M, F, A) end) || A <- As].

main() ->
  Dates = [{2023,2,29},{2023,13,1},{2023,0,1},{2023,1,0},{10000,1,1},{99999,12,31},{-1,1,1},{2023,1,a},{a,1,1},{2023,a,1},{2023,1,32},{2023,1.0,1},x,{1,2}],
  Times = [{24,0,0},{23,60,0},{23,59,60},{-1,0,0},{1,2,a},{1,2},x,{1.0,2,3}],
  a(calendar, date_to_gregorian_days, [[D]||D<-Dates]),
  a(calendar, day_of_the_week, [[D]||D<-Dates]),
  a(calendar, iso_week_number, [[D]||D<-Dates]),
  a(calendar, valid_date, [[D]||D<-Dates]),
  a(calendar, datetime_to_gregorian_seconds, [[{D,{1,2,3}}]||D<-Dates]),
  a(calendar, datetime_to_gregorian_seconds, [[{{2023,1,2},D}]||D<-Times]),
  a(calendar, time_to_seconds, [[D]||D<-Times]),
  a(calendar, seconds_to_time, [[D]||D<-[-1,86400,86399,1.5,a,100000]]),
  a(calendar, seconds_to_daystime, [[D]||D<-[-1,86400,86399,1.5,a,100000,-86400,-86401]]),
  a(calendar, gregorian_days_to_date, [[D]||D<-[-1,0,1,a,1.5,3652424,3652425,3652426,36524250,-1000]]),
  a(calendar, gregorian_seconds_to_datetime, [[D]||D<-[-1,0,1,a,1.5,315569519999,315569520000,3155695200000]]),
  a(calendar, last_day_of_the_month, [[2023,M]||M<-[0,1,2,12,13,a,1.0]]++[[-1,2],[a,2]]),
  a(calendar, is_leap_year, [[X]||X<-[0,-4,a,2000,1900,10000,4.0]]),
  a(calendar, local_time_to_universal_time, [[{D,{1,2,3}}]||D<-Dates, D =/= {10000,1,1}, D =/= {99999,12,31}]),
  a(calendar, local_time_to_universal_time, [[{{2023,1,2},D}]||D<-Times]),
  a(calendar, local_time_to_universal_time_dst, [[{D,{1,2,3}}]||D<-Dates, D =/= {10000,1,1}, D =/= {99999,12,31}]),
  a(calendar, local_time_to_universal_time_dst, [[{{2023,1,2},D}]||D<-Times]),
  a(calendar, universal_time_to_local_time, [[{D,{1,2,3}}]||D<-Dates, D =/= {10000,1,1}, D =/= {99999,12,31}]),
  a(calendar, universal_time_to_local_time, [[{{2023,1,2},D}]||D<-Times]),
  a(calendar, now_to_datetime, [[X]||X<-[{0,0,0},{-1,0,0},{-70000,0,0},{1000000,0,0},{a,0,0},x,{1,2}]]),
  a(calendar, system_time_to_universal_time, [[X,second]||X<-[0,-1,-62167219200,-62167219201,253402300799,253402300800,2534023007990,a,1.5]]++[[0,x],[0,0]]),
  a(calendar, system_time_to_rfc3339, [[X,[{offset,"Z"}]]||X<-[0,-1,-62167219200,-62167219201,253402300799,253402300800,2534023007990,a,1.5]]),
  a(calendar, system_time_to_rfc3339, [[1,O]||O<-[[{offset,"Z"},{unit,x}],[{offset,x}],[{offset,"+1"}],[{offset,"+01:00"}],[{offset,"x01:00"}],[{offset,"+0100"}],[{offset,"+01"}],[{offset,3600}],[{offset,-3600}],[{offset,"-25:99"}],[{time_designator,x},{offset,"Z"}],[{time_designator,$\s},{offset,"z"}],[{unit,microsecond},{offset,"Z"}],[{unit,nanosecond},{offset,60000000000}],[{unit,microsecond},{offset,"Z"},{time_designator,$T}],[{unit,native},{offset,"Z"}],[{unit,1000},{offset,"Z"}],[x],x]]),
  a(calendar, rfc3339_to_system_time, [[X]||X<-["2023-02-29T00:00:00Z","2023-13-01T00:00:00Z","2023-12-01T24:00:00Z","2023-12-01T23:60:00Z","2023-12-01T23:59:60Z","2023-12-01T23:59:59","2023-12-01T23:59:59+1","2023-12-01T23:59:59+99:99","2023-12-01T23:59:59.123Z","2023-12-01x23:59:59Z","2023-12-01T23:59:59z","",x,"2023-12-01","2023-12-01T23:59:59.Z","2023-12-01T23:59:59.1234567890123Z","20a3-12-01T23:59:59Z","2023-12-01 23:59:59-00:00","12023-12-01T23:59:59Z","2023-12-01T23:59:59+01:30x"]]),
  a(calendar, rfc3339_to_system_time, [["2023-12-01T23:59:59.987654321Z",[{unit,U}]]||U<-[second,millisecond,microsecond,nanosecond,native,1000,x]]),
  a(calendar, time_difference, [[{{2023,1,1},{0,0,0}},{{2023,2,30},{0,0,0}}],[{{2023,1,1},{0,0,0}},{{2024,1,1},{0,0,1}}],[x,y]]),
  a(filename, basename, [[X,Y]||X<-["a/b.erl","a/b.erl/","a/b.erl//","/",".erl","a/.erl",<<"a/b.erl">>,<<"a/b.erl/">>,<<"/">>,<<>>,"",'a/b.erl',[<<"a/">>,"b.erl"],[a,"/b.erl"],[<<"a/b.erl/">>]],Y<-[".erl",<<".erl">>,'.erl',"","b.erl",<<"b.erl">>,["."|<<"erl">>],<<>>]]),
  a(filename, basename, [[X]||X<-["a/b/","a//b//",<<"a/b/">>,<<"a/b//">>,'a/b',[<<"a/b">>],[a,$/,b],"/",<<"/">>,"//","",[{a,1}],[<<"a/b/">>,"c"],1]]),
  a(filename, dirname, [[X]||X<-["a/b/","a//b//",<<"a/b/">>,<<"a/b//">>,'a/b',[<<"a/b">>],[a,$/,b],"/",<<"/">>,"//","",[{a,1}],[<<"a/b/">>,"c"],1]]),
  a(filename, extension, [[X]||X<-["a/b.c","a.b/c",<<"a.b">>,'a.b',[<<"a.b">>],[a,$.,b],".",".a",<<".a">>,"a.","a.b.","a.b/.c",[{a,1}],[<<"a/b.x">>,"c"],1]]),
  a(filename, rootname, [[X]||X<-["a/b.c","a.b/c",<<"a.b">>,'a.b',[<<"a.b">>],[a,$.,b],".",".a",<<".a">>,"a.","a.b.","a.b/.c",[{a,1}],[<<"a/b.x">>,"c"],1]]),
  a(filename, split, [[X]||X<-["a/b.c","/a.b/c",<<"a/b">>,'a/b',[<<"a/b">>],[a,$/,b],"/",<<"/">>,"",<<>>,[{a,1}],[<<"/b.x">>,"c"],1]]),
  a(filename, validate, [[X]||X<-[[],"",a,<<>>,<<0>>,"a",[0],4,[a|b],"a\0b",[1000],['a',"b"],<<255>>,[<<"a">>],[-1]]]),
  a(filename, join, [[X]||X<-[[],["a"],["a","/b"],[a,b],[<<"a">>,"b"],["a"|b],[1],[[<<"a">>],"b"],x]]),
  a(uri_string, recompose, [[X]||X<-[#{port=>80,path=>"/a",scheme=>"s"},#{port=>80,path=>"",scheme=>"s"},#{userinfo=>"u",path=>"/a"},#{userinfo=>"u",port=>1,path=>"/a"},#{path=>"//a"},#{path=>"a:b"},#{host=>"h",path=>"a"},#{port=>80,host=>"",path=>""},#{port=>undefined,host=>"h",path=>""},#{port=>80}]]),
  %% Four-digit years end; far ones exist, and those before 1902 have no local time.
  Far = fun(F, Y) -> try {{Y1, _, _}, _} = calendar:F({{Y, 6, 1}, {0, 0, 0}}), Y1 catch _:R -> R end end,
  io:format("~p~n", [[{F, Y, Far(F, Y)} || F <- [local_time_to_universal_time, universal_time_to_local_time], Y <- [1901, 1902, 1970, 10000, 999999, 2147483646, 2147483647]]]),
  io:format("~p~n", [[try {_, _} = calendar:local_time_to_universal_time({{2023, 1, 2}, {1, 2, 3}}, Dst), ok catch _:R -> R end || Dst <- [true, false, undefined, x]]]).
