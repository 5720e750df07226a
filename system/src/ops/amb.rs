//! `amb`: a choice of the program among several values. It is recorded as an input; exploring a program tries every one.

use interpreter::heap::Fragment;
use interpreter::native::NativeClass;
use interpreter::term::{Pid, Term};
use log_format::InputClass;

use crate::ops::{OpResult, Operation, badarg};
use crate::state::process::Label;
use crate::step::Step;
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[Operation::new("amb", "$choose", 2, NativeClass::Input, choose)];

/// Limit: alternatives of one choice. `amb.erl` refuses more.
const MOST: u32 = 10_000;

fn alternatives(n: Term) -> Option<u32> {
    let n = u32::try_from(n.as_small()?).ok()?;
    (1..=MOST).contains(&n).then_some(n)
}

/// `amb:'$choose'(N, Values)`: a number below N. The values are for those who show the alternatives.
fn choose(step: &mut Step<'_>) -> OpResult {
    let [n, _] = step.args();
    let n = u64::from(alternatives(n).ok_or_else(badarg)?);
    let seed = step.world.seed_beyond(step.process);
    step.input(InputClass::Choice, |world, heap| {
        let seed = seed.unwrap_or_else(|| world.outside.entropy());
        let below = (u128::from(crate::hash::mix(seed)) * u128::from(n)) >> 64;
        heap.make_int(below as i64)
    })
}

impl World {
    /// How many alternatives the next step of a process has, if it is a choice of `amb`.
    #[must_use]
    pub fn alternatives(&self, pid: log_format::Pid) -> Option<u32> {
        self.at_amb(pid).map(|(n, _)| n)
    }

    /// The value of one of them.
    #[must_use]
    pub fn alternative(&self, pid: log_format::Pid, number: u32) -> Option<Fragment> {
        let (_, values) = self.at_amb(pid)?;
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let value = *p.machine.heap.list(values)?.get(number as usize)?;
        Some(p.machine.heap.export(value))
    }

    fn at_amb(&self, pid: log_format::Pid) -> Option<(u32, Term)> {
        let p = self.table.by_pid(Pid::new(0, pid.0))?;
        let Some(Label::Native(id)) = p.label else { return None };
        let native = self.program.native(id);
        let &[n, values] = p.machine.args() else { return None };
        match (native.module, native.name) {
            ("amb", "$choose") => Some((alternatives(n)?, values)),
            _ => None,
        }
    }
}
