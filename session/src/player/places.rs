//! Steps, lines and conditions: forward by running a process and replaying causes on demand, backward by replaying the way there.

use std::sync::Arc;

use interpreter::heap::Fragment;
use interpreter::vm;
use log_format::{ActionId, Cut, Kind, Pid, Tag};
use rustc_hash::FxHashMap;
use system::System;
use system::feed::Tail;
use system::process::{Label, Lookup};

use super::checkpoints::Checkpoint;
use super::free::Choice;
use super::tracker::{Sought, StopCondition, Tracker, Visit, WaySearch};
use super::{Moved, PATIENCE, Player, Silent, Stopped, between, cut_of, handle};
use crate::error::Error;
use crate::predicate::{Own, Predicate, Scope};
use crate::program::Sources;
use crate::session::done;
use crate::value::Value;
use crate::watch::SeenEnd;

/// A process runs at most this many actions before its progress is checked.
const AT_ONCE: u64 = 4096;

/// Where a process stands: its innermost activation in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandingPlace {
    /// The place.
    pub place: crate::view::SourcePlace,
    /// How many activations there are up to this one.
    pub depth: usize,
    /// Its variables.
    pub variables: Vec<(String, Value)>,
}

/// How far a step to another line reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Also into functions that are called.
    Into,
    /// Over them: in the same activation, or, if it has returned, in its callers.
    Over,
    /// Out of the activation: in its callers.
    Out,
}

/// The steps of a process between its actions, from the `from`-th action on.
#[derive(Debug, Default)]
struct Stretches {
    from: u64,
    steps: Vec<u64>,
}

impl Player {
    /// Runs a process for this many steps: to the next expression on another line, into or out of a function of the program, or an action.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn step(&mut self, pid: Pid, steps: u64) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let stopped = self.walk(pid, &StopCondition::Steps(steps.max(1)))?;
        self.moved(&before, stopped)
    }

    /// Runs a process for this many steps in the modules of the program; steps in library functions are skipped.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn step_over(&mut self, pid: Pid, steps: u64) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let stopped = self.walk(pid, &StopCondition::Own(steps.max(1)))?;
        self.moved(&before, stopped)
    }

    /// Runs a process to the next line of the program's own modules: any, or one of the same activation or its callers, or one of its callers. A
    /// call in last place takes the place of its caller.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn next_line(&mut self, pid: Pid, reach: Reach) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let stopped = self.walk(pid, &StopCondition::Depth(self.reached_from(pid, reach)))?;
        self.moved(&before, stopped)
    }

    /// The same, backward: to the last such line before this one. If there is none, the session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn last_line(&mut self, pid: Pid, reach: Reach) -> Result<Moved, Error> {
        let most = self.reached_from(pid, reach);
        self.back_to_past(pid, &Sought::Depth(most))
    }

    /// The depth of the stack at which the activations begin that are reached from here.
    fn reached_from(&self, pid: Pid, reach: Reach) -> usize {
        if reach == Reach::Into {
            return usize::MAX;
        }
        let sources = self.session.sources();
        let here = self.look(|system| {
            let process = system.table().by_pid(handle(pid))?;
            let lines = process.machine.stack_lines(&system.program, |file| sources.owns(file));
            lines.first().map(|(depth, _)| *depth)
        });
        match (here, reach) {
            (Some(depth), Reach::Out) => depth.saturating_sub(1),
            (Some(depth), _) => depth,
            (None, _) => usize::MAX,
        }
    }

    /// Runs until a process is about to evaluate a line for the `count`-th time from here, and the condition, if any, holds.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn to_line(
        &mut self,
        pid: Pid,
        file: &Arc<str>,
        line: u32,
        count: u64,
        mut when: Option<&mut Predicate>,
    ) -> Result<Moved, Error> {
        let before = self.look(cut_of);
        let stop = StopCondition::Line {
            file: Arc::clone(file),
            line,
        };
        let mut left = count.max(1);
        loop {
            let stopped = self.walk(pid, &stop)?;
            if stopped != Stopped::Reached {
                return self.moved(&before, stopped);
            }
            let holds = match when.as_deref_mut() {
                Some(condition) => condition.holds(&self.scope(pid))?,
                None => true,
            };
            left -= u64::from(holds);
            if left == 0 {
                return self.moved(&before, Stopped::Reached);
            }
        }
    }

    /// Runs, action by action, to the next action of a process that is of this kind (if one is given), whose message matches, and at which the
    /// condition holds.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn to_action(
        &mut self,
        pid: Pid,
        kind: Option<&str>,
        mut pattern: Option<&mut Predicate>,
        mut when: Option<&mut Predicate>,
    ) -> Result<Moved, Error> {
        self.stand_still()?;
        let before = self.look(cut_of);
        self.observe(pid)?;
        let length = self.history.length(pid)?.unwrap_or(0);
        while self.done(pid) < length {
            let n = self.done(pid) + 1;
            self.change(|system| system.observer.message = None)?;
            self.request(pid, n, true)?;
            let action = self.history.action(pid, n)?;
            if kind.is_some_and(|kind| action.kind.word() != kind) {
                continue;
            }
            let matches = match pattern.as_deref_mut() {
                None => true,
                Some(pattern) => {
                    let message = self.look(|system| system.observer.message.clone());
                    message.is_some_and(|(number, message)| number == n && pattern.matches(&message))
                }
            };
            let holds = match when.as_deref_mut() {
                None => true,
                Some(condition) => condition.holds(&self.scope(pid))?,
            };
            if matches && holds {
                return self.moved(&before, Stopped::Reached);
            }
        }
        self.moved(&before, Stopped::EndOfLog)
    }

    /// Replays the whole run to find the processes that get to a line, each for the `count`-th time. The session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn visits(&self, file: &Arc<str>, line: u32, count: u64) -> Result<Vec<Visit>, Error> {
        let mut all = Self::new(&self.session, 0)?;
        all.change(|system| {
            let stop = StopCondition::Anyone {
                file: Arc::clone(file),
                line,
                count,
            };
            system.observer.watch(None, stop);
        })?;
        let trace = self.session.trace();
        let ends: Vec<ActionId> = trace
            .processes()
            .map(|process| process.map(|process| ActionId::new(process.pid, process.counts.actions)))
            .collect::<Result<_, _>>()?;
        // They also run on silently to where they end or wait.
        all.change(|system| {
            for last in &ends {
                system.request(last.pid, last.number.0, Tail::RunOn);
            }
            system.run();
        })?;
        all.judge()?;
        Ok(all.look(|system| system.observer.noted.clone()))
    }

    fn moved(&self, before: &Cut, stopped: Stopped) -> Result<Moved, Error> {
        let after = self.look(cut_of);
        Ok(Moved {
            done: between(before, &after),
            stopped,
            ..Moved::default()
        })
    }

    /// Where a process stands in the program; `None`: nowhere there.
    #[must_use]
    pub fn stands(&self, pid: Pid) -> Option<StandingPlace> {
        let sources = self.session.sources();
        self.look(|system| {
            let p = system.table().by_pid(handle(pid))?;
            let frames = p.machine.frames(&system.program);
            let own =
                |frame: &interpreter::vm::Frame<'_>| frame.location.as_ref().is_some_and(|l| sources.owns(l.file));
            let at = frames.iter().position(own)?;
            let style = interpreter::print::Style::shown(&*system.program);
            let known = crate::named::variables(&frames[at].variables, style.terms);
            let value = |(name, value): (String, Option<interpreter::term::Term>)| {
                Some((name, Value::of(&p.machine.heap, value?, &style)))
            };
            Some(StandingPlace {
                place: crate::watch::place(frames[at].location?, style.terms),
                depth: frames.len() - at,
                variables: known.filter_map(value).collect(),
            })
        })
    }

    /// The variables of the innermost activation of a function of the program, as terms; if the process has ended, those at its end.
    pub(super) fn values(&self, pid: Pid) -> Vec<(String, Fragment)> {
        let sources = self.session.sources();
        let living = self.look(|system| {
            let p = system.table().by_pid(handle(pid))?;
            Some(crate::subject::values(&p.machine, &system.program, |file| {
                sources.owns(file)
            }))
        });
        living.unwrap_or_else(|| {
            let end = self.end_of(pid).ok().flatten();
            end.map_or_else(Vec::new, |end| end.variables(|file| sources.owns(file)))
        })
    }

    /// What an expression evaluated in a process can use.
    #[must_use]
    pub fn scope(&self, pid: Pid) -> Scope {
        let own = self.look(|system| {
            let p = system.table().by_pid(handle(pid))?;
            Some(Own::of(&p.machine))
        });
        Scope {
            variables: self.values(pid),
            own,
        }
    }

    /// Has a process ended?
    #[must_use]
    pub fn has_ended(&self, pid: Pid) -> bool {
        self.look(|system| matches!(system.table().find(handle(pid)), Lookup::Dead(_)))
    }

    /// How a process ended, if it has: as observed, or by repeating its last action outside the session.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn end_of(&self, pid: Pid) -> Result<Option<Arc<SeenEnd>>, Error> {
        let known = |player: &Self| {
            player.look(|system| {
                let end = system.observer.end.as_ref().filter(|(who, _)| *who == pid);
                end.map(|(_, end)| Arc::clone(end))
            })
        };
        if !self.has_ended(pid) {
            return Ok(None);
        }
        if let Some(end) = known(self) {
            return Ok(Some(end));
        }
        Ok(known(&self.at_end_of(pid)?))
    }

    /// Another player that sees a process end that has ended here: what that needs is replayed, from the nearest checkpoint before it, and nothing else.
    ///
    /// # Errors
    /// The trace is damaged; what is replayed diverges.
    pub fn at_end_of(&self, pid: Pid) -> Result<Self, Error> {
        let last = self.done(pid);
        let mut left = self.look(cut_of);
        left.set(pid, last.saturating_sub(1));
        let base = self.kept.within(&left, &[], &[pid]).map(|one| Arc::clone(&one.cut));
        let mut beside = self.clone();
        beside.subject = Some(pid);
        beside.go_to_cut(&base.unwrap_or_default(), &[pid])?;
        beside.pull(pid, last)?;
        Ok(beside)
    }

    /// Runs a process until the stop condition is reached, using its log as far as needed. The process then stays there.
    fn walk(&mut self, pid: Pid, stop: &StopCondition) -> Result<Stopped, Error> {
        let going_on = self.steps.is_some_and(|ahead| ahead.pid == pid);
        if !going_on {
            self.stand_still()?;
            // It may have run on silently to find its next step.
            let ahead = |system: &System<Tracker>| system.table().by_pid(handle(pid)).is_some_and(|p| !p.standing);
            if self.look(ahead) {
                let cut = self.look(cut_of);
                let base = self.kept.within(&cut, &[], &[pid]).cloned();
                self.rebuild(&cut, base)?;
            }
        }
        if !self.is_born(pid) {
            self.request(pid, 0, true)?;
        }
        let sources = self.session.sources().clone();
        self.change(|system| {
            system.observer.watch(Some(pid), stop.clone());
            let program = Arc::clone(&system.program);
            if !going_on && let Some((p, log)) = system.log_mut(pid) {
                p.machine.forget_place();
                match (stop, p.machine.location(&program)) {
                    (StopCondition::Own(_), Some(location)) => log.stands(p.machine.frame_start(), location.line),
                    (StopCondition::Depth(_), _) => log.stands_at(stack_lines(&p.machine, &program, &sources)),
                    _ => {}
                }
            }
        })?;
        let at_once = match stop {
            StopCondition::Steps(steps) | StopCondition::Own(steps) => AT_ONCE.min(*steps),
            _ => AT_ONCE,
        };
        let stopped = self.walk_on(pid, at_once);
        self.change(|system| {
            // Between two actions it is on its way to the next one.
            let between = system.log(pid).is_some_and(|log| log.steps > 0);
            let n = done(system, pid);
            system.limit_request(pid, n + u64::from(between));
        })?;
        let steps = self.look(|system| system.log(pid).map(|log| log.steps));
        self.steps = steps.map(|steps| Silent { pid, steps });
        self.change(|system| system.observer.watch(None, StopCondition::Nothing))?;
        stopped
    }

    /// Requests at most this many actions at once.
    fn walk_on(&mut self, pid: Pid, at_once: u64) -> Result<Stopped, Error> {
        let mut length = self.history.length(pid)?.unwrap_or(0);
        loop {
            let n = self.done(pid);
            if n >= length && self.beyond.goes_on {
                if let Some(stopped) = self.walk_beyond(pid)? {
                    return Ok(stopped);
                }
                length = self.history.length(pid)?.unwrap_or(0);
                continue;
            }
            if n >= length {
                let alive = self.look(|system| matches!(system.table().find(handle(pid)), Lookup::Alive(_)));
                if alive {
                    self.change(|system| {
                        system.request(pid, n, Tail::RunOn);
                        system.run();
                    })?;
                    self.judge()?;
                }
                let reached = self.look(|system| system.observer.reached);
                return Ok(if reached { Stopped::Reached } else { Stopped::EndOfLog });
            }
            // On the way to its next action it may reach the place; otherwise the action is done.
            self.request(pid, length.min(n + at_once), false)?;
            let reached = self.change(|system| {
                let ended = matches!(system.table().find(handle(pid)), Lookup::Dead(_));
                // An end is a step like other actions, but then there is no place.
                let by_end = ended && done(system, pid) > n && !system.observer.reached && system.observer.step();
                by_end || system.observer.reached
            })?;
            if reached {
                return Ok(Stopped::Reached);
            }
        }
    }

    /// Goes on beyond the log, to the place or to the next action; `None` if there is more to walk.
    fn walk_beyond(&mut self, pid: Pid) -> Result<Option<Stopped>, Error> {
        self.sync()?;
        let (label, reached) = self.change(|system| {
            let label = system.look_ahead(pid, PATIENCE);
            (label, system.observer.reached)
        })?;
        self.adopt();
        if reached {
            return Ok(Some(Stopped::Reached));
        }
        match label {
            Some(Label::Receive(_)) => return Ok(Some(Stopped::Waiting)),
            None => {
                let alive = self.look(|system| matches!(system.table().find(handle(pid)), Lookup::Alive(_)));
                return Ok(Some(if alive { Stopped::Running } else { Stopped::EndOfLog }));
            }
            Some(Label::Native(_) | Label::Version(_) | Label::End) => {}
        }
        let mut dropped = Vec::new();
        match self.step_beyond(pid, Choice::Step, &mut dropped)? {
            Stopped::Reached => {}
            stopped => return Ok(Some(stopped)),
        }
        let reached = self.change(|system| {
            // An end is a step like other actions, but then there is no place.
            let ended = matches!(system.table().find(handle(pid)), Lookup::Dead(_));
            system.observer.reached || (ended && system.observer.step())
        })?;
        Ok(reached.then_some(Stopped::Reached))
    }

    /// Runs a process on silently from its last action: to its end, to a receive that waits, or to just before its next action.
    ///
    /// # Errors
    /// The replay diverges.
    pub fn run_on(&mut self, pid: Pid) -> Result<(), Error> {
        self.stand_still()?;
        let n = self.done(pid);
        self.silently(pid, n)?;
        self.judge()?;
        let steps = self.look(|system| system.log(pid).map(|log| log.steps));
        self.steps = steps.map(|steps| Silent { pid, steps });
        Ok(())
    }

    /// Runs a process that has just done its `n`-th action on to its next label, counting its steps.
    fn silently(&mut self, pid: Pid, n: u64) -> Result<(), Error> {
        self.change(|system| {
            system.observer.watch(Some(pid), StopCondition::Steps(u64::MAX));
            if let Some((_, p)) = system.process_mut(pid) {
                p.machine.forget_place();
            }
            system.request(pid, n, Tail::RunOn);
            system.run();
            system.observer.watch(None, StopCondition::Nothing);
        })
    }

    // ---- backward ------------------------------------------------------------------------------------------------

    /// Goes back this many steps of a process; an action made by a step is undone with its consequences.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn back(&mut self, pid: Pid, steps: u64) -> Result<Moved, Error> {
        let now = self.look(cut_of);
        let mut left = steps.max(1);
        let mut n = self.done(pid);
        let mut here = self.steps_of(pid);
        // First skips whole stretches between two actions; then replays the rest.
        let mut measured = Stretches::default();
        let mut is_first = true;
        while left > here {
            left -= here;
            if n == 0 {
                return self.stand_again(&now, pid, 0, 0, Stopped::Beginning);
            }
            // The action itself is a step.
            left -= 1;
            n -= 1;
            if is_first || left == 0 {
                // Usually it is one step, or a few.
                here = self.length_of_stretch(&now, pid, n)?;
                is_first = false;
            } else {
                if n < measured.from || measured.steps.is_empty() {
                    measured = self.measure(pid, n)?;
                }
                let at = usize::try_from(n - measured.from).unwrap_or(usize::MAX);
                here = measured.steps.get(at).copied().unwrap_or(0);
            }
            if left == 0 {
                return self.stand_again(&now, pid, n, here, Stopped::Reached);
            }
        }
        self.stand_again(&now, pid, n, here - left, Stopped::Reached)
    }

    /// The steps of a process between its actions, from the checkpoint before the `n`-th action to the one after it.
    fn measure(&self, pid: Pid, n: u64) -> Result<Stretches, Error> {
        let now = self.look(cut_of);
        let base = if n == 0 {
            None
        } else {
            self.kept.within(&now, &[ActionId::new(pid, n)], &[]).cloned()
        };
        let mut probe = self.clone();
        probe.come_to(base.as_ref(), pid)?;
        let from = probe.done(pid);
        probe.watch_on(pid, StopCondition::Measure)?;
        probe.request(pid, n + 1, false)?;
        Ok(Stretches {
            from,
            steps: probe.look(|system| system.observer.stretches.clone()),
        })
    }

    /// How many steps a process makes between its `n`-th action and the next.
    fn length_of_stretch(&mut self, now: &Cut, pid: Pid, n: u64) -> Result<u64, Error> {
        self.stand_again(now, pid, n, 0, Stopped::Reached)?;
        let mut probe = self.clone();
        if self.history.length(pid)?.is_some_and(|length| n < length) {
            probe.change(|system| {
                system.observer.watch(Some(pid), StopCondition::Steps(u64::MAX));
                if let Some((_, p)) = system.process_mut(pid) {
                    p.machine.forget_place();
                }
            })?;
            probe.request(pid, n + 1, false)?;
            return Ok(probe.look(|system| system.observer.stretch));
        }
        probe.silently(pid, n)?;
        Ok(probe.look(|system| system.log(pid).map_or(0, |log| log.steps)))
    }

    /// Goes back to where a process had done `n` actions and then this many steps; `now` is the position before.
    fn stand_again(&mut self, now: &Cut, pid: Pid, n: u64, steps: u64, stopped: Stopped) -> Result<Moved, Error> {
        if self.done(pid) > n {
            self.undo(&[ActionId::new(pid, n + 1)])?;
        } else {
            self.stand_still()?;
        }
        // It has gone back: what comes after this place is still to come.
        self.passed.remove(&pid);
        if steps > 0 {
            self.walk(pid, &StopCondition::Steps(steps))?;
        }
        let after = self.look(cut_of);
        Ok(Moved {
            undone: between(&after, now),
            stopped,
            ..Moved::default()
        })
    }

    /// Goes back to the last such place before this one. If there is none, the session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn back_to_past(&mut self, pid: Pid, past: &Sought) -> Result<Moved, Error> {
        self.go_to_past(pid, past, (self.done(pid), self.steps_of(pid)))
    }

    /// Goes to the last such place before the next action of the process. If there is none, the session does not move.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn go_to_last_before_action(&mut self, pid: Pid, past: &Sought) -> Result<Moved, Error> {
        self.go_to_past(pid, past, (self.done(pid), u64::MAX))
    }

    fn go_to_past(&mut self, pid: Pid, past: &Sought, mut to: (u64, u64)) -> Result<Moved, Error> {
        let now = self.look(cut_of);
        loop {
            // The way from the checkpoint before, in one walk.
            let base = if to.0 == 0 {
                None
            } else {
                self.kept.within(&now, &[ActionId::new(pid, to.0)], &[]).cloned()
            };
            let from = base.as_ref().map_or(0, |one| one.cut.get(pid));
            // Only this process goes on from there, and the processes that it needs.
            let mut probe = self.clone();
            probe.come_to(base.as_ref(), pid)?;
            if let Some((n, steps)) = probe.last_before(pid, to, past)? {
                return self.stand_again(&now, pid, n, steps, Stopped::Reached);
            }
            if from == 0 {
                return Ok(Moved {
                    stopped: Stopped::Beginning,
                    ..Moved::default()
                });
            }
            to = (from, u64::MAX);
        }
    }

    /// Goes to a checkpoint, or to the beginning, with this process right after its last action there.
    fn come_to(&mut self, base: Option<&Checkpoint>, pid: Pid) -> Result<(), Error> {
        let cut = base.map_or_else(Cut::default, |one| one.cut.as_ref().clone());
        self.go_to_cut(&cut, &[pid])?;
        if !self.is_born(pid) {
            self.request(pid, 0, true)?;
        }
        Ok(())
    }

    /// Runs a process from its last action on, watched.
    fn watch_on(&mut self, pid: Pid, stop: StopCondition) -> Result<(), Error> {
        let sources = self.session.sources().clone();
        self.change(|system| {
            system.observer.watch(Some(pid), stop);
            let program = Arc::clone(&system.program);
            if let Some((p, log)) = system.log_mut(pid) {
                p.machine.forget_place();
                log.stands_at(stack_lines(&p.machine, &program, &sources));
            }
        })
    }

    /// The last such place between here and another place.
    fn last_before(&mut self, pid: Pid, to: (u64, u64), past: &Sought) -> Result<Option<(u64, u64)>, Error> {
        self.watch_on(pid, StopCondition::Sought(WaySearch::new(past.clone(), to)))?;
        let length = self.history.length(pid)?.unwrap_or(0);
        if self.done(pid) < length.min(to.0) {
            self.request(pid, length.min(to.0), false)?;
        }
        if to.1 > 0 && !self.has_ended(pid) && !self.look(|system| system.observer.reached) {
            self.change(|system| {
                let n = done(system, pid);
                system.request(pid, n, Tail::RunOn);
                system.run();
            })?;
            self.judge()?;
        }
        Ok(self.look(|system| match &system.observer.stop {
            StopCondition::Sought(search) => search.found,
            _ => None,
        }))
    }

    /// Goes back to before the last action that changed the mailbox of a process: one that put a message in or took one out.
    ///
    /// # Errors
    /// The replay diverges; the trace is damaged.
    pub fn back_to_mailbox(&mut self, pid: Pid) -> Result<Moved, Error> {
        self.stand_still()?;
        // What is in it now was put in by its send; what was received last was taken out.
        let tags = self.look(|system| {
            let Some(p) = system.table().by_pid(handle(pid)) else {
                return Vec::new();
            };
            let arrived = p
                .machine
                .mailbox
                .entries()
                .map(|entry| system::ids::unpack(entry.tag()));
            let waiting = p.waiting().into_iter().map(|(tag, _)| tag);
            waiting.chain(arrived).collect::<Vec<_>>()
        });
        // Of each sender, the last message counts: what came before can only be undone with it.
        let mut last: FxHashMap<Pid, Tag> = FxHashMap::default();
        for tag in tags {
            let Some(by) = tag.sender() else { continue };
            let known = last.entry(by).or_insert(tag);
            let is_later = match (&tag, &known) {
                (Tag::Sent { k, .. }, Tag::Sent { k: before, .. }) => k > before,
                // What the end sends is the last signal.
                (Tag::Sent { .. }, _) => false,
                _ => true,
            };
            if is_later {
                *known = tag;
            }
        }
        let mut puts = Vec::new();
        for tag in last.into_values() {
            puts.extend(self.history.find_send(tag)?);
        }
        puts.sort_unstable();
        let mut took = None;
        let mut n = self.done(pid);
        while n > 0 && took.is_none() {
            let first = n.saturating_sub(256);
            for entry in self.history.stretch(pid, first, n)?.into_iter().rev() {
                if matches!(entry.action.kind, Kind::Rec(_)) {
                    took = Some(ActionId::new(pid, entry.number));
                    break;
                }
            }
            n = first;
        }
        // The last of them: one that no other one follows. Of independent ones, the one that is cheapest to undo.
        let now = self.look(cut_of);
        let all: Vec<ActionId> = puts.into_iter().chain(took).collect();
        let base = self.kept.within(&now, &all, &[]).map(|one| Arc::clone(&one.cut));
        let none = Cut::default();
        let region = super::undo::Region::of(&self.history, base.as_deref().unwrap_or(&none), &now)?;
        let mut best: Option<(u64, ActionId)> = None;
        for one in all {
            // Of equally cheap ones, the first.
            let limit = best.map_or(u64::MAX, |(cost, known)| cost + u64::from(one < known));
            if let Some(cost) = region.cost(one, limit)? {
                best = Some((cost, one));
            }
        }
        drop(region);
        match best {
            Some((_, one)) => self.undo(&[one]),
            None => Ok(Moved {
                stopped: Stopped::Beginning,
                ..Moved::default()
            }),
        }
    }
}

/// The lines where the activations of a process stand, outermost first, each with the depth of the stack at which the activation begins.
pub(super) fn stack_lines(machine: &vm::Process, program: &vm::Program, sources: &Sources) -> Vec<(usize, u32)> {
    let mut lines = machine.stack_lines(program, |file| sources.holds(file));
    lines.reverse();
    lines
}
