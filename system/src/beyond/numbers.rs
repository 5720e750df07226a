//! Numbers beyond the logs: pids of new processes, and random numbers.

use interpreter::term::Pid;

use crate::hash::mix;
use crate::ids;
use crate::state::mode::Decides;
use crate::state::process::Process;
use crate::state::table::Lookup;
use crate::world::World;

/// Pids below this are dense; above it they are pseudorandom.
const DENSE: u64 = 1 << 24;

/// Number of bits of a pid's number.
const PID_BITS: u32 = 40;

impl World {
    /// The number of a process's j-th child: it depends only on these two, so reordering independent steps does not change it.
    pub(crate) fn number_of_child(&self, parent: Pid, j: u64) -> u64 {
        let base = self.purpose.beyond().map_or(0, |beyond| beyond.last_recorded);
        let births = self.purpose.beyond().and_then(|beyond| beyond.births.as_ref());
        let known = births.and_then(|births| births.get(&(ids::to_log(parent), j)));
        let mut number = known.map_or_else(|| number_of_child(base, parent.number(), j), |known| known.0);
        // Two pseudorandom numbers almost never collide; if they do, the later one takes the next number.
        while self.table.find(Pid::new(0, number)) != Lookup::Unborn {
            number = number % ((1 << PID_BITS) - 1) + 1;
        }
        number
    }

    pub(crate) fn driven_seed(&self, pid: Pid, actions: u64) -> u64 {
        let seed = self.purpose.beyond().map_or(0, |beyond| beyond.seed);
        mix(mix(seed ^ mix(pid.number())).wrapping_add(actions))
    }

    /// What is drawn where a process has left its log: another number for each way on.
    pub(crate) fn seed_beyond(&self, process: &Process) -> Option<u64> {
        match process.mode.decides() {
            Decides::Beyond { .. } => Some(self.driven_seed(process.pid, process.actions)),
            Decides::Record | Decides::Follow(_) | Decides::Driven => None,
        }
    }
}

/// See [`World::number_of_child`]: pairs are counted diagonally as long as the numbers are small; above, they are hashed.
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
