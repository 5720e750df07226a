//! Fewer switches that still fail: delta debugging [Zeller, Hildebrandt: *Simplifying and Isolating Failure-Inducing Input*, TSE 2002] over the
//! choices of the failing run that were not usual. What a list leaves out is done in the usual way, so every list is a schedule.

use system::scheduler::Switch;

/// What came of a list of switches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tried {
    /// The run fails in the same way, and made these switches (at most as many).
    Fails(Vec<Switch>),
    /// It does not.
    Passes,
    /// It was not tried: that is enough.
    Enough,
}

/// How far shrinking came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shrunk {
    /// The switches that are left.
    pub list: Vec<Switch>,
    /// How many lists were tried.
    pub runs: usize,
    /// Is each of them needed? Otherwise it was enough before.
    pub is_complete: bool,
}

/// Of a list that is this many times as long, its last switches are tried alone first: a program often fails soon after what made it fail.
const LONG: usize = 16;
/// So many last ones.
const TAILS: [usize; 2] = [16, 256];

/// Removes switches as long as the rest still fails.
///
/// # Errors
/// Those of `tries`.
pub fn shrink<E>(first: Vec<Switch>, mut tries: impl FnMut(&[Switch]) -> Result<Tried, E>) -> Result<Shrunk, E> {
    let mut runs = 0;
    let mut list = first;
    let mut parts = 2;
    let enough = |list, runs| {
        let is_complete = false;
        Ok(Shrunk {
            list,
            runs,
            is_complete,
        })
    };
    // Often nothing is needed but the order of sends.
    let tails = TAILS.into_iter().filter(|tail| tail * LONG <= list.len());
    let tails: Vec<usize> = std::iter::once(0).chain(tails).collect();
    for tail in tails {
        let rest = list[list.len() - tail..].to_vec();
        match tries(&rest)? {
            Tried::Enough => return enough(list, runs),
            Tried::Passes => runs += 1,
            Tried::Fails(made) => {
                runs += 1;
                list = shorter(made, rest);
                break;
            }
        }
    }
    while !list.is_empty() {
        let size = list.len().div_ceil(parts);
        let mut smaller = None;
        for start in (0..list.len()).step_by(size) {
            let end = (start + size).min(list.len());
            let rest: Vec<Switch> = list[..start].iter().chain(&list[end..]).copied().collect();
            match tries(&rest)? {
                Tried::Enough => return enough(list, runs),
                Tried::Passes => runs += 1,
                Tried::Fails(made) => {
                    runs += 1;
                    smaller = Some(shorter(made, rest));
                    break;
                }
            }
        }
        match smaller {
            Some(rest) => {
                list = rest;
                parts = (parts - 1).max(2);
            }
            None if size == 1 => break,
            None => parts = (parts * 2).min(list.len()),
        }
    }
    Ok(Shrunk {
        list,
        runs,
        is_complete: true,
    })
}

fn shorter(made: Vec<Switch>, rest: Vec<Switch>) -> Vec<Switch> {
    if made.len() < rest.len() { made } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::scheduler::Actor;

    fn switch(n: u64) -> Switch {
        Switch {
            instead_of: Actor::Process(1),
            after: n,
            to: Actor::Process(2),
        }
    }

    /// Tries lists that fail if they hold all these, at most so often.
    fn shrunk(all: &[Switch], needed: &[Switch], most: usize) -> Shrunk {
        let mut left = most;
        let tries = |list: &[Switch]| {
            if left == 0 {
                return Ok::<_, ()>(Tried::Enough);
            }
            left -= 1;
            let all = needed.iter().all(|s| list.contains(s));
            Ok(if all {
                Tried::Fails(list.to_vec())
            } else {
                Tried::Passes
            })
        };
        shrink(all.to_vec(), tries).unwrap()
    }

    #[test]
    fn what_is_not_needed_goes() {
        let all: Vec<Switch> = (0..100).map(switch).collect();
        let needed = [switch(17), switch(58), switch(59)];
        let Shrunk {
            list,
            runs,
            is_complete,
        } = shrunk(&all, &needed, 1000);
        assert_eq!(list, needed);
        assert!(runs < 120 && is_complete, "{runs}");
        let Shrunk {
            list,
            runs,
            is_complete,
        } = shrunk(&all, &needed, 5);
        assert!(
            runs == 5 && !is_complete && needed.iter().all(|s| list.contains(s)),
            "{list:?}"
        );
    }

    #[test]
    fn what_a_long_run_needs_is_often_near_its_end() {
        let all: Vec<Switch> = (0..50_000).map(switch).collect();
        let near = shrunk(&all, &[switch(49_990)], 1000);
        assert!(near.list.len() == 1 && near.runs < 10, "{near:?}");
        let far = shrunk(&all, &[switch(7)], 1000);
        assert!(far.list.len() == 1 && far.runs < 50, "{far:?}");
    }

    #[test]
    fn a_program_that_always_fails_needs_no_switch() {
        let all: Vec<Switch> = (0..9).map(switch).collect();
        let nothing = Shrunk {
            list: vec![],
            runs: 1,
            is_complete: true,
        };
        assert_eq!(shrunk(&all, &[], 10), nothing);
    }
}
