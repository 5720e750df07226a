//! How often a process is left in a universe although it could go on.

use log_format::Tag;
use rustc_hash::FxHashMap;
use session::player::free::Choice;

use super::super::event::GraphEvent;
use super::FoundUniverse;

impl FoundUniverse<'_> {
    /// The preemptions of an order of its events in which a process goes on as long as it can. A process is preempted if it is left before something
    /// that is no receive, or at a receive although it could take something: what comes next in it needs something that others do only then. Another
    /// order can have fewer.
    pub fn preemptions(&self) -> u32 {
        let events: Vec<&GraphEvent> = self.branch.path.iter().map(|node| &node.event).collect();
        let mut of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (event, at) in events.iter().zip(0..) {
            of.entry(event.place).or_default().push(at);
        }
        let mut order: Vec<u32> = of.keys().copied().collect();
        order.sort_unstable();
        let mut done: FxHashMap<u32, u32> = FxHashMap::default();
        let mut preemptions = 0;
        let mut current = None;
        for _ in 0..events.len() {
            let next = |place: u32, done: &FxHashMap<u32, u32>| -> Option<&GraphEvent> {
                let number = done.get(&place).copied().unwrap_or(0);
                of[&place].get(number as usize).map(|at| events[*at])
            };
            let is_ready = |event: &GraphEvent, done: &FxHashMap<u32, u32>| {
                let needs = order.iter().filter(|place| **place != event.place);
                needs
                    .into_iter()
                    .all(|place| done.get(place).copied().unwrap_or(0) >= event.past.get(*place))
            };
            let ready =
                |place: u32, done: &FxHashMap<u32, u32>| next(place, done).is_some_and(|event| is_ready(event, done));
            let place = match current.filter(|place| ready(*place, &done)) {
                Some(place) => place,
                None => {
                    if let Some(event) = current.and_then(|place| next(place, &done)) {
                        preemptions += u32::from(could_go_on(event, &events, &done));
                    }
                    match order.iter().copied().find(|place| ready(*place, &done)) {
                        Some(place) => place,
                        None => return preemptions,
                    }
                }
            };
            current = Some(place);
            *done.entry(place).or_default() += 1;
        }
        preemptions
    }
}

/// Could a process do something else than this, which comes next in it, where so much is done?
fn could_go_on(event: &GraphEvent, events: &[&GraphEvent], done: &FxHashMap<u32, u32>) -> bool {
    if event.machine.is_none() {
        return true;
    }
    // What is received later in this universe was there, if it was sent by then and is no timer's.
    let sent = |tag: Tag| {
        events.iter().any(|other| {
            done.get(&other.place).copied().unwrap_or(0) >= other.number
                && other.sent.iter().any(|one| one.tag == tag && one.timer.is_none())
        })
    };
    let later = events
        .iter()
        .filter(|other| other.place == event.place && other.number > event.number);
    later
        .into_iter()
        .any(|other| matches!(other.choice, Choice::Message(tag) if sent(tag)))
}
