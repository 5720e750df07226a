//! Standing at a place of the recorded run, off the logs.

use log_format::{ActionId, Cut};
use session::error::Error;
use session::player::free::Knowledge;
use session::player::{Player, Suffixes};

use super::Lab;
use crate::places::Place;
use crate::record::Record;

/// So many actions before the end of the run, and twice as many, and so on, what was known is kept; and at so many places all over it.
const SHORTEST: usize = 128;
const EVERYWHERE: usize = 32;
/// What was known at some places of the recorded order, ascending: the nearer to the end, the closer to each other.
fn past(base: &Player, record: &Record) -> Result<Vec<(usize, Knowledge)>, Error> {
    let mut places = Vec::new();
    let mut back = SHORTEST;
    while back < record.order.len() {
        places.push(record.order.len() - back);
        back *= 2;
    }
    let length = record.order.len();
    places.extend(
        (1..EVERYWHERE)
            .map(|part| length / EVERYWHERE * part)
            .filter(|place| *place > 0),
    );
    places.sort_unstable();
    places.dedup();
    let (mut past, mut cut, mut from) = (Vec::new(), Cut::default(), 0);
    for to in places {
        cut.extend(record.order[from..to].iter().copied());
        from = to;
        let earlier = past.last().map(|(_, knowledge)| knowledge);
        let Some(knowledge) = base.knowledge_at(&cut, earlier)? else {
            break;
        };
        past.push((to, knowledge));
    }
    Ok(past)
}

impl Lab<'_> {
    /// Stands at a place, off the logs.
    pub(super) fn stand(&mut self, place: &Place) -> Result<Player, Error> {
        let rank = |id: ActionId| self.record.rank(id.pid, id.number.0);
        let first = self.waited.map_or(u64::MAX, rank).min(rank(place.action));
        self.off_the_logs(&place.kept, &place.future, first)
    }

    /// Stands at a cut, off the logs. All that comes before the action of this rank is in it.
    pub(super) fn off_the_logs(&mut self, kept: &Cut, future: &Suffixes, first: u64) -> Result<Player, Error> {
        let before = self.base.replayed();
        self.base.go_to_cut(kept, &[])?;
        let mut player = self.base.once();
        if let Some(knowledge) = self.knowledge_before(first)? {
            player.recall(&knowledge)?;
        }
        self.count_stand();
        self.count_replayed(player.replayed().saturating_sub(before));
        player.leave_logs(future)?;
        Ok(player)
    }

    /// Stands before the action of this rank, with nothing recorded beyond it.
    pub(super) fn stand_before(&mut self, first: usize) -> Result<Player, Error> {
        let mut kept = Cut::default();
        for id in &self.record.order[..first] {
            kept.extend_to(*id);
        }
        let mut future = Suffixes::default();
        for pid in self.record.history.processes()? {
            let next = kept.get(pid) + 1;
            if next <= self.record.length(pid).max(1) {
                future.add(ActionId::new(pid, next));
            }
        }
        self.off_the_logs(&kept, &future, first as u64)
    }

    /// What was known before the action of this rank, or some time earlier.
    fn knowledge_before(&mut self, rank: u64) -> Result<Option<Knowledge>, Error> {
        if self.past.is_none() {
            self.past = Some(past(&self.base, self.record)?);
        }
        let past = self.past.as_deref().unwrap_or_default();
        let before = past.iter().rev().find(|(at, _)| *at as u64 <= rank);
        Ok(before.map(|(_, knowledge)| knowledge.clone()))
    }
}
