//! A process line by line, between two of its actions.

use log_format::{ActionId, Cut, Pid};
use session::Session;
use session::error::Error;
use session::player::places::StandingPlace;
use session::player::{CHECKPOINT_MEMORY, Player, Stopped};

/// Limit: steps from line to line.
const STEPS: usize = 600;

/// Goes through turns of processes.
pub(crate) struct Walk {
    player: Player,
}

impl Walk {
    pub(crate) fn new(session: &Session) -> Result<Self, Error> {
        Ok(Self {
            player: Player::new(session, CHECKPOINT_MEMORY / 2)?,
        })
    }

    /// The places in the program to which a process comes after this receive (or its birth), before its action of this number.
    pub(crate) fn lines(&mut self, pid: Pid, from: Option<ActionId>, upto: u64) -> Result<Vec<StandingPlace>, Error> {
        let trace = self.player.session().trace().clone();
        let from = match from {
            Some(from) => Some(from),
            None => trace.process(pid)?.parent,
        };
        let start = match from {
            Some(from) => causality::causes(&trace, from)?,
            None => Cut::default(),
        };
        self.player.go_to_cut(&start, &[])?;
        let mut stops = Vec::new();
        while stops.len() < STEPS {
            let moved = self.player.step_over(pid, 1)?;
            if moved.stopped != Stopped::Reached || self.player.done(pid) >= upto {
                break;
            }
            stops.extend(self.player.stands(pid));
        }
        Ok(stops)
    }
}
