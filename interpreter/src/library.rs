//! The modules of the standard library that are written in Erlang, and the header files, embedded in the tool.

use syntax::Release;

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        /// Names of the modules, ascending.
        pub const MODULES: &[&str] = &[$($name),*];

        const SOURCES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../lib/", $name, ".erl")))),*];
    };
}

modules! {
    "alarm_handler",
    "amb",
    "application",
    "application_controller",
    "argparse",
    "array",
    "atomics",
    "base64",
    "binary",
    "c",
    "calendar",
    "code",
    "compile",
    "counters",
    "cover",
    "crypto",
    "ct",
    "dbg",
    "dict",
    "digraph",
    "digraph_utils",
    "erl_anno",
    "erl_ddll",
    "erl_error",
    "erl_erts_errors",
    "erl_eval",
    "erl_internal",
    "erl_parse",
    "erl_posix_msg",
    "erl_pp",
    "erl_prim_loader",
    "erl_scan",
    "erl_stdlib_errors",
    "erlang",
    "erpc",
    "error_handler",
    "error_logger",
    "erts_code_purger",
    "erts_debug",
    "erts_internal",
    "ets",
    "eunit",
    "eunit_data",
    "eunit_proc",
    "eunit_test",
    "file",
    "file_io_server",
    "filelib",
    "filename",
    "gb_sets",
    "gb_trees",
    "gen",
    "gen_event",
    "gen_fsm",
    "gen_server",
    "gen_statem",
    "gen_tcp",
    "gen_udp",
    "global",
    "inet",
    "inet_parse",
    "init",
    "io",
    "io_lib",
    "json",
    "kernel",
    "linear_hash",
    "lists",
    "logger",
    "logger_config",
    "logger_filters",
    "logger_formatter",
    "logger_std_h",
    "maps",
    "math",
    "net_adm",
    "net_kernel",
    "orddict",
    "ordsets",
    "os",
    "peer",
    "persistent_term",
    "pg",
    "prim_file",
    "proc_lib",
    "proplists",
    "queue",
    "ram_file",
    "rand",
    "random",
    "re",
    "retell_archive",
    "retell_beam",
    "retell_config",
    "retell_elixir",
    "retell_exunit",
    "retell_hooks",
    "retell_made",
    "retell_path",
    "retell_port",
    "retell_script",
    "retell_socket",
    "retell_suite",
    "retell_test",
    "retell_trace",
    "retell_transform",
    "retell_unbuilt",
    "rpc",
    "runtime_tools",
    "sasl",
    "sets",
    "slave",
    "sofs",
    "string",
    "supervisor",
    "supervisor_bridge",
    "sys",
    "test_server",
    "timer",
    "unicode",
    "unicode_util",
    "uri_string",
    "zlib",
    "zstd",
}

/// The names of the library modules that are written in Erlang, sorted.
pub fn modules() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(name, _)| *name)
}

/// Has the library a module of this name, written in Erlang, for a program of this release?
#[must_use]
pub fn has(module: &str, release: Release) -> bool {
    crate::otp::may_have(release, module) && source(module).is_some()
}

/// The Erlang source of a library module, for programs of all releases; `None` for a module that consists of natives only.
#[must_use]
pub fn source(module: &str) -> Option<&'static str> {
    let at = SOURCES.binary_search_by(|(name, _)| (*name).cmp(module)).ok()?;
    Some(SOURCES[at].1)
}

const HEADERS: &[(&str, &str)] = &[
    ("common_test/include/ct.hrl", include_str!("../lib/include/ct.hrl")),
    ("eunit/include/eunit.hrl", include_str!("../lib/include/eunit.hrl")),
    ("kernel/include/file.hrl", include_str!("../lib/include/file.hrl")),
    ("kernel/include/inet.hrl", include_str!("../lib/include/inet.hrl")),
    ("kernel/include/logger.hrl", include_str!("../lib/include/logger.hrl")),
    (
        "kernel/include/net_address.hrl",
        include_str!("../lib/include/net_address.hrl"),
    ),
    ("stdlib/include/assert.hrl", include_str!("../lib/include/assert.hrl")),
    (
        "stdlib/include/ms_transform.hrl",
        include_str!("../lib/include/ms_transform.hrl"),
    ),
];

/// The text of a header file, as `-include_lib("APP/PATH")` names it, for example `header("stdlib", "include/assert.hrl")`.
#[must_use]
pub fn header(app: &str, path: &str) -> Option<&'static str> {
    HEADERS
        .iter()
        .find(|(name, _)| name.strip_prefix(app).and_then(|rest| rest.strip_prefix('/')) == Some(path))
        .map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_sorted_and_named_as_their_files() {
        assert!(MODULES.is_sorted());
        for &module in MODULES {
            let text = source(module).expect("listed");
            assert!(text.contains(&format!("-module({module}).")), "{module}");
        }
        assert_eq!(source("no_such_module"), None);
    }

    #[test]
    fn every_file_of_the_directory_is_listed() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/lib");
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "erl") {
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(source(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn headers_are_found_by_application() {
        assert!(header("stdlib", "include/assert.hrl").is_some());
        assert!(header("eunit", "include/eunit.hrl").is_some());
        assert_eq!(header("eunit", "include/assert.hrl"), None);
        assert_eq!(header("std", "lib/include/assert.hrl"), None);
    }
}
