//! The exports of Erlang/OTP 25. They distinguish a call of a function that this library lacks from a call of a function that does not exist at
//! all (semantics.md §11). The table is captured from an installed OTP by `tests/oracle/exports.escript`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// Lines `APPLICATION MODULE NAME/ARITY,ARITY …`; a line without functions is a module of an application for which only the modules are listed.
/// A module and each arity can carry a mark: `@27` for what came with that release, `@-27` for what is gone from it on. The marks are made by
/// `tests/oracle/since.escript`.
const TABLE: &str = include_str!("../lib/otp_exports.txt");

/// Lines `MODULE NAME/ARITY,ARITY …`: the functions of which `erlang:is_builtin/3` says so. Captured by `tests/oracle/builtins.escript`.
const BUILTINS: &str = include_str!("../lib/otp_builtins.txt");

/// What a name refers to in OTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtpName {
    /// The function, in a module of this application.
    Function(&'static str),
    /// The module, of this application; its functions are not in the table.
    Module(&'static str),
}

struct Entry {
    application: &'static str,
    functions: &'static str,
}

fn entries() -> &'static FxHashMap<&'static str, Entry> {
    static ENTRIES: OnceLock<FxHashMap<&'static str, Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        lines()
            .map(|(application, module, functions)| (module, Entry { application, functions }))
            .collect()
    })
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter_map(|line| {
        let (application, rest) = line.split_once(' ')?;
        let (module, functions) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((application, of_25(module)?, functions))
    })
}

/// What OTP 25 has, without its mark.
fn of_25(marked: &'static str) -> Option<&'static str> {
    match marked.split_once('@') {
        None => Some(marked),
        Some((name, mark)) => mark.starts_with('-').then_some(name),
    }
}

fn split(functions: &'static str) -> impl Iterator<Item = (&'static str, u8)> {
    functions.split_ascii_whitespace().flat_map(|item| {
        let (name, arities) = item.rsplit_once('/').unwrap_or((item, ""));
        arities
            .split(',')
            .filter_map(move |a| Some((name, of_25(a)?.parse().ok()?)))
    })
}

/// Does OTP 25 have this function, or at least a module of that name?
#[must_use]
pub fn known(module: &str, function: &str, arity: u8) -> Option<OtpName> {
    let entry = entries().get(module)?;
    if entry.functions.is_empty() {
        return Some(OtpName::Module(entry.application));
    }
    split(entry.functions)
        .any(|export| export == (function, arity))
        .then_some(OtpName::Function(entry.application))
}

/// Is it a function of OTP's machine, as `erlang:is_builtin/3` has it?
#[must_use]
pub fn is_builtin(module: &str, function: &str, arity: u8) -> bool {
    let line = BUILTINS
        .lines()
        .find_map(|line| line.split_once(' ').filter(|(name, _)| *name == module));
    line.is_some_and(|(_, functions)| split(functions).any(|one| one == (function, arity)))
}

/// The application of a module of OTP that is not built in but whose source runs here: it is pure Erlang, without natives, ports and code
/// loading. It can be read from an installed OTP.
#[must_use]
pub fn portable(module: &str) -> Option<&'static str> {
    let application = entries().get(module)?.application;
    let whole = PORTABLE.contains(&application) && !BOUND.contains(&module);
    (whole || PORTABLE_MODULES.contains(&module)).then_some(application)
}

const PORTABLE: &[&str] = &[
    "asn1",
    "compiler",
    "edoc",
    "inets",
    "mnesia",
    "parsetools",
    "public_key",
    "sasl",
    "ssl",
    "stdlib",
    "syntax_tools",
    "tools",
    "xmerl",
];

/// Modules of these applications that depend on OTP's own machine, terminal or operating system, or are partly native here.
const BOUND: &[&str] = &[
    "asn1rt_nif",
    "binary",
    "c",
    "cover",
    "edlin",
    "edlin_expand",
    "eprof",
    "erlsrv",
    "escript",
    "fprof",
    "io_lib_pretty",
    "inet6_tls_dist",
    "inet_tls_dist",
    "lcnt",
    "math",
    "pubkey_os_cacerts",
    "release_handler",
    "release_handler_1",
    "shell",
    "shell_default",
    "unicode",
    "win32reg",
];

/// Modules of other applications that run here from their source.
const PORTABLE_MODULES: &[&str] = &[
    "disk_log",
    "disk_log_1",
    "disk_log_server",
    "disk_log_sup",
    "eunit_autoexport",
    "eunit_lib",
    "wrap_log_reader",
];

/// Every module whose exports are known: application, name, functions.
pub fn modules() -> impl Iterator<Item = (&'static str, &'static str, Vec<(&'static str, u8)>)> {
    lines()
        .filter(|(_, _, functions)| !functions.is_empty())
        .map(|(application, module, functions)| (application, module, split(functions).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_otp_are_told_from_what_nobody_has() {
        assert_eq!(known("lists", "map", 2), Some(OtpName::Function("stdlib")));
        assert_eq!(known("erlang", "//", 2), None);
        assert_eq!(known("erlang", "/", 2), Some(OtpName::Function("erts")));
        assert_eq!(known("lists", "map", 3), None);
        assert_eq!(known("no_such_module", "map", 2), None);
        assert_eq!(known("mnesia", "no_such_function", 9), Some(OtpName::Module("mnesia")));
    }

    #[test]
    fn what_runs_from_its_source_is_told_from_what_is_bound() {
        assert_eq!(portable("dets"), Some("stdlib"));
        assert_eq!(portable("mnesia_log"), Some("mnesia"));
        assert_eq!(portable("disk_log"), Some("kernel"));
        assert_eq!(portable("gen_tcp"), None);
        assert_eq!(portable("asn1rt_nif"), None);
        assert_eq!(portable("no_such_module"), None);
        for module in BOUND.iter().chain(PORTABLE_MODULES) {
            assert!(entries().contains_key(module), "{module}");
        }
        for application in PORTABLE {
            assert!(lines().any(|(app, _, _)| app == *application), "{application}");
        }
    }

    #[test]
    fn the_table_is_whole() {
        assert!(modules().count() > 250);
        assert!(modules().all(|(_, module, functions)| {
            functions
                .iter()
                .all(|(f, a)| known(module, f, *a).is_some_and(|k| matches!(k, OtpName::Function(_))))
        }));
    }
}
