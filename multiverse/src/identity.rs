//! Names of universes and of parts of them, which do not depend on the numbers of pids.
//!
//! A process is named by its path of births, a signal by its sender and its number there, the version of a resource by the action that wrote it.
//! Actions that see again what their process has seen are not counted: whether a call is one depends on what the search knows already.

use causality::accesses;
use log_format::{Access, Action, ActionId, ActionNo, Cut, ExitClass, InputClass, Kind, Pid, Resource, Tag};
use rustc_hash::FxHashMap;
use session::Error;
use session::player::arrival::past;
use session::player::free::Choice;
use session::player::history::History;
use system::feed::LogSource;
use system::scheduler::mix;

/// 128 bits of hash: the name of a universe, of a part of one, or of a way to go on from there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Name(u64, u64);

impl Name {
    /// The name of these bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let words = bytes.chunks(8).map(|chunk| {
            let word = chunk.iter().rev();
            word.fold(0, |word, byte| word << 8 | u64::from(*byte))
        });
        words.fold(Self::of(bytes.len() as u64), Self::then)
    }

    pub(crate) const fn of(word: u64) -> Self {
        Self(0x9ae1_6a3b_2f90_404f, 0xc3a5_c85c_97cb_3127).then(word)
    }

    /// The name of this, followed by a word.
    pub(crate) const fn then(self, word: u64) -> Self {
        Self(mix(self.0 ^ word), mix(self.1.rotate_left(17) ^ mix(word)))
    }

    pub(crate) const fn then_name(self, other: Self) -> Self {
        self.then(other.0).then(other.1)
    }

    /// The name of two things that have no order.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0), self.1.wrapping_add(other.1))
    }
}

/// A process in one universe.
struct Strand {
    path: Name,
    /// The name of each first part of its log: of no action, of the first one, and so on.
    parts: Vec<Name>,
    /// The name of all that it did, without what it saw again.
    did: Name,
}

/// The names of one universe's parts.
pub struct Identity {
    strands: FxHashMap<Pid, Strand>,
}

/// Who wrote what, to name versions.
#[derive(Default)]
struct Writers {
    /// By resource: versions and who wrote them, ascending.
    all: FxHashMap<Resource, Vec<(u64, ActionId)>>,
}

impl Writers {
    /// The last write of a resource before this version.
    fn before(&self, resource: Resource, version: u64) -> Option<ActionId> {
        let list = self.all.get(&resource)?;
        let place = list.partition_point(|(written, _)| *written < version);
        Some(list[place.checked_sub(1)?].1)
    }
}

/// Numbers actions without those that see a version of a module again.
#[derive(Default)]
struct Numbering(FxHashMap<Pid, Vec<u64>>);

impl Numbering {
    fn add(&mut self, pid: Pid, log: &[Action]) {
        if !log.iter().any(|action| matches!(action.kind, Kind::Version { .. })) {
            return;
        }
        let mut seen: FxHashMap<Resource, u64> = FxHashMap::default();
        let mut number = 0;
        let numbers = log.iter().map(|action| {
            let mut is_news = !matches!(action.kind, Kind::Version { .. });
            for access in accesses(pid, action).filter(|access| matches!(access.resource, Resource::Module(_))) {
                let before = seen.insert(access.resource, access.version.0).unwrap_or(0);
                is_news |= before != access.version.0;
            }
            number += u64::from(is_news);
            number
        });
        self.0.insert(pid, numbers.collect());
    }

    fn number(&self, id: ActionId) -> u64 {
        let number = id.number.0;
        let place = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
        let known = self.0.get(&id.pid).and_then(|numbers| numbers.get(place));
        known.copied().unwrap_or(number)
    }

    fn is_news(&self, id: ActionId) -> bool {
        id.number.0 == 0 || self.number(id) != self.number(ActionId::new(id.pid, id.number.0 - 1))
    }
}

impl Identity {
    /// Names the parts of these logs.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of(history: &History) -> Result<Self, Error> {
        let mut all = Cut::default();
        let pids = history.processes()?;
        for &pid in &pids {
            all.set(pid, history.length(pid)?.unwrap_or(0));
        }
        Self::of_pids(history, &all, pids)
    }

    /// Names what a run is: all of it; or, if it halts, the causes of that and of the crashes before.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of_run(history: &History) -> Result<Self, Error> {
        match Halting::of(history)? {
            Some(halting) => Self::of_part(history, &halting.with_all(history)?),
            None => Self::of(history),
        }
    }

    /// Names the parts of a part of these logs. Processes that have done nothing there are no part of it.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of_part(history: &History, cut: &Cut) -> Result<Self, Error> {
        let pids = history.processes()?.into_iter().filter(|pid| cut.get(*pid) > 0);
        Self::of_pids(history, cut, pids.collect())
    }

    fn of_pids(history: &History, cut: &Cut, pids: Vec<Pid>) -> Result<Self, Error> {
        let mut logs: FxHashMap<Pid, Vec<Action>> = FxHashMap::default();
        let mut writers = Writers::default();
        let mut numbering = Numbering::default();
        for &pid in &pids {
            let log = read(history, pid, cut.get(pid))?;
            for (action, n) in log.iter().zip(1..) {
                for access in accesses(pid, action).filter(|access| access.write) {
                    let by = (access.version.0, ActionId::new(pid, n));
                    writers.all.entry(access.resource).or_default().push(by);
                }
            }
            numbering.add(pid, &log);
            logs.insert(pid, log);
        }
        let mut paths: FxHashMap<Pid, Name> = FxHashMap::default();
        for &pid in &pids {
            name_process(history, pid, &numbering, &mut paths)?;
        }
        for list in writers.all.values_mut() {
            list.sort_unstable();
        }
        let names = IdentityNames {
            paths: &paths,
            writers: &writers,
            numbering: &numbering,
        };
        let strands = pids.into_iter().map(|pid| {
            let mut name = Name::of(1);
            let mut did = name;
            let mut parts = vec![name];
            for (action, n) in logs[&pid].iter().zip(1..) {
                name = names.action(name, action);
                parts.push(name);
                if numbering.is_news(ActionId::new(pid, n)) {
                    did = names.action(did, action);
                }
            }
            let path = paths[&pid];
            (pid, Strand { path, parts, did })
        });
        Ok(Self {
            strands: strands.collect(),
        })
    }

    /// The name of the whole universe.
    #[must_use]
    pub fn whole(&self) -> Name {
        let ends = self
            .strands
            .values()
            .map(|one| one.path.then_name(one.parts[one.parts.len() - 1]));
        ends.fold(Name::default(), Name::and)
    }

    /// The name of what was done in the universe: the same as that of another one that differs only in what was seen again.
    #[must_use]
    pub fn done(&self) -> Name {
        let ends = self.strands.values().map(|one| one.path.then_name(one.did));
        ends.fold(Name::default(), Name::and)
    }

    /// The name of a part.
    #[must_use]
    pub fn part(&self, cut: &Cut) -> Name {
        let mut name = Name::default();
        for (pid, strand) in &self.strands {
            let done = usize::try_from(cut.get(*pid)).unwrap_or(usize::MAX);
            // A process that has done nothing yet is part of the action that created it.
            if done > 0
                && let Some(part) = strand.parts.get(done)
            {
                name = name.and(strand.path.then_name(*part));
            }
        }
        name
    }

    /// The name of a place to go another way: a part, and a process in it.
    #[must_use]
    pub fn place(&self, cut: &Cut, pid: Pid) -> Name {
        self.part(cut).then_name(self.path(pid))
    }

    /// The name of a way: a place, and a choice there.
    #[must_use]
    pub fn way(&self, cut: &Cut, pid: Pid, choice: Choice) -> Name {
        let place = self.place(cut, pid);
        let path = |pid| self.path(pid);
        match choice {
            Choice::Step => place.then(1),
            Choice::Timeout => place.then(2),
            Choice::Message(tag) => signal(place.then(3), tag, &path),
            Choice::Signal(tag) => signal(place.then(4), tag, &path),
            Choice::Arrived(tag) => signal(place.then(5), tag, &path),
            Choice::Pick(number) => place.then(7).then(u64::from(number)),
        }
    }

    /// The name of a place or of a way where these signals to these processes were dropped when they arrived.
    #[must_use]
    pub fn without(&self, name: Name, lost: &[(ActionId, Tag)]) -> Name {
        let path = |pid| self.path(pid);
        let one = |(last, tag): &(ActionId, Tag)| signal(path(last.pid).then(6), *tag, &path);
        match lost.is_empty() {
            true => name,
            false => name.then_name(lost.iter().map(one).fold(Name::default(), Name::and)),
        }
    }

    /// The name of a process, the same in all universes that have it.
    #[must_use]
    pub fn path(&self, pid: Pid) -> Name {
        self.strands.get(&pid).map_or(Name::of(pid.0), |strand| strand.path)
    }
}

/// A run that halts, and the crashes in it.
pub struct Halting {
    halt: ActionId,
    /// Ends by errors, throws and exits.
    crashes: Vec<ActionId>,
}

/// Limit: sets of crashes that come before a halt, or not.
const SETS: usize = 64;

impl Halting {
    /// `None` if the run does not halt.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of(history: &History) -> Result<Option<Self>, Error> {
        let (mut halt, mut crashes) = (None, Vec::new());
        for pid in history.processes()? {
            let length = history.length(pid)?.unwrap_or(0);
            if length == 0 {
                continue;
            }
            let last = ActionId::new(pid, length);
            match history.action(pid, length)?.kind {
                Kind::Halt { .. } => halt = Some(last),
                Kind::Exit { class } if class != ExitClass::Normal => crashes.push(last),
                _ => {}
            }
        }
        Ok(halt.map(|halt| Self { halt, crashes }))
    }

    /// The action that halts the run.
    #[must_use]
    pub const fn halt(&self) -> ActionId {
        self.halt
    }

    /// The causes of the halt and of all crashes.
    fn with_all(&self, history: &History) -> Result<Cut, Error> {
        let mut all = past(history, self.halt)?;
        for crash in &self.crashes {
            past(history, *crash)?.iter().for_each(|last| all.extend_to(last));
        }
        Ok(all)
    }

    /// The causes of the halt, with those of each set of crashes that can have come before.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn parts(&self, history: &History) -> Result<Vec<Cut>, Error> {
        let mut parts = vec![past(history, self.halt)?];
        for crash in &self.crashes {
            let causes = past(history, *crash)?;
            for part in parts.clone() {
                let mut with = part;
                causes.iter().for_each(|last| with.extend_to(last));
                if !parts.contains(&with) && parts.len() < SETS {
                    parts.push(with);
                }
            }
        }
        Ok(parts)
    }
}

/// The log of a process, up to this length. The values of what it observed and dropped are read only if there are such.
fn read(history: &History, pid: Pid, length: u64) -> Result<Vec<Action>, Error> {
    let log: Vec<Action> = history.stretch(pid, 0, length)?.into_iter().map(|e| e.action).collect();
    let has_values = |action: &Action| matches!(action.kind, Kind::Observe { .. } | Kind::Drop { tag: None, .. });
    if !log.iter().any(has_values) {
        return Ok(log);
    }
    let Some(mut cursor) = history.open(pid, ActionNo(0))? else {
        return Ok(log);
    };
    let mut whole = Vec::with_capacity(log.len());
    while whole.len() < log.len() {
        let Some(action) = cursor.next()? else { break };
        whole.push(action);
    }
    Ok(whole)
}

/// Names a process by its births. Its ancestors get names too.
fn name_process(
    history: &History,
    pid: Pid,
    numbering: &Numbering,
    paths: &mut FxHashMap<Pid, Name>,
) -> Result<(), Error> {
    // Children have higher numbers than their parents only in one universe, so the line is walked.
    let mut line = Vec::new();
    let mut at = pid;
    let mut name = loop {
        if let Some(known) = paths.get(&at) {
            break *known;
        }
        match history.parent(at)? {
            Some(birth) => {
                line.push((at, birth));
                at = birth.pid;
            }
            None => {
                let first = Name::of(0);
                paths.insert(at, first);
                break first;
            }
        }
    };
    for (child, birth) in line.into_iter().rev() {
        name = name.then(numbering.number(birth));
        paths.insert(child, name);
    }
    Ok(())
}

struct IdentityNames<'a> {
    paths: &'a FxHashMap<Pid, Name>,
    writers: &'a Writers,
    numbering: &'a Numbering,
}

impl IdentityNames<'_> {
    fn path(&self, pid: Pid) -> Name {
        self.paths.get(&pid).copied().unwrap_or(Name::of(pid.0))
    }

    fn by(&self, name: Name, by: Option<ActionId>) -> Name {
        match by {
            None => name.then(0),
            Some(by) => name.then_name(self.path(by.pid)).then(self.numbering.number(by)),
        }
    }

    fn action(&self, before: Name, action: &Action) -> Name {
        let path = |pid| self.path(pid);
        let mut name = match &action.kind {
            Kind::Rec(tag) => signal(before.then(1), *tag, &path),
            Kind::After => before.then(2),
            Kind::Signal { tag, .. } => signal(before.then(3), *tag, &path),
            Kind::Drop { tag, value } => match tag {
                Some(tag) => signal(before.then(4), *tag, &path),
                None => before.then(5).then(u64::from(is_true(value))),
            },
            // It woke up; whoever wakes it, it is the same.
            Kind::Observe { value, .. } if is_wake(value) => before.then(6),
            Kind::Observe { of, value } => observed(self.by(before.then(6), *of), value, &path),
            Kind::Spawn { .. } => before.then(7),
            Kind::SpawnFailed { .. } => before.then(8),
            Kind::Send => before.then(9),
            Kind::Access => before.then(10).then(u64::from(action.sends)),
            Kind::Start { ok, .. } => before.then(11).then(u64::from(*ok)),
            Kind::Nodes => before.then(12),
            Kind::Input { value } => match InputClass::picked(value) {
                Some(number) => before.then(18).then(u64::from(number)),
                None => before.then(13),
            },
            Kind::Output { bytes, .. } => before.then(14).then(*bytes),
            Kind::Halt { code } => before.then(15).then(code.cast_unsigned()),
            Kind::Exit { class } => before.then(17).then(*class as u64),
            // The program determines what it holds.
            other => other
                .word()
                .bytes()
                .fold(before.then(16), |name, b| name.then(u64::from(b))),
        };
        for access in &action.accesses {
            name = self.access(name, access);
        }
        name
    }

    fn access(&self, name: Name, access: &Access) -> Name {
        if access.write {
            return self.by(name.then(20), self.writers.before(access.resource, access.version.0));
        }
        match access.by {
            Some(by) => self.by(name.then(21), Some(by)),
            // Nobody has written it; or it is a state that has only two or three versions.
            None => name.then(22).then(access.version.0),
        }
    }
}

fn signal(name: Name, tag: Tag, path: &impl Fn(Pid) -> Name) -> Name {
    match tag {
        Tag::Sent { by, k } => name.then(1).then_name(path(by)).then(k.0),
        Tag::EndTo { by, to } => name.then(2).then_name(path(by)).then_name(path(to)),
        Tag::EndRef { by, owner, k } => name.then(3).then_name(path(by)).then_name(path(owner)).then(k),
        Tag::EndTable { by, table } => name
            .then(4)
            .then_name(path(by))
            .then_name(path(table.creator))
            .then(table.k),
        Tag::Limit { to } => name.then(5).then_name(path(to)),
    }
}

/// A `drop` of nothing says whether what it was about was still there. (What it says of a dropped signal follows from that, or is a time.)
fn is_true(value: &[u8]) -> bool {
    value == [1]
}

/// Names of what is measured in words or reductions, which say nothing about what a process did.
const MEASURES: &[&[u8]] = &[
    b"reductions",
    b"memory",
    b"heap_size",
    b"total_heap_size",
    b"stack_size",
    b"garbage_collection",
    b"garbage_collection_info",
    b"backtrace",
];

/// What was seen, in the external format of terms. Pids are named by their paths; of references and funs, nothing is said.
fn observed(mut name: Name, value: &[u8], path: &impl Fn(Pid) -> Name) -> Name {
    if MEASURES
        .iter()
        .any(|measure| value.windows(measure.len()).any(|part| part == *measure))
    {
        return name;
    }
    let mut rest = value;
    while let Some((&byte, after)) = rest.split_first() {
        let (said, length) = match byte {
            // NEW_PID_EXT with a small atom: its node, number, serial and creation.
            b'X' => match after {
                [b'w', length, tail @ ..] if tail.len() >= usize::from(*length) + 12 => {
                    let number = &tail[usize::from(*length)..][..4];
                    let number = number.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
                    (path(Pid(number)), 3 + usize::from(*length) + 12)
                }
                _ => return name,
            },
            // References and funs.
            b'Z' | b'p' => return name,
            _ => (Name::of(u64::from(byte)), 1),
        };
        name = name.then_name(said);
        rest = &rest[length.min(rest.len())..];
    }
    name
}

/// Is this what `hibernate` observes: the atom `true`, or `ok`, in the external format?
fn is_wake(value: &[u8]) -> bool {
    matches!(value, b"\x83w\x04true" | b"\x83w\x02ok")
}

#[cfg(test)]
mod tests {
    use log_format::{SendNo, TextId, Version};

    use super::*;

    #[test]
    fn a_name_knows_order_where_there_is_one() {
        let (a, b) = (Name::of(1), Name::of(2));
        assert_ne!(a.then(2).then(3), a.then(3).then(2));
        assert_ne!(a.then_name(b), b.then_name(a));
        assert_eq!(a.and(b), b.and(a));
        assert_ne!(a.and(a), a);
        // Bytes of another length are another name, though the last word is filled with zeros.
        assert_ne!(Name::of_bytes(b"ab"), Name::of_bytes(b"ab\0"));
        assert_ne!(Name::of_bytes(b""), Name::of_bytes(b"\0"));
    }

    #[test]
    fn the_writer_before_a_version_is_the_last_one() {
        let (first, second) = (ActionId::new(Pid(1), 4), ActionId::new(Pid(2), 9));
        let key = Resource::Alive(Pid(7));
        let mut writers = Writers::default();
        writers.all.insert(key, vec![(1, first), (3, second)]);
        let before = |version| writers.before(key, version);
        assert_eq!(
            [before(0), before(1), before(2), before(3), before(4)],
            [None, None, Some(first), Some(first), Some(second)]
        );
        assert_eq!(writers.before(Resource::Alive(Pid(8)), 4), None);
    }

    #[test]
    fn signals_are_named_by_what_they_are() {
        let path = |pid: Pid| Name::of(pid.0);
        let name = |tag| signal(Name::of(0), tag, &path);
        let sent = |by, k| Tag::Sent {
            by: Pid(by),
            k: SendNo(k),
        };
        let all = [
            sent(1, 2),
            sent(2, 1),
            Tag::EndTo { by: Pid(1), to: Pid(2) },
            Tag::EndTo { by: Pid(2), to: Pid(1) },
            Tag::Limit { to: Pid(1) },
        ];
        let mut names: Vec<Name> = all.into_iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn what_was_seen_names_pids_by_their_paths_and_leaves_measures_out() {
        // <0.N.0> in the external format: NEW_PID_EXT with the node `a`.
        let pid = |n: u8| [b'X', b'w', 1, b'a', 0, 0, 0, n, 0, 0, 0, 0, 0, 0, 0, 0];
        let by_number = |pid: Pid| Name::of(pid.0);
        let same = |_: Pid| Name::of(0);
        let seen = |value: &[u8], path: &dyn Fn(Pid) -> Name| observed(Name::default(), value, &|pid| path(pid));
        assert_ne!(seen(&pid(1), &by_number), seen(&pid(2), &by_number));
        assert_eq!(seen(&pid(1), &same), seen(&pid(2), &same));
        let reductions = |n: u8| [b"\x83h\x02w\x0areductionsa".as_slice(), &[n]].concat();
        assert_eq!(seen(&reductions(1), &by_number), seen(&reductions(2), &by_number));
        assert_ne!(seen(b"\x83a\x01", &by_number), seen(b"\x83a\x02", &by_number));
        // A pid that is cut off is no reason to panic.
        assert_eq!(seen(&pid(1)[..9], &by_number), Name::default());
    }

    #[test]
    fn what_sees_a_version_of_a_module_again_has_no_number_of_its_own() {
        let module = Resource::Module(TextId(1));
        let sees = |version| Action {
            accesses: vec![Access::read(module, Version(version), None)],
            ..Action::new(Kind::Version { events: 0 })
        };
        let mut numbering = Numbering::default();
        numbering.add(
            Pid(1),
            &[
                sees(1),
                Action::new(Kind::Send),
                sees(1),
                sees(2),
                Action::new(Kind::After),
            ],
        );
        let ids = [1, 2, 3, 4, 5].map(|n| ActionId::new(Pid(1), n));
        assert_eq!(ids.map(|id| numbering.number(id)), [1, 2, 2, 3, 4]);
        assert_eq!(ids.map(|id| numbering.is_news(id)), [true, true, false, true, true]);
        // Without versions, every action counts.
        numbering.add(Pid(2), &[Action::new(Kind::Send), Action::new(Kind::After)]);
        assert_eq!([1, 2].map(|n| numbering.number(ActionId::new(Pid(2), n))), [1, 2]);
    }

    #[test]
    fn small_terms_of_the_external_format_are_known() {
        assert!(is_wake(b"\x83w\x04true") && is_wake(b"\x83w\x02ok") && !is_wake(b"\x83w\x05false"));
        assert!(is_true(&[1]) && !is_true(&[0]) && !is_true(&[1, 1]));
    }
}
