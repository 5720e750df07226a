//! What an action uses, what that says of others, and what of it this search does not explore.

use log_format::{Access, Action, Kind, ObjectId, Pid, Resource, Tag};
use session::player::free::Choice;
use system::World;

use super::super::event::is_group;
use super::super::watch::{DoneStep, SentSignal};

/// A use of something shared by an action.
#[derive(Clone, Copy)]
pub(in super::super) struct UseOf {
    pub resource: Resource,
    pub writes: bool,
    /// Of a thing of many writers: does it depend on what was written there?
    pub scans: bool,
    /// Is what it read a cause of it?
    pub caused: bool,
}

impl UseOf {
    const fn write(resource: Resource) -> Self {
        Self {
            resource,
            writes: true,
            scans: false,
            caused: false,
        }
    }
}

/// The uses of an action, each with whether it writes, in an order in which each is determined by what those before it read. Writes of different
/// keys of a table have no order, but who looks at all of it sees each of them or does not; and so with what is added to a counter (`adds`: that is all
/// that the action does).
///
/// Which names an end frees depends on those that others gave to its process and took away from it: so these are in conflict with it.
pub(super) fn uses_of(pid: Pid, actions: &[Action], adds: bool, world: &World) -> Vec<UseOf> {
    let mut all: Vec<UseOf> = Vec::new();
    if actions.last().is_some_and(Action::is_end) {
        all.push(UseOf::write(what_end_frees(pid)));
    }
    for access in actions.iter().flat_map(|action| causality::accesses(pid, action)) {
        let scans = is_group(access.resource)
            && match access.resource {
                Resource::Counter { .. } => !adds,
                _ => !access.write,
            };
        match all.iter_mut().find(|one| one.resource == access.resource) {
            Some(known) => {
                known.writes |= access.write;
                known.scans |= scans;
            }
            None => all.push(UseOf {
                resource: access.resource,
                writes: access.write,
                scans,
                caused: access.by.is_some(),
            }),
        }
    }
    // A name of a table says which table is used. Whether the set of keys of persistent terms changes depends on the key. What is written of a table
    // after a look at all of it depends on that.
    all.sort_by_key(|one| match one.resource {
        Resource::Other(_) if world.is_name_of_table(one.resource) => 0,
        Resource::Other(_) if !world.is_of_names(one.resource) => 4,
        Resource::TableContents(_) if one.scans => 2,
        Resource::TableKey { .. } => 3,
        Resource::TableContents(_) => 5,
        _ => 1,
    });
    let written = actions.iter().flat_map(|action| &action.accesses);
    let named = written
        .filter(|access| access.write)
        .filter_map(|access| world.whose_names(access.resource));
    for other in named.filter(|other| *other != pid) {
        let resource = what_end_frees(other);
        if !all.iter().any(|known| known.resource == resource) {
            all.push(UseOf::write(resource));
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
    // After an exit signal to itself, only that ends it.
    let by_itself =
        |(pid, action): &(Pid, Action)| matches!(action.kind, Kind::Signal { tag, .. } if tag.sender() == Some(*pid));
    let by_another = !done.actions.iter().skip(1).all(by_itself);
    let accesses = || done.actions.iter().flat_map(|(_, action)| &action.accesses);
    // A table was given to another process, or one of another process was deleted: what that one can do then, and what its end frees, is another.
    let gives = |sent: &SentSignal| matches!(sent.tag, Tag::EndTable { .. } | Tag::Sent { .. });
    let moves_table = accesses().any(|one| one.write && matches!(one.resource, Resource::Table(_)))
        && (done.sent.iter().any(gives) || accesses().any(|one| one.write && world.is_of_names(one.resource)));
    let is_received = matches!(choice, Choice::Message(_));
    let receives_use = is_received && accesses().next().is_some();
    // Lists of tables, nodes, links. (Of persistent terms, the key decides.)
    let is_name = |one: &Access| {
        world.is_of_names(one.resource) || world.is_name_of_table(one.resource) || world.is_fix_of_table(one.resource)
    };
    let is_other = |one: &Access| matches!(one.resource, Resource::Other(_)) && !is_name(one);
    let has_key = |one: &Access| matches!(one.resource, Resource::Persistent(_));
    by_another || receives_use || moves_table || accesses().any(is_other) && !accesses().any(has_key)
}
