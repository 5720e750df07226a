//! The seeds that the property tests use.
//!
//! A quick run uses few seeds, always the same: a tree that nobody touched stays green. `FIRST_SEED` chooses others; `.ci/full` also runs everything
//! with the seeds of the day, and prints their number. A deep run (`DEEP=1`, as in `.ci/full`) uses many, always the same. A failing test prints
//! how to repeat its seeds.

#![forbid(unsafe_code)]

use std::ops::Range;

/// More seeds than any quick run uses, so that no two days share one: `.ci/full` multiplies the number of the day by it.
const SEEDS_OF_A_DAY: u64 = 10_000;

/// Whether this is a deep run: `DEEP=1`.
#[must_use]
pub fn deep() -> bool {
    std::env::var_os("DEEP").is_some()
}

/// One number for a quick run, another for a deep one.
#[must_use]
pub fn many(quick: u64, deep: u64) -> u64 {
    if self::deep() { deep } else { quick }
}

/// Seeds for a quick run, starting with `FIRST_SEED` or else with 0; or the first `deep` seeds for a deep run.
///
/// # Panics
/// When `FIRST_SEED` is no number.
#[must_use]
pub fn seeds(quick: u64, deep: u64) -> Range<u64> {
    if self::deep() {
        return 0..deep;
    }
    let first = first();
    // The test runner prints this if the test fails.
    println!(
        "seeds {first} to {}; to repeat them: FIRST_SEED={first}",
        first + quick - 1
    );
    first..first + quick
}

/// One of `parts` equal shares of a list in a quick run, which `FIRST_SEED` chooses; the whole list in a deep run.
///
/// # Panics
/// When `FIRST_SEED` is no number.
#[must_use]
pub fn share<T>(list: impl IntoIterator<Item = T>, parts: usize) -> Vec<T> {
    if deep() {
        return list.into_iter().collect();
    }
    let first = first();
    // The seeds of two days differ by a multiple of their number.
    let which = (first / SEEDS_OF_A_DAY + first % SEEDS_OF_A_DAY) as usize % parts;
    println!("share {which} of {parts}; to repeat it: FIRST_SEED={first}");
    list.into_iter().skip(which).step_by(parts).collect()
}

/// The first seed of a quick run.
fn first() -> u64 {
    std::env::var("FIRST_SEED").map_or(0, |text| text.parse().expect("FIRST_SEED is a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_part_of_the_list_in_its_order() {
        let share = share(0..10, 3);
        let whole = deep();
        assert_eq!(share.len(), if whole { 10 } else { 3 + usize::from(share[0] == 0) });
        assert!(share.windows(2).all(|two| two[1] - two[0] == if whole { 1 } else { 3 }));
    }
}
