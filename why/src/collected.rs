//! Failures whose reason was put together from several messages.

use crate::changes::{self};
use crate::heard::{self, Heard};
use crate::origin::{is_plain, is_telling};
use crate::past::{Pasts, Taken};
use crate::scene::Scene;
use crate::tell::Walk;
use log_format::{ActionId, Pid};
use session::error::Error;
use session::value::Value;
use session::watch::{SeenAction, SeenFrame, SeenVariable};

/// Limits: how many other messages a failure may have been put together from, and how many more steps each of them gets.
pub(crate) const COLLECTED: usize = 3;

impl Scene<'_> {
    /// The last of these messages that told a failing process the value that its reason names: one with a part of the reason, or one after which a
    /// variable got the value.
    pub(crate) fn told(&self, failed: ActionId, taken: &[Taken]) -> Result<Option<usize>, Error> {
        let Some(reason) = self.reason(failed.pid, failed.number.0)? else {
            return Ok(None);
        };
        let reason = crate::tested::spoken(without_stack(reason));
        let term = |one: &Taken| self.seen.get(&ActionId::new(failed.pid, one.number))?.term.as_ref();
        let messages: Vec<Option<&Value>> = taken.iter().map(term).collect();
        let holding = changes::holding(&reason, &messages, self.terms());
        Ok(holding.or_else(|| self.bound_after(failed, &reason, taken)))
    }

    /// Does the reason of a failure name a value that a message can have told?
    pub(crate) fn names_a_value(&self, failed: ActionId) -> Result<bool, Error> {
        let Some(reason) = self.reason(failed.pid, failed.number.0)? else {
            return Ok(false);
        };
        let reason = crate::tested::spoken(without_stack(reason));
        let frame = self.seen.get(&failed).and_then(|end| self.own_frame(end));
        let is_named = |frame: &SeenFrame| named(frame, &reason).next().is_some();
        Ok(changes::has_parts(&reason, self.terms()) || frame.is_some_and(is_named))
    }

    /// The last of these messages that came before a variable of the failing function got a value that the reason of the failure names.
    fn bound_after(&self, failed: ActionId, reason: &Value, taken: &[Taken]) -> Option<usize> {
        let end = self.seen.get(&failed)?;
        let frame = self.own_frame(end)?;
        let function = frame.place.as_ref()?.function;
        let places = named(frame, reason).filter_map(|(v, value)| {
            taken.iter().position(|one| {
                let there = self.seen.get(&ActionId::new(failed.pid, one.number));
                let same = |frame: &&SeenFrame| frame.place.as_ref().is_some_and(|place| place.function == function);
                let frame = there.and_then(|seen| seen.frames.iter().find(same));
                frame.is_some_and(|frame| {
                    let bound = |known: &SeenVariable| {
                        known.name == v.name && !known.of_message && known.term.as_ref() == Some(value)
                    };
                    !frame.variables.iter().any(bound)
                })
            })
        });
        places.min()
    }
}

/// The variables whose values the reason of a failure names.
fn named<'v>(frame: &'v SeenFrame, reason: &'v Value) -> impl Iterator<Item = (&'v SeenVariable, &'v Value)> {
    let is_data = |value: &Value| is_telling(value) && !is_plain(value);
    let known = frame.variables.iter().filter_map(|v| Some((v, v.term.as_ref()?)));
    known.filter(move |(_, value)| is_data(value) && reason.holds(value))
}

/// The reason of an error without its stack trace.
fn without_stack(reason: &Value) -> &Value {
    match reason.tuple() {
        [inner, Value::List(frames, None)] if frames.first().is_some_and(|one| one.tuple().len() == 4) => inner,
        _ => reason,
    }
}

impl Walk<'_> {
    /// Which of the messages before an action led to it: the last one, or for a failure the one that contains its reason, or after which a variable
    /// got the value that its reason names. `None`: the last ones only told of ends that were no failures.
    pub(crate) fn trigger(&self, pid: Pid, n: u64, taken: &[Taken]) -> Option<Taken> {
        let term = |n: u64| self.scene.seen.get(&ActionId::new(pid, n))?.term.as_ref();
        let ended = self.scene.trace.action(pid, log_format::ActionNo(n)).ok()?;
        let Some(reason) = term(n).filter(|_| crate::tested::is_failure(&ended.kind)) else {
            return taken.first().copied();
        };
        let spoken = crate::tested::spoken(reason);
        let messages: Vec<Option<&Value>> = taken.iter().map(|one| term(one.number)).collect();
        if let Some(told) = changes::told_by(&spoken, &messages, self.scene.terms()) {
            return taken.get(told).copied();
        }
        let from = self
            .scene
            .bound_after(ActionId::new(pid, n), &spoken, taken)
            .unwrap_or(0);
        let is_telling = |one: &&Taken| !term(one.number).is_some_and(|message| is_join(message, &spoken));
        taken.iter().skip(from).find(is_telling).copied()
    }

    /// Other messages that a failure was put together from, latest first: received at the same place in the same activation, and found in its
    /// reason or in its variables.
    pub(crate) fn others_collected(&self, pid: Pid, n: u64, trigger: Taken, taken: &[Taken]) -> Vec<Taken> {
        let seen = |n: u64| self.scene.seen.get(&ActionId::new(pid, n));
        let fails = |action: log_format::Action| crate::tested::is_failure(&action.kind);
        let failed = self.scene.trace.action(pid, log_format::ActionNo(n)).is_ok_and(fails);
        let (Some(end), Some(first)) = (seen(n).filter(|_| failed), seen(trigger.number)) else {
            return Vec::new();
        };
        let Some(frame) = self.scene.own_frame(end) else {
            return Vec::new();
        };
        let function = |frame: &SeenFrame| frame.place.as_ref().map(|place| place.function);
        let value = |name: &str| {
            let known = frame.variables.iter().find(|v| v.name == name);
            known.and_then(|v| v.term.as_ref())
        };
        // In the same activation: variables that were bound then are still bound.
        let is_same = |seen: &SeenAction| {
            let there = seen.frames.iter().find(|there| function(there) == function(frame));
            there.is_some_and(|there| {
                let mut known = there.variables.iter().filter(|v| !v.of_message);
                known.all(|v| value(&v.name).is_some_and(|now| v.term.as_ref() == Some(now)))
            })
        };
        let mut known: Vec<&Value> = end.term.iter().collect();
        known.extend(frame.variables.iter().filter_map(|v| v.term.as_ref()));
        let mut found = Vec::new();
        for one in taken.iter().filter(|one| **one != trigger) {
            let Some(seen) = seen(one.number).filter(|seen| seen.place == first.place && is_same(seen)) else {
                continue;
            };
            // What was sent before the process knew a value cannot have told it that value.
            if seen
                .term
                .as_ref()
                .is_some_and(|message| changes::gives_to(message, &known))
            {
                found.push(*one);
            }
        }
        found.truncate(COLLECTED);
        found.reverse();
        found
    }

    /// Messages before a failure that have more to do with its reason than the last one: one that the reason mentions while it does not mention
    /// the last one, and one that differs from others received at the same place.
    pub(crate) fn also_of(
        &self,
        pasts: &mut Pasts<'_>,
        pid: Pid,
        n: u64,
        trigger: Taken,
        taken: &[Taken],
    ) -> Result<Vec<Taken>, Error> {
        let Some(reason) = self.scene.reason(pid, n)? else {
            return Ok(Vec::new());
        };
        let seen = |n: u64| self.scene.seen.get(&ActionId::new(pid, n));
        let Some(failure) = seen(n) else { return Ok(Vec::new()) };
        let variables = self.scene.own_frame(failure).map_or(&[][..], |frame| &frame.variables);
        let known: Vec<&Value> = std::iter::once(reason)
            .chain(variables.iter().filter_map(|v| v.term.as_ref()))
            .collect();
        let mut heard = Vec::new();
        for one in taken {
            let Some(seen) = seen(one.number) else { continue };
            let library = self.scene.in_library(pid, one.number);
            let Some(message) = seen.meant(library) else { continue };
            let mut question = None;
            if let Some(sent) = one.from.filter(|from| from.pid != pid) {
                let asked = pasts
                    .past(sent.pid, sent.number.0)?
                    .taken
                    .first()
                    .and_then(|one| one.from);
                if let Some(asked) = asked.filter(|asked| asked.pid == pid && asked.number.0 < one.number) {
                    question = self.scene.seen.get(&asked).and_then(|seen| seen.meant(true));
                }
            }
            heard.push(Heard {
                message,
                question,
                place: self.scene.own_place(seen).map(|place| (place.function, place.line)),
                taken: *one,
            });
        }
        let mut found = Vec::new();
        if let Some(spoken) = heard::spoken_of(reason, &heard, trigger) {
            found.push(spoken);
        }
        let of = found.first().copied().unwrap_or(trigger);
        found.extend(heard::differing(&known, &heard, of));
        found.retain(|one| *one != trigger);
        found.dedup();
        Ok(found)
    }

    /// Adds an earlier message with its own story.
    pub(crate) fn also(&mut self, pasts: &mut Pasts<'_>, pid: Pid, one: Taken, n: u64) -> Result<(), Error> {
        let taken = pasts.past(pid, one.number)?.taken.clone();
        self.follow(pasts, pid, n, one, &taken)
    }
}

/// Does a message only tell that a process has ended, in peace, as of one that was waited for? Not if the reason of the failure holds what it says.
fn is_join(message: &Value, failure: &Value) -> bool {
    let reason = match message.tuple() {
        [tag, _, _, _, reason] if tag.is_atom("DOWN") => reason,
        [tag, _, reason] if tag.is_atom("EXIT") => reason,
        _ => return false,
    };
    let word = match reason.tuple() {
        [word, _] => word,
        _ => reason,
    };
    ["normal", "shutdown", "noproc"].iter().any(|known| word.is_atom(known)) && !failure.holds(word)
}
