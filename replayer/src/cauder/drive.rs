//! Executes a program under CauDEr's log. The log names spawns, sends, receives, starts and lists of nodes; all else the program does by
//! itself, as soon as it comes to it.

use interpreter::atom::Atom;
use interpreter::heap::View;
use interpreter::vm::SourceLocation;
use log_format::{Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::driven::Label;
use system::observer::Observer;
use system::process::{Lookup, State};
use system::{RunEnd, System, ids};

use super::log::{Entry, Logs};

/// Counted events that a process may run without coming to anything, before others are looked at again.
const EVENTS: u64 = 20_000_000;
/// How often all processes that run for so long may go on.
const SPINS: u32 = 500;
/// Steps without an entry of the log: so many, and so many more for every entry.
const FREE_STEPS: u64 = 1_000_000;
const FREE_STEPS_EACH: u64 = 1000;

/// A send that is read as one to a process that had ended: the n-th send of a process (from 0, those with and without uid).
pub type Lost = (u64, u64);

/// A message of the log in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Its tag.
    pub tag: Tag,
    /// Its receiver, if it is in the log.
    pub to: Option<Pid>,
}

/// Where the program and the log part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// CauDEr's number of the process.
    pub pid: u64,
    /// How many entries of its log fitted.
    pub fitted: usize,
    /// The place of the program.
    pub place: Option<String>,
    /// What the program does.
    pub found: String,
}

/// What a run under the log was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driven {
    /// All entries of all logs fitted, or where not.
    pub result: Result<(), Misfit>,
    /// How the system stopped, if it did by itself.
    pub end: Option<RunEnd>,
    /// The messages of the log, by uid.
    pub sent: FxHashMap<u64, Sent>,
    /// The processes of the log: CauDEr's numbers and ours.
    pub pids: FxHashMap<u64, Pid>,
    /// Sends that were read as having a uid though their receiver had ended or nobody received them.
    pub doubtful: Vec<Lost>,
    /// Sends without a uid, to processes that had ended.
    pub lost: u64,
    /// Messages that CauDEr does not trace and the program itself received.
    pub untraced: u64,
    /// Entries that were used.
    pub used: usize,
}

#[derive(Default)]
struct Progress {
    /// Ours.
    pid: Pid,
    /// Entries that fitted.
    at: usize,
    /// Sends so far.
    sends: u64,
    /// A message that was given to it and that no receive has taken.
    loose: Option<Tag>,
    /// It was given a message that its receive does not take.
    refused: bool,
}

struct Drive<'a, O: Observer> {
    system: &'a mut System<O>,
    logs: &'a Logs,
    /// Modules of the program: what the tracer instruments.
    modules: &'a FxHashSet<Atom>,
    lost_sends: &'a FxHashSet<Lost>,
    /// By CauDEr's number.
    all: FxHashMap<u64, Progress>,
    /// CauDEr's number of a process of ours.
    names: FxHashMap<Pid, u64>,
    uids: FxHashMap<Tag, u64>,
    sent: FxHashMap<u64, Sent>,
    /// Messages without a uid that have arrived, by receiver.
    untraced: FxHashMap<Pid, Vec<Tag>>,
    /// Entries that need a node to be absent, by node: process and place.
    before_start: FxHashMap<String, Vec<(u64, usize)>>,
    /// The first number that no process of the log has.
    fresh: u64,
    doubtful: Vec<Lost>,
    lost: u64,
    taken_untraced: u64,
    spins: u32,
}

/// What a process can do next; the smaller, the sooner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    /// A step that the log does not name.
    Free,
    /// It is given a message that CauDEr does not trace, in a receive of a library.
    Untraced(Tag),
    /// The step that the log names.
    Logged,
    /// It receives what the log names.
    Receive(u64),
    /// Nothing else fits: its receive times out.
    TimeOut,
    /// It sends to a process that has ended.
    LostSend,
    /// The start of a node.
    Start,
    /// It may time out.
    MayTimeOut,
    /// Its log is used up, but others may need what it does now.
    Onward,
    /// It has run for long.
    Spin,
    /// It sends to a name that nobody holds.
    NoName,
    /// The program itself is given a message that CauDEr does not trace.
    Foreign(Tag),
}

impl Step {
    /// Is it done at once, whatever else could be done?
    const fn at_once(self) -> bool {
        matches!(
            self,
            Self::Free | Self::Untraced(_) | Self::Logged | Self::Receive(_) | Self::TimeOut | Self::LostSend
        )
    }
}

/// Where a send leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Alive(Pid),
    Ended(Pid),
    Nobody,
}

/// Runs a system, whose processes stop at gates, under the logs.
pub fn drive<O: Observer>(
    system: &mut System<O>,
    logs: &Logs,
    modules: &FxHashSet<Atom>,
    lost_sends: &FxHashSet<Lost>,
) -> Driven {
    let children = logs.processes.values().flat_map(|log| &log.entries);
    let spawned = children.filter_map(|(entry, _)| match entry {
        Entry::Spawn { pid, .. } => Some(*pid),
        _ => None,
    });
    let largest = spawned.filter(|&pid| pid <= LARGEST_PID).max().unwrap_or(0);
    let mut drive = Drive {
        logs,
        modules,
        lost_sends,
        all: FxHashMap::default(),
        names: FxHashMap::default(),
        uids: FxHashMap::default(),
        sent: FxHashMap::default(),
        untraced: FxHashMap::default(),
        before_start: before_start(logs),
        fresh: largest.max(system::FIRST_PID) + 1,
        doubtful: Vec::new(),
        lost: 0,
        taken_untraced: 0,
        spins: 0,
        system,
    };
    drive.born(logs.pid, Pid(system::FIRST_PID));
    let (result, end) = drive.run();
    let used = drive.all.values().map(|p| p.at).sum();
    Driven {
        result,
        end,
        pids: drive.all.iter().map(|(&n, p)| (n, p.pid)).collect(),
        sent: drive.sent,
        doubtful: drive.doubtful,
        lost: drive.lost,
        untraced: drive.taken_untraced,
        used,
    }
}

/// Numbers of the log are kept up to here (those of OTP 25 end at 2^28).
const LARGEST_PID: u64 = 1 << 28;

/// Entries for which a node has to be absent. Nodes of CauDEr's programs are never stopped.
fn before_start(logs: &Logs) -> FxHashMap<String, Vec<(u64, usize)>> {
    let mut homes: FxHashMap<u64, &str> = FxHashMap::default();
    let mut started: Vec<&str> = Vec::new();
    for log in logs.processes.values() {
        for (entry, _) in &log.entries {
            match entry {
                Entry::Spawn { node, pid, ok: true } => {
                    homes.insert(*pid, node);
                }
                Entry::Start { node, ok: true } => started.push(node),
                _ => {}
            }
        }
    }
    started.sort_unstable();
    started.dedup();
    let mut all: FxHashMap<String, Vec<(u64, usize)>> = FxHashMap::default();
    for (&pid, log) in &logs.processes {
        for (i, (entry, _)) in log.entries.iter().enumerate() {
            let absent: Vec<&str> = match entry {
                Entry::Spawn { node, ok: false, .. } => vec![node],
                Entry::Nodes(list) => {
                    let home = homes.get(&pid).copied();
                    let missing = |n: &&str| !list.iter().any(|l| l == n) && home != Some(*n);
                    started.iter().copied().filter(missing).collect()
                }
                _ => continue,
            };
            for node in absent {
                all.entry(node.to_owned()).or_default().push((pid, i));
            }
        }
    }
    all
}

impl<O: Observer> Drive<'_, O> {
    fn born(&mut self, number: u64, pid: Pid) {
        self.names.insert(pid, number);
        self.all.insert(
            number,
            Progress {
                pid,
                ..Progress::default()
            },
        );
    }

    fn run(&mut self) -> (Result<(), Misfit>, Option<RunEnd>) {
        let entries: usize = self.logs.processes.values().map(|log| log.entries.len()).sum();
        let mut left = FREE_STEPS + FREE_STEPS_EACH * entries as u64;
        loop {
            if let Some(end) = self.rest() {
                return (self.verdict(), Some(end));
            }
            let mut best: Option<(Step, Pid)> = None;
            let mut moved = false;
            for pid in self.standing() {
                let Some(step) = self.next_step(pid) else { continue };
                if step.at_once() {
                    moved = true;
                    left = left.saturating_sub(1);
                    if let Some(end) = self.make(pid, step) {
                        return (self.verdict(), Some(end));
                    }
                } else if best.is_none_or(|(known, _)| step < known) {
                    best = Some((step, pid));
                }
            }
            if moved && left > 0 {
                continue;
            }
            let Some((step, pid)) = best.filter(|_| left > 0) else {
                return (self.verdict(), None);
            };
            left = left.saturating_sub(1);
            if let Some(end) = self.make(pid, step) {
                return (self.verdict(), Some(end));
            }
        }
    }

    /// Lets everybody run silently on, and sorts what has arrived.
    fn rest(&mut self) -> Option<RunEnd> {
        loop {
            if let Some(end) = self.system.come_to_rest(EVENTS) {
                return Some(end);
            }
            let arrived = self.system.take_arrived();
            let mut again = false;
            for (to, tag) in arrived {
                if self.system.is_exit(to, tag) {
                    // CauDEr does not know exit signals: they take effect when they come.
                    self.system.release(to, tag);
                    again = true;
                } else if !self.uids.contains_key(&tag) {
                    self.untraced.entry(to).or_default().push(tag);
                }
            }
            if !again {
                break;
            }
        }
        self.look_for_taken();
        None
    }

    /// Messages that were given to a process and that a later receive took.
    fn look_for_taken(&mut self) {
        for progress in self.all.values_mut() {
            let Some(tag) = progress.loose else { continue };
            if !is_unread(self.system, progress.pid, tag) {
                progress.loose = None;
                progress.refused = false;
                progress.at += 1;
            }
        }
    }

    /// Processes that wait or stand at a gate, ascending.
    fn standing(&self) -> Vec<Pid> {
        let stands = |state| matches!(state, State::Waiting | State::Gated);
        let all = self.system.table().iter().filter(|p| stands(p.state));
        let mut pids: Vec<Pid> = all.map(|p| ids::to_log(p.pid)).collect();
        pids.sort_unstable();
        pids
    }

    /// Does it stand in code of the program, as against a library?
    fn in_program(&self, pid: Pid) -> bool {
        self.module(pid).is_some_and(|module| self.modules.contains(&module))
    }

    fn module(&self, pid: Pid) -> Option<Atom> {
        let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))?;
        Some(p.machine.location(&self.system.program)?.module)
    }

    /// The next entry of the log of a process; the outer `None`: it is no process of the log.
    fn entry(&self, pid: Pid) -> Option<Option<&Entry>> {
        let number = self.names.get(&pid)?;
        let at = self.all.get(number)?.at;
        Some(
            self.logs
                .processes
                .get(number)
                .and_then(|log| log.entries.get(at))
                .map(|(entry, _)| entry),
        )
    }

    fn progress(&self, pid: Pid) -> Option<&Progress> {
        self.all.get(self.names.get(&pid)?)
    }

    fn progress_mut(&mut self, pid: Pid) -> Option<&mut Progress> {
        self.all.get_mut(self.names.get(&pid)?)
    }

    fn next_step(&self, pid: Pid) -> Option<Step> {
        match self.system.label(pid) {
            None => self.next_of_waiting(pid),
            Some(Label::Spinning) => {
                let over = self.entry(pid) == Some(None) && !self.logs.finished;
                (!over && self.spins < SPINS).then_some(Step::Spin)
            }
            Some(Label::End) => match self.entry(pid) {
                Some(Some(_)) => None,
                Some(None) if !self.logs.finished => Some(Step::Onward),
                _ => Some(Step::Free),
            },
            Some(Label::Native(native)) => self.next_of_gated(pid, native.name, native.arity),
        }
    }

    fn next_of_waiting(&self, pid: Pid) -> Option<Step> {
        let untraced = self.untraced.get(&pid).and_then(|tags| tags.first().copied());
        let may_time_out = self.system.can_time_out(pid);
        let (Some(entry), true) = (self.entry(pid), self.in_program(pid)) else {
            let given = untraced.map(Step::Untraced);
            return given.or(may_time_out.then_some(Step::MayTimeOut));
        };
        let foreign = untraced.map(Step::Foreign);
        let loose = self.progress(pid).is_some_and(|p| p.loose.is_some());
        match entry {
            Some(Entry::Receive(uid)) if !loose => {
                let here = self.sent.get(uid).is_some_and(|sent| self.has_arrived(pid, sent.tag));
                match here {
                    true => Some(Step::Receive(*uid)),
                    false => may_time_out.then_some(Step::MayTimeOut).or(foreign),
                }
            }
            Some(_) => may_time_out.then_some(Step::TimeOut).or(foreign),
            None if self.logs.finished => may_time_out.then_some(Step::MayTimeOut).or(foreign),
            None => None,
        }
    }

    /// Is this message held back at this process?
    fn has_arrived(&self, pid: Pid, tag: Tag) -> bool {
        let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0));
        p.is_some_and(|p| p.pool.contains(&tag))
    }

    fn next_of_gated(&self, pid: Pid, name: &str, arity: u8) -> Option<Step> {
        let Some(entry) = self.entry(pid) else {
            return Some(Step::Free);
        };
        // A process whose log is used up stops, where the tracer's time was up, unless others need what it does.
        let free = match entry {
            None if !self.logs.finished => Step::Onward,
            _ => Step::Free,
        };
        let module = self.module(pid);
        let in_program = module.is_some_and(|module| self.modules.contains(&module));
        match (name, arity) {
            ("!" | "send", 2) if in_program => self.next_send(pid, entry),
            ("spawn" | "spawn_link" | "spawn_monitor" | "spawn_opt" | "spawn_request", _)
                if module.is_none_or(|module| module.as_str() != "slave") =>
            {
                let Some(Entry::Spawn { node, ok, .. }) = entry else {
                    return None;
                };
                let there = self.system.node_is_there(Atom::new(node));
                (there == *ok).then_some(Step::Logged)
            }
            ("$node_start", 1) => {
                let Some(Entry::Start { node, ok }) = entry else {
                    return None;
                };
                let there = self.system.node_is_there(Atom::new(node));
                match ok {
                    false => there.then_some(Step::Logged),
                    true if there => None,
                    true => self.nobody_needs_absent(node).then_some(Step::Start),
                }
            }
            ("nodes", 0) if in_program => {
                let Some(Entry::Nodes(list)) = entry else { return None };
                let own = self.node_of(pid);
                let all = self.system.nodes().into_iter();
                let mut there: Vec<String> = all
                    .filter(|n| Some(n) != own.as_ref() && self.system.node_is_there(Atom::new(n)))
                    .collect();
                let mut logged = list.clone();
                there.sort_unstable();
                logged.sort_unstable();
                (there == logged).then_some(Step::Logged)
            }
            _ => Some(free),
        }
    }

    fn node_of(&self, pid: Pid) -> Option<String> {
        let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))?;
        self.system.nodes().get(usize::from(p.pid.node())).cloned()
    }

    /// Is no entry left for which this node has to be absent?
    fn nobody_needs_absent(&self, node: &str) -> bool {
        let list = self.before_start.get(node).map_or(&[][..], Vec::as_slice);
        list.iter()
            .all(|(number, place)| self.all.get(number).is_some_and(|p| p.at > *place))
    }

    /// Where the send at whose gate a process stands leads. None: nowhere, it raises.
    fn destination(&self, pid: Pid) -> Option<(Option<interpreter::term::Pid>, bool)> {
        let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))?;
        let to = *p.machine.args().first()?;
        if let Some(to) = to.as_pid() {
            return Some((Some(to), true));
        }
        if let View::Reference(alias) = p.machine.heap.view(to) {
            return Some((Some(alias.owner), true));
        }
        let (name, node) = match (to.as_atom(), p.machine.heap.tuple(to)) {
            (Some(name), _) => (name, p.pid.node()),
            (None, Some(&[name, node])) => (name.as_atom()?, self.system.known_node(node.as_atom()?)?),
            _ => return None,
        };
        Some((self.system.holder_now(name, node), to.as_atom().is_none()))
    }

    fn next_send(&self, pid: Pid, entry: Option<&Entry>) -> Option<Step> {
        let to = match self.destination(pid) {
            None => return Some(Step::NoName),
            Some((None, _)) => To::Nobody,
            Some((Some(to), _)) => match self.system.table().find(to) {
                Lookup::Alive(_) => To::Alive(ids::to_log(to)),
                Lookup::Unborn | Lookup::Dead(_) => To::Ended(ids::to_log(to)),
            },
        };
        let number = *self.names.get(&pid)?;
        let nth = self.all.get(&number)?.sends;
        let lost = self.lost_sends.contains(&(number, nth));
        match entry {
            Some(Entry::Send(uid)) if !lost => {
                let receiver = self.logs.receivers.get(uid);
                match (receiver, to) {
                    (None, To::Alive(_) | To::Ended(_)) => Some(Step::Logged),
                    (Some(receiver), To::Alive(to) | To::Ended(to)) if self.names.get(&to) == Some(receiver) => {
                        Some(Step::Logged)
                    }
                    // It is for another one than the log says: a send without a uid comes before.
                    (Some(_), To::Ended(_)) => Some(Step::LostSend),
                    (Some(_), To::Alive(_)) => None,
                    // The name may be registered yet.
                    (_, To::Nobody) => Some(Step::NoName),
                }
            }
            None if !self.logs.finished => None,
            _ => match to {
                To::Ended(_) => Some(Step::LostSend),
                To::Nobody => Some(Step::NoName),
                To::Alive(_) => None,
            },
        }
    }

    /// Lets a process do a step, and everybody come to rest again.
    fn make(&mut self, pid: Pid, step: Step) -> Option<RunEnd> {
        let before = self.actions(pid);
        match step {
            Step::Untraced(tag) | Step::Foreign(tag) => {
                if let Some(tags) = self.untraced.get_mut(&pid) {
                    tags.retain(|known| *known != tag);
                }
                self.taken_untraced += u64::from(matches!(step, Step::Foreign(_)));
                self.system.release(pid, tag);
                self.rest()
            }
            Step::TimeOut | Step::MayTimeOut => {
                self.system.time_out(pid);
                self.rest()
            }
            Step::Receive(uid) => {
                let tag = self.sent.get(&uid)?.tag;
                if let Some(progress) = self.progress_mut(pid) {
                    progress.loose = Some(tag);
                }
                self.system.release(pid, tag);
                let end = self.rest();
                if let Some(progress) = self.progress_mut(pid) {
                    progress.refused = progress.loose.is_some();
                }
                end
            }
            Step::Spin => {
                self.spins += 1;
                self.system.permit(pid, None);
                self.rest()
            }
            Step::LostSend | Step::NoName => {
                if let Some(progress) = self.progress_mut(pid) {
                    progress.sends += 1;
                }
                self.lost += u64::from(step == Step::LostSend);
                self.system.permit(pid, None);
                self.rest()
            }
            Step::Free | Step::Onward => {
                let fresh = self.system.number_next(self.fresh);
                self.fresh = self.fresh.max(fresh.0);
                self.system.permit(pid, None);
                self.rest()
            }
            Step::Logged | Step::Start => self.make_logged(pid, before),
        }
    }

    /// How many actions a process has done.
    fn actions(&self, pid: Pid) -> u64 {
        let pid = interpreter::term::Pid::new(0, pid.0);
        match self.system.table().find(pid) {
            Lookup::Dead(actions) => actions,
            _ => self.system.table().by_pid(pid).map_or(0, |p| p.actions),
        }
    }

    fn make_logged(&mut self, pid: Pid, before: u64) -> Option<RunEnd> {
        let entry = self.entry(pid)??.clone();
        let mut born = None;
        match &entry {
            Entry::Send(uid) => {
                let to = match self.destination(pid) {
                    Some((Some(to), _)) => Some(ids::to_log(to)),
                    _ => None,
                };
                let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0))?;
                let k = SendNo(p.sent + 1);
                let tag = Tag::Sent { by: pid, k };
                let receiver = self.logs.receivers.contains_key(uid);
                self.sent.insert(
                    *uid,
                    Sent {
                        tag,
                        to: to.filter(|_| receiver),
                    },
                );
                self.uids.insert(tag, *uid);
                let number = *self.names.get(&pid)?;
                let progress = self.all.get_mut(&number)?;
                if !receiver {
                    self.doubtful.push((number, progress.sends));
                }
                progress.sends += 1;
            }
            Entry::Spawn { pid: number, .. } => {
                let wanted = if *number <= LARGEST_PID { *number } else { self.fresh };
                let child = self.system.number_next(wanted);
                if child.0 >= self.fresh {
                    self.fresh = child.0 + 1;
                }
                born = Some((*number, child));
            }
            Entry::Receive(_) | Entry::Start { .. } | Entry::Nodes(_) => {}
        }
        // A child must be known before it acts: nobody has run yet.
        if let Some((number, child)) = born {
            self.born(number, child);
        }
        self.system.permit(pid, None);
        let end = self.rest();
        if self.actions(pid) > before
            && let Some(progress) = self.progress_mut(pid)
        {
            progress.at += 1;
        } else if let Some((number, child)) = born {
            self.all.remove(&number);
            self.names.remove(&child);
        }
        end
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /// Have all entries fitted? If not, the process with which it most likely began.
    fn verdict(&self) -> Result<(), Misfit> {
        let mut worst: Option<(u32, u64, Misfit)> = None;
        let numbers = self.logs.processes.keys().chain(self.all.keys());
        for &number in numbers {
            let Some((rank, misfit)) = self.misfit(number) else {
                continue;
            };
            if worst.as_ref().is_none_or(|(r, n, _)| (rank, number) < (*r, *n)) {
                worst = Some((rank, number, misfit));
            }
        }
        worst.map_or(Ok(()), |(_, _, misfit)| Err(misfit))
    }

    /// What a process does that does not fit its log, and how far from the root of the trouble that is.
    fn misfit(&self, number: u64) -> Option<(u32, Misfit)> {
        let log = self.logs.processes.get(&number);
        let entries = log.map_or(0, |log| log.entries.len());
        let Some(progress) = self.all.get(&number) else {
            let misfit = Misfit {
                pid: number,
                fitted: 0,
                place: None,
                found: "it was not spawned".to_owned(),
            };
            return (entries > 0).then_some((4, misfit));
        };
        let pid = progress.pid;
        let p = self.system.table().by_pid(interpreter::term::Pid::new(0, pid.0));
        let place = p.and_then(|p| {
            let frames = p.machine.frames(&self.system.program);
            let of_program = |l: &SourceLocation<'_>| self.modules.contains(&l.module);
            let place = frames.iter().find_map(|frame| frame.location.filter(of_program))?;
            Some(format!("{}:{}:{}", place.file, place.line, place.column))
        });
        let misfit = |rank, found: String| {
            Some((
                rank,
                Misfit {
                    pid: number,
                    fitted: progress.at,
                    place,
                    found,
                },
            ))
        };
        let entry = log.and_then(|log| log.entries.get(progress.at)).map(|(entry, _)| entry);
        if p.is_none() {
            return entry.and_then(|_| misfit(0, "it has ended".to_owned()));
        }
        let Some(label) = self.system.label(pid) else {
            return match entry {
                None => None,
                Some(Entry::Receive(_)) if progress.refused => {
                    misfit(0, "its receive does not take that message".to_owned())
                }
                Some(Entry::Receive(uid)) => match self.sent.get(uid) {
                    Some(Sent { to: Some(to), .. }) if *to != pid => {
                        misfit(0, format!("that message was sent to {}", self.show(*to)))
                    }
                    _ => misfit(3, "it waits for that message, which has not been sent".to_owned()),
                },
                Some(_) => misfit(0, "it waits in a receive".to_owned()),
            };
        };
        let found = match label {
            Label::End => "it ends".to_owned(),
            Label::Spinning => "it runs on and on".to_owned(),
            Label::Native(native) => match (native.name, self.destination(pid)) {
                ("!" | "send", Some((Some(to), _))) => format!("it sends a message to {}", self.show(ids::to_log(to))),
                ("!" | "send", _) => "it sends a message to nobody".to_owned(),
                ("$node_start", _) => {
                    "it starts a node when the log says otherwise, or others have not looked yet".to_owned()
                }
                ("nodes", _) => "the nodes that are there are others, or come to be there only later".to_owned(),
                (name, _) => format!("it calls {}:{name}/{}", native.module, native.arity),
            },
        };
        match (entry, label) {
            // A run whose processes all ended: what is left over is no more than the log says.
            (None, Label::Native(native)) if self.logs.finished && matches!(native.name, "!" | "send") => {
                misfit(1, found)
            }
            (None, Label::Native(native)) if self.logs.finished && native.name.starts_with("spawn") => misfit(0, found),
            (None, _) => None,
            (Some(_), Label::Spinning) => misfit(2, found),
            (Some(Entry::Start { .. }), Label::Native(native)) if native.name == "$node_start" => misfit(1, found),
            (Some(Entry::Send(_)), Label::Native(native)) if matches!(native.name, "!" | "send") => misfit(1, found),
            (Some(_), _) => misfit(0, found),
        }
    }

    /// A process for people: CauDEr's number where it has one.
    fn show(&self, pid: Pid) -> String {
        self.names
            .get(&pid)
            .map_or_else(|| pid.to_string(), |number| format!("process {number}"))
    }
}

/// Is this message in the mailbox of a living process?
fn is_unread<O: Observer>(system: &System<O>, pid: Pid, tag: Tag) -> bool {
    let p = system.table().by_pid(interpreter::term::Pid::new(0, pid.0));
    p.is_some_and(|p| p.pool.contains(&tag) || p.machine.mailbox.tags().any(|unread| ids::unpack(unread) == tag))
}
