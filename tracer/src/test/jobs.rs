//! The runs of all modules, one after the other or several at the same time.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use log_format::Memory;

use super::case::ModuleRun;
use super::one::{Printing, Runner};
use super::{Keep, show};

/// Runs each module once.
pub fn all(runner: &Runner<'_>) -> Vec<ModuleRun> {
    let units = runner.found.units.len();
    let shown = Shown {
        runner,
        progress: show::Progress::new(units as u64, runner.args.quiet),
        order: Mutex::new(Order::default()),
    };
    let next = AtomicUsize::new(0);
    let jobs = runner.args.jobs.clamp(1, units.max(1));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = runner.found.units.get(number) else {
                return;
            };
            if runner.signals.interrupted.load(Ordering::Relaxed) {
                return;
            }
            shown.progress.at(&unit.module);
            let kept = match runner.args.keep {
                Keep::Failed => |run: &ModuleRun| run.has_failed(),
                Keep::All => |_: &ModuleRun| true,
                Keep::None => |_: &ModuleRun| false,
            };
            // Of several at the same time, each is shown as a whole.
            let printed = (jobs > 1).then(Memory::default);
            let run = runner.run_into(printed.clone(), unit, &runner.args.running, kept);
            shown.take(number, run, printed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    shown
        .order
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .finished(shown.runner)
}

/// Shows the runs in the order of their modules.
struct Shown<'a> {
    runner: &'a Runner<'a>,
    progress: show::Progress,
    order: Mutex<Order>,
}

/// Runs that have been shown, and those that have ended and wait for an earlier one, by their numbers.
#[derive(Default)]
struct Order {
    runs: Vec<ModuleRun>,
    waiting: std::collections::BTreeMap<usize, (ModuleRun, Option<Memory>)>,
}

impl Shown<'_> {
    fn take(&self, number: usize, run: ModuleRun, printed: Option<Memory>) {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.done();
        order.waiting.insert(number, (run, printed));
        while let Some((run, printed)) = {
            let next = order.runs.len();
            order.waiting.remove(&next)
        } {
            show(self.runner, &run, printed);
            order.runs.push(run);
        }
    }
}

impl Order {
    /// All runs. If there was an interruption, an earlier one may be missing.
    fn finished(mut self, runner: &Runner<'_>) -> Vec<ModuleRun> {
        for (run, printed) in std::mem::take(&mut self.waiting).into_values() {
            show(runner, &run, printed);
            self.runs.push(run);
        }
        self.runs
    }
}

fn show(runner: &Runner<'_>, run: &ModuleRun, printed: Option<Memory>) {
    if let Some(printed) = printed {
        let text = printed.take();
        // A closed pipe ends no test.
        let _closed = match runner.printing {
            Printing::PlainAside | Printing::VerboseAside => std::io::stderr().write_all(&text),
            Printing::Plain | Printing::Verbose => std::io::stdout().write_all(&text),
            Printing::Silent => Ok(()),
        };
    }
    if !runner.args.quiet {
        show::after(run, runner);
    }
}
