%% The module `os`, but for what is native. The operating system that a program sees is a Unix: its answers must not depend on the host.
-module(os).
-export([type/0, version/0, cmd/1, cmd/2, env/0, find_executable/1, find_executable/2, set_signal/2]).

type() -> {unix, linux}.
version() -> {5, 10, 0}.

env() -> [list_to_tuple(string:split(Variable, "=")) || Variable <- os:getenv()].

cmd(Command) -> cmd(Command, #{}).
cmd(Command, Options) ->
    Text = try unicode:characters_to_binary(flat(Command))
           catch error:_ -> erlang:error(badarg, [Command, Options])
           end,
    is_binary(Text) orelse erlang:error(badarg, [Command, Options]),
    %% A command that writes more than is wanted has lost its reader, as under OTP.
    Bounded = case Options of
        #{max_size := Max} when is_integer(Max), Max >= 0 -> iolist_to_binary(["(", Text, "\n) 2>&1 | head -c ", integer_to_list(Max)]);
        _ -> Text
    end,
    Output = erlang:'$command'(Bounded),
    case unicode:characters_to_list(Output) of
        Chars when is_list(Chars) -> Chars;
        _ -> binary_to_list(Output)
    end.

flat(Command) when is_atom(Command) -> atom_to_list(Command);
flat(Command) when is_binary(Command) -> Command;
flat([]) -> [];
flat([C | Rest]) when is_integer(C), C > 0 -> [C | flat(Rest)];
flat([Part | Rest]) -> [flat(Part) | flat(Rest)].

find_executable(Name) -> find_executable(Name, case os:getenv("PATH") of false -> ""; Path -> Path end).
find_executable(Name, Path) ->
    case filename:pathtype(Name) of
        relative when length(Name) > 0 ->
            case lists:member($/, Name) of
                true -> executable(filename:absname(Name));
                false -> first([filename:join(Dir, Name) || Dir <- string:lexemes(Path, ":")])
            end;
        _ -> executable(Name)
    end.

executable(Name) ->
    case file:read_file_info(Name) of
        {ok, Info} when element(3, Info) =:= regular, element(8, Info) band 8#111 =/= 0 -> Name;
        _ -> false
    end.

first([Name | Names]) ->
    case executable(Name) of
        false -> first(Names);
        Found -> filename:absname(Found)
    end;
first([]) -> false.

set_signal(Signal, Option) when is_atom(Signal), Option =:= default orelse Option =:= handle orelse Option =:= ignore -> ok;
set_signal(Signal, Option) -> erlang:error(badarg, [Signal, Option]).
