//! What an action did, as a number: equal for the same step of two runs, whatever came in another order before.

use std::hash::{Hash, Hasher};

use interpreter::hash;
use interpreter::heap::Heap;
use interpreter::term::Term;
use interpreter::vm::Program;
use log_format::{Kind, Pid, Tag};
use rustc_hash::FxHasher;
use system::digest;
use system::observer::{ActionEvent, Detail};
use system::process::Process;

/// What an action did. Two of one process are the same step if this is equal, and what they took is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doing {
    /// Its kind, what it used, and its arguments. What it took, and what came of it, is left out.
    pub what: u64,
    /// To whom it sent a message, and what.
    pub sent: Option<(Pid, u64)>,
    /// The signal that it took.
    pub taken: Option<Tag>,
}

impl Doing {
    /// What an action that has just been done did.
    #[must_use]
    pub fn of(event: &ActionEvent<'_>) -> Self {
        let of = |term: Term| hash::internal(&event.machine.heap, term);
        let mut all = FxHasher::default();
        std::mem::discriminant(&event.action.kind).hash(&mut all);
        for access in &event.action.accesses {
            (access.resource, access.write).hash(&mut all);
        }
        event.action.kind.spawned().hash(&mut all);
        let mut sent = None;
        match event.detail {
            Detail::Sent { to, message } => {
                let content = of(message);
                sent = Some((to.unwrap_or(event.pid), content));
                (to, content).hash(&mut all);
            }
            Detail::Received { .. } => {}
            Detail::TimedOut(after) => after.hash(&mut all),
            Detail::Output(bytes) => bytes.hash(&mut all),
            Detail::Ended(reason) => digest::of_message(event.program, reason).hash(&mut all),
            // The place of a process that is ended by a signal is no step.
            Detail::None | Detail::Value(_) if matches!(event.action.kind, Kind::Signal { .. }) => {}
            // What came of it is a part of the state.
            Detail::None | Detail::Value(_) => event.machine.args().iter().for_each(|arg| of(*arg).hash(&mut all)),
        }
        Self {
            what: all.finish(),
            sent,
            taken: event.action.kind.consumed(),
        }
    }

    /// The step with what it took, if its content is this.
    #[must_use]
    pub fn with(self, content: u64) -> u64 {
        let mut all = FxHasher::default();
        (self.what, self.taken.and_then(Tag::sender), content).hash(&mut all);
        all.finish()
    }
}

/// What a process will do depends on this alone, and on what it gets: where it stands, the values that it can still use, and its dictionary.
#[must_use]
pub fn state(program: &Program, process: &Process) -> u64 {
    let of = |heap: &Heap, term: Term| hash::internal(heap, term);
    let machine = &process.machine;
    let mut all = FxHasher::default();
    (process.actions, process.sent, process.trap_exit, process.group_leader.0).hash(&mut all);
    let (places, values) = machine.live(program);
    places.iter().for_each(|place| place.0.hash(&mut all));
    for (slot, value) in values {
        (slot, of(&machine.heap, value)).hash(&mut all);
    }
    for (key, value) in machine.local.dictionary.iter() {
        (of(&machine.heap, key), of(&machine.heap, value)).hash(&mut all);
    }
    all.finish()
}
