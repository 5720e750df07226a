//! The flags of a process (`process_flag/2,3`, options of `spawn_opt`, some items of `process_info/2`), except `trap_exit`.
//!
//! They are the process's own state: it sets and reads them itself, so they are computed again in a replay. Most of them control the memory
//! management of OTP's runtime. Here they are kept and returned without effect (docs/limitations.md), except `max_heap_size`.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::newer::Newer;
use interpreter::term::Term;
use syntax::Release;

/// What `process_flag(max_heap_size, _)` sets, in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaxHeap {
    /// 0: no limit.
    pub size: i64,
    /// Kill a process that outgrows it?
    pub kill: bool,
    /// Report it?
    pub error_logger: bool,
    /// Kept and told only: do binaries that are shared count?
    pub shared_binaries: bool,
}

/// All flags except `trap_exit`. Sizes are in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flags {
    priority: Atom,
    error_handler: Atom,
    queue_data: Atom,
    min_heap_size: i64,
    min_bin_vheap_size: i64,
    max_heap: MaxHeap,
    fullsweep_after: i64,
    save_calls: i64,
    sensitive: bool,
    /// Kept and told: there is one scheduler.
    scheduler: i64,
    /// Kept and told: signals to other nodes never wait.
    async_dist: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            priority: Atom::NORMAL,
            error_handler: Atom::ERROR_HANDLER,
            queue_data: Atom::ON_HEAP,
            min_heap_size: 233,
            min_bin_vheap_size: 46_422,
            max_heap: MaxHeap::NONE,
            fullsweep_after: 65_535,
            save_calls: 0,
            sensitive: false,
            scheduler: 0,
            async_dist: false,
        }
    }
}

impl Flags {
    /// Sets a flag and gives its old value; `None` if there is no such flag in this release or the value does not fit.
    pub fn set(&mut self, heap: &mut Heap, flag: &str, value: Term, release: Release) -> Option<Term> {
        let old = self.item(heap, flag, release)?;
        let natural = || value.as_small().filter(|n| *n >= 0);
        match flag {
            "priority" => self.priority = one_of(value, &["low", "normal", "high", "max"])?,
            "error_handler" => self.error_handler = value.as_atom()?,
            "message_queue_data" => self.queue_data = one_of(value, &["on_heap", "off_heap"])?,
            "min_heap_size" => self.min_heap_size = heap_size(natural()?).max(233),
            "min_bin_vheap_size" => self.min_bin_vheap_size = heap_size(natural()?).max(46_422),
            // OTP keeps 16 bits.
            "fullsweep_after" => self.fullsweep_after = natural()? & 0xffff,
            "save_calls" => self.save_calls = natural().filter(|n| *n <= 10_000)?,
            "sensitive" => self.sensitive = value.as_bool()?,
            "async_dist" => self.async_dist = value.as_bool()?,
            "scheduler" => self.scheduler = natural().filter(|n| *n <= 1)?,
            "max_heap_size" => {
                let new = MaxHeap::of(heap, value, release)?;
                if new.size != 0 && new.size < self.min_heap_size {
                    return None;
                }
                self.max_heap = new;
            }
            _ => return None,
        }
        Some(old)
    }

    /// An item of `process_info/2` that is a flag, in this release.
    pub fn item(&self, heap: &mut Heap, name: &str, release: Release) -> Option<Term> {
        Some(match name {
            "priority" => Term::atom(self.priority),
            "error_handler" => Term::atom(self.error_handler),
            "message_queue_data" => Term::atom(self.queue_data),
            "min_heap_size" => Term::small(self.min_heap_size),
            "min_bin_vheap_size" => Term::small(self.min_bin_vheap_size),
            "fullsweep_after" => Term::small(self.fullsweep_after),
            "save_calls" => Term::small(self.save_calls),
            "sensitive" => Term::boolean(self.sensitive),
            "scheduler" => Term::small(self.scheduler),
            "async_dist" if Newer::AsyncDistribution.is_in(release) => Term::boolean(self.async_dist),
            "max_heap_size" => {
                let pairs = [
                    (word("error_logger"), Term::boolean(self.max_heap.error_logger)),
                    (word("kill"), Term::boolean(self.max_heap.kill)),
                    (word("size"), Term::small(self.max_heap.size)),
                    (
                        word("include_shared_binaries"),
                        Term::boolean(self.max_heap.shared_binaries),
                    ),
                ];
                // The last one came with 27.
                interpreter::maps::from_pairs(heap, &pairs[..if Newer::SharedBinaries.is_in(release) { 4 } else { 3 }])
            }
            "garbage_collection" => {
                let names = [
                    "max_heap_size",
                    "min_bin_vheap_size",
                    "min_heap_size",
                    "fullsweep_after",
                ];
                let mut pairs = Vec::with_capacity(names.len() + 1);
                for name in names {
                    let value = self.item(heap, name, release)?;
                    pairs.push(heap.make_tuple(&[word(name), value]));
                }
                pairs.push(heap.make_tuple(&[word("minor_gcs"), Term::small(0)]));
                heap.make_list(&pairs)
            }
            _ => return None,
        })
    }

    /// How large its heap may become, in words; `None` if there is no limit, or exceeding it has no effect.
    #[inline]
    #[must_use]
    pub const fn heap_limit(&self) -> Option<&MaxHeap> {
        if self.max_heap.size > 0 && (self.max_heap.kill || self.max_heap.error_logger) {
            Some(&self.max_heap)
        } else {
            None
        }
    }

    /// Does it hide its messages and its dictionary, even from itself?
    pub fn is_sensitive(&self) -> bool {
        self.sensitive
    }
}

impl MaxHeap {
    const NONE: Self = Self {
        size: 0,
        kill: true,
        error_logger: true,
        shared_binaries: false,
    };

    /// Parses an integer or a map; missing keys have the system's defaults.
    fn of(heap: &Heap, value: Term, release: Release) -> Option<Self> {
        let natural = |value: Term| value.as_small().filter(|n| *n >= 0);
        if let Some(size) = natural(value) {
            return Some(Self { size, ..Self::NONE });
        }
        if !interpreter::maps::is_map(heap, value) {
            return None;
        }
        let get = |key: &str| interpreter::maps::get(heap, value, word(key));
        let bool_of = |key: &str| get(key).map_or(Some(true), Term::as_bool);
        let shared = get("include_shared_binaries").filter(|_| Newer::SharedBinaries.is_in(release));
        Some(Self {
            size: natural(get("size")?)?,
            kill: bool_of("kill")?,
            error_logger: bool_of("error_logger")?,
            shared_binaries: shared.map_or(Some(false), Term::as_bool)?,
        })
    }
}

fn word(text: &str) -> Term {
    Term::atom(Atom::new(text))
}

fn one_of(value: Term, words: &[&str]) -> Option<Atom> {
    value.as_atom().filter(|word| words.contains(&word.as_str()))
}

/// OTP's heap size for this many words: 12, 38, then the sum of the two before plus one, and above a million a fifth more each time.
fn heap_size(words: i64) -> i64 {
    let (mut smaller, mut size) = (12_i64, 38_i64);
    if words <= smaller {
        return smaller;
    }
    for _ in 2..23 {
        if size >= words {
            return size;
        }
        (smaller, size) = (size, smaller + size + 1);
    }
    while size < words && size < i64::MAX / 4 {
        size += size / 5;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `process_info(_, min_heap_size)` of processes spawned with a `min_heap_size`, under Erlang/OTP 25 (where the minimum is 233).
    #[test]
    fn sizes_of_heaps_are_those_of_otp() {
        for (asked, given) in [
            (233, 233),
            (234, 376),
            (500, 610),
            (1_000_000, 1_199_557),
            (3_000_000, 3_581_853),
        ] {
            assert_eq!(heap_size(asked), given, "{asked}");
        }
    }
}
