//! `halt`.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::Kind;

use crate::observer::Detail;
use crate::ops::{OpResult, Operation, TRUE, badarg};
use crate::outside::Device;
use crate::step::{Interrupt, Step};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "yield", 0, NativeClass::Pure, yield_now),
    Operation::new("erlang", "halt", 0, NativeClass::Effect, halt),
    Operation::new("erlang", "halt", 1, NativeClass::Effect, halt),
    Operation::new("erlang", "halt", 2, NativeClass::Effect, halt),
];

/// The slice is over. In a replay, the log says what comes before the next step.
fn yield_now(step: &mut Step<'_>) -> OpResult {
    if step.process.mode.log().is_some() {
        return Ok(TRUE);
    }
    step.world.scheduler.yields();
    step.process.machine.answer(TRUE);
    Err(Interrupt::Yielded)
}

fn halt(step: &mut Step<'_>) -> OpResult {
    let [status, options] = step.args();
    if options != Term::NONE {
        let flush = |option: Term| match step.process.machine.heap.tuple(option) {
            Some(&[key, on]) => key.as_atom() == Some(Atom::new("flush")) && on.as_bool().is_some(),
            _ => false,
        };
        let known = step
            .process
            .machine
            .heap
            .list(options)
            .is_some_and(|list| list.into_iter().all(flush));
        if !known {
            return Err(crate::ops::badarg_because("badopt"));
        }
    }
    let code = if status == Term::NONE {
        0
    } else if let Some(code) = status.as_small().filter(|&c| c >= 0) {
        code & 0xff
    } else if status.as_atom().map(Atom::as_str) == Some("abort") {
        134
    } else if let Some(list) = step.process.machine.heap.list(status) {
        // A slogan: OTP writes a crash dump and exits with status 1.
        let text: String = list
            .iter()
            .filter_map(|c| c.as_small().and_then(|c| char::from_u32(c as u32)))
            .collect();
        if step.process.mode.log().is_none() {
            let _ = step.world.outside.write(Device::Stderr, format!("{text}\n").as_bytes());
        }
        1
    } else {
        return Err(badarg());
    };
    if step.process.pid.node() != 0 {
        // It stops its own node.
        return step.node_stops(step.process.pid.node(), false);
    }
    step.expect(|k| matches!(k, Kind::Halt { .. }), || format!("halt({code})"))?;
    step.commit(Kind::Halt { code }, 0, Detail::None);
    Err(Interrupt::Halted(code))
}
