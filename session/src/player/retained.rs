//! Values that processes obtained from others, retained near to where the person works: a process is deterministic given its log and these, so that
//! it can be made again without those who sent them (semantics.md §9).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use log_format::Pid;
use rustc_hash::FxHashMap;
use system::process::Signal;

/// Bytes that one takes besides its words.
const EACH: usize = 96;

#[derive(Debug, Default)]
struct Store {
    /// By the action that consumed it.
    signals: FxHashMap<(Pid, u64), Signal>,
    /// The oldest first.
    order: VecDeque<(Pid, u64)>,
    bytes: usize,
    budget: usize,
}

/// Signals by the actions that consumed them. What an action consumes follows from the logs alone: all sessions over the same logs share
/// it. When it is full, the oldest go first.
#[derive(Clone, Debug, Default)]
pub struct Retained(Arc<Mutex<Store>>);

impl Retained {
    /// Nothing yet; at most so many bytes.
    #[must_use]
    pub fn new(budget: usize) -> Self {
        let store = Store {
            budget,
            ..Store::default()
        };
        Self(Arc::new(Mutex::new(store)))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another one of the same size, for other logs.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self::new(self.store().budget)
    }

    /// Keeps what an action consumed.
    pub fn keep(&self, pid: Pid, number: u64, signal: &Signal) {
        let mut store = self.store();
        let bytes = EACH + signal.words() * 8;
        if bytes > store.budget || store.signals.contains_key(&(pid, number)) {
            return;
        }
        store.bytes += bytes;
        store.signals.insert((pid, number), signal.clone());
        store.order.push_back((pid, number));
        while store.bytes > store.budget {
            let Some(oldest) = store.order.pop_front() else { return };
            if let Some(signal) = store.signals.remove(&oldest) {
                store.bytes -= EACH + signal.words() * 8;
            }
        }
    }

    /// What an action consumed, if it is retained.
    #[must_use]
    pub fn get(&self, pid: Pid, number: u64) -> Option<Signal> {
        self.store().signals.get(&(pid, number)).cloned()
    }

    /// Is it retained?
    #[must_use]
    pub fn has(&self, pid: Pid, number: u64) -> bool {
        self.store().signals.contains_key(&(pid, number))
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store().bytes
    }
}

#[cfg(test)]
mod tests {
    use interpreter::heap::Fragment;
    use interpreter::term::Term;

    use super::*;

    #[test]
    fn the_oldest_go_first() {
        let signal = |n| Signal::Message(Fragment::immediate(Term::small(n)));
        let retained = Retained::new(4 * (EACH + 8));
        for n in 1..=10_u64 {
            retained.keep(Pid(1), n, &signal(n as i64));
            assert!(retained.bytes() <= 4 * (EACH + 8));
        }
        assert!(!retained.has(Pid(1), 1) && retained.has(Pid(1), 10) && !retained.has(Pid(2), 10));
        assert!(
            matches!(retained.get(Pid(1), 10), Some(Signal::Message(m)) if m.as_immediate() == Some(Term::small(10)))
        );
        let none = Retained::new(0);
        none.keep(Pid(1), 1, &signal(1));
        assert!(!none.has(Pid(1), 1) && none.bytes() == 0);
        assert!(!retained.emptied().has(Pid(1), 10));
    }
}
