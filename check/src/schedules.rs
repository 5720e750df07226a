//! Random schedules, tried after a driven run that has not failed.

use session::error::Error;

use crate::answer::{CheckVerdict, Checked, Remaining, Schedules, Universes, Unvisited};
use crate::choices::Choices;
use crate::failure::{CheckFailure, is_of_kind, kind_of, verdict_by_kind};
use crate::inquiry::{Draft, Inquiry, Judged};
use crate::races;
use crate::runs::{Following, RecordFacts};
use crate::search::Tested;
use crate::tried::{Enough, FEW, Kinds, OFTEN, SELDOM, Tried, USUAL_SEEDS};
use crate::universes::Visited;

/// A driven run, and the findings of random schedules about it.
pub(crate) struct Trial {
    judged: Judged,
    /// Driven in the same way, the recorded program fails: so it is evidence that this run does not.
    proves: bool,
    pub(crate) schedules: Option<Schedules>,
    /// Messages came in another order than when recorded.
    other_order: bool,
    /// Files that the program had written itself were read with other contents.
    own_files: bool,
    /// The recorded choices lead nowhere, and the random schedules decided.
    by_rates: bool,
    /// The changed program ran without end under a random schedule.
    endless: bool,
    /// The recorded program fails by the recorded choices, and the changed one does not.
    by_choices: bool,
    /// Universes of the changed program that were visited.
    pub(crate) universes: Option<Universes>,
    /// Some were left out because something must be held up for longer.
    pub(crate) left_out: bool,
    /// Failures that are not the recorded one.
    remains: Vec<Remaining>,
}

impl Trial {
    pub(crate) const fn of(judged: Judged, proves: bool) -> Self {
        let by_choices = matches!(judged.verdict, CheckVerdict::Fixed) && proves;
        Self {
            judged,
            proves,
            by_choices,
            schedules: None,
            other_order: false,
            own_files: false,
            by_rates: false,
            endless: false,
            universes: None,
            remains: Vec::new(),
            left_out: false,
        }
    }

    pub(crate) const fn is_endless(&self) -> bool {
        self.endless
    }

    /// Does the recorded program fail too rarely under random schedules for them to say much?
    pub(crate) fn is_rare(&self) -> bool {
        self.schedules
            .as_ref()
            .is_some_and(|s| s.recorded_fails * OFTEN < s.recorded)
    }

    /// Have all universes been visited, and none of them fails?
    pub(crate) fn is_fixed_by_universes(&self) -> bool {
        self.universes.as_ref().is_some_and(|universes| universes.all)
    }

    /// Notes what universes have shown in which the recorded failure does not occur. `other`: another failure, which the recorded program is not
    /// known to have.
    pub(crate) fn visited(&mut self, visited: &Visited, other: Option<&(u64, CheckFailure)>) {
        let mut universes = visited.told.clone();
        if let Some((_, other)) = other {
            universes.all = false;
            universes.unvisited = Some(Unvisited::FailsDifferently(other.words()));
        }
        if universes.all {
            (self.judged.found, self.judged.verdict) = (CheckFailure::None, CheckVerdict::Fixed);
            self.judged.driven.divergences.clear();
            self.left_out = visited.stalled > 0;
        }
        self.universes = Some(universes);
    }

    /// Whether it has not failed, but neither the way in which it was driven nor random schedules have shown that this is evidence.
    pub(crate) fn is_unproven(&self) -> bool {
        let often = |schedules: &Schedules| schedules.recorded_fails >= OFTEN;
        let proves = self.proves || self.is_fixed_by_universes();
        self.judged.verdict == CheckVerdict::Fixed && !proves && !self.schedules.as_ref().is_some_and(often)
    }

    /// Whether the verdict will be that the failure is fixed.
    pub(crate) fn is_fixed(&self) -> bool {
        self.judged.verdict == CheckVerdict::Fixed && !self.is_unproven()
    }

    /// Replaces it by a run that was driven in a way in which the recorded program fails.
    pub(crate) fn judge_again(&mut self, judged: Judged) {
        self.judged = judged;
        self.proves = true;
        self.by_choices = self.judged.verdict == CheckVerdict::Fixed;
    }

    /// The final answer.
    pub(crate) fn answer(mut self, draft: &Draft) -> Checked {
        let unproven = self.is_unproven();
        if unproven {
            self.judged.verdict = CheckVerdict::Incomplete;
        }
        let Judged {
            driven,
            found,
            actions,
            verdict,
            ..
        } = self.judged;
        let now = match verdict {
            CheckVerdict::Diverged if driven.other_files => {
                "the program reads a file that it has written itself, and the trace does not hold the order".to_owned()
            }
            CheckVerdict::Diverged if driven.divergences.is_empty() => {
                "the run went another way before the failure: a process timed out while messages were held back for the \
                 recorded order"
                    .to_owned()
            }
            CheckVerdict::Diverged => "the run went another way before the failure".to_owned(),
            CheckVerdict::Incomplete if unproven => {
                "no failure; but the recorded program, driven in the same way, does not fail either, and random schedules do not decide".to_owned()
            }
            CheckVerdict::Incomplete => format!("stopped after {actions} actions"),
            _ => found.words(),
        };
        Checked {
            timeouts: driven.longer,
            contents: driven.contents,
            schedules: self.schedules,
            other_order: self.other_order,
            own_files: self.own_files,
            remains: if verdict.is_fixed() { self.remains } else { Vec::new() },
            by_rates: self.by_rates,
            universes: self.universes,
            by_choices: self.by_choices && verdict == CheckVerdict::Fixed,
            ..draft.answer(verdict, now, driven.divergences, actions)
        }
    }

    /// An answer that a random schedule has led to.
    fn answer_by(&self, draft: &Draft, verdict: CheckVerdict, now: String) -> Checked {
        Checked {
            timeouts: self.judged.driven.longer.clone(),
            contents: self.judged.driven.contents.clone(),
            ..draft.answer(verdict, now, Vec::new(), self.judged.actions)
        }
    }
}

/// The results of the schedules for both programs.
struct ShownSchedules {
    changed: Tried,
    recorded: Tried,
    /// Failures of other kinds that prove nothing: the recorded program has them too, or they are how the changed one returns results.
    familiar: Vec<CheckFailure>,
}

impl ShownSchedules {
    const fn schedules(&self) -> Schedules {
        Schedules {
            tried: self.changed.runs,
            recorded: self.recorded.runs,
            recorded_fails: self.recorded.fails,
        }
    }
}

/// What the rates of failure of both programs say.
pub(crate) enum Rates {
    /// The changed program fails, or does not run the test.
    Answer(Box<Checked>),
    /// It does not fail in so many runs that this is no chance.
    Decide,
    /// Nothing.
    Open,
}

impl Inquiry<'_> {
    /// Runs both programs under random schedules. Returns an answer if they decide; otherwise notes the results in the trial.
    pub(crate) fn try_schedules(
        &self,
        trial: &mut Trial,
        known: RecordFacts<'_>,
        choices: &Choices,
        causes: &Choices,
    ) -> Result<Option<Checked>, Error> {
        let changed = self.search(Tested::Changed, Enough::AFailure)?;
        if let Some(found) = &changed.found {
            return Ok(Some(self.fails_under_a_schedule(trial, found)));
        }
        if changed.without_test.is_some() {
            return Ok(Some(self.without_test(&trial.judged)));
        }
        let recorded = self.search(Tested::Recorded, Enough::Seeds)?;
        if self.searched.blind.get() {
            return Ok(None);
        }
        // A few schedules show little of a change that makes a failure rarer; least where it is rare already, or where only waits are longer.
        let waits_longer = !trial.judged.driven.longer.is_empty();
        let changed = match recorded.fails {
            fails if trial.judged.verdict == CheckVerdict::Fixed && (fails < SELDOM || waits_longer) => {
                self.search(Tested::Changed, Enough::ARareFailure)?
            }
            _ if trial.judged.verdict == CheckVerdict::Fixed => {
                self.search(Tested::Changed, Enough::AFailureOf(USUAL_SEEDS, Kinds::default()))?
            }
            _ => changed,
        };
        if let Some(found) = &changed.found {
            return Ok(Some(self.fails_under_a_schedule(trial, found)));
        }
        if changed.without_test.is_some() {
            return Ok(Some(self.without_test(&trial.judged)));
        }
        if self.searched.blind.get() {
            return Ok(None);
        }
        let mut familiar = self.familiar(&changed, &recorded, known);
        let mut as_many = None;
        if changed.unlike(&familiar).is_some() && changed.runs > recorded.runs {
            // What is rare in the recorded program needs as many schedules to be seen there.
            let more = self.search(Tested::Recorded, Enough::AsMany(changed.runs))?;
            familiar = self.familiar(&changed, &more, known);
            as_many = Some(more);
        }
        trial.remains = self.remaining(&changed, as_many.as_ref().unwrap_or(&recorded), known);
        let shown = ShownSchedules {
            changed,
            recorded,
            familiar,
        };
        trial.schedules = Some(shown.schedules());
        if trial.judged.verdict == CheckVerdict::Fixed
            && let Some(answer) = self.contradicted(trial, &shown, choices)?
        {
            return Ok(Some(answer));
        }
        trial.endless = shown.changed.endless.is_some();
        self.accept_another_order(trial, known, causes, shown)
    }

    /// The changed program fails in the recorded way under a random schedule.
    pub(crate) fn fails_under_a_schedule(&self, trial: &Trial, (seed, end): &(u64, CheckFailure)) -> Checked {
        let verdict_by_kind = match (end, self.runs.failure) {
            (CheckFailure::End(now), CheckFailure::End(then)) => verdict_by_kind(now, then),
            _ => None,
        };
        let verdict = verdict_by_kind.unwrap_or(CheckVerdict::StillFails);
        Checked {
            schedule: Some(*seed),
            ..trial.answer_by(&self.draft, verdict, end.words())
        }
    }

    pub(crate) fn familiar(&self, changed: &Tried, recorded: &Tried, known: RecordFacts<'_>) -> Vec<CheckFailure> {
        let is_usual = |other: &&CheckFailure| match other {
            CheckFailure::End(end) => end.awaited && known.usual.contains(&kind_of(end)),
            _ => false,
        };
        let ends = self.runs.heard.ends.iter().cloned().map(CheckFailure::End);
        let others = recorded.others.iter().map(|(_, failure)| failure.clone());
        let usual = changed.others.iter().map(|(_, other)| other).filter(is_usual).cloned();
        ends.chain(others).chain(usual).collect()
    }

    /// Failures of the changed program that are not the recorded one, and that the recorded program has, too: not those that the recorded run shows to be
    /// a normal part of it.
    fn remaining(&self, changed: &Tried, recorded: &Tried, known: RecordFacts<'_>) -> Vec<Remaining> {
        let is_normal = |failure: &CheckFailure| {
            let ends = &self.runs.heard.ends;
            let is_usual =
                matches!(failure, CheckFailure::End(end) if end.awaited && known.usual.contains(&kind_of(end)));
            is_usual
                || ends
                    .iter()
                    .any(|end| is_of_kind(failure, &CheckFailure::End(end.clone())))
        };
        let others = changed.also_of(recorded).filter(|(failure, _)| !is_normal(failure));
        let told = others.map(|(failure, runs)| Remaining {
            failure: failure.words(),
            runs,
            of: changed.runs,
        });
        told.collect()
    }

    /// Do the schedules contradict the verdict that the failure is fixed?
    fn contradicted(&self, trial: &Trial, shown: &ShownSchedules, choices: &Choices) -> Result<Option<Checked>, Error> {
        let (changed, recorded) = (&shown.changed, &shown.recorded);
        if let Some((seed, other)) = changed.unlike(&shown.familiar) {
            return Ok(Some(Checked {
                schedule: Some(*seed),
                ..trial.answer_by(&self.draft, CheckVerdict::FailsDifferently, other.words())
            }));
        }
        if let Some(seed) = changed.endless.filter(|_| recorded.endless.is_none()) {
            let now = format!(
                "the program does not end under a random schedule (number {seed}), but the recorded program does"
            );
            return Ok(Some(Checked {
                schedules: Some(shown.schedules()),
                ..trial.answer_by(&self.draft, CheckVerdict::Incomplete, now)
            }));
        }
        // If the recorded program fails under (nearly) no schedule, and racing steps are missing or made by other processes, nothing is known
        // about that race.
        if recorded.fails >= FEW {
            return Ok(None);
        }
        let (trace, ids) = (self.runs.session.trace(), &self.runs.heard.ids);
        let lost = races::without_counterpart(trace, self.slice, choices, &trial.judged.driven.done, ids)?;
        if lost.is_empty() {
            return Ok(None);
        }
        let now = "no failure, but the steps of the recorded race are done in another way".to_owned();
        Ok(Some(Checked {
            no_power: true,
            schedules: Some(shown.schedules()),
            divergences: races::divergences(trace, &lost)?,
            ..trial.answer_by(&self.draft, CheckVerdict::Diverged, now)
        }))
    }

    /// A fix may make the recorded order of messages impossible, and the order in which files were used is not recorded. Another order proves
    /// nothing: many schedules decide.
    fn accept_another_order(
        &self,
        trial: &mut Trial,
        known: RecordFacts<'_>,
        causes: &Choices,
        shown: ShownSchedules,
    ) -> Result<Option<Checked>, Error> {
        let undecided = matches!(trial.judged.verdict, CheckVerdict::Diverged | CheckVerdict::Incomplete)
            && !self.runs.options.best_effort
            && shown.changed.unlike(&shown.familiar).is_none()
            && shown.changed.endless.is_none();
        if !undecided {
            return Ok(None);
        }
        // A run that was given recorded contents proves nothing, nor does one that was held up too long.
        let other_files = trial.judged.driven.other_files;
        let otherwise = if other_files || trial.judged.too_dear {
            None
        } else {
            let any_order = self.drive_changed(known, causes, Following::AnyOrder)?;
            Some(any_order).filter(|run| run.verdict == CheckVerdict::Fixed && run.driven.longer.is_empty())
        };
        // Without a driven run that does not fail, only the rates speak, and both programs must get the same inputs.
        let by_rates = otherwise.is_none() && !other_files && !trial.judged.too_dear;
        if by_rates && trial.judged.driven.invented {
            return Ok(None);
        }
        let passed = match self.compare_rates(trial, &shown.familiar)? {
            Rates::Answer(answer) => return Ok(Some(*answer)),
            Rates::Decide => true,
            Rates::Open => false,
        };
        match otherwise {
            Some(any_order) if passed => {
                trial.judged = any_order;
                trial.other_order = true;
            }
            None if passed => {
                (trial.judged.found, trial.judged.verdict) = (CheckFailure::None, CheckVerdict::Fixed);
                trial.judged.driven.divergences.clear();
                (trial.own_files, trial.by_rates) = (other_files, !other_files);
            }
            _ => {}
        }
        Ok(None)
    }

    /// Is it far less likely that the changed program fails than the recorded one? Notes the numbers.
    pub(crate) fn compare_rates(&self, trial: &mut Trial, familiar: &[CheckFailure]) -> Result<Rates, Error> {
        let recorded = match self.search(Tested::Recorded, Enough::Seeds)? {
            seeds if seeds.fails >= OFTEN => seeds,
            _ => self.search(Tested::Recorded, Enough::Often)?,
        };
        let Some(enough) = recorded.runs_to_be_sure() else {
            return Ok(Rates::Open);
        };
        let changed = self.search(Tested::Changed, Enough::AFailureOf(enough, recorded.kinds()))?;
        if let Some(found) = &changed.found {
            return Ok(Rates::Answer(Box::new(self.fails_under_a_schedule(trial, found))));
        }
        if changed.without_test.is_some() {
            return Ok(Rates::Answer(Box::new(self.without_test(&trial.judged))));
        }
        trial.schedules = Some(Schedules {
            tried: changed.runs,
            recorded: recorded.runs_that_count(),
            recorded_fails: recorded.fails,
        });
        let passed = !self.searched.blind.get()
            && changed.runs >= enough
            && changed.unlike(familiar).is_none()
            && changed.endless.is_none();
        Ok(if passed { Rates::Decide } else { Rates::Open })
    }

    /// A driven run has not failed, which proves nothing: if the recorded program fails rarely under random schedules, as many of them decide as it takes.
    pub(crate) fn prove_by_rates(&self, trial: &mut Trial, known: RecordFacts<'_>) -> Result<Rates, Error> {
        let shown = trial
            .universes
            .as_ref()
            .and_then(|universes| universes.unvisited.as_ref());
        if self.searched.blind.get() || matches!(shown, Some(Unvisited::FailsDifferently(_))) {
            return Ok(Rates::Open);
        }
        let (before, changed) = (trial.schedules, self.search(Tested::Changed, Enough::AFailure)?);
        let recorded = self.search(Tested::Recorded, Enough::Seeds)?;
        let familiar = self.familiar(&changed, &recorded, known);
        let rates = self.compare_rates(trial, &familiar)?;
        if matches!(rates, Rates::Open) {
            trial.schedules = before;
        }
        Ok(rates)
    }
}
