//! What many runs say together: how often they fail, how many different ones there were, and how many are still unseen.

use rustc_hash::FxHashMap;

use log_format::{Access, Action, Kind, LogStep, Resource, Result, Trace};
use std::hash::{Hash, Hasher};

/// Counts of runs.
#[derive(Clone, Default, Debug)]
pub struct Figures {
    /// Runs that ended.
    pub runs: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those that reached a limit.
    pub limited: u64,
    /// How often each log occurred.
    logs: FxHashMap<u64, u64>,
}

impl Figures {
    /// One more run.
    pub fn add(&mut self, log: u64, failed: bool, limited: bool) {
        self.runs += 1;
        self.failed += u64::from(failed);
        self.limited += u64::from(limited);
        *self.logs.entry(log).or_default() += 1;
    }

    /// How many different logs there were.
    pub fn distinct(&self) -> usize {
        self.logs.len()
    }

    /// The estimated probability that the next run has a log that was seen before [Good, *The Population Frequencies of Species and the
    /// Estimation of Population Parameters*, Biometrika 1953]: 1 less the share of runs whose log was seen once.
    pub fn coverage(&self) -> f64 {
        let once = self.logs.values().filter(|n| **n == 1).count();
        1.0 - once as f64 / self.runs.max(1) as f64
    }

    /// The interval of 95 % for the probability of a failure [Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*,
    /// JASA 1927].
    pub fn failure_rate(&self) -> (f64, f64) {
        wilson(self.failed, self.runs)
    }
}

/// See [`Figures::failure_rate`].
fn wilson(failed: u64, runs: u64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    let n = runs.max(1) as f64;
    let p = failed as f64 / n;
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// A number for the logs of a trace. Values of inputs, observations and drops do not count, so that two runs are not different because a clock
/// was. Pids do; so two runs that number their processes in another order are different.
///
/// # Errors
/// The trace is damaged.
pub fn digest(trace: &Trace) -> Result<u64> {
    let texts = trace.texts()?;
    let mut all = 0_u64;
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = rustc_hash::FxHasher::default();
        pid.hash(&mut log);
        let mut reader = trace.log(pid)?.without_values();
        loop {
            match reader.step(u64::MAX)? {
                None => break,
                Some(LogStep::Sends(n)) => (0_u8, n).hash(&mut log),
                Some(LogStep::Action(action)) => hash_action(action, texts, &mut log),
            }
        }
        all = all.wrapping_add(system::scheduler::mix(log.finish()));
    }
    Ok(all)
}

fn hash_action(action: &Action, texts: &[String], into: &mut impl Hasher) {
    match &action.kind {
        // The point is no part of the log's identity (semantics.md §2).
        Kind::Signal { tag, .. } => (1_u8, tag).hash(into),
        kind => (2_u8, kind).hash(into),
    }
    action.sends.hash(into);
    for access in &action.accesses {
        let Access {
            resource,
            version,
            write,
            by,
        } = access;
        match resource {
            // Texts are numbered in the order of their first use, which is not the log's.
            Resource::Name(text) | Resource::Module(text) | Resource::Atom(text) | Resource::Other(text) => {
                texts.get(text.0 as usize).hash(into);
            }
            other => other.hash(into),
        }
        (version, write, by).hash(into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with a table: Brown, Cai, DasGupta 2001.
    #[test]
    fn an_interval_contains_the_rate_and_never_leaves_0_to_1() {
        let (low, high) = wilson(0, 10);
        assert!(low == 0.0 && (0.27..0.28).contains(&high), "{low} {high}");
        let (low, high) = wilson(5, 10);
        assert!(
            (0.236..0.238).contains(&low) && (0.762..0.764).contains(&high),
            "{low} {high}"
        );
        let (low, high) = wilson(1000, 1000);
        assert!(low > 0.99 && high == 1.0, "{low} {high}");
    }

    #[test]
    fn coverage_is_the_share_of_runs_whose_log_came_again() {
        let mut figures = Figures::default();
        assert!(figures.coverage() > 0.99);
        for log in [1, 2, 3, 1] {
            figures.add(log, false, false);
        }
        assert!((figures.coverage() - 0.5).abs() < 1e-9);
        assert_eq!(figures.distinct(), 3);
    }
}
