//! Group leaders.

use interpreter::native::NativeClass;
use interpreter::term::{Pid, Term};
use log_format::{Kind, Resource};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{OpResult, Operation, TRUE, badarg};
use crate::state::process::Process;
use crate::state::resources::{Aliveness, Value};
use crate::step::{Interrupt, Step};
use crate::world::World;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "group_leader", 0, NativeClass::Access, group_leader),
    Operation::new("erlang", "group_leader", 2, NativeClass::Access, set_group_leader),
];

fn group_leader(step: &mut Step<'_>) -> OpResult {
    step.expect(|k| matches!(k, Kind::Access), || "ask for its group leader".to_owned())?;
    let leader = step.read_leader()?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(Term::pid(leader))
}

fn set_group_leader(step: &mut Step<'_>) -> OpResult {
    let [leader, target] = step.args();
    let leader = leader.as_pid().ok_or_else(badarg)?;
    let target = target.as_pid().ok_or_else(badarg)?;
    step.expect(|k| matches!(k, Kind::Access), || "set a group leader".to_owned())?;
    if target != step.process.pid && step.read_life(target)? != Aliveness::Alive {
        step.commit(Kind::Access, 0, Detail::None);
        return Err(badarg());
    }
    let resource = Resource::GroupLeader(ids::to_log(target));
    step.write(resource, Value::Pid(leader), false)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(TRUE)
}

/// The group leader of a process: the initial one, until another one is set.
fn leader_resource(p: &Process) -> Resource {
    Resource::GroupLeader(ids::to_log(p.pid))
}

impl Step<'_> {
    pub(crate) fn read_leader(&mut self) -> Result<Pid, Interrupt> {
        Ok(match self.read(leader_resource(self.process))? {
            Value::Pid(leader) => leader,
            _ => self.process.group_leader,
        })
    }

    /// As [`Self::read_leader`], for a step that is logged anyway: nothing is read as long as no other leader has been set.
    pub(crate) fn use_leader(&mut self) -> Result<Pid, Interrupt> {
        let resource = leader_resource(self.process);
        let set = self.uses(resource, |world| world.resources.was_written(resource));
        if set {
            self.read_leader()
        } else {
            Ok(self.process.group_leader)
        }
    }
}

impl World {
    /// The current value, for observers of the process.
    pub(crate) fn leader_now(&self, p: &Process) -> Pid {
        self.resources.holder(leader_resource(p)).unwrap_or(p.group_leader)
    }
}
