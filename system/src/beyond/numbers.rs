//! Numbers that are drawn beyond the logs: of new processes, and random ones.

use interpreter::term::Pid;

use crate::process::Lookup;
use crate::scheduler::mix;
use crate::world::World;

/// Pids below this are dense; above it they are drawn.
const DENSE: u64 = 1 << 24;

/// Numbers of pids have so many bits.
const PID_BITS: u32 = 40;

impl World {
    /// The number of a process's j-th child: a function of the two alone, so that no order of independent steps changes it.
    pub(crate) fn number_of_child(&self, parent: Pid, j: u64) -> u64 {
        let base = self.purpose.beyond().map_or(0, |beyond| beyond.last_recorded);
        let mut number = number_of_child(base, parent.number(), j);
        // Two drawn numbers meet about never; if they do, the later one takes the next.
        while self.table.find(Pid::new(0, number)) != Lookup::Unborn {
            number = number % ((1 << PID_BITS) - 1) + 1;
        }
        number
    }

    pub(crate) fn driven_seed(&self, pid: Pid, actions: u64) -> u64 {
        let seed = self.purpose.beyond().map_or(0, |beyond| beyond.seed);
        mix(mix(seed ^ mix(pid.number())).wrapping_add(actions))
    }
}

/// See [`System::number_of_child`]: the pairs are counted diagonally as long as the numbers are small, then drawn.
fn number_of_child(base: u64, parent: u64, j: u64) -> u64 {
    let diagonal = u128::from(parent) + u128::from(j) - 1;
    let place = (diagonal - 1) * diagonal / 2 + u128::from(parent);
    let dense = u128::from(base) + place;
    match u64::try_from(dense) {
        Ok(number) if number < DENSE => number + 1,
        _ => {
            let drawn = mix(mix(parent) ^ j.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> (64 - PID_BITS + 1);
            DENSE.max(base) + 1 + drawn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_children_are_different_and_above_the_recording() {
        let mut seen = rustc_hash::FxHashMap::default();
        for base in [1, 40] {
            seen.clear();
            // Children of the recorded ones, and their children.
            let mut parents: Vec<u64> = (1..=base).collect();
            for _ in 0..3 {
                let mut next = Vec::new();
                for parent in parents {
                    for j in 1..=6 {
                        let number = number_of_child(base, parent, j);
                        assert!(number > base && number < 1 << PID_BITS);
                        assert_eq!(seen.insert(number, (parent, j)), None, "child {j} of {parent}");
                        next.push(number);
                    }
                }
                parents = next;
            }
        }
    }
}
