//! Each primitive listed here is called by a program whose output was captured from Erlang/OTP and which `record_replay` records and replays.

use tests::memory::{REPLAYED, RunSubject};

/// Areas of primitives, each with words that all have to occur in some program.
const ROWS: &[(&str, &[&str])] = &[
    (
        "signals",
        &[
            "link(",
            "unlink(",
            "monitor(process",
            "demonitor(",
            "[flush]",
            "[info]",
            "alias(",
            "unalias(",
            "{alias, reply_demonitor}",
            "{alias, demonitor}",
            "spawn_link(",
            "spawn_monitor(",
            "spawn_opt(",
            "spawn_request(",
            "exit(self(), kill)",
            "exit(self(), normal)",
            ", kill)",
            "killed",
            "process_flag(trap_exit",
            "'EXIT'",
            "'DOWN'",
            "noproc",
            "noconnection",
        ],
    ),
    (
        "names",
        &["register(", "unregister(", "whereis(", "registered()", "node()} !"],
    ),
    (
        "introspection",
        &[
            "is_process_alive(",
            "processes()",
            "process_info(",
            "put(",
            "get_keys(",
            "erase(",
            "group_leader(",
            "hibernate",
            "process_flag(",
        ],
    ),
    (
        "timers",
        &[
            "after 0",
            "send_after(",
            "start_timer(",
            "cancel_timer(",
            "read_timer(",
            "timer:sleep(",
            "timer:send_interval(",
            "timer:apply_interval(",
            "timer:apply_after(",
            "timer:exit_after(",
            "timer:kill_after(",
            "timer:cancel(",
        ],
    ),
    (
        "shared state",
        &[
            "ordered_set",
            "duplicate_bag",
            "[bag",
            "ets:select(",
            "ets:select_count(",
            "ets:select_delete(",
            "ets:select_replace(",
            "ets:select_reverse(",
            "ets:match(",
            "ets:match_object(",
            "ets:fun2ms(",
            "{heir,",
            "ets:give_away(",
            "protected",
            "private",
            "ets:update_counter(",
            "ets:update_element(",
            "ets:first(",
            "ets:next(",
            "ets:prev(",
            "ets:last(",
            "ets:take(",
            "ets:insert_new(",
            "ets:safe_fixtable(",
            "ets:slot(",
            "ets:rename(",
            "ets:setopts(",
            "persistent_term:put(",
            "persistent_term:get(",
            "persistent_term:erase(",
            "application:get_env(",
            "application:set_env(",
            "counters:add(",
            "counters:get(",
            "atomics:add_get(",
            "atomics:compare_exchange(",
            "atomics:exchange(",
        ],
    ),
    (
        "nodes",
        &[
            "slave:start(",
            "slave:stop(",
            "peer:start(",
            "peer:stop(",
            "node(",
            "nodes()",
            "spawn(A, ",
            "monitor_node(",
            "is_alive()",
            "monitor_nodes(",
            "disconnect_node(",
            "rpc:call(",
            "erpc:call(",
            "global:",
            "net_adm:ping(",
        ],
    ),
    (
        "inputs and outputs",
        &[
            "monotonic_time(",
            "system_time(",
            "timestamp()",
            "rand:seed(",
            "unique_integer(",
            "os:getenv(",
            "os:putenv(",
            "os:cmd(",
            "file:read_file(",
            "file:write_file(",
            "file:open(",
            "file:list_dir(",
            "io:get_line(",
            "io:get_chars(",
            "io:fread(",
            "io:read(",
        ],
    ),
    (
        "crash reports",
        &[
            "proc_lib:spawn",
            "supervisor:start_link(",
            "gen_server:start",
            "gen_statem:start",
            "gen_event:",
            "error_logger:",
            "logger:",
        ],
    ),
];

#[test]
fn programs_for_every_row_are_captured_and_replayed() {
    let programs: Vec<String> = REPLAYED
        .iter()
        .flat_map(|area| RunSubject::conformance(area))
        .map(|program| String::from_utf8_lossy(&program.text).into_owned())
        .collect();
    let mut missing = Vec::new();
    for (row, words) in ROWS {
        for word in *words {
            if !programs.iter().any(|text| text.contains(word)) {
                missing.push(format!("{row}: {word}"));
            }
        }
    }
    assert!(missing.is_empty(), "in no program: {missing:?}");
}
