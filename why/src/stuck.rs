//! Where the receiver of a request waited, and what became of the request.

use crate::scene::Scene;
use crate::story::{Stuck, Waited};
use log_format::{ActionId, FinalState, Kind, LogStep, Pid, SendNo, Tag, Trace};
use session::error::Error;
use session::watch::Watcher;
use session::words::safe;

/// Limit: how many actions after its receipt a request is followed.
const FOLLOWED: u64 = 64;

/// The last steps of a process: what it sent after its last receive, and its end if it ended.
pub(crate) struct LastSteps {
    pub(crate) pid: Pid,
    pub(crate) sent: Option<(u64, Tag)>,
    pub(crate) end: Option<u64>,
    /// Did a signal of another process end it?
    pub(crate) by_signal: bool,
}

/// What a process sent after its last receive, and how it ended.
pub(crate) fn last_steps(trace: &Trace, pid: Pid) -> Result<Option<LastSteps>, Error> {
    // In a slice, a process's log need not reach its end.
    if trace.is_slice() || !trace.has(pid)? {
        return Ok(None);
    }
    let mut found = LastSteps {
        pid,
        sent: None,
        end: None,
        by_signal: false,
    };
    let mut log = trace.log(pid)?.without_values();
    loop {
        let sends = match log.step(u64::MAX)? {
            None => return Ok(Some(found)),
            Some(LogStep::Sends(n)) => n,
            Some(LogStep::Action(action)) => match action.kind {
                Kind::Rec(_) => {
                    found.sent = None;
                    continue;
                }
                Kind::Exit { .. } | Kind::Signal { .. } => {
                    found.by_signal = matches!(action.kind, Kind::Signal { .. });
                    found.end = Some(log.counts().actions);
                    continue;
                }
                Kind::Send => u64::from(action.sends),
                _ => 0,
            },
        };
        if sends > 0 {
            let counts = log.counts();
            let tag = Tag::Sent {
                by: pid,
                k: SendNo(counts.sends),
            };
            found.sent = Some((counts.actions, tag));
        }
    }
}

/// What became of a request.
pub(crate) struct Fate {
    /// Its receiver.
    pub(crate) pid: Pid,
    /// The action that received it, if any.
    pub(crate) taken: Option<u64>,
    /// The last action that is shown of what the receiver did with it.
    pub(crate) rest: u64,
    /// Where the receiver was in the end.
    pub(crate) last: Option<Last>,
}

/// Where a process was in the end.
pub(crate) enum Last {
    /// In a receive at `file:line:column`. Is the message in its mailbox?
    Waits { location: String, has_it: bool },
    /// Somewhere else, in words.
    Other(String),
}

/// What became of this message to `to`. `None` if a slice does not show it.
pub(crate) fn fate(trace: &Trace, to: Pid, tag: Tag) -> Result<Option<Fate>, Error> {
    if !trace.has(to)? {
        return Ok((!trace.is_slice()).then(|| Fate {
            pid: to,
            taken: None,
            rest: 0,
            last: Some(Last::Other("is not a process of the run".to_owned())),
        }));
    }
    let mut log = trace.log(to)?.without_values();
    let mut taken = None;
    let mut rest = 0;
    loop {
        match log.step(u64::MAX)? {
            None => break,
            Some(LogStep::Action(action)) => {
                let kind = action.kind.clone();
                let number = log.counts().actions;
                if taken.is_some() {
                    rest = number;
                    // The next message that it received: what follows belongs to that one.
                    if kind.consumed().is_some() || number > taken.unwrap_or(0) + FOLLOWED {
                        break;
                    }
                } else if kind.consumed() == Some(tag) {
                    taken = Some(number);
                    rest = number;
                }
            }
            Some(LogStep::Sends(_)) => {
                if taken.is_some() {
                    rest = log.counts().actions;
                }
            }
        }
    }
    if trace.is_slice() {
        return Ok(taken.map(|taken| Fate {
            pid: to,
            taken: Some(taken),
            rest: rest.min(taken + FOLLOWED),
            last: None,
        }));
    }
    let at_rest = taken.is_none() || rest == trace.process(to)?.counts.actions;
    let outcome = trace.outcome(to)?;
    let has_it = outcome.as_ref().is_some_and(|outcome| outcome.tags.contains(&tag));
    let last = match outcome.map(|outcome| outcome.state).filter(|_| at_rest) {
        Some(FinalState::Waiting { location }) => Some(Last::Waits { location, has_it }),
        Some(FinalState::Running { location }) => {
            Some(Last::Other(format!("was at {} when the run ended", safe(&location))))
        }
        Some(FinalState::Ended { reason, .. }) => Some(Last::Other(format!(
            "ended: {}",
            session::words::cut(&safe(&reason), 60)
        ))),
        None if at_rest => Some(Last::Other("ended".to_owned())),
        None => None,
    };
    Ok(Some(Fate {
        pid: to,
        taken,
        rest: rest.min(taken.unwrap_or(0) + FOLLOWED),
        last,
    }))
}

/// What became of a process that never replied, without what the story shows anyway.
pub(crate) fn stuck_at(
    scene: &Scene<'_>,
    system: &system::System<Watcher>,
    steps: &LastSteps,
    view: &Waited,
) -> Result<Option<Stuck>, Error> {
    let trace = scene.trace;
    let mut stuck = Stuck::default();
    let told = |n: u64| view.then.iter().any(|act| act.pid == steps.pid && act.number == n);
    if let Some((n, tag)) = steps.sent {
        let peer = system
            .observer
            .seen
            .get(&ActionId::new(steps.pid, n))
            .and_then(|seen| seen.peer);
        if let Some(peer) = peer.filter(|peer| *peer != steps.pid)
            && let Some(fate) = fate(trace, peer, tag)?
        {
            let who = scene.who(peer, fate.taken);
            let ended = trace.has(peer)? && trace.process(peer)?.ended;
            let target = if ended {
                let last = trace.action(peer, trace.process(peer)?.counts.last_action())?;
                let word = if matches!(last.kind, Kind::Signal { .. }) {
                    "signal"
                } else {
                    "exit"
                };
                format!(" [{word}:{peer}]")
            } else {
                String::new()
            };
            stuck.fate = match (fate.taken, fate.last) {
                (None, Some(last)) => Some(format!("{who} never received it: it {}{target}", last.words(scene))),
                (Some(_), Some(last)) => Some(format!("{who} received it, and {}{target}", last.words(scene))),
                (_, None) => None,
            };
            if !told(n) {
                stuck.sent = scene.act(steps.pid, n)?;
            }
        }
    }
    if view.receiver_then.is_none() {
        let state = trace.outcome(steps.pid)?.map(|outcome| outcome.state);
        let at = || {
            let act = scene.act(steps.pid, steps.end?).ok()??;
            Some(format!(" at {}", act.place?.short()))
        };
        stuck.end = match state {
            Some(FinalState::Waiting { location }) => Some(
                Last::Waits {
                    location,
                    has_it: false,
                }
                .words(scene),
            ),
            Some(FinalState::Ended { .. }) if steps.by_signal => Some(match at() {
                Some(at) => format!("was still{at} when an exit signal ended it [signal:{}]", steps.pid),
                None => format!("was ended by an exit signal [signal:{}]", steps.pid),
            }),
            _ => None,
        };
    }
    let none = stuck.sent.is_none() && stuck.fate.is_none() && stuck.end.is_none();
    Ok((!none).then_some(stuck))
}

impl Last {
    pub(crate) fn words(self, scene: &Scene<'_>) -> String {
        let (location, has_it) = match self {
            Self::Waits { location, has_it } => (location, has_it),
            Self::Other(words) => return words,
        };
        let beside = if has_it {
            ", with the message in its mailbox,"
        } else {
            ""
        };
        match session::view::located(&location).filter(|(file, _)| scene.sources.owns(file)) {
            Some((file, number)) => {
                let text = scene.sources.quote(file, number, 0).pop();
                let text = text.map_or_else(String::new, |line| format!(": {}", line.text.trim()));
                let file = session::view::file_name(file);
                format!("waits for ever{beside} at {}:{number}{text}", safe(file))
            }
            None => format!("waits for ever{beside} at {}", safe(&location)),
        }
    }
}
