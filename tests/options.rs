//! Options that mean the same are called the same: both command lines are compared with the table in CONTRIBUTING.md. `tracer` and `replayer` do
//! not know each other, so each includes this file in its tests.

use std::collections::{BTreeMap, BTreeSet};

/// An option of the table: its value, and the commands that have it.
type Table = BTreeMap<String, (String, BTreeSet<String>)>;

fn table() -> Table {
    let page = include_str!("../CONTRIBUTING.md");
    let after = page.split("### Options that mean the same").nth(1).unwrap();
    let rows = after
        .lines()
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let words = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
        let value = words(cells[2]).concat();
        let commands: BTreeSet<String> = words(cells[4]).into_iter().collect();
        words(cells[1])
            .into_iter()
            .map(|name| (name, (value.clone(), commands.clone())))
            .collect::<Vec<_>>()
    };
    rows.flat_map(row).collect()
}

fn names(option: &clap::Arg) -> Vec<String> {
    let long = option.get_long().map(|long| format!("--{long}"));
    let short = option.get_short().map(|short| format!("-{short}"));
    long.into_iter().chain(short).collect()
}

fn value(option: &clap::Arg) -> String {
    let takes = option.get_action().takes_values();
    let names = option.get_value_names().filter(|_| takes).unwrap_or_default();
    names.iter().map(ToString::to_string).collect()
}

/// Compares a command line with the table.
pub fn check(tool: &str, command: &clap::Command) {
    let table = table();
    assert!(table.len() > 10, "the table in CONTRIBUTING.md was found");
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for one in command.get_subcommands() {
        let name = format!("{tool} {}", one.get_name());
        let help = one.get_after_help().map(ToString::to_string).unwrap_or_default();
        if !help
            .split("\n\n")
            .last()
            .is_some_and(|last| last.starts_with("Example"))
        {
            wrong.push(format!("the help of {name} does not end with an example"));
        }
        for option in one.get_arguments().filter(|option| !option.is_positional()) {
            let value = value(option);
            if ["SECONDS", "MINUTES", "HOURS", "DAYS"].contains(&value.as_str()) {
                wrong.push(format!(
                    "{name} {:?}: a duration is a TIME with its unit",
                    names(option)
                ));
            }
            for spelled in names(option) {
                let Some((known, commands)) = table.get(&spelled) else {
                    continue;
                };
                seen.insert((spelled.clone(), name.clone()));
                if *known != value {
                    wrong.push(format!("{name} {spelled} takes {value:?}, in the table {known:?}"));
                }
                if !commands.contains(&name) {
                    wrong.push(format!("{name} has {spelled}; the table does not say so"));
                }
            }
        }
    }
    for (option, (_, commands)) in &table {
        for name in commands.iter().filter(|name| name.starts_with(&format!("{tool} "))) {
            if !seen.contains(&(option.clone(), name.clone())) {
                wrong.push(format!("{name} has no {option}; the table says so"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
