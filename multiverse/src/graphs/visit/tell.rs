//! A universe that was found, act by act.

use interpreter::heap::Fragment;
use log_format::{Access, Kind, Resource, Tag, Version};
use rustc_hash::FxHashMap;
use session::content::Content;
use session::watch;

use super::FoundUniverse;
use crate::acts::{Act, Ear};
use crate::identity::Name;
use crate::outcome::RunEnded;
use crate::said::{CHARS, Said};

impl FoundUniverse<'_> {
    /// Tells what was done, in an order in which it can be done.
    pub fn acts(&self, ear: &mut impl Ear) {
        let program = self.state.program();
        let sent: FxHashMap<Tag, &Fragment> = self
            .branch
            .path
            .iter()
            .flat_map(|node| node.event.sent.iter().map(|one| (one.tag, &one.message)))
            .collect();
        let text = |tag: Tag| Some(Content::of_fragment(sent.get(&tag)?, program, CHARS));
        let nothing = Said::default();
        for node in &self.branch.path {
            let event = &node.event;
            if event.is_stuck() {
                let machine = event.machine.as_deref();
                let place = machine.and_then(|machine| watch::here(machine, program));
                let said = Said {
                    place: place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)),
                    ..Said::default()
                };
                ear.hear(&Act::stuck(event.pid, &said), &text);
                continue;
            }
            let used = |one: &Access| event.uses.iter().any(|other| other.resource() == one.resource);
            // What is added to a counter has no order, so it gets no version.
            let adds = |one: &Access| {
                let mut uses = event.uses.iter();
                let scans = uses.any(|other| other.resource() == one.resource && other.scans);
                matches!(one.resource, Resource::Counter { .. }) && !scans
            };
            let unordered = |one: Access| match adds(&one) {
                true => Access::write(one.resource, Version(0)),
                false => one,
            };
            for (action, at) in event.actions.iter().zip(0..) {
                let act = Act {
                    pid: event.pid,
                    kind: Some(&action.kind),
                    arrived: event
                        .arrived()
                        .filter(|_| !matches!(action.kind, Kind::Rec(_) | Kind::Signal { .. })),
                    accesses: causality::accesses(event.pid, action)
                        .filter(used)
                        .map(unordered)
                        .collect(),
                    sends: u64::from(action.sends),
                    said: event.said.get(at).unwrap_or(&nothing),
                };
                ear.hear(&act, &text);
            }
        }
    }

    /// The name of the state at the end. `None`: it is not known, so it is the same as no other one.
    pub fn standing(&self) -> Option<Name> {
        match self.ended {
            RunEnded::Quiet => self.state.system.standing().map(|bytes| Name::of_bytes(&bytes)),
            // Nothing is left of it.
            RunEnded::Halted(_) => Some(Name::default()),
            RunEnded::Cut(_) => None,
        }
    }
}
