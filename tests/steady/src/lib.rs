//! What keeps tests from depending on the machine that they run on.
//!
//! A busy machine makes everything late. So a test waits for what it needs, and not for a time ([`until`], [`until_still`]); and what may not
//! cost much is measured in time of the processor, which others do not use up ([`used`], [`used_by`]). A machine may lack a tool: the test that
//! needs it is skipped, and says so ([`has`], [`skipped`]).

#![forbid(unsafe_code)]

mod processor;
mod tools;

use std::time::{Duration, Instant};

pub use processor::{ended, print_speed, until_still, until_used, used, used_by};
pub use tools::{has, has_otp_25, skipped};

/// How long [`until`] looks. It guards against a test that hangs, and measures nothing: a busy machine needs seconds.
const LONG: Duration = Duration::from_secs(600);

/// Looks until there is something to see, and returns it. `what` is the end of "waited in vain …".
///
/// # Panics
/// When nothing has come for ten minutes.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(start.elapsed() < LONG, "waited in vain {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
