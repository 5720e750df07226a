//! Lists of nodes, and monitors of nodes.

use interpreter::atom::Atom;
use interpreter::native::Raise;
use interpreter::term::Term;
use log_format::{Access, Kind, Node, Resource, Version};

use crate::observer::Detail;
use crate::ops::{FALSE, OpResult, TRUE, badarg};
use crate::state::nodes::NodeNews;
use crate::state::process::Process;
use crate::state::resources::Value;
use crate::state::signal::Signal;
use crate::step::{Interrupt, Step};
use crate::terms::{self, TuplePart};

impl Step<'_> {
    pub(crate) fn list_nodes(&mut self) -> Result<Vec<Term>, Interrupt> {
        self.expect(|k| *k == Kind::Nodes, || "list the nodes".to_owned())?;
        let membership = self.world.membership_resource();
        let order: Vec<u16> = match self.process.mode.logged() {
            Some(action) => action
                .accesses
                .iter()
                .filter_map(|a| match a.resource {
                    Resource::Node(node) => Some(node.0),
                    _ => None,
                })
                .collect(),
            None => {
                let known = 0..self.world.nodes.names().len() as u16;
                let others = known.filter(|&n| n != self.process.pid.node());
                // Present nodes come first.
                let (present, absent): (Vec<u16>, Vec<u16>) = others.partition(|&n| self.world.is_present(n));
                present.into_iter().chain(absent).collect()
            }
        };
        let mut list = Vec::new();
        for node in order {
            if self.read_node(node)? {
                list.push(Term::atom(self.world.node_name(node)));
            }
        }
        let logged = self.logged_access(membership);
        let read = logged.unwrap_or_else(|| {
            self.world.membership.read = true;
            Access::read(membership, Version(self.world.membership.version), None)
        });
        self.world.membership.version = self.world.membership.version.max(read.version.0);
        self.accesses.push(read);
        self.commit(Kind::Nodes, 0, Detail::None);
        Ok(list)
    }
}

/// Sets the kind of messages about nodes that a process gets; false if it already has another kind.
pub(crate) fn take_news(p: &mut Process, news: NodeNews) -> bool {
    *p.rare.node_news.get_or_insert(news) == news
}

/// `'$node_up'(Node)`.
pub(super) fn node_up(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    let index = step.world.node_index(name)?;
    step.expect(|k| matches!(k, Kind::Access), || format!("look for the node {name}"))?;
    let up = step.read_node(index)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(Term::boolean(up))
}

/// `'$node_origin'(Node)`: the node from which it was started, if it is present and not the first.
pub(super) fn node_origin(step: &mut Step<'_>) -> OpResult {
    let [name] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    let index = step.world.node_index(name)?;
    step.expect(|k| matches!(k, Kind::Access), || format!("look for the node {name}"))?;
    let value = step.read(Resource::Node(Node(index)))?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(match value {
        Value::Number(n) if index > 0 => Term::atom(step.world.node_name(n.saturating_sub(1) as u16)),
        _ => Term::atom(Atom::UNDEFINED),
    })
}

/// `nodes/0,1` [FLS21, rule Nodes]: the list Ω, in the order in which the nodes were first mentioned.
pub(super) fn nodes(step: &mut Step<'_>) -> OpResult {
    let [which] = step.args();
    let (mut own, mut others) = (false, which == Term::NONE);
    let asked = match step.process.machine.heap.list(which) {
        Some(list) => list,
        None if which == Term::NONE => Vec::new(),
        None => vec![which],
    };
    for word in asked {
        match word.as_atom().map(Atom::as_str) {
            Some("this") => own = true,
            Some("visible" | "connected") => others = true,
            Some("known") => (own, others) = (true, true),
            Some("hidden") => {}
            _ => return Err(badarg()),
        }
    }
    let mut list = Vec::new();
    if others && step.world.alive() {
        list = step.list_nodes()?;
    }
    if own {
        list.push(Term::atom(step.process.machine.local.node));
    }
    Ok(step.process.machine.heap.make_list(&list))
}

/// `monitor_node/2,3`.
pub(super) fn monitor_node(step: &mut Step<'_>) -> OpResult {
    let [name, on] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    let on = on.as_bool().ok_or_else(badarg)?;
    if name == step.process.machine.local.node {
        return Ok(TRUE);
    }
    if !step.world.alive() {
        return Err(Interrupt::Raise(Raise::error(Term::atom(Atom::new("notalive")))));
    }
    let index = step.world.node_index(name)?;
    if index == step.process.pid.node() {
        return Ok(TRUE);
    }
    if !on {
        if let Some(i) = step.process.rare.node_monitors.iter().position(|&n| n == index) {
            step.process.rare.node_monitors.remove(i);
        }
        return Ok(TRUE);
    }
    if !take_news(step.process, NodeNews::Plain) {
        return step.refuse("monitor_node in a process that has asked for net_kernel:monitor_nodes with options");
    }
    step.expect(|k| matches!(k, Kind::Access), || format!("monitor the node {name}"))?;
    let up = step.read_node(index)?;
    step.commit(Kind::Access, u32::from(!up), Detail::None);
    if up {
        step.process.rare.node_monitors.push(index);
    } else {
        let tag = step.process.next_tag();
        let name = TuplePart::Term(Term::atom(step.world.node_name(index)));
        let message = terms::tuple(&[TuplePart::Term(Term::atom(Atom::new("nodedown"))), name]);
        step.deliver(step.process.pid, tag, Signal::Message(message));
    }
    Ok(TRUE)
}

/// `net_kernel:monitor_nodes/1`: only changes the process's own state; starts and stops of nodes then send the messages.
///
/// `'$monitor_nodes'(Flag, {list | map, NodeType, Reason, ConnectionId})`: with options. False if the process has asked with other options before.
pub(super) fn monitor_nodes(step: &mut Step<'_>) -> OpResult {
    let [on, options] = step.args();
    let on = on.as_bool().ok_or_else(badarg)?;
    let news = match step.process.machine.heap.tuple(options) {
        _ if options == Term::NONE => NodeNews::Plain,
        Some(&[kind, node_type, reason, connection]) => NodeNews::With {
            map: kind.as_atom().map(Atom::as_str) == Some("map"),
            node_type: node_type.as_bool().ok_or_else(badarg)?,
            reason: reason.as_bool().ok_or_else(badarg)?,
            connection: connection.as_bool().ok_or_else(badarg)?,
        },
        _ => return Err(badarg()),
    };
    if on {
        if !take_news(step.process, news) {
            return Ok(FALSE);
        }
        step.process.rare.node_events += 1;
    } else if step.process.rare.node_news == Some(news) {
        // All that were requested with the same options.
        step.process.rare.node_events = 0;
    }
    Ok(Term::atom(Atom::OK))
}
