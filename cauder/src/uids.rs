//! CauDEr's uids in a trace of ours: facts of its header, from which `rec:u13` and `send:u13` are found (causality, `uids`).

use log_format::{SendNo, Tag};

use super::drive::Driven;
use super::log::LogFolder;

/// The facts.
pub fn facts(logs: &LogFolder, driven: &Driven) -> Vec<(String, String)> {
    let mut sent: Vec<_> = driven.sent.iter().map(|(&uid, sent)| (uid, *sent)).collect();
    sent.sort_unstable_by_key(|(uid, _)| *uid);
    let of = |(uid, sent): &(u64, super::drive::LogMessage)| {
        let Tag::Sent { by, k: SendNo(k) } = sent.tag else {
            return None;
        };
        let to = sent.to.map_or_else(String::new, |to| format!(">{}", to.0));
        Some(format!("{uid}={}/{k}{to}", by.0))
    };
    let text: Vec<String> = sent.iter().filter_map(of).collect();
    let mut pids: Vec<(u64, u64)> = driven.pids.iter().map(|(&n, pid)| (n, pid.0)).collect();
    pids.sort_unstable();
    let pids: Vec<String> = pids.into_iter().map(|(n, pid)| format!("{n}={pid}")).collect();
    vec![
        ("cauder".to_owned(), logs.folder.display().to_string()),
        (causality::UIDS.to_owned(), text.join(" ")),
        ("cauder pids".to_owned(), pids.join(" ")),
    ]
}
