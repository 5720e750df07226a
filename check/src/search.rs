//! Runs under random schedules: how often and in which ways a program fails.

use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::sync::Arc;

use causality::Gravity;
use delay::Measure;
use interpreter::vm;
use rustc_hash::FxHashMap;
use session::error::Error;
use session::{Goal, Session};
use system::answers::Answers;
use system::observer::Observer;
use system::recorder::Along;
use system::scheduler::{Schedule, Scheduler, Taken};
use system::{System, World};

use crate::answer::{CheckVerdict, Delay};
use crate::beginning::{Beginning, WayBack};
use crate::budget::{self, Budget};
use crate::choices::AbnormalEnd;
use crate::failure::{CheckFailure, EndKind, has_run, is_of_kind, kind_of, returns_a_result_by, verdict_by_kind};
use crate::listener::Listener;
use crate::missing::{AskedModules, Missing};
use crate::options::{CompiledProgram, Options};
use crate::runs::{LEAST, Runs};
use crate::tape::Tape;
use crate::tried::{Enough, Kinds, SEEDS, Tried};
use crate::universes::{Extent, Visited};

/// Limit of slices for each action of the bound: a run that takes more does not end.
const SLICES: u64 = 16;

/// A run may take at least this many slices.
const LEAST_SLICES: u64 = 200_000;

/// Nanoseconds.
const MILLISECOND: u64 = 1_000_000;

/// So many failures of the changed program are measured. After them, no more schedules are tried.
const MEASURED: u32 = 30;

/// How many steps must come in one order for the failures that schedules of random priorities look for.
const DEPTH: u32 = 3;

/// Programs with more processes run under schedules of slices only: a choice before every action would take time for each of them.
const CROWD: u64 = 500;

impl Tried {
    fn add(&mut self, (seed, kind): (u64, usize), run: RandomRun, recorded: &CheckFailure, handled: &[AbnormalEnd]) {
        self.runs = seed;
        self.by_kind[kind].0 += 1;
        for kind in run.results() {
            match self.results.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, runs)) => *runs += 1,
                None => self.results.push((kind, 1)),
            }
        }
        if let Some(found) = run.fails_as(recorded, handled) {
            self.fails += 1;
            self.by_kind[kind].1 += 1;
            self.found.get_or_insert((seed, found));
            return;
        }
        let mut counted = Vec::new();
        for other in run.failures(recorded) {
            let at = self.others.iter().position(|(_, known)| is_of_kind(&other, known));
            let at = at.unwrap_or_else(|| {
                self.others.push((seed, other));
                self.others_in.push(0);
                self.others.len() - 1
            });
            if !counted.contains(&at) {
                counted.push(at);
                self.others_in[at] += 1;
            }
        }
    }
}

/// Which program is run under random schedules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tested {
    /// The program of the trace.
    Recorded,
    /// The current program.
    Changed,
}

/// What the checks of several failures of one trace have in common.
pub(crate) struct SharedChecks {
    /// How much work they may do.
    pub budget: Budget,
    /// The modules of the project as they are now.
    compiled: OnceCell<CompiledProgram>,
    /// The recorded run, measured.
    measure: OnceCell<Option<Measure>>,
}

impl SharedChecks {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            budget: Budget::new(options.work, options.time),
            compiled: OnceCell::new(),
            measure: OnceCell::new(),
        }
    }

    pub(crate) fn forget_compiled(&mut self) {
        self.compiled = OnceCell::new();
    }
}

/// What is found out once, whatever messages are named by.
#[derive(Default)]
pub(crate) struct Searched {
    /// How much work may be done.
    pub budget: Budget,
    /// Results of random schedules, by program and by when they stopped.
    pub tried: RefCell<FxHashMap<(Tested, Enough), Tried>>,
    /// Results of visits of universes, by how far they went and the longest stall.
    pub visited: RefCell<FxHashMap<(Extent, Option<u64>), Visited>>,
    /// The least delay that was found to bring the failure back.
    pub delay: RefCell<Option<Delay>>,
    /// A delay made the test wait in vain, as it did when recorded: for so many milliseconds.
    pub patience: Cell<Option<u64>>,
    /// A random run asked for something of the outside that the record does not hold.
    pub blind: Cell<bool>,
    /// Modules that the trace has not.
    pub missing: Missing,
    /// Those that were asked for.
    pub asked: AskedModules,
    /// The check ended early, for a run had called such modules.
    pub gave_up: Cell<bool>,
    /// The project as it is now.
    pub compiled: OnceCell<CompiledProgram>,
    /// Modules of the recorded run that it no longer has.
    pub gone: RefCell<BTreeSet<String>>,
    /// Where random schedules begin, for each program.
    beginnings: RefCell<FxHashMap<Tested, Option<Beginning>>>,
    /// The recorded run, measured.
    measure: OnceCell<Option<Measure>>,
}

impl Searched {
    /// Nothing is known yet, but what was asked for, and what other checks of the trace have found out.
    pub(crate) fn after(asked: &AskedModules, shared: &mut SharedChecks) -> Self {
        Self {
            budget: std::mem::take(&mut shared.budget),
            asked: asked.clone(),
            compiled: std::mem::take(&mut shared.compiled),
            measure: std::mem::take(&mut shared.measure),
            ..Self::default()
        }
    }

    /// What the checks of other failures of the same trace begin with.
    pub(crate) fn share(&mut self) -> SharedChecks {
        SharedChecks {
            budget: std::mem::take(&mut self.budget),
            compiled: std::mem::take(&mut self.compiled),
            measure: std::mem::take(&mut self.measure),
        }
    }

    /// Has a run called modules that are not there, and that nobody has asked for yet?
    pub(crate) fn lacks_modules(&self) -> bool {
        !self.asked.not_yet(&self.missing).is_empty()
    }

    /// Where random schedules of a program begin, if that is not its start.
    fn beginning<'a>(&'a self, runs: &Runs<'_>, tested: Tested) -> Result<Option<RefMut<'a, Beginning>>, Error> {
        if !self.beginnings.borrow().contains_key(&tested) {
            let beginning = Beginning::of(runs, tested)?;
            self.beginnings.borrow_mut().insert(tested, beginning);
        }
        let all = self.beginnings.borrow_mut();
        Ok(RefMut::filter_map(all, |all| all.get_mut(&tested)?.as_mut()).ok())
    }

    /// The recorded run, measured when this is first asked. `None`: it is too long, or cannot be replayed.
    pub(crate) fn measure(&self, session: &Session) -> Option<&Measure> {
        // A trace that cannot be replayed is told of where it matters.
        let measure = || {
            let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
            Measure::ended(replay).unwrap_or_default()
        };
        self.measure.get_or_init(measure).as_ref()
    }
}

/// Does a program fail under random schedules, in the recorded way or in others? A failure is proof; its absence proves nothing.
pub(crate) fn fails_under(runs: &Runs<'_>, tested: Tested, enough: Enough) -> Result<Tried, Error> {
    let mut beginning = runs.searched.beginning(runs, tested)?;
    let mut program = match &beginning {
        Some(_) => runs.of(tested).program(),
        None => Arc::new(runs.of(tested).entry().load(runs.of(tested).sources())?),
    };
    let mut left = enough.actions();
    let mut tried = Tried::default();
    let (whose, what) = match (tested, enough) {
        (Tested::Changed, Enough::Delayed) => ("the changed", "longer delays"),
        (Tested::Changed, _) => ("the changed", "random schedules of the changed program"),
        (Tested::Recorded, _) => ("the recorded", "random schedules of the recorded program"),
    };
    let jitter = match enough {
        Enough::Delayed => runs.options.max_stall.saturating_mul(MILLISECOND),
        // As long as when recorded: a race that needs a stall is lost without one.
        _ => runs.price.map_or(0, |price| price.stall.ms.saturating_mul(MILLISECOND)),
    };
    let seeds = enough.seeds();
    let mut measured = 0;
    let (mut steps, taken) = (None, RefCell::default());
    let mut kinds = match enough {
        Enough::AFailureOf(_, kinds) => kinds,
        _ => Kinds::default(),
    };
    for seed in 1..=seeds {
        if !runs.searched.budget.allows(what) {
            break;
        }
        if enough == Enough::Often && seed % SEEDS == 1 {
            kinds = tried.kinds();
        }
        let doing = format!("running {whose} program under random schedule {seed} of at most {seeds}");
        runs.options.doing(&doing);
        let how = How {
            tested,
            left: left.min(runs.searched.budget.left()),
            seed,
            jitter,
            kind: kinds.of(seed),
            steps,
            taken: &taken,
        };
        let copy = beginning.as_mut().and_then(|beginning| beginning.copy(runs, tested));
        let (copy, from) = match copy {
            Some((copy, way)) => (Some(copy), From::There(way)),
            None => (None, From::Start(Arc::clone(&program))),
        };
        let mut run = match copy {
            Some(copy) => RandomRun::on(copy, runs, how),
            None => RandomRun::run(runs, &program, how)?,
        };
        match (&mut beginning, run.program.take()) {
            (Some(beginning), Some(loaded)) => beginning.learn(&loaded, runs.of(tested)),
            // Not if it has only new versions of what it makes itself: they would become more with each run.
            (None, Some(loaded)) if has_more_modules(&loaded, &program) => program = loaded,
            (None, Some(_)) | (_, None) => {}
        }
        // The first run that makes choices counts.
        steps = steps.or_else(|| Some(taken.take()?.so_far().steps));
        if run.lacks {
            tried.blind = true;
            break;
        }
        if run.is_endless {
            tried.endless.get_or_insert(seed);
        } else if !has_run(&run.heard, runs.failure, runs.heard) {
            tried.without_test.get_or_insert(seed);
        }
        let work = budget::work(run.actions, run.events).max(LEAST / 10);
        left = left.saturating_sub(work);
        runs.searched.budget.spend(work);
        // A run without actions takes long until the limit is reached: one is enough.
        let spins = tried.endless == Some(seed) && run.actions < runs.bound;
        if tested == Tested::Changed
            && let Some(found) = run.new_failure(runs, &tried)
        {
            if measured == MEASURED {
                break;
            }
            measured += 1;
            // It runs once more, and the record of that is replayed.
            runs.searched.budget.spend(2 * work);
            if how.is_too_dear(runs, &from, &found)? {
                run.forget();
            }
        }
        tried.add((seed, how.kind), run, runs.failure, &runs.heard.ends);
        let unrun = tested == Tested::Changed && tried.without_test.is_some();
        if left == 0 || spins || unrun || enough.is_shown_by(&tried) {
            break;
        }
    }
    Ok(tried)
}

/// Has a program loaded modules that another one has not?
pub(crate) fn has_more_modules(program: &vm::Program, than: &vm::Program) -> bool {
    program.loaded_count() > than.loaded_count()
}

/// A schedule of the kind with this number. Each kind finds races that the others miss: long slices, switches between any two actions, processes
/// that are kept waiting for long, and other orders of what races. The recorded run had so many processes, and this one has about so many steps.
fn schedule(kind: usize, processes: u64, steps: u64) -> Schedule {
    match kind {
        // They look at every process before every action.
        0 | 2 | 3 if processes > CROWD => Schedule::Random,
        0 => Schedule::Pct {
            depth: DEPTH,
            steps: steps.max(1),
        },
        1 => Schedule::Random,
        2 => Schedule::Walk,
        _ => Schedule::Pos,
    }
}

/// How a program runs under a random schedule.
#[derive(Clone, Copy)]
struct How<'s> {
    tested: Tested,
    /// How many actions may still be spent.
    left: u64,
    seed: u64,
    /// For how long anything may be held up, in nanoseconds.
    jitter: u64,
    /// The kind of schedule.
    kind: usize,
    /// How many choices a run has, if that is known: the points at which priorities change are drawn among so many.
    steps: Option<u64>,
    /// The choices of this run.
    taken: &'s RefCell<Option<Taken>>,
}

impl How<'_> {
    /// Runs a program from its start. Returns the system, and how the run ended; `None` if it did not end within its limits.
    fn run<O: Observer>(
        self,
        runs: &Runs<'_>,
        program: Arc<vm::Program>,
        observer: O,
    ) -> Result<(System<O>, Option<system::RunEnd>), Error> {
        let scheduler = (self.scheduler(runs, 0), self.seed);
        let mut system = runs.started(self.tested, program, observer, scheduler)?;
        let end = self.run_out(&mut system, runs);
        Ok((system, end))
    }

    /// Runs a program on from where it stands.
    fn run_on<O: Observer>(self, system: &mut System<O>, runs: &Runs<'_>) -> Option<system::RunEnd> {
        system.reschedule(self.scheduler(runs, system.total_actions));
        self.run_out(system, runs)
    }

    /// The schedule of a run in which so many actions have been done.
    fn scheduler(self, runs: &Runs<'_>, done: u64) -> Box<dyn Scheduler> {
        let recorded = runs.session.trace().totals();
        let actions = recorded.counts.actions.saturating_sub(done);
        let schedule = schedule(self.kind, recorded.processes, self.steps.unwrap_or(actions));
        let (scheduler, taken) = schedule.scheduler(self.seed, schedule.jitter(self.seed, self.jitter));
        self.taken.replace(taken);
        scheduler
    }

    fn run_out<O: Observer>(self, system: &mut System<O>, runs: &Runs<'_>) -> Option<system::RunEnd> {
        let slices = runs.bound.saturating_mul(SLICES).max(LEAST_SLICES);
        let slices = u32::try_from(slices).unwrap_or(u32::MAX - 1);
        system.run_for(self.bound(system, runs), slices)
    }

    /// So many actions may have been done in the end.
    fn bound(self, system: &World, runs: &Runs<'_>) -> u64 {
        runs.bound.min(self.left.saturating_add(system.total_actions))
    }

    /// Does this failure need something to be held up longer than the recorded one does? The run is made again, and recorded.
    fn is_too_dear(self, runs: &Runs<'_>, from: &From, found: &CheckFailure) -> Result<bool, Error> {
        let program = match from {
            From::Start(program) => program,
            From::There(way) => &way.program,
        };
        let tape = Tape::of(runs.of(self.tested), runs.of(self.tested).entry(), program);
        let ears = Along::new(runs.listener(self.tested), tape.recorder()?);
        let (mut system, end) = match from {
            From::Start(_) => self.run(runs, Arc::clone(program), ears)?,
            From::There(way) => {
                let mut system = way.again(runs, self.tested, ears)?;
                let end = self.run_on(&mut system, runs);
                (system, end)
            }
        };
        let deadlock = deadlocks(&system, end.as_ref());
        debug_assert!(
            match found {
                CheckFailure::End(end) => system.observer.inner.ends.contains(end),
                CheckFailure::Deadlock => deadlock,
                CheckFailure::Halt(code) => system.observer.inner.halted == Some(*code),
                CheckFailure::None => true,
            },
            "it is another run when it is recorded"
        );
        let price = runs.price_of(&tape.finish(&mut system)?, found, Tested::Changed)?;
        Ok(runs.exceeds(price, found))
    }
}

/// Where a run begins.
enum From {
    /// At the start of the program. As it was before the run: modules that are loaded first change the schedule.
    Start(Arc<vm::Program>),
    /// Where the test begins.
    There(WayBack),
}

/// Does the entry wait for ever?
fn deadlocks(system: &World, end: Option<&system::RunEnd>) -> bool {
    end == Some(&system::RunEnd::Quiescent) && system.table().by_pid(system.entry()).is_some()
}

/// A run under a random schedule, or another run without recorded choices.
pub(crate) struct RandomRun {
    heard: Listener,
    actions: u64,
    /// Counted events.
    events: u64,
    /// The entry waits for ever.
    deadlock: bool,
    /// It did not end within its limits.
    is_endless: bool,
    /// It asked for something of the outside that the record does not hold.
    lacks: bool,
    /// What it has loaded; `None`: that is not asked for.
    program: Option<Arc<vm::Program>>,
}

impl RandomRun {
    /// One that has been made. `deadlock`: the entry waits for ever.
    pub(crate) const fn of(heard: Listener, actions: u64, deadlock: bool) -> Self {
        Self {
            heard,
            actions,
            events: 0,
            deadlock,
            is_endless: false,
            lacks: false,
            program: None,
        }
    }

    /// Runs a program from its start.
    fn run(runs: &Runs<'_>, program: &Arc<vm::Program>, how: How<'_>) -> Result<Self, Error> {
        let listener = runs.listener(how.tested);
        let (system, end) = how.run(runs, Arc::clone(program), listener)?;
        Ok(Self::ended(system, end.as_ref(), (0, 0), runs, how))
    }

    /// Runs a program on from where it stands.
    fn on(mut system: System<Listener>, runs: &Runs<'_>, how: How<'_>) -> Self {
        let before = (system.total_actions, system.total_events);
        let end = how.run_on(&mut system, runs);
        Self::ended(system, end.as_ref(), before, runs, how)
    }

    /// `before`: how many actions and events there had been when it began.
    fn ended(
        system: System<Listener>,
        end: Option<&system::RunEnd>,
        before: (u64, u64),
        runs: &Runs<'_>,
        how: How<'_>,
    ) -> Self {
        let actions = system.total_actions - before.0;
        Self {
            actions,
            events: system.total_events - before.1,
            deadlock: deadlocks(&system, end),
            lacks: system.answers.as_ref().is_some_and(Answers::lacks),
            is_endless: end.is_none() && (actions < how.left || how.left >= runs.bound),
            program: Some(Arc::clone(&system.program)),
            heard: system.into_observer(),
        }
    }

    /// The recorded failure, or another one of a kind that is not known yet.
    pub(crate) fn new_failure(&self, runs: &Runs<'_>, tried: &Tried) -> Option<CheckFailure> {
        let ends = &runs.heard.ends;
        let is_known = |failure: &CheckFailure| {
            let recorded = ends
                .iter()
                .any(|end| is_of_kind(failure, &CheckFailure::End(end.clone())));
            recorded || tried.others.iter().any(|(_, known)| is_of_kind(failure, known))
        };
        self.fails_as(runs.failure, ends)
            .or_else(|| self.failures(runs.failure).find(|failure| !is_known(failure)))
    }

    /// It counts as a run without a failure.
    fn forget(&mut self) {
        self.heard.ends.clear();
        self.heard.halted = None;
        self.deadlock = false;
    }

    /// The recorded failure, if this run has it. `handled`: abnormal ends after which the recorded run continued.
    pub(crate) fn fails_as(&self, recorded: &CheckFailure, handled: &[AbnormalEnd]) -> Option<CheckFailure> {
        let ends = &self.heard.ends;
        match recorded {
            CheckFailure::End(recorded) => {
                // Prefer processes that ran the same function, else any process with such an end. Ends after the entry's are often just teardown.
                let counts = |end: &&AbnormalEnd| recorded.late || !end.late || end.does == recorded.does;
                let failed = ends.iter().filter(counts);
                let ends = |wanted| {
                    failed
                        .clone()
                        .find(|end| verdict_by_kind(end, recorded) == Some(wanted))
                };
                let end = ends(CheckVerdict::StillFails).or_else(|| ends(CheckVerdict::FailsDifferently));
                end.cloned().map(CheckFailure::End)
            }
            CheckFailure::Deadlock => {
                let is_handled = |end: &AbnormalEnd| handled.iter().any(|known| kind_of(known) == kind_of(end));
                let peaceful = |end: &AbnormalEnd| end.gravity != Gravity::Failed || is_handled(end);
                (self.deadlock && ends.iter().all(peaceful)).then_some(CheckFailure::Deadlock)
            }
            CheckFailure::Halt(code) => (self.heard.halted == Some(*code)).then_some(CheckFailure::Halt(*code)),
            CheckFailure::None => None,
        }
    }

    /// Ends that return results, each kind once.
    fn results(&self) -> Vec<EndKind> {
        let ends = self.heard.ends.iter().filter(|end| returns_a_result_by(end));
        let mut results: Vec<EndKind> = ends.map(kind_of).collect();
        results.sort();
        results.dedup();
        results
    }

    /// All failures, if none is the recorded one.
    fn failures(&self, recorded: &CheckFailure) -> impl Iterator<Item = CheckFailure> {
        // Ends after the entry's are often just teardown.
        let with_late = matches!(recorded, CheckFailure::End(recorded) if recorded.late);
        let failed = self.heard.ends.iter().cloned();
        let failed = failed.filter(move |end| end.gravity == Gravity::Failed && (with_late || !end.late));
        let halted = self.heard.halted.filter(|code| *code != 0).map(CheckFailure::Halt);
        let waits = (self.deadlock && halted.is_none()).then_some(CheckFailure::Deadlock);
        failed.map(CheckFailure::End).chain(halted).chain(waits)
    }
}
