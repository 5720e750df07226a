//! A schedule that is written down: the usual one, but for some switches.

use std::fmt;
use std::str::FromStr;

use crate::error::Mistyped;
use crate::scheduler::actor::Actor;
use crate::scheduler::explorer::{Round, Strategy};

/// A choice that is not usual.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Switch {
    /// The actor whose turn it would be.
    pub instead_of: Actor,
    /// How often that actor has acted before.
    pub after: u64,
    /// The actor that acts.
    pub to: Actor,
}

/// As in the words of a schedule: `3/12>5` for "when process 3 has acted 12 times, and it would be its turn, process 5 acts".
impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}>{}", self.instead_of, self.after, self.to)
    }
}

impl FromStr for Switch {
    type Err = Mistyped;
    fn from_str(text: &str) -> Result<Self, Mistyped> {
        let parts = text.split_once('>').and_then(|(turn, to)| {
            let (instead_of, after) = turn.split_once('/')?;
            Some((instead_of, after.parse().ok()?, to))
        });
        let Some((instead_of, after, to)) = parts else {
            return Err(Mistyped::Switch(text.to_owned()));
        };
        Ok(Self {
            instead_of: instead_of.parse()?,
            after,
            to: to.parse()?,
        })
    }
}

/// Follows a list of switches; a switch that is not possible is left out.
pub struct Switches {
    /// In the order in which they were made.
    left: Vec<Switch>,
    /// Were they made by a strategy that sees natives? Its steps are smaller.
    at_natives: bool,
}

impl Switches {
    /// These switches, in the order in which they were made. `at_natives`: by a strategy that sees natives; its steps are smaller.
    #[must_use]
    pub fn new(switches: &[Switch], at_natives: bool) -> Self {
        Self {
            left: switches.to_vec(),
            at_natives,
        }
    }
}

impl Strategy for Switches {
    fn sees_natives(&self) -> bool {
        self.at_natives
    }

    fn choose(&mut self, round: &Round<'_>) -> usize {
        let usual = round.candidates[round.usual].actor;
        let due = |switch: &Switch| switch.instead_of == usual && switch.after == round.acted;
        let found = self.left.iter().enumerate().filter(|(_, switch)| due(switch));
        let possible = found
            .filter_map(|(i, switch)| Some((i, round.place_of(switch.to)?)))
            .next();
        match possible {
            Some((i, place)) => {
                self.left.remove(i);
                place
            }
            None => round.usual,
        }
    }
}
