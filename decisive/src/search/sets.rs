//! Choices that decide together, where no single one does.
//!
//! A choice after which *this* failure is gone is progress, even if another one of its kind comes: the search goes on in the run that it led to. And
//! the same choice can be made at each place where it comes up: in every round, the write of one process before the read of the next.

use log_format::{ActionId, Pid};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;

use super::{Lab, Limits, Phase, Tried, examine, search_until};
use crate::answer::{Class, Flip, Tally, Together, Weak};
use crate::failure::Verdict;
use crate::guide::Held;
use crate::story::{Run, Sort};
use crate::told::Told;
use crate::way::Way;

/// Of the choices after which the failure has moved, so many are gone on from; in the run that one has led to; and of those after which only its values
/// are other ones.
const MOVED: (usize, usize) = (4, 2);
const CHANGED: (usize, usize) = (3, 1);
/// In runs of at most so many actions, so many of those are gone on from that change nothing of the failure.
const SMALL: u64 = 300;
const PAIRS: usize = 8;
/// Of the sorts of choices, so many are made each time.
const SORTS: usize = 8;
/// After another choice, so many are tried, and so many decisive ones are enough.
const FLIPS: u64 = 60;
const ENOUGH: usize = 2;
/// Longer runs are not searched for sets.
const LONGEST: u64 = 60_000;
/// The search for the rest of a set does at most such a part of the work that is left.
const SHARE: u64 = 2;
/// So many random runs are made with a choice that is made each time, and without it; in a run of more than so many actions, fewer.
const FEW: u64 = 5;
const LONG: u64 = 10_000;
const FEW_LONG: u64 = 3;
/// Of a choice that is made each time, so many others that it can be a choice against are looked at. With the recorded order each time, at most so many
/// random runs may end well.
const OTHERS: usize = 4;
const RARELY: u64 = 1;
/// Where the failure moves, the search for sets makes as many steps as were made before, but not fewer than so many; where only its values change, so many.
const STEPS: u64 = 8_000;
const STEPS_CHANGED: u64 = 3_000;
/// Or so many times the whole run, if that is more.
const WHOLE: u64 = 8;

impl Lab<'_> {
    /// Searches for choices that decide together, if none does alone, and if the failure moves or random runs end well, or might.
    pub(super) fn together(&mut self, session: &Session) -> Result<Option<Together>, Error> {
        // Where another choice changes what it fails with, perhaps each of several is enough; in a small run, where it changes anything. In a long run,
        // random runs begin near the failure besides: they say nothing of what came before.
        let is_changed = self.tried.iter().any(|one| one.is_progress);
        let is_small = self.answer.actions <= SMALL;
        let may_be_early = self.answer.random_from > 0 && is_changed;
        let may_be_often =
            self.nested || self.answer.at_random.passed > 0 || self.answer.verdicts.moved > 0 || may_be_early;
        let is_in_doubt = may_be_often || is_changed || is_small;
        let is_wanted = self.answer.fails && is_in_doubt && !self.one_decides() && self.answer.actions <= LONGEST;
        if !is_wanted || self.limits.depth <= 1 {
            return Ok(None);
        }
        self.recorded_stall()?;
        // In a long run, one continuation makes thousands of steps.
        let whole = self.answer.actions.saturating_mul(WHOLE);
        let more = self.answer.steps.max(STEPS).max(whole);
        let steps_changed = STEPS_CHANGED.max(whole);
        let moved = self.progress(Verdict::Moved, MOVED);
        let upto = self.upto(more);
        let most = self.work_upto(Phase::Sets);
        if let Some(set) = self.go_on(session, moved, (upto, most))? {
            return Ok(Some(set));
        }
        let changed = self.progress(Verdict::Same, CHANGED);
        let upto = self.upto(steps_changed);
        // The rest of the work is for the same choice each time.
        let half = self.work + most.saturating_sub(self.work) / SHARE;
        if let Some(set) = self.go_on(session, changed, (upto, half))? {
            return Ok(Some(set));
        }
        if is_small && !self.nested {
            let others = self.others();
            let upto = self.upto(STEPS_CHANGED);
            if let Some(set) = self.go_on(session, others, (upto, most))? {
                return Ok(Some(set));
            }
        }
        match self.nested || !may_be_often {
            true => Ok(None),
            false => self.each_time(session, self.answer.steps + more),
        }
    }

    /// Up to how many steps the search goes if it makes so many more.
    const fn upto(&self, more: u64) -> u64 {
        match self.nested {
            true => self.limits.steps,
            false => self.answer.steps + more,
        }
    }

    /// The choices after which this failure is gone, but another one of its kind comes.
    fn progress(&self, verdict: Verdict, (first, nested): (usize, usize)) -> Vec<Tried> {
        let is_it = |one: &&Tried| one.is_progress && one.verdict == verdict;
        let found = self.tried.iter().filter(is_it);
        // What comes first at a later place also comes before what was taken earlier: the latest one tells what it has to come before.
        let made = |one: &Tried| (one.place.pid, one.choice);
        let mut latest: FxHashMap<(Pid, Choice), u64> = FxHashMap::default();
        for one in found.clone() {
            let last = latest.entry(made(one)).or_default();
            *last = (*last).max(one.place.kept.actions());
        }
        let is_latest = |one: &&Tried| one.held.is_some() || latest[&made(one)] == one.place.kept.actions();
        let mut found: Vec<Tried> = found.filter(is_latest).cloned().collect();
        found.sort_by_key(|one| {
            let gain = one.otherwise.passed.saturating_sub(one.as_recorded.passed);
            (one.weak.len(), std::cmp::Reverse(gain))
        });
        found.truncate(if self.nested { nested } else { first });
        found
    }

    /// The choices after which something else happens, but the same failure comes.
    fn others(&self) -> Vec<Tried> {
        let is_it =
            |one: &&Tried| one.verdict == Verdict::Same && !one.is_progress && !one.is_again && one.weak.is_empty();
        self.tried.iter().filter(is_it).take(PAIRS).cloned().collect()
    }

    /// Sets by way of these choices, up to so many steps and so much work.
    fn go_on(
        &mut self,
        session: &Session,
        ways: Vec<Tried>,
        (upto, work): (u64, u64),
    ) -> Result<Option<Together>, Error> {
        for one in ways {
            if !self.has_time() || self.answer.steps >= upto || self.work >= work {
                break;
            }
            let mut player = self.stand(&one.place)?;
            if one.held.is_none() {
                player.set_seed(one.seed);
                self.choose(&mut player, one.place.pid, one.choice)?;
            }
            let _ = self.run_to_end(&mut player, None, one.held)?;
            let found = self.search_after(&player, (upto, work))?;
            drop(player);
            let Some(rest) = found else { continue };
            if self.is_enough_without_first(&rest.choices)? {
                continue;
            }
            let first = Told::of(session, &[&one], &self.bounds)?.flip(&one);
            return Ok(Some(Together {
                choices: first.into_iter().chain(rest.choices).collect(),
                ..rest
            }));
        }
        Ok(None)
    }

    /// Searches in the run that a player has come to.
    fn search_after(&mut self, player: &Player, (upto, work): (u64, u64)) -> Result<Option<Together>, Error> {
        let run = player.ended()?;
        let Ok(found) = run.find(causality::Target::Error) else {
            return Ok(None);
        };
        let limits = Limits {
            flips: FLIPS,
            enough: ENOUGH,
            depth: self.limits.depth - 1,
            steps: upto.saturating_sub(self.answer.steps),
            work: (self.work_upto(Phase::Sets).saturating_sub(self.work) / SHARE).min(work.saturating_sub(self.work)),
            ..self.limits
        };
        let Some(answer) = search_until(&run, (&found, &[]), limits, &self.bounds, (self.until, self.stall))? else {
            return Ok(None);
        };
        self.answer.steps += answer.steps;
        self.work = self.work.saturating_add(answer.work);
        let is_good = |flip: &&Flip| flip.is_strong() && gains(flip.otherwise, flip.as_recorded);
        let single = answer.decisive.iter().find(is_good);
        let single = single.map(|flip| Together {
            choices: vec![flip.clone()],
            each: None,
            outcome: flip.outcome.clone(),
            otherwise: flip.otherwise,
            without: flip.as_recorded,
        });
        Ok(single.or(answer.together.filter(|set| set.each.is_none())))
    }

    /// Do these choices, made in the recorded run, avoid the failure without the one before them? If the first of them has no counterpart there, they
    /// cannot be made.
    fn is_enough_without_first(&mut self, rest: &[Flip]) -> Result<bool, Error> {
        let Some((first, rest)) = rest.split_first() else {
            return Ok(false);
        };
        let Some((player, verdict)) = self.again(&first.way)? else {
            return Ok(false);
        };
        match rest {
            _ if verdict == Verdict::Passes => Ok(true),
            [] => Ok(false),
            _ => {
                let run = player.ended()?;
                let Ok(found) = run.find(causality::Target::Error) else {
                    return Ok(false);
                };
                let record = crate::record::Record::of(&run)?;
                let base = super::whole(&run, self.limits.delivery)?;
                let Some(failure) = crate::failure::Failure::of(&base, &found)? else {
                    return Ok(false);
                };
                let mut lab = Lab::new(base, &record, failure, self.limits, self.bounds)?;
                (lab.until, lab.stall, lab.nested) = (self.until, self.stall, true);
                let last = lab.is_enough_without_first(rest)?;
                self.answer.steps += lab.answer.steps;
                self.work = self.work.saturating_add(lab.work);
                Ok(last)
            }
        }
    }

    /// Makes a choice of another run in this one, if it has it.
    fn again(&mut self, way: &Way) -> Result<Option<(Player, Verdict)>, Error> {
        let (place, held, seed) = way.taken_back();
        let id = place.action;
        if self.record.action(id.pid, id.number.0)?.is_none() {
            return Ok(None);
        }
        let mut places = self.around(&[id])?;
        let mut all = self.candidates(&mut places, id, held.is_some())?.into_iter();
        let is_it = |one: &super::whatif::Candidate| {
            one.place.pid == place.pid
                && one.way.held == held
                && way.choice().is_none_or(|choice| choice == one.way.choice)
        };
        let Some(one) = all.find(is_it) else { return Ok(None) };
        let mut player = self.stand(&one.place)?;
        if held.is_none() {
            player.set_seed(seed);
            self.choose(&mut player, one.place.pid, one.way.choice)?;
        }
        let (_, came) = self.run_near(&mut player, held, None)?;
        let verdict = match came.stall {
            None => came.verdict,
            // It does not count.
            Some(_) => Verdict::Cut,
        };
        Ok(Some((player, verdict)))
    }

    const fn few(&self) -> u64 {
        if self.answer.actions > LONG { FEW_LONG } else { FEW }
    }

    /// Random runs from a point of the run on, where something is held back. `is_over`: it is known enough.
    fn at_random_with(&mut self, start: &Player, held: Held, is_over: impl Fn(&Tally) -> bool) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for k in 0..self.limits.runs {
            if k >= self.few() && self.work >= self.work_upto(Phase::Sets) || is_over(&tally) {
                break;
            }
            let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
            let (verdict, _) = self.run(start.clone(), Some(seed), Some(held))?;
            examine::count(&mut tally, verdict);
        }
        Ok(tally)
    }

    /// The sorts of actions that came before others in the run, and for each, these others, each with a choice that takes the two in the other order.
    /// Those after which something is otherwise come first.
    fn sorts(&self) -> Vec<(Sort, Vec<(Sort, usize)>)> {
        let mut sorts: Vec<(Sort, Vec<(Sort, usize)>)> = Vec::new();
        let of = |by: Option<ActionId>| by.map_or(0, |by| self.record.sort(by));
        for (at, one) in self.tried.iter().enumerate() {
            let sort = match one.class {
                Class::Access => self.record.sort(one.place.action),
                Class::Message => of(one.made_by),
                _ => 0,
            };
            let other = of(one.instead_by);
            // Two reads in the other order would be no choice that means something each time.
            let is_of_two = other != 0 && other != sort;
            // That it is not enough once says nothing of each time.
            let is_weak = one
                .weak
                .iter()
                .any(|weak| !matches!(weak, Weak::Rare | Weak::Undecided));
            let counts = matches!(one.verdict, Verdict::Same | Verdict::Moved) && !is_weak && is_of_two;
            if !counts || sort == 0 || self.record.many(sort) <= 1 {
                continue;
            }
            match sorts.iter_mut().find(|(known, _)| *known == sort) {
                None => sorts.push((sort, vec![(other, at)])),
                Some((_, others)) => match others.iter_mut().find(|(known, _)| *known == other) {
                    None => others.push((other, at)),
                    Some((_, known)) if one.is_progress && !self.tried[*known].is_progress => *known = at,
                    Some(_) => {}
                },
            }
        }
        for (_, others) in &mut sorts {
            others.sort_by_key(|(_, at)| !self.tried[*at].is_progress);
        }
        sorts
    }

    /// Makes one choice each time it comes up: all actions of its sort wait until nothing else can happen, and then come one by one. What it is a choice
    /// against is known by the recorded order each time: where all actions of the other sort wait, it fails.
    fn each_time(&mut self, session: &Session, upto: u64) -> Result<Option<Together>, Error> {
        for (sort, others) in self.sorts().into_iter().take(SORTS) {
            if !self.has_time() || self.answer.steps >= upto || self.work >= self.work_upto(Phase::Sets) {
                break;
            }
            let first = self.record.order.iter().position(|id| self.record.sort(*id) == sort);
            let first = first.unwrap_or(0);
            // One run, a few with the choice each time, and as many without it.
            let runs = (1 + 2 * self.few()).saturating_mul((self.record.order.len() - first) as u64);
            if self.work.saturating_add(runs.saturating_mul(self.weight)) > self.work_upto(Phase::Sets) {
                continue;
            }
            let start = self.stand_before(first)?;
            let held = Held::Sort(sort);
            let mut player = start.clone();
            let (_, came) = self.run_near(&mut player, Some(held), None)?;
            drop(player);
            if came.verdict != Verdict::Passes || came.stall.is_some() {
                continue;
            }
            let otherwise = self.at_random_with(&start, held, |_| false)?;
            for (other, at) in others.into_iter().take(OTHERS) {
                let without = self.at_random_with(&start, Held::Sort(other), |tally| tally.passed > RARELY)?;
                let is_shown = without.of >= self.few() && without.failed * 10 >= without.of * 9;
                if !is_shown || !gains(otherwise, without) {
                    continue;
                }
                let one = self.tried[at].clone();
                let flip = Told::of(session, &[&one], &self.bounds)?.flip(&one);
                return Ok(flip.map(|flip| Together {
                    choices: vec![flip],
                    each: Some(u64::from(self.record.many(sort))),
                    outcome: came.outcome,
                    otherwise,
                    without,
                }));
            }
        }
        Ok(None)
    }
}

/// Do seven in ten random continuations end well, and three in ten fewer without?
const fn gains(with: Tally, without: Tally) -> bool {
    with.of > 0 && with.passed * 10 >= with.of * 7 && with.gains_over(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_decide_together_if_most_runs_end_well_then_and_clearly_fewer_without() {
        let tally = |passed| Tally {
            of: 10,
            passed,
            failed: 10 - passed,
        };
        assert!(gains(tally(10), tally(0)) && gains(tally(7), tally(4)));
        assert!(!gains(tally(6), tally(0)) && !gains(tally(10), tally(8)));
        // What was not run at random says nothing.
        assert!(!gains(Tally::default(), Tally::default()));
    }
}
