//! Measures the budgets of the project on the programs of `benches/programs/` and prints a table for each question.
//!
//! `benches/run [ratio|overhead|replay|start|sizes|session|growth|instructions]… [--pairs N] [--only TEXT]`; without a question, all. It measures the release binaries, and compares with an
//! installed `erl` where there is one. Times are user plus system CPU seconds, unless a table says otherwise.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use log_format::{Kind, LogStep, Tag, Trace};
use tests::{Folder, root};

/// The programs: name, and the argument for a run of some hundred milliseconds under an interpreter.
const PROGRAMS: [(&str, &str); 7] = [
    ("fib", "32"),
    ("nrev", "300"),
    ("loop", "30000000"),
    ("ring", "10000"),
    ("pingpong", "1000000"),
    ("fanin", "10000"),
    ("storm", "500000"),
];

/// The programs that send and receive.
const ACTORS: [&str; 4] = ["ring", "pingpong", "fanin", "storm"];

/// The cost of one run of a command.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// User plus system CPU seconds.
    cpu: f64,
    /// Seconds from start to end.
    wall: f64,
}

struct Bench {
    folder: Folder,
    tracer: PathBuf,
    replay: PathBuf,
    erl: bool,
    pairs: usize,
}

fn main() -> ExitCode {
    let mut questions = Vec::new();
    let mut pairs = 20;
    let mut only = String::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "ratio" | "overhead" | "replay" | "start" | "sizes" | "session" | "growth" | "instructions" => {
                questions.push(arg)
            }
            "--pairs" => match args.next().and_then(|n| n.parse().ok()) {
                Some(n) if n > 0 => pairs = n,
                _ => return usage("--pairs wants a number"),
            },
            "--only" => match args.next() {
                Some(text) => only = text,
                None => return usage("--only wants the program and the verb, or a part of that"),
            },
            other => return usage(&format!("unknown question `{other}`")),
        }
    }
    if questions.is_empty() {
        questions = ["start", "ratio", "overhead", "replay", "sizes", "session"]
            .map(str::to_owned)
            .to_vec();
    }
    let bench = Bench {
        folder: Folder::new("bench"),
        tracer: tests::binary("tracer"),
        replay: tests::binary("replay"),
        erl: Command::new("erl")
            .args(["-noshell", "-eval", "halt()."])
            .output()
            .is_ok_and(|o| o.status.success()),
        pairs,
    };
    let mut status = ExitCode::SUCCESS;
    for question in questions {
        let gate = match question.as_str() {
            "growth" => Some(tests::growth::report as fn(&str) -> tests::growth::Growth),
            "instructions" => Some(tests::growth::instructions::report as fn(&str) -> tests::growth::Growth),
            _ => None,
        };
        if let Some(measure) = gate {
            if !gated(&question, &measure(&only), only.is_empty()) {
                status = ExitCode::FAILURE;
            }
            continue;
        }
        let table = match question.as_str() {
            "ratio" => bench.ratio(),
            "overhead" => bench.overhead(),
            "replay" => bench.replay_speed(),
            "sizes" => bench.sizes(),
            "session" => tests::session_bench::report(7),
            _ => bench.start(),
        };
        println!("{table}");
    }
    status
}

/// Prints what a gate measured, and keeps it as the last figures if that is asked for and `all` was measured. False if something is worse than allowed.
fn gated(question: &str, growth: &tests::growth::Growth, all: bool) -> bool {
    println!("{}", growth.table);
    if std::env::var_os("BLESS").is_some() && all {
        let file = root().join(format!("benches/results/{question}.tsv"));
        std::fs::write(file, &growth.lines).expect("the tree can be written");
    }
    for (title, lines) in [
        ("Worse than allowed", &growth.worse),
        (
            "Listed in benches/results/growth_known.tsv, and no more",
            &growth.mended,
        ),
    ] {
        if !lines.is_empty() {
            println!("{title}:\n{}", lines.join("\n"));
        }
    }
    growth.worse.is_empty()
}

fn usage(problem: &str) -> ExitCode {
    eprintln!(
        "bench: {problem}; usage: benches/run [ratio|overhead|replay|start|sizes|session|growth|instructions]… [--pairs N] [--only TEXT]"
    );
    ExitCode::from(2)
}

fn source(name: &str) -> String {
    root()
        .join("benches/programs")
        .join(format!("{name}.erl"))
        .to_string_lossy()
        .into_owned()
}

impl Bench {
    /// Measures a command with its output discarded; panics if it fails.
    fn cost(&self, program: &Path, args: &[&str]) -> Cost {
        // The shell's own `time` gives the CPU time of the child alone in milliseconds.
        let output = Command::new("bash")
            .args(["-c", "TIMEFORMAT='%U %S %R'; time \"$@\" >out.txt 2>err.txt", "bench"])
            .arg(program)
            .args(args)
            .current_dir(self.folder.path())
            .env("LC_ALL", "C")
            .output()
            .expect("bash runs");
        assert!(output.status.success(), "{} {args:?} failed", program.display());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [user, system, wall] = numbers[..] else {
            panic!("no times in {text:?}")
        };
        Cost {
            cpu: user + system,
            wall,
        }
    }

    fn tracer(&self, args: &[&str]) -> Cost {
        self.cost(&self.tracer, args)
    }

    fn plain(&self, name: &str, size: &str) -> Cost {
        self.tracer(&["run", "--no-trace", "--quiet", &source(name), "--", size])
    }

    fn recorded(&self, name: &str, size: &str) -> Cost {
        self.tracer(&["run", "--quiet", "-o", "bench.bin", &source(name), "--", size])
    }

    fn under_erl(&self, name: &str, size: &str) -> Cost {
        let call = format!("{name}:main([\"{size}\"]), halt().");
        self.cost(Path::new("erl"), &["-noshell", "-pa", ".", "-eval", &call])
    }

    fn compile(&self, name: &str) {
        self.cost(Path::new("erlc"), &[&source(name)]);
    }

    fn ratio(&self) -> String {
        let mut text = String::from(
            "## Speed without recording\n\nCPU seconds, the least of five interleaved runs, less those of `hello`.\n\n\
             | program | argument | tracer --no-trace | erl (JIT) | ratio |\n|---|---|---|---|---|\n",
        );
        let least = |run: &dyn Fn() -> Cost| (0..5).map(|_| run().cpu).fold(f64::INFINITY, f64::min);
        if self.erl {
            self.compile("hello");
        }
        let ours_start = least(&|| self.plain("hello", "x"));
        let erl_start = if self.erl {
            least(&|| self.under_erl("hello", "x"))
        } else {
            0.0
        };
        let mut logs = Vec::new();
        for (name, size) in PROGRAMS {
            if self.erl {
                self.compile(name);
            }
            let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..5 {
                ours = ours.min(self.plain(name, size).cpu - ours_start);
                if self.erl {
                    theirs = theirs.min((self.under_erl(name, size).cpu - erl_start).max(0.001));
                }
            }
            if self.erl {
                logs.push((ours / theirs).ln());
                let _ = writeln!(
                    text,
                    "| {name} | {size} | {ours:.3} | {theirs:.3} | {:.1} |",
                    ours / theirs
                );
            } else {
                let _ = writeln!(text, "| {name} | {size} | {ours:.3} | no `erl` here | |");
            }
        }
        if !logs.is_empty() {
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            let _ = writeln!(text, "\nGeometric mean of the ratios: {mean:.2}.");
        }
        text
    }

    fn overhead(&self) -> String {
        let mut text = format!(
            "## Recording overhead\n\nCPU seconds with and without recording, medians of {} interleaved pairs. Blocks and index are what `replay info` counts;\n\
             the rest of the file is the program.\n\n| program | argument | --no-trace | recording | overhead | actions | bytes of file | ns per action |\n|---|---|---|---|---|---|---|---|\n",
            self.pairs
        );
        let mut overheads = Vec::new();
        for (name, size) in PROGRAMS.into_iter().filter(|(name, _)| ACTORS.contains(name)) {
            let (mut without, mut with) = (Vec::new(), Vec::new());
            for turn in 0..self.pairs {
                // Alternate which goes first, so that neither always meets a warm machine.
                if turn % 2 == 0 {
                    without.push(self.plain(name, size).cpu);
                    with.push(self.recorded(name, size).cpu);
                } else {
                    with.push(self.recorded(name, size).cpu);
                    without.push(self.plain(name, size).cpu);
                }
            }
            let (a, b) = (median(without), median(with));
            let bytes = std::fs::metadata(self.folder.path().join("bench.bin")).map_or(0, |m| m.len());
            let actions = self.actions();
            overheads.push((b / a - 1.0) * 100.0);
            let _ = writeln!(
                text,
                "| {name} | {size} | {a:.3} | {b:.3} | {:+.1} % | {actions} | {bytes} | {:.1} |",
                (b / a - 1.0) * 100.0,
                (b - a) * 1e9 / actions.max(1) as f64
            );
        }
        let mean = overheads.iter().sum::<f64>() / overheads.len() as f64;
        let _ = writeln!(text, "\nMean overhead: {mean:+.1} %.");
        text
    }

    /// The number of actions in the trace, as in the recorder's last line.
    fn actions(&self) -> u64 {
        let output = Command::new(&self.replay)
            .args(["info", "--json", "bench.bin"])
            .current_dir(self.folder.path())
            .output()
            .expect("replay runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        number_after(&text, "\"actions\":").unwrap_or(0)
    }

    fn replay_speed(&self) -> String {
        let mut text = String::from(
            "## Replay\n\nCPU seconds of an unrecorded run and of the replay of the whole trace to the end of the entry process, the least of five.\n\n\
             | program | argument | --no-trace | replay | ratio | actions | actions a second |\n|---|---|---|---|---|---|---|\n",
        );
        for (name, size) in PROGRAMS.into_iter().filter(|(name, _)| ACTORS.contains(name)) {
            let _recorded = self.recorded(name, size);
            let actions = self.actions();
            let (mut plain, mut replayed) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..5 {
                plain = plain.min(self.plain(name, size).cpu);
                replayed = replayed.min(self.cost(&self.replay, &["--until", "end:0.1.0", "bench.bin"]).cpu);
            }
            let _ = writeln!(
                text,
                "| {name} | {size} | {plain:.3} | {replayed:.3} | {:.2} | {actions} | {:.0} |",
                replayed / plain,
                actions as f64 / replayed
            );
        }
        text
    }

    fn sizes(&self) -> String {
        let mut text = String::from(
            "## Sizes of traces\n\nBytes an action, blocks and index apart, without the program and the frames of sections that every trace has; beside them the\n\
             entropy of (sender, gap) of the receives, also in bytes an action, and bytes a process.\n\n\
             | program | argument | actions | processes | blocks | index | both | entropy | bytes a process |\n|---|---|---|---|---|---|---|---|---|\n",
        );
        let actors = PROGRAMS.into_iter().filter(|(name, _)| ACTORS.contains(name));
        for (name, size) in actors.chain([("groups", "5"), ("table", "10000")]) {
            let _recorded = self.tracer(&[
                "run",
                "--quiet",
                "--virtual-time",
                "-o",
                "bench.bin",
                &source(name),
                "--",
                size,
            ]);
            let trace = Trace::open(&self.folder.path().join("bench.bin")).expect("the trace is good");
            let totals = trace.totals();
            let actions = totals.counts.actions as f64;
            let (blocks, index) = trace.sizes();
            let (blocks, index) = (blocks as f64 / actions, index as f64 / actions);
            let _ = writeln!(
                text,
                "| {name} | {size} | {actions} | {} | {blocks:.3} | {index:.3} | {:.3} | {:.3} | {:.1} |",
                totals.processes,
                blocks + index,
                entropy(&trace) / 8.0 / actions,
                (blocks + index) * actions / totals.processes as f64,
            );
        }
        text
    }

    fn start(&self) -> String {
        let mut text = String::from(
            "## Start-up\n\nMilliseconds from start to end, medians of 21 runs.\n\n| command | ms |\n|---|---|\n",
        );
        let hello = source("hello");
        let commands: [(&str, &Path, Vec<&str>); 4] = [
            ("`tracer --help`", &self.tracer, vec!["--help"]),
            ("`replay --help`", &self.replay, vec!["--help"]),
            (
                "`tracer run --no-trace hello.erl`",
                &self.tracer,
                vec!["run", "--no-trace", &hello],
            ),
            (
                "`tracer run hello.erl`",
                &self.tracer,
                vec!["run", "-o", "hello.bin", &hello],
            ),
        ];
        for (label, program, args) in commands {
            let ms = median((0..21).map(|_| self.cost(program, &args).wall * 1e3).collect());
            let _ = writeln!(text, "| {label} | {ms:.0} |");
        }
        text
    }
}

/// Bits of all receives of a trace: of the sender given the receiver, plus of the gap to the last message from that sender.
fn entropy(trace: &Trace) -> f64 {
    let mut bits = 0.0;
    for process in trace.processes() {
        let mut log = trace
            .log(process.expect("the trace is good").pid)
            .expect("the trace is good");
        let (mut senders, mut gaps, mut last) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        while let Some(step) = log.step(u64::MAX).expect("the trace is good") {
            if let LogStep::Action(action) = step
                && let Kind::Rec(Tag::Sent { by, k }) = action.kind
            {
                *senders.entry(by).or_insert(0u64) += 1;
                *gaps
                    .entry(k.0.wrapping_sub(last.insert(by, k.0).unwrap_or(0)))
                    .or_insert(0u64) += 1;
            }
        }
        bits += of_counts(senders.values()) + of_counts(gaps.values());
    }
    bits
}

fn of_counts<'a>(counts: impl Iterator<Item = &'a u64> + Clone) -> f64 {
    let all = counts.clone().sum::<u64>() as f64;
    counts.map(|&n| -(n as f64) * (n as f64 / all).log2()).sum()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The number that follows `key` in a text.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.find(key)? + key.len()..];
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
