//! `docs/effects.md` is made from the registrations of the natives; `BLESS=1 cargo test -p retell-system effects::` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use interpreter::native::{Implementation, NativeClass, RETIRED};
use interpreter::vm::Program;

/// Class, action and dependencies, described for readers.
fn meaning(class: NativeClass) -> (&'static str, &'static str, &'static str) {
    match class {
        NativeClass::Pure => ("pure", "none: computed again in replay", "the process's own state"),
        NativeClass::Access => (
            "access",
            "`read(r, k)`, `write(r, k)`: accesses of one action",
            "a read: the action that wrote the version read; a blind write: nothing",
        ),
        NativeClass::Observe => (
            "observe",
            "`observe(q/n, v)`: the value is logged",
            "the last action of the observed process",
        ),
        NativeClass::Drop => (
            "drop",
            "`drop(ℓ)`, `drop(none, v)`: the answer is logged",
            "the send of the dropped signal",
        ),
        NativeClass::Input => ("input", "`input(v)`: the value is logged", "nothing in the program"),
        NativeClass::Output => ("output", "`output(dev)`", "nothing but its process"),
        NativeClass::Effect => (
            "effect on other processes",
            "`send(ℓ)`, `spawn(q)`, `halt`, or accesses with sends",
            "its process; a name used as destination is a read",
        ),
    }
}

fn table() -> String {
    let program = Program::new(&[system::natives::NATIVES]);
    let mut by_class: BTreeMap<&str, (NativeClass, BTreeMap<String, Vec<String>>)> = BTreeMap::new();
    for native in program.natives().filter(|native| native.version != RETIRED) {
        let entry = by_class
            .entry(meaning(native.class).0)
            .or_insert_with(|| (native.class, BTreeMap::new()));
        entry
            .1
            .entry(native.module.to_owned())
            .or_default()
            .push(format!("{}/{}", native.name, native.arity));
        assert!(
            native.class == NativeClass::Pure || matches!(native.run, Implementation::System(_)),
            "{}:{}/{} is not pure, so the system layer has to carry it out",
            native.module,
            native.name,
            native.arity
        );
    }
    let mut out = String::from(
        "# Effects: what each native does to the log\n\nMade by `system/tests/effects.rs` from the registrations of the natives; do not edit.\n\n\
         The classes are those of the closing rule ([semantics](semantics.md), section 1). Library functions written in Erlang are made of these.\n",
    );
    for (word, (class, modules)) in by_class {
        let (_, action, dependencies) = meaning(class);
        let _ = write!(out, "\n## {word}\n\nAction: {action}. Depends on: {dependencies}.\n\n");
        for (module, mut names) in modules {
            names.sort();
            names.dedup();
            let _ = writeln!(
                out,
                "- `{module}`: {}",
                names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" ")
            );
        }
    }
    out
}

#[test]
fn the_table_of_effects_is_true_to_the_registrations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/effects.md");
    let table = table();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == table,
        "docs/effects.md is out of date: BLESS=1 cargo test -p retell-system effects::"
    );
}
