//! The order in which `lists:sort/1` of OTP leaves elements that compare equal and are not identical (1 and 1.0). It follows from its merge
//! sort, which takes runs from the input, ascending or descending as the first two elements are, and merges three at a time.
//!
//! A list is a vector with its head at the end, because runs are built from their last element on.

use std::cmp::Ordering;

use crate::term::Term;

/// Sorts a list, given from its first element.
pub(super) fn sort(list: Vec<Term>, compare: impl Fn(Term, Term) -> Ordering) -> Vec<Term> {
    let mut sorted = Sorter {
        at_most: |a, b| compare(a, b) != Ordering::Greater,
        equal: |a, b| compare(a, b) == Ordering::Equal,
    }
    .sort(list);
    sorted.reverse();
    sorted
}

type List = Vec<Term>;

struct Sorter<L, E> {
    at_most: L,
    equal: E,
}

impl<L: Fn(Term, Term) -> bool, E: Fn(Term, Term) -> bool> Sorter<L, E> {
    fn sort(&self, mut list: List) -> List {
        if let [x, y, z] = list[..] {
            return self.sort_three(x, y, z);
        }
        list.reverse();
        if list.len() < 2 {
            return list;
        }
        let (Some(mut x), Some(mut y)) = (list.pop(), list.pop()) else {
            unreachable!("there are two")
        };
        let mut run = Vec::new();
        // Equal ones at the front belong to the first run, whatever its direction.
        while (self.equal)(x, y) {
            run.push(x);
            x = y;
            match list.pop() {
                Some(next) => y = next,
                None => {
                    run.push(x);
                    run.reverse();
                    return run;
                }
            }
        }
        let ascending = (self.at_most)(x, y);
        let runs = self.runs(x, y, list, run, ascending);
        self.merge_all(runs, ascending)
    }

    fn sort_three(&self, x: Term, y: Term, z: Term) -> List {
        let at_most = &self.at_most;
        let sorted = if at_most(x, y) {
            match (at_most(y, z), at_most(x, z)) {
                (true, _) => [x, y, z],
                (false, true) => [x, z, y],
                (false, false) => [z, x, y],
            }
        } else {
            match (at_most(x, z), at_most(y, z)) {
                (true, _) => [y, x, z],
                (false, true) => [y, z, x],
                (false, false) => [z, y, x],
            }
        };
        sorted.into_iter().rev().collect()
    }

    /// Does `z` come after `y` in a run of this direction?
    fn behind(&self, y: Term, z: Term, ascending: bool) -> bool {
        if ascending {
            (self.at_most)(y, z)
        } else {
            (self.at_most)(z, y)
        }
    }

    /// Cuts the input into runs, the last one first; each has its greatest element (if descending, the smallest) at its head.
    fn runs(&self, mut x: Term, mut y: Term, mut list: List, mut run: List, ascending: bool) -> Vec<List> {
        let mut runs = Vec::new();
        // An element that does not fit waits: the next one that does not fit either begins a run with it.
        let mut waiting: Option<Term> = None;
        while let Some(z) = list.pop() {
            if self.behind(y, z, ascending) {
                run.push(x);
                (x, y) = (y, z);
            } else if self.behind(x, z, ascending) {
                run.push(x);
                x = z;
            } else if let Some(s) = waiting.take() {
                run.push(x);
                run.push(y);
                runs.push(std::mem::take(&mut run));
                let in_order = if ascending {
                    (self.at_most)(s, z)
                } else {
                    !(self.at_most)(s, z)
                };
                (x, y) = if in_order { (s, z) } else { (z, s) };
            } else if run.is_empty() {
                run.push(z);
            } else {
                waiting = Some(z);
            }
        }
        run.push(x);
        run.push(y);
        runs.push(run);
        runs.extend(waiting.map(|s| vec![s]));
        runs
    }

    /// Merges the runs in passes; each pass reverses the direction.
    fn merge_all(&self, mut lists: Vec<List>, ascending: bool) -> List {
        // Runs that were built upwards have their greatest element at the head: they are merged downwards first.
        let mut downwards = ascending;
        loop {
            if !downwards && lists.len() == 1 {
                return lists.pop().unwrap_or_default();
            }
            let mut merged = Vec::new();
            while !lists.is_empty() {
                let three = lists.len().min(3);
                let mut group: Vec<List> = lists.drain(lists.len() - three..).rev().collect();
                if group.len() == 1 {
                    let mut alone = group.pop().unwrap_or_default();
                    alone.reverse();
                    merged.push(alone);
                    continue;
                }
                if downwards {
                    // The last run is the latest of the input.
                    group.reverse();
                }
                merged.push(self.merge(group, downwards));
            }
            lists = merged;
            downwards = !downwards;
        }
    }

    /// Merges up to three lists, the earliest first, into one in the other direction.
    fn merge(&self, mut lists: Vec<List>, downwards: bool) -> List {
        let mut merged = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        loop {
            let mut best: Option<(usize, Term)> = None;
            for (i, list) in lists.iter().enumerate() {
                let Some(&head) = list.last() else { continue };
                best = match best {
                    Some((_, kept)) if (self.at_most)(kept, head) == downwards => Some((i, head)),
                    None => Some((i, head)),
                    kept => kept,
                };
            }
            let Some((i, head)) = best else { return merged };
            lists[i].pop();
            merged.push(head);
        }
    }
}
