//! Targets in a session that has left its logs: found in what its logs contain now.

use causality::{Point, ProcessRef, Target};
use log_format::{ActionId, Kind, Pid, SendNo, Tag};

use super::Player;
use crate::error::Error;

/// Limit: processes that are listed.
const NAMED: usize = 8;

/// The action that a target names beyond the trace; `None` if it is to be looked up in the trace.
///
/// # Errors
/// There is no such thing; the trace is damaged.
fn locate(player: &Player, target: &Target) -> Result<Option<ActionId>, Error> {
    let history = player.history();
    if !history.has_branches() {
        return Ok(None);
    }
    let none = || Error::NoTarget(format!("there is no {target} in this session"));
    let own = |who: &ProcessRef| -> Result<Option<Pid>, Error> {
        let pid = match who {
            ProcessRef::Pid(pid) => Some(*pid),
            ProcessRef::Name { name, holder: 1 } => player.holder(name),
            ProcessRef::Name { .. } => None,
        };
        Ok(pid.filter(|pid| history.left_at(*pid).is_some()))
    };
    let nth = |pid: Pid, n: u64, fits: &dyn Fn(&Kind) -> bool| -> Result<ActionId, Error> {
        let length = history.length(pid)?.unwrap_or(0);
        let all = history.stretch(pid, 0, length)?;
        let at = usize::try_from(n.saturating_sub(1)).unwrap_or(usize::MAX);
        let found = all.iter().filter(|entry| fits(&entry.action.kind)).nth(at);
        found.map(|entry| ActionId::new(pid, entry.number)).ok_or_else(none)
    };
    let sent = |tag: Tag| {
        let to = match tag {
            Tag::EndTo { to, .. } => Some(to),
            Tag::EndRef { owner, .. } => Some(owner),
            _ => None,
        };
        if let Some(to) = to
            && history.length(to)?.is_none()
        {
            return Err(none());
        }
        history.find_send(tag).map_err(Error::from)?.ok_or_else(none)
    };
    let left = |tag: &Tag| tag.sender().is_some_and(|by| history.left_at(by).is_some());
    Ok(Some(match target {
        Target::Event(who, n) => match own(who)? {
            Some(pid) => nth(pid, *n, &|_| true)?,
            None => return Ok(None),
        },
        Target::Sent(tag) if left(tag) => sent(*tag)?,
        Target::SentBy(who, k) => match own(who)? {
            Some(by) => sent(Tag::Sent { by, k: SendNo(k.0) })?,
            None => return Ok(None),
        },
        Target::Spawn(who) => match own(who)? {
            Some(pid) => history.parent(pid)?.ok_or_else(none)?,
            None => return Ok(None),
        },
        Target::Exit(who) => match own(who)? {
            Some(pid) => nth(pid, 1, &|kind| matches!(kind, Kind::Exit { .. }))?,
            None => return Ok(None),
        },
        Target::Signal(who) => match own(who)? {
            Some(pid) => nth(pid, 1, &|kind| matches!(kind, Kind::Signal { .. }))?,
            None => return Ok(None),
        },
        Target::Timeout(who, n) => match own(who)? {
            Some(pid) => nth(pid, *n, &|kind| matches!(kind, Kind::After))?,
            None => return Ok(None),
        },
        Target::Output(who, n) => match own(who)? {
            Some(pid) => nth(pid, *n, &|kind| matches!(kind, Kind::Output { .. }))?,
            None => return Ok(None),
        },
        Target::End(who) => match own(who)? {
            Some(pid) => ActionId::new(pid, history.length(pid)?.unwrap_or(0)),
            None => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

impl Player {
    /// The current holder of a registered name.
    #[must_use]
    pub fn holder(&self, name: &str) -> Option<Pid> {
        self.look(|system| system.holder_of(name))
    }

    /// Finds the point that a target names: in what was done beyond the trace, or in the trace as far as its logs are still followed.
    ///
    /// # Errors
    /// There is no such point: [`Error::NoTarget`]. A step or a line: only [`Player::go_to`] finds it. The trace is damaged.
    pub fn find(&self, target: impl Into<Target>) -> Result<Point, Error> {
        let target = target.into();
        if let Some(id) = locate(self, &target)? {
            return Ok(Point::from(id).named(target));
        }
        let point = target.resolve(self.session.trace())?;
        let left = self.history.left_at(point.pid).unwrap_or(u64::MAX);
        let there = self.history.length(point.pid)?.is_some();
        if !there || point.action.0 > left {
            return Err(Error::NoTarget(format!(
                "{target} was dropped when the session left the log; name what the process does now, for example event:{}/N",
                point.pid
            )));
        }
        Ok(point)
    }

    /// Finds a process, by its pid or by the name that it holds now, or else by one that it has held in the trace.
    ///
    /// # Errors
    /// There is none: [`Error::NoTarget`]. The trace is damaged.
    pub fn find_process(&self, who: &ProcessRef) -> Result<Pid, Error> {
        let pid = match who {
            ProcessRef::Pid(pid) => Some(*pid),
            ProcessRef::Name { name, holder: 1 } => self.holder(name),
            ProcessRef::Name { .. } => None,
        };
        let there = |pid: &Pid| self.is_born(*pid) || self.history.length(*pid).is_ok_and(|length| length.is_some());
        let pid = match pid.filter(there) {
            Some(pid) => return Ok(pid),
            None => who.resolve(self.session.trace())?,
        };
        // The trace contains it, but the session may have left that part of the trace.
        if self.history.length(pid)?.is_none() {
            return Err(self.nobody(pid)?);
        }
        Ok(pid)
    }

    /// What people should know besides a point, in words ([`crate::notes`]); nothing of processes that have left their logs.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn notes(&self, point: &Point) -> Result<Vec<String>, Error> {
        if self.history.left_at(point.pid).is_some() {
            return Ok(Vec::new());
        }
        crate::notes::all(self.session.trace(), point)
    }

    /// The error for a process that the session does not have, or no longer has.
    pub(super) fn nobody(&self, pid: Pid) -> Result<Error, Error> {
        let recorded = self.session.trace().has(pid)?;
        let there: Vec<String> = self.history.processes()?.iter().map(Pid::to_string).collect();
        let why = if recorded {
            "no longer exists: the session left the log before it was created"
        } else {
            "does not exist"
        };
        let shown = there
            .iter()
            .take(NAMED)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ");
        let more = if there.len() > NAMED { ", …" } else { "" };
        let there = match there.as_slice() {
            [] => String::new(),
            [one] => format!("; the only process is {one}"),
            _ => format!("; the processes are {shown}{more}"),
        };
        Ok(Error::NoTarget(format!("{pid} {why}{there}")))
    }
}
