//! The driven runs of one check, and their outcomes.

use std::sync::{Arc, LazyLock};

use interpreter::vm;
use log_format::{Pid, Trace};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use system::System;
use system::answers::{Answers, RecordedInputs};
use system::observer::Observer;
use system::scheduler::Scheduler;

use crate::answer::{CheckVerdict, Delay};
use crate::budget::work;
use crate::choices::{AbnormalEnd, Choices, Lengths, Naming, SentCounts, Waits};
use crate::drive::{self, DrivePlan, Driven, Ran, Timeouts};
use crate::failure::{CheckFailure, EndKind, differs_in_values, has_run, is_again, is_alike, is_same, judge};
use crate::kin::{Id, Kin};
use crate::lines::TestLines;
use crate::listener::Listener;
use crate::options::Options;
use crate::price::Price;
use crate::received::{ChangedContents, Received, ReceivedDigests};
use crate::search::{Searched, Tested, has_more_modules};
use crate::start::{start, system_of};
use crate::texts::Texts;

/// Limit of actions of a driven run, as a multiple of the recorded ones.
const BOUND: u64 = 10;
/// Every driven run may do at least this many actions.
pub(crate) const LEAST: u64 = 10_000;
/// What is not tried for want of work.
const BY_CHOICES: &str = "runs by the recorded choices";
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
pub(crate) struct DrivenOutcome {
    /// How it went.
    pub driven: Driven,
    /// How it failed.
    pub found: CheckFailure,
    /// It ended, and the test that failed when recorded has not run.
    pub without_test: bool,
    /// What its failure costs, if that is known.
    pub price: Option<Price>,
    /// Actions done.
    pub actions: u64,
    /// The matching of its processes.
    pub kin: Kin,
}

/// The common data of all driven runs of a check.
pub(crate) struct Runs<'a> {
    /// The trace and its program.
    pub session: &'a Session,
    /// The trace and the changed program.
    pub now: Session,
    /// How to check.
    pub options: &'a Options,
    /// The recorded run.
    pub heard: &'a Listener,
    /// Its failure.
    pub failure: &'a CheckFailure,
    /// What that costs, if it is known.
    pub price: Option<Price>,
    /// The most actions of a run.
    pub bound: u64,
    /// What was found out already.
    pub searched: &'a Searched,
    /// The longest stall of the recorded run up to its end, in milliseconds, if it is known.
    pub stall: Option<u64>,
    naming: Naming,
    /// What was received in it.
    noted: Arc<ReceivedDigests>,
    /// Its abnormal ends that have nothing to do with the failure.
    peaceful: &'a [AbnormalEnd],
    /// Values of its inputs.
    answers: Arc<RecordedInputs>,
    /// Those that the changed program gets.
    answers_now: Arc<RecordedInputs>,
    texts: Texts,
    /// Where the tests of the changed program are.
    lines: Arc<TestLines>,
    sent: SentCounts,
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
        (heard, noted): (&'a Listener, Arc<ReceivedDigests>),
        (failure, peaceful): (&'a CheckFailure, &'a [AbnormalEnd]),
        (now, texts, lines): (Session, Texts, Arc<TestLines>),
        searched: &'a Searched,
    ) -> Result<Self, Error> {
        let trace = session.trace();
        let answers = Arc::new(heard.answers());
        let answers_now = match texts.is_empty() {
            true => Arc::clone(&answers),
            false => Arc::new(texts.answers(&answers)),
        };
        let measured = match failure {
            CheckFailure::None => None,
            _ => searched.measure(session),
        };
        let price = Price::by(measured, session, failure)?;
        Ok(Self {
            session,
            options,
            heard,
            failure,
            price,
            // What comes after the failure can need more.
            stall: measured.and_then(|measured| Some(measured.stall(None).ms.max(price?.stall.ms))),
            searched,
            bound: trace.totals().counts.actions.saturating_mul(BOUND).max(LEAST),
            naming,
            noted,
            peaceful,
            now,
            answers,
            answers_now,
            texts,
            lines,
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
    ) -> Result<DrivenOutcome, Error> {
        let kin = self.heard.kin.another();
        self.run(choices, Tested::Recorded, kin, known, following)
    }

    /// Drives a program; again, if the run shows that its processes or messages match other recorded ones than assumed.
    pub(crate) fn run(
        &self,
        choices: &Choices,
        tested: Tested,
        mut kin: Kin,
        known: RecordFacts<'_>,
        following: Following,
    ) -> Result<DrivenOutcome, Error> {
        let trace = self.session.trace();
        let with_texts = (tested == Tested::Changed && !self.texts.is_empty()).then(|| self.texts.choices(choices));
        let choices = with_texts.as_ref().unwrap_or(choices);
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
            let is_allowed = self.searched.budget.allows(BY_CHOICES);
            plan.bound = if is_allowed {
                self.bound.min(self.searched.budget.left())
            } else {
                0
            };
            self.options.doing("running the program by the recorded choices");
            let mut listener = Listener::new(kin, self.naming).with_lines(self.lines(tested));
            listener.alignment = Arc::clone(&alignment);
            listener.received = Received::beside(Arc::clone(&self.noted));
            let (mut system, tape) = start(
                self.of(tested),
                &self.searched.missing,
                listener,
                Some(self.answers(tested)),
            )?;
            let mut driven = drive::drive(&mut system, &plan);
            let actions = system.total_actions;
            self.searched.budget.spend(work(actions, system.total_events));
            if driven.ran == Ran::Bound {
                // If it was stopped by that, it is noted.
                self.searched.budget.allows(BY_CHOICES);
            }
            let session = self.of(tested);
            if has_more_modules(&system.program, &session.program()) {
                session.adopt(Arc::clone(&system.program));
            }
            let again = &system.observer.inner;
            driven.contents = compared(trace, &again.received)?;
            match again.kin.again() {
                Some(known) if runs < RUNS => kin = known,
                _ if runs < RUNS && again.is_misaligned(self.heard, &mut alignment) => kin = again.kin.same_names(),
                _ if driven.other_waits && !plan.timeouts_last => {
                    plan.timeouts_last = true;
                    kin = again.kin.same_names();
                }
                _ => {
                    let found = judge(&driven.ran, again, self.failure, self.peaceful, known.usual);
                    let kin = again.kin.clone();
                    let has_ended = matches!(driven.ran, Ran::Halted(_) | Ran::ToTheEnd { waiting: false });
                    let without_test =
                        has_ended && found == CheckFailure::None && !has_run(again, self.failure, self.heard);
                    let price = match found {
                        CheckFailure::None => None,
                        _ => {
                            // What comes after the failure says what was held up until then.
                            system.run_out(self.bound, drive::EVENTS);
                            // It is replayed, too.
                            let all = work(system.total_actions, system.total_events);
                            self.searched.budget.spend(all);
                            self.price_of(&tape.finish(&mut system)?, &found, tested)?
                        }
                    };
                    return Ok(DrivenOutcome {
                        price,
                        driven,
                        found,
                        without_test,
                        actions,
                        kin,
                    });
                }
            }
            runs += 1;
        }
    }

    /// The recorded process for each name.
    pub(crate) const fn pids(&self) -> &FxHashMap<Id, Pid> {
        &self.pids
    }

    /// A run of a program that has just been started, and gets the recorded answers.
    pub(crate) fn started<O: Observer>(
        &self,
        tested: Tested,
        program: Arc<vm::Program>,
        observer: O,
        (scheduler, seed): (Box<dyn Scheduler>, u64),
    ) -> Result<System<O>, Error> {
        let missing = &self.searched.missing;
        let mut system = system_of(self.of(tested), missing, program, observer, scheduler, seed)?;
        system.answers = Some(Answers::new(Arc::clone(self.answers(tested))));
        let entry = self.of(tested).entry();
        system.start(entry.module, entry.function, entry.arguments.as_deref());
        Ok(system)
    }

    /// The trace with a program.
    pub(crate) const fn of(&self, tested: Tested) -> &Session {
        match tested {
            Tested::Recorded => self.session,
            Tested::Changed => &self.now,
        }
    }

    /// Hears a program.
    pub(crate) fn listener(&self, tested: Tested) -> Listener {
        Listener::new(Kin::recorded(), Naming::Place).with_lines(self.lines(tested))
    }

    fn lines(&self, tested: Tested) -> &Arc<TestLines> {
        static NONE: LazyLock<Arc<TestLines>> = LazyLock::new(Arc::default);
        match tested {
            Tested::Recorded => &NONE,
            Tested::Changed => &self.lines,
        }
    }

    /// What a program is told of the outside.
    const fn answers(&self, tested: Tested) -> &Arc<RecordedInputs> {
        match tested {
            Tested::Recorded => &self.answers,
            Tested::Changed => &self.answers_now,
        }
    }

    /// Has the recorded program done again what was recorded?
    pub(crate) fn is_reproduced(&self, outcome: &DrivenOutcome) -> bool {
        match self.failure {
            CheckFailure::None => outcome.driven.ran != Ran::Diverged && outcome.found == CheckFailure::None,
            failure => is_same(&outcome.found, failure),
        }
    }

    /// The verdict of a run of the changed program.
    pub(crate) fn verdict(&self, outcome: &DrivenOutcome) -> CheckVerdict {
        let DrivenOutcome { driven, found, .. } = outcome;
        match (&driven.ran, found) {
            // The order in which processes used a file is not recorded: other contents decide now.
            _ if driven.other_files => CheckVerdict::Diverged,
            // A timeout while messages were withheld may be the driver's doing: not a failure of the program.
            (_, found) if *found != CheckFailure::None && driven.lost_patience => CheckVerdict::Diverged,
            // So may one for which something must be held up longer than in the record.
            (_, found) if *found != CheckFailure::None && self.exceeds(outcome.price, found) => CheckVerdict::Diverged,
            (_, found) if *found != CheckFailure::None && is_same(found, self.failure) => CheckVerdict::StillFails,
            // After a choice without a counterpart, a failure with other values may be the driver's doing.
            (ran, found) if *ran != Ran::Diverged && differs_in_values(found, self.failure) => CheckVerdict::StillFails,
            (Ran::Diverged, _) => CheckVerdict::Diverged,
            (Ran::Bound, _) => CheckVerdict::Incomplete,
            (_, CheckFailure::None) if outcome.without_test => CheckVerdict::Incomplete,
            (_, CheckFailure::None) => CheckVerdict::Fixed,
            _ => CheckVerdict::FailsDifferently,
        }
    }
}

impl Runs<'_> {
    /// What the failure of a run costs. If that is more than the recorded one costs, and it is the recorded failure in a changed program, the
    /// delay is noted.
    pub(crate) fn price_of(
        &self,
        session: &Session,
        found: &CheckFailure,
        tested: Tested,
    ) -> Result<Option<Price>, Error> {
        let price = Price::of(session, found)?;
        let only_outwaits = matches!((price, self.price), (Some(now), Some(then)) if now.only_outwaits(&then));
        if only_outwaits && tested == Tested::Changed && is_again(found, self.failure) {
            self.searched.patience.set(price.and_then(|price| price.patience));
        } else if let (Some(now), Some(then)) = (price, self.price)
            && tested == Tested::Changed
            && now.exceeds(&then)
            && !now.is_impossible
            && (then.overtakes || !now.overtakes)
            && now.stall.ms <= self.options.max_stall
            && self
                .searched
                .delay
                .borrow()
                .as_ref()
                .is_none_or(|known| now.stall.ms < known.ms)
            && is_again(found, self.failure)
            // A test that runs out of patience because of the delay shows nothing of the recorded failure.
            && is_alike(found, self.failure)
            && let Some(delay) = Delay::of(session, &now, &then)?
        {
            *self.searched.delay.borrow_mut() = Some(delay);
        }
        Ok(price)
    }

    /// Is the failure to be looked for with longer delays than those of the recorded run?
    pub(crate) fn looks_further(&self) -> bool {
        self.price.is_some_and(|then| self.options.max_stall > then.stall.ms)
    }

    /// The least delay that was found to bring the failure back.
    pub(crate) fn delay(&self) -> Option<Delay> {
        self.searched.delay.borrow().clone()
    }

    /// Does a failure cost more than the recorded one, or can it not happen? Where its price is not known, it counts only if it is like the recorded
    /// one: any other could have come of a delay.
    pub(crate) fn exceeds(&self, price: Option<Price>, found: &CheckFailure) -> bool {
        match (price, self.price) {
            (Some(now), _) if now.is_impossible => true,
            (Some(now), Some(then)) => now.exceeds(&then),
            (None, Some(_)) => !is_alike(found, self.failure),
            (_, None) => false,
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
