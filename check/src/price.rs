//! What a run costs: for how long the machine must have held something up, and whether messages came in an order in which one node does not
//! deliver them (`delay`). The recorded failure's price bounds what a run of the changed program may cost to count as the same failure.

use delay::{Extent, Judged, Measure, Stall, What};
use log_format::{ActionId, ActionNo};
use session::error::Error;
use session::{Goal, Session};

use crate::answer::Delay;
use crate::failure::CheckFailure;

/// The price of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Price {
    /// For how long something was held up, and what.
    pub stall: Stall,
    /// A message overtook another one that was sent causally before it.
    pub overtakes: bool,
    /// No order of arrival explains it: it cannot happen. `check` lets messages arrive one by one, and so can go where no run goes.
    pub is_impossible: bool,
    /// A test failed after it had waited for a message in vain, for so many milliseconds.
    pub patience: Option<u64>,
}

impl Price {
    /// What a run costs, up to its failure. `None`: that is not known, because the run is too long or a limit was reached.
    pub(crate) fn of(session: &Session, failure: &CheckFailure) -> Result<Option<Self>, Error> {
        let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
        match Measure::judge(replay, Extent::Ended)? {
            Judged::Measured(measured) => Self::by(Some(&measured), session, failure),
            Judged::Impossible => Ok(Some(Self {
                stall: Stall::default(),
                overtakes: false,
                is_impossible: true,
                patience: None,
            })),
            Judged::TooLong => Ok(None),
        }
    }

    /// As [`Price::of`], for a run that was measured.
    pub(crate) fn by(
        measured: Option<&Measure>,
        session: &Session,
        failure: &CheckFailure,
    ) -> Result<Option<Self>, Error> {
        let Some(measured) = measured.filter(|measured| measured.is_complete()) else {
            return Ok(None);
        };
        let (upto, patience) = match failure {
            CheckFailure::End(end) => match &end.test {
                Some((_, noted)) => (Some(*noted), measured.patience(end.pid, *noted)),
                None => (Some(last_action(session, end.pid)?), None),
            },
            CheckFailure::None | CheckFailure::Deadlock | CheckFailure::Halt(_) => (None, None),
        };
        Ok(Some(Self {
            stall: measured.stall(upto),
            overtakes: measured.needs_free_delivery() == Some(true),
            is_impossible: false,
            patience,
        }))
    }

    /// Did the test wait in vain now as it did when recorded, because something was held up for longer than it waits? That says nothing of the
    /// recorded failure, for which nothing had to be held up so long: the test had this limit before.
    pub(crate) fn only_outwaits(&self, recorded: &Self) -> bool {
        let waits = self.patience.filter(|_| self.patience == recorded.patience);
        waits.is_some_and(|ms| recorded.stall.ms < ms && ms <= self.stall.ms)
    }

    /// Does it cost more than the recorded run?
    pub(crate) fn exceeds(&self, recorded: &Self) -> bool {
        self.stall.ms > recorded.stall.ms || self.overtakes && !recorded.overtakes
    }
}

impl Delay {
    /// The delay of a run with this price. `None`: nothing was held up.
    pub(crate) fn of(session: &Session, price: &Price, recorded: &Price) -> Result<Option<Self>, Error> {
        let Some(held) = price.stall.held else {
            return Ok(None);
        };
        let bounds = session::subject::ShownBounds {
            chars: 1,
            frames: 1,
            items: 1,
        };
        let act = session::scene::acts(session, &[held.id], &bounds)?
            .into_iter()
            .flatten()
            .next();
        let place = act.as_ref().and_then(|act| act.place.as_ref());
        Ok(Some(Self {
            ms: price.stall.ms,
            recorded_ms: recorded.stall.ms,
            pid: held.id.pid.to_string(),
            place: place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)),
            name: act.and_then(|act| act.name).map(|name| name.text),
            signal: held.what == What::Signal,
        }))
    }
}

fn last_action(session: &Session, pid: log_format::Pid) -> Result<ActionId, Error> {
    let ActionNo(number) = session.trace().process(pid)?.counts.last_action();
    Ok(ActionId::new(pid, number))
}
