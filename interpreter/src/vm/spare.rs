//! Memory of processes that have ended, for those that come: to make and clear a stack is most of what a short process would cost.

use super::process::FIRST_STACK;

/// So many buffers of each sort are kept.
const KEPT: usize = 64;
/// Words of the largest one that is kept.
const LARGEST: usize = 8192;

/// See the module.
#[derive(Debug, Default)]
pub struct Spare {
    /// invariant: each has at least [`FIRST_STACK`] words. What they hold is of others: no frame reads a word that it has not written
    /// (verifier).
    stacks: Vec<Vec<u64>>,
    /// invariant: all empty.
    heaps: Vec<Vec<u64>>,
}

impl Spare {
    /// A stack, if there is one.
    pub(super) fn stack(&mut self) -> Option<Vec<u64>> {
        self.stacks.pop()
    }

    /// An empty heap, with room if there is one that had some.
    pub(super) fn heap(&mut self) -> Vec<u64> {
        self.heaps.pop().unwrap_or_default()
    }

    pub(super) fn keep_stack(&mut self, stack: Vec<u64>) {
        if (FIRST_STACK..=LARGEST).contains(&stack.len()) && self.stacks.len() < KEPT {
            self.stacks.push(stack);
        }
    }

    pub(super) fn keep_heap(&mut self, mut heap: Vec<u64>) {
        if (1..=LARGEST).contains(&heap.capacity()) && self.heaps.len() < KEPT {
            heap.clear();
            self.heaps.push(heap);
        }
    }
}
