//! The answer to `why` as data, before it becomes text or JSON.

use log_format::{ActionId, Pid};
use serde::{Serialize, Serializer};

use session::called::ProcessName;
use session::content::{Content, Speech};
use session::shared::NamedResource;
use session::view::{Act, ActKind, NextCommand, ProcessView, SourcePlace};

use crate::reads::ReadFact;

/// A variable whose value changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it became.
    pub after: String,
}

/// How a step explains the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// The process received a message.
    Received,
    /// The process received a reply to its own request.
    Answered,
    /// The process also received this message, and put the reason together from several.
    Collected,
    /// The process's state comes from this message.
    State,
    /// An exit signal ended the process.
    Signal,
    /// The process read what another one had written, or missed what another one had removed.
    Read,
    /// A receive of the process timed out.
    TimedOut,
    /// The process started another one by `proc_lib` and waited until it reported that it runs.
    Started,
    /// The process was created.
    Spawned,
}

/// The sending side of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sent {
    /// The send.
    pub act: Act,
    /// The place in the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// The source line.
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
    /// The send of what was received, or the creation of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
    /// The request, if this is the reply to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Content>,
    /// The send of that request, and its receive by who answered.
    #[serde(skip)]
    pub asked: Option<AskedRequest>,
    /// What the message changed, if the explanation is the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What it read, if another process had left it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadFact>,
    /// If it read what another process had written: the write that this one had overwritten unread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    /// If it found a name taken: its own earlier look, when the name was free, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_before: Option<String>,
    /// If a receive timed out: what it waited for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// Of a map that was received: only what the failure mentions of it.
    #[serde(skip)]
    pub spoken: Option<String>,
    /// How many actions of the process between this one and the one that it explains are not shown.
    pub folded: u64,
}

/// A request that was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedRequest {
    /// Its send.
    pub send: ActionId,
    /// Its receive by who answered.
    pub receive: ActionId,
}

impl Link {
    /// The request that it is a reply to. The news of an end is no reply, and a reply asks for none.
    #[must_use]
    pub fn request(&self) -> Option<AskedRequest> {
        let sent = self.sent.as_ref()?;
        let is_end = matches!(sent.act.kind, ActKind::Exit | ActKind::Signal);
        let is_reply = |question: &Content| matches!(question.speech(true), Speech::Reply(_));
        let asks_none = is_end || self.question.as_ref().is_some_and(is_reply);
        self.asked.filter(|_| self.because == Because::Answered && !asks_none)
    }
}

fn as_noun<S: Serializer>(what: &NamedResource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&what.noun())
}

/// A write that another one overwrote unread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Lost {
    /// The other process's last read before.
    pub read: Act,
    /// The write that it had not read.
    pub lost: Act,
    /// The source line of that write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// A message that was received after a later one of the same sender, or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Overtaken {
    /// The receive of the later message, as a target.
    pub receive: String,
    /// The send of the later message.
    pub sent: Act,
    /// The send of the earlier message.
    pub earlier: Act,
    /// The receive of the earlier message, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
}

/// A lost update: two processes read a resource and then wrote it, the second without having read what the first had written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unseen {
    /// What was written.
    #[serde(serialize_with = "as_noun")]
    pub what: NamedResource,
    /// Does the failure mention its key?
    pub spoken: bool,
    /// Does a step show it, too?
    #[serde(skip)]
    pub in_step: bool,
    /// The read by the first process, if it read the same version as the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_read: Option<Act>,
    /// The write that was overwritten.
    pub first: Act,
    /// The read by the second process.
    pub second_read: Act,
    /// The write that overwrote it.
    pub second: Act,
    /// The source line of that write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// The values, if a replay saw them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Overwritten>,
    /// Other writes to the same that were lost, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherLoss>,
}

/// The values of a lost update.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Overwritten {
    /// What had been read.
    pub read: String,
    /// What was there when it was overwritten.
    pub over: String,
    /// What was written.
    pub wrote: String,
}

/// Another lost update of the same thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OtherLoss {
    /// The write that overwrote what its process had not seen.
    pub second: Act,
    /// The values.
    pub values: Overwritten,
}

/// What a process waited for until it timed out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Waited {
    /// The last message that it had sent before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Act>,
    /// Has it sent others after that, which were answered in time?
    pub not_last: bool,
    /// The receiver of that message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The receive of that message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Act>,
    /// What the receiver did then, up to its next receive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Act>,
    /// Where the receiver ended up, if it did nothing more or never received the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver_then: Option<String>,
    /// If the message had been answered earlier: by what; the process waited for something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<String>,
    /// If the receiver never sent anything back: where it ended up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<Stuck>,
    /// Other messages to the process that it had not received by then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Act>,
    /// If it had not asked anybody: processes that its variables name and that wait for ever.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownWait>,
}

/// A process that waits for ever, and that another one knew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownWait {
    /// The process.
    pub pid: Pid,
    /// Where it waits, in words.
    pub text: String,
}

impl Serialize for KnownWait {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A reply that was sent after the caller had timed out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GaveUp {
    /// The timeout of the caller.
    pub timeout: Act,
    /// The request.
    pub asked: Act,
    /// The late reply.
    pub late: Act,
    /// Did the replier still have the caller in its state when it sent what the story begins with?
    pub holds: bool,
    /// Should this come before the steps: because of that, or because one of the first steps shows the turn in which it was sent?
    pub first: bool,
}

/// Where a process that never replied ended up.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stuck {
    /// The last message that it sent after its last receive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Act>,
    /// What became of that message, and a target that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// Where the process was in the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// A process that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Wait {
    /// The process.
    pub pid: String,
    /// The name of the process, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ProcessName>,
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
    pub mailbox: Vec<Content>,
    /// The last message that it sent before it waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Act>,
    /// What became of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// Processes that its variables name and that had ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EndedProcess>,
    /// The line of the program where it waits: `pool.erl:12`.
    #[serde(skip)]
    pub at: Option<String>,
    /// Is it part of the wait cycle?
    pub in_circle: bool,
    /// The process that it is starting, and that has not said that it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starting: Option<String>,
    /// The process that it has asked to stop, and that has not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopping: Option<String>,
}

/// The end of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedProcess {
    /// Its last action.
    pub end: ActionId,
    /// In words.
    pub text: String,
}

impl Serialize for EndedProcess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// What is known to go wrong between processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Who should have sent ended before it did.
    EndedBeforeItSent,
    /// Who should have answered received the request, and sent nothing back.
    NoAnswer,
    /// Who should have answered received the request where it does not answer such ones.
    ReceivedElsewhere,
    /// Who should have answered was busy with something else.
    Busy,
    /// Processes wait for each other.
    WaitCycle,
    /// Who waits was not known yet when the others were woken.
    LostWakeup,
    /// A reply was taken for that to another request.
    ReplyForAnother,
    /// The message of a timer that was to be cancelled.
    StaleTimer,
    /// A message came before one that had been sent earlier.
    Overtaken,
    /// Two won where one should have.
    TwoWinners,
    /// Something was written over that its writer had not seen.
    LostUpdate,
    /// What a process had taken it never gave back.
    NeverGivenBack,
    /// A process was turned to that had ended.
    AlreadyEnded,
    /// A wait ended before what was waited for was sent.
    TimedOutTooEarly,
    /// A process failed on what it was created with.
    Failed,
    /// The program caught an exception, and went on.
    CaughtException,
    /// A server took a message, and nothing came of it.
    DroppedMessage,
    /// Two processes wrote a file, each computed from what both had read.
    FileUpdate,
    /// Nobody wrote what was looked for.
    NotWritten,
    /// Nobody removed what was found.
    NotRemoved,
}

impl Pattern {
    /// Is it a fact beside the failure, or the failure told again, so that it is no cause?
    #[must_use]
    pub const fn is_fact(self) -> bool {
        matches!(self, Self::NoAnswer | Self::CaughtException | Self::DroppedMessage)
    }

    /// Is it only something that happened before the failure?
    pub(crate) const fn is_beside(self) -> bool {
        matches!(self, Self::CaughtException | Self::DroppedMessage)
    }

    /// Does it say why something that was waited for did not come?
    pub(crate) const fn is_of_a_wait(self) -> bool {
        matches!(
            self,
            Self::EndedBeforeItSent
                | Self::NoAnswer
                | Self::ReceivedElsewhere
                | Self::Busy
                | Self::TimedOutTooEarly
                | Self::NeverGivenBack
        )
    }
}

/// A wait that was too short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Timing {
    /// The action that ended it.
    #[serde(skip)]
    pub timeout: ActionId,
    /// How long it waited, in milliseconds.
    pub waited_ms: u64,
    /// Who was asked, and those that it waited for itself.
    pub busy: Vec<BusyProcess>,
    /// So many milliseconds were missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_ms: Option<u64>,
    /// Can it be more? What was waited for did not come in this run.
    pub at_least: bool,
    /// In words.
    pub text: String,
}

/// What a process did while another one waited for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BusyProcess {
    /// The process, with its name.
    pub process: String,
    /// Milliseconds before it took the request.
    pub queued_ms: u64,
    /// Milliseconds from then on, as far as they are known.
    pub working_ms: u64,
}

/// The likely cause of a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnosis {
    /// What sort of fault it is.
    pub pattern: Pattern,
    /// In words. Each fact is named by a target.
    pub text: String,
    /// The actions that it is about: a choice about one of them bears it out.
    #[serde(skip)]
    pub actions: Vec<ActionId>,
    /// The actions that the words name.
    #[serde(skip)]
    pub named: Vec<ActionId>,
    /// The processes whose endless wait the words name.
    #[serde(skip)]
    pub waiting: Vec<Pid>,
    /// Does it say that nothing could mend it any more?
    #[serde(skip)]
    pub for_good: bool,
}

impl Diagnosis {
    /// Is it about a choice, so that one bears out the other? An order of two messages is about that of others only if both have two actions in common.
    #[must_use]
    pub fn is_about(&self, flip: &decisive::Flip) -> bool {
        let shared = self.actions.iter().filter(|id| flip.involved.contains(id)).count();
        shared > usize::from(self.pattern == Pattern::Overtaken)
    }
}

/// A diagnosis in these words.
pub(crate) fn said(pattern: Pattern, text: String) -> Diagnosis {
    Diagnosis {
        pattern,
        text,
        actions: Vec::new(),
        named: Vec::new(),
        waiting: Vec::new(),
        for_good: false,
    }
}

/// A message that a process took, and its send.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Got {
    /// The receive.
    pub act: Act,
    /// The send, or the end that it tells of.
    pub sent: Act,
}

/// A value of a failure that came from a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Came {
    /// The variable that got it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The value.
    pub value: String,
    /// The last place in that function.
    pub from: SourcePlace,
    /// Where it was called.
    pub to: SourcePlace,
}

/// A message that changed the state on which a process failed later.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Turned {
    /// The message.
    pub got: Got,
    /// What it changed.
    pub changes: Vec<Change>,
    /// The last place of that turn, in the innermost function that had been called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
}

/// Where the values of a failure came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Origin {
    /// The failure that led to the others.
    pub end: Act,
    /// Is it the one that is explained?
    pub own: bool,
    /// Did all others that failed by themselves do so because of it?
    pub first: bool,
    /// The reason holds an exception that was raised here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<SourcePlace>,
    /// What the process had received last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<Got>,
    /// Values that came from functions in that turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Came>,
    /// What had changed its state before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Turned>,
}

/// What the first line of an answer is about.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'w> {
    /// What was asked for.
    pub target: &'w str,
    /// What happened.
    pub happened: &'w Act,
    /// The test that failed.
    pub test: Option<&'w TestFailed>,
    /// The process, as it was then.
    pub process: &'w ProcessView,
    /// Is there a list of processes that wait?
    pub waits: bool,
}

impl Why {
    /// What its first line is about.
    #[must_use]
    pub fn opening(&self) -> Opening<'_> {
        Opening {
            target: &self.target,
            happened: &self.happened,
            test: self.test.as_ref(),
            process: &self.process,
            waits: !self.waits.is_empty(),
        }
    }
}

/// A test that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestFailed {
    /// Its name.
    pub name: String,
    /// Is the target its name?
    #[serde(skip)]
    pub by_name: bool,
    /// How it failed, in words: `expected 100, got 50`.
    pub text: String,
    /// Class and reason, as recorded.
    pub reason: String,
    /// Of an assertion: what was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Of an assertion: what there was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// What an assertion says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TestValue {
    /// In words.
    pub(crate) text: Option<String>,
    /// What was expected.
    pub(crate) expected: Option<String>,
    /// What there was.
    pub(crate) value: Option<String>,
}

/// A message that could have been received instead of another one; in JSON, the receive as a target, and the send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instead {
    /// The receive.
    pub receive: ActionId,
    /// The same as a target.
    pub target: String,
    /// The send of that message.
    pub sent: Act,
}

impl Serialize for Instead {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.target, &self.sent).serialize(serializer)
    }
}

/// Does a step of a story name this action?
pub(crate) fn names_end(link: &Link, target: &str) -> bool {
    let waited = link
        .waited
        .iter()
        .flat_map(|waited| waited.then.iter().chain(&waited.taken));
    let sent = link.sent.iter().map(|sent| &sent.act);
    let mut acts = std::iter::once(&link.act).chain(sent).chain(waited);
    acts.any(|act| act.target == target)
}

/// The answer to `why`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Why {
    /// What was asked for, as a target.
    pub target: String,
    /// What happened.
    pub happened: Act,
    /// The test that failed, if the target is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<TestFailed>,
    /// What trying other choices showed, if it is a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<crate::decided::Decided>,
    /// What is likely to be its cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<Diagnosis>,
    /// Why a wait was too short, if that is a matter of time only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// For how long the machine must have held something up, if it is a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall: Option<delay::Told>,
    /// Where the values of the failure came from, if no single choice decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The process there.
    pub process: ProcessView,
    /// The steps back, the nearest first.
    pub links: Vec<Link>,
    /// In a deadlock: the waiting processes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
    /// How many more wait.
    pub more_waits: u64,
    /// Is there a wait cycle among them? Its processes come first, each before the one that it waits for.
    pub circular: bool,
    /// Lost updates among the causes that the steps do not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Replies among the causes that were sent after the caller had timed out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gave_up: Vec<GaveUp>,
    /// Messages that overtook others of the same sender: the receive as a target, the message, and the earlier one with its receive, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overtaken: Vec<Overtaken>,
    /// Abnormal ends among the causes that the steps do not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Act>,
    /// Messages that could have been received instead.
    pub instead: Vec<Instead>,
    /// Messages to processes of the story that had ended normally before these came: the receiver, and the send.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<(String, Act)>,
    /// Causes by resource or observation: what else was required.
    pub required: Vec<Act>,
    /// How many more of them.
    pub more_required: u64,
    /// How many actions are causes of what happened.
    pub causes: u64,
    /// Of how many processes.
    pub processes: u64,
    /// How many actions the run had.
    pub of_actions: u64,
    /// How many of the causes are Elixir's own machinery.
    #[serde(skip_serializing_if = "ElixirShare::is_nothing")]
    pub beside: ElixirShare,
    /// Was the story cut off because of its length?
    pub cut: bool,
    /// Other things that the person should know.
    pub notes: Vec<String>,
    /// Commands to type next.
    pub next: Vec<NextCommand>,
}

/// Causes that are no part of the program: its compiler, mix, ExUnit, Logger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ElixirShare {
    /// How many.
    pub causes: u64,
    /// How many processes did nothing else.
    pub processes: u64,
}

impl ElixirShare {
    const fn is_nothing(&self) -> bool {
        self.causes == 0
    }
}
