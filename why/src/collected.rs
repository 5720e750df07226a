//! Failures whose reason was put together from several messages.

use crate::changes::{self};
use crate::heard::{self, Heard};
use crate::past::{Pasts, Taken};
use crate::routine::speech;
use crate::tell::Walk;
use log_format::{ActionId, Pid};
use session::error::Error;
use session::watch::{Seen, SeenFrame};

/// Limits: how many other messages a failure may have been put together from, and how many more steps each of them gets.
pub(crate) const COLLECTED: usize = 3;

impl Walk<'_> {
    /// Which of the messages before an action led to it: the last one, or for a failure the one that contains its reason.
    pub(crate) fn trigger(&self, pid: Pid, n: u64, taken: &[Taken]) -> Option<Taken> {
        let content = |n: u64| {
            self.scene
                .seen
                .get(&ActionId::new(pid, n))
                .and_then(|seen| seen.content.clone())
        };
        let ended = self.scene.trace.action(pid, log_format::ActionNo(n)).ok()?;
        let reason = content(n).filter(|_| crate::tested::is_failure(&ended.kind));
        let reason = reason.map(|reason| crate::tested::spoken(&reason));
        let told = reason.and_then(|reason| {
            let messages: Vec<String> = taken
                .iter()
                .map(|one| content(one.number).unwrap_or_default())
                .collect();
            changes::told_by(&reason, &messages)
        });
        taken.get(told.unwrap_or(0)).copied()
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
        let function = |frame: &SeenFrame| frame.place.as_ref().map(|place| place.function.clone());
        let value = |name: &str| {
            frame
                .variables
                .iter()
                .find(|v| v.name == name)
                .map(|v| v.value.as_str())
        };
        // In the same activation: variables that were bound then are still bound.
        let is_same = |seen: &Seen| {
            let there = seen.frames.iter().find(|there| function(there) == function(frame));
            there.is_some_and(|there| {
                let mut known = there.variables.iter().filter(|v| !v.of_message);
                known.all(|v| value(&v.name).is_some_and(|now| now == v.value))
            })
        };
        let mut texts: Vec<&str> = end.content.as_deref().into_iter().collect();
        texts.extend(frame.variables.iter().map(|v| v.value.as_str()));
        let mut found = Vec::new();
        for one in taken.iter().filter(|one| **one != trigger) {
            let Some(seen) = seen(one.number).filter(|seen| seen.place == first.place && is_same(seen)) else {
                continue;
            };
            let content = seen.content.as_deref().unwrap_or_default();
            // What was sent before the process knew a value cannot have told it that value.
            if changes::gives_to(content, &texts) {
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
        let texts: Vec<&str> = std::iter::once(reason)
            .chain(variables.iter().map(|v| v.value.as_str()))
            .collect();
        let mut heard = Vec::new();
        for one in taken {
            let Some(seen) = seen(one.number) else { continue };
            let content = seen.content.as_deref().unwrap_or_default();
            let mut question = None;
            if let Some(sent) = one.from.filter(|from| from.pid != pid) {
                let asked = pasts
                    .past(sent.pid, sent.number.0)?
                    .taken
                    .first()
                    .and_then(|one| one.from);
                if let Some(asked) = asked.filter(|asked| asked.pid == pid && asked.number.0 < one.number) {
                    question = self.scene.seen.get(&asked).and_then(|seen| seen.content.as_deref());
                }
            }
            let library = self.scene.in_library(pid, one.number);
            heard.push(Heard {
                message: speech(content, library).body(),
                question: question.map(|text| speech(text, true).body()),
                place: self
                    .scene
                    .own_place(seen)
                    .map(|place| (place.function.as_str(), place.line)),
                taken: *one,
            });
        }
        let mut found = Vec::new();
        if let Some(spoken) = heard::spoken_of(reason, &heard, trigger) {
            found.push(spoken);
        }
        let of = found.first().copied().unwrap_or(trigger);
        found.extend(heard::differing(&texts, &heard, of));
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
