//! A folder of results: what was found in each part of a search, and the units that are left.
//!
//! A file of units is called by what it contains, and the result of a part by its part: `whole`, `share-3-of-8`, or the name of a file of units. A
//! result names the units that its part has left. So all is known by going from result to result, and what nobody names does not count: neither
//! the units of a run that was killed, nor those of a part that was done twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use multiverse::Summary;
use multiverse::summary::{Bound, Cut, Gap};
use multiverse::units::{self, LARGEST, SearchIdentity, Share};
use serde::{Deserialize, Serialize};
use session::Error;

use super::groups::{GroupedUniverses, Saved};

/// Endings of names.
const RESULT: &str = ".result.json";
const UNIT: &str = ".unit";
/// The part that is the whole search.
pub(super) const WHOLE: &str = "whole";
/// Limit: bytes of a result.
const LONGEST: u64 = 1 << 30;

/// What came of a part of the search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchPart {
    /// The search that it is a part of.
    search: Vec<(String, String)>,
    /// Its name.
    pub part: String,
    universes: u64,
    runs: u64,
    seconds: f64,
    /// How many runs were left out because something must be held up for longer.
    stalled: u64,
    cut: BTreeMap<Cut, u64>,
    gaps: BTreeMap<Gap, String>,
    /// The files of units that are left, and how many units each has.
    pub left: Vec<(String, u64)>,
    found: Saved,
}

/// The name of a share.
pub(super) fn share_name(share: Share) -> String {
    format!("share-{}-of-{}", share.number, share.of)
}

/// The share of this name.
fn share_of(name: &str) -> Option<Share> {
    let (number, of) = name.strip_prefix("share-")?.split_once("-of-")?;
    let share = Share {
        number: number.parse().ok()?,
        of: of.parse().ok()?,
    };
    (share_name(share) == name && (1..=share.of).contains(&share.number)).then_some(share)
}

/// Is it the name of a file of units?
fn is_unit(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn bad(path: &Path, error: impl ToString) -> Error {
    Error::BadInput {
        path: path.to_owned(),
        error: error.to_string(),
    }
}

/// Reads a file that is not longer than this.
pub(super) fn read(path: &Path, longest: u64) -> Result<Vec<u8>, Error> {
    let failed = |error: std::io::Error| Error::Input {
        path: path.to_owned(),
        error: error.to_string(),
    };
    let length = std::fs::metadata(path).map_err(failed)?.len();
    if length > longest {
        return Err(bad(path, format!("it has {length} bytes, and may have {longest}")));
    }
    std::fs::read(path).map_err(failed)
}

/// Writes a file that appears when it is complete.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Output {
        path: path.to_owned(),
        error: error.to_string(),
    };
    let place = crate::unfinished::aside(path).map_err(failed)?;
    let written = place.handle().and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| place.keep()).map_err(failed)
}

/// The results of one search in some folders.
pub(super) struct Folders {
    search: SearchIdentity,
    /// In the order in which they are looked at.
    folders: Vec<PathBuf>,
    parts: BTreeMap<String, SearchPart>,
}

/// What is known of some parts.
#[derive(Default)]
pub(super) struct KnownParts {
    /// Parts with results.
    done: BTreeSet<String>,
    /// Parts without results: files of units with how many they have, or the whole.
    pub open: Vec<(String, u64)>,
}

impl Folders {
    /// Reads all results.
    ///
    /// # Errors
    /// A folder or a file cannot be read; a result is damaged, or of another search.
    pub fn read(search: SearchIdentity, folders: &[PathBuf]) -> Result<Self, Error> {
        let mut all = Self {
            search,
            folders: folders.to_vec(),
            parts: BTreeMap::new(),
        };
        for folder in folders {
            let failed = |error: std::io::Error| Error::Input {
                path: folder.clone(),
                error: error.to_string(),
            };
            let mut paths = Vec::new();
            for entry in std::fs::read_dir(folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // Unfinished ones begin with a point.
                if name.ends_with(RESULT) && !name.starts_with('.') {
                    paths.push(path);
                }
            }
            paths.sort_unstable();
            for path in paths {
                let part = all.part(&path)?;
                all.parts.entry(part.part.clone()).or_insert(part);
            }
        }
        Ok(all)
    }

    fn part(&self, path: &Path) -> Result<SearchPart, Error> {
        let part: SearchPart = serde_json::from_slice(&read(path, LONGEST)?)
            .map_err(|error| bad(path, format!("not a result of `replay explore`: {error}")))?;
        if let Some(difference) = self.search.difference(&SearchIdentity(part.search.clone())) {
            return Err(bad(path, format!("a result of another search: {difference}")));
        }
        let is_part = part.part == WHOLE || is_unit(&part.part) || share_of(&part.part).is_some();
        if !is_part || part.left.iter().any(|(name, _)| !is_unit(name)) {
            return Err(bad(
                path,
                "not a result of `replay explore`: expected names of units, with 16 hexadecimal digits",
            ));
        }
        Ok(part)
    }

    /// The parts with which a search begins: the whole, or shares; and how many shares have no result.
    ///
    /// # Errors
    /// There are both, or shares of different numbers.
    pub fn roots(&self) -> Result<(Vec<String>, u64), Error> {
        let shares: Vec<Share> = self.parts.keys().filter_map(|name| share_of(name)).collect();
        let Some(of) = shares.first().map(|share| share.of) else {
            return Ok((vec![WHOLE.to_owned()], 0));
        };
        if self.parts.contains_key(WHOLE) || shares.iter().any(|share| share.of != of) {
            let names = self
                .parts
                .keys()
                .filter(|name| *name == WHOLE || share_of(name).is_some());
            let names: Vec<&str> = names.map(String::as_str).collect();
            return Err(Error::Usage(format!(
                "these results are of several searches, which do not add up: {}; name the folders of one",
                names.join(", ")
            )));
        }
        let missing = of - shares.len() as u64;
        Ok((shares.into_iter().map(share_name).collect(), missing))
    }

    /// What is known of these parts, and of all that they have left.
    pub fn known(&self, roots: &[String]) -> KnownParts {
        let mut known = KnownParts::default();
        let mut next: Vec<(String, u64)> = roots.iter().map(|root| (root.clone(), 1)).collect();
        while let Some((name, units)) = next.pop() {
            match self.parts.get(&name) {
                None if known.open.iter().all(|(open, _)| *open != name) => known.open.push((name, units)),
                Some(part) if known.done.insert(name) => next.extend(part.left.iter().cloned()),
                None | Some(_) => {}
            }
        }
        known
    }

    /// How many results no other one names.
    pub fn unused(&self, known: &KnownParts) -> u64 {
        self.parts.keys().filter(|name| !known.done.contains(*name)).count() as u64
    }

    pub fn has(&self, name: &str) -> bool {
        self.parts.contains_key(name)
    }

    /// The result of one part, without what it has left.
    pub fn only(&self, name: &str) -> KnownParts {
        KnownParts {
            done: BTreeSet::from([name.to_owned()]),
            open: self.parts.get(name).map_or_else(Vec::new, |part| part.left.clone()),
        }
    }

    /// The file of these units.
    ///
    /// # Errors
    /// It is in no folder.
    pub fn unit(&self, name: &str) -> Result<PathBuf, Error> {
        let file = format!("{name}{UNIT}");
        let mut paths = self.folders.iter().map(|folder| folder.join(&file));
        paths.find(|path| path.exists()).ok_or_else(|| Error::Input {
            path: self
                .folders
                .first()
                .map_or_else(PathBuf::new, |folder| folder.join(&file)),
            error: "a result names these units, and the file is not there".to_owned(),
        })
    }

    /// Writes what came of a part, into the first folder: the units that are left, and then the result.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(
        &mut self,
        name: &str,
        (summary, seconds): (Summary, f64),
        found: GroupedUniverses,
        left: &[Vec<u8>],
        count: &dyn Fn(&[u8]) -> u64,
    ) -> Result<(), Error> {
        let folder = self.folders.first().cloned().unwrap_or_default();
        std::fs::create_dir_all(&folder).map_err(|error| Error::Output {
            path: folder.clone(),
            error: error.to_string(),
        })?;
        let mut names = Vec::new();
        for file in left {
            let name = units::name(file);
            write(&folder.join(format!("{name}{UNIT}")), file)?;
            names.push((name, count(file)));
        }
        let part = SearchPart {
            search: self.search.0.clone(),
            part: name.to_owned(),
            universes: summary.universes,
            runs: summary.runs,
            seconds,
            stalled: summary.stalled,
            cut: summary.cut,
            gaps: summary.gaps,
            left: names,
            found: found.save(),
        };
        let mut bytes =
            serde_json::to_vec(&part).map_err(|error| Error::Bug(format!("a result is no JSON: {error}")))?;
        bytes.push(b'\n');
        write(&folder.join(format!("{name}{RESULT}")), &bytes)?;
        self.parts.insert(name.to_owned(), part);
        Ok(())
    }

    /// All that these parts have found, with the seconds that it took.
    ///
    /// # Errors
    /// A way to a universe is damaged.
    pub fn merged(mut self, known: &KnownParts) -> Result<(Summary, GroupedUniverses, f64), Error> {
        let (mut summary, mut found, mut seconds) = (Summary::default(), GroupedUniverses::default(), 0.0);
        for name in &known.done {
            let Some(part) = self.parts.remove(name) else { continue };
            summary.universes = summary.universes.saturating_add(part.universes);
            summary.runs = summary.runs.saturating_add(part.runs);
            summary.stalled = summary.stalled.saturating_add(part.stalled);
            for (why, cut) in part.cut {
                let known = summary.cut.entry(why).or_default();
                *known = known.saturating_add(cut);
            }
            for (gap, place) in part.gaps {
                let known = summary.gaps.entry(gap).or_insert_with(|| place.clone());
                if place < *known {
                    *known = place;
                }
            }
            seconds += part.seconds;
            let path = PathBuf::from(format!("{name}{RESULT}"));
            found.join(part.found).map_err(|error| bad(&path, error))?;
        }
        let open = known.open.iter().map(|(_, units)| *units);
        summary.open = open.fold(0, u64::saturating_add);
        summary.stopped = (!known.open.is_empty()).then_some(Bound::Units);
        Ok((summary, found, seconds))
    }
}

/// Reads a file of units, and says its name.
pub(super) fn read_units(path: &Path, search: &SearchIdentity) -> Result<(String, units::Units), Error> {
    let bytes = read(path, LARGEST)?;
    let units = units::Units::read(&bytes, search).map_err(|error| bad(path, error))?;
    Ok((units::name(&bytes), units))
}
