//! Measures how the cost of each verb grows with the size of a run: its exponent, and the memory at the largest size. Run by `benches/run growth`,
//! which fails if something grows faster than its work. `benches/results/growth_known.tsv` lists what is known to, with the figure that it may not
//! exceed; `benches/results/growth.tsv` has the last figures. `benches/run instructions` counts the instructions of each verb at a smaller size.

mod cost;
pub mod instructions;
mod subjects;

use std::fmt::Write as _;
use std::process::Command;

use crate::{Folder, root};
use cost::{BenchPlace, Cost, Meter};
use subjects::{GrowthSubject, SUBJECTS, Verb};

/// The most that the cost of a verb may grow with: the size to this power.
const EXPONENT: f64 = 1.15;
/// How far a known exponent may be above its figure: times of the processor differ from run to run.
const SLACK: f64 = 0.15;
/// How far memory may be above the last figure.
const MORE_MEMORY: f64 = 1.15;
/// `why` answers within so many seconds, at all sizes.
const WHY: f64 = 10.0;
/// Times below this are too short to compare.
const SHORTEST: f64 = 0.1;
/// What exceeds its bound is measured so often: a busy machine makes times longer, and never shorter.
const TIMES: usize = 3;

/// What one verb costs at all sizes.
struct Row {
    costs: [Cost; 3],
    exponent: f64,
}

impl Row {
    /// Measures a verb, again if it is above `allowed`; the least of the times counts.
    fn of(place: &BenchPlace, subject: &GrowthSubject, verb: Verb, allowed: f64) -> Self {
        let mut row = Self::new(subject, subject.sizes.map(|size| place.measure(subject, verb, size)));
        for _ in 1..TIMES {
            if row.exponent <= allowed || row.costs[2].capped {
                break;
            }
            let mut costs = row.costs;
            for (at, cost) in costs.iter_mut().enumerate().skip(1) {
                let again = place.measure(subject, verb, subject.sizes[at]);
                cost.amount = cost.amount.min(again.amount);
            }
            row = Self::new(subject, costs);
        }
        row
    }

    /// The exponent between the two larger sizes: what grows faster shows there first.
    fn new(subject: &GrowthSubject, costs: [Cost; 3]) -> Self {
        let [_, small, large] = costs.map(|cost| cost.amount.max(SHORTEST));
        let ratio = subject.sizes[2] as f64 / subject.sizes[1] as f64;
        let exponent = match costs[2].capped {
            true => f64::INFINITY,
            false => (large / small).log(ratio),
        };
        Self { costs, exponent }
    }
}

/// The figures of a file: exponent, and memory if it has that, by program and verb.
struct Figures(String);

impl Figures {
    fn read(name: &str) -> Self {
        Self(std::fs::read_to_string(root().join("benches/results").join(name)).unwrap_or_default())
    }

    fn get(&self, program: &str, verb: &str) -> Option<(f64, Option<f64>)> {
        let start = format!("{program}\t{verb}\t");
        let line = self.0.lines().find(|line| line.starts_with(&start))?;
        let mut numbers = line[start.len()..].split('\t').map(|word| word.parse().ok());
        Some((numbers.next()??, numbers.next().flatten()))
    }
}

/// What was measured.
#[derive(Default)]
pub struct Growth {
    /// The table, to be read.
    pub table: String,
    /// The new figures.
    pub lines: String,
    /// What grows too fast.
    pub worse: Vec<String>,
    /// What is known to grow too fast, and does not any more.
    pub mended: Vec<String>,
}

impl Growth {
    fn add(&mut self, subject: &GrowthSubject, verb: Verb, place: &BenchPlace, known: &Figures, last: &Figures) {
        let (program, word) = (subject.program, verb.word());
        let (what, exception) = (format!("{program} {word}"), known.get(program, word));
        let can_fail = exception.is_none_or(|(exponent, _)| exponent.is_finite());
        assert!(can_fail, "{what}: a bound that is not exceeded by anything is none");
        let allowed = exception.map_or(EXPONENT, |(exponent, _)| exponent + SLACK);
        let row = Row::of(place, subject, verb, allowed);
        let (exponent, large) = (row.exponent, row.costs[2]);
        if exponent > allowed {
            self.worse
                .push(format!("{what}: exponent {exponent:.2}, at most {allowed:.2}"));
        } else if exception.is_some() && exponent <= EXPONENT {
            self.mended.push(format!("{what}: exponent {exponent:.2}"));
        }
        if verb == Verb::Why && large.amount > WHY {
            self.worse.push(format!("{what}: {:.1} s, at most {WHY}", large.amount));
        }
        let before = last.get(program, word);
        let memory = before.and_then(|(_, memory)| memory);
        if let Some(memory) = memory.filter(|memory| large.megabytes > memory * MORE_MEMORY) {
            self.worse
                .push(format!("{what}: {:.0} MB, before {memory:.0}", large.megabytes));
        }
        let [a, b, c] = subject.sizes;
        let seconds = row.costs.map(|cost| format!("{:.2}", cost.amount)).join(", ");
        let (e, m) = (
            before.map(|(exponent, _)| format!("{exponent:.2}")),
            memory.map(|memory| format!("{memory:.0}")),
        );
        let (e, m) = (e.unwrap_or_default(), m.unwrap_or_default());
        let line = format!(
            "| {program} | {word} | {a}, {b}, {c} | {seconds} | {exponent:.2} | {e} | {:.0} | {m} |",
            large.megabytes
        );
        // A long measurement is watched.
        eprintln!("{line}");
        let _ = writeln!(self.table, "{line}");
        let _ = writeln!(
            self.lines,
            "{program}\t{word}\t{exponent:.2}\t{:.0}\t{a}, {b}, {c}\t{seconds}\t{}",
            large.megabytes,
            today()
        );
    }
}

/// The date, in UTC.
fn today() -> String {
    let date = Command::new("date")
        .args(["-u", "+%F"])
        .output()
        .expect("date is installed");
    String::from_utf8_lossy(&date.stdout).trim().to_owned()
}

/// Measures what has `only` in its program and verb.
#[must_use]
pub fn report(only: &str) -> Growth {
    let (known, last) = (Figures::read("growth_known.tsv"), Figures::read("growth.tsv"));
    let folder = Folder::new("growth");
    let place = BenchPlace::new(folder.path(), Meter::Time);
    let mut growth = Growth {
        table: "| program | verb | sizes | seconds | exponent | before | MB | before |\n|---|---|---|---|---|---|---|---|\n".to_owned(),
        lines: "program\tverb\texponent\tMB\tsizes\tseconds\tdate\n".to_owned(),
        ..Growth::default()
    };
    for subject in &SUBJECTS {
        let wanted = |verb: &&Verb| format!("{} {}", subject.program, verb.word()).contains(only);
        for (at, &verb) in subject.verbs.iter().filter(wanted).enumerate() {
            if at == 0 {
                subject.sizes.iter().for_each(|size| place.prepare(subject, *size));
            }
            growth.add(subject, verb, &place, &known, &last);
        }
    }
    growth
}
