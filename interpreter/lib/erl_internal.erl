%% The module `erl_internal`: which names are operators, built-in functions and guard tests.
-module(erl_internal).
-export([bif/2, bif/3, guard_bif/2, type_test/2, new_type_test/2, old_type_test/2, arith_op/2, bool_op/2, comp_op/2, list_op/2, send_op/2, op_type/2,
         is_type/2, add_predefined_functions/1]).
-if(?OTP_RELEASE < 26).
-export([old_bif/2]).
-endif.

bif(erlang, Name, Arity) -> bif(Name, Arity);
bif(_, _, _) -> false.

%% Those that need no module name.
bif(F, 0) ->
    lists:member(F, [alias, date, erase, garbage_collect, get, get_keys, group_leader, halt, is_alive, make_ref, node, nodes, now,
                     pre_loaded, processes, registered, self, time]);
bif(F, 1) ->
    lists:member(F, [abs, alias, atom_to_binary, atom_to_list, binary_to_atom, binary_to_existing_atom, binary_to_float, binary_to_integer,
                     binary_to_list, binary_to_term, bit_size, bitstring_to_list, byte_size, ceil, check_old_code, delete_module,
                     demonitor, disconnect_node, erase, error, exit, float, float_to_binary, float_to_list, floor, garbage_collect, get,
                     get_keys, halt, hd, integer_to_binary, integer_to_list, iolist_size, iolist_to_binary, is_atom, is_binary,
                     is_bitstring, is_boolean, is_float, is_function, is_integer, is_list, is_map, is_number, is_pid, is_port,
                     is_process_alive, is_reference, is_tuple, length, link, list_to_atom, list_to_binary, list_to_bitstring,
                     list_to_existing_atom, list_to_float, list_to_integer, list_to_pid, list_to_port, list_to_ref, list_to_tuple,
                     map_size, module_loaded, node, nodes, pid_to_list, port_close, port_to_list, process_info, purge_module, ref_to_list,
                     round, size, spawn, spawn_link, spawn_monitor, spawn_request, spawn_request_abandon, statistics, term_to_binary,
                     term_to_iovec, throw, tl, trunc, tuple_size, tuple_to_list, unalias, unlink, unregister, whereis]);
bif(F, 2) ->
    lists:member(F, [apply, atom_to_binary, binary_part, binary_to_atom, binary_to_existing_atom, binary_to_integer, binary_to_term,
                     check_process_code, demonitor, element, error, exit, float_to_binary, float_to_list, garbage_collect, group_leader,
                     halt, integer_to_binary, integer_to_list, is_function, is_map_key, is_record, list_to_integer, load_module, map_get,
                     max, min, monitor, monitor_node, nodes, open_port, port_command, port_connect, process_flag, process_info, put,
                     register, spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request, split_binary, term_to_binary, term_to_iovec]);
bif(F, 3) ->
    lists:member(F, [apply, binary_part, binary_to_list, check_process_code, error, is_record, monitor, port_command, port_control,
                     process_flag, setelement, spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request]);
bif(F, 4) ->
    lists:member(F, [spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request]);
bif(F, 5) ->
    lists:member(F, [spawn_opt, spawn_request]);
bif(_, _) -> false.

%% Those that a guard may call.
guard_bif(F, 0) ->
    lists:member(F, [node, self]);
guard_bif(F, 1) ->
    lists:member(F, [abs, bit_size, byte_size, ceil, float, floor, hd, is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function,
                     is_integer, is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple, length, map_size, node, round, size,
                     tl, trunc, tuple_size]);
guard_bif(F, 2) ->
    lists:member(F, [binary_part, element, is_function, is_map_key, is_record, map_get]);
guard_bif(F, 3) ->
    lists:member(F, [binary_part, is_record]);
guard_bif(_, _) -> false.

%% As they were before type tests were added.
old_bif(F, A) -> bif(F, A) andalso not lists:member({F, A}, new_bifs()).

new_bifs() ->
    [{alias, 0}, {alias, 1}, {atom_to_binary, 1}, {binary_part, 2}, {binary_part, 3}, {binary_to_atom, 1}, {binary_to_existing_atom, 1},
     {binary_to_float, 1}, {binary_to_integer, 1}, {binary_to_integer, 2}, {binary_to_term, 2}, {ceil, 1}, {check_old_code, 1},
     {check_process_code, 3}, {demonitor, 1}, {demonitor, 2}, {error, 1}, {error, 2}, {error, 3}, {float_to_binary, 1},
     {float_to_binary, 2}, {float_to_list, 2}, {floor, 1}, {garbage_collect, 2}, {get_keys, 0}, {halt, 2}, {integer_to_binary, 1},
     {integer_to_binary, 2}, {integer_to_list, 2}, {is_map, 1}, {is_map_key, 2}, {list_to_integer, 2}, {list_to_port, 1}, {list_to_ref, 1},
     {map_get, 2}, {map_size, 1}, {max, 2}, {min, 2}, {monitor, 2}, {monitor, 3}, {nodes, 2}, {port_command, 3}, {port_to_list, 1},
     {ref_to_list, 1}, {spawn_monitor, 2}, {spawn_monitor, 4}, {spawn_request, 1}, {spawn_request, 2}, {spawn_request, 3},
     {spawn_request, 4}, {spawn_request, 5}, {spawn_request_abandon, 1}, {term_to_iovec, 1}, {term_to_iovec, 2}, {unalias, 1}].

type_test(Name, Arity) -> new_type_test(Name, Arity) orelse old_type_test(Name, Arity).

new_type_test(F, 1) ->
    lists:member(F, [is_atom, is_boolean, is_binary, is_bitstring, is_float, is_function, is_integer, is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple]);
new_type_test(F, 2) -> lists:member(F, [is_function, is_record]);
new_type_test(F, 3) -> F =:= is_record;
new_type_test(_, _) -> false.

old_type_test(F, 1) -> lists:member(F, [integer, float, number, atom, list, tuple, pid, reference, port, binary, function]);
old_type_test(F, 2) -> F =:= record;
old_type_test(_, _) -> false.

arith_op(F, 1) -> lists:member(F, ['+', '-', 'bnot']);
arith_op(F, 2) -> lists:member(F, ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']);
arith_op(_, _) -> false.

bool_op(F, 1) -> F =:= 'not';
bool_op(F, 2) -> lists:member(F, ['and', 'or', 'xor']);
bool_op(_, _) -> false.

comp_op(F, 2) -> lists:member(F, ['==', '/=', '=<', '<', '>=', '>', '=:=', '=/=']);
comp_op(_, _) -> false.

list_op(F, 2) -> F =:= '++' orelse F =:= '--';
list_op(_, _) -> false.

send_op(F, 2) -> F =:= '!';
send_op(_, _) -> false.

op_type(F, A) ->
    case [Type || {Type, true} <- [{arith, arith_op(F, A)}, {bool, bool_op(F, A)}, {comp, comp_op(F, A)}, {list, list_op(F, A)}, {send, send_op(F, A)}]] of
        [Type] -> Type;
        [] -> erlang:error(function_clause, [F, A])
    end.

%% Types that need no definition.
is_type(Name, 0) ->
    lists:member(Name, [any, arity, atom, binary, bitstring, bool, boolean, byte, char, float, function, identifier, integer, iodata, iolist, list, map,
                        maybe_improper_list, mfa, module, neg_integer, nil, no_return, node, non_neg_integer, none, nonempty_binary, nonempty_bitstring,
                        nonempty_list, nonempty_maybe_improper_list, nonempty_string, number, pid, port, pos_integer, reference, string, term, timeout,
                        tuple]);
is_type(Name, 1) -> Name =:= list orelse Name =:= nonempty_list;
is_type(Name, 2) -> lists:member(Name, [maybe_improper_list, nonempty_improper_list, nonempty_maybe_improper_list]);
is_type(_, _) -> false.

%% `module_info`, and `behaviour_info` where there are callbacks, at the end of the forms of a module.
add_predefined_functions(Forms) ->
    Attributes = [{Name, Value} || {attribute, _, Name, Value} <- Forms],
    {module, Module} = lists:keyfind(module, 1, Attributes),
    Functions = behaviour_info(Attributes) ++ [module_info(Module, Arguments) || Arguments <- [[], [{var, 0, 'X'}]]],
    Forms ++ [{attribute, 0, export, [{Name, Arity} || {function, _, Name, Arity, _} <- Functions]} | Functions].

module_info(Module, Arguments) ->
    Call = {call, 0, {remote, 0, {atom, 0, erlang}, {atom, 0, get_module_info}}, [{atom, 0, Module} | Arguments]},
    {function, 0, module_info, length(Arguments), [{clause, 0, Arguments, [], [Call]}]}.

behaviour_info(Attributes) ->
    case [Callback || {callback, {{_, _} = Callback, _}} <- Attributes] of
        [] -> [];
        Callbacks ->
            Optional = lists:append([List || {optional_callbacks, List} <- Attributes, is_list(List), lists:all(fun name_and_arity/1, List)]),
            Clauses = [{clause, 0, [{atom, 0, What}], [], [erl_parse:abstract(List, 0)]}
                       || {What, List} <- [{callbacks, Callbacks}, {optional_callbacks, Optional}]],
            [{function, 0, behaviour_info, 1, Clauses}]
    end.

name_and_arity({Name, Arity}) -> is_atom(Name) andalso is_integer(Arity) andalso Arity >= 0;
name_and_arity(_) -> false.
