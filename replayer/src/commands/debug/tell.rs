//! The commands of `replay debug` that explain actions: why, causes, consequences. They cover everything in the session: the trace, as far as
//! the session follows it, and what was done beyond it.

use causality::Target;
use log_format::ActionId;
use rustc_hash::FxHashMap;

use super::Shell;
use crate::commands::{Out, run, why};
use crate::render;
use crate::view::{ActionRow, NextCommand};
use ::check::choices::Naming;
use ::check::kin::Kin;
use ::check::listener::Listener;
use causality::Point;
use session::called::ProcessNames;
use session::error::Error;
use session::shown;
use session::{Goal, Session};

impl Shell {
    /// `why [TARGET]`.
    pub(super) fn why(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let session = self.at.player.told()?;
        let found = self.found(&session, if rest.is_empty() { "error" } else { rest })?;
        let bounds = run::bounds(out, self.show);
        let mut view = ::why::explain(&session, &found, &bounds, self.show.all)?;
        view.next = vec![NextCommand {
            command: format!("until {}", found.target),
            what: "go there".to_owned(),
        }];
        out.view(&view, self.show, render::why::why)
    }

    /// `causes TARGET`.
    pub(super) fn causes(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let session = self.at.player.told()?;
        let found = self.found(&session, rest)?;
        let trace = session.trace();
        let slice = shown::slice_of(trace, &found)?;
        let picked = shown::picked(trace, &slice, &found, self.show.all)?;
        let nothing = (FxHashMap::default(), ProcessNames::default());
        let mut rows = shown::rows(trace, &slice, &picked, Some(&found), &nothing.0, &nothing.1)?;
        if let Some(numbers) = session.numbers() {
            for row in &mut rows {
                if let ActionRow::Act(act) = row {
                    numbers.rename(act)?;
                }
            }
        }
        out.view(&rows, self.show, |sink, rows, layout| {
            render::text::rows(sink, rows, layout)
        })
    }

    /// `consequences TARGET`.
    pub(super) fn consequences(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let session = self.at.player.told()?;
        let found = self.found(&session, rest)?;
        let mut view = why::consequences_of(session.trace(), &found, self.show.all)?;
        if let Some(numbers) = session.numbers() {
            for suffix in &mut view.processes {
                numbers.rename(&mut suffix.first)?;
            }
        }
        out.view(&view, self.show, render::text::consequences)
    }

    /// Finds a target in everything in the session.
    pub(super) fn found(&self, session: &Session, text: &str) -> Result<Point, Error> {
        let target: Target = text.parse()?;
        if session.numbers().is_none() || target.is_place() {
            return session.find(target);
        }
        match target {
            Target::Error => first_failure(session),
            Target::End(_) => {
                let mut found = self.at.player.find(target)?;
                found.runs_on = !session.trace().process(found.pid)?.ended;
                Ok(found)
            }
            target => self.at.player.find(target),
        }
    }
}

/// The first abnormal end. For ends that no recorder has observed, the reasons are known only from a replay.
fn first_failure(session: &Session) -> Result<Point, Error> {
    let trace = session.trace();
    let heard = session.replay(&Goal::everything(), Listener::new(Kin::recorded(), Naming::Place))?;
    let heard = heard.into_observer().ends;
    let gravest = heard.iter().map(|end| end.gravity).max();
    let mut ends = Vec::new();
    for end in heard.iter().filter(|end| Some(end.gravity) == gravest) {
        ends.push(ActionId::new(end.pid, trace.process(end.pid)?.counts.actions));
    }
    ends.sort_unstable();
    let mut first = causality::first_errors(trace, &ends)?;
    // The entry's end comes before all others.
    for end in &ends {
        if trace.process(end.pid)?.parent.is_none() {
            first.retain(|other| other != end);
            first.insert(0, *end);
        }
    }
    let Some((&first, others)) = first.split_first() else {
        return Err(Error::NoTarget(
            "no process has ended abnormally in this session; name an action, such as event:0.1.0/3, or end:0.1.0 for the place where a process stands"
                .to_owned(),
        ));
    };
    Ok(Point {
        others: others.to_vec(),
        ..Point::from(first)
    })
}
