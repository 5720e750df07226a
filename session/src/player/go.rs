//! Forward to targets: actions, steps, lines, and the first action or place at which conditions hold.

use std::sync::Arc;

use causality::{Point, Target};
use log_format::{ActionId, Pid};

use super::{Moved, Player, Stopped, cut_of};
use crate::conditions::Conditions;
use crate::error::Error;
use crate::predicate::Predicate;
use crate::view::SourcePlace;

/// Where a player has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The process that the target is about.
    pub pid: Pid,
    /// Where it stands now; `None` if it has ended or has not begun to run.
    pub place: Option<SourcePlace>,
    /// What was done on the way; nothing if the target had happened already.
    pub moved: Moved,
    /// The point that the target names, unless it is a step or a line.
    pub point: Option<Point>,
}

impl Player {
    /// Goes forward to a target, and does nothing but its causes. Its process is then the one whose messages and end are kept
    /// ([`Player::observe`]).
    ///
    /// Nothing is undone: if the target has happened already, the player stays where it is. [`Player::back_to`] goes back to before it.
    ///
    /// # Errors
    /// There is no such target: [`Error::NoTarget`]. The trace is damaged; the replay diverges.
    pub fn go_to(&mut self, target: impl Into<Target>) -> Result<Arrival, Error> {
        self.go_to_where(target, &mut Conditions::default())
    }

    /// As [`Player::go_to`], but from the target on, to the first action of the same process and kind at which the conditions hold.
    ///
    /// # Errors
    /// As [`Player::go_to`]; the conditions never hold, or do not fit the target.
    pub fn go_to_where(&mut self, target: impl Into<Target>, conditions: &mut Conditions) -> Result<Arrival, Error> {
        let target = target.into();
        let before = self.look(cut_of);
        let (pid, point) = match &target {
            Target::Step(who, steps) => {
                let pid = self.find_process(who)?;
                self.observe(pid)?;
                let moved = self.step(pid, *steps)?;
                reached(&moved, &target, conditions)?;
                (pid, None)
            }
            Target::Line { file, line, who, count } => {
                if conditions.pattern.is_some() {
                    return Err(Error::Usage(
                        "--where matches messages, and a line has none; use --when".to_owned(),
                    ));
                }
                let file = self.session.sources().find_file(file)?;
                let line = u32::try_from(*line).unwrap_or(u32::MAX);
                let pid = match who {
                    Some(who) => self.find_process(who)?,
                    None => self.first_visitor(&file, line, *count, conditions.when.as_mut())?,
                };
                self.observe(pid)?;
                let moved = self.to_line(pid, &file, line, *count, conditions.when.as_mut())?;
                reached(&moved, &target, conditions)?;
                (pid, None)
            }
            _ => {
                let point = self.find(&target)?;
                self.observe(point.pid)?;
                if conditions.any() {
                    self.go_from(&point, &target, conditions)?;
                } else {
                    self.go_to_point(&point)?;
                }
                (point.pid, Some(point))
            }
        };
        let moved = self.summary(&before, Vec::new(), Stopped::Reached);
        Ok(Arrival {
            pid,
            place: self.place(pid),
            moved,
            point,
        })
    }

    fn go_to_point(&mut self, point: &Point) -> Result<(), Error> {
        let causes = if self.history.has_branches() {
            self.past(point.id())?
        } else {
            point.causes(self.session.trace())?
        };
        self.forward_to(causes.iter())?;
        if point.action.0 == 0 {
            self.pull(point.pid, 0)?;
        }
        if point.runs_on {
            self.run_on(point.pid)?;
        }
        Ok(())
    }

    /// Goes on, starting at the point, to the first action of the same process and kind for which the conditions hold.
    fn go_from(&mut self, point: &Point, target: &Target, conditions: &mut Conditions) -> Result<(), Error> {
        let Point { pid, action, .. } = *point;
        // With `event:`, any kind will do.
        let kind = match target {
            Target::Event(..) | Target::End(_) => None,
            _ => Some(self.history.action(pid, action.0)?.kind.word()),
        };
        let before = ActionId::new(pid, action.0.saturating_sub(1));
        self.forward_to(self.past(before)?.iter())?;
        self.pull(pid, before.number.0)?;
        let mut moved = self.to_action(pid, kind, conditions.pattern.as_mut(), conditions.when.as_mut())?;
        if point.runs_on && moved.stopped != Stopped::Reached && conditions.pattern.is_none() {
            // Where it finally waits, its variables may differ from those at its last action.
            self.run_on(pid)?;
            if let Some(when) = &mut conditions.when
                && when.holds(&self.scope(pid))?
            {
                moved.stopped = Stopped::Reached;
            }
        }
        reached(&moved, target, conditions)
    }

    /// The process that gets to a line, with the condition true, with the fewest causes. If it is true nowhere, without it.
    fn first_visitor(
        &self,
        file: &Arc<str>,
        line: u32,
        times: u64,
        when: Option<&mut Predicate>,
    ) -> Result<Pid, Error> {
        let causes = |pid, actions| -> Result<u64, Error> {
            Ok(causality::causes(self.session.trace(), ActionId::new(pid, actions))?.actions())
        };
        let mut first = Vec::new();
        for visit in self.visits(file, line, if when.is_some() { 1 } else { times })? {
            first.push((causes(visit.pid, visit.actions)?, visit.pid));
        }
        first.sort_unstable();
        let mut best: Option<(u64, Pid)> = None;
        let mut when = when;
        let candidates = if when.is_some() { first.as_slice() } else { &[] };
        for &(least, pid) in candidates {
            // Where the condition holds, it has at least the causes of its first visit.
            if best.is_some_and(|best| best <= (least, pid)) {
                break;
            }
            let mut probe = self.clone();
            probe.observe(pid)?;
            let moved = probe.to_line(pid, file, line, times, when.as_deref_mut())?;
            if moved.stopped == Stopped::Reached {
                let found = (causes(pid, probe.done(pid))?, pid);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        let best = best.or_else(|| first.first().copied());
        best.map(|(_, pid)| pid).ok_or_else(|| {
            let again = if times > 1 {
                format!(" {times} times")
            } else {
                String::new()
            };
            Error::NoTarget(format!(
                "no process reaches line {line} of {file}{again}; is there code on that line?"
            ))
        })
    }
}

fn reached(moved: &Moved, target: &Target, conditions: &Conditions) -> Result<(), Error> {
    if moved.stopped == Stopped::Reached {
        return Ok(());
    }
    let what = if conditions.any() {
        let hint = conditions.when.as_ref().and_then(Predicate::hint);
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        format!("from {target} on, the condition never holds{hint}")
    } else {
        format!("no {target} in this trace: the process ends or waits before that")
    };
    Err(Error::NoTarget(what))
}
