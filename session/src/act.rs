//! Actions for display: from the log, and from what a replay observed.

use log_format::{Action, ActionId, Kind, Pid, TestNote, TextId, Trace};

use crate::called::ProcessNames;
use crate::content::Content;
use crate::name::{self, ActionTally};
use crate::shared::{SeenNames, SharedUse};
use crate::view::{Act, ActKind};
use crate::watch::SeenAction;
use crate::words::{bytes, safe};

/// An action for display: from the log, and from what a replay observed of it, if there was one.
#[must_use]
pub fn shown(
    trace: &Trace,
    pid: Pid,
    action: &Action,
    tally: &ActionTally,
    base: u64,
    seen: Option<&SeenAction>,
) -> Act {
    let log = from_log(trace, pid, action, tally, base);
    let Some(seen) = seen else { return log };
    // A receive without a peer took a reply of the runtime.
    let peer = seen.peer.filter(|_| log.kind != ActKind::Rec || log.peer.is_some());
    Act {
        peer: peer.or(log.peer),
        input: seen.input.or(log.input),
        // The log says more of a test than the exception.
        content: match log.kind {
            ActKind::Test => log.content,
            _ => {
                let said = seen.said.clone().map(Content::from);
                said.or_else(|| seen.content.clone()).or(log.content)
            }
        },
        purpose: seen.purpose,
        peaceful: seen.peaceful,
        native: seen.native,
        accesses: SharedUse::all(trace, action, seen.names()),
        place: seen.place.clone(),
        ..log
    }
}

/// What a test runner noted: `bank_tests:transfer_test failed: error {badmatch,2}`.
fn tested(trace: &Trace, test: TextId, note: &TestNote) -> String {
    let name = trace.text(test).map_or_else(|_| format!("text {test}"), safe);
    match note {
        TestNote::Failed { reason, .. } if !reason.is_empty() => format!("{name} failed: {}", safe(reason)),
        note => format!("{name} {}", note.word()),
    }
}

/// An action for display, from the log alone.
#[must_use]
pub fn from_log(trace: &Trace, pid: Pid, action: &Action, tally: &ActionTally, base: u64) -> Act {
    let content = match &action.kind {
        Kind::Output { bytes: n, device } => Some(format!("{} to {}", bytes(*n), name::device(trace, *device))),
        Kind::Halt { code } => Some(code.to_string()),
        Kind::Test { name, note, .. } => Some(tested(trace, *name, note)),
        Kind::Start { node, ok } => {
            let result = if *ok { "" } else { " (fails)" };
            Some(format!("{}{result}", name::node_name(trace, *node)))
        }
        Kind::Exit {
            class: log_format::ExitClass::Normal,
        } => None,
        Kind::Exit { class } => Some(class.word().to_owned()),
        // Their names and accesses say it all, or only a replay sees more.
        Kind::Spawn { .. }
        | Kind::SpawnFailed { .. }
        | Kind::Send
        | Kind::Rec(_)
        | Kind::After
        | Kind::Signal { .. }
        | Kind::Drop { .. }
        | Kind::Access
        | Kind::Version { .. }
        | Kind::Nodes
        | Kind::Observe { .. }
        | Kind::Input { .. } => None,
    };
    let peer = name::peer(action).filter(|_| !is_answer_of_runtime(trace, pid, action));
    Act {
        pid,
        name: None,
        number: tally.counts.actions,
        target: name::target(pid, action, tally, base),
        kind: ActKind::from(&action.kind),
        peer,
        signal: action.kind.consumed(),
        input: action.kind.input_class(),
        purpose: None,
        content: content.map(Content::from),
        // Of an exit signal, the log has no reason.
        peaceful: matches!(
            action.kind,
            Kind::Signal { .. }
                | Kind::Exit {
                    class: log_format::ExitClass::Normal
                }
        ),
        native: None,
        accesses: SharedUse::all(trace, action, SeenNames::default()),
        place: None,
        is_target: false,
    }
}

/// Did the process receive the runtime's reply to its own call (`noproc` for its monitor)? Such a message has a tag of the process itself.
fn is_answer_of_runtime(trace: &Trace, pid: Pid, action: &Action) -> bool {
    let Kind::Rec(tag @ log_format::Tag::Sent { by, .. }) = action.kind else {
        return false;
    };
    let sent = || {
        let ActionId { pid: by, number: n } = trace.find_send(tag).ok()??;
        trace.action(by, n).ok()
    };
    by == pid && sent().is_some_and(|action| !matches!(action.kind, Kind::Send))
}

/// Adds names: of the process itself, and for a spawn that of the child.
pub fn add_names(act: &mut Act, names: &ProcessNames) {
    act.name = names.get(&act.pid).cloned();
    if act.kind == ActKind::Spawn
        && act.content.is_none()
        && let Some(child) = act.peer
    {
        act.content = names.get(&child).map(|name| Content::from(safe(name)));
    }
}
