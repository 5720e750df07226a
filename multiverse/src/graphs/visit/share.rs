//! The first universes of a search, the same wherever it begins: what is put aside then is shared out.

use session::Error;

use super::super::crew::{Crew, SearchFindings};
use super::{Graphs, Unit, Went};

impl Graphs {
    /// Visits universes, the oldest unit first, until there are so many units or none is left. A run is not interrupted, so that everybody comes to the
    /// same units.
    ///
    /// # Errors
    /// As [`Graphs::run`]; `crew` wants no more.
    pub fn expand(&mut self, crew: &dyn Crew, units: usize) -> Result<SearchFindings, Error> {
        let mut next = std::collections::VecDeque::from([Unit::default()]);
        let mut visited = 0;
        while next.len() < units && visited < LONGEST * units {
            let Some(unit) = next.pop_front() else { break };
            visited += 1;
            if let Some(state) = self.begin(unit)? {
                match self.forward(state, crew)? {
                    Went::On => {}
                    Went::Stop | Went::Within if self.told.beyond => {}
                    Went::Stop | Went::Within => {
                        return Err(Error::Usage("interrupted before its share was known".to_owned()));
                    }
                }
            }
            if self.told.beyond {
                break;
            }
            next.extend(self.units.drain(..));
        }
        self.units = next.into();
        self.tells()
    }
}

/// Limit: universes that everybody visits, for each unit that is wanted. A search that gets no wider is not shared out any further.
const LONGEST: usize = 4;
