//! The recorder: an observer that writes a trace [LPV19, logging semantics].

mod along;
mod finish;
mod observe;
mod recording;

pub use along::{Along, Records};
pub use finish::{FinishedTrace, finish};
pub use log_format::Finisher;
pub use observe::reason;
pub use recording::{
    Log, Lost, RecordOptions, Recorder, Recording, RunFacts, facts, natives, release, schedulers, sources,
};
