//! Registered names.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Term};
use log_format::{Kind, OtherResource, Resource};

use crate::observer::Detail;
use crate::ops::{OpResult, Operation, TRUE, UNDEFINED, badarg, badarg_because};
use crate::state::resources::{Aliveness, Value};
use crate::step::tracing::ProcessEvent;
use crate::step::{Interrupt, Step};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "register", 2, NativeClass::Access, register).often_silent(),
    Operation::new("erlang", "unregister", 1, NativeClass::Access, unregister).often_silent(),
    Operation::new("erlang", "whereis", 1, NativeClass::Access, whereis).often_silent(),
    Operation::new("erlang", "registered", 0, NativeClass::Access, registered),
];

fn register(step: &mut Step<'_>) -> OpResult {
    let [name, target] = step.args();
    let name = name.as_atom().ok_or_else(|| badarg_because("none"))?;
    let target = target.as_pid().ok_or_else(|| badarg_because("none"))?;
    // A process of the runtime can have its own name back, and no other.
    let is_foreign = crate::runtime::is_runtime(target) && !crate::runtime::is_named(target, name);
    if name == Atom::UNDEFINED || target.node() != step.process.pid.node() || is_foreign {
        return Err(badarg_because("none"));
    }
    step.expect(|k| matches!(k, Kind::Access), || format!("register {name}"))?;
    let resource = step.world.name_resource(name, step.process.pid.node());
    let taken = !step.writes(resource, |world| world.resources.holder(resource).is_none());
    let life = if target == step.process.pid {
        Aliveness::Alive
    } else {
        step.read_life(target)?
    };
    let sees = step.sees_name(target, false)?;
    let other = step.other_name(target, resource);
    if taken || life != Aliveness::Alive || other.is_some() {
        // Then the read resource is the name that it already has; that may be the same name.
        let seen = other.filter(|_| life == Aliveness::Alive).unwrap_or(resource);
        let mut named = other.is_some();
        if step.uses(seen, |_| true) {
            named |= matches!(step.read(seen)?, Value::Pid(holder) if holder == target);
        }
        let cause = match (life, named) {
            (Aliveness::Alive, false) => "none",
            (Aliveness::Alive, true) => "registered_name",
            _ => "notalive",
        };
        step.commit(Kind::Access, 0, Detail::None);
        return Err(badarg_because(cause));
    }
    step.traces(target, ProcessEvent::Register(name))?;
    step.read(resource)?;
    // In the order in which they are looked at, as by a step that fails.
    step.changes_name(target, sees)?;
    step.write(resource, Value::Pid(target), true)?;
    step.commit(Kind::Access, 0, Detail::None);
    if target == step.process.pid {
        step.process.rare.names.push(name);
    } else if let Some((_, q)) = step.world.table.by_pid_mut(target) {
        q.rare.names.push(name);
    }
    Ok(TRUE)
}

fn unregister(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    step.expect(|k| matches!(k, Kind::Access), || format!("unregister {name}"))?;
    let resource = step.world.name_resource(name, step.process.pid.node());
    let Value::Pid(holder) = step.read(resource)? else {
        step.commit(Kind::Access, 0, Detail::None);
        return Err(badarg());
    };
    step.traces(holder, ProcessEvent::Unregister(name))?;
    step.write(resource, Value::Absent, true)?;
    step.world.devices_moved |= super::io::is_name_of_device(name);
    step.changes_name(holder, false)?;
    step.takes_from(holder)?;
    step.commit(Kind::Access, 0, Detail::None);
    if holder == step.process.pid {
        step.process.rare.names.retain(|&n| n != name);
    } else if let Some((_, q)) = step.world.table.by_pid_mut(holder) {
        q.rare.names.retain(|&n| n != name);
        q.rare.robbed = true;
    }
    Ok(TRUE)
}

fn whereis(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    step.expect(|k| matches!(k, Kind::Access), || format!("look up the name {name}"))?;
    let resource = step.world.name_resource(name, step.process.pid.node());
    let value = step.read(resource)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(match value {
        Value::Pid(pid) => Term::pid(pid),
        _ => UNDEFINED,
    })
}

fn registered(step: &mut Step<'_>) -> OpResult {
    let node = step.process.pid.node();
    step.world.give_runtime_names(node);
    step.read_names(node)?;
    step.observe(None, |world, heap| {
        let names = world.resources.held_names(node, &world.on_node(node));
        let names: Vec<Term> = names.into_iter().map(Term::atom).collect();
        heap.make_list(&names)
    })
}

/// The name of a process, as far as others give it one.
const REGISTERED: &str = "registered_name";
/// What others have taken away from a process.
const TAKEN: &str = "taken_from";

impl Step<'_> {
    /// The name that a process already has when it is to be registered: now, or as the log says.
    pub(crate) fn other_name(&mut self, target: Pid, wanted: Resource) -> Option<Resource> {
        if let Some(head) = self.process.mode.logged() {
            let mut names = head.accesses.iter().filter(|a| matches!(a.resource, Resource::Name(_)));
            return names.find(|a| a.resource != wanted).map(|a| a.resource);
        }
        let name = if target == self.process.pid {
            self.process.rare.names.first().copied()
        } else {
            self.world
                .table
                .by_pid(target)
                .and_then(|q| q.rare.names.first().copied())
        };
        name.map(|name| self.world.name_resource(name, target.node()))
    }

    /// Notes that this process gives a process a name, or takes it away: who registers that one, or asks for its name, may see it. What a process
    /// does with its own name is in its own log; who explores all ways must know of it, too. `reads`: it has looked at the name before.
    fn changes_name(&mut self, target: Pid, reads: bool) -> Result<(), Interrupt> {
        let resource = self.world.name_of(target);
        let is_noted = target != self.process.pid || self.hears();
        match self.writes(resource, |_| is_noted) {
            true => self.write(resource, Value::Absent, reads),
            false => Ok(()),
        }
    }

    /// Notes that this process takes a name or a table away from another one. The end of that one, which would have freed it, notes it too: so the
    /// two are in conflict, although the end has nothing to free any more.
    pub(crate) fn takes_from(&mut self, owner: Pid) -> Result<(), Interrupt> {
        let resource = self.world.taken_from(owner);
        match owner != self.process.pid && self.writes(resource, |_| true) {
            true => self.write(resource, Value::Absent, false),
            false => Ok(()),
        }
    }

    /// Notes that the result of this step depends on the registered name of a process, if another one could have changed that; with `always`, in any
    /// case. A name that it gave itself is in its own log. Returns whether it was noted.
    pub(crate) fn sees_name(&mut self, target: Pid, always: bool) -> Result<bool, Interrupt> {
        let resource = self.world.name_of(target);
        // Who explores all ways must know of the look before another one writes.
        let always = always || self.hears();
        let reads = self.uses(resource, |world| always || world.resources.last_write(resource).0.0 > 0);
        if reads {
            self.read(resource)?;
        }
        Ok(reads)
    }

    /// Reads all names of a node under which a process was ever registered, including those that are free.
    pub(crate) fn read_names(&mut self, node: u16) -> Result<(), Interrupt> {
        let names: Vec<Resource> = match self.logged_accesses() {
            Some(accesses) => accesses.iter().map(|access| access.resource).collect(),
            None => self.world.resources.used_names(node, &self.world.on_node(node)),
        };
        for name in names {
            self.read(name)?;
        }
        Ok(())
    }
}

impl World {
    /// Is this what is known of the names of a process?
    #[must_use]
    pub fn is_of_names(&self, resource: Resource) -> bool {
        self.whose_names(resource).is_some()
    }

    /// The process that this resource is about: its names, or what others have taken away from it.
    #[must_use]
    pub fn whose_names(&self, resource: Resource) -> Option<log_format::Pid> {
        let text = self.resources.text_of(resource);
        let rest = text.strip_prefix(REGISTERED).or_else(|| text.strip_prefix(TAKEN))?;
        rest.strip_prefix('(')?.strip_suffix(')')?.parse().ok()
    }

    /// Is this what a name of a table stands for?
    #[must_use]
    pub fn is_name_of_table(&self, resource: Resource) -> bool {
        let text = self.resources.text_of(resource);
        matches!(OtherResource::of(text), OtherResource::TableName(_))
    }

    /// Is this whether a table is fixed?
    #[must_use]
    pub fn is_fix_of_table(&self, resource: Resource) -> bool {
        let text = self.resources.text_of(resource);
        matches!(OtherResource::of(text), OtherResource::TableFixed(_))
    }

    /// The name of a process, as far as others give it one.
    fn name_of(&mut self, pid: Pid) -> Resource {
        let text = format!("{REGISTERED}({})", crate::ids::to_log(pid));
        Resource::Other(self.resources.text(&text))
    }

    /// What others have taken away from a process.
    pub(crate) fn taken_from(&mut self, pid: Pid) -> Resource {
        let text = format!("{TAKEN}({})", crate::ids::to_log(pid));
        Resource::Other(self.resources.text(&text))
    }
}
