//! The observer that tells every action of a replay, one after the other, and keeps none: for what goes through a whole run once.

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Term;
use log_format::{Kind, Pid, SendNo, Tag};
use system::observer::{ActionEvent, Detail, Observer};

use super::{here, runs};
use crate::content::Content;
use crate::name::ActionTally;
use crate::view::SourcePlace;

/// An action that a replay has just done.
pub struct DoneAction<'e> {
    /// The action.
    pub event: &'e ActionEvent<'e>,
    /// The counts of its process, with this action.
    pub tally: ActionTally,
}

impl DoneAction<'_> {
    /// The other process.
    #[must_use]
    pub fn peer(&self) -> Option<Pid> {
        super::peer(self.event)
    }

    /// What was sent, received, obtained, written, or the reason of an end; at most so many characters.
    #[must_use]
    pub fn content(&self, chars: usize) -> Option<Content> {
        super::content(self.event, chars)
    }

    /// Where in the source.
    #[must_use]
    pub fn place(&self) -> Option<SourcePlace> {
        here(self.event.machine, self.event.program)
    }

    /// What its process runs, for people.
    #[must_use]
    pub fn runs(&self) -> Option<String> {
        runs(self.event.machine, self.event.program)
    }

    /// The signal that it sent, if it sent one.
    #[must_use]
    pub fn sent(&self) -> Option<Tag> {
        matches!(self.event.action.kind, Kind::Send).then_some(Tag::Sent {
            by: self.event.pid,
            k: SendNo(self.tally.counts.sends),
        })
    }

    /// Did it send a message that arrives as it is: no timer, and no exit signal?
    #[must_use]
    pub fn is_plain_send(&self) -> bool {
        let native = self.event.program.native(self.event.native).name;
        matches!(self.event.detail, Detail::Sent { .. }) && !matches!(native, "send_after" | "start_timer" | "exit")
    }

    /// The terms that it is about: the message, the value, the reason. Of a call or a cast of a `gen_server`, also the request; of an error, also
    /// the reason without the stack.
    #[must_use]
    pub fn terms(&self) -> Vec<Fragment> {
        let own = |heap: &Heap, term: Term| {
            let inner = inner(heap, term, &self.event.action.kind);
            std::iter::once(term)
                .chain(inner)
                .map(|term| heap.export_own(term))
                .collect()
        };
        match self.event.detail {
            Detail::Sent { message: term, .. } | Detail::Value(term) => own(&self.event.machine.heap, term),
            Detail::Received {
                message: Some(fragment),
            }
            | Detail::Ended(fragment) => {
                let mut heap = Heap::new(self.event.program.literals().clone());
                let term = heap.import(fragment);
                own(&heap, term)
            }
            Detail::None | Detail::TimedOut(_) | Detail::Output(_) | Detail::Received { message: None } => Vec::new(),
        }
    }
}

/// What is inside of a term that only the library wraps.
fn inner(heap: &Heap, term: Term, kind: &Kind) -> Option<Term> {
    let parts = heap.tuple(term)?;
    let word = parts.first()?.as_atom().map(interpreter::atom::Atom::as_str);
    match (parts, word, kind) {
        (&[_, request], Some("$gen_cast"), _) | (&[_, _, request], Some("$gen_call"), _) => Some(request),
        (
            &[reason, _],
            _,
            Kind::Exit {
                class: log_format::ExitClass::Error,
            },
        ) => Some(reason),
        _ => None,
    }
}

/// Tells every action to a function.
pub struct Every<S> {
    /// The function.
    pub tell: S,
}

impl<S: FnMut(&DoneAction<'_>)> Observer for Every<S> {
    type Log = ActionTally;
    const WANTS_MESSAGES: bool = true;

    fn born(&mut self, _: Pid, _: Option<&ActionTally>, _: u16) -> ActionTally {
        ActionTally::default()
    }

    fn action(&mut self, log: &mut ActionTally, event: &ActionEvent<'_>) {
        log.add(event.action);
        let tally = *log;
        (self.tell)(&DoneAction { event, tally });
    }
}
