//! What came of the universes of a part of the search, for a file.

use std::fmt::{self, Display, Formatter};

use multiverse::UniverseOutcome;
use serde::{Deserialize, Serialize};
use session::Error;

use super::{ANY, Group, GroupedUniverses, Needs, OutcomeKind, Sample, family, shape};

/// What was found in a part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Saved {
    outcomes: Vec<One>,
    groups: Vec<Members>,
}

/// The universes with one outcome.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    outcome: UniverseOutcome,
    universes: u64,
    shortest: u64,
}

/// The universes of a group.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    /// It stands for all shapes of its kind and place.
    any: bool,
    universes: u64,
    measured: u32,
    shortest: SavedWay,
    calmest: Option<(Needs, SavedWay)>,
}

/// A universe, with the way to it in hexadecimal digits.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedWay {
    outcome: UniverseOutcome,
    actions: u64,
    way: String,
}

/// The way to a universe in a file is not written in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotHexadecimal;

impl Display for NotHexadecimal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("expected hexadecimal digits as the way to a universe")
    }
}

impl SavedWay {
    fn of(sample: Sample) -> Self {
        Self {
            outcome: sample.outcome,
            actions: sample.actions,
            way: sample
                .trace
                .map_or_else(String::new, |way| multiverse::units::hex(&way)),
        }
    }

    fn sample(self) -> Result<Sample, NotHexadecimal> {
        let digits = self.way.as_bytes().chunks(2);
        let byte = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
            u8::from_str_radix(pair, 16).ok()
        };
        let way: Option<Vec<u8>> = digits.map(byte).collect();
        Ok(Sample {
            outcome: self.outcome,
            actions: self.actions,
            trace: Some(way.ok_or(NotHexadecimal)?.into()),
            // --invariant does not go with parts of a search.
            broken: None,
        })
    }
}

impl GroupedUniverses {
    /// For a file. The ways to universes are in the place of their traces.
    pub fn save(self) -> Saved {
        let Self {
            kinds,
            groups,
            families,
            failing: _,
        } = self;
        let outcomes = kinds.into_iter().map(|(outcome, kind)| One {
            outcome,
            universes: kind.universes,
            shortest: kind.shortest,
        });
        let any: Vec<usize> = families
            .values()
            .filter_map(|shapes| shapes.get(ANY).copied())
            .collect();
        let mut used: Vec<usize> = families.values().flat_map(|shapes| shapes.values().copied()).collect();
        used.sort_unstable();
        let groups = groups.into_iter().enumerate();
        let groups = groups
            .filter(|(at, _)| used.binary_search(at).is_ok())
            .map(|(at, group)| Members {
                any: any.contains(&at),
                universes: group.universes,
                measured: group.measured,
                shortest: SavedWay::of(group.shortest),
                calmest: group.calmest.map(|(needs, sample)| (needs, SavedWay::of(sample))),
            });
        Saved {
            outcomes: outcomes.collect(),
            groups: groups.collect(),
        }
    }

    /// Adds what another part has found.
    pub fn join(&mut self, saved: Saved) -> Result<(), NotHexadecimal> {
        for one in saved.groups {
            let (family, shape) = (family(&one.shortest.outcome), shape(&one.shortest.outcome));
            let calmest = match one.calmest {
                None => None,
                Some((needs, way)) => Some((needs, way.sample()?)),
            };
            let group = Group {
                universes: one.universes,
                measured: one.measured,
                shortest: one.shortest.sample()?,
                calmest,
            };
            let is_any = |found: &Self| {
                found
                    .families
                    .get(&family)
                    .is_some_and(|shapes| shapes.contains_key(ANY))
            };
            if one.any && !is_any(self) {
                self.join_shapes(&family);
            }
            let shape = if one.any { ANY } else { &shape };
            self.put(&family, shape, group);
        }
        for one in saved.outcomes {
            if one.outcome.is_failure() {
                self.failing = self.failing.saturating_add(one.universes);
            }
            let kind = self.kinds.entry(one.outcome);
            let key = (family(kind.key()), shape(kind.key()));
            let kind = kind.or_insert_with(|| OutcomeKind {
                universes: 0,
                shortest: u64::MAX,
                family: key.0,
                shape: key.1,
            });
            kind.universes = kind.universes.saturating_add(one.universes);
            kind.shortest = kind.shortest.min(one.shortest);
        }
        Ok(())
    }

    /// Makes traces of the ways to universes, or drops them.
    pub fn follow(&mut self, mut trace: impl FnMut(&[u8]) -> Result<Option<Vec<u8>>, Error>) -> Result<(), Error> {
        let used: Vec<usize> = self
            .families
            .values()
            .flat_map(|shapes| shapes.values().copied())
            .collect();
        for at in used {
            let Some(group) = self.groups.get_mut(at) else { continue };
            let calmest = group.calmest.as_mut().map(|(_, sample)| sample);
            for sample in calmest.into_iter().chain([&mut group.shortest]) {
                sample.trace = match sample.trace.take() {
                    None => None,
                    Some(way) => trace(&way)?.map(Into::into),
                };
            }
        }
        Ok(())
    }
}
