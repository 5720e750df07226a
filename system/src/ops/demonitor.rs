//! The end of a monitor.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::term::{Reference, Term};
use log_format::{Kind, Resource, Tag};

use crate::ids;
use crate::observer::{Detail, Fact};
use crate::ops::{OpResult, Operation, TRUE, badarg};
use crate::state::mode::Decides;
use crate::state::order::LogOrder;
use crate::state::rare::AliasMode;
use crate::state::resources::Aliveness;
use crate::state::turns::Sort;
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "demonitor", 1, NativeClass::Drop, demonitor).often_silent(),
    Operation::new("erlang", "demonitor", 2, NativeClass::Drop, demonitor).often_silent(),
];

fn demonitor(step: &mut Step<'_>) -> OpResult {
    let [reference, options] = step.args();
    let TermView::Reference(reference) = step.process.machine.heap.view(reference) else {
        return Err(badarg());
    };
    let (mut flush, mut info) = (false, false);
    if options != Term::NONE {
        for option in step.process.machine.heap.list(options).ok_or_else(badarg)? {
            match option.as_atom().map(Atom::as_str) {
                Some("flush") => flush = true,
                Some("info") => info = true,
                _ => return Err(badarg()),
            }
        }
    }
    // The monitor of another process on this node is not one of this process; for another node, this cannot be determined.
    if reference.owner != step.process.pid {
        let is_here = reference.owner.node() == step.process.pid.node();
        return if is_here {
            Ok(Term::boolean(!info))
        } else {
            Err(badarg())
        };
    }
    let asks = flush || info;
    let down = match step.process.rare.monitors.get(&reference) {
        Some(m) => Some(Tag::EndRef {
            by: ids::to_log(m.target),
            owner: ids::to_log(step.process.pid),
            k: reference.number,
        }),
        None => step.process.rare.fired.get(&reference).copied(),
    };
    let Some(down) = down else {
        // It was removed before, or its 'DOWN' has been received: the process knows that itself.
        step.drop_alias_of(reference, step.process.actions);
        return Ok(Term::boolean(!info));
    };
    if !asks {
        return step.demonitor_quietly(reference);
    }
    // Whether the 'DOWN' is in the mailbox, or a reply has ended the monitor, depends on others: the result is logged.
    step.expect(|k| matches!(k, Kind::Drop { .. }), || "demonitor".to_owned())?;
    let still = |step: &Step<'_>| step.process.rare.monitors.get(&reference).is_some_and(|m| !m.over);
    let (removed, active, has_ended) = match step.process.mode.decides() {
        Decides::Follow(feed) => {
            let drops = LogOrder::of(feed).drops(|tag| step.process.pool.contains(&tag));
            let (tag, value) = drops.map_err(|held| step.held(held, "demonitor"))?;
            if let Some(tag) = tag {
                step.process.pool.remove(&tag);
            }
            (tag, value.first() == Some(&1), true)
        }
        Decides::Beyond { .. } => {
            let there = step.process.pool.contains(&down) && step.is_there(down);
            let replied = step.reply_to(reference).is_some();
            let taken = flush && there;
            if taken {
                step.process.pool.remove(&down);
            } else {
                step.stays(Some(down).filter(|_| there));
            }
            (taken.then_some(down), still(step) && !there && !replied, there)
        }
        Decides::Record | Decides::Driven => {
            let active = still(step);
            // The 'DOWN' of an active monitor has not arrived, and no 'DOWN' is older than its monitor: a full mailbox costs nothing.
            let mailbox = &mut step.process.machine.mailbox;
            let taken = flush
                && !active
                && (mailbox.remove_since(reference.number, ids::pack(down)).is_some()
                    || step.world.unhold(step.process, down));
            let over = step
                .process
                .rare
                .monitors
                .get(&reference)
                .is_some_and(|monitor| monitor.over);
            (taken.then_some(down), active, over)
        }
    };
    let value = vec![u8::from(active)];
    if let Some(tag) = removed
        && !step.process.mode.dies_of_signals()
    {
        // What is dropped has arrived, with all that its sender had sent before.
        step.note_arrival(tag);
    }
    // (A reply ends a monitor, too: then nothing is known of the end.)
    if removed.is_none() && !active && has_ended {
        step.knows_of_end(down);
    }
    step.commit(Kind::Drop { tag: removed, value }, 0, Detail::None);
    if flush {
        step.process.rare.fired.remove(&reference);
    } else {
        step.process.rare.fired.insert(reference, down);
    }
    let at = step.process.actions - 1;
    let replies = step.process.rare.aliases.get(&reference) == Some(&AliasMode::ReplyDemonitor);
    if !flush && !active && !replies && step.world.purpose.keeps_the_past() {
        step.process.rare.past.turns.add_after_one(Sort::Monitor(reference), at);
    }
    step.remove_monitor(reference, at);
    Ok(if info { Term::boolean(active) } else { TRUE })
}

impl Step<'_> {
    /// That a monitor has ended tells that its process has, if it has: the step depends on that. (Older traces do not say so.)
    fn knows_of_end(&mut self, down: Tag) {
        let Some(of) = down.sender().filter(|_| matches!(down, Tag::EndRef { .. })) else {
            return;
        };
        let alive = Resource::Alive(of);
        let access = match self.process.mode.log() {
            Some(_) => self.logged_access(alive),
            None => self.world.read_of_end(of),
        };
        if let Some(access) = access {
            self.accesses.push(access);
        }
    }

    /// `demonitor/1`: no 'DOWN' arrives from now on; one that has arrived stays. In `→`, this comes before or after the end of the monitored
    /// process; it has no causes in other processes.
    pub(crate) fn demonitor_quietly(&mut self, reference: Reference) -> OpResult {
        let logs = self.process.rare.monitors.contains_key(&reference);
        if let Some(monitor) = self.process.rare.monitors.get(&reference) {
            let target = monitor.target;
            self.expect(|k| matches!(k, Kind::Access), || "demonitor".to_owned())?;
            let life = self.glance_at_life(target);
            self.commit(Kind::Access, 0, Detail::None);
            // A 'DOWN' that has arrived can be flushed later.
            let tag = Tag::EndRef {
                by: ids::to_log(target),
                owner: ids::to_log(self.process.pid),
                k: reference.number,
            };
            self.process.rare.fired.insert(reference, tag);
            // If it had ended, its 'DOWN' can have arrived before, and stays then.
            if life == Aliveness::Dead && self.world.purpose.keeps_the_past() {
                let at = self.process.actions - 1;
                self.process.rare.past.turns.add(Sort::Monitor(reference), at, false);
            }
        }
        let at = self.process.actions - u64::from(logs);
        self.remove_monitor(reference, at);
        Ok(TRUE)
    }

    /// `at`: after so many actions.
    pub(crate) fn remove_monitor(&mut self, reference: Reference, at: u64) {
        self.drop_alias_of(reference, at);
        if self.hears() {
            let by = self.last_action();
            let k = reference.number;
            let monitor = self.process.rare.monitors.get(&reference);
            let of = monitor
                .filter(|monitor| !monitor.over)
                .map(|monitor| ids::to_log(monitor.target));
            self.sink.learned(Fact::Unwatched { by, k, of });
        }
        // In replay (and beyond the log), the log says if its 'DOWN' is received anyway: then it had arrived before.
        if let Some(monitor) = self.process.rare.monitors.remove(&reference)
            && self.process.mode.dies_of_signals()
            && let Some((_, q)) = self.world.table.by_pid_mut(monitor.target)
        {
            q.rare.watchers.remove(&reference);
        }
        if !self.process.rare.urgent.is_empty() || !self.process.rare.urgent_downs.is_empty() {
            self.process.rare.forget_urgent(reference);
        }
    }

    /// The alias of a monitor ends with it, unless only `unalias` may end it.
    pub(crate) fn drop_alias_of(&mut self, reference: Reference, at: u64) {
        if self
            .process
            .rare
            .aliases
            .get(&reference)
            .is_some_and(|mode| *mode != AliasMode::Explicit)
        {
            self.process.rare.aliases.remove(&reference);
            self.closes(reference, at);
        }
    }
}
