//! What a continuation costs: an alternative counts only as far as it could happen as easily as the recorded run.

use delay::{Extent, Judged, Measure};
use log_format::ActionId;
use session::Goal;
use session::error::Error;
use session::player::Player;

use super::Lab;
use crate::failure::Verdict;
use crate::guide::Guide;

/// Longer runs are not measured.
const LONGEST: u64 = 300_000;

/// The stall of a run in milliseconds, up to an action. `None`: that is not known. `u64::MAX`: it cannot happen at all.
fn stall_of(judged: Judged, upto: Option<ActionId>) -> Option<u64> {
    match judged {
        Judged::Measured(measure) => measure.is_complete().then(|| measure.stall(upto).ms),
        Judged::Impossible => Some(u64::MAX),
        Judged::TooLong => None,
    }
}

/// Does a run need a longer stall than the recorded one? What is not known does not count.
pub(super) fn exceeds(now: Option<u64>, recorded: Option<u64>) -> bool {
    now.zip(recorded).is_some_and(|(now, recorded)| now > recorded)
}

impl Lab<'_> {
    /// The stall of the recorded run, up to its failure.
    pub(super) fn recorded_stall(&mut self) -> Result<Option<u64>, Error> {
        if let Some(known) = self.stall {
            return Ok(known);
        }
        let session = self.base.session();
        let stall = match self.answer.actions <= LONGEST {
            true => {
                let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
                let upto = (!self.failure.waits && !self.failure.is_none()).then_some(self.failure.action);
                stall_of(Measure::judge(replay, Extent::Ended)?, upto)
            }
            false => None,
        };
        self.stall = Some(stall);
        Ok(stall)
    }

    /// Judges a continuation by its stall, too.
    pub(super) fn priced(&mut self, player: &Player, guide: &Guide<'_>, verdict: Verdict) -> Result<Verdict, Error> {
        let counts = !matches!(verdict, Verdict::Cut | Verdict::Stalls);
        if !counts || !guide.timed && !self.record.is_timed() || player.history().total() > LONGEST {
            return Ok(verdict);
        }
        let recorded = self.recorded_stall()?;
        let entry = self.failure.first_process();
        let has_ended = !player.living().contains(&entry);
        let upto = has_ended.then(|| ActionId::new(entry, player.done(entry)));
        let judged = Measure::judge(|probe| player.replay_for(probe), Extent::Ended)?;
        self.work = self
            .work
            .saturating_add(player.history().total().saturating_mul(self.weight) / 8);
        Ok(match exceeds(stall_of(judged, upto), recorded) {
            true => Verdict::Stalls,
            false => verdict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_counts_if_it_needs_no_longer_stall_than_the_recorded_one() {
        assert!(!exceeds(Some(0), Some(0)) && !exceeds(Some(5), Some(5)));
        assert!(exceeds(Some(6), Some(5)) && exceeds(Some(u64::MAX), Some(1_000)));
        // What was not measured is not held against it.
        assert!(!exceeds(None, Some(0)) && !exceeds(Some(9), None));
    }
}
