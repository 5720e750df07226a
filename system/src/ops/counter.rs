//! Arrays of counters.

use interpreter::atom::Atom;
use interpreter::heap::TermView;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::{Kind, Resource};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{FALSE, OK, OpResult, Operation, TRUE, badarg, new_reference};
use crate::state::process::Process;
use crate::state::tally::Change;
use crate::step::{Interrupt, Step};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$counter_new", 1, NativeClass::Pure, new),
    Operation::new("erlang", "$counter_new", 2, NativeClass::Pure, new),
    Operation::new("erlang", "$counter_info", 1, NativeClass::Pure, info),
    Operation::new("erlang", "$counter_get", 2, NativeClass::Access, get),
    Operation::new("erlang", "$counter_add", 4, NativeClass::Access, add),
    Operation::new("erlang", "$counter_put", 3, NativeClass::Access, put),
    Operation::new("erlang", "$counter_exchange", 3, NativeClass::Access, exchange),
    Operation::new(
        "erlang",
        "$counter_compare_exchange",
        4,
        NativeClass::Access,
        compare_exchange,
    ),
];

/// `'$counter_new'(Size)`, `'$counter_new'(Size, Kind)`: an array.
fn new(step: &mut Step<'_>) -> OpResult {
    let [size, kind] = step.args();
    let size = size.as_small().and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
    let size = size.ok_or_else(badarg)?;
    let reference = new_reference(step.process);
    let kind = kind.as_atom().unwrap_or(Atom::new("signed"));
    step.world.counters.insert(reference, (size, kind));
    Ok(step.process.machine.heap.make_reference(reference))
}

/// `'$counter_info'(Array)`: `{Size, Kind}`.
fn info(step: &mut Step<'_>) -> OpResult {
    let [array] = step.args();
    let known = match step.process.machine.heap.view(array) {
        TermView::Reference(array) => step.world.counters.get(&array).copied(),
        _ => None,
    };
    let Some((size, kind)) = known else {
        return Ok(FALSE);
    };
    let size = Term::small(i64::try_from(size).unwrap_or(i64::MAX));
    Ok(step.process.machine.heap.make_tuple(&[size, Term::atom(kind)]))
}

fn expect(step: &Step<'_>) -> Result<(), Interrupt> {
    step.expect(|k| matches!(k, Kind::Access), || "use a counter".to_owned())
}

fn get(step: &mut Step<'_>) -> OpResult {
    let [array, index] = step.args();
    let counter = step.counter(array, index)?;
    expect(step)?;
    let value = step.tally(counter)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(step.process.machine.heap.make_int(value))
}

/// `'$counter_add'(Array, Index, Number, Tell)`. If the sum is not returned, it is a blind write: additions commute.
fn add(step: &mut Step<'_>) -> OpResult {
    let [array, index, number, tell] = step.args();
    let counter = step.counter(array, index)?;
    let number = integer(step.process, number).ok_or_else(badarg)?;
    expect(step)?;
    if tell != TRUE {
        return change(step, counter, Change::Add(number));
    }
    let sum = step.tally(counter)?.wrapping_add(number);
    change(step, counter, Change::Set(sum))?;
    Ok(step.process.machine.heap.make_int(sum))
}

/// `'$counter_put'(Array, Index, Number)`: a blind write, like a put of a persistent term.
fn put(step: &mut Step<'_>) -> OpResult {
    let [array, index, number] = step.args();
    let counter = step.counter(array, index)?;
    let number = integer(step.process, number).ok_or_else(badarg)?;
    expect(step)?;
    change(step, counter, Change::Set(number))
}

/// `'$counter_exchange'(Array, Index, Number)`: the old value.
fn exchange(step: &mut Step<'_>) -> OpResult {
    let [array, index, number] = step.args();
    let counter = step.counter(array, index)?;
    let number = integer(step.process, number).ok_or_else(badarg)?;
    expect(step)?;
    let old = step.tally(counter)?;
    change(step, counter, Change::Set(number))?;
    Ok(step.process.machine.heap.make_int(old))
}

/// `'$counter_compare_exchange'(Array, Index, Expected, Number)`: `ok`, or the value if it is another one.
fn compare_exchange(step: &mut Step<'_>) -> OpResult {
    let [array, index, expected, number] = step.args();
    let counter = step.counter(array, index)?;
    let expected = integer(step.process, expected).ok_or_else(badarg)?;
    let number = integer(step.process, number).ok_or_else(badarg)?;
    expect(step)?;
    let old = step.tally(counter)?;
    if old == expected {
        return change(step, counter, Change::Set(number));
    }
    step.commit(Kind::Access, 0, Detail::None);
    Ok(step.process.machine.heap.make_int(old))
}

/// Writes a counter as the whole step.
fn change(step: &mut Step<'_>, counter: Resource, change: Change) -> OpResult {
    step.change_tally(counter, change)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(OK)
}

impl Step<'_> {
    /// One element of a counter array: `[array, index, …]` are the first arguments.
    pub(crate) fn counter(&self, array: Term, index: Term) -> Result<Resource, Interrupt> {
        let TermView::Reference(array) = self.process.machine.heap.view(array) else {
            return Err(badarg());
        };
        let (size, _) = self.world.counters.get(&array).copied().ok_or_else(badarg)?;
        let index = index
            .as_small()
            .and_then(|i| u64::try_from(i).ok())
            .filter(|i| (1..=size).contains(i));
        Ok(Resource::Counter {
            array: ids::object(array),
            index: index.ok_or_else(badarg)?,
        })
    }
}

pub(crate) fn integer(p: &Process, t: Term) -> Option<i64> {
    match p.machine.heap.view(t) {
        TermView::Small(n) => Some(n),
        TermView::Big {
            negative: false,
            limbs: [n],
        } => Some(*n as i64),
        TermView::Big {
            negative: true,
            limbs: [n],
        } => Some((*n as i64).wrapping_neg()),
        _ => None,
    }
}
