//! Universes that came to the same, and outcomes that differ in nothing but values.
//!
//! A program that adds up what it receives can come to a hundred values, and all of them say the same. So outcomes are *grouped*: those of one
//! kind, at one place, whose values have one shape. If a kind at one place has many shapes, they are one group, too. Of each group two universes
//! are kept: the shortest one and, of failures, the one that needs the least stall.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use delay::Measure;
use log_format::{ActionId, ActionNo};
use multiverse::outcome::{UniverseEnd, first_crash};
use multiverse::{Normal, Universe, UniverseOutcome};
use serde::{Deserialize, Serialize};
use session::Error;

mod saved;

pub(super) use saved::Saved;

/// Limit: shapes of one kind of outcome at one place. With more, they are one group.
const SHAPES: usize = 8;
/// Limit: universes of a group whose stall is measured, besides those that are shorter than all before.
const MEASURED: u32 = 32;

/// What came of the universes.
#[derive(Clone, Default)]
pub(super) struct GroupedUniverses {
    kinds: BTreeMap<UniverseOutcome, OutcomeKind>,
    groups: Vec<Group>,
    /// The groups of each kind and place, by shape.
    families: BTreeMap<String, BTreeMap<String, usize>>,
    /// How many universes fail.
    pub failing: u64,
}

/// The universes with one outcome.
#[derive(Clone)]
struct OutcomeKind {
    universes: u64,
    shortest: u64,
    family: String,
    shape: String,
}

/// The universes of a group.
#[derive(Clone)]
struct Group {
    universes: u64,
    measured: u32,
    shortest: Sample,
    /// Of failures: the one that needs the least.
    calmest: Option<(Needs, Sample)>,
}

/// A universe that is kept.
#[derive(Clone)]
pub(super) struct Sample {
    pub outcome: UniverseOutcome,
    pub actions: u64,
    /// Where the first invariant fails: the last action of the process by then.
    pub broken: Option<ActionId>,
    pub trace: Option<Arc<[u8]>>,
}

impl Sample {
    /// Is it shorter, or as long with an outcome that comes first? So it does not matter in which order universes are found.
    fn is_before(&self, other: &Self) -> bool {
        (self.actions, &self.outcome) < (other.actions, &other.outcome)
    }
}

/// What a universe needs to happen; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Needs {
    pub free_delivery: bool,
    /// The stall up to the failure, in milliseconds.
    pub stall: u64,
}

/// A group, for telling it.
pub(super) struct ToldGroup {
    pub universes: u64,
    /// Was the stall of every universe measured that could have a smaller one?
    pub all_measured: bool,
    pub shortest: Sample,
    pub calmest: Option<(Needs, Sample)>,
    /// Each outcome with the number of its universes and the length of the shortest; the most frequent first.
    pub outcomes: Vec<(UniverseOutcome, u64, u64)>,
}

impl ToldGroup {
    /// The universe that is shown: one that needs as little as possible.
    pub fn shown(&self) -> &Sample {
        self.calmest.as_ref().map_or(&self.shortest, |(_, sample)| sample)
    }
}

impl GroupedUniverses {
    fn group(&self, family: &str, shape: &str) -> Option<&Group> {
        let shapes = self.families.get(family)?;
        self.groups.get(*shapes.get(shape).or_else(|| shapes.get(ANY))?)
    }

    /// The group of an outcome; perhaps all shapes of its family have just become one.
    fn group_of(&mut self, family: &str, shape: &str) -> Option<usize> {
        let shapes = self.families.entry(family.to_owned()).or_default();
        if let Some(known) = shapes.get(shape).or_else(|| shapes.get(ANY)) {
            return Some(*known);
        }
        if shapes.len() < SHAPES {
            return None;
        }
        self.join_shapes(family)
    }

    /// All shapes of a family become one. `None`: it has none.
    fn join_shapes(&mut self, family: &str) -> Option<usize> {
        let shapes = self.families.entry(family.to_owned()).or_default();
        let mut all = std::mem::take(shapes).into_values();
        let into = all.next()?;
        shapes.insert(ANY.to_owned(), into);
        for other in all {
            let other = self.groups[other].clone_out();
            self.groups[into].join(other);
        }
        Some(into)
    }

    /// Adds universes of one shape; they are in one group with others of it.
    fn put(&mut self, family: &str, shape: &str, group: Group) {
        match self.group_of(family, shape) {
            Some(known) => self.groups[known].join(group),
            None => {
                let shapes = self.families.entry(family.to_owned()).or_default();
                shapes.insert(shape.to_owned(), self.groups.len());
                self.groups.push(group);
            }
        }
    }

    /// Notes a universe, of which this is known.
    fn add(
        &mut self,
        universe: &Universe<'_>,
        (family, shape): (String, String),
        sample: Sample,
        needs: Option<Needs>,
    ) {
        self.failing += u64::from(universe.outcome.is_failure());
        let group = Group {
            universes: 1,
            measured: u32::from(needs.is_some()),
            calmest: needs.map(|needs| (needs, sample.clone())),
            shortest: sample,
        };
        self.put(&family, &shape, group);
        let kind = self.kinds.entry(universe.outcome.clone()).or_insert(OutcomeKind {
            universes: 0,
            shortest: u64::MAX,
            family,
            shape,
        });
        kind.universes += 1;
        kind.shortest = kind.shortest.min(universe.actions);
    }

    /// The groups: failures first, those first that need the least, and then the most frequent.
    pub fn into_groups(self) -> Vec<ToldGroup> {
        let Self {
            kinds,
            groups,
            families,
            failing: _,
        } = self;
        let mut outcomes: BTreeMap<usize, Vec<(UniverseOutcome, u64, u64)>> = BTreeMap::new();
        for (outcome, kind) in kinds {
            let shapes = families.get(&kind.family);
            let group = shapes.and_then(|shapes| shapes.get(&kind.shape).or_else(|| shapes.get(ANY)));
            if let Some(group) = group {
                let all = outcomes.entry(*group).or_default();
                all.push((outcome, kind.universes, kind.shortest));
            }
        }
        let told = |(number, group): (usize, Group)| {
            let mut outcomes = outcomes.remove(&number)?;
            outcomes.sort_by_key(|(_, universes, _)| std::cmp::Reverse(*universes));
            Some(ToldGroup {
                universes: group.universes,
                all_measured: !group.could_be_calmer() || u64::from(group.measured) >= group.universes,
                shortest: group.shortest,
                calmest: group.calmest,
                outcomes,
            })
        };
        let mut all: Vec<ToldGroup> = groups.into_iter().enumerate().filter_map(told).collect();
        let rank = |told: &ToldGroup| {
            let fails = told.shortest.outcome.is_failure();
            let needs = told.calmest.as_ref().map(|(needs, _)| *needs);
            (!fails, needs, std::cmp::Reverse(told.universes), told.shortest.actions)
        };
        all.sort_by(|a, b| {
            let ranks = rank(a).cmp(&rank(b));
            ranks.then_with(|| a.shown().outcome.cmp(&b.shown().outcome))
        });
        all
    }
}

/// The shape that stands for all.
const ANY: &str = "";

impl Group {
    fn could_be_calmer(&self) -> bool {
        let least = Needs {
            free_delivery: false,
            stall: 0,
        };
        self.calmest.as_ref().is_some_and(|(needs, _)| *needs > least)
    }

    /// Is the stall of a universe measured? Also of one that would be shown instead if it needs as little: so what is shown does not depend on the
    /// order of the search.
    fn measures(&self, universe: &Universe<'_>) -> bool {
        let before = |sample: &Sample| (universe.actions, &universe.outcome) < (sample.actions, &sample.outcome);
        before(&self.shortest)
            || self.measured < MEASURED && self.could_be_calmer()
            || self.calmest.as_ref().is_some_and(|(_, calmest)| before(calmest))
    }

    fn clone_out(&self) -> Self {
        Self {
            universes: self.universes,
            measured: self.measured,
            shortest: self.shortest.clone(),
            calmest: self.calmest.clone(),
        }
    }

    /// Takes in another group.
    fn join(&mut self, other: Self) {
        self.universes = self.universes.saturating_add(other.universes);
        self.measured = self.measured.saturating_add(other.measured);
        if other.shortest.is_before(&self.shortest) {
            self.shortest = other.shortest;
        }
        self.calmest = match (self.calmest.take(), other.calmest) {
            (Some(one), Some(other)) if other.0 < one.0 || other.0 == one.0 && other.1.is_before(&one.1) => Some(other),
            (one, other) => one.or(other),
        };
    }
}

/// Notes a universe. `lock` gives what was found so far, and is not held for long: nobody must wait while a trace is made. `trace` makes its trace, if traces are kept.
pub(super) fn note<L: std::ops::DerefMut<Target = GroupedUniverses>>(
    lock: impl Fn() -> L,
    universe: &Universe<'_>,
    normal: &Normal,
    trace: Option<&dyn Fn() -> Result<Vec<u8>, Error>>,
) -> Result<(), Error> {
    let key = (family(&universe.outcome), shape(&universe.outcome));
    let (shorter, measures) = match lock().group(&key.0, &key.1) {
        Some(group) => (
            (universe.actions, &universe.outcome) < (group.shortest.actions, &group.shortest.outcome),
            group.measures(universe),
        ),
        None => (true, true),
    };
    let needs = match measures && universe.outcome.is_failure() {
        true => needs(universe, normal)?,
        false => None,
    };
    let sample = Sample {
        outcome: universe.outcome.clone(),
        actions: universe.actions,
        broken: universe.broken.first().copied(),
        trace: match trace {
            Some(trace) if shorter || needs.is_some() => Some(trace()?.into()),
            _ => None,
        },
    };
    lock().add(universe, key, sample, needs);
    Ok(())
}

/// What a universe that fails needs. `None`: it is too long to measure.
fn needs(universe: &Universe<'_>, normal: &Normal) -> Result<Option<Needs>, Error> {
    let player = universe.player()?;
    let Some(measure) = Measure::of(|probe| player.replay_for(probe))? else {
        return Ok(None);
    };
    let crash = first_crash(&player, normal).map(|pid| ActionId {
        pid,
        number: ActionNo(player.done(pid)),
    });
    let failure = crash.or_else(|| universe.broken.first().copied().filter(|at| at.number.0 > 0));
    Ok(Some(Needs {
        free_delivery: measure.needs_free_delivery() == Some(true),
        stall: measure.stall(failure).ms,
    }))
}

/// The kind of an outcome and the places where it came about.
fn family(outcome: &UniverseOutcome) -> String {
    let place_of = |pid: &str| {
        let mut places = outcome.places.iter();
        places.find(|(of, _)| of == pid).map_or("", |(_, place)| place.as_str())
    };
    let crashes: BTreeSet<String> = outcome
        .crashes
        .iter()
        .map(|(pid, reason)| format!("{} {}", head(reason), place_of(pid)))
        .collect();
    let end = match &outcome.end {
        UniverseEnd::Crashed(reason) => {
            let others = |place: &&(String, String)| !outcome.crashes.iter().any(|(pid, _)| *pid == place.0);
            let place = outcome
                .places
                .iter()
                .find(others)
                .map_or("", |(_, place)| place.as_str());
            format!("crashed {} {place}", head(reason))
        }
        UniverseEnd::Deadlock(waits) => {
            let places: BTreeSet<&str> = waits.iter().map(|(_, place)| place.as_str()).collect();
            format!("waits {places:?}")
        }
        UniverseEnd::Halted(status) => format!("halted {status}"),
        UniverseEnd::Returned(_) => format!("returned {}", outcome.is_failure()),
        UniverseEnd::Exited => "exited".to_owned(),
        UniverseEnd::Cut(why) => format!("cut {why:?}"),
    };
    let broken: BTreeSet<String> = outcome
        .violations
        .iter()
        .map(|one| format!("{} {} {}", one.invariant, one.about, one.place))
        .collect();
    let tests: BTreeSet<&str> = outcome.tests.iter().map(|(name, _)| name.as_str()).collect();
    format!("{end} {crashes:?} {tests:?} {broken:?} {:?}", outcome.cut)
}

/// The first words of a reason: `error {badmatch`.
fn head(reason: &str) -> String {
    let end = reason.find([',', '[', '"', '<', '#']).unwrap_or(reason.len());
    let mut head = String::new();
    shape_of(&reason[..end], &mut head);
    head
}

/// What an outcome looks like without its values.
fn shape(outcome: &UniverseOutcome) -> String {
    let mut text = String::from("*");
    match &outcome.end {
        UniverseEnd::Crashed(value) | UniverseEnd::Returned(value) => shape_of(value, &mut text),
        UniverseEnd::Deadlock(_) | UniverseEnd::Halted(_) | UniverseEnd::Exited | UniverseEnd::Cut(_) => {}
    }
    let each = |texts: &[(String, String)]| -> BTreeSet<String> {
        let lines = texts.iter().flat_map(|(_, text)| text.lines());
        lines
            .map(|line| {
                let mut text = String::new();
                shape_of(line, &mut text);
                text
            })
            .collect()
    };
    for violation in &outcome.violations {
        text.push('\n');
        shape_of(&violation.value, &mut text);
    }
    for (_, reason) in &outcome.tests {
        text.push('\n');
        shape_of(reason, &mut text);
    }
    for line in each(&outcome.crashes).into_iter().chain(each(&outcome.printed)) {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// A text without its numbers, strings, pids and contents of lists, maps and binaries. Atoms stay: `{error,timeout}` is not `{error,noproc}`.
fn shape_of(text: &str, out: &mut String) {
    let mut rest = text;
    let mut in_word = false;
    while let Some(first) = rest.chars().next() {
        let (left, length) = match first {
            '"' | '\'' => (None, quoted(rest)),
            '[' => (Some("[]"), closed(rest, '[', ']')),
            '<' => (Some("<>"), closed(rest, '<', '>')),
            '#' if rest.starts_with("#{") => (Some("#{}"), 1 + closed(&rest[1..], '{', '}')),
            '#' => (Some("#"), rest.find('>').map_or(1, |end| end + 1)),
            '0'..='9' if !in_word => (Some("_"), number(rest)),
            '-' if !in_word && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                (Some("_"), 1 + number(&rest[1..]))
            }
            _ => (None, first.len_utf8()),
        };
        let (taken, after) = rest.split_at(length);
        match left {
            Some(left) => out.push_str(left),
            None if first == '"' => out.push_str("\"\""),
            None => out.push_str(taken),
        }
        in_word = first.is_alphanumeric() || first == '_' || first == '@';
        rest = after;
    }
}

/// How long the number at the start is.
fn number(text: &str) -> usize {
    let is_of_it = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '#' | '_');
    let end = text.find(|c: char| !is_of_it(c)).unwrap_or(text.len());
    // A full stop that ends a sentence.
    text[..end].trim_end_matches('.').len()
}

/// How long the quoted text at the start is.
fn quoted(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote)) = chars.next() else { return 0 };
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    // Cut, or an apostrophe in a text that a program printed.
    if quote == '"' { text.len() } else { 1 }
}

/// How long the bracket at the start is, up to where it closes.
fn closed(text: &str, open: char, close: char) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '"' => at += quoted(&text[at..]),
            _ => at += c.len_utf8(),
        }
        depth = match c {
            _ if c == open => depth + 1,
            _ if c == close => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(text: &str) -> String {
        let mut out = String::new();
        shape_of(text, &mut out);
        out
    }

    #[test]
    fn a_shape_has_no_values_but_all_words() {
        assert_eq!(shaped("{got,[1,2,{a,\"]\"}],-4.5e3}"), "{got,[],_}");
        assert_eq!(shaped("{error,{timeout,<0.9>}}"), "{error,{timeout,<>}}");
        assert_eq!(
            shaped("#{a => {1}} #Ref<0.1.2> <<\"x\">> v2 16#ff 3."),
            "#{} # <> v2 _ _."
        );
        assert_eq!(shaped("{'it''s',\"a\\\"b\",1}"), "{'it''s',\"\",_}");
        assert_eq!(shaped("don't count 3 of [1"), "don't count _ of []");
    }

    #[test]
    fn heads_keep_what_went_wrong() {
        assert_eq!(head("error {badmatch,{error,1}}"), "error {badmatch");
        assert_eq!(head("error badarg"), "error badarg");
        assert_eq!(head("exit {timeout,{gen_server,call,[x]}}"), "exit {timeout");
        assert_eq!(head("throw 17"), "throw _");
    }
}
