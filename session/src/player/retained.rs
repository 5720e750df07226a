//! Values that processes received, kept near the current position. A process is deterministic given its log and these values, so it can be
//! rebuilt without their senders (semantics.md §9).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use log_format::ActionId;
use rustc_hash::FxHashMap;
use system::process::Signal;

/// Bytes that one value takes besides its words.
const EACH: usize = 96;

#[derive(Debug, Default)]
struct Store {
    /// By the consuming action.
    signals: FxHashMap<ActionId, Signal>,
    /// Oldest first.
    order: VecDeque<ActionId>,
    bytes: usize,
    budget: usize,
}

/// Consumed signals, by the consuming action. What an action consumes follows from the logs alone, so all sessions over the same logs share it.
/// When it is full, the oldest are dropped.
#[derive(Clone, Debug, Default)]
pub struct Retained(Arc<Mutex<Store>>);

impl Retained {
    /// An empty store of at most this many bytes.
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

    /// An empty store of the same size, for other logs.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self::new(self.store().budget)
    }

    /// Stores what an action consumed.
    pub fn keep(&self, action: ActionId, signal: &Signal) {
        let mut store = self.store();
        let bytes = EACH + signal.words() * 8;
        if bytes > store.budget || store.signals.contains_key(&action) {
            return;
        }
        store.bytes += bytes;
        store.signals.insert(action, signal.clone());
        store.order.push_back(action);
        while store.bytes > store.budget {
            let Some(oldest) = store.order.pop_front() else { return };
            if let Some(signal) = store.signals.remove(&oldest) {
                store.bytes -= EACH + signal.words() * 8;
            }
        }
    }

    /// What an action consumed, if it is stored.
    #[must_use]
    pub fn get(&self, action: ActionId) -> Option<Signal> {
        self.store().signals.get(&action).cloned()
    }

    /// Is it stored?
    #[must_use]
    pub fn has(&self, action: ActionId) -> bool {
        self.store().signals.contains_key(&action)
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store().bytes
    }
}

#[cfg(test)]
mod tests {
    use interpreter::heap::Fragment;
    use interpreter::term::Term;

    use log_format::Pid;

    use super::*;

    #[test]
    fn the_oldest_go_first() {
        let signal = |n| Signal::Message(Fragment::immediate(Term::small(n)));
        let retained = Retained::new(4 * (EACH + 8));
        for n in 1..=10_u64 {
            retained.keep(ActionId::new(Pid(1), n), &signal(n as i64));
            assert!(retained.bytes() <= 4 * (EACH + 8));
        }
        assert!(
            !retained.has(ActionId::new(Pid(1), 1))
                && retained.has(ActionId::new(Pid(1), 10))
                && !retained.has(ActionId::new(Pid(2), 10))
        );
        assert!(
            matches!(retained.get(ActionId::new(Pid(1), 10)), Some(Signal::Message(m)) if m.as_immediate() == Some(Term::small(10)))
        );
        let none = Retained::new(0);
        let one = ActionId::new(Pid(1), 1);
        none.keep(one, &signal(1));
        assert!(!none.has(one) && none.bytes() == 0);
        assert!(!retained.emptied().has(ActionId::new(Pid(1), 10)));
    }
}
