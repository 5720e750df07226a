//! The graph that the search is at: its events in an order in which they can happen, with tables of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use log_format::{Action, Pid, Resource, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use system::World;
use system::beyond::Moment;

use super::event::{EventClock, EventUse, GraphEvent, ProcessNumber, ScanStamp, Stamps, Uid, WriterKey, is_group};
use super::state::{SentSignal, State};
use super::visit::UseOf;

/// An event, after those before it. Graphs share what they have in common.
pub(super) struct BranchNode {
    pub parent: Option<Arc<Self>>,
    /// How many events there are with it.
    pub depth: u32,
    pub event: GraphEvent,
    /// The largest stamp so far.
    pub clock: u64,
    /// The state after it, if it is kept.
    pub after: Mutex<Option<State>>,
    /// Is it kept?
    pub is_kept: AtomicBool,
}

impl BranchNode {
    /// Is the state after it kept?
    pub fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }
}

impl Drop for BranchNode {
    fn drop(&mut self) {
        // A long list must not be dropped by recursion.
        let mut next = self.parent.take();
        while let Some(node) = next {
            next = Arc::into_inner(node).and_then(|mut node| node.parent.take());
        }
    }
}

/// A signal that was sent to a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mail {
    pub tag: Tag,
    /// The event that sent it, and its place among what that sent.
    pub by: u32,
    pub at: u32,
    /// The event that consumed it.
    pub taken: Option<u32>,
}

/// A use of a resource by the event at this position, with its place among the uses of that event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    pub by: u32,
    pub at: u32,
    pub writes: bool,
    pub scans: bool,
}

/// The places of processes, the same for all who search.
#[derive(Clone, Default)]
pub(super) struct ProcessIndexes(Arc<Mutex<FxHashMap<Pid, ProcessNumber>>>);

impl ProcessIndexes {
    fn of(&self, pid: Pid) -> ProcessNumber {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = all.len() as ProcessNumber;
        *all.entry(pid).or_insert(next)
    }
}

/// The current graph.
#[derive(Default)]
pub(super) struct Branch {
    pub path: Vec<Arc<BranchNode>>,
    /// The position of each of its events.
    positions: FxHashMap<Uid, u32>,
    all_places: ProcessIndexes,
    /// Those that were asked for before.
    places: FxHashMap<Pid, ProcessNumber>,
    /// By process: the positions of its events, that of its birth, and what was sent to it.
    of: Vec<Vec<u32>>,
    births: Vec<Option<u32>>,
    pub mail: Vec<Vec<Mail>>,
    at: FxHashMap<Tag, (ProcessNumber, u32)>,
    uses: FxHashMap<Resource, Vec<Used>>,
    /// How many receives have timed out after some time, and how many timers were set: only then do times matter.
    pub waits: u32,
    /// How many processes wait for ever though something was sent to them.
    pub stuck: u32,
}

impl Branch {
    /// An empty graph.
    pub fn new(places: ProcessIndexes) -> Self {
        Self {
            all_places: places,
            ..Self::default()
        }
    }

    /// The place of a process.
    pub fn place(&mut self, pid: Pid) -> ProcessNumber {
        if let Some(place) = self.places.get(&pid) {
            return *place;
        }
        let place = self.all_places.of(pid);
        self.places.insert(pid, place);
        let len = self.of.len().max(place as usize + 1);
        self.of.resize(len, Vec::new());
        self.births.resize(len, None);
        self.mail.resize(len, Vec::new());
        place
    }

    /// The place of a process that this graph has.
    pub fn known_place(&self, pid: Pid) -> Option<ProcessNumber> {
        self.places.get(&pid).copied()
    }

    pub fn event(&self, at: u32) -> &GraphEvent {
        &self.path[at as usize].event
    }

    pub fn len(&self) -> u32 {
        self.path.len() as u32
    }

    pub fn clock(&self) -> u64 {
        self.path.last().map_or(0, |node| node.clock)
    }

    /// The positions of the events of a process.
    pub fn of(&self, place: ProcessNumber) -> &[u32] {
        &self.of[place as usize]
    }

    /// The number of the next event of a process.
    pub fn next_number(&self, place: ProcessNumber) -> u32 {
        self.of(place).len() as u32 + 1
    }

    /// Does a process trap exits when it does its action with this number?
    pub fn traps(&self, place: ProcessNumber, number: u32) -> bool {
        let own = self.of(place).get(..number as usize - 1);
        own.and_then(|own| own.last())
            .is_some_and(|at| self.event(*at).traps[1])
    }

    /// Has it begun to before that, or ceased to?
    pub fn has_turned(&self, place: ProcessNumber, number: u32) -> bool {
        let own = self.of(place).iter().take(number as usize - 1);
        own.into_iter().any(|at| self.event(*at).turns())
    }

    /// Could an exit signal have ended a process before its action with this number as well, and after the same action? It only began to trap exits, or
    /// ceased to, in between.
    pub fn could_end_before(&self, place: ProcessNumber, number: u32, sent: &SentSignal) -> bool {
        let own = self.of(place).iter().take(number as usize - 1).rev();
        let turns = own.map(|at| self.event(*at)).take_while(|event| event.turns());
        turns.into_iter().any(|event| sent.ends(event.traps[0]))
    }

    /// When a signal can be there, if nothing is held up.
    pub fn time_of(&self, mail: &Mail) -> u64 {
        let after = self.sent(mail).timer.unwrap_or(0);
        self.event(mail.by).time.saturating_add(after)
    }

    /// The signal that this event sent.
    pub fn sent(&self, mail: &Mail) -> &SentSignal {
        &self.event(mail.by).sent[mail.at as usize]
    }

    /// The position of what came before an event: the one before in its process, or the spawn of that.
    pub fn before(&self, at: u32) -> Option<u32> {
        let event = self.event(at);
        match event.number.checked_sub(2) {
            Some(before) => self.of[event.place as usize].get(before as usize).copied(),
            None => self.births[event.place as usize],
        }
    }

    /// The position of what came last in a process, or of its spawn.
    pub fn last(&self, place: ProcessNumber) -> Option<u32> {
        let own = self.of[place as usize].last().copied();
        own.or(self.births[place as usize])
    }

    /// The signal with this tag.
    pub fn mail_of(&self, tag: Tag) -> Option<&Mail> {
        let (place, at) = self.at.get(&tag)?;
        self.mail[*place as usize].get(*at as usize)
    }

    /// The uses of a resource, in order.
    pub fn uses(&self, resource: Resource) -> &[Used] {
        self.uses.get(&resource).map_or(&[][..], Vec::as_slice)
    }

    /// The events whose use of a resource comes before a use by the event at this position: the last write, and if it writes itself, also what
    /// read that. Of a thing of many writers: all whose order to it matters.
    pub fn uses_before<'a>(&'a self, one: &'a EventUse, at: u32, number: u32) -> impl Iterator<Item = u32> + 'a {
        let uses = self.uses(one.resource());
        let own = uses.iter().rposition(|used| used.by == at && used.at == number);
        let earlier = &uses[..own.unwrap_or(uses.len())];
        let (group, earlier) = match is_group(one.resource()) {
            true => (earlier, &[][..]),
            false => (&[][..], earlier),
        };
        let group = group.iter().filter(|used| one.conflicts(used.writes, used.scans));
        let last = earlier.iter().rposition(|used| used.writes);
        let reads = match one.writes {
            true => &earlier[last.map_or(0, |last| last + 1)..],
            false => &[],
        };
        let last = last.map(|last| &earlier[last]);
        last.into_iter()
            .chain(reads)
            .chain(group)
            .map(|used| used.by)
            .filter(move |by| *by != at)
    }

    /// The last write of a resource.
    pub fn last_write(&self, resource: Resource) -> Option<u32> {
        let uses = self.uses(resource).iter().rev();
        uses.filter(|one| one.writes).map(|one| one.by).next()
    }

    /// The writers that a scan sees which comes next, in the order of their keys.
    pub fn writers(&self, resource: Resource) -> Vec<(WriterKey, u32)> {
        let writers = self.uses(resource).iter().filter(|one| one.writes);
        let mut all: Vec<(WriterKey, u32)> = writers.map(|one| (self.event(one.by).key(), one.by)).collect();
        all.sort_unstable();
        all
    }

    /// A sum contains what several have added, and not only the last one: who reads it knows what each of them knew.
    pub fn learn_from_adders(&self, actions: &[Action], knows: &mut EventClock) {
        let mut adders: FxHashMap<Resource, FxHashSet<Pid>> = FxHashMap::default();
        for access in actions.iter().flat_map(|action| &action.accesses) {
            if let (true, Some(by)) = (is_group(access.resource), access.by) {
                adders.entry(access.resource).or_default().insert(by.pid);
            }
        }
        for (resource, mut left) in adders {
            for used in self.uses(resource).iter().rev().filter(|used| used.writes) {
                if left.is_empty() {
                    break;
                }
                let by = self.event(used.by);
                if left.remove(&by.pid) {
                    knows.learn(&by.knows, by.place, by.number);
                }
            }
        }
    }

    /// Does another process fix the same table? Which call of several is the first one, and which the last, is not explored.
    pub fn fixes_again(&self, pid: Pid, accesses: &[UseOf], world: &World) -> bool {
        let fixes = accesses.iter().filter(|one| world.is_fix_of_table(one.resource));
        let mut others = fixes.flat_map(|one| self.uses(one.resource));
        others.any(|used| self.event(used.by).pid != pid)
    }

    /// Has another process registered the same process, or tried to? Not every order of such calls is explored: each call reads and changes two
    /// things, the name and whether the process has one.
    pub fn registers_again(&self, pid: Pid, accesses: &[UseOf], world: &World) -> bool {
        fn registers(by: Pid, of: Pid, mut uses: impl Iterator<Item = Resource>) -> bool {
            by == of || uses.any(|resource| resource == Resource::Alive(of))
        }
        accesses.iter().any(|access| {
            let Some(of) = world.whose_names(access.resource) else {
                return false;
            };
            let others = self.uses(access.resource).iter();
            let mut others = others.map(|used| self.event(used.by)).filter(|one| one.pid != pid);
            registers(pid, of, accesses.iter().map(|one| one.resource))
                && others.any(|one| registers(one.pid, of, one.uses.iter().map(EventUse::resource)))
        })
    }

    /// Puts a new event on the path.
    pub fn push(&mut self, event: GraphEvent) {
        self.note(&event);
        let most = event.stamps.most().max(self.clock());
        self.path.push(Arc::new(BranchNode {
            parent: self.path.last().cloned(),
            depth: self.len() + 1,
            event,
            clock: most,
            after: Mutex::new(None),
            is_kept: AtomicBool::new(false),
        }));
    }

    /// Puts a node that was made before on the path.
    fn put(&mut self, node: &Arc<BranchNode>) {
        self.note(&node.event);
        self.path.push(Arc::clone(node));
    }

    /// Puts the next event of the path into the tables.
    fn note(&mut self, event: &GraphEvent) {
        let at = self.len();
        self.positions.insert(event.uid, at);
        let place = self.place(event.pid);
        self.of[place as usize].push(at);
        if let Some(child) = event.spawned() {
            let child = self.place(child);
            self.births[child as usize] = Some(at);
        }
        for (one, i) in event.sent.iter().zip(0..) {
            let to = self.place(one.to);
            let mail = &mut self.mail[to as usize];
            self.at.insert(one.tag, (to, mail.len() as u32));
            mail.push(Mail {
                tag: one.tag,
                by: at,
                at: i,
                taken: None,
            });
        }
        if let Some(tag) = event.consumed()
            && let Some((to, i)) = self.at.get(&tag)
        {
            self.mail[*to as usize][*i as usize].taken = Some(at);
        }
        for (one, i) in event.uses.iter().zip(0..) {
            self.uses.entry(one.resource()).or_default().push(Used {
                by: at,
                at: i,
                writes: one.writes,
                scans: one.scans,
            });
        }
        self.stuck += u32::from(event.is_stuck());
        self.waits += event.waits();
    }

    /// The last event belongs to the point where the search begins: its stamps come before all others.
    pub fn fix(&mut self, kept: bool) {
        let Some(node) = self.path.last_mut().and_then(Arc::get_mut) else {
            return;
        };
        node.event.kept = kept;
        let stamps = &mut node.event.stamps;
        stamps.choice = 0;
        stamps.effect = 0;
        stamps.reads.fill(0);
        stamps.later.clear();
        node.clock = 0;
    }

    /// Gives the last event these stamps, as far as they are set; the others come after them all. `below`: of a scan that is the last read of which
    /// the stamp is set, only what is before this writer.
    pub fn restamp(&mut self, stamps: &Stamps, below: Option<WriterKey>) {
        let before = self.path.iter().rev().nth(1).map_or(0, |node| node.clock);
        self.restamp_after(stamps, below, before);
    }

    /// The same; what is not set comes after this stamp.
    pub fn restamp_after(&mut self, stamps: &Stamps, below: Option<WriterKey>, after: u64) {
        let Some(node) = self.path.last_mut().and_then(Arc::get_mut) else {
            return;
        };
        let is_plain = node.event.is_plain();
        let own = &mut node.event.stamps;
        own.choice = stamps.choice;
        own.later.clone_from(&stamps.later);
        let most = Stamps {
            effect: 0,
            ..stamps.clone()
        }
        .most()
        .max(after);
        let mut clock = most;
        if let (Some(from), Some(read)) = (below, stamps.reads.len().checked_sub(1)) {
            clock += 1;
            own.later.push(ScanStamp {
                read: read as u32,
                from,
                number: clock,
            });
        }
        for (stamp, at) in own.reads.iter_mut().zip(0..) {
            *stamp = match stamps.reads.get(at) {
                Some(known) => *known,
                None => {
                    clock += 1;
                    clock
                }
            };
        }
        own.effect = match is_plain {
            true => stamps.choice,
            false => clock + 1,
        };
        node.clock = own.effect.max(most);
    }

    fn pop(&mut self) {
        let Some(node) = self.path.pop() else { return };
        let event = &node.event;
        self.positions.remove(&event.uid);
        self.of[event.place as usize].pop();
        if let Some(child) = event.spawned() {
            let child = self.place(child);
            self.births[child as usize] = None;
        }
        for one in event.sent.iter().rev() {
            let to = self.place(one.to);
            self.mail[to as usize].pop();
            self.at.remove(&one.tag);
        }
        if let Some(tag) = event.consumed()
            && let Some((to, i)) = self.at.get(&tag)
        {
            self.mail[*to as usize][*i as usize].taken = None;
        }
        for one in event.uses.iter().rev() {
            if let Some(uses) = self.uses.get_mut(&one.resource()) {
                uses.pop();
            }
        }
        self.stuck -= u32::from(event.is_stuck());
        self.waits -= event.waits();
    }

    /// Goes to the graph that ends with this node.
    pub fn go_to(&mut self, to: Option<&Arc<BranchNode>>) {
        let mut next = Vec::new();
        let mut node = to;
        while let Some(one) = node {
            let at = one.depth as usize - 1;
            if self.path.get(at).is_some_and(|here| Arc::ptr_eq(here, one)) {
                break;
            }
            next.push(Arc::clone(one));
            node = one.parent.as_ref();
        }
        let kept = node.map_or(0, |one| one.depth as usize);
        while self.path.len() > kept {
            self.pop();
        }
        for node in next.iter().rev() {
            self.put(node);
        }
    }

    /// The position of the event with this name.
    pub fn find(&self, uid: Uid) -> Option<u32> {
        self.positions.get(&uid).copied()
    }

    /// The clocks of the next event of a process: its past and what it knows; and its time.
    pub fn start(&self, place: ProcessNumber) -> (EventClock, EventClock, u64) {
        self.start_at(place, self.next_number(place))
    }

    /// The event before the one with this number: of its process, or its spawn.
    fn before_number(&self, place: ProcessNumber, number: u32) -> Option<&GraphEvent> {
        let before = match number.checked_sub(2) {
            Some(at) => self.of[place as usize].get(at as usize).copied(),
            None => self.births[place as usize],
        };
        before.map(|at| self.event(at))
    }

    /// When a process can do its next event, if nothing is held up.
    pub fn time_at(&self, place: ProcessNumber) -> u64 {
        let before = self.before_number(place, self.next_number(place));
        before.map_or(0, |before| before.time)
    }

    /// What the clock and the counters show at the event of a process with this number.
    pub fn moment(&self, pid: Pid, place: ProcessNumber, number: u32) -> Moment {
        let before = self.before_number(place, number);
        let (clock, known) = before.map_or((0, 0), |before| (before.time, before.age));
        Moment { clock, known, pid }
    }

    /// What a process knows before its event with this number.
    pub fn knows_at(&self, place: ProcessNumber, number: u32) -> EventClock {
        let Some(before) = self.before_number(place, number) else {
            return EventClock::default();
        };
        let mut knows = before.knows.clone();
        if before.place != place {
            knows.learn(&before.knows, before.place, before.number);
        }
        knows
    }

    /// The same of the event with this number.
    pub fn start_at(&self, place: ProcessNumber, number: u32) -> (EventClock, EventClock, u64) {
        let Some(before) = self.before_number(place, number) else {
            return (EventClock::default(), EventClock::default(), 0);
        };
        let (mut past, mut knows) = (before.past.clone(), before.knows.clone());
        if before.place != place {
            past.learn(&before.past, before.place, before.number);
            knows.learn(&before.knows, before.place, before.number);
        }
        (past, knows, before.time)
    }
}
