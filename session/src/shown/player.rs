//! Views of a player: a process at the current position, and undone actions.

use log_format::{ActionId, Pid};
use rustc_hash::FxHashMap;

use super::{Teller, next_action, quote, rows};
use crate::act;
use crate::called::ProcessNames;
use crate::error::Error;
use crate::name::ActionTally;
use crate::player::{Player, Stretch, handle};
use crate::subject::{self, ShownBounds};
use crate::view::{Act, ActKind, ProcessView, Suffix};

/// The undone actions, each stretch with its first action.
///
/// # Errors
/// If the trace is damaged there.
pub fn roll_log(player: &Player, undone: &[Stretch]) -> Result<Vec<Suffix>, Error> {
    let mut merged: FxHashMap<Pid, Stretch> = FxHashMap::default();
    for one in undone {
        let all = merged.entry(one.pid).or_insert(*one);
        all.first = all.first.min(one.first);
        all.last = all.last.max(one.last);
    }
    let mut stretches: Vec<Stretch> = merged.into_values().collect();
    stretches.sort_unstable();
    stretches
        .into_iter()
        .map(|one| {
            Ok(Suffix {
                pid: one.pid.to_string(),
                first: act(player, one.pid, one.first.0)?,
                actions: one.actions(),
                last: one.ends().1.to_string(),
            })
        })
        .collect()
}

fn act(player: &Player, pid: Pid, n: u64) -> Result<Act, Error> {
    let trace = player.session().trace();
    if player.history().left_at(pid).is_some_and(|left| n > left) {
        let action = player.history().action(pid, n)?;
        let mut tally = ActionTally::default();
        tally.counts.actions = n;
        tally.counts.sends = player.history().sends(pid, n)?;
        let mut act = act::from_log(trace, pid, &action, &tally, 0);
        // What is numbered over the trace has no number beyond it.
        if matches!(act.kind, ActKind::Rec | ActKind::After | ActKind::Output) {
            act.target = ActionId::new(pid, n).to_string();
        }
        return Ok(act);
    }
    let mut teller = Teller::new(trace);
    rows::act(
        &mut teller,
        pid,
        n,
        None,
        &FxHashMap::default(),
        &ProcessNames::default(),
    )
}

/// A process at the current position; `None` if it does not exist there.
///
/// # Errors
/// If the trace is damaged there.
pub fn standing(
    player: &Player,
    pid: Pid,
    names: &ProcessNames,
    bounds: &ShownBounds,
) -> Result<Option<ProcessView>, Error> {
    let living = player.look(|system| {
        let p = system.table().by_pid(handle(pid))?;
        Some(subject::living(system, p, bounds))
    });
    let ended = || -> Result<Option<ProcessView>, Error> {
        let end = player.end_of(pid)?;
        Ok(end.map(|end| subject::ended(pid, player.done(pid), &end)))
    };
    let view = living.map_or_else(ended, |view| Ok(Some(view)))?;
    let Some(mut view) = view else { return Ok(None) };
    let length = player.history().length(pid)?.unwrap_or(0);
    view.of_actions = length;
    view.name = names.get(&pid).cloned();
    quote(player.session(), &mut view, bounds);
    if player.session().trace().has(pid)? {
        view.next = next_action(player.session().trace(), pid, view.actions)?;
    }
    Ok(Some(view))
}
