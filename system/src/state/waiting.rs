//! Replay: who waits for what ([`crate::state::order`]).

use rustc_hash::FxHashMap;

use crate::ids::Slot;
use crate::state::order::AwaitedWrite;

/// The processes that wait for a write. One that waits for a signal is found when the signal comes: its log says that it waits.
#[derive(Clone, Default, Debug)]
pub(crate) struct WaitingForWrites(FxHashMap<AwaitedWrite, Vec<Slot>>);

impl WaitingForWrites {
    /// Does nobody wait?
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// A process waits.
    #[inline]
    pub(crate) fn add(&mut self, slot: Slot, wanted: AwaitedWrite) {
        match wanted {
            AwaitedWrite::Signal(_) => {}
            AwaitedWrite::Version(..) | AwaitedWrite::Written(..) | AwaitedWrite::Contents(..) => {
                self.0.entry(wanted).or_default().push(slot);
            }
        }
    }
    /// This has happened: those that waited for it.
    pub(crate) fn come(&mut self, wanted: AwaitedWrite) -> Vec<Slot> {
        self.0.remove(&wanted).unwrap_or_default()
    }
    /// Nobody waits any more.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use log_format::{Node, Pid, Resource, Tag, Version};

    use super::*;

    #[test]
    fn who_waits_for_a_write_is_told_once() {
        let mut waiting = WaitingForWrites::default();
        let wanted = |v| AwaitedWrite::Version(Resource::Node(Node(1)), Version(v));
        waiting.add(Slot(1), wanted(1));
        waiting.add(Slot(2), wanted(1));
        waiting.add(Slot(3), wanted(2));
        waiting.add(Slot(4), AwaitedWrite::Signal(Tag::Limit { to: Pid(1) }));
        assert_eq!(waiting.come(wanted(1)), [Slot(1), Slot(2)]);
        assert!(waiting.come(wanted(1)).is_empty());
        assert_eq!(waiting.come(wanted(2)), [Slot(3)]);
        assert!(waiting.is_empty(), "who waits for a signal is found by its log");
    }
}
