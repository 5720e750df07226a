//! Drives the recorded program by its own choices, which must give the same run.

use causality::WaitTimes;
use log_format::Cut;
use session::error::Error;

use session::{Goal, Session};
use system::System;

use crate::choices::{Lengths, Naming};
use crate::drive::{self, DrivePlan, Timeouts};
use crate::kin::Kin;
use crate::listener::Listener;
use crate::missing::Missing;
use crate::start::start;
use crate::tape::Ears;

/// The recorded program, driven by its own choices.
#[derive(Clone, Debug)]
pub struct Again {
    /// The first process whose steps differ, and where; `None` if it did the same again.
    pub other: Option<String>,
    /// How often a signal that was held back was looked at.
    pub looks: u64,
}

/// Drives the program of a trace by the choices of the trace. `eager`: unrecorded steps and messages come as early as possible.
///
/// # Errors
/// The trace is damaged.
pub fn drive_again(session: &Session, eager: bool) -> Result<Again, Error> {
    let trace = session.trace();
    let heard = session
        .replay(&Goal::everything(), Listener::new(Kin::recorded(), Naming::Place))?
        .into_observer();
    let choices = heard.choices(trace, &Cut::whole(trace)?, WaitTimes::default())?;
    let (mut system, _) = start(
        session,
        &Missing::default(),
        Listener::new(heard.kin.another(), Naming::Place),
        None,
    )?;
    let bound = trace.totals().counts.actions;
    let fresh = trace.processes().last().map_or(Ok(1), |p| p.map(|p| p.pid.0))? + 1;
    let sent = heard.sent_to();
    let plan = DrivePlan {
        choices: &choices,
        sent: &sent,
        waits: None,
        real: None,
        timeouts_last: false,
        fresh,
        bound,
        best_effort: false,
        lenient: false,
        eager,
        vain: &Timeouts::default(),
        sleeps: &Timeouts::default(),
        lengths: &Lengths::default(),
        own: &|file| session.sources().owns(file),
        pids: &heard.ids.iter().map(|(pid, id)| (*id, *pid)).collect(),
    };
    let driven = drive::drive(&mut system, &plan);
    let divergence = driven
        .divergences
        .first()
        .map(|d| format!("{} at {}: expected {}, but {}", d.pid, d.place, d.expected, d.found));
    Ok(Again {
        other: divergence.or_else(|| first_other(&heard, system)),
        looks: driven.looks,
    })
}

/// The first process that made other steps than the recorded ones.
fn first_other(heard: &Listener, system: System<Ears>) -> Option<String> {
    let again = system.into_observer().inner;
    let mut pids: Vec<_> = heard.ids.iter().map(|(pid, id)| (*pid, *id)).collect();
    pids.sort_unstable();
    for (pid, id) in pids {
        let of = |listener: &Listener| listener.made.get(&id).cloned().unwrap_or_default();
        let (was, is) = (of(heard), of(&again));
        if was != is {
            let n = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
            return Some(format!(
                "{pid}, step {}: recorded {:?}, now {:?}",
                n + 1,
                was.get(n),
                is.get(n)
            ));
        }
    }
    None
}
