//! Options that several commands share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use log_format::CompileOption;
use syntax::{Language, Release};
use system::scheduler::Schedule;
use system::{DEFAULT_SCHEDULERS, Delivery, whole_number};

use crate::elixir::is_elixir;
use crate::error::MistypedOption;
use crate::installed::Installed;

/// Parts of a trace that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Part {
    /// Reasons of ends, with their stacks
    Reasons,
    /// Observed values, such as those of process_info; a replay goes as far as the first one
    Observations,
}

/// What is recorded.
#[derive(Args, Clone, Debug)]
pub struct Recording {
    /// Wait at every flush until the trace has reached the disk
    #[arg(long)]
    pub sync: bool,
    /// Stop recording before the actions make the trace longer than this (K, M and G are powers of 1024). The program runs on. Sources,
    /// outcome and index are always written
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub max_trace_bytes: Option<u64>,
    /// Record digests of received messages and final states, so that a replay notices changed contents
    #[arg(long)]
    pub digests: bool,
    /// Leave out the values of these inputs: clock, random, unique, system, env, file, stdin, arguments, command
    #[arg(long, value_name = "CLASS,…", value_delimiter = ',', value_parser = system::input_class)]
    pub redact_input: Vec<log_format::InputClass>,
    /// Leave out parts that may hold such values
    #[arg(long, value_name = "PART,…", value_delimiter = ',', value_enum)]
    pub redact_part: Vec<Part>,
}

impl Recording {
    /// Is all recorded as usual?
    #[must_use]
    pub const fn is_usual(&self) -> bool {
        let Self {
            sync,
            max_trace_bytes,
            digests,
            redact_input,
            redact_part,
        } = self;
        !*sync && max_trace_bytes.is_none() && !*digests && redact_input.is_empty() && redact_part.is_empty()
    }

    /// The options of the recorder.
    #[must_use]
    pub fn options(&self) -> system::recorder::RecordOptions {
        system::recorder::RecordOptions {
            sync: self.sync,
            max_bytes: self.max_trace_bytes,
            digests: self.digests,
            redact: self.redact_input.clone(),
            without_reasons: self.redact_part.contains(&Part::Reasons),
            without_observations: self.redact_part.contains(&Part::Observations),
        }
    }
}

/// How a program runs.
#[derive(Args, Clone, Debug)]
pub struct Running {
    /// How processes are scheduled: `round-robin` is first come, first served; `random` draws processes and slices. The others choose before
    /// every action: `walk` draws, `pct:D` has random priorities with D-1 changes, `pos` has random priorities for racing steps, `delay:N`
    /// makes N delays, and `switches:…` repeats a schedule that `tracer hunt` has printed. `from-test:N:SCHEDULE` is first come, first served up to
    /// where the first test begins
    #[arg(long, value_name = "SCHEDULE")]
    pub schedule: Option<Schedule>,
    /// With a schedule that chooses before every action and a simulated clock: allow at most TIME of simulated delay while a process or a
    /// message waits for its turn, so that timeouts can win against work. 0 turns it off
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = system::duration)]
    pub jitter: u64,
    /// In which order the messages of different senders arrive at one process. `causal`: inside a node, a message that was sent causally before
    /// another one arrives before it, as on BEAM. `free`: in any order
    #[arg(long, value_name = "ORDER", default_value_t = Delivery::Causal)]
    pub delivery: Delivery,
    /// Draw the schedule and all randomness from this number. The same seed and input give the same trace. Implies --virtual-time, and
    /// --schedule random unless one is given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Simulate the clock: a sleeping program runs at full speed
    #[arg(long)]
    pub virtual_time: bool,
    /// Use the clock of the machine, also for tests of a project of mix. Those have a simulated one otherwise: an interpreter is slower, and
    /// would miss their deadlines
    #[arg(long, conflicts_with_all = ["virtual_time", "seed"])]
    pub real_time: bool,
    /// Stop after this time, for example 90s or 10m: simulated with --virtual-time or --seed, else real
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub max_time: Option<u64>,
    /// At most this many living processes; one more raises system_limit
    #[arg(long, value_name = "N", default_value_t = 262_144, allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX))]
    pub max_processes: usize,
    /// Stop when the program holds more than this: heaps, mailboxes, binaries, tables, timers, persistent terms
    #[arg(long, value_name = "MB", allow_negative_numbers = true, value_parser = whole_number(0..=usize::MAX >> 20))]
    pub max_memory: Option<usize>,
    /// Tell the program that there are N schedulers: System.schedulers_online/0, erlang:system_info(schedulers). It runs in one, on every machine
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SCHEDULERS, allow_negative_numbers = true, value_parser = whole_number(1..=1024_u32))]
    pub schedulers: u32,
    /// Name the node. It is then alive, and can start others
    #[arg(long, value_name = "NAME@HOST", value_parser = system::long_name)]
    pub name: Option<String>,
    /// Name the node with a short host name; @HOST may be left out
    #[arg(long, value_name = "NAME", value_parser = system::short_name, conflicts_with = "name")]
    pub sname: Option<String>,
}

impl Running {
    /// How what is needed aside runs: as it comes, and not longer than this time in nanoseconds.
    #[must_use]
    pub const fn aside(longest: u64) -> Self {
        Self {
            schedule: None,
            jitter: 0,
            delivery: Delivery::Causal,
            seed: None,
            virtual_time: false,
            real_time: false,
            max_time: Some(longest),
            max_processes: 262_144,
            max_memory: None,
            schedulers: DEFAULT_SCHEDULERS,
            name: None,
            sname: None,
        }
    }

    /// The name of the first node, if the system is to be alive.
    #[must_use]
    pub fn node(&self) -> Option<&str> {
        self.name.as_deref().or(self.sname.as_deref())
    }

    /// The schedule. A seed without one asks for the schedule that depends on it.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        self.schedule.clone().unwrap_or(if self.seed.is_some() {
            Schedule::Random
        } else {
            Schedule::RoundRobin
        })
    }

    /// Is the clock simulated?
    #[must_use]
    pub const fn virtual_time(&self) -> bool {
        self.virtual_time || self.seed.is_some()
    }

    /// The most memory, in bytes.
    #[must_use]
    pub fn most_memory(&self) -> Option<usize> {
        self.max_memory.map(|mb| mb << 20)
    }
}

/// How a program is compiled.
#[derive(Args, Clone, Debug, Default)]
pub struct Compiling {
    /// Show the compiler's warnings
    #[arg(short = 'W', long = "warnings")]
    pub warnings: bool,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Enable a feature of the language in all modules of the program: maybe_expr
    #[arg(long = "enable-feature", value_name = "FEATURE", value_parser = ["maybe_expr"])]
    pub features: Vec<String>,
    /// Run as this release of OTP: its language, its library, ?OTP_RELEASE. Default: that of the installed erl, else 28; newer syntax is then taken,
    /// too. `tracer test` takes a newer release if minimum_otp_vsn in rebar.config asks for it
    #[arg(long = "otp", value_name = "25..28")]
    pub otp: Option<Release>,
    /// Look for include files in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,
    /// Look for modules without source in the .beam files of this folder: -pa DIR… as for erl. They need debug information
    #[arg(long = "pa", value_name = "DIR")]
    pub objects: Vec<PathBuf>,
    /// Use FILE.erl, or FILE.ex of Elixir, as the module MOD, whatever else has that name: for a module that needs native code, say. The trace holds
    /// it. Can be repeated
    #[arg(long = "stub", value_name = "MOD=FILE", value_parser = stub)]
    pub stubs: Vec<Stub>,
}

/// A file that takes the place of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stub {
    /// The module.
    pub module: String,
    /// Its source.
    pub path: PathBuf,
}

impl Stub {
    /// Is it written in Elixir? Then Elixir's own compiler makes the module, before all else runs.
    #[must_use]
    pub fn is_elixir(&self) -> bool {
        is_elixir(&self.path)
    }

    /// What Elixir is to evaluate first.
    #[must_use]
    pub fn code(&self) -> String {
        let bytes = |text: &str| text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",");
        let name = self.module.strip_prefix("Elixir.").unwrap_or(&self.module);
        let (file, module) = (
            bytes(&self.path.display().to_string()),
            bytes(&format!("Elixir.{name}")),
        );
        format!(
            "Code.put_compiler_option(:ignore_module_conflict, true); \
             modules = for {{module, _}} <- Code.require_file(<<{file}>>), do: module; \
             Code.put_compiler_option(:ignore_module_conflict, false); \
             unless :erlang.binary_to_atom(<<{module}>>) in modules, \
             do: raise(<<{file}>> <> \" is to define the module \" <> <<{}>>)",
            bytes(name)
        )
    }
}

/// What Elixir is to do first: it defines the modules that take the place of others.
pub fn stubbed(stubs: &[Stub]) -> impl Iterator<Item = String> {
    let own = stubs.iter().filter(|stub| stub.is_elixir());
    own.flat_map(|stub| ["-e".to_owned(), stub.code()])
}

/// The command line with `-pa` and `-pz` as `erl` takes them: a folder follows, or several.
#[must_use]
pub fn with_paths(args: &[OsString]) -> Vec<OsString> {
    let mut out = Vec::with_capacity(args.len());
    let mut rest = args.iter().peekable();
    // Only this command takes no folder besides. For others, a folder of beam files alone is one of these.
    let is_run = args.get(1).is_some_and(|command| command == "run");
    while let Some(word) = rest.next() {
        if word == "--" {
            out.push(word.clone());
            break;
        }
        if word != "-pa" && word != "-pz" {
            out.push(word.clone());
            continue;
        }
        out.push("--pa".into());
        out.extend(rest.next().cloned());
        while let Some(folder) = rest.next_if(|word| match is_run {
            true => Path::new(word).is_dir(),
            false => has_only_objects(Path::new(word)),
        }) {
            out.extend(["--pa".into(), folder.clone()]);
        }
    }
    out.extend(rest.cloned());
    out
}

/// Does a folder have beam files, and no sources?
fn has_only_objects(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let kinds: Vec<_> = entries
        .filter_map(|entry| entry.path().extension().map(ToOwned::to_owned))
        .collect();
    kinds.iter().any(|kind| kind == "beam") && kinds.iter().all(|kind| kind != "erl")
}

fn stub(text: &str) -> Result<Stub, MistypedOption> {
    let (module, path) = text
        .split_once('=')
        .filter(|(module, path)| !module.is_empty() && !path.is_empty())
        .ok_or(MistypedOption::Stub)?;
    if interpreter::library::source(module).is_some() {
        return Err(MistypedOption::StubOfLibrary(module.to_owned()));
    }
    let path = PathBuf::from(path);
    match path.is_file() {
        true => Ok(Stub {
            module: module.to_owned(),
            path,
        }),
        false => Err(MistypedOption::NoFile(path)),
    }
}

impl Compiling {
    /// What the program is written in. `asked`: what its project asks for.
    #[must_use]
    pub fn language(&self, installed: &Installed, asked: Option<Release>) -> Language {
        match self.otp {
            Some(release) => Language::only(release),
            None => Language::of(asked.map_or(installed.release(), |asked| asked.max(installed.release()))),
        }
    }

    /// The compiler options of the program's modules.
    #[must_use]
    pub fn options(&self) -> Vec<CompileOption> {
        let macros = self.defines.iter().map(|text| CompileOption::define(text));
        macros
            .chain(self.features.iter().cloned().map(CompileOption::Feature))
            .collect()
    }
}

fn size(text: &str) -> Result<u64, MistypedOption> {
    let (digits, factor) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(factor));
    bytes.ok_or(MistypedOption::Bytes)
}
