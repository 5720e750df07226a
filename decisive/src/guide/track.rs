//! How the processes of a continuation compare with the record: which recorded process each stands for, and whether it has done as recorded.

use log_format::{Action, Kind, Pid, Tag};
use session::error::Error;
use session::player::Player;
use session::player::history::History;

use super::{Guide, Track};

impl Guide<'_> {
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
    pub(super) fn track(&mut self, player: &Player, pid: Pid) -> Result<(bool, u64), Error> {
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
}
