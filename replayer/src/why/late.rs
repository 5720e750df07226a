//! Why a message did not come in time: what a process had asked for before its receive timed out, what became of that, and what else had been
//! sent to it.

use log_format::{FinalState, Pid, Step, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::story::{Link, Waited};
use super::tell::Scene;
use crate::commands::run;
use crate::error::Error;
use crate::session::{Goal, Session};
use crate::subject::Bounds;
use crate::watch::{Mail, Watcher, Wish};
use crate::words::safe;

/// So many actions after its receipt a question is followed, and so many of them are told.
const FOLLOWED: u64 = 64;
const TOLD: usize = 4;
/// So many messages that had been sent to the process are told.
const OTHERS: usize = 4;
/// So many of the timeouts of a story are looked into.
const TIMEOUTS: usize = 3;

/// A receive that timed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeout {
    /// Whose.
    pub pid: Pid,
    /// The action with which the wait ended.
    pub number: u64,
    /// The last signal that it had put in flight before, and with which action.
    pub asked: Option<(u64, Tag)>,
    /// To whom.
    pub peer: Option<Pid>,
}

/// Adds to the links of a story what is known of the waits that ended in vain.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn explain(
    session: &Session,
    links: &mut [Link],
    timeouts: &[(usize, Timeout)],
    bounds: &Bounds,
) -> Result<(), Error> {
    let trace = session.trace();
    let mut wanted: FxHashMap<Pid, Vec<u64>> = FxHashMap::default();
    let mut mail: FxHashMap<Pid, Mail> = FxHashMap::default();
    let mut fates = Vec::new();
    for (_, one) in timeouts.iter().take(TIMEOUTS) {
        let fate = match (one.asked, one.peer) {
            (Some((n, tag)), Some(to)) => {
                wanted.entry(one.pid).or_default().push(n);
                Some(fate(trace, to, tag)?)
            }
            _ => None,
        };
        if let Some(Fate {
            pid,
            taken: Some(taken),
            rest,
            ..
        }) = &fate
        {
            wanted.entry(*pid).or_default().extend(*taken..=*rest);
        }
        mail.insert(one.pid, received(trace, one.pid, one.number)?);
        fates.push(fate);
    }
    if fates.is_empty() {
        return Ok(());
    }
    let wanted_near = wanted
        .iter()
        .flat_map(|(pid, list)| list.iter().map(|n| (*pid, *n)))
        .collect();
    let acts = wanted.into_iter().map(|(pid, mut list)| {
        list.sort_unstable();
        list.dedup();
        (pid, list.into())
    });
    let wish = Wish {
        acts: acts.collect(),
        subject: None,
        chars: bounds.chars,
        output: 0,
        frames: bounds.frames,
        variables: super::FRAMES,
        near: wanted_near,
        mail,
    };
    let system = session.replay(&Goal::everything(), Watcher::new(wish))?;
    let names = run::names(&system);
    let scene = Scene::new(session, &system, &names);
    for ((at, one), fate) in timeouts.iter().zip(fates) {
        let Some(link) = links.get_mut(*at) else { continue };
        link.waited = Some(waited(&scene, &system, one, fate)?);
    }
    Ok(())
}

/// What became of a question.
struct Fate {
    /// To whom it was.
    pid: Pid,
    /// With which action it was taken, if it was.
    taken: Option<u64>,
    /// The action that is the end of what is told of it then.
    rest: u64,
    /// Where it stood at last.
    last: Option<Last>,
}

/// Where a process stood at last.
enum Last {
    /// `file:line:column`; does the message lie in its mailbox?
    Waits { location: String, has_it: bool },
    /// In words.
    Other(String),
}

impl Last {
    fn words(self, scene: &Scene<'_>) -> String {
        let (location, has_it) = match self {
            Self::Waits { location, has_it } => (location, has_it),
            Self::Other(words) => return words,
        };
        let beside = if has_it { ", with it in its mailbox," } else { "" };
        let mut parts = location.rsplitn(3, ':');
        let line = parts.nth(1).and_then(|line| line.parse::<u32>().ok());
        let file = parts.next().unwrap_or_default();
        match line.filter(|_| scene.sources.owns(file)) {
            Some(number) => {
                let text = scene.sources.quote(file, number, 0).pop();
                let text = text.map_or_else(String::new, |line| format!(": {}", line.text.trim()));
                let file = file.rsplit('/').next().unwrap_or(file);
                format!("waits{beside} for ever at {}:{number}{text}", safe(file))
            }
            None => format!("waits{beside} for ever at {}", safe(&location)),
        }
    }
}

fn fate(trace: &Trace, to: Pid, tag: Tag) -> Result<Fate, Error> {
    if !trace.has(to)? {
        return Ok(Fate {
            pid: to,
            taken: None,
            rest: 0,
            last: Some(Last::Other("is no process of the run".to_owned())),
        });
    }
    let mut log = trace.log(to)?.without_values();
    let mut taken = None;
    let mut rest = 0;
    loop {
        match log.step(u64::MAX)? {
            None => break,
            Some(Step::Action(action)) => {
                let kind = action.kind.clone();
                let number = log.counts().actions;
                if taken.is_some() {
                    rest = number;
                    // The next thing that it took in: with it another story begins.
                    if kind.consumed().is_some() || number > taken.unwrap_or(0) + FOLLOWED {
                        break;
                    }
                } else if kind.consumed() == Some(tag) {
                    taken = Some(number);
                    rest = number;
                }
            }
            Some(Step::Sends(_)) => {
                if taken.is_some() {
                    rest = log.counts().actions;
                }
            }
        }
    }
    let at_rest = taken.is_none() || rest == trace.process(to)?.counts.actions;
    let outcome = trace.outcome(to)?;
    let has_it = outcome.as_ref().is_some_and(|outcome| outcome.tags.contains(&tag));
    let last = match outcome.map(|outcome| outcome.state).filter(|_| at_rest) {
        Some(FinalState::Waiting { location }) => Some(Last::Waits { location, has_it }),
        Some(FinalState::Running { location }) => {
            Some(Last::Other(format!("was at {} when the run ended", safe(&location))))
        }
        Some(FinalState::Ended { reason, .. }) => {
            Some(Last::Other(format!("ended: {}", crate::words::cut(&safe(&reason), 60))))
        }
        None if at_rest => Some(Last::Other("ended".to_owned())),
        None => None,
    };
    Ok(Fate {
        pid: to,
        taken,
        rest: rest.min(taken.unwrap_or(0) + FOLLOWED),
        last,
    })
}

/// The signals that a process had taken in up to an action.
///
/// # Errors
/// If the trace is damaged there.
pub(super) fn received(trace: &Trace, pid: Pid, upto: u64) -> Result<Mail, Error> {
    let mut tags = FxHashSet::default();
    let mut log = trace.log(pid)?.without_values();
    while log.counts().actions < upto {
        let left = upto - log.counts().actions;
        match log.step(left)? {
            None => break,
            Some(Step::Action(action)) => tags.extend(action.kind.consumed()),
            Some(Step::Sends(_)) => {}
        }
    }
    Ok(Mail { known: tags })
}

fn waited(
    scene: &Scene<'_>,
    system: &system::System<Watcher>,
    one: &Timeout,
    fate: Option<Fate>,
) -> Result<Waited, Error> {
    let mut view = Waited::default();
    if let Some((n, _)) = one.asked {
        view.asked = scene.act(one.pid, n)?;
    }
    if let Some(Fate { pid, taken, rest, last }) = fate {
        view.receiver = Some(scene.who(pid, taken));
        if let Some(taken) = taken {
            view.taken = scene.act(pid, taken)?;
            for n in taken + 1..=rest {
                let Some(mut act) = scene.act(pid, n)? else { continue };
                if act.kind == "after" {
                    match scene.purpose(pid, n) {
                        Purpose::Wait => {}
                        Purpose::Sleep => act.content = Some("a sleep".to_owned()),
                        Purpose::Look => continue,
                    }
                }
                if matches!(act.kind, "send" | "after" | "rec" | "exit" | "signal" | "halt") && view.then.len() < TOLD {
                    view.then.push(act);
                }
            }
        }
        view.receiver_then = last.map(|last| last.words(scene));
    }
    for &(pid, n) in &system.observer.mailed {
        let told = view
            .then
            .iter()
            .any(|act| act.pid == pid.to_string() && act.number == n);
        if pid == one.pid || told || view.others.len() >= OTHERS {
            continue;
        }
        if system.observer.seen.get(&(pid, n)).and_then(|seen| seen.peer) == Some(one.pid) {
            view.others.extend(scene.act(pid, n)?);
        }
    }
    Ok(view)
}

/// The timeouts of a process since its last receive that are worth telling: the last one that is neither a sleep nor a look into the mailbox.
pub fn in_vain(scene: &Scene<'_>, pid: Pid, timeouts: &[(u64, Option<(u64, Tag)>)]) -> Option<Timeout> {
    let told = timeouts
        .iter()
        .rev()
        .find(|(n, _)| scene.purpose(pid, *n) == Purpose::Wait);
    told.map(|&(number, asked)| Timeout {
        pid,
        number,
        asked,
        peer: asked.and_then(|(n, _)| scene.seen.get(&(pid, n))?.peer),
    })
}

/// What a receive that timed out was there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It waited for a message.
    Wait,
    /// It takes no message: a sleep.
    Sleep,
    /// It waits for no time: a look into the mailbox.
    Look,
}

/// What a receive is there for, by its text from its place on in the source.
#[must_use]
pub fn purpose(text: &str) -> Purpose {
    let Some(start) = text.find("receive") else {
        return Purpose::Wait;
    };
    let text = &text[start + "receive".len()..];
    let mut at = 0;
    while let Some(next) = text[at..].find("after") {
        let (before, after) = (&text[..at + next], &text[at + next + "after".len()..]);
        at += next + "after".len();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let time = after.split("->").next().unwrap_or_default().trim();
        return match (time, before.trim()) {
            ("0", _) => Purpose::Look,
            (_, "") => Purpose::Sleep,
            _ => Purpose::Wait,
        };
    }
    Purpose::Wait
}

#[cfg(test)]
mod tests {
    use super::{Purpose, purpose};

    #[test]
    fn sleeps_and_looks_are_no_waits() {
        for text in [
            "receive {value, V} -> V after 50 -> exit(no_answer) end.",
            "receive\n  {[alias | Ref], Reply} -> {ok, Reply}\nafter Timeout ->",
            "receive after_me -> ok; X -> X after T -> ok end",
            "    gone",
        ] {
            assert_eq!(purpose(text), Purpose::Wait, "{text}");
        }
        assert_eq!(purpose("receive after 100 -> ok end"), Purpose::Sleep);
        assert_eq!(purpose("receive M -> M after 0 -> none end"), Purpose::Look);
    }
}
