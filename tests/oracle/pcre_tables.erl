%% Asks the `re` of Erlang/OTP 25 about every character; writes tables.txt for pcre_tables.py.
-module(pcre_tables).
-export([main/0]).
all() -> lists:seq(0,16#D7FF) ++ lists:seq(16#E000,16#10FFFF).
main() ->
  Text = unicode:characters_to_binary(all()),
  Cats = ["Cc","Cf","Cn","Co","Cs","Ll","Lm","Lo","Lt","Lu","Mc","Me","Mn","Nd","Nl","No","Pc","Pd","Pe","Pf","Pi","Po","Ps","Sc","Sk","Sm","So","Zl","Zp","Zs"],
  Scripts0 = string:lexemes("Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Malayalam Mandaic Manichaean Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Myanmar Nabataean New_Tai_Lue Nko Ogham Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_South_Arabian Old_Turkic Ol_Chiki Oriya Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sinhala Sora_Sompeng Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Unknown Vai Warang_Citi Yi Ahom Hatran Multani SignWriting Old_Hungarian Anatolian_Hieroglyphs Adlam Bhaiksuki Osage Tangut Newa Marchen Zzzz Latn Nushu"," "),
  Scripts = [S || S <- Scripts0, element(1,re:compile("\\p{"++S++"}",[unicode])) =:= ok],
  {ok,F} = file:open("tables.txt",[write]),
  io:format(F,"scripts ~s~n",[lists:join(" ",Scripts)]),
  Ranges = fun(P,O) -> case re:run(Text,P,[unicode,global,{capture,first,index}|O]) of nomatch -> []; {match,L} -> [cps(Text,X)||[X]<-L] end end,
  [[io:format(F,"cat ~s ~w ~w~n",[C,A,B]) || {A,B} <- Ranges("\\p{"++C++"}++",[])] || C <- Cats],
  [[io:format(F,"script ~s ~w ~w~n",[C,A,B]) || {A,B} <- Ranges("\\p{"++C++"}++",[])] || C <- Scripts],
  %% others: names that compile
  [io:format(F,"name ~s ~w~n",[N,element(1,re:compile("\\p{"++N++"}",[unicode]))]) || N <- ["Any","C","L","L&","M","N","P","S","Z","Xan","Xps","Xsp","Xwd","Xuc","LC","Letter","l","lu","ll","Lc"]],
  [[io:format(F,"x ~s ~w ~w~n",[C,A,B]) || {A,B} <- Ranges("\\p{"++C++"}++",[])] || C <- ["Xan","Xps","Xsp","Xwd","Xuc"]],
  %% joins
  {ok,X} = re:compile("^\\X$",[unicode,dollar_endonly,dotall]),
  J = fun(Name,Pre,Post) -> L = [C || C <- all(), re:run(unicode:characters_to_binary(Pre++[C]++Post),X,[{capture,none}]) =:= match], [io:format(F,"~s ~w ~w~n",[Name,A,B]) || {A,B} <- runs(L)] end,
  J("extend",[$a],[]), J("control_not",[],[16#301]), J("prepend",[],[$a]), J("beforeV",[],[16#1161]), J("beforeT",[],[16#11A8]), J("beforeL",[],[16#1100]), J("afterL",[16#1100],[]),J("afterV",[16#1161],[]),J("afterT",[16#11A8],[]),J("ri",[16#1F1E6],[]),
  %% case
  Cand = [C || C <- all(), cased(C)],
  CT = unicode:characters_to_binary(Cand),
  [begin {match,L} = re:run(CT,"(*NO_START_OPT)"++[C],[unicode,caseless,global,{capture,first,list}]),
     Set = lists:usort([D || [[D]] <- L]), if length(Set) > 1 -> io:format(F,"case ~w ~w~n",[C,Set]); true -> ok end end || C <- Cand],
  %% latin1 classes
  [io:format(F,"byte ~s ~w~n",[P,[C || C <- lists:seq(0,255), re:run(<<C>>,P,[{capture,none},dollar_endonly]) =:= match]]) || P <- ["\\d","\\w","\\s","\\h","\\v","\\R"]++["[[:"++N++":]]"||N<-["alpha","lower","upper","alnum","ascii","blank","cntrl","digit","graph","print","punct","space","word","xdigit"]]],
  [io:format(F,"flip ~w ~w~n",[C,[D || D <- lists:seq(0,255), D =/= C, re:run(<<D>>,[$\\,$x,hex(C div 16),hex(C rem 16)],[caseless,{capture,none}]) =:= match]]) || C <- lists:seq(0,255)],
  file:close(F).
hex(N) when N < 10 -> $0+N; hex(N) -> $a+N-10.
cased(C) -> S=[C], string:casefold(S) =/= S orelse string:uppercase(S) =/= S orelse string:lowercase(S) =/= S.
cps(T,{S,L}) -> <<_:S/binary,P:L/binary,_/binary>> = T, <<A/utf8,_/binary>> = P, {A, last(P)}.
last(P) -> N = byte_size(P), last(P,N-1).
last(P,I) -> case P of <<_:I/binary,C/utf8>> -> C; _ -> last(P,I-1) end.
runs([]) -> [];
runs([H|T]) -> runs(T,H,H).
runs([H|T],A,B) when H =:= B+1 -> runs(T,A,H);
runs([H|T],A,B) -> [{A,B}|runs(T,H,H)];
runs([],A,B) -> [{A,B}].
