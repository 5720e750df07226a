//! Waits that the clock alone decides.
//!
//! A timeout after some time, or the message of a timer, comes when its time is up. What else happens after another choice is made may come
//! before: an answer that was awaited in vain. So such a wait is taken back with every choice before it, and comes again only when nothing else can
//! happen ([`Guide`]). That is right for those that come so in the recorded run, too. A timeout that came although a message was there, because
//! its process was held up, is a choice of its own.

use log_format::{ActionId, Pid};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;

use super::Lab;
use crate::failure::Verdict;
use crate::guide::{Guide, Plan};
use crate::places::Place;

/// Only waits among so many actions before the failure are looked at.
const LAST: usize = 8_000;
/// So many timeouts of processes that were held up are found one by one. With more, no wait is taken back.
const HELD_UP: usize = 6;

impl Lab<'_> {
    /// Finds the waits before the failure that the clock alone decides: when the run is repeated, and they come when nothing else can happen, their
    /// processes do as recorded.
    pub(super) fn find_waits_by_clock(&mut self) -> Result<(), Error> {
        let rank = |id: ActionId| usize::try_from(self.record.rank(id.pid, id.number.0)).unwrap_or(usize::MAX);
        let length = self.record.order.len();
        let last = self.from.unwrap_or(self.failure.action);
        let end = if self.failure.waits {
            length
        } else {
            rank(last).min(length)
        };
        let start = end.saturating_sub(LAST);
        let is_near = |id: &&ActionId| (start..end).contains(&rank(**id));
        let waits: Vec<ActionId> = self.record.long_waits().iter().filter(is_near).copied().collect();
        let Some(first) = waits.first().map(|first| rank(*first)) else {
            return Ok(());
        };
        let standing = self.stand_before(first)?;
        let mut held_up = FxHashSet::default();
        while held_up.len() <= HELD_UP && self.has_time() {
            let mut player = standing.clone();
            match self.first_departure(&mut player, &waits, &held_up)? {
                None => {
                    self.by_clock = waits.into_iter().filter(|wait| !held_up.contains(wait)).collect();
                    return Ok(());
                }
                Some(departure) if waits.contains(&departure) && held_up.insert(departure) => {}
                Some(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Stands at a place without the waits that end later, if that is another position; with the choices there.
    pub(super) fn stand_without_later_waits(
        &mut self,
        place: &Place,
    ) -> Result<Option<(Player, Place, Vec<Choice>)>, Error> {
        let Some(place) = place.without_later_waits() else {
            return Ok(None);
        };
        let mut player = self.stand(&place)?;
        let choices = player.choices(place.pid)?;
        Ok(Some((player, place, choices)))
    }

    /// Repeats the rest of the run. The first action up to one of these waits, in its process, that is another one now; `None`: the waits come as
    /// recorded, and the run fails so.
    fn first_departure(
        &mut self,
        player: &mut Player,
        waits: &[ActionId],
        held_up: &FxHashSet<ActionId>,
    ) -> Result<Option<ActionId>, Error> {
        let plan = Plan {
            entry: self.failure.entry(),
            steps: self.continuation(player),
            ..Plan::default()
        };
        let mut guide = Guide::new(self.record, plan).with_waits(held_up);
        let ended = guide.finish(player)?;
        self.count_steps(guide.step);
        let verdict = self.failure.judge(player, ended, &mut guide)?;
        let mut until: FxHashMap<Pid, u64> = FxHashMap::default();
        for wait in waits {
            let until = until.entry(wait.pid).or_default();
            *until = wait.number.0.max(*until);
        }
        let mut first: Option<(u64, ActionId)> = None;
        for pid in player.history().processes()? {
            let part = guide.recorded(player.history(), pid)?;
            let Some(last) = part.and_then(|part| until.remove(&part)) else {
                continue;
            };
            if let Some((Some(old), number)) = guide.departure(player.history(), pid)?
                && number <= last
            {
                let rank = self.record.rank(old, number);
                if first.is_none_or(|(known, _)| rank < known) {
                    first = Some((rank, ActionId::new(old, number)));
                }
            }
        }
        // A process that is not there has not waited either.
        let is_same = until.is_empty() && (verdict == Verdict::Same || self.failure.is_none());
        Ok(first.map(|(_, id)| id).or((!is_same).then_some(self.failure.action)))
    }
}
