//! The logs that a session follows: those of the trace, and what was done beyond them.
//!
//! A process that has left its log has a *branch*: its log up to there, and then what it did instead. Actions of a branch can be undone and
//! redone like all others.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use log_format::{Action, ActionId, ActionNo, Error, ErrorKind, LogStep, Pid, SendNo, Tag, Trace};
use rustc_hash::FxHashMap;
use system::feed::{Births, Cursor, LogSource};

use crate::source::TraceLogs;

/// What a process did beyond its log.
#[derive(Clone, Debug, Default)]
struct Branch {
    /// The branch begins with this many actions of the trace.
    kept: u64,
    /// How many signals these sent.
    sends: u64,
    /// The actions after them, each with the number of signals sent up to it.
    beyond: Vec<(Action, u64)>,
    /// The action that created the process, if the trace does not contain the process.
    parent: Option<ActionId>,
    /// Its creation was dropped, so the process no longer exists.
    gone: bool,
}

impl Branch {
    fn length(&self) -> u64 {
        self.kept + self.beyond.len() as u64
    }
    fn all_sends(&self) -> u64 {
        self.beyond.last().map_or(self.sends, |(_, sends)| *sends)
    }
}

type Branches = FxHashMap<Pid, Arc<Branch>>;

/// What the trace says of its processes besides their logs.
struct Family {
    /// The action that created a process, and the length of its log.
    of: FxHashMap<Pid, (Option<ActionId>, u64)>,
    /// The children of each process, ascending, each with the number of the action that created it.
    children: FxHashMap<Pid, Vec<(u64, Pid)>>,
}

/// How many actions of a process are decoded at once. Windows begin at multiples of this, for callers that walk a log backwards.
const WINDOW: u64 = 256;
/// Limit: actions in the windows that are kept. Of many small processes, all windows are.
const ENTRIES: usize = 1 << 17;

/// A window of actions, shared with whoever reads it.
type Window = Arc<Vec<HistoryEntry>>;

/// Windows of actions, by process and ascending by place.
#[derive(Default)]
struct Windows {
    of: FxHashMap<Pid, Vec<(u64, Window)>>,
    /// How many actions are in them.
    entries: usize,
}

impl Windows {
    fn get(&self, pid: Pid, place: u64) -> Option<&Window> {
        let all = self.of.get(&pid)?;
        let at = all.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        Some(&all[at].1)
    }

    fn keep(&mut self, pid: Pid, place: u64, window: &Window) {
        if self.entries + window.len() > ENTRIES {
            *self = Self::default();
        }
        self.entries += window.len();
        let all = self.of.entry(pid).or_default();
        let window = (place, Arc::clone(window));
        match all.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(at) => {
                let (_, before) = std::mem::replace(&mut all[at], window);
                self.entries -= before.len();
            }
            Err(at) => all.insert(at, window),
        }
    }

    /// The action that sent a signal, if it is in a window.
    fn sender_of(&self, by: Pid, k: u64) -> Option<ActionId> {
        let all = self.of.get(&by)?;
        let begins_before = |window: &[HistoryEntry]| {
            window
                .first()
                .is_some_and(|one| one.sends - u64::from(one.action.sends) < k)
        };
        let after = all.partition_point(|(_, window)| begins_before(window));
        let (_, window) = all.get(after.checked_sub(1)?)?;
        let entry = window.get(window.partition_point(|entry| entry.sends < k))?;
        Some(ActionId::new(by, entry.number))
    }
}

/// The logs of a session.
#[derive(Clone)]
pub struct History {
    logs: Option<TraceLogs>,
    trace: Option<Arc<Trace>>,
    /// Of the trace alone, so they stay valid whatever is done beyond it.
    windows: Arc<Mutex<Windows>>,
    /// invariant: the same in all clones that share it.
    branches: Arc<Branches>,
    /// Number of actions in all logs.
    total: u64,
    /// Texts and names of nodes, once something beyond the trace has added some. They keep their numbers even if that is undone.
    texts: Option<Arc<Vec<String>>>,
    nodes: Option<Arc<Vec<String>>>,
    /// Processes beyond the logs that have the numbers of recorded ones.
    births: Option<Arc<Births>>,
    /// Once somebody asked for the children of a process.
    family: Arc<OnceLock<Family>>,
    /// Another one whenever actions are dropped.
    stamp: u64,
}

/// The stamps of all histories.
static STAMPS: AtomicU64 = AtomicU64::new(1);

/// An action with the number of signals sent up to it.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// Its number.
    pub number: u64,
    /// Number of signals sent up to and including it.
    pub sends: u64,
    /// The action.
    pub action: Action,
}

impl History {
    /// The history of a trace.
    #[must_use]
    pub fn of(trace: Arc<Trace>, logs: TraceLogs) -> Self {
        Self {
            total: trace.totals().counts.actions,
            logs: Some(logs),
            trace: Some(trace),
            windows: Arc::default(),
            branches: Arc::default(),
            texts: None,
            nodes: None,
            births: None,
            family: Arc::default(),
            stamp: STAMPS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Processes beyond the logs get these numbers.
    pub(super) fn name_births(&mut self, births: Births) {
        self.births = Some(Arc::new(births));
    }

    /// As long as it is the same, actions are only added.
    #[must_use]
    pub(super) const fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The trace.
    #[must_use]
    pub const fn trace(&self) -> Option<&Arc<Trace>> {
        self.trace.as_ref()
    }

    /// Number of actions in all logs.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Does it differ from the trace?
    #[must_use]
    pub fn has_branches(&self) -> bool {
        !self.branches.is_empty()
    }

    /// How many actions of a process come from the trace, if the process has left its log.
    #[must_use]
    pub fn left_at(&self, pid: Pid) -> Option<u64> {
        self.branches.get(&pid).map(|branch| branch.kept)
    }

    /// All processes, ascending.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn processes(&self) -> Result<Vec<Pid>, Error> {
        let mut all = Vec::new();
        if let Some(trace) = &self.trace {
            for process in trace.processes() {
                all.push(process?.pid);
            }
        }
        all.extend(self.branches.keys());
        all.sort_unstable();
        all.dedup();
        all.retain(|pid| self.branches.get(pid).is_none_or(|branch| !branch.gone));
        Ok(all)
    }

    /// Appends what a process did after the end of its log.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn append(&mut self, pid: Pid, action: Action) -> Result<(), Error> {
        let n = self.length(pid)?.unwrap_or(0);
        let branch = self.branch(pid, n)?;
        let sends = branch.all_sends() + u64::from(action.sends);
        let child = action.kind.spawned();
        branch.beyond.push((action, sends));
        self.total += 1;
        if let Some(child) = child {
            let born = Branch {
                parent: Some(ActionId::new(pid, n + 1)),
                ..Branch::default()
            };
            Arc::make_mut(&mut self.branches).insert(child, Arc::new(born));
        }
        Ok(())
    }

    /// Takes over the texts and the names of nodes of a system, if there are more.
    pub fn learn(&mut self, texts: &[String], nodes: impl FnOnce() -> Vec<String>) {
        let known = self.texts.as_ref().map_or(0, |texts| texts.len());
        if texts.len() > known {
            self.texts = Some(Arc::new(texts.to_vec()));
        }
        let nodes = nodes();
        if nodes.len() > self.nodes.as_ref().map_or(0, |nodes| nodes.len()) {
            self.nodes = Some(Arc::new(nodes));
        }
    }

    /// The branch of a process, for changes; if it has none yet, it gets one that leaves the trace after `kept` actions.
    fn branch(&mut self, pid: Pid, kept: u64) -> Result<&mut Branch, Error> {
        if !self.branches.contains_key(&pid) {
            let sends = self.sends(pid, kept)?;
            let branch = Branch {
                kept,
                sends,
                ..Branch::default()
            };
            Arc::make_mut(&mut self.branches).insert(pid, Arc::new(branch));
        }
        let branches = Arc::make_mut(&mut self.branches);
        let absent = || Error::absent(format!("the branch of {pid}"), "it was just made");
        branches.get_mut(&pid).map(Arc::make_mut).ok_or_else(absent)
    }

    /// How many signals the first `n` actions of a process sent.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn sends(&self, pid: Pid, n: u64) -> Result<u64, Error> {
        let last = match n.checked_sub(1) {
            None => return Ok(0),
            Some(before) => self.stretch(pid, before, n)?.pop(),
        };
        Ok(last.map_or(0, |entry| entry.sends))
    }

    /// Drops all actions of a process after the first `keep`, and the processes that they created.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn truncate(&mut self, pid: Pid, keep: u64) -> Result<(), Error> {
        // Processes, how much of each is kept, and whether it still exists at all.
        let mut next = vec![(pid, keep, true)];
        while let Some((pid, keep, stays)) = next.pop() {
            let length = self.length(pid)?.unwrap_or(0);
            if length > keep {
                self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
                next.extend(
                    self.children_after(pid, keep)?
                        .into_iter()
                        .map(|child| (child, 0, false)),
                );
                let sends = self.sends(pid, keep)?;
                let branch = self.branch(pid, keep)?;
                if keep <= branch.kept {
                    branch.kept = keep;
                    branch.sends = sends;
                    branch.beyond.clear();
                } else {
                    let left = usize::try_from(keep - branch.kept).unwrap_or(usize::MAX);
                    branch.beyond.truncate(left);
                }
                self.total -= length - keep;
            }
            if !stays {
                let branch = self.branch(pid, 0)?;
                branch.parent = None;
                branch.gone = true;
            }
        }
        Ok(())
    }

    /// The processes that a process created after its first `n` actions.
    fn children_after(&self, pid: Pid, n: u64) -> Result<Vec<Pid>, Error> {
        let branch = self.branches.get(&pid);
        let kept = branch.map_or(u64::MAX, |branch| branch.kept);
        let mut found = Vec::new();
        if n < kept {
            let all = self.family()?.children.get(&pid).map_or(&[][..], Vec::as_slice);
            let from = all.partition_point(|(at, _)| *at <= n);
            let upto = all.partition_point(|(at, _)| *at <= kept);
            found.extend(all[from..upto].iter().map(|(_, child)| *child));
        }
        if let Some(branch) = branch {
            let from = usize::try_from(n.saturating_sub(kept)).unwrap_or(usize::MAX);
            let beyond = branch.beyond.get(from..).unwrap_or_default();
            found.extend(beyond.iter().filter_map(|(action, _)| action.kind.spawned()));
        }
        Ok(found)
    }

    /// The processes of the trace. No log is read for them.
    fn family(&self) -> Result<&Family, Error> {
        if let Some(known) = self.family.get() {
            return Ok(known);
        }
        let (mut of, mut children) = (FxHashMap::default(), FxHashMap::<_, Vec<_>>::default());
        for process in self.trace.iter().flat_map(|trace| trace.processes()) {
            let process = process?;
            of.insert(process.pid, (process.parent, process.counts.actions));
            if let Some(birth) = process.parent {
                children
                    .entry(birth.pid)
                    .or_default()
                    .push((birth.number.0, process.pid));
            }
        }
        children.values_mut().for_each(|all| all.sort_unstable());
        Ok(self.family.get_or_init(|| Family { of, children }))
    }

    /// Of a process of the trace: the action that created it, and the length of its log. `None`: there is no such process.
    fn origin(&self, pid: Pid) -> Result<Option<(Option<ActionId>, u64)>, Error> {
        if let Some(known) = self.family.get() {
            return Ok(known.of.get(&pid).copied());
        }
        match &self.trace {
            Some(trace) if trace.has(pid)? => {
                let process = trace.process(pid)?;
                Ok(Some((process.parent, process.counts.actions)))
            }
            _ => Ok(None),
        }
    }

    /// Number of actions in the log of a process; `None` if there is no such process.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn length(&self, pid: Pid) -> Result<Option<u64>, Error> {
        if let Some(branch) = self.branches.get(&pid) {
            return Ok((!branch.gone).then(|| branch.length()));
        }
        Ok(self.origin(pid)?.map(|(_, length)| length))
    }

    /// The action that created a process.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn parent(&self, pid: Pid) -> Result<Option<ActionId>, Error> {
        if let Some(branch) = self.branches.get(&pid)
            && (branch.parent.is_some() || branch.gone)
        {
            return Ok(branch.parent);
        }
        Ok(self.origin(pid)?.and_then(|(parent, _)| parent))
    }

    /// One action, without the recorded value of an input or an observation.
    ///
    /// # Errors
    /// There is no such action; the trace is damaged.
    pub fn action(&self, pid: Pid, n: u64) -> Result<Action, Error> {
        if let Some(branch) = self.branches.get(&pid)
            && n > branch.kept
        {
            let at = usize::try_from(n - branch.kept - 1).unwrap_or(usize::MAX);
            let absent = || Error::absent(format!("action {n} of {pid}"), "its log is shorter");
            return branch
                .beyond
                .get(at)
                .map(|(action, _)| action.clone())
                .ok_or_else(absent);
        }
        match &self.trace {
            Some(trace) => {
                let window = self.window(trace, pid, n.saturating_sub(1))?;
                let at = window.partition_point(|entry| entry.number < n);
                match window.get(at).filter(|entry| entry.number == n) {
                    Some(entry) => Ok(entry.action.clone()),
                    None => trace.action(pid, ActionNo(n)),
                }
            }
            None => Err(Error::absent(format!("action {n} of {pid}"), "there is no trace")),
        }
    }

    /// A window of actions of a process in the trace. It contains the action after the first `from`, if there is one.
    fn window(&self, trace: &Trace, pid: Pid, from: u64) -> Result<Arc<Vec<HistoryEntry>>, Error> {
        let holds = |entries: &&Arc<Vec<HistoryEntry>>| {
            let ends = entries.first().zip(entries.last());
            ends.is_some_and(|(first, last)| (first.number..=last.number).contains(&(from + 1)))
        };
        let place = from / WINDOW;
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = windows.get(pid, place).filter(holds) {
            return Ok(Arc::clone(known));
        }
        let mut entries = Vec::new();
        let mut log = trace.log(pid)?.without_values();
        let first = place * WINDOW;
        log.seek(ActionNo(first + 1))?;
        while (entries.len() as u64) < WINDOW {
            let Some(item) = log.next() else { break };
            // Damage further on is reported to the caller that gets there.
            let (number, action) = match item {
                Err(error) if first + entries.len() as u64 <= from => return Err(error),
                Err(_) => break,
                Ok(item) => item,
            };
            entries.push(HistoryEntry {
                number: number.0,
                sends: log.counts().sends,
                action,
            });
        }
        let entries = Arc::new(entries);
        windows.keep(pid, place, &entries);
        Ok(entries)
    }

    /// The actions of a process after the first `from`, up to the `to`-th, without recorded values.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn stretch(&self, pid: Pid, from: u64, to: u64) -> Result<Vec<HistoryEntry>, Error> {
        let mut entries = Vec::new();
        let branch = self.branches.get(&pid);
        let kept = branch.map_or(u64::MAX, |branch| branch.kept);
        if let Some(trace) = &self.trace
            && from < to.min(kept)
        {
            let mut at = from;
            while at < to.min(kept) {
                let window = self.window(trace, pid, at)?;
                let first = window.partition_point(|entry| entry.number <= at);
                let last = window.partition_point(|entry| entry.number <= to.min(kept));
                let Some(end) = window[first..last].last() else { break };
                at = end.number;
                entries.extend_from_slice(&window[first..last]);
            }
        }
        if let Some(branch) = branch {
            let first = usize::try_from(from.saturating_sub(branch.kept)).unwrap_or(usize::MAX);
            let last = usize::try_from(to.saturating_sub(branch.kept)).unwrap_or(usize::MAX);
            let range =
                first.min(branch.beyond.len())..last.min(branch.beyond.len()).max(first.min(branch.beyond.len()));
            entries.extend(
                branch.beyond[range.clone()]
                    .iter()
                    .zip(range)
                    .map(|((action, sends), at)| HistoryEntry {
                        number: branch.kept + at as u64 + 1,
                        sends: *sends,
                        action: action.clone(),
                    }),
            );
        }
        Ok(entries)
    }

    /// Calls `look` with the actions of a process after the first `from`, up to the `to`-th, without recorded values, until it returns something.
    ///
    /// # Errors
    /// If the trace is damaged there.
    pub fn walk<T>(
        &self,
        pid: Pid,
        from: u64,
        to: u64,
        mut look: impl FnMut(u64, u64, &Action) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let branch = self.branches.get(&pid);
        let kept = branch.map_or(u64::MAX, |branch| branch.kept);
        let mut at = from;
        while let Some(trace) = &self.trace
            && at < to.min(kept)
        {
            let window = self.window(trace, pid, at)?;
            let first = window.partition_point(|entry| entry.number <= at);
            let before = at;
            for entry in window[first..].iter().take_while(|entry| entry.number <= to.min(kept)) {
                at = entry.number;
                if let Some(found) = look(entry.number, entry.sends, &entry.action) {
                    return Ok(Some(found));
                }
            }
            if at == before {
                break;
            }
        }
        let Some(branch) = branch else { return Ok(None) };
        let first = usize::try_from(from.saturating_sub(branch.kept)).unwrap_or(usize::MAX);
        let beyond = branch.beyond.get(first..).unwrap_or_default();
        for ((action, sends), number) in beyond.iter().zip(from.max(branch.kept) + 1..=to) {
            if let Some(found) = look(number, *sends, action) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The action that sent a signal; `None` if there is none (a kill by the runtime, or not in this history).
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn find_send(&self, tag: Tag) -> Result<Option<ActionId>, Error> {
        let Some(by) = tag.sender() else { return Ok(None) };
        if let Some(branch) = self.branches.get(&by) {
            let Tag::Sent { k: SendNo(k), .. } = tag else {
                let last = self.length(by)?.unwrap_or(0);
                let ended = last > 0 && self.action(by, last)?.kind.is_end();
                return Ok(ended.then_some(ActionId::new(by, last)));
            };
            if k > branch.sends {
                let at = branch.beyond.partition_point(|(_, sends)| *sends < k);
                return Ok((at < branch.beyond.len()).then(|| ActionId::new(by, branch.kept + at as u64 + 1)));
            }
        }
        let Some(trace) = &self.trace else { return Ok(None) };
        let Tag::Sent { k: SendNo(k), .. } = tag else {
            return sent_in(trace, tag);
        };
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = windows.sender_of(by, k) {
            return Ok(Some(found));
        }
        drop(windows);
        let found = sent_in(trace, tag)?;
        if let Some(ActionId { pid, number }) = found {
            self.window(trace, pid, number.0.saturating_sub(1))?;
        }
        Ok(found)
    }
}

impl LogSource for History {
    fn open(&self, pid: Pid, done: ActionNo) -> Result<Option<Box<dyn Cursor>>, Error> {
        let of_trace = || self.logs.as_ref().map_or(Ok(None), |logs| logs.open(pid, done));
        let Some(branch) = self.branches.get(&pid) else {
            return of_trace();
        };
        let first = if done.0 < branch.kept { of_trace()? } else { None };
        Ok(Some(Box::new(BranchCursor {
            first,
            left: branch.kept.saturating_sub(done.0),
            at: usize::try_from(done.0.saturating_sub(branch.kept)).unwrap_or(usize::MAX),
            branches: Arc::clone(&self.branches),
            pid,
        })))
    }
    fn last_pid(&self) -> Pid {
        let of_trace = self.logs.as_ref().map_or(Pid(0), LogSource::last_pid);
        self.branches
            .keys()
            .copied()
            .max()
            .map_or(of_trace, |pid| pid.max(of_trace))
    }
    fn last_recorded(&self) -> Pid {
        self.logs.as_ref().map_or(Pid(0), LogSource::last_pid)
    }
    fn recorded(&self, pid: Pid) -> u64 {
        self.left_at(pid).unwrap_or(u64::MAX)
    }
    fn births(&self) -> Option<Arc<Births>> {
        self.births.clone()
    }
    fn texts(&self) -> Vec<String> {
        if let Some(texts) = &self.texts {
            return texts.as_ref().clone();
        }
        self.logs.as_ref().map_or_else(Vec::new, LogSource::texts)
    }
    fn nodes(&self) -> Vec<String> {
        if let Some(nodes) = &self.nodes {
            return nodes.as_ref().clone();
        }
        self.logs.as_ref().map_or_else(Vec::new, LogSource::nodes)
    }
}

struct BranchCursor {
    first: Option<Box<dyn Cursor>>,
    left: u64,
    at: usize,
    branches: Arc<Branches>,
    pid: Pid,
}

impl Cursor for BranchCursor {
    fn next(&mut self) -> Result<Option<Action>, Error> {
        if self.left > 0 {
            self.left -= 1;
            return self.first.as_mut().map_or(Ok(None), |first| first.next());
        }
        self.at += 1;
        let beyond = self.branches.get(&self.pid).map(|branch| &branch.beyond);
        let next = beyond.and_then(|beyond| beyond.get(self.at - 1));
        Ok(next.map(|(action, _)| action.clone()))
    }
    fn step(&mut self, max: u64, into: &mut Action) -> Result<Option<LogStep>, Error> {
        let Some(first) = self.first.as_mut().filter(|_| self.left > 0) else {
            let Some(next) = self.next()? else { return Ok(None) };
            *into = next;
            return Ok(Some(LogStep::Action(())));
        };
        let ahead = first.step(max.min(self.left), into)?;
        match ahead {
            None => {}
            Some(LogStep::Sends(n)) => self.left -= n,
            Some(LogStep::Action(())) => self.left -= 1,
        }
        Ok(ahead)
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(Self {
            first: self.first.as_ref().map(|cursor| cursor.boxed_clone()),
            left: self.left,
            at: self.at,
            branches: Arc::clone(&self.branches),
            pid: self.pid,
        })
    }
}

/// The action of a trace that sent a signal; `None` if the trace does not know the signal.
fn sent_in(trace: &Trace, tag: Tag) -> Result<Option<ActionId>, Error> {
    match trace.find_send(tag) {
        Err(error) if matches!(error.kind, ErrorKind::Absent { .. }) => Ok(None),
        found => found,
    }
}
