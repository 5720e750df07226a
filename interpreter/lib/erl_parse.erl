%% The module `erl_parse`: terms from tokens and to abstract code. Parsing is native.
-module(erl_parse).
-export([parse_form/1, parse_exprs/1, first_anno/1, format_error/1, abstract/1, abstract/2, normalise/1, tokens/1, tokens/2, inop_prec/1, preop_prec/1, func_prec/0, max_prec/0,
         type_inop_prec/1, type_preop_prec/1, map_anno/2, fold_anno/3, mapfold_anno/3, new_anno/1, anno_to_term/1, anno_from_term/1]).

format_error(Message) ->
    case io_lib:deep_char_list(Message) of
        true -> Message;
        _ -> io_lib:write(Message)
    end.

parse_exprs(Tokens) -> erl_parse:'$any_exprs'(Tokens).

%% Attributes of any name that the native parser refuses, such as those that a preprocessor leaves, are built here.
parse_form(Tokens) ->
    case {erl_parse:'$any_form'(Tokens), Tokens} of
        {{error, _} = Error, [{'-', _}, {atom, _, Word} = Name | Rest]} when Word =/= export, Word =/= export_type, Word =/= doc, Word =/= moduledoc ->
            case attribute_values(Rest) of
                {ok, Values} ->
                    try attribute(Name, Values)
                    catch throw:{bad, Abstract, Text} -> {error, {erl_anno:location(first_anno(Abstract)), ?MODULE, Text}}
                    end;
                none -> Error
            end;
        {Result, _} -> documented(Result, Tokens)
    end.

%% What documentation may be.
-if(?OTP_RELEASE >= 27).
documented({ok, {attribute, _, Kind, Value}} = Result, [_, _ | Tokens]) when Kind =:= doc; Kind =:= moduledoc ->
    First = case Tokens of [{'(', _}, Token | _] -> Token; [Token | _] -> Token end,
    IsString = lists:member(element(1, First), [string, sigil_prefix]),
    case Value of
        {file, [C | _]} when is_integer(C) -> Result;
        #{equiv := {call, _, _, _}} when Kind =:= moduledoc -> {error, {erl_anno:location(element(2, First)), ?MODULE, "bad attribute"}};
        _ when is_boolean(Value); Value =:= hidden; is_binary(Value); is_map(Value); IsString -> Result;
        _ -> {error, {erl_anno:location(element(2, First)), ?MODULE, io_lib:format("bad ~tw declaration", [doc])}}
    end;
documented({error, {_, ?MODULE, "bad attribute" ++ _}}, [_, {atom, _, Kind} | Tokens]) when Kind =:= doc; Kind =:= moduledoc ->
    {Anno, Message} = case case Tokens of [{'(', _} | Inner] -> Inner; _ -> Tokens end of
        [{'#', At}, _, Key | Rest] ->
            case lists:keymember(':=', 1, Rest) of
                true -> {element(2, Key), "bad attribute"};
                false -> {At, "bad attribute"}
            end;
        [Token | _] -> {element(2, Token), io_lib:format("bad ~tw declaration", [doc])}
    end,
    {error, {erl_anno:location(Anno), ?MODULE, Message}};
documented(Result, _) -> Result.
-else.
documented(Result, _) -> Result.
-endif.

attribute_values([{'(', _} | Inner] = Tokens) ->
    case {erl_parse:parse_exprs(Tokens), lists:reverse(Inner)} of
        {{ok, _} = Found, _} -> Found;
        {_, [{dot, _} = Dot, {')', _} | Before]} ->
            case erl_parse:parse_exprs(lists:reverse(Before, [Dot])) of
                {ok, _} = Found -> Found;
                _ -> none
            end;
        _ -> none
    end;
attribute_values(_) -> none.

attribute({atom, At, file}, [{string, _, File}, {integer, _, Line}]) -> {ok, {attribute, At, file, {File, Line}}};
attribute({atom, At, module}, [{atom, _, Module}, Parameters]) -> {ok, {attribute, At, module, {Module, variables(Parameters)}}};
attribute({atom, _, Name}, [First | _]) when Name =:= file; Name =:= module; Name =:= record -> bad_declaration(First, Name);
attribute({atom, _, Name}, [_, Second | _]) when Name =:= export; Name =:= import -> bad_declaration(Second, Name);
attribute({atom, At, Name}, [Value]) ->
    Plain = arities(Value),
    try {ok, {attribute, At, Name, normalise(Plain)}}
    catch error:_ -> throw({bad, Plain, "bad attribute"})
    end;
attribute(_, [_, Second | _]) -> throw({bad, Second, "bad attribute"}).

bad_declaration(Abstract, Name) -> throw({bad, Abstract, io_lib:format("bad ~tw declaration", [Name])}).

variables({cons, _, {var, _, Name}, Tail}) -> [Name | variables(Tail)];
variables({nil, _}) -> [];
variables(Other) -> throw({bad, Other, "bad variable list"}).

%% Name/Arity stands for a pair.
arities({cons, At, H, T}) -> {cons, At, arities(H), arities(T)};
arities({tuple, At, Es}) -> {tuple, At, [arities(E) || E <- Es]};
arities({map, At, Fields}) -> {map, At, [{Kind, A, K, arities(V)} || {Kind, A, K, V} <- Fields]};
arities({op, At, '/', {atom, _, _} = Name, {integer, _, _} = Arity}) -> {tuple, At, [Name, Arity]};
arities(Other) -> Other.

%% The first place in the text: that of the leftmost of what it is made of.
first_anno(Abstract) ->
    Earlier = fun(Anno, First) ->
        case place(Anno) =< place(First) of
            true -> Anno;
            false -> throw({first, First})
        end
    end,
    try fold_anno(Earlier, element(2, Abstract), Abstract)
    catch throw:{first, First} -> First
    end.

place(Anno) ->
    case erl_anno:location(Anno) of
        Line when is_integer(Line) -> {Line, 1};
        Location -> Location
    end.

abstract(Term) -> abstract(Term, []).

abstract(T, Options) when is_list(Options) ->
    Place = proplists:get_value(location, Options, proplists:get_value(line, Options, 0)),
    abstract(T, Place, enc_func(proplists:get_value(encoding, Options, utf8)));
abstract(T, Place) -> abstract(T, Place, enc_func(utf8)).

%% Which characters make a list a string.
enc_func(latin1) -> fun(C) -> C < 256 end;
enc_func(Encoding) when Encoding =:= unicode; Encoding =:= utf8 ->
    fun(C) -> C < 16#D800 orelse C > 16#DFFF andalso C < 16#FFFE orelse C > 16#FFFF andalso C =< 16#10FFFF end;
enc_func(none) -> none;
enc_func(Fun) when is_function(Fun, 1) -> Fun;
enc_func(Other) -> erlang:error({badarg, Other}).

abstract(T, L, _) when is_integer(T) -> {integer, L, T};
abstract(T, L, _) when is_float(T) -> {float, L, T};
abstract(T, L, _) when is_atom(T) -> {atom, L, T};
abstract([], L, _) -> {nil, L};
abstract(T, L, _) when is_bitstring(T) -> {bin, L, [segment(S, L) || S <- bitstring_to_list(T)]};
abstract(T, L, In) when is_tuple(T) -> {tuple, L, [abstract(E, L, In) || E <- tuple_to_list(T)]};
abstract(T, L, In) when is_map(T) -> {map, L, [{map_field_assoc, L, abstract(K, L, In), abstract(V, L, In)} || {K, V} <- maps:to_list(T)]};
abstract([H | T], L, none) -> {cons, L, abstract(H, L, none), abstract(T, L, none)};
abstract(T, L, In) when is_list(T) -> abstract_list(T, [], L, In);
abstract(T, L, In) when is_function(T) ->
    case erlang:fun_info(T, type) of
        {type, external} ->
            [M, F, A] = [abstract(element(2, erlang:fun_info(T, Item)), L, In) || Item <- [module, name, arity]],
            {'fun', L, {function, M, F, A}}
    end.

%% Characters at the end of a list that has other elements are a string.
abstract_list([H | T], Chars, L, In) ->
    case is_integer(H) andalso H >= 0 andalso In(H) of
        true -> abstract_list(T, [H | Chars], L, In);
        false -> before(Chars, {cons, L, abstract(H, L, In), abstract(T, L, In)}, L)
    end;
abstract_list([], Chars, L, _) -> {string, L, lists:reverse(Chars)};
abstract_list(T, Chars, L, In) -> before(Chars, abstract(T, L, In), L).

before(Chars, Tail, L) -> lists:foldl(fun(C, Acc) -> {cons, L, {integer, L, C}, Acc} end, Tail, Chars).

segment(Byte, L) when is_integer(Byte) -> {bin_element, L, {integer, L, Byte}, default, default};
segment(Bits, L) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    {bin_element, L, {integer, L, Value}, {integer, L, Size}, default}.

normalise({Type, _, Value}) when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string -> Value;
normalise({nil, _}) -> [];
normalise({cons, _, H, T}) -> [normalise(H) | normalise(T)];
normalise({tuple, _, Es}) -> list_to_tuple([normalise(E) || E <- Es]);
normalise({map, _, Fields}) -> maps:from_list([{normalise(K), normalise(V)} || {map_field_assoc, _, K, V} <- Fields]);
normalise({bin, _, Segments}) -> << <<(normal_segment(S))/bitstring>> || S <- Segments >>;
normalise({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}) -> fun M:F/A;
normalise({op, _, '+', {Type, _, I}}) when Type =:= char; Type =:= integer; Type =:= float -> I;
normalise({op, _, '-', {Type, _, I}}) when Type =:= char; Type =:= integer; Type =:= float -> -I;
normalise(X) -> erlang:error({badarg, X}).

normal_segment({bin_element, _, {integer, _, I}, default, default}) -> <<I>>;
normal_segment({bin_element, _, {integer, _, I}, {integer, _, Size}, default}) -> <<I:Size>>;
normal_segment({bin_element, _, {string, _, S}, default, default}) -> << <<C>> || C <- S >>;
normal_segment({bin_element, _, {string, _, S}, default, [utf8]}) -> << <<C/utf8>> || C <- S >>;
normal_segment(S) -> erlang:error({badarg, S}).

%% ---- tokens of a term ------------------------------------------------------------------------------------------------------------------------

tokens(Abstract) -> tokens(Abstract, []).

tokens({Kind, A, V}, More) when Kind =:= char; Kind =:= integer; Kind =:= float; Kind =:= atom; Kind =:= var; Kind =:= string -> [{Kind, A, V} | More];
tokens({nil, A}, More) -> [{'[', A}, {']', A} | More];
tokens({cons, A, H, T}, More) -> [{'[', A} | tokens(H, tail_tokens(T, More))];
tokens({tuple, A, Es}, More) -> [{'{', A} | element_tokens(Es, A, More)];
tokens({map, A, Fields}, More) -> [{'#', A}, {'{', A} | element_tokens(Fields, A, More)];
tokens({map_field_assoc, A, K, V}, More) -> tokens(K, [{'=>', A} | tokens(V, More)]).

tail_tokens({cons, A, H, T}, More) -> [{',', A} | tokens(H, tail_tokens(T, More))];
tail_tokens({nil, A}, More) -> [{']', A} | More];
tail_tokens(Other, More) ->
    A = element(2, Other),
    [{'|', A} | tokens(Other, [{']', A} | More])].

element_tokens([], A, More) -> [{'}', A} | More];
element_tokens([E], _, More) -> tokens(E, [{'}', element(2, E)} | More]);
element_tokens([E | Es], _, More) -> tokens(E, [{',', element(2, E)} | element_tokens(Es, element(2, E), More)]).

%% ---- precedences -----------------------------------------------------------------------------------------------------------------------------

%% {Left, Operator, Right}.
inop_prec(Op) when Op =:= '='; Op =:= '!' -> {150, 100, 100};
inop_prec('orelse') -> {160, 150, 150};
inop_prec('andalso') -> {200, 160, 160};
inop_prec(Op) when Op =:= '=='; Op =:= '/='; Op =:= '=<'; Op =:= '<'; Op =:= '>='; Op =:= '>'; Op =:= '=:='; Op =:= '=/=' -> {300, 200, 300};
inop_prec(Op) when Op =:= '++'; Op =:= '--' -> {400, 300, 300};
inop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bor'; Op =:= 'bxor'; Op =:= 'bsl'; Op =:= 'bsr'; Op =:= 'or'; Op =:= 'xor' -> {400, 400, 500};
inop_prec(Op) when Op =:= '*'; Op =:= '/'; Op =:= 'div'; Op =:= 'rem'; Op =:= 'band'; Op =:= 'and' -> {500, 500, 600};
inop_prec('#') -> {800, 700, 800};
inop_prec(':') -> {900, 800, 900};
inop_prec('.') -> {900, 900, 1000}.

%% {Operator, Argument}.
preop_prec('catch') -> {700, 100};
preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot'; Op =:= 'not' -> {600, 700};
preop_prec('#') -> {700, 800}.

func_prec() -> {800, 700}.
max_prec() -> 900.

type_inop_prec('=') -> {150, 100, 100};
type_inop_prec('::') -> {150, 150, 160};
type_inop_prec('|') -> {180, 170, 170};
type_inop_prec('..') -> {300, 200, 300};
type_inop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bor'; Op =:= 'bxor'; Op =:= 'bsl'; Op =:= 'bsr' -> {400, 400, 500};
type_inop_prec(Op) when Op =:= '*'; Op =:= '/'; Op =:= 'div'; Op =:= 'rem'; Op =:= 'band' -> {500, 500, 600};
type_inop_prec('#') -> {800, 700, 800}.

type_preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot' -> {600, 700};
type_preop_prec('#') -> {700, 800}.

%% ---- annotations -----------------------------------------------------------------------------------------------------------------------------

map_anno(Fun, Abstract) ->
    {New, []} = annos(Abstract, [], fun(A, Acc) -> {Fun(A), Acc} end),
    New.

fold_anno(Fun, Acc0, Abstract) ->
    {_, Acc} = annos(Abstract, Acc0, fun(A, Acc) -> {A, Fun(A, Acc)} end),
    Acc.

mapfold_anno(Fun, Acc, Abstract) -> annos(Abstract, Acc, Fun).

new_anno(Term) -> map_anno(fun erl_anno:new/1, Term).
anno_to_term(Abstract) -> map_anno(fun erl_anno:to_term/1, Abstract).
anno_from_term(Term) -> map_anno(fun erl_anno:from_term/1, Term).

annos({function, _, _} = Name, Acc, _) -> {Name, Acc};
annos({function, M, F, A}, Acc, Fun) ->
    {[M1, F1, A1], Acc1} = annos([M, F, A], Acc, Fun),
    {{function, M1, F1, A1}, Acc1};
annos({attribute, A, Kind, {Name, Inner}}, Acc, Fun) when Kind =:= record; Kind =:= spec; Kind =:= callback ->
    {A1, Acc1} = Fun(A, Acc),
    {Inner1, Acc2} = annos(Inner, Acc1, Fun),
    {{attribute, A1, Kind, {Name, Inner1}}, Acc2};
annos({attribute, A, Kind, {Name, Type, Args}}, Acc, Fun) when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    {A1, Acc1} = Fun(A, Acc),
    {[Type1, Args1], Acc2} = annos([Type, Args], Acc1, Fun),
    {{attribute, A1, Kind, {Name, Type1, Args1}}, Acc2};
annos({attribute, A, Name, Value}, Acc, Fun) ->
    {A1, Acc1} = Fun(A, Acc),
    {{attribute, A1, Name, Value}, Acc1};
annos({Kind, _} = Form, Acc, _) when Kind =:= warning; Kind =:= error; Kind =:= eof -> {Form, Acc};
annos({clauses, Cs}, Acc, Fun) ->
    {Cs1, Acc1} = annos(Cs, Acc, Fun),
    {{clauses, Cs1}, Acc1};
annos({typed_record_field, Field, Type}, Acc, Fun) ->
    {[Field1, Type1], Acc1} = annos([Field, Type], Acc, Fun),
    {{typed_record_field, Field1, Type1}, Acc1};
annos({bin_element, A, Value, Size, Types}, Acc, Fun) ->
    {A1, Acc1} = Fun(A, Acc),
    {[Value1, Size1], Acc2} = annos([Value, Size], Acc1, Fun),
    {{bin_element, A1, Value1, Size1, Types}, Acc2};
annos(Node, Acc, Fun) when tuple_size(Node) >= 2, tuple_size(Node) =< 6 ->
    [Tag, A | Inner] = tuple_to_list(Node),
    {A1, Acc1} = Fun(A, Acc),
    {Inner1, Acc2} = annos(Inner, Acc1, Fun),
    {list_to_tuple([Tag, A1 | Inner1]), Acc2};
annos([H | T], Acc, Fun) ->
    {H1, Acc1} = annos(H, Acc, Fun),
    {T1, Acc2} = annos(T, Acc1, Fun),
    {[H1 | T1], Acc2};
annos(Other, Acc, _) when not is_tuple(Other), Other =:= []; not is_tuple(Other), not is_list(Other) -> {Other, Acc}.
