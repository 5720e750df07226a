//! The small part of the data, which the page shows at once: what happened and why, in words, and the few actions that the words are about.

use std::fmt;

use log_format::ActionId;
use serde::Serialize;

use session::view::Act;
use why::story::{Because, Change, Why};

/// About the run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct About {
    /// The trace, as it is typed.
    pub file: String,
    /// What happened, in a line.
    pub title: Title,
    /// What is explained, in a word: `Crashed`, `Deadlock`, …
    pub outcome: String,
    /// Is it no failure?
    pub calm: bool,
    /// What is explained, as it was named, if that is not what failed.
    pub target: Option<String>,
    /// What the trace lacks, if the recording was cut off.
    pub trouble: Option<String>,
    /// The command that replays it.
    pub command: String,
    /// When it was recorded.
    pub recorded: String,
    /// The recorder.
    pub recorder: String,
    /// The schedule.
    pub schedule: String,
    /// The seed of the schedule.
    pub seed: Option<u64>,
    /// The function that was called first.
    pub entry: String,
}

/// What happened, in a line: `0.1.0 main/0 ends: error badarg`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Title {
    /// The process, if the line begins with one.
    pub pid: Option<String>,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it did or what became of it; of a failed test, all of the line.
    pub happened: String,
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.pid.iter().chain(&self.name) {
            write!(f, "{part} ")?;
        }
        f.write_str(&self.happened)
    }
}

/// What `why` tells: texts, and what each of them is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// What decided, and what is likely.
    pub lead: Vec<LeadWords>,
    /// The steps of the story.
    pub steps: Vec<StepWords>,
    /// Other paragraphs.
    pub beside: Vec<BesideWords>,
    /// What else the person should know.
    pub notes: Vec<String>,
}

/// A paragraph that stands first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeadWords {
    /// What it is.
    pub kind: LeadKind,
    /// `Likely cause`, `Decisive (tried)`, …; empty if it has none.
    pub title: &'static str,
    /// Its text.
    pub text: String,
}

/// What a paragraph that stands first is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeadKind {
    /// A choice that decided.
    Decisive,
    /// The likely cause.
    Likely,
    /// The failure, told again.
    Seen,
    /// Why a wait was too short.
    Time,
    /// What trying other choices came to.
    Tried,
    /// What was not tried.
    NotTried,
    /// For how long something must have been held up.
    Stall,
    /// What that says of the delivery of messages.
    Delivery,
}

impl LeadKind {
    /// Does it tell the likely cause?
    pub const fn is_likely(self) -> bool {
        matches!(self, Self::Likely | Self::Seen)
    }
}

impl fmt::Display for LeadWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.title {
            "" => f.write_str(&self.text),
            title => write!(f, "{title}: {}", self.text),
        }
    }
}

/// A step of the story in words.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StepWords {
    /// The step, without its target and what it changed.
    pub text: String,
    /// What stands below it.
    pub evidence: Vec<Evidence>,
}

/// A line below a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evidence {
    /// What it is.
    pub kind: EvidenceKind,
    /// Where that was done: `bank.erl:12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The line of source there, if it is known; of a fact, a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What a line below a step tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// Where what was received was sent.
    Sent,
    /// Where what was read was written.
    Written,
    /// Where what was seen was done.
    Done,
    /// Where the process itself called what was answered.
    OwnCall,
    /// Something else, in a sentence.
    Fact,
}

impl EvidenceKind {
    /// The words before the place.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Written => "written",
            Self::Done => "done",
            Self::OwnCall => "caused by its own call",
            Self::Fact => "",
        }
    }
}

impl Evidence {
    /// A sentence.
    #[must_use]
    pub const fn fact(text: String) -> Self {
        Self {
            kind: EvidenceKind::Fact,
            place: None,
            text: Some(text),
        }
    }
}

/// A paragraph beside the story.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BesideWords {
    /// What it is.
    pub kind: BesideKind,
    /// Its title.
    pub title: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// What a paragraph beside the story is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BesideKind {
    /// Processes that wait.
    Waits,
    /// Lost updates.
    LostUpdate,
    /// Answers that came too late.
    Late,
    /// Messages that were received out of order.
    Overtaken,
    /// Other failures.
    Failed,
    /// Messages that were never received.
    Never,
    /// What else was required.
    Required,
    /// Messages that could have come first.
    Races,
}

/// A paragraph that stands first, with the actions that it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownLead<'a> {
    /// The paragraph.
    #[serde(flatten)]
    pub lead: &'a LeadWords,
    /// Of a likely cause: what it names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<i32>,
}

/// A step of the story.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StoryStep {
    /// The action.
    pub a: i32,
    /// The send of what was received.
    pub s: i32,
    /// How it explains the one before.
    pub because: Because,
    /// Of a reply: the receive of the request, and its send.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<i32>,
    /// What it says.
    #[serde(flatten)]
    pub words: StepWords,
    /// What it changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A message that could have come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Race {
    /// The receive.
    pub at: i32,
    /// The send of that message.
    pub rival: i32,
    /// Was it tried, and did it decide?
    pub decisive: bool,
}

/// An answer that came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Late {
    /// The timeout.
    pub timeout: i32,
    /// The request.
    pub asked: i32,
    /// The answer.
    pub late: i32,
    /// Does it come before the steps?
    pub first: bool,
}

/// The small part of the data.
#[derive(Serialize)]
pub struct Head<'a> {
    /// The version of this form.
    pub version: u32,
    /// About the run.
    pub about: &'a About,
    /// What decided, and what is likely.
    pub lead: Vec<ShownLead<'a>>,
    /// The steps of the story.
    pub steps: Vec<StoryStep>,
    /// Other paragraphs.
    pub beside: &'a [BesideWords],
    /// What else the person should know.
    pub notes: &'a [String],
    /// What the page does not hold.
    pub left_out: &'a [String],
    /// What is explained.
    pub target: i32,
    /// Messages that could have come first.
    pub races: Vec<Race>,
    /// Pairs of actions whose order decided, if they are no message and its receive: what came first, and what came after it.
    pub order: Vec<i32>,
    /// Actions that decided against something that is no action: a timeout that did not come, another input.
    pub alone: Vec<i32>,
    /// Answers that came too late.
    pub late: Vec<Late>,
    /// Variables of what is explained.
    pub variables: Vec<(String, String)>,
    /// Actions of the run, causes among them, actions of the page; processes of the run, and those with causes. Of several processes that wait,
    /// these are causes of all waits; the last number counts those of the one that is explained.
    pub counts: [u64; 6],
}

/// The actions that the words of a story are about, to be held in any page.
pub fn told(why: &Why) -> Vec<ActionId> {
    let mut acts: Vec<&Act> = Vec::new();
    for link in &why.links {
        acts.push(&link.act);
        acts.extend(link.sent.iter().map(|sent| &sent.act));
        acts.extend(link.lost.iter().flat_map(|lost| [&lost.read, &lost.lost]));
        acts.extend(
            link.waited
                .iter()
                .flat_map(|waited| waited.asked.iter().chain(&waited.taken).chain(&waited.then)),
        );
    }
    for late in &why.gave_up {
        acts.extend([&late.timeout, &late.asked, &late.late]);
    }
    for one in &why.unseen {
        acts.extend(one.first_read.iter());
        acts.extend([&one.first, &one.second_read, &one.second]);
    }
    acts.extend(why.overtaken.iter().flat_map(|one| [&one.sent, &one.earlier]));
    acts.extend(why.failed.iter());
    acts.extend(why.instead.iter().map(|one| &one.sent));
    acts.extend(why.required.iter());
    let mut told: Vec<ActionId> = acts.into_iter().map(id).collect();
    told.extend(why.instead.iter().map(|one| one.receive));
    let requests = why.links.iter().filter_map(why::story::Link::request);
    told.extend(requests.flat_map(|asked| [asked.receive, asked.send]));
    if let Some(decided) = &why.decided {
        told.extend(flips(decided).flat_map(|flip| flip.involved.iter().copied()));
    }
    told.extend(why.likely.iter().flat_map(|likely| likely.named.iter().copied()));
    told.retain(|one| one.number.0 > 0);
    told.sort_unstable();
    told.dedup();
    told
}

/// All choices that decided, the one that explains most first.
pub fn flips(decided: &why::decided::Decided) -> impl Iterator<Item = &decisive::Flip> {
    decided.flip.iter().chain(&decided.chain).chain(&decided.also)
}

/// The action of an act.
pub fn id(act: &Act) -> ActionId {
    ActionId::new(act.pid, act.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_the_parts_that_there_are() {
        let title = |pid: Option<&str>, name: Option<&str>, happened: &str| Title {
            pid: pid.map(str::to_owned),
            name: name.map(str::to_owned),
            happened: happened.to_owned(),
        };
        // A name may read like a verb.
        assert_eq!(
            title(Some("0.2.0"), Some("waits"), "ends: error a").to_string(),
            "0.2.0 waits ends: error a"
        );
        assert_eq!(title(Some("0.2.0"), None, "waits").to_string(), "0.2.0 waits");
        assert_eq!(title(None, None, "test t failed").to_string(), "test t failed");
    }

    #[test]
    fn what_a_page_reads_has_kinds() {
        let lead = LeadWords {
            kind: LeadKind::Likely,
            title: "So",
            text: "It was late.".to_owned(),
        };
        let shown = ShownLead {
            lead: &lead,
            actions: vec![4],
        };
        let json = |value: serde_json::Result<String>| value.expect("it is JSON");
        assert_eq!(
            json(serde_json::to_string(&shown)),
            r#"{"kind":"likely","title":"So","text":"It was late.","actions":[4]}"#
        );
        let step = StoryStep {
            a: 3,
            s: 2,
            because: Because::Answered,
            asked: vec![1, 0],
            words: StepWords {
                text: "a received b".to_owned(),
                evidence: vec![
                    Evidence {
                        kind: EvidenceKind::OwnCall,
                        place: Some("a.erl:1".to_owned()),
                        text: None,
                    },
                    Evidence::fact("where A = 1".to_owned()),
                ],
            },
            changes: Vec::new(),
        };
        assert_eq!(
            json(serde_json::to_string(&step)),
            r#"{"a":3,"s":2,"because":"answered","asked":[1,0],"text":"a received b","evidence":[{"kind":"own_call","place":"a.erl:1"},{"kind":"fact","text":"where A = 1"}]}"#
        );
    }
}
