//! How a step reads and writes shared resources.

use interpreter::term::Pid;
use log_format::{Access, ActionId, Resource, Version};

use crate::ids;
use crate::state::order::AwaitedWrite;
use crate::state::resources::{Aliveness, Value};
use crate::state::table::Lookup;
use crate::step::{Interrupt, Step};
use crate::world::World;

impl Step<'_> {
    /// Reads a resource: the newest version, or the one that the log names.
    pub(crate) fn read(&mut self, resource: Resource) -> Result<Value, Interrupt> {
        let Some(order) = self.process.mode.order() else {
            let (version, by) = self.world.resources.last_write(resource);
            let value = self.world.resources.newest(resource);
            self.accesses.push(Access::read(resource, version, by));
            return Ok(value);
        };
        let read = order.reads(resource, &self.world.resources);
        let (access, value) =
            read.map_err(|held| self.held(held, "read a shared resource that the recorded step did not use"))?;
        if !access.write {
            self.accesses.push(access);
        }
        Ok(value)
    }

    /// Writes a resource. `reads`: its value or the result of the step depends on the version before (which [`Self::read`] returned; its access
    /// is replaced).
    pub(crate) fn write(&mut self, resource: Resource, value: Value, reads: bool) -> Result<(), Interrupt> {
        let me = ActionId::new(ids::to_log(self.process.pid), self.process.actions + 1);
        let logged = self.logged_write(resource, "a shared resource")?;
        let access = logged.unwrap_or_else(|| {
            let (version, by) = self.world.resources.last_write(resource);
            let version = Version(version.0 + 1);
            if reads {
                Access::update(resource, version, by)
            } else {
                Access::write(resource, version)
            }
        });
        let version = access.version;
        self.world.resources.put(resource, version, value, me);
        self.accesses.put(access);
        self.world.wake(AwaitedWrite::Version(resource, version));
        Ok(())
    }

    /// Replay: the logged write of this resource by the current step; `None` when recording.
    ///
    /// # Errors
    /// [`Interrupt::Diverged`]: the recorded step did not write it.
    pub(crate) fn logged_write(&self, resource: Resource, what: &str) -> Result<Option<Access>, Interrupt> {
        let Some(order) = self.process.mode.order() else {
            return Ok(None);
        };
        let access = order.writes(resource);
        let access =
            access.map_err(|held| self.held(held, &format!("write {what}, which the recorded step did not write")))?;
        Ok(Some(access))
    }

    /// Reads whether a process is alive: now, or as the log says. Earlier signals of the reader to it take effect first.
    pub(crate) fn read_life(&mut self, target: Pid) -> Result<Aliveness, Interrupt> {
        if target != self.process.pid && self.process.mode.log().is_none() && !crate::runtime::is_runtime(target) {
            self.settle_all(target);
            // What it sent before it ended arrives before its end is observed.
            if matches!(self.world.table.find(target), Lookup::Dead(_)) {
                self.settle(target, self.process.pid);
                self.take_incoming();
            }
        }
        self.read_life_undelivered(target)
    }

    /// As [`Self::read_life`], but signals of the reader stay in flight.
    pub(crate) fn read_life_undelivered(&mut self, target: Pid) -> Result<Aliveness, Interrupt> {
        let resource = Resource::Alive(ids::to_log(target));
        if crate::runtime::is_runtime(target) {
            return Ok(Aliveness::Alive);
        }
        let Some(order) = self.process.mode.order() else {
            return Ok(self.present_life(target));
        };
        let seen = order.sees_life(resource, self.world.life_of(target), target == self.process.pid);
        let access = seen.map_err(|held| {
            let target = ids::to_log(target);
            self.held(
                held,
                &format!("look whether {target} is alive, which the recorded step did not"),
            )
        })?;
        self.accesses.push(access);
        Ok(Aliveness::of(access.version))
    }

    /// Whether a process is alive now.
    fn present_life(&mut self, target: Pid) -> Aliveness {
        let resource = Resource::Alive(ids::to_log(target));
        let (life, version, by) = match self.world.table.find(target) {
            Lookup::Unborn => (Aliveness::Unborn, 0, None),
            Lookup::Alive(slot) => {
                let parent = if target == self.process.pid {
                    self.process.parent
                } else {
                    self.world.table.get(slot).and_then(|q| q.parent)
                };
                (Aliveness::Alive, 1, parent.map(|parent| (parent.pid, parent.spawn)))
            }
            Lookup::Dead(actions) => (Aliveness::Dead, 2, Some((target, actions))),
        };
        let by = by.map(|(pid, n)| ActionId::new(ids::to_log(pid), n));
        self.accesses.push(Access::read(resource, Version(version), by));
        life
    }

    /// Notes whether a process is alive, in `→` only: the step comes before or after its end, and depends on neither.
    pub(crate) fn glance_at_life(&mut self, target: Pid) -> Aliveness {
        let resource = Resource::Alive(ids::to_log(target));
        let logged = self.logged_access(resource);
        let access = logged.unwrap_or_else(|| Access::read(resource, self.world.life_of(target), None));
        self.accesses.push(access);
        Aliveness::of(access.version)
    }

    /// Signals of `p` to `target` arrive, and an exit signal among them takes effect, before `p` reads whether `target` is alive.
    pub(crate) fn settle_all(&mut self, target: Pid) {
        self.settle(self.process.pid, target);
        if self.process.mode.is_beyond_its_log() {
            self.world.due_from(self.process.pid, target);
        }
        self.end_now(target);
    }
}

impl World {
    /// A look at the life of a process that has ended.
    pub(crate) fn read_of_end(&self, of: log_format::Pid) -> Option<Access> {
        match self.table.find(Pid::new(0, of.0)) {
            Lookup::Dead(last) => {
                let by = Some(ActionId::new(of, last));
                Some(Access::read(Resource::Alive(of), Version(2), by))
            }
            _ => None,
        }
    }

    /// The version of the life of a process: not born, alive, ended.
    fn life_of(&self, pid: Pid) -> Version {
        Version(match self.table.find(pid) {
            Lookup::Unborn => 0,
            Lookup::Alive(_) => 1,
            Lookup::Dead(_) => 2,
        })
    }

    /// Wakes processes that wait for this.
    pub(crate) fn wake(&mut self, wanted: AwaitedWrite) {
        if self.waiting.is_empty() {
            return;
        }
        for slot in self.waiting.come(wanted) {
            if let Some(q) = self.table.get_mut(slot) {
                q.state = crate::state::process::ProcessActivity::Ready;
                self.scheduler.ready(slot);
            }
        }
    }
}
