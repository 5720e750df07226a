//! How often the lines of some modules were executed. Counting is an instruction before each expression of a body; it is no event, so a run does the
//! same whether it counts or not.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::atom::Atom;

/// Counts of several programs together: of all that were given the same counts.
pub struct LineCounts {
    wanted: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// By module and file.
    modules: Mutex<BTreeMap<(String, String), Vec<Counted>>>,
}

/// One text of a module.
struct Counted {
    lines: Box<[u32]>,
    counts: Counts,
}

/// One count for each expression.
pub(super) type Counts = Arc<[AtomicU64]>;

/// The lines of a module that can be executed, and how often each was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredModule {
    /// Its name.
    pub module: String,
    /// Its source.
    pub file: String,
    /// By line. Of several expressions in one line, the one that was executed most often counts.
    pub lines: BTreeMap<u32, u64>,
}

impl CoveredModule {
    /// The number of lines that were executed.
    #[must_use]
    pub fn executed(&self) -> usize {
        self.lines.values().filter(|count| **count > 0).count()
    }
}

impl fmt::Debug for LineCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

impl LineCounts {
    /// Counts for the modules whose source is `wanted`: it gets the path as it was named.
    pub fn new(wanted: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self {
            wanted: Box::new(wanted),
            modules: Mutex::default(),
        }
    }

    /// Are the lines of this source counted?
    pub(super) fn wants(&self, file: &str) -> bool {
        (self.wanted)(file)
    }

    /// The counts for a module. The same text has the same counts, whichever program loads it.
    pub(super) fn of(&self, module: Atom, file: &str, lines: &[u32]) -> Counts {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = modules
            .entry((module.as_str().to_owned(), file.to_owned()))
            .or_default();
        if let Some(known) = texts.iter().find(|known| *known.lines == *lines) {
            return Arc::clone(&known.counts);
        }
        let counts: Counts = lines.iter().map(|_| AtomicU64::new(0)).collect();
        texts.push(Counted {
            lines: lines.into(),
            counts: Arc::clone(&counts),
        });
        counts
    }

    /// What was counted, by module.
    #[must_use]
    pub fn all(&self) -> Vec<CoveredModule> {
        let modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let covered = |((module, file), texts): (&(String, String), &Vec<Counted>)| {
            let mut lines = BTreeMap::new();
            for text in texts {
                for (line, count) in text.lines.iter().zip(&*text.counts) {
                    let most: &mut u64 = lines.entry(*line).or_default();
                    *most = (*most).max(count.load(Ordering::Relaxed));
                }
            }
            CoveredModule {
                module: module.clone(),
                file: file.clone(),
                lines,
            }
        };
        modules.iter().map(covered).collect()
    }
}

/// The counts of the expressions of a program, by the number in its instructions.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) counts: Option<Arc<LineCounts>>,
    /// The number of the first expression of each module, and its counts.
    modules: Vec<(u32, Counts)>,
    next: u32,
}

impl Marks {
    /// Adds those of a module; returns the number of its first expression.
    pub(super) fn add(&mut self, counts: Counts) -> u32 {
        let first = self.next;
        self.next += counts.len() as u32;
        self.modules.push((first, counts));
        first
    }

    /// An expression is executed.
    #[cold]
    #[inline(never)]
    pub(super) fn count(&self, number: u32) {
        let at = self.modules.partition_point(|(first, _)| *first <= number) - 1;
        let (first, counts) = &self.modules[at];
        counts[(number - first) as usize].fetch_add(1, Ordering::Relaxed);
    }
}
