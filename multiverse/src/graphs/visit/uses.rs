//! What an action uses, what that says of others, and what of it this search does not explore.

use log_format::{Access, Action, ObjectId, Pid, Resource, Tag, Version};
use session::player::free::Choice;
use system::World;

use super::super::branch::Branch;
use super::super::event::EventClock;
use super::super::state::{DoneStep, SentSignal};

/// A sum contains what several have added, and not only the last one: who reads it knows what each of them knew.
pub(super) fn learn_from_adders(branch: &Branch, actions: &[Action], knows: &mut EventClock) {
    let accesses = actions.iter().flat_map(|action| &action.accesses);
    for access in accesses.filter(|access| matches!(access.resource, Resource::Counter { .. })) {
        let adder = access.by.and_then(|by| branch.last_write_of(access.resource, by.pid));
        if let Some(at) = adder {
            let by = branch.event(at);
            knows.learn(&by.knows, by.place, by.number);
        }
    }
}

/// Is this another call that registers a process than its own or that of the first one who has? Not every order of such calls is explored: each reads
/// the name and what the process is called, and changes both.
pub(super) fn registers_again(branch: &Branch, pid: Pid, accesses: &[Access], world: &World) -> bool {
    fn registers(by: Pid, of: Pid, mut uses: impl Iterator<Item = Resource>) -> bool {
        by == of || uses.any(|resource| resource == Resource::Alive(of))
    }
    accesses.iter().any(|access| {
        let Some(of) = world.whose_names(access.resource) else {
            return false;
        };
        let others = branch.uses(access.resource).iter();
        let mut others = others.map(|used| branch.event(used.by)).filter(|one| one.pid != pid);
        registers(pid, of, accesses.iter().map(|one| one.resource))
            && others.any(|one| registers(one.pid, of, one.uses.iter().map(|one| one.resource)))
    })
}

/// The uses of an action, each with whether it writes, in an order in which each is determined by what those before it read. Writes of different
/// keys of a table have no order, and nobody looks at all of one.
///
/// Which names an end frees depends on those that others gave to its process and took away from it: so these are in conflict with it.
pub(super) fn uses_of(pid: Pid, actions: &[Action], world: &World) -> Vec<Access> {
    let mut all: Vec<Access> = Vec::new();
    if actions.last().is_some_and(Action::is_end) {
        all.push(Access::write(what_end_frees(pid), Version(0)));
    }
    for access in actions.iter().flat_map(|action| causality::accesses(pid, action)) {
        match all.iter_mut().find(|one| one.resource == access.resource) {
            Some(known) => known.write |= access.write,
            None if matches!(access.resource, Resource::TableContents(_)) => {}
            None => all.push(access),
        }
    }
    // A name of a table says which table is used. Whether the set of keys of persistent terms changes depends on the key.
    all.sort_by_key(|access| match access.resource {
        Resource::Other(_) if world.is_name_of_table(access.resource) => 0,
        Resource::Other(_) if !world.is_of_names(access.resource) => 2,
        _ => 1,
    });
    let written = actions.iter().flat_map(|action| &action.accesses);
    let named = written
        .filter(|access| access.write)
        .filter_map(|access| world.whose_names(access.resource));
    for other in named.filter(|other| *other != pid) {
        let resource = what_end_frees(other);
        if !all.iter().any(|known| known.resource == resource) {
            all.push(Access::write(resource, Version(0)));
        }
    }
    all
}

/// What the end of a process frees, as a resource. (No counter has the index 0.)
const fn what_end_frees(pid: Pid) -> Resource {
    Resource::Counter {
        array: ObjectId { creator: pid, k: 0 },
        index: 0,
    }
}

/// Was something done whose other ways this search does not explore? `done`: what came of this choice.
pub(super) fn is_beyond(world: &World, choice: Choice, done: &DoneStep) -> bool {
    // It has ended itself by an exit signal: another one could have come first.
    let by_itself = done.actions.len() > 1;
    let accesses = || done.actions.iter().flat_map(|(_, action)| &action.accesses);
    // A table was given to another process, or one of another process was deleted: what that one can do then, and what its end frees, is another.
    let gives = |sent: &SentSignal| matches!(sent.tag, Tag::EndTable { .. } | Tag::Sent { .. });
    let moves_table = accesses().any(|one| one.write && matches!(one.resource, Resource::Table(_)))
        && (done.sent.iter().any(gives) || accesses().any(|one| one.write && world.is_of_names(one.resource)));
    let is_received = matches!(choice, Choice::Message(_));
    let scans = accesses().any(|one| is_received || matches!(one.resource, Resource::TableContents(_)));
    // Lists of tables, nodes, links. (Of persistent terms, the key decides.)
    let is_name = |one: &Access| world.is_of_names(one.resource) || world.is_name_of_table(one.resource);
    let is_other = |one: &Access| matches!(one.resource, Resource::Other(_)) && !is_name(one);
    let has_key = |one: &Access| matches!(one.resource, Resource::Persistent(_));
    by_itself || scans || moves_table || accesses().any(is_other) && !accesses().any(has_key)
}
