//! The time zone of this machine, or of the variable `TZ`, from the system's database.

use std::sync::OnceLock;

use tz::TimeZone;

/// The state of a time zone at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zone {
    /// Seconds east of UTC.
    pub offset: i64,
    /// Is it summer time?
    pub is_dst: bool,
}

/// The state of the local time zone at a moment, in seconds since 1970.
///
/// As in the C library, `TZ` names a file of the database or is a rule (`CET-1CEST,M3.5.0,M10.5.0/3`); anything else means UTC. It is read
/// once: the program's changes to its environment have no effect on it.
#[must_use]
pub fn at(seconds: i64) -> Zone {
    static HERE: OnceLock<Option<TimeZone>> = OnceLock::new();
    let here = HERE.get_or_init(|| match std::env::var_os("TZ") {
        None => TimeZone::local().ok(),
        Some(text) => TimeZone::from_posix_tz(text.to_str()?).ok(),
    });
    let found = here.as_ref().and_then(|zone| zone.find_local_time_type(seconds).ok());
    found.map_or(Zone::default(), |found| Zone {
        offset: found.ut_offset().into(),
        is_dst: found.is_dst(),
    })
}

/// A moment with the wanted kind of time is searched in steps of this many seconds: no period of summer time or of standard time is shorter.
const STRIDE: i64 = 601_200;
/// The search goes this far: half of the longest period in the database.
const FARTHEST: i64 = 536_454_000 / 2 + STRIDE;
/// How often a guess is improved.
const PROBES: u32 = 6;

/// Converts local times to universal ones like `mktime` of the C library, on which OTP's `erlang:localtime_to_universaltime/2` is built; also
/// local times that occur twice or never.
#[derive(Clone, Debug, Default)]
pub struct Calendar {
    /// What was added to the last local time. The next guess begins with it: for a time that occurs twice, this can decide which one is meant.
    added: i64,
}

impl Calendar {
    /// The moment of a local time, which is given as seconds since 1970 as if it were UTC. `zone` returns the state of the zone at a moment.
    pub fn universal(&mut self, local: i64, is_dst: Option<bool>, zone: impl Fn(i64) -> Zone) -> i64 {
        let found = self.search(local, is_dst, zone);
        self.added = found - local;
        found
    }

    fn search(&self, local: i64, is_dst: Option<bool>, zone: impl Fn(i64) -> Zone) -> i64 {
        let differs = |found: Zone| is_dst.is_some_and(|wanted| wanted != found.is_dst);
        let mut guess = local + self.added;
        // The two guesses before, and whether the earlier one was in summer time.
        let (mut last, mut before, mut was_dst) = (guess, guess, false);
        for _ in 0..PROBES {
            let there = zone(guess);
            let missing = local - (guess + there.offset);
            if missing == 0 {
                break;
            }
            // The guesses alternate: a local time that is skipped when clocks go forward.
            let is_gap = guess == before && guess != last;
            let fits = match is_dst {
                None => was_dst <= there.is_dst,
                Some(wanted) => wanted != there.is_dst,
            };
            if is_gap && fits {
                return guess;
            }
            (before, last, guess, was_dst) = (last, guess, guess + missing, there.is_dst);
        }
        if !differs(zone(guess)) {
            return guess;
        }
        // The offset of the wanted kind of time is that at the nearest moment with this kind of time.
        let mut far = STRIDE;
        while far < FARTHEST {
            for moment in [guess - far, guess + far] {
                let there = zone(moment);
                if !differs(there) {
                    return local - there.offset;
                }
            }
            far += STRIDE;
        }
        // Not found: summer time is an hour ahead.
        guess + if is_dst == Some(true) { -3600 } else { 3600 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One hour ahead until 1,000,000,000; then two hours, in summer time, until 1,010,000,000.
    fn zone(at: i64) -> Zone {
        let is_dst = (1_000_000_000..1_010_000_000).contains(&at);
        Zone {
            offset: if is_dst { 7200 } else { 3600 },
            is_dst,
        }
    }

    #[test]
    fn local_times_that_come_once_twice_and_never() {
        let mut calendar = Calendar::default();
        let mut universal = |local, is_dst| calendar.universal(local, is_dst, zone);
        assert_eq!(universal(900_000_000, None), 900_000_000 - 3600);
        assert_eq!(universal(1_005_000_000, None), 1_005_000_000 - 7200);
        assert_eq!(universal(1_005_000_000, Some(false)), 1_005_000_000 - 3600);
        assert_eq!(universal(1_020_000_000, Some(true)), 1_020_000_000 - 7200);
        // Clocks go back at 1,010,007,200: the hour before comes twice.
        for (is_dst, ahead) in [(Some(true), 7200), (Some(false), 3600)] {
            assert_eq!(universal(1_010_005_000, is_dst), 1_010_005_000 - ahead);
        }
        // They go forward at 1,000,003,600: the hour after never comes.
        for (is_dst, ahead) in [(Some(true), 7200), (Some(false), 3600)] {
            assert_eq!(universal(1_000_005_000, is_dst), 1_000_005_000 - ahead);
        }
    }

    #[test]
    fn a_zone_without_summer_time() {
        let mut calendar = Calendar::default();
        let fixed = |_| Zone {
            offset: 19_800,
            is_dst: false,
        };
        for (is_dst, ahead) in [(None, 19_800), (Some(false), 19_800), (Some(true), 23_400)] {
            assert_eq!(calendar.universal(0, is_dst, fixed), -ahead);
        }
    }
}
