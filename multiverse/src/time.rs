//! A run goes on in the order of time: what can happen first happens next, if nothing is held up.
//!
//! Each process and each signal on its way has a time, in milliseconds. Computing takes none, and a signal is there when it is sent. So a run that
//! goes on like this needs no longer stall than what was done of it before.

use delay::Measure;
use log_format::{Pid, Resource, Tag};
use rustc_hash::FxHashMap;
use session::Error;
use session::player::free::Choice;
use session::player::{Player, handle};
use system::process::Label;

use interpreter::vm::Timeout;

/// What a process can do, and when this was found.
#[derive(Clone)]
struct KnownChoices {
    done: u64,
    pending: (usize, usize),
    choices: Vec<Choice>,
}

/// A choice with its time. At one time, steps come before receives, and timeouts come last; messages come as they were sent.
pub(crate) type Moment = (u64, u8, u64, Pid, Choice);

/// The times of a run.
#[derive(Clone, Default)]
pub(crate) struct RunTimes {
    /// When each process did its last action.
    last: FxHashMap<Pid, u64>,
    /// When each signal that was sent is there, and in which order they were sent.
    sent: FxHashMap<Tag, (u64, u64)>,
    sends: u64,
    /// When each shared thing was used last, and when it was written.
    used: FxHashMap<Resource, (u64, u64)>,
    /// How many actions of each process were looked at.
    seen: FxHashMap<Pid, u64>,
    total: u64,
    known: FxHashMap<Pid, KnownChoices>,
    /// Processes that run without an action.
    tired: Vec<Pid>,
    /// Processes that would halt the run next, and are held up to see what else can come first.
    held: Vec<Pid>,
    /// Processes that have made all their steps.
    spent: Vec<Pid>,
}

impl RunTimes {
    /// At the current position of a run, of which this much is known.
    pub fn at(player: &Player, measure: Option<&Measure>) -> Result<Self, Error> {
        let mut times = Self::default();
        let cut = player.position().cut;
        for last in cut.iter() {
            for entry in player.history().stretch(last.pid, 0, last.number.0)? {
                let id = log_format::ActionId::new(last.pid, entry.number);
                let at = measure.and_then(|measure| measure.time(id)).unwrap_or(0);
                times.action(last.pid, &entry.action, entry.sends, at, measure);
            }
            times.seen.insert(last.pid, last.number.0);
        }
        times.total = cut.actions();
        Ok(times)
    }

    fn action(&mut self, pid: Pid, action: &log_format::Action, sends: u64, at: u64, measure: Option<&Measure>) {
        self.last.insert(pid, at);
        if let Some(child) = action.kind.spawned() {
            self.last.entry(child).or_insert(at);
        }
        for k in sends - u64::from(action.sends) + 1..=sends {
            let tag = Tag::Sent {
                by: pid,
                k: log_format::SendNo(k),
            };
            self.sends += 1;
            let there = measure.and_then(|measure| measure.arrival(tag)).unwrap_or(at);
            self.sent.insert(tag, (there, self.sends));
        }
        for access in causality::accesses(pid, action) {
            let (used, written) = self.used.entry(access.resource).or_default();
            *used = at.max(*used);
            if access.write {
                *written = at.max(*written);
            }
        }
    }

    /// When a process that has done an action did it at the earliest.
    fn when(&self, pid: Pid, action: &log_format::Action, chosen: u64) -> u64 {
        let uses = causality::accesses(pid, action).filter_map(|access| {
            let (used, written) = self.used.get(&access.resource)?;
            Some(if access.write { *used } else { *written })
        });
        uses.fold(chosen, u64::max)
    }

    /// Looks at what was done since.
    fn look(&mut self, player: &Player, chosen: (Pid, u64)) -> Result<(), Error> {
        let total = player.history().total();
        if total == self.total {
            return Ok(());
        }
        let mut looked = 0;
        let mut all = vec![chosen.0];
        if total > self.total + 1 {
            all.extend(
                player
                    .position()
                    .cut
                    .iter()
                    .map(|last| last.pid)
                    .filter(|pid| *pid != chosen.0),
            );
        }
        for pid in all {
            let (from, to) = (self.seen.get(&pid).copied().unwrap_or(0), player.done(pid));
            for entry in player.history().stretch(pid, from, to)? {
                let at = self.when(pid, &entry.action, chosen.1);
                self.action(pid, &entry.action, entry.sends, at, None);
                looked += 1;
            }
            self.seen.insert(pid, to);
        }
        self.total += looked;
        Ok(())
    }

    /// The choices of a process; looked for again only if it has done something, or something was sent to it.
    fn choices(&mut self, player: &mut Player, pid: Pid) -> Result<(), Error> {
        let done = player.done(pid);
        let pending = player.look(|system| system.pending(pid));
        if let Some(known) = self.known.get(&pid)
            && known.done == done
            && known.pending == pending
        {
            return Ok(());
        }
        let choices = player.enabled(pid)?;
        let pending = player.look(|system| system.pending(pid));
        self.known.insert(pid, KnownChoices { done, pending, choices });
        Ok(())
    }

    /// When a signal is there, and its place in the order of sending.
    fn there(&self, player: &Player, tag: Tag) -> (u64, u64) {
        let (at, place) = match self.sent.get(&tag) {
            Some(known) => *known,
            // What an end sent.
            None => (
                tag.sender().and_then(|by| self.last.get(&by).copied()).unwrap_or(0),
                u64::MAX,
            ),
        };
        let after = player.look(|system| system.timed(tag)).unwrap_or(0);
        (at.saturating_add(after), place)
    }

    fn moment(&self, player: &Player, pid: Pid, choice: Choice) -> Moment {
        let now = self.last.get(&pid).copied().unwrap_or(0);
        match choice {
            Choice::Step | Choice::Pick(_) => (now, 0, 0, pid, choice),
            Choice::Message(tag) => {
                let (at, place) = self.there(player, tag);
                (at.max(now), 1, place, pid, choice)
            }
            Choice::Signal(tag) => {
                let (at, place) = self.there(player, tag);
                (at.max(now), 2, place, pid, choice)
            }
            Choice::Timeout => (now.saturating_add(wait_of(player, pid)), 3, 0, pid, choice),
            Choice::Arrived(tag) => {
                let (at, place) = self.there(player, tag);
                (at.max(now), 4, place, pid, choice)
            }
        }
    }

    /// What happens next. `None`: nothing can.
    fn next(&mut self, player: &mut Player) -> Result<Option<Moment>, Error> {
        let mut living = player.living();
        living.retain(|pid| !self.held.contains(pid) && !self.spent.contains(pid));
        for all in [false, true] {
            let mut first: Option<Moment> = None;
            for &pid in &living {
                if !all && self.tired.contains(&pid) {
                    continue;
                }
                self.choices(player, pid)?;
                let Some(known) = self.known.get(&pid) else { continue };
                for choice in &known.choices {
                    let moment = self.moment(player, pid, *choice);
                    if first.is_none_or(|first| moment < first) {
                        first = Some(moment);
                    }
                }
            }
            if first.is_some() {
                return Ok(first);
            }
            self.tired.clear();
        }
        Ok(None)
    }

    /// What happens next in a run; `None` if nothing does.
    pub fn coming(&mut self, player: &mut Player) -> Result<Option<Moment>, Error> {
        match player.look(|system| system.observer.halted.is_some()) {
            true => Ok(None),
            false => self.next(player),
        }
    }

    /// The time of a moment.
    pub const fn at_moment((at, ..): &Moment) -> u64 {
        *at
    }

    /// The same moment, if it is that of another process.
    pub const fn of_process((at, kind, place, _, choice): Moment, pid: Pid) -> Moment {
        (at, kind, place, pid, choice)
    }

    /// Does the run halt in this moment?
    pub fn halts(player: &Player, (.., pid, choice): &Moment) -> bool {
        *choice == Choice::Step && player.look(|system| system.halts_next(*pid))
    }

    /// A process that would halt the run waits.
    pub fn hold(&mut self, (.., pid, _): &Moment) {
        self.held.push(*pid);
    }

    /// A process has made all its steps.
    pub fn hold_for_good(&mut self, (.., pid, _): &Moment) {
        self.spent.push(*pid);
    }

    /// Whose moment it is.
    pub const fn who((.., pid, _): &Moment) -> Pid {
        *pid
    }

    /// The processes that wait to halt the run. They wait no more.
    pub fn let_go(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.held)
    }

    /// Makes a step of a run.
    pub fn step(&mut self, player: &mut Player, (at, _, _, pid, choice): Moment) -> Result<(), Error> {
        let stopped = player.go_way(pid, choice)?;
        if stopped == session::player::Stopped::Running {
            self.tired.push(pid);
        }
        self.look(player, (pid, at))
    }
}

fn wait_of(player: &Player, pid: Pid) -> u64 {
    player.look(
        |system| match system.table().by_pid(handle(pid)).and_then(|p| p.label) {
            Some(Label::Receive(Timeout::Millis(after))) => after,
            _ => 0,
        },
    )
}
