//! Holders of registered names.

use std::collections::{BTreeMap, BTreeSet};

use log_format::{Access, Action, ActionId, ActionNo, Kind, LogStep, Pid, Resource, Result, TextId, Trace, Version};

/// The processes that were registered under a name, in order, each with the action that registered it. Reads the whole trace.
///
/// A registration is an access that writes the name and reads the life of the process that gets it (semantics.md §4). A process that registers
/// itself is alive, and reads nothing.
///
/// # Errors
/// If the trace is damaged.
pub fn holders(trace: &Trace, name: &str) -> Result<Vec<(Pid, ActionId)>> {
    let mut found: Vec<(Version, Pid, ActionId)> = Vec::new();
    // The trace may contain the same text many times: its number is looked up once.
    let mut known: Option<TextId> = None;
    registrations(trace, |text, version, holder, action| {
        if known == Some(text) || known.is_none() && is_called(trace.text(text)?, name) {
            known = Some(text);
            found.push((version, holder, action));
        }
        Ok(())
    })?;
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, holder, action)| (holder, action)).collect())
}

/// Is it this name? A module of Elixir may be typed without its beginning.
fn is_called(text: &str, name: &str) -> bool {
    text == name || text.strip_prefix("Elixir.") == Some(name)
}

/// All names that processes were registered under, in alphabetical order. Reads the whole trace.
///
/// # Errors
/// If the trace is damaged.
pub fn registered(trace: &Trace) -> Result<Vec<String>> {
    let mut texts = BTreeSet::new();
    registrations(trace, |text, _, _, _| {
        texts.insert(text);
        Ok(())
    })?;
    let names: Result<BTreeSet<String>> = texts.into_iter().map(|text| Ok(trace.text(text)?.to_owned())).collect();
    Ok(names?.into_iter().collect())
}

/// The first name that each process was registered under. Reads the whole trace.
///
/// # Errors
/// If the trace is damaged.
pub fn first_names(trace: &Trace) -> Result<BTreeMap<Pid, String>> {
    let mut found: BTreeMap<Pid, (Version, TextId)> = BTreeMap::new();
    registrations(trace, |text, version, holder, _| {
        let known = found.entry(holder).or_insert((version, text));
        *known = (*known).min((version, text));
        Ok(())
    })?;
    let name = |(pid, (_, text)): (Pid, (Version, TextId))| Ok((pid, trace.text(text)?.to_owned()));
    found.into_iter().map(name).collect()
}

/// Calls `note` for every registration: the name, its version, the process that got it, and the action.
fn registrations(trace: &Trace, mut note: impl FnMut(TextId, Version, Pid, ActionId) -> Result<()>) -> Result<()> {
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?.without_values();
        loop {
            let number = ActionNo(log.counts().actions + 1);
            let Some(step) = log.step(u64::MAX)? else {
                break;
            };
            let LogStep::Action(action) = step else {
                continue;
            };
            if action.accesses.is_empty() || action.is_end() || matches!(action.kind, Kind::Rec(_)) {
                continue;
            }
            for (i, access) in action.accesses.iter().enumerate() {
                if let Resource::Name(text) = access.resource
                    && access.write
                    && let Some(holder) = holder(pid, action, i)
                {
                    note(text, access.version, holder, ActionId { pid, number })?;
                }
            }
        }
    }
    Ok(())
}

/// The process that gets the name which the `i`-th access of an action writes; `None` if the name becomes free.
fn holder(me: Pid, action: &Action, i: usize) -> Option<Pid> {
    // The life that is read with it: the access next to it, if several names are written at once.
    let life = |access: &Access| match access.resource {
        Resource::Alive(holder) if !access.write => Some(holder),
        _ => None,
    };
    let before = action.accesses[..i].iter().rev().find_map(life);
    let found = before.or_else(|| action.accesses[i..].iter().find_map(life));
    // Odd versions register the name, even ones free it.
    let gives = action.accesses[i].version.0 % 2 == 1;
    found.or_else(|| gives.then_some(me))
}
