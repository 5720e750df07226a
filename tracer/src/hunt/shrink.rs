//! Fewer switches that still fail: delta debugging [Zeller, Hildebrandt: *Simplifying and Isolating Failure-Inducing Input*, TSE 2002] over the
//! choices of the failing run that were not usual. What a list leaves out is done in the usual way, so every list is a schedule.

use system::scheduler::Switch;

/// Removes switches as long as the rest still fails. `fails` runs a list; if that fails in the same way, it returns the switches that this run
/// made (at most as many). It is called at most `most` times.
pub fn shrink<E>(
    first: Vec<Switch>,
    most: usize,
    mut fails: impl FnMut(&[Switch]) -> Result<Option<Vec<Switch>>, E>,
) -> Result<(Vec<Switch>, usize), E> {
    let mut list = first;
    let mut runs = 0;
    let mut parts = 2;
    // Often nothing is needed but the order of sends.
    if most > 0 {
        runs += 1;
        if let Some(less) = fails(&[])? {
            list = less;
        }
    }
    while !list.is_empty() && runs < most {
        let size = list.len().div_ceil(parts);
        let mut smaller = None;
        for start in (0..list.len()).step_by(size) {
            if runs >= most {
                break;
            }
            let end = (start + size).min(list.len());
            let rest: Vec<Switch> = list[..start].iter().chain(&list[end..]).copied().collect();
            runs += 1;
            if let Some(made) = fails(&rest)? {
                smaller = Some(if made.len() < rest.len() { made } else { rest });
                break;
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
    Ok((list, runs))
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

    #[test]
    fn what_is_not_needed_goes() {
        let all: Vec<Switch> = (0..100).map(switch).collect();
        let needed = [switch(17), switch(58), switch(59)];
        let fails = |list: &[Switch]| {
            let all = needed.iter().all(|s| list.contains(s));
            Ok::<_, ()>(all.then(|| list.to_vec()))
        };
        let (list, runs) = shrink(all.clone(), 1000, fails).unwrap();
        assert_eq!(list, needed);
        assert!(runs < 120, "{runs}");
        let (list, runs) = shrink(all, 5, fails).unwrap();
        assert!(runs == 5 && needed.iter().all(|s| list.contains(s)), "{list:?}");
    }

    #[test]
    fn a_program_that_always_fails_needs_no_switch() {
        let fails = |list: &[Switch]| Ok::<_, ()>(Some(list.to_vec()));
        assert_eq!(shrink((0..9).map(switch).collect(), 10, fails), Ok((vec![], 1)));
    }
}
