//! Natives that act on other processes: send, spawn, exit, link, monitor, names, timers.

use interpreter::atom::Atom;
use interpreter::heap::View;
use interpreter::native::Raise;
use interpreter::term::{Pid, Reference, Term};
use interpreter::vm;
use log_format::{Kind, Node, Resource, SendNo, Tag};

use crate::flags::Flags;
use crate::ids;
use crate::natives::Op;
use crate::observer::{Detail, Observer};
use crate::process::{AliasMode, Lookup, Monitor, Process, Signal};

use crate::resources::{Life, Value};
use crate::system::{Interrupt, System};
use crate::terms::{self, Part};
use crate::timers;

/// The result of carrying out a native: its value in the caller's heap.
pub(crate) type Answer = Result<Term, Interrupt>;

/// The arguments of the native at which the process stopped; missing ones are [`Term::NONE`].
pub(crate) fn args<L, const N: usize>(p: &Process<L>) -> [Term; N] {
    let given = p.machine.args();
    std::array::from_fn(|i| given.get(i).copied().unwrap_or(Term::NONE))
}

pub(crate) const OK: Term = Term::atom(Atom::OK);
pub(crate) const TRUE: Term = Term::atom(Atom::TRUE);
pub(crate) const FALSE: Term = Term::atom(Atom::FALSE);
pub(crate) const UNDEFINED: Term = Term::atom(Atom::UNDEFINED);

pub(crate) fn badarg() -> Interrupt {
    Interrupt::Raise(Raise::badarg())
}

/// `badarg` with the cause that `erl_stdlib_errors` explains.
pub(crate) fn badarg_because(cause: &str) -> Interrupt {
    Interrupt::Raise(Raise::badarg_because(cause))
}

/// `badarg` of an option.
fn badopt() -> Interrupt {
    badarg_because("badopt")
}

/// Where a message goes.
#[derive(Clone, Copy)]
enum Destination {
    /// To a process.
    Pid(Pid),
    /// To whoever holds this name on another node when it arrives there.
    Remote(Resource),
    /// Nowhere.
    Nobody,
}

/// What a spawn shall do besides spawning.
#[derive(Default)]
struct SpawnOptions {
    link: bool,
    monitor: bool,
    /// The options of the 'DOWN' message.
    tag: Option<interpreter::heap::Fragment>,
    alias: Option<AliasMode>,
    /// `spawn_request`: which replies are wanted, and the first element of the reply.
    request: Option<(Replies, Option<interpreter::heap::Fragment>)>,
    /// As OTP's warning about a spawn that failed shows them.
    shown: String,
    /// The flags that the new process is born with.
    flags: Flags,
}

/// Which replies of `spawn_request` are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replies {
    All,
    None,
    Errors,
    Successes,
}

impl<O: Observer> System<O> {
    /// Which meaning of the native at hand the trace was recorded with.
    pub(crate) fn native_version(&self) -> u16 {
        self.program.native(self.native).version
    }

    /// Carries out a native.
    pub(crate) fn carry_out(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        match op {
            Op::Send => self.op_send(p),
            Op::Spawn => self.op_spawn(p, &SpawnOptions::default()),
            Op::SpawnLink => self.op_spawn(
                p,
                &SpawnOptions {
                    link: true,
                    shown: "[link]".to_owned(),
                    ..SpawnOptions::default()
                },
            ),
            Op::SpawnMonitor => self.op_spawn(
                p,
                &SpawnOptions {
                    monitor: true,
                    shown: "[monitor]".to_owned(),
                    ..SpawnOptions::default()
                },
            ),
            Op::SpawnOpt => self.op_spawn_opt(p),
            Op::SpawnRequest => self.op_spawn_request(p),
            Op::SpawnAbandon => self.op_spawn_abandon(p),
            Op::ExitTo => self.op_exit_to(p),
            Op::Link => self.op_link(p),
            Op::Unlink => self.op_unlink(p),
            Op::Monitor => self.op_monitor(p),
            Op::Demonitor => self.op_demonitor(p),
            Op::Alias => self.op_alias(p),
            Op::Unalias => self.op_unalias(p),
            Op::Register => self.op_register(p),
            Op::Unregister => self.op_unregister(p),
            Op::Whereis => self.op_whereis(p),
            Op::IsProcessAlive => self.op_is_process_alive(p),
            Op::SendAfter => self.op_send_after(p, false),
            Op::StartTimer => self.op_send_after(p, true),
            Op::CancelTimer => self.op_cancel_timer(p),
            _ => self.carry_out_other(p, op),
        }
    }

    // ---- send ----------------------------------------------------------------------------------------------------

    /// Where a destination of `!` leads. Raises `badarg` as `!` does.
    fn destination(&mut self, p: &mut Process<O::Log>, to: Term) -> Result<Destination, Interrupt> {
        if let Some(pid) = to.as_pid() {
            return Ok(Destination::Pid(pid));
        }
        if let Some(name) = to.as_atom() {
            let resource = self.name_resource(name, p.pid.node());
            return match self.read(p, resource)? {
                Value::Pid(pid) => Ok(Destination::Pid(pid)),
                _ => {
                    self.expect(
                        p,
                        |k| matches!(k, Kind::Access),
                        || "read a registered name and fail".to_owned(),
                    )?;
                    self.commit(p, Kind::Access, 0, Detail::None);
                    Err(badarg())
                }
            };
        }
        if let Some(&[name, node]) = p.machine.heap.tuple(to)
            && let (Some(name), Some(node)) = (name.as_atom(), node.as_atom())
        {
            if node != p.machine.local.node {
                let node = self.node_index(node)?;
                return Ok(Destination::Remote(self.name_resource(name, node)));
            }
            let resource = self.name_resource(name, p.pid.node());
            return Ok(match self.read(p, resource)? {
                Value::Pid(pid) => Destination::Pid(pid),
                _ => Destination::Nobody,
            });
        }
        Err(badarg())
    }

    fn op_send(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [to, message, options] = args(p);
        let count = p.machine.args().len();
        if options != Term::NONE {
            let known = |t: Term| matches!(t.as_atom().map(Atom::as_str), Some("nosuspend" | "noconnect"));
            let options = p.machine.heap.list(options).ok_or_else(badopt)?;
            if !options.into_iter().all(known) && self.native_version() > 1 {
                return Err(badopt());
            }
        }
        if self.io_request(p, to, message)? {
            // What the device was asked is done.
        } else if let Some(pid) = to.as_pid() {
            self.send_message(p, Destination::Pid(pid), None, message)?;
        } else if let View::Reference(alias) = p.machine.heap.view(to) {
            self.send_message(p, Destination::Pid(alias.owner), Some(alias), message)?;
        } else {
            let target = self.destination(p, to)?;
            self.send_message(p, target, None, message)?;
        }
        // `!` answers the message, `send/3` and `send_nosuspend` an atom.
        if self.program.native(self.native).name == "send_nosuspend" && self.native_version() > 2 {
            return Ok(TRUE);
        }
        Ok(match count {
            2 => message,
            _ => OK,
        })
    }

    #[inline]
    fn send_message(
        &mut self,
        p: &mut Process<O::Log>,
        to: Destination,
        alias: Option<Reference>,
        message: Term,
    ) -> Result<(), Interrupt> {
        self.expect(p, |k| matches!(k, Kind::Send), || "send a message".to_owned())?;
        let tag = self.next_tag(p);
        let fragment = p.machine.heap.export(message);
        self.commit(
            p,
            Kind::Send,
            1,
            Detail::Sent {
                to: match to {
                    Destination::Pid(pid) => Some(ids::to_log(pid)),
                    Destination::Remote(_) | Destination::Nobody => None,
                },
                message,
            },
        );
        let signal = match alias {
            None => Signal::Message(fragment),
            Some(alias) => Signal::Aliased {
                alias,
                message: fragment,
            },
        };
        match to {
            Destination::Pid(to) => self.deliver(p, to, tag, signal),
            Destination::Remote(name) if p.feed.is_some() || self.driven.is_some() => {
                // Replay: the log of whoever held the name says that it comes.
                self.resources.afloat.insert(tag, (signal, name));
                self.wake_afloat(tag);
            }
            Destination::Remote(name) => {
                if let Some(to) = self.resources.arrives_at(name, tag) {
                    self.deliver(p, to, tag, signal);
                }
            }
            Destination::Nobody => {}
        }
        Ok(())
    }

    /// The tag of the next signal of p: (p, k).
    #[inline]
    pub(crate) fn next_tag(&mut self, p: &mut Process<O::Log>) -> Tag {
        p.sent += 1;
        Tag::Sent {
            by: ids::to_log(p.pid),
            k: SendNo(p.sent),
        }
    }

    // ---- spawn ---------------------------------------------------------------------------------------------------

    fn op_spawn(&mut self, p: &mut Process<O::Log>, options: &SpawnOptions) -> Answer {
        let given = p.machine.args().to_vec();
        match given[..] {
            [fun] => self.spawn_fun(p, None, fun, options),
            [node, fun] => self.spawn_fun(p, Some(node), fun, options),
            [m, f, a] => self.spawn_call(p, None, [m, f, a], options),
            [node, m, f, a] => self.spawn_call(p, Some(node), [m, f, a], options),
            _ => Err(badarg()),
        }
    }

    fn op_spawn_opt(&mut self, p: &mut Process<O::Log>) -> Answer {
        let given = p.machine.args().to_vec();
        let (&list, call) = given.split_last().expect("spawn_opt has arguments");
        let is_fun = |t: &Term| matches!(p.machine.heap.view(*t), View::Fun { .. } | View::ExternalFun { .. });
        if call.len() < 3 && !call.last().is_some_and(is_fun) {
            return Err(badarg());
        }
        let mut options = spawn_options(p, list, false)?;
        if list != Term::NIL {
            let style = interpreter::print::Style::unicode(&*self.program);
            options.shown = interpreter::print::write(&p.machine.heap, list, -1, &style);
        }
        self.spawn_with(p, call, &options)
    }

    /// `spawn_request/1..5`: the answer comes as a message, under the name that the call returns.
    fn op_spawn_request(&mut self, p: &mut Process<O::Log>) -> Answer {
        let given = p.machine.args().to_vec();
        let is_fun = |t: Term| {
            let view = p.machine.heap.view(t);
            matches!(view, View::Fun { .. } | View::ExternalFun { .. })
        };
        // (Fun), (Fun, Options), (Node, Fun), (Node, Fun, Options), (M, F, A), (M, F, A, Options), (Node, M, F, A), (Node, M, F, A, Options)
        let with_options = match given[..] {
            [_] => false,
            [first, _] => is_fun(first),
            [_, second, _] => is_fun(second),
            [_, _, _, last] => p.machine.heap.list(last).is_some() && given[2].as_atom().is_none(),
            _ => true,
        };
        let (list, call) = match given.split_last() {
            Some((&list, call)) if with_options => (list, call),
            _ => (Term::NIL, &given[..]),
        };
        match spawn_options(p, list, true) {
            Ok(options) => self.spawn_with(p, call, &options),
            Err(_) if self.native_version() > 1 && p.machine.heap.list(list).is_some() => self.refuse_request(p, list),
            Err(raise) => Err(raise),
        }
    }

    /// A bad option among those of `spawn_request` is told by a message, unless they say that errors are not.
    fn refuse_request(&mut self, p: &mut Process<O::Log>, list: Term) -> Answer {
        let (mut wanted, mut word) = (true, None);
        for option in p.machine.heap.list(list).unwrap_or_default() {
            let Some(&[key, value]) = p.machine.heap.tuple(option) else {
                continue;
            };
            match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
                (Some("reply"), which) => wanted = !matches!(which, Some("no" | "success_only")),
                (Some("reply_tag"), _) => word = Some(p.machine.heap.export(value)),
                _ => {}
            }
        }
        let reference = new_reference(p);
        if wanted {
            self.expect(p, |k| matches!(k, Kind::Send), || "refuse a spawn request".to_owned())?;
            let to = Some(ids::to_log(p.pid));
            self.commit(p, Kind::Send, 1, Detail::Sent { to, message: list });
            let (error, reason) = (Term::atom(Atom::ERROR), Term::atom(Atom::new("badopt")));
            self.answer_request(p, reference, word.as_ref(), error, reason);
        }
        Ok(p.machine.heap.make_reference(reference))
    }

    /// `spawn_request_abandon/1`: here every request has been answered when it returns, so that there is nothing to abandon.
    fn op_spawn_abandon(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [request] = args(p);
        match p.machine.heap.view(request) {
            View::Reference(_) => Ok(FALSE),
            _ => Err(badarg()),
        }
    }

    fn spawn_with(&mut self, p: &mut Process<O::Log>, call: &[Term], options: &SpawnOptions) -> Answer {
        match *call {
            [fun] => self.spawn_fun(p, None, fun, options),
            [node, fun] => self.spawn_fun(p, Some(node), fun, options),
            [m, f, a] => self.spawn_call(p, None, [m, f, a], options),
            [node, m, f, a] => self.spawn_call(p, Some(node), [m, f, a], options),
            _ => Err(badarg()),
        }
    }

    fn spawn_fun(&mut self, p: &mut Process<O::Log>, node: Option<Term>, fun: Term, options: &SpawnOptions) -> Answer {
        let call = match p.machine.heap.view(fun) {
            View::Fun { id, arity: 0, .. } => {
                let info = interpreter::native::CodeInfo::fun(&*self.program, id);
                (info.module, info.name, 0)
            }
            View::ExternalFun {
                module,
                function,
                arity: 0,
            } => (module, function, 0),
            // Calling it fails, in the new process; only `spawn_monitor` looks first.
            View::Fun { .. } | View::ExternalFun { .. } if self.program.native(self.native).name != "spawn_monitor" => {
                let args = p.machine.heap.make_list(&[fun, Term::NIL]);
                let (module, function) = (Term::atom(Atom::ERLANG), Term::atom(Atom::APPLY));
                return self.spawn_call(p, node, [module, function, args], options);
            }
            _ => return Err(badarg()),
        };
        let fragment = p.machine.heap.export(fun);
        let shown = [Term::atom(Atom::ERLANG), Term::atom(Atom::APPLY), fun];
        self.spawn(p, node, options, call, shown, |machine| {
            let fun = machine.heap.import(&fragment);
            machine.start_fun(fun, &[]);
        })
    }

    fn spawn_call(
        &mut self,
        p: &mut Process<O::Log>,
        node: Option<Term>,
        [m, f, a]: [Term; 3],
        options: &SpawnOptions,
    ) -> Answer {
        let (module, function) = (m.as_atom().ok_or_else(badarg)?, f.as_atom().ok_or_else(badarg)?);
        let count = p.machine.heap.list(a).ok_or_else(badarg)?.len();
        let arity = u8::try_from(count).map_err(|_| Interrupt::Raise(Raise::system_limit()))?;
        let fragment = p.machine.heap.export(a);
        self.spawn(p, node, options, (module, function, arity), [m, f, a], |machine| {
            let list = machine.heap.import(&fragment);
            let args = machine.heap.list(list).expect("checked in the parent");
            machine.start_call(module, function, &args);
        })
    }

    fn spawn(
        &mut self,
        p: &mut Process<O::Log>,
        node: Option<Term>,
        options: &SpawnOptions,
        call: (Atom, Atom, u8),
        shown: [Term; 3],
        start: impl FnOnce(&mut vm::Process),
    ) -> Answer {
        let node = match node {
            None => None,
            Some(node) => {
                let node = node.as_atom().ok_or_else(badarg)?;
                match node == p.machine.local.node {
                    true => None,
                    false => Some(self.node_index(node)?),
                }
            }
        };
        self.room_for_another(p)?;
        self.expect(
            p,
            |k| match *k {
                Kind::Spawn { node: logged, .. } => logged == node.map(Node),
                Kind::SpawnFailed { node: logged, .. } => Some(logged.0) == node,
                _ => false,
            },
            || format!("spawn {}:{}/{}", call.0, call.1, call.2),
        )?;
        let present = match node {
            None => true,
            Some(node) => self.read_node(p, node)?,
        };
        let home = node.filter(|_| present).unwrap_or(p.pid.node());
        let child = match p.feed.as_ref().and_then(|f| f.head_kind()) {
            Some(&Kind::Spawn { child, .. } | &Kind::SpawnFailed { child, .. }) => Pid::new(home, child.0),
            _ if self.driven.is_some() => Pid::new(home, self.number_of_child(p.pid, p.spawned + 1)),
            _ => {
                self.next_pid += 1;
                Pid::new(home, self.next_pid - 1)
            }
        };
        if let Some(node) = node
            && !present
        {
            return self.spawn_failed(p, child, node, options, shown);
        }
        let reply = options
            .request
            .as_ref()
            .filter(|(replies, _)| matches!(replies, Replies::All | Replies::Successes));
        let incarnation = match self.accesses.first() {
            Some(access) if node.is_some() => access.version.0,
            _ => p.incarnation,
        };
        let leader = self.use_leader(p)?;
        self.commit(
            p,
            Kind::Spawn {
                child: ids::to_log(child),
                node: node.map(Node),
            },
            u32::from(reply.is_some()),
            Detail::None,
        );
        let mut machine = self.machine(child);
        start(&mut machine);
        let slot = self.birth(
            machine,
            child,
            Some((p.pid, p.actions)),
            call,
            leader,
            Some(&p.log),
            incarnation,
        );
        let reference = (options.monitor || options.request.is_some()).then(|| new_reference(p));
        if let Some(reference) = reference
            && let Some(mode) = options.alias
        {
            p.rare.aliases.insert(reference, mode);
        }
        if let Some(q) = self.table.get_mut(slot) {
            if options.flags != Flags::default() {
                q.rare.flags = options.flags.clone();
            }
            q.applied = shown[1].as_atom() == Some(Atom::APPLY);
            if options.link {
                q.rare.links.insert(p.pid);
                p.rare.links.insert(child);
            }
            if let Some(reference) = reference
                && options.monitor
            {
                let monitor = Monitor {
                    target: child,
                    name: None,
                    tag: options.tag.clone(),
                    over: false,
                };
                q.rare.watchers.insert(reference, monitor.watcher(p.pid));
                p.rare.monitors.insert(reference, monitor);
            }
        }
        let alive = Resource::Alive(ids::to_log(child));
        self.wake(crate::resources::Wanted::Version(alive, log_format::Version(1)));
        let pid = Term::pid(child);
        if let (Some((_, word)), Some(reference)) = (reply, reference) {
            self.answer_request(p, reference, word.as_ref(), OK, pid);
        }
        Ok(match reference {
            None => pid,
            Some(reference) => {
                let reference = p.machine.heap.make_reference(reference);
                if options.request.is_some() {
                    return Ok(reference);
                }
                p.machine.heap.make_tuple(&[pid, reference])
            }
        })
    }

    /// A spawn beyond the limit of processes raises `system_limit`. How many live is what others decide: that is logged.
    fn room_for_another(&mut self, p: &mut Process<O::Log>) -> Result<(), Interrupt> {
        let full = match p.feed.as_ref().map(|f| f.head_kind()) {
            Some(head) => matches!(head, Some(Kind::Observe { of: None, value }) if value == FULL),
            None => self.table.living() >= self.limits.processes,
        };
        if !full {
            return Ok(());
        }
        let value = FULL.to_vec();
        self.commit(p, Kind::Observe { of: None, value }, 0, Detail::None);
        Err(Interrupt::Raise(Raise::system_limit()))
    }

    /// `{spawn_reply, Request, ok | error, Pid | Reason}`.
    fn answer_request(
        &mut self,
        p: &mut Process<O::Log>,
        request: Reference,
        word: Option<&interpreter::heap::Fragment>,
        result: Term,
        value: Term,
    ) {
        let tag = self.next_tag(p);
        let message = terms::tuple(&[
            word.map_or(Part::Term(Term::atom(Atom::new("spawn_reply"))), Part::Fragment),
            Part::Reference(request),
            Part::Term(result),
            Part::Term(value),
        ]);
        self.deliver(p, p.pid, tag, Signal::Message(message));
    }

    /// A spawn on a node that does not exist still yields a pid; links and monitors to it see `noconnection` [FLS21, §3.1].
    fn spawn_failed(
        &mut self,
        p: &mut Process<O::Log>,
        child: Pid,
        node: u16,
        options: &SpawnOptions,
        shown: [Term; 3],
    ) -> Answer {
        let kind = Kind::SpawnFailed {
            child: ids::to_log(child),
            node: Node(node),
        };
        let pid = Term::pid(child);
        let noconnection = terms::build(|_| Term::atom(Atom::new("noconnection")));
        if let Some((replies, word)) = &options.request {
            let reply = matches!(replies, Replies::All | Replies::Errors);
            self.commit(p, kind, u32::from(reply), Detail::None);
            let reference = new_reference(p);
            if reply {
                let reason = Term::atom(Atom::new("noconnection"));
                self.answer_request(p, reference, word.as_ref(), Term::atom(Atom::ERROR), reason);
            }
            return Ok(p.machine.heap.make_reference(reference));
        }
        let sends = u32::from(options.link) + u32::from(options.monitor);
        self.commit(p, kind, sends, Detail::None);
        self.warn_of_spawn(
            p,
            &call_text(&self.program, p, shown),
            &options.shown,
            self.node_name(node),
        );
        if options.link {
            let tag = self.next_tag(p);
            p.rare.links.insert(child);
            self.deliver(
                p,
                p.pid,
                tag,
                Signal::Exit {
                    from: child,
                    reason: noconnection.clone(),
                    link: true,
                },
            );
        }
        if options.monitor {
            let tag = self.next_tag(p);
            let reference = new_reference(p);
            let down = down_message(reference, Part::Term(pid), &noconnection, options.tag.as_ref());
            p.rare.fired.insert(reference, tag);
            self.deliver(p, p.pid, tag, Signal::Message(down));
            let reference = p.machine.heap.make_reference(reference);
            return Ok(p.machine.heap.make_tuple(&[pid, reference]));
        }
        Ok(pid)
    }

    // ---- exit signals, links, monitors -----------------------------------------------------------------------------

    fn op_exit_to(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [to, reason] = args(p);
        let to = to.as_pid().ok_or_else(badarg)?;
        self.expect(p, |k| matches!(k, Kind::Send), || "send an exit signal".to_owned())?;
        let tag = self.next_tag(p);
        let fragment = p.machine.heap.export(reason);
        self.commit(
            p,
            Kind::Send,
            1,
            Detail::Sent {
                to: Some(ids::to_log(to)),
                message: reason,
            },
        );
        self.deliver(
            p,
            to,
            tag,
            Signal::Exit {
                from: p.pid,
                reason: fragment,
                link: false,
            },
        );
        Ok(TRUE)
    }

    fn op_link(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target] = args(p);
        let target = target.as_pid().ok_or_else(badarg)?;
        if target == p.pid || self.is_runtime(p, target) {
            return Ok(TRUE);
        }
        self.expect(
            p,
            |k| matches!(k, Kind::Access) || is_noproc(k),
            || format!("link to {}", ids::to_log(target)),
        )?;
        let life = self.read_life(p, target)?;
        // On one node it is an error at once, unless it can be told by a message. (Traces recorded before had a signal there too.)
        let raises = match p.feed.as_ref().and_then(|f| f.head_kind()) {
            Some(kind) => is_noproc(kind),
            None => {
                let here = target.node() == p.pid.node();
                here && life != Life::Alive && !p.trap_exit && !p.rare.links.contains(&target)
            }
        };
        if raises {
            let value = NOPROC.to_vec();
            self.commit(p, Kind::Observe { of: None, value }, 0, Detail::None);
            return Err(Interrupt::Raise(Raise::error(Term::atom(Atom::NOPROC))));
        }
        // Whether an old link is still there is what others decide (its end may be in flight): the log tells by the signal.
        let refused = match p.feed.as_ref().and_then(|f| f.head()) {
            Some(action) => action.sends > 0,
            None => life != Life::Alive && !p.rare.links.contains(&target),
        };
        let why = if refused {
            self.why_missing(p, target)?
        } else {
            Atom::NOPROC
        };
        if !refused {
            let newest = life == Life::Dead || self.write_pair(p, target, true);
            self.commit(p, Kind::Access, 0, Detail::None);
            if !newest || self.is_closed(p.pid, target) {
                return Ok(TRUE);
            }
            p.rare.links.insert(target);
            let closed = self.is_closed(target, p.pid);
            if let Some((_, q)) = self.table.by_pid_mut(target) {
                if !closed {
                    q.rare.links.insert(p.pid);
                }
            } else if let Some(reason) = self.reason_of_end(target) {
                self.lose(target);
                // Replay: it has ended already; its end also sends to this link (semantics.md §7).
                let tag = Tag::EndTo {
                    by: ids::to_log(target),
                    to: ids::to_log(p.pid),
                };
                self.deliver(
                    p,
                    p.pid,
                    tag,
                    Signal::Exit {
                        from: target,
                        reason,
                        link: true,
                    },
                );
            }
        } else {
            p.rare.links.insert(target);
            self.commit(p, Kind::Access, 1, Detail::None);
            let tag = self.next_tag(p);
            let reason = terms::build(|_| Term::atom(why));
            self.deliver(
                p,
                p.pid,
                tag,
                Signal::Exit {
                    from: target,
                    reason,
                    link: true,
                },
            );
            // An answer has come before anything else is done.
            self.let_arrive_at(p, tag);
        }
        Ok(TRUE)
    }

    /// Logged whether or not there is a link: what has become of it is what others decide. It reads whether the other is alive in `→`
    /// only: nothing of its past is needed to repeat it.
    fn op_unlink(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target] = args(p);
        let target = target.as_pid().ok_or_else(badarg)?;
        if target == p.pid || self.is_runtime(p, target) {
            return Ok(TRUE);
        }
        let words = || format!("unlink {}", ids::to_log(target));
        self.expect(p, |k| matches!(k, Kind::Access), words)?;
        let alive = Resource::Alive(ids::to_log(target));
        let told = p.feed.as_ref().is_none_or(|feed| feed.access(alive).is_some());
        let life = self.glance_at_life(p, target);
        let newest = life == Life::Dead || self.write_pair(p, target, false);
        self.commit(p, Kind::Access, 0, Detail::None);
        if life == Life::Dead {
            // The signal of its end may have come, and is received all the same.
            self.close_pair(p.pid, target);
        }
        if !newest {
            return Ok(TRUE);
        }
        p.rare.links.remove(&target);
        if told && life != Life::Dead {
            if let Some((_, q)) = self.table.by_pid_mut(target) {
                q.rare.links.remove(&p.pid);
            } else {
                // Replay: its end came first, and told of a link that was none any more.
                p.pool.remove(&Tag::EndTo {
                    by: ids::to_log(target),
                    to: ids::to_log(p.pid),
                });
            }
        }
        Ok(TRUE)
    }

    fn op_monitor(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [kind, item, options] = args(p);
        let mut alias = None;
        let mut tag = None;
        if options != Term::NONE {
            for option in p.machine.heap.list(options).ok_or_else(badopt)? {
                match p.machine.heap.tuple(option) {
                    Some(&[key, mode]) if key.as_atom() == Some(Atom::new("alias")) => {
                        alias = Some(match mode.as_atom().map(Atom::as_str) {
                            Some("explicit_unalias") => AliasMode::Explicit,
                            Some("demonitor") => AliasMode::Demonitor,
                            Some("reply_demonitor") => AliasMode::ReplyDemonitor,
                            _ => return Err(badopt()),
                        });
                    }
                    Some(&[key, value]) if key.as_atom() == Some(Atom::new("tag")) => {
                        tag = Some(p.machine.heap.export(value));
                    }
                    _ => return Err(badopt()),
                }
            }
        }
        match kind.as_atom().map(Atom::as_str) {
            Some("process") => {}
            Some("port") if self.native_version() > 1 => return self.monitor_port(p, item, alias, tag),
            Some("time_offset") if self.native_version() > 1 => return monitor_clock(p, item, alias, tag),
            _ => return Err(badarg_because("badtype")),
        }
        let here = p.machine.local.node;
        let named = match (item.as_atom(), p.machine.heap.tuple(item)) {
            (Some(name), _) => Some((name, here)),
            (None, Some(&[name, node])) => {
                Some((name.as_atom().ok_or_else(badarg)?, node.as_atom().ok_or_else(badarg)?))
            }
            _ => None,
        };
        let mut far = p.pid.node();
        let target = match (item.as_pid(), named) {
            (Some(pid), _) => Some(pid),
            (None, Some((name, node))) => {
                if node != here {
                    if !self.alive() {
                        return Err(badarg());
                    }
                    far = self.node_index(node)?;
                }
                let resource = self.name_resource(name, far);
                match self.read(p, resource)? {
                    Value::Pid(pid) => Some(pid),
                    _ => None,
                }
            }
            _ => return Err(badarg()),
        };
        // The runtime does not end. Only a name that was read is logged.
        let silent = named.is_none() && target.is_some_and(|target| self.is_runtime(p, target));
        if !silent {
            self.expect(p, |k| matches!(k, Kind::Access), || "monitor a process".to_owned())?;
        }
        let life = match target {
            Some(target) if target == p.pid => Life::Unborn,
            Some(target) => self.read_life(p, target)?,
            None => Life::Dead,
        };
        // What may have to wait in replay comes before what the step changes.
        let why = match (life, target) {
            (Life::Alive, _) => Atom::NOPROC,
            (_, Some(target)) if target == p.pid => Atom::NOPROC,
            (_, Some(target)) => self.why_missing(p, target)?,
            (_, None) => self.why_missing(p, Pid::new(far, 0))?,
        };
        p.machine.local.references += 1;
        let reference = Reference {
            owner: p.pid,
            number: p.machine.local.references,
        };
        // On oneself there is no monitor, and so no alias.
        let on_itself = target == Some(p.pid) && self.native_version() > 1;
        if let Some(mode) = alias.filter(|_| !on_itself) {
            p.rare.aliases.insert(reference, mode);
        }
        let shown = match named {
            Some((name, node)) => Shown::Name(name, node),
            None => Shown::Pid(target.unwrap_or_default()),
        };
        match (life, target) {
            (Life::Alive, Some(target)) => {
                if !silent {
                    self.commit(p, Kind::Access, 0, Detail::None);
                }
                let monitor = Monitor {
                    target,
                    name: named.map(|(name, _)| name),
                    tag,
                    over: false,
                };
                if let Some((_, q)) = self.table.by_pid_mut(target) {
                    q.rare.watchers.insert(reference, monitor.watcher(p.pid));
                } else if let Some(reason) = self.reason_of_end(target) {
                    self.lose(target);
                    let down = shown.down(reference, &reason, monitor.tag.as_ref());
                    let tag = Tag::EndRef {
                        by: ids::to_log(target),
                        owner: ids::to_log(p.pid),
                        k: reference.number,
                    };
                    let message = down;
                    self.deliver(
                        p,
                        p.pid,
                        tag,
                        Signal::Down {
                            monitor: reference,
                            message,
                        },
                    );
                }
                p.rare.monitors.insert(reference, monitor);
            }
            // A monitor on oneself never fires.
            (Life::Unborn, Some(target)) if target == p.pid => self.commit(p, Kind::Access, 0, Detail::None),
            _ => {
                self.commit(p, Kind::Access, 1, Detail::None);
                // The monitor is over, and an alias that ends with it.
                if let Some(mode) = p.rare.aliases.get_mut(&reference)
                    && matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor)
                {
                    *mode = AliasMode::Spent;
                }
                let sent = self.next_tag(p);
                let why = terms::build(|_| Term::atom(why));
                let down = shown.down(reference, &why, tag.as_ref());
                // Remembered so that `demonitor` with `flush` finds its message.
                p.rare.fired.insert(reference, sent);
                self.deliver(p, p.pid, sent, Signal::Message(down));
            }
        }
        Ok(p.machine.heap.make_reference(reference))
    }

    /// There are no ports: a monitor of a name of one fires at once.
    fn monitor_port(
        &mut self,
        p: &mut Process<O::Log>,
        item: Term,
        alias: Option<AliasMode>,
        tag: Option<interpreter::heap::Fragment>,
    ) -> Answer {
        let here = Term::atom(p.machine.local.node);
        let name = match p.machine.heap.tuple(item) {
            None if item.is_atom() => item,
            Some(&[name, node]) if name.is_atom() && node == here => name,
            _ => return Err(badarg()),
        };
        self.expect(p, |k| matches!(k, Kind::Access), || "monitor a port".to_owned())?;
        let reference = new_reference(p);
        if let Some(mode) = alias {
            let over = matches!(mode, AliasMode::Demonitor | AliasMode::ReplyDemonitor);
            p.rare
                .aliases
                .insert(reference, if over { AliasMode::Spent } else { mode });
        }
        self.commit(p, Kind::Access, 1, Detail::None);
        let sent = self.next_tag(p);
        let item = terms::tuple(&[Part::Term(name), Part::Term(here)]);
        let down = terms::tuple(&[
            tag.as_ref().map_or(Part::Term(Term::atom(Atom::DOWN)), Part::Fragment),
            Part::Reference(reference),
            Part::Term(Term::atom(Atom::new("port"))),
            Part::Fragment(&item),
            Part::Term(Term::atom(Atom::NOPROC)),
        ]);
        p.rare.fired.insert(reference, sent);
        self.deliver(p, p.pid, sent, Signal::Message(down));
        Ok(p.machine.heap.make_reference(reference))
    }

    fn op_demonitor(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [reference, options] = args(p);
        let View::Reference(reference) = p.machine.heap.view(reference) else {
            return Err(badarg());
        };
        if reference.owner != p.pid {
            return Err(badarg());
        }
        let (mut flush, mut info) = (false, false);
        if options != Term::NONE {
            for option in p.machine.heap.list(options).ok_or_else(badarg)? {
                match option.as_atom().map(Atom::as_str) {
                    Some("flush") => flush = true,
                    Some("info") => info = true,
                    _ => return Err(badarg()),
                }
            }
        }
        let asks = flush || info;
        let down = match p.rare.monitors.get(&reference) {
            Some(m) => Some(Tag::EndRef {
                by: ids::to_log(m.target),
                owner: ids::to_log(p.pid),
                k: reference.number,
            }),
            None => p.rare.fired.get(&reference).copied(),
        };
        let Some(down) = down else {
            // Removed before, or its 'DOWN' has been received: that is its own state.
            self.drop_alias_of(p, reference);
            return Ok(Term::boolean(!info));
        };
        if !asks {
            return self.demonitor_quietly(p, reference);
        }
        // Whether the 'DOWN' is in the mailbox, or a reply has ended the monitor, is what others decide: the answer is logged.
        self.expect(p, |k| matches!(k, Kind::Drop { .. }), || "demonitor".to_owned())?;
        let logged = match p.feed.as_ref().and_then(|f| f.head_kind()) {
            Some(Kind::Drop { tag, value }) => Some((*tag, value.first() == Some(&1))),
            _ => None,
        };
        let (removed, active) = match logged {
            Some((Some(tag), active)) => {
                if p.pool.remove(&tag).is_none() {
                    // Not sent yet: this is tried again when it is.
                    return Err(Interrupt::Awaiting);
                }
                (Some(tag), active)
            }
            Some((None, active)) => (None, active),
            None if self.driven.is_some() => {
                // What has been sent has come: beyond the log the choice is ours.
                let active = p.rare.monitors.get(&reference).is_some_and(|m| !m.over);
                let taken = flush && p.pool.remove(&down).is_some();
                (taken.then_some(down), active && !taken)
            }
            None => {
                let active = p.rare.monitors.get(&reference).is_some_and(|m| !m.over);
                let taken = flush && (p.machine.mailbox.remove(ids::pack(down)).is_some() || self.unhold(p, down));
                (taken.then_some(down), active)
            }
        };
        let value = vec![u8::from(active)];
        self.commit(p, Kind::Drop { tag: removed, value }, 0, Detail::None);
        if flush {
            p.rare.fired.remove(&reference);
        } else {
            p.rare.fired.insert(reference, down);
        }
        self.remove_monitor(p, reference);
        Ok(if info { Term::boolean(active) } else { TRUE })
    }

    /// `demonitor/1`: no message comes from now on; one that has come stays. It comes before or after the end of the watched process in
    /// `→`, and has no causes beyond its process.
    fn demonitor_quietly(&mut self, p: &mut Process<O::Log>, reference: Reference) -> Answer {
        if let Some(monitor) = p.rare.monitors.get(&reference) {
            let target = monitor.target;
            self.expect(p, |k| matches!(k, Kind::Access), || "demonitor".to_owned())?;
            self.glance_at_life(p, target);
            self.commit(p, Kind::Access, 0, Detail::None);
            // One that has come can be flushed later.
            let tag = Tag::EndRef {
                by: ids::to_log(target),
                owner: ids::to_log(p.pid),
                k: reference.number,
            };
            p.rare.fired.insert(reference, tag);
        }
        self.remove_monitor(p, reference);
        Ok(TRUE)
    }

    fn remove_monitor(&mut self, p: &mut Process<O::Log>, reference: Reference) {
        self.drop_alias_of(p, reference);
        // In replay (and beyond the log) the log says whether its 'DOWN' is received all the same: it had come before.
        if let Some(monitor) = p.rare.monitors.remove(&reference)
            && p.feed.is_none()
            && self.driven.is_none()
            && let Some((_, q)) = self.table.by_pid_mut(monitor.target)
        {
            q.rare.watchers.remove(&reference);
        }
    }

    /// The alias of a monitor ends with it, unless it is to be ended by `unalias` alone.
    fn drop_alias_of(&self, p: &mut Process<O::Log>, reference: Reference) {
        if p.rare
            .aliases
            .get(&reference)
            .is_some_and(|mode| *mode != AliasMode::Explicit)
        {
            p.rare.aliases.remove(&reference);
        }
    }

    fn op_alias(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [options] = args(p);
        let mut mode = AliasMode::Explicit;
        if options != Term::NONE {
            for option in p.machine.heap.list(options).ok_or_else(badarg)? {
                mode = match option.as_atom().map(Atom::as_str) {
                    Some("explicit_unalias") => AliasMode::Explicit,
                    Some("reply") => AliasMode::Reply,
                    _ => return Err(badarg()),
                };
            }
        }
        p.machine.local.references += 1;
        let reference = Reference {
            owner: p.pid,
            number: p.machine.local.references,
        };
        p.rare.aliases.insert(reference, mode);
        Ok(p.machine.heap.make_reference(reference))
    }

    /// Whether a reply has ended the alias is what others decide: the answer is logged.
    fn op_unalias(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [alias] = args(p);
        let View::Reference(alias) = p.machine.heap.view(alias) else {
            return Err(badarg());
        };
        if alias.owner != p.pid {
            return Err(badarg());
        }
        match p.rare.aliases.get(&alias) {
            // These are its own state alone.
            None => return Ok(FALSE),
            Some(AliasMode::Explicit) => {
                p.rare.aliases.remove(&alias);
                return Ok(TRUE);
            }
            Some(_) => {}
        }
        self.expect(p, |k| matches!(k, Kind::Drop { .. }), || "unalias".to_owned())?;
        let now = p
            .rare
            .aliases
            .remove(&alias)
            .is_some_and(|mode| mode != AliasMode::Spent);
        let active = match p.feed.as_ref().and_then(|f| f.head_kind()) {
            Some(Kind::Drop { value, .. }) => value.first() == Some(&1),
            _ => now,
        };
        let value = vec![u8::from(active)];
        self.commit(p, Kind::Drop { tag: None, value }, 0, Detail::None);
        Ok(Term::boolean(active))
    }

    // ---- names ---------------------------------------------------------------------------------------------------

    fn op_register(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name, target] = args(p);
        let told = self.native_version() > 1;
        let refused = |cause: &str| if told { badarg_because(cause) } else { badarg() };
        let name = name.as_atom().ok_or_else(|| refused("none"))?;
        let target = target.as_pid().ok_or_else(|| refused("none"))?;
        if name == Atom::UNDEFINED || target.node() != p.pid.node() || self.is_runtime(p, target) {
            return Err(refused("none"));
        }
        self.expect(p, |k| matches!(k, Kind::Access), || format!("register {name}"))?;
        let resource = self.name_resource(name, p.pid.node());
        let taken = match p.feed.as_ref() {
            // The log says whether it was written.
            Some(feed) => !feed.access(resource).is_some_and(|a| a.write),
            None => self.resources.holder(resource).is_some(),
        };
        let life = if target == p.pid {
            Life::Alive
        } else {
            self.read_life(p, target)?
        };
        let other = self.other_name(p, target, resource);
        if taken || life != Life::Alive || other.is_some() {
            // That it has a name already is what is read then; it may be that same name.
            let seen = other.filter(|_| life == Life::Alive).unwrap_or(resource);
            let mut named = other.is_some();
            if p.feed.as_ref().is_none_or(|f| f.access(seen).is_some()) {
                named |= matches!(self.read(p, seen)?, Value::Pid(holder) if holder == target);
            }
            let cause = match (life, named) {
                (Life::Alive, false) => "none",
                (Life::Alive, true) => "registered_name",
                _ => "notalive",
            };
            self.commit(p, Kind::Access, 0, Detail::None);
            return Err(refused(cause));
        }
        self.read(p, resource)?;
        self.write(p, resource, Value::Pid(target), true)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        if target == p.pid {
            p.rare.names.push(name);
        } else if let Some((_, q)) = self.table.by_pid_mut(target) {
            q.rare.names.push(name);
        }
        Ok(TRUE)
    }

    /// The name that a process has already when it is to be registered: now, or as the log says.
    fn other_name(&mut self, p: &Process<O::Log>, target: Pid, wanted: Resource) -> Option<Resource> {
        if let Some(head) = p.feed.as_ref().and_then(|feed| feed.head()) {
            let mut names = head.accesses.iter().filter(|a| matches!(a.resource, Resource::Name(_)));
            return names.find(|a| a.resource != wanted).map(|a| a.resource);
        }
        let name = if target == p.pid {
            p.rare.names.first().copied()
        } else {
            self.table.by_pid(target).and_then(|q| q.rare.names.first().copied())
        };
        name.map(|name| self.name_resource(name, target.node()))
    }

    fn op_unregister(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        self.expect(p, |k| matches!(k, Kind::Access), || format!("unregister {name}"))?;
        let resource = self.name_resource(name, p.pid.node());
        let Value::Pid(holder) = self.read(p, resource)? else {
            self.commit(p, Kind::Access, 0, Detail::None);
            return Err(badarg());
        };
        self.write(p, resource, Value::Absent, true)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        if holder == p.pid {
            p.rare.names.retain(|&n| n != name);
        } else if let Some((_, q)) = self.table.by_pid_mut(holder) {
            q.rare.names.retain(|&n| n != name);
        }
        Ok(TRUE)
    }

    fn op_whereis(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [name] = args(p);
        let name = name.as_atom().ok_or_else(badarg)?;
        self.expect(p, |k| matches!(k, Kind::Access), || format!("look up the name {name}"))?;
        let resource = self.name_resource(name, p.pid.node());
        let value = self.read(p, resource)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(match value {
            Value::Pid(pid) => Term::pid(pid),
            _ => UNDEFINED,
        })
    }

    fn op_is_process_alive(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [target] = args(p);
        let here = |pid: &Pid| pid.node() == p.pid.node();
        let target = target.as_pid().filter(here).ok_or_else(badarg)?;
        if target == p.pid || self.is_runtime(p, target) {
            return Ok(TRUE);
        }
        self.expect(
            p,
            |k| matches!(k, Kind::Access),
            || "ask whether a process is alive".to_owned(),
        )?;
        let life = self.read_life(p, target)?;
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(Term::boolean(life == Life::Alive))
    }

    // ---- timers --------------------------------------------------------------------------------------------------

    fn op_send_after(&mut self, p: &mut Process<O::Log>, wrapped: bool) -> Answer {
        let [time, to, message, options] = args(p);
        let time = time.as_small().ok_or_else(|| badarg_because("time"))?;
        let mut absolute = false;
        if options != Term::NONE {
            for option in p.machine.heap.list(options).ok_or_else(badopt)? {
                match p.machine.heap.tuple(option) {
                    Some(&[key, value]) if key.as_atom() == Some(Atom::new("abs")) => {
                        absolute = value.as_bool().ok_or_else(badopt)?;
                    }
                    _ => return Err(badopt()),
                }
            }
        }
        if time < 0 && !absolute {
            return Err(badarg_because("time"));
        }
        let to = match (to.as_pid(), to.as_atom()) {
            (Some(pid), _) => timers::To::Pid(pid),
            (_, Some(name)) => timers::To::Name(self.name_resource(name, p.pid.node())),
            _ => return Err(badarg()),
        };
        self.expect(p, |k| matches!(k, Kind::Send), || "set a timer".to_owned())?;
        p.machine.local.references += 1;
        let reference = Reference {
            owner: p.pid,
            number: p.machine.local.references,
        };
        let fragment = p.machine.heap.export(message);
        let body = if wrapped {
            terms::tuple(&[
                Part::Term(Term::atom(Atom::TIMEOUT)),
                Part::Reference(reference),
                Part::Fragment(&fragment),
            ])
        } else {
            fragment
        };
        let tag = self.next_tag(p);
        let log_to = match to {
            timers::To::Pid(pid) => Some(ids::to_log(pid)),
            timers::To::Name(_) => None,
        };
        self.commit(p, Kind::Send, 1, Detail::Sent { to: log_to, message });
        if p.feed.is_some() || self.driven.is_some() {
            let after = match absolute {
                true => self.run_clock_at(time).saturating_sub(self.now()) / 1_000_000,
                false => u64::try_from(time).unwrap_or(0),
            };
            self.resources.timed.insert(tag, (reference, after));
            // Replay: the log of the receiver says when it comes, if it does.
            match to {
                timers::To::Pid(pid) => self.deliver(p, pid, tag, Signal::Message(body)),
                timers::To::Name(name) => {
                    self.resources.afloat.insert(tag, (Signal::Message(body), name));
                    self.wake_afloat(tag);
                }
            }
        } else {
            let ms = u64::try_from(time).unwrap_or(0).saturating_mul(1_000_000);
            let now = self.now();
            let deadline = if absolute {
                self.run_clock_at(time)
            } else {
                now.saturating_add(ms)
            };
            let message = timers::Message {
                deadline,
                to,
                tag,
                message: body,
            };
            self.timers
                .add_message(reference, message, self.scheduler.lateness(p.pid.number()));
        }
        Ok(p.machine.heap.make_reference(reference))
    }

    fn op_cancel_timer(&mut self, p: &mut Process<O::Log>) -> Answer {
        let [reference, options] = args(p);
        let View::Reference(reference) = p.machine.heap.view(reference) else {
            return Err(badarg());
        };
        let (mut info, mut asynchronous) = (true, false);
        if options != Term::NONE {
            for option in p.machine.heap.list(options).ok_or_else(badarg)? {
                match p.machine.heap.tuple(option) {
                    Some(&[key, value]) => {
                        let value = value.as_bool().ok_or_else(badarg)?;
                        match key.as_atom().map(Atom::as_str) {
                            Some("info") => info = value,
                            Some("async") => asynchronous = value,
                            _ => return Err(badarg()),
                        }
                    }
                    _ => return Err(badarg()),
                }
            }
        }
        if asynchronous && info && self.native_version() < 2 {
            return Err(badarg());
        }
        // Who is told that it is too late to cancel a timer finds its message, as with OTP; programs rely on that.
        while let Some((_, tag, signal)) = self.flight.pop_timer(p.pid) {
            self.deliver(p, p.pid, tag, signal);
        }
        // The answer comes as a message.
        let sends = u32::from(asynchronous && info);
        let left = self.cancel_timer(p, reference, sends)?;
        if sends == 1 {
            self.answer_of_timer(p, "cancel_timer", reference, left);
        }
        Ok(left_answer(p, left, info && !asynchronous))
    }

    /// `{cancel_timer | read_timer, Timer, Left | false}`, to the process itself.
    pub(crate) fn answer_of_timer(&mut self, p: &mut Process<O::Log>, word: &str, timer: Reference, left: Option<i64>) {
        let tag = self.next_tag(p);
        let left = left_answer(p, left, true);
        let left = p.machine.heap.export(left);
        let message = terms::tuple(&[
            Part::Term(Term::atom(Atom::new(word))),
            Part::Reference(timer),
            Part::Fragment(&left),
        ]);
        self.deliver(p, p.pid, tag, Signal::Message(message));
        self.let_arrive_at(p, tag);
    }

    /// Takes back the message of a timer; answers the milliseconds that were left. `sends`: signals of the step.
    fn cancel_timer(
        &mut self,
        p: &mut Process<O::Log>,
        reference: Reference,
        sends: u32,
    ) -> Result<Option<i64>, Interrupt> {
        self.expect(p, |k| matches!(k, Kind::Drop { .. }), || "cancel a timer".to_owned())?;
        if let Some(Kind::Drop { tag, value }) = p.feed.as_ref().and_then(|f| f.head_kind()) {
            let (tag, value) = (*tag, value.clone());
            if let Some(tag) = tag {
                self.drop_afloat(tag);
                p.pool.remove(&tag);
            }
            self.commit(
                p,
                Kind::Drop {
                    tag,
                    value: value.clone(),
                },
                sends,
                Detail::None,
            );
            return Ok(<[u8; 8]>::try_from(&value[..]).ok().map(i64::from_le_bytes));
        }
        if self.driven.is_some() {
            return Ok(self.cancel_driven(p, reference, sends));
        }
        let now = self.now();
        let set = self.timer_set(reference).is_some();
        let cancelled = self.timers.cancel(reference).filter(|_| set);
        let left = cancelled
            .as_ref()
            .map(|t| (t.deadline.saturating_sub(now) / 1_000_000) as i64);
        let value = left.map_or_else(Vec::new, |l| l.to_le_bytes().to_vec());
        let tag = cancelled.map(|t| t.tag);
        self.commit(p, Kind::Drop { tag, value }, sends, Detail::None);
        Ok(left)
    }

    /// A timer that is set; the end of the process that it is for has cancelled it.
    pub(crate) fn timer_set(&self, reference: Reference) -> Option<&timers::Message> {
        let dead = |message: &&timers::Message| match message.to {
            timers::To::Pid(pid) => matches!(self.table.find(pid), Lookup::Dead(_)),
            timers::To::Name(_) => false,
        };
        self.timers.find(reference).filter(|message| !dead(message))
    }

    /// Replay: a timer's message that is never received is taken back.
    pub(crate) fn drop_afloat(&mut self, tag: Tag) {
        self.resources.afloat.remove(&tag);
        self.resources.timed.remove(&tag);
        for q in self.table.iter_mut() {
            q.pool.remove(&tag);
        }
    }
}

/// What a spawn beyond the limit of processes has seen: the atom `system_limit` in the external format.
const FULL: &[u8] = b"\x83w\x0csystem_limit";

/// What a `link` that raises `noproc` has seen, likewise.
const NOPROC: &[u8] = b"\x83w\x06noproc";

fn is_noproc(kind: &Kind) -> bool {
    matches!(kind, Kind::Observe { of: None, value } if value == NOPROC)
}

/// `monitor(time_offset, clock_service)`: the offset of the clocks never changes here, so that it never fires.
fn monitor_clock<L>(
    p: &mut Process<L>,
    item: Term,
    alias: Option<AliasMode>,
    tag: Option<interpreter::heap::Fragment>,
) -> Answer {
    let name = item
        .as_atom()
        .filter(|name| name.as_str() == CLOCK)
        .ok_or_else(badarg)?;
    let reference = new_reference(p);
    if let Some(mode) = alias {
        p.rare.aliases.insert(reference, mode);
    }
    let monitor = Monitor {
        target: crate::system::DEVICE,
        name: Some(name),
        tag,
        over: false,
    };
    p.rare.monitors.insert(reference, monitor);
    Ok(p.machine.heap.make_reference(reference))
}

/// What `monitor(time_offset, _)` watches.
pub(crate) const CLOCK: &str = "clock_service";

/// A fresh reference of a process.
fn new_reference<L>(p: &mut Process<L>) -> Reference {
    p.machine.local.references += 1;
    Reference {
        owner: p.pid,
        number: p.machine.local.references,
    }
}

/// A call as OTP's warning about a spawn shows it: `M:F,Args`.
fn call_text<L>(program: &vm::Program, p: &Process<L>, [m, f, a]: [Term; 3]) -> String {
    let style = interpreter::print::Style::unicode(program);
    let text = |t| interpreter::print::write(&p.machine.heap, t, -1, &style);
    match p.machine.heap.view(a) {
        View::Fun { .. } | View::ExternalFun { .. } => format!("{}:{},[{},[]]", text(m), text(f), text(a)),
        _ => format!("{}:{},{}", text(m), text(f), text(a)),
    }
}

/// The options of `spawn_opt` and, with `request`, of `spawn_request`.
fn spawn_options<L>(p: &mut Process<L>, list: Term, request: bool) -> Result<SpawnOptions, Interrupt> {
    let heap = &mut p.machine.heap;
    let mut options = SpawnOptions::default();
    let mut replies = Replies::All;
    let mut reply_tag = None;
    for option in heap.list(list).ok_or_else(badopt)? {
        if let Some(word) = option.as_atom() {
            match word.as_str() {
                "link" => options.link = true,
                "monitor" => options.monitor = true,
                _ => return Err(badopt()),
            }
            continue;
        }
        let Some(&[key, value]) = heap.tuple(option) else {
            return Err(badopt());
        };
        match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
            (Some("monitor"), _) => {
                options.monitor = true;
                for detail in heap.list(value).ok_or_else(badopt)? {
                    let Some(&[key, value]) = heap.tuple(detail) else {
                        return Err(badopt());
                    };
                    match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
                        (Some("tag"), _) => options.tag = Some(heap.export(value)),
                        (Some("alias"), Some("explicit_unalias")) => options.alias = Some(AliasMode::Explicit),
                        (Some("alias"), Some("demonitor")) => options.alias = Some(AliasMode::Demonitor),
                        (Some("alias"), Some("reply_demonitor")) => options.alias = Some(AliasMode::ReplyDemonitor),
                        _ => return Err(badopt()),
                    }
                }
            }
            (
                Some(
                    flag @ ("priority" | "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" | "max_heap_size"
                    | "message_queue_data"),
                ),
                _,
            ) => {
                options.flags.set(heap, flag, value).ok_or_else(badopt)?;
            }
            (Some("reply"), Some(which)) if request => {
                replies = match which {
                    "yes" => Replies::All,
                    "no" => Replies::None,
                    "error_only" => Replies::Errors,
                    "success_only" => Replies::Successes,
                    _ => return Err(badopt()),
                };
            }
            (Some("reply_tag"), _) if request => reply_tag = Some(heap.export(value)),
            _ => return Err(badopt()),
        }
    }
    if request {
        options.request = Some((replies, reply_tag));
    }
    Ok(options)
}

fn left_answer<L>(p: &mut Process<L>, left: Option<i64>, info: bool) -> Term {
    if !info {
        return OK;
    }
    match left {
        Some(ms) => p.machine.heap.make_int(ms),
        None => FALSE,
    }
}

/// How the watched process is named in a 'DOWN' message.
#[derive(Clone, Copy)]
pub(crate) enum Shown {
    /// By pid.
    Pid(Pid),
    /// By name and node.
    Name(Atom, Atom),
}

impl Shown {
    pub(crate) fn down(
        self,
        reference: Reference,
        reason: &interpreter::heap::Fragment,
        tag: Option<&interpreter::heap::Fragment>,
    ) -> interpreter::heap::Fragment {
        match self {
            Self::Pid(pid) => down_message(reference, Part::Term(Term::pid(pid)), reason, tag),
            Self::Name(name, node) => {
                let item = terms::tuple(&[Part::Term(Term::atom(name)), Part::Term(Term::atom(node))]);
                down_message(reference, Part::Fragment(&item), reason, tag)
            }
        }
    }
}

fn down_message(
    reference: Reference,
    item: Part<'_>,
    reason: &interpreter::heap::Fragment,
    tag: Option<&interpreter::heap::Fragment>,
) -> interpreter::heap::Fragment {
    terms::tuple(&[
        tag.map_or(Part::Term(Term::atom(Atom::DOWN)), Part::Fragment),
        Part::Reference(reference),
        Part::Term(Term::atom(Atom::PROCESS)),
        item,
        Part::Fragment(reason),
    ])
}
