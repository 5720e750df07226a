//! The clocks.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::InputClass;

use crate::ops::{OpResult, Operation, badarg};
use crate::settings::RunClock;
use crate::step::{Interrupt, Step};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "monotonic_time", 0, NativeClass::Input, monotonic_time),
    Operation::new("erlang", "monotonic_time", 1, NativeClass::Input, monotonic_time),
    Operation::new("erlang", "system_time", 0, NativeClass::Input, system_time),
    Operation::new("erlang", "system_time", 1, NativeClass::Input, system_time),
    Operation::new("os", "system_time", 0, NativeClass::Input, system_time),
    Operation::new("os", "system_time", 1, NativeClass::Input, system_time),
    Operation::new("os", "perf_counter", 0, NativeClass::Input, system_time),
    Operation::new("os", "perf_counter", 1, NativeClass::Input, system_time),
    Operation::new("erlang", "time_offset", 0, NativeClass::Input, time_offset),
    Operation::new("erlang", "time_offset", 1, NativeClass::Input, time_offset),
    Operation::new("erlang", "timestamp", 0, NativeClass::Input, timestamp),
    Operation::new("erlang", "now", 0, NativeClass::Input, now),
    Operation::new("os", "timestamp", 0, NativeClass::Input, timestamp),
    Operation::new("erlang", "localtime", 0, NativeClass::Input, localtime),
    Operation::new("erlang", "universaltime", 0, NativeClass::Input, universaltime),
    Operation::new("erlang", "date", 0, NativeClass::Input, date),
    Operation::new("erlang", "time", 0, NativeClass::Input, time),
    Operation::new(
        "erlang",
        "universaltime_to_localtime",
        1,
        NativeClass::Input,
        universaltime_to_localtime,
    ),
    Operation::new(
        "erlang",
        "localtime_to_universaltime",
        1,
        NativeClass::Input,
        localtime_to_universaltime,
    ),
    Operation::new(
        "erlang",
        "localtime_to_universaltime",
        2,
        NativeClass::Input,
        localtime_to_universaltime,
    ),
];

/// The time of a clock, in the unit that the program asks for. In replay, the clock is not before that from then on.
fn clock(
    step: &mut Step<'_>,
    read: impl FnOnce(&mut World) -> i64,
    run_clock: impl FnOnce(&World, i128) -> i128,
) -> OpResult {
    let [asked] = step.args();
    let unit = match asked {
        Term::NONE => 1_000_000_000,
        asked => unit(asked)?,
    };
    let answer = step.input(InputClass::Clock, |world, heap| {
        let ns = read(world);
        let scaled = (i128::from(ns) * i128::from(unit)).div_euclid(1_000_000_000);
        heap.make_int(i64::try_from(scaled).unwrap_or(i64::MAX))
    })?;
    // The recorded time: what follows is not earlier.
    if step.process.mode.log().is_some()
        && let Some(told) = answer.as_small()
    {
        let ns = i128::from(told) * 1_000_000_000 / i128::from(unit.max(1));
        let run = run_clock(step.world, ns);
        step.world.not_before(run);
    }
    Ok(answer)
}

fn monotonic_time(step: &mut Step<'_>) -> OpResult {
    clock(step, World::monotonic_ns, |_, ns| ns + i128::from(MONOTONIC_OFFSET))
}

fn system_time(step: &mut Step<'_>) -> OpResult {
    clock(step, World::system_ns, |world, ns| {
        ns - i128::from(world.outside.simulated_start())
    })
}

/// It says nothing about the current time.
fn time_offset(step: &mut Step<'_>) -> OpResult {
    clock(step, |world| world.system_ns() - world.monotonic_ns(), |_, _| 0)
}

fn timestamp(step: &mut Step<'_>) -> OpResult {
    step.input(InputClass::Clock, |world, heap| {
        let us = world.system_ns() / 1000;
        heap.make_tuple(&parts_of(us))
    })
}

/// Each value is later than the one before.
fn now(step: &mut Step<'_>) -> OpResult {
    step.input(InputClass::Clock, |world, heap| {
        let us = (world.system_ns() / 1000).max(world.last_now + 1);
        world.last_now = us;
        heap.make_tuple(&parts_of(us))
    })
}

/// Mega-seconds, seconds, microseconds.
fn parts_of(us: i64) -> [Term; 3] {
    [us / 1_000_000_000_000, us / 1_000_000 % 1_000_000, us % 1_000_000].map(Term::small)
}

/// The current date and time; `offset` returns the offset of the time zone at a moment.
fn civil_now(
    step: &mut Step<'_>,
    offset: impl FnOnce(&mut World, i64, u16) -> i64,
    show: impl FnOnce(&mut Heap, [Term; 6]) -> Term,
) -> OpResult {
    let node = step.process.pid.node();
    step.input(InputClass::Clock, |world, heap| {
        let seconds = world.system_ns().div_euclid(1_000_000_000);
        let there = seconds + offset(world, seconds, node);
        show(heap, civil(there).map(Term::small))
    })
}

/// `{{Year, Month, Day}, {Hour, Minute, Second}}`.
fn date_and_time(heap: &mut Heap, [y, mo, d, h, mi, s]: [Term; 6]) -> Term {
    let date = heap.make_tuple(&[y, mo, d]);
    let time = heap.make_tuple(&[h, mi, s]);
    heap.make_tuple(&[date, time])
}

fn localtime(step: &mut Step<'_>) -> OpResult {
    civil_now(step, World::zone_offset, date_and_time)
}

fn universaltime(step: &mut Step<'_>) -> OpResult {
    civil_now(step, |_, _, _| 0, date_and_time)
}

fn date(step: &mut Step<'_>) -> OpResult {
    civil_now(step, World::zone_offset, |heap, [y, mo, d, ..]| {
        heap.make_tuple(&[y, mo, d])
    })
}

fn time(step: &mut Step<'_>) -> OpResult {
    civil_now(step, World::zone_offset, |heap, [.., h, mi, s]| {
        heap.make_tuple(&[h, mi, s])
    })
}

fn universaltime_to_localtime(step: &mut Step<'_>) -> OpResult {
    convert(step, |world, seconds, _, node| {
        seconds + world.zone_offset(seconds, node)
    })
}

fn localtime_to_universaltime(step: &mut Step<'_>) -> OpResult {
    convert(step, World::universal)
}

/// Converts a date and time. `change` gets the time in seconds, and whether the program says that it is summer time.
fn convert(step: &mut Step<'_>, change: impl FnOnce(&mut World, i64, Option<bool>, u16) -> i64) -> OpResult {
    let [moment, is_dst] = step.args();
    let seconds = seconds_of(&step.process.machine.heap, moment).ok_or_else(badarg)?;
    let is_dst = match is_dst.as_atom().map(Atom::as_str) {
        _ if is_dst == Term::NONE => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some("undefined") => None,
        _ => return Err(badarg()),
    };
    let node = step.process.pid.node();
    step.input(InputClass::Clock, |world, heap| {
        let there = change(world, seconds, is_dst, node);
        date_and_time(heap, civil(there).map(Term::small))
    })
}

/// How far the program's monotonic clock starts below zero: about as in OTP.
pub(crate) const MONOTONIC_OFFSET: i64 = 576_460_752_303_423_488;

impl World {
    /// Nanoseconds of the program's monotonic clock.
    pub(crate) fn monotonic_ns(&mut self) -> i64 {
        // OTP's monotonic time starts far below zero, so that programs do not rely on its sign.
        self.now() as i64 - MONOTONIC_OFFSET
    }

    /// The time of the run's clock for milliseconds of the program's monotonic clock.
    pub(crate) fn run_clock_at(&mut self, ms: i64) -> u64 {
        u64::try_from(ms.saturating_mul(1_000_000).saturating_add(MONOTONIC_OFFSET)).unwrap_or(0)
    }

    /// Replay: makes the clocks beyond the log later than the recorded times.
    fn not_before(&mut self, run: i128) {
        if let RunClock::Virtual(now) = &mut self.clock {
            *now = u64::try_from(run).unwrap_or(0).max(*now);
        }
    }

    /// A time of the run's clock in the form of `erlang:timestamp/0`, or in the program's monotonic time.
    pub(crate) fn time_of(&mut self, heap: &mut Heap, moment: u64, as_timestamp: bool) -> Term {
        if !as_timestamp {
            return heap.make_int(moment as i64 - MONOTONIC_OFFSET);
        }
        let ago = self.now().saturating_sub(moment) as i64;
        let us = (self.system_ns() - ago) / 1000;
        let parts = [us / 1_000_000_000_000, us / 1_000_000 % 1_000_000, us % 1_000_000].map(Term::small);
        heap.make_tuple(&parts)
    }

    pub(crate) fn system_ns(&mut self) -> i64 {
        match self.clock {
            RunClock::Real => self.outside.system_time(),
            RunClock::Virtual(now) => self.outside.simulated_start() + now as i64,
        }
    }

    /// The current time, as OTP's logger writes it.
    pub(crate) fn stamp(&mut self) -> String {
        let now = self.system_ns();
        let seconds = now.div_euclid(1_000_000_000);
        let [year, month, day, hour, minute, second] = civil(seconds + self.zone_offset(seconds, 0));
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let month = months[(month - 1) as usize % 12];
        let micros = now.rem_euclid(1_000_000_000) / 1000;
        format!("{day}-{month}-{year}::{hour:02}:{minute:02}:{second:02}.{micros:06}")
    }

    /// The offset of local time on a node from UTC in seconds, at a time in seconds since 1970. A simulated clock shows UTC, but on a node with a
    /// zone of its own.
    fn zone_offset(&mut self, at: i64, node: u16) -> i64 {
        let zone = self.environments.zone(node);
        match self.clock {
            RunClock::Virtual(_) if zone.is_none() => 0,
            _ => self.outside.zone_offset(at, zone),
        }
    }

    /// The moment at which clocks of a node show this local time.
    fn universal(&mut self, local: i64, is_dst: Option<bool>, node: u16) -> i64 {
        let zone = self.environments.zone(node);
        match self.clock {
            RunClock::Virtual(_) if zone.is_none() => crate::outside::without_summer_time(local, is_dst),
            _ => self.outside.universal(local, is_dst, zone),
        }
    }
}

/// Parts per second of a time unit.
pub(crate) fn unit(t: Term) -> Result<i64, Interrupt> {
    if let Some(n) = t.as_small().filter(|&n| n > 0) {
        return Ok(n);
    }
    match t.as_atom().map(Atom::as_str) {
        Some("second" | "seconds") => Ok(1),
        Some("millisecond" | "milli_seconds") => Ok(1000),
        Some("microsecond" | "micro_seconds") => Ok(1_000_000),
        Some("nanosecond" | "nano_seconds" | "native" | "perf_counter") => Ok(1_000_000_000),
        _ => Err(badarg()),
    }
}

/// Year, month, day, hour, minute, second of seconds since 1970 (proleptic Gregorian calendar).
pub fn civil(seconds: i64) -> [i64; 6] {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    [year, month, day, rest / 3600, rest / 60 % 60, rest % 60]
}

/// Seconds since 1970 of `{{Y,M,D},{H,Mi,S}}`. Only for dates and times that exist, in years that OTP converts.
pub(crate) fn seconds_of(heap: &Heap, t: Term) -> Option<i64> {
    let &[date, time] = heap.tuple(t)? else { return None };
    let numbers = |t: Term| -> Option<[i64; 3]> {
        let &[a, b, c] = heap.tuple(t)? else { return None };
        Some([a.as_small()?, b.as_small()?, c.as_small()?])
    };
    let [y, m, d] = numbers(date)?;
    let [h, mi, s] = numbers(time)?;
    if !(1..=12).contains(&m) || !(1..=31).contains(&d) {
        return None;
    }
    let leap = y % 4 == 0 && y % 100 != 0 || y % 400 == 0;
    let days = match m {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let years = 1902..i64::from(i32::MAX);
    if d > days || !years.contains(&y) || !(0..24).contains(&h) || !(0..60).contains(&mi) || !(0..60).contains(&s) {
        return None;
    }
    Some(seconds_of_civil([y, m, d, h, mi, s]))
}

/// The inverse of [`civil`].
pub fn seconds_of_civil([year, month, day, hour, minute, second]: [i64; 6]) -> i64 {
    // Howard Hinnant, days_from_civil.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let yoe = year.rem_euclid(400);
    let doy = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    (era * 146_097 + doe - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_is_right_around_leap_days() {
        for (seconds, expected) in [
            (0, [1970, 1, 1, 0, 0, 0]),
            (951_782_399, [2000, 2, 28, 23, 59, 59]),
            (951_782_400, [2000, 2, 29, 0, 0, 0]),
            (4_107_542_400, [2100, 3, 1, 0, 0, 0]),
            (-1, [1969, 12, 31, 23, 59, 59]),
        ] {
            assert_eq!(civil(seconds), expected);
            assert_eq!(seconds_of_civil(expected), seconds);
        }
    }
}
