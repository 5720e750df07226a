//! How much time a thread has had to do something. On a busy machine, time passes in which it cannot run, and that is not counted.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// A thread, as the system names it. Elsewhere than on Linux it has no name, and all time counts as its own.
#[derive(Clone, Default)]
pub struct WatchedThread(Option<PathBuf>);

impl WatchedThread {
    /// The thread that calls.
    pub fn current() -> Self {
        Self(
            std::fs::read_link("/proc/thread-self")
                .ok()
                .map(|link| Path::new("/proc").join(link)),
        )
    }

    /// The thread with which the process began.
    pub fn first() -> Self {
        let task = PathBuf::from(format!("/proc/self/task/{}", std::process::id()));
        Self(task.exists().then_some(task))
    }

    /// Is it waiting for something, and how much time of a processor has it used? `None`: the system does not say.
    fn state(&self) -> Option<(bool, Duration)> {
        let task = self.0.as_ref()?;
        let stat = std::fs::read_to_string(task.join("stat")).ok()?;
        let used = std::fs::read_to_string(task.join("schedstat")).ok()?;
        let used = used.split(' ').next()?.parse().ok()?;
        Some((waits(&stat)?, Duration::from_nanos(used)))
    }
}

/// Does the line of a thread say that it waits? One that waits for a disk is about to go on. The name, in parentheses, may hold anything.
fn waits(stat: &str) -> Option<bool> {
    let state = stat.rsplit_once(')')?.1.trim_start().chars().next()?;
    Some(state == 'S')
}

/// What a thread did in the time that it has had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    /// It computed.
    Computing,
    /// It waited for something outside.
    Waiting,
}

/// The time that a thread has had since this was made.
pub struct TimeHad {
    thread: WatchedThread,
    /// What it had used when it was last looked at.
    used: Option<Duration>,
    computed: Duration,
    waited: Duration,
}

impl TimeHad {
    pub fn of(thread: WatchedThread) -> Self {
        let used = thread.state().map(|(_, used)| used);
        Self {
            thread,
            used,
            computed: Duration::ZERO,
            waited: Duration::ZERO,
        }
    }

    /// So much time has passed.
    pub fn passes(&mut self, time: Duration) {
        match (self.thread.state(), self.used) {
            (Some((waits, now)), Some(before)) => {
                let computed = now.saturating_sub(before);
                self.computed += computed;
                if waits {
                    self.waited += time.saturating_sub(computed);
                }
                self.used = Some(now);
            }
            _ => self.computed += time,
        }
    }

    pub fn had(&self) -> Duration {
        self.computed + self.waited
    }

    pub fn spent(&self) -> Spent {
        match self.waited > self.computed {
            true => Spent::Waiting,
            false => Spent::Computing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_waits_only_if_it_sleeps() {
        assert_eq!(waits("12 (a (b) S) R 1 2"), Some(false));
        assert_eq!(waits("12 (R) S 1 2"), Some(true));
        assert_eq!(waits("12 (R) D 1 2"), Some(false), "a disk");
        assert_eq!(waits("12"), None);
    }

    #[test]
    fn all_time_is_had_where_the_system_does_not_say() {
        let mut had = TimeHad::of(WatchedThread::default());
        had.passes(Duration::from_millis(30));
        had.passes(Duration::from_millis(30));
        assert_eq!((had.had(), had.spent()), (Duration::from_millis(60), Spent::Computing));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_thread_computes_and_waits_is_told_apart() {
        let mut had = TimeHad::of(WatchedThread::current());
        let start = std::time::Instant::now();
        // This thread works while it looks, so it never waits.
        while had.had() < Duration::from_millis(20) && start.elapsed() < Duration::from_secs(60) {
            std::hint::black_box((0..100_000_u64).sum::<u64>());
            had.passes(Duration::ZERO);
        }
        assert_eq!(had.spent(), Spent::Computing);
        assert!(had.had() >= Duration::from_millis(20));
    }
}
