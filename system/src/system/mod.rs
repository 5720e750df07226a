//! A system: a world and its observer. One forward semantics for processes with and without a log to follow [GV21, Fig. 8 and 9].

mod fork;
mod replay;
pub(crate) mod run;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::term::{Pid, Term};
use interpreter::vm::Program;

use crate::observer::Observer;
use crate::settings::{DEVICE, FIRST_PID, Settings};
use crate::sink::{ObserverSink, ProcessLogs};
use crate::state::feed::Plan;
use crate::state::process::Birth;
use crate::state::process::Process;
use crate::world::World;

/// A world and its observer.
pub struct System<O: Observer> {
    pub(crate) world: World,
    /// The observer (the recorder, a view, none).
    pub observer: O,
    pub(crate) logs: ProcessLogs<O::Log>,
}

/// A system can be used like its world.
impl<O: Observer> Deref for System<O> {
    type Target = World;
    fn deref(&self) -> &World {
        &self.world
    }
}

impl<O: Observer> DerefMut for System<O> {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

impl<O: Observer> System<O> {
    /// A system without processes.
    pub fn new(program: Arc<Program>, observer: O, settings: Settings, plan: Option<Plan>) -> Self {
        Self {
            world: World::new(program, settings, plan),
            observer,
            logs: ProcessLogs::default(),
        }
    }

    /// The world, and the observer as a sink.
    pub(crate) const fn parts(&mut self) -> (&mut World, ObserverSink<'_, O>) {
        let watch = ObserverSink {
            observer: &mut self.observer,
            logs: &mut self.logs,
        };
        (&mut self.world, watch)
    }

    /// Makes the entry process, which will call `module:function(arguments…)`; arguments are strings.
    pub fn start(&mut self, module: Atom, function: Atom, arguments: Option<&[String]>) -> Pid {
        let (world, mut watch) = self.parts();
        let pid = Pid::new(0, FIRST_PID);
        if world.next_pid == FIRST_PID {
            world.next_pid += 1;
        }
        let mut machine = world.machine(pid);
        let args = match arguments {
            None => vec![],
            Some(list) => {
                let strings: Vec<Term> = list.iter().map(|a| machine.heap.make_string(a)).collect();
                vec![machine.heap.make_list(&strings)]
            }
        };
        machine.start_call(module, function, &args);
        let birth = Birth {
            machine,
            pid,
            parent: None,
            call: (module, function, args.len() as u8),
            group_leader: DEVICE,
            incarnation: 1,
        };
        world.birth(&mut watch, birth);
        world.entry = pid;
        pid
    }

    /// Modules that were called in vain.
    #[must_use]
    pub fn missed(&self) -> Vec<interpreter::atom::Atom> {
        self.world.loader.missed()
    }

    /// Returns the observer, at the end.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// The observer's data for a living process.
    #[must_use]
    pub fn log(&self, pid: log_format::Pid) -> Option<&O::Log> {
        let slot = self.world.table.by_pid(Pid::new(0, pid.0))?.slot;
        Some(self.logs.log(slot))
    }

    /// The same, with the process, for the preparation of watching it.
    pub fn log_mut(&mut self, pid: log_format::Pid) -> Option<(&mut Process, &mut O::Log)> {
        let (slot, process) = self.world.table.by_pid_mut(Pid::new(0, pid.0))?;
        Some((process, self.logs.log_mut(slot)))
    }
}
