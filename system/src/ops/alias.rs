//! Aliases.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::newer::Newer;
use interpreter::term::{Reference, Term};
use log_format::{Kind, Pid, SendNo, Tag};

use crate::observer::{Detail, Fact};
use crate::ops::{FALSE, OpResult, Operation, TRUE, badarg};
use crate::state::rare::AliasMode;
use crate::state::turns::Sort;
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "alias", 0, NativeClass::Pure, alias),
    Operation::new("erlang", "alias", 1, NativeClass::Pure, alias),
    Operation::new("erlang", "unalias", 1, NativeClass::Drop, unalias).often_silent(),
];

fn alias(step: &mut Step<'_>) -> OpResult {
    let [options] = step.args();
    let mut mode = AliasMode::Explicit;
    let mut urgent = false;
    if options != Term::NONE {
        for option in step.process.machine.heap.list(options).ok_or_else(badarg)? {
            match option.as_atom().map(Atom::as_str) {
                Some("explicit_unalias") => mode = AliasMode::Explicit,
                Some("reply") => mode = AliasMode::Reply,
                Some("priority") if step.has_priority_messages() => urgent = true,
                _ => return Err(badarg()),
            }
        }
    }
    step.process.machine.local.references += 1;
    let reference = Reference {
        owner: step.process.pid,
        number: step.process.machine.local.references,
    };
    step.opens(reference, mode);
    if urgent {
        step.process.rare.urgent.insert(reference);
    }
    Ok(step.process.machine.heap.make_reference(reference))
}

/// Whether a reply has ended the alias depends on others: the result is logged.
fn unalias(step: &mut Step<'_>) -> OpResult {
    let [alias] = step.args();
    let TermView::Reference(alias) = step.process.machine.heap.view(alias) else {
        return Err(badarg());
    };
    if alias.owner != step.process.pid {
        return Ok(FALSE);
    }
    match step.process.rare.aliases.get(&alias) {
        // These are the process's own state.
        None => return Ok(FALSE),
        Some(AliasMode::Explicit) => {
            step.process.rare.aliases.remove(&alias);
            step.closes(alias, step.process.actions);
            step.process.rare.forget_urgent(alias);
            step.tell_closed(alias);
            return Ok(TRUE);
        }
        Some(_) => {}
    }
    step.expect(|k| matches!(k, Kind::Drop { .. }), || "unalias".to_owned())?;
    let (reply, down) = match step.process.mode.is_beyond_its_log() {
        true => (step.reply_to(alias), step.is_down(alias)),
        false => (None, false),
    };
    let spent = reply.is_some() || down;
    let mode = step.process.rare.aliases.remove(&alias);
    let now = mode.is_some_and(|mode| mode != AliasMode::Spent && !spent);
    let active = match step.process.mode.logged_kind() {
        Some(Kind::Drop { value, .. }) => value.first() == Some(&1),
        _ => now,
    };
    let mut value = vec![u8::from(active)];
    // Beyond the log it is known which message ended it: this step depends on that (`dropped_after`).
    value.extend(reply.map(cause_of_drop).unwrap_or_default());
    step.commit(Kind::Drop { tag: None, value }, 0, Detail::None);
    step.closes_as(alias, mode, active);
    step.process.rare.forget_urgent(alias);
    step.tell_closed(alias);
    Ok(Term::boolean(active))
}

/// A signal whose arrival a drop of nothing depends on, behind its value.
fn cause_of_drop(tag: Tag) -> Vec<u8> {
    match tag {
        Tag::Sent { by, k } => [by.0.to_le_bytes(), k.0.to_le_bytes()].concat(),
        _ => Vec::new(),
    }
}

/// The signal whose arrival a drop of nothing depends on, if its value says it: only that of steps beyond a log does.
#[must_use]
pub fn dropped_after(value: &[u8]) -> Option<Tag> {
    let (by, k) = value.get(1..17)?.split_at(8);
    Some(Tag::Sent {
        by: Pid(u64::from_le_bytes(by.try_into().ok()?)),
        k: SendNo(u64::from_le_bytes(k.try_into().ok()?)),
    })
}

impl Step<'_> {
    /// Priority messages are of a later release than this run may be.
    pub(crate) fn has_priority_messages(&self) -> bool {
        Newer::PriorityMessages.is_in(self.release())
    }

    /// A new alias.
    pub(crate) fn opens(&mut self, alias: Reference, mode: AliasMode) {
        self.process.rare.aliases.insert(alias, mode);
        if self.hears() {
            self.process.rare.past.aliases.insert(alias.number, mode);
        }
    }

    /// Replay: after so many actions, an alias of this process does not accept messages any more.
    pub(crate) fn closes(&mut self, alias: Reference, at: u64) {
        if self.world.purpose.keeps_the_past() {
            self.process.rare.past.turns.add(Sort::Alias(alias), at, false);
        }
    }

    /// Replay: the last action has closed an alias of this process, which was active or not.
    fn closes_as(&mut self, alias: Reference, mode: Option<AliasMode>, active: bool) {
        let at = self.process.actions - 1;
        match mode {
            _ if !self.world.purpose.keeps_the_past() => {}
            // The first message ends it: if it was active, none had come; if not, one had.
            Some(AliasMode::Reply) if active => {}
            Some(AliasMode::Reply) => {
                self.world.resources.answered.push(alias);
                self.process.rare.past.turns.add_after_one(Sort::Alias(alias), at);
            }
            Some(AliasMode::ReplyDemonitor) if active => {}
            _ => self.process.rare.past.turns.add(Sort::Alias(alias), at, false),
        }
    }

    /// For an observer that gathers facts: an alias of this process was closed.
    fn tell_closed(&mut self, alias: Reference) {
        if self.hears() {
            let (by, number) = (self.last_action(), alias.number);
            self.sink.learned(Fact::Unaliased { by, number });
        }
    }
}
