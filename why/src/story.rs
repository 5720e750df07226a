//! What is told of why an action happened, before it is text or JSON.

use serde::Serialize;

use session::view::{Act, Command, Place, ProcessView};

/// A variable that got another value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it became.
    pub after: String,
}

/// How a link of the story explains the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// The process received a message.
    Received,
    /// The process received an answer to its own question.
    Answered,
    /// The process received this message, too, and put what it tells together from several.
    Collected,
    /// The state of the process dates from this message.
    State,
    /// An exit signal ended the process.
    Signal,
    /// The process read what another one had written, or did not find what another one had taken away.
    Read,
    /// A receive of the process timed out.
    TimedOut,
    /// The process started another one by `proc_lib`, and waited until it said that it runs.
    Started,
    /// The process was created.
    Spawned,
}

/// The sending side of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sent {
    /// The send.
    pub act: Act,
    /// Where, in the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The variables of the sender there: name and value.
    pub state: Vec<(String, String)>,
}

/// One step back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Link {
    /// How it explains the one before.
    pub because: Because,
    /// The action.
    pub act: Act,
    /// Who sent what was received; who created the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
    /// The question, where this is the answer to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What the message changed, where the state is the explanation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What it read, where another process had left it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<String>,
    /// Where it read what another process had written: whose write that one had undone without having seen it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    /// Where it found a name taken: its own look before, when nobody had it, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_before: Option<String>,
    /// Where a receive timed out: what it waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// Actions of the process between this one and what it explains that are not told.
    pub folded: u64,
}

/// A write that another one undid unseen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lost {
    /// The last look of the other one before.
    pub read: Act,
    /// The write that it did not see.
    pub lost: Act,
    /// Its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// A message that one sent before another one, to the same receiver, and that was received after it, or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Overtaken {
    /// The receive of the later message, as a target.
    pub receive: String,
    /// Its send.
    pub sent: Act,
    /// The send of the earlier one.
    pub earlier: Act,
    /// The receive of that, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
}

/// A lost update: two processes read a thing and wrote it then, the second without having seen what the first had written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unseen {
    /// What was written, for people.
    pub what: String,
    /// Does the failure speak of its key?
    pub spoken: bool,
    /// The look of the first, where it saw what the second saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_read: Option<Act>,
    /// The write that was undone.
    pub first: Act,
    /// The look of the second.
    pub second_read: Act,
    /// The write that undid it.
    pub second: Act,
    /// Its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// What a process waited for in vain.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Waited {
    /// The last message that it had sent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Act>,
    /// Has it sent others after that, which were answered in time?
    pub not_last: bool,
    /// Who got that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Act>,
    /// What the receiver did then, up to the next message that it took in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Act>,
    /// Where that ended, if it did nothing more, or never received it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver_then: Option<String>,
    /// It had been answered before, so that it waited for something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<String>,
    /// Who got the question never sent anything back: what it came to in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<Stuck>,
    /// What others had sent, or sent too late: the process had not received it by then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Act>,
}

/// An answer that came when nobody waited for it any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GaveUp {
    /// The wait that ended in vain.
    pub timeout: Act,
    /// What was asked.
    pub asked: Act,
    /// The answer.
    pub late: Act,
    /// Did who answered still have the other one in its state when it said what the story begins with?
    pub holds: bool,
    /// Is it of what the story begins with: because of that, or because the first steps tell of the turn in which it was sent?
    pub first: bool,
}

/// What a process came to that never answered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stuck {
    /// What it sent last, after its last receive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Act>,
    /// What became of that, and a target where that is seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// Where it was at last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// A process that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Wait {
    /// The process.
    pub pid: String,
    /// The process for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it ended, or where it waits.
    pub state: String,
    /// A target that leads there.
    pub target: String,
    /// The line where it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Its variables there.
    pub variables: Vec<(String, String)>,
    /// The signals that it had not received.
    pub mailbox: Vec<String>,
    /// The last thing that it sent before it waited, and what became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Act>,
    /// What became of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// Processes that its variables name and that had ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
    /// Is it in the circle?
    pub in_circle: bool,
}

/// The answer to `why`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Why {
    /// What was asked for, as a target.
    pub target: String,
    /// What happened.
    pub happened: Act,
    /// The process there.
    pub process: ProcessView,
    /// The steps back, the nearest first.
    pub links: Vec<Link>,
    /// In a wait: who waits for whom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
    /// How many more wait.
    pub more_waits: u64,
    /// Is there a circle among them? Those in it come first, each before the one that it waits for.
    pub circular: bool,
    /// Lost updates among the causes that the steps do not tell of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Answers among the causes that came when who had asked had given up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gave_up: Vec<GaveUp>,
    /// Messages that were received before others that the same process had sent before: the receive as a target, the message, and the earlier
    /// one with its receipt, if it was received at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overtaken: Vec<Overtaken>,
    /// Abnormal ends among the causes that the steps do not tell of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Act>,
    /// Messages that could have been received instead: the receive as a target, and the send.
    pub instead: Vec<(String, Act)>,
    /// Messages to processes of the story that had ended by themselves before these came: the receiver, and the send.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<(String, Act)>,
    /// Order edges: what else had to be there.
    pub required: Vec<Act>,
    /// How many more of them.
    pub more_required: u64,
    /// How many actions are causes of what happened.
    pub causes: u64,
    /// Of how many processes.
    pub processes: u64,
    /// How many actions the run had.
    pub of_actions: u64,
    /// Was the story cut, because it is long?
    pub cut: bool,
    /// Other things that the person should know.
    pub notes: Vec<String>,
    /// Commands to type next.
    pub next: Vec<Command>,
}
