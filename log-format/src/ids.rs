//! Names of everything in a trace (semantics.md §2): processes, nodes, actions, signals, versions, texts.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Defines a number with a meaning of its own, so that no bare `u64` crosses a module.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// A process: the number N of `<0.N.0>`, unique in a trace. Shown without brackets, `0.84.0`, so that it needs no quotes in a shell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pid(pub u64);

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0.{}.0", self.0)
    }
}

number! {
    /// A node, by its index in the trace's list of nodes; `Node(0)` is the node on which the run started.
    Node(u16)
}
number! {
    /// The number of an action in the log of its process, from 1. `ActionNo(0)` stands for "before the first action".
    ActionNo(u64)
}
number! {
    /// The k of the tag (p, k): how many signals p had sent, including this one; from 1.
    SendNo(u64)
}
number! {
    /// The number of a received message in a trace, from 1, as in `rec:42`: base of the receiver + its ordinal among the receiver's receives.
    RecNo(u64)
}
number! {
    /// The version of a shared resource (semantics.md §4); 0 is the state before the first write.
    Version(u64)
}
number! {
    /// A text (an atom, a host name, …) by its index in the trace's list of texts.
    TextId(u32)
}

/// An action by its name: its process, and its number in the log of that process. The same in every causally equivalent run.
/// Number 0 stands for the birth of the process. Ordered by process, then number.
///
/// Shown as the target that names it, which `replay --until` takes: `event:0.84.0/15`, or `spawn:0.84.0` for a birth. `0.84.0/15` is read, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionId {
    /// The process that did it.
    pub pid: Pid,
    /// Its number in the log of that process, from 1; 0 for the birth.
    pub number: ActionNo,
}

impl ActionId {
    /// The action of a process with a number (0: its birth).
    #[inline]
    #[must_use]
    pub const fn new(pid: Pid, number: u64) -> Self {
        let number = ActionNo(number);
        Self { pid, number }
    }
}

impl fmt::Display for ActionId {
    /// As a target that can be pasted: `event:0.84.0/15`, `spawn:0.84.0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            ActionNo(0) => write!(f, "spawn:{}", self.pid),
            number => write!(f, "event:{}/{number}", self.pid),
        }
    }
}

/// The identity of an object that a reference stands for: the process that made it and a count of that process. Used for tables, counter arrays
/// and monitors; the same in every causally equivalent run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId {
    /// The process that made it.
    pub creator: Pid,
    /// Its number among the references of that process, from 1.
    pub k: u64,
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.creator, self.k)
    }
}

/// The unique name of a signal, equal in every causally equivalent run (semantics.md §2, tags).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// (p, k): the k-th signal that `by` sent, or that the runtime sent in reply to a call of `by`.
    Sent {
        /// The sender.
        by: Pid,
        /// Its ordinal among the sender's signals, from 1.
        k: SendNo,
    },
    /// (p, end, q): what the end of `by` sends to a process linked to it.
    EndTo {
        /// The process that ended.
        by: Pid,
        /// The linked process.
        to: Pid,
    },
    /// (p, end, ref): the 'DOWN' that the end of `by` sends for the monitor reference (owner, k).
    EndRef {
        /// The process that ended.
        by: Pid,
        /// The process that made the monitor.
        owner: Pid,
        /// The number of the reference among those of its owner.
        k: u64,
    },
    /// (p, end, table): what the end of `by`, the owner, sends to the heir of a table.
    EndTable {
        /// The process that ended.
        by: Pid,
        /// The table.
        table: ObjectId,
    },
    /// (p, limit): the runtime kills `to` at a limit. It has no sender, so it has no cause.
    Limit {
        /// The process that is killed.
        to: Pid,
    },
}

impl Tag {
    /// The process whose step is the send of this signal; `None` for a kill by the runtime.
    #[must_use]
    pub const fn sender(self) -> Option<Pid> {
        match self {
            Self::Sent { by, .. } | Self::EndTo { by, .. } | Self::EndRef { by, .. } | Self::EndTable { by, .. } => {
                Some(by)
            }
            Self::Limit { .. } => None,
        }
    }

    /// Does the end of a process send this signal before that one, to the same process? The exit signal of the link leaves first, then the
    /// 'DOWN' of each monitor in the order in which these were set. (`erl` 25: 5,000 of 5,000 runs each.) A table for an heir has no order with these.
    ///
    /// ```
    /// use log_format::{Pid, Tag};
    ///
    /// let exit = Tag::EndTo { by: Pid(7), to: Pid(1) };
    /// let [first, second] = [1, 2].map(|k| Tag::EndRef { by: Pid(7), owner: Pid(1), k });
    /// assert!(exit.leaves_before(first) && first.leaves_before(second) && !second.leaves_before(first));
    /// ```
    #[must_use]
    pub const fn leaves_before(self, other: Self) -> bool {
        match (self, other) {
            (Self::EndTo { by, to }, Self::EndRef { by: of, owner, .. }) => by.0 == of.0 && to.0 == owner.0,
            (
                Self::EndRef { by, owner, k },
                Self::EndRef {
                    by: of,
                    owner: to,
                    k: l,
                },
            ) => by.0 == of.0 && owner.0 == to.0 && k < l,
            _ => false,
        }
    }

    /// The same signal where processes have other names.
    #[must_use]
    pub fn renamed(self, mut of: impl FnMut(Pid) -> Pid) -> Self {
        let renamed: Result<Self, Infallible> = self.try_renamed(|pid| Ok(of(pid)));
        match renamed {
            Ok(tag) => tag,
        }
    }

    /// As [`Self::renamed`].
    ///
    /// # Errors
    /// What `of` returns.
    pub fn try_renamed<E>(self, mut of: impl FnMut(Pid) -> Result<Pid, E>) -> Result<Self, E> {
        Ok(match self {
            Self::Sent { by, k } => Self::Sent { by: of(by)?, k },
            Self::EndTo { by, to } => Self::EndTo {
                by: of(by)?,
                to: of(to)?,
            },
            Self::EndRef { by, owner, k } => Self::EndRef {
                by: of(by)?,
                owner: of(owner)?,
                k,
            },
            Self::EndTable { by, table } => Self::EndTable {
                by: of(by)?,
                table: ObjectId {
                    creator: of(table.creator)?,
                    k: table.k,
                },
            },
            Self::Limit { to } => Self::Limit { to: of(to)? },
        })
    }

    /// Is the send of this signal the end of its sender?
    #[must_use]
    pub const fn is_of_an_end(self) -> bool {
        matches!(self, Self::EndTo { .. } | Self::EndRef { .. } | Self::EndTable { .. })
    }
}

impl fmt::Display for Tag {
    /// As a target that can be pasted: `sent:0.84.0/3`, `sent:0.84.0/end/0.9.0`, `sent:0.84.0/end/ref/0.9.0/2`,
    /// `sent:0.84.0/end/table/0.9.0/2`, `sent:0.84.0/limit`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent { by, k } => write!(f, "sent:{by}/{k}"),
            Self::EndTo { by, to } => write!(f, "sent:{by}/end/{to}"),
            Self::EndRef { by, owner, k } => write!(f, "sent:{by}/end/ref/{owner}/{k}"),
            Self::EndTable { by, table } => write!(f, "sent:{by}/end/table/{table}"),
            Self::Limit { to } => write!(f, "sent:{to}/limit"),
        }
    }
}

/// A text that is not a valid name. Says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// What was expected, with an example.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found.escape_debug())
    }
}

impl std::error::Error for ParseError {}

/// Parses a decimal number without sign or leading blanks.
fn decimal(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

impl FromStr for Pid {
    type Err = ParseError;

    /// Parses `0.84.0` or `<0.84.0>`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError {
            expected: "a process such as 0.84.0",
            found: text.to_owned(),
        };
        let inner = match text.strip_prefix('<') {
            Some(rest) => rest.strip_suffix('>').ok_or_else(error)?,
            None => text,
        };
        let number = inner
            .strip_prefix("0.")
            .and_then(|rest| rest.strip_suffix(".0"))
            .and_then(decimal);
        number.map(Pid).ok_or_else(error)
    }
}

impl FromStr for ActionId {
    type Err = ParseError;

    /// Parses what its `Display` writes; `event:` may be left out, and `<0.84.0>` is accepted for `0.84.0`.
    ///
    /// ```
    /// use log_format::{ActionId, Pid};
    ///
    /// let action: ActionId = "0.84.0/15".parse().unwrap();
    /// assert_eq!(action, ActionId::new(Pid(84), 15));
    /// assert_eq!(action.to_string(), "event:0.84.0/15");
    /// // Actions count from 1; the birth of a process has a name of its own.
    /// assert!("0.84.0/0".parse::<ActionId>().is_err());
    /// assert_eq!("spawn:0.84.0".parse(), Ok(ActionId::new(Pid(84), 0)));
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError {
            expected: "an action such as event:0.84.0/15",
            found: text.to_owned(),
        };
        if let Some(pid) = text.strip_prefix("spawn:") {
            return Ok(Self::new(pid.parse().map_err(|_| error())?, 0));
        }
        let name = text.strip_prefix("event:").unwrap_or(text);
        let (pid, number) = name.split_once('/').ok_or_else(error)?;
        let number = decimal(number).filter(|number| *number > 0).ok_or_else(error)?;
        Ok(Self::new(pid.parse().map_err(|_| error())?, number))
    }
}

impl FromStr for Tag {
    type Err = ParseError;

    /// Parses what [`Tag`]'s `Display` writes; `<0.84.0>` is accepted for `0.84.0`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError {
            expected: "a signal such as sent:0.84.0/3 or sent:0.84.0/end/0.9.0",
            found: text.to_owned(),
        };
        let parts: Vec<&str> = text.strip_prefix("sent:").ok_or_else(error)?.split('/').collect();
        let pid = |part: &str| part.parse::<Pid>().map_err(|_| error());
        let number = |part: &str| decimal(part).ok_or_else(error);
        match parts[..] {
            [p, "limit"] => Ok(Self::Limit { to: pid(p)? }),
            [p, k] => Ok(Self::Sent {
                by: pid(p)?,
                k: SendNo(number(k)?),
            }),
            [p, "end", q] => Ok(Self::EndTo {
                by: pid(p)?,
                to: pid(q)?,
            }),
            [p, "end", "ref", q, k] => Ok(Self::EndRef {
                by: pid(p)?,
                owner: pid(q)?,
                k: number(k)?,
            }),
            [p, "end", "table", q, k] => Ok(Self::EndTable {
                by: pid(p)?,
                table: ObjectId {
                    creator: pid(q)?,
                    k: number(k)?,
                },
            }),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_read_back_as_written() {
        let (p, q) = (Pid(84), Pid(9));
        let tags = [
            (Tag::Sent { by: p, k: SendNo(3) }, "sent:0.84.0/3"),
            (Tag::EndTo { by: p, to: q }, "sent:0.84.0/end/0.9.0"),
            (Tag::EndRef { by: p, owner: q, k: 4 }, "sent:0.84.0/end/ref/0.9.0/4"),
            (
                Tag::EndTable {
                    by: p,
                    table: ObjectId { creator: q, k: 4 },
                },
                "sent:0.84.0/end/table/0.9.0/4",
            ),
            (Tag::Limit { to: p }, "sent:0.84.0/limit"),
        ];
        for (tag, text) in tags {
            assert_eq!(tag.to_string(), text);
            assert_eq!(text.parse(), Ok(tag));
        }
        assert_eq!("sent:<0.84.0>/3".parse(), Ok(Tag::Sent { by: p, k: SendNo(3) }));
    }

    #[test]
    fn a_renamed_tag_has_all_its_processes_renamed() {
        let plus = |pid: Pid| Pid(pid.0 + 100);
        for (tag, renamed) in [
            ("sent:0.84.0/3", "sent:0.184.0/3"),
            ("sent:0.84.0/end/0.9.0", "sent:0.184.0/end/0.109.0"),
            ("sent:0.84.0/end/ref/0.9.0/4", "sent:0.184.0/end/ref/0.109.0/4"),
            ("sent:0.84.0/end/table/0.9.0/4", "sent:0.184.0/end/table/0.109.0/4"),
            ("sent:0.84.0/limit", "sent:0.184.0/limit"),
        ] {
            assert_eq!(
                tag.parse().map(|tag: Tag| tag.renamed(plus).to_string()),
                Ok(renamed.to_owned())
            );
        }
    }

    #[test]
    fn actions_read_back_as_written() {
        for (id, text) in [
            (ActionId::new(Pid(84), 15), "event:0.84.0/15"),
            (ActionId::new(Pid(84), 0), "spawn:0.84.0"),
        ] {
            assert_eq!(id.to_string(), text);
            assert_eq!(text.parse(), Ok(id));
        }
        assert_eq!("<0.84.0>/15".parse(), Ok(ActionId::new(Pid(84), 15)));
        for text in [
            "",
            "0.84.0",
            "event:0.84.0",
            "event:0.84.0/0",
            "event:0.84.0/x",
            "spawn:0.84.0/1",
            "rec:1",
        ] {
            assert!(text.parse::<ActionId>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "",
            "0.1",
            "0.1.1",
            "1.1.0",
            "<0.1.0",
            "0.1.0>",
            "0.+1.0",
            "0.18446744073709551616.0",
            "0..0",
        ] {
            assert!(text.parse::<Pid>().is_err(), "{text}");
        }
        for text in [
            "",
            "sent:",
            "sent:0.1.0",
            "sent:0.1.0/",
            "sent:0.1.0/x",
            "sent:0.1.0/end",
            "sent:0.1.0/end/ref/0.2.0",
            "rec:1",
        ] {
            assert!(text.parse::<Tag>().is_err(), "{text}");
        }
    }
}
