//! One replay of all actions that a page holds: contents, places, variables, output, executed lines.

use std::sync::Arc;

use interpreter::vm::{CoveredModule, LineCounts};
use log_format::ActionId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pick::Picked;
use causality::Point;
use session::called::ProcessNames;
use session::error::Error;
use session::view::Printed;
use session::watch::{SeenAction, Watcher, Wish};
use session::{Goal, Session, shown};

/// Bytes of output that are kept for a process.
const OUTPUT: usize = 16 << 10;
/// All actions of a page with at most this many get their variables and long contents.
const SMALL: usize = 5_000;
/// Limit: characters of a term, in a small page and in a large one.
const CHARS: (usize, usize) = (2_000, 300);

/// What the replay saw.
pub struct Scene {
    /// The actions.
    pub seen: FxHashMap<ActionId, SeenAction>,
    /// Names of processes.
    pub names: ProcessNames,
    /// Output.
    pub output: Vec<Printed>,
    /// Executed lines of the program's own modules.
    pub lines: Vec<CoveredModule>,
}

/// Replays what a page holds. `told` get their variables, whatever the size.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn watch(
    session: &Session,
    found: &Point,
    picked: &Picked,
    told: &[ActionId],
    goal: &Goal,
) -> Result<Scene, Error> {
    let sources = session.sources().clone();
    let own: FxHashSet<String> = {
        let files = sources.files();
        files
            .map(|(path, _)| path.to_owned())
            .filter(|path| sources.owns(path))
            .collect()
    };
    let own = Arc::new(own);
    let wanted = Arc::clone(&own);
    let counts = Arc::new(LineCounts::new(move |file| wanted.contains(file)));
    let session = session.counting(Arc::clone(&counts))?;
    let total: usize = picked.values().map(Vec::len).sum();
    let small = total <= SMALL;
    let ids = picked
        .iter()
        .flat_map(|(pid, list)| list.iter().map(|number| ActionId::new(*pid, *number)));
    let near: FxHashSet<ActionId> = match small {
        true => ids.collect(),
        false => told.iter().copied().collect(),
    };
    let wish = Wish {
        acts: picked
            .iter()
            .map(|(pid, list)| (*pid, list.as_slice().into()))
            .collect(),
        subject: Some(found.pid),
        chars: if small { CHARS.0 } else { CHARS.1 },
        output: OUTPUT,
        frames: 1,
        variables: 1,
        near,
        own: Some(own),
        ..Wish::default()
    };
    let mut system = session.replay(goal, Watcher::new(wish))?;
    let outputs = shown::outputs(&mut system);
    let mut shown_pids = shown::shown_pids(&system, &outputs);
    shown_pids.insert(found.pid);
    let names = shown::names_of(&system, &shown_pids);
    Ok(Scene {
        seen: std::mem::take(&mut system.observer.seen),
        output: shown::printed(outputs, &names),
        names,
        lines: counts.all(),
    })
}
