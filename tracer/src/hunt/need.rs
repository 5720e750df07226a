//! What a failing run needs: a machine that stands still for a while, or messages that overtake their causes. A run that needs too much is put aside,
//! because a failure of it says little of the program.

use std::sync::{Arc, Mutex, PoisonError};

use causality::{Point, Target};
use delay::{Measure, Told};
use log_format::Trace;
use session::Session;
use session::subject::ShownBounds;

use crate::error::HuntError;
use crate::hunt::once::Ran;

/// Limit: actions of a run that is measured. It takes about 5 µs and 600 bytes for each of them.
const MEASURED: u64 = 300_000;
/// How much of a message is shown.
const BOUNDS: ShownBounds = ShownBounds {
    chars: 60,
    frames: 10,
    items: 10,
};

/// What a failing run needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Need {
    /// Does a message overtake its cause, inside a node?
    pub free_delivery: bool,
    /// The stall in milliseconds.
    pub stall: u64,
}

impl Need {
    /// Does it need no more than this?
    pub const fn is_within(self, most: Self) -> bool {
        self.stall <= most.stall && (most.free_delivery || !self.free_delivery)
    }
}

/// Measures runs of one program.
#[derive(Default)]
pub struct Gauge {
    /// The last one, so that the program is compiled once.
    session: Mutex<Option<Session>>,
}

impl Gauge {
    /// A session on the trace of this run. `told`: for a text, and so with its own sources.
    fn session(&self, ran: &Ran, told: bool) -> Result<Session, HuntError> {
        let trace = Trace::from_bytes(ran.trace.clone())?;
        let trace = Arc::new(trace);
        let last = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let session = match (last, &ran.program) {
            (Some(last), Some(_)) if !told => last.on(trace),
            (Some(last), _) => last.also(trace),
            (None, _) => Session::of(trace),
        };
        let session = session?;
        if let Some(program) = &ran.program
            && program.loaded_count() > session.program().loaded_count()
        {
            session.adopt(Arc::clone(program));
        }
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.clone());
        Ok(session)
    }

    fn measured(&self, ran: &Ran, told: bool) -> Result<(Session, Point, Measure), HuntError> {
        let session = self.session(ran, told)?;
        let target = ran.failure.as_ref().and_then(|failure| failure.target.as_deref());
        let found = target.unwrap_or("error").parse::<Target>();
        let found = found?;
        let found = found.resolve(session.trace())?;
        let measure = delay::measure(&session, MEASURED).map_err(HuntError::NotMeasured)?;
        Ok((session, found, measure))
    }

    /// What the failure of this run needs. `None`: that is not known.
    pub fn need(&self, ran: &Ran) -> Option<Need> {
        let (_, found, measure) = self.measured(ran, false).ok()?;
        Some(Need {
            free_delivery: measure.needs_free_delivery().unwrap_or(false),
            stall: measure.stall((!found.runs_on).then(|| found.id())).ms,
        })
    }

    /// The same in words.
    pub fn told(&self, ran: &Ran) -> Told {
        let told = self
            .measured(ran, true)
            .and_then(|(session, found, measure)| Ok(Told::measured(&session, &found, &measure, &BOUNDS)?));
        told.unwrap_or_else(|error| Told::unknown(error.to_string()))
    }
}
