//! How far `replay explore` goes: bounds on universes, and estimates from random walks.

use std::io::Write;

use multiverse::sample::Estimate;
use multiverse::{Sampled, Summary};
use serde::Serialize;

use crate::commands::explore::arguments::{BoundArgs, UniverseBound};
use crate::render::text::Layout;
use crate::words::{count, number};

/// The largest number of delays, if it is bounded.
pub(super) fn delays(args: &BoundArgs) -> Option<u32> {
    let all = args.bounds.iter().filter_map(|bound| match bound {
        UniverseBound::Delay(most) => Some(*most),
        UniverseBound::Preemption(_) => None,
    });
    all.min()
}

/// The largest number of preemptions, if it is bounded.
pub(super) fn preemptions(args: &BoundArgs) -> Option<u32> {
    let all = args.bounds.iter().filter_map(|bound| match bound {
        UniverseBound::Preemption(most) => Some(*most),
        UniverseBound::Delay(_) => None,
    });
    all.min()
}

/// What was left out because of the bounds.
pub(super) fn notes(args: &BoundArgs, summary: &Summary, notes: &mut Vec<String>) {
    if let Some(most) = delays(args) {
        notes.push(match summary.delayed {
            0 => format!("Nothing was left out because of --bound delay:{most}: no universe takes more."),
            left => format!(
                "Covered: the universes in which another way than the first one is taken at most {}. {} left out, with all that could come of them \
                 (--bound delay:{most}).",
                count(u64::from(most), "time"),
                count(left, "way")
            ),
        });
    }
    if let Some(most) = preemptions(args) {
        notes.push(match summary.preempted {
            0 => format!("No universe was left out because of --bound preemption:{most}."),
            left => format!(
                "Left out: {} with more than {} (--bound preemption:{most}).",
                count(left, "universe"),
                count(u64::from(most), "preemption")
            ),
        });
    }
}

/// What random walks estimate.
#[derive(Serialize)]
pub(super) struct Estimated {
    walks: u64,
    universes: BoundNumber,
    failing: BoundNumber,
}

#[derive(Serialize)]
struct BoundNumber {
    mean: f64,
    /// The standard error of the mean.
    error: f64,
}

impl Estimated {
    pub fn of(sampled: &Sampled) -> Self {
        let number = |one: Estimate| BoundNumber {
            mean: one.mean,
            error: one.error,
        };
        Self {
            walks: sampled.walks,
            universes: number(sampled.universes),
            failing: number(sampled.failing),
        }
    }
}

/// A number with three digits that count.
fn about(value: f64) -> String {
    if value < 1000.0 {
        return number(value.round() as u64);
    }
    if value >= 1e15 {
        return format!("{value:.1e}");
    }
    let digits = value.log10().floor() as i32 - 2;
    let unit = 10_f64.powi(digits);
    number(((value / unit).round() * unit) as u64)
}

/// The answer of random walks.
pub(super) fn text(out: &mut dyn Write, one: &Estimated, seconds: f64, layout: &Layout) -> std::io::Result<()> {
    let universes = format!("about {} universes", about(one.universes.mean));
    let failing = match one.failing.mean {
        mean if mean > 0.0 => layout.paint.bad(&format!(
            "; about {} of them fail (± {})",
            about(mean),
            about(one.failing.error)
        )),
        _ => "; no walk came to one that fails".to_owned(),
    };
    writeln!(
        out,
        "{} (± {}), estimated from {} in {seconds:.1} s{failing}",
        layout.paint.strong(&universes),
        about(one.universes.error),
        count(one.walks, "random walk"),
    )
}

/// What the numbers of an estimate are.
pub(super) const EXPLAINED: &str = "± is the standard error, as far as these walks show it: a rare way that leads to many universes can have been missed. \
                                    Numbers below are walks.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_three_digits() {
        assert_eq!(about(0.0), "0");
        assert_eq!(about(999.4), "999");
        assert_eq!(about(24_851.0), "24,900");
        assert_eq!(about(1.5e20), "1.5e20");
    }
}
