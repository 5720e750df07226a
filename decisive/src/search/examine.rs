//! How much a choice decides: random runs after it, and after the recorded one in its place. The answer.

use log_format::{Action, ActionId, Pid};
use session::Session;
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;

use super::{Lab, Phase, Tried};
use crate::answer::{Answer, Bound, Class, Tally, Weak};
use crate::failure::Verdict;
use crate::places::{Place, Places};
use crate::told::Told;

/// Random runs begin at the beginning if the run has at most so many actions, and of more than the first so many only a few are made; else they begin so
/// many actions before the failure.
const SHORT: usize = 4_000;
const WHOLE: usize = 60_000;
const NEAR: usize = 2_000;

/// So many random runs are made in any case, however long they are, if that is not too much work.
const FEW: u64 = 3;
/// Where a run is so large a part of all work, a choice is given up after so many of them if one as recorded ended well.
const DEAR: u64 = 80;
const DOUBTFUL: u64 = 2;
/// A difference that may be chance is measured with so many times the usual runs.
const REPEATS: u64 = 4;
/// As soon as they are found, so many choices are looked into. After one that surely decides, such a part of all work is done.
const LOOKED_INTO: usize = 4;
const MORE: u64 = 16;
/// Of the flips that need a longer stall than the recorded run, so many are kept.
const STALLED: usize = 4;

/// Shown of the flips that are not decisive.
const OTHERS: usize = 12;

/// Where the random runs of a flip begin.
struct Stands {
    /// Before the choice.
    before: Player,
    /// Where the recorded choice has just been made. `None`: it could not be repeated.
    as_made: Option<Player>,
}

impl Lab<'_> {
    /// Runs on at random after the best flips, and after the recorded choices in their places.
    pub(super) fn examine(&mut self) -> Result<(), Error> {
        self.tried.sort_by_key(rank);
        // Of those that need a longer stall, only the nearest may be told.
        let mut stalled = 0;
        self.tried.retain(|one| {
            stalled += usize::from(one.stall.is_some());
            one.stall.is_none() || stalled <= STALLED
        });
        let budget = self.answer.steps + self.limits.steps;
        let one_decides = self.answer.verdicts.passes > 0;
        if !self.tried.is_empty() {
            self.know_stall()?;
        }
        if !one_decides && !self.nested {
            self.at_random()?;
        }
        // If no single choice decides, but some orders end well: which choice makes that likely?
        let leans = !one_decides && self.answer.verdicts.stalls == 0 && self.answer.at_random.passed > 0;
        let wanted = |verdict: Verdict| match verdict {
            Verdict::Passes => true,
            Verdict::Moved | Verdict::Same => leans,
            Verdict::Another | Verdict::Cut => false,
        };
        let (work, most) = (self.work_upto(Phase::Examine), self.work_upto(Phase::Random));
        let mut has_good = false;
        let mut doubtful = Vec::new();
        let all = 0..self.tried.len().min(2 * self.limits.enough);
        for at in all.filter(|&at| wanted(self.tried[at].verdict)).collect::<Vec<_>>() {
            // Until one is found that decides, a little more work is done.
            let is_over = self.work >= if has_good { work } else { most } && at > 0;
            if self.answer.steps >= budget || is_over || !self.has_time() {
                break;
            }
            let stands = self.stand_at(at)?;
            self.measure((at, &stands), FEW, (budget, work))?;
            // Where some end well as recorded, too, a later choice decided: it is looked for first.
            match self.tried[at].as_recorded.passed {
                0 => {
                    self.measure_surely((at, &stands), (budget, work))?;
                    has_good |= self.mark(at);
                }
                _ => doubtful.push(at),
            }
        }
        for at in doubtful {
            let is_over = self.answer.steps >= budget || self.work >= most || !self.has_time();
            if !has_good && !is_over {
                let stands = self.stand_at(at)?;
                self.measure_surely((at, &stands), (budget, work))?;
            }
            has_good |= self.mark(at);
        }
        self.tried.sort_by_key(rank);
        if one_decides && !self.one_decides() && !self.nested {
            self.at_random()?;
        }
        Ok(())
    }

    /// Need only a little more be tried, because one of the choices after the first so many surely decides, or because much was tried and random runs all
    /// fail as recorded?
    pub(super) fn look_whether_to_end(&mut self, before: usize) -> Result<(), Error> {
        if self.nearly_over.is_some() || self.limits.runs == 0 || !self.answer.fails {
            return Ok(());
        }
        let is_good = |one: &Tried| one.verdict == Verdict::Passes && one.weak.is_empty();
        for at in before..self.tried.len() {
            if !is_good(&self.tried[at]) || self.looked_into >= LOOKED_INTO {
                continue;
            }
            self.looked_into += 1;
            self.know_stall()?;
            let stands = self.stand_at(at)?;
            self.measure((at, &stands), FEW, (u64::MAX, self.work_upto(Phase::Random)))?;
            let (otherwise, as_recorded) = (self.tried[at].otherwise, self.tried[at].as_recorded);
            if otherwise.passed == otherwise.of && as_recorded.of >= FEW && as_recorded.passed == 0 {
                self.nearly_over = Some((self.work + self.budget / MORE, Bound::Found));
                return Ok(());
            }
        }
        if self.found() == 0 && !self.nested && self.work >= self.work_upto(Phase::Look) / 2 && !self.has_run_at_random
        {
            self.know_stall()?;
            let (work, steps) = (self.work, self.answer.steps);
            self.at_random()?;
            // They are no part of the work of trying other choices.
            self.budget += self.work - work;
            self.apart += self.answer.steps - steps;
            let runs = self.answer.at_random;
            if runs.of > 0 && runs.failed == runs.of {
                self.nearly_over = Some((self.work + self.budget / MORE, Bound::Work));
            }
        }
        Ok(())
    }

    /// Runs at random need no longer stall than the recorded one.
    fn know_stall(&mut self) -> Result<(), Error> {
        if self.record.is_timed() && self.limits.runs > 0 {
            self.recorded_stall()?;
        }
        Ok(())
    }

    /// Where the runs of a flip begin.
    fn stand_at(&mut self, at: usize) -> Result<Stands, Error> {
        let one = self.tried[at].clone();
        let before = self.stand(&one.place)?;
        let action = self.record.action(one.place.action.pid, one.place.action.number.0)?;
        let recorded = one.made.or(action.map(|action| Choice::of(&action)));
        let as_made = match recorded {
            _ if one.class == Class::Input => self.stand_with_recorded_input(&before, &one.place)?,
            Some(made) => self.stand_as_recorded(&before, &one.place, made)?,
            None => None,
        };
        Ok(Stands { before, as_made })
    }

    /// Runs on at random after a flip, and after the recorded choice in its place, until so many runs of each were made, or `limits` (steps, work) are
    /// reached.
    fn measure(&mut self, (at, stands): (usize, &Stands), runs: u64, (steps, work): (u64, u64)) -> Result<(), Error> {
        let one = self.tried[at].clone();
        let (mut otherwise, mut as_recorded) = (one.otherwise, one.as_recorded);
        let left = self.answer.actions.saturating_sub(one.place.kept.actions());
        let is_dear = left.saturating_mul(self.weight) > self.budget / DEAR;
        for k in otherwise.of..runs {
            // A few of each, even if that is much work.
            let is_much = self.answer.steps >= steps || self.work >= work;
            if k >= FEW && is_much || k >= DOUBTFUL && is_dear && as_recorded.passed > 0 {
                break;
            }
            let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
            let mut player = stands.before.clone();
            if one.held.is_none() {
                player.set_seed(one.seed);
                player.choose(one.place.pid, one.choice)?;
            }
            let (verdict, _) = self.run(player, Some(seed), one.held)?;
            count(&mut otherwise, verdict);
            if let Some(made) = &stands.as_made {
                let (verdict, _) = self.run(made.clone(), Some(seed), None)?;
                count(&mut as_recorded, verdict);
            }
        }
        let one = &mut self.tried[at];
        (one.otherwise, one.as_recorded) = (otherwise, as_recorded);
        Ok(())
    }

    /// As [`Self::measure`], with as many runs as is usual, and more where the difference may be chance.
    fn measure_surely(&mut self, (at, stands): (usize, &Stands), limits: (u64, u64)) -> Result<(), Error> {
        self.measure((at, stands), self.limits.runs, limits)?;
        let (otherwise, as_recorded) = (self.tried[at].otherwise, self.tried[at].as_recorded);
        if as_recorded.passed > 0 && as_recorded.passed * 2 <= as_recorded.of && otherwise.gains_over(as_recorded) {
            // One that decides ends the search: what is left of the work is for it.
            self.measure((at, stands), self.limits.runs * REPEATS, (limits.0, self.budget))?;
        }
        Ok(())
    }

    /// What a flip that was measured says little for. True: it decides.
    fn mark(&mut self, at: usize) -> bool {
        let one = &mut self.tried[at];
        let (otherwise, as_recorded) = (one.otherwise, one.as_recorded);
        let gains = otherwise.gains_over(as_recorded);
        if otherwise.passed * 10 < otherwise.of * 3 {
            one.weak.push(Weak::Rare);
        }
        let is_chance = as_recorded.passed > 0 && !otherwise.surely_gains_over(as_recorded);
        if as_recorded.passed * 2 > as_recorded.of || is_chance {
            one.weak.push(Weak::Undecided);
        }
        one.verdict == Verdict::Passes && one.weak.is_empty() && gains
    }

    /// Does one choice alone decide, as far as is known?
    pub(super) fn one_decides(&self) -> bool {
        let says_little = |weak: &Weak| match weak {
            Weak::Rare | Weak::Undecided | Weak::GivesUp | Weak::Value | Weak::Stalls => true,
            Weak::ByFailing | Weak::Far => false,
        };
        // Where nearly as many runs end well as recorded, another choice, or a set of them, decided.
        let gains = |one: &Tried| one.otherwise.gains_over(one.as_recorded);
        let is_good = |one: &Tried| one.verdict == Verdict::Passes && !one.weak.iter().any(says_little) && gains(one);
        self.tried.iter().any(is_good)
    }

    /// Where the recorded input has just been read. `None`: it could not be repeated.
    fn stand_with_recorded_input(&self, standing: &Player, place: &Place) -> Result<Option<Player>, Error> {
        let mut player = standing.clone();
        let input = player.session().trace().action(place.action.pid, place.action.number)?;
        Ok(player
            .go_way_with(place.pid, Action::new(input.kind))
            .is_ok()
            .then_some(player))
    }

    /// Where the recorded choice has just been made, and all that depends on it is still to come. `None`: it could not be repeated.
    fn stand_as_recorded(&mut self, standing: &Player, place: &Place, made: Choice) -> Result<Option<Player>, Error> {
        let pid = place.action.pid;
        let mut player = standing.clone();
        if !player.choices(pid)?.contains(&made) {
            // What was taken depends on the wait that is taken back with every flip.
            let from = usize::try_from(self.record.rank(pid, place.action.number.0)).unwrap_or(usize::MAX);
            let from = from.min(self.record.order.len());
            let (future, kept) = Places::around(self.record, (None, &self.by_clock), from)?.without(place.action)?;
            player = self.stand(&Place {
                future,
                kept,
                ..place.clone()
            })?;
            if !player.choices(pid)?.contains(&made) {
                return Ok(None);
            }
        }
        player.choose(pid, made)?;
        Ok(Some(player))
    }

    /// Runs at random: from the beginning, or from a place before the failure.
    fn at_random(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.has_run_at_random, true) {
            return Ok(());
        }
        let mut from = 0;
        let length = self.record.order.len();
        let usual = self.limits.runs;
        let runs = if (SHORT..=WHOLE).contains(&length) {
            usual / 2
        } else {
            2 * usual
        };
        if length > WHOLE {
            let failed = self.record.rank(self.failure.action.pid, self.failure.action.number.0);
            let failed = usize::try_from(failed).unwrap_or(usize::MAX);
            from = failed.min(length).saturating_sub(NEAR);
            self.answer.random_from = from as u64;
        }
        let start = self.stand_before(from)?;
        self.calm = true;
        let work = self.work_upto(Phase::Random);
        for k in 0..runs {
            if k >= usual / 2 && self.work >= work || !self.has_time() {
                break;
            }
            let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
            match self.run(start.clone(), Some(seed), None)?.0 {
                // How it would have ended is not known.
                Verdict::Cut => {}
                // The same failure at another key.
                Verdict::Moved => count(&mut self.answer.at_random, Verdict::Same),
                verdict => count(&mut self.answer.at_random, verdict),
            }
        }
        self.calm = false;
        Ok(())
    }

    /// The answer, with the actions as people know them.
    pub(super) fn tell(mut self, session: &Session) -> Result<Answer, Error> {
        self.answer.absence = self.waited.is_some();
        self.answer.work = self.work;
        // A process that gives up earlier says so, and nothing of a race.
        let is_changed =
            |one: &&Tried| one.verdict == Verdict::Same && one.is_progress && !one.weak.contains(&Weak::GivesUp);
        self.answer.verdicts.changed = self.tried.iter().filter(is_changed).count() as u64;
        let fails = self.answer.fails;
        let is_decisive = |one: &&Tried| match one.verdict {
            Verdict::Passes | Verdict::Moved => fails,
            Verdict::Another => !fails,
            Verdict::Same | Verdict::Cut => false,
        };
        let gain = |one: &Tried| one.otherwise.passed.saturating_sub(one.as_recorded.passed);
        let leans = |one: &&Tried| one.verdict == Verdict::Same && gain(one) * 10 > one.otherwise.of * 2;
        // If as many continuations end well as recorded, it is a later choice that decides.
        let is_decisive =
            |one: &&Tried| is_decisive(one) && (one.as_recorded.of == 0 || gain(one) > 0 || one.class == Class::Access);
        let mut decisive: Vec<&Tried> = self.tried.iter().filter(is_decisive).collect();
        let others: Vec<&Tried> = self
            .tried
            .iter()
            .filter(|one| !is_decisive(one) && !leans(one))
            .take(OTHERS)
            .collect();
        let mut leaning: Vec<&Tried> = self.tried.iter().filter(leans).collect();
        leaning.sort_by_key(|one| (std::cmp::Reverse(gain(one)), rank(one)));
        let all: Vec<&Tried> = decisive.iter().chain(&leaning).chain(&others).copied().collect();
        let mut told = Told::of(session, &all, &self.bounds)?;
        for one in decisive.iter().filter(|one| one.verdict == Verdict::Passes) {
            told.last_lines(&mut self.base, self.record, one)?;
        }
        // An input of the library is the library's business, and what only a continuation has is in no trace.
        let hidden = |verdict: Verdict, stalls: bool| {
            let is_it = |one: &&&Tried| one.verdict == verdict && one.stall.is_some() == stalls && !told.can_tell(one);
            decisive.iter().filter(is_it).count() as u64
        };
        let (passes, stalls) = (hidden(Verdict::Passes, false), hidden(Verdict::Passes, true));
        let another = hidden(Verdict::Another, false);
        decisive.retain(|one| told.can_tell(one));
        self.answer.verdicts.passes -= passes;
        self.answer.verdicts.stalls -= stalls;
        self.answer.verdicts.another -= another;
        self.answer.flips -= passes + stalls + another;
        self.answer.decisive = decisive.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.leaning = leaning.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.others = others.into_iter().filter_map(|one| told.flip(one)).collect();
        self.answer.number();
        Ok(self.answer)
    }
}

pub(super) const fn count(tally: &mut Tally, verdict: Verdict) {
    tally.of += 1;
    match verdict {
        Verdict::Passes => tally.passed += 1,
        Verdict::Same => tally.failed += 1,
        Verdict::Moved | Verdict::Another | Verdict::Cut => {}
    }
}

/// The best first: those that pass, without a weakness, nearest to the failure.
pub(super) fn rank(one: &Tried) -> (Verdict, u32, bool, std::cmp::Reverse<u64>, u64, ActionId, Pid, Choice) {
    let kept = std::cmp::Reverse(one.place.kept.actions());
    // An order explains more than the value of an input.
    let input = one.class == Class::Input;
    let (all, none) = (one.otherwise.passed == one.otherwise.of, one.as_recorded.passed == 0);
    let measured = one.as_recorded.of > 0;
    let weight = |weak: &Weak| match weak {
        // All continuations end well, and none as recorded: it says more than one of which only some do.
        Weak::ByFailing if measured && all && none => 1,
        _ => weak.weight(),
    };
    // Some end well; nearly as many do as recorded, or might.
    let gain = one.otherwise.passed.saturating_sub(one.as_recorded.passed);
    let slight = match measured {
        true if gain * 10 < one.otherwise.of * 3 => 2,
        // Then a later choice decided more.
        true if gain * 10 < one.otherwise.of * 8 => 1,
        false if !all => 2,
        _ => 0,
    };
    let weakness = one.weak.iter().map(weight).sum::<u32>() + slight;
    (
        one.verdict,
        weakness,
        input,
        kept,
        // Of two that could have come instead, the one that came sooner after it.
        one.later.map_or(u64::MAX, |later| later.number.0),
        one.place.action,
        one.place.pid,
        one.choice,
    )
}
