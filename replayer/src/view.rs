//! What the commands show, before it is text or JSON: one set of types for both. What a session shows is in [`session::view`].
//!
//! Every string here is already bounded and holds no character that could disturb a terminal; every `target` can be pasted.

use serde::Serialize;

pub use session::view::*;

/// The answer to `--until`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Replay {
    /// The target, in a form that can be pasted; `None` for the whole run, and after a way that ends with a step back.
    pub target: Option<String>,
    /// The moves, if there are several: `until rec:10`, `back rec:7`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<String>,
    /// What was replayed.
    pub replayed: Extent,
    /// The whole run.
    pub of: Extent,
    /// How long it took.
    pub seconds: f64,
    /// What was undone on the way back, by process: the roll log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<Suffix>,
    /// The causes in causal order.
    pub causes: Vec<ActionRow>,
    /// The process of the target.
    pub process: Option<ProcessView>,
    /// What the replayed processes wrote.
    pub output: Vec<Printed>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Commands to type next, with what each shows.
    pub next: Vec<NextCommand>,
}

/// A process that failed or waits for ever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    /// The process.
    pub pid: String,
    /// A target for its end or its wait.
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
    /// The file as a word of a command line.
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
    /// Is the trace complete? In words.
    pub status: String,
    /// Is the trace complete?
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
    /// The release of OTP that the program is of.
    pub otp: u8,
    /// How the run ended.
    pub outcome: String,
    /// Did something go wrong?
    pub failed: bool,
    /// If the run failed: for how long something must have been held up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall: Option<delay::Told>,
    /// Processes, actions.
    pub extent: Extent,
    /// Sends and receives.
    pub sends: u64,
    /// Receives.
    pub receives: u64,
    /// The lowest and the highest number of a receive. A slice keeps the numbers of the whole run, so there are gaps.
    pub receive_numbers: Option<(u64, u64)>,
    /// Actions by kind, the most frequent first; empty if they were not counted.
    pub kinds: Vec<(String, u64)>,
    /// Bytes of log and index per action.
    pub bytes_per_action: Option<f64>,
    /// The files of the program: path and bytes.
    pub program: Vec<(String, u64)>,
    /// The compiler options of the program's modules: macros and features.
    pub options: Vec<String>,
    /// The modules that the program loaded, deleted or purged while it ran, each with the actions that did so, in the order of its versions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<(String, Vec<String>)>,
    /// How many more modules there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_modules: Option<u64>,
    /// Abnormal ends.
    pub crashes: Vec<Trouble>,
    /// Tests that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed_tests: Vec<Trouble>,
    /// Processes that were running when the run was stopped.
    pub running: Vec<Trouble>,
    /// Processes that wait: for ever, unless the run was stopped.
    pub waiting: Vec<Trouble>,
    /// Was the run stopped while it could still go on: interrupted, or at a limit?
    pub stopped: bool,
    /// How many more of both there are.
    pub more_trouble: u64,
    /// What in the trace could be private.
    pub private: Vec<String>,
    /// Commands to type next.
    pub next: Vec<NextCommand>,
}

/// The answer to `consequences`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consequences {
    /// The action, as a target.
    pub target: String,
    /// The number of consequences, itself included.
    pub consequences: Extent,
    /// The whole run.
    pub of: Extent,
    /// By process.
    pub processes: Vec<Suffix>,
    /// How many more processes there are.
    pub more: u64,
}

/// Where two runs differ in one process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The process.
    pub pid: String,
    /// The number of the action.
    pub number: u64,
    /// What it did in the first run; `None` if it did nothing more.
    pub a: Option<Act>,
    /// What it did in the second run.
    pub b: Option<Act>,
    /// If both look alike: what differs, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Of two runs, one that fails and one that does not: what decided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Decided {
    /// Which run fails: `first` or `second`.
    pub fails: &'static str,
    /// Its failure, as a target.
    pub target: String,
    /// The decisive flip of that run.
    pub flip: decisive::Flip,
    /// Did the message come first in the other run that the flip lets come first? `None`: that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_took_it: Option<bool>,
}

/// The answer to `diff`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diff {
    /// The decisive race, if one run fails and the other does not, and one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// The modules whose sources are not the same in both runs.
    pub other_code: Vec<String>,
    /// Actions before the first difference of each process.
    pub equal_actions: u64,
    /// Processes without a difference.
    pub equal_processes: u64,
    /// The causally first differences: their causes are the same in both runs.
    pub differences: Vec<Difference>,
    /// How many more causally first ones there are.
    pub more: u64,
    /// How many processes differ only as a consequence of these.
    pub follow: u64,
    /// Per process, the first output before its difference that has another length: printed texts differ, although that does not count as a
    /// difference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<Difference>,
}
