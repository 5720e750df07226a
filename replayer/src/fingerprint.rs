//! What a replay did, in short: a number for every action, made from all that the action carried. Two replays of one trace must agree in all of
//! them, whatever their schedules; and in the digests that the recorder noted, if it did.

use std::sync::Arc;

use interpreter::heap::Heap;
use interpreter::term::Term;
use interpreter::vm::Program;
use log_format::{Digests, Kind, Pid};
use rustc_hash::FxHashMap;
use system::digest;
use system::observer::{Detail, Ending, Event, Observer};
use system::terms;

/// What was noted of one process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// A number for each action.
    pub actions: Vec<u32>,
    /// A number for its state at its end.
    pub last: Option<u32>,
}

/// A digest that differs from the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The process.
    pub pid: Pid,
    /// The number of its receive; none for its final state.
    pub receive: Option<u64>,
}

/// Notes what a replay does.
#[derive(Debug, Default)]
pub struct Noter {
    /// Of processes that have ended.
    pub ended: FxHashMap<Pid, Notes>,
    /// What the recorder noted.
    recorded: Option<Arc<FxHashMap<u64, Digests>>>,
    /// The first digest that differs.
    pub mismatch: Option<Mismatch>,
}

/// Of a living process.
#[derive(Clone, Debug)]
pub struct Life {
    pid: Pid,
    /// What was noted.
    pub notes: Notes,
    receives: usize,
}

impl Noter {
    /// One that also compares with what the recorder noted.
    #[must_use]
    pub fn comparing(recorded: Arc<FxHashMap<u64, Digests>>) -> Self {
        Self {
            recorded: (!recorded.is_empty()).then_some(recorded),
            ..Self::default()
        }
    }

    fn compare(&mut self, pid: Pid, receive: Option<usize>, found: u32) {
        let Some(of) = self.recorded.as_ref().and_then(|all| all.get(&pid.0)) else {
            return;
        };
        let expected = match receive {
            Some(at) => of.received.get(at).copied(),
            None => of.last,
        };
        // 0: the recorder did not know it.
        if expected.is_some_and(|expected| expected != 0 && expected != found) {
            let receive = receive.map(|at| at as u64 + 1);
            self.mismatch.get_or_insert(Mismatch { pid, receive });
        }
    }
}

impl Observer for Noter {
    type Log = Life;
    const WANTS_MESSAGES: bool = true;

    fn born(&mut self, pid: Pid, _: Option<&Life>, _: u16) -> Life {
        Life {
            pid,
            notes: Notes::default(),
            receives: 0,
        }
    }

    fn action(&mut self, life: &mut Life, event: &Event<'_>) {
        let of = |term: Term| of_term(event.program, &event.machine.heap, term);
        let content = match event.detail {
            Detail::None => 0,
            Detail::Sent { to, message } => of(message) ^ to.map_or(0, |to| to.0 as u32),
            Detail::Received { message } => {
                let found = message.map_or(0, |message| digest::of_message(event.program, message));
                if matches!(event.action.kind, Kind::Rec(_)) {
                    if found != 0 {
                        self.compare(life.pid, Some(life.receives), found);
                    }
                    life.receives += 1;
                }
                found
            }
            Detail::Output(bytes) => log_format::digest(bytes),
            Detail::Value(value) => of(value),
            Detail::Ended(reason) => digest::of_message(event.program, reason),
        };
        let place = event.machine.location(event.program);
        let place = place.map_or(0, |l| l.line.wrapping_mul(1 << 10) ^ l.column);
        life.notes.actions.push(content.rotate_left(7) ^ place);
    }

    fn ended(&mut self, life: &mut Life, ending: &Ending<'_>) {
        let found = digest::of_state(ending.program, ending.machine, Some(ending.reason));
        life.notes.last = Some(found);
        self.compare(life.pid, None, found);
    }

    fn buried(&mut self, life: Life) {
        self.ended.insert(life.pid, life.notes);
    }
}

fn of_term(program: &Program, heap: &Heap, term: Term) -> u32 {
    log_format::digest(&terms::encode(program, heap, term))
}

/// The first difference between two replays, by process and then by action: which action of which process (0: its final state).
#[must_use]
pub fn difference(one: &FxHashMap<Pid, Notes>, two: &FxHashMap<Pid, Notes>) -> Option<(Pid, u64)> {
    let mut pids: Vec<Pid> = one.keys().chain(two.keys()).copied().collect();
    pids.sort_unstable();
    pids.dedup();
    let nothing = Notes::default();
    pids.into_iter().find_map(|pid| {
        let (a, b) = (one.get(&pid).unwrap_or(&nothing), two.get(&pid).unwrap_or(&nothing));
        let same = a.actions.iter().zip(&b.actions).take_while(|(a, b)| a == b).count();
        if same < a.actions.len().max(b.actions.len()) {
            Some((pid, same as u64 + 1))
        } else {
            (a.last != b.last).then_some((pid, 0))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let notes = |actions: &[u32], last| Notes {
            actions: actions.to_vec(),
            last,
        };
        let map = |second: Notes| -> FxHashMap<Pid, Notes> {
            [(Pid(1), notes(&[1, 2], None)), (Pid(2), second)].into_iter().collect()
        };
        let one = map(notes(&[5, 6, 7], Some(1)));
        assert_eq!(difference(&one, &one.clone()), None);
        assert_eq!(difference(&one, &map(notes(&[5, 9, 7], Some(1)))), Some((Pid(2), 2)));
        assert_eq!(difference(&one, &map(notes(&[5, 6], Some(1)))), Some((Pid(2), 3)));
        assert_eq!(difference(&one, &map(notes(&[5, 6, 7], None))), Some((Pid(2), 0)));
        assert_eq!(difference(&FxHashMap::default(), &one), Some((Pid(1), 1)));
    }
}
