//! Schedules by their names, as they are typed.

use std::fmt;
use std::str::FromStr;

use crate::error::Mistyped;
use crate::scheduler::choose::Scheduler;
use crate::scheduler::delay::Delay;
use crate::scheduler::explorer::{Explorer, Strategy, Taken};
use crate::scheduler::jitter::Jitter;
use crate::scheduler::pct::Pct;
use crate::scheduler::pos::Pos;
use crate::scheduler::random::Random;
use crate::scheduler::round_robin::RoundRobin;
use crate::scheduler::switches::{Switch, Switches};
use crate::scheduler::walk::RandomWalk;

/// Among so many first steps `pct` and `delay` draw, unless the caller says otherwise.
pub const DEFAULT_STEPS: u64 = 500;

const SWITCHES: &str = "switches";
const AT_NATIVES: &str = "switches-at-natives";
const FROM_TEST: &str = "from-test";

/// How processes are scheduled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// First come, first served.
    RoundRobin,
    /// A random process each time, short and long slices, delayed signals.
    Random,
    /// A random choice before every action.
    Walk,
    /// Random priorities that change at `depth - 1` of the first `steps` steps.
    Pct {
        /// The d of the paper, at least 1.
        depth: u32,
        /// The k of the paper, at least 1.
        steps: u64,
    },
    /// Random priorities for events, new ones for those that race.
    Pos,
    /// The usual schedule, but for some delays among the first `steps` steps.
    Delay {
        /// How many.
        delays: u32,
        /// At least 1.
        steps: u64,
    },
    /// The usual schedule, but for these switches.
    Switches {
        /// In the order in which they are made.
        list: Vec<Switch>,
        /// Is there a choice before every native, too, as under `pos`?
        at_natives: bool,
    },
    /// First come, first served, up to where the first test begins; from there on by another one.
    FromTest {
        /// From the test on, draws depend on this number.
        draw: u64,
        /// How it goes on.
        then: Box<Self>,
    },
}

impl Schedule {
    /// Its words, for messages.
    pub const WORDS: &str =
        "round-robin, random, walk, pct:D[:STEPS], pos, delay:N[:STEPS], switches:LIST, from-test:N:SCHEDULE";

    /// The scheduler for one seed. While anything waits for its turn, timers fire as far as `jitter` allows it. The handle, if there is one,
    /// tells afterwards which choices were made.
    #[must_use]
    pub fn scheduler(&self, seed: u64, jitter: Jitter) -> (Box<dyn Scheduler>, Option<Taken>) {
        let strategy: Box<dyn Strategy> = match self {
            Self::RoundRobin | Self::FromTest { .. } => return (Box::new(RoundRobin::default()), None),
            Self::Random => return (Box::new(Random::new(seed)), None),
            Self::Walk => Box::new(RandomWalk::new(seed)),
            Self::Pct { depth, steps } => Box::new(Pct::new(seed, *depth, *steps)),
            Self::Pos => Box::new(Pos::new(seed)),
            Self::Delay { delays, steps } => Box::new(Delay::new(seed, *delays, *steps)),
            Self::Switches { list, at_natives } => Box::new(Switches::new(list, *at_natives)),
        };
        let explorer = Explorer::new(strategy, jitter);
        let taken = explorer.taken();
        (Box::new(explorer), Some(taken))
    }

    /// How far time may pass in one run with this schedule, at most by `jitter` nanoseconds. A list of switches itself says when time passes.
    #[must_use]
    pub fn jitter(&self, seed: u64, jitter: u64) -> Jitter {
        match self {
            Self::Switches { .. } => Jitter::up_to(u64::MAX),
            Self::FromTest { draw, then } => then.jitter(*draw, jitter),
            _ => Jitter::new(seed, jitter),
        }
    }

    /// The same with steps drawn among so many, where it draws steps.
    #[must_use]
    pub fn within(self, most: u64) -> Self {
        match self {
            Self::Pct { depth, .. } => Self::Pct { depth, steps: most },
            Self::Delay { delays, .. } => Self::Delay { delays, steps: most },
            Self::FromTest { draw, then } => then.within(most).since_test(draw),
            other => other,
        }
    }

    /// The usual schedule with these switches, which were made under this schedule. `None` if it does not make any.
    #[must_use]
    pub fn with_switches(&self, list: Vec<Switch>) -> Option<Self> {
        let at_natives = match self {
            Self::RoundRobin | Self::Random => return None,
            Self::Walk | Self::Pct { .. } | Self::Delay { .. } => false,
            Self::Pos => true,
            Self::Switches { at_natives, .. } => *at_natives,
            Self::FromTest { draw, then } => return Some(then.with_switches(list)?.since_test(*draw)),
        };
        Some(Self::Switches { list, at_natives })
    }

    /// The same from where the first test begins; before, first come, first served.
    #[must_use]
    pub fn since_test(self, draw: u64) -> Self {
        let then = Box::new(self);
        Self::FromTest { draw, then }
    }

    /// What it is from where the first test begins, and the number that draws depend on; `None`: it does not care for tests.
    #[must_use]
    pub const fn at_test(&self) -> Option<(u64, &Self)> {
        match self {
            Self::FromTest { draw, then } => Some((*draw, then)),
            _ => None,
        }
    }

    /// The usual schedule.
    #[must_use]
    pub const fn usual() -> Self {
        Self::Switches {
            list: Vec::new(),
            at_natives: false,
        }
    }

    /// Does it depend on a seed?
    #[must_use]
    pub const fn draws(&self) -> bool {
        !matches!(self, Self::RoundRobin | Self::Switches { .. } | Self::FromTest { .. })
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundRobin => f.write_str("round-robin"),
            Self::Random => f.write_str("random"),
            Self::Walk => f.write_str("walk"),
            Self::Pct { depth, steps } => write!(f, "pct:{depth}:{steps}"),
            Self::Pos => f.write_str("pos"),
            Self::Delay { delays, steps } => write!(f, "delay:{delays}:{steps}"),
            Self::Switches { list, at_natives } => {
                f.write_str(if *at_natives { AT_NATIVES } else { SWITCHES })?;
                f.write_str(":")?;
                for (i, switch) in list.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(f, "{comma}{switch}")?;
                }
                Ok(())
            }
            Self::FromTest { draw, then } => write!(f, "{FROM_TEST}:{draw}:{then}"),
        }
    }
}

impl FromStr for Schedule {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        match (word, rest) {
            ("round-robin", None) => Ok(Self::RoundRobin),
            ("random", None) => Ok(Self::Random),
            ("walk", None) => Ok(Self::Walk),
            ("pos", None) => Ok(Self::Pos),
            ("pct", Some(rest)) => {
                let (depth, steps) = numbers(rest, "pct:3 or pct:3:500, with a depth of 1 to 100")?;
                Ok(Self::Pct { depth, steps })
            }
            ("delay", Some(rest)) => {
                let (delays, steps) = numbers(rest, "delay:2 or delay:2:500, with 1 to 100 delays")?;
                Ok(Self::Delay { delays, steps })
            }
            (SWITCHES | AT_NATIVES, Some(list)) => {
                let list: Result<Vec<Switch>, Mistyped> = match list {
                    "" => Ok(Vec::new()),
                    list => list.split(',').map(str::parse).collect(),
                };
                Ok(Self::Switches {
                    list: list?,
                    at_natives: word == AT_NATIVES,
                })
            }
            (FROM_TEST, Some(rest)) => {
                let (draw, then) = rest.split_once(':').unwrap_or((rest, ""));
                match (draw.parse(), then.parse::<Self>()?) {
                    (Ok(draw), then) if then.at_test().is_none() => Ok(then.since_test(draw)),
                    _ => Err(Mistyped::Schedule(Self::WORDS)),
                }
            }
            _ => Err(Mistyped::Schedule(Self::WORDS)),
        }
    }
}

/// `N` or `N:STEPS`.
fn numbers(text: &str, expected: &'static str) -> Result<(u32, u64), Mistyped> {
    let (count, steps) = match text.split_once(':') {
        Some((count, steps)) => (count.parse(), steps.parse()),
        None => (text.parse(), Ok(DEFAULT_STEPS)),
    };
    match (count, steps) {
        (Ok(count @ 1..=100), Ok(steps @ 1..)) => Ok((count, steps)),
        _ => Err(Mistyped::Strategy(expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_as_they_are_written() {
        for text in [
            "round-robin",
            "random",
            "walk",
            "pos",
            "pct:3:500",
            "delay:2:77",
            "switches:",
            "switches:3/12>5,5/0>3-7,3-7/1>clock,5/2>3.4",
            "switches-at-natives:3/12>5",
            "from-test:7:walk",
            "from-test:0:pct:3:500",
            "from-test:12:switches-at-natives:3/12>5,5/0>3-7",
        ] {
            let schedule: Schedule = text.parse().unwrap();
            assert_eq!(schedule.to_string(), text);
        }
        assert_eq!(
            "pct:2".parse(),
            Ok(Schedule::Pct {
                depth: 2,
                steps: DEFAULT_STEPS
            })
        );
        for wrong in [
            "",
            "Pct:2",
            "pct",
            "pct:0",
            "pct:2:0",
            "pct:101",
            "pos:1",
            "delay:x",
            "switches:1",
            "switches:1/2>",
            "switches:1/2>x",
            "walk:",
            "from-test",
            "from-test:7",
            "from-test:walk",
            "from-test:x:walk",
            "from-test:7:from-test:7:walk",
        ] {
            assert!(wrong.parse::<Schedule>().is_err(), "{wrong}");
        }
    }
}
