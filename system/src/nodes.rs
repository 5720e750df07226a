//! Nodes [FLS21, §3]: several nodes of one distributed system, all inside one recorder. Every node sees all others at once ("atomic view
//! of the network", §3.1); we also stop nodes, which the paper leaves out.
//!
//! A node is a shared resource with even versions while it is absent and odd ones while it is present (semantics.md §4).

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::maps;
use interpreter::native::Raise;
use interpreter::term::{Pid, Term};
use log_format::{Access, Kind, Node, Resource, SendNo, Tag, Version};

use crate::effects::{Answer, FALSE, TRUE, args, badarg};
use crate::ends::Owed;
use crate::ids;
use crate::natives::Op;
use crate::observer::{Detail, Observer};
use crate::process::{Lookup, PendingExit, Process, Signal};
use crate::resources::Value;
use crate::system::{Interrupt, System};
use crate::terms::{self, Part};

/// The name of the only node of a system that is not alive.
pub const NO_NODE: &str = "nonode@nohost";

/// The name of a node as the command line takes it: `NAME@HOST`.
///
/// # Errors
/// It is none.
pub fn long_name(text: &str) -> Result<String, String> {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    match text.split_once('@') {
        Some((name, host)) if part(name) && part(host) => Ok(text.to_owned()),
        _ => Err("expected NAME@HOST, letters, digits, `_`, `-` and `.`, for example store@example.org".to_owned()),
    }
}

/// The same where the host may be left out, and has no dots.
///
/// # Errors
/// It is none.
pub fn short_name(text: &str) -> Result<String, String> {
    let whole = if text.contains('@') {
        text.to_owned()
    } else {
        format!("{text}@localhost")
    };
    if whole.split_once('@').is_some_and(|(_, host)| host.contains('.')) {
        return Err("a short name has a host without dots; use --name for a long one".to_owned());
    }
    long_name(&whole)
}

/// Replay: signals that a start or stop of a node put in flight. Who gets which is what the logs of the receivers say, by tag.
#[derive(Clone, Copy, Debug)]
pub struct NodeChange {
    by: log_format::Pid,
    /// The first k of these signals.
    from: u64,
    /// The first k after them.
    to: u64,
    node: u16,
    up: bool,
    /// The version of the node while it is present.
    connection: u64,
    /// The node that gave up the connection, where one did: there the reason is another one.
    disconnected: Option<u16>,
}

/// What `{nodeup, Node, Info}` and `{nodedown, Node, Info}` hold; without options there is no `Info`. A process has one kind for good: what
/// the log has of such a message is its tag alone, so that two kinds in one process could not be told from each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeNews {
    /// No `Info`.
    Plain,
    /// Of options in a list or a map.
    With {
        /// `Info` is a map.
        map: bool,
        /// Is the type of the node told?
        node_type: bool,
        /// Is it told why the node is down?
        reason: bool,
        /// Is there a number of the connection?
        connection: bool,
    },
}

/// The set of nodes that are present, as a resource of its own: a list of nodes that lacks one depends on that, in `→` only, whichever
/// node comes to be. Changes of different nodes commute.
#[derive(Clone, Copy, Debug)]
pub struct Membership {
    version: u64,
    /// This version was read: the next change makes another one.
    read: bool,
}

impl Default for Membership {
    fn default() -> Self {
        Self { version: 0, read: true }
    }
}

impl<O: Observer> System<O> {
    /// Makes the system alive under this name. Before [`System::start`].
    pub fn name_node(&mut self, name: &str) {
        self.nodes = interpreter::native::Nodes::new(vec![Atom::new(name)]);
    }

    /// Has it a name that other nodes can reach?
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

    /// What names and the like of a node carry besides: nothing on the first node.
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

    /// Reads whether a node is present.
    pub(crate) fn read_node(&mut self, p: &Process<O::Log>, node: u16) -> Result<bool, Interrupt> {
        let resource = Resource::Node(Node(node));
        Ok(matches!(self.read(p, resource)?, Value::Number(_)))
    }

    /// Is it present now? Not logged.
    pub(crate) fn is_present(&self, node: u16) -> bool {
        self.resources.version(Resource::Node(Node(node))) % 2 == 1
    }

    /// Why a link or monitor to a process that is not there fails: its node is not there either, or it alone is not.
    pub(crate) fn why_missing(&mut self, p: &Process<O::Log>, target: Pid) -> Result<Atom, Interrupt> {
        if target.node() == p.pid.node()
            || self.nodes.name(target.node()).is_none()
            || self.read_node(p, target.node())?
        {
            return Ok(Atom::NOPROC);
        }
        Ok(Atom::new("noconnection"))
    }

    pub(crate) fn op_node(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        match op {
            Op::IsAlive => Ok(Term::boolean(self.alive())),
            Op::Nodes => self.op_nodes(p),
            Op::NodeStart => self.op_node_start(p),
            Op::NodeStop => self.op_node_stop(p),
            Op::NodeUp => self.op_node_up(p),
            Op::NodeOrigin => self.op_node_origin(p),
            Op::FirstNode => Ok(Term::boolean(p.pid.node() == 0)),
            Op::MonitorNode => self.op_monitor_node(p),
            Op::MonitorNodes => self.op_monitor_nodes(p),
            _ => Err(badarg()),
        }
    }

    fn membership_resource(&mut self) -> Resource {
        Resource::Other(self.resources.text("nodes"))
    }

    /// The version that this step has written of a resource.
    fn written(&self, resource: Resource) -> u64 {
        let write = self.accesses.iter().rev().find(|a| a.write && a.resource == resource);
        write.map_or(0, |a| a.version.0)
    }

    fn change_membership(&mut self, p: &Process<O::Log>) {
        let resource = self.membership_resource();
        let logged = p.feed.as_ref().and_then(|feed| feed.access(resource));
        let access = logged.unwrap_or_else(|| {
            let membership = &mut self.membership;
            membership.version += u64::from(std::mem::take(&mut membership.read));
            Access::write(resource, Version(membership.version))
        });
        self.membership.version = self.membership.version.max(access.version.0);
        self.accesses.push(access);
    }

    // ---- start and stop ------------------------------------------------------------------------------------------

    /// `'$node_start'(Node)`: true if it was absent, and now is present [FLS21, rules StartS and StartF]; `unreachable` if it is absent still.
    fn op_node_start(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        let index = self.node_index(name)?;
        self.expect(
            p,
            |k| matches!(k, Kind::Start { node, .. } if node.0 == index),
            || format!("start the node {name}"),
        )?;
        let unreachable = self.is_unreachable();
        let ok = match p.feed.as_ref().and_then(|f| f.head_kind()) {
            Some(Kind::Start { ok, .. }) => *ok,
            _ => !unreachable && !self.is_present(index),
        };
        let resource = Resource::Node(Node(index));
        let present = self.read_node(p, index)?;
        let mut watchers = Vec::new();
        let mut version = 0;
        if ok {
            // Present, and from where it was started.
            self.write(p, resource, Value::Number(1 + i64::from(p.pid.node())), true)?;
            version = self.written(resource);
            self.change_membership(p);
            watchers = self.told_of_nodes(p, index, true);
        }
        let sends = self.sends_of_change(p, watchers.len());
        self.commit(p, Kind::Start { node: Node(index), ok }, sends, Detail::None);
        self.tell_of_node(p, (index, true, version, None), sends, &watchers);
        if !ok && !present {
            return Ok(Term::atom(Atom::new("unreachable")));
        }
        Ok(Term::boolean(ok))
    }

    /// `'$node_stop'(Node)`: a step of its caller that ends every process of the node. False if it was absent.
    ///
    /// `'$node_stop'(Node, disconnect)`: because the caller's node gives up the connection.
    fn op_node_stop(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name, why] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        let index = self.node_index(name)?;
        if index == 0 {
            // Without the first node there is no system.
            self.expect(
                p,
                |k| matches!(k, Kind::Halt { .. }),
                || "stop the first node".to_owned(),
            )?;
            self.commit(p, Kind::Halt { code: 0 }, 0, Detail::None);
            return Err(Interrupt::Halted(0));
        }
        self.node_stops(p, index, why != Term::NONE)
    }

    pub(crate) fn node_stops(&mut self, p: &mut Process<O::Log>, index: u16, disconnected: bool) -> Answer {
        self.expect(p, |k| matches!(k, Kind::Access), || "stop a node".to_owned())?;
        let resource = Resource::Node(Node(index));
        let there = match &p.feed {
            Some(feed) => feed.access(resource).is_some_and(|a| a.write),
            None => self.is_present(index),
        };
        self.read(p, resource)?;
        if !there {
            self.commit(p, Kind::Access, 0, Detail::None);
            return Ok(FALSE);
        }
        self.write(p, resource, Value::Absent, true)?;
        let version = self.written(resource) - 1;
        self.change_membership(p);
        let mut victims = Vec::new();
        let mut watchers = Vec::new();
        if p.feed.is_none() {
            victims = self.table.pids();
            victims.retain(|pid| pid.node() == index);
            watchers = self.told_of_nodes(p, index, false);
        }
        let sends = self.sends_of_change(p, victims.len() + watchers.len());
        let first = p.sent + 1;
        self.commit(p, Kind::Access, sends, Detail::None);
        let by = ids::to_log(p.pid);
        // All of them before the end of one can send to another.
        for (k, victim) in (first..).zip(&victims) {
            p.sent += 1;
            let kill = || {
                Box::new(PendingExit {
                    tag: Tag::Sent { by, k: SendNo(k) },
                    reason: noconnection(),
                    trapped: None,
                })
            };
            if *victim == p.pid {
                p.pending.get_or_insert_with(kill);
            } else {
                self.settle(p.pid, *victim);
                if let Some((_, q)) = self.table.by_pid_mut(*victim) {
                    q.pending.get_or_insert_with(kill);
                }
            }
        }
        let me = p.pid;
        for victim in victims.iter().filter(|victim| **victim != me) {
            self.end_now(p, *victim);
        }
        let told = sends - victims.len() as u32;
        let disconnected = disconnected.then_some(p.pid.node());
        self.tell_of_node(p, (index, false, version, disconnected), told, &watchers);
        Ok(TRUE)
    }

    /// An exit signal that a process has takes effect at once; `p` is the process that runs.
    pub(crate) fn end_now(&mut self, p: &mut Process<O::Log>, pid: Pid) {
        let Lookup::Alive(slot) = self.table.find(pid) else {
            return;
        };
        if self.table.get(slot).is_none_or(|q| q.pending.is_none()) {
            return;
        }
        let Some(mut q) = self.table.take(slot) else { return };
        if let Some(pending) = q.pending.take() {
            // What the step at hand has read so far is its own.
            let accesses = std::mem::take(&mut self.accesses);
            let mut waiting = q.at_receive;
            if self.driven.is_some() {
                q.feed = None;
                waiting = matches!(q.label, Some(crate::process::Label::Receive(_)));
            }
            self.end_by_signal(&mut q, pending.tag, pending.reason, waiting);
            self.accesses = accesses;
        }
        self.bury(slot, *q);
        for owed in std::mem::take(&mut self.owed) {
            match owed {
                Owed::Table(table) => p.rare.tables.push(table),
                Owed::Unwatched(monitor) => drop(p.rare.watchers.remove(&monitor)),
            }
        }
        self.take_incoming(p);
    }

    /// How many signals a change of a node sends: so many, or as many as the log says.
    fn sends_of_change(&self, p: &Process<O::Log>, now: usize) -> u32 {
        let logged = p.feed.as_ref().and_then(|f| f.head()).map(|action| action.sends);
        logged.unwrap_or(now as u32)
    }

    /// Who gets a message about a change of a node, once for every message. Recording only.
    fn told_of_nodes(&self, p: &Process<O::Log>, index: u16, up: bool) -> Vec<Pid> {
        if p.feed.is_some() {
            return Vec::new();
        }
        let messages = |q: &Process<O::Log>| {
            let own = q.rare.node_monitors.iter().filter(|&&n| n == index).count();
            let count = if up { 0 } else { own } + q.rare.node_events as usize;
            std::iter::repeat_n(q.pid, if q.pid.node() == index { 0 } else { count })
        };
        let mut told: Vec<Pid> = self.table.iter().flat_map(messages).collect();
        told.extend(messages(p));
        told.sort_unstable();
        told
    }

    fn tell_of_node(
        &mut self,
        p: &mut Process<O::Log>,
        (node, up, connection, disconnected): (u16, bool, u64, Option<u16>),
        sends: u32,
        watchers: &[Pid],
    ) {
        let by = ids::to_log(p.pid);
        let mut change = NodeChange {
            by,
            from: p.sent + 1,
            to: p.sent + 1,
            node,
            up,
            connection,
            disconnected,
        };
        if p.feed.is_some() {
            p.sent += u64::from(sends);
            change.to = p.sent + 1;
            if change.from < change.to {
                self.node_changes.push(change);
                self.wake_for_node_change();
            }
            return;
        }
        for watcher in watchers {
            let tag = self.next_tag(p);
            let mut news = None;
            if let Some(q) = self.process_or(p, *watcher) {
                news = q.rare.node_news;
                if !up {
                    // Its 'nodedown' uses up a call of `monitor_node`.
                    q.rare.node_monitors.retain(|&n| n != node);
                }
            }
            let message = self.node_message(change, *watcher, news);
            self.deliver(p, *watcher, tag, Signal::Message(message));
        }
    }

    fn process_or<'a>(&'a mut self, p: &'a mut Process<O::Log>, pid: Pid) -> Option<&'a mut Process<O::Log>> {
        if pid == p.pid {
            return Some(p);
        }
        self.table.by_pid_mut(pid).map(|(_, q)| q)
    }

    fn node_message(&self, change: NodeChange, watcher: Pid, news: Option<NodeNews>) -> Fragment {
        let word = |text: &str| Part::Term(Term::atom(Atom::new(text)));
        let (name, up) = (Part::Term(Term::atom(self.node_name(change.node))), change.up);
        let what = word(if up { "nodeup" } else { "nodedown" });
        let Some(NodeNews::With {
            map,
            node_type,
            reason,
            connection,
        }) = news
        else {
            return terms::tuple(&[what, name]);
        };
        let why = match change.disconnected {
            Some(node) if node == watcher.node() => "disconnect",
            _ => "connection_closed",
        };
        let atom = |text: &str| Term::atom(Atom::new(text));
        let info = terms::build(|heap| {
            let mut info = Vec::new();
            if connection {
                info.push((atom("connection_id"), heap.make_int(change.connection as i64)));
            }
            if reason && !up {
                info.push((atom("nodedown_reason"), atom(why)));
            }
            if node_type {
                info.push((atom("node_type"), atom("visible")));
            }
            if map {
                return maps::from_pairs(heap, &info);
            }
            let pairs: Vec<Term> = info.iter().map(|(k, v)| heap.make_tuple(&[*k, *v])).collect();
            heap.make_list(&pairs)
        });
        terms::tuple(&[what, name, Part::Fragment(&info)])
    }

    /// Replay: a process that waits for one of the signals just sent can go on.
    fn wake_for_node_change(&mut self) {
        let Some(change) = self.node_changes.last().copied() else {
            return;
        };
        self.wake_blocked(|feed| {
            let consumed = feed.head_kind().and_then(Kind::consumed);
            consumed.is_some_and(|tag| change.sent(tag))
        });
    }

    /// Replay: the message that a change of a node sent under this tag.
    pub(crate) fn message_of_node(&self, tag: Tag, to: Pid, news: Option<NodeNews>) -> Option<Signal> {
        let change = self.node_changes.iter().find(|change| change.sent(tag))?;
        Some(Signal::Message(self.node_message(*change, to, news)))
    }

    /// Replay: the reason for which the stop of a node ended a process under this tag.
    pub(crate) fn kill_of_node(&self, tag: Tag) -> Option<Fragment> {
        let change = self.node_changes.iter().find(|change| change.sent(tag))?;
        (!change.up).then(noconnection)
    }

    // ---- looking -------------------------------------------------------------------------------------------------

    /// `'$node_up'(Node)`.
    fn op_node_up(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        let index = self.node_index(name)?;
        self.expect(p, |k| matches!(k, Kind::Access), || format!("look for the node {name}"))?;
        let up = self.read_node(p, index)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(Term::boolean(up))
    }

    /// `'$node_origin'(Node)`: the node from which it was started, if it is present and not the first.
    fn op_node_origin(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        let index = self.node_index(name)?;
        self.expect(p, |k| matches!(k, Kind::Access), || format!("look for the node {name}"))?;
        let value = self.read(p, Resource::Node(Node(index)))?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(match value {
            Value::Number(n) if index > 0 => Term::atom(self.node_name(n.saturating_sub(1) as u16)),
            _ => Term::atom(Atom::UNDEFINED),
        })
    }

    /// `nodes/0,1` [FLS21, rule Nodes]: the list Ω, in the order of first mention.
    fn op_nodes(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [which] = args(p);
        let (mut own, mut others) = (false, which == Term::NONE);
        let asked = match p.machine.heap.list(which) {
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
        if others && self.alive() {
            list = self.list_nodes(p)?;
        }
        if own {
            list.push(Term::atom(p.machine.local.node));
        }
        Ok(p.machine.heap.make_list(&list))
    }

    fn list_nodes(&mut self, p: &mut Process<O::Log>) -> Result<Vec<Term>, Interrupt> {
        self.expect(p, |k| *k == Kind::Nodes, || "list the nodes".to_owned())?;
        let membership = self.membership_resource();
        let order: Vec<u16> = match p.feed.as_ref().and_then(|f| f.head()) {
            Some(action) => action
                .accesses
                .iter()
                .filter_map(|a| match a.resource {
                    Resource::Node(node) => Some(node.0),
                    _ => None,
                })
                .collect(),
            None => {
                let known = 0..self.nodes.names().len() as u16;
                let others = known.filter(|&n| n != p.pid.node());
                // Those that are present come first.
                let (present, absent): (Vec<u16>, Vec<u16>) = others.partition(|&n| self.is_present(n));
                present.into_iter().chain(absent).collect()
            }
        };
        let mut list = Vec::new();
        for node in order {
            if self.read_node(p, node)? {
                list.push(Term::atom(self.node_name(node)));
            }
        }
        let logged = p.feed.as_ref().and_then(|feed| feed.access(membership));
        let read = logged.unwrap_or_else(|| {
            self.membership.read = true;
            Access::read(membership, Version(self.membership.version), None)
        });
        self.membership.version = self.membership.version.max(read.version.0);
        self.accesses.push(read);
        self.commit(p, Kind::Nodes, 0, Detail::None);
        Ok(list)
    }

    /// `monitor_node/2,3`.
    fn op_monitor_node(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name, on] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        let on = on.as_bool().ok_or_else(badarg)?;
        if name == p.machine.local.node {
            return Ok(TRUE);
        }
        if !self.alive() {
            return Err(Interrupt::Raise(Raise::error(Term::atom(Atom::new("notalive")))));
        }
        let index = self.node_index(name)?;
        if index == p.pid.node() {
            return Ok(TRUE);
        }
        if !on {
            if let Some(i) = p.rare.node_monitors.iter().position(|&n| n == index) {
                p.rare.node_monitors.remove(i);
            }
            return Ok(TRUE);
        }
        if !take_news(p, NodeNews::Plain) {
            return self.refuse(
                p,
                "monitor_node in a process that has asked for net_kernel:monitor_nodes with options",
            );
        }
        self.expect(p, |k| matches!(k, Kind::Access), || format!("monitor the node {name}"))?;
        let up = self.read_node(p, index)?;
        self.commit(p, Kind::Access, u32::from(!up), Detail::None);
        if up {
            p.rare.node_monitors.push(index);
        } else {
            let tag = self.next_tag(p);
            let name = Part::Term(Term::atom(self.node_name(index)));
            let message = terms::tuple(&[Part::Term(Term::atom(Atom::new("nodedown"))), name]);
            self.deliver(p, p.pid, tag, Signal::Message(message));
        }
        Ok(TRUE)
    }

    /// `net_kernel:monitor_nodes/1`: the process's own wish; what comes of it, the starts and stops send.
    ///
    /// `'$monitor_nodes'(Flag, {list | map, NodeType, Reason, ConnectionId})`: with options. False: they are others than the process has had.
    fn op_monitor_nodes(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [on, options] = args(p);
        let on = on.as_bool().ok_or_else(badarg)?;
        let news = match p.machine.heap.tuple(options) {
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
            if !take_news(p, news) {
                return Ok(FALSE);
            }
            p.rare.node_events += 1;
        } else if p.rare.node_news == Some(news) {
            // All that were asked for by the same options.
            p.rare.node_events = 0;
        }
        Ok(Term::atom(Atom::OK))
    }

    /// What OTP's logger prints when a process cannot be spawned on a node.
    pub(crate) fn warn_of_spawn(&mut self, p: &Process<O::Log>, call: &str, options: &str, node: Atom) {
        if p.feed.is_some() {
            return;
        }
        let stamp = self.stamp();
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" ({options})")
        };
        let text = format!("=WARNING REPORT==== {stamp} ===\n** Can not start {call}{options} on {node} **\n\n");
        self.outside.flush();
        let _ = self.outside.write(crate::outside::Device::Stderr, text.as_bytes());
    }
}

impl NodeChange {
    fn sent(&self, tag: Tag) -> bool {
        matches!(tag, Tag::Sent { by, k } if by == self.by && (self.from..self.to).contains(&k.0))
    }
}

/// A process gets news of this kind from now on; false if it has had another.
fn take_news<L>(p: &mut Process<L>, news: NodeNews) -> bool {
    *p.rare.node_news.get_or_insert(news) == news
}

fn noconnection() -> Fragment {
    Fragment::immediate(Term::atom(Atom::new("noconnection")))
}
