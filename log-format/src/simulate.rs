//! Random valid runs, for tests and benches: a small system that sends, receives, spawns, dies and shares resources, and logs all of it as a
//! recorder would. The actions are kept besides the trace, so that what is read can be compared with what happened.

use std::collections::BTreeMap;

use crate::{
    Access, Action, ActionId, Device, ExitClass, FinalState, Header, Kind, Memory, ModuleSource, Node, ObjectId, Pid,
    ProcLog, ProcessOutcome, Program, Resource, RunEnd, RunOutcome, SendNo, Tag, TestNote, TraceWriter, Version,
};

/// A random number generator that gives the same numbers everywhere (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 for 0).
    pub const fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.next() % n }
    }
}

/// What to simulate.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// Approximate number of actions.
    pub actions: u64,
    /// Limit: living processes.
    pub processes: usize,
    /// Number of actions between cuts.
    pub cut_every: u64,
    /// Only sends, receives and spawns?
    pub messages_only: bool,
}

/// A simulated run.
#[derive(Clone, Debug)]
pub struct SimulatedRun {
    /// The trace file.
    pub bytes: Vec<u8>,
    /// Every action, by process.
    pub actions: BTreeMap<Pid, Vec<Action>>,
    /// The order in which they happened.
    pub order: Vec<ActionId>,
    /// The file after each cut: its length, and how many actions had happened.
    pub cuts: Vec<(usize, usize)>,
}

struct SimulatedProcess {
    log: ProcLog,
    mailbox: Vec<Tag>,
    linked: Vec<usize>,
    monitored_by: Vec<(Pid, u64, usize)>,
    references: u64,
    dead: bool,
}

#[derive(Clone, Default)]
struct SharedResource {
    version: u64,
    /// The visible writes.
    writers: Vec<ActionId>,
    /// May the next commuting write join the current version?
    open: bool,
}

struct Simulation {
    random: Random,
    plan: Plan,
    processes: Vec<SimulatedProcess>,
    resources: BTreeMap<Resource, SharedResource>,
    next_pid: u64,
    actions: BTreeMap<Pid, Vec<Action>>,
    order: Vec<ActionId>,
}

/// Simulates a run. The same plan gives the same run.
///
/// # Panics
/// If writing to memory fails, which it does not.
#[must_use]
pub fn simulate(plan: Plan) -> SimulatedRun {
    let memory = Memory::default();
    let header = Header {
        tool: "simulate".into(),
        node: "a@host".into(),
        ..Header::default()
    };
    let source = ModuleSource {
        module: "m".into(),
        path: "m.erl".into(),
        format: "erl".into(),
        bytes: b"-module(m).\n".repeat(20),
        options: Vec::new(),
    };
    let program = Program {
        sources: vec![source],
        natives: Vec::new(),
        used: Vec::new(),
    };
    let mut writer = TraceWriter::new(Box::new(memory.clone()), &header, &program, 0).expect("memory takes everything");
    for text in ["server", "logger", "store", "pool"] {
        writer.text(text);
    }
    for node in ["b@host", "c@host"] {
        writer.node(node);
    }
    let mut simulation = Simulation {
        random: Random(plan.seed),
        plan,
        processes: Vec::new(),
        resources: BTreeMap::new(),
        next_pid: 84,
        actions: BTreeMap::new(),
        order: Vec::new(),
    };
    simulation.born(ProcLog::entry(Pid(83), Node(0)));
    let mut cuts = Vec::new();
    let mut since = 0;
    while (simulation.order.len() as u64) < plan.actions && simulation.processes.iter().any(|process| !process.dead) {
        let before = simulation.order.len();
        let at = simulation.random.below(simulation.processes.len() as u64) as usize;
        if !simulation.processes[at].dead {
            simulation.act(at);
        }
        since += (simulation.order.len() - before) as u64;
        if since >= plan.cut_every {
            since = 0;
            let (dead, alive): (Vec<_>, Vec<_>) = std::mem::take(&mut simulation.processes)
                .into_iter()
                .partition(|process| process.dead && plan.messages_only);
            simulation.processes = alive;
            dead.into_iter().for_each(|mut process| writer.retire(&mut process.log));
            writer
                .cut(simulation.processes.iter_mut().map(|process| &mut process.log))
                .expect("memory takes everything");
            cuts.push((memory.bytes().len(), simulation.order.len()));
        }
    }
    let processes = simulation
        .processes
        .iter()
        .map(|process| ProcessOutcome {
            pid: process.log.pid(),
            state: if process.dead {
                FinalState::Ended {
                    reason: "killed".into(),
                    stack: String::new(),
                }
            } else {
                FinalState::Waiting {
                    location: "m.erl:3".into(),
                }
            },
            mailbox: process.mailbox.len() as u64,
            tags: process.mailbox.iter().copied().take(crate::MAILBOX_TAGS).collect(),
        })
        .collect();
    let outcome = RunOutcome {
        run: RunEnd::Returned("ok".into()),
        processes,
    };
    let logs = simulation.processes.iter_mut().map(|process| &mut process.log);
    writer.finish(logs, &outcome).expect("memory takes everything");
    SimulatedRun {
        bytes: memory.bytes(),
        actions: simulation.actions,
        order: simulation.order,
        cuts,
    }
}

/// So many numbers of actions are simulated one by one.
const OLDEST: u64 = 28;

impl Simulation {
    fn born(&mut self, log: ProcLog) {
        self.actions.insert(log.pid(), Vec::new());
        self.processes.push(SimulatedProcess {
            log,
            mailbox: Vec::new(),
            linked: Vec::new(),
            monitored_by: Vec::new(),
            references: 0,
            dead: false,
        });
    }

    fn pid(&self, at: usize) -> Pid {
        self.processes[at].log.pid()
    }

    /// A halt, or a note of a test by the first process.
    fn halt_or_test(&self, last: u64) -> Kind {
        // Numbers of later versions; those before have places of their own.
        let later = u64::from(crate::codec::NUMBERS) - OLDEST;
        if later > 0
            && last % 4 == 1
            && let Some(kind) = crate::codec::sample((OLDEST + last % later) as u8, last)
        {
            return kind;
        }
        let note = match last % 5 {
            0 => TestNote::Began,
            1 => TestNote::Passed,
            2 => TestNote::Skipped,
            3 => TestNote::Failed {
                reason: "error boom".to_owned(),
                stack: "a:b/1 (a.erl:7)\n".repeat((last % 7) as usize),
            },
            _ => return Kind::Halt { code: -1 },
        };
        let name = crate::TextId(1);
        let of = self.pid(0);
        Kind::Test { of, name, note }
    }

    fn log(&mut self, at: usize, action: Action) {
        let log = &mut self.processes[at].log;
        log.action(&action);
        let pid = log.pid();
        self.order.push(ActionId {
            pid,
            number: log.last_action(),
        });
        self.actions
            .get_mut(&pid)
            .expect("every process has a list")
            .push(action);
    }

    /// The name of the next action of a process.
    fn next_name(&self, at: usize) -> ActionId {
        let log = &self.processes[at].log;
        ActionId::new(log.pid(), log.last_action().0 + 1)
    }

    /// Another living process, or the process itself.
    fn someone(&mut self) -> usize {
        let n = self.processes.len() as u64;
        for _ in 0..4 {
            let at = self.random.below(n) as usize;
            if !self.processes[at].dead {
                return at;
            }
        }
        self.random.below(n) as usize
    }

    fn act(&mut self, at: usize) {
        let me = self.pid(at);
        let kind = self.random.below(if self.plan.messages_only { 50 } else { 100 });
        match kind {
            0..4 => {
                let alive = self.processes.iter().filter(|process| !process.dead).count();
                if alive < self.plan.processes {
                    self.spawn(at);
                }
            }
            4..24 => self.send(at, 1),
            24..46 => {
                if self.processes[at].mailbox.is_empty() {
                    return;
                }
                let tag = self.take(at);
                self.log(at, Action::new(Kind::Rec(tag)));
            }
            46..48 => self.log(at, Action::new(Kind::After)),
            48..50 if self.plan.messages_only && self.processes.len() < 3 => {}
            48..50 if self.plan.messages_only => {
                let class = ExitClass::Normal;
                self.end(at, Kind::Exit { class });
            }
            48..54 => {
                let burst = self.random.below(40);
                self.send(at, burst);
            }
            54..58 => self.send_to_a_name(at),
            58..74 => self.use_resources(at),
            74..78 => {
                let other = self.someone();
                let name = self.processes[other].log.last();
                let of = (other != at).then_some(name);
                let value = vec![7; self.random.below(20) as usize];
                self.log(at, Action::new(Kind::Observe { of, value }));
            }
            78..82 => {
                let value = vec![3; self.random.below(300) as usize];
                self.log(at, Action::new(Kind::Input { value }));
            }
            82..85 => {
                let device =
                    [Device::Stdout, Device::Stderr, Device::Other(crate::TextId(1))][self.random.below(3) as usize];
                let bytes = self.random.below(1000);
                self.log(at, Action::new(Kind::Output { device, bytes }));
            }
            85..88 => {
                let tag = if self.processes[at].mailbox.is_empty() {
                    None
                } else {
                    Some(self.take(at))
                };
                self.log(at, Action::new(Kind::Drop { tag, value: vec![1, 2] }));
            }
            88..90 => {
                let child = Pid(self.next_pid);
                self.next_pid += 1;
                self.log(at, Action::new(Kind::SpawnFailed { child, node: Node(2) }));
            }
            90..92 => {
                let node = Node(1 + self.random.below(2) as u16);
                let ok = self.random.below(2) == 0;
                let mode = if ok { SimulatedMode::Update } else { SimulatedMode::Read };
                let access = self.use_resource(at, Resource::Node(node), mode);
                self.log(at, Action::new(Kind::Start { node, ok }).with_accesses(access));
            }
            92..94 => {
                let accesses = self.use_resource(at, Resource::Node(Node(1)), SimulatedMode::Read);
                self.log(at, Action::new(Kind::Nodes).with_accesses(accesses));
            }
            94..97 => self.link_or_monitor(at),
            97 => {
                let last = self.processes[at].log.last().number.0;
                let kind = self.halt_or_test(last);
                let sends = if matches!(kind, Kind::Halt { .. }) { 3 } else { 0 };
                self.log(at, Action::new(kind).with_sends(sends));
            }
            98 if self.processes.len() > 2 => {
                let class = [ExitClass::Normal, ExitClass::Error, ExitClass::Exit, ExitClass::Throw];
                let class = class[self.random.below(4) as usize];
                self.end(at, Kind::Exit { class });
            }
            _ if self.processes.len() > 2 => {
                let tag = match self.random.below(2) {
                    0 => Tag::Limit { to: me },
                    _ if self.processes[at].mailbox.is_empty() => return,
                    _ => self.take(at),
                };
                let (events, waiting) = (self.random.below(1 << 20), self.random.below(2) == 0);
                self.end(at, Kind::Signal { tag, events, waiting });
            }
            _ => {}
        }
    }

    /// Sends that read the name of their receiver.
    fn send_to_a_name(&mut self, at: usize) {
        let me = self.pid(at);
        let access = self.access(at, SimulatedMode::Read);
        let sends = 1 + self.random.below(2) as u32;
        let mut last = SendNo(self.processes[at].log.last_send().0 + 1);
        self.log(at, Action::new(Kind::Send).with_sends(sends).with_accesses(access));
        for _ in 0..sends {
            let to = self.someone();
            self.processes[to].mailbox.push(Tag::Sent { by: me, k: last });
            last.0 += 1;
        }
    }

    fn use_resources(&mut self, at: usize) {
        let mode = [
            SimulatedMode::Read,
            SimulatedMode::Read,
            SimulatedMode::Write,
            SimulatedMode::Update,
            SimulatedMode::Add,
        ][self.random.below(5) as usize];
        let mut accesses = self.access(at, mode);
        if self.random.below(4) == 0 {
            accesses.extend(self.access(at, SimulatedMode::Read));
        }
        self.log(at, Action::new(Kind::Access).with_accesses(accesses));
    }

    /// A monitor, or a link in both directions.
    fn link_or_monitor(&mut self, at: usize) {
        let me = self.pid(at);
        let to = self.someone();
        if self.processes[to].dead || to == at {
            return;
        }
        let accesses = self.use_resource(at, Resource::Alive(self.pid(to)), SimulatedMode::Read);
        self.log(at, Action::new(Kind::Access).with_accesses(accesses));
        if self.random.below(2) == 0 {
            self.processes[at].linked.push(to);
            self.processes[to].linked.push(at);
        } else {
            self.processes[at].references += 1;
            let k = self.processes[at].references;
            self.processes[to].monitored_by.push((me, k, at));
        }
    }

    fn spawn(&mut self, at: usize) {
        let child = Pid(self.next_pid);
        self.next_pid += 1 + self.random.below(2);
        let node = (self.random.below(8) == 0).then_some(Node(1));
        let name = self.next_name(at);
        self.log(at, Action::new(Kind::Spawn { child, node }));
        self.resources.insert(
            Resource::Alive(child),
            SharedResource {
                version: 1,
                writers: vec![name],
                open: false,
            },
        );
        let node = node.unwrap_or_else(|| self.processes[at].log.node());
        let log = ProcLog::child(child, node, &self.processes[at].log);
        self.born(log);
    }

    fn send(&mut self, at: usize, burst: u64) {
        for _ in 0..burst {
            self.log(at, Action::new(Kind::Send));
            let tag = Tag::Sent {
                by: self.pid(at),
                k: self.processes[at].log.last_send(),
            };
            let to = self.someone();
            self.processes[to].mailbox.push(tag);
        }
    }

    /// Takes a signal from the mailbox: mostly the oldest.
    fn take(&mut self, at: usize) -> Tag {
        let n = self.processes[at].mailbox.len() as u64;
        let place = if self.random.below(4) == 0 {
            self.random.below(n)
        } else {
            0
        };
        self.processes[at].mailbox.remove(place as usize)
    }

    fn end(&mut self, at: usize, kind: Kind) {
        let me = self.pid(at);
        let name = self.next_name(at);
        self.log(at, Action::new(kind));
        self.resources.insert(
            Resource::Alive(me),
            SharedResource {
                version: 2,
                writers: vec![name],
                open: false,
            },
        );
        self.processes[at].dead = true;
        for to in std::mem::take(&mut self.processes[at].linked) {
            let tag = Tag::EndTo {
                by: me,
                to: self.pid(to),
            };
            if !self.processes[to].mailbox.contains(&tag) {
                self.processes[to].mailbox.push(tag);
            }
        }
        for (owner, k, to) in std::mem::take(&mut self.processes[at].monitored_by) {
            self.processes[to].mailbox.push(Tag::EndRef { by: me, owner, k });
        }
        let table = ObjectId { creator: me, k: 1 };
        let heir = self.someone();
        self.processes[heir].mailbox.push(Tag::EndTable { by: me, table });
    }

    fn access(&mut self, at: usize, mode: SimulatedMode) -> Vec<Access> {
        let n = self.random.below(3);
        let creator = Pid(83);
        let resource = match self.random.below(9) {
            0 | 1 => Resource::Name(crate::TextId(n as u32)),
            2 => Resource::Table(ObjectId { creator, k: 1 }),
            3 => return self.key(at, mode),
            4 => Resource::Persistent(n),
            5 => Resource::Env(n),
            6 => Resource::Counter {
                array: ObjectId { creator, k: 2 },
                index: n + 1,
            },
            7 => [
                Resource::Module(crate::TextId(1)),
                Resource::Atom(crate::TextId(2)),
                Resource::Other(crate::TextId(3)),
            ][n as usize],
            _ => Resource::GroupLeader(creator),
        };
        self.use_resource(at, resource, mode)
    }

    /// Uses the key of a table, usually with a read of the table itself before it.
    fn key(&mut self, at: usize, mode: SimulatedMode) -> Vec<Access> {
        let table = ObjectId {
            creator: Pid(83),
            k: 1 + self.random.below(2),
        };
        let keys = [3, 400][self.random.below(2) as usize];
        let key = self.random.below(keys).wrapping_mul(0x1234_5678_9abc_def1);
        let mut accesses = Vec::new();
        if self.random.below(4) > 0 {
            accesses.extend(self.use_resource(at, Resource::Table(table), SimulatedMode::Read));
        }
        accesses.extend(self.use_resource(at, Resource::TableKey { table, key }, mode));
        accesses
    }

    fn use_resource(&mut self, at: usize, resource: Resource, mode: SimulatedMode) -> Vec<Access> {
        let name = self.next_name(at);
        let shared = self.resources.entry(resource).or_default();
        // An action does not read what it has written itself.
        let mode = if shared.writers.contains(&name) {
            SimulatedMode::Nothing
        } else {
            mode
        };
        let last = shared.writers.last().copied();
        match mode {
            SimulatedMode::Nothing => Vec::new(),
            SimulatedMode::Read if shared.writers.is_empty() => {
                shared.open = false;
                vec![Access::read(resource, Version(shared.version), None)]
            }
            SimulatedMode::Read => {
                shared.open = false;
                let version = Version(shared.version);
                shared
                    .writers
                    .iter()
                    .map(|by| Access::read(resource, version, Some(*by)))
                    .collect()
            }
            SimulatedMode::Write => {
                shared.version += 1;
                shared.writers = vec![name];
                shared.open = false;
                vec![Access::write(resource, Version(shared.version))]
            }
            SimulatedMode::Update => {
                shared.version += 1;
                shared.writers = vec![name];
                shared.open = false;
                vec![Access::update(resource, Version(shared.version), last)]
            }
            SimulatedMode::Add => {
                if !shared.open {
                    shared.version += 1;
                    shared.open = true;
                }
                shared.writers.push(name);
                vec![Access::write(resource, Version(shared.version))]
            }
        }
    }
}

#[derive(Clone, Copy)]
enum SimulatedMode {
    Nothing,
    Read,
    Write,
    Update,
    Add,
}
