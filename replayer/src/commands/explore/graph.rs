//! `replay explore --graph`: the graph of the universes that were found.

use std::collections::BTreeMap;
use std::path::Path;

use multiverse::map::{Book, Ending, Map};
use multiverse::{Summary, UniverseOutcome};

use super::groups::ToldGroup;
use super::tell::headline;
use crate::words::count;

/// Makes the graph. `groups`: the outcomes, as they are told.
pub(super) fn map(book: Book, program: &Path, summary: &Summary, notes: &[String], groups: &[ToldGroup]) -> Map {
    let mut known: BTreeMap<&UniverseOutcome, u32> = BTreeMap::new();
    for (group, number) in groups.iter().zip(1..) {
        known.extend(group.outcomes.iter().map(|(outcome, _, _)| (outcome, number)));
    }
    let ending = |outcome: &UniverseOutcome| {
        let (headline, details) = headline(outcome);
        Ending {
            headline,
            details,
            failure: outcome.is_failure(),
            group: known.get(outcome).copied().unwrap_or(0),
        }
    };
    let alike = book.alike();
    let mut map = book.into_map(summary.is_complete() && alike == 0, ending);
    map.program = program.display().to_string();
    map.notes = notes.to_vec();
    if alike > 0 {
        let differ = if alike == 1 { "differs" } else { "differ" };
        map.notes.push(format!(
            "{} {differ} from others only in what no event shows, such as a signal that was dropped when it arrived. The graph does not tell them apart.",
            count(alike, "universe")
        ));
    }
    map
}
