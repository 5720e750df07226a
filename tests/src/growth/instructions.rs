//! Counts the instructions of each verb at a small size of each program, and fails if one needs a tenth more than
//! `benches/results/instructions.tsv` says. Run by `benches/run instructions`.

use std::fmt::Write as _;

use super::cost::{BenchPlace, Meter};
use super::subjects::{SUBJECTS, Verb};
use super::{Figures, Growth, today};
use crate::Folder;

/// How far a count may be above the last one.
const MORE: f64 = 1.10;
/// Counts below this many millions say little: a start costs about as much.
const LEAST: f64 = 20.0;
/// Counts what has `only` in its program and verb.
#[must_use]
pub fn report(only: &str) -> Growth {
    let last = Figures::read("instructions.tsv");
    let folder = Folder::new("instructions");
    let (recorder, place) = (
        BenchPlace::new(folder.path(), Meter::Time),
        BenchPlace::new(folder.path(), Meter::Instructions),
    );
    let mut growth = Growth {
        table: "| program | verb | size | million instructions | before |\n|---|---|---|---|---|\n".to_owned(),
        lines: "program\tverb\tmillion instructions\tsize\tdate\n".to_owned(),
        ..Growth::default()
    };
    for subject in &SUBJECTS {
        // Verbs that make many replays cost as much at a smaller size.
        let many_replays = [Verb::Why, Verb::Fixed, Verb::Unchanged, Verb::Explore];
        let part = if many_replays.iter().any(|verb| subject.verbs.contains(verb)) {
            50
        } else {
            10
        };
        let (program, size) = (subject.program, subject.sizes[0] / part);
        let wanted = |verb: &&Verb| format!("{program} {}", verb.word()).contains(only);
        for (at, &verb) in subject.verbs.iter().filter(wanted).enumerate() {
            if at == 0 {
                recorder.prepare(subject, size);
            }
            let (word, millions) = (verb.word(), place.measure(subject, verb, size).amount);
            let before = last.get(program, word).map(|(before, _)| before);
            if before.is_some_and(|before| millions > before.max(LEAST) * MORE) {
                let before = before.unwrap_or_default();
                growth.worse.push(format!(
                    "{program} {word}: {millions:.1} million instructions, before {before:.1}"
                ));
            }
            let shown = before.map(|before| format!("{before:.1}")).unwrap_or_default();
            let line = format!("| {program} | {word} | {size} | {millions:.1} | {shown} |");
            eprintln!("{line}");
            let _ = writeln!(growth.table, "{line}");
            let _ = writeln!(growth.lines, "{program}\t{word}\t{millions:.1}\t{size}\t{}", today());
        }
    }
    growth
}
