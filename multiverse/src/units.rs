//! Work units: parts of a search as small files, for other processes and other machines.
//!
//! A unit is a way from the start of the program, event by event, and what may be otherwise there. A search that is stopped leaves units; all universes
//! of these and those that were found are the universes of the whole, each once. A file names the search that it is a part of, and is read for
//! that search only.

use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use log_format::wire::{Malformed, WireReader, WireResult, Writer};
use session::{Error, Session};
use sha2::{Digest as _, Sha256};
use system::StallLimit;

use crate::checks::Checks;
pub use crate::graphs::Share;
use crate::graphs::{self, FoundUniverse, ReadUnits};
use crate::search::Explorer;
use crate::summary::{SearchBounds, Summary, late, older_search};
use crate::universe::{Teller, Universe};

/// The first bytes of a file of units; the last one is the version.
const MAGIC: &[u8; 8] = b"replayU\x01";
/// Bytes of the checksum at the end.
const SUM: usize = 4;
/// Limit: bytes of a file of units.
pub const LARGEST: u64 = 16 << 20;

/// Which search it is: names and values of all that decides which universes there are. Parts of different searches do not go together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SearchIdentity(pub Vec<(String, String)>);

/// The work of a run.
pub enum Work<'a> {
    /// All, from the start of the program.
    Whole,
    /// These units, which were read from a file.
    Units(Units, &'a Path),
    /// What the first universes are, and which units of the rest belong to this share.
    Share(Share),
}

/// Units that were read from a file.
pub struct Units(pub(crate) ReadUnits);

/// What came of a run.
pub struct Ran {
    /// What was found. It does not say why there can be more.
    pub summary: Summary,
    pub(crate) left: Vec<Writer>,
}

impl SearchIdentity {
    /// The search for the universes of a session, for a program that was named so.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(session: &Session, program: &Path, bounds: SearchBounds) -> Result<Self, Error> {
        let mut hash = Sha256::new();
        session.trace().each_part(|bytes| hash.update(bytes))?;
        let digest = hash.finalize();
        let mut library = Sha256::new();
        for name in interpreter::library::modules() {
            library.update(name);
            library.update(interpreter::library::source(name).unwrap_or_default());
        }
        let library = library.finalize();
        let pair = |name: &str, value: String| (name.to_owned(), value);
        Ok(Self(vec![
            pair(
                "version",
                format!("{} with library {}", env!("CARGO_PKG_VERSION"), hex(&library[..4])),
            ),
            pair("program", program.display().to_string()),
            pair("contents of the program", hex(&digest[..12])),
            pair(
                "--delivery",
                match bounds.at_send {
                    true => "at-send".to_owned(),
                    false => bounds.delivery.to_string(),
                },
            ),
            pair("--max-stall", StallLimit(bounds.stall).to_string()),
            pair("--steps", bounds.steps.to_string()),
        ]))
    }

    /// The first difference of another search from this one.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<SearchDifference> {
        for (name, ours) in &self.0 {
            match other.0.iter().find(|(other, _)| other == name) {
                Some((_, theirs)) if theirs == ours => {}
                other => {
                    return Some(SearchDifference {
                        name: name.clone(),
                        ours: Some(ours.clone()),
                        theirs: other.map(|(_, theirs)| theirs.clone()),
                    });
                }
            }
        }
        let more = other
            .0
            .iter()
            .find(|(name, _)| self.0.iter().all(|(known, _)| known != name));
        more.map(|(name, value)| SearchDifference {
            name: name.clone(),
            ours: None,
            theirs: Some(value.clone()),
        })
    }
}

/// In what a search differs from another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchDifference {
    /// The name of the value.
    pub name: String,
    /// What it is here; `None`: nothing here has this name.
    pub ours: Option<String>,
    /// What it is there; `None`: that is not said.
    pub theirs: Option<String>,
}

impl Display for SearchDifference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let quoted = |value: &Option<String>| log_format::safe(value.as_deref().unwrap_or_default());
        let (ours, theirs) = (quoted(&self.ours), quoted(&self.theirs));
        match self {
            Self { ours: None, name, .. } => {
                write!(f, "its {} is {theirs}, and here it has none", log_format::safe(name))
            }
            Self { theirs: None, name, .. } => write!(f, "it does not say its {name}, which is {ours} here"),
            Self { name, .. } => write!(f, "its {name} is {theirs}, and here it is {ours}"),
        }
    }
}

/// Why a file of units cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitsError {
    /// It is longer than [`LARGEST`].
    TooLarge,
    /// It does not begin like one.
    NotUnits,
    /// It has a version of the format that is not known here.
    Version(u8),
    /// It ends before its checksum.
    Cut {
        /// Its length in bytes.
        end: usize,
    },
    /// Its contents are not those that it was written with.
    Checksum {
        /// Where the checksum stands, in bytes.
        at: usize,
        /// The checksum of its contents.
        of_contents: u32,
        /// The checksum that it says.
        said: u32,
    },
    /// A part of it is none.
    Malformed {
        /// Where and what.
        error: Malformed,
        /// Is that where the units end?
        is_end: bool,
    },
    /// It is of another search.
    OtherSearch(SearchDifference),
}

impl Display for UnitsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "not a file of units: it has more than {LARGEST} bytes"),
            Self::NotUnits => f.write_str("not a file of units: it does not begin like one (at byte 0)"),
            Self::Version(version) => write!(
                f,
                "version {version} of work units is not supported; use the release that wrote it"
            ),
            Self::Cut { end } => write!(f, "damaged unit: it ends at byte {end}, before its checksum"),
            Self::Checksum { at, of_contents, said } => write!(
                f,
                "damaged unit: at byte {at}: its contents have the checksum {of_contents:08x}, and it says {said:08x}"
            ),
            Self::Malformed { error, is_end } => {
                let end = if *is_end { ", where the units end" } else { "" };
                write!(f, "damaged unit: {error}{end}")
            }
            Self::OtherSearch(difference) => write!(f, "a unit of another search: {difference}"),
        }
    }
}

impl std::error::Error for UnitsError {}

/// Bytes in hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Ran {
    /// The units that are left, as files.
    #[must_use]
    pub fn left(&self, search: &SearchIdentity) -> Vec<Vec<u8>> {
        self.left.iter().map(|units| file(search, units)).collect()
    }
}

fn file(search: &SearchIdentity, units: &Writer) -> Vec<u8> {
    let mut out = Writer::default();
    for byte in MAGIC {
        out.byte(*byte);
    }
    out.number(search.0.len() as u64);
    for (name, value) in &search.0 {
        out.text(name);
        out.text(value);
    }
    out.append(units);
    let mut bytes = out.into_bytes();
    let sum = log_format::digest(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// The name of a file of units: what it contains, in 16 digits.
#[must_use]
pub fn name(file: &[u8]) -> String {
    hex(&Sha256::digest(file)[..8])
}

impl Units {
    /// Reads a file of units of this search.
    ///
    /// # Errors
    /// It is damaged, no such file, or of another search.
    pub fn read(file: &[u8], search: &SearchIdentity) -> Result<Self, UnitsError> {
        if file.len() as u64 > LARGEST {
            return Err(UnitsError::TooLarge);
        }
        let known = &MAGIC[..MAGIC.len() - 1];
        match file.strip_prefix(known) {
            None => return Err(UnitsError::NotUnits),
            Some([version, ..]) if *version != MAGIC[7] => return Err(UnitsError::Version(*version)),
            Some(_) => {}
        }
        let damaged = |error: Malformed| UnitsError::Malformed {
            is_end: error.at >= file.len().saturating_sub(SUM),
            error,
        };
        let Some((contents, sum)) = file
            .split_last_chunk::<SUM>()
            .filter(|(rest, _)| rest.len() >= MAGIC.len())
        else {
            return Err(UnitsError::Cut { end: file.len() });
        };
        let expected = log_format::digest(contents);
        if *sum != expected.to_le_bytes() {
            return Err(UnitsError::Checksum {
                at: contents.len(),
                of_contents: expected,
                said: u32::from_le_bytes(*sum),
            });
        }
        let from = &mut WireReader::at(contents, MAGIC.len());
        let named = named(from).map_err(damaged)?;
        if let Some(difference) = search.difference(&named) {
            return Err(UnitsError::OtherSearch(difference));
        }
        ReadUnits::read(from).map(Self).map_err(damaged)
    }

    /// How many units there are in the file.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }
}

fn named(from: &mut WireReader<'_>) -> WireResult<SearchIdentity> {
    let mut pairs = Vec::new();
    for _ in 0..from.count("how many names there are")? {
        let name = from.text("a name")?.to_owned();
        pairs.push((name, from.text("a value")?.to_owned()));
    }
    Ok(SearchIdentity(pairs))
}

impl Explorer {
    /// Goes on with work of a file, or begins at the start of the program, until `enough` or a bound of the search. Every universe is told that was
    /// found by then.
    ///
    /// # Errors
    /// The program does what is not explored in units; the work does not fit it; as [`Explorer::run`].
    pub fn run_units(
        self,
        work: Work<'_>,
        (jobs, pieces): (usize, usize),
        enough: &AtomicBool,
        mut found: impl FnMut(&Universe<'_>) -> Result<(), Error> + Send,
    ) -> Result<Ran, Error> {
        let (session, mut teller) = (
            self.start.session().clone(),
            Teller::of(&self.start, self.bounds, Checks::default(), self.so_far())?,
        );
        let (bounds, began, interrupted) = (self.bounds, self.began, Arc::clone(&self.interrupted));
        let is_over = || late(&interrupted, bounds.time, began);
        let is_late = || is_over().is_some() || enough.load(Ordering::Relaxed);
        let mut heard = |universe: &Universe<'_>| found(universe).map(|()| true);
        let tell = |one: &FoundUniverse<'_>, open| teller.tell(one, open, &mut heard);
        let (told, left) = match work {
            Work::Whole => graphs::search_units(&session, (bounds, jobs, pieces), None, tell, &is_late)?,
            Work::Units(units, path) => {
                graphs::search_units(&session, (bounds, jobs, pieces), Some((units.0, path)), tell, &is_late)?
            }
            Work::Share(share) => {
                let is_late = || interrupted.load(Ordering::Relaxed);
                graphs::share_of(&session, bounds, share, tell, &is_late)?
            }
        };
        if told.beyond {
            let place = told.beyond_at.as_deref();
            return Err(older_search("it cannot be explored in units", place, "in one run"));
        }
        Ok(Ran {
            summary: Summary {
                stalled: told.stalled,
                gaps: told.gaps,
                open: told.open,
                stopped: None,
                ..teller.summary
            },
            left,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(pairs: &[(&str, &str)]) -> SearchIdentity {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        SearchIdentity(pairs.iter().map(owned).collect())
    }

    #[test]
    fn the_first_difference_of_two_searches_is_told() {
        let ours = search(&[("program", "m.erl"), ("--steps", "50")]);
        assert_eq!(ours.difference(&ours), None);
        // The order of the names does not matter.
        assert_eq!(
            ours.difference(&search(&[("--steps", "50"), ("program", "m.erl")])),
            None
        );
        let told = |other: &[(&str, &str)]| ours.difference(&search(other)).map(|one| one.to_string());
        assert_eq!(
            told(&[("program", "m.erl"), ("--steps", "60")]).unwrap(),
            "its --steps is 60, and here it is 50"
        );
        assert_eq!(
            told(&[("program", "m.erl")]).unwrap(),
            "it does not say its --steps, which is 50 here"
        );
        assert_eq!(
            told(&[("program", "m.erl"), ("--steps", "50"), ("--new", "x")]).unwrap(),
            "its --new is x, and here it has none"
        );
    }

    #[test]
    fn what_is_no_file_of_units_is_refused_for_what_it_is() {
        let here = search(&[("--steps", "50")]);
        let why = |bytes: &[u8]| Units::read(bytes, &here).err();
        let whole = file(&here, &Writer::default());
        assert_eq!(why(b""), Some(UnitsError::NotUnits));
        assert_eq!(why(b"SQLite format 3"), Some(UnitsError::NotUnits));
        assert_eq!(why(b"replayU\x07 and more"), Some(UnitsError::Version(7)));
        assert_eq!(why(&whole[..MAGIC.len()]), Some(UnitsError::Cut { end: MAGIC.len() }));
        assert_eq!(why(&vec![0; LARGEST as usize + 1]), Some(UnitsError::TooLarge));
        let mut flipped = whole.clone();
        flipped[MAGIC.len() + 1] ^= 1;
        assert!(matches!(why(&flipped), Some(UnitsError::Checksum { .. })));
        let other = file(&search(&[("--steps", "60")]), &Writer::default());
        assert!(matches!(why(&other), Some(UnitsError::OtherSearch(difference)) if difference.name == "--steps"));
    }

    #[test]
    fn bytes_are_written_in_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
        assert_eq!(name(b"a").len(), 16);
        assert_ne!(name(b"a"), name(b"b"));
    }
}
