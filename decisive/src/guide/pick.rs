//! Which step a continuation makes next: near the record, or at random.

use std::collections::BTreeSet;

use log_format::{ActionId, Kind, Pid, SendNo, Tag};
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;
use session::player::history::History;
use session::player::waiting::Takable;
use system::scheduler::mix;

use super::{Guide, Held, wait_of};
use crate::record::LONG;

/// A timeout or timer of at most so many milliseconds can come before work in a random continuation.
const SHORT: u64 = 100;
/// One in so many steps of a random continuation is a short timeout, if there is one.
const RARELY: usize = 12;
/// Of more processes, a random continuation does not draw those first that can do nothing.
const MANY: usize = 512;

impl Guide<'_> {
    fn draw(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let high = (u128::from(mix(self.state)) * below as u128) >> 64;
        usize::try_from(high).unwrap_or(0)
    }

    pub(super) fn pick(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        if player.look(|system| system.observer.halted.is_some()) {
            return Ok(None);
        }
        self.begin(player);
        self.refresh(player)?;
        if let Some(Held::Sort(_)) = self.plan.held {
            return self.pick_with_sort_held(player);
        }
        if self.plan.random.is_some() {
            return self.pick_any(player);
        }
        if self.plan.held.is_some() && self.held > 0 {
            self.hold();
            if let Some(found) = self.pick_of(player, false)? {
                return Ok(Some(found));
            }
            self.let_go();
        }
        self.pick_of(player, true)
    }

    /// A step while a sort of actions is held back; where there is none, the first of these.
    fn pick_with_sort_held(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        let found = match self.plan.random {
            Some(_) => self.pick_untimed(player)?,
            None => self.pick_of(player, false)?,
        };
        if found.is_some() {
            return Ok(found);
        }
        for pid in self.index.living().collect::<Vec<Pid>>() {
            if !self.tired.contains(&pid) {
                self.index.revive(pid);
                self.rest(pid);
            }
        }
        self.lets_one_go = true;
        let found = match self.plan.random {
            Some(_) => self.pick_any(player),
            None => self.pick_of(player, true),
        };
        self.lets_one_go = false;
        found
    }

    /// One more step while something is held back.
    pub(super) fn hold(&mut self) {
        self.held -= 1;
        if self.held == 0 {
            self.let_go();
        }
    }

    fn pick_any(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        if self.plan.held.is_some() && !self.lets_one_go && self.held > 0 {
            self.hold();
            if let Some(found) = self.pick_untimed(player)? {
                return Ok(Some(found));
            }
            if let Some(found) = self.look_in_vain(player)? {
                return Ok(Some(found));
            }
            self.let_go();
        }
        if !self.plan.calm
            && self.draw(RARELY) == 0
            && let Some((when, pid, choice)) = self.due(player)?
            && when <= self.now() + self.plan.stall.map_or(SHORT, |stall| stall.min(SHORT))
        {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        if let Some(found) = self.pick_untimed(player)? {
            return Ok(Some(found));
        }
        if let Some((when, pid, choice)) = self.due(player)? {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        match self.rest_all().into_iter().min() {
            Some(pid) => Ok(self.choices(player, pid)?.first().map(|choice| (pid, *choice))),
            None => Ok(None),
        }
    }

    /// What a process can do that needs no time, unless it is tired.
    fn untimed(&mut self, player: &mut Player, pid: Pid) -> Result<Vec<Choice>, Error> {
        let mut choices = self.choices(player, pid)?;
        choices.retain(|choice| !self.is_timed(*choice));
        if self.tired.contains(&pid) {
            choices.clear();
        }
        Ok(choices)
    }

    /// One of the things that a process can do without time, unless it is tired.
    fn draw_untimed(&mut self, player: &mut Player, pid: Pid) -> Result<Option<Choice>, Error> {
        if self.plan.held.is_none() && self.is_kept(player, pid)? {
            let many = self.index.messages(pid).all.len();
            if many == 0 || self.tired.contains(&pid) {
                return Ok(None);
            }
            let at = self.draw(many);
            return Ok(self.index.messages(pid).all.get(at).copied());
        }
        let choices = self.untimed(player, pid)?;
        if choices.is_empty() {
            return Ok(None);
        }
        let at = self.draw(choices.len());
        Ok(Some(choices[at]))
    }

    /// Are the messages kept that a process can take? They are looked at first.
    fn is_kept(&mut self, player: &mut Player, pid: Pid) -> Result<bool, Error> {
        self.looks += 1;
        if self.index.is_unknown(pid) {
            self.find_choices(player, pid)?;
        }
        Ok(self.index.known(pid).is_some_and(|known| known.takes_kept))
    }

    /// Of the messages that are kept, the one that a process which has departed takes first.
    fn first_kept(&mut self, player: &Player, pid: Pid) -> Result<Option<Choice>, Error> {
        if self.index.messages(pid).in_order.is_none() {
            let mut in_order = BTreeSet::new();
            for choice in self.index.messages(pid).all.clone() {
                if let Choice::Message(tag) = choice {
                    in_order.insert(self.place_of(player.history(), pid, tag)?);
                }
            }
            self.index.messages(pid).in_order = Some(in_order);
        }
        let in_order = self.index.messages(pid).in_order.as_ref();
        let first = in_order.and_then(|all| all.first().copied());
        Ok(first.map(|(_, _, tag)| Choice::Message(tag)))
    }

    /// Puts what has come in the order in which a process that has departed takes it, and takes out what is gone.
    pub(super) fn put_in_order(&mut self, player: &Player, pid: Pid, takable: &Takable) -> Result<(), Error> {
        let Some(mut in_order) = self.index.messages(pid).in_order.take() else {
            return Ok(());
        };
        for (tag, is_there) in &takable.news {
            let place = self.place_of(player.history(), pid, *tag)?;
            match is_there {
                true => in_order.insert(place),
                false => in_order.remove(&place),
            };
        }
        self.index.messages(pid).in_order = Some(in_order);
        Ok(())
    }

    /// The place of a message among those that a process which has departed can take.
    fn place_of(&mut self, history: &History, pid: Pid, tag: Tag) -> Result<(u64, u64, Tag), Error> {
        Ok((self.received(history, pid, tag)?, self.sent(history, tag)?, tag))
    }

    /// At random, something that needs no time.
    fn pick_untimed(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        let seed = self.plan.random.unwrap_or(0);
        if self.plan.calm && seed.is_multiple_of(2) {
            while let Some(highest) = self.index.highest() {
                if let Some(choice) = self.draw_untimed(player, highest.1)? {
                    return Ok(Some((highest.1, choice)));
                }
                self.index.nothing_drawn(highest);
            }
            return Ok(None);
        }
        if self.index.len() > MANY {
            return self.pick_able(player);
        }
        let mut left: Vec<Pid> = self.index.living().collect();
        while !left.is_empty() {
            let at = self.draw(left.len());
            let pid = left.swap_remove(at);
            if self.index.is_vain(pid) {
                continue;
            }
            if let Some(choice) = self.draw_untimed(player, pid)? {
                return Ok(Some((pid, choice)));
            }
        }
        Ok(None)
    }

    /// As [`Self::pick_untimed`], with a draw among those only that can do something.
    fn pick_able(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        self.find_all(player)?;
        while !self.index.able().is_empty() {
            let at = self.draw(self.index.able().len());
            let pid = self.index.able()[at];
            if let Some(choice) = self.draw_untimed(player, pid)? {
                return Ok(Some((pid, choice)));
            }
            self.index.not_able(pid);
        }
        Ok(None)
    }

    /// Looks at the choices of all that have changed.
    fn find_all(&mut self, player: &mut Player) -> Result<(), Error> {
        while let Some(pid) = self.index.first_unknown() {
            self.find_choices(player, pid)?;
        }
        Ok(())
    }

    pub(super) fn pick_of(&mut self, player: &mut Player, all: bool) -> Result<Option<(Pid, Choice)>, Error> {
        while let Some((pid, sync)) = self.index.first_recorded() {
            if sync && let Some(can) = self.can_take_recorded(player, pid)? {
                match can {
                    Some(choice) => return Ok(Some((pid, choice))),
                    None => {
                        self.index.nothing_recorded(pid);
                        continue;
                    }
                }
            }
            let is_held = self.plan.held.is_some() && self.held > 0;
            let found = if !sync && !is_held && self.is_kept(player, pid)? {
                self.first_kept(player, pid)?
            } else {
                let choices = self.choices(player, pid)?;
                match sync {
                    _ if choices.is_empty() => None,
                    true => self.as_recorded(player, pid, &choices)?,
                    false => self.first_of(player, pid, &choices)?,
                }
            };
            if let Some(Choice::Message(tag)) = found
                && !sync
                && self.plan.near
                && let Some(then) = self.rank_then(player.history(), pid, tag)?
                && self.index.standing(pid).is_some_and(|(rank, _)| rank < then)
            {
                // Another message that came before it then may still be sent.
                self.index.postpone(pid, then);
                continue;
            }
            if let Some(choice) = found {
                return Ok(Some((pid, choice)));
            }
            self.index.nothing_recorded(pid);
        }
        // Nothing that was recorded.
        while let Some(pid) = self.index.first_other() {
            if (self.plan.held.is_none() || self.held == 0) && self.is_kept(player, pid)? {
                if let Some(choice) = self.first_kept(player, pid)? {
                    return Ok(Some((pid, choice)));
                }
                self.index.nothing_else(pid);
                continue;
            }
            let choices = self.choices(player, pid)?;
            if let Some(choice) = self.first_of(player, pid, &choices)? {
                return Ok(Some((pid, choice)));
            }
            if let Some(signal) = choices.iter().find(|choice| matches!(choice, Choice::Signal(_))) {
                return Ok(Some((pid, *signal)));
            }
            self.index.nothing_else(pid);
        }
        if !all {
            return self.look_in_vain(player);
        }
        if let Some((when, pid, choice)) = self.due(player)? {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        for pid in self.rest_all() {
            if let Some(choice) = self.choices(player, pid)?.first() {
                return Ok(Some((pid, *choice)));
            }
        }
        Ok(None)
    }

    /// A process that only looks whether a message is there (`after 0`), and finds none: that takes no time.
    fn look_in_vain(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        self.find_all(player)?;
        let can = |pid: &Pid| !self.tired.contains(pid) && !self.is_held(*pid, Choice::Timeout);
        Ok(self.index.looking().find(can).map(|pid| (pid, Choice::Timeout)))
    }

    /// The recorded message of a process whose choices must be looked at, if it can take it now. The others are not judged. `None`: they must be.
    fn can_take_recorded(&mut self, player: &mut Player, pid: Pid) -> Result<Option<Option<Choice>>, Error> {
        if !self.index.is_unknown(pid) || matches!(self.plan.held, Some(Held::Sort(_))) {
            return Ok(None);
        }
        let next = player.done(pid) + 1;
        let Some(old) = self.recorded(player.history(), pid)? else {
            return Ok(None);
        };
        let Some(Kind::Rec(tag)) = self.record.action(old, next)?.map(|action| action.kind) else {
            return Ok(None);
        };
        // Its sender has the same name here.
        let choice = Choice::Message(tag);
        let is_usual = self.plan.waited != Some(ActionId::new(old, next))
            && !self.is_held(pid, choice)
            && !self.is_timed(choice)
            && self.tag(player.history(), tag)? == tag;
        if !is_usual {
            return Ok(None);
        }
        self.looks += 1;
        let before = player.judged();
        let can = player.can_take(pid, tag)?;
        self.judged += player.judged() - before;
        self.note_others(player, pid)?;
        Ok(can.map(|can| can.then_some(choice)))
    }

    /// The recorded choice of a process, if it can make it now.
    fn as_recorded(&mut self, player: &Player, pid: Pid, choices: &[Choice]) -> Result<Option<Choice>, Error> {
        let next = player.done(pid) + 1;
        let Some(old) = self.recorded(player.history(), pid)? else {
            return Ok(None);
        };
        let Some(action) = self.record.action(old, next)? else {
            return Ok(None);
        };
        let wanted = Choice::of(&action);
        for &choice in choices {
            let same = match choice {
                Choice::Message(tag) => Choice::Message(self.tag(player.history(), tag)?),
                Choice::Signal(tag) => Choice::Signal(self.tag(player.history(), tag)?),
                Choice::Arrived(tag) => Choice::Arrived(self.tag(player.history(), tag)?),
                Choice::Step | Choice::Timeout | Choice::Pick(_) => choice,
            };
            let put_off = self.plan.waited == Some(ActionId::new(old, next));
            if same != wanted || put_off {
                continue;
            }
            let (wait, when) = match choice {
                Choice::Timeout => (wait_of(player, pid), self.waits.get(&(pid, next - 1))),
                Choice::Message(tag) => (player.look(|system| system.timed(tag)), self.timers.get(&tag)),
                _ => (None, None),
            };
            let (wait, when) = (wait.unwrap_or(0), when.copied().unwrap_or(0));
            // What is held back waits for work of the others, and not for their sleep.
            let is_held = choice == Choice::Timeout
                && matches!(self.plan.held, Some(Held::Process(_) | Held::Message(..)))
                && self.held > 0;
            let is_early = wait <= LONG || self.at_once.contains(&ActionId::new(old, next));
            let comes_now = wait == 0 || when <= self.now() || is_early && !self.plan.strict;
            if !comes_now || is_held && wait > 0 {
                continue;
            }
            self.pass_to(when);
            return Ok(Some(choice));
        }
        Ok(None)
    }

    /// A step, or the message that it would have received first.
    fn first_of(&mut self, player: &Player, pid: Pid, choices: &[Choice]) -> Result<Option<Choice>, Error> {
        if choices.contains(&Choice::Step) {
            return Ok(Some(Choice::Step));
        }
        if choices.contains(&Choice::Pick(0)) {
            return Ok(Some(Choice::Pick(0)));
        }
        let mut best: Option<(u64, u64, Tag)> = None;
        for &choice in choices {
            if let Choice::Message(tag) = choice
                && !self.is_timed(choice)
            {
                let at = self.place_of(player.history(), pid, tag)?;
                if best.is_none_or(|known| at < known) {
                    best = Some(at);
                }
            }
        }
        Ok(best.map(|(_, _, tag)| Choice::Message(tag)))
    }

    /// The place of a message in the record of its receiver.
    fn received(&mut self, history: &History, pid: Pid, tag: Tag) -> Result<u64, Error> {
        let Some(old) = self.recorded(history, pid)? else {
            return Ok(u64::MAX);
        };
        let tag = self.tag(history, tag)?;
        let received = self.record.received(old)?;
        let later = match tag {
            // The numbers of its sender may be others now.
            Tag::Sent { by, k } => received.at(tag).or_else(|| received.from(by, k)),
            _ => received.at(tag),
        };
        Ok(later.unwrap_or(u64::MAX))
    }

    /// The place in the order of the record of the receive of a message, if it was received there.
    fn rank_then(&mut self, history: &History, pid: Pid, tag: Tag) -> Result<Option<u64>, Error> {
        let place = self.received(history, pid, tag)?;
        let old = self.recorded(history, pid)?;
        Ok(old
            .filter(|_| place != u64::MAX)
            .map(|old| self.record.rank(old, place)))
    }

    /// When a message was sent: in the record, or later than all of it.
    fn sent(&self, history: &History, tag: Tag) -> Result<u64, Error> {
        const LATER: u64 = 1 << 40;
        if let Tag::Sent { by, k: SendNo(k) } = tag
            && let Some(step) = self.sent.get(&(by, k))
        {
            return Ok(LATER + step);
        }
        Ok(match history.find_send(tag)? {
            Some(send) if self.record.has(send.pid) => self.record.rank(send.pid, send.number.0),
            _ => LATER,
        })
    }

    /// The earliest timeout or timer.
    fn due(&mut self, player: &mut Player) -> Result<Option<(u64, Pid, Choice)>, Error> {
        self.find_all(player)?;
        let choice = |pid: Pid, place: usize| self.index.known(pid)?.choices.get(place).copied();
        let mut all = self.index.due().filter_map(|(when, pid, place)| {
            let choice = choice(pid, place)?;
            Some((when, pid, choice))
        });
        Ok(all.find(|(_, pid, choice)| !self.is_held(*pid, *choice)))
    }
}
