//! `replay explore --graph`: the graph of the universes that were found.

use std::collections::BTreeMap;
use std::path::Path;

use multiverse::map::{Book, Ending, Map};
use multiverse::{Outcome, Summary};

use super::groups::Told;
use super::tell::headline;

/// Makes the graph. `groups`: the outcomes, as they are told.
pub(super) fn map(book: Book, program: &Path, summary: &Summary, notes: &[String], groups: &[Told]) -> Map {
    let mut known: BTreeMap<&Outcome, u32> = BTreeMap::new();
    for (group, number) in groups.iter().zip(1..) {
        known.extend(group.outcomes.iter().map(|(outcome, _, _)| (outcome, number)));
    }
    let ending = |outcome: &Outcome| {
        let (headline, details) = headline(outcome);
        Ending {
            headline,
            details,
            failure: outcome.is_failure(),
            group: known.get(outcome).copied().unwrap_or(0),
        }
    };
    let mut map = book.into_map(summary.is_complete(), ending);
    map.program = program.display().to_string();
    map.notes = notes.to_vec();
    map
}
