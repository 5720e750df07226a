//! Memory of processes that have ended, for new processes: allocating and clearing a stack is most of the cost of a short process.

use super::process::FIRST_STACK;

/// Limit: kept buffers of each kind.
const KEPT: usize = 64;
/// Limit: words of a kept buffer.
const LARGEST: usize = 8192;

/// Buffers for reuse; see the module.
#[derive(Debug, Default)]
pub struct Spare {
    /// invariant: each has at least [`FIRST_STACK`] words. They contain old data: no frame reads a word that it has not written (verifier).
    stacks: Vec<Vec<u64>>,
    /// invariant: all empty.
    heaps: Vec<Vec<u64>>,
}

impl Spare {
    /// A stack, if there is one.
    pub(super) fn stack(&mut self) -> Option<Vec<u64>> {
        self.stacks.pop()
    }

    /// An empty heap buffer, with capacity if one is available.
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
