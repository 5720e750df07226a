//! A session that moves: forward to actions, steps and lines; backward, undoing all and only the consequences; forward again.
//!
//! Its position is a consistent cut of the logs (GV21): for each process how many of its actions have been done, and for at most one process
//! how many steps beyond the last of them. Operations return what was done and undone, and why they stopped; loops are left to the callers.

pub mod arrival;
mod back;
mod bounds;
pub mod checkpoints;
pub mod free;
pub mod future;
mod go;
pub mod history;
mod known;
pub mod lines;
pub mod names;
pub mod places;
mod process;
pub mod ready;
pub mod receives;
pub mod retained;
pub mod retract;
pub mod spot;
pub mod spots;
pub mod steps;
mod suffixes;
pub mod tracker;
pub mod undo;
pub mod waiting;
pub mod written;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use interpreter::term;
use log_format::{Action, ActionId, ActionNo, Cut, Kind, Pid};
use rustc_hash::{FxHashMap, FxHashSet};
use system::feed::{Plan, Quota, Tail};
use system::ids;
use system::observer::Observer;
use system::process::Lookup;
use system::{Meter, System};

use crate::digests::DigestCheck;
use crate::doing::{self, Doing};
use crate::error::Error;
use crate::session::{Session, done};
use crate::watch::SeenEnd;
use checkpoints::{Checkpoint, Checkpoints};
use history::History;
use retained::Retained;
use tracker::Tracker;

/// On a long way, checkpoints are at least this many actions apart.
const APART: u64 = 16_384;
/// Near the current position, they are this many actions apart.
const NEAR: u64 = 256;
/// How many actions of a process are examined at once for what they need.
const STRETCH: u64 = 64;
/// Counted events that a process may run without an action before the user is asked.
pub const PATIENCE: u32 = 4_000_000;
/// A deeper stack of requests is a bug: it must be a cycle.
const DEEPEST: usize = 10_000_000;
/// On a long way, a checkpoint is made after a number of actions that is its size divided by this many bytes, so that making checkpoints takes
/// a small part of the time.
const BYTES_AN_ACTION: u64 = 100;

/// After this many slices, the time since the last check is measured, ...
const CLOCK_SLICES: u32 = 4096;
/// ... and if it is longer than this, a checkpoint is due, too.
const CHECKPOINT_AFTER: Duration = Duration::from_millis(50);

/// The fraction of the checkpoint memory for retained values: one in this many.
const RETAINED: usize = 16;

/// The default of `--checkpoint-memory`: 256 MB.
pub const CHECKPOINT_MEMORY: usize = 256 << 20;

pub use back::{Back, BackError};
pub use causality::Stretch;
pub use go::Arrival;
pub use process::{PlayedProcess, ProcessState, Variable};
pub use suffixes::Suffixes;

/// Why an operation stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Stopped {
    /// The goal is reached.
    #[default]
    Reached,
    /// The log of the process ends earlier: the process has ended, it waits, or the recording stopped there.
    EndOfLog,
    /// There is nothing earlier.
    Beginning,
    /// Beyond the log: the process waits in a receive, and the user must choose what comes.
    Waiting,
    /// Beyond the log: it has run for long without an action. It goes on when asked again.
    Running,
    /// Beyond the log: nothing can be done.
    Quiet,
    /// The program has halted with this status: beyond its log nothing comes after that.
    Halted(i64),
}

/// What an operation did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// Actions done, by process.
    pub done: Vec<Stretch>,
    /// Actions undone, by process: the roll log.
    pub undone: Vec<Stretch>,
    /// Actions dropped from the logs because the session has left these, by process; those of them that had been done are also in `undone`.
    pub dropped: Vec<Stretch>,
    /// Why it stopped.
    pub stopped: Stopped,
}

/// A process that has gone silently on beyond its last action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Silent {
    /// The process.
    pub pid: Pid,
    /// By so many steps of the interpreter.
    pub steps: u64,
}

/// The position of a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// How many actions each process has done.
    pub cut: Cut,
    /// The process that has gone on beyond its last action, if one has.
    pub steps: Option<Silent>,
}

/// How often each way to rebuild processes was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ways {
    /// Only the affected processes were rebuilt, from retained values.
    pub retained: u64,
    /// These processes and the senders of what they had received were rebuilt.
    pub remade: u64,
    /// All processes were rebuilt.
    pub whole: u64,
}

/// A session that moves. A clone shares what does not change; its system is copied when one of the two moves.
#[derive(Clone)]
pub struct Player {
    session: Session,
    history: History,
    at: Arc<Mutex<System<Tracker>>>,
    steps: Option<Silent>,
    /// Processes that had gone silently on from their last action before another one was moved: the action, and how many steps. Where they stand is
    /// right after that action; what they came to before counts as met.
    passed: FxHashMap<Pid, (u64, u64)>,
    kept: Checkpoints,
    /// The process whose messages and end are kept for display.
    subject: Option<Pid>,
    /// Are the ends of all processes kept?
    keeps_ends: bool,
    apart: u64,
    near: u64,
    /// After this many slices, is this much time gone?
    slices: (u32, Duration),
    beyond: free::Beyond,
    retained: Retained,
    ways: Ways,
    /// Counts what the systems and the checkpoints share.
    shared: Meter,
    /// Bytes that the last checkpoint took more.
    cost: usize,
    /// No checkpoints are made any more.
    settled: bool,
    /// Actions of the logs that were done so far, however often.
    replayed: u64,
}

/// A request of the stack (semantics.md §8): this process must do this many actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Request {
    pid: Pid,
    actions: u64,
}

impl Request {
    /// That this action shall be done.
    const fn up_to(action: ActionId) -> Self {
        Self {
            pid: action.pid,
            actions: action.number.0,
        }
    }
}

impl Session {
    /// A player at the beginning of the trace, with checkpoints of at most [`CHECKPOINT_MEMORY`] bytes.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn player(&self) -> Result<Player, Error> {
        Player::new(self, CHECKPOINT_MEMORY)
    }
}

impl Player {
    /// Has the program asked for something of the outside that nobody can answer?
    #[must_use]
    pub fn lacks_inputs(&self) -> bool {
        let system = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        system.answers.as_ref().is_some_and(system::answers::Answers::lacks)
    }

    /// A player at the beginning of a trace, with at most this many bytes of checkpoints.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn new(session: &Session, checkpoint_memory: usize) -> Result<Self, Error> {
        let history = History::of(Arc::clone(session.trace()), session.logs().clone());
        let shared = Meter::default();
        let mut system = fresh(session, &history, &shared)?;
        let retained = Retained::new(checkpoint_memory / RETAINED);
        system.observer.retained = retained.clone();
        Ok(Self {
            session: session.clone(),
            history,
            at: Arc::new(Mutex::new(system)),
            steps: None,
            passed: FxHashMap::default(),
            kept: Checkpoints::new(checkpoint_memory - checkpoint_memory / RETAINED, shared.clone()),
            subject: None,
            keeps_ends: false,
            apart: APART,
            near: NEAR,
            slices: (CLOCK_SLICES, CHECKPOINT_AFTER),
            beyond: free::Beyond::default(),
            retained,
            ways: Ways::default(),
            shared,
            cost: 0,
            settled: false,
            replayed: 0,
        })
    }

    /// Sets the distances between checkpoints: on a long way, and near the current position.
    #[must_use]
    pub const fn with_distances(mut self, apart: u64, near: u64) -> Self {
        self.apart = apart;
        self.near = near;
        self
    }

    /// From now on, no checkpoints are made. Those that are there serve for all that follows.
    pub const fn keep_no_more(&mut self) {
        self.settled = true;
    }

    /// The work of going to places so far: how many actions were replayed.
    #[must_use]
    pub const fn replayed(&self) -> u64 {
        self.replayed
    }

    /// Sets after how many slices, if they took this long, a checkpoint is made although no action was done.
    #[must_use]
    pub const fn with_patience(mut self, slices: u32, long: Duration) -> Self {
        self.slices = (slices, long);
        self
    }

    /// The trace and its program.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// The logs that are followed.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The number of checkpoints, and the bytes that they and the retained values take.
    #[must_use]
    pub fn checkpoints(&self) -> (usize, usize) {
        let (count, bytes) = self.kept.size();
        (count, bytes + self.retained.bytes())
    }

    /// From now on, the messages and the end of this process are kept.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn observe(&mut self, subject: Pid) -> Result<(), Error> {
        self.subject = Some(subject);
        self.change(|system| system.observer.subject = Some(subject))
    }

    /// From now on, how processes end abnormally is kept ([`Self::ends`]). To be called at the beginning.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn keep_ends(&mut self) -> Result<(), Error> {
        self.keeps_ends = true;
        self.change(|system| system.observer.keeps_ends = true)
    }

    /// Abnormal ends, in the order in which they were done, if they are kept.
    #[must_use]
    pub fn ends(&self) -> Vec<(Pid, Arc<SeenEnd>)> {
        self.look(|system| system.observer.ends.clone())
    }

    /// From now on, what is done beyond the logs is kept for [`Self::take_doings`], or no longer kept.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn keep_doings(&mut self, keeps: bool) -> Result<(), Error> {
        self.change(|system| system.observer.doings = keeps.then(Vec::new))
    }

    /// What was done beyond the logs since this was asked last, in order, if it is kept.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn take_doings(&mut self) -> Result<Vec<(Pid, Doing)>, Error> {
        self.change(|system| system.observer.doings.as_mut().map(std::mem::take).unwrap_or_default())
    }

    /// The state of a process where it stands before its next action, as [`doing::state`]. `None`: it has ended.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn state(&mut self, pid: Pid) -> Result<Option<u64>, Error> {
        if self.look(|system| !system.table().is_alive(handle(pid))) {
            return Ok(None);
        }
        self.go_up_to_choice(pid)?;
        Ok(self.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            Some(doing::state(&system.program, process))
        }))
    }

    /// Another player for the same program, which stands at this consistent cut of these logs.
    ///
    /// # Errors
    /// As [`Player::undo`].
    pub fn at_part(&self, history: History, cut: &Cut) -> Result<Self, Error> {
        let mut other = self.clone();
        other.kept.clear();
        other.history = history;
        other.beyond.known = Arc::default();
        other.beyond.known_once = Arc::new(known::KnownSignals::keeping());
        other.beyond.bounds.clear();
        other.beyond.waiting.clear();
        other.go_to_cut(cut, &[])?;
        Ok(other)
    }

    /// The same, but it keeps no checkpoints: for a way that is gone only once.
    #[must_use]
    pub fn once(&self) -> Self {
        let mut other = self.clone();
        other.kept = Checkpoints::new(0, self.shared.clone());
        other
    }

    /// Replays all that has been done, for another observer.
    ///
    /// # Errors
    /// The replay diverges.
    pub fn replay_for<O: Observer>(&self, observer: O) -> Result<O, Error> {
        let plan = Plan::new(Arc::new(self.history.clone()), Quota::Some(Arc::default()));
        let mut system = self.session.system(observer, Some(plan));
        let now = self.look(cut_of);
        for last in now.iter() {
            system.request(last.pid, last.number.0, Tail::Stop);
        }
        system.run();
        if system.total_actions < now.actions() {
            return Err(match system.stuck() {
                Some(divergence) => self.session.diverged(divergence),
                None => self.session.fault("not all that was done can be repeated".to_owned()),
            });
        }
        Ok(system.into_observer())
    }

    /// Calls `look` with the system in its current state.
    pub fn look<T>(&self, look: impl FnOnce(&System<Tracker>) -> T) -> T {
        look(&self.at.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> Position {
        Position {
            cut: self.look(cut_of),
            steps: self.steps,
        }
    }

    /// How many actions a process has done.
    #[must_use]
    pub fn done(&self, pid: Pid) -> u64 {
        self.look(|system| done(system, pid))
    }

    /// Calls `change` with the system, which is copied first if it is shared.
    fn change<T>(&mut self, change: impl FnOnce(&mut System<Tracker>) -> T) -> Result<T, Error> {
        if Arc::get_mut(&mut self.at).is_none() {
            let copy = self.copy()?;
            self.at = Arc::new(Mutex::new(copy));
        }
        match Arc::get_mut(&mut self.at) {
            Some(system) => Ok(change(system.get_mut().unwrap_or_else(PoisonError::into_inner))),
            None => Err(Error::Bug("a system of its own is shared".to_owned())),
        }
    }

    /// A copy of a system: of the current one, or of that of a checkpoint.
    fn fork(&self, system: &Mutex<System<Tracker>>) -> Result<System<Tracker>, Error> {
        let mut system = system.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = system.fork(self.session.scheduler(), self.session.loader());
        copy.ok_or_else(|| Error::Bug("a simulated outside cannot be copied".to_owned()))
    }

    /// A copy of the system in its current state.
    ///
    /// # Errors
    /// A bug of ours.
    pub fn copy(&self) -> Result<System<Tracker>, Error> {
        self.fork(&self.at)
    }

    // ---- forward -------------------------------------------------------------------------------------------------

    /// Replays exactly these additional actions: prefixes that, together with what is done, are closed under `⇒` [LPV19, controlled replay; the
    /// closure first].
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn forward_to(&mut self, prefixes: impl IntoIterator<Item = ActionId>) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        self.run_to(prefixes)?;
        let after = self.look(cut_of);
        Ok(Moved {
            done: between(&before, &after),
            ..Moved::default()
        })
    }

    /// Drops steps beyond the last action: silent steps are repeated whenever they are needed.
    fn stand_still(&mut self) -> Result<(), Error> {
        if let Some(Silent { pid, steps }) = self.steps.take() {
            self.passed.insert(pid, (self.done(pid), steps));
            let cut = self.look(cut_of);
            let base = self.kept.within(&cut, &[], &[pid]).cloned();
            self.rebuild(&cut, base)?;
        }
        Ok(())
    }

    fn run_to(&mut self, prefixes: impl IntoIterator<Item = ActionId>) -> Result<(), Error> {
        self.catch_up()?;
        let wanted: Vec<ActionId> = prefixes.into_iter().collect();
        let goal = self.change(|system| {
            let mut goal = system.total_actions;
            for &ActionId {
                pid,
                number: ActionNo(n),
            } in &wanted
            {
                let there = done(system, pid);
                if n > there {
                    goal += n - there;
                    system.request(pid, n, Tail::Stop);
                }
            }
            goal
        })?;
        let (slices, long) = self.slices;
        let first = self.look(|system| system.total_actions);
        let mut since = Instant::now();
        loop {
            let (at, copied) = self.look(|system| (system.total_actions, system.copied_bytes()));
            if at >= goal {
                break;
            }
            let bytes = self.cost + copied;
            let apart = self.apart.max(bytes as u64 / BYTES_AN_ACTION);
            let left = goal - at;
            let next = if left > 2 * apart { apart } else { left / 2 };
            let to = if next < self.near || self.settled {
                u64::MAX
            } else {
                at + next
            };
            let retains = to == u64::MAX && !self.history.has_branches() && !self.settled;
            let end = self.change(|system| {
                system.observer.retains = retains;
                system.run_for(to, slices)
            })?;
            if end.is_some() {
                break;
            }
            // A process can also compute for long without an action.
            let is_long = since.elapsed() >= long + Duration::from_nanos(bytes as u64 * 20);
            if is_long || self.look(|system| system.total_actions) >= to {
                self.keep(goal)?;
                since = Instant::now();
            }
        }
        self.replayed += self.look(|system| system.total_actions).saturating_sub(first);
        // Silent steps up to where each process stops.
        let program = self.change(|system| {
            system.run();
            Arc::clone(&system.program)
        })?;
        self.session.adopt(program);
        self.judge()?;
        for &ActionId {
            pid,
            number: ActionNo(n),
        } in &wanted
        {
            if self.done(pid) < n {
                let stuck = self.look(|system| system.stuck());
                return Err(match stuck {
                    Some(divergence) => self.session.diverged(divergence),
                    None => self
                        .session
                        .fault(format!("{pid} did {} actions instead of {n}", self.done(pid))),
                });
            }
        }
        Ok(())
    }

    fn judge(&mut self) -> Result<(), Error> {
        let damage = self.at.lock().unwrap_or_else(PoisonError::into_inner).take_damage();
        if let Some(error) = damage {
            return Err((*error).into());
        }
        if let Some(limit) = self.look(|system| system.limit().map(str::to_owned)) {
            return Err(Error::Limit(limit));
        }
        if self.look(|system| system.observer.contents.mismatch.is_some()) {
            // Reported only once.
            let contents = self.change(|system| {
                let contents = system.observer.contents.clone();
                system.observer.contents.mismatch = None;
                contents
            })?;
            contents.agree(self.session.trace())?;
        }
        match self.look(|system| system.divergence.clone()) {
            Some(divergence) => Err(self.session.diverged(divergence)),
            None => Ok(()),
        }
    }

    /// Makes a checkpoint of the current position, if there is room. `now`: the position that the session is going to.
    fn keep(&mut self, now: u64) -> Result<(), Error> {
        if self.settled || self.kept.is_off() || !self.look(|system| system.table().can_be_rebuilt()) {
            return Ok(());
        }
        // A checkpoint is a consistent cut: it contains all that its actions need.
        let open = self.change(|system| {
            let mut needs = std::mem::take(&mut system.observer.needs);
            needs.retain(|pid, n| done(system, *pid) < *n);
            let open = !needs.is_empty();
            system.observer.needs = needs;
            open
        })?;
        if open {
            return Ok(());
        }
        let before = self.kept.in_use();
        self.kept.leave(0);
        let system = self.copy()?;
        self.cost = self.kept.in_use().saturating_sub(before);
        if !self.kept.takes(self.cost + system.copied_bytes()) {
            self.kept.leave(self.cost);
            return Ok(());
        }
        let ahead = system.table().ahead().into_iter().map(ids::to_log);
        let one = Checkpoint {
            ahead: Arc::new(ahead.collect()),
            cut: Arc::new(cut_of(&system)),
            actions: system.total_actions,
            bytes: system.copied_bytes(),
            system: Arc::new(Mutex::new(system)),
        };
        self.kept.keep(one, now);
        Ok(())
    }

    /// Replays until a process has done this many actions, and replays what it waits for on demand: the stack of requests of semantics.md §8
    /// [LPV19, controlled replay]. Does the same actions as [`Player::forward_to`] with the causes.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn pull(&mut self, pid: Pid, actions: u64) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        self.request(pid, actions, true)?;
        let after = self.look(cut_of);
        Ok(Moved {
            done: between(&before, &after),
            ..Moved::default()
        })
    }

    /// `first`: what an action needs is done before the process goes on to it, so exactly its causes are done. Otherwise the process goes on as
    /// far as it can, as a user who steps expects; only what it observes of others is done first, because an observation does not wait.
    fn request(&mut self, pid: Pid, actions: u64, first: bool) -> Result<(), Error> {
        self.catch_up()?;
        let mut stack = vec![Request { pid, actions }];
        // The position of each process when something was done for it (`None`: not yet created). It has no position twice, except in a hostile
        // trace whose births or causes form a cycle.
        let mut pulled_for: FxHashSet<(Pid, Option<u64>)> = FxHashSet::default();
        while let Some(&Request { pid, actions }) = stack.last() {
            let born = self.is_born(pid);
            let there = self.done(pid);
            if born && there >= actions {
                stack.pop();
                continue;
            }
            if !born {
                let Some(spawn) = self.history.parent(pid)? else {
                    return Err(self.nobody(pid)?);
                };
                if !pulled_for.insert((pid, None)) {
                    let what = format!("{pid} is not born of {spawn}");
                    return Err(self.session.fault(what));
                }
                stack.push(Request {
                    pid: spawn.pid,
                    actions: spawn.number.0,
                });
                continue;
            }
            // Nothing is missing so far.
            let mut clear = there;
            let mut missing = Vec::new();
            for entry in self.history.stretch(pid, there, actions.min(there + STRETCH))? {
                let waits_by_itself = !matches!(entry.action.kind, Kind::Observe { of: Some(_), .. });
                if first || !waits_by_itself {
                    missing = self.missing(&entry.action)?;
                    if !missing.is_empty() {
                        break;
                    }
                }
                clear = entry.number;
            }
            if clear > there {
                self.change(|system| {
                    system.request(pid, clear, Tail::Stop);
                    system.run();
                })?;
                self.judge()?;
                if self.look(|system| system.observer.reached) {
                    return Ok(());
                }
                if self.done(pid) > there {
                    continue;
                }
                let action = self.history.action(pid, there + 1)?;
                missing = self.missing(&action)?;
            }
            if missing.is_empty() || stack.len() > DEEPEST || !pulled_for.insert((pid, Some(there))) {
                return Err(match self.look(|system| system.stuck()) {
                    Some(divergence) => self.session.diverged(divergence),
                    None => self
                        .session
                        .fault(format!("{pid} cannot go on to its action {actions}")),
                });
            }
            stack.extend(missing);
        }
        Ok(())
    }

    /// By how many steps a process has gone silently on beyond its last action.
    fn steps_of(&self, pid: Pid) -> u64 {
        let ahead = self.steps.filter(|ahead| ahead.pid == pid);
        ahead.map_or(0, |ahead| ahead.steps)
    }

    fn is_born(&self, pid: Pid) -> bool {
        self.look(|system| system.table().find(handle(pid)) != Lookup::Unborn)
    }

    /// What an action needs and what has not been done: the send of its message, the write of a version, what it observes.
    fn missing(&self, action: &Action) -> Result<Vec<Request>, Error> {
        let mut needed = Vec::new();
        if let Some(tag) = action.kind.consumed()
            && let Some(send) = self.history.find_send(tag)?
        {
            needed.push(Request::up_to(send));
        }
        // Number 0 is the birth.
        needed.extend(action.read_from().map(Request::up_to));
        needed.retain(|request| self.done(request.pid) < request.actions || !self.is_born(request.pid));
        Ok(needed)
    }

    // ---- backward ------------------------------------------------------------------------------------------------

    /// Undoes these actions and all their consequences, and nothing else.
    ///
    /// # Errors
    /// The trace is damaged; what is replayed diverges.
    pub fn undo(&mut self, targets: &[ActionId]) -> Result<Moved, Error> {
        self.stand_still()?;
        let now = self.look(cut_of);
        let targets: Vec<ActionId> = targets
            .iter()
            .copied()
            .filter(|one| one.number.0 > 0 && now.contains(*one))
            .collect();
        if targets.is_empty() {
            return Ok(Moved {
                stopped: Stopped::Beginning,
                ..Moved::default()
            });
        }
        // The target processes must be right after their last remaining action.
        let mut left = now.clone();
        for one in &targets {
            left.set(one.pid, (one.number.0 - 1).min(left.get(one.pid)));
        }
        let standing: Vec<Pid> = targets.iter().map(|one| one.pid).collect();
        let base = self.kept.within(&left, &targets, &standing).cloned();
        let taken_back = self.retract(&targets, &now, base.as_ref())?;
        self.beyond.waiting.clear();
        let is_there = taken_back.is_some();
        let undone = match taken_back {
            Some(undone) => undone,
            None => {
                let none = Cut::default();
                let before = base.as_ref().map_or(&none, |one| one.cut.as_ref());
                undo::undone(&self.history, before, &now, targets.iter().copied())?
            }
        };
        let goal = undone.left_of(&now);
        self.passed.retain(|pid, (actions, _)| goal.get(*pid) >= *actions);
        if !is_there {
            self.ways.whole += 1;
            let base = self.standing_base(&goal, undone.starts().map(|start| start.pid));
            self.rebuild(&goal, base)?;
        }
        Ok(Moved {
            done: Vec::new(),
            undone: between(&goal, &now),
            dropped: Vec::new(),
            stopped: Stopped::Reached,
        })
    }

    /// The nearest checkpoint within a cut in which these processes have not gone on silently: they must be right after their last remaining
    /// action.
    fn standing_base(&self, goal: &Cut, pids: impl Iterator<Item = Pid>) -> Option<Checkpoint> {
        let pids: Vec<Pid> = pids.collect();
        self.kept.within(goal, &[], &pids).cloned()
    }

    /// Goes to any consistent cut, from the nearest checkpoint within it; these processes are then right after their last action in it.
    ///
    /// # Errors
    /// As [`Player::undo`].
    pub fn go_to_cut(&mut self, goal: &Cut, standing: &[Pid]) -> Result<(), Error> {
        self.steps = None;
        self.passed.retain(|pid, (actions, _)| goal.get(*pid) >= *actions);
        let base = self.kept.within(goal, &[], standing).cloned();
        self.rebuild(goal, base)
    }

    fn rebuild(&mut self, goal: &Cut, base: Option<Checkpoint>) -> Result<(), Error> {
        let none = Cut::default();
        let before = base.as_ref().map_or(&none, |one| one.cut.as_ref());
        self.beyond.waiting.clear();
        let mut system = self.beside(base.as_ref())?;
        system.observer.subject = self.subject;
        if self.history.has_branches() {
            system.observer.contents = DigestCheck::default();
        }
        self.at = Arc::new(Mutex::new(system));
        // A checkpoint may be older than the logs.
        self.beyond.stale = self.history.has_branches();
        self.run_to(goal.besides(before))
    }
}

/// A system in which nothing has been done and nothing is requested.
fn fresh(session: &Session, history: &History, shared: &Meter) -> Result<System<Tracker>, Error> {
    let plan = Plan::new(Arc::new(history.clone()), Quota::Some(Arc::default()));
    let mut tracker = Tracker::new(session.sources().clone());
    tracker.contents = DigestCheck::of(session.digests()?);
    let mut system = session.system(tracker, Some(plan));
    system.count_shared(shared);
    Ok(system)
}

/// How many actions each process of a system has done.
#[must_use]
pub fn cut_of(system: &System<Tracker>) -> Cut {
    system.table().cut()
}

/// The actions between two cuts, by process.
#[must_use]
pub fn between(before: &Cut, after: &Cut) -> Vec<Stretch> {
    after
        .besides(before)
        .filter_map(|ActionId { pid, number: last }| {
            let first = ActionNo(before.get(pid) + 1);
            (first <= last).then_some(Stretch { pid, first, last })
        })
        .collect()
}

/// The pid as the system knows it.
#[must_use]
pub const fn handle(pid: Pid) -> term::Pid {
    term::Pid::new(0, pid.0)
}
