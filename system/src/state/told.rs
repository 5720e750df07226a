//! Replay: to whom the signals of a process went. So undoing a process finds those that have to be undone with it without looking at all others.

use log_format::Pid;
use rpds::{HashTrieMapSync, VectorSync};
use rustc_hash::FxBuildHasher;

/// For each sender, who has consumed a signal of it, each at least once. Some may have been undone since. A copy shares what does not change.
#[derive(Clone)]
pub(crate) struct Consumers(HashTrieMapSync<Pid, VectorSync<Pid>, FxBuildHasher>);

impl Default for Consumers {
    fn default() -> Self {
        Self(HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher))
    }
}

impl Consumers {
    /// A process has consumed its first signal of another one.
    pub fn note(&mut self, by: Pid, to: Pid) {
        match self.0.get_mut(&by) {
            Some(known) => known.push_back_mut(to),
            None => self.0.insert_mut(by, [to].into_iter().collect()),
        }
    }
    /// Who may have consumed a signal of this process, each once, ascending.
    pub fn of(&self, by: Pid) -> Vec<Pid> {
        let mut all: Vec<Pid> = self.0.get(&by).into_iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
