//! Links that both partners make and break (semantics.md §4). A replay, in whatever order it makes these calls, must know which of them was the
//! last.
//!
//! A link and its end are versions of one resource, a pair of processes. Links before the first `unlink` are version 0; from then on each call
//! makes the next version. It is logged (a blind write) only if the call before it was the other partner's; all others follow in the order of
//! the process.

use interpreter::term::Pid;
use log_format::{Access, Resource, Version};

use crate::ids;
use crate::state::pair::Pair;
use crate::step::Step;
use crate::world::World;

fn key(p: Pid, q: Pid) -> ((Pid, Pid), usize) {
    if p < q { ((p, q), 0) } else { ((q, p), 1) }
}

fn text((p, q): (Pid, Pid)) -> String {
    format!("links of {} and {}", ids::to_log(p), ids::to_log(q))
}

impl Step<'_> {
    /// `p` links to another process that is alive, or unlinks from it. False (in replay only): the other one has made a later call, so this one
    /// changes nothing.
    pub(crate) fn write_pair(&mut self, other: Pid, link: bool) -> bool {
        if self.world.resources.keeps() {
            self.note_race(other, link);
        }
        let (key, me) = key(self.process.pid, other);
        let logged = self.process.mode.log().map(|feed| match feed.other_write() {
            Some(access) => {
                self.accesses.push(access);
                access.version.0
            }
            None => 0,
        });
        let replayed = logged.is_some();
        let keeps = self.world.resources.keeps();
        let Some(pair) = self.world.resources.pairs.get_mut(&key) else {
            let version = logged.unwrap_or(0).max(u64::from(!link));
            if version > 0 {
                let mut pair = Pair {
                    version,
                    by: Some(self.process.pid),
                    ..Pair::default()
                };
                pair.own[me] = version;
                self.world.resources.pairs.insert(key, pair);
                if !replayed && !keeps {
                    self.process.rare.unlinked.insert(other);
                    if let Some((_, q)) = self.world.table.by_pid_mut(other) {
                        q.rare.unlinked.insert(self.process.pid);
                    }
                }
            }
            return true;
        };
        let follows = pair.own[me].saturating_add(u64::from(!link || pair.own[me] > 0));
        let version = match logged {
            Some(0) => follows,
            Some(version) => version,
            None => pair.version.saturating_add(1),
        };
        let is_told = !replayed && pair.by != Some(self.process.pid);
        pair.own[me] = version;
        let newest = version >= pair.version;
        if newest {
            pair.version = version;
            pair.by = Some(self.process.pid);
        }
        if is_told {
            let resource = Resource::Other(self.world.resources.text(&text(key)));
            self.accesses.push(Access::write(resource, Version(version)));
        }
        newest
    }

    /// Notes a call about a link whose order against one of the partner matters: one of the two links, and the other one unlinks.
    fn note_race(&mut self, other: Pid, link: bool) {
        let me = self.process.pid;
        let resources = &mut self.world.resources;
        let partner = resources.link_calls.get(&(other, me)).copied().unwrap_or_default();
        resources.link_calls.entry((me, other)).or_default()[usize::from(!link)] = true;
        if partner[usize::from(link)] {
            let action = log_format::ActionId::new(ids::to_log(me), self.process.actions + 1);
            resources.raced_link.get_or_insert(action);
        }
    }

    /// Recording: a process has ended, so nothing more is logged about its links.
    pub(crate) fn forget_pairs(&mut self) {
        for other in self.process.rare.take(|rare| &mut rare.unlinked) {
            self.world.resources.pairs.remove(&key(self.process.pid, other).0);
            if let Some((_, q)) = self.world.table.by_pid_mut(other) {
                q.rare.unlinked.remove(&self.process.pid);
            }
        }
    }
}

impl World {
    /// `p` unlinks from a process that has ended: its side has no link any more.
    pub(crate) fn close_pair(&mut self, p: Pid, other: Pid) {
        if self.resources.keeps() {
            let (key, me) = key(p, other);
            self.resources.pairs.get_or_default(key).closed[me] = true;
        }
    }

    /// Do the other process's calls about links have no effect on `p`? See [`World::close_pair`].
    pub(crate) fn is_closed(&self, p: Pid, other: Pid) -> bool {
        let (key, me) = key(p, other);
        self.resources.pairs.get(&key).is_some_and(|pair| pair.closed[me])
    }
}
