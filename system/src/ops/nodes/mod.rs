//! Nodes [FLS21, §3]: several nodes of one distributed system, all inside one recorder. Every node sees all others at once ("atomic view of the
//! network", §3.1). We also stop nodes, which the paper does not.
//!
//! A node is a shared resource with even versions while it is absent and odd ones while it is present (semantics.md §4).

mod change;
mod list;

use interpreter::atom::Atom;
use interpreter::native::{NativeClass, Raise};
use interpreter::term::{Pid, Term};
use log_format::{Access, Node, Resource, Version};

use crate::error::Mistyped;
use crate::ops::{OpResult, Operation};
use crate::state::nodes::NO_NODE;
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "is_alive", 0, NativeClass::Pure, is_alive),
    Operation::new("erlang", "nodes", 0, NativeClass::Access, list::nodes),
    Operation::new("erlang", "nodes", 1, NativeClass::Access, list::nodes),
    Operation::new("erlang", "$node_start", 2, NativeClass::Access, change::node_start),
    Operation::new("erlang", "$node_start", 1, NativeClass::Access, change::node_start).retired(),
    Operation::new("erlang", "$node_stop", 1, NativeClass::Access, change::node_stop),
    Operation::new("erlang", "$node_stop", 2, NativeClass::Access, change::node_stop),
    Operation::new("erlang", "$node_up", 1, NativeClass::Access, list::node_up),
    Operation::new("erlang", "$node_origin", 1, NativeClass::Access, list::node_origin),
    Operation::new("erlang", "$first_node", 0, NativeClass::Pure, first_node),
    Operation::new("erlang", "monitor_node", 2, NativeClass::Access, list::monitor_node),
    Operation::new("erlang", "monitor_node", 3, NativeClass::Access, list::monitor_node),
];

pub(super) const NEWS: &[Operation] = &[
    Operation::new("erlang", "$monitor_nodes", 1, NativeClass::Pure, list::monitor_nodes),
    Operation::new("erlang", "$monitor_nodes", 2, NativeClass::Pure, list::monitor_nodes),
];

fn is_alive(step: &mut Step<'_>) -> OpResult {
    Ok(Term::boolean(step.world.alive()))
}

fn first_node(step: &mut Step<'_>) -> OpResult {
    Ok(Term::boolean(step.process.pid.node() == 0))
}

/// Parses a node name of the command line: `NAME@HOST`.
///
/// # Errors
/// It is not valid.
pub fn long_name(text: &str) -> Result<String, Mistyped> {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    match text.split_once('@') {
        Some((name, host)) if part(name) && part(host) => Ok(text.to_owned()),
        _ => Err(Mistyped::LongName),
    }
}

/// Parses a node name whose host may be left out, and has no dots.
///
/// # Errors
/// It is not valid.
pub fn short_name(text: &str) -> Result<String, Mistyped> {
    let whole = if text.contains('@') {
        text.to_owned()
    } else {
        format!("{text}@localhost")
    };
    if whole.split_once('@').is_some_and(|(_, host)| host.contains('.')) {
        return Err(Mistyped::Dots);
    }
    long_name(&whole).map_err(|_| Mistyped::ShortName)
}

impl World {
    /// Makes the node alive under this name. To be called before `System::start`.
    pub fn name_node(&mut self, name: &str) {
        self.nodes = interpreter::native::Nodes::new(vec![Atom::new(name)]);
    }

    /// Does it have a name that other nodes can reach?
    #[must_use]
    pub fn alive(&self) -> bool {
        self.node_name(0).as_str() != NO_NODE
    }

    /// The names of all nodes, by index.
    #[must_use]
    pub fn nodes(&self) -> Vec<String> {
        self.nodes.names().iter().map(|n| n.as_str().to_owned()).collect()
    }

    /// The name of a node.
    pub(crate) fn node_name(&self, index: u16) -> Atom {
        self.nodes.name(index).unwrap_or(Atom::NONODE_NOHOST)
    }

    /// The suffix of names and the like that belong to a node: empty on the first node.
    pub(crate) fn on_node(&self, index: u16) -> String {
        if index == 0 {
            String::new()
        } else {
            format!("@{}", self.node_name(index))
        }
    }

    /// The resource of a registered name of a node.
    pub(crate) fn name_resource(&mut self, name: Atom, node: u16) -> Resource {
        let text = format!("{name}{}", self.on_node(node));
        let resource = Resource::Name(self.resources.text(&text));
        self.give_runtime_name(name, node, resource);
        resource
    }

    /// The index of a node in the list of nodes of this run.
    pub(crate) fn node_index(&mut self, node: Atom) -> Result<u16, Interrupt> {
        let index = self.nodes.add(node);
        index.ok_or_else(|| Interrupt::Raise(Raise::system_limit()))
    }
}

impl Step<'_> {
    /// Reads whether a node is present.
    pub(crate) fn read_node(&mut self, node: u16) -> Result<bool, Interrupt> {
        let resource = Resource::Node(Node(node));
        Ok(matches!(self.read(resource)?, Value::Number(_)))
    }
}

impl World {
    /// Is it present now? This is not logged.
    pub(crate) fn is_present(&self, node: u16) -> bool {
        self.resources.version(Resource::Node(Node(node))) % 2 == 1
    }
}

impl Step<'_> {
    /// Why a link or monitor to a missing process fails: its node is missing, or only the process.
    pub(crate) fn why_missing(&mut self, target: Pid) -> Result<Atom, Interrupt> {
        if target.node() == self.process.pid.node()
            || self.world.nodes.name(target.node()).is_none()
            || self.read_node(target.node())?
        {
            return Ok(Atom::NOPROC);
        }
        Ok(Atom::new("noconnection"))
    }
}

impl World {
    pub(crate) fn membership_resource(&mut self) -> Resource {
        Resource::Other(self.resources.text("nodes"))
    }
}

impl Step<'_> {
    /// The version of a resource that this step has written.
    pub(crate) fn written(&self, resource: Resource) -> u64 {
        let write = self.accesses.iter().rev().find(|a| a.write && a.resource == resource);
        write.map_or(0, |a| a.version.0)
    }

    pub(crate) fn change_membership(&mut self) {
        let resource = self.world.membership_resource();
        let logged = self.logged_access(resource);
        let access = logged.unwrap_or_else(|| {
            let membership = &mut self.world.membership;
            membership.version += u64::from(std::mem::take(&mut membership.read));
            Access::write(resource, Version(membership.version))
        });
        self.world.membership.version = self.world.membership.version.max(access.version.0);
        self.accesses.push(access);
    }
}
