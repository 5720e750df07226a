//! The end of a process: one atomic step that frees its names, makes it not alive, and sends its exit signals to links and its 'DOWN' messages,
//! in this order (semantics.md §2).

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::print;
use interpreter::term::Term;
use interpreter::vm::{self, EndClass};
use log_format::{ExitClass, Kind, Resource, Tag, Version};

use crate::ids;
use crate::observer::{Detail, Ending};
use crate::ops::monitor::WatchedName;
use crate::sink::Sink;
use crate::state::order::{AwaitedWrite, HeldStep};
use crate::state::process::Process;
use crate::state::resources::Value;
use crate::state::signal::Signal;
use crate::state::table::Lookup;
use crate::step::{After, Deferred, Interrupt, Step};
use crate::world::World;

/// The heir of a table, the name of the table if it has one, and the data for the message, if there is to be one.
type Heir = (interpreter::term::Pid, Option<Atom>, Option<Fragment>);

impl Step<'_> {
    /// The process has returned from its first function or did not catch an exception. `reason` is what links and monitors see.
    pub(crate) fn end_by_itself(
        &mut self,
        class: EndClass,
        reason: &Fragment,
        stacktrace: Option<Term>,
    ) -> Result<(), Interrupt> {
        let logged = exit_class(class);
        self.expect(
            |k| *k == Kind::Exit { class: logged },
            || format!("end ({})", logged.word()),
        )?;
        self.traces_end(reason)?;
        let names = self.free_names()?;
        let heirs = self.free_tables()?;
        self.commit(Kind::Exit { class: logged }, 0, Detail::Ended(reason));
        self.tell_heirs(heirs);
        self.finish(Some(logged), reason, stacktrace, &names);
        Ok(())
    }

    /// An exit signal takes effect. `waiting`: the process is at a receive.
    pub(crate) fn end_by_signal(&mut self, tag: Tag, reason: Fragment, waiting: bool) {
        let events = self.process.machine.events();
        // In replay, the point was reached before this call, and the names are those that the log frees.
        let freed = self.traces_end(&reason);
        let freed = freed.and_then(|()| Ok((self.free_names()?, self.free_tables()?)));
        debug_assert!(freed.is_ok(), "the accesses of an end are blind writes");
        self.commit(Kind::Signal { tag, events, waiting }, 0, Detail::Ended(&reason));
        let (names, heirs) = freed.unwrap_or_default();
        self.tell_heirs(heirs);
        self.finish(None, &reason, None, &names);
    }

    /// Gives tables to their heirs or deletes them; returns the messages for the heirs.
    pub(crate) fn free_tables(&mut self) -> Result<Vec<(interpreter::term::Pid, Tag, Fragment)>, Interrupt> {
        let mut messages = Vec::new();
        let me = self.process.pid;
        self.ets_let_go()?;
        if let Some(accesses) = self.logged_accesses().map(<[_]>::to_vec) {
            // Follow the log's writes: a table that was given to this process may not have been replayed. A blind write deletes it.
            for access in accesses.into_iter().filter(|a| a.write) {
                match access.resource {
                    Resource::Table(table) if access.by.is_some() => {
                        let heir = self.inherit(access.resource)?;
                        messages.extend(heir.and_then(|(heir, name, data)| {
                            let id = self.world.tables.keys().copied().find(|id| ids::object(*id) == table);
                            let tag = Tag::EndTable {
                                by: ids::to_log(me),
                                table,
                            };
                            if let (Some(id), Some((_, q))) = (id, self.world.table.by_pid_mut(heir)) {
                                q.rare.tables.push(id);
                            }
                            let id = id.unwrap_or(interpreter::term::Reference { owner: me, number: 0 });
                            Some((heir, tag, crate::ops::ets::transfer(id, name, me, &data?)))
                        }));
                    }
                    Resource::Table(_) | Resource::Other(_) => self.write(access.resource, Value::Absent, false)?,
                    _ => {}
                }
            }
            return Ok(messages);
        }
        let mut owned = self.process.rare.take(|rare| &mut rare.tables);
        // The logs do not say in which order they were given to it.
        if self.process.mode.is_beyond_its_log() {
            owned.sort_unstable();
        }
        for id in owned {
            let resource = Resource::Table(ids::object(id));
            let Value::Table(holding) = self.world.resources.newest(resource) else {
                continue;
            };
            let heir = holding.heir.as_ref().map(|(heir, _)| *heir).filter(|heir| *heir != me);
            let alive = heir.is_some_and(|heir| matches!(self.world.table.find(heir), Lookup::Alive(_)));
            if !alive {
                self.ets_drop(id, &holding, false)?;
                continue;
            }
            if let Some((heir, name, data)) = self.inherit(resource)? {
                match self.world.table.by_pid_mut(heir) {
                    Some((_, q)) => q.rare.tables.push(id),
                    None => self.aside().deferred.push(Deferred::Table(id)),
                }
                let tag = Tag::EndTable {
                    by: ids::to_log(me),
                    table: ids::object(id),
                };
                if let Some(data) = data {
                    messages.push((heir, tag, crate::ops::ets::transfer(id, name, me, &data)));
                }
            }
        }
        Ok(messages)
    }

    /// Replay: what must happen before the tables of a process can go to their heirs, as the log says.
    pub(crate) fn heirs_wait(&self) -> Option<AwaitedWrite> {
        let order = self.process.mode.order()?;
        let is_unborn = |pid| matches!(self.world.table.find(pid), Lookup::Unborn);
        let heirs = order.bequeaths(&self.world.resources, is_unborn);
        // An end writes, but for what it knows of tracing.
        match heirs.and_then(|()| order.has_read(&self.world.resources)) {
            Err(HeldStep::Waits(wanted)) => Some(wanted),
            Err(HeldStep::Departs) | Ok(()) => None,
        }
    }

    /// A table of an ending process goes to its heir, which is alive. Returns the heir, the name of the table if it has one, and the data for
    /// the message, if there is to be one.
    pub(crate) fn inherit(&mut self, resource: Resource) -> Result<Option<Heir>, Interrupt> {
        let Value::Table(holding) = self.read(resource)? else {
            return Ok(None);
        };
        let Some((heir, data)) = holding.heir.clone() else {
            return Ok(None);
        };
        // An heir with an exit signal in flight is alive, and loses the table again at its own end.
        self.read_life_undelivered(heir)?;
        let new = crate::state::tables::table::Holding {
            owner: heir,
            ..(*holding).clone()
        };
        self.write(resource, Value::Table(std::sync::Arc::new(new)), true)?;
        Ok(Some((heir, holding.named.then_some(holding.name), data)))
    }

    /// Frees the names of a process that ends. Returns them.
    fn free_names(&mut self) -> Result<Vec<Atom>, Interrupt> {
        let names = self.process.rare.take(|rare| &mut rare.names);
        // The names that the log frees: in replay, the process that registered one may come later, or not at all.
        let freed: Vec<Resource> = match self.logged_accesses() {
            Some(accesses) => {
                let written = accesses.iter().filter(|a| a.write).map(|a| a.resource);
                written
                    .filter(|resource| matches!(resource, Resource::Name(_)))
                    .collect()
            }
            None => {
                let me = self.process.pid;
                let resources = names.iter().map(|name| self.world.name_resource(*name, me.node()));
                let mut freed: Vec<Resource> = resources.collect();
                if self.process.rare.take(|rare| &mut rare.robbed) {
                    freed.push(self.world.taken_from(me));
                }
                freed
            }
        };
        freed
            .into_iter()
            .try_for_each(|resource| self.write(resource, Value::Absent, false))?;
        Ok(names)
    }

    pub(crate) fn tell_heirs(&mut self, heirs: Vec<(interpreter::term::Pid, Tag, Fragment)>) {
        for (heir, tag, message) in heirs {
            self.deliver(heir, tag, Signal::Message(message));
        }
    }

    /// `names`: those that it held.
    fn finish(&mut self, class: Option<ExitClass>, reason: &Fragment, stack: Option<Term>, names: &[Atom]) {
        if self.process.pid == self.world.entry() {
            self.world.entry_ended(class);
        }
        if self.process.mode.log().is_none() {
            self.world.outside.process_has_ended(self.process.pid.number());
        }
        let reported = !self.world.silent_nodes.contains(&self.process.pid.node());
        let is_crash = matches!(class, Some(ExitClass::Error | ExitClass::Throw));
        let told = reported && is_crash && self.world.purpose.reports_crashes();
        let ending = Ending {
            when: told.then(|| self.world.stamp()),
            pid: ids::to_log(self.process.pid),
            class,
            reason,
            stacktrace: stack,
            is_watched: !self.process.rare.links.is_empty() || !self.process.rare.watchers.is_empty(),
            names,
            machine: &self.process.machine,
            program: &self.world.program,
        };
        self.sink.ended(self.process.slot, &ending);
        let me = ids::to_log(self.process.pid);
        if self.world.purpose.keeps_the_past() && reason.as_immediate() != Some(Term::atom(Atom::NORMAL)) {
            self.world
                .resources
                .abnormal_ends
                .insert(self.process.pid, reason.clone());
        }
        if self.hears() && !self.process.rare.past.aliases.is_empty() {
            let aliases = self.process.rare.past.aliases.fork();
            self.world.resources.aliases.insert(self.process.pid, aliases);
        }
        self.world.remember_end(self.sink, self.process);
        self.forget_pairs();
        let mut links: Vec<_> = self.process.rare.take(|rare| &mut rare.links).into_iter().collect();
        links.sort_unstable();
        for to in links {
            let tag = Tag::EndTo {
                by: me,
                to: ids::to_log(to),
            };
            self.deliver(
                to,
                tag,
                Signal::Exit {
                    from: self.process.pid,
                    reason: reason.clone(),
                    link: true,
                    via: None,
                },
            );
        }
        for (reference, watcher) in self.process.rare.take(|rare| &mut rare.watchers) {
            let tag = Tag::EndRef {
                by: me,
                owner: ids::to_log(watcher.pid),
                k: reference.number,
            };
            let shown = match watcher.name {
                Some(name) => WatchedName::Name(name, self.process.machine.local.node),
                None => WatchedName::Pid(self.process.pid),
            };
            let down = shown.down(reference, reason, watcher.tag.as_ref());
            let monitor = reference;
            self.deliver(watcher.pid, tag, Signal::Down { monitor, message: down });
        }
        if matches!(class, Some(ExitClass::Error | ExitClass::Throw))
            && (!self.world.crash_proxies.is_empty() || !self.world.crash_hearers.is_empty())
        {
            self.tell_of_crash(reason);
        }
        for (reference, monitor) in self.process.rare.take(|rare| &mut rare.monitors) {
            // What would have come to it, had it lived on, tells how late its end was.
            if self.hears() {
                continue;
            }
            match self.world.table.find(monitor.target) {
                Lookup::Alive(slot) => match self.world.table.get_mut(slot) {
                    Some(q) => drop(q.rare.watchers.remove(&reference)),
                    None => self.aside().deferred.push(Deferred::Unwatched(reference)),
                },
                Lookup::Dead(_) => self.world.unwatch_ended(monitor.target, reference),
                Lookup::Unborn => {}
            }
        }
        for (target, times) in self.process.rare.take(|rare| &mut rare.suspending) {
            self.world.resume(target, times);
        }
        self.process.machine.kill(&mut self.world.spare);
        self.world.wake(AwaitedWrite::Version(Resource::Alive(me), Version(2)));
    }

    /// Turns an end by an error into a log event.
    pub(crate) fn tell_of_crash(&mut self, reason: &Fragment) {
        let me = ids::to_log(self.process.pid);
        if self.process.mode.log().is_some() {
            // The log of the logger's process says whether the process gets the event.
            self.world
                .wake_blocked(|order| matches!(order.awaited(), Some(Tag::EndTo { by, .. }) if by == me));
            return;
        }
        let proxy = self.world.crash_proxies.get(&self.process.pid.node()).copied();
        if let Some(proxy) = proxy.filter(|proxy| *proxy != self.process.pid) {
            let to = ids::to_log(proxy);
            let message = crash_message(self.process.pid, reason);
            self.deliver(proxy, Tag::EndTo { by: me, to }, Signal::Message(message));
        }
    }
}

impl World {
    /// Replay: the event of the end with this tag, if this is the logger's process.
    pub(crate) fn message_of_crash(&self, me: interpreter::term::Pid, tag: Tag) -> Option<Signal> {
        let Tag::EndTo { by, .. } = tag else { return None };
        if !self.crash_hearers.contains(&me) {
            return None;
        }
        let pid = interpreter::term::Pid::new(me.node(), by.0);
        let reason = self.resources.abnormal_ends.get(&pid)?;
        Some(Signal::Message(crash_message(pid, reason)))
    }

    /// Replay: the reason with which a process ended.
    pub(crate) fn reason_of_end(&self, pid: interpreter::term::Pid) -> Option<Fragment> {
        if let Some(reason) = self.resources.abnormal_ends.get(&pid) {
            return Some(reason.clone());
        }
        let over = self.purpose.keeps_the_past() && matches!(self.table.find(pid), Lookup::Dead(_));
        over.then(|| Fragment::immediate(Term::atom(Atom::NORMAL)))
    }

    /// Removes a process that has ended, and was taken out of the table, from the system.
    pub(crate) fn remove_ended(&mut self, sink: &mut dyn Sink, mut p: Process) {
        self.complete_end(&mut p);
        self.memory_words -= p.counted_words;
        self.work.collected(&p);
        self.table.remove_ended(p.slot, p.pid, p.actions);
        sink.buried(p.slot);
    }
}

impl Step<'_> {
    /// The process ends by itself.
    pub(crate) fn ends(&mut self, end: &vm::ProcessEnd) -> After {
        let reason = seen_reason(&mut self.process.machine.heap, end);
        if self.process.pid == self.world.entry() && end.class == EndClass::Normal {
            self.world.entry_error = error_value(&self.process.machine.heap, end.reason, &self.world.program);
            if self.world.purpose.keeps_the_past() {
                self.world.entry_value = Some(self.process.machine.heap.export(end.reason));
            }
        }
        let step = self.end_by_itself(end.class, &reason, Some(end.stacktrace));
        match step {
            Ok(()) => After::Ended,
            Err(interrupt) => self.interrupted_step(interrupt).unwrap_or(After::Ended),
        }
    }
}

/// The reason that links and monitors get (OTP, "Erlang Reference Manual", 14.6 and 10.4).
fn seen_reason(heap: &mut interpreter::heap::Heap, end: &vm::ProcessEnd) -> Fragment {
    let reason = match end.class {
        EndClass::Normal => Term::atom(Atom::NORMAL),
        EndClass::Exit => end.reason,
        EndClass::Error => heap.make_tuple(&[end.reason, end.stacktrace]),
        EndClass::Throw => {
            let nocatch = heap.make_tuple(&[Term::atom(Atom::NOCATCH), end.reason]);
            heap.make_tuple(&[nocatch, end.stacktrace])
        }
    };
    heap.export(reason)
}

/// A returned `{error, Reason}`, as text.
fn error_value(heap: &interpreter::heap::Heap, value: Term, program: &vm::Program) -> Option<String> {
    let is_error = matches!(heap.tuple(value), Some(&[tag, _]) if tag.as_atom() == Some(Atom::ERROR));
    is_error.then(|| print::short(heap, value, VALUE_CHARS, &print::Style::unicode(program)))
}

/// Limit: characters of a returned value.
const VALUE_CHARS: usize = 200;

/// The class of an end, as everything above the machine knows it.
#[must_use]
pub const fn exit_class(class: EndClass) -> ExitClass {
    match class {
        EndClass::Normal => ExitClass::Normal,
        EndClass::Error => ExitClass::Error,
        EndClass::Exit => ExitClass::Exit,
        EndClass::Throw => ExitClass::Throw,
    }
}

fn crash_message(pid: interpreter::term::Pid, reason: &Fragment) -> Fragment {
    use crate::terms::{TuplePart, tuple};
    tuple(&[
        TuplePart::Term(Term::atom(Atom::new("$crash"))),
        TuplePart::Term(Term::pid(pid)),
        TuplePart::Fragment(reason),
    ])
}
