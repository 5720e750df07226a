//! One check with one way of naming messages: the recorded failure, the recorded program driven again, the changed one driven, and the answer.

use std::sync::Arc;

use causality::{Future, WaitTimes};
use delay::Measure;
use log_format::{ActionId, Cut};
use session::error::Error;
use session::program::{RunEntry, Sources};
use session::{Goal, Session};
use system::Delivery;

use crate::answer::{CheckVerdict, Checked, Universes};
use crate::choices::{self, Choices, Naming, StepKind};
use crate::current::{compiles, current};
use crate::described::Now;
use crate::drive::{Divergence, Driven, Timeouts};
use crate::failure::{
    CheckFailure, EndKind, RecordedFailure, is_same, others, recorded_failure, returns_a_result, verdict_by_kind,
};
use crate::kin::Kin;
use crate::listener::Listener;
use crate::options::Options;
use crate::received::{Received, ReceivedDigests};
use crate::runs::{DrivenOutcome, Following, RecordFacts, Runs};
use crate::same::{self, Sameness};
use crate::schedules::{Rates, Trial};
use crate::search::{Searched, Tested, fails_under};
use crate::texts::Texts;
use crate::tried::{Enough, Tried};
use crate::universes::{self, Extent, Visited};

/// How often the recorded program is run to find timeouts that came although there was something to receive.
const PROBES: u32 = 8;

/// Checks, with messages named in this way.
pub(crate) fn check_by(
    session: &Session,
    options: &Options,
    naming: Naming,
    searched: &Searched,
) -> Result<Checked, Error> {
    let trace = session.trace();
    let (heard, noted) = listen(session, naming)?;
    let RecordedFailure {
        failure,
        slice,
        effects,
        peaceful,
    } = recorded_failure(trace, &heard, options)?;
    let is_cut = trace.run_end()?.is_none();
    if failure == CheckFailure::None && !options.expect_ok && !is_cut {
        return Err(Error::NoTarget(
            "the trace holds no failure; use --expect ok to check that none occurs now".to_owned(),
        ));
    }
    let Now {
        sources,
        mut changed,
        texts,
        around,
        gone,
        lines,
        arguments,
    } = current(session, &heard, options, searched)?;
    searched.gone.replace(gone);
    changed.extend(texts.changed.iter().cloned());
    let draft = Draft {
        recorded: failure.words(),
        test: match &failure {
            CheckFailure::End(end) => end.test.as_ref().map(|(name, _)| name.clone()),
            _ => None,
        },
        others: others(&heard, &failure),
        changed,
    };
    let fails = failure != CheckFailure::None;
    if let Some(found) = same_again((session, &heard), options, (&sources, &texts), (&draft, &failure))?
        && (fails || !is_cut)
    {
        let verdict = if fails {
            CheckVerdict::StillFails
        } else {
            CheckVerdict::Fixed
        };
        let actions = trace.totals().counts.actions;
        return Ok(Checked {
            same_code: true,
            ..draft.answer(verdict, found.words(), Vec::new(), actions)
        });
    }
    if is_cut {
        let now = "the recording was cut".to_owned();
        return Ok(draft.answer(CheckVerdict::Incomplete, now, Vec::new(), 0));
    }
    compiles(&RunEntry::of(trace.header())?, &sources, &draft.changed)?;
    let session = &session.clone().with_delivery(delivery(session, options, searched));
    let inquiry = Inquiry {
        runs: Runs::new(
            session,
            options,
            naming,
            (&heard, noted),
            (&failure, &peaceful),
            (
                session
                    .with_program(sources)?
                    .with_around(around)
                    .with_arguments(arguments),
                texts,
                lines,
            ),
            searched,
        )?,
        slice: &slice,
        effects,
        draft,
        searched,
    };
    let answer = inquiry.answer()?;
    Ok(Checked {
        recorded_stall_ms: inquiry.runs.price.map(|price| price.stall.ms),
        delivery: Some(session.delivery().to_string()),
        ..answer
    })
}

/// In which order signals arrive in the runs of a check. If the recorded run itself needs free delivery, it has that.
fn delivery(session: &Session, options: &Options, searched: &Searched) -> Delivery {
    let needs_free = || searched.measure(session).and_then(Measure::needs_free_delivery) == Some(true);
    if options.delivery == Delivery::Causal && needs_free() {
        return Delivery::Free;
    }
    options.delivery
}

/// The recorded failure with its place in a program that differs from the recorded one only in comments and layout: with the same code, the log
/// is followed step by step. `None` for a different program.
fn same_again(
    (session, heard): (&Session, &Listener),
    options: &Options,
    (sources, texts): (&Sources, &Texts),
    (draft, failure): (&Draft, &CheckFailure),
) -> Result<Option<CheckFailure>, Error> {
    if draft.changed.is_empty() {
        // The earlier replay followed every log to its end: it was the same run.
        return Ok(Some(failure.clone()));
    }
    // What the program compiles while it runs is not compared.
    let sameness = match texts.is_same() {
        true => Sameness::of(session, sources, heard),
        false => Sameness::None,
    };
    if sameness == Sameness::None {
        return Ok(None);
    }
    let found = same::follow(session, sources, options)?;
    // If line numbers are part of the record (the digest of a stack trace, a fun as a key), the code decides.
    Ok(found.or_else(|| (sameness == Sameness::Code).then(|| failure.clone())))
}

/// Replays the recorded run once more, to name its choices.
pub(crate) fn listen(session: &Session, naming: Naming) -> Result<(Listener, Arc<ReceivedDigests>), Error> {
    let mut listener = Listener::new(Kin::recorded(), naming);
    listener.contents = session::digests::DigestCheck::of(session.digests()?);
    if listener.contents.are_recorded() {
        listener.received = Received::Noted(ReceivedDigests::default());
    }
    let system = session.replay(&Goal::everything(), listener)?;
    let missed = system.missed();
    let mut heard = system.into_observer();
    heard.missed = missed.iter().map(|name| name.as_str().to_owned()).collect();
    heard.contents.agree(session.trace())?;
    let noted = match std::mem::take(&mut heard.received) {
        Received::Noted(all) => Arc::new(all),
        _ => Arc::default(),
    };
    Ok((heard, noted))
}

/// The common parts of all answers of a check.
pub(crate) struct Draft {
    recorded: String,
    test: Option<String>,
    others: Vec<String>,
    changed: Vec<String>,
}

impl Draft {
    /// An answer without its optional parts.
    pub(crate) fn answer(
        &self,
        verdict: CheckVerdict,
        now: String,
        divergences: Vec<Divergence>,
        actions: u64,
    ) -> Checked {
        Checked {
            timeouts: Vec::new(),
            schedule: None,
            schedules: None,
            universes: None,
            other_order: false,
            own_files: false,
            by_rates: false,
            no_power: false,
            reads_outside: false,
            others: self.others.clone(),
            contents: None,
            verdict,
            recorded: self.recorded.clone(),
            test: self.test.clone(),
            now,
            unchanged: self.changed.is_empty(),
            same_code: self.changed.is_empty(),
            changed: self.changed.clone(),
            gone: Vec::new(),
            remains: Vec::new(),
            cut: None,
            delay: None,
            patience_ms: None,
            divergences,
            actions,
            by_choices: false,
            recorded_stall_ms: None,
            delivery: None,
        }
    }
}

/// The recorded choices, and what the recorded program does when driven by them.
struct Baseline {
    choices: Choices,
    outcome: DrivenOutcome,
    /// Whether it did what was recorded.
    reproduced: bool,
}

/// A driven run of the changed program, and its verdict.
pub(crate) struct Judged {
    /// How it went.
    pub driven: Driven,
    /// How it failed.
    pub found: CheckFailure,
    /// Actions done.
    pub actions: u64,
    /// Its verdict.
    pub verdict: CheckVerdict,
    /// The test that failed when recorded has not run.
    pub without_test: bool,
    /// Its failure needs something to be held up longer than the recorded one does, so it says nothing about that.
    pub too_dear: bool,
}

/// A check of a program that differs from the recorded one.
pub(crate) struct Inquiry<'a> {
    /// Driven runs.
    pub runs: Runs<'a>,
    /// The causes of the failure.
    pub slice: &'a Cut,
    /// What came of it, and the action that it is.
    effects: Option<(Future, ActionId)>,
    /// The common parts of all answers.
    pub draft: Draft,
    pub searched: &'a Searched,
}

impl Inquiry<'_> {
    fn answer(&self) -> Result<Checked, Error> {
        let baseline = self.reproduce()?;
        self.searched.missing.expect_these();
        let driven = &baseline.outcome.driven;
        if !baseline.reproduced {
            return self.without_baseline(baseline);
        }
        let vain = self.timeouts_in_vain(&baseline)?;
        let known = RecordFacts {
            waits: Some(&driven.waits),
            real: None,
            vain: &vain,
            sleeps: &driven.sleeps,
            usual: &[],
        };
        let choices = &match &self.effects {
            Some((effects, failure)) => {
                choices::without_effects(&baseline.choices, self.runs.pids(), effects, *failure)
            }
            None => baseline.choices.clone(),
        };
        let mut judged = self.drive_changed(known, choices, Following::Strictly)?;
        if self.searched.lacks_modules() && self.runs.options.compile.is_some() {
            // Nothing that it did without them counts: the check begins again.
            self.searched.gave_up.set(true);
            let now = "the program calls modules that the trace does not hold".to_owned();
            return Ok(self
                .draft
                .answer(CheckVerdict::Incomplete, now, Vec::new(), judged.actions));
        }
        if judged.without_test {
            let nothing = self.without_test(&judged);
            return self.by_schedules_alone(judged, known, choices, nothing);
        }
        let usual = self.usual_ends(&judged)?;
        let known = RecordFacts { usual: &usual, ..known };
        if !usual.is_empty() {
            judged = self.drive_changed(known, choices, Following::Strictly)?;
        }
        let causes = choices::causes_only(choices);
        if causes != *choices {
            judged = self.enforce_only_causes(judged, known, &causes)?;
        }
        // The recorded order of steps need not hold for a program that makes other steps. If the driven run does not fail, other orders are tried.
        let undecided = matches!(
            judged.verdict,
            CheckVerdict::Fixed | CheckVerdict::Diverged | CheckVerdict::Incomplete
        ) && *self.runs.failure != CheckFailure::None;
        let proves = judged.verdict != CheckVerdict::Fixed
            || *self.runs.failure == CheckFailure::None
            || self.is_led_to_the_failure(known, choices)?;
        let mut trial = Trial::of(judged, proves);
        let open = match undecided
            .then(|| self.try_schedules(&mut trial, known, choices, &causes))
            .transpose()?
            .flatten()
        {
            Some(answer) if answer.no_power => Some(answer),
            Some(answer) => return Ok(answer),
            None => None,
        };
        if trial.is_unproven() {
            self.prove(&mut trial, known, choices)?;
            if trial.is_unproven()
                && let Rates::Answer(answer) = self.prove_by_rates(&mut trial, known)?
            {
                return Ok(*answer);
            }
        }
        // Without the outside, nothing can be said of other runs.
        if !undecided || self.searched.blind.get() {
            return Ok(Checked {
                reads_outside: undecided,
                ..trial.answer(&self.draft)
            });
        }
        if (open.is_some() || !trial.is_fixed())
            && let Some(answer) = self.try_universes(&mut trial, known)?
        {
            return Ok(answer);
        }
        trial.schedules = trial.schedules.or(open.as_ref().and_then(|answer| answer.schedules));
        match open {
            // Many more schedules can still say it.
            Some(answer) if !trial.is_fixed_by_universes() => match self.prove_by_rates(&mut trial, known)? {
                Rates::Answer(answer) => Ok(*answer),
                Rates::Decide => self.delayed(trial),
                Rates::Open => Ok(Checked {
                    universes: trial.universes,
                    ..answer
                }),
            },
            _ => self.delayed(trial),
        }
    }

    /// The recorded choices do not even lead the recorded program to its failure again. Random schedules may decide.
    fn without_baseline(&self, baseline: Baseline) -> Result<Checked, Error> {
        let now = "the recorded program does not fail again when its own choices are made again, so nothing can be said about another program".to_owned();
        let driven = baseline.outcome.driven;
        let nothing = self
            .draft
            .answer(CheckVerdict::Incomplete, now, driven.divergences.clone(), 0);
        if *self.runs.failure == CheckFailure::None {
            return Ok(nothing);
        }
        // No run by these choices says anything.
        let judged = Judged {
            driven,
            found: CheckFailure::None,
            actions: 0,
            verdict: CheckVerdict::Diverged,
            without_test: false,
            too_dear: true,
        };
        let none = Timeouts::default();
        self.by_schedules_alone(judged, RecordFacts::nothing(&none), &baseline.choices, nothing)
    }

    /// The recorded choices do not lead to the test: what they hold back can make a runner give up. Random schedules may decide.
    fn by_schedules_alone(
        &self,
        judged: Judged,
        known: RecordFacts<'_>,
        choices: &Choices,
        nothing: Checked,
    ) -> Result<Checked, Error> {
        let judged = Judged {
            verdict: CheckVerdict::Diverged,
            ..judged
        };
        let mut trial = Trial::of(judged, true);
        let causes = choices::causes_only(choices);
        Ok(match self.try_schedules(&mut trial, known, choices, &causes)? {
            Some(answer)
                if matches!(
                    answer.verdict,
                    CheckVerdict::StillFails | CheckVerdict::FailsDifferently
                ) =>
            {
                answer
            }
            None if trial.is_fixed() => self.delayed(trial)?,
            _ => nothing,
        })
    }

    /// The answer where the test has not run: nothing can be said.
    pub(crate) fn without_test(&self, judged: &Judged) -> Checked {
        let now =
            "the test was not run: it is skipped, has another name, does not compile, or the program ends before it"
                .to_owned();
        self.draft
            .answer(CheckVerdict::Incomplete, now, Vec::new(), judged.actions)
    }

    /// Not fixed as far as is known: visits every universe of the changed program. An answer if one of them fails in the recorded way; otherwise
    /// notes in the trial what they have shown.
    fn try_universes(&self, trial: &mut Trial, known: RecordFacts<'_>) -> Result<Option<Checked>, Error> {
        if trial.is_endless() || self.needs_inputs() {
            return Ok(None);
        }
        let visited = self.universes(Extent::Deciding, self.runs.stall)?;
        if let Some((number, found)) = &visited.found {
            return Ok(Some(self.fails_in_a_universe(trial, *number, found)));
        }
        let recorded = self.search(Tested::Recorded, Enough::Seeds)?;
        let familiar = self.familiar(&visited.others, &recorded, known);
        trial.visited(&visited, visited.others.unlike(&familiar));
        Ok(None)
    }

    /// Does the program get nowhere without files? Universes have none.
    fn needs_inputs(&self) -> bool {
        self.runs.session.sources().has_elixir()
    }

    /// The changed program fails in the recorded way in this universe.
    fn fails_in_a_universe(&self, trial: &Trial, number: u64, found: &CheckFailure) -> Checked {
        let answer = self.fails_under_a_schedule(trial, &(0, found.clone()));
        Checked {
            schedule: None,
            universes: Some(Universes {
                visited: number,
                failing: Some(number),
                ..Universes::default()
            }),
            ..answer
        }
    }

    /// The final answer. If the failure is fixed, it is looked for where it is rare, and with longer delays.
    fn delayed(&self, trial: Trial) -> Result<Checked, Error> {
        if trial.is_fixed() {
            if trial.is_rare() && trial.universes.is_none() && !self.needs_inputs() {
                let visited = self.universes(Extent::Contradicting, self.runs.stall)?;
                if let Some((number, found)) = &visited.found {
                    return Ok(self.fails_in_a_universe(&trial, *number, found));
                }
            }
            if self.runs.looks_further() {
                if trial.is_fixed_by_universes() && trial.left_out {
                    // What is found is noted with its delay.
                    self.universes(Extent::Deciding, Some(self.runs.options.max_stall))?;
                }
                let delayed = self.search(Tested::Changed, Enough::Delayed)?;
                if let Some(found) = &delayed.found {
                    return Ok(self.fails_under_a_schedule(&trial, found));
                }
            }
        }
        let answer = trial.answer(&self.draft);
        let delay = self.runs.delay().filter(|_| answer.verdict == CheckVerdict::Fixed);
        let patience = self.searched.patience.get();
        Ok(Checked {
            verdict: if delay.is_some() {
                CheckVerdict::FixedUnlessDelayed
            } else {
                answer.verdict
            },
            patience_ms: patience.filter(|_| answer.verdict == CheckVerdict::Fixed && delay.is_none()),
            delay,
            ..answer
        })
    }

    /// Whether the recorded program, driven by its choices, repeats the recorded run. Otherwise no verdict about another program is possible.
    fn reproduce(&self) -> Result<Baseline, Error> {
        let (trace, heard) = (self.runs.session.trace(), self.runs.heard);
        let none = Timeouts::default();
        let nothing = RecordFacts::nothing(&none);
        let choices = heard.choices(trace, self.slice, WaitTimes::default())?;
        let outcome = self.runs.recorded(&choices, nothing, Following::Strictly)?;
        let reproduced = self.runs.is_reproduced(&outcome);
        // The log does not say when timeouts and timers fired. With a clock they fire late, so what a changed program sends comes before them.
        let times = heard.times(&choices, &outcome.driven.waits);
        if times != WaitTimes::default() {
            let in_time = heard.choices(trace, self.slice, times)?;
            let again = self.runs.recorded(&in_time, nothing, Following::Strictly)?;
            if self.runs.is_reproduced(&again) {
                return Ok(Baseline {
                    choices: in_time,
                    outcome: again,
                    reproduced: true,
                });
            }
        }
        Ok(Baseline {
            choices,
            outcome,
            reproduced,
        })
    }

    /// Which timeouts were not choices: those that also come when everything else that can happen has happened before.
    fn timeouts_in_vain(&self, baseline: &Baseline) -> Result<Timeouts, Error> {
        let choices = &baseline.choices;
        if !choices.values().flatten().any(|choice| choice.what == StepKind::After) {
            return Ok(Timeouts::default());
        }
        // Offers what had been sent to the waiting process. If the receive would have taken it, the timeout was a choice.
        let none = Timeouts::default();
        let mut real = Timeouts::default();
        for probes in 0..=PROBES {
            // With many such timeouts, the last run ignores nothing that had been sent.
            let probed = RecordFacts {
                real: (probes < PROBES).then_some(&real),
                ..RecordFacts::nothing(&none)
            };
            let quiet = self.runs.recorded(choices, probed, Following::TimeoutsLast)?;
            if let Some(one) = quiet.driven.taken_before_time {
                real.insert(one);
                continue;
            }
            let outcome = &baseline.outcome;
            if quiet.driven.ran == outcome.driven.ran && is_same(&quiet.found, &outcome.found) {
                return Ok(quiet.driven.vain);
            }
            break;
        }
        Ok(Timeouts::default())
    }

    /// A run has not failed, but the recorded program does not fail either when driven in the same way, and random schedules do not decide.
    /// Drives both with fewer constraints, so that the recorded program fails. If that is impossible, nothing is proven.
    fn prove(&self, trial: &mut Trial, known: RecordFacts<'_>, choices: &Choices) -> Result<(), Error> {
        for less in known.less() {
            if self.is_led_to_the_failure(less, choices)? {
                trial.judge_again(self.drive_changed(less, choices, Following::Strictly)?);
                break;
            }
        }
        Ok(())
    }

    /// Whether the recorded program fails again when it is driven like a changed one.
    fn is_led_to_the_failure(&self, known: RecordFacts<'_>, choices: &Choices) -> Result<bool, Error> {
        let again = self.runs.recorded(choices, known, Following::Strictly)?;
        Ok(self.judged(again).verdict == CheckVerdict::StillFails)
    }

    /// What the changed program does when driven by these choices, in all the ways that they leave open.
    pub(crate) fn drive_changed(
        &self,
        known: RecordFacts<'_>,
        choices: &Choices,
        following: Following,
    ) -> Result<Judged, Error> {
        let kin = self.runs.heard.kin.another();
        let first = self.runs.run(choices, Tested::Changed, kin, known, following)?;
        let otherwise = first.kin.otherwise();
        let mut judged = self.judged(first);
        if judged.verdict == CheckVerdict::Fixed
            && let Some(kin) = otherwise
        {
            // `fixed` only if every way of matching indistinguishable processes gives `fixed`.
            let other = self.judged(self.runs.run(choices, Tested::Changed, kin, known, following)?);
            // Another matching counts only if it leads to a failure.
            if matches!(other.verdict, CheckVerdict::StillFails | CheckVerdict::FailsDifferently) {
                judged = other;
            }
        }
        if judged.verdict == CheckVerdict::Fixed && *self.runs.failure != CheckFailure::None {
            // Unrecorded steps may come at another time: early instead of late.
            let kin = self.runs.heard.kin.another();
            let early = self
                .runs
                .run(choices, Tested::Changed, kin, known, Following::NewEarly)?;
            let verdict = match (&early.found, self.runs.failure) {
                _ if early.driven.lost_patience || self.runs.exceeds(early.price, &early.found) => None,
                (CheckFailure::End(now), CheckFailure::End(then)) => verdict_by_kind(now, then),
                _ => Some(self.runs.verdict(&early)).filter(|verdict| *verdict == CheckVerdict::StillFails),
            };
            if let Some(verdict) = verdict {
                judged = Judged {
                    verdict,
                    ..self.judged(early)
                };
            }
        }
        Ok(judged)
    }

    fn judged(&self, outcome: DrivenOutcome) -> Judged {
        Judged {
            verdict: self.runs.verdict(&outcome),
            too_dear: outcome.found != CheckFailure::None && self.runs.exceeds(outcome.price, &outcome.found),
            without_test: outcome.without_test,
            driven: outcome.driven,
            found: outcome.found,
            actions: outcome.actions,
        }
    }

    /// An abnormal end may be how the changed program returns a result, and not a failure: then another process awaits it under every schedule.
    fn usual_ends(&self, judged: &Judged) -> Result<Vec<EndKind>, Error> {
        if judged.verdict != CheckVerdict::FailsDifferently || !returns_a_result(&judged.found) {
            return Ok(Vec::new());
        }
        let tried = self.search(Tested::Changed, Enough::Seeds)?;
        let recorded = self.search(Tested::Recorded, Enough::Seeds)?;
        if self.searched.blind.get() || tried.fails > 0 || recorded.fails == recorded.runs {
            return Ok(Vec::new());
        }
        let always = tried.results.iter().filter(|(_, runs)| *runs == tried.runs);
        Ok(always.map(|(kind, _)| kind.clone()).collect())
    }

    /// If stuck, retry enforcing only the choices that are causes of the failure.
    fn enforce_only_causes(&self, judged: Judged, known: RecordFacts<'_>, causes: &Choices) -> Result<Judged, Error> {
        let stuck =
            judged.verdict == CheckVerdict::Diverged && !judged.driven.other_files && !self.runs.options.best_effort;
        if !stuck && judged.verdict != CheckVerdict::Fixed {
            return Ok(judged);
        }
        let by_causes = self.drive_changed(known, causes, Following::Strictly)?;
        let better = match by_causes.verdict {
            CheckVerdict::StillFails => !stuck,
            // If the clock decides, the run cannot show a fix.
            CheckVerdict::Fixed => {
                stuck && by_causes.driven.longer.is_empty() && self.is_led_to_the_failure(known, causes)?
            }
            _ => false,
        };
        Ok(if better { by_causes } else { judged })
    }

    /// The results of random schedules for a program.
    pub(crate) fn search(&self, program: Tested, enough: Enough) -> Result<Tried, Error> {
        if let Some(known) = self.searched.tried.borrow().get(&(program, enough)) {
            return Ok(known.clone());
        }
        let tried = fails_under(&self.runs, program, enough)?;
        self.searched.blind.set(self.searched.blind.get() || tried.blind);
        self.searched
            .tried
            .borrow_mut()
            .insert((program, enough), tried.clone());
        Ok(tried)
    }

    /// What the universes of the changed program show, as long as nothing is held up for longer than this (milliseconds).
    fn universes(&self, extent: Extent, stall: Option<u64>) -> Result<Visited, Error> {
        if let Some(known) = self.searched.visited.borrow().get(&(extent, stall)) {
            return Ok(known.clone());
        }
        let visited = universes::visit(&self.runs, extent, stall)?;
        self.searched
            .visited
            .borrow_mut()
            .insert((extent, stall), visited.clone());
        Ok(visited)
    }
}
