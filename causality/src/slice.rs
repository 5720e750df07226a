//! A slice: a prefix of every process that is closed under `⇒`.

use log_format::{ActionNo, Pid, Result, Trace};

/// How much of each process: the first so many actions of its log. Closed under `⇒` where this crate made it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slice {
    /// invariant: ascending by process, no prefix of length 0.
    prefixes: Vec<(Pid, u64)>,
}

impl Slice {
    /// The slice with these prefixes, in any order. It is the caller's to see that it is closed under `⇒`.
    #[must_use]
    pub fn from_prefixes(prefixes: impl IntoIterator<Item = (Pid, u64)>) -> Self {
        let mut prefixes: Vec<_> = prefixes.into_iter().filter(|(_, length)| *length > 0).collect();
        prefixes.sort_unstable();
        // The longest of several prefixes of one process comes last.
        prefixes.reverse();
        prefixes.dedup_by_key(|(pid, _)| *pid);
        prefixes.reverse();
        Self { prefixes }
    }

    /// The whole of a trace.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn whole(trace: &Trace) -> Result<Self> {
        let lengths = trace
            .processes()
            .map(|process| process.map(|process| (process.pid, process.counts.actions)));
        Ok(Self::from_prefixes(lengths.collect::<Result<Vec<_>>>()?))
    }

    /// How many actions of a process it holds.
    #[must_use]
    pub fn prefix(&self, pid: Pid) -> u64 {
        match self.prefixes.binary_search_by_key(&pid, |(pid, _)| *pid) {
            Ok(at) => self.prefixes[at].1,
            Err(_) => 0,
        }
    }

    /// Does it hold this action?
    #[must_use]
    pub fn contains(&self, pid: Pid, action: ActionNo) -> bool {
        action.0 > 0 && action.0 <= self.prefix(pid)
    }

    /// How many actions it holds.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.prefixes.iter().map(|(_, length)| length).sum()
    }

    /// Does it hold none?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.prefixes.is_empty()
    }

    /// Its processes by pid, each with the number of its last action in the slice. A process that has been created in the slice
    /// and has done nothing is not among them.
    pub fn processes(&self) -> impl ExactSizeIterator<Item = (Pid, ActionNo)> + '_ {
        self.prefixes.iter().map(|(pid, length)| (*pid, ActionNo(*length)))
    }

    /// What is in one of the two.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_prefixes(self.prefixes.iter().chain(&other.prefixes).copied())
    }

    /// Is all of it in the other?
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.prefixes.iter().all(|(pid, length)| *length <= other.prefix(*pid))
    }
}
