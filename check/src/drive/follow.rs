//! Follows the record: makes the move that comes first in it.

use std::sync::Arc;

use super::{Drive, Move, PATIENCE, Ranked};
use crate::choices::{Given, StepKind};
use interpreter::atom::Atom;
use interpreter::heap::{Heap, TermView};
use interpreter::term::Term;
use log_format::{Pid, Tag};
use session::player::handle;
use system::driven::Label;

/// What comes before a move that takes time.
enum Before {
    /// It has been done.
    Done,
    /// This move.
    New(Ranked),
    /// Nothing.
    Nothing,
}

impl Drive<'_> {
    /// Makes the move that comes first in the record. False if there is none.
    pub(super) fn follow(&mut self) -> bool {
        let step = self.stand.first_step();
        let mut best = self.first_move(self.stand.active().chain(step));
        debug_assert!(
            self.system.table().living() > 100
                || best.as_ref().map(|(rank, pid, _)| (*rank, *pid))
                    == self
                        .uncounted(|drive| drive.first_move(drive.standing().into_iter()))
                        .map(|(rank, pid, _)| (rank, pid)),
            "a process was not looked at"
        );
        if let Some(service) = self.service(best.as_ref()) {
            best = Some(service);
        }
        if let Some((_, pid, Move::After(i))) = best
            && let Some((key, tag)) = self.untried(pid, i)
        {
            self.probing = self.id(pid).map(|id| (id, i));
            self.offer(pid, key, tag);
            return true;
        }
        // If only the passing of time is next, the program's new steps come before it.
        if self.recorded_waits.is_some()
            && let Some((_, pid, next)) = &best
            && self.takes_time(*pid, next)
        {
            let (pid, next) = (*pid, next.clone());
            match self.before_time_passes(pid, &next) {
                Before::Done => return true,
                Before::New(new) => best = Some(new),
                Before::Nothing => {}
            }
        }
        let Some(((_, order), pid, next)) = best else {
            return false;
        };
        if !matches!(next, Move::Step(None) | Move::Awake | Move::Spin) {
            self.idle = 0;
            // A message that the record does not have here is not a step of the record.
            if !matches!(next, Move::Give(..)) {
                self.alone.clear();
            }
        }
        // Beyond the record, exit signals come first, so that a process that never stops can be ended.
        if order == u64::MAX && self.let_go_exit() {
            return true;
        }
        self.make(pid, next);
        true
    }

    /// If a process waits for effects that are not in the record either, these come before later recorded steps.
    fn service(&mut self, best: Option<&Ranked>) -> Option<Ranked> {
        let (order, waits) = self.hurry()?;
        if best.is_some_and(|((last, known), ..)| !last && order >= *known) {
            return None;
        }
        let stands_at_native = |pid| matches!(self.system.label(pid), Some(Label::Native(_)));
        let service = self.serving.iter().find_map(|&pid| match self.next_move(pid)? {
            (_, Move::Step(None)) if stands_at_native(pid) => Some((pid, Move::Step(None))),
            _ => None,
        });
        let asked = || self.request(waits).map(|(pid, key, tag)| (pid, Move::Give(key, tag)));
        let (pid, one) = service.or_else(asked)?;
        self.serving.insert(pid);
        Some(((false, order), pid, one))
    }

    /// New steps of the program that come before this move, which takes time.
    fn before_time_passes(&mut self, pid: Pid, next: &Move) -> Before {
        if let Some(new) = self.new_step() {
            return Before::New(((false, u64::MAX), new, Move::Step(None)));
        }
        if let Some(new) = self.new_pause(pid) {
            *self.alone.entry(new).or_default() += 1;
            return Before::New(((false, u64::MAX), new, Move::Awake));
        }
        if let Move::After(i) = next
            && self.is_vain(pid, *i)
            && let Some((key, tag)) = self.comes_after_all(pid)
        {
            self.offer(pid, key, tag);
            return Before::Done;
        }
        if self.idle < PATIENCE
            && let Some((to, key, tag)) = self.new_message(pid)
        {
            self.idle += 1;
            self.offer(to, key, tag);
            return Before::Done;
        }
        if self.expire_new(pid) {
            return Before::Done;
        }
        Before::Nothing
    }

    /// Makes a move.
    fn make(&mut self, pid: Pid, next: Move) {
        match next {
            Move::Step(found) => {
                let given = found.and_then(|i| self.choice(pid, i)?.given.clone());
                let given = given.filter(|given| !self.is_outdated(pid, given));
                let (value, number) = match given {
                    Some(Given::Value(value)) => (Some(value), self.fresh),
                    Some(Given::Pid(number)) => (None, number.0),
                    None => (None, self.fresh),
                };
                let number = self.system.number_next(number).0;
                self.fresh = self.fresh.max(number);
                match found {
                    Some(i) => {
                        self.done.extend(self.id(pid).map(|id| (id, i)));
                        self.come_to(pid, i + 1);
                    }
                    None => {
                        *self.overtime.entry(pid).or_default() += 1;
                        *self.alone.entry(pid).or_default() += 1;
                    }
                }
                self.let_arrive(pid);
                self.system.permit(pid, value);
            }
            Move::Take(i, tag) => {
                let what = self.choice(pid, i).map(|choice| choice.what);
                self.come_to(pid, i + 1);
                self.give(pid, tag);
                if let Some(StepKind::Rec(key)) = what {
                    self.tried = Some((pid, key, tag));
                    self.instead_of = None;
                }
            }
            Move::Expire(tag) => {
                self.system.expire(tag);
            }
            Move::Give(key, tag) => self.offer(pid, key, tag),
            Move::Awake => {
                if self.recorded_waits.is_some() && self.pauses(pid) {
                    *self.naps.entry(pid).or_default() += 1;
                }
                self.system.time_out(pid);
            }
            Move::After(i) => {
                self.note_timeout(pid, i);
                self.come_to(pid, i + 1);
                self.system.time_out(pid);
            }
            Move::Longer(i, longer) => {
                self.come_to(pid, i + 1);
                self.longer.extend(longer);
            }
            Move::Spin => {
                self.spins += 1;
                self.system.permit(pid, None);
            }
        }
    }

    /// Does a changed program look at others that are not as they were when recorded? Then it sees what there is now. Other recorded values are
    /// kept: how much memory a process has, or how many messages have come to it, says the record best.
    fn is_outdated(&self, pid: Pid, given: &Given) -> bool {
        let (Some(Label::Native(native)), Given::Value(recorded), Some(_)) =
            (self.system.label(pid), given, self.recorded_waits)
        else {
            return false;
        };
        match (native.module, native.name) {
            ("erlang", "processes" | "registered") => true,
            ("erlang", "process_info") => {
                let undefined = system::terms::encode(&Heap::new(Arc::default()), Term::atom(Atom::new("undefined")));
                let was_alive = *recorded != undefined;
                let table = self.system.table();
                let target = table
                    .by_pid(handle(pid))
                    .and_then(|p| p.machine.args().first()?.as_pid());
                target.is_some_and(|target| table.is_alive(target) != was_alive)
            }
            _ => false,
        }
    }

    /// A process is about to drop a link, a monitor or an alias, or to stop trapping exits: what it receives later in the record had already
    /// arrived.
    pub(super) fn let_arrive(&mut self, pid: Pid) {
        let name = match self.system.label(pid) {
            Some(Label::Native(native)) if native.module == "erlang" => native.name,
            _ => return,
        };
        match name {
            "cancel_timer" => return self.let_expire(pid),
            "demonitor" => self.note_unwatched(pid),
            "unlink" | "unalias" | "process_flag" => {}
            _ => return,
        }
        let held = self
            .held
            .get(&pid)
            .into_iter()
            .flat_map(super::held::HeldArrivals::iter);
        let tags: Vec<(Tag, bool)> = held
            .filter(|(key, _)| self.is_ahead(pid, *key))
            .map(|(_, tag)| (tag, self.is_of_what_it_gives_up(pid, tag)))
            .collect();
        for (tag, is_given_up) in tags {
            self.system.let_arrive(pid, tag);
            if is_given_up {
                // It comes no more, so it is there: whoever looks finds it.
                self.arrived.insert(tag);
            }
        }
    }

    /// A process is about to give up a monitor, or the link to a process. Is this the signal of its end?
    fn is_of_what_it_gives_up(&self, pid: Pid, tag: Tag) -> bool {
        let machine = self.system.table().by_pid(handle(pid)).map(|p| &p.machine);
        let what = machine.and_then(|machine| Some(machine.heap.view(*machine.args().first()?)));
        match (tag, what) {
            (Tag::EndRef { k, .. }, Some(TermView::Reference(reference))) => k == reference.number,
            (Tag::EndTo { by, .. }, Some(TermView::Pid(other))) => by == system::ids::to_log(other),
            _ => false,
        }
    }

    pub(super) fn note_unwatched(&mut self, pid: Pid) {
        let Some(p) = self.system.table().by_pid(handle(pid)) else {
            return;
        };
        let reference = p.machine.args().first().map(|arg| p.machine.heap.view(*arg));
        if let Some(TermView::Reference(reference)) = reference
            && let Some(monitor) = p.rare.monitors.get(&reference)
        {
            self.unwatched.insert((pid, system::ids::to_log(monitor.target)));
        }
    }
}
