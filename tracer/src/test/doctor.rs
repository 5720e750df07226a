//! `tracer doctor`: what there is in a project, and what of it will not work, before anything runs.
//!
//! Every module of the project is compiled as for its tests, and each function that it calls by name is looked up. Calls of computed functions are
//! not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;
use interpreter::atom::Atom;
use interpreter::native::CodeInfo;
use interpreter::otp::{self, OtpName};
use log_format::{safe, safe_path};
use system::loader::Loader;

use super::find::{self, Found, Kind, Unit};
use super::load::{Compiled, Loading, Style};
use super::looked;
use crate::error::{Error, OutputError};
use crate::exit::Exit;
use crate::options::Compiling;
use crate::report::plural;

/// `tracer doctor`.
#[derive(Args, Debug)]
#[command(
    after_help = "Modules are compiled as for tracer test, and functions that they call by name are looked up. Nothing is run.

Exit codes:
   0  nothing was found that cannot work
   1  something was found that will not work
   2  usage
  66  there are no modules, or a file cannot be read
  73  the report cannot be written

Example: tracer doctor"
)]
pub struct DoctorArgs {
    /// Source files, folders, or names of modules, as for tracer test
    #[arg(value_name = "FILE|DIR|MODULE", default_value = ".")]
    pub what: Vec<OsString>,
    /// How modules are compiled
    #[command(flatten)]
    pub compiling: Compiling,
}

/// Names that a line lists before it counts the rest.
const NAMED: usize = 6;
/// Findings of one sort that are told; the rest is counted.
const TOLD: usize = 3;

/// Why something will not work, in the order in which it is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trouble {
    NotCompiled,
    NoModule,
    Nif,
    Port,
    Socket,
    Code,
    Tracing,
    NotInLibrary,
    NoFunction,
}

impl Trouble {
    /// What it is, and what can be done.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::NotCompiled => (
                "does not compile",
                "tests of these modules cannot run, and calls of them fail",
            ),
            Self::NoModule => (
                "missing modules",
                "calls of them are undef. If they are dependencies, get their sources, for example with `rebar3 get-deps`",
            ),
            Self::Nif => ("NIFs", "functions written in C cannot be called"),
            Self::Port => ("drivers", "a port can only be a program; these calls are undef"),
            Self::Socket => ("sockets", "there is no network; a program can only talk to itself"),
            Self::Code => ("code loading", "these calls are undef"),
            Self::Tracing => (
                "tracing",
                "these calls are undef; the trace of a run shows all that they could",
            ),
            Self::NotInLibrary => ("not in the library", "these calls are undef"),
            Self::NoFunction => ("no such function", "these calls are undef, also under OTP"),
        }
    }
}

/// A thing that will not work, with the place that needs it first.
struct Finding {
    trouble: Trouble,
    what: String,
    place: String,
    places: usize,
}

/// Runs `tracer doctor`.
pub fn doctor(args: &DoctorArgs) -> Exit {
    let mut found = match find::find(&args.what) {
        Ok(found) => found,
        Err(error) => return Error::from(error).told(),
    };
    found.run_once();
    let all = found.units.clone();
    let loading = loading(args, &found);
    let looks = looked::at(&loading, &AtomicBool::new(false));
    let findings = examine(&loading, &all);
    found.settle(looks);
    let page = report(&found, all.len(), &findings);
    if let Err(error) = std::io::stdout().write_all(page.as_bytes()) {
        return Error::from(OutputError::Report(error)).told();
    }
    if findings.is_empty() {
        Exit::Success
    } else {
        Exit::Crashed
    }
}

fn loading<'a>(args: &'a DoctorArgs, found: &'a Found) -> Loading<'a> {
    Loading {
        compiling: &args.compiling,
        only: &[],
        configs: &[],
        found,
        style: Style::Plain,
        counts: None,
    }
}

/// What of these modules will not work.
fn examine(loading: &Loading<'_>, units: &[Unit]) -> Vec<Finding> {
    let mut findings: BTreeMap<(Trouble, String), (String, usize)> = BTreeMap::new();
    let mut note = |trouble, what: String, place: String| {
        findings.entry((trouble, what)).or_insert((place, 0)).1 += 1;
    };
    let own: BTreeSet<&str> = units.iter().map(|unit| unit.module.as_str()).collect();
    for unit in units {
        let Compiled {
            mut program,
            mut loader,
            ..
        } = match loading.compile(unit) {
            Ok(compiled) => compiled,
            Err(diagnostics) => {
                let (what, place) = first_error(&diagnostics.to_string(), &unit.path);
                note(Trouble::NotCompiled, what, place);
                continue;
            }
        };
        let text = std::fs::read(&unit.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let calls: Vec<(Atom, Atom, u8)> = program.calls().collect();
        for (module, function, arity) in calls {
            let name = module.as_str();
            let is_there = !is_refused(name, function.as_str())
                && (program.is_exported(module, function, arity)
                    || loader.load(module, &mut program) == Ok(true) && program.is_exported(module, function, arity));
            // What of the project does not compile is told by itself.
            if is_there || own.contains(name) && !program.is_loaded(module) {
                continue;
            }
            let known = otp::known(program.release(), name, function.as_str(), arity);
            let trouble = match known {
                Some(_) => of_otp(name, function.as_str()),
                None if program.is_loaded(module) || program.has_natives(name) => Trouble::NoFunction,
                None => Trouble::NoModule,
            };
            let what = match (trouble, known) {
                (Trouble::NoModule, _) => name.to_owned(),
                (_, Some(OtpName::Module(application))) => format!("{name} of {application}"),
                _ => format!("{name}:{function}/{arity}"),
            };
            note(trouble, what, place(&unit.path, &text, name, function.as_str()));
        }
    }
    let findings = findings.into_iter();
    findings
        .map(|((trouble, what), (place, places))| Finding {
            trouble,
            what,
            place,
            places,
        })
        .collect()
}

/// Functions that are there only to say that they do nothing.
fn is_refused(module: &str, function: &str) -> bool {
    match module {
        "erlang" => function == "load_nif",
        "dbg" => !matches!(function, "stop" | "stop_clear"),
        "gen_tcp" | "gen_udp" => true,
        _ => false,
    }
}

/// Why a function of OTP is not there.
fn of_otp(module: &str, function: &str) -> Trouble {
    match (module, function) {
        ("erlang", "load_nif") => Trouble::Nif,
        ("gen_tcp" | "gen_udp" | "gen_sctp" | "socket" | "inet" | "ssl" | "httpc" | "httpd" | "ssh", _) => {
            Trouble::Socket
        }
        ("erl_ddll", _) => Trouble::Port,
        ("code" | "compile" | "cover" | "beam_lib", _) => Trouble::Code,
        ("erlang", "load_module" | "delete_module" | "purge_module" | "check_process_code" | "check_old_code") => {
            Trouble::Code
        }
        ("dbg" | "seq_trace", _) => Trouble::Tracing,
        ("erlang", name) if name.starts_with("trace") => Trouble::Tracing,
        _ => Trouble::NotInLibrary,
    }
}

/// Where a function is called first, as far as the text shows it: a call of a computed name, or one that a macro makes, has the file alone.
fn place(path: &Path, text: &str, module: &str, function: &str) -> String {
    let file = safe_path(path);
    let called = [format!("{module}:{function}"), format!("{function}(")];
    let has = |line: &str, name: &str| line.split('%').next().is_some_and(|code| code.contains(name));
    let line = called
        .iter()
        .find_map(|name| text.lines().position(|line| has(line, name)));
    match line {
        Some(line) => format!("{file}:{}", line + 1),
        None => file,
    }
}

/// The first error of some diagnostics, and its place.
fn first_error(diagnostics: &str, path: &Path) -> (String, String) {
    let mut lines = diagnostics.lines().map(str::trim).filter(|line| !line.is_empty());
    let what = lines.next().unwrap_or("it cannot be read");
    let place = lines.find_map(|line| line.strip_prefix("--> "));
    (
        safe(what.strip_prefix("error: ").unwrap_or(what)).to_string(),
        place.map_or_else(|| safe_path(path), |place| safe(place.trim()).to_string()),
    )
}

/// The page.
fn report(found: &Found, modules: usize, findings: &[Finding]) -> String {
    let mut page = String::new();
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(page, "{:15} {text}", format!("{name}:"));
    };
    let names = |own: bool| {
        let of_sort = found
            .applications
            .iter()
            .filter(|application| application.is_own == own);
        listed(&of_sort.map(|application| application.name.as_str()).collect::<Vec<_>>())
    };
    line(
        "applications",
        &names(true).unwrap_or_else(|| "no configuration of a project was found".to_owned()),
    );
    line(
        "dependencies",
        &names(false).unwrap_or_else(|| "none with sources".to_owned()),
    );
    let suites = found.units.iter().filter(|unit| unit.kind == Kind::Suite).count();
    line(
        "tests",
        &format!(
            "{} with tests of EUnit, {} of Common Test; {} in all",
            plural(found.units.len() - suites, "module", "modules"),
            plural(suites, "suite", "suites"),
            plural(modules, "module", "modules")
        ),
    );
    for note in &found.notes {
        line("note", note);
    }
    if findings.is_empty() {
        page += "Nothing was found that cannot work.\n";
        return page;
    }
    page += "\nWhat will not work:\n";
    for sort in findings.chunk_by(|a, b| a.trouble == b.trouble) {
        let (name, why) = sort[0].trouble.words();
        let mut shown: Vec<String> = sort.iter().take(TOLD).map(ToString::to_string).collect();
        if sort.len() > TOLD {
            shown.push(format!("{} more", sort.len() - TOLD));
        }
        let _ = writeln!(page, "  {name}: {}\n    {why}", shown.join(", "));
    }
    page
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}", self.what, self.place)?;
        match self.places {
            1 => f.write_str(")"),
            2 => f.write_str(" and another module)"),
            n => write!(f, " and {} other modules)", n - 1),
        }
    }
}

/// Some names, and how many more there are; `None` if there are none.
fn listed(names: &[&str]) -> Option<String> {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        n if n > NAMED => Some(format!("{shown} and {} more", n - NAMED)),
        _ => Some(shown),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn the_place_of_a_call_is_its_line() {
        let text = "-module(a).\n% gen_tcp:listen(1)\nf() -> gen_tcp:listen(1).\ng() -> erl_ddll:load(x, y).\n";
        let at = |module, function| place(&PathBuf::from("a.erl"), text, module, function);
        assert_eq!(at("gen_tcp", "listen"), "a.erl:3");
        assert_eq!(at("erl_ddll", "load"), "a.erl:4");
        assert_eq!(at("ssl", "connect"), "a.erl");
    }

    #[test]
    fn the_first_error_has_its_place() {
        let text = "error: undefined macro ?X\n --> src/a.erl:3:1\n  |\n";
        let (what, place) = first_error(text, Path::new("b.erl"));
        assert_eq!((&*what, &*place), ("undefined macro ?X", "src/a.erl:3:1"));
        assert_eq!(first_error("", Path::new("b.erl")).1, "b.erl");
    }
}
