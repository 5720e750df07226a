//! The small part of the data, which the page shows at once: what happened and why, in words, and the few actions that the words are about.

use log_format::{ActionId, Trace};
use serde::Serialize;

use session::view::Act;
use why::story::{Change, Why};

/// About the run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct About {
    /// The trace, as it is typed.
    pub file: String,
    /// What happened, in a line.
    pub title: String,
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

/// What `why` tells, as lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// What decided, and what is likely: a title and a text each.
    pub lead: Vec<(String, String)>,
    /// The steps of the story, each as its lines.
    pub steps: Vec<Vec<String>>,
    /// Other paragraphs: a title and lines.
    pub beside: Vec<(String, Vec<String>)>,
    /// What else the person should know.
    pub notes: Vec<String>,
}

/// A step of the story.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StoryStep {
    /// The action.
    pub a: i32,
    /// The send of what was received.
    pub s: i32,
    /// What it says, first the step itself.
    pub lines: Vec<String>,
    /// What it changed.
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
    pub lead: &'a [(String, String)],
    /// The steps of the story.
    pub steps: Vec<StoryStep>,
    /// Other paragraphs.
    pub beside: &'a [(String, Vec<String>)],
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
///
/// # Errors
/// The trace is damaged.
pub fn told(trace: &Trace, why: &Why) -> Vec<ActionId> {
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
    acts.extend(why.instead.iter().map(|(_, act)| act));
    acts.extend(why.required.iter());
    let mut told: Vec<ActionId> = acts.into_iter().map(id).collect();
    let receives = why.instead.iter().map(|(receive, _)| receive);
    told.extend(receives.filter_map(|receive| find(trace, receive)));
    if let Some(decided) = &why.decided {
        told.extend(flips(decided).flat_map(|flip| flip.involved.iter().copied()));
    }
    told.extend(why.likely.iter().flat_map(|likely| likely.actions.iter().copied()));
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

/// The action that a target names.
pub fn find(trace: &Trace, target: &str) -> Option<ActionId> {
    let target: causality::Target = target.parse().ok()?;
    target.resolve(trace).ok().map(|point| point.id())
}
