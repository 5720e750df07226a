//! A guided continuation: a run goes on as near to the record as it can.
//!
//! A process that has done what was recorded makes its recorded choice, in the order of the record. One that has departed goes first, and
//! prefers messages in the order in which it received them then. Children are matched by their parent and their number there. Timeouts of more
//! than a few milliseconds, and timers, come only when nothing else can happen, by their deadlines. With a seed, the continuation is random
//! instead: any process, any of its messages.

mod clock;
mod index;

use log_format::{Action, ActionId, InputClass, Kind, Pid, SendNo, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::error::Error;
use session::player::free::Choice;
use session::player::history::History;
use session::player::{Player, Stopped, handle};
use system::process::{Label, Lookup};
use system::scheduler::mix;

use interpreter::vm::Timeout;

use crate::record::{LONG, Record};
use crate::story::{Run, Sort};
use index::{Index, Known};

/// Steps without an action after which a run that does nothing but compute is cut.
const IDLE: u32 = 16;
/// A timeout or timer of at most so many milliseconds can come before work in a random continuation.
const SHORT: u64 = 100;
/// One in so many steps of a random continuation is a short timeout, if there is one.
const RARELY: usize = 12;
/// Of more processes, a random continuation does not draw those first that can do nothing.
const MANY: usize = 512;
/// So many signals that are judged count as one step.
const JUDGED: u64 = 32;
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

    /// The recorded process that has the part of this one.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn recorded(&mut self, history: &History, pid: Pid) -> Result<Option<Pid>, Error> {
        if let Some(known) = self.same.get(&pid) {
            return Ok(*known);
        }
        // A child of this continuation can have the pid of another recorded process.
        let found = match (self.born.get(&pid).copied(), history.parent(pid)?) {
            (Some((parent, j)), _) => {
                let parent = self.recorded(history, parent)?;
                parent.and_then(|parent| self.record.child(parent, j))
            }
            (None, _) if self.record.has(pid) => Some(pid),
            (None, Some(birth)) => {
                let before = history.stretch(birth.pid, 0, birth.number.0)?;
                let j = before.iter().filter(|e| e.action.kind.spawned().is_some()).count();
                let parent = self.recorded(history, birth.pid)?;
                parent.and_then(|parent| self.record.child(parent, j))
            }
            (None, None) => None,
        };
        self.same.insert(pid, found);
        Ok(found)
    }

    /// A signal of this continuation as the record has it.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn tag(&mut self, history: &History, tag: Tag) -> Result<Tag, Error> {
        tag.try_renamed(|pid| Ok(self.recorded(history, pid)?.unwrap_or(Pid(u64::MAX))))
    }

    /// Is it as recorded so far, and the rank of its next action.
    fn track(&mut self, player: &Player, pid: Pid) -> Result<(bool, u64), Error> {
        let history = player.history();
        let recorded = self.recorded(history, pid)?;
        let done = player.done(pid);
        let mut at = match self.tracks.remove(&pid) {
            Some(at) => at,
            None => self.first_look(player, pid, recorded),
        };
        if at.compared < done {
            for entry in history.stretch(pid, at.compared, done)? {
                if let Some(child) = entry.action.kind.spawned() {
                    at.children += 1;
                    self.born.insert(child, (pid, at.children));
                }
                if let Some(old) = recorded {
                    self.compare(history, &mut at, old, entry.number, &entry.action)?;
                }
            }
            at.compared = done;
        }
        let rank = match (at.sync, recorded) {
            (true, Some(old)) => self.record.rank(old, done + 1),
            _ => at.last,
        };
        let sync = at.sync;
        self.tracks.insert(pid, at);
        Ok((sync, rank))
    }

    /// What a process did before this continuation was recorded.
    fn first_look(&self, player: &Player, pid: Pid, recorded: Option<Pid>) -> Track {
        let sync = recorded.is_some();
        if recorded != Some(pid) {
            return Track {
                sync,
                compared: 0,
                last: 0,
                children: 0,
            };
        }
        let kept = player.history().left_at(pid).unwrap_or(u64::MAX).min(player.done(pid));
        Track {
            sync,
            compared: kept,
            last: if kept > 0 { self.record.rank(pid, kept) } else { 0 },
            children: self.record.children(pid, kept),
        }
    }

    fn compare(
        &mut self,
        history: &History,
        at: &mut Track,
        old: Pid,
        number: u64,
        action: &Action,
    ) -> Result<(), Error> {
        if at.sync {
            let Some(known) = self.record.action(old, number)? else {
                at.sync = false;
                return Ok(());
            };
            at.sync = match (&known.kind, &action.kind) {
                (Kind::Rec(a), Kind::Rec(b)) => *a == self.tag(history, *b)?,
                (Kind::Signal { tag: a, .. }, Kind::Signal { tag: b, .. }) => *a == self.tag(history, *b)?,
                (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
            };
            if at.sync {
                at.last = self.record.rank(old, number);
            }
        } else if let Some(tag) = action.kind.consumed() {
            let tag = self.tag(history, tag)?;
            if let Some(n) = self.record.received(old)?.at(tag) {
                at.last = self.record.rank(old, n);
            }
        }
        Ok(())
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
        let known = self.index.known(pid).map(|known| known.choices.clone());
        let mut choices = known.unwrap_or_default();
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

    fn find_choices(&mut self, player: &mut Player, pid: Pid) -> Result<(), Error> {
        let done = player.done(pid);
        let pending = player.look(|system| system.pending(pid));
        let known = self.index.known(pid);
        let known = known.filter(|known| known.done == done && known.pending == pending);
        let choices = match known {
            Some(known) => known.choices.clone(),
            None => {
                self.judged += (pending.0 + pending.1) as u64;
                let choices = player.enabled(pid)?;
                // To find out what it can do, it has run on.
                match player.touched(&mut self.index.since) {
                    Some(touched) => {
                        for other in touched.into_iter().filter(|other| *other != pid) {
                            self.index.forget(other);
                            self.look_at(player, other)?;
                        }
                    }
                    None => self.index.stale = true,
                }
                choices
            }
        };
        let (mut due, mut looks, mut untimed) = (Vec::new(), false, false);
        for (choice, place) in choices.iter().zip(0..) {
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
        let pending = player.look(|system| system.pending(pid));
        let known = Known { done, pending, choices };
        self.index
            .learn(pid, known, due, looks, untimed && !self.tired.contains(&pid));
        Ok(())
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
        let choices = self.index.known(pid).map(|known| known.choices.as_slice());
        let untimed = choices.unwrap_or_default().iter().any(|choice| !self.is_timed(*choice));
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

    fn draw(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let high = (u128::from(mix(self.state)) * below as u128) >> 64;
        usize::try_from(high).unwrap_or(0)
    }

    fn is_timed(&self, choice: Choice) -> bool {
        match choice {
            Choice::Timeout => true,
            Choice::Message(tag) => self.timers.contains_key(&tag),
            Choice::Step | Choice::Signal(_) | Choice::Arrived(_) | Choice::Pick(_) => false,
        }
    }

    fn pick(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        if player.look(|system| system.observer.halted.is_some()) {
            return Ok(None);
        }
        self.begin(player);
        self.refresh(player)?;
        if let Some(Held::Sort(_)) = self.plan.held {
            return self.pick_with_sort_held(player);
        }
        if self.plan.random.is_some() {
            return self.pick_any(player);
        }
        if self.plan.held.is_some() && self.held > 0 {
            self.hold();
            if let Some(found) = self.pick_of(player, false)? {
                return Ok(Some(found));
            }
            self.let_go();
        }
        self.pick_of(player, true)
    }

    /// A step while a sort of actions is held back; where there is none, the first of these.
    fn pick_with_sort_held(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        let found = match self.plan.random {
            Some(_) => self.pick_untimed(player)?,
            None => self.pick_of(player, false)?,
        };
        if found.is_some() {
            return Ok(found);
        }
        for pid in self.index.living().collect::<Vec<Pid>>() {
            if !self.tired.contains(&pid) {
                self.index.revive(pid);
                self.rest(pid);
            }
        }
        self.lets_one_go = true;
        let found = match self.plan.random {
            Some(_) => self.pick_any(player),
            None => self.pick_of(player, true),
        };
        self.lets_one_go = false;
        found
    }

    /// One more step while something is held back.
    fn hold(&mut self) {
        self.held -= 1;
        if self.held == 0 {
            self.let_go();
        }
    }

    fn pick_any(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        if self.plan.held.is_some() && !self.lets_one_go && self.held > 0 {
            self.hold();
            if let Some(found) = self.pick_untimed(player)? {
                return Ok(Some(found));
            }
            if let Some(found) = self.look_in_vain(player)? {
                return Ok(Some(found));
            }
            self.let_go();
        }
        if !self.plan.calm
            && self.draw(RARELY) == 0
            && let Some((when, pid, choice)) = self.due(player)?
            && when <= self.now() + self.plan.stall.map_or(SHORT, |stall| stall.min(SHORT))
        {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        if let Some(found) = self.pick_untimed(player)? {
            return Ok(Some(found));
        }
        if let Some((when, pid, choice)) = self.due(player)? {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        match self.rest_all().into_iter().min() {
            Some(pid) => Ok(self.choices(player, pid)?.first().map(|choice| (pid, *choice))),
            None => Ok(None),
        }
    }

    /// What a process can do that needs no time, unless it is tired.
    fn untimed(&mut self, player: &mut Player, pid: Pid) -> Result<Vec<Choice>, Error> {
        let mut choices = self.choices(player, pid)?;
        choices.retain(|choice| !self.is_timed(*choice));
        if self.tired.contains(&pid) {
            choices.clear();
        }
        Ok(choices)
    }

    /// At random, something that needs no time.
    fn pick_untimed(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        let seed = self.plan.random.unwrap_or(0);
        if self.plan.calm && seed.is_multiple_of(2) {
            while let Some(highest) = self.index.highest() {
                let choices = self.untimed(player, highest.1)?;
                if !choices.is_empty() {
                    let at = self.draw(choices.len());
                    return Ok(Some((highest.1, choices[at])));
                }
                self.index.nothing_drawn(highest);
            }
            return Ok(None);
        }
        if self.index.len() > MANY {
            return self.pick_able(player);
        }
        let mut left: Vec<Pid> = self.index.living().collect();
        while !left.is_empty() {
            let at = self.draw(left.len());
            let pid = left.swap_remove(at);
            if self.index.is_vain(pid) {
                continue;
            }
            let choices = self.untimed(player, pid)?;
            if !choices.is_empty() {
                let at = self.draw(choices.len());
                return Ok(Some((pid, choices[at])));
            }
        }
        Ok(None)
    }

    /// As [`Self::pick_untimed`], with a draw among those only that can do something.
    fn pick_able(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        self.find_all(player)?;
        while !self.index.able().is_empty() {
            let at = self.draw(self.index.able().len());
            let pid = self.index.able()[at];
            let choices = self.untimed(player, pid)?;
            if !choices.is_empty() {
                let at = self.draw(choices.len());
                return Ok(Some((pid, choices[at])));
            }
            self.index.not_able(pid);
        }
        Ok(None)
    }

    /// Looks at the choices of all that have changed.
    fn find_all(&mut self, player: &mut Player) -> Result<(), Error> {
        while let Some(pid) = self.index.first_unknown() {
            self.find_choices(player, pid)?;
        }
        Ok(())
    }

    fn pick_of(&mut self, player: &mut Player, all: bool) -> Result<Option<(Pid, Choice)>, Error> {
        while let Some((pid, sync)) = self.index.first_recorded() {
            let choices = self.choices(player, pid)?;
            let found = match sync {
                _ if choices.is_empty() => None,
                true => self.as_recorded(player, pid, &choices)?,
                false => self.first_of(player, pid, &choices)?,
            };
            if let Some(Choice::Message(tag)) = found
                && !sync
                && self.plan.near
                && let Some(then) = self.rank_then(player.history(), pid, tag)?
                && self.index.standing(pid).is_some_and(|(rank, _)| rank < then)
            {
                // Another message that came before it then may still be sent.
                self.index.postpone(pid, then);
                continue;
            }
            if let Some(choice) = found {
                return Ok(Some((pid, choice)));
            }
            self.index.nothing_recorded(pid);
        }
        // Nothing that was recorded.
        while let Some(pid) = self.index.first_other() {
            let choices = self.choices(player, pid)?;
            if let Some(choice) = self.first_of(player, pid, &choices)? {
                return Ok(Some((pid, choice)));
            }
            if let Some(signal) = choices.iter().find(|choice| matches!(choice, Choice::Signal(_))) {
                return Ok(Some((pid, *signal)));
            }
            self.index.nothing_else(pid);
        }
        if !all {
            return self.look_in_vain(player);
        }
        if let Some((when, pid, choice)) = self.due(player)? {
            self.pass_to(when);
            return Ok(Some((pid, choice)));
        }
        for pid in self.rest_all() {
            if let Some(choice) = self.choices(player, pid)?.first() {
                return Ok(Some((pid, *choice)));
            }
        }
        Ok(None)
    }

    /// A process that only looks whether a message is there (`after 0`), and finds none: that takes no time.
    fn look_in_vain(&mut self, player: &mut Player) -> Result<Option<(Pid, Choice)>, Error> {
        self.find_all(player)?;
        let can = |pid: &Pid| !self.tired.contains(pid) && !self.is_held(*pid, Choice::Timeout);
        Ok(self.index.looking().find(can).map(|pid| (pid, Choice::Timeout)))
    }

    /// The recorded choice of a process, if it can make it now.
    fn as_recorded(&mut self, player: &Player, pid: Pid, choices: &[Choice]) -> Result<Option<Choice>, Error> {
        let next = player.done(pid) + 1;
        let Some(old) = self.recorded(player.history(), pid)? else {
            return Ok(None);
        };
        let Some(action) = self.record.action(old, next)? else {
            return Ok(None);
        };
        let wanted = Choice::of(&action);
        for &choice in choices {
            let same = match choice {
                Choice::Message(tag) => Choice::Message(self.tag(player.history(), tag)?),
                Choice::Signal(tag) => Choice::Signal(self.tag(player.history(), tag)?),
                Choice::Arrived(tag) => Choice::Arrived(self.tag(player.history(), tag)?),
                Choice::Step | Choice::Timeout | Choice::Pick(_) => choice,
            };
            let put_off = self.plan.waited == Some(ActionId::new(old, next));
            if same != wanted || put_off {
                continue;
            }
            let (wait, when) = match choice {
                Choice::Timeout => (wait_of(player, pid), self.waits.get(&(pid, next - 1))),
                Choice::Message(tag) => (player.look(|system| system.timed(tag)), self.timers.get(&tag)),
                _ => (None, None),
            };
            let (wait, when) = (wait.unwrap_or(0), when.copied().unwrap_or(0));
            // What is held back waits for work of the others, and not for their sleep.
            let is_held = choice == Choice::Timeout
                && matches!(self.plan.held, Some(Held::Process(_) | Held::Message(..)))
                && self.held > 0;
            let is_early = wait <= LONG || self.at_once.contains(&ActionId::new(old, next));
            let comes_now = wait == 0 || when <= self.now() || is_early && !self.plan.strict;
            if !comes_now || is_held && wait > 0 {
                continue;
            }
            self.pass_to(when);
            return Ok(Some(choice));
        }
        Ok(None)
    }

    /// A step, or the message that it would have received first.
    fn first_of(&mut self, player: &Player, pid: Pid, choices: &[Choice]) -> Result<Option<Choice>, Error> {
        if choices.contains(&Choice::Step) {
            return Ok(Some(Choice::Step));
        }
        if choices.contains(&Choice::Pick(0)) {
            return Ok(Some(Choice::Pick(0)));
        }
        let mut best: Option<(u64, u64, Tag)> = None;
        for &choice in choices {
            if let Choice::Message(tag) = choice
                && !self.is_timed(choice)
            {
                let at = (
                    self.received(player.history(), pid, tag)?,
                    self.sent(player.history(), tag)?,
                    tag,
                );
                if best.is_none_or(|known| at < known) {
                    best = Some(at);
                }
            }
        }
        Ok(best.map(|(_, _, tag)| Choice::Message(tag)))
    }

    /// The place of a message in the record of its receiver.
    fn received(&mut self, history: &History, pid: Pid, tag: Tag) -> Result<u64, Error> {
        let Some(old) = self.recorded(history, pid)? else {
            return Ok(u64::MAX);
        };
        let tag = self.tag(history, tag)?;
        let received = self.record.received(old)?;
        let later = match tag {
            // The numbers of its sender may be others now.
            Tag::Sent { by, k } => received.at(tag).or_else(|| received.from(by, k)),
            _ => received.at(tag),
        };
        Ok(later.unwrap_or(u64::MAX))
    }

    /// The place in the order of the record of the receive of a message, if it was received there.
    fn rank_then(&mut self, history: &History, pid: Pid, tag: Tag) -> Result<Option<u64>, Error> {
        let place = self.received(history, pid, tag)?;
        let old = self.recorded(history, pid)?;
        Ok(old
            .filter(|_| place != u64::MAX)
            .map(|old| self.record.rank(old, place)))
    }

    /// When a message was sent: in the record, or later than all of it.
    fn sent(&self, history: &History, tag: Tag) -> Result<u64, Error> {
        const LATER: u64 = 1 << 40;
        if let Tag::Sent { by, k: SendNo(k) } = tag
            && let Some(step) = self.sent.get(&(by, k))
        {
            return Ok(LATER + step);
        }
        Ok(match history.find_send(tag)? {
            Some(send) if self.record.has(send.pid) => self.record.rank(send.pid, send.number.0),
            _ => LATER,
        })
    }

    /// The earliest timeout or timer.
    fn due(&mut self, player: &mut Player) -> Result<Option<(u64, Pid, Choice)>, Error> {
        self.find_all(player)?;
        let choice = |pid: Pid, place: usize| self.index.known(pid)?.choices.get(place).copied();
        let mut all = self.index.due().filter_map(|(when, pid, place)| {
            let choice = choice(pid, place)?;
            Some((when, pid, choice))
        });
        Ok(all.find(|(_, pid, choice)| !self.is_held(*pid, *choice)))
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

    /// Where a process of this continuation does something else than its part in the record: the recorded process, and the number of the first
    /// such action; one more than it did if it only did less. `None`: it did as recorded.
    ///
    /// # Errors
    /// The trace is damaged.
    pub fn departure(&mut self, history: &History, pid: Pid) -> Result<Option<(Option<Pid>, u64)>, Error> {
        let done = history.length(pid)?.unwrap_or(0);
        let Some(old) = self.recorded(history, pid)? else {
            return Ok(Some((None, 1)));
        };
        let mut at = Track {
            sync: true,
            compared: 0,
            last: 0,
            children: 0,
        };
        // What was kept need not be compared.
        let kept = match old == pid {
            true => history.left_at(pid).unwrap_or(done).min(done),
            false => 0,
        };
        for entry in history.stretch(pid, kept, done)? {
            self.compare(history, &mut at, old, entry.number, &entry.action)?;
            if !at.sync {
                return Ok(Some((Some(old), entry.number)));
            }
        }
        Ok((done < self.record.length(old)).then_some((Some(old), done + 1)))
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
