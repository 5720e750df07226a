%% The module `slave`: simulated nodes of one recorder. A node shares its code with all others. Of its arguments, the cookie, `-env` and the settings of
%% applications have an effect; those that would run something are refused.
-module(slave).
-export(['$boot'/3, '$stay_with'/2]).
-export([start/1, start/2, start/3, start_link/1, start_link/2, start_link/3, stop/1]).

start(Host) -> start(Host, name()).
start(Host, Name) -> start(Host, Name, []).
start(Host, Name, Args) -> start(Host, Name, Args, no_link).

start_link(Host) -> start_link(Host, name()).
start_link(Host, Name) -> start_link(Host, Name, []).
start_link(Host, Name, Args) -> start(Host, Name, Args, self()).

stop(Node) ->
    _ = erlang:'$node_stop'(Node),
    ok.

start(Host0, Name, Args, Master) ->
    Host = case net_kernel:longnames() of
               true -> to_list(Host0);
               false -> lists:takewhile(fun(C) -> C =/= $. end, to_list(Host0));
               ignored -> exit(not_alive)
           end,
    Node = list_to_atom(lists:concat([Name, "@", Host])),
    case '$boot'(Node, string:lexemes(to_list(Args), " "), []) of
        true ->
            '$stay_with'(Node, node()),
            follow(Master, Node),
            {ok, Node};
        false -> {error, {already_running, Node}};
        _ ->
            timer:sleep(32000),
            {error, timeout}
    end.

%% Starts a node with these arguments and environment variables: true, false if there is one of that name, `refused` if its cookie is not the one
%% expected of it, `unreachable` if it does not come up.
'$boot'(Node, Args, Env) ->
    #{cookie := Own, env := Given, settings := Settings, first := First, last := Last} =
        arguments(Args, #{cookie => nocookie, env => [], settings => [], first => [], last => []}),
    case erlang:get_cookie(Node) of
        Own ->
            Started = erlang:'$node_start'(Node, Env ++ lists:reverse(Given)),
            Started =:= true andalso Own =/= nocookie andalso on(Node, fun() -> erlang:set_cookie(Node, Own) end),
            Started =:= true andalso Settings =/= []
                andalso on(Node, fun() -> [application:set_env(App, Key, Value, [{persistent, true}]) || {App, Key, Value} <- lists:reverse(Settings)] end),
            %% What the path has anyway is found anyway.
            Known = retell_path:initial(),
            Started =:= true andalso {First -- Known, Last -- Known} =/= {[], []}
                andalso on(Node, fun() -> code:add_pathsz(Last), code:add_pathsa(lists:reverse(First)) end),
            Libs = libraries(Env ++ lists:reverse(Given)),
            Started =:= true andalso Libs =/= [] andalso on(Node, fun() -> with_libraries(Libs) end),
            Started;
        _ ->
            error_logger:error_msg("** Connection attempt from node ~w rejected. Invalid challenge reply. **~n", [Node]),
            refused
    end.

%% Flags that have nothing to do here.
-define(WITHOUT_EFFECT, ["hidden", "noshell", "noinput", "noinp", "detached", "name", "sname", "boot", "mode", "connect_all", "boot_var",
                         "heart", "start_epmd", "epmd_module", "proto_dist", "setcookie", "nocookie", "rsh", "smp", "code_path_choice", "master"]).

arguments(["-setcookie", Cookie | Args], Read) -> arguments(Args, Read#{cookie := list_to_atom(Cookie)});
arguments(["-env", Name, Value | Args], #{env := Env} = Read) -> arguments(Args, Read#{env := [{Name, Value} | Env]});
arguments(["-" ++ Flag | Args], Read) when Flag =:= "s"; Flag =:= "run"; Flag =:= "eval"; Flag =:= "config"; Flag =:= "args_file" ->
    erlang:'$unsupported'("a node that is started with the argument -" ++ Flag, {slave, start, ["-" ++ Flag | Args]}),
    arguments(Args, Read);
arguments(["-" ++ Flag | Args], Read) when Flag =:= "pa"; Flag =:= "pz" ->
    {Dirs, Rest} = values(Args),
    #{first := First, last := Last} = Read,
    arguments(Rest, case Flag of "pa" -> Read#{first := Dirs ++ First}; "pz" -> Read#{last := Last ++ Dirs} end);
arguments(["-" ++ [First | _] = Flag | Args], #{settings := Settings} = Read) when First >= $a, First =< $z ->
    App = tl(Flag),
    {Values, Rest} = values(Args),
    case Values of
        [Key, Value] ->
            case lists:member(App, ?WITHOUT_EFFECT) of
                true -> arguments(Rest, Read);
                false -> arguments(Rest, Read#{settings := [{list_to_atom(App), list_to_atom(Key), value(Value)} | Settings]})
            end;
        _ -> arguments(Rest, Read)
    end;
arguments([_ | Args], Read) -> arguments(Args, Read);
arguments([], Read) -> Read.

%% The folders of code below those of the variable `ERL_LIBS`: of each application the newest.
libraries(Env) ->
    case [Text || {"ERL_LIBS", [_ | _] = Text} <- Env] of
        [] -> [];
        Texts -> lists:append([applications(Root) || Root <- string:lexemes(lists:last(Texts), ":")])
    end.

applications(Root) ->
    Names = case file:list_dir(Root) of {ok, All} -> All; {error, _} -> [] end,
    Found = [{application_of(Base), Base, Dir} || Name <- lists:sort(Names), {Base, Dir} <- code_of(Root, Name)],
    [Dir || {App, Base, Dir} <- Found, not lists:any(fun({Other, Later, _}) -> Other =:= App andalso version(Later) > version(Base) end, Found)].

code_of(Root, Name) ->
    Base = filename:rootname(Name, ".ez"),
    Dirs = case Name of
        Base -> [filename:join([Root, Name, "ebin"])];
        _ -> [filename:join([Root, Name, In, "ebin"]) || In <- [Base, application_of(Base)]]
    end,
    [{Base, hd(Here)} || Here <- [[Dir || Dir <- Dirs, is_folder(Dir)]], Here =/= []].

is_folder(Dir) -> erl_prim_loader:list_dir(Dir) =/= error.

application_of(Base) ->
    {App, _} = versioned(Base),
    App.

version(Base) ->
    {_, Version} = versioned(Base),
    Version.

%% An application and its version; what is not made of numbers is part of the name.
versioned(Base) ->
    case string:split(Base, "-", trailing) of
        [App, [_ | _] = Text] ->
            try {App, [list_to_integer(Part) || Part <- string:split(Text, ".", all)]}
            catch error:badarg -> {Base, []}
            end;
        _ -> {Base, []}
    end.

%% They come behind kernel and stdlib.
with_libraries(Libs) ->
    {Before, After} = lists:splitwith(fun(Dir) -> not lists:prefix(code:lib_dir() ++ "/stdlib-", Dir) end, code:get_path()),
    {First, Others} = lists:split(min(1, length(After)), After),
    code:set_path(Before ++ First ++ Libs ++ Others).

%% What follows a flag, up to the next one.
values(Args) -> lists:splitwith(fun([C | _]) -> C =/= $- andalso C =/= $+; (_) -> true end, Args).

%% A term as it is written on a command line.
value(Text) ->
    try
        {ok, Tokens, _} = erl_scan:string(Text ++ "."),
        {ok, Term} = erl_parse:parse_term(Tokens),
        Term
    catch
        error:{badmatch, _} -> Text
    end.

on(Node, Fun) ->
    {_, Ref} = spawn_monitor(Node, Fun),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% The node ends with the node from which it was started. The first node of all does not end.
'$stay_with'(Node, Origin) ->
    erlang:'$first_node'() orelse spawn(Node, fun() ->
        monitor_node(Origin, true),
        receive {nodedown, Origin} -> erlang:'$node_stop'(node()) end
    end),
    ok.

%% The node ends with the process that started it by start_link.
follow(no_link, _) -> ok;
follow(Master, Node) ->
    _ = spawn(fun() ->
        process_flag(trap_exit, true),
        link(Master),
        monitor_node(Node, true),
        receive
            {'EXIT', Master, _} -> stop(Node);
            {nodedown, Node} -> unlink(Master)
        end
    end),
    ok.

name() -> lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(node())).

to_list(Host) when is_atom(Host) -> atom_to_list(Host);
to_list(Host) -> Host.
