//! The exports of Erlang/OTP by release. They distinguish a call of a function that this library lacks from a call of a function that does not exist
//! at all (semantics.md §11), and they hide natives from programs of other releases. The table is captured by `tests/oracle/exports.escript`.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::Release;

/// Lines `APPLICATION MODULE NAME/ARITY,ARITY …`; a line without functions is a module of an application for which only the modules are listed. After
/// a module or an arity, `@27` says that it came with OTP 27, and `@-27` that OTP 27 has it no more.
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

struct ExportEntry {
    application: &'static str,
    there: There,
    functions: &'static str,
}

fn entries() -> &'static FxHashMap<&'static str, ExportEntry> {
    static ENTRIES: OnceLock<FxHashMap<&'static str, ExportEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        lines()
            .map(|(application, module, functions)| {
                let (module, there) = marked(module);
                let entry = ExportEntry {
                    application,
                    there,
                    functions,
                };
                (module, entry)
            })
            .collect()
    })
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.lines().filter_map(|line| {
        let (application, rest) = line.split_once(' ')?;
        let (module, functions) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((application, module, functions))
    })
}

/// In which releases something is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum There {
    /// In all.
    Always,
    /// From this one on.
    Since(Release),
    /// Before this one.
    Until(Release),
}

impl There {
    /// Is it there in this release?
    #[must_use]
    pub fn is_in(self, release: Release) -> bool {
        match self {
            Self::Always => true,
            Self::Since(first) => release >= first,
            Self::Until(gone) => release < gone,
        }
    }
}

/// What a mark is at, and what it says.
fn marked(text: &'static str) -> (&'static str, There) {
    let Some((what, mark)) = text.rsplit_once('@') else {
        return (text, There::Always);
    };
    let release = |number: &str| number.parse().ok().and_then(Release::of);
    let there = match mark.strip_prefix('-') {
        Some(number) => release(number).map(There::Until),
        None => release(mark).map(There::Since),
    };
    there.map_or((text, There::Always), |there| (what, there))
}

fn split(functions: &'static str) -> impl Iterator<Item = (&'static str, u8, There)> {
    functions.split_ascii_whitespace().flat_map(|item| {
        let (name, arities) = item.rsplit_once('/').unwrap_or((item, ""));
        arities.split(',').filter_map(move |arity| {
            let (arity, there) = marked(arity);
            Some((name, arity.parse().ok()?, there))
        })
    })
}

/// Does this release of OTP have this function, or at least a module of that name?
#[must_use]
pub fn known(release: Release, module: &str, function: &str, arity: u8) -> Option<OtpName> {
    let entry = entries().get(module).filter(|entry| entry.there.is_in(release))?;
    if entry.functions.is_empty() {
        return Some(OtpName::Module(entry.application));
    }
    split(entry.functions)
        .any(|(name, n, there)| (name, n) == (function, arity) && there.is_in(release))
        .then_some(OtpName::Function(entry.application))
}

/// Does this release of OTP have a module of this name, if any has?
#[must_use]
pub fn may_have(release: Release, module: &str) -> bool {
    entries().get(module).is_none_or(|entry| entry.there.is_in(release))
}

/// The modules of an application in this release of OTP, as far as they are in the table.
pub fn modules_of(release: Release, application: &str) -> impl Iterator<Item = &'static str> {
    lines().filter_map(move |(name, module, _)| {
        let (module, there) = marked(module);
        (name == application && there.is_in(release)).then_some(module)
    })
}

/// Has every release had a module of this name, if any has?
#[must_use]
pub fn is_old(module: &str) -> bool {
    may_have(Release::OLDEST, module)
}

/// Functions by module.
type Functions = FxHashMap<&'static str, FxHashSet<(&'static str, u8)>>;

/// The functions, by module, that other releases of OTP have, and this one has not.
pub fn of_others(release: Release) -> &'static Functions {
    static ALL: [OnceLock<Functions>; Release::ALL.len()] = [const { OnceLock::new() }; Release::ALL.len()];
    ALL[usize::from(release.number() - Release::OLDEST.number())].get_or_init(|| {
        let mut others = Functions::default();
        // Most lines have no marks.
        for (_, module, functions) in
            lines().filter(|(_, module, functions)| module.contains('@') || functions.contains('@'))
        {
            let (module, of_module) = marked(module);
            let is_other = |there: There| !(of_module.is_in(release) && there.is_in(release));
            let functions = split(functions).filter(|(_, _, there)| is_other(*there));
            let functions: FxHashSet<_> = functions.map(|(name, arity, _)| (name, arity)).collect();
            if !functions.is_empty() {
                others.insert(module, functions);
            }
        }
        others
    })
}

/// Is it a function of OTP's machine, as `erlang:is_builtin/3` has it?
#[must_use]
pub fn is_builtin(module: &str, function: &str, arity: u8) -> bool {
    let line = BUILTINS
        .lines()
        .find_map(|line| line.split_once(' ').filter(|(name, _)| *name == module));
    line.is_some_and(|(_, functions)| split(functions).any(|(name, n, _)| (name, n) == (function, arity)))
}

/// The name under which OTP's own compiler is loaded where a program compiles forms: the module `compile` of the library calls it.
pub const FRONT_END: &str = "otp_compile";

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

/// A module whose exports are known.
#[derive(Clone, Debug)]
pub struct Exports {
    /// Its application.
    pub application: &'static str,
    /// Its name.
    pub module: &'static str,
    /// Name, arity, and in which releases.
    pub functions: Vec<(&'static str, u8, There)>,
}

/// Every module whose exports are known.
pub fn modules() -> impl Iterator<Item = Exports> {
    let with_functions = lines().filter(|(_, _, functions)| !functions.is_empty());
    with_functions.map(|(application, module, functions)| {
        let (module, of_module) = marked(module);
        // A function of a newer module can be newer still.
        let there = |of_function| match of_function {
            There::Always => of_module,
            _ => of_function,
        };
        let functions = split(functions).map(|(name, arity, of)| (name, arity, there(of)));
        Exports {
            application,
            module,
            functions: functions.collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_otp_are_told_from_what_nobody_has() {
        assert_eq!(
            known(Release::OLDEST, "lists", "map", 2),
            Some(OtpName::Function("stdlib"))
        );
        assert_eq!(known(Release::OLDEST, "erlang", "//", 2), None);
        assert_eq!(
            known(Release::OLDEST, "erlang", "/", 2),
            Some(OtpName::Function("erts"))
        );
        assert_eq!(known(Release::OLDEST, "lists", "map", 3), None);
        assert_eq!(known(Release::OLDEST, "no_such_module", "map", 2), None);
        assert_eq!(
            known(Release::OLDEST, "mnesia", "no_such_function", 9),
            Some(OtpName::Module("mnesia"))
        );
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
    fn marks_say_in_which_releases_something_is_there() {
        let all: Vec<_> = split("f/1,2@27 g/0@-26 @/3").collect();
        let release = |number| Release::of(number).unwrap();
        let expected = [
            ("f", 1, There::Always),
            ("f", 2, There::Since(release(27))),
            ("g", 0, There::Until(release(26))),
            ("@", 3, There::Always),
        ];
        assert_eq!(all, expected);
        assert!(There::Since(release(27)).is_in(release(28)) && !There::Since(release(27)).is_in(release(26)));
        assert!(There::Until(release(26)).is_in(release(25)) && !There::Until(release(26)).is_in(release(26)));
    }

    #[test]
    fn the_table_is_whole() {
        assert!(modules().count() > 250);
        for Exports { module, functions, .. } in modules() {
            for (name, arity, there) in functions {
                for release in Release::ALL {
                    let found = known(release, module, name, arity);
                    let is_function = matches!(found, Some(OtpName::Function(_)));
                    assert_eq!(
                        is_function,
                        there.is_in(release),
                        "{module}:{name}/{arity} in {release}"
                    );
                }
            }
        }
    }
}
