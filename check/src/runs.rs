//! The driven runs of one check, and their outcomes.

use std::sync::{Arc, LazyLock};

use log_format::{Pid, Trace};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use session::program::{Entry, Sources};

use crate::Options;
use crate::answer::Verdict;
use crate::choices::{AbnormalEnd, Choices, Lengths, Naming, Sent};
use crate::drive::{self, DrivePlan, Driven, Ran, Timeouts, Waits};
use crate::failure::{EndKind, Failure, differs_in_values, is_same, judge};
use crate::kin::{Id, Kin};
use crate::listener::Listener;
use crate::received::{ChangedContents, Received, Recorded};
use crate::start::start;

/// Limit of actions of a driven run, as a multiple of the recorded ones.
const BOUND: u64 = 10;
/// Every driven run may do at least this many actions.
pub(crate) const LEAST: u64 = 10_000;
/// How often a changed program is run to match its processes with the recorded ones.
const RUNS: u32 = 5;

/// What is known about the recorded program when another one is driven.
#[derive(Clone, Copy)]
pub(crate) struct RecordFacts<'a> {
    /// Where the recorded program waits, and the longest time; `None` while this is being determined.
    pub waits: Option<&'a Waits>,
    /// Recorded timeouts that came although there was something to receive; `Some` while these are being determined.
    pub real: Option<&'a Timeouts>,
    /// Timeouts that come when nothing else can happen.
    pub vain: &'a Timeouts,
    /// Timeouts that ended a sleep.
    pub sleeps: &'a Timeouts,
    /// Ends with which the changed program returns results under every schedule.
    pub usual: &'a [EndKind],
}

impl<'a> RecordFacts<'a> {
    /// Nothing is known yet. `none`: an empty set.
    pub(crate) const fn nothing(none: &'a Timeouts) -> Self {
        Self {
            waits: None,
            real: None,
            vain: none,
            sleeps: none,
            usual: &[],
        }
    }
}

impl RecordFacts<'_> {
    /// Less and less of it.
    pub(crate) fn less(self) -> [Self; 2] {
        static NONE: LazyLock<Timeouts> = LazyLock::new(Timeouts::default);
        let not_in_vain = Self { vain: &NONE, ..self };
        let nor_sleeps = Self {
            sleeps: &NONE,
            ..not_in_vain
        };
        [not_in_vain, nor_sleeps]
    }
}

/// How closely a run follows the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Following {
    /// Exactly; unrecorded steps come late.
    Strictly,
    /// Unrecorded steps come early.
    NewEarly,
    /// If nothing else can happen, messages come in another order.
    AnyOrder,
    /// Recorded timeouts come when nothing else can happen.
    TimeoutsLast,
}

/// The outcome of a driven run.
pub(crate) struct Outcome {
    /// How it went.
    pub driven: Driven,
    /// How it failed.
    pub found: Failure,
    /// Actions done.
    pub actions: u64,
    /// The matching of its processes.
    pub kin: Kin,
}

/// The common data of all driven runs of a check.
pub(crate) struct Runs<'a> {
    /// The trace and its program.
    pub session: &'a Session,
    /// How to check.
    pub options: &'a Options,
    /// The entry of the program.
    pub entry: Entry,
    /// The recorded run.
    pub heard: &'a Listener,
    /// Its failure.
    pub failure: &'a Failure,
    /// The most actions of a run.
    pub bound: u64,
    naming: Naming,
    /// What was received in it.
    noted: Arc<Recorded>,
    /// Its abnormal ends that have nothing to do with the failure.
    peaceful: &'a [AbnormalEnd],
    sent: Sent,
    lengths: Lengths,
    pids: FxHashMap<Id, Pid>,
    /// The first number that no recorded process has.
    fresh: u64,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(
        session: &'a Session,
        options: &'a Options,
        naming: Naming,
        (heard, noted): (&'a Listener, Arc<Recorded>),
        (failure, peaceful): (&'a Failure, &'a [AbnormalEnd]),
    ) -> Result<Self, Error> {
        let trace = session.trace();
        Ok(Self {
            session,
            options,
            entry: Entry::of(trace.header())?,
            heard,
            failure,
            bound: trace.totals().counts.actions.saturating_mul(BOUND).max(LEAST),
            naming,
            noted,
            peaceful,
            sent: heard.sent_to(),
            lengths: heard.timer_lengths(),
            pids: heard.ids.iter().map(|(pid, id)| (*id, *pid)).collect(),
            fresh: trace.processes().last().map_or(Ok(1), |p| p.map(|p| p.pid.0))? + 1,
        })
    }

    /// Drives the recorded program.
    pub(crate) fn recorded(
        &self,
        choices: &Choices,
        known: RecordFacts<'_>,
        following: Following,
    ) -> Result<Outcome, Error> {
        let kin = self.heard.kin.another();
        self.run(choices, self.session.sources(), kin, known, following)
    }

    /// Drives a program; again, if the run shows that its processes or messages match other recorded ones than assumed.
    pub(crate) fn run(
        &self,
        choices: &Choices,
        sources: &Sources,
        mut kin: Kin,
        known: RecordFacts<'_>,
        following: Following,
    ) -> Result<Outcome, Error> {
        let trace = self.session.trace();
        let own = |file: &str| self.session.sources().owns(file);
        let mut plan = DrivePlan {
            choices,
            sent: &self.sent,
            waits: known.waits,
            real: known.real,
            vain: known.vain,
            sleeps: known.sleeps,
            lengths: &self.lengths,
            own: &own,
            pids: &self.pids,
            timeouts_last: following == Following::TimeoutsLast,
            fresh: self.fresh,
            bound: self.bound,
            best_effort: self.options.best_effort && known.waits.is_some(),
            lenient: following == Following::AnyOrder,
            eager: following == Following::NewEarly,
        };
        let mut alignment = Arc::default();
        let mut runs = 1;
        loop {
            self.options.doing("running the program by the recorded choices");
            let mut listener = Listener::new(kin, self.naming);
            listener.alignment = Arc::clone(&alignment);
            listener.received = Received::beside(Arc::clone(&self.noted));
            let mut system = start(self.session, sources, &self.entry, listener)?;
            let mut driven = drive::drive(&mut system, &plan);
            let actions = system.total_actions;
            let again = system.into_observer();
            driven.contents = compared(trace, &again.received)?;
            match again.kin.again() {
                Some(known) if runs < RUNS => kin = known,
                _ if runs < RUNS && again.is_misaligned(self.heard, &mut alignment) => kin = again.kin.same_names(),
                _ if driven.other_waits && !plan.timeouts_last => {
                    plan.timeouts_last = true;
                    kin = again.kin.same_names();
                }
                _ => {
                    let found = judge(&driven.ran, &again, self.failure, self.peaceful, known.usual);
                    return Ok(Outcome {
                        driven,
                        found,
                        actions,
                        kin: again.kin,
                    });
                }
            }
            runs += 1;
        }
    }

    /// Has the recorded program done again what was recorded?
    pub(crate) fn is_reproduced(&self, outcome: &Outcome) -> bool {
        match self.failure {
            Failure::None => outcome.driven.ran != Ran::Diverged && outcome.found == Failure::None,
            failure => is_same(&outcome.found, failure),
        }
    }

    /// The verdict of a run of the changed program.
    pub(crate) fn verdict(&self, driven: &Driven, found: &Failure) -> Verdict {
        match (&driven.ran, found) {
            // The order in which processes used a file is not recorded: other contents decide now.
            _ if driven.other_files => Verdict::Diverged,
            // A timeout while messages were withheld may be the driver's doing: not a failure of the program.
            (_, found) if *found != Failure::None && driven.lost_patience => Verdict::Diverged,
            (_, found) if *found != Failure::None && is_same(found, self.failure) => Verdict::StillFails,
            // After a choice without a counterpart, a failure with other values may be the driver's doing.
            (ran, found) if *ran != Ran::Diverged && differs_in_values(found, self.failure) => Verdict::StillFails,
            (Ran::Diverged, _) => Verdict::Diverged,
            (Ran::Bound, _) => Verdict::Incomplete,
            (_, Failure::None) => Verdict::Fixed,
            _ => Verdict::FailsDifferently,
        }
    }
}

/// The comparison of contents, for the answer.
fn compared(trace: &Trace, received: &Received) -> Result<Option<ChangedContents>, Error> {
    let Received::Compared {
        compared,
        changed,
        first,
        ends,
        ends_changed,
        first_end,
        recorded: _,
    } = received
    else {
        return Ok(None);
    };
    let mut contents = ChangedContents {
        compared: *compared,
        changed: *changed,
        ends: *ends,
        ends_changed: *ends_changed,
        first_end: first_end.clone(),
        ..ChangedContents::default()
    };
    if let Some(receive) = first {
        contents.first = Some(format!("rec:{}", trace.process(receive.pid)?.base + receive.ordinal));
        contents.receiver = Some(receive.pid.to_string());
    }
    Ok(Some(contents))
}
