//! Measures how the cost of each verb grows with the size of a run: its exponent, and the memory at the larger size. Run by `benches/run growth`,
//! which compares with `benches/results/growth.tsv` and fails if something grows faster than it did.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::{Folder, binary, root};

/// A program of `benches/programs/growth`, with two sizes, the verbs that are measured on it, and how far apart the sizes are.
struct Subject {
    program: &'static str,
    sizes: [u64; 2],
    verbs: &'static [Verb],
}

/// What is measured, on the trace of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verb {
    Record,
    Run,
    Until,
    Back,
    Verify,
    Why,
    Races,
    Check,
    Drive,
    Explore,
}

impl Verb {
    const fn word(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Run => "run",
            Self::Until => "debug until",
            Self::Back => "debug until, back 3",
            Self::Verify => "verify",
            Self::Why => "why",
            Self::Races => "races",
            Self::Check => "check",
            Self::Drive => "debug FILE.erl, run",
            Self::Explore => "explore",
        }
    }
}

const SUBJECTS: [Subject; 9] = [
    Subject {
        program: "alive",
        sizes: [10_000, 100_000],
        verbs: &[Verb::Record, Verb::Run, Verb::Until, Verb::Verify],
    },
    Subject {
        program: "dead",
        sizes: [40_000, 400_000],
        verbs: &[Verb::Record, Verb::Run, Verb::Verify],
    },
    Subject {
        program: "failing",
        sizes: [3_000, 30_000],
        verbs: &[Verb::Record, Verb::Run, Verb::Until, Verb::Back, Verb::Verify],
    },
    // Both sizes are above those of which the random continuations begin at the beginning.
    Subject {
        program: "failing",
        sizes: [3_000, 30_000],
        verbs: &[Verb::Why, Verb::Races],
    },
    Subject {
        program: "failing",
        sizes: [250, 1_000],
        verbs: &[Verb::Check, Verb::Drive],
    },
    Subject {
        program: "looks",
        sizes: [300, 1_500],
        verbs: &[Verb::Why, Verb::Races],
    },
    Subject {
        program: "idle",
        sizes: [100, 400],
        verbs: &[Verb::Explore],
    },
    Subject {
        program: "bag",
        sizes: [100_000, 1_000_000],
        verbs: &[Verb::Record, Verb::Run, Verb::Verify],
    },
    Subject {
        program: "updates",
        sizes: [100_000, 1_000_000],
        verbs: &[Verb::Record, Verb::Run, Verb::Verify],
    },
];

/// What a verb may not exceed by itself.
const EXPONENT: f64 = 1.15;
/// How far an exponent may be above the last one: times of the processor differ from run to run.
const SLACK: f64 = 0.1;
/// How far memory may be above the last figure.
const MORE_MEMORY: f64 = 1.15;
/// Times below this are too short to compare.
const SHORTEST: f64 = 0.03;

/// Seconds of the processor, and the most memory at one time in MB.
#[derive(Clone, Copy, Debug)]
struct Cost {
    seconds: f64,
    megabytes: f64,
}

/// Measures a command, whatever its exit code.
fn cost(folder: &Path, program: &Path, args: &[&str]) -> Cost {
    let output = Command::new("/usr/bin/time")
        .args(["-q", "-f", "%U %S %M", "-o", "cost.txt"])
        .arg(program)
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("GNU time is installed");
    let code = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(code, Some(0 | 1 | 80)), "{args:?}: {code:?} {said}");
    let text = std::fs::read_to_string(folder.join("cost.txt")).unwrap_or_default();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [user, system, kilobytes] = numbers[..] else {
        panic!("no times in {text:?}")
    };
    Cost {
        seconds: user + system,
        megabytes: kilobytes / 1024.0,
    }
}

fn measure(folder: &Path, subject: &Subject, verb: Verb, size: u64) -> Cost {
    let (tracer, replay) = (binary("tracer"), binary("replay"));
    let source = root().join(format!("benches/programs/growth/{}.erl", subject.program));
    let source = source.to_string_lossy().into_owned();
    let trace = format!("{}-{size}.bin", subject.program);
    let debug = |commands: &str| {
        std::fs::write(folder.join("commands"), commands).expect("a file in a new folder");
        cost(folder, &replay, &["debug", "-x", "commands", &trace])
    };
    // The last action of the entry is the failure, where there is one, or comes after all others.
    match verb {
        Verb::Record => cost(
            folder,
            &tracer,
            &["run", "-q", "-o", &trace, &source, "--", &size.to_string()],
        ),
        Verb::Run => cost(folder, &replay, &["run", &trace]),
        Verb::Until => debug("until end:0.1.0\nstate\nquit\n"),
        Verb::Back => debug("until end:0.1.0\nback\nback\nback\nquit\n"),
        Verb::Verify => cost(folder, &replay, &["verify", &trace]),
        Verb::Why => cost(folder, &replay, &["why", &trace]),
        Verb::Races => cost(folder, &replay, &["races", &trace]),
        Verb::Explore => cost(folder, &replay, &["explore", &trace]),
        Verb::Drive => {
            // The command takes no arguments for the program.
            let text = std::fs::read_to_string(&source).expect("a source of the benches");
            let text = text.replace("-export([main/1]).", "-export([main/0, main/1]).");
            let name = format!("{}.erl", subject.program);
            std::fs::write(folder.join(&name), format!("{text}\nmain() -> main([\"{size}\"]).\n")).expect("a new file");
            std::fs::write(folder.join("commands"), "run\nquit\n").expect("a file in a new folder");
            cost(folder, &replay, &["debug", "-x", "commands", &name])
        }
        Verb::Check => cost(folder, &replay, &["check", "--program", &source, &trace]),
    }
}

/// The last figures: exponent and memory by program and verb.
fn last(results: &str, program: &str, verb: &str) -> Option<(f64, f64)> {
    let line = results
        .lines()
        .find(|line| line.starts_with(&format!("{program}\t{verb}\t")))?;
    let mut numbers = line.split('\t').skip(2).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The table, new results, and what has become worse.
#[must_use]
pub fn report() -> (String, String, Vec<String>) {
    let results = root().join("benches/results/growth.tsv");
    let known = std::fs::read_to_string(results).unwrap_or_default();
    let folder = Folder::new("growth");
    let mut table = String::from(
        "| program | verb | sizes | seconds | exponent | before | MB | before |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut lines = String::from("program\tverb\texponent\tMB\n");
    let mut worse = Vec::new();
    for subject in &SUBJECTS {
        if !subject.verbs.contains(&Verb::Record) {
            for size in subject.sizes {
                measure(folder.path(), subject, Verb::Record, size);
            }
        }
        for &verb in subject.verbs {
            let [small, large] = subject.sizes.map(|size| measure(folder.path(), subject, verb, size));
            let ratio = subject.sizes[1] as f64 / subject.sizes[0] as f64;
            let exponent = (large.seconds.max(SHORTEST) / small.seconds.max(SHORTEST)).log(ratio);
            let before = last(&known, subject.program, verb.word());
            let what = format!("{} {}", subject.program, verb.word());
            let allowed = before.map_or(EXPONENT, |(exponent, _)| exponent.max(EXPONENT - SLACK) + SLACK);
            if exponent > allowed {
                worse.push(format!("{what}: exponent {exponent:.2}, at most {allowed:.2}"));
            }
            if let Some((_, memory)) = before.filter(|(_, memory)| large.megabytes > memory * MORE_MEMORY) {
                worse.push(format!("{what}: {:.0} MB, before {memory:.0}", large.megabytes));
            }
            let (e, m) = before.map_or_else(Default::default, |(e, m)| (format!("{e:.2}"), format!("{m:.0}")));
            let [n, more] = subject.sizes;
            let _ = writeln!(
                table,
                "| {} | {} | {n}, {more} | {:.2}, {:.2} | {exponent:.2} | {e} | {:.0} | {m} |",
                subject.program,
                verb.word(),
                small.seconds,
                large.seconds,
                large.megabytes
            );
            let _ = writeln!(
                lines,
                "{}\t{}\t{exponent:.2}\t{:.0}",
                subject.program,
                verb.word(),
                large.megabytes
            );
        }
    }
    (table, lines, worse)
}
