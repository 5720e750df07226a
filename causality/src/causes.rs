//! The past of actions: a worklist of processes. The log of each is read from its start as far as another action needs it.
//!
//! This is the stack of requests of semantics.md §8, computed from the log alone. Every action of the past is decoded once. Beyond the past,
//! only the rest of the blocks that contain it is read.

use log_format::{Action, ActionId, Cut, Error, Kind, LogStep, Pid, PidMap, Result, SendNo, Tag, Trace};

use crate::conflicts::{Conflicts, RequestedUses};
use crate::direct::{CauseNeed, end_of, needs};
use crate::reading::Reading;

/// The causes of an action: itself and its `⇒`-past. The cut is consistent.
///
/// # Errors
/// If there is no such action, or the trace is damaged.
pub fn causes(trace: &Trace, action: ActionId) -> Result<Cut> {
    causes_of_all(trace, [action])
}

/// The causes of several actions together. Action number 0 stands for the birth of a process.
///
/// # Errors
/// As [`causes`].
pub fn causes_of_all(trace: &Trace, actions: impl IntoIterator<Item = ActionId>) -> Result<Cut> {
    CauseWalk::new(trace, None).run(actions)
}

/// The `→`-past of an action, itself included, as far as the log determines it (see [`Conflicts`]).
///
/// # Errors
/// As [`causes`].
pub fn conflict_past(trace: &Trace, conflicts: &Conflicts, action: ActionId) -> Result<Cut> {
    conflict_past_of_all(trace, conflicts, [action])
}

/// The same of several actions together.
///
/// # Errors
/// As [`causes`].
pub fn conflict_past_of_all(
    trace: &Trace,
    conflicts: &Conflicts,
    actions: impl IntoIterator<Item = ActionId>,
) -> Result<Cut> {
    CauseWalk::new(trace, Some((conflicts, RequestedUses::default()))).run(actions)
}

/// With more processes than this, a process that waits drops its reader, or its block (at most 32 KiB each).
pub(crate) const READERS_AT_HAND: usize = 512;

/// The nesting limit: a process may be read inside the reading of another one that needs it.
const NESTED: u32 = 16;

/// A process of the past.
struct Prefix<'t> {
    reader: Reading<'t>,
    pid: Pid,
    /// It is needed up to this action.
    actions: u64,
    /// It is needed until this signal has been sent.
    sends: u64,
    queued: bool,
}

struct CauseWalk<'t, 'c> {
    trace: &'t Trace,
    conflicts: Option<(&'c Conflicts, RequestedUses)>,
    places: PidMap<usize>,
    prefixes: Vec<Prefix<'t>>,
    /// Indexes of processes of which more is needed than has been read.
    queue: Vec<usize>,
    /// The action that was read last.
    action: Action,
    /// What it needs.
    found: Vec<CauseNeed>,
    /// The process that was added last, with the reader from which its parent is known: it is usually read next.
    entered: Option<usize>,
}

impl<'t, 'c> CauseWalk<'t, 'c> {
    fn new(trace: &'t Trace, conflicts: Option<(&'c Conflicts, RequestedUses)>) -> Self {
        Self {
            trace,
            conflicts,
            places: PidMap::default(),
            prefixes: Vec::new(),
            queue: Vec::new(),
            action: Action::new(Kind::After),
            found: Vec::new(),
            entered: None,
        }
    }

    fn run(mut self, actions: impl IntoIterator<Item = ActionId>) -> Result<Cut> {
        for ActionId { pid, number } in actions {
            let all = self.trace.process(pid)?.counts.actions;
            if number.0 > all {
                return Err(Error::absent(
                    format!("action {number} of {pid}"),
                    format!("its log has {all} actions"),
                ));
            }
            self.need(CauseNeed::Action(ActionId { pid, number }))?;
        }
        while let Some(at) = self.queue.pop() {
            self.read(at, 0)?;
        }
        let lasts = self.prefixes.iter();
        let lasts = lasts.map(|prefix| ActionId::new(prefix.pid, prefix.reader.counts().actions));
        Ok(lasts.collect())
    }

    /// Reads the log of a process as far as it is needed, and notes what these actions need.
    fn read(&mut self, at: usize, nested: u32) -> Result<()> {
        if self.entered == Some(at) {
            self.entered = None;
        }
        loop {
            let many = self.prefixes.len() > READERS_AT_HAND;
            let Prefix {
                reader,
                pid,
                actions,
                sends,
                queued,
            } = &mut self.prefixes[at];
            let counts = reader.counts();
            let missing = actions
                .saturating_sub(counts.actions)
                .max(sends.saturating_sub(counts.sends));
            if missing == 0 {
                *queued = false;
                if many {
                    reader.park();
                }
                return Ok(());
            }
            // With conflicts, every action may have been observed, so each one is examined.
            let most = if self.conflicts.is_some() { 1 } else { missing };
            let read = reader.step_into(self.trace, *pid, most, &mut self.action)?;
            if read.is_none() {
                let expected = format!("action {actions} and signal {sends} of {pid}");
                return Err(Error::damaged(0, expected, format_args!("{counts:?}")));
            }
            if let Some((conflicts, progress)) = &mut self.conflicts {
                if read == Some(LogStep::Action(())) {
                    needs(&self.action, &mut self.found);
                    conflicts.needs(*pid, &self.action, progress, &mut self.found);
                }
                let name = ActionId::new(*pid, reader.counts().actions);
                self.found.extend(conflicts.observers(name).map(CauseNeed::Action));
            } else if read == Some(LogStep::Action(())) {
                match self.action.kind {
                    // The most frequent case.
                    Kind::Rec(Tag::Sent { by, k }) if self.action.accesses.is_empty() => self.need_sent(by, k)?,
                    _ => needs(&self.action, &mut self.found),
                }
            }
            while let Some(need) = self.found.pop() {
                self.need(need)?;
            }
            // Its reader exists already, so a short log is read with it.
            if let Some(entered) = self.entered.filter(|_| nested < NESTED) {
                self.queue.pop_if(|next| *next == entered);
                self.read(entered, nested + 1)?;
            }
        }
    }

    #[inline]
    fn need_sent(&mut self, pid: Pid, SendNo(k): SendNo) -> Result<()> {
        let at = match self.places.get(pid) {
            Some(at) => *at,
            None => self.enter(pid)?,
        };
        let prefix = &mut self.prefixes[at];
        if k > prefix.sends {
            prefix.sends = k;
            if !prefix.queued && k > prefix.reader.counts().sends {
                prefix.queued = true;
                self.queue.push(at);
            }
        }
        Ok(())
    }

    fn need(&mut self, need: CauseNeed) -> Result<()> {
        let pid = need.pid();
        let at = match self.places.get(pid) {
            Some(at) => *at,
            None => self.enter(pid)?,
        };
        let prefix = &mut self.prefixes[at];
        match need {
            CauseNeed::Action(action) => prefix.actions = prefix.actions.max(action.number.0),
            CauseNeed::Sent(_, k) => return self.need_sent(pid, k),
            CauseNeed::End(_) => prefix.actions = end_of(&self.trace.process(pid)?)?.0,
        }
        let read = prefix.reader.counts();
        if !prefix.queued && (prefix.actions > read.actions || prefix.sends > read.sends) {
            prefix.queued = true;
            self.queue.push(at);
        }
        Ok(())
    }

    /// Adds a process that was not needed before. Its birth is needed too, and the births of its ancestors.
    fn enter(&mut self, pid: Pid) -> Result<usize> {
        let place = self.prefixes.len();
        let mut next = Some(ActionId::new(pid, 0));
        while let Some(ActionId { pid, number }) = next {
            next = None;
            let at = match self.places.get(pid) {
                Some(at) => *at,
                None => {
                    let at = self.prefixes.len();
                    let (reader, parent) = Reading::start(self.trace, pid)?;
                    self.places.insert(pid, at);
                    self.prefixes.push(Prefix {
                        reader,
                        pid,
                        actions: 0,
                        sends: 0,
                        queued: false,
                    });
                    if let Some(before) = self.entered.replace(at) {
                        self.prefixes[before].reader.close();
                    }
                    next = parent;
                    at
                }
            };
            let prefix = &mut self.prefixes[at];
            prefix.actions = prefix.actions.max(number.0);
            if !prefix.queued && prefix.actions > prefix.reader.counts().actions {
                prefix.queued = true;
                self.queue.push(at);
            }
        }
        Ok(place)
    }
}
