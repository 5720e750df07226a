//! A fingerprint of a replay: a number for every action, made from all that the action carried. Two replays of one trace must agree in all of
//! these numbers, whatever their schedules, and in the recorder's digests.

use interpreter::heap::Heap;
use interpreter::term::Term;
use log_format::{ActionId, ExitClass, Kind, Pid};
use rustc_hash::FxHashMap;
use system::digest;
use system::observer::{ActionEvent, Detail, Ending, Observer};
use system::recorder;
use system::terms;

use crate::digests::{DigestCheck, RecordedDigests};

/// The fingerprint of one process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// A number for each action.
    pub actions: Vec<u32>,
    /// A number for its state at its end.
    pub last: Option<u32>,
    /// The lengths of its printed texts, in order.
    pub printed: Vec<u64>,
    /// The reason of its end, unless it was `normal`, in the words of the outcome.
    pub reason: Option<String>,
}

/// Takes the fingerprint of a replay.
#[derive(Debug, Default)]
pub struct Noter {
    /// The fingerprints of processes that have ended.
    pub ended: FxHashMap<Pid, Notes>,
    /// Compares contents with the recorder's digests.
    pub contents: DigestCheck,
}

/// The fingerprint of a living process.
#[derive(Clone, Debug)]
pub struct ProcessFingerprint {
    pid: Pid,
    /// The fingerprint so far.
    pub notes: Notes,
    receives: u64,
}

impl Noter {
    /// One that also compares contents with the recorder's digests.
    #[must_use]
    pub fn comparing(recorded: RecordedDigests) -> Self {
        Self {
            contents: DigestCheck::of(recorded),
            ..Self::default()
        }
    }
}

impl Observer for Noter {
    type Log = ProcessFingerprint;
    const WANTS_MESSAGES: bool = true;

    fn born(&mut self, pid: Pid, _: Option<&ProcessFingerprint>, _: u16) -> ProcessFingerprint {
        ProcessFingerprint {
            pid,
            notes: Notes::default(),
            receives: 0,
        }
    }

    fn action(&mut self, life: &mut ProcessFingerprint, event: &ActionEvent<'_>) {
        let of = |term: Term| term_digest(&event.machine.heap, term);
        let content = match event.detail {
            Detail::None | Detail::TimedOut(_) => 0,
            Detail::Sent { to, message } => of(message) ^ to.map_or(0, |to| to.0 as u32),
            Detail::Received { message } => {
                let found = message.map_or(0, |message| digest::of_message(event.program, message));
                if matches!(event.action.kind, Kind::Rec(_)) {
                    life.receives += 1;
                    if found != 0 {
                        self.contents.compare(life.pid, Some(life.receives), found);
                    }
                }
                found
            }
            Detail::Output(bytes) => log_format::digest(bytes),
            Detail::Value(value) => of(value),
            Detail::Ended(reason) => digest::of_message(event.program, reason),
        };
        if let Kind::Output { bytes, .. } = event.action.kind {
            life.notes.printed.push(bytes);
        }
        let place = event.machine.location(event.program);
        let place = place.map_or(0, |l| l.line.wrapping_mul(1 << 10) ^ l.column);
        life.notes.actions.push(content.rotate_left(7) ^ place);
    }

    fn ended(&mut self, life: &mut ProcessFingerprint, ending: &Ending<'_>) {
        let found = digest::of_state(ending.program, ending.machine, Some(ending.reason));
        life.notes.last = Some(found);
        if ending.class != Some(ExitClass::Normal) {
            life.notes.reason = Some(recorder::reason(ending));
        }
        self.contents.compare(life.pid, None, found);
    }

    fn buried(&mut self, life: ProcessFingerprint) {
        self.ended.insert(life.pid, life.notes);
    }
}

fn term_digest(heap: &Heap, term: Term) -> u32 {
    log_format::digest(&terms::encode(heap, term))
}

/// The first difference between two replays, by process and then by action: the process and the action (0: its final state).
#[must_use]
pub fn difference(one: &FxHashMap<Pid, Notes>, two: &FxHashMap<Pid, Notes>) -> Option<ActionId> {
    let mut pids: Vec<Pid> = one.keys().chain(two.keys()).copied().collect();
    pids.sort_unstable();
    pids.dedup();
    let nothing = Notes::default();
    pids.into_iter().find_map(|pid| {
        let (a, b) = (one.get(&pid).unwrap_or(&nothing), two.get(&pid).unwrap_or(&nothing));
        let same = a.actions.iter().zip(&b.actions).take_while(|(a, b)| a == b).count();
        if same < a.actions.len().max(b.actions.len()) {
            Some(ActionId::new(pid, same as u64 + 1))
        } else {
            (a.last != b.last).then_some(ActionId::new(pid, 0))
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
            ..Notes::default()
        };
        let map = |second: Notes| -> FxHashMap<Pid, Notes> {
            [(Pid(1), notes(&[1, 2], None)), (Pid(2), second)].into_iter().collect()
        };
        let one = map(notes(&[5, 6, 7], Some(1)));
        assert_eq!(difference(&one, &one.clone()), None);
        assert_eq!(
            difference(&one, &map(notes(&[5, 9, 7], Some(1)))),
            Some(ActionId::new(Pid(2), 2))
        );
        assert_eq!(
            difference(&one, &map(notes(&[5, 6], Some(1)))),
            Some(ActionId::new(Pid(2), 3))
        );
        assert_eq!(
            difference(&one, &map(notes(&[5, 6, 7], None))),
            Some(ActionId::new(Pid(2), 0))
        );
        assert_eq!(difference(&FxHashMap::default(), &one), Some(ActionId::new(Pid(1), 1)));
    }
}
