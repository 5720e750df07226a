//! Finds the point of a trace that a target names, as far as the log alone determines it.

use std::fmt;

use log_format::{
    Access, Action, ActionId, ActionNo, Error, ErrorKind, ExitClass, FinalState, Kind, LogStep, Pid, ProcessFacts,
    RecNo, Resource, RunEnd, SendNo, Tag, Trace, Version,
};
use rustc_hash::FxHashMap;

use crate::errors::{RunFailure, failure, halt};
use crate::names::{holders, registered};
use crate::point::Point;
use crate::target::{ProcessRef, Target};
use crate::tested::{runs_of, tests};

/// Why a target was not found.
#[derive(Debug)]
pub enum NoSuchTarget {
    /// The trace has no such thing.
    Absent {
        /// The target.
        target: Target,
        /// What the trace has instead.
        range: String,
        /// The command that lists it.
        list: &'static str,
    },
    /// The trace has no such process.
    NoProcess {
        /// The process.
        process: ProcessRef,
        /// What the trace has instead.
        range: String,
        /// The command that lists it.
        list: &'static str,
    },
    /// The log alone does not tell where it is: a step or a line, which a replay finds.
    ByReplay(Target),
    /// The trace could not be read.
    Trace(Error),
}

impl fmt::Display for NoSuchTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { target, range, list } => {
                write!(f, "no {target} in this trace: {range}; {list}")
            }
            Self::NoProcess { process, range, list } => {
                write!(f, "no process {process} in this trace: {range}; {list}")
            }
            Self::ByReplay(target) => write!(
                f,
                "only a replay finds {target}: name an action, for example one that `replay log` lists"
            ),
            Self::Trace(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoSuchTarget {}

impl From<Error> for NoSuchTarget {
    fn from(error: Error) -> Self {
        Self::Trace(error)
    }
}

/// The fact of a header that holds CauDEr's uids: `uid=process/k>receiver`, or without a receiver, with spaces between.
pub const UIDS: &str = "cauder uids";

/// Parses the text after the `=` of a uid: the tag and the receiver.
fn tag_of(found: &str) -> Option<(Tag, Option<Pid>)> {
    let (tag, to) = found.split_once('>').map_or((found, None), |(tag, to)| (tag, Some(to)));
    let (by, k) = tag.split_once('/')?;
    let to = match to {
        Some(to) => Some(Pid(to.parse().ok()?)),
        None => None,
    };
    let (by, k) = (Pid(by.parse().ok()?), SendNo(k.parse().ok()?));
    Some((Tag::Sent { by, k }, to))
}

/// CauDEr's uids of the messages, if the trace was imported from CauDEr. Empty for other traces; damaged entries are skipped.
#[must_use]
pub fn uids(trace: &Trace) -> FxHashMap<Tag, u64> {
    let facts = &trace.header().facts;
    let text = facts
        .iter()
        .find(|(name, _)| name == UIDS)
        .map_or("", |(_, text)| text.as_str());
    let entries = text.split(' ').filter_map(|entry| {
        let (uid, rest) = entry.split_once('=')?;
        Some((tag_of(rest)?.0, uid.parse().ok()?))
    });
    entries.collect()
}

const INFO: &str = "`replay info TRACE` describes the run";
const LOG: &str = "`replay log TRACE` lists the actions";
const TESTS: &str = "`replay log --kind test TRACE` lists the tests";

impl Target {
    /// Finds the target in a trace.
    ///
    /// # Errors
    /// There is no such thing in the trace; only a replay finds it; the trace is damaged.
    pub fn resolve(&self, trace: &Trace) -> Result<Point, NoSuchTarget> {
        let point = Resolver { trace, target: self }.resolve()?;
        Ok(point.named(self.clone()))
    }
}

impl ProcessRef {
    /// Finds the process in a trace.
    ///
    /// # Errors
    /// The trace has no such process, or it is damaged.
    pub fn resolve(&self, trace: &Trace) -> Result<Pid, NoSuchTarget> {
        let target = Target::End(self.clone());
        let found = Resolver { trace, target: &target }.process(self);
        match found {
            Ok(process) => Ok(process.pid),
            // The process is named here, not its end.
            Err(NoSuchTarget::Absent { range, list, .. }) => Err(NoSuchTarget::NoProcess {
                process: self.clone(),
                range,
                list,
            }),
            Err(other) => Err(other),
        }
    }
}

struct Resolver<'a> {
    trace: &'a Trace,
    target: &'a Target,
}

impl Resolver<'_> {
    fn absent(&self, range: impl Into<String>, list: &'static str) -> NoSuchTarget {
        NoSuchTarget::Absent {
            target: self.target.clone(),
            range: range.into(),
            list,
        }
    }

    /// Adds to an error what the trace has instead.
    fn or_absent<T>(&self, result: log_format::Result<T>, list: &'static str) -> Result<T, NoSuchTarget> {
        result.map_err(|error| match error.kind {
            ErrorKind::Absent { range, .. } => self.absent(range, list),
            _ => error.into(),
        })
    }

    fn resolve(&self) -> Result<Point, NoSuchTarget> {
        let trace = self.trace;
        match self.target {
            Target::Rec(number) => Ok(Point::from(self.rec(*number)?)),
            Target::Send(number) => {
                let ActionId { pid, number: action } = self.rec(*number)?;
                match trace.action(pid, action)?.kind {
                    Kind::Rec(tag) => self.sent(tag),
                    kind => Err(Error::damaged(0, format!("{number} at a rec"), kind.word()).into()),
                }
            }
            Target::SendUid(uid) => self.sent(self.uid(*uid)?.0),
            Target::RecUid(uid) => {
                let (tag, to) = self.uid(*uid)?;
                let to = to.ok_or_else(|| self.absent("that message was never received", LOG))?;
                self.first_where(to, |action| action.kind == Kind::Rec(tag))?
                    .map(Point::from)
                    .ok_or_else(|| self.absent("that message is not received in this trace", LOG))
            }
            Target::Sent(tag) => {
                self.was_sent(*tag)?;
                self.sent(*tag)
            }
            Target::SentBy(who, k) => {
                let by = self.process(who)?.pid;
                self.sent(Tag::Sent { by, k: *k })
            }
            Target::Spawn(who) => {
                let process = self.process(who)?;
                match process.parent {
                    Some(spawn) => Ok(Point::from(spawn)),
                    None => Err(self.absent(format!("{} existed when the run began", process.pid), INFO)),
                }
            }
            Target::Exit(who) => self.end(who, "by itself", |kind| matches!(kind, Kind::Exit { .. })),
            Target::Signal(who) => self.end(who, "by a signal", |kind| matches!(kind, Kind::Signal { .. })),
            Target::Timeout(who, count) => {
                self.nth(who, *count, "timeout", |action| matches!(action.kind, Kind::After))
            }
            Target::Output(who, count) => self.nth(who, *count, "output", |action| {
                matches!(action.kind, Kind::Output { .. })
            }),
            Target::Start(node, count) => self.start(node, *count),
            Target::Halt => self.halt(),
            Target::Event(who, number) => {
                let process = self.process(who)?;
                if *number > process.counts.actions {
                    let range = match process.counts.actions {
                        0 => format!("{} did nothing that is logged", process.pid),
                        n => format!("{} has actions 1 to {n}", process.pid),
                    };
                    return Err(self.absent(range, LOG));
                }
                Ok(Point::from(ActionId::new(process.pid, *number)))
            }
            Target::End(who) => self.last(self.process(who)?.pid),
            Target::Error => self.error(),
            Target::Test(name, n) => self.test(name, *n),
            Target::Step(who, _) => {
                self.process(who)?;
                Err(NoSuchTarget::ByReplay(self.target.clone()))
            }
            Target::Line { who, .. } => {
                if let Some(who) = who {
                    self.process(who)?;
                }
                Err(NoSuchTarget::ByReplay(self.target.clone()))
            }
        }
    }

    fn rec(&self, number: RecNo) -> Result<ActionId, NoSuchTarget> {
        self.or_absent(self.trace.rec(number), LOG)
    }

    fn sent(&self, tag: Tag) -> Result<Point, NoSuchTarget> {
        if let Tag::Sent { k: SendNo(0), by } = tag {
            return Err(self.absent(format!("the signals of {by} are counted from 1"), LOG));
        }
        match self.or_absent(self.trace.find_send(tag), LOG)? {
            Some(action) => Ok(Point::from(action)),
            None => Err(self.absent("no process sent it: the runtime kills a process at a limit", LOG)),
        }
    }

    /// Fails if the end of a process sent no such signal, and lists those that it sent.
    fn was_sent(&self, tag: Tag) -> Result<(), NoSuchTarget> {
        if let Some(why_not) = self.not_sent_by_end(tag)? {
            let there = self.sent_by_end(tag)?;
            let range = match there.as_slice() {
                [] => why_not,
                tags => format!("{why_not}; these signals of its end were received: {}", tags.join(", ")),
            };
            return Err(self.absent(range, LOG));
        }
        Ok(())
    }

    /// Why the end of a process sent no such signal, as far as the logs tell. A link or monitor without effect is in the log of the process
    /// that made it, and only there.
    fn not_sent_by_end(&self, tag: Tag) -> Result<Option<String>, NoSuchTarget> {
        let (by, to) = match tag {
            Tag::EndTo { by, to } => (by, to),
            Tag::EndRef { by, owner, .. } => (by, owner),
            Tag::EndTable { by, table } => {
                let process = self.process(&ProcessRef::Pid(by))?;
                let last = self.trace.action(by, process.counts.last_action())?;
                let gives =
                    |access: &Access| access.write && access.resource == Resource::Table(table) && access.by.is_some();
                let gave = process.ended && last.accesses.iter().any(gives);
                return Ok((!gave).then(|| format!("{by} left no such table to an heir")));
            }
            Tag::Sent { .. } | Tag::Limit { .. } => return Ok(None),
        };
        let process = self.process(&ProcessRef::Pid(by))?;
        if !process.ended {
            return Ok(Some(format!("{by} has not ended")));
        }
        let other = self.process(&ProcessRef::Pid(to))?;
        let waiting = self
            .trace
            .outcome(to)?
            .is_some_and(|outcome| outcome.tags.contains(&tag));
        if waiting
            || self
                .first_where(to, |action| action.kind.consumed() == Some(tag))?
                .is_some()
        {
            return Ok(None);
        }
        let is_link = matches!(tag, Tag::EndTo { .. });
        let looks = |pid: Pid, at: Pid| {
            let life = Resource::Alive(at);
            self.first_where(pid, |action| {
                action.accesses.iter().any(|access| access.resource == life)
            })
        };
        let child = process.parent.is_some_and(|ActionId { pid: parent, .. }| parent == to);
        let parent = is_link && other.parent.is_some_and(|ActionId { pid: parent, .. }| parent == by);
        let related = child || parent || looks(to, by)?.is_some() || is_link && looks(by, to)?.is_some();
        // A process that outlived a linked process that failed either got the exit signal as a message, or was not linked.
        let failed = matches!(
            self.trace.action(by, process.counts.last_action())?.kind,
            Kind::Exit { class } if class != ExitClass::Normal
        );
        let spared = is_link && failed && !other.ended && self.trace.outcome(to)?.is_some();
        let what = if is_link { "linked to" } else { "watched by" };
        Ok((!related || spared).then(|| format!("{by} was not {what} {to} when it ended")))
    }

    /// The first few signals of a process's end that were received.
    fn sent_by_end(&self, tag: Tag) -> Result<Vec<String>, NoSuchTarget> {
        const NAMED: usize = 5;
        let by = tag.sender();
        let mut tags = Vec::new();
        for process in self.trace.processes() {
            let mut log = self.trace.log(process?.pid)?.without_values();
            while let Some(step) = log.step(u64::MAX)? {
                if let LogStep::Action(action) = step
                    && let Some(other) = action.kind.consumed()
                    && other.sender() == by
                    && !matches!(other, Tag::Sent { .. })
                {
                    tags.push(other.to_string());
                    if tags.len() >= NAMED {
                        return Ok(tags);
                    }
                }
            }
        }
        Ok(tags)
    }

    fn process(&self, who: &ProcessRef) -> Result<ProcessFacts, NoSuchTarget> {
        let pid = match who {
            ProcessRef::Pid(pid) => *pid,
            ProcessRef::Name { name, holder } => {
                let holders = holders(self.trace, name)?;
                let place = usize::try_from(*holder - 1).unwrap_or(usize::MAX);
                match (holders.get(place), holders.len()) {
                    (Some((pid, _)), _) => *pid,
                    (None, 0) => return Err(self.absent(self.names(name)?, LOG)),
                    (None, n) => return Err(self.absent(format!("{name} had {n} holders"), INFO)),
                }
            }
        };
        if !self.trace.has(pid)? {
            let (first, last) = (
                self.trace.processes().next().transpose()?,
                self.trace.processes().last().transpose()?,
            );
            let range = match (first, last) {
                (Some(first), Some(last)) => format!("its processes are {} to {}", first.pid, last.pid),
                _ => "it has no processes".to_owned(),
            };
            return Err(self.absent(range, LOG));
        }
        self.or_absent(self.trace.process(pid), INFO)
    }

    /// Says that no process held a name, and lists the first few names that there were.
    fn names(&self, name: &str) -> Result<String, NoSuchTarget> {
        const NAMED: usize = 10;
        let names = registered(self.trace)?;
        let shown = names
            .iter()
            .take(NAMED)
            .map(|name| log_format::safe(name))
            .collect::<Vec<_>>();
        let more = if names.len() > NAMED { ", …" } else { "" };
        let there = if names.is_empty() {
            "no process registered a name".to_owned()
        } else {
            format!("the names are {}{more}", shown.join(", "))
        };
        Ok(format!("no process was registered as {name} ({there})"))
    }

    /// The end of a process, if it is of the wanted one of the two kinds.
    fn end(&self, who: &ProcessRef, how: &str, is: impl Fn(&Kind) -> bool) -> Result<Point, NoSuchTarget> {
        let process = self.process(who)?;
        let pid = process.pid;
        if !process.ended {
            return Err(self.absent(format!("{pid} had not ended when the recording stopped"), INFO));
        }
        let last = process.counts.last_action();
        let kind = self.trace.action(pid, last)?.kind;
        if !is(&kind) {
            let other = format!("{pid} did not end {how}; its end is {}:{pid}", kind.word());
            return Err(self.absent(other, INFO));
        }
        Ok(Point::from(ActionId { pid, number: last }))
    }

    /// The n-th action of a process that is of a kind.
    fn nth(&self, who: &ProcessRef, n: u64, what: &str, is: impl Fn(&Action) -> bool) -> Result<Point, NoSuchTarget> {
        let pid = self.process(who)?.pid;
        let mut log = self.trace.log(pid)?.without_values();
        let mut count = 0;
        loop {
            match log.step(u64::MAX)? {
                None => break,
                Some(LogStep::Action(action)) if is(action) => count += 1,
                Some(_) => continue,
            }
            if count == n {
                return Ok(Point::from(ActionId {
                    pid,
                    number: log.counts().last_action(),
                }));
            }
        }
        let range = match count {
            0 => format!("{pid} has no {what}"),
            1 => format!("{pid} has only {what}:{pid}/1"),
            _ => format!("{pid} has {what}:{pid}/1 to {what}:{pid}/{count}"),
        };
        Err(self.absent(range, LOG))
    }

    /// The first action of the process for which `is` holds.
    fn first_where(&self, pid: Pid, is: impl Fn(&Action) -> bool) -> Result<Option<ActionId>, NoSuchTarget> {
        let pid = self.process(&ProcessRef::Pid(pid))?.pid;
        let mut log = self.trace.log(pid)?.without_values();
        while let Some(step) = log.step(u64::MAX)? {
            if let LogStep::Action(action) = step
                && is(action)
            {
                return Ok(Some(ActionId {
                    pid,
                    number: log.counts().last_action(),
                }));
            }
        }
        Ok(None)
    }

    /// The message with this uid of CauDEr: its tag and its receiver.
    fn uid(&self, uid: u64) -> Result<(Tag, Option<Pid>), NoSuchTarget> {
        let facts = &self.trace.header().facts;
        let Some((_, text)) = facts.iter().find(|(name, _)| name == UIDS) else {
            return Err(self.absent("only a trace imported from CauDEr has uids", LOG));
        };
        let prefix = format!("{uid}=");
        let damaged = |found: &str| Error::damaged(0, format!("{UIDS} as uid=process/k>receiver"), found.to_owned());
        let Some(found) = text.split(' ').find_map(|entry| entry.strip_prefix(&prefix)) else {
            let count = text.split(' ').filter(|entry| !entry.is_empty()).count();
            return Err(self.absent(format!("{count} messages have uids, but none has this one"), LOG));
        };
        tag_of(found).ok_or_else(|| damaged(found).into())
    }

    /// The n-th attempt to start a node, in the order of the versions of the node, then by process.
    fn start(&self, name: &str, n: u64) -> Result<Point, NoSuchTarget> {
        let nodes = self.trace.nodes()?;
        let mut starts: Vec<(Version, bool, ActionId)> = Vec::new();
        for process in self.trace.processes() {
            let pid = process?.pid;
            let mut log = self.trace.log(pid)?.without_values();
            loop {
                let number = ActionNo(log.counts().actions + 1);
                let Some(step) = log.step(u64::MAX)? else {
                    break;
                };
                if let LogStep::Action(action) = step
                    && let Kind::Start { node, ok } = action.kind
                    && nodes.get(usize::from(node.0)).is_some_and(|known| known == name)
                {
                    let access = action
                        .accesses
                        .iter()
                        .find(|access| access.resource == Resource::Node(node));
                    starts.push((
                        access.map_or(Version(0), |access| access.version),
                        !ok,
                        ActionId { pid, number },
                    ));
                }
            }
        }
        starts.sort_unstable();
        let place = usize::try_from(n - 1).unwrap_or(usize::MAX);
        match starts.get(place) {
            Some((_, _, action)) => Ok(Point::from(*action)),
            None if starts.is_empty() => Err(self.absent(format!("no process tried to start {name}"), LOG)),
            None if starts.len() == 1 => Err(self.absent(format!("it has only start:{name}/1"), LOG)),
            None => Err(self.absent(format!("it has start:{name}/1 to start:{name}/{}", starts.len()), LOG)),
        }
    }

    fn halt(&self) -> Result<Point, NoSuchTarget> {
        let halt = halt(self.trace)?;
        halt.map(Point::from)
            .ok_or_else(|| self.absent("no process stopped the system", INFO))
    }

    /// The n-th run of a test; without a number the first that failed, else the first.
    fn test(&self, name: &str, n: Option<u64>) -> Result<Point, NoSuchTarget> {
        const NAMED: usize = 10;
        let tests = tests(self.trace)?;
        let (of_name, n) = runs_of(&tests, name, n);
        let one = match n {
            Some(n) => of_name.get(usize::try_from(n - 1).unwrap_or(usize::MAX)),
            None => of_name
                .iter()
                .find(|test| test.failed().is_some())
                .or_else(|| of_name.first()),
        };
        if let Some(test) = one {
            return Ok(test.point(self.trace)?);
        }
        if !of_name.is_empty() {
            let range = format!("that test ran {} in it", times(of_name.len()));
            return Err(self.absent(range, TESTS));
        }
        let mut names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        names.dedup();
        let near = log_format::nearest(name, names.iter().copied(), NAMED);
        let (what, names) = match near.is_empty() {
            true => ("its tests are", names),
            false => ("the nearest of its tests are", near),
        };
        let more = if names.len() > NAMED { ", …" } else { "" };
        let shown: Vec<&str> = names.into_iter().take(NAMED).collect();
        let range = match shown.as_slice() {
            [] => "no tests ran in it".to_owned(),
            names => format!("{what} {}{more}", log_format::safe(&names.join(", "))),
        };
        Err(self.absent(range, TESTS))
    }

    fn last(&self, pid: Pid) -> Result<Point, NoSuchTarget> {
        let process = self.trace.process(pid)?;
        let waiting = match self.trace.outcome(pid)? {
            Some(outcome) => matches!(outcome.state, FinalState::Waiting { .. }),
            None => false,
        };
        let last = ActionId {
            pid,
            number: process.counts.last_action(),
        };
        Ok(Point::rest(last, waiting && !process.ended))
    }

    fn error(&self) -> Result<Point, NoSuchTarget> {
        match failure(self.trace)? {
            Some(RunFailure::Ended { first, others, .. } | RunFailure::Halted { action: first, others }) => Ok(Point {
                others,
                ..Point::from(first)
            }),
            Some(RunFailure::Tests(tests)) => match tests.first() {
                Some(test) => Ok(test.point(self.trace)?),
                None => Err(self.absent("no test failed", TESTS)),
            },
            Some(RunFailure::Deadlock { entry, others, .. }) => Ok(Point {
                others,
                ..self.last(entry)?
            }),
            Some(RunFailure::ReturnedError(ActionId { pid, .. })) => self.last(pid),
            None => Err(self.no_error()?),
        }
    }

    /// Why there is no error.
    fn no_error(&self) -> Result<NoSuchTarget, NoSuchTarget> {
        Ok(match self.trace.run_end()? {
            None | Some(RunEnd::Unrecorded { .. }) => {
                self.absent("no process ended abnormally before the recording stopped", INFO)
            }
            Some(RunEnd::Interrupted(_) | RunEnd::Limit(_)) => self.absent(
                "no process ended abnormally before the run was stopped",
                "`replay info TRACE` lists where its processes stood",
            ),
            Some(_) => self.absent(
                "no process ended abnormally, no test failed, and the entry does not wait for ever",
                INFO,
            ),
        })
    }
}

/// `once`, `2 times`.
fn times(n: usize) -> String {
    if n == 1 {
        "once".to_owned()
    } else {
        format!("{n} times")
    }
}
