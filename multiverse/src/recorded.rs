//! A point of a recorded run, from which a search goes on: what could have followed it.

use std::sync::Arc;

use log_format::{ActionId, Cut};
use session::player::free::Choice;
use session::player::{Player, Suffixes};
use session::{Error, Session};

use crate::debugger::{Deed, UniversePoint};
use crate::graphs::is_drawn;

/// A point of a recorded run: what had happened there. That is all that an action depends on, and what read before something that was written by
/// then. So the recorded run is one of those that can follow.
#[derive(Clone, Debug)]
pub struct RecordedPoint {
    pub(crate) cut: Cut,
    pub(crate) point: Arc<UniversePoint>,
}

impl RecordedPoint {
    /// Right after a point of the run of a session; `before`: right before its action.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn of(session: &Session, point: &causality::Point, before: bool) -> Result<Self, Error> {
        let trace = session.trace();
        let conflicts = causality::Conflicts::scan(trace)?;
        let mut cut = causality::conflict_past_of_all(trace, &conflicts, [point.id()])?;
        if before && point.action.0 > 0 {
            cut.set(point.pid, point.action.0 - 1);
        }
        let history = Player::new(session, 0)?.history().clone();
        let mut deeds = Vec::new();
        for stretch in causality::conflict_order(trace, &conflicts, &cut)? {
            let stretch = stretch?;
            for entry in history.stretch(stretch.pid, stretch.first.0 - 1, stretch.last.0)? {
                deeds.push(Deed {
                    pid: stretch.pid,
                    choice: Choice::of(&entry.action),
                    acts: true,
                    word: Some(entry.action.kind.word()),
                    drawn: is_drawn(&entry.action).then(|| entry.action.clone()),
                });
            }
        }
        Ok(Self {
            cut,
            point: Arc::new(UniversePoint {
                kept: deeds.len(),
                deeds,
                passed: Vec::new(),
            }),
        })
    }

    /// What had happened.
    #[must_use]
    pub const fn cut(&self) -> &Cut {
        &self.cut
    }

    /// The point, for a debugger.
    #[must_use]
    pub fn point(&self) -> UniversePoint {
        UniversePoint::clone(&self.point)
    }

    /// A player at this point, all of whose processes have left their logs.
    pub(crate) fn player(&self, start: &Player) -> Result<Player, Error> {
        let history = start.history().clone();
        let mut rest = Suffixes::default();
        for pid in history.processes()? {
            if history.length(pid)?.unwrap_or(0) > self.cut.get(pid) {
                rest.add(ActionId::new(pid, self.cut.get(pid) + 1));
            }
        }
        let mut player = start.at_part(history, &self.cut)?;
        player.leave_logs(&rest)?;
        Ok(player)
    }
}
