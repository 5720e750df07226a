//! What Elixir itself does in a run: its compiler, mix, ExUnit and Logger, and the start of applications. Nobody's program is about that: an
//! explanation passes over it, and no other choice is tried there.
//!
//! An action belongs to it if its process was started for it and no function of the program is being evaluated. While a module of the program is being
//! compiled, none is. In other processes, talk with such processes belongs to it, and what the library by itself reads of settings. So does what
//! Logger does for its caller, and how ExUnit notes what is to be done at the end; and which version of Elixir's own modules there is.

use std::sync::Arc;

use log_format::{Access, ActionId, Kind, Pid, Resource};
use rustc_hash::{FxHashMap, FxHashSet};

use interpreter::vm;

use crate::machinery::Machinery;
use crate::program::Sources;
use crate::session::{Goal, Session};
use crate::watch::{DoneAction, Every, is_task, started};

/// Modules of Elixir, and behaviours of OTP, whose processes run what the program gives them. Such a process belongs to the machinery if its creator
/// does.
const GENERAL: &[&str] = &[
    "Elixir.Agent",
    "Elixir.DynamicSupervisor",
    "Elixir.GenEvent",
    "Elixir.GenServer",
    "Elixir.PartitionSupervisor",
    "Elixir.Registry",
    "Elixir.StringIO",
    "Elixir.Supervisor",
    "Elixir.Task",
    "gen_event",
    "gen_server",
    "gen_statem",
    "proc_lib",
    "supervisor",
];

/// Modules of OTP's that start and keep applications.
const STARTING: &[&str] = &[
    "application",
    "application_controller",
    "application_master",
    "code_server",
    "init",
];

/// What the names of modules of the compiler begin with.
const COMPILING: &[&str] = &["elixir_", "Elixir.Kernel.", "Elixir.Module."];

/// Protocols of Elixir, of which mix makes other versions.
const PROTOCOLS: &[&str] = &[
    "Elixir.Collectable",
    "Elixir.Enumerable",
    "Elixir.Inspect",
    "Elixir.List.Chars",
    "Elixir.String.Chars",
];

/// Modules whose functions are machinery, whoever calls them.
fn is_beside(module: &str) -> bool {
    let own = ["Elixir.Logger", "Elixir.ExUnit.OnExitHandler", "logger"];
    own.iter().any(|own| {
        let rest = module.strip_prefix(own);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '_']))
    })
}

/// What Elixir itself did in the run of a session. Found once.
#[must_use]
pub fn machinery(session: &Session) -> &Arc<Machinery> {
    session.machinery.get_or_init(|| Arc::new(find(session)))
}

/// Goes through a run once. If the run cannot be replayed as a whole, none is known.
fn find(session: &Session) -> Machinery {
    let modules = session.sources().of_elixir_itself();
    let modules: FxHashSet<String> = modules.into_iter().map(str::to_owned).collect();
    if modules.is_empty() {
        return Machinery::default();
    }
    let mut search = ElixirSearch {
        session,
        modules,
        homes: FxHashMap::default(),
        evaluating: FxHashSet::default(),
        actions: FxHashSet::default(),
    };
    let tell = |told: &DoneAction<'_>| search.look_at(told);
    match session.replay(&Goal::everything(), Every { tell }) {
        Ok(system) => {
            drop(system);
            Machinery::new(search.actions)
        }
        Err(_) => Machinery::default(),
    }
}

struct ElixirSearch<'s> {
    session: &'s Session,
    modules: FxHashSet<String>,
    /// Was a process started for the machinery?
    homes: FxHashMap<Pid, bool>,
    /// Processes that were, and have evaluated functions of the program.
    evaluating: FxHashSet<Pid>,
    actions: FxHashSet<ActionId>,
}

impl ElixirSearch<'_> {
    fn look_at(&mut self, told: &DoneAction<'_>) {
        let (event, sources) = (told.event, self.session.sources());
        let id = event.id();
        let is_at_home = match self.homes.get(&id.pid) {
            Some(known) => *known,
            None => {
                let is_at_home = self.is_at_home(id.pid, event.machine, event.program);
                self.homes.insert(id.pid, is_at_home);
                is_at_home
            }
        };
        if self.speaks_with_it(told) || is_task_given(told) || self.is_beside(told) {
            self.actions.insert(id);
            return;
        }
        let accesses = &event.action.accesses;
        let reads_settings = || !accesses.is_empty() && accesses.iter().all(is_read_of_setting);
        if !is_at_home && !reads_settings() {
            return;
        }
        if !evaluates_own(event.machine, event.program, sources) {
            self.actions.insert(id);
        } else if is_at_home {
            self.evaluating.insert(id.pid);
        }
    }

    /// Is it done by Logger and its like for a function of the program, or about a module of Elixir's own?
    fn is_beside(&self, told: &DoneAction<'_>) -> bool {
        let (event, sources) = (told.event, self.session.sources());
        let accesses = &event.action.accesses;
        let is_of_elixir = |access: &Access| match access.resource {
            Resource::Module(name) => {
                let name = self.session.trace().text(name);
                name.is_ok_and(|name| self.modules.contains(name) || PROTOCOLS.contains(&name))
            }
            _ => false,
        };
        if !accesses.is_empty() && accesses.iter().all(is_of_elixir) {
            return true;
        }
        let innermost = event.machine.find_location(event.program, |place| {
            sources.owns(place.file) || is_beside(place.module.as_str())
        });
        innermost.is_some_and(|place| !sources.owns(place.file))
    }

    /// Does it send something to a process of the machinery, or take what such a process sent by itself?
    fn speaks_with_it(&self, told: &DoneAction<'_>) -> bool {
        match told.event.action.kind {
            Kind::Send => told.peer().is_some_and(|peer| {
                self.homes.get(&peer).is_some_and(|is_at_home| *is_at_home) && !self.evaluating.contains(&peer)
            }),
            Kind::Rec(tag) => {
                let send = self.session.trace().find_send(tag).ok().flatten();
                send.is_some_and(|send| self.actions.contains(&send))
            }
            _ => false,
        }
    }

    /// Was a process started for the machinery?
    fn is_at_home(&self, pid: Pid, machine: &vm::Process, program: &vm::Program) -> bool {
        let by_proc_lib = started(machine).map(|(module, function, _)| match module {
            // Of a supervisor, the module that says what it supervises.
            "supervisor" => function,
            module => module,
        });
        let outermost = || {
            let frames = machine.frames(program);
            let place = frames.iter().rev().find_map(|frame| frame.location)?;
            Some(place.module.as_str())
        };
        let Some(home) = by_proc_lib.or_else(outermost) else {
            return false;
        };
        let is_general = GENERAL.iter().any(|general| {
            home.strip_prefix(general)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        if is_general {
            let parent = self
                .session
                .trace()
                .process(pid)
                .ok()
                .and_then(|process| process.parent);
            return parent.is_some_and(|parent| self.actions.contains(&parent));
        }
        self.modules.contains(home)
            || STARTING.contains(&home)
            || home.starts_with("retell_")
            || home.starts_with("logger")
    }
}

/// Is a function of the program being evaluated, other than the body of a module, and is it not being compiled?
fn evaluates_own(machine: &vm::Process, program: &vm::Program, sources: &Sources) -> bool {
    let compiles = |module: &str| COMPILING.iter().any(|prefix| module.starts_with(prefix));
    let innermost = machine.find_location(program, |place| {
        sources.owns(place.file) || compiles(place.module.as_str())
    });
    innermost.is_some_and(|place| sources.owns(place.file) && place.function.as_str() != "__MODULE__")
}

/// Does a task take what it has to do? Its creator sends that right after having created it.
fn is_task_given(told: &DoneAction<'_>) -> bool {
    let is_task = || is_task(told.event.machine, told.event.program);
    matches!(told.event.action.kind, Kind::Rec(_)) && told.tally.counts.receives == 1 && is_task()
}

/// Settings, and which version of a module there is.
fn is_read_of_setting(access: &Access) -> bool {
    !access.write
        && matches!(
            access.resource,
            Resource::Persistent(_) | Resource::Env(_) | Resource::Module(_)
        )
}
