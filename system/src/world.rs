//! The world: everything that processes share, and the processes themselves. It knows nothing of observers.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Pid;
use interpreter::vm::{self, Program};
use log_format::{Error, ExitClass, Resource, Tag};

use crate::ids;
use crate::ids::Slot;
use crate::loader::Loader;
use crate::outside::{Device, Outside};
use crate::scheduler::{Grain, Scheduler};
use crate::settings::Limits;
use crate::settings::{FIRST_PID, RunClock, RunEnd, Settings};
use crate::sink::Sink;
use crate::state::delivery::Causality;
use crate::state::feed::{Divergence, Plan};
use crate::state::flight::Flight;
use crate::state::mode::Purpose;
use crate::state::order::LogOrder;
use crate::state::process::Birth;
use crate::state::process::{Process, ProcessActivity};
use crate::state::resources::Resources;
use crate::state::table::{Lookup, Table};
use crate::state::timers::Timers;
use crate::state::waiting::WaitingForWrites;

/// The state of a system.
pub struct World {
    /// The code.
    pub program: Arc<Program>,
    /// The last answer of `erlang:now/0`, in microseconds.
    pub(crate) last_now: i64,
    pub(crate) table: Table,
    /// The bytes of what this system and its copies share.
    pub(crate) meter: crate::state::layers::Meter,
    pub(crate) scheduler: Box<dyn Scheduler>,
    /// How often the scheduler is asked.
    pub(crate) grain: Grain,
    /// What an action costs of the budget of a slice: all of it if the scheduler is asked after every action.
    pub(crate) action_cost: u32,
    pub(crate) outside: Box<dyn Outside>,
    pub(crate) loader: Box<dyn Loader>,
    pub(crate) clock: RunClock,
    pub(crate) limits: Limits,
    pub(crate) arguments: Vec<String>,
    pub(crate) exit_with_entry: bool,
    pub(crate) flight: Flight,
    pub(crate) timers: Timers,
    pub(crate) resources: Resources,
    /// What the system is for.
    pub(crate) purpose: Purpose,
    /// The next free N of `<0.N.0>`.
    pub(crate) next_pid: u64,
    pub(crate) nodes: interpreter::native::Nodes,
    pub(crate) membership: crate::state::nodes::Membership,
    pub(crate) node_changes: Vec<crate::state::nodes::NodeChange>,
    pub(crate) unique: i64,
    pub(crate) entry: Pid,
    /// How the entry process ended, if it has: by itself with a class, or by a signal.
    pub entry_end: Option<Option<ExitClass>>,
    /// If the entry process returned `{error, Reason}`: this value, as text.
    pub entry_error: Option<String>,
    /// Where ends are remembered (a session that goes back): what the entry process returned.
    pub entry_value: Option<Fragment>,
    /// What test runners noted.
    pub tests: crate::state::noted::Tests,
    /// Does the run pause when the first test begins?
    pub(crate) until_test: bool,
    /// Nodes whose logger prints no errors. Only the observer uses it, not the program.
    pub(crate) silent_nodes: rustc_hash::FxHashSet<u16>,
    /// Environment variables of nodes other than the first one.
    pub(crate) environments: crate::state::environments::Environments,
    /// Processes that make log events of ends by errors.
    pub(crate) crash_hearers: std::collections::BTreeSet<Pid>,
    /// Those that do so now, by node.
    pub(crate) crash_proxies: std::collections::BTreeMap<u16, Pid>,
    pub(crate) end: Option<RunEnd>,
    /// Actions of all processes.
    pub total_actions: u64,
    /// Counted events of all processes.
    pub total_events: u64,
    pub(crate) started: u64,
    /// invariant: the sum of `counted_words` of all living processes.
    pub(crate) memory_words: usize,
    /// Words in use without those of heaps and of signals in flight. Summed up when a slice begins, and again after a step that could have changed
    /// them (`None`); plain sends and receives, and waiting, do not.
    pub(crate) besides: Option<usize>,
    /// Words of all tables at the last count.
    pub(crate) table_words: usize,
    /// The size of code that was loaded at run time.
    pub(crate) code_words: usize,
    /// Has the program made object files, or may it have: whoever misses a module then looks for one.
    pub(crate) may_have_objects: bool,
    /// Was the name of a device taken from it? Then whoever writes to the device by its name looks who has the name.
    pub(crate) devices_moved: bool,
    /// Has anybody asked to trace? Then steps look whether they are traced.
    pub(crate) is_tracing: bool,
    /// Are lines of standard input binaries, as `io:setopts/1` has set?
    pub(crate) binary_input: bool,
    /// ETS tables.
    pub(crate) tables: rustc_hash::FxHashMap<interpreter::term::Reference, crate::state::tables::table::Table>,
    /// Sizes of the counter arrays, and their kinds as given by the program.
    pub(crate) counters: rustc_hash::FxHashMap<interpreter::term::Reference, (u64, Atom)>,
    pub(crate) last_statistics: i64,
    /// Recorded values of inputs, in a run that is no replay.
    pub answers: Option<crate::answers::Answers>,
    pub(crate) work: crate::state::work::RunWork,
    /// Processes that wait for the outside.
    pub(crate) asking: crate::state::asking::AskingProcesses,
    /// Replay: processes that wait for others.
    pub(crate) waiting: WaitingForWrites,
    /// Memory of processes that have ended.
    pub(crate) spare: vm::Spare,
    /// Replay: processes that have ended, if that may be undone.
    pub(crate) ended: crate::state::map::Map<log_format::Pid, crate::state::ended::EndedState>,
    /// Replay, if steps may be undone: for each process, those that have consumed a signal of it, and perhaps others.
    pub(crate) told: crate::state::told::Consumers,
    /// Replay: for each process, its last timer's message that another one has received.
    pub(crate) timers_reached: rustc_hash::FxHashMap<log_format::Pid, u64>,
    /// Replay: the first damage found in a log, which ends there.
    pub(crate) damage: Option<Box<Error>>,
    /// The first divergence of a replay.
    pub divergence: Option<Box<Divergence>>,
}

impl World {
    /// A world without processes.
    pub(crate) fn new(program: Arc<Program>, mut settings: Settings, plan: Option<Plan>) -> Self {
        let started = settings.outside.monotonic();
        if crate::outside::has_unicode_output(program.release()) {
            for device in [Device::Stdout, Device::Stderr] {
                settings.outside.set_encoding(device, true);
            }
        }
        let next_pid = plan.as_ref().map_or(FIRST_PID, Plan::first_free_pid);
        let mut resources = Resources::new(plan.is_some());
        if let Some(plan) = &plan {
            resources.set_texts(plan.texts());
        }
        let first_node = Resource::Node(log_format::Node(0));
        resources.given(first_node, crate::state::resources::Value::Number(1));
        let mut names = plan.as_ref().map(Plan::nodes).unwrap_or_default();
        if names.is_empty() {
            names.push(crate::state::nodes::NO_NODE.to_owned());
        }
        let names = names.iter().map(|name| Atom::new(name)).collect();
        let grain = settings.scheduler.grain();
        Self {
            program,
            last_now: 0,
            table: Table::default(),
            meter: crate::state::layers::Meter::default(),
            scheduler: settings.scheduler,
            grain,
            action_cost: grain.action_cost(),
            outside: settings.outside,
            loader: settings.loader,
            clock: settings.clock,
            limits: settings.limits,
            arguments: settings.arguments,
            exit_with_entry: settings.exit_with_entry,
            flight: Flight::new(settings.delivery),
            timers: Timers::default(),
            resources,
            purpose: Purpose::new(plan),
            next_pid,
            nodes: interpreter::native::Nodes::new(names),
            membership: Default::default(),
            node_changes: Vec::new(),
            unique: 0,
            entry: Pid::new(0, FIRST_PID),
            entry_end: None,
            entry_error: None,
            entry_value: None,
            tests: crate::state::noted::Tests::default(),
            until_test: false,
            silent_nodes: Default::default(),
            devices_moved: false,
            is_tracing: false,
            environments: Default::default(),
            crash_hearers: Default::default(),
            crash_proxies: Default::default(),
            end: None,
            total_actions: 0,
            total_events: 0,
            started,
            memory_words: 0,
            besides: None,
            table_words: 0,
            code_words: 0,
            may_have_objects: false,
            binary_input: false,
            tables: rustc_hash::FxHashMap::default(),
            counters: rustc_hash::FxHashMap::default(),
            last_statistics: 0,
            answers: None,
            work: Default::default(),
            asking: Default::default(),
            waiting: WaitingForWrites::default(),
            spare: vm::Spare::default(),
            ended: Default::default(),
            told: Default::default(),
            timers_reached: Default::default(),
            damage: None,
            divergence: None,
        }
    }

    /// Is this where the run is to pause: has a test begun, or is the order of tests to be chosen?
    #[inline(always)]
    pub(crate) const fn is_at_test(&self) -> bool {
        self.until_test && self.has_come_to_tests()
    }

    /// Has a test begun, or is one about to?
    #[must_use]
    pub const fn has_come_to_tests(&self) -> bool {
        self.tests.began > 0 || self.tests.are_prepared
    }

    /// A machine for a new process.
    pub(crate) fn machine(&mut self, pid: Pid) -> vm::Process {
        let node = self.node_name(pid.node());
        vm::Process::new_in(&self.program, pid, node, self.nodes.clone(), &mut self.spare)
    }

    /// Puts a new process into the table and makes it ready.
    pub(crate) fn birth(&mut self, sink: &mut dyn Sink, birth: Birth) -> Slot {
        let pid = birth.pid;
        let (mode, damage) = self.purpose.mode_of(ids::to_log(pid));
        if let Some(error) = damage {
            self.damaged(error);
        }
        let frozen = mode
            .log()
            .is_some_and(|feed| feed.is_done() && !feed.runs_on() && !sink.probes());
        let mut process = Box::new(Process::new(birth, mode));
        if self.purpose.receives_from_mailbox() && sink.wants_messages() {
            process.machine.mailbox.keep_received();
        }
        if let Some(early) = LogOrder::sent_before_birth(&mut self.resources, pid) {
            process.pool = early;
        }
        if frozen {
            process.state = ProcessActivity::Frozen;
        }
        // At once: very many processes may be created before the first of them runs.
        self.count_words(&mut process);
        let parent = process.parent.and_then(|parent| match self.table.find(parent.pid) {
            Lookup::Alive(slot) => Some(slot),
            Lookup::Dead(_) | Lookup::Unborn => None,
        });
        let slot = self.table.insert(process);
        sink.born(slot, ids::to_log(pid), parent, pid.node());
        if !frozen {
            self.scheduler.ready(slot);
        }
        slot
    }

    /// All processes, the living and the dead.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// A living process, for the preparation of watching it.
    pub fn process_mut(&mut self, pid: log_format::Pid) -> Option<(Slot, &mut Process)> {
        self.table.by_pid_mut(Pid::new(0, pid.0))
    }

    // ---- causal order, where signals are kept back --------------------------------------------------------------------

    /// A process sends a signal that is kept back, or while others are. `sent`: how many it has sent, with this one if it has a number.
    pub(crate) fn note_send(&mut self, by: Pid, tag: Tag, sent: u64) {
        match self.purpose.held_back_mut() {
            Some(held) => held.causality.sends(ids::to_log(by), tag, sent),
            None => self.flight.note_send(by, tag, sent),
        }
    }

    /// A process consumes a signal.
    #[inline]
    pub(crate) fn note_consumed(&mut self, pid: Pid, tag: Tag) {
        if self.keeps_order()
            && let Some(causality) = self.causality()
        {
            causality.consumes(ids::to_log(pid), tag);
        }
    }

    /// Does anything wait on its way, so that the order of sending matters?
    #[inline]
    pub(crate) fn keeps_order(&self) -> bool {
        !self.flight.is_empty() || self.purpose.holds_signals_back()
    }

    /// What is known of the signals on their way, where their order is kept.
    pub(crate) fn causality(&mut self) -> Option<&mut Causality> {
        match self.purpose.held_back_mut() {
            Some(held) => Some(&mut held.causality),
            None => self.flight.causality(),
        }
    }

    /// The run's list of texts, by [`log_format::TextId`].
    #[must_use]
    pub fn texts(&self) -> &[String] {
        self.resources.texts()
    }

    /// The entry process.
    #[must_use]
    pub const fn entry(&self) -> Pid {
        self.entry
    }

    /// The outside, for the caller that made it.
    pub fn outside(&mut self) -> &mut dyn Outside {
        &mut *self.outside
    }

    /// The run's clock: nanoseconds.
    pub(crate) fn now(&mut self) -> u64 {
        match self.clock {
            RunClock::Real => self.outside.monotonic(),
            RunClock::Virtual(now) => now,
        }
    }

    /// The entry process has ended.
    pub(crate) fn entry_ended(&mut self, class: Option<ExitClass>) {
        self.entry_end = Some(class);
        if self.exit_with_entry && self.end.is_none() {
            self.end = Some(RunEnd::EntryEnded);
        }
    }
}
