//! What a continuation costs: one that avoids the failure says something only if it can happen as easily as the recorded run did.
//!
//! The stall of a run ([`delay`]) is for how long something must have been held up. The recorded run is measured up to its failure; a continuation up to
//! where the process that failed has got past that place, or has ended: what happens afterwards is no part of it. A record that failed because a
//! timeout came too early has a stall of its own, which is the limit then.

use delay::{Extent, Judged, Measure};
use log_format::ActionId;
use session::Goal;
use session::error::Error;
use session::player::Player;

use super::Lab;
use crate::answer::LongerStall;
use crate::guide::Guide;

/// Computing takes some time, too: what needs a stall of at most so many milliseconds can happen in any run. Of 33 documented bugs, 31 need no more.
pub(super) const ALWAYS: u64 = 1;
/// Runs of more actions are not measured.
const LONGEST: u64 = 100_000;
/// So many continuations are measured.
const MEASURED: u64 = 40;

/// The stall of a run in milliseconds, up to an action.
fn stall_of(judged: &Judged, upto: Option<ActionId>) -> Stall {
    match judged {
        Judged::Measured(measure) => {
            let ms = measure.stall(upto).ms;
            match measure.is_complete() {
                true => Stall::Of(ms),
                false => Stall::AtLeast(ms),
            }
        }
        Judged::Impossible => Stall::Impossible,
        Judged::TooLong => Stall::AtLeast(0),
    }
}

/// What is known of a stall, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stall {
    Of(u64),
    AtLeast(u64),
    /// No order of arrival allows the run.
    Impossible,
}

/// Is a stall longer than that of the recorded run? What is not known does not count.
fn longer(now: Stall, recorded: u64) -> Option<LongerStall> {
    let ms = match now {
        Stall::Of(ms) | Stall::AtLeast(ms) if ms <= recorded.max(ALWAYS) => return None,
        Stall::Of(ms) | Stall::AtLeast(ms) => Some(ms),
        Stall::Impossible => None,
    };
    Some(LongerStall { ms, recorded })
}

impl Lab<'_> {
    /// The stall of the recorded run, up to its failure. `None`: it is not known.
    pub(super) fn recorded_stall(&mut self) -> Result<Option<u64>, Error> {
        if let Some(known) = self.stall {
            return Ok(known);
        }
        if self.answer.actions > LONGEST {
            self.stall = Some(None);
            return Ok(None);
        }
        let session = self.base.session();
        let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
        let upto = (!self.failure.waits).then_some(self.failure.action);
        let stall = match stall_of(&Measure::judge(replay, Extent::Ended)?, upto) {
            Stall::Of(ms) => Some(ms),
            Stall::AtLeast(_) | Stall::Impossible => None,
        };
        self.stall = Some(stall);
        self.count_replayed(self.answer.actions);
        Ok(stall)
    }

    /// Does a continuation that has come to its end need a longer stall than the recorded run? `None` also if that is not known.
    pub(super) fn longer_stall(
        &mut self,
        player: &Player,
        guide: &mut Guide<'_>,
    ) -> Result<Option<LongerStall>, Error> {
        let actions = player.history().total();
        // Where nothing waits for a time, nothing was held up for one.
        let is_timed = guide.timed || self.waits_for_time && !guide.holds() || self.record.is_timed();
        if !is_timed || actions > LONGEST || self.measured >= MEASURED {
            return Ok(None);
        }
        let Some(recorded) = self.recorded_stall()? else {
            return Ok(None);
        };
        self.measured += 1;
        let upto = self.failure.place_in(player, guide)?;
        let judged = Measure::judge(|probe| player.replay_for(probe), Extent::Ended)?;
        self.count_replayed(actions);
        Ok(longer(stall_of(&judged, upto), recorded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_counts_if_it_needs_no_longer_stall_than_the_recorded_one() {
        let ms = |now, recorded| longer(now, recorded).map(|longer| longer.ms);
        assert_eq!(ms(Stall::Of(5), 5), None);
        assert_eq!(ms(Stall::Of(6), 5), Some(Some(6)));
        // A lower bound that is longer is enough.
        assert_eq!(ms(Stall::AtLeast(6), 5), Some(Some(6)));
        assert_eq!(ms(Stall::AtLeast(5), 5), None);
        assert_eq!(ms(Stall::Impossible, 1_000), Some(None));
        // Computing takes some time.
        assert_eq!(ms(Stall::Of(ALWAYS), 0), None);
        assert_eq!(ms(Stall::Of(ALWAYS + 1), 0), Some(Some(ALWAYS + 1)));
    }
}
