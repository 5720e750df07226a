//! Going back: by steps, to where a variable or a line was before, to before an action.

use std::fmt;

use interpreter::print::Terms;
use std::str::FromStr;

use causality::{Point, ProcessRef, Target, TargetError};
use log_format::{ActionId, Pid};

use super::tracker::Sought;
use super::{Moved, Player};
use crate::error::Error;

/// Where to go back to: what `--back` takes. Where a process can be named and is not, the current one is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Back {
    /// `3`: so many steps of the current process.
    Steps(u64),
    /// `birth`, `birth:0.7.0`: to where the process has done nothing.
    Birth(Option<ProcessRef>),
    /// `mailbox`, `mailbox:0.7.0`: to before the last signal came into its mailbox.
    Mailbox(Option<ProcessRef>),
    /// `var:X`, `var:X@0.7.0`: to where the variable was last bound, or got another value.
    Variable(String, Option<ProcessRef>),
    /// To before this action, undoing its consequences; of a line, to the last time that the process was there; of `step:0.7.0+3`, by so many
    /// steps of that process.
    Target(Target),
}

impl fmt::Display for Back {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |f: &mut fmt::Formatter<'_>, mark: char, who: &Option<ProcessRef>| match who {
            Some(who) => write!(f, "{mark}{who}"),
            None => Ok(()),
        };
        match self {
            Self::Steps(steps) => steps.fmt(f),
            Self::Birth(who) => f.write_str("birth").and_then(|()| of(f, ':', who)),
            Self::Mailbox(who) => f.write_str("mailbox").and_then(|()| of(f, ':', who)),
            Self::Variable(name, who) => write!(f, "var:{name}").and_then(|()| of(f, '@', who)),
            Self::Target(target) => target.fmt(f),
        }
    }
}

/// A text that does not say where to go back to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackError {
    /// `0` steps.
    NoSteps,
    /// What comes after `var:` does not name a variable.
    NoVariable(String),
    /// A line with a count.
    Counted,
    /// The process is not one.
    Process(TargetError),
    /// It is none of the other forms, and not a target.
    Target(TargetError),
}

impl fmt::Display for BackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSteps => f.write_str("`0` is not a number of steps: expected a number from 1"),
            Self::NoVariable(text) => write!(
                f,
                "`{}` does not name a variable: expected one such as var:X or var:X@0.7.0",
                text.escape_debug()
            ),
            Self::Counted => f.write_str("going back, a line takes no count; repeat --back to go further"),
            Self::Process(error) => error.fmt(f),
            Self::Target(error) => write!(f, "{error}, or a number of steps, birth, mailbox, var:X"),
        }
    }
}

impl std::error::Error for BackError {}

impl From<BackError> for Error {
    fn from(error: BackError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl FromStr for Back {
    type Err = BackError;

    fn from_str(text: &str) -> Result<Self, BackError> {
        if let Ok(steps) = text.parse::<u64>() {
            return if steps == 0 {
                Err(BackError::NoSteps)
            } else {
                Ok(Self::Steps(steps))
            };
        }
        let named = |who: &str| match who {
            "" => Ok(None),
            who => who.parse().map(Some).map_err(BackError::Process),
        };
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        match word {
            "birth" => Ok(Self::Birth(named(rest)?)),
            "mailbox" => Ok(Self::Mailbox(named(rest)?)),
            "var" => {
                let (name, who) = rest.split_once('@').unwrap_or((rest, ""));
                if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    return Err(BackError::NoVariable(text.to_owned()));
                }
                Ok(Self::Variable(name.to_owned(), named(who)?))
            }
            _ => match text.parse().map_err(BackError::Target)? {
                Target::Line { count: 2.., .. } => Err(BackError::Counted),
                target => Ok(Self::Target(target)),
            },
        }
    }
}

impl Player {
    /// Goes back. `subject`: the current process. If there is nothing earlier, it stops with [`Stopped::Beginning`](super::Stopped).
    ///
    /// # Errors
    /// There is no such process or target, or it has not happened yet; the trace is damaged; what is replayed diverges.
    pub fn back_to(&mut self, subject: Pid, way: &Back) -> Result<Moved, Error> {
        match way {
            Back::Steps(steps) => self.back(subject, *steps),
            Back::Birth(who) => {
                let pid = self.named(subject, who.as_ref())?;
                self.undo(&[ActionId::new(pid, 1)])
            }
            Back::Mailbox(who) => {
                let pid = self.named(subject, who.as_ref())?;
                self.back_to_mailbox(pid)
            }
            // Only names of Elixir begin with a small letter.
            Back::Variable(name, _)
                if name.starts_with(char::is_lowercase) && self.session.terms() == Terms::Erlang =>
            {
                Err(Error::Usage(BackError::NoVariable(name.clone()).to_string()))
            }
            Back::Variable(name, who) => {
                let pid = self.named(subject, who.as_ref())?;
                self.back_to_past(pid, &Sought::Variable(name.clone()))
            }
            Back::Target(Target::Step(who, steps)) => {
                let pid = self.find_process(who)?;
                self.back(pid, *steps)
            }
            Back::Target(Target::Line { file, line, who, .. }) => {
                let pid = self.named(subject, who.as_ref())?;
                let past = Sought::Line {
                    file: self.session.sources().find_file(file)?,
                    line: u32::try_from(*line).unwrap_or(u32::MAX),
                };
                self.back_to_past(pid, &past)
            }
            Back::Target(target) => {
                let point = self.happened(target)?;
                self.undo(&[point.id()])
            }
        }
    }

    /// The process that is named, or else the current one.
    ///
    /// # Errors
    /// There is no such process; the trace is damaged.
    pub fn named(&self, subject: Pid, who: Option<&ProcessRef>) -> Result<Pid, Error> {
        who.map_or(Ok(subject), |who| self.find_process(who))
    }

    /// As [`Player::find`], for what has been done.
    ///
    /// # Errors
    /// As [`Player::find`]; it has not happened where the player stands: [`Error::NoTarget`].
    pub fn happened(&self, target: &Target) -> Result<Point, Error> {
        let point = self.find(target)?;
        if self.done(point.pid) < point.action.0 {
            return Err(Error::NoTarget(format!(
                "{} has not happened at this point, so there is nothing to undo",
                crate::words::safe(&target.to_string())
            )));
        }
        Ok(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_back_read_back_as_written() {
        for text in [
            "3",
            "birth",
            "birth:0.7.0",
            "mailbox",
            "mailbox:server/2",
            "var:X",
            "var:_Rest@0.7.0",
            "rec:6",
            "step:0.7.0+3",
            "line:m.erl:3@server",
        ] {
            assert_eq!(text.parse::<Back>().unwrap().to_string(), text);
        }
        for text in ["0", "", "nonsense", "var:", "mailbox:0.7", "line:m.erl:3/2"] {
            assert!(text.parse::<Back>().is_err(), "{text}");
        }
    }
}
