//! A guided continuation: a run goes on as near to the record as it can.
//!
//! A process that has done what was recorded makes its recorded choice, in the order of the record. One that has departed goes first, and
//! prefers messages in the order in which it received them then. Children are matched by their parent and their number there. Timeouts of more
//! than a few milliseconds, and timers, come only when nothing else can happen, by their deadlines. With a seed, the continuation is random
//! instead: any process, any of its messages.

mod clock;
mod index;
mod pick;
mod track;

use log_format::{Action, ActionId, InputClass, Kind, Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::player::free::Choice;
use session::player::{Player, Stopped, handle};
use system::process::{Label, Lookup};
use system::scheduler::mix;

use interpreter::vm::Timeout;

use crate::record::Record;
use crate::story::{Run, Sort};
use index::{Index, Known};

/// Steps without an action after which a run that does nothing but compute is cut.
const IDLE: u32 = 16;
/// So many signals that are judged count as one step.
const JUDGED: u64 = 32;
/// To list so many is as much work as to judge one.
const LISTED: u64 = 4;
/// What is held back lets others make so many steps.
const HELD: u64 = 400;

/// What waits until nothing else can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// A process: it does nothing.
    Process(Pid),
    /// A message: this process does not take it.
    Message(Pid, Tag),
    /// All actions of this sort, and the receipt of all messages that were sent with one. Where nothing else can happen, the first of them comes, and
    /// then the others wait again.
    Sort(Sort),
}

/// Why a continuation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nothing more can happen, or the entry has ended.
    Quiet,
    /// The program halted, with this status.
    Halted(i64),
    /// It made all its steps, or computed without an action.
    Cut,
}

/// What a continuation must do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// The seed of a random continuation.
    pub random: Option<u64>,
    /// In a random continuation: no timeout comes before work, and half of them (those with even seeds) prefer some processes to others, so that
    /// there are few switches.
    pub calm: bool,
    /// A timeout, or the receipt of a timer's message, that is not repeated just because it was recorded.
    pub waited: Option<ActionId>,
    /// This waits until others have nothing to do.
    pub held: Option<Held>,
    /// Every wait comes when the clock says so, and when nothing else can happen; also a short one that was recorded.
    pub strict: bool,
    /// In a random continuation: for so many milliseconds, at most, may work be held up until a timeout has come.
    pub stall: Option<u64>,
    /// A process that has departed takes no message before the others have come to where that was received in the record.
    pub near: bool,
    /// The run ends with this process.
    pub entry: Option<Pid>,
    /// At most so many steps; fewer where hundreds of signals wait.
    pub steps: u64,
}

/// How a process compares with the record.
struct Track {
    /// It has done what was recorded.
    sync: bool,
    /// So many of its actions have been compared.
    compared: u64,
    /// The rank of the last one that was as recorded.
    last: u64,
    /// How many processes it has created.
    children: usize,
}

/// A continuation.
pub struct Guide<'r> {
    record: &'r Record,
    plan: Plan,
    same: FxHashMap<Pid, Option<Pid>>,
    born: FxHashMap<Pid, (Pid, usize)>,
    tracks: FxHashMap<Pid, Track>,
    /// The time of the run, in milliseconds of waits; `None`: it has not begun.
    now: Option<u64>,
    /// When a process, at its n-th action, times out; when a timer fires.
    waits: FxHashMap<(Pid, u64), u64>,
    timers: FxHashMap<Tag, u64>,
    state: u64,
    tired: FxHashSet<Pid>,
    index: Index,
    held: u64,
    /// Of the sort that is held back, one may come now.
    lets_one_go: bool,
    /// Steps since the last action.
    idle: u32,
    /// At which step signals were sent in this continuation.
    sent: FxHashMap<(Pid, u64), u64>,
    /// Recorded waits that come where they came then, however long they are.
    at_once: FxHashSet<ActionId>,
    /// Steps made.
    pub step: u64,
    /// A timeout came after some time, or the message of a timer.
    pub timed: bool,
    /// How often it was looked at a process and what it can do: the work of finding the steps.
    pub looks: u64,
    /// How many signals waited for the processes whose choices were looked for: each is judged.
    pub judged: u64,
}

impl<'r> Guide<'r> {
    /// A continuation that has not begun.
    #[must_use]
    pub fn new(record: &'r Record, plan: Plan) -> Self {
        Self {
            record,
            state: plan.random.unwrap_or(0),
            plan,
            same: FxHashMap::default(),
            born: FxHashMap::default(),
            tracks: FxHashMap::default(),
            now: None,
            waits: FxHashMap::default(),
            timers: FxHashMap::default(),
            tired: FxHashSet::default(),
            index: Index::default(),
            held: HELD,
            lets_one_go: false,
            idle: 0,
            sent: FxHashMap::default(),
            at_once: FxHashSet::default(),
            step: 0,
            timed: false,
            looks: 0,
            judged: 0,
        }
    }

    /// These recorded waits come where they came then, however long they are.
    #[must_use]
    pub fn with_waits(mut self, at_once: &FxHashSet<ActionId>) -> Self {
        self.at_once.clone_from(at_once);
        self
    }

    /// Is something held back in it?
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.plan.held.is_some()
    }

    /// Is something held back now?
    #[must_use]
    pub const fn holds_now(&self) -> bool {
        match self.plan.held {
            Some(Held::Process(_) | Held::Message(..)) => self.held > 0,
            Some(Held::Sort(_)) => true,
            None => false,
        }
    }

    /// Looks at the processes that have changed since the last step.
    fn refresh(&mut self, player: &Player) -> Result<(), Error> {
        let afloat = player.look(|system| system.afloat());
        let touched = player.touched(&mut self.index.since);
        let all = self.index.stale || afloat != self.index.afloat;
        let pids = match touched.filter(|_| !all) {
            Some(touched) => touched,
            None => {
                self.index.clear();
                player.living()
            }
        };
        self.index.afloat = afloat;
        for pid in pids {
            self.look_at(player, pid)?;
        }
        Ok(())
    }

    /// A process has perhaps changed.
    fn look_at(&mut self, player: &Player, pid: Pid) -> Result<(), Error> {
        self.looks += 1;
        if player.look(|system| system.table().is_alive(handle(pid))) {
            let standing = self.track(player, pid)?;
            let tired = self.tired.contains(&pid);
            self.index.put(pid, standing, self.priority(pid), tired);
        } else {
            self.index.bury(pid);
        }
        Ok(())
    }

    /// The place of a process in a calm random run. The last one has the highest priority.
    fn priority(&self, pid: Pid) -> u64 {
        mix(self.plan.random.unwrap_or(0) ^ mix(pid.0))
    }

    /// What a process can do, without what is held back.
    fn choices(&mut self, player: &mut Player, pid: Pid) -> Result<Vec<Choice>, Error> {
        self.looks += 1;
        if self.index.is_unknown(pid) {
            self.find_choices(player, pid)?;
        }
        let mut choices = self.index.choices(pid);
        match self.plan.held {
            Some(Held::Sort(sort)) if !self.lets_one_go => {
                let mut free = Vec::new();
                for choice in choices {
                    if !self.is_of_sort(player, (pid, choice), sort)? {
                        free.push(choice);
                    }
                }
                Ok(free)
            }
            _ => {
                choices.retain(|choice| !self.is_held(pid, *choice));
                Ok(choices)
            }
        }
    }

    /// Is the next action of a process of this sort, or was the message that it takes sent with one?
    fn is_of_sort(&mut self, player: &Player, (pid, choice): (Pid, Choice), sort: Sort) -> Result<bool, Error> {
        let at = match choice {
            Choice::Message(tag) => {
                let tag = self.tag(player.history(), tag)?;
                match tag.sender() {
                    Some(by) if self.record.has(by) => self.record.history.find_send(tag)?,
                    _ => None,
                }
            }
            Choice::Step | Choice::Arrived(_) | Choice::Pick(_) => {
                let (sync, _) = self.track(player, pid)?;
                let old = self.recorded(player.history(), pid)?.filter(|_| sync);
                old.map(|old| ActionId::new(old, player.done(pid) + 1))
            }
            Choice::Timeout | Choice::Signal(_) => None,
        };
        Ok(at.is_some_and(|at| self.record.sort(at) == sort))
    }

    /// Is this choice held back now?
    fn is_held(&self, pid: Pid, choice: Choice) -> bool {
        match self.plan.held.filter(|_| self.held > 0) {
            Some(Held::Process(held)) => held == pid,
            Some(Held::Message(held, tag)) => held == pid && choice == Choice::Message(tag),
            Some(Held::Sort(_)) | None => false,
        }
    }

    /// To find out what a process can do, it has run on, and may have changed others.
    fn note_others(&mut self, player: &Player, pid: Pid) -> Result<(), Error> {
        match player.touched(&mut self.index.since) {
            Some(touched) => {
                for other in touched.into_iter().filter(|other| *other != pid) {
                    self.index.forget(other);
                    self.look_at(player, other)?;
                }
            }
            None => self.index.stale = true,
        }
        Ok(())
    }

    fn find_choices(&mut self, player: &mut Player, pid: Pid) -> Result<(), Error> {
        let done = player.done(pid);
        let pending = player.look(|system| system.pending(pid));
        let known = self.index.known(pid);
        let known = known.filter(|known| known.done == done && known.pending == pending);
        let known = match known.cloned() {
            Some(known) => known,
            None => self.find_anew(player, pid)?,
        };
        let (mut due, mut looks) = (Vec::new(), false);
        let mut untimed = known.takes_kept && !self.index.messages(pid).all.is_empty();
        for (choice, place) in known.choices.iter().zip(0..) {
            match choice {
                Choice::Timeout => {
                    let wait = wait_of(player, pid);
                    let when = self.began_at(player, pid) + wait.unwrap_or(0);
                    due.push((*self.waits.entry((pid, done)).or_insert(when), place));
                    looks |= wait == Some(0);
                }
                Choice::Message(tag) => match player.look(|system| system.timed(*tag)) {
                    Some(after) => {
                        let when = match self.timers.get(tag) {
                            Some(known) => *known,
                            None => self.set_at(player, *tag)? + after,
                        };
                        self.timers.insert(*tag, when);
                        due.push((when, place));
                    }
                    None if self.timers.contains_key(tag) => due.push((self.timers[tag], place)),
                    None => untimed = true,
                },
                Choice::Step | Choice::Signal(_) | Choice::Arrived(_) | Choice::Pick(_) => untimed = true,
            }
        }
        self.index
            .learn(pid, known, due, looks, untimed && !self.tired.contains(&pid));
        Ok(())
    }

    /// What a process can do now.
    fn find_anew(&mut self, player: &mut Player, pid: Pid) -> Result<Known, Error> {
        let judged = player.judged();
        let mut known = Known::default();
        // What was the message of a timer stays one.
        let is_timed = |(tag, is_there): &(Tag, bool)| *is_there && self.timers.contains_key(tag);
        let takable = player.takable(pid, self.index.messages(pid).name)?;
        match takable.filter(|takable| self.timers.is_empty() || !takable.news.iter().any(is_timed)) {
            Some(takable) => {
                known.takes_kept = true;
                known.choices.extend(takable.times_out.then_some(Choice::Timeout));
                if takable.is_new {
                    // To put them all in a list is some work, too.
                    self.judged += takable.news.len() as u64 / LISTED;
                } else {
                    self.put_in_order(player, pid, &takable)?;
                }
                self.index.messages(pid).take_in(takable);
            }
            None => {
                known.choices = player.enabled(pid)?;
                self.judged += known.choices.len() as u64;
            }
        }
        self.note_others(player, pid)?;
        (known.done, known.pending) = (player.done(pid), player.look(|system| system.pending(pid)));
        self.judged += player.judged() - judged;
        Ok(known)
    }

    /// Nothing is held back any more.
    fn let_go(&mut self) {
        self.held = 0;
        let rested = self.index.living().filter(|pid| !self.tired.contains(pid));
        for pid in rested.collect::<Vec<Pid>>() {
            self.index.revive(pid);
            self.rest(pid);
        }
    }

    /// A process can be drawn again.
    fn rest(&mut self, pid: Pid) {
        let priority = self.priority(pid);
        let untimed = self.index.choices(pid).iter().any(|choice| !self.is_timed(*choice));
        self.index.draw_again(priority, pid, untimed);
    }

    /// Those that ran without an action may go on. Returns them by their ranks, the first one first.
    fn rest_all(&mut self) -> Vec<Pid> {
        let tired: Vec<Pid> = self.tired.drain().collect();
        let mut ranked = Vec::new();
        for pid in tired {
            if let Some((rank, _)) = self.index.standing(pid) {
                ranked.push((rank, pid));
                self.index.revive(pid);
                self.rest(pid);
            }
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, pid)| pid).collect()
    }

    fn is_timed(&self, choice: Choice) -> bool {
        match choice {
            Choice::Timeout => true,
            Choice::Message(tag) => self.timers.contains_key(&tag),
            Choice::Step | Choice::Signal(_) | Choice::Arrived(_) | Choice::Pick(_) => false,
        }
    }

    /// The recorded value of an input that a process is about to get, if it is as recorded. In a random continuation, only what the run's surroundings
    /// have given, such as files: no schedule changes these.
    fn input(&mut self, player: &Player, pid: Pid) -> Result<Option<Action>, Error> {
        let (sync, _) = self.track(player, pid)?;
        let next = player.done(pid) + 1;
        if !sync || player.logged(pid)?.is_some() {
            return Ok(None);
        }
        let Some(old) = self.recorded(player.history(), pid)? else {
            return Ok(None);
        };
        match self.record.action(old, next)? {
            Some(action) if matches!(action.kind, Kind::Input { .. }) => {
                let whole = player.session().trace().action(old, log_format::ActionNo(next))?;
                let is_given = |class: InputClass| class.is_of_the_outside() || class == InputClass::System;
                let is_same = self.plan.random.is_none() || whole.kind.input_class().is_some_and(is_given);
                Ok(is_same.then(|| Action::new(whole.kind)))
            }
            _ => Ok(None),
        }
    }

    fn go(&mut self, player: &mut Player, pid: Pid, choice: Choice) -> Result<Stopped, Error> {
        if choice == Choice::Step
            && let Some(input) = self.input(player, pid)?
        {
            let before = player.clone();
            match player.go_way_with(pid, input) {
                Ok(stopped) => return Ok(stopped),
                Err(_) => {
                    // It is about to do something else than then.
                    *player = before;
                    if let Some(track) = self.tracks.get_mut(&pid) {
                        track.sync = false;
                    }
                }
            }
        }
        player.go_way(pid, choice)
    }

    /// The run no longer ends with a process: it goes on until nothing more can happen, for at most so many steps more.
    pub const fn to_rest(&mut self, steps: u64) {
        self.plan.entry = None;
        self.plan.steps = self.step.saturating_add(steps);
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// A repeated step diverges; the trace is damaged.
    pub fn finish(&mut self, player: &mut Player) -> Result<Ended, Error> {
        loop {
            if let Err(ended) = self.go_on(player)? {
                return Ok(ended);
            }
        }
    }

    /// Makes one step, and says which process made it, or why there is none.
    ///
    /// # Errors
    /// A repeated step diverges; the trace is damaged.
    pub fn go_on(&mut self, player: &mut Player) -> Result<Result<Pid, Ended>, Error> {
        let halted = player.look(|system| system.observer.halted);
        if let Some(status) = halted {
            return Ok(Err(Ended::Halted(status)));
        }
        if let Some(entry) = self.plan.entry
            && player.look(|system| !matches!(system.table().find(handle(entry)), Lookup::Alive(_)))
        {
            return Ok(Err(Ended::Quiet));
        }
        // Where many signals wait, a step is as much work as many others.
        if self.step + self.judged / JUDGED >= self.plan.steps || self.idle > IDLE {
            return Ok(Err(Ended::Cut));
        }
        let Some((pid, choice)) = self.pick(player)? else {
            return Ok(Err(Ended::Quiet));
        };
        self.make(player, pid, choice)?;
        Ok(Ok(pid))
    }

    /// The others do all they can, while something is held back.
    ///
    /// # Errors
    /// A repeated step diverges; the trace is damaged.
    pub fn hold_back(&mut self, player: &mut Player) -> Result<(), Error> {
        self.begin(player);
        while self.held > 0 && player.look(|system| system.observer.halted.is_none()) {
            self.refresh(player)?;
            self.hold();
            let Some((pid, choice)) = self.pick_of(player, false)? else {
                break;
            };
            self.make(player, pid, choice)?;
        }
        self.let_go();
        Ok(())
    }

    /// What is known of the processes that the last step has changed no longer counts; of all, if a name may have been given to one, or if logs are
    /// not used up: what comes next in a log may need the step.
    fn forget_touched(&mut self, player: &Player) {
        let mut since = self.index.since;
        let is_beyond = player.look(|system| system.total_actions) >= player.history().total();
        match player.touched(&mut since) {
            Some(touched) if self.index.afloat == 0 && is_beyond => {
                touched.into_iter().for_each(|pid| self.index.forget(pid));
            }
            _ => self.index.stale = true,
        }
    }

    fn make(&mut self, player: &mut Player, pid: Pid, choice: Choice) -> Result<(), Error> {
        self.step += 1;
        self.timed |= match choice {
            Choice::Timeout => wait_of(player, pid) != Some(0),
            choice => self.is_timed(choice),
        };
        let before = player.done(pid);
        let total = player.history().total();
        if self.go(player, pid, choice)? == Stopped::Running {
            self.tired.insert(pid);
            self.index.tire(pid);
        }
        let after = player.done(pid);
        if after > before {
            let (first, last) = (
                player.history().sends(pid, before)?,
                player.history().sends(pid, after)?,
            );
            for k in first + 1..=last {
                self.sent.insert((pid, k), self.step);
            }
            // What is shared, and how others are linked, can change what a process can do without anything being sent to it.
            let new = player.history().stretch(pid, before, after)?;
            let reaches_others = |action: &Action| {
                matches!(action.kind, Kind::Drop { .. }) || action.accesses.iter().any(|access| access.write)
            };
            if new.iter().any(|entry| reaches_others(&entry.action)) {
                self.forget_touched(player);
            }
        }
        self.idle = if player.history().total() == total {
            self.idle + 1
        } else {
            0
        };
        Ok(())
    }
}

/// For how long a process will wait in its receive.
#[must_use]
pub fn wait_of(player: &Player, pid: Pid) -> Option<u64> {
    player.look(
        |system| match system.table().by_pid(handle(pid)).and_then(|p| p.label) {
            Some(Label::Receive(Timeout::Millis(after))) => Some(after),
            _ => None,
        },
    )
}
