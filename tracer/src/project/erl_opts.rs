//! Options of the compiler in a configuration.

use std::path::{Path, PathBuf};

use log_format::CompileOption;
use pcre::{MatchOutcome, Pattern, Request};
use syntax::ast::Expr;

use super::terms::{atom, list, shown, source, text, tuple};

/// What rebar3 matches `platform_define` with: Erlang/OTP 25 on 64-bit Linux.
const PLATFORM: &[u8] = b"25-x86_64-pc-linux-gnu-64-unix";

/// Options that do not change what a module does here.
const WITHOUT_EFFECT: &[&str] = &[
    "debug_info",
    "no_debug_info",
    "encrypt_debug_info",
    "warnings_as_errors",
    "verbose",
    "brief",
    "report",
    "report_errors",
    "report_warnings",
    "return",
    "return_errors",
    "return_warnings",
    "inline",
    "inline_size",
    "inline_effort",
    "inline_unroll",
    "inline_list_funcs",
    "deterministic",
    "compressed",
    "bin_opt_info",
    "recv_opt_info",
    "beam_debug_info",
    "slim",
    "native",
    "hipe",
    "debug_info_key",
    "compile_info",
    "no_spawn_compiler_process",
    "strict_validation",
    "strong_validation",
    "line",
    "no_line_info",
    "makedep",
    "nowarn",
    "warn",
    "ssa_checks",
    "no_postopt",
    "no_copt",
];

/// Options that change what a module does, and are not supported: a module with one of them is refused by its name.
const REFUSED: &[&str] = &[
    "core_transform",
    "feature",
    "no_auto_import",
    "tuple_calls",
    "asm",
    "from_asm",
    "from_core",
    "from_abstr",
];

/// Options of the compiler, read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ErlOpts {
    /// Macros and the like.
    pub options: Vec<CompileOption>,
    /// Folders of header files, below the application's.
    pub includes: Vec<PathBuf>,
    /// Folders of sources, if they are named here.
    pub sources: Vec<String>,
    /// Options that the compiler does not know. It ignores them, too; each is noted, as it may be misspelled.
    pub unknown: Vec<String>,
}

/// Reads them. `file`: the configuration, for messages. Those without effect are kept for parse transforms. Options that matter and are not supported are kept: a module that is compiled with one
/// is refused by its name.
pub fn read(terms: &[Expr], file: &Path) -> ErlOpts {
    let mut all = ErlOpts::default();
    for term in terms {
        let place = || format!("{} of {}:{}", shown(term), log_format::safe_path(file), term.loc.line);
        let name = atom(term).or_else(|| tuple(term).first().and_then(atom));
        match (name, tuple(term)) {
            (Some("d"), [_, name]) => all.define(name, None, place),
            (Some("d"), [_, name, value]) => all.define(name, Some(value), place),
            (Some("i"), [_, folder]) => match text(folder) {
                Some(folder) => {
                    all.includes.push(folder.into());
                    all.for_transforms(term);
                }
                None => all.refuse(place()),
            },
            (Some("platform_define"), [_, pattern, name, rest @ ..]) if rest.len() < 2 => match matches(pattern) {
                Some(true) => all.define(name, rest.first(), place),
                Some(false) => {}
                None => all.refuse(place()),
            },
            (Some("export_all"), []) => all.options.push(CompileOption::Feature("export_all".to_owned())),
            (Some("feature"), [_, feature, on])
                if atom(feature) == Some("maybe_expr") && atom(on) == Some("enable") =>
            {
                all.options.push(CompileOption::Feature("maybe_expr".to_owned()));
            }
            (Some("feature"), [_, _, on]) if atom(on) == Some("disable") => {}
            // A module that needs one of these names it itself; for others they do nothing.
            (Some("parse_transform"), [_, name]) if matches!(atom(name), Some("ms_transform" | "eunit_autoexport")) => {
            }
            (Some("parse_transform" | "error_location"), [_, value]) if atom(value).is_some() => {
                all.for_transforms(term);
            }
            (Some("src_dirs"), [_, folders]) => {
                all.sources.extend(list(folders).iter().filter_map(text));
                all.for_transforms(term);
            }
            (Some("extra_src_dirs"), _) => all.for_transforms(term),
            (Some(name), _) if is_without_effect(name) => all.for_transforms(term),
            (Some("d" | "i" | "platform_define" | "src_dirs" | "parse_transform"), _) => all.refuse(place()),
            (Some(name), _) if REFUSED.contains(&name) => all.refuse(place()),
            _ => {
                all.for_transforms(term);
                all.unknown.push(format!(
                    "{}: the compiler does not know it; only a parse transform can read it",
                    place()
                ));
            }
        }
    }
    all
}

impl ErlOpts {
    fn define(&mut self, name: &Expr, value: Option<&Expr>, place: impl Fn() -> String) {
        let value = value.map(source);
        match (text(name), value) {
            (Some(name), None) => self.options.push(CompileOption::Define { name, value: None }),
            (Some(name), Some(Some(value))) => self.options.push(CompileOption::Define {
                name,
                value: Some(value),
            }),
            _ => self.refuse(place()),
        }
    }

    /// Parse transforms read this option.
    fn for_transforms(&mut self, term: &Expr) {
        if let Some(text) = source(term) {
            self.options.push(system::loader::transforms::option(&text));
        }
    }

    /// The loader refuses modules with this option.
    fn refuse(&mut self, text: String) {
        self.options.push(CompileOption::Feature(text));
    }
}

fn is_without_effect(name: &str) -> bool {
    name.starts_with("nowarn_") || name.starts_with("warn_") || WITHOUT_EFFECT.contains(&name)
}

/// Does the pattern match this platform? `None`: it is no pattern, or takes too long.
fn matches(pattern: &Expr) -> Option<bool> {
    let pattern = Pattern::new(text(pattern)?.as_bytes(), pcre::Settings::default()).ok()?;
    match pattern.search(PLATFORM, &Request::default()).0 {
        MatchOutcome::Match(_) => Some(true),
        MatchOutcome::NoMatch => Some(false),
        MatchOutcome::Unfinished(_) | MatchOutcome::GivenUp(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_matter_are_kept() {
        let text = br#"[debug_info, {d, 'A'}, {d, b, {x, "y"}}, {i, "inc"}, nowarn_export_all, export_all, {platform_define, "^2[1-9]", 'NEW'},
            {platform_define, "^1", old}, {warn_format, 2}, {parse_transform, ms_transform}]."#;
        let terms = syntax::parse_terms(text).unwrap();
        let read = read(list(&terms[0]), Path::new("rebar.config"));
        let define = |name: &str, value: Option<&str>| CompileOption::Define {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let option = system::loader::transforms::option;
        let wanted = [
            option("debug_info"),
            define("A", None),
            define("b", Some("{x,\"y\"}")),
            option("{i,\"inc\"}"),
            option("nowarn_export_all"),
            CompileOption::Feature("export_all".to_owned()),
            define("NEW", None),
            option("{warn_format,2}"),
        ];
        assert_eq!(read.options, wanted);
        assert_eq!(read.includes, [PathBuf::from("inc")]);
    }

    #[test]
    fn what_the_compiler_does_not_know_is_noted() {
        let terms = syntax::parse_terms(b"[fail_on_warning,\n {some, \"thing\"}].").unwrap();
        let read = read(list(&terms[0]), Path::new("rebar.config"));
        let options = ["fail_on_warning", "{some,\"thing\"}"].map(system::loader::transforms::option);
        assert_eq!(read.options, options);
        let wanted = [
            "fail_on_warning of rebar.config:1: the compiler does not know it; only a parse transform can read it",
            "{some,\"thing\"} of rebar.config:2: the compiler does not know it; only a parse transform can read it",
        ];
        assert_eq!(read.unknown, wanted);
    }

    #[test]
    fn other_options_are_refused_with_their_place() {
        let terms = syntax::parse_terms(b"\n[{core_transform, lager_transform}].").unwrap();
        let read = read(list(&terms[0]), Path::new("rebar.config"));
        let text = "{core_transform,lager_transform} of rebar.config:2".to_owned();
        assert_eq!(read.options, [CompileOption::Feature(text)]);
    }
}
