//! Processes and messages that wait until the others have done all they can.

use log_format::{ActionId, Kind, Pid, Tag};
use session::error::Error;
use session::player::Player;
use session::view::Act;

use super::note::Course;
use super::{Lab, Limits, Phase};
use crate::answer::Weak;
use crate::failure::Verdict;
use crate::guide::{Guide, Held};
use crate::places::{Place, Places};
use crate::record::FAR;

/// Actions that are held back, and of these, those that are in any case.
const LATER: usize = 30;
const NEAREST: usize = 8;

/// A write that a process saw only in a run with another choice.
enum Wrote {
    /// The record has it, too.
    Recorded(ActionId),
    /// Only that run has it.
    Only(Box<Act>),
}

impl<'r> Lab<'r> {
    /// Uses of shared things that come only when the others have done all they can.
    pub(super) fn hold_back(&mut self, places: &mut Places<'r>) -> Result<(), Error> {
        let mut left = LATER;
        places.again(&self.ends());
        while let Some((_, id)) = places.next_action()? {
            if places.passes_over(id) {
                continue;
            }
            let Some(action) = self.record.action(id.pid, id.number.0)? else {
                continue;
            };
            let uses = action.accesses.iter().any(tells_of);
            let is_failing = id.pid == self.failure.action.pid || id.pid == self.failure.first_process();
            // Of the failing process itself, only what another message would have changed.
            let own_receipt = is_failing && matches!(action.kind, Kind::Rec(_));
            // Nor did it look whether a message was there too early.
            let own_look = is_failing && action.kind == Kind::After;
            if !uses && !own_receipt && !own_look && !matches!(action.kind, Kind::Rec(_)) {
                continue;
            }
            // What is nearest to the failure is held back also where the limits of other choices are reached.
            let is_bounded = self.limits.flips < Limits::LEAST || self.work >= self.work_upto(Phase::Hold);
            let is_near = left + NEAREST > LATER && !is_bounded;
            if left == 0 || !is_near && self.is_enough(0) || !self.has_time() {
                break;
            }
            left -= 1;
            let place = places.before(id)?;
            let last = self.from.unwrap_or(self.failure.action);
            if place.kept.get(last.pid) >= last.number.0 && self.waited.is_none() {
                continue;
            }
            let standing = self.stand(&place)?;
            if let Kind::Rec(tag) = action.kind
                && self.hold_message(&standing, &place, tag)?
            {
                continue;
            }
            if own_receipt && !uses {
                continue;
            }
            let held = Held::Process(id.pid);
            let mut player = standing.clone();
            let (mut guide, came) = self.run_near(&mut player, Some(held), None)?;
            let before = self.conflicting(&place, &action)?;
            let then = match came.verdict {
                Verdict::Passes => self.wrote(&mut guide, &player, &place, &action)?,
                _ => None,
            };
            let is_news = came.is_progress || matches!(came.verdict, Verdict::Passes | Verdict::Moved);
            let is_forced = is_news && then.is_none() && !self.is_free(id, before)?;
            self.note(&standing, place, Course::held(held), came)?;
            if let Some(one) = self.tried.last_mut() {
                if is_forced {
                    one.weak.push(Weak::Undecided);
                    one.is_progress = false;
                }
                one.instead_by = before.or(one.instead_by);
                if then.is_some() {
                    // Then it is known whose write came too late.
                    one.weak.retain(|weak| *weak != Weak::Value);
                }
                match then {
                    Some(Wrote::Recorded(by)) => one.instead_by = Some(by),
                    Some(Wrote::Only(act)) => (one.instead_by, one.then) = (None, Some(*act)),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Could this use of a shared thing come after the other one? Not if that one needs it, such as the creation of a table, or if there is none: then
    /// the run ended well because all was drawn anew, and no order of these two is why.
    fn is_free(&self, id: ActionId, other: Option<ActionId>) -> Result<bool, Error> {
        let Some(other) = other else { return Ok(false) };
        let past = self.base.past(other)?;
        Ok(past.get(id.pid) < id.number.0)
    }

    /// Lets a message come last. Is the failure gone, and is it known what came first instead?
    fn hold_message(&mut self, standing: &Player, place: &Place, tag: Tag) -> Result<bool, Error> {
        let held = Held::Message(place.pid, tag);
        let mut player = standing.clone();
        let (mut guide, came) = self.run_near(&mut player, Some(held), None)?;
        if came.verdict != Verdict::Passes || player.done(place.pid) <= place.kept.get(place.pid) {
            return Ok(false);
        }
        let first = player.history().action(place.pid, place.kept.get(place.pid) + 1)?;
        let Kind::Rec(taken_first) = first.kind else {
            return Ok(false);
        };
        let other = guide.tag(player.history(), taken_first)?;
        let other = self.record.counterpart(place.pid, place.kept.get(place.pid), other)?;
        let taken = self.record.received(place.pid)?.at(other);
        let is_later = taken.is_none_or(|n| n > place.action.number.0);
        let is_other = |by: &ActionId| is_later && other != tag && by.pid != place.pid;
        let by = self.cause(other)?.filter(is_other);
        let only_then = match by {
            // Its sender had not come to it when the run failed.
            None if other != tag => self.send_of(&player, taken_first, place.pid)?,
            _ => None,
        };
        if by.is_none() && only_then.is_none() {
            return Ok(false);
        }
        self.note(standing, place.clone(), Course::held(held), came)?;
        if let Some(one) = self.tried.last_mut() {
            (one.instead_by, one.then) = (by, only_then);
            one.later = taken.map(|n| ActionId::new(place.pid, n));
            let at = |by: Option<ActionId>| by.map_or(0, |by| self.record.time(by));
            one.apart = by.map_or(0, |by| at(one.made_by).abs_diff(at(Some(by))));
            one.weak.retain(|weak| *weak != Weak::Far);
            if one.apart > FAR {
                one.weak.push(Weak::Far);
            }
        }
        Ok(true)
    }

    /// Whose write of a shared thing a process saw because it used it later: an action of the record, or one that only this run has.
    fn wrote(
        &self,
        guide: &mut Guide<'_>,
        player: &Player,
        place: &Place,
        made: &log_format::Action,
    ) -> Result<Option<Wrote>, Error> {
        let n = place.action.number.0;
        if player.done(place.pid) < n {
            return Ok(None);
        }
        let now = player.history().action(place.pid, n)?;
        let is_new = |by: &ActionId| by.pid != place.pid && !made.accesses.iter().any(|access| access.by == Some(*by));
        let seen = now
            .accesses
            .iter()
            .filter(|access| made.accesses.iter().any(|one| one.resource == access.resource));
        let Some(by) = seen.filter_map(|access| access.by).find(is_new) else {
            return Ok(None);
        };
        if guide.recorded(player.history(), by.pid)? != Some(by.pid) {
            return Ok(None);
        }
        let recorded = self.record.action(by.pid, by.number.0)?;
        if recorded.is_some() && recorded == Some(player.history().action(by.pid, by.number.0)?) {
            return Ok(Some(Wrote::Recorded(by)));
        }
        let acts = session::scene::acts(&player.told()?, &[by], &self.bounds)?;
        let act = acts.into_iter().flatten().next().filter(|act| act.place.is_some());
        Ok(act.map(|act| Wrote::Only(Box::new(act))))
    }

    /// The send of a message that only this run has, by another process than its receiver.
    fn send_of(&self, player: &Player, message: Tag, receiver: Pid) -> Result<Option<Act>, Error> {
        let Some(send) = player.history().find_send(message)?.filter(|send| send.pid != receiver) else {
            return Ok(None);
        };
        let acts = session::scene::acts(&player.told()?, &[send], &self.bounds)?;
        Ok(acts.into_iter().flatten().next().filter(|act| act.place.is_some()))
    }

    /// The first action of another process that comes after this one because both use the same thing.
    fn conflicting(&self, place: &Place, action: &log_format::Action) -> Result<Option<ActionId>, Error> {
        let mut found: Option<ActionId> = None;
        for other in place.future.starts().filter(|start| start.pid != place.action.pid) {
            if let Some(late) = self.record.action(other.pid, other.number.0)?
                && multiverse::alternatives::are_in_conflict((place.action, action), (other, &late))
                && found.is_none_or(|known| other < known)
            {
                found = Some(other);
            }
        }
        Ok(found)
    }
}

/// Does this use tell what others have done?
fn tells_of(access: &log_format::Access) -> bool {
    // What has only a name is used by many for themselves; but a look at it is one at others.
    tells(access.resource) || !access.write && matches!(access.resource, log_format::Resource::Other(_))
}

/// Does a read of this tell what others have done?
pub(super) const fn tells(resource: log_format::Resource) -> bool {
    use log_format::Resource;
    matches!(
        resource,
        Resource::Table(_)
            | Resource::TableKey { .. }
            | Resource::TableContents(_)
            | Resource::Name(_)
            | Resource::Alive(_)
    )
}
