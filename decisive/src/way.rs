//! The way to a flip: a player goes there, and takes the other choice.

use std::sync::Arc;

use log_format::Pid;
use session::Session;
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;

use crate::guide::{Guide, Held, Plan};
use crate::places::Place;
use crate::record::Record;

/// How to take the other choice in the run in which it was found.
#[derive(Clone, Debug)]
pub struct Way {
    place: Arc<Place>,
    /// `None`: something waits until the others have done all they can.
    choice: Option<Choice>,
    /// What waits.
    held: Option<Held>,
    seed: u64,
}

/// Two ways of one run are the same if they take the same choice at the same place: what is kept follows from that.
impl PartialEq for Way {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            place,
            choice,
            held,
            seed,
        } = self;
        let theirs = (
            other.place.action,
            other.place.pid,
            &other.choice,
            &other.held,
            &other.seed,
        );
        (place.action, place.pid, choice, held, seed) == theirs
    }
}

impl Eq for Way {}

impl Way {
    pub(crate) fn new(place: &Place, choice: Option<Choice>, held: Option<Held>, seed: u64) -> Self {
        Self {
            place: Arc::new(place.clone()),
            choice,
            held,
            seed,
        }
    }

    /// The action that is taken back, and what waits.
    pub(crate) const fn taken_back(&self) -> (&Arc<Place>, Option<Held>, u64) {
        (&self.place, self.held, self.seed)
    }

    /// Whose choice it is.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.place.pid
    }

    /// The other choice; `None`: the process waits for the others.
    #[must_use]
    pub const fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// Takes the other choice. `player`: one whose logs are those of the run in which the flip was found, wherever it stands; `session`: that run.
    /// The process then stands right after the choice; what was held back comes where the others had done all they could.
    ///
    /// # Errors
    /// The trace is damaged; a replay diverges.
    pub fn take(&self, session: &Session, player: &mut Player) -> Result<(), Error> {
        let place = &self.place;
        player.go_to_cut(&place.kept, &[])?;
        player.leave_logs(&place.future)?;
        let Some(choice) = self.choice else {
            let record = Record::of(session)?;
            let plan = Plan {
                held: self.held,
                ..Plan::default()
            };
            return Guide::new(&record, plan).hold_back(player);
        };
        player.set_seed(self.seed);
        player.choose(place.pid, choice)?;
        Ok(())
    }
}
