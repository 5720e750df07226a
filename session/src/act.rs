//! Actions as they are shown: what the log knows, and what a replay saw.

use log_format::{Action, ActionId, Kind, Pid, Trace};
use rustc_hash::FxHashMap;

use crate::name::{self, Tally};
use crate::view::Act;
use crate::watch::Seen;
use crate::words::{bytes, safe};

/// An action from the log alone.
#[must_use]
pub fn from_log(trace: &Trace, pid: Pid, action: &Action, tally: &Tally, base: u64) -> Act {
    let content = match &action.kind {
        Kind::Output { bytes: n, device } => Some(format!("{} to {}", bytes(*n), name::device(trace, *device))),
        Kind::Halt { code } => Some(code.to_string()),
        Kind::Start { node, ok } => {
            let result = if *ok { "" } else { ", in vain" };
            Some(format!("{}{result}", name::node_name(trace, *node)))
        }
        Kind::Exit {
            class: log_format::ExitClass::Normal,
        } => None,
        Kind::Exit { class } => Some(class.word().to_owned()),
        _ => None,
    };
    let peer = name::peer(action).filter(|_| !of_runtime(trace, pid, action));
    Act {
        pid: pid.to_string(),
        name: None,
        number: tally.counts.actions,
        target: name::target(pid, action, tally, base),
        kind: action.kind.word(),
        peer: peer.map(|pid| pid.to_string()),
        signal: action.kind.consumed().map(|tag| tag.to_string()),
        content,
        accesses: action
            .accesses
            .iter()
            .map(|access| name::access(trace, access))
            .collect(),
        place: None,
        is_target: false,
    }
}

/// Is it the receipt of an answer of the runtime to a call of the process itself (`noproc` for its monitor)? It has a tag of the process.
fn of_runtime(trace: &Trace, pid: Pid, action: &Action) -> bool {
    let Kind::Rec(tag @ log_format::Tag::Sent { by, .. }) = action.kind else {
        return false;
    };
    let sent = || {
        let ActionId { pid: by, number: n } = trace.find_send(tag).ok()??;
        trace.action(by, n).ok()
    };
    by == pid && sent().is_some_and(|action| !matches!(action.kind, Kind::Send))
}

/// Adds what a replay saw.
pub fn add_seen(act: &mut Act, seen: &Seen) {
    let Seen {
        peer,
        content,
        place,
        tally: _,
        frames: _,
        keys,
        table,
        registers: _,
        timer: _,
        raised: _,
    } = seen;
    for (hash, key) in keys {
        let (hash, key) = (format!(", key {hash:x})"), format!(", key {key})"));
        for access in &mut act.accesses {
            *access = access.replace(&hash, &key);
        }
    }
    if let Some(name) = table {
        for access in &mut act.accesses {
            *access = with_name(access, name);
        }
    }
    // A receipt without a peer is an answer of the runtime.
    if let Some(peer) = peer.filter(|_| act.kind != "rec" || act.peer.is_some()) {
        act.peer = Some(peer.to_string());
    }
    if content.is_some() {
        act.content.clone_from(content);
    }
    act.place.clone_from(place);
}

/// `reads table(0.1.0/1, key hits)` with the name of the table in place of its number.
fn with_name(access: &str, name: &str) -> String {
    for word in ["table(", "contents("] {
        let Some((before, rest)) = access.split_once(word) else {
            continue;
        };
        let Some(end) = rest.find([',', ')']) else { continue };
        return format!("{before}{word}{name}{}", &rest[end..]);
    }
    access.to_owned()
}

/// Names of processes for people, by pid.
pub type Names = FxHashMap<Pid, String>;

/// Puts names beside pids: the process's own, and that of a child in its spawn.
pub fn add_names(act: &mut Act, pid: Pid, names: &Names) {
    act.name = names.get(&pid).map(|name| safe(name));
    if act.kind == "spawn"
        && act.content.is_none()
        && let Some(child) = act.peer.as_deref().and_then(|peer| peer.parse::<Pid>().ok())
    {
        act.content = names.get(&child).map(|name| safe(name));
    }
}
