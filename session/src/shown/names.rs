//! ProcessNames of processes for people, and what processes printed.

use log_format::Pid;
use rustc_hash::FxHashSet;
use system::{System, ids};

use crate::called::{ProcessName, ProcessNames};
use crate::view::Printed;
use crate::watch::{Output, Watcher};
use crate::words::LocalFunction;
use crate::words::safe;

/// Takes the printed output of all processes out of the system, by pid.
pub fn outputs(system: &mut System<Watcher>) -> Vec<(Pid, Output)> {
    let told = system.observer.told.iter();
    let living: Vec<_> = told.filter_map(|pid| system.log(*pid)).cloned().collect();
    for watch in &living {
        system.observer.take(watch);
    }
    let mut all = std::mem::take(&mut system.observer.outputs);
    all.sort_by_key(|(pid, _)| *pid);
    all
}

/// The processes that are named in actions and output: those that acted, and their peers.
pub fn shown_pids(system: &System<Watcher>, outputs: &[(Pid, Output)]) -> FxHashSet<Pid> {
    let seen = &system.observer.seen;
    let acted = seen.iter().flat_map(|(one, seen)| [Some(one.pid), seen.peer]);
    acted.flatten().chain(outputs.iter().map(|(pid, _)| *pid)).collect()
}

/// For each process, its registered name or the function that it runs.
pub fn names(system: &System<Watcher>) -> ProcessNames {
    name(system, system.table().iter())
}

/// As [`names`], for some processes only: there may be very many.
pub fn names_of(system: &System<Watcher>, wanted: &FxHashSet<Pid>) -> ProcessNames {
    let wanted = wanted.iter();
    name(
        system,
        wanted.filter_map(|pid| system.table().by_pid(interpreter::term::Pid::new(0, pid.0))),
    )
}

fn name<'s>(
    system: &'s System<Watcher>,
    processes: impl Iterator<Item = &'s system::process::Process>,
) -> ProcessNames {
    let mut names: ProcessNames = system.observer.labels.clone();
    for (pid, test) in &system.observer.tests {
        if let Some(test) = system.texts().get(test.0 as usize) {
            names.insert(*pid, ProcessName::of_test(test));
        }
    }
    for p in processes {
        let (module, function, arity) = p.initial_call;
        let pid = ids::to_log(p.pid);
        match p.rare.names.first() {
            Some(name) if !system.observer.tests.contains_key(&pid) => {
                names.insert(pid, ProcessName::registered(name.as_str()));
            }
            _ => {
                names.entry(pid).or_insert_with(|| {
                    let called = || {
                        let name = format!("{}/{arity}", function.as_str());
                        ProcessName::of_function(LocalFunction::of(&name, system.program.terms()))
                    };
                    let started = crate::watch::started(&p.machine);
                    let by_library = started.is_some() || module.as_str() == crate::watch::TASKS;
                    let runs = by_library
                        .then(|| crate::watch::runs(&p.machine, &system.program))
                        .flatten();
                    runs.unwrap_or_else(called)
                });
            }
        }
    }
    names
}

/// The printed output for display, with the names of the processes.
#[must_use]
pub fn printed(outputs: Vec<(Pid, Output)>, names: &ProcessNames) -> Vec<Printed> {
    let view = |(pid, output): (Pid, Output)| {
        let text = String::from_utf8_lossy(&output.kept);
        Printed {
            pid: pid.to_string(),
            name: names.get(&pid).cloned(),
            bytes: output.total,
            left_out: output.total - output.kept.len() as u64,
            text: text.lines().map(|line| safe(line) + "\n").collect(),
        }
    };
    outputs.into_iter().map(view).collect()
}
