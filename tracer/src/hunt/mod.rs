//! `tracer hunt`: runs a program under many schedules until one fails, keeps that run, and makes it simpler.

mod beginning;
pub mod failure;
mod figures;
mod keep;
mod need;
pub mod once;
mod patience;
pub mod plan;
mod search;
mod shrink;
mod tell;
mod watcher;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use pcre::Pattern;
use system::outside::Outside;
use system::recorder::{self, RunFacts};
use system::scheduler::Schedule;
use system::{DEFAULT_SCHEDULERS, Delivery, StallLimit, whole_number};
use tempfile::TempDir;

use crate::error::{Error, InputError, UsageError};
use crate::execute::Loaded;
use crate::exit::Exit;
use crate::hunt::failure::Rules;
use crate::hunt::need::{Gauge, Need};
use crate::hunt::once::{Bounds, Prey};
use crate::hunt::patience::Patience;
use crate::hunt::search::{Hunted, Lure, Search};
use crate::named::Named;
use crate::options::Compiling;
use crate::outside::Real;
use crate::report;
use crate::run;
use crate::signals::Signals;
use crate::test::{self, Aim, Wanted};

/// `tracer hunt`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "A failure is: the entry crashes, waits for ever or returns {error, Reason}; a test fails; halt(N) with N above 0; a
process crashes and no other one handles its end. --strict and --fail-on-output add to this. The program's output is not shown. What it
does to files, it does in every run.

Exit codes:
    0  no run failed
    1  a run failed
    2  usage
   64  the program does not compile, or uses something unsupported
   66  a file cannot be read
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Examples:
  tracer hunt --time 1m counter.erl
  tracer hunt -k bank_tests:transfer"
)]
pub struct HuntArgs {
    /// Erlang source files. Runs start at main/0 of the first one, unless --entry names another function. With -k: files, folders or modules
    /// with tests [default: this folder]
    #[arg(required_unless_present = "only", value_name = "FILE.erl")]
    pub files: Vec<PathBuf>,
    /// Run the tests whose module:function contains TEXT, as tracer test -k does, with their fixtures. They have to be in one module. Can be
    /// repeated
    #[arg(short = 'k', value_name = "TEXT", conflicts_with_all = ["entry", "arguments", "exit_with_main"])]
    pub only: Vec<String>,
    /// Start at this function
    #[arg(long, value_name = "MOD:FUN")]
    pub entry: Option<String>,
    /// Stop after N runs [default: 1000; with --time, no limit]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u64::MAX))]
    pub runs: Option<u64>,
    /// Stop after this time, for example 90s, 10m or 1h
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub time: Option<u64>,
    /// How runs are scheduled: one or more of walk, pct:D, pos, delay:N, random, round-robin, in turn. `mix` is the usual schedule once, then
    /// pos,walk,pct:2,delay:2,pct:3,delay:1; every other delay:1 is random. If pct and delay say no number of steps, that of the usual schedule is used
    #[arg(long, value_name = "STRATEGY,…", value_delimiter = ',', default_value = "mix")]
    pub strategy: Vec<String>,
    /// Runs use the seeds from N on. The same seed finds the same run [default: drawn, and printed]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Make N runs at the same time [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = whole_number(1..=1024_u64))]
    pub jobs: Option<u64>,
    /// Go on after a failure, and say how often the program fails. One trace is kept for each kind of failure
    #[arg(long)]
    pub keep_going: bool,
    /// Of a test: every run begins at its start. Else most runs begin where the first test does, and what comes before it runs once
    #[arg(long)]
    pub from_start: bool,
    /// A printed line that matches this regular expression is a failure
    #[arg(long, value_name = "RE")]
    pub fail_on_output: Option<String>,
    /// A message that was not received when the run or its receiver ended is a failure
    #[arg(long)]
    pub strict: bool,
    /// Do not look for a simpler run that fails in the same way
    #[arg(long)]
    pub no_shrink: bool,
    /// Keep the run that was found, too, and not only the simpler one
    #[arg(long, conflicts_with = "no_shrink")]
    pub keep_original: bool,
    /// Write traces into this folder
    #[arg(long, value_name = "DIR", default_value = "_traces")]
    pub traces: PathBuf,
    /// Allow at most TIME of simulated delay while a process or a message waits for its turn, so that timeouts can win against work.
    /// 0 turns it off
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = system::duration)]
    pub jitter: u64,
    /// In which order the messages of different senders arrive at one process: `causal` or `free`, as for tracer run
    #[arg(long, value_name = "ORDER", default_value_t = Delivery::Causal)]
    pub delivery: Delivery,
    /// Put a failing run aside if something must have stalled for more than TIME for it to happen, and go on. If nothing else fails, it is told,
    /// and is no failure. `none` puts nothing aside
    #[arg(long, value_name = "TIME", default_value_t = StallLimit::default())]
    pub max_stall: StallLimit,
    /// End a run after N steps of its scheduler
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole_number(1..=u32::MAX))]
    pub steps: u32,
    /// End a run after this simulated time
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = system::time_limit)]
    pub max_time: Option<u64>,
    /// At most this many living processes; one more raises system_limit
    #[arg(long, value_name = "N", default_value_t = 262_144, value_parser = whole_number(0..=usize::MAX))]
    pub max_processes: usize,
    /// End a run when the program holds more than this
    #[arg(long, value_name = "MB", value_parser = whole_number(0..=usize::MAX >> 20))]
    pub max_memory: Option<usize>,
    /// Tell the program that there are N schedulers: System.schedulers_online/0, erlang:system_info(schedulers). It runs in one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SCHEDULERS, value_parser = whole_number(1..=1024_u32))]
    pub schedulers: u32,
    /// Stop when the entry process has ended, as an escript does
    #[arg(long)]
    pub exit_with_main: bool,
    /// Name the node with a short host name; @HOST may be left out
    #[arg(long, value_name = "NAME", value_parser = system::short_name)]
    pub sname: Option<String>,
    /// The name that the tests give their node, if nothing else says one.
    #[arg(skip)]
    pub node: Option<String>,
    /// How the program is compiled
    #[command(flatten)]
    pub compiling: Compiling,
    /// Print results only, and no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Arguments for main/1, as strings
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

/// Runs of a hunt, unless the caller limits time or runs.
const RUNS: u64 = 1000;

/// Runs `tracer hunt`.
pub fn hunt(args: &HuntArgs) -> Exit {
    let began = Instant::now();
    let (lures, rules) = match lures(&args.strategy).and_then(|lures| Ok((lures, rules(args)?))) {
        Ok(found) => found,
        Err(error) => return Error::from(error).told(),
    };
    let signals = Signals::watch();
    let Target {
        args,
        loaded,
        private,
        known,
    } = match target(args, &signals) {
        Ok(target) => target,
        Err(error) => return error.told(),
    };
    let args = &args;
    // There is no trace to be finished: the run at hand ends, and then the hunt.
    signals.ended();
    let facts = facts(args, &loaded);
    let bounds = Bounds {
        time: args.max_time,
        processes: args.max_processes,
        memory: args.max_memory.map(|mb| mb << 20),
        schedulers: args.schedulers,
        steps: args.steps,
        jitter: args.jitter,
        delivery: args.delivery,
        // A run of tests ends with them, whatever processes they leave.
        exit_with_entry: args.exit_with_main || !args.only.is_empty(),
        arguments: args.arguments.clone(),
    };
    let patience = Arc::new(Patience {
        interrupted: Arc::clone(&signals.interrupted),
        stop: Arc::default(),
    });
    let from_test = loaded.runs_tests && !args.from_start;
    let prey = Prey::new(loaded, facts, bounds, rules, Arc::clone(&patience.stop), private);
    let seed = args
        .seed
        .unwrap_or_else(|| Real::new(Arc::clone(&signals.interrupted), None, None).entropy() >> 32);
    let deadline = args.time.and_then(|time| began.checked_add(Duration::from_nanos(time)));
    // A schedule that does not depend on the seed is the same every time.
    let once = lures.iter().all(|lure| !lure.schedule.draws());
    let most = if once { lures.len() as u64 } else { u64::MAX };
    let all = if args.time.is_some() { u64::MAX } else { RUNS };
    let search = Arc::new(Search {
        prey,
        args: args.clone(),
        patience,
        began,
        seed,
        runs: args.runs.unwrap_or(all).min(most),
        from_test,
        usual_first: args.strategy.iter().any(|word| word == MIXED),
        deadline,
        lures,
        gauge: Gauge::default(),
        most: Need {
            free_delivery: args.delivery == Delivery::Free,
            stall: args.max_stall.0.unwrap_or(u64::MAX),
        },
    });
    match search.run() {
        Ok(Hunted {
            refused: Some(refused), ..
        }) => signals.tell_apart(tell::refused(&refused, args, known)),
        Ok(result) => signals.tell_apart(tell::results(&search, &result)),
        Err(error) => Error::from(error).told(),
    }
}

/// What is hunted.
struct Target {
    /// The options.
    args: HuntArgs,
    /// The program.
    loaded: Loaded,
    /// The folder that a suite may write to.
    private: Option<TempDir>,
    /// With -k: the names of all tests that are known before they run.
    known: Vec<String>,
}

/// What is hunted: the program with its options.
fn target(args: &HuntArgs, signals: &Signals) -> Result<Target, Error> {
    if args.only.is_empty() {
        let named = Named {
            files: &args.files,
            entry: args.entry.as_deref(),
            arguments: &args.arguments,
            compiling: &args.compiling,
        };
        let loaded = run::load(&named)?;
        let mut args = args.clone();
        if loaded.private.is_some() {
            // They share the suite's folder.
            args.jobs = Some(1);
        }
        return Ok(Target {
            args,
            loaded,
            private: None,
            known: Vec::new(),
        });
    }
    let mut args = args.clone();
    let mut what: Vec<OsString> = args.files.iter().map(|path| path.clone().into_os_string()).collect();
    let root = enter(&mut args, &mut what)?;
    let wanted = Wanted {
        what: &what,
        only: &args.only,
        compiling: &args.compiling,
        signals,
        quiet: args.quiet,
        has_name: args.sname.is_some(),
    };
    let Aim {
        loaded,
        what,
        private,
        node,
        known,
    } = Aim::at(wanted)?;
    if let (None, Some(name)) = (&args.sname, node) {
        if !args.quiet {
            report::tell(&format!(
                "the node of these tests is to be alive, so it is {name} from the start"
            ));
        }
        // Not on its command line: the command that repeats a run finds it, too.
        args.node = Some(name);
    }
    let named = |path: PathBuf| root.as_ref().map_or_else(|| path.clone(), |root| root.join(&path));
    args.files = what.into_iter().map(named).collect();
    if private.is_some() {
        // They share the suite's folder.
        args.jobs = Some(1);
    }
    Ok(Target {
        args,
        loaded,
        private,
        known,
    })
}

/// Goes to the project of mix that these words are in, if that is not the current folder. Returns its folder as it was named.
fn enter(args: &mut HuntArgs, what: &mut Vec<OsString>) -> Result<Option<PathBuf>, Error> {
    let Some(elsewhere) = test::elsewhere(what)? else {
        return Ok(None);
    };
    test::held(&mut std::iter::once(&mut args.traces).chain(test::paths(&mut args.compiling)));
    std::env::set_current_dir(&elsewhere.root).map_err(|error| InputError::Enter {
        path: elsewhere.root.clone(),
        error,
    })?;
    *what = elsewhere.what;
    Ok(Some(elsewhere.root))
}

/// The facts of all runs.
fn facts(args: &HuntArgs, loaded: &Loaded) -> RunFacts {
    RunFacts {
        tool: concat!("tracer ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: Vec::new(),
        entry: (loaded.module, loaded.function),
        arguments: loaded.arguments.clone(),
        without_arguments: false,
        node: args
            .sname
            .as_deref()
            .or(args.node.as_deref())
            .unwrap_or(system::NO_NODE)
            .to_owned(),
        schedule: String::new(),
        seed: None,
        virtual_time: true,
        facts: recorder::facts(&loaded.program, args.schedulers),
        sources: Vec::new(),
        natives: recorder::natives(&loaded.program),
        read: Some(loaded.shared_list()),
    }
}

fn rules(args: &HuntArgs) -> Result<Rules, UsageError> {
    let output = match &args.fail_on_output {
        None => None,
        Some(text) => Some(
            Pattern::new(text.as_bytes(), pcre::Settings::default()).map_err(|error| UsageError::Pattern {
                text: text.clone(),
                error,
            })?,
        ),
    };
    Ok(Rules {
        output,
        strict: args.strict,
    })
}

/// The word for a mixture of strategies. It begins with the usual schedule.
const MIXED: &str = "mix";

/// What it stands for. Among hundreds of ready processes, the others all but never let two meet; long slices at random do. Runs at random cannot be made
/// simpler, so they are few.
const MIX: [&str; 12] = [
    "pos", "walk", "pct:2", "delay:2", "pct:3", "delay:1", "pos", "walk", "pct:2", "delay:2", "pct:3", "random",
];

fn lures(words: &[String]) -> Result<Vec<Lure>, UsageError> {
    let words = words.iter().flat_map(|word| match word.as_str() {
        MIXED => MIX.to_vec(),
        word => vec![word],
    });
    let lure = |word: &str| {
        let schedule: Schedule = word.parse().map_err(|error| UsageError::Strategy {
            word: word.to_owned(),
            error,
        })?;
        Ok(Lure {
            schedule,
            // Without a second number, the steps are those of the first run.
            fits: word.matches(':').count() < 2,
        })
    };
    words.map(lure).collect()
}
