//! Starting and stopping nodes, and the messages about that.

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::maps;
use interpreter::term::{Pid, Term};
use log_format::{Kind, Node, Resource, SendNo, Tag};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{FALSE, OpResult, TRUE, badarg};
use crate::state::mode::Decides;
use crate::state::nodes::{NodeChange, NodeNews};
use crate::state::process::{Label, Process};
use crate::state::resources::Value;
use crate::state::signal::{PendingExit, Signal};
use crate::state::table::Lookup;
use crate::step::{Aside, Deferred, Interrupt, Step};
use crate::terms::{self, TuplePart};
use crate::world::World;

impl Step<'_> {
    pub(crate) fn node_stops(&mut self, index: u16, disconnected: bool) -> OpResult {
        self.expect(|k| matches!(k, Kind::Access), || "stop a node".to_owned())?;
        let resource = Resource::Node(Node(index));
        let there = self.writes(resource, |world| world.is_present(index));
        self.read(resource)?;
        if !there {
            self.commit(Kind::Access, 0, Detail::None);
            return Ok(FALSE);
        }
        self.write(resource, Value::Absent, true)?;
        let version = self.written(resource) - 1;
        self.change_membership();
        let mut victims = Vec::new();
        let mut watchers = Vec::new();
        if self.process.mode.log().is_none() {
            victims = self.world.table.pids();
            victims.retain(|pid| pid.node() == index);
            watchers = self.told_of_nodes(index, false);
        }
        let sends = self.sends_of_change(victims.len() + watchers.len());
        let first = self.process.sent + 1;
        self.commit(Kind::Access, sends, Detail::None);
        let by = ids::to_log(self.process.pid);
        // All of them are marked before the end of one can send to another.
        for (k, victim) in (first..).zip(&victims) {
            self.process.sent += 1;
            let kill = || {
                Box::new(PendingExit {
                    tag: Tag::Sent { by, k: SendNo(k) },
                    reason: noconnection(),
                    trapped: None,
                })
            };
            if *victim == self.process.pid {
                self.process.pending.get_or_insert_with(kill);
            } else {
                self.settle(self.process.pid, *victim);
                if let Some((_, q)) = self.world.table.by_pid_mut(*victim) {
                    q.pending.get_or_insert_with(kill);
                }
            }
        }
        let me = self.process.pid;
        for victim in victims.iter().filter(|victim| **victim != me) {
            self.end_now(*victim);
        }
        let told = sends - victims.len() as u32;
        let disconnected = disconnected.then_some(self.process.pid.node());
        self.tell_of_node((index, false, version, disconnected), told, &watchers);
        Ok(TRUE)
    }

    /// Lets a pending exit signal of a process take effect at once; `p` is the running process.
    pub(crate) fn end_now(&mut self, pid: Pid) {
        let Lookup::Alive(slot) = self.world.table.find(pid) else {
            return;
        };
        if self.world.table.get(slot).is_none_or(|q| q.pending.is_none()) {
            return;
        }
        let Some(mut q) = self.world.table.take(slot) else {
            return;
        };
        let mut aside = Aside::default();
        if let Some(pending) = q.pending.take() {
            let waiting = match q.mode.decides() {
                Decides::Record | Decides::Driven => q.at_receive,
                // The process ends beyond its log, like the running one.
                Decides::Follow(_) | Decides::Beyond { .. } => {
                    q.mode.end_beyond_log(q.actions);
                    matches!(q.label, Some(Label::Receive(_)))
                }
            };
            let mut end = Step::new(self.world, &mut q, self.sink);
            end.end_by_signal(pending.tag, pending.reason, waiting);
            aside = end.into_aside();
        }
        self.world.remove_ended(self.sink, *q);
        for deferred in aside.deferred {
            match deferred {
                Deferred::Table(table) => self.process.rare.tables.push(table),
                Deferred::Unwatched(monitor) => drop(self.process.rare.watchers.remove(&monitor)),
            }
        }
        for (tag, signal) in aside.incoming {
            self.arrive_at(tag, signal);
        }
    }

    /// How many signals a change of a node sends: this many when recording, else as many as the log says.
    pub(crate) fn sends_of_change(&self, now: usize) -> u32 {
        let logged = self.process.mode.logged().map(|action| action.sends);
        logged.unwrap_or(now as u32)
    }

    /// Processes that get a message about a change of a node, once for every message. Recording only.
    pub(crate) fn told_of_nodes(&self, index: u16, up: bool) -> Vec<Pid> {
        if self.process.mode.log().is_some() {
            return Vec::new();
        }
        let messages = |q: &Process| {
            let own = q.rare.node_monitors.iter().filter(|&&n| n == index).count();
            let count = if up { 0 } else { own } + q.rare.node_events as usize;
            std::iter::repeat_n(q.pid, if q.pid.node() == index { 0 } else { count })
        };
        let mut told: Vec<Pid> = self.world.table.iter().flat_map(messages).collect();
        told.extend(messages(self.process));
        told.sort_unstable();
        told
    }

    pub(crate) fn tell_of_node(
        &mut self,
        (node, up, connection, disconnected): (u16, bool, u64, Option<u16>),
        sends: u32,
        watchers: &[Pid],
    ) {
        let by = ids::to_log(self.process.pid);
        let mut change = NodeChange {
            by,
            from: self.process.sent + 1,
            to: self.process.sent + 1,
            node,
            up,
            connection,
            disconnected,
        };
        if self.process.mode.log().is_some() {
            self.process.sent += u64::from(sends);
            change.to = self.process.sent + 1;
            if change.from < change.to {
                self.world.node_changes.push(change);
                self.world.wake_for_node_change();
            }
            return;
        }
        for watcher in watchers {
            let tag = self.process.next_tag();
            let mut news = None;
            if let Some(q) = self.world.process_or(self.process, *watcher) {
                news = q.rare.node_news;
                if !up {
                    // A 'nodedown' uses up one call of `monitor_node`.
                    q.rare.node_monitors.retain(|&n| n != node);
                }
            }
            let message = self.world.node_message(change, *watcher, news);
            self.deliver(*watcher, tag, Signal::Message(message));
        }
    }
}

impl World {
    pub(crate) fn process_or<'a>(&'a mut self, p: &'a mut Process, pid: Pid) -> Option<&'a mut Process> {
        if pid == p.pid {
            return Some(p);
        }
        self.table.by_pid_mut(pid).map(|(_, q)| q)
    }

    pub(crate) fn node_message(&self, change: NodeChange, watcher: Pid, news: Option<NodeNews>) -> Fragment {
        let word = |text: &str| TuplePart::Term(Term::atom(Atom::new(text)));
        let (name, up) = (TuplePart::Term(Term::atom(self.node_name(change.node))), change.up);
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
        terms::tuple(&[what, name, TuplePart::Fragment(&info)])
    }

    /// Replay: wakes processes that wait for one of the signals just sent.
    pub(crate) fn wake_for_node_change(&mut self) {
        let Some(change) = self.node_changes.last().copied() else {
            return;
        };
        self.wake_blocked(|order| order.awaited().is_some_and(|tag| change.sent(tag)));
    }

    /// Replay: the message with this tag from a change of a node.
    pub(crate) fn message_of_node(&self, tag: Tag, to: Pid, news: Option<NodeNews>) -> Option<Signal> {
        let change = self.node_changes.iter().find(|change| change.sent(tag))?;
        Some(Signal::Message(self.node_message(*change, to, news)))
    }

    /// Replay: the reason with which the stop of a node ended a process by the signal with this tag.
    pub(crate) fn kill_of_node(&self, tag: Tag) -> Option<Fragment> {
        let change = self.node_changes.iter().find(|change| change.sent(tag))?;
        (!change.up).then(noconnection)
    }
}

pub(crate) fn noconnection() -> Fragment {
    Fragment::immediate(Term::atom(Atom::new("noconnection")))
}

/// `'$node_start'(Node, Environment)`: true if it was absent and is now present [FLS21, rules StartS and StartF]; `unreachable` if it is still absent.
pub(super) fn node_start(step: &mut Step<'_>) -> OpResult {
    let [name, environment] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    // Nodes of older traces have the environment of the node that started them.
    let environment = match environment == Term::NONE {
        true => Vec::new(),
        false => crate::ops::env::given(&step.process.machine.heap, environment).ok_or_else(badarg)?,
    };
    let index = step.world.node_index(name)?;
    step.expect(
        |k| matches!(k, Kind::Start { node, .. } if node.0 == index),
        || format!("start the node {name}"),
    )?;
    let unreachable = step.world.is_unreachable();
    let ok = match step.process.mode.logged_kind() {
        Some(Kind::Start { ok, .. }) => *ok,
        _ => !unreachable && !step.world.is_present(index),
    };
    let resource = Resource::Node(Node(index));
    let present = step.read_node(index)?;
    let mut watchers = Vec::new();
    let mut version = 0;
    if ok {
        let from = step.process.pid.node();
        step.world.environments.begins(index, from, environment);
        // Present, and the node that it was started from.
        step.write(resource, Value::Number(1 + i64::from(step.process.pid.node())), true)?;
        version = step.written(resource);
        step.change_membership();
        watchers = step.told_of_nodes(index, true);
    }
    let sends = step.sends_of_change(watchers.len());
    step.commit(Kind::Start { node: Node(index), ok }, sends, Detail::None);
    step.tell_of_node((index, true, version, None), sends, &watchers);
    if !ok && !present {
        return Ok(Term::atom(Atom::new("unreachable")));
    }
    Ok(Term::boolean(ok))
}

/// `'$node_stop'(Node)`: a step of its caller that ends every process of the node. False if it was absent.
///
/// `'$node_stop'(Node, disconnect)`: the caller's node gives up the connection.
pub(super) fn node_stop(step: &mut Step<'_>) -> OpResult {
    let [name, why] = step.args();
    let name = name.as_atom().ok_or_else(badarg)?;
    let index = step.world.node_index(name)?;
    if index == 0 {
        // Without the first node there is no system.
        step.expect(|k| matches!(k, Kind::Halt { .. }), || "stop the first node".to_owned())?;
        step.commit(Kind::Halt { code: 0 }, 0, Detail::None);
        return Err(Interrupt::Halted(0));
    }
    step.node_stops(index, why != Term::NONE)
}
