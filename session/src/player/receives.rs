//! Through all that was done, receive by receive.

use interpreter::heap::Fragment;
use interpreter::vm;
use log_format::{ActionNo, Cut, Pid};
use system::process::Label;

use super::free::Choice;
use super::{PATIENCE, Player};
use crate::error::Error;

/// What is seen of a receive.
pub enum Received<'a> {
    /// A process waits in it.
    Waits(&'a vm::Process),
    /// It has taken this message, from there.
    Takes(&'a Fragment, Option<&'a vm::Process>),
}

impl Player {
    /// Tells, of each receive of what was done, where the process waits and what it takes, with the number of its last action by then; and where each
    /// process waits at the end. `start`: a player of the same run.
    ///
    /// # Errors
    /// The trace is damaged; a repeated step diverges; whatever `tell` returns.
    pub fn receives(
        &self,
        start: &Self,
        mut tell: impl FnMut(Pid, ActionNo, Received<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut player = start.at_part(self.history().clone(), &Cut::default())?;
        loop {
            let mut went = false;
            for pid in player.living() {
                while let Some(choice) = player.logged(pid)?
                    && player.enabled(pid)? == [choice]
                {
                    went = true;
                    let done = player.done(pid);
                    let machine = match choice {
                        Choice::Message(_) | Choice::Timeout => player.in_receive(pid)?,
                        _ => None,
                    };
                    if let Some(machine) = &machine {
                        tell(pid, ActionNo(done), Received::Waits(machine))?;
                    }
                    let message = match choice {
                        Choice::Message(tag) => player.look(|system| {
                            let mut all = system.messages(pid).into_iter();
                            all.find(|(known, _)| *known == tag).map(|(_, message)| message)
                        }),
                        _ => None,
                    };
                    player.pull(pid, done + 1)?;
                    if let Some(message) = &message {
                        tell(pid, ActionNo(done + 1), Received::Takes(message, machine.as_ref()))?;
                    }
                }
            }
            if !went {
                break;
            }
        }
        for pid in player.living() {
            if player.logged(pid)?.is_none()
                && let Some(machine) = player.in_receive(pid)?
            {
                tell(pid, ActionNo(player.done(pid)), Received::Waits(&machine))?;
            }
        }
        Ok(())
    }

    /// A process that waits in a receive, or comes to one without an action.
    fn in_receive(&mut self, pid: Pid) -> Result<Option<vm::Process>, Error> {
        self.sync()?;
        let label = self.change(|system| system.look_ahead(pid, PATIENCE))?;
        match label {
            Some(Label::Receive(_)) => self.change(|system| system.machine_of(pid)),
            _ => Ok(None),
        }
    }
}
