//! Time of the processor, and whether a process stands still.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::until;

/// Ticks of a second in `/proc/PID/stat`: on every Linux that Rust runs on.
const TICKS: u64 = 100;

/// How often, and how far apart, a process is looked at that is to stand still: one that works would not wait each time.
const LOOKS: (u32, Duration) = (5, Duration::from_millis(4));

/// The time of the processor that the calling thread has used so far; elsewhere than on Linux, the time that has passed.
///
/// # Panics
/// When the thread's numbers cannot be read.
#[must_use]
pub fn used() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    // The system adds up when a thread waits, and else a few milliseconds late.
    std::thread::sleep(Duration::from_micros(1));
    let Ok(text) = std::fs::read_to_string("/proc/thread-self/schedstat") else {
        return START.elapsed();
    };
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.expect("schedstat begins with nanoseconds"))
}

/// The time of the processor that a process has used so far, without that of its children. `None`: it is gone, or this is not Linux.
#[must_use]
pub fn used_by(pid: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 1000 / TICKS))
}

/// How often [`print_speed`] does the work.
const RUNS: usize = 20;

/// For benches: does the work some times, and prints the least and the middle time of the processor for each of its `parts`. Once only, if the program
/// was called with `--test`.
pub fn print_speed<T>(name: &str, parts: u64, mut work: impl FnMut() -> T) {
    let runs = if std::env::args().any(|word| word == "--test") {
        1
    } else {
        RUNS
    };
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..runs {
        let before = used();
        std::hint::black_box(work());
        times.push((used() - before).as_secs_f64() * 1e9 / parts.max(1) as f64);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{name}: {:.1} ns, half of the runs at most {:.1} ns",
        times[0],
        times[runs / 2]
    );
}

/// Whether a child has ended and waits to be waited for. `None`: it was waited for, or this is not Linux.
#[must_use]
pub fn ended(pid: u32) -> Option<bool> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(state(&text)? == 'Z')
}

/// The state in the line of a process or thread: behind its name, which may hold anything.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Waits until a process has used so much more time of the processor, or has ended: it is working, and not only about to. Without Linux, waits
/// that long.
pub fn until_used(pid: u32, more: Duration) {
    let Some(before) = used_by(pid) else {
        std::thread::sleep(more);
        return;
    };
    until("for a process that works", || {
        let enough = used_by(pid).is_none_or(|now| now >= before + more);
        (enough || ended(pid).unwrap_or(true)).then_some(())
    });
}

/// Waits until all threads of a process wait for something, for some time, or it has ended; they may wake up now and then and look. Without
/// Linux, waits for a second.
pub fn until_still(pid: u32) {
    if !Path::new("/proc/self/task").exists() {
        std::thread::sleep(Duration::from_secs(1));
        return;
    }
    let mut seen = 0;
    until("for a process that stands still", || {
        seen = if all_wait(pid).unwrap_or(true) { seen + 1 } else { 0 };
        std::thread::sleep(LOOKS.1);
        (seen >= LOOKS.0).then_some(())
    });
}

/// Whether no thread of a process runs or could run now. `None`: it is gone.
fn all_wait(pid: u32) -> Option<bool> {
    for task in std::fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let stat = std::fs::read_to_string(task.ok()?.path().join("stat")).ok()?;
        // Waiting, or ended.
        if !matches!(state(&stat)?, 'S' | 'Z' | 'X') {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn work_is_counted_and_sleep_is_not() {
        let before = used();
        std::thread::sleep(Duration::from_millis(300));
        let slept = used() - before;
        assert!(slept < Duration::from_millis(200), "{slept:?}");
        let mut numbers = 0u64;
        until("for a thread that works", || {
            for n in 0..1_000_000 {
                numbers = std::hint::black_box(numbers.wrapping_mul(31).wrapping_add(n));
            }
            (used() - before > Duration::from_millis(250)).then_some(())
        });
    }

    #[test]
    fn a_child_works_or_stands_still() {
        let mut still = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("cat is everywhere");
        until_still(still.id());
        assert!(used_by(still.id()).is_some_and(|time| time < Duration::from_secs(1)));
        still.kill().expect("it runs");
        still.wait().expect("it ends");
        let mut busy = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .expect("sh is everywhere");
        until_used(busy.id(), Duration::from_millis(100));
        assert!(used_by(busy.id()).is_some_and(|time| time >= Duration::from_millis(100)));
        busy.kill().expect("it runs");
        // It can be asked until it is waited for.
        until("for the end", || used_by(busy.id()).map(drop));
        busy.wait().expect("it ends");
    }
}
