//! The one door for following a log: why the order of a replay is forced, and what a process waits for.
//!
//! A process that follows a log asks its [`LogOrder`] whether it may take its next step now. The answer is yes, or what the step waits for
//! ([`AwaitedWrite`]), or that the program is not the one that was recorded. Nothing else orders a replay: every schedule of steps that may be taken is a
//! correct one (semantics.md §7; [LPV19, Theorems 2 and 3]).
//!
//! | rule | says | cause (semantics.md §3) |
//! |---|---|---|
//! | request | a process does as many actions as are requested of it, and then stops, or runs on without an action | |
//! | program order | a step is the next action of the log | (1) |
//! | birth | a signal to a process that is not born waits for its birth | (2) |
//! | arrival | a signal changes nothing when it arrives; it waits until the log consumes it | (3) |
//! | receipt | a receive takes the message that the log names, and waits until it has been sent | (3) |
//! | timeout | a receive times out if the log says so, whatever the clock says | |
//! | point | an exit signal ends a process at its logged point, neither earlier nor later; there the process waits until it has been sent | (3) |
//! | drop | what a step drops has been sent | (3) |
//! | version | a read waits for its version, and a write that also reads for the version before; a blind write waits for nothing | (4) |
//! | life | a look at a process waits for its birth or end | (4) |
//! | contents | a read of a table waits for the writes that it has seen | (4) |
//! | sum | a read of a counter waits for the additions that it has seen | (4) |
//! | heir | an end waits for what decides who inherits its tables | (4) |
//!
//! Inputs and observations wait for nothing: the log has their values. So do links and their ends: the log says which partner was the last.
//! For each rule, `order/tests.rs` has a test that fails without it.

use interpreter::term::{Pid, Reference};
use log_format::{Access, ActionId, Kind, ObjectId, Resource, Tag, Version};

use crate::ids;
use crate::state::feed::Feed;
use crate::state::pool::Pool;
use crate::state::resources::{Resources, Value};
use crate::state::signal::Signal;
use crate::state::tables::contents::{Contents, Writer};
use crate::state::tally::CounterTally;

#[cfg(test)]
mod tests;

/// What a step waits for in a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AwaitedWrite {
    /// A signal that this step consumes.
    Signal(Tag),
    /// A version of a resource.
    Version(Resource, Version),
    /// A write of a counter by this action.
    Written(Resource, ActionId),
    /// A write of the contents of a table by this action.
    Contents(ObjectId, Writer),
}

/// Why a step may not be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HeldStep {
    /// Not yet: this must happen before.
    Waits(AwaitedWrite),
    /// Never: the recorded step did not do this.
    Departs,
}

/// What a process does between two labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Between {
    /// It goes on.
    GoesOn,
    /// It has done all that was requested, and stops.
    Rests,
    /// This exit signal ends it here.
    EndsBy(Tag),
}

/// What a process does in a receive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Receiving {
    /// It takes this message, as soon as it has been sent.
    Takes(Tag),
    /// It times out.
    TimesOut,
    /// This exit signal ends it here.
    EndsBy(Tag),
    /// The recorded process did something else.
    Departs,
}

/// What becomes of a signal that arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// It waits until the log consumes it.
    Kept,
    /// The same, and the process goes on: it waits for it.
    Awaited,
    /// The receive that waits for it takes it at once.
    Taken,
}

/// How a step uses a counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    /// The version that it reads.
    pub version: u64,
    /// All its accesses to the counter.
    pub uses: Vec<Access>,
}

/// What the log of a process says about the order of its steps; see the module.
#[derive(Clone, Copy)]
pub(crate) struct LogOrder<'a>(&'a Feed);

impl<'a> LogOrder<'a> {
    /// The order of a process that follows this log.
    #[inline(always)]
    pub(crate) const fn of(feed: &'a Feed) -> Self {
        Self(feed)
    }

    // ---- request and program order -------------------------------------------------------------------------------------

    /// Rules *request* and *point*, between two labels.
    #[inline]
    pub(crate) fn between_labels(self, me: log_format::Pid) -> Between {
        if self.0.is_done() {
            return match self.0.runs_on() {
                true => Between::GoesOn,
                false => Between::Rests,
            };
        }
        match self.0.signal_due() {
            // A signal to oneself takes effect at the step that sent it. If nothing was counted: right after the last action, or before the
            // process ever ran.
            Some((tag, events, false)) if tag.sender() == Some(me) || events == 0 => Between::EndsBy(tag),
            _ => Between::GoesOn,
        }
    }

    /// Rule *program order*: is the next action such?
    #[inline(always)]
    pub(crate) fn is_next(self, fits: impl FnOnce(&Kind) -> bool) -> bool {
        self.0.head_kind().is_some_and(fits)
    }

    // ---- signals -------------------------------------------------------------------------------------------------------

    /// Rule *birth*: a signal to a process that is not born is kept.
    pub(crate) fn keep_until_birth(resources: &mut Resources, to: Pid, tag: Tag, signal: Signal) {
        resources.early.get_or_default(to).insert(tag, signal);
    }

    /// Rule *birth*: what has been sent to a process that is born now.
    #[inline]
    pub(crate) fn sent_before_birth(resources: &mut Resources, pid: Pid) -> Option<Pool> {
        if resources.early.is_empty() {
            return None;
        }
        resources.early.remove(&pid)
    }

    /// The signal that the next action consumes.
    #[inline]
    pub(crate) fn awaited(self) -> Option<Tag> {
        self.0.head()?.kind.consumed()
    }

    /// Does the next action consume this signal?
    #[inline(always)]
    pub(crate) fn awaits(self, tag: Tag) -> bool {
        self.awaited() == Some(tag)
    }

    /// Rule *arrival*. `is_blocked`: the process waits for others; `in_receive`: in a receive, for a message.
    #[inline(always)]
    pub(crate) fn arrives(self, tag: Tag, signal: &Signal, is_blocked: bool, in_receive: bool) -> Arrival {
        if !is_blocked || !self.awaits(tag) {
            return Arrival::Kept;
        }
        match signal {
            // No need to keep it.
            Signal::Message(_) if in_receive => Arrival::Taken,
            _ => Arrival::Awaited,
        }
    }

    /// Rules *receipt*, *timeout* and *point*: none of the messages in the mailbox matches. `events`: counted since the last action.
    #[inline(always)]
    pub(crate) fn receives(self, events: u64, has_timeout: bool) -> Receiving {
        match self.0.head_kind() {
            Some(&Kind::Rec(tag)) => Receiving::Takes(tag),
            Some(Kind::After) if has_timeout => Receiving::TimesOut,
            _ => match self.ends_waiting(events) {
                Some(tag) => Receiving::EndsBy(tag),
                None => Receiving::Departs,
            },
        }
    }

    /// Rule *receipt*, for most receives: is it the next action, and does it use nothing but the message?
    #[inline(always)]
    pub(crate) fn takes_plainly(self, tag: Tag) -> bool {
        self.0
            .head()
            .is_some_and(|head| head.accesses.is_empty() && matches!(head.kind, Kind::Rec(next) if next == tag))
    }

    /// Rule *point*: how many events the process may run, out of `left`, before something is due.
    #[inline(always)]
    pub(crate) fn run_at_most(self, events: u64, left: u32) -> u32 {
        match self.0.signal_due() {
            Some((_, point, false)) => u32::try_from(point.saturating_sub(events))
                .unwrap_or(u32::MAX)
                .min(left),
            _ => left,
        }
    }

    /// Rule *point*: the exit signal that ends the process, which runs, after so many counted events.
    #[inline]
    pub(crate) fn ends_here(self, events: u64) -> Option<Tag> {
        let (tag, point, waiting) = self.0.signal_due()?;
        (!waiting && events == point).then_some(tag)
    }

    /// As [`Self::ends_here`], for a process whose budget is used up: the point may be behind it.
    #[inline]
    pub(crate) fn ends_by_now(self, events: u64) -> Option<Tag> {
        let (tag, point, waiting) = self.0.signal_due()?;
        (!waiting && events >= point).then_some(tag)
    }

    /// Rule *point*: the exit signal that ended the process while it waited, if it has reached such a point: a receive, or a native that waits.
    /// Before that, it may pass other waiting natives that log nothing, because they fail or concern only the process itself.
    #[inline]
    pub(crate) fn ends_waiting(self, events: u64) -> Option<Tag> {
        let (tag, point, waiting) = self.0.signal_due()?;
        (waiting && events == point).then_some(tag)
    }

    /// Rule *drop*: the signal that the step drops, if it drops one, and the logged value. `has_come`: has this signal been sent?
    pub(crate) fn drops(self, has_come: impl FnOnce(Tag) -> bool) -> Result<(Option<Tag>, &'a [u8]), HeldStep> {
        match self.0.head_kind() {
            Some(Kind::Drop { tag: Some(tag), .. }) if !has_come(*tag) => {
                Err(HeldStep::Waits(AwaitedWrite::Signal(*tag)))
            }
            Some(Kind::Drop { tag, value }) => Ok((*tag, value)),
            _ => Err(HeldStep::Departs),
        }
    }

    // ---- shared resources ----------------------------------------------------------------------------------------------

    /// Rule *version*: what the step reads of a resource, and the logged access.
    #[inline]
    pub(crate) fn reads(self, resource: Resource, resources: &Resources) -> Result<(Access, Value), HeldStep> {
        let access = self.0.access(resource).ok_or(HeldStep::Departs)?;
        Ok((access, value_for(&access, resources)?))
    }

    /// Rule *version*: have all values of the environment been written that the step reads?
    pub(crate) fn has_read(self, resources: &Resources) -> Result<(), HeldStep> {
        let reads = self.accesses().iter().filter(|access| !access.write);
        for access in reads.filter(|access| matches!(access.resource, Resource::Env(_))) {
            value_for(access, resources)?;
        }
        Ok(())
    }

    /// Rule *version*: a write alone waits for nothing, not even for older ones.
    #[inline]
    pub(crate) fn writes(self, resource: Resource) -> Result<Access, HeldStep> {
        self.0
            .access(resource)
            .filter(|access| access.write)
            .ok_or(HeldStep::Departs)
    }

    /// Rule *version*, for modules: does the next action see another version of a module, and of which one?
    #[inline]
    pub(crate) fn sees_module(self) -> Option<Resource> {
        self.0.sees_module()
    }

    /// Rule *version*, for a call or a question after so many counted events: the logged access, if it sees another version of this module. Calls
    /// before it have seen an older one.
    pub(crate) fn sees_version(self, module: Resource, events: u64) -> Option<Access> {
        match self.0.head_kind() {
            Some(Kind::Version { events: at }) if *at == events => self.0.access(module),
            _ => None,
        }
    }

    /// Rule *life*. `version`: of the life of the process now.
    pub(crate) fn sees_life(self, of: Resource, version: Version, is_itself: bool) -> Result<Access, HeldStep> {
        let access = self.0.access(of).ok_or(HeldStep::Departs)?;
        if version < access.version && !is_itself {
            return Err(HeldStep::Waits(AwaitedWrite::Version(access.resource, access.version)));
        }
        Ok(access)
    }

    /// Rule *contents*, for one key: the logged access.
    pub(crate) fn reads_key(self, key: Resource, table: ObjectId, contents: &Contents) -> Result<Access, HeldStep> {
        let access = self.0.access(key).ok_or(HeldStep::Departs)?;
        has_seen(&[access], table, contents)?;
        Ok(access)
    }

    /// Rule *contents*, for the whole table: the logged accesses, at least one.
    pub(crate) fn reads_contents(
        self,
        whole: Resource,
        table: ObjectId,
        contents: &Contents,
    ) -> Result<Vec<Access>, HeldStep> {
        let reads = self.uses(whole);
        if reads.is_empty() {
            return Err(HeldStep::Departs);
        }
        has_seen(&reads, table, contents)?;
        Ok(reads)
    }

    /// Rule *life*, for a list of all tables: those that the log names. A table may not have been made yet.
    pub(crate) fn lists_tables(self, find: impl Fn(ObjectId) -> Option<Reference>) -> Result<Vec<Reference>, HeldStep> {
        let mut tables = Vec::new();
        for access in self.accesses() {
            if let Resource::Table(table) = access.resource {
                let wanted = AwaitedWrite::Version(access.resource, access.version);
                tables.push(find(table).ok_or(HeldStep::Waits(wanted))?);
            }
        }
        Ok(tables)
    }

    /// Rule *sum*, for a step that reads a counter.
    pub(crate) fn reads_sum(self, counter: Resource, tally: &CounterTally) -> Result<Sum, HeldStep> {
        let uses = self.uses(counter);
        let write = uses.iter().find(|access| access.write);
        let version = match (write, uses.first()) {
            (Some(write), _) => write.version.0.saturating_sub(1),
            (None, Some(read)) => read.version.0,
            (None, None) => return Err(HeldStep::Departs),
        };
        for by in uses.iter().filter_map(|access| access.by) {
            has_added(counter, by, tally)?;
        }
        Ok(Sum { version, uses })
    }

    /// Rule *sum*, for a step that writes a counter: additions have no order of their own, but an order in the log is kept.
    pub(crate) fn writes_sum(self, counter: Resource, tally: &CounterTally) -> Result<Access, HeldStep> {
        let mut writes = self.accesses().iter().filter(|access| access.write);
        let write = writes
            .find(|access| access.resource == counter)
            .ok_or(HeldStep::Departs)?;
        if let Some(by) = write.by {
            has_added(counter, by, tally)?;
        }
        Ok(*write)
    }

    /// Rule *heir*: can the tables of a process that ends go to their heirs, as the log says?
    pub(crate) fn bequeaths(self, resources: &Resources, is_unborn: impl Fn(Pid) -> bool) -> Result<(), HeldStep> {
        for write in self.accesses().iter().filter(|a| a.write && a.by.is_some()) {
            if matches!(write.resource, Resource::Table(_))
                && let Value::Table(holding) = value_for(write, resources)?
                && let Some((heir, _)) = &holding.heir
                && let Some(life) = self.0.access(Resource::Alive(ids::to_log(*heir)))
                && life.version.0 > 0
                && is_unborn(*heir)
            {
                return Err(HeldStep::Waits(AwaitedWrite::Version(life.resource, life.version)));
            }
        }
        Ok(())
    }

    fn accesses(self) -> &'a [Access] {
        self.0.head().map_or(&[], |action| &action.accesses)
    }

    fn uses(self, resource: Resource) -> Vec<Access> {
        let all = self.accesses().iter();
        all.filter(|access| access.resource == resource).copied().collect()
    }
}

/// The version that an access reads. A write reads the version before its own.
pub(crate) fn version_read(access: &Access) -> Version {
    Version(access.version.0 - u64::from(access.write && access.version.0 > 0))
}

/// Rule *version*.
#[inline]
fn value_for(access: &Access, resources: &Resources) -> Result<Value, HeldStep> {
    let version = version_read(access);
    let value = resources.at(access.resource, version);
    value.ok_or(HeldStep::Waits(AwaitedWrite::Version(access.resource, version)))
}

/// Rule *contents*.
fn has_seen(reads: &[Access], table: ObjectId, contents: &Contents) -> Result<(), HeldStep> {
    let mut writers = reads.iter().filter_map(|access| access.by);
    match writers.find(|by| !contents.was_written_by(*by)) {
        Some(by) => Err(HeldStep::Waits(AwaitedWrite::Contents(table, by))),
        None => Ok(()),
    }
}

/// Rule *sum*.
fn has_added(counter: Resource, by: ActionId, tally: &CounterTally) -> Result<(), HeldStep> {
    match tally.was_written_by(by) {
        true => Ok(()),
        false => Err(HeldStep::Waits(AwaitedWrite::Written(counter, by))),
    }
}
