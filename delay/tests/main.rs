//! Small programs whose stall is known, and random ones: what is said of a prefix holds in the whole.

#![expect(clippy::unwrap_used, reason = "tests")]

mod delivery;
mod monotony;
mod stalls;

use std::sync::Arc;

use delay::Measure;
use log_format::Trace;
use session::record::Text;
use session::{Error, Goal, Session};
use system::Delivery;
use system::scheduler::{Jitter, Schedule};

fn text(body: &str) -> Text {
    Text {
        path: "m.erl".to_owned(),
        source: format!("-module(m).\n-export([main/0]).\n{body}").into_bytes().into(),
        release: Default::default(),
    }
}

/// Opens a trace.
fn open(bytes: Vec<u8>) -> Session {
    Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap()
}

/// Runs a program under a random schedule, with delays of at most so many milliseconds.
fn record(body: &str, seed: u64, jitter: u64) -> Session {
    record_under(body, seed, jitter, Delivery::Free)
}

fn record_under(body: &str, seed: u64, jitter: u64, delivery: Delivery) -> Session {
    let (scheduler, _) = Schedule::Walk.scheduler(seed, Jitter::new(seed, jitter * 1_000_000));
    open(text(body).record_under(scheduler, delivery).unwrap().1)
}

/// Measures it with its end.
fn ended(session: &Session) -> Measure {
    let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
    Measure::ended(replay).unwrap().unwrap()
}

/// Measures it as a whole.
fn measure(session: &Session) -> Measure {
    let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
    Measure::of(replay).unwrap().unwrap()
}
