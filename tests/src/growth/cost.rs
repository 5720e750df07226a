//! What one command costs: seconds of the processor and memory, or instructions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::subjects::{GrowthSubject, Verb};
use crate::{binary, root};

/// A command that takes longer is ended: whatever it costs, that is too much.
pub const CAP: u64 = 20;
/// No command takes more memory, in KB.
const MEMORY: u64 = 6_000_000;

/// What a command costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meter {
    /// Seconds of the processor, and memory.
    Time,
    /// Instructions of the command itself, not of the commands that it starts. Valgrind counts them: the same each time, whatever else the machine does.
    Instructions,
}

/// The cost of a command, by its meter.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Seconds of the processor, or millions of instructions.
    pub amount: f64,
    /// The most memory at one time in MB; 0 where instructions are counted.
    pub megabytes: f64,
    /// It took too long, or too much memory, and was ended.
    pub capped: bool,
}

/// The folder of the traces, and the two tools.
pub struct BenchPlace<'a> {
    folder: &'a Path,
    tracer: PathBuf,
    replay: PathBuf,
    meter: Meter,
}

impl<'a> BenchPlace<'a> {
    #[must_use]
    pub fn new(folder: &'a Path, meter: Meter) -> Self {
        let (tracer, replay) = (binary("tracer"), binary("replay"));
        Self {
            folder,
            tracer,
            replay,
            meter,
        }
    }

    /// Measures a command that ends with one of these codes.
    fn cost(&self, program: &Path, args: &[&str], codes: &[i32]) -> Cost {
        let wrapper = match self.meter {
            Meter::Time => {
                format!("ulimit -t {CAP}; ulimit -v {MEMORY}; exec /usr/bin/time -q -f '%U %S %M' -o cost.txt \"$@\"")
            }
            Meter::Instructions => {
                "exec valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file=cost.txt \"$@\"".to_owned()
            }
        };
        let output = Command::new("bash")
            .args(["-c", &wrapper, "bench"])
            .arg(program)
            .args(args)
            .current_dir(self.folder)
            .env("NO_COLOR", "1")
            .output()
            .expect("bash is installed");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let well = output.status.code().is_some_and(|code| codes.contains(&code));
        let text = fs::read_to_string(self.folder.join("cost.txt")).unwrap_or_default();
        let cost = match self.meter {
            Meter::Time => Self::timed(&text, well, said.contains("memory")),
            Meter::Instructions => Self::counted(&text),
        };
        let cost = cost.unwrap_or_else(|| panic!("GNU time, or valgrind, is missing: {text:?}: {said}"));
        assert!(well || cost.capped, "{args:?}: {:?} {said}", output.status.code());
        cost
    }

    /// What GNU time wrote.
    fn timed(text: &str, well: bool, lacks_memory: bool) -> Option<Cost> {
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [user, system, kilobytes] = numbers[..] else {
            return None;
        };
        let seconds = user + system;
        let capped = !well && (seconds > CAP as f64 - 1.0 || lacks_memory);
        Some(Cost {
            amount: if capped { seconds.max(CAP as f64) } else { seconds },
            megabytes: kilobytes / 1024.0,
            capped,
        })
    }

    /// What Valgrind wrote: `==12== I   refs:      1,234,567`.
    fn counted(text: &str) -> Option<Cost> {
        let line = text.lines().find(|line| line.contains("refs:"))?;
        let digits: String = line[line.find("refs:")?..]
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        Some(Cost {
            amount: digits.parse::<f64>().ok()? / 1e6,
            megabytes: 0.0,
            capped: false,
        })
    }

    fn source(subject: &GrowthSubject) -> String {
        let path = root().join(format!("benches/programs/growth/{}.erl", subject.program));
        path.to_string_lossy().into_owned()
    }

    /// Records the program, as far as that was not done: the trace, another schedule of it, and what a kill leaves of it.
    pub fn prepare(&self, subject: &GrowthSubject, size: u64) {
        let (name, source, argument) = (trace(subject, size), Self::source(subject), size.to_string());
        let missing = |name: &str| !self.folder.join(name).exists();
        let record = |name: &str, options: &[&str]| {
            let args = [&["run", "-q", "-o", name], options, &[&source, "--", &argument]].concat();
            self.cost(&self.tracer, &args, &[0, 1]);
        };
        if missing(&name) {
            record(&name, &[]);
        }
        if subject.verbs.contains(&Verb::Diff) && missing(&other(&name)) {
            record(&other(&name), &["--seed", "7"]);
        }
        if subject.verbs.contains(&Verb::KilledInfo) && missing(&killed(&name)) {
            let bytes = fs::read(self.folder.join(&name)).expect("a trace was recorded");
            let there = &bytes[..bytes.len() / 100 * 97];
            fs::write(self.folder.join(killed(&name)), there).expect("a new file");
        }
    }

    fn debug(&self, commands: &str, of: &str) -> Cost {
        fs::write(self.folder.join("commands"), commands).expect("a file in a new folder");
        self.cost(&self.replay, &["debug", "-x", "commands", of], &[0])
    }

    /// The command takes no arguments for the program.
    fn drive(&self, subject: &GrowthSubject, size: u64) -> Cost {
        let text = fs::read_to_string(Self::source(subject)).expect("a source of the benches");
        let text = text.replace("-export([main/1", "-export([main/0, main/1");
        let name = format!("{}.erl", subject.program);
        fs::write(
            self.folder.join(&name),
            format!("{text}\nmain() -> main([\"{size}\"]).\n"),
        )
        .expect("a new file");
        self.debug("run\nquit\n", &name)
    }

    pub fn measure(&self, subject: &GrowthSubject, verb: Verb, size: u64) -> Cost {
        let trace = trace(subject, size);
        let source = Self::source(subject);
        let replay = |args: &[&str], codes: &[i32]| self.cost(&self.replay, args, codes);
        match verb {
            Verb::Record => {
                let size = size.to_string();
                self.cost(
                    &self.tracer,
                    &["run", "-q", "-o", "again.bin", &source, "--", &size],
                    &[0, 1],
                )
            }
            Verb::Run => replay(&["run", &trace], &[0]),
            Verb::Until => replay(&["--until", "error", &trace], &[0]),
            Verb::Back => self.debug("until error\nback\nback\nback\nquit\n", &trace),
            Verb::State => self.debug("until error\nstate 0.2.0\nquit\n", &trace),
            Verb::Find => replay(&["find", "--text", "no such text", &trace], &[0, 1]),
            Verb::Export => replay(&["export", "-o", "out.json", &trace], &[0]),
            Verb::Verify => replay(&["verify", &trace], &[0]),
            Verb::Info => replay(&["info", &trace], &[0]),
            Verb::KilledInfo => replay(&["info", &killed(&trace)], &[0]),
            // A small trace may hold nothing yet.
            Verb::KilledUntil => replay(&["--until", "end:0.1.0", &killed(&trace)], &[0, 67]),
            Verb::Why => replay(&["why", &trace], &[0]),
            Verb::Races => replay(&["races", &trace], &[0]),
            // The last but one message could have been the last.
            Verb::WhatIf => replay(&["what-if", &format!("rec:{}", size - 1), &trace], &[0]),
            Verb::Report => replay(&["report", "--actions", "all", "-o", "out.html", &trace], &[0]),
            Verb::Diff => replay(&["diff", &trace, &other(&trace)], &[0, 1]),
            Verb::Unchanged => replay(&["check", "--program", &source, &trace], &[1]),
            Verb::Fixed => replay(&["check", "-D", "FIXED", "--program", &source, &trace], &[0]),
            Verb::Drive => self.drive(subject, size),
            Verb::Explore => replay(&["explore", &trace], &[0]),
        }
    }
}

fn trace(subject: &GrowthSubject, size: u64) -> String {
    format!("{}-{size}.bin", subject.program)
}

fn other(trace: &str) -> String {
    format!("other-{trace}")
}

fn killed(trace: &str) -> String {
    format!("killed-{trace}")
}
