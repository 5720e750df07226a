//! The end of a process: one atomic step that frees its names, makes it not alive, and sends its link signals and 'DOWN' messages, in
//! this order (semantics.md §2).

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Term;
use interpreter::vm::EndClass;
use log_format::{Kind, Resource, Tag, Version};

use crate::effects::Shown;
use crate::ids;
use crate::observer::{Detail, Ending, Observer};
use crate::process::{Lookup, Process, Signal, Slot};
use crate::resources::{Value, Wanted};
use crate::system::{Interrupt, System, exit_class};

/// What the end of another process changes of the one that runs, which is not in the table: done when that end is over.
#[derive(Clone, Debug)]
pub(crate) enum Owed {
    /// It has inherited a table.
    Table(interpreter::term::Reference),
    /// A monitor on it is gone.
    Unwatched(interpreter::term::Reference),
}

impl<O: Observer> System<O> {
    /// The process has returned from its first function or did not catch an exception. `reason` is what links and monitors see.
    pub(crate) fn end_by_itself(
        &mut self,
        p: &mut Process<O::Log>,
        class: EndClass,
        reason: &Fragment,
        stacktrace: Option<Term>,
    ) -> Result<(), Interrupt> {
        self.accesses.clear();
        let logged = exit_class(class);
        self.expect(
            p,
            |k| *k == Kind::Exit { class: logged },
            || format!("end ({})", logged.word()),
        )?;
        self.free_names(p)?;
        let heirs = self.free_tables(p)?;
        self.commit(p, Kind::Exit { class: logged }, 0, Detail::Ended(reason));
        self.tell_heirs(p, heirs);
        self.finish(p, Some(class), reason, stacktrace);
        Ok(())
    }

    /// An exit signal takes effect. `waiting`: at a receive.
    pub(crate) fn end_by_signal(&mut self, p: &mut Process<O::Log>, tag: Tag, reason: Fragment, waiting: bool) {
        self.accesses.clear();
        let events = p.machine.events();
        // In replay the point was reached before this was called, and the names are those that the log frees.
        let freed = self.free_names(p).and_then(|()| self.free_tables(p));
        debug_assert!(freed.is_ok(), "the accesses of an end are blind writes");
        self.commit(p, Kind::Signal { tag, events, waiting }, 0, Detail::Ended(&reason));
        self.tell_heirs(p, freed.unwrap_or_default());
        self.finish(p, None, &reason, None);
    }

    /// Tables go to their heirs or are deleted; answers the messages for the heirs.
    fn free_tables(
        &mut self,
        p: &mut Process<O::Log>,
    ) -> Result<Vec<(interpreter::term::Pid, Tag, Fragment)>, Interrupt> {
        let mut messages = Vec::new();
        let me = p.pid;
        self.ets_let_go(p)?;
        if let Some(feed) = &p.feed {
            // What the log writes: a table that was given to it may not have been replayed. A blind write deletes it.
            let head = feed.head().map(|a| a.accesses.clone()).unwrap_or_default();
            for access in head.into_iter().filter(|a| a.write) {
                match access.resource {
                    Resource::Table(table) if access.by.is_some() => {
                        let heir = self.inherit(p, access.resource)?;
                        messages.extend(heir.map(|(heir, name, data)| {
                            let id = self.tables.keys().copied().find(|id| ids::object(*id) == table);
                            let tag = Tag::EndTable {
                                by: ids::to_log(me),
                                table,
                            };
                            if let (Some(id), Some((_, q))) = (id, self.table.by_pid_mut(heir)) {
                                q.rare.tables.push(id);
                            }
                            let id = id.unwrap_or(interpreter::term::Reference { owner: me, number: 0 });
                            (heir, tag, crate::ets::transfer(id, name, me, &data))
                        }));
                    }
                    Resource::Table(_) | Resource::Other(_) => self.write(p, access.resource, Value::Absent, false)?,
                    _ => {}
                }
            }
            return Ok(messages);
        }
        let mut owned = p.rare.take(|rare| &mut rare.tables);
        // In which order they were given to it is not a matter of the logs.
        if self.driven.is_some() {
            owned.sort_unstable();
        }
        for id in owned {
            let resource = Resource::Table(ids::object(id));
            let Value::Table(holding) = self.resources.newest(resource) else {
                continue;
            };
            let heir = holding.heir.as_ref().map(|(heir, _)| *heir).filter(|heir| *heir != me);
            let alive = heir.is_some_and(|heir| matches!(self.table.find(heir), Lookup::Alive(_)));
            if !alive {
                self.ets_drop(p, id, &holding, false)?;
                continue;
            }
            if let Some((heir, name, data)) = self.inherit(p, resource)? {
                match self.table.by_pid_mut(heir) {
                    Some((_, q)) => q.rare.tables.push(id),
                    None => self.owed.push(Owed::Table(id)),
                }
                let tag = Tag::EndTable {
                    by: ids::to_log(me),
                    table: ids::object(id),
                };
                messages.push((heir, tag, crate::ets::transfer(id, name, me, &data)));
            }
        }
        Ok(messages)
    }

    /// Replay: can the tables of a process go to their heirs, as the log says? What that needs may still be to come.
    pub(crate) fn heirs_are_there(&self, p: &Process<O::Log>) -> Result<(), Interrupt> {
        let Some(feed) = &p.feed else { return Ok(()) };
        let head = feed.head().map_or(&[][..], |a| &a.accesses);
        for access in head.iter().filter(|a| a.write && a.by.is_some()) {
            if !matches!(access.resource, Resource::Table(_)) {
                continue;
            }
            let holding = self.resources.before(access).map_err(Interrupt::Blocked)?;
            if let Value::Table(holding) = holding
                && let Some((heir, _)) = &holding.heir
                && let Some(life) = feed.access(Resource::Alive(ids::to_log(*heir)))
                && life.version.0 > 0
                && matches!(self.table.find(*heir), Lookup::Unborn)
            {
                return Err(Interrupt::Blocked(Wanted::Version(life.resource, life.version)));
            }
        }
        Ok(())
    }

    /// A table of a process that ends goes to its heir, who is alive: who that is, the name if it has one, and the data for the message.
    fn inherit(
        &mut self,
        p: &mut Process<O::Log>,
        resource: Resource,
    ) -> Result<Option<(interpreter::term::Pid, Option<Atom>, Fragment)>, Interrupt> {
        let Value::Table(holding) = self.read(p, resource)? else {
            return Ok(None);
        };
        let Some((heir, data)) = holding.heir.clone() else {
            return Ok(None);
        };
        // The heir that has an exit signal to come is alive, and loses the table again at its own end.
        self.read_life_as_it_is(p, heir)?;
        let new = crate::ets::Holding {
            owner: heir,
            ..(*holding).clone()
        };
        self.write(p, resource, Value::Table(std::sync::Arc::new(new)), true)?;
        Ok(Some((heir, holding.named.then_some(holding.name), data)))
    }

    fn free_names(&mut self, p: &mut Process<O::Log>) -> Result<(), Interrupt> {
        let names = p.rare.take(|rare| &mut rare.names);
        // The names that the log frees: in replay the process that registered one may come later, or not at all.
        let freed: Vec<Resource> = match &p.feed {
            Some(feed) => writes(feed, |r| matches!(r, Resource::Name(_))),
            None => {
                let node = p.pid.node();
                names.into_iter().map(|name| self.name_resource(name, node)).collect()
            }
        };
        freed
            .into_iter()
            .try_for_each(|resource| self.write(p, resource, Value::Absent, false))
    }

    fn tell_heirs(&mut self, p: &mut Process<O::Log>, heirs: Vec<(interpreter::term::Pid, Tag, Fragment)>) {
        for (heir, tag, message) in heirs {
            self.deliver(p, heir, tag, Signal::Message(message));
        }
    }

    fn finish(&mut self, p: &mut Process<O::Log>, class: Option<EndClass>, reason: &Fragment, stack: Option<Term>) {
        if p.pid == self.entry() {
            self.entry_ended(class);
        }
        let ending = Ending {
            pid: ids::to_log(p.pid),
            class,
            reason,
            stacktrace: stack,
            reported: !self.silent_nodes.contains(&p.pid.node()),
            names: &[],
            machine: &p.machine,
            program: &self.program,
        };
        self.observer.ended(&mut p.log, &ending);
        let me = ids::to_log(p.pid);
        if self.plan.is_some() && reason.as_immediate() != Some(Term::atom(Atom::NORMAL)) {
            self.resources.abnormal_ends.insert(p.pid, reason.clone());
        }
        self.dig(p);
        self.forget_pairs(p);
        let mut links: Vec<_> = p.rare.take(|rare| &mut rare.links).into_iter().collect();
        links.sort_unstable();
        for to in links {
            let tag = Tag::EndTo {
                by: me,
                to: ids::to_log(to),
            };
            self.deliver(
                p,
                to,
                tag,
                Signal::Exit {
                    from: p.pid,
                    reason: reason.clone(),
                    link: true,
                },
            );
        }
        for (reference, watcher) in p.rare.take(|rare| &mut rare.watchers) {
            let tag = Tag::EndRef {
                by: me,
                owner: ids::to_log(watcher.pid),
                k: reference.number,
            };
            let shown = match watcher.name {
                Some(name) => Shown::Name(name, p.machine.local.node),
                None => Shown::Pid(p.pid),
            };
            let down = shown.down(reference, reason, watcher.tag.as_ref());
            let monitor = reference;
            self.deliver(p, watcher.pid, tag, Signal::Down { monitor, message: down });
        }
        if matches!(class, Some(EndClass::Error | EndClass::Throw))
            && (!self.crash_proxies.is_empty() || !self.crash_hearers.is_empty())
        {
            self.tell_of_crash(p, reason);
        }
        for (reference, monitor) in p.rare.take(|rare| &mut rare.monitors) {
            match self.table.find(monitor.target) {
                Lookup::Alive(slot) => match self.table.get_mut(slot) {
                    Some(q) => drop(q.rare.watchers.remove(&reference)),
                    None => self.owed.push(Owed::Unwatched(reference)),
                },
                Lookup::Dead(_) => self.watches_no_more(monitor.target, reference),
                Lookup::Unborn => {}
            }
        }
        for (target, times) in p.rare.take(|rare| &mut rare.suspending) {
            self.resume(target, times);
        }
        p.machine.kill(&mut self.spare);
        self.wake(Wanted::Version(Resource::Alive(me), Version(2)));
    }

    /// An end by an error becomes a log event.
    fn tell_of_crash(&mut self, p: &mut Process<O::Log>, reason: &Fragment) {
        let me = ids::to_log(p.pid);
        if p.feed.is_some() {
            // The log of the logger's process says whether it hears of it.
            self.wake_blocked(|feed| {
                let consumed = feed.head_kind().and_then(Kind::consumed);
                matches!(consumed, Some(Tag::EndTo { by, .. }) if by == me)
            });
            return;
        }
        let proxy = self.crash_proxies.get(&p.pid.node()).copied();
        if let Some(proxy) = proxy.filter(|proxy| *proxy != p.pid) {
            let to = ids::to_log(proxy);
            let message = crash_message(p.pid, reason);
            self.deliver(p, proxy, Tag::EndTo { by: me, to }, Signal::Message(message));
        }
    }

    /// Replay: what the logger's process, if it is this one, hears of an end by an error under this tag.
    pub(crate) fn message_of_crash(&self, me: interpreter::term::Pid, tag: Tag) -> Option<Signal> {
        let Tag::EndTo { by, .. } = tag else { return None };
        if !self.crash_hearers.contains(&me) {
            return None;
        }
        let pid = interpreter::term::Pid::new(me.node(), by.0);
        let reason = self.resources.abnormal_ends.get(&pid)?;
        Some(Signal::Message(crash_message(pid, reason)))
    }

    /// Replay: the reason of a process that has ended.
    pub(crate) fn reason_of_end(&self, pid: interpreter::term::Pid) -> Option<Fragment> {
        if let Some(reason) = self.resources.abnormal_ends.get(&pid) {
            return Some(reason.clone());
        }
        let over = self.plan.is_some() && matches!(self.table.find(pid), Lookup::Dead(_));
        over.then(|| Fragment::immediate(Term::atom(Atom::NORMAL)))
    }

    /// Takes a process that has ended, and that was taken out of the table, off the books.
    pub(crate) fn bury(&mut self, slot: Slot, mut p: Process<O::Log>) {
        self.fill(&mut p);
        self.memory_words -= p.counted_words;
        self.table.bury(slot, p.pid, p.actions);
        self.observer.buried(p.log);
    }
}

fn crash_message(pid: interpreter::term::Pid, reason: &Fragment) -> Fragment {
    use crate::terms::{Part, tuple};
    tuple(&[
        Part::Term(Term::atom(Atom::new("$crash"))),
        Part::Term(Term::pid(pid)),
        Part::Fragment(reason),
    ])
}

/// The resources of a kind that the next action of a log writes.
fn writes(feed: &crate::feed::Feed, of: impl Fn(&Resource) -> bool) -> Vec<Resource> {
    let accesses = feed.head().map_or(&[][..], |a| &a.accesses);
    accesses
        .iter()
        .filter(|a| a.write && of(&a.resource))
        .map(|a| a.resource)
        .collect()
}
