//! What the tool relies on in an Elixir: functions of its modules, by name and arity. They are asked for before it runs. An Elixir that nobody has tried
//! runs, too, and one sentence says what it lacks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use interpreter::beam::functions::{Function, functions};

use super::version::Version;

/// Something in Elixir that the tool calls or replaces (`interpreter/lib/retell_exunit.erl`, `retell_script.erl`, `retell_elixir.erl`).
struct Needed {
    module: &'static str,
    name: &'static str,
    /// The arities that Elixir 1.14 to 1.20 have: one of them is there.
    arities: &'static [u32],
    /// What is not so without it.
    without: &'static str,
}

const fn needed(module: &'static str, name: &'static str, arities: &'static [u32], without: &'static str) -> Needed {
    Needed {
        module,
        name,
        arities,
        without,
    }
}

/// The module of Elixir that asks OTP's back end for beam files. The tool has its own in its place.
pub const COMPILER: &str = "elixir_erl_compiler";

const RUNNER: &str = "Elixir.ExUnit.Runner";
const EVENTS: &str = "Elixir.ExUnit.EventManager";

const NOT_TOLD: &str = "a trace does not say where a test failed";
const NO_TESTS: &str = "`tracer test` knows no results of tests";
const NO_START: &str = "no script and no test runs";

const NEEDED: &[Needed] = &[
    needed(RUNNER, "exec_test_setup", &[2], NOT_TOLD),
    needed(RUNNER, "exec_test", &[1, 2], NOT_TOLD),
    needed(RUNNER, "receive_test_reply", &[4], NOT_TOLD),
    needed(RUNNER, "exec_on_exit", &[3], NOT_TOLD),
    needed(RUNNER, "prepare_tests", &[2, 3, 4], "`-k` does not choose tests"),
    needed(
        RUNNER,
        "run_tests",
        &[3, 4],
        "runs of a hunt have the same order of tests",
    ),
    needed(EVENTS, "test_finished", &[2], NO_TESTS),
    needed(EVENTS, "suite_finished", &[2], NO_TESTS),
    needed("Elixir.ExUnit.Formatter", "format_test_failure", &[5], NO_TESTS),
    needed(
        "Elixir.Mix.Compilers.Test",
        "require_and_run",
        &[4],
        "a test that asks mix to compile compiles again",
    ),
    needed(
        "Elixir.Mix.Utils",
        "last_modified_and_size",
        &[1],
        "mix sets back the times of files under a simulated clock",
    ),
    needed(
        "elixir_compiler",
        "is_purgeable",
        &[1, 2],
        "code of scripts may not be purged",
    ),
    needed("elixir_erl", "debug_info", &[4], "no module of it can be read"),
    needed("elixir_utils", "characters_to_list", &[1], "nothing compiles"),
    needed(
        "elixir_errors",
        "compile_error",
        &[3],
        "errors of the compiler have no words",
    ),
    needed("Elixir.Kernel.CLI", "main", &[1], NO_START),
];

/// What is not known of an installed Elixir, in one sentence; `None`: it was tried, and has everything. `folders`: those of its modules.
pub fn sentence(version: Option<&Version>, folders: &[impl AsRef<Path>]) -> Option<String> {
    let of = |module: &str| {
        let file = format!("{module}.beam");
        let found = folders.iter().map(|folder| folder.as_ref().join(&file));
        found.into_iter().find_map(|path| functions(&fs::read(path).ok()?).ok())
    };
    said(version, &lacks(&of))
}

/// What is not as it is known. `of`: the functions of a module; `None`: it is not there, or cannot be read.
fn lacks(of: &dyn Fn(&str) -> Option<Vec<Function>>) -> Vec<String> {
    let mut all = Vec::new();
    for one in NEEDED {
        let functions = of(one.module).unwrap_or_default();
        let is_there = functions
            .iter()
            .any(|(name, arity)| name == one.name && one.arities.contains(arity));
        if !is_there {
            let module = one.module.strip_prefix("Elixir.").unwrap_or(one.module);
            let arities: Vec<String> = one.arities.iter().map(u32::to_string).collect();
            let (name, arities) = (one.name, arities.join(" or /"));
            all.push(format!("it has no {module}.{name}/{arities}, so {}", one.without));
        }
    }
    // The tool has this module in its place.
    let own = own_compiler();
    let other = of(COMPILER).unwrap_or_default();
    let asked = other
        .into_iter()
        .filter(|(name, _)| OF_COMPILER.contains(&name.as_str()));
    for (name, arity) in asked.filter(|function| !own.contains(function)) {
        all.push(format!("its {} has {name}/{arity}, which is not known", COMPILER));
    }
    all
}

/// The names of what Elixir calls in the module that is replaced.
const OF_COMPILER: &[&str] = &["spawn", "forms", "noenv_forms", "erl_to_core", "env_compiler_options"];

/// The functions that the tool's own `elixir_erl_compiler` exports.
fn own_compiler() -> BTreeSet<Function> {
    let text = include_str!("../elixir_erl_compiler.erl");
    let list = text.split("-export([").nth(1).and_then(|rest| rest.split(']').next());
    let function = |one: &str| {
        let (name, arity) = one.trim().split_once('/')?;
        Some((name.to_owned(), arity.parse().ok()?))
    };
    list.unwrap_or_default().split(',').filter_map(function).collect()
}

fn said(version: Option<&Version>, lacks: &[String]) -> Option<String> {
    let is_tried = version.is_some_and(Version::is_tried);
    if is_tried && lacks.is_empty() {
        return None;
    }
    let named = version.map_or_else(|| "this Elixir".to_owned(), |version| format!("Elixir {version}"));
    let how = match is_tried {
        true => "is not as it was tried".to_owned(),
        false => format!("was not tried ({} were)", Version::TRIED),
    };
    Some(match lacks {
        [] => format!("{named} {how}; all functions that tracer calls or replaces in it are there"),
        _ => format!("{named} {how}: {}", lacks.join("; ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Option<Version> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("elixir.app"),
            format!("{{application,elixir,[{{vsn,\"{text}\"}}]}}."),
        )
        .unwrap();
        Version::of(&[folder.path()])
    }

    /// An Elixir that has everything, with the last arity that is known of each function.
    fn whole(module: &str) -> Vec<Function> {
        if module == COMPILER {
            return vec![
                ("noenv_forms".to_owned(), 3),
                ("spawn".to_owned(), 1),
                ("compile".to_owned(), 3),
            ];
        }
        let own = NEEDED.iter().filter(|one| one.module == module);
        own.map(|one| (one.name.to_owned(), *one.arities.last().unwrap()))
            .collect()
    }

    #[test]
    fn nothing_is_said_of_a_version_that_was_tried_and_has_everything() {
        assert_eq!(
            said(version("1.18.4").as_ref(), &lacks(&|module| Some(whole(module)))),
            None
        );
    }

    #[test]
    fn a_later_version_is_named_with_what_it_lacks() {
        let later = version("1.21.0-dev");
        assert_eq!(
            said(later.as_ref(), &lacks(&|module| Some(whole(module)))).unwrap(),
            "Elixir 1.21.0-dev was not tried (1.14 to 1.18 were); all functions that tracer calls or replaces in it are there"
        );
        let changed = |module: &str| {
            let mut all = whole(module);
            match module {
                RUNNER => all.retain(|(name, _)| name != "exec_test"),
                COMPILER => all.push(("forms".to_owned(), 4)),
                _ => {}
            }
            if module == RUNNER {
                all.push(("exec_test".to_owned(), 3));
            }
            Some(all)
        };
        assert_eq!(
            said(later.as_ref(), &lacks(&changed)).unwrap(),
            "Elixir 1.21.0-dev was not tried (1.14 to 1.18 were): it has no ExUnit.Runner.exec_test/1 or /2, so a trace does not say where a test \
             failed; its elixir_erl_compiler has forms/4, which is not known"
        );
        assert!(
            said(None, &lacks(&|_| None))
                .unwrap()
                .starts_with("this Elixir was not tried")
        );
    }

    /// The library replaces the functions that are asked for, and no others.
    #[test]
    fn what_is_replaced_is_asked_for() {
        let text = interpreter::library::source("retell_exunit").unwrap();
        for line in text
            .lines()
            .filter(|line| line.starts_with("hooks(") && !line.starts_with("hooks(_)"))
        {
            let module = line
                .trim_start_matches("hooks(")
                .split(')')
                .next()
                .unwrap()
                .trim_matches('\'');
            let replaced = line.split('{').skip(1).map(|part| part.split('}').next().unwrap());
            for function in replaced {
                let (name, arity) = function.split_once(", ").unwrap();
                let arity: u32 = arity.parse().unwrap();
                let is_asked = |one: &Needed| one.module == module && one.name == name && one.arities.contains(&arity);
                assert!(NEEDED.iter().any(is_asked), "{module} {function}");
            }
        }
        assert!(own_compiler().contains(&("noenv_forms".to_owned(), 3)));
    }
}
