//! Checks that a trace is causally consistent: goes through all logs together, each action only after its causes (semantics.md §3), without
//! running the program. Every consumed signal was sent exactly once, and nothing depends on itself.

use log_format::{ActionId, Kind, LogReader, LogStep, Pid, SendNo, Tag, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// At most this many consumed signals are remembered, to find one that is consumed twice.
const REMEMBERED: u64 = 1 << 25;

/// What an action waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ActionNeed {
    /// A process must have sent this many signals.
    Sends(Pid, SendNo),
    /// A process must have ended.
    End(Pid),
    /// A process must have done this many actions.
    Action(ActionId),
}

impl ActionNeed {
    const fn of(tag: Tag) -> Option<Self> {
        match tag {
            Tag::Sent { by, k } => Some(Self::Sends(by, k)),
            Tag::EndTo { by, .. } | Tag::EndRef { by, .. } | Tag::EndTable { by, .. } => Some(Self::End(by)),
            Tag::Limit { .. } => None,
        }
    }
    const fn process(self) -> Pid {
        match self {
            Self::Sends(pid, _) | Self::End(pid) => pid,
            Self::Action(action) => action.pid,
        }
    }
}

/// A log, and how much of it has been done.
struct LogProgress<'t> {
    pid: Pid,
    log: LogReader<'t>,
    /// The spawn that must come first.
    birth: Option<ActionId>,
    /// Causes of the action that was read and not yet done.
    needs: Vec<ActionNeed>,
    /// What has been done.
    actions: u64,
    sends: u64,
    ended: bool,
    finished: bool,
}

struct ConsistencyWalk<'t> {
    lives: Vec<LogProgress<'t>>,
    places: FxHashMap<u64, usize>,
    /// For each process, the logs that wait for it.
    waiting: FxHashMap<u64, Vec<usize>>,
    ready: Vec<usize>,
    consumed: Option<FxHashSet<Tag>>,
}

/// Checks all logs.
///
/// # Errors
/// The trace is damaged or not consistent: names the action, and what it lacks.
pub fn check(trace: &Trace) -> log_format::Result<()> {
    let mut walk = ConsistencyWalk {
        lives: Vec::new(),
        places: FxHashMap::default(),
        waiting: FxHashMap::default(),
        ready: Vec::new(),
        consumed: (trace.totals().counts.receives <= REMEMBERED).then(FxHashSet::default),
    };
    for process in trace.processes() {
        let process = process?;
        let at = walk.lives.len();
        walk.places.insert(process.pid.0, at);
        let mut log = trace.log(process.pid)?.without_values();
        log.park();
        walk.lives.push(LogProgress {
            pid: process.pid,
            log,
            birth: process.parent,
            needs: process.parent.map(ActionNeed::Action).into_iter().collect(),
            actions: 0,
            sends: 0,
            ended: false,
            finished: false,
        });
        walk.ready.push(at);
    }
    // In a slice, the spawns of kept processes are kept too, so nothing is missing.
    while let Some(at) = walk.ready.pop() {
        walk.go(at)?;
    }
    match walk.lives.iter().find(|life| !life.finished) {
        None => Ok(()),
        Some(life) => Err(walk.stuck(life)),
    }
}

impl ConsistencyWalk<'_> {
    /// Goes on with one log as far as possible.
    fn go(&mut self, at: usize) -> log_format::Result<()> {
        let before = (self.lives[at].actions, self.lives[at].sends, self.lives[at].ended);
        loop {
            let lacking = self.lives[at].needs.iter().copied().find(|need| !self.has(*need));
            if let Some(need) = lacking {
                self.waiting.entry(need.process().0).or_default().push(at);
                self.lives[at].log.park();
                break;
            }
            // The action that was read is done now.
            let life = &mut self.lives[at];
            let counts = life.log.counts();
            (life.actions, life.sends) = (counts.actions, counts.sends);
            life.needs.clear();
            let mut child = None;
            match life.log.step(u64::MAX)? {
                None => {
                    life.finished = true;
                    life.log.park();
                    break;
                }
                Some(LogStep::Sends(_)) => {}
                Some(LogStep::Action(action)) => {
                    if life.ended {
                        let found = format!("action {} after it", counts.actions + 1);
                        return Err(wrong(format!("nothing after the end of {}", life.pid), found));
                    }
                    let consumed = action.kind.consumed();
                    life.needs.extend(consumed.and_then(ActionNeed::of));
                    life.needs
                        .extend(action.accesses.iter().filter_map(|a| a.by).map(ActionNeed::Action));
                    if let Kind::Observe { of: Some(of), .. } = action.kind
                        && of.number.0 > 0
                    {
                        life.needs.push(ActionNeed::Action(of));
                    }
                    // A process may read what an earlier part of the same step wrote.
                    let me = ActionId::new(life.pid, counts.actions + 1);
                    life.needs.retain(|need| *need != ActionNeed::Action(me));
                    life.ended = action.is_end();
                    child = action.kind.spawned();
                    if let Some(tag) = consumed
                        && let Some(all) = &mut self.consumed
                        && !all.insert(tag)
                    {
                        let found = format!("action {} of {}, which consumes it again", me.number, me.pid);
                        return Err(wrong(format!("{tag} to be consumed once"), found));
                    }
                }
            }
            if let Some(child) = child {
                self.check_child(at, child)?;
            }
        }
        let life = &self.lives[at];
        if before != (life.actions, life.sends, life.ended)
            && let Some(waiting) = self.waiting.remove(&life.pid.0)
        {
            self.ready.extend(waiting);
        }
        Ok(())
    }

    /// Checks that the child of a spawn names this spawn as its birth.
    fn check_child(&self, at: usize, child: Pid) -> log_format::Result<()> {
        let spawn = ActionId::new(self.lives[at].pid, self.lives[at].log.counts().actions);
        match self.places.get(&child.0).map(|&place| self.lives[place].birth) {
            Some(birth) if birth == Some(spawn) => Ok(()),
            found => Err(wrong(
                format!("{child} to be spawned by action {} of {}", spawn.number, spawn.pid),
                match found {
                    None => "no such process".to_owned(),
                    Some(None) => "an entry process".to_owned(),
                    Some(Some(ActionId { pid, number: n })) => format!("one spawned by action {n} of {pid}"),
                },
            )),
        }
    }

    fn has(&self, need: ActionNeed) -> bool {
        let life = |pid: Pid| self.places.get(&pid.0).map(|&at| &self.lives[at]);
        match need {
            ActionNeed::Sends(pid, k) => life(pid).is_some_and(|life| k.0 > 0 && life.sends >= k.0),
            ActionNeed::End(pid) => life(pid).is_some_and(|life| life.ended && life.finished_end()),
            ActionNeed::Action(action) => life(action.pid).is_some_and(|life| life.actions >= action.number.0),
        }
    }

    fn stuck(&self, life: &LogProgress<'_>) -> log_format::Error {
        let number = life.log.counts().actions;
        let lacking = life.needs.iter().copied().find(|need| !self.has(*need));
        let (cause, other) = match lacking {
            Some(ActionNeed::Sends(pid, k)) => (format!("{pid} to have sent {k} signals before"), pid),
            Some(ActionNeed::End(pid)) => (format!("{pid} to have ended before"), pid),
            Some(ActionNeed::Action(ActionId { pid, number })) => {
                (format!("{pid} to have done its action {number} before"), pid)
            }
            None => ("its causes".to_owned(), life.pid),
        };
        let found = match self.places.get(&other.0).map(|&at| &self.lives[at]) {
            None => "no such process".to_owned(),
            Some(there) if there.finished => format!("its log ends after {} actions", there.actions),
            Some(there) => format!("it waits itself, after {} actions", there.actions),
        };
        wrong(format!("action {number} of {}: {cause}", life.pid), found)
    }
}

impl LogProgress<'_> {
    /// Has the end been done, and not only read?
    fn finished_end(&self) -> bool {
        self.actions == self.log.counts().actions
    }
}

fn wrong(expected: String, found: String) -> log_format::Error {
    log_format::Error::damaged(0, expected, found)
}
