//! A space-time diagram of the causes of a target: lanes of processes, their actions in causal order, and who sent what to whom. What draws it
//! (`lanes`, `svg`, `mermaid`, `timeline`) gets the same data.

mod lanes;
mod mermaid;
mod svg;
mod timeline;

pub use lanes::{Style, lanes};
pub use mermaid::{START as MERMAID, mermaid};
pub use svg::{START as SVG, svg};
pub use timeline::{START as TIMELINE, timeline};

use causality::Point;
use log_format::{ActionId, Cut, Pid, Resource};
use rustc_hash::FxHashMap;
use session::error::Error;
use session::pick;
use session::shared::SharedUse;
use session::shown;
use session::watch::{Watcher, Wish, ascending};
use session::{Goal, Session};

use crate::render::text::words;
use crate::view::{Act, ActKind, ActionRow, Extent};
use crate::words::{count, cut, number};

/// Limit: characters of a content.
const CHARS: usize = 200;

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The process.
    pub pid: Pid,
    /// What it is called or runs.
    pub name: Option<String>,
}

impl Lane {
    /// Its pid and its name.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name}", self.pid),
            None => self.pid.to_string(),
        }
    }
}

/// An action in its lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnAction {
    /// The action.
    pub act: Act,
    /// Its place among the lanes.
    pub lane: usize,
    /// Of what it received, or was ended by: the step that sent that, if it is in the diagram.
    pub cause: Option<usize>,
    /// The lane of the other process of a message, an exit signal or a spawn.
    pub other: Option<usize>,
    /// The step that receives what it sent.
    pub received: Option<usize>,
    /// Is it part of the decisive race?
    pub marked: bool,
}

/// The diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The target.
    pub target: String,
    /// The processes, in the order in which they were created.
    pub lanes: Vec<Lane>,
    /// The actions, in causal order.
    pub steps: Vec<DrawnAction>,
    /// Actions of the slice that are not in it, and their processes.
    pub left_out: Extent,
    /// What the slice has in all.
    pub of: Extent,
    /// What the marked steps are.
    pub marked: &'static str,
}

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct WantedDiagram<'w> {
    /// At most so many actions.
    pub limit: usize,
    /// The actions that are marked.
    pub marks: &'w Marks,
}

/// Actions that are marked, and what they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The actions.
    pub actions: Vec<ActionId>,
    /// What they are.
    pub what: &'static str,
}

impl Marks {
    /// What decided a failure, as far as it is known; else what its likely cause names.
    #[must_use]
    pub fn of(why: &::why::story::Why) -> Self {
        let flip = why.decided.as_ref().and_then(|decided| decided.flip.as_ref());
        match (flip, &why.likely) {
            (Some(flip), _) => Self {
                actions: flip.involved.clone(),
                what: "the decisive race",
            },
            (None, Some(likely)) => Self {
                actions: likely.actions.clone(),
                what: "what the likely cause names",
            },
            (None, None) => Self::default(),
        }
    }
}

impl Diagram {
    /// The diagram of the causes of a point, and of the actions that are marked.
    ///
    /// # Errors
    /// The trace is damaged; the replay diverges.
    pub fn of(session: &Session, found: &Point, wanted: WantedDiagram<'_>) -> Result<Self, Error> {
        let trace = session.trace();
        let marks = &wanted.marks.actions;
        let ids = std::iter::once(found.id()).chain(marks.iter().copied());
        let slice = causality::causes_of_all(trace, ids)?;
        let mut acts: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
        let picked = pick::pick_at_most(trace, &slice, found.id(), wanted.limit)?;
        for (pid, list) in &picked {
            acts.entry(*pid).or_default().extend(list.iter());
        }
        for mark in marks.iter().filter(|mark| mark.number.0 > 0) {
            acts.entry(mark.pid).or_default().push(mark.number.0);
        }
        // Who is in it was created somewhere.
        let parents: Vec<ActionId> = acts
            .keys()
            .map(|pid| Ok(trace.process(*pid)?.parent))
            .collect::<Result<Vec<_>, Error>>()?
            .into_iter()
            .flatten()
            .collect();
        for parent in parents {
            acts.entry(parent.pid).or_default().push(parent.number.0);
        }
        let acts = ascending(acts);
        let wish = Wish {
            acts: acts.clone(),
            subject: Some(found.pid),
            chars: CHARS,
            ..Wish::default()
        };
        let mut goal = Goal::causes(slice.clone());
        goal.runs_on = found.runs_on.then_some(found.pid);
        let system = session.replay(&goal, Watcher::new(wish))?;
        let names = shown::names(&system);
        let rows = shown::rows(trace, &slice, &acts, Some(found), &system.observer.seen, &names)?;
        let of = extent(&slice);
        let owns = |act: &Act| {
            act.place
                .as_ref()
                .is_some_and(|place| session.sources().owns(&place.file))
        };
        let tells = |act: &Act| act.is_target || marks.contains(&id(act)) || tells(act, owns(act));
        let rows = rows.into_iter().filter_map(|row| match row {
            ActionRow::Act(act) => Some(*act),
            ActionRow::Folded { .. } => None,
        });
        let acts: Vec<Act> = rows.filter(tells).collect();
        let mut diagram = Self::from_acts(acts, of, found.target.to_string(), wanted.marks);
        for lane in &mut diagram.lanes {
            lane.name = names.get(&lane.pid).map(|name| crate::words::safe(name));
        }
        Ok(diagram)
    }

    fn from_acts(acts: Vec<Act>, of: Extent, target: String, marks: &Marks) -> Self {
        let mut pids: Vec<Pid> = acts.iter().map(|act| act.pid).collect();
        // Who is sent to, or created, has a lane, too.
        let others = acts.iter().filter(|act| has_arrow(act.kind)).filter_map(|act| act.peer);
        pids.extend(others);
        pids.sort_unstable();
        pids.dedup();
        let at: FxHashMap<Pid, usize> = pids.iter().enumerate().map(|(at, pid)| (*pid, at)).collect();
        let mut sends: FxHashMap<String, usize> = FxHashMap::default();
        let mut ends: FxHashMap<Pid, usize> = FxHashMap::default();
        let mut steps: Vec<DrawnAction> = Vec::with_capacity(acts.len());
        for act in acts {
            let place = steps.len();
            let cause = act.signal.and_then(|tag| {
                let sent = sends.get(&tag.to_string()).copied();
                sent.or_else(|| ends.get(&tag.sender()?).copied())
            });
            if let Some(cause) = cause {
                steps[cause].received = Some(place);
            }
            match act.kind {
                ActKind::Send => drop(sends.insert(act.target.clone(), place)),
                ActKind::Exit | ActKind::Signal => drop(ends.insert(act.pid, place)),
                _ => {}
            }
            steps.push(DrawnAction {
                lane: at[&act.pid],
                other: act
                    .peer
                    .filter(|_| has_arrow(act.kind))
                    .and_then(|peer| at.get(&peer).copied()),
                cause,
                received: None,
                marked: marks.actions.contains(&id(&act)),
                act,
            });
        }
        let shown = steps.len() as u64;
        let lanes = pids.into_iter().map(|pid| Lane { pid, name: None }).collect();
        let left_out = Extent {
            actions: of.actions.saturating_sub(shown),
            processes: of.processes,
        };
        Self {
            target,
            lanes,
            steps,
            left_out,
            of,
            marked: marks.what,
        }
    }

    /// What the marked steps are, if there are such.
    #[must_use]
    pub fn says_marked(&self) -> Option<&'static str> {
        self.steps.iter().any(|step| step.marked).then_some(self.marked)
    }

    /// What is not in the diagram, as a sentence; `None` if all is.
    #[must_use]
    pub fn says_left_out(&self) -> Option<String> {
        let shown = count(self.steps.len() as u64, "action");
        (self.left_out.actions > 0).then(|| {
            format!(
                "{shown} of {} causes in {}; {} left out",
                number(self.of.actions),
                count(self.of.processes, "process"),
                number(self.left_out.actions),
            )
        })
    }

    /// When a lane begins: at the step that spawned its process, if that is there.
    fn births(&self) -> Vec<Option<usize>> {
        let mut births = vec![None; self.lanes.len()];
        for (at, step) in self.steps.iter().enumerate() {
            if step.act.kind == ActKind::Spawn
                && let Some(child) = step.other
            {
                births[child] = Some(at);
            }
        }
        births
    }

    /// The step with which each process ends, if that is there.
    fn ends(&self) -> Vec<Option<usize>> {
        let mut ends = vec![None; self.lanes.len()];
        for (at, step) in self.steps.iter().enumerate() {
            if matches!(step.act.kind, ActKind::Exit | ActKind::Signal) {
                ends[step.lane] = Some(at);
            }
        }
        ends
    }

    /// Is a send shown with its receive, in one row: nothing happens in either lane in between?
    fn is_direct(&self, send: usize, receive: usize) -> bool {
        let (from, to) = (self.steps[send].lane, self.steps[receive].lane);
        let between = &self.steps[send + 1..receive];
        self.steps[send].act.kind == ActKind::Send && !between.iter().any(|step| step.lane == from || step.lane == to)
    }
}

fn extent(slice: &Cut) -> Extent {
    Extent {
        actions: slice.actions(),
        processes: slice.processes() as u64,
    }
}

const fn id(act: &Act) -> ActionId {
    ActionId::new(act.pid, act.number)
}

/// Does an action say something in a picture? What the library looks up for its own work does not.
fn tells(act: &Act, is_own: bool) -> bool {
    let is_setting = |used: &SharedUse| {
        let resource = matches!(
            used.access.resource,
            Resource::Persistent(_) | Resource::Env(_) | Resource::GroupLeader(_)
        );
        resource && (!used.access.write || used.writer().is_some())
    };
    match act.kind {
        ActKind::Access => is_own || !act.accesses.iter().all(is_setting),
        ActKind::Observe | ActKind::Input => is_own,
        _ => true,
    }
}

/// What a message says, without what behaviours of OTP put around it.
fn said(act: &Act, chars: usize) -> String {
    cut(&act.speech(false).noun(), chars)
}

/// What an action does.
fn does(act: &Act, chars: usize) -> String {
    cut(&words(act), chars)
}

/// Does it lead to another process, or come from one?
const fn has_arrow(kind: ActKind) -> bool {
    matches!(kind, ActKind::Send | ActKind::Rec | ActKind::Signal | ActKind::Spawn)
}
