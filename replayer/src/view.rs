//! What the commands show, before it is text or JSON: one set of types for both. What a session shows is in [`session::view`].
//!
//! Every string here is already bounded and holds no character that could disturb a terminal; every `target` can be pasted.

use serde::Serialize;

pub use session::view::*;

/// The answer to `--until`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Replay {
    /// The target as a target that can be pasted; none for the whole run, and after a way that ends with a step back.
    pub target: Option<String>,
    /// The way there, where it has more than one part: `until rec:10`, `back rec:7`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<String>,
    /// What was replayed.
    pub replayed: Extent,
    /// What the run had.
    pub of: Extent,
    /// How long it took.
    pub seconds: f64,
    /// What was undone on the way back, by process: the roll log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<Suffix>,
    /// The causes in causal order.
    pub causes: Vec<Row>,
    /// The process of the target.
    pub process: Option<ProcessView>,
    /// What the replayed processes wrote.
    pub output: Vec<Printed>,
    /// Other things that the person should know.
    pub notes: Vec<String>,
    /// Commands to type next, with what each shows.
    pub next: Vec<Command>,
}

/// A process that went wrong, or that is stuck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    /// The process.
    pub pid: String,
    /// A target that leads there.
    pub target: String,
    /// How it ended, or where it waits.
    pub what: String,
    /// How many messages it had not received.
    pub unreceived: u64,
}

/// The answer to `info`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Info {
    /// The file.
    pub trace: String,
    /// The same as a word of a command line.
    #[serde(skip)]
    pub argument: String,
    /// Its length.
    pub bytes: u64,
    /// Version of the format.
    pub format: String,
    /// The recorder.
    pub recorder: String,
    /// When the recording began, UTC.
    pub recorded: String,
    /// Whether the trace is whole.
    pub status: String,
    /// Is it whole?
    pub complete: bool,
    /// The command line of the recorder.
    pub command: Vec<String>,
    /// What the entry process called.
    pub entry: String,
    /// The arguments that the program got.
    pub arguments: Vec<String>,
    /// The scheduler.
    pub schedule: String,
    /// Its seed.
    pub seed: Option<u64>,
    /// Were clocks simulated?
    pub virtual_time: bool,
    /// How the run ended.
    pub outcome: String,
    /// Did something go wrong?
    pub failed: bool,
    /// Processes, actions.
    pub extent: Extent,
    /// Sends and receives.
    pub sends: u64,
    /// Receives.
    pub receives: u64,
    /// The lowest and the highest number of a receive; a slice keeps the numbers of the whole run, so that there are gaps.
    pub receive_numbers: Option<(u64, u64)>,
    /// Actions by kind, the most frequent first; empty if they were not counted.
    pub kinds: Vec<(String, u64)>,
    /// Bytes of log and index for an action.
    pub bytes_per_action: Option<f64>,
    /// The files of the program: path and bytes.
    pub program: Vec<(String, u64)>,
    /// Abnormal ends.
    pub crashes: Vec<Trouble>,
    /// Processes that wait for ever.
    pub waiting: Vec<Trouble>,
    /// How many more of both there are.
    pub more_trouble: u64,
    /// What the trace holds that could be private.
    pub private: Vec<String>,
    /// Commands to type next.
    pub next: Vec<Command>,
}

/// The answer to `consequences`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consequences {
    /// What was asked for, as a target.
    pub target: String,
    /// What came of it, itself included.
    pub consequences: Extent,
    /// What the run had.
    pub of: Extent,
    /// By process.
    pub processes: Vec<Suffix>,
    /// How many more processes there are.
    pub more: u64,
}

/// Where two runs part in one process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The process.
    pub pid: String,
    /// The place in its log.
    pub number: u64,
    /// What it did in the first run; none if it did nothing more.
    pub a: Option<Act>,
    /// What it did in the second run.
    pub b: Option<Act>,
}

/// The answer to `diff`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diff {
    /// The modules whose sources are not the same in both runs.
    pub other_code: Vec<String>,
    /// Actions before the first difference of each process.
    pub equal_actions: u64,
    /// Processes without a difference.
    pub equal_processes: u64,
    /// The causally first differences: nothing in their past differs.
    pub differences: Vec<Difference>,
    /// How many more first ones there are.
    pub more: u64,
    /// How many processes differ only after one of these.
    pub follow: u64,
    /// By process, the first output before its difference with another number of bytes: printed texts differ, and that is not counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<Difference>,
}
