//! The natives that the system layer carries out, each with its class (semantics.md §1, closing rule).

use interpreter::native::{Class, Native};

// `name/arity = N`: the N-th meaning of that native; N is 1 where nothing is said.
macro_rules! operations {
    ($( $op:ident $class:ident $module:literal { $( $name:literal / $arity:literal $(= $version:literal)? ),+ } )+) => {
        /// An operation of the system layer; several natives may share one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u16)]
        pub enum Op { $( #[doc = concat!("`", $module, "`: ", $( $name, "/", $arity, " ", )+)] $op ),+ }

        const OPS: &[Op] = &[ $( Op::$op ),+ ];

        /// The table that is handed to the interpreter.
        pub const NATIVES: &[Native] = &[
            $( $( Native {
                $( version: $version, )?
                ..Native::system($module, $name, $arity, Class::$class, Op::$op as u16)
            }, )+ )+
        ];
    };
}

operations! {
    Send Effect "erlang" { "!"/2, "send"/2, "send"/3 = 2, "send_nosuspend"/2 = 3, "send_nosuspend"/3 = 3 }
    Spawn Effect "erlang" { "spawn"/1, "spawn"/2, "spawn"/3, "spawn"/4 }
    SpawnLink Effect "erlang" { "spawn_link"/1, "spawn_link"/2, "spawn_link"/3, "spawn_link"/4 }
    SpawnMonitor Effect "erlang" { "spawn_monitor"/1, "spawn_monitor"/2, "spawn_monitor"/3, "spawn_monitor"/4 }
    SpawnOpt Effect "erlang" { "spawn_opt"/2, "spawn_opt"/3, "spawn_opt"/4, "spawn_opt"/5 }
    SpawnRequest Effect "erlang" { "spawn_request"/1 = 2, "spawn_request"/2 = 2, "spawn_request"/3 = 2, "spawn_request"/4 = 2, "spawn_request"/5 = 2 }
    ExistingAtom Observe "erlang" { "list_to_existing_atom"/1, "binary_to_existing_atom"/1, "binary_to_existing_atom"/2 }
    BinaryToTerm Observe "erlang" { "binary_to_term"/2 = 2 }
    Unsupported Pure "erlang" { "$unsupported"/2 }
    SpawnAbandon Pure "erlang" { "spawn_request_abandon"/1 }
    ExitTo Effect "erlang" { "exit"/2 }
    Link Effect "erlang" { "link"/1 = 2 }
    Unlink Access "erlang" { "unlink"/1 }
    Monitor Effect "erlang" { "monitor"/2 = 2, "monitor"/3 = 2 }
    Demonitor Drop "erlang" { "demonitor"/1, "demonitor"/2 }
    Alias Pure "erlang" { "alias"/0, "alias"/1 }
    Unalias Drop "erlang" { "unalias"/1 }
    ProcessFlag Pure "erlang" { "process_flag"/2 }
    ProcessFlagOf Observe "erlang" { "process_flag"/3 }
    Suspend Access "erlang" { "suspend_process"/1, "suspend_process"/2 }
    Resume Access "erlang" { "resume_process"/1 }
    Hibernate Observe "erlang" { "hibernate"/3 }
    Register Access "erlang" { "register"/2 = 2 }
    Unregister Access "erlang" { "unregister"/1 }
    Whereis Access "erlang" { "whereis"/1 = 2 }
    Registered Access "erlang" { "registered"/0 }
    IsProcessAlive Access "erlang" { "is_process_alive"/1 }
    Processes Observe "erlang" { "processes"/0 }
    ProcessInfo Observe "erlang" { "process_info"/1, "process_info"/2 }
    GroupLeader Access "erlang" { "group_leader"/0 }
    SetGroupLeader Access "erlang" { "group_leader"/2 }
    Yield Pure "erlang" { "yield"/0 }
    Halt Effect "erlang" { "halt"/0, "halt"/1, "halt"/2 = 2 }
    SendAfter Effect "erlang" { "send_after"/3, "send_after"/4 }
    StartTimer Effect "erlang" { "start_timer"/3, "start_timer"/4 }
    CancelTimer Drop "erlang" { "cancel_timer"/1, "cancel_timer"/2 = 2 }
    ReadTimer Observe "erlang" { "read_timer"/1, "read_timer"/2 = 2 }
    MonotonicTime Input "erlang" { "monotonic_time"/0, "monotonic_time"/1 }
    SystemTime Input "erlang" { "system_time"/0, "system_time"/1 }
    OsSystemTime Input "os" { "system_time"/0, "system_time"/1, "perf_counter"/0, "perf_counter"/1 }
    TimeOffset Input "erlang" { "time_offset"/0, "time_offset"/1 }
    Timestamp Input "erlang" { "timestamp"/0, "now"/0 }
    OsTimestamp Input "os" { "timestamp"/0 }
    LocalTime Input "erlang" { "localtime"/0, "universaltime"/0, "date"/0, "time"/0 }
    ToLocalTime Input "erlang" { "universaltime_to_localtime"/1 = 2, "localtime_to_universaltime"/1 = 2, "localtime_to_universaltime"/2 = 2 }
    UniqueInteger Input "erlang" { "unique_integer"/0, "unique_integer"/1 }
    Statistics Input "erlang" { "statistics"/1, "memory"/0, "memory"/1 = 2 }
    SystemInfo Input "erlang" { "system_info"/1 }
    RandomSeed Input "erlang" { "$entropy"/0 }
    PutChars Output "erlang" { "$put_chars"/2 }
    GetLine Input "erlang" { "$get_line"/1 }
    IsDevice Pure "erlang" { "$device"/1 }
    Unread Pure "erlang" { "$unread"/1 }
    SetEncoding Output "erlang" { "$set_encoding"/2 }
    GetEncoding Observe "erlang" { "$get_encoding"/1 }
    GetEnv Input "os" { "getenv"/0, "getenv"/1 = 3, "getenv"/2 = 3 }
    PutEnv Input "os" { "putenv"/2 = 2, "unsetenv"/1 = 2 }
    Arguments Input "init" { "get_plain_arguments"/0, "get_arguments"/0, "get_argument"/1 }
    ReadFile Input "erlang" { "$read_file"/1 }
    WriteFile Input "erlang" { "$write_file"/3 }
    File Input "erlang" { "$file"/3 }
    Command Input "erlang" { "$command"/1 }
    ProcessId Input "os" { "getpid"/0 }
    IsAlive Pure "erlang" { "is_alive"/0 }
    Nodes Access "erlang" { "nodes"/0, "nodes"/1 }
    NodeStart Access "erlang" { "$node_start"/1 }
    NodeStop Access "erlang" { "$node_stop"/1, "$node_stop"/2 }
    NodeUp Access "erlang" { "$node_up"/1 }
    NodeOrigin Access "erlang" { "$node_origin"/1 }
    FirstNode Pure "erlang" { "$first_node"/0 }
    MonitorNode Access "erlang" { "monitor_node"/2, "monitor_node"/3 }
    CrashReports Pure "erlang" { "$crash_reports"/1 }
    CrashProxy Pure "erlang" { "$crash_proxy"/1 }
    Await Observe "erlang" { "$await"/1 }
    MonitorNodes Pure "erlang" { "$monitor_nodes"/1, "$monitor_nodes"/2 }
    PersistentGet Access "persistent_term" { "get"/1, "get"/2 }
    PersistentPut Access "persistent_term" { "put"/2 }
    PersistentAll Access "persistent_term" { "get"/0, "info"/0 }
    PersistentErase Access "persistent_term" { "erase"/1 }
    EnvGet Access "erlang" { "$env_get"/2 }
    EnvSet Access "erlang" { "$env_set"/3 }
    EnvUnset Access "erlang" { "$env_unset"/2 }
    EnvAll Access "erlang" { "$env_all"/1 }
    CounterNew Pure "erlang" { "$counter_new"/1, "$counter_new"/2 }
    CounterInfo Pure "erlang" { "$counter_info"/1 }
    CounterGet Access "erlang" { "$counter_get"/2 }
    CounterAdd Access "erlang" { "$counter_add"/4 = 2 }
    CounterPut Access "erlang" { "$counter_put"/3 }
    CounterSwap Access "erlang" { "$counter_exchange"/3, "$counter_compare_exchange"/4 }
    Ets Access "ets" {
        "new"/2 = 2, "all"/0, "whereis"/1, "lookup"/2, "member"/2, "lookup_element"/3, "insert"/2 = 3, "insert_new"/2 = 3, "delete"/1, "delete"/2,
        "take"/2, "delete_object"/2, "update_counter"/3, "update_counter"/4 = 2, "update_element"/3, "rename"/2, "give_away"/3,
        "setopts"/2, "safe_fixtable"/2, "info"/1, "info"/2 = 2, "tab2list"/1, "first"/1, "last"/1 = 2, "next"/2 = 2, "prev"/2 = 3, "slot"/2,
        "delete_all_objects"/1, "match"/1 = 2, "match"/2, "match"/3 = 2, "match_object"/1 = 2, "match_object"/2, "match_object"/3 = 2, "select"/1 = 2,
        "select"/2, "select"/3 = 2, "select_reverse"/1, "select_reverse"/2, "select_reverse"/3, "select_count"/2, "select_delete"/2,
        "match_delete"/2, "select_replace"/2 = 2, "match_spec_compile"/1, "match_spec_run"/2, "test_ms"/2
    }
    ModuleLoaded Pure "erlang" { "module_loaded"/1 = 2 }
    EnsureLoaded Pure "code" { "ensure_loaded"/1 = 2, "is_loaded"/1 = 2 }
}

impl Op {
    /// The operation of a native's number.
    ///
    /// # Panics
    /// If the number is none that [`NATIVES`] holds.
    #[must_use]
    pub fn of(number: u16) -> Self {
        OPS[usize::from(number)]
    }

    /// Does it, where it leaves something in a log, compare that with the log before it changes anything? Only of those is it told that often leave
    /// nothing: a process that has used up its log may try them.
    pub(crate) const fn looks_at_the_log_first(self) -> bool {
        matches!(
            self,
            Self::Unalias
                | Self::Demonitor
                | Self::ExitTo
                | Self::Link
                | Self::Unlink
                | Self::Register
                | Self::Unregister
                | Self::Whereis
                | Self::IsProcessAlive
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_their_operations_and_natives_are_distinct() {
        let mut seen = std::collections::HashSet::new();
        for native in NATIVES {
            assert!(
                seen.insert((native.module, native.name, native.arity)),
                "{}:{}/{}",
                native.module,
                native.name,
                native.arity
            );
        }
        for (i, &op) in OPS.iter().enumerate() {
            assert_eq!(op as usize, i);
            assert_eq!(Op::of(i as u16), op);
        }
    }
}
