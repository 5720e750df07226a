//! Entries of CauDEr's logs that show that a node was absent, and so must come before its start.

use rustc_hash::{FxHashMap, FxHashSet};

use super::log::{LogEntry, LogFolder};

/// Entries that need a node to be absent and do not follow from its start: by node, process and index.
pub type Absent = FxHashMap<String, Vec<(u64, usize)>>;

/// The nodes that the logs say were started.
pub fn starts(logs: &LogFolder) -> FxHashSet<&str> {
    let all = logs.processes.values().flat_map(|log| &log.entries);
    let started = all.filter_map(|(entry, _)| match entry {
        LogEntry::Start { node, ok: true } => Some(node.as_str()),
        _ => None,
    });
    started.collect()
}

/// The entries that need a node to be absent. Entries that follow from its start see it absent because it was stopped.
pub fn missing_nodes(logs: &LogFolder) -> Absent {
    let mut homes: FxHashMap<u64, &str> = FxHashMap::default();
    let mut receipts: FxHashMap<u64, (u64, usize)> = FxHashMap::default();
    let mut started: Vec<(&str, u64, usize)> = Vec::new();
    for (&pid, log) in &logs.processes {
        for (i, (entry, _)) in log.entries.iter().enumerate() {
            match entry {
                LogEntry::Spawn { node, pid, ok: true } => {
                    homes.insert(*pid, node);
                }
                LogEntry::Receive(uid) => {
                    receipts.insert(*uid, (pid, i));
                }
                LogEntry::Start { node, ok: true } => started.push((node, pid, i)),
                _ => {}
            }
        }
    }
    let names: FxHashSet<&str> = started.iter().map(|(node, ..)| *node).collect();
    let mut all = Absent::default();
    for (&pid, log) in &logs.processes {
        for (i, (entry, _)) in log.entries.iter().enumerate() {
            let absent: Vec<&str> = match entry {
                LogEntry::Spawn { node, ok: false, .. } => vec![node],
                LogEntry::Nodes(list) => {
                    let home = homes.get(&pid).copied();
                    let missing = |n: &&str| !list.iter().any(|l| l == n) && home != Some(*n);
                    names.iter().copied().filter(missing).collect()
                }
                _ => continue,
            };
            for node in absent {
                all.entry(node.to_owned()).or_default().push((pid, i));
            }
        }
    }
    for (node, pid, i) in started {
        let Some(entries) = all.get_mut(node) else { continue };
        let later = follow(logs, &receipts, (pid, i + 1));
        entries.retain(|(pid, i)| later.get(pid).is_none_or(|from| i < from));
    }
    all
}

/// What follows from an entry and all later ones of its process: for each process, from which index on.
fn follow(logs: &LogFolder, receipts: &FxHashMap<u64, (u64, usize)>, from: (u64, usize)) -> FxHashMap<u64, usize> {
    let mut reached: FxHashMap<u64, usize> = FxHashMap::default();
    let mut open = vec![from];
    while let Some((pid, from)) = open.pop() {
        let Some(log) = logs.processes.get(&pid) else { continue };
        let until = reached.get(&pid).copied().unwrap_or(log.entries.len());
        if from >= until && reached.contains_key(&pid) {
            continue;
        }
        reached.insert(pid, from);
        for (entry, _) in log.entries.get(from..until).unwrap_or_default() {
            match entry {
                LogEntry::Send(uid) => open.extend(receipts.get(uid)),
                LogEntry::Spawn { pid, ok: true, .. } => open.push((*pid, 0)),
                _ => {}
            }
        }
    }
    reached
}
