//! The chain of births that leads to a process.

use log_format::{ActionId, Error, Pid, Result, Trace};

/// The spawns that led to a process: its own, its parent's, and so on up to an entry process.
///
/// In a hostile trace, births can form a cycle. That is an error, not an endless chain.
pub fn ancestors(trace: &Trace, pid: Pid) -> impl Iterator<Item = Result<ActionId>> + '_ {
    let mut at = Some(pid);
    // Brent's algorithm: the mark moves up after 1, 2, 4, 8, ... steps.
    let (mut mark, mut steps, mut until) = (pid, 0_u64, 1_u64);
    std::iter::from_fn(move || {
        let parent = match trace.process(at?).map(|process| process.parent) {
            Ok(parent) => parent,
            Err(error) => {
                at = None;
                return Some(Err(error));
            }
        };
        at = parent.map(|spawn| spawn.pid);
        if at == Some(mark) {
            at = None;
            let expected = format!("births that lead from an entry process to {pid}");
            return Some(Err(Error::damaged(
                0,
                expected,
                format_args!("{mark} among its own ancestors"),
            )));
        }
        steps += 1;
        if steps == until
            && let Some(at) = at
        {
            (mark, steps, until) = (at, 0, until.saturating_mul(2));
        }
        parent.map(Ok)
    })
}
