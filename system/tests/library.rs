//! `docs/library.md` lists the functions of OTP's libraries that are available. It is made from the natives and the modules written in Erlang;
//! `BLESS=1 cargo test -p retell-system library::` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use interpreter::atom::Atom;
use interpreter::native::{CodeInfo as _, Native, RETIRED};
use interpreter::vm::Program;
use interpreter::{library, otp};
use syntax::{IncludeError, IncludeKind, Included, Includes, Language, ReadOptions, Release};

struct NoFiles;

impl Includes for NoFiles {
    fn read(&self, _: IncludeKind, name: &str, _: &str) -> Result<Included, IncludeError> {
        let (application, path) = name.split_once('/').ok_or(IncludeError::NoFiles)?;
        library::header(application, path)
            .map(|text| Included {
                name: name.to_owned(),
                text: text.as_bytes().into(),
            })
            .ok_or(IncludeError::NoFiles)
    }
}

/// Everything that programs of a release can call: natives, and the exports of the modules written in Erlang.
fn provided(release: Release) -> BTreeSet<(String, String, u8)> {
    let program = Program::new(&[system::natives::NATIVES]).of_release(release);
    let is_there = |n: &&Native| program.is_native(Atom::new(n.module), Atom::new(n.name), n.arity);
    let options = ReadOptions {
        language: Language::of(release),
        ..ReadOptions::default()
    };
    let mut all: BTreeSet<_> = program
        .natives()
        .filter(|n| n.version != RETIRED)
        .filter(is_there)
        .map(|n| (n.module.to_owned(), n.name.to_owned(), n.arity))
        .collect();
    for &module in library::MODULES.iter().filter(|module| library::has(module, release)) {
        let text = library::source(module).expect("a listed module has a source");
        let parsed = syntax::parse_module(module, text.as_bytes(), &options, &NoFiles)
            .unwrap_or_else(|errors| panic!("{module}: {}", errors[0].message));
        for export in &parsed.module.exports {
            for (_, id) in &export.items {
                all.insert((module.to_owned(), id.name.as_str().to_owned(), id.arity as u8));
            }
        }
    }
    all
}

/// What a row of the page says of one module.
#[derive(Default)]
struct Row {
    /// Of the oldest and the newest release: functions that are there, and all.
    counts: [(usize, usize); 2],
    missing: Vec<String>,
}

/// The functions of one module, and which of them are missing in the oldest or the newest release.
fn row(
    module: &str,
    mut functions: Vec<(&str, u8, otp::There)>,
    provided: &[BTreeSet<(String, String, u8)>; 2],
) -> Row {
    let mut row = Row::default();
    functions.retain(|(name, ..)| *name != "behaviour_info" && *name != "'$handle_undefined_function'");
    functions.sort_unstable_by_key(|(name, arity, _)| (*name, *arity));
    for (name, arity, there) in functions {
        let mut is_missing = false;
        for (at, release) in [Release::OLDEST, Release::NEWEST].into_iter().enumerate() {
            if there.is_in(release) {
                let is_provided = provided[at].contains(&(module.to_owned(), name.to_owned(), arity));
                row.counts[at].0 += usize::from(is_provided);
                row.counts[at].1 += 1;
                is_missing |= !is_provided;
            }
        }
        if is_missing {
            let mark = match there {
                otp::There::Always => String::new(),
                otp::There::Since(release) => format!(" ({release})"),
                otp::There::Until(release) => format!(" (not in {release})"),
            };
            row.missing.push(format!("`{name}/{arity}`{mark}"));
        }
    }
    row
}

fn page() -> String {
    let provided = [provided(Release::OLDEST), provided(Release::NEWEST)];
    let (mut rows, mut absent) = (String::new(), String::new());
    let mut all = [(0, 0); 2];
    let mut application = "";
    for otp::Exports {
        application: app,
        module,
        functions,
    } in otp::modules()
    {
        if app == "compiler" {
            continue;
        }
        let Row { counts, missing } = row(module, functions, &provided);
        if counts[0].0 + counts[1].0 == 0 && !library::MODULES.contains(&module) {
            if app != application {
                application = app;
                let _ = write!(absent, "\n- {app}:");
            }
            let _ = write!(absent, " `{module}`");
            continue;
        }
        for (all, count) in all.iter_mut().zip(counts) {
            all.0 += count.0;
            all.1 += count.1;
        }
        let [old, new] = counts.map(|(found, of)| match of {
            0 => String::new(),
            _ => format!("{found} of {of}"),
        });
        let _ = writeln!(rows, "| {app} | `{module}` | {old} | {new} | {} |", missing.join(" "));
    }
    let [(old, of_old), (new, of_new)] = all;
    format!(
        "# Library: the functions of Erlang/OTP 25 to 28\n\nMade by `system/tests/library.rs` from the natives and the modules in \
         `interpreter/lib/`, against the exports of an installed OTP 25 and of OTP 28.5 (`tests/oracle/exports.escript`, \
         `tests/oracle/since.escript`); do not edit.\n\n\
         A program sees the functions of its release (`--otp`). A number behind a missing function is the release with which it has come. \
         A call of a missing function raises `undef`, and standard error names the function once.\n\n\
         Of the functions of the modules that the tool has, {old} of {of_old} are there for programs of OTP 25, and {new} of {of_new} for \
         programs of OTP 28.\n\n\
         | application | module | OTP 25 | OTP 28 | missing |\n|---|---|---|---|---|\n{rows}\n## Modules that are missing\n{absent}\n"
    )
}

#[test]
fn the_page_of_the_library_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/library.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/library.md is out of date: BLESS=1 cargo test -p retell-system library::"
    );
}

#[test]
fn everything_exported_is_a_function_of_otp() {
    // Modules and functions of our own have a `$` in their name or are listed here, so that a program cannot accidentally depend on them.
    let own = [
        "amb",
        "linear_hash",
        "eunit_data",
        "eunit_proc",
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
        "retell_archive",
        "retell_unbuilt",
    ];
    for release in Release::ALL {
        let strange: Vec<String> = provided(release)
            .into_iter()
            .filter(|(module, name, arity)| {
                let known = || otp::known(release, module, name, *arity);
                // A behaviour goes on there after its hibernation. From OTP 28 on, that is no exported function any more.
                let wakes = matches!(name.as_str(), "wake_hib" | "wakeup_from_hibernate");
                !name.contains('$') && !own.contains(&module.as_str()) && known().is_none() && !wakes
            })
            .map(|(module, name, arity)| format!("{module}:{name}/{arity}"))
            .collect();
        assert!(strange.is_empty(), "OTP {release} has no {}", strange.join(", "));
    }
}
