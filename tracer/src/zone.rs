//! The time zone of this machine, or of the variable `TZ`: what the C library makes of it, because `erlang:localtime/0` and its like in OTP are
//! built on its `localtime` and `mktime`. A rule (`CET-1CEST,M3.5.0,M10.5.0/3`), a file of the database, a local time that comes twice or never:
//! the answer is the same as under OTP on this machine.

use std::mem::MaybeUninit;
use std::sync::Once;

use system::{civil_time, seconds_of_civil};

/// The offset of local time from UTC in seconds, at a time in seconds since 1970.
///
/// The variable `TZ` is that of our own environment: what the program does to its environment is its own.
#[must_use]
pub fn offset(moment: i64) -> i64 {
    local(moment).map_or(0, |tm| seconds_of_civil(fields(&tm)) - moment)
}

/// The moment of a local time, given as seconds since 1970 as if it were UTC; with `is_dst`, of the one in summer time or in standard time.
#[must_use]
pub fn universal(seconds: i64, is_dst: Option<bool>) -> i64 {
    let given = is_dst.map_or(-1, i32::from);
    // If a system has no summer time and refuses, OTP repeats the call without it.
    let found = moment(seconds, given).or_else(|| moment(seconds, 0));
    found.unwrap_or(seconds)
}

/// [`offset`] in the zone that a variable `TZ` names. As in the C library, a zone that is not known is UTC.
#[must_use]
pub fn offset_in(zone: &str, moment: i64) -> i64 {
    found(zone, moment).map_or(0, |(seconds, _)| seconds)
}

/// [`universal`] in the zone that a variable `TZ` names.
#[must_use]
pub fn universal_in(zone: &str, seconds: i64, is_dst: Option<bool>) -> i64 {
    // The offsets of the days before and after: more do not come close to each other.
    const DAY: i64 = 86_400;
    let around = [-DAY, DAY].map(|by| found(zone, seconds + by).unwrap_or_default());
    let fits = |(offset, is_summer): (i64, bool)| {
        let moment = seconds - offset;
        let shows = found(zone, moment).unwrap_or_default() == (offset, is_summer);
        (shows && is_dst.is_none_or(|wanted| wanted == is_summer)).then_some(moment)
    };
    around
        .into_iter()
        .find_map(fits)
        .unwrap_or(seconds - around[usize::from(is_dst == Some(around[1].1))].0)
}

/// The offset of local time at a moment, and whether it is summer time.
fn found(zone: &str, moment: i64) -> Option<(i64, bool)> {
    let zone = tz::TimeZone::from_posix_tz(zone).ok()?;
    let now = zone.find_local_time_type(moment).ok()?;
    Some((i64::from(now.ut_offset()), now.is_dst()))
}

fn fields(tm: &libc::tm) -> [i64; 6] {
    let year = i64::from(tm.tm_year) + 1900;
    let rest = [tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec].map(i64::from);
    let [day, hour, minute, second] = rest;
    [year, i64::from(tm.tm_mon) + 1, day, hour, minute, second]
}

#[expect(unsafe_code, reason = "the functions of the C library that OTP uses")]
fn local(moment: i64) -> Option<libc::tm> {
    unsafe extern "C" {
        fn tzset();
    }
    static READ: Once = Once::new();
    // SAFETY: it takes nothing; nothing in this process changes its environment.
    READ.call_once(|| unsafe { tzset() });
    let moment = libc::time_t::try_from(moment).ok()?;
    let mut tm = MaybeUninit::zeroed();
    // SAFETY: both pointers are to local values; it writes a whole `tm` unless it returns null. A `tm` of zeros is valid too.
    let answer = unsafe { libc::localtime_r(&moment, tm.as_mut_ptr()) };
    // SAFETY: see above.
    (!answer.is_null()).then(|| unsafe { tm.assume_init() })
}

#[expect(unsafe_code, reason = "the functions of the C library that OTP uses")]
fn moment(seconds: i64, is_dst: i32) -> Option<i64> {
    let [year, month, day, hour, minute, second] = civil_time(seconds).map(|field| i32::try_from(field).ok());
    // SAFETY: a `tm` is numbers and a pointer that may be null.
    let mut tm: libc::tm = unsafe { MaybeUninit::zeroed().assume_init() };
    tm.tm_year = year?.checked_sub(1900)?;
    tm.tm_mon = month? - 1;
    (tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec) = (day?, hour?, minute?, second?);
    tm.tm_isdst = is_dst;
    // The result of a failure is also a valid time, but then this field stays unchanged.
    tm.tm_wday = -1;
    // SAFETY: it reads and writes the `tm`, which is local.
    let found = unsafe { libc::mktime(&mut tm) };
    (tm.tm_wday >= 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_by_its_rule() {
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3";
        let noon = |day: i64| day * 86_400 + 43_200;
        // The 1st of January and the 1st of July 2021.
        assert_eq!([noon(18_628), noon(18_809)].map(|at| offset_in(rule, at)), [3600, 7200]);
        assert_eq!(universal_in(rule, noon(18_809), None), noon(18_809) - 7200);
        assert_eq!(universal_in(rule, noon(18_628), Some(false)), noon(18_628) - 3600);
        assert_eq!(offset_in("there is no such zone", 0), 0);
    }

    /// Whatever the zone that the tests run in.
    #[test]
    fn there_and_back() {
        for moment in (-2_100_000_000..4_200_000_000).step_by(86_400 * 37 + 5) {
            let shown = moment + offset(moment);
            let back = universal(shown, None);
            // A local time that occurs twice may mean the other one.
            assert_eq!(back + offset(back), shown, "{moment}");
        }
    }
}
