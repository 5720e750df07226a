//! What was tried: which two actions came in another order, and how much that says.

use log_format::{ActionId, Kind, Pid, Tag};
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;
use session::view::Act;

use super::Lab;
use crate::answer::{Class, LongerStall, Tally, Weak};
use crate::failure::{Outcome, Verdict};
use crate::guide::{Held, wait_of};
use crate::places::Place;
use crate::record::{FAR, Record};
use crate::way::Way;

/// So many actions before one are searched for the receive that led to it.
const TURN: usize = 16;

/// A flip that was made.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) place: Place,
    pub(super) made: Option<Choice>,
    pub(super) choice: Choice,
    pub(crate) class: Class,
    pub(crate) verdict: Verdict,
    pub(crate) outcome: Outcome,
    pub(crate) stall: Option<LongerStall>,
    /// It fails, but the recorded failure is gone: another one of its kind came.
    pub(super) is_progress: bool,
    /// The run came to be as the record again: the choice changes nothing.
    pub(super) is_again: bool,
    /// What was held back.
    pub(super) held: Option<Held>,
    pub(crate) otherwise: Tally,
    pub(crate) as_recorded: Tally,
    pub(crate) apart: u64,
    pub(crate) weak: Vec<Weak>,
    /// The actions whose order was changed.
    pub(crate) made_by: Option<ActionId>,
    pub(crate) instead_by: Option<ActionId>,
    pub(crate) made_after: Option<u64>,
    pub(crate) instead_after: Option<u64>,
    /// The receive of the message that could have come first.
    pub(super) later: Option<ActionId>,
    /// What came instead had been taken already, and the process was ended in that turn.
    pub(crate) taken: bool,
    /// What came first instead, if only the run with the other choice did it.
    pub(crate) then: Option<Act>,
    /// The seed of what is drawn after it.
    pub(super) seed: u64,
}

impl Tried {
    pub(crate) fn way(&self) -> Way {
        Way::new(
            &self.place,
            self.held.is_none().then_some(self.choice),
            self.held,
            self.seed,
        )
    }

    /// The actions that it is about.
    pub(crate) fn involved(&self) -> Vec<ActionId> {
        let all = [Some(self.place.action), self.made_by, self.instead_by, self.later];
        let mut all: Vec<ActionId> = all.into_iter().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What a continuation came to.
#[derive(Clone, Debug)]
pub(super) struct Came {
    pub(super) verdict: Verdict,
    pub(super) outcome: Outcome,
    /// If it is known that it needs a longer stall than the recorded run: how long.
    pub(super) stall: Option<LongerStall>,
    /// It fails, but the recorded failure is gone: another one of its kind came.
    pub(super) is_progress: bool,
    /// The run came to be as the record again.
    pub(super) is_again: bool,
}

impl Came {
    /// Was nothing found by it?
    pub(super) const fn is_in_vain(&self) -> bool {
        match self.verdict {
            Verdict::Passes | Verdict::Moved => false,
            Verdict::Same => !self.is_progress,
            Verdict::Another | Verdict::Cut => true,
        }
    }

    pub(super) const fn to(verdict: Verdict, outcome: Outcome) -> Self {
        Self {
            verdict,
            outcome,
            stall: None,
            is_progress: false,
            is_again: false,
        }
    }
}

/// How another way is taken.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// The recorded choice, and the one that is made instead.
    pub(super) made: Option<Choice>,
    pub(super) choice: Choice,
    /// Or what is held back.
    pub(super) held: Option<Held>,
}

impl Course {
    pub(super) const fn taken(made: Choice, choice: Choice) -> Self {
        Self {
            made: Some(made),
            choice,
            held: None,
        }
    }

    pub(super) const fn held(held: Held) -> Self {
        Self {
            made: None,
            choice: Choice::Step,
            held: Some(held),
        }
    }
}

impl Lab<'_> {
    pub(super) fn note(
        &mut self,
        standing: &Player,
        place: Place,
        Course { made, choice, held }: Course,
        came: Came,
    ) -> Result<(), Error> {
        let Came {
            verdict,
            outcome,
            stall,
            is_progress,
            is_again,
        } = came;
        self.answer.flips += 1;
        self.answer.verdicts.count(verdict, stall.is_some());
        let mut one = Tried {
            class: class(&place, (made, choice, held), self.record)?,
            made,
            choice,
            verdict,
            outcome,
            stall,
            is_progress,
            is_again,
            held,
            otherwise: Tally::default(),
            as_recorded: Tally::default(),
            apart: 0,
            weak: Vec::new(),
            made_by: None,
            instead_by: None,
            made_after: None,
            instead_after: None,
            later: None,
            taken: false,
            then: None,
            seed: self.limits.seed,
            place,
        };
        self.sides(standing, &mut one)?;
        self.weigh(&mut one);
        self.tried.push(one);
        Ok(())
    }

    /// Finds the actions whose order was changed, and when they were done.
    fn sides(&self, standing: &Player, one: &mut Tried) -> Result<(), Error> {
        let action = one.place.action;
        let before = ActionId::new(action.pid, action.number.0 - 1);
        let timed = |tag: Tag| standing.look(|system| system.timed(tag));
        (one.made_by, one.made_after) = match one.made {
            Some(Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag)) => (self.cause(tag)?, timed(tag)),
            // What it did instead of being ended came of what it had received.
            Some(Choice::Step) if matches!(one.choice, Choice::Signal(_)) => {
                (Some(self.turn_of(action)?.unwrap_or(action)), None)
            }
            Some(Choice::Timeout) => (Some(action), self.record.waited(action)),
            None => match self
                .record
                .action(action.pid, action.number.0)?
                .map(|action| action.kind)
            {
                Some(Kind::Rec(tag)) => (self.cause(tag)?, timed(tag)),
                _ => (Some(action), None),
            },
            Some(Choice::Step | Choice::Pick(_)) => (Some(action), None),
        };
        let made_at = match one.made {
            Some(Choice::Message(_) | Choice::Signal(_) | Choice::Arrived(_)) => {
                one.made_by.map_or(0, |by| self.record.time(by)) + one.made_after.unwrap_or(0)
            }
            _ => self.record.time(action),
        };
        let instead_at;
        (one.instead_by, one.instead_after, instead_at) = match one.choice {
            // What the other one did to the shared thing: it ended.
            Choice::Signal(_) if one.class == Class::Access => {
                let next = ActionId::new(one.place.pid, one.place.kept.get(one.place.pid) + 1);
                (Some(next), None, self.record.time(next))
            }
            Choice::Message(tag) | Choice::Signal(tag) | Choice::Arrived(tag) => {
                let by = self.cause(tag)?;
                let after = timed(tag);
                let taken = self.record.received(one.place.pid)?.at(tag);
                one.later = taken.map(|n| ActionId::new(one.place.pid, n));
                (by, after, by.map_or(0, |by| self.record.time(by)) + after.unwrap_or(0))
            }
            Choice::Timeout => {
                let after = wait_of(standing, one.place.pid);
                (None, after, self.record.time(before) + after.unwrap_or(0))
            }
            Choice::Step if one.place.pid != action.pid => {
                let next = ActionId::new(one.place.pid, one.place.kept.get(one.place.pid) + 1);
                (Some(next), None, self.record.time(next))
            }
            Choice::Step | Choice::Pick(_) => (None, None, made_at),
        };
        one.apart = made_at.abs_diff(instead_at);
        Ok(())
    }

    /// What a signal comes from: its send. What a process is told of the end of another one, because it asked too late, comes from that end.
    pub(super) fn cause(&self, tag: Tag) -> Result<Option<ActionId>, Error> {
        let Some(send) = self.record.history.find_send(tag)? else {
            return Ok(None);
        };
        let Some(action) = self.record.action(send.pid, send.number.0)? else {
            return Ok(Some(send));
        };
        let end = action.accesses.iter().find_map(|access| match access.resource {
            log_format::Resource::Alive(pid) => access.by.filter(|by| by.pid == pid),
            _ => None,
        });
        Ok(Some(end.unwrap_or(send)))
    }

    /// The send of what a process had received last when it did this.
    pub(super) fn turn_of(&self, action: ActionId) -> Result<Option<ActionId>, Error> {
        for n in (1..=action.number.0).rev().take(TURN) {
            if let Some(Kind::Rec(tag)) = self.record.action(action.pid, n)?.map(|action| action.kind) {
                return self.cause(tag);
            }
        }
        Ok(None)
    }

    /// Notes why a flip says little.
    fn weigh(&self, one: &mut Tried) {
        let failed = [self.failure.action.pid, self.failure.first_process()];
        let is_failing = |pid: Pid| failed.contains(&pid);
        // That it gives up explains nothing: the message was there. But to look whether one is there is an order: `after 0` comes first or last.
        if one.class == Class::TimeoutForMessage && one.instead_after.is_none_or(|after| after > FAR) {
            one.weak.push(Weak::GivesUp);
        }
        let by_failing = match one.choice {
            Choice::Message(tag) => tag.sender().is_some_and(is_failing) && !is_failing(one.place.action.pid),
            Choice::Timeout => is_failing(one.place.action.pid),
            _ => one.place.choice.is_some() && is_failing(one.place.pid),
        };
        if by_failing {
            one.weak.push(Weak::ByFailing);
        }
        if one.apart > FAR {
            one.weak.push(Weak::Far);
        }
        if matches!(one.class, Class::Later) {
            one.weak.push(Weak::Value);
        }
        if one.stall.is_some() {
            one.weak.push(Weak::Stalls);
        }
    }
}

fn class(
    place: &Place,
    (made, choice, held): (Option<Choice>, Choice, Option<Held>),
    record: &Record,
) -> Result<Class, Error> {
    let action = record.action(place.action.pid, place.action.number.0)?;
    let is_input = action.is_some_and(|action| matches!(action.kind, Kind::Input { .. }));
    Ok(match (made, choice) {
        _ if matches!(held, Some(Held::Message(..))) => Class::MessageLast,
        (None, _) => Class::Later,
        _ if place.choice.is_some() => Class::Access,
        _ if is_input => Class::Input,
        (_, Choice::Signal(_)) => Class::Signal,
        (Some(Choice::Timeout), Choice::Message(_)) => Class::MessageForTimeout,
        (Some(Choice::Message(_)), Choice::Timeout) => Class::TimeoutForMessage,
        (Some(Choice::Message(_)), Choice::Message(_)) => Class::Message,
        (Some(Choice::Signal(_)), _) => Class::NoSignal,
        _ => Class::Later,
    })
}
