//! How many universes there are, estimated from random walks down the search tree [Knuth, *Estimating the efficiency of backtrack programs*, Math.
//! Comp. 29, 1975].
//!
//! A walk takes one of the ways at each choice, all with the same probability, and stands for as many universes as the product of the numbers of ways. Its
//! mean over all walks is the number of universes. That is exact for the mean of infinitely many walks; of few, it can be far off if a rare way leads to
//! many universes. So it is told with the standard error of the mean, which knows only of the walks that were made.

use session::Error;

use crate::graphs::{self, FoundUniverse};
use crate::search::Explorer;
use crate::summary::{Bound, Summary, older_search};
use crate::universe::{Teller, Universe};

/// A number that was estimated.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The mean of the walks.
    pub mean: f64,
    /// The standard error of the mean. 0 if there was one walk.
    pub error: f64,
}

impl Estimate {
    /// The mean of these, and its standard error.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        if values.is_empty() {
            return Self::default();
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = match values.len() {
            1 => 0.0,
            _ => (squares / (count - 1.0) / count).sqrt(),
        };
        Self { mean, error }
    }
}

/// What random walks have found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sampled {
    /// How many walks. Some end before they come to a universe.
    pub walks: u64,
    /// How many universes there are.
    pub universes: Estimate,
    /// How many of them fail.
    pub failing: Estimate,
}

/// What the walks stand for.
#[derive(Default)]
struct Sums {
    now: (f64, f64),
    universes: Vec<f64>,
    failing: Vec<f64>,
}

impl Sums {
    fn add(&mut self, universe: &Universe<'_>) {
        self.now.0 += universe.weight;
        if universe.outcome.is_failure() {
            self.now.1 += universe.weight;
        }
    }

    fn walked(&mut self) {
        let (universes, failing) = std::mem::take(&mut self.now);
        self.universes.push(universes);
        self.failing.push(failing);
    }
}

impl Explorer {
    /// Goes so many times down the search tree at random. `found` is called with the universes there; the same one can come again.
    ///
    /// # Errors
    /// As [`Explorer::run`]; the program does something that only the search that takes back explores.
    pub fn sample(
        mut self,
        walks: u64,
        mut found: impl FnMut(&Universe<'_>) -> Result<bool, Error>,
    ) -> Result<(Summary, Sampled), Error> {
        self.bounds.universes = None;
        let checks = std::mem::take(&mut self.checks);
        let mut teller = Teller::of(&self.start, self.bounds, checks, self.so_far())?;
        let sums = std::cell::RefCell::new(Sums::default());
        let late = || self.late().is_some();
        let tell = |one: &FoundUniverse<'_>, open| {
            teller.tell(one, open, &mut |universe: &Universe<'_>| {
                sums.borrow_mut().add(universe);
                found(universe)
            })
        };
        let each = || sums.borrow_mut().walked();
        let told = graphs::sample(self.start.session(), &self.beginning(), walks, tell, each, &late)?;
        if told.beyond {
            let place = told.beyond_at.as_deref();
            return Err(older_search("--sample cannot be used here", place, "without --sample"));
        }
        let stopped = self.late();
        let sums = sums.into_inner();
        let summary = Summary {
            stopped: stopped.or(Some(Bound::Walks)),
            open: 0,
            ..self.summed_up(teller, told)
        };
        Ok((
            summary,
            Sampled {
                walks: sums.universes.len() as u64,
                universes: Estimate::of(&sums.universes),
                failing: Estimate::of(&sums.failing),
            },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_the_mean_with_its_standard_error() {
        assert_eq!(Estimate::of(&[]), Estimate::default());
        // Of one walk, nothing is known of the others.
        assert_eq!(Estimate::of(&[6.0]), Estimate { mean: 6.0, error: 0.0 });
        assert_eq!(Estimate::of(&[4.0, 4.0, 4.0]), Estimate { mean: 4.0, error: 0.0 });
        // The deviation of 2, 4, 4, 6 is sqrt(8 / 3), and the error of the mean of four is half of that.
        let few = Estimate::of(&[2.0, 4.0, 4.0, 6.0]);
        assert!((few.mean - 4.0).abs() < 1e-12 && (few.error - (8.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_walk_that_finds_nothing_counts_as_well() {
        let mut sums = Sums {
            now: (12.0, 0.0),
            ..Sums::default()
        };
        sums.walked();
        sums.walked();
        assert_eq!((sums.universes, sums.failing), (vec![12.0, 0.0], vec![0.0, 0.0]));
    }
}
