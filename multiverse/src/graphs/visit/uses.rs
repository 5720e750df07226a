//! What an action uses, what that says of others, and what of it this search does not explore.

use log_format::{Access, Action, ObjectId, Pid, Resource, Tag, Version};
use session::player::free::Choice;
use system::World;

use super::super::watch::{DoneStep, SentSignal};

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
