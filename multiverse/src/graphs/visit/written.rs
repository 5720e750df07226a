//! Units as bytes. A unit is the way to its graph, event by event, and the actions of which some parts were decided. Events have no names in a file,
//! but places: on the way, or among these actions. Resources are named by their texts.

use std::path::Path;
use std::sync::Arc;

use log_format::wire::{Malformed, WireReader, WireResult, Writer};
use log_format::{Pid, Resource, TextId};
use rustc_hash::FxHashMap;
use session::player::free::Choice;

use super::super::event::{ScanStamp, Stamps, Uid, WasRead, is_group};
use super::super::state::State;
use super::way::{Earlier, WayFromStart, Ways};
use super::{Again, Partial, Unit};

/// Names of events that come from a file begin here; those of actions that were decided as a whole; and that of an event that is not there.
const READ: Uid = 1 << 62;
const WHOLES: Uid = 1 << 63;
const ABSENT: Uid = Uid::MAX;
/// Limit: stamps, and numbers of processes.
const LIMIT: u64 = 1 << 40;

/// Limit: reads of an event whose stamps are not written.
const READS: usize = 16;

/// Limit: alternatives of a choice of the program.
const ALTERNATIVES: u64 = 1 << 20;

/// The kinds of choices.
const STEP: u8 = 0;
const MESSAGE: u8 = 1;
const TIMEOUT: u8 = 2;
const SIGNAL: u8 = 3;
const ARRIVED: u8 = 4;
const PICK: u8 = 5;
/// The bits of a choice.
const CHOICE: u8 = 7;
/// Of an event: its stamps are those of what comes next.
const NEXT: u8 = 8;
/// Of an action that was decided in part: it is known that it can be done.
const SURE: u8 = 8;
/// It was decided as a whole before.
const WHOLE: u8 = 16;
/// Its last read is a scan that was decided in part.
const PART: u8 = 32;

/// What is named in place of an event: nobody, or one that is not there.
const NOBODY: u64 = 0;
const GONE: u64 = 1;
const FIRST: u64 = 2;

/// Writes units.
pub(in super::super) struct Units<'a> {
    /// All texts of the run.
    texts: &'a [String],
    /// Those that were written, and the place of each.
    used: Vec<TextId>,
    places: FxHashMap<TextId, u32>,
    /// The way of the unit before.
    way: Vec<Uid>,
    out: Writer,
    count: u64,
}

impl<'a> Units<'a> {
    pub fn new(texts: &'a [String]) -> Self {
        Self {
            texts,
            used: Vec::new(),
            places: FxHashMap::default(),
            way: Vec::new(),
            out: Writer::default(),
            count: 0,
        }
    }

    /// All that was written: texts, then units.
    pub fn finish(self) -> Writer {
        let mut out = Writer::default();
        out.number(self.used.len() as u64);
        for id in &self.used {
            out.text(self.texts.get(id.0 as usize).map_or("", String::as_str));
        }
        out.number(self.count);
        out.append(&self.out);
        out
    }

    /// Adds a unit.
    pub fn add(&mut self, unit: &Unit) {
        self.count += 1;
        let mut way: Vec<Again> = match (&unit.way, &unit.base) {
            (Some(way), _) => way.events().into_iter().cloned().collect(),
            (None, base) => {
                let nodes = std::iter::successors(base.as_deref(), |node| node.parent.as_deref());
                let mut events: Vec<Again> = nodes.map(|node| Again::of(&node.event)).collect();
                events.reverse();
                events
            }
        };
        let certain = unit.way.as_ref().map_or(way.len() as u64, |way| way.certain);
        way.extend(unit.again.iter().cloned());
        let known = self.way.iter().zip(&way);
        let kept = known.take_while(|(uid, event)| **uid == event.uid).count();
        self.out.number(kept as u64);
        self.out.number((way.len() - kept) as u64);
        self.out.number((way.len() as u64).saturating_sub(certain));
        let mut clock = 0;
        for (event, at) in way.iter().zip(0..) {
            match at < kept {
                true => clock = event.clock(clock),
                false => clock = self.event(event, clock),
            }
        }
        self.out.number(unit.then.len() as u64);
        let places = || {
            let whole = unit.then.iter().filter_map(|partial| partial.uid);
            way.iter().map(|event| event.uid).chain(whole).zip(FIRST..)
        };
        let places: FxHashMap<Uid, u64> = match unit.then.is_empty() {
            true => FxHashMap::default(),
            false => places().collect(),
        };
        for partial in &unit.then {
            self.partial(partial, clock, &places);
        }
        self.way = way.into_iter().map(|event| event.uid).collect();
    }

    /// Adds an event. Returns the largest stamp so far.
    fn event(&mut self, event: &Again, clock: u64) -> u64 {
        let stamps = &event.stamps;
        let next = next_stamps(clock, event.choice, stamps.reads.len());
        let is_next = stamps.reads.len() < READS && next == *stamps;
        let bits = if is_next { NEXT } else { 0 };
        put_choice(&mut self.out, event.pid, event.choice, bits);
        match is_next {
            true if is_plain(event.choice) => {}
            true => self.out.byte(stamps.reads.len() as u8),
            false => self.stamps(stamps, clock),
        }
        event.clock(clock)
    }

    fn stamps(&mut self, stamps: &Stamps, clock: u64) {
        self.out.difference(clock, stamps.choice);
        // The lowest bit: some were decided later in part.
        self.out
            .number(stamps.reads.len() as u64 * 2 + u64::from(!stamps.later.is_empty()));
        let mut last = stamps.choice;
        for read in &stamps.reads {
            self.out.difference(last, *read);
            last = *read;
        }
        if !stamps.later.is_empty() {
            self.out.number(stamps.later.len() as u64);
        }
        for one in &stamps.later {
            self.out.number(u64::from(one.read));
            self.out.number(one.from);
            self.out.difference(last, one.number);
        }
        self.out.difference(last, stamps.effect);
    }

    fn partial(&mut self, partial: &Partial, clock: u64, places: &FxHashMap<Uid, u64>) {
        let sure = if partial.sure { SURE } else { 0 };
        let whole = if partial.uid.is_some() { WHOLE } else { 0 };
        let part = if partial.below.is_some() { PART } else { 0 };
        put_choice(&mut self.out, partial.pid, partial.choice, sure | whole | part);
        if let Some(below) = partial.below {
            self.out.number(below);
        }
        self.stamps(&partial.stamps, clock);
        let place = |uid: &Uid| places.get(uid).copied().unwrap_or(GONE);
        self.out.number(partial.sources.len() as u64);
        for read in &partial.sources {
            let named = self.named(read.resource);
            self.out.resource(partial.pid, &named);
            if !is_group(read.resource) {
                self.out.number(read.source.as_ref().map_or(NOBODY, place));
                continue;
            }
            self.out.number(read.seen.len() as u64);
            for (key, uid) in &read.seen {
                self.out.number(*key);
                self.out.number(place(uid));
            }
        }
        self.out.number(partial.before.len() as u64);
        for uid in &partial.before {
            self.out.number(place(uid));
        }
    }

    /// A resource, whose text has its place in the file.
    fn named(&mut self, resource: Resource) -> Resource {
        with_text(resource, |id| {
            let next = self.used.len() as u32;
            TextId(*self.places.entry(id).or_insert_with(|| {
                self.used.push(id);
                next
            }))
        })
    }
}

/// Writes a process and its choice, with some bits more.
pub(crate) fn put_choice(out: &mut Writer, pid: Pid, choice: Choice, bits: u8) {
    out.number(pid.0);
    if let Choice::Pick(number) = choice {
        out.byte(PICK | bits);
        out.number(u64::from(number));
        return;
    }
    let (kind, tag) = match choice {
        Choice::Step | Choice::Pick(_) => (STEP, None),
        Choice::Message(tag) => (MESSAGE, Some(tag)),
        Choice::Timeout => (TIMEOUT, None),
        Choice::Signal(tag) => (SIGNAL, Some(tag)),
        Choice::Arrived(tag) => (ARRIVED, Some(tag)),
    };
    out.byte(kind | bits);
    if let Some(tag) = tag {
        out.tag(pid, tag);
    }
}

/// Reads what [`put_choice`] wrote. `bits`: those that can be set.
pub(crate) fn get_choice(from: &mut WireReader<'_>, bits: u8) -> WireResult<(Pid, Choice, u8)> {
    let pid = Pid(from.below(LIMIT, "the number of a process")?);
    let at = from.offset();
    let byte = from.byte("a choice")?;
    let unknown = Malformed {
        at,
        expected: "a choice",
        found: u64::from(byte),
    };
    if byte & !CHOICE & !bits != 0 {
        return Err(unknown);
    }
    let choice = match byte & CHOICE {
        STEP => Choice::Step,
        MESSAGE => Choice::Message(from.tag(pid)?),
        TIMEOUT => Choice::Timeout,
        SIGNAL => Choice::Signal(from.tag(pid)?),
        ARRIVED => Choice::Arrived(from.tag(pid)?),
        PICK => Choice::Pick(from.below(ALTERNATIVES, "the number of an alternative")? as u32),
        _ => return Err(unknown),
    };
    Ok((pid, choice, byte))
}

/// The same resource with another number for its text, if it has one.
fn with_text(resource: Resource, text: impl FnOnce(TextId) -> TextId) -> Resource {
    match resource {
        Resource::Name(id) => Resource::Name(text(id)),
        Resource::Module(id) => Resource::Module(text(id)),
        Resource::Atom(id) => Resource::Atom(text(id)),
        Resource::Other(id) => Resource::Other(text(id)),
        other => other,
    }
}

/// A receive that no exit signal ended.
const fn is_plain(choice: Choice) -> bool {
    matches!(choice, Choice::Message(_) | Choice::Timeout)
}

/// The stamps of what comes after this one.
fn next_stamps(clock: u64, choice: Choice, reads: usize) -> Stamps {
    let first = clock + 1;
    let reads: Vec<u64> = (first + 1..).take(reads).collect();
    let effect = match is_plain(choice) {
        true => first,
        false => first + 1 + reads.len() as u64,
    };
    Stamps {
        choice: first,
        reads,
        later: Vec::new(),
        effect,
    }
}

impl Again {
    /// The largest stamp up to it.
    fn clock(&self, before: u64) -> u64 {
        self.stamps.most().max(before)
    }
}

/// A unit that was read: the last event of its way, how many of these were done, and what comes then.
struct WrittenUnit {
    last: Option<u32>,
    certain: u64,
    then: Vec<Partial>,
}

/// Units that were read.
pub(crate) struct ReadUnits {
    /// Texts of resources.
    texts: Vec<String>,
    events: Vec<Earlier>,
    units: Vec<WrittenUnit>,
    /// How many actions were decided as a whole.
    wholes: u64,
}

impl ReadUnits {
    /// How many units.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Reads what [`Units`] wrote, up to the end of the bytes.
    pub fn read(from: &mut WireReader<'_>) -> WireResult<Self> {
        let mut texts = Vec::new();
        for _ in 0..from.count("how many texts there are")? {
            texts.push(from.text("a text")?.to_owned());
        }
        let mut all = Self {
            texts,
            events: Vec::new(),
            units: Vec::new(),
            wholes: 0,
        };
        let mut way: Vec<u32> = Vec::new();
        for _ in 0..from.count("how many units there are")? {
            let kept = from.below(way.len() as u64 + 1, "how much of the way is that of the unit before")?;
            way.truncate(kept as usize);
            let events = from.count("how many events there are")?;
            let perhaps = from.below(kept + events as u64 + 1, "how many events are perhaps impossible")?;
            for _ in 0..events {
                let before = way.last().copied();
                way.push(all.events.len() as u32);
                all.event(before, from)?;
            }
            let wholes = all.wholes;
            let mut then = Vec::new();
            for _ in 0..from.count("how many actions were decided in part")? {
                then.push(all.partial(&way, wholes, from)?);
            }
            all.units.push(WrittenUnit {
                last: way.last().copied(),
                certain: way.len() as u64 - perhaps,
                then,
            });
        }
        match from.is_done() {
            true => Ok(all),
            false => Err(Malformed {
                at: from.offset(),
                expected: "the end of the units",
                found: u64::from(from.byte("")?),
            }),
        }
    }

    /// The largest stamp up to an event.
    fn clock(&self, at: Option<u32>) -> u64 {
        at.and_then(|at| self.events.get(at as usize))
            .map_or(0, |one| one.clock)
    }

    fn event(&mut self, before: Option<u32>, from: &mut WireReader<'_>) -> WireResult<()> {
        let clock = self.clock(before);
        let (pid, choice, bits) = get_choice(from, NEXT)?;
        let stamps = match bits & NEXT {
            0 => self.stamps(clock, from)?,
            _ if is_plain(choice) => next_stamps(clock, choice, 0),
            _ => {
                let reads = from.below(READS as u64, "how many resources were read")?;
                next_stamps(clock, choice, reads as usize)
            }
        };
        let event = Again {
            uid: READ + self.events.len() as Uid,
            pid,
            choice,
            stamps,
        };
        let clock = event.clock(clock);
        let at = from.offset();
        if clock >= LIMIT {
            return Err(Malformed {
                at,
                expected: "a stamp below 2^40",
                found: clock,
            });
        }
        self.events.push(Earlier { before, clock, event });
        Ok(())
    }

    fn stamps(&self, clock: u64, from: &mut WireReader<'_>) -> WireResult<Stamps> {
        let stamp = |from: &mut WireReader<'_>, last: u64| {
            let at = from.offset();
            let expected = "a stamp below 2^40";
            let found = from.difference(last, expected)?;
            match found < LIMIT {
                true => Ok(found),
                false => Err(Malformed { at, expected, found }),
            }
        };
        let choice = stamp(from, clock)?;
        let mut reads = Vec::new();
        let count = from.below(LIMIT, "how many resources were read")?;
        for _ in 0..count / 2 {
            reads.push(stamp(from, reads.last().copied().unwrap_or(choice))?);
        }
        let last = reads.last().copied().unwrap_or(choice);
        let mut later = Vec::new();
        if count % 2 == 1 {
            for _ in 0..from.count("how many scans were decided in part")? {
                later.push(ScanStamp {
                    read: from.below(reads.len() as u64, "the number of a read")? as u32,
                    from: from.number("a writer")?,
                    number: stamp(from, last)?,
                });
            }
        }
        let effect = stamp(from, last)?;
        Ok(Stamps {
            choice,
            reads,
            later,
            effect,
        })
    }

    /// `wholes`: so many were decided as a whole before this unit.
    fn partial(&mut self, way: &[u32], wholes: u64, from: &mut WireReader<'_>) -> WireResult<Partial> {
        let (pid, choice, bits) = get_choice(from, SURE | WHOLE | PART)?;
        let below = match bits & PART {
            0 => None,
            _ => Some(from.number("a writer")?),
        };
        let stamps = self.stamps(self.clock(way.last().copied()), from)?;
        let mut sources = Vec::new();
        for _ in 0..from.count("what was read first")? {
            let at = from.offset();
            let resource = from.resource(pid)?;
            let mut text = None;
            with_text(resource, |id| *text.insert(id));
            if let Some(found) = text.filter(|text| text.0 as usize >= self.texts.len()) {
                return Err(Malformed {
                    at,
                    expected: "the number of a text",
                    found: u64::from(found.0),
                });
            }
            let mut read = WasRead {
                resource,
                source: None,
                seen: Vec::new(),
            };
            if is_group(resource) {
                for _ in 0..from.count("how many writers a scan sees")? {
                    let key = from.number("a writer")?;
                    let place = from.number("who wrote it")?;
                    read.seen.push((key, self.uid(way, wholes, place)));
                }
            } else {
                read.source = match from.number("who wrote it")? {
                    NOBODY => None,
                    place => Some(self.uid(way, wholes, place)),
                };
            }
            sources.push(read);
        }
        let mut before = Vec::new();
        for _ in 0..from.count("what it comes before")? {
            let place = from.number("what it comes before")?;
            before.push(self.uid(way, wholes, place));
        }
        let is_whole = bits & WHOLE != 0;
        let uid = is_whole.then_some(WHOLES + self.wholes);
        self.wholes += u64::from(is_whole);
        Ok(Partial {
            pid,
            choice,
            stamps,
            sources,
            below,
            before,
            sure: bits & SURE != 0,
            uid,
        })
    }

    /// The name of the event at a place.
    fn uid(&self, way: &[u32], wholes: u64, place: u64) -> Uid {
        let Some(at) = place.checked_sub(FIRST) else {
            return ABSENT;
        };
        match way.get(usize::try_from(at).unwrap_or(usize::MAX)) {
            Some(event) => READ + Uid::from(*event),
            None => match at - way.len() as u64 {
                whole if whole < LIMIT => WHOLES + wholes + whole,
                _ => ABSENT,
            },
        }
    }

    /// The units of this file, for a run that begins with this state.
    pub(in super::super) fn into_units(self, root: &mut State, path: &Path) -> Vec<Unit> {
        let texts: Vec<TextId> = self.texts.iter().map(|text| root.system.id_of_text(text)).collect();
        let all = Arc::new(Ways {
            path: path.to_owned(),
            events: self.events,
        });
        let units = self.units.into_iter().map(|unit| {
            let WrittenUnit {
                last,
                certain,
                mut then,
            } = unit;
            for read in then.iter_mut().flat_map(|partial| &mut partial.sources) {
                read.resource = with_text(read.resource, |id| texts.get(id.0 as usize).copied().unwrap_or(id));
            }
            let way = WayFromStart {
                all: Arc::clone(&all),
                last,
                certain,
            };
            Unit {
                way: Some(way),
                then,
                ..Unit::default()
            }
        });
        units.collect()
    }
}
