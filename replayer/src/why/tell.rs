//! The walk back from an action: which message led to it, who sent that and in which state, because of which message, and so on.
//!
//! What is told is chosen from the causes; it is never more than they are. Two things are folded: questions that only led to an
//! answer (what matters then is the state that the answer was read from), and messages that changed nothing.

use std::collections::VecDeque;

use log_format::{Pid, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::past::{Past, Pasts, Taken};
use super::story::{Because, Change, Link, Sent};
use crate::act::{self, Names};
use crate::error::Error;
use crate::player::written::Numbers;
use crate::program::Sources;
use crate::session::Session;
use crate::view::{Act, Place};
use crate::watch::{Seen, SeenFrame, Watcher};

/// So many activations of the program make up the state of a process.
const STATEFUL: usize = 4;

/// What a replay saw of the actions that may be told.
pub struct Scene<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The sources of its program.
    pub sources: &'a Sources,
    /// What was seen.
    pub seen: &'a FxHashMap<(Pid, u64), Seen>,
    /// Names of processes.
    pub names: &'a Names,
    /// Where actions have the names of another trace.
    pub numbers: Option<&'a Numbers>,
}

impl<'a> Scene<'a> {
    /// What this replay of the session's trace saw.
    pub fn new(session: &'a Session, system: &'a system::System<Watcher>, names: &'a Names) -> Self {
        Self {
            trace: session.trace(),
            sources: session.sources(),
            seen: &system.observer.seen,
            names,
            numbers: session.numbers(),
        }
    }

    /// An action as it is shown; none if the replay did not do it.
    pub fn act(&self, pid: Pid, n: u64) -> Result<Option<Act>, Error> {
        let Some(seen) = self.seen.get(&(pid, n)) else {
            return Ok(None);
        };
        let action = self.trace.action(pid, log_format::ActionNo(n))?;
        let base = self.trace.process(pid)?.base;
        let mut act = act::from_log(self.trace, pid, &action, &seen.tally, base);
        act::add_seen(&mut act, seen);
        act::add_names(&mut act, pid, self.names);
        if let Some(numbers) = self.numbers {
            numbers.rename(&mut act, pid)?;
        }
        if let Some(frame) = self.own_frame(seen) {
            act.place.clone_from(&frame.place);
            act.name = self.doing(pid, frame.place.as_ref()).or(act.name);
        }
        Ok(Some(act))
    }

    /// The innermost activation of a function of the program; of the library only if there is none.
    fn own_frame<'s>(&self, seen: &'s Seen) -> Option<&'s SeenFrame> {
        let own = |frame: &&SeenFrame| frame.place.as_ref().is_some_and(|p| self.sources.holds(&p.file));
        seen.frames.iter().find(own).or_else(|| seen.frames.first())
    }

    /// A process for people: its registered name, or the function of the program that it is in, `account/1`.
    pub fn doing(&self, pid: Pid, place: Option<&Place>) -> Option<String> {
        let registered = self.names.get(&pid).filter(|name| !name.contains('/'));
        if let Some(name) = registered {
            return Some(crate::words::safe(name));
        }
        let place = place.filter(|place| self.sources.holds(&place.file))?;
        let function = place.function.rsplit(':').next().unwrap_or(&place.function);
        // `-main/0-fun-0-/0` is a fun in main/0.
        Some(match function.strip_prefix('-').and_then(|rest| rest.split_once('-')) {
            Some((outer, _)) => format!("in {outer}"),
            None => function.to_owned(),
        })
    }

    /// The line of a place.
    pub fn line(&self, place: &Place) -> Option<String> {
        let line = self.sources.quote(&place.file, place.line, 0).pop()?;
        Some(line.text.trim().to_owned())
    }

    /// A send with the state of the sender.
    fn sent(&self, (pid, n): (Pid, u64)) -> Result<Option<Sent>, Error> {
        let Some(act) = self.act(pid, n)? else { return Ok(None) };
        let frame = self.seen.get(&(pid, n)).and_then(|seen| self.own_frame(seen));
        let state = frame.map(|frame| {
            frame
                .variables
                .iter()
                .map(|v| (v.name.clone(), v.value.clone()))
                .collect()
        });
        Ok(Some(Sent {
            place: act.place.clone(),
            line: act.place.as_ref().and_then(|place| self.line(place)),
            act,
            state: state.unwrap_or_default(),
        }))
    }

    /// The variables of the activations at an action: function, name, value; what was just received left out.
    fn state(&self, pid: Pid, n: u64) -> Vec<(&str, &str, &str)> {
        let frames = self.seen.get(&(pid, n)).map_or(&[][..], |seen| &seen.frames);
        let mut out = Vec::new();
        let own = frames.iter().filter_map(|frame| {
            let place = frame.place.as_ref()?;
            self.sources.holds(&place.file).then_some((frame, place))
        });
        for (frame, place) in own.take(STATEFUL) {
            let function = place.function.as_str();
            // What funs and comprehensions count in is no state.
            if function.rsplit(':').next().is_some_and(|name| name.starts_with('-')) {
                continue;
            }
            let known = frame.variables.iter().filter(|v| !v.of_message);
            out.extend(known.map(|v| (function, v.name.as_str(), v.value.as_str())));
        }
        out
    }

    /// The last message before `taken[from]` that changed the state in which that one was received, and what it changed.
    fn state_change(&self, pid: Pid, taken: &[Taken], from: usize) -> Option<(Taken, Vec<Change>)> {
        let mut later = self.state(pid, taken.get(from)?.number);
        for one in taken.iter().skip(from + 1) {
            let earlier = self.state(pid, one.number);
            let mut changes = Vec::new();
            for (function, name, before) in &earlier {
                let same = later.iter().find(|(f, n, _)| f == function && n == name);
                if let Some((_, _, after)) = same.filter(|(_, _, after)| after != before) {
                    changes.push(Change {
                        name: (*name).to_owned(),
                        before: (*before).to_owned(),
                        after: (*after).to_owned(),
                    });
                }
            }
            if !changes.is_empty() {
                return Some((*one, changes));
            }
            later = earlier;
        }
        None
    }
}

/// What is to be explained next.
enum Item {
    /// Why did this action happen?
    Explain(Pid, u64),
    /// The state of a process dates from this message.
    State(Pid, Taken, Vec<Change>, u64),
    /// What came before an action, apart from what it read.
    Apart(Pid, u64),
}

/// A story as it grows.
pub struct Told {
    /// The steps back.
    pub links: Vec<Link>,
    /// The actions told that depend on others by an order edge, or on the outside.
    pub required: Vec<(Pid, u64)>,
    /// The receives told, the nearest first.
    pub receives: Vec<(Pid, Taken)>,
    /// Was there more to tell?
    pub cut: bool,
}

/// Tells why the `n`-th action of a process happened, in at most `limit` links.
///
/// # Errors
/// If the trace is damaged there.
pub fn tell(scene: &Scene<'_>, pasts: &mut Pasts<'_>, pid: Pid, n: u64, limit: usize) -> Result<Told, Error> {
    let mut walk = Walk {
        scene,
        told: Told {
            links: Vec::new(),
            required: Vec::new(),
            receives: Vec::new(),
            cut: false,
        },
        known: FxHashSet::default(),
        main: Some(Item::Explain(pid, n)),
        beside: VecDeque::new(),
    };
    while let Some(item) = walk.main.take().or_else(|| walk.beside.pop_front()) {
        if walk.told.links.len() >= limit {
            walk.told.cut = true;
            break;
        }
        match item {
            Item::Explain(pid, n) => walk.explain(pasts, pid, n)?,
            Item::Apart(pid, n) => walk.apart(pasts, pid, n)?,
            Item::State(pid, taken, changes, later) => walk.state(pid, taken, changes, later)?,
        }
    }
    Ok(walk.told)
}

struct Walk<'a> {
    scene: &'a Scene<'a>,
    told: Told,
    known: FxHashSet<(Pid, u64)>,
    /// The line of the story.
    main: Option<Item>,
    /// What is told when the line has ended.
    beside: VecDeque<Item>,
}

impl Walk<'_> {
    /// Data that was read since the last receive is nearer than what was received.
    fn explain(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let others = pasts.past(pid, n)?.others.clone();
        let read = others.iter().rev().find_map(|(number, action)| {
            let access = action
                .accesses
                .iter()
                .find(|access| is_data(access) && access.by.is_some_and(|(by, _)| by != pid))?;
            Some((*number, access.by?, access.resource))
        });
        let Some((number, (by, m), resource)) = read.filter(|(number, ..)| !self.known.contains(&(pid, *number)))
        else {
            return self.apart(pasts, pid, n);
        };
        let (Some(act), Some(sent)) = (self.scene.act(pid, number)?, self.scene.sent((by, m.0))?) else {
            return self.apart(pasts, pid, n);
        };
        self.known.insert((pid, number));
        let what = resource_of(&act, resource, (by, m.0));
        self.told.links.push(Link {
            because: Because::Read,
            act,
            sent: Some(sent),
            question: None,
            changes: Vec::new(),
            read: what,
            folded: n - number,
        });
        self.main = Some(Item::Explain(by, m.0));
        self.beside.push_back(Item::Apart(pid, n));
        Ok(())
    }

    fn apart(&mut self, pasts: &mut Pasts<'_>, pid: Pid, n: u64) -> Result<(), Error> {
        let Past { taken, all, others } = pasts.past(pid, n)?.clone();
        let others = others
            .iter()
            .filter(|(number, _)| !self.known.contains(&(pid, *number)));
        self.told.required.extend(others.map(|(number, _)| (pid, *number)));
        let Some(trigger) = taken.first().copied() else {
            return if all { self.birth(pid, n) } else { Ok(()) };
        };
        if !self.known.insert((pid, trigger.number)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(pid, trigger.number)? else {
            self.told.cut = true;
            return Ok(());
        };
        self.told.receives.push((pid, trigger));
        let because = if act.kind == "signal" {
            Because::Signal
        } else {
            Because::Received
        };
        let mut link = Link {
            because,
            act,
            sent: None,
            question: None,
            changes: Vec::new(),
            read: None,
            folded: n - trigger.number,
        };
        if let Some((function, changes)) = self.scene.state_change(pid, &taken, 0) {
            self.beside
                .push_back(Item::State(pid, function, changes, trigger.number));
        }
        let Some((sender, sent)) = trigger.from else {
            self.told.links.push(link);
            return Ok(());
        };
        link.sent = self.scene.sent((sender, sent))?;
        let theirs = pasts.past(sender, sent)?.clone();
        let asked = theirs.taken.first().and_then(|one| one.from);
        let Some(question) = asked.filter(|&(who, k)| who == pid && k < trigger.number && sender != pid) else {
            self.told.links.push(link);
            self.main = Some(Item::Explain(sender, sent));
            return Ok(());
        };
        // It asked and was answered: what the answer says dates from the state of who answered.
        link.because = Because::Answered;
        link.question = self.scene.act(question.0, question.1)?.and_then(|act| act.content);
        self.told.links.push(link);
        let asked = theirs.taken[0].number;
        self.known.insert((sender, asked));
        self.told.receives.push((sender, theirs.taken[0]));
        self.told
            .required
            .extend(theirs.others.iter().map(|(number, _)| (sender, *number)));
        self.main = Some(match self.scene.state_change(sender, &theirs.taken, 0) {
            Some((one, changes)) => Item::State(sender, one, changes, asked),
            None => Item::Explain(question.0, question.1),
        });
        Ok(())
    }

    fn state(&mut self, pid: Pid, taken: Taken, changes: Vec<Change>, later: u64) -> Result<(), Error> {
        if !self.known.insert((pid, taken.number)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(pid, taken.number)? else {
            self.told.cut = true;
            return Ok(());
        };
        self.told.receives.push((pid, taken));
        let sent = match taken.from {
            Some(from) => {
                self.main = Some(Item::Explain(from.0, from.1));
                self.scene.sent(from)?
            }
            None => None,
        };
        self.told.links.push(Link {
            because: Because::State,
            act,
            sent,
            question: None,
            changes,
            read: None,
            folded: later - taken.number - 1,
        });
        Ok(())
    }

    fn birth(&mut self, pid: Pid, n: u64) -> Result<(), Error> {
        let Some((parent, spawn)) = self.scene.trace.process(pid)?.parent else {
            return Ok(());
        };
        if !self.known.insert((parent, spawn.0)) {
            return Ok(());
        }
        let Some(act) = self.scene.act(parent, spawn.0)? else {
            self.told.cut = true;
            return Ok(());
        };
        let sent = self.scene.sent((parent, spawn.0))?;
        self.told.links.push(Link {
            because: Because::Spawned,
            act,
            sent,
            question: None,
            changes: Vec::new(),
            read: None,
            folded: n,
        });
        self.main = Some(Item::Explain(parent, spawn.0));
        Ok(())
    }
}

/// Does a read of this say what a program has computed, and not only who is there?
const fn is_data(access: &log_format::Access) -> bool {
    use log_format::Resource;
    let data = matches!(
        access.resource,
        Resource::TableKey { .. }
            | Resource::TableContents(_)
            | Resource::Persistent(_)
            | Resource::Env(_)
            | Resource::Counter { .. }
    );
    data && !access.write
}

/// What was read, as it is shown: `table(0.1.0/1, key hits)`.
fn resource_of(act: &Act, resource: log_format::Resource, (by, n): (Pid, u64)) -> Option<String> {
    let end = format!(" as event:{by}/{n} left it");
    let key = matches!(resource, log_format::Resource::TableKey { .. });
    let fitting = act.accesses.iter().filter(|text| !key || text.contains(", key "));
    let mut read = fitting.filter_map(|text| text.strip_prefix("reads ")?.strip_suffix(end.as_str()));
    read.next().map(str::to_owned)
}
