//! `--runs N`: what comes before the first test of a module runs once, and the runs continue copies of that, as those of a hunt do (`hunt::once`). Some
//! runs begin at the start all the same: a race can be there.

use std::sync::Arc;
use std::time::Instant;

use log_format::{RunEnd, Trace};
use system::scheduler::Schedule;

use super::Keep;
use super::case::{Case, ModuleRun};
use super::find::Unit;
use super::one::{Runner, rest};
use crate::error::HuntError;
use crate::execute;
use crate::exit::Exit;
use crate::hunt::failure::Rules;
use crate::hunt::once::{Bounds, Prey, Ran, RunKind};
use crate::hunt::plan::{Plan, Took};
use crate::options::Running;
use crate::report::tell;

/// The runs of a module.
pub struct Copies<'a> {
    runner: &'a Runner<'a>,
    unit: &'a Unit,
    /// The options, with the seed of the first run.
    running: Running,
    seed: u64,
    prey: Prey,
    plan: Plan,
}

/// How a run was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// Its seed.
    pub seed: Option<u64>,
    /// Its schedule, unless it is the one that was typed.
    pub schedule: Option<Schedule>,
}

/// What came of a run.
pub enum Outcome {
    /// Its tests.
    Ran(Box<ModuleRun>, Made),
    /// It failed as a copy, and does not fail from its start: it found what an earlier run had left. Now all runs begin at their start, and those so far
    /// say nothing.
    BeginAnew,
}

impl<'a> Copies<'a> {
    /// `Err`: the run that says why there can be none.
    pub fn new(runner: &'a Runner<'a>, unit: &'a Unit, seed: u64) -> Result<Self, Box<ModuleRun>> {
        let running = Running {
            seed: Some(seed),
            ..runner.args.running.clone()
        };
        let running = runner.alive(unit, &running).unwrap_or(running);
        let mut run = ModuleRun::of(unit);
        let named = running.node().is_some() && runner.args.running.node().is_none();
        let Some((loaded, private)) = runner.loaded(unit, named, &mut run) else {
            return Err(Box::new(run));
        };
        let facts = execute::facts(&loaded, &runner.args.recording, &running, runner.command);
        let bounds = Bounds {
            time: running.max_time,
            processes: running.max_processes,
            memory: running.most_memory(),
            schedulers: running.schedulers,
            steps: u32::MAX,
            jitter: running.jitter,
            delivery: running.delivery,
            exit_with_entry: rest().exit_with_entry,
            arguments: Vec::new(),
        };
        let stop = Arc::clone(&runner.signals.interrupted);
        let prey = Prey::new(loaded, facts, bounds, Rules::default(), stop, private);
        if runner.args.from_start {
            prey.give_up_copies();
        }
        Ok(Self {
            runner,
            unit,
            running,
            seed,
            prey,
            plan: Plan::default(),
        })
    }

    /// The seed and the schedule of a run, from 1.
    fn schedule(&self, number: u64) -> (Schedule, u64) {
        let own = self.seed.wrapping_add(number - 1);
        let schedule = self.running.schedule();
        let begins_at_test = match number.checked_sub(2) {
            None => true,
            Some(turn) => !self.plan.turn(turn).1,
        };
        match begins_at_test && !self.prey.has_given_up() && schedule.at_test().is_none() {
            // What comes before the test is that of the first run, with its seed.
            true => (schedule.since_test(own), self.seed),
            false => (schedule, own),
        }
    }

    /// Makes a run, from 1. Its trace is kept if it is a new one of those that are to be.
    pub fn run(&mut self, number: u64, is_new: impl Fn(&ModuleRun) -> bool) -> Outcome {
        let began = Instant::now();
        let (schedule, seed) = self.schedule(number);
        let made = Made {
            seed: Some(seed),
            schedule: schedule.at_test().is_some().then(|| schedule.clone()),
        };
        let mut run = ModuleRun::of(self.unit);
        if let Err(error) = self.made(number, &schedule, seed, &mut run, &is_new) {
            match error {
                Trouble::Left => return Outcome::BeginAnew,
                Trouble::Own(error) => run.lost = Some(error.to_string()),
            }
        }
        run.seconds = began.elapsed().as_secs_f64();
        Outcome::Ran(Box::new(run), made)
    }

    fn made(
        &mut self,
        number: u64,
        schedule: &Schedule,
        seed: u64,
        run: &mut ModuleRun,
        is_new: &dyn Fn(&ModuleRun) -> bool,
    ) -> Result<(), Trouble> {
        let ran = self.once(schedule, seed, RunKind::default())?;
        if number == 1 {
            let steps = ran.made.as_ref().map(|made| made.steps);
            let took = Took { steps, work: ran.work };
            self.plan = Plan::after(Some(took), self.prey.has_beginning());
        }
        self.judge(run, &ran)?;
        if ran.stopped || !is_new(run) {
            return Ok(());
        }
        if ran.is_copy && run.has_failed() && !self.fails_from_start(schedule, seed, run)? {
            self.prey.give_up_copies();
            tell(&format!(
                "{}: a run that began where the test does failed, and from its start it does not: it found what an earlier run had left, such as a \
                 file; so now every run begins at its start",
                run.module
            ));
            return Err(Trouble::Left);
        }
        if self.runner.args.keep == Keep::None || !self.runner.records {
            return Ok(());
        }
        let whole = match ran.is_whole {
            true => None,
            false => Some(self.once(schedule, seed, RunKind::WHOLE)?),
        };
        let kept = match whole {
            Some(whole) if whole.is_as(&ran)? => whole,
            _ => ran,
        };
        match kept.write(&self.runner.args.traces, &run.module) {
            Ok(path) => run.trace = Some(path),
            Err(error) => run.lost = Some(error.to_string()),
        }
        Ok(())
    }

    fn once(&self, schedule: &Schedule, seed: u64, kind: RunKind) -> Result<Ran, HuntError> {
        let words = self.runner.command.iter();
        let command = words.map(|word| word.to_string_lossy().into_owned()).collect();
        self.prey.run_within(u32::MAX, schedule, seed, command, kind)
    }

    /// What a run says of its tests.
    fn judge(&self, run: &mut ModuleRun, ran: &Ran) -> Result<(), HuntError> {
        self.runner.judge(run, &ran.verdict, ran.told.clone());
        if matches!(ran.verdict.run, RunEnd::Interrupted(_)) {
            run.exit = Exit::Interrupted;
        }
        run.does_not_compile |= self.prey.broken().is_some();
        if run.has_failed() {
            run.shape(&Trace::from_bytes(ran.trace.clone())?);
        }
        Ok(())
    }

    /// Do the same tests fail if the run continues no copy?
    fn fails_from_start(&self, schedule: &Schedule, seed: u64, run: &ModuleRun) -> Result<bool, HuntError> {
        let ran = self.once(schedule, seed, RunKind::AFRESH)?;
        let mut again = ModuleRun::of(self.unit);
        self.judge(&mut again, &ran)?;
        let failed = |run: &ModuleRun| -> Vec<(String, String)> {
            let failed = run.cases.iter().filter(|case| case.has_failed());
            failed
                .map(|case: &Case| (case.name.clone(), case.reason.clone()))
                .collect()
        };
        Ok(ran.stopped || failed(&again) == failed(run))
    }
}

/// Why a run says nothing.
enum Trouble {
    /// It found what an earlier run had left.
    Left,
    /// Our own fault.
    Own(HuntError),
}

impl From<HuntError> for Trouble {
    fn from(error: HuntError) -> Self {
        Self::Own(error)
    }
}
