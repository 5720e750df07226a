//! `docs/library.md` lists the functions of OTP's libraries that are available. It is made from the natives and the modules written in Erlang;
//! `BLESS=1 cargo test -p retell-system library::` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use interpreter::atom::Atom;
use interpreter::native::{CodeInfo as _, Native, RETIRED};
use interpreter::vm::Program;
use interpreter::{library, otp};
use syntax::{IncludeKind, Included, Includes, Language, Options, Release};

struct NoFiles;

impl Includes for NoFiles {
    fn read(&self, _: IncludeKind, name: &str, _: &str) -> Result<Included, String> {
        let (application, path) = name.split_once('/').ok_or("no such header")?;
        library::header(application, path)
            .map(|text| Included {
                name: name.to_owned(),
                text: text.as_bytes().into(),
            })
            .ok_or_else(|| "no such header".to_owned())
    }
}

/// Everything that programs of a release can call: natives, and the exports of the modules written in Erlang.
fn provided(release: Release) -> BTreeSet<(String, String, u8)> {
    let program = Program::new(&[system::natives::NATIVES]).of_release(release);
    let is_there = |n: &&Native| program.is_native(Atom::new(n.module), Atom::new(n.name), n.arity);
    let options = Options {
        language: Language::of(release),
        ..Options::default()
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

fn page() -> String {
    let release = Release::OLDEST;
    let provided = provided(release);
    let (mut rows, mut absent) = (String::new(), String::new());
    let (mut have, mut total) = (0, 0);
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
        let functions = functions.into_iter().filter(|(_, _, there)| there.is_in(release));
        let mut functions: Vec<_> = functions
            .map(|(name, arity, _)| (name, arity))
            .filter(|(name, _)| *name != "behaviour_info" && *name != "'$handle_undefined_function'")
            .collect();
        functions.sort_unstable();
        let missing: Vec<String> = functions
            .iter()
            .filter(|(name, arity)| !provided.contains(&(module.to_owned(), (*name).to_owned(), *arity)))
            .map(|(name, arity)| format!("`{name}/{arity}`"))
            .collect();
        let found = functions.len() - missing.len();
        if found == 0 && !library::MODULES.contains(&module) {
            if app != application {
                application = app;
                let _ = write!(absent, "\n- {app}:");
            }
            let _ = write!(absent, " `{module}`");
            continue;
        }
        have += found;
        total += functions.len();
        let _ = writeln!(
            rows,
            "| {app} | `{module}` | {found} of {} | {} |",
            functions.len(),
            missing.join(" ")
        );
    }
    format!(
        "# Library: the functions of Erlang/OTP 25\n\nMade by `system/tests/library.rs` from the natives and the modules in \
         `interpreter/lib/`, against the exports of an installed OTP 25 (`tests/oracle/exports.escript`); do not edit.\n\n\
         A call of a missing function raises `undef`, and standard error names the function once.\n\n\
         {have} of {total} functions of the modules that the tool has.\n\n\
         | application | module | functions | missing |\n|---|---|---|---|\n{rows}\n## Modules that are missing\n{absent}\n"
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
        "linear_hash",
        "eunit_data",
        "eunit_proc",
        "retell_beam",
        "retell_config",
        "retell_elixir",
        "retell_hooks",
        "retell_made",
        "retell_path",
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
