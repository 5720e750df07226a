//! Ends by errors: as events of the logger, and those that somebody has been told of.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::START_REFUSED;

use crate::ops::{OpResult, Operation, TRUE, badarg};
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$crash_reports", 1, NativeClass::Pure, crash_reports),
    Operation::new("erlang", "$crash_proxy", 1, NativeClass::Pure, crash_proxy),
    Operation::new("erlang", "$start_refused", 0, NativeClass::Observe, start_refused),
];

/// `'$start_refused'()`: this process is about to end because it could not start, and its starter knows it.
fn start_refused(step: &mut Step<'_>) -> OpResult {
    step.observe(None, |_, _| Term::atom(Atom::new(START_REFUSED)))
}

/// `'$crash_reports'(Wanted)`: does the logger of this node print them?
fn crash_reports(step: &mut Step<'_>) -> OpResult {
    let [wanted] = step.args();
    let node = step.process.pid.node();
    match wanted.as_bool().ok_or_else(badarg)? {
        true => step.world.silent_nodes.remove(&node),
        false => step.world.silent_nodes.insert(node),
    };
    Ok(TRUE)
}

/// `'$crash_proxy'(Pid)`: sets the process that gets these events on this node; with something else than a pid, none.
fn crash_proxy(step: &mut Step<'_>) -> OpResult {
    let [proxy] = step.args();
    let node = step.process.pid.node();
    match proxy.as_pid() {
        // The proxy says so itself, so its log can be followed without that of the process that made it the proxy.
        Some(proxy) if proxy == step.process.pid => {
            step.world.crash_hearers.insert(proxy);
        }
        Some(proxy) => {
            step.world.crash_proxies.insert(node, proxy);
        }
        None => {
            step.world.crash_proxies.remove(&node);
        }
    }
    Ok(TRUE)
}
