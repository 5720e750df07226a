//! The operations that a pattern is compiled to. Groups are linked by distances, so a repeated group is a copy of its operations.

use super::ucd::{self, Property};

/// No upper limit of a repetition.
pub(super) const UNLIMITED: u32 = u32::MAX;

/// What matches one character (`\R` and `\X`: sometimes several).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Single {
    Char(u32),
    /// A character or its other case.
    Either(u32, u32),
    /// Neither of the two, which may be equal.
    Neither(u32, u32),
    /// No newline.
    Any,
    AllAny,
    /// `\C` in UTF-8.
    Byte,
    Digit(bool),
    Space(bool),
    Word(bool),
    Horizontal(bool),
    Vertical(bool),
    Property(Property, bool),
    /// `\R`.
    Newline,
    /// `\X`.
    Cluster,
    /// A place in the classes.
    Class(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RepeatMode {
    Greedy,
    Lazy,
    Possessive,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Times {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) mode: RepeatMode,
}

/// What a group is. Those that can match nothing and are repeated without limit remember where they began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    Ahead {
        negative: bool,
    },
    Behind {
        negative: bool,
    },
    /// Atomic, with captures inside or without.
    Once,
    OnceWithout,
    /// Not capturing (`number` 0) or capturing.
    Plain {
        number: u16,
        empty: bool,
        possessive: bool,
    },
    Condition {
        empty: bool,
    },
}

impl Group {
    pub(super) fn is_assertion(self) -> bool {
        matches!(self, Self::Ahead { .. } | Self::Behind { .. })
    }

    /// Is the start remembered, to end repetitions of nothing?
    pub(super) fn remembers(self) -> bool {
        matches!(
            self,
            Self::Once | Self::Plain { empty: true, .. } | Self::Condition { empty: true }
        )
    }

    pub(super) fn number(self) -> Option<u16> {
        match self {
            Self::Plain { number, .. } if number > 0 => Some(number),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ket {
    Once,
    Max,
    Min,
    Possessive,
}

/// How a group that may be left out begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zero {
    Greedy,
    Lazy,
    Possessive,
    /// Never entered but by a call.
    Skip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    Accept,
    AssertAccept,
    Fail,
    Commit,
    Mark,
    Prune,
    Skip,
    Then,
}

/// One operation. `next` of a group and of an alternative is the distance to the next alternative or to the ket, `back` of a ket that to its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    End,
    One(Single),
    /// Bytes of the literals, and how many operations they replace.
    Literal {
        at: u32,
        bytes: u16,
        ops: u16,
    },
    Repeat(Single, Times),
    Circumflex {
        multiline: bool,
    },
    Dollar {
        multiline: bool,
    },
    /// `\A`, `\G`, `\Z`, `\z`, `\b` and `\B`, `\K`.
    SubjectStart,
    MatchStart,
    EndOrNewline,
    SubjectEnd,
    WordBoundary {
        negative: bool,
    },
    SetStart,
    Reference {
        group: u16,
        caseless: bool,
        times: Times,
    },
    /// A reference to a name that several groups have: places in the names.
    NamedReference {
        first: u16,
        count: u16,
        caseless: bool,
        times: Times,
    },
    /// The group's number until all is compiled, then where it is; what it leads to is its own.
    Call {
        group: u16,
        target: u32,
    },
    Open(Group, u32),
    Alternative(u32),
    Close(Ket, u32),
    Zero(Zero),
    /// How many characters (bytes) before: 0 is not known yet.
    Back(u32),
    /// Before `(*ACCEPT)`: a group that is open is captured.
    Capture(u16),
    IfGroup(u16),
    IfNamed {
        first: u16,
        count: u16,
    },
    /// `None`: any recursion.
    IfRecursion(Option<u16>),
    IfNamedRecursion {
        first: u16,
        count: u16,
    },
    Define,
    Callout,
    /// With a place in the names of marks.
    Verb(Verb, Option<u16>),
}

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CharClass {
    /// Answers for what is below 256.
    pub(super) map: [u64; 4],
    /// Above, what is in none of the following: sorted ranges and properties.
    pub(super) wide: bool,
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) properties: Vec<(Property, bool)>,
}

impl CharClass {
    pub(super) fn byte(&self, b: u8) -> bool {
        self.map[b as usize >> 6] >> (b & 63) & 1 != 0
    }

    pub(super) fn has(&self, c: u32) -> bool {
        if c < 256 {
            self.byte(c as u8)
        } else if self.ranges.is_empty() && self.properties.is_empty() {
            self.wide
        } else {
            self.wide
                != (ucd::is_in(&self.ranges, c) || self.properties.iter().any(|&(p, negative)| p.holds(c) != negative))
        }
    }
}

/// How many bytes PCRE has for it with links of two bytes: its limit of 64 KB is visible.
pub(super) fn size(op: &Op, utf: bool, wide_class: impl Fn(u32) -> usize) -> usize {
    let of_char = |c: u32| {
        if utf && c > 127 {
            char::from_u32(c).map_or(1, char::len_utf8)
        } else {
            1
        }
    };
    let single = |s: &Single| match s {
        Single::Char(c) | Single::Either(c, _) | Single::Neither(c, _) => 1 + of_char(*c),
        Single::Property(..) => 3,
        Single::Class(at) => 33 + wide_class(*at),
        _ => 1,
    };
    match op {
        Op::One(s) => single(s),
        Op::Repeat(s @ Single::Class(_), times) => single(s) + counted(times),
        Op::Repeat(s, times) => {
            let item = match s {
                Single::Char(_) | Single::Either(..) | Single::Neither(..) => single(s) - 1,
                _ => single(s),
            };
            let Times { min, max, .. } = *times;
            match (min, max) {
                (0 | 1, UNLIMITED) | (0, 1) => 1 + item,
                (0, _) => 3 + item,
                (1, _) => single(s) + 3 + item,
                (a, b) if a == b => 3 + item,
                (_, UNLIMITED) => 3 + item + 1 + item,
                (a, b) => 3 + item + if b - a == 1 { 1 } else { 3 } + item,
            }
        }
        Op::Reference { times, .. } => 3 + counted(times),
        Op::NamedReference { times, .. } => 5 + counted(times),
        Op::Open(Group::Plain { number, .. }, _) if *number > 0 => 5,
        Op::Open(..) | Op::Alternative(_) | Op::Close(..) | Op::Call { .. } | Op::Back(_) => 3,
        Op::Capture(_) | Op::IfGroup(_) | Op::IfRecursion(_) => 3,
        Op::IfNamed { .. } | Op::IfNamedRecursion { .. } => 5,
        Op::Callout => 6,
        _ => 1,
    }
}

fn counted(times: &Times) -> usize {
    match (times.min, times.max) {
        (1, 1) => 0,
        (0 | 1, UNLIMITED) | (0, 1) => 1,
        _ => 5,
    }
}
