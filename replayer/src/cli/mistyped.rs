//! What a person typed is not what was expected there. Numbers, times and their like are in [`system::error::Mistyped`].

use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// An argument that is not what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MistypedArgument {
    /// A bound of a search: `delay:N` or `preemption:N`.
    UniverseBound,
    /// A share of a search: `I/N`.
    Share {
        /// At most so many.
        most: u64,
    },
    /// A number of actions, or `all`.
    Actions,
}

impl Display for MistypedArgument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::UniverseBound => f.write_str("expected delay:N or preemption:N, for example delay:2"),
            Self::Share { most } => write!(f, "expected a share I/N with 1 <= I <= N <= {most}, for example 3/8"),
            Self::Actions => f.write_str("expected a whole number, or all"),
        }
    }
}

impl Error for MistypedArgument {}
