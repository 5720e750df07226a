//! Waits in vain: without one, the run would not have failed.

use log_format::{ActionId, Kind, Tag};
use session::error::Error;

use super::Lab;

/// Of the timeouts of the failing process, its last choices are looked at.
const LAST: usize = 12;
/// The limit of time for which a process ends another one is among its last so many receives.
const SHORTLY: u32 = 4;
/// A wait of so many milliseconds is taken back if nothing else helps.
const WAIT: u64 = 20;

impl Lab<'_> {
    /// A timeout without which it would not have failed: the last choice of the process that failed. `last`: only if it is the last one; else any
    /// wait of some length. The time limit of another process, which ended the failing one when it was up, is one, too.
    pub(super) fn absence(&self, last: bool) -> Result<Option<ActionId>, Error> {
        let entry = self.failure.first_process();
        // Who failed before, and so led to it, may have waited in vain.
        let roots = self
            .failure
            .roots()
            .filter(|root| ![self.failure.action.pid, entry].contains(root));
        for pid in [self.failure.action.pid, entry].into_iter().chain(roots) {
            let upto = match pid == self.failure.action.pid {
                true => self.failure.action.number.0,
                false => self.record.length(pid),
            };
            // A process that waits for ever is what failed; the signal that ended it then comes after that.
            let after = self.record.action(pid, upto + 1)?.map(|action| action.kind);
            let upto = upto + u64::from(matches!(after, Some(Kind::Signal { waiting: true, .. })));
            let mut looked_at = 0;
            for n in (1..=upto).rev() {
                let id = ActionId::new(pid, n);
                let Some(action) = self.record.action(pid, n)? else {
                    break;
                };
                if !matches!(action.kind, Kind::Rec(_) | Kind::After | Kind::Signal { .. }) {
                    continue;
                }
                let long = self.record.waited(id).is_some_and(|ms| ms >= WAIT);
                if action.kind == Kind::After && (long || last) {
                    return Ok(Some(id));
                }
                if let Kind::Signal { tag, .. } = action.kind
                    && let Some(limit) = self.time_limit(tag)?
                {
                    return Ok(Some(limit));
                }
                looked_at += 1;
                if last || looked_at >= LAST {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// The timeout, or the message of a timer, that another process took shortly before it sent this exit signal.
    fn time_limit(&self, signal: Tag) -> Result<Option<ActionId>, Error> {
        let Some(send) = self.record.history.find_send(signal)? else {
            return Ok(None);
        };
        let mut looked_at = 0;
        for n in (1..send.number.0).rev() {
            let id = ActionId::new(send.pid, n);
            match self.record.action(send.pid, n)?.map(|action| action.kind) {
                Some(Kind::Rec(_) | Kind::After) if self.record.waited(id).is_some_and(|ms| ms >= WAIT) => {
                    return Ok(Some(id));
                }
                Some(Kind::Rec(_) | Kind::After) => looked_at += 1,
                _ => {}
            }
            if looked_at == SHORTLY {
                break;
            }
        }
        Ok(None)
    }
}
