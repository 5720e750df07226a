//! What `erlang:trace/3` and `erlang:trace_pattern/3` (`lib/erlang.erl`) need of the system. The messages are made in `step/tracing.rs`.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::ActionId;

use crate::ids;
use crate::ops::{OK, OpResult, Operation, UNDEFINED, badarg};
use crate::step::Step;
use crate::step::tracing::FLAGS;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$tracing", 0, NativeClass::Pure, tracing),
    Operation::new("erlang", "$traced", 1, NativeClass::Observe, traced),
    Operation::new("erlang", "$traceable", 3, NativeClass::Pure, traceable),
];

/// `'$tracing'()`: from now on, steps look whether they are traced.
fn tracing(step: &mut Step<'_>) -> OpResult {
    step.world.is_tracing = true;
    Ok(OK)
}

/// `'$traced'(Pid)`: the flags that a process was born with, and its tracer; `none`, or `undefined` if it has ended.
fn traced(step: &mut Step<'_>) -> OpResult {
    let [target] = step.args();
    let target = target.as_pid().ok_or_else(badarg)?;
    let found = if target == step.process.pid {
        Some((step.process.rare.traced, None))
    } else {
        if step.process.mode.log().is_none() {
            step.settle_all(target);
        }
        let process = step.world.table.by_pid(target);
        process.map(|q| (q.rare.traced, Some(ActionId::new(ids::to_log(target), q.actions))))
    };
    let of = found.and_then(|(_, of)| of);
    step.observe(of, |_, heap| match found {
        None => UNDEFINED,
        Some((None, _)) => Term::atom(Atom::new("none")),
        Some((Some(traced), _)) => {
            let flags = FLAGS.iter().filter(|(_, bit)| traced.flags & bit != 0);
            let flags: Vec<Term> = flags.map(|(name, _)| Term::atom(Atom::new(name))).collect();
            let flags = heap.make_list(&flags);
            heap.make_tuple(&[flags, Term::pid(traced.tracer)])
        }
    })
}

/// `'$traceable'(M, F, A)`: can calls of this function be traced? It is a native that is an action, and not a send, whose fast way knows nothing of it;
/// of a link, the log tells by a signal what became of it.
fn traceable(step: &mut Step<'_>) -> OpResult {
    let [module, function, arity] = step.args();
    let (Some(module), Some(function), Some(arity)) = (module.as_atom(), function.as_atom(), arity.as_small()) else {
        return Err(badarg());
    };
    let is_it = |native: &&interpreter::native::Native| {
        native.module == module.as_str() && native.name == function.as_str() && i64::from(native.arity) == arity
    };
    let native = super::NATIVES.iter().find(is_it);
    let is_plain = |name: &str| !name.starts_with('$') && !matches!(name, "!" | "send" | "link");
    Ok(Term::boolean(native.is_some_and(|native| {
        native.class != NativeClass::Pure && is_plain(native.name)
    })))
}
