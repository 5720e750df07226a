//! The time of a continuation: it begins where the kept part of the run ends, and moves on to what is due.

use log_format::{ActionId, Pid, Tag};
use session::error::Error;
use session::player::Player;

use super::Guide;

impl Guide<'_> {
    pub(super) fn now(&self) -> u64 {
        self.now.unwrap_or(0)
    }

    pub(super) fn pass_to(&mut self, when: u64) {
        if self.now.is_some_and(|now| when <= now) {
            return;
        }
        self.now = Some(when);
        // What is due may be what was recorded.
        let due = self.index.due().take_while(|(at, ..)| *at <= when);
        for pid in due.map(|(_, pid, _)| pid).collect::<Vec<Pid>>() {
            if !self.tired.contains(&pid) {
                self.index.revive(pid);
            }
        }
    }

    /// The time at which a process has done what it did before this continuation; `None`: it has done more since, or all of it.
    pub(super) fn kept_at(&self, player: &Player, pid: Pid) -> Option<u64> {
        let done = player.done(pid);
        let kept = player.history().left_at(pid).unwrap_or(u64::MAX).min(done);
        let is_known = kept > 0 && kept == done && self.record.has(pid) && !self.born.contains_key(&pid);
        is_known.then(|| self.record.time(ActionId::new(pid, kept)))
    }

    /// When a process has begun to wait.
    pub(super) fn began_at(&self, player: &Player, pid: Pid) -> u64 {
        self.kept_at(player, pid).unwrap_or(self.now())
    }

    /// When a timer was set.
    pub(super) fn set_at(&self, player: &Player, timer: Tag) -> Result<u64, Error> {
        let history = player.history();
        let Some(send) = history.find_send(timer)? else {
            return Ok(self.now());
        };
        let is_kept = history.left_at(send.pid).is_none_or(|kept| send.number.0 <= kept);
        let is_known = is_kept && self.record.has(send.pid) && !self.born.contains_key(&send.pid);
        Ok(if is_known { self.record.time(send) } else { self.now() })
    }

    /// The time at which this continuation begins: when the last of the living has done what is kept.
    pub(super) fn begin(&mut self, player: &Player) {
        if self.now.is_none() {
            let living = player.living().into_iter();
            self.now = Some(living.filter_map(|pid| self.kept_at(player, pid)).max().unwrap_or(0));
        }
    }
}
