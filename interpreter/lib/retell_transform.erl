%% What the tool has the interpreter do when a module asks for a parse transform: as OTP's compiler does it. Forms are texts of bytes, in the external
%% term format. `Number` words about the project stand before the options. The answer is told to the tool.
-module(retell_transform).
-export([run/1]).

run([Name, File, Forms, Column, Number | Rest]) ->
    {Project, Options} = lists:split(list_to_integer(Number), Rest),
    Project =/= [] andalso retell_test:applications(Project),
    told(try applied(list_to_atom(Name), binary_to_term(list_to_binary(Forms)), Column, [option(Option) || Option <- Options]) of
             Answer -> Answer
         catch
             Class:Reason:Stack -> {none, [remark(error, File, none, crash(Name, Class, Reason, Stack))]}
         end).

applied(Transform, Forms, Column, Options) ->
    case Transform:parse_transform(with_places(Transform, Column, Forms), Options) of
        {error, Errors, Warnings} -> {none, remarks(error, Errors) ++ remarks(warning, Warnings)};
        {warning, After, Warnings} -> finished(After, remarks(warning, Warnings));
        After -> finished(After, [])
    end.

%% Errors can be among the forms.
finished(Forms, Remarks) when is_list(Forms), length(Forms) >= 0 ->
    Found = lists:append([remarks(Kind, [{File, [Message]}]) || {File, {Kind, Message}} <- in_files(Forms, ""), Kind =:= error orelse Kind =:= warning, is_message(Message)]),
    Others = [Form || Form <- Forms, not is_remark(Form)],
    Bytes = binary_to_list(term_to_binary(Others)),
    case lists:keymember(error, 1, Found) of
        true -> {none, Remarks ++ Found};
        false -> {Bytes, Remarks ++ Found}
    end;
finished(Other, Remarks) -> {binary_to_list(term_to_binary(Other)), Remarks}.

is_remark({Kind, Message}) -> (Kind =:= error orelse Kind =:= warning) andalso is_message(Message);
is_remark(_) -> false.

is_message({_, Module, _}) -> is_atom(Module);
is_message({Module, _}) -> is_atom(Module);
is_message(_) -> false.

in_files([{attribute, _, file, {File, _}} | Forms], _) -> in_files(Forms, File);
in_files([Form | Forms], File) -> [{File, Form} | in_files(Forms, File)];
in_files([], _) -> [].

%% A transform can say that it knows lines only.
with_places(Transform, Column, Forms) ->
    Wanted = case erlang:function_exported(Transform, parse_transform_info, 0) of
                 true -> maps:get(error_location, Transform:parse_transform_info(), column);
                 false -> column
             end,
    case Wanted =:= line orelse Column =:= "line" of
        true -> [lines(Form) || Form <- Forms];
        false -> Forms
    end.

lines({eof, {Line, _}}) -> {eof, Line};
lines(Form) -> erl_parse:map_anno(fun(Anno) -> erl_anno:set_location(erl_anno:line(Anno), Anno) end, Form).

option(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Term} = erl_parse:parse_term(Tokens),
    Term.

remarks(Kind, All) ->
    [case Message of
         {Place, Module, What} -> remark(Kind, File, Place, described(Module, What));
         {Module, What} -> remark(Kind, File, none, described(Module, What))
     end || {File, Messages} <- All, Message <- Messages].

described(Module, What) ->
    try unicode:characters_to_list(Module:format_error(What)) of
        Text when is_list(Text) -> Text;
        _ -> shown(What)
    catch
        _:_ -> shown(What)
    end.

shown(Term) -> lists:flatten(io_lib:format("~tp", [Term])).

remark(Kind, File, Place, Text) ->
    {Line, Column} = case Place of
                         {Some, Of} -> {Some, Of};
                         Some when is_integer(Some) -> {Some, 0};
                         _ -> {0, 0}
                     end,
    Name = case unicode:characters_to_list(File) of Whole when is_list(Whole) -> Whole; _ -> "" end,
    {Kind, [Kind, Name, Line, Column, Text]}.

crash(Name, Class, Reason, Stack) ->
    {Own, _} = lists:splitwith(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack),
    Text = erl_error:format_exception(Class, Reason, Own),
    lists:flatten(io_lib:format("error in parse transform '~ts':\n~ts", [Name, Text])).

told({none, Remarks}) -> told(failed, "", Remarks);
told({Forms, Remarks}) -> told(formed, Forms, Remarks).

told(Kind, Forms, Remarks) -> erlang:'$tell'([Kind, Forms | lists:append([Words || {_, Words} <- Remarks])]).
