//! Which seeds the tests of properties take.
//!
//! A quick run takes few seeds, and other ones every day, so that new programs and schedules are tried all the time. A deep run (`DEEP=1`,
//! as in `.ci/full`) takes many, always the same. A test that fails prints how to repeat its seeds.

#![forbid(unsafe_code)]

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

/// More than any quick run takes, so that no two days share a seed.
const SEEDS_OF_A_DAY: u64 = 10_000;

/// Whether this is a deep run: `DEEP=1`.
#[must_use]
pub fn deep() -> bool {
    std::env::var_os("DEEP").is_some()
}

/// A number for a quick run, another for a deep one.
#[must_use]
pub fn many(quick: u64, deep: u64) -> u64 {
    if self::deep() { deep } else { quick }
}

/// Seeds for a quick run, beginning with `FIRST_SEED` or else with today's first seed; or the first `deep` seeds of all for a deep run.
///
/// # Panics
/// When `FIRST_SEED` is no number.
#[must_use]
pub fn seeds(quick: u64, deep: u64) -> Range<u64> {
    if self::deep() {
        return 0..deep;
    }
    let first = std::env::var("FIRST_SEED").map_or_else(
        |_| today() * SEEDS_OF_A_DAY,
        |text| text.parse().expect("FIRST_SEED is a number"),
    );
    // The test runner shows this when the test fails.
    println!(
        "seeds {first} to {}; to repeat them: FIRST_SEED={first}",
        first + quick - 1
    );
    first..first + quick
}

/// Days since 1970.
fn today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs() / (24 * 60 * 60))
}
