//! Processes that wait, and what they had asked of others before.

use log_format::{ActionId, Pid};

use super::fate::listed;
use super::run::{Does, Receive, Run, Step};
use crate::story::Pattern;
use session::value::Value;

/// The cause of a wait, and of which kind it is.
pub(super) type Cause = (Pattern, String);

/// No action of a process is later.
pub(super) const LATER: u64 = u64::MAX;

/// A process that waits, or waited in vain.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub(super) pid: Pid,
    /// The action with which the wait ended; [`LATER`]: it never ended.
    pub(super) end: u64,
}

/// What one process wants of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// An answer.
    Answer,
    /// That it says that it runs: `proc_lib` has started it.
    Start,
    /// That it ends: `proc_lib:stop`, and what behaviours make of it.
    End,
}

/// What a process asked for, and of whom.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    pub(super) wish: Wish,
    /// The action with which it asked: it sent something, or created the other one.
    pub(super) sent: ActionId,
    pub(super) to: Pid,
    /// With which action that was received.
    pub(super) taken: Option<ActionId>,
}

impl Wait {
    /// The receive of the program.
    pub(super) fn receive(self, run: &Run<'_>) -> Option<Receive> {
        match self.end {
            LATER => run.waits_at(self.pid),
            end => run.receive_of(ActionId::new(self.pid, end)),
        }
    }

    pub(super) fn id(self) -> ActionId {
        ActionId::new(self.pid, self.end)
    }

    /// `0.1.0 main/0 waited in vain [timeout:0.1.0/1, shards.erl:15]`.
    pub(super) fn words(self, run: &Run<'_>) -> String {
        match self.end {
            LATER => {
                let place = self
                    .receive(run)
                    .map_or_else(String::new, |place| format!(" at {place}"));
                format!("{} waits for ever{place}", run.named(self.pid))
            }
            _ => format!("{} waited in vain {}", run.who(self.id()), run.at(self.id())),
        }
    }
}

/// What a process asked of another one last before it waited, after all that it had received.
pub(super) fn ask(run: &Run<'_>, wait: Wait) -> Option<Ask> {
    for step in run.before(wait.id()).iter().rev() {
        let sent = ActionId::new(wait.pid, step.number);
        match step.does {
            Does::Got(..) => return ends(run, wait, sent),
            Does::Spawn(child) if starts(run, sent) => {
                return Some(Ask {
                    wish: Wish::Start,
                    sent,
                    to: child,
                    taken: None,
                });
            }
            Does::Send(tag) => {
                let to = run.receiver(sent).filter(|to| *to != wait.pid);
                let tells = || run.value(sent).is_some_and(|said| says_that_it_runs(said, wait.pid));
                let Some(to) = to.filter(|_| !tells()) else { continue };
                let taken = run.receipt(tag);
                // It was taken long ago, and what came of that is not known.
                if taken.is_none() && !run.is_untaken(tag, to) {
                    return None;
                }
                // Who ended a process waits for no answer of it.
                let is_exit = |step: &Step| matches!(step.does, Does::EndedBy(..));
                if taken.and_then(|taken| run.step(taken)).is_some_and(is_exit) {
                    return None;
                }
                return Some(Ask {
                    wish: Wish::Answer,
                    sent,
                    to,
                    taken,
                });
            }
            _ => {}
        }
    }
    None
}

/// Functions of `proc_lib` that wait until what they have created says that it runs.
const STARTS: [&str; 3] = ["start", "start_link", "start_monitor"];

/// Did `proc_lib` create a process with this action, so that its creator waits until it says that it runs?
fn starts(run: &Run<'_>, spawn: ActionId) -> bool {
    let frames = run.seen(spawn).map_or(&[][..], |seen| &seen.frames);
    let places = frames.iter().filter_map(|frame| frame.place.as_ref());
    // Nearer than the code of the program.
    let mut library = places.take_while(|place| !run.scene.sources.owns(&place.file));
    library.any(|place| {
        let function = place.function;
        function.module.as_str() == "proc_lib" && STARTS.contains(&function.name.as_str())
    })
}

/// If a process waits for the end of another one, which has said with this message that it is about to end.
fn ends(run: &Run<'_>, wait: Wait, got: ActionId) -> Option<Ask> {
    let Does::Got(_, Some(from)) = run.step(got)?.does else {
        return None;
    };
    let (taken, sent) = run.last_got(from)?;
    let is_order = |said: &Value| match said.tuple() {
        [head, _, what] => head.is_atom("system") && matches!(what.tuple(), [order, _] if order.is_atom("terminate")),
        _ => false,
    };
    let is_it = sent.pid == wait.pid && taken.pid == from.pid && run.value(sent).is_some_and(is_order);
    is_it.then_some(Ask {
        wish: Wish::End,
        sent,
        to: from.pid,
        taken: None,
    })
}

/// Is it what a process that `proc_lib` started tells its creator? That asks for nothing.
fn says_that_it_runs(said: &Value, of: Pid) -> bool {
    matches!(said.tuple(), [head, Value::Pid(pid), _] if head.is_atom("ack") && *pid == of)
}

/// Processes that wait for each other.
pub(super) fn circle(run: &Run<'_>, way: &[(Wait, Ask)]) -> Cause {
    let names: Vec<String> = way.iter().map(|(wait, _)| run.named(wait.pid)).collect();
    let asks: Vec<String> = way
        .iter()
        .map(|(wait, ask)| {
            let (pid, at) = (wait.pid, run.at(ask.sent));
            match ask.wish {
                Wish::Answer => format!("{pid} sent {} to {} {at}", run.said(ask.sent), ask.to),
                Wish::Start => format!("{pid} is starting {} {at}", ask.to),
                Wish::End => format!("{pid} waits for the end of {}, which it asked to stop {at}", ask.to),
            }
        })
        .collect();
    let text = format!("{} wait for each other: {}.", listed(&names), listed(&asks));
    (Pattern::WaitCycle, text)
}
