//! Who held a registered name.

use log_format::{ActionNo, Kind, Pid, Resource, Result, Step, TextId, Trace, Version};

/// The processes that were registered under a name, in the order of the registrations, each with the action that registered it.
/// Reads the whole trace.
///
/// A registration is an access that writes the name and reads the life of the process that gets it (semantics.md §4).
///
/// # Errors
/// If the trace is damaged.
pub fn holders(trace: &Trace, name: &str) -> Result<Vec<(Pid, (Pid, ActionNo))>> {
    let mut found: Vec<(Version, Pid, (Pid, ActionNo))> = Vec::new();
    // A text may be asked for again and again: its number is looked for once.
    let mut known: Option<TextId> = None;
    for process in trace.processes() {
        let pid = process?.pid;
        let mut log = trace.log(pid)?.without_values();
        loop {
            let number = ActionNo(log.counts().actions + 1);
            let Some(step) = log.step(u64::MAX)? else {
                break;
            };
            let Step::Action(action) = step else {
                continue;
            };
            if action.accesses.len() < 2 || action.is_end() || matches!(action.kind, Kind::Rec(_)) {
                continue;
            }
            for (i, access) in action.accesses.iter().enumerate() {
                let Resource::Name(text) = access.resource else {
                    continue;
                };
                let same = access.write && (known == Some(text) || trace.text(text)? == name);
                if !same {
                    continue;
                }
                known = Some(text);
                // The life that is read with it, next to it if several names are written at once.
                let life = |access: &log_format::Access| match access.resource {
                    Resource::Alive(holder) if !access.write => Some(holder),
                    _ => None,
                };
                let before = action.accesses[..i].iter().rev().find_map(life);
                if let Some(holder) = before.or_else(|| action.accesses[i..].iter().find_map(life)) {
                    found.push((access.version, holder, (pid, number)));
                }
            }
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, holder, action)| (holder, action)).collect())
}
