//! Choices that decide together, where no single one does.
//!
//! A choice after which *this* failure is gone is progress, even if another one of its kind comes: the search goes on in the run that it led to. And
//! the same choice can be made at each place where it comes up: in every round, the write of one process before the read of the next.

use session::Session;
use session::error::Error;
use session::player::Player;

use super::{Lab, Limits, Tried, examine, search};
use crate::answer::{Answer, Class, Flip, Set, Tally};
use crate::failure::Verdict;
use crate::guide::Held;
use crate::story::{Run, Sort};
use crate::told::Told;

/// Choices of a set, at most.
const DEPTH: usize = 3;
/// Of the choices that are progress, so many are gone on from.
const WAYS: usize = 6;
/// Of the sorts of choices, so many are made each time.
const SORTS: usize = 8;
/// Choices that are tried after another one, and runs with which one is examined.
const FLIPS: u64 = 60;
const RUNS: u64 = 5;
/// Longer runs are not searched for sets.
const LONGEST: u64 = 12_000;

impl Lab<'_> {
    /// Searches for choices that decide together, if none does alone and random runs end well.
    pub(super) fn sets(&mut self, session: &Session) -> Result<Vec<Set>, Error> {
        let is_wanted = self.answer.fails
            && !self.one_decides()
            && self.answer.at_random.passed > 0
            && self.limits.depth > 1
            && self.answer.actions <= LONGEST;
        if !is_wanted {
            return Ok(Vec::new());
        }
        let most = self.limits.depth;
        for depth in 2..=most {
            if let Some(set) = self.go_on(session, depth)? {
                return Ok(vec![set]);
            }
            if depth == 2
                && most == DEPTH
                && let Some(set) = self.each_time(session)?
            {
                return Ok(vec![set]);
            }
        }
        Ok(Vec::new())
    }

    /// The choices after which this failure is gone, but another one of its kind comes.
    fn progress(&self) -> Vec<Tried> {
        let is_gone = |one: &&Tried| match one.verdict {
            Verdict::Moved => true,
            Verdict::Same => one.outcome != self.came_to,
            _ => false,
        };
        let mut found: Vec<Tried> = self.tried.iter().filter(is_gone).cloned().collect();
        found.sort_by_key(|one| {
            let gain = one.otherwise.passed.saturating_sub(one.as_recorded.passed);
            (one.weak.len(), std::cmp::Reverse(gain), one.verdict)
        });
        found.truncate(WAYS);
        found
    }

    /// Sets of so many choices, by way of those that are progress.
    fn go_on(&mut self, session: &Session, depth: usize) -> Result<Option<Set>, Error> {
        for one in self.progress() {
            if !self.has_time() || self.answer.steps >= 2 * self.limits.steps {
                break;
            }
            let mut player = self.stand(&one.place)?;
            if one.held.is_none() {
                player.set_seed(one.seed);
                player.choose(one.place.pid, one.choice)?;
            }
            let _ = self.run_to_end(&mut player, None, one.held)?;
            let Some(answer) = self.search_after(&player, depth - 1)? else {
                continue;
            };
            self.answer.steps += answer.steps;
            let first = || Told::of(session, &[&one], &self.bounds).map(|told| told.flip(&one));
            if let Some(best) = answer.flips().find(|flip| flip.is_strong() && decides(flip)) {
                let set = Set {
                    choices: first()?.into_iter().chain([best.clone()]).collect(),
                    each: None,
                    outcome: best.outcome.clone(),
                    otherwise: best.otherwise,
                    without: best.as_recorded,
                };
                return Ok(Some(set));
            }
            if let Some(rest) = answer.sets.into_iter().find(|set| set.each.is_none()) {
                return Ok(Some(Set {
                    choices: first()?.into_iter().chain(rest.choices).collect(),
                    ..rest
                }));
            }
        }
        Ok(None)
    }

    /// Searches in the run that a player has come to.
    fn search_after(&self, player: &Player, depth: usize) -> Result<Option<Answer>, Error> {
        let run = player.ended()?;
        let Ok(found) = run.find(causality::Target::Error) else {
            return Ok(None);
        };
        let limits = Limits {
            flips: FLIPS,
            runs: self.limits.runs.min(RUNS),
            depth,
            ..self.limits
        };
        search(&run, &found, limits, &self.bounds)
    }

    /// Makes one choice each time it comes up: all actions of its sort wait until nothing else can happen, and then come one by one.
    fn each_time(&mut self, session: &Session) -> Result<Option<Set>, Error> {
        let mut sorts: Vec<(Sort, usize)> = Vec::new();
        for (at, one) in self.tried.iter().enumerate() {
            let sort = match one.class {
                Class::Access => self.record.sort(one.place.action),
                Class::Message => one.made_by.map_or(0, |by| self.record.sort(by)),
                _ => 0,
            };
            let counts = matches!(one.verdict, Verdict::Same | Verdict::Moved);
            if counts && self.record.many(sort) > 1 && !sorts.iter().any(|(known, _)| *known == sort) {
                sorts.push((sort, at));
            }
        }
        for (sort, at) in sorts.into_iter().filter(|(sort, _)| *sort != 0).take(SORTS) {
            if !self.has_time() || self.answer.steps >= 2 * self.limits.steps {
                break;
            }
            let first = self.record.order.iter().position(|id| self.record.sort(*id) == sort);
            let start = self.stand_before(first.unwrap_or(0))?;
            let held = Some(Held::Sort(sort));
            let (verdict, outcome) = self.run(start.clone(), None, held)?;
            if verdict != Verdict::Passes {
                continue;
            }
            let mut otherwise = Tally::default();
            for k in 0..self.limits.runs {
                let seed = self.limits.seed.wrapping_add(k.wrapping_mul(7919));
                let (verdict, _) = self.run(start.clone(), Some(seed), held)?;
                examine::count(&mut otherwise, verdict);
            }
            let without = self.answer.at_random;
            // More of them end well, by more than chance would have it.
            if otherwise.of == 0 || otherwise.passed * 10 < otherwise.of * 7 {
                continue;
            }
            if otherwise.passed * without.of <= without.passed * otherwise.of {
                continue;
            }
            let one = self.tried[at].clone();
            let flip = Told::of(session, &[&one], &self.bounds)?.flip(&one);
            let choices: Vec<Flip> = flip.into_iter().collect();
            return Ok(Some(Set {
                choices,
                each: Some(u64::from(self.record.many(sort))),
                outcome,
                otherwise,
                without,
            }));
        }
        Ok(None)
    }
}

/// Do most random continuations after it end well, and fewer as recorded?
fn decides(flip: &Flip) -> bool {
    let (other, recorded) = (flip.otherwise, flip.as_recorded);
    other.of == 0 || other.passed * 10 >= other.of * 5 && other.passed > recorded.passed
}
