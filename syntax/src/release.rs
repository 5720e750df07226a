//! Releases of Erlang/OTP, and what differs between them in the language.
//!
//! A run has a release. What the library has is decided by the marks in `interpreter/lib/otp_exports.txt`, and by `-if(?OTP_RELEASE >= …)` in the
//! library's own sources. A new release is a number in [`Release::ALL`], a column in the tables, and what the tests then find.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A release of Erlang/OTP: one of [`Release::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Release(u8);

impl Release {
    /// All that are known, ascending.
    pub const ALL: [Self; 4] = [Self(25), Self(26), Self(27), Self(28)];
    /// The oldest. What was recorded before runs had a release is of this one.
    pub const OLDEST: Self = Self::ALL[0];
    /// The newest.
    pub const NEWEST: Self = Self::ALL[Self::ALL.len() - 1];

    /// Its number, as `?OTP_RELEASE` gives it.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The release of this number.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|release| u32::from(release.0) == number)
    }

    /// The known release nearest to a number.
    #[must_use]
    pub fn nearest(number: u32) -> Self {
        let (oldest, newest) = (u32::from(Self::OLDEST.0), u32::from(Self::NEWEST.0));
        Self::of(number.clamp(oldest, newest)).unwrap_or(Self::NEWEST)
    }
}

impl Default for Release {
    /// The oldest: of what was written before programs had a release.
    fn default() -> Self {
        Self::OLDEST
    }
}

impl Display for Release {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text is not the number of a release of OTP that is known here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownRelease;

impl Display for UnknownRelease {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of {} to {}", Release::OLDEST, Release::NEWEST)
    }
}

impl Error for UnknownRelease {}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let known = text.parse().ok().and_then(Self::of);
        known.ok_or(UnknownRelease)
    }
}

/// The release of a program, and whether its syntax must be that of the release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// What the program is of.
    pub release: Release,
    /// Newer syntax is taken up to this release, where it has no other meaning in the release of the program.
    pub newest_syntax: Release,
}

impl Language {
    /// A program of this release, which may have newer syntax.
    #[must_use]
    pub const fn of(release: Release) -> Self {
        Self {
            release,
            newest_syntax: Release::NEWEST,
        }
    }

    /// A program of this release, with its syntax only.
    #[must_use]
    pub const fn only(release: Release) -> Self {
        Self {
            release,
            newest_syntax: release,
        }
    }

    /// Whether the release has this feature.
    #[must_use]
    pub fn is_of(self, feature: Feature) -> bool {
        feature.is_in(self.release)
    }

    /// Are `maybe` and `else` keywords unless the module says otherwise?
    #[must_use]
    pub fn has_maybe(self) -> bool {
        self.is_of(Feature::MaybeKeyword)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::of(Release::default())
    }
}

/// What came into the language after the oldest release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// `#{K => V || …}`, and generators `K := V <- M`.
    MapComprehension,
    /// `"""` over several lines.
    TripleQuoted,
    /// `~"…"` and its like.
    Sigil,
    /// `maybe` and `else` are keywords by default.
    MaybeKeyword,
    /// `G1 && G2` in comprehensions.
    ZipGenerator,
    /// `<:-` and `<:=` in comprehensions.
    StrictGenerator,
    /// `16#f.f#e1`
    BasedFloat,
    /// `-nominal`
    Nominal,
    /// Two binary patterns on both sides of `=` in a pattern.
    ParallelBinaries,
    /// A module may define a type with a built-in name.
    BuiltinTypeNames,
    /// `-doc` and `-moduledoc` say something to the compiler.
    Documentation,
    /// No name may follow a number at once; only letters and some marks follow `\\^`.
    StrictNumbers,
}

impl Feature {
    /// The release that brought it, and what it is called.
    pub(crate) const fn row(self) -> (u8, &'static str) {
        match self {
            Self::MapComprehension => (26, "map comprehensions"),
            Self::TripleQuoted => (27, "triple-quoted strings"),
            Self::Sigil => (27, "sigils"),
            Self::MaybeKeyword => (27, "maybe without a feature"),
            Self::ParallelBinaries => (26, "binary patterns matched in parallel"),
            Self::BuiltinTypeNames => (26, "types with built-in names"),
            Self::Documentation => (27, "documentation"),
            Self::ZipGenerator => (28, "zip generators"),
            Self::StrictGenerator => (28, "strict generators"),
            Self::BasedFloat => (28, "floats with a base"),
            Self::Nominal => (28, "nominal types"),
            Self::StrictNumbers => (28, "white space behind numbers"),
        }
    }

    /// The release that brought it.
    #[must_use]
    pub const fn since(self) -> Release {
        Release(self.row().0)
    }

    /// Has this release it?
    #[must_use]
    pub fn is_in(self, release: Release) -> bool {
        release >= self.since()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_and_told() {
        assert_eq!("27".parse::<Release>().unwrap().to_string(), "27");
        for text in ["24", "29", "", "x", "28.5"] {
            assert_eq!(text.parse::<Release>(), Err(UnknownRelease), "{text}");
        }
        assert_eq!(UnknownRelease.to_string(), "expected one of 25 to 28");
        assert_eq!(Release::nearest(19), Release::OLDEST);
        assert_eq!(Release::nearest(31), Release::NEWEST);
        assert_eq!(Release::nearest(26).number(), 26);
        assert!(Release::ALL.is_sorted());
    }
}
