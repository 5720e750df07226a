//! How serious abnormal ends are: which were done on purpose, which follow from others, and which somebody handled.

use log_format::{ActionId, ActionNo, FinalState, Kind, Pid, Result, START_REFUSED, Tag, Trace};
use rustc_hash::FxHashMap;

/// How serious an abnormal end is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gravity {
    /// By `exit/2` of another process, or a stop of its node; or it follows from such an end.
    Killed,
    /// It follows from another end: by a link, or the process ended with the reason of an end that it had received.
    Linked,
    /// Another process received the end by its link or monitor, and did not end with its reason; or its start was refused, and its starter was told.
    Handled,
    /// Any other one.
    Failed,
}

impl Gravity {
    /// The gravity of an abnormal end as its last action tells it; `signal` is the signal that ended the process, if any.
    #[must_use]
    pub fn of(pid: Pid, signal: Option<Tag>, is_entry: bool) -> Self {
        match signal {
            _ if is_entry => Self::Failed,
            Some(Tag::Sent { by, .. }) if by != pid => Self::Killed,
            Some(Tag::EndTo { .. }) => Self::Linked,
            _ => Self::Failed,
        }
    }
}

/// An abnormal end.
#[derive(Clone, Debug)]
pub(crate) struct AbnormalExit {
    pub(crate) id: ActionId,
    pub(crate) gravity: Gravity,
    /// The signal that ended it.
    pub(crate) signal: Option<Tag>,
    /// The reason as text, if the trace has it.
    pub(crate) reason: Option<String>,
    pub(crate) is_entry: bool,
}

impl AbnormalExit {
    /// The process whose end has ended this one by a link.
    pub(crate) const fn by_link(&self) -> Option<Pid> {
        match self.signal {
            Some(Tag::EndTo { by, .. }) => Some(by),
            _ => None,
        }
    }
}

/// Processes with longer logs are not examined: the answer has to come at once.
const MAX_ACTIONS: u64 = 1_000_000;

/// Who took note of the ends of others.
#[derive(Default)]
struct Notes {
    /// For each end, by its place in the list: the processes that received it.
    by: FxHashMap<usize, Vec<Pid>>,
    /// For each process, the ends that it received, in order.
    of: FxHashMap<Pid, Vec<usize>>,
}

impl Notes {
    fn read(trace: &Trace, places: &FxHashMap<Pid, usize>) -> Result<Self> {
        let mut notes = Self::default();
        for process in trace.processes() {
            let process = process?;
            if process.counts.actions > MAX_ACTIONS || process.counts.actions == 0 {
                continue;
            }
            // Whether its own start was refused is in a value.
            let own = places.get(&process.pid);
            let log = trace.log(process.pid)?;
            let mut log = if own.is_some() { log } else { log.without_values() };
            while let Some(step) = log.step(u64::MAX)? {
                let log_format::LogStep::Action(action) = step else {
                    continue;
                };
                match &action.kind {
                    Kind::Rec(tag) => {
                        if let Some(place) = end_of(*tag, places) {
                            notes.by.entry(place).or_default().push(process.pid);
                            notes.of.entry(process.pid).or_default().push(place);
                        }
                    }
                    Kind::Observe { of: None, value } if is_refusal(value) => {
                        if let Some(place) = own
                            && let Some(spawn) = process.parent
                        {
                            notes.by.entry(*place).or_default().push(spawn.pid);
                        }
                    }
                    _ => {}
                }
            }
        }
        // Who had the message and was about to run when the run ended could have taken it.
        for outcome in trace.outcomes()? {
            if matches!(outcome.state, FinalState::Running { .. }) {
                for place in outcome.tags.iter().filter_map(|tag| end_of(*tag, places)) {
                    notes.by.entry(place).or_default().push(outcome.pid);
                }
            }
        }
        Ok(notes)
    }
}

/// Has the process seen that its start is refused? The value is an atom in the external term format: at most four bytes before its text.
fn is_refusal(value: &[u8]) -> bool {
    value
        .strip_suffix(START_REFUSED.as_bytes())
        .is_some_and(|before| before.len() <= 4)
}

/// The end that this signal tells of.
fn end_of(tag: Tag, places: &FxHashMap<Pid, usize>) -> Option<usize> {
    match tag {
        Tag::EndTo { by, .. } | Tag::EndRef { by, .. } => places.get(&by).copied(),
        _ => None,
    }
}

/// Sets the gravity of ends that somebody handled, and of those that follow from others.
pub(crate) fn weigh(trace: &Trace, ends: &mut [AbnormalExit]) -> Result<()> {
    let places: FxHashMap<Pid, usize> = ends.iter().enumerate().map(|(i, end)| (end.id.pid, i)).collect();
    let notes = Notes::read(trace, &places)?;
    let list: &[AbnormalExit] = ends;
    let passed_on: Vec<Option<usize>> = list.iter().map(|end| passed_on(end, list, &notes)).collect();
    let is_handled = |i: usize| {
        let mut takers = notes.by.get(&i).into_iter().flatten();
        // Who passed the reason on has handled nothing.
        takers.any(|taker| places.get(taker).is_none_or(|at| passed_on[*at] != Some(i)))
    };
    let handled: Vec<bool> = (0..list.len()).map(is_handled).collect();
    let mut known: Vec<Option<Gravity>> = vec![None; list.len()];
    let mut met = vec![false; list.len()];
    for i in 0..list.len() {
        // From the end at which this one begins, back to it. What was met and is not known is on this chain: a circle.
        let mut chain = vec![i];
        met[i] = true;
        while let Some(&last) = chain.last()
            && known[last].is_none()
            && let Some(before) = origin(&list[last], passed_on[last], &places)
            && (known[before].is_some() || !met[before])
        {
            met[before] = true;
            chain.push(before);
        }
        while let Some(at) = chain.pop() {
            if known[at].is_none() {
                let before = origin(&list[at], passed_on[at], &places).and_then(|before| known[before]);
                known[at] = Some(weight(&list[at], handled[at], before));
            }
        }
    }
    for (end, gravity) in ends.iter_mut().zip(known) {
        end.gravity = gravity.unwrap_or(end.gravity);
    }
    Ok(())
}

/// The end that another one follows from.
fn origin(end: &AbnormalExit, passed_on: Option<usize>, places: &FxHashMap<Pid, usize>) -> Option<usize> {
    match end.by_link() {
        Some(by) => places.get(&by).copied(),
        None => passed_on,
    }
}

/// The gravity of an end; `before`: that of the end which it follows from.
fn weight(end: &AbnormalExit, handled: bool, before: Option<Gravity>) -> Gravity {
    if end.is_entry {
        return Gravity::Failed;
    }
    if end.reason.as_deref().is_some_and(is_of_runner) {
        return Gravity::Killed;
    }
    let own = match end.gravity {
        Gravity::Failed if handled => Gravity::Handled,
        own => own,
    };
    match (end.by_link().is_some(), before) {
        (_, Some(Gravity::Killed)) => Gravity::Killed,
        (false, Some(Gravity::Failed | Gravity::Linked)) => Gravity::Linked.min(own),
        // What one process handled can be too much for another one.
        _ => own,
    }
}

/// The received end whose reason a process passed on when it ended by itself.
fn passed_on(end: &AbnormalExit, ends: &[AbnormalExit], notes: &Notes) -> Option<usize> {
    if end.signal.is_some() {
        return None;
    }
    let reason = end.reason.as_deref()?;
    let received = notes.of.get(&end.id.pid)?.iter().rev();
    let mut told = received.filter(|&&i| ends[i].reason.as_deref().is_some_and(|of| says(reason, of)));
    told.next().copied()
}

/// The library's Common Test runs each case in a process of its own, which hands its answer over by its end (`retell_suite`). What is linked to
/// it ends with it, as under OTP: on purpose.
fn is_of_runner(reason: &str) -> bool {
    reason.contains("{'$apart',")
}

/// Does a reason hold another one, as a term of its own?
fn says(reason: &str, of: &str) -> bool {
    if of.is_empty() || of == log_format::REMOVED {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@');
    reason.match_indices(of).any(|(at, _)| {
        let before = reason[..at].chars().next_back();
        let after = reason[at + of.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Where a chain of links to the entry began: the end of the process whose exit signal went from one to the other.
pub(crate) fn began_with(ends: &[AbnormalExit], last: &AbnormalExit) -> ActionId {
    let mut at = last;
    // A chain of links is no longer than the list of ends.
    for _ in ends {
        let before = at.by_link().and_then(|by| ends.iter().find(|end| end.id.pid == by));
        match before {
            Some(before) => at = before,
            None => break,
        }
    }
    let is_failure = at.signal.is_none() && at.id.number > ActionNo(0);
    if is_failure { at.id } else { last.id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_in_another_one_is_a_term_of_its_own() {
        assert!(says("{killed,{gen_server,call,[s,get]}}", "killed"));
        assert!(says("{{badmatch,0},[{m,f,1,[]}]}", "{badmatch,0}"));
        assert!(says("killed", "killed"));
        assert!(!says("killed_by_me", "killed"));
        assert!(!says("{worker,failed}", "work"));
        assert!(!says("(removed)", "(removed)"));
    }
}
