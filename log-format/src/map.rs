//! A finished trace file mapped into memory, so that reading a piece of it needs no system call.
//!
//! If a file is truncated while mapped, touching a missing page raises SIGBUS, which would end the program. A process-wide handler catches it,
//! as systemd's journal does: it marks the map as broken and puts a page of zeros in place of the missing one. Every read copies its bytes out
//! and checks the mark afterwards, so zeros are never taken for contents of the file. A fault outside our maps, and a SIGBUS that was sent, go
//! to the previous handler, or end the process as they would have.
//!
//! `sigaction` is used directly and not through `signal-hook-registry`: that crate calls the previous handler *first*, and Rust's own (for
//! stack overflows) resets SIGBUS to its default if it does not know the address.

#![expect(
    unsafe_code,
    reason = "the one place of this crate that needs it: memory that a file backs, and a signal handler"
)]

use std::fs::File;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, compiler_fence};

use memmap2::{MmapOptions, MmapRaw};

/// Limit: maps at a time; further files are read by position.
const MAPS: usize = 64;

/// Pages that were read stay in the process until they have this many bytes; then they are released, and stay only in the system's cache.
const RESIDENT: usize = 16 << 20;

/// About how much the system reads ahead on each fault.
const READ_AHEAD: usize = 128 << 10;

/// Shorter reads (headers of sections) are next to longer ones, and are not counted.
const COUNTED: usize = 64;

/// A read that begins at most this far after the previous one continues it.
const NEAR: u64 = 4 << 10;

/// Number of consecutive sequential reads after which the map is used.
const STREAK: usize = 8;

/// The data of a map for the handler. All fields are atomics: a handler may neither lock nor allocate.
struct Slot {
    /// Is it in use?
    taken: AtomicBool,
    /// Odd while the bounds change: the handler uses them only if they did not change in the meantime.
    changes: AtomicUsize,
    /// The first address of the map, and the one after its last page; both 0 if there is none.
    start: AtomicUsize,
    end: AtomicUsize,
    /// Was a page missing?
    broken: AtomicBool,
}

impl Slot {
    const fn new() -> Self {
        Self {
            taken: AtomicBool::new(false),
            changes: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    fn set(&self, start: usize, end: usize) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.start.store(start, Ordering::SeqCst);
        self.end.store(end, Ordering::SeqCst);
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Does the map contain this address? The bounds of a map that is being read do not change.
    fn holds(&self, address: usize) -> bool {
        let before = self.changes.load(Ordering::SeqCst);
        let inside = (self.start.load(Ordering::SeqCst)..self.end.load(Ordering::SeqCst)).contains(&address);
        inside && before.is_multiple_of(2) && self.changes.load(Ordering::SeqCst) == before
    }
}

static SLOTS: [Slot; MAPS] = [const { Slot::new() }; MAPS];

/// The size of a memory page; 0 before the handler is installed.
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// The previous action for SIGBUS; `None` if the handler could not be installed.
static PREVIOUS: OnceLock<Option<libc::sigaction>> = OnceLock::new();

/// A page of the map is missing: the file became shorter, or could not be read.
#[derive(Debug)]
pub(crate) struct Broken;

/// A file in memory, of the length that it had when it was mapped.
#[derive(Debug)]
pub(crate) struct Map {
    map: MmapRaw,
    /// invariant: used by this map until it is dropped.
    slot: &'static Slot,
    /// Approximate number of bytes that were read in since pages were last released.
    resident: AtomicUsize,
    /// The end of the last read, and the number of consecutive sequential reads. Two threads may see each other's reads; that only makes a read
    /// slower.
    end: AtomicU64,
    streak: AtomicUsize,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot")
            .field("broken", &self.broken)
            .finish_non_exhaustive()
    }
}

impl Map {
    /// Maps the first `length` bytes of a file. `None` if that is not possible, or there are too many maps: the file is then read by position.
    pub fn new(file: &File, length: u64) -> Option<Self> {
        let length = usize::try_from(length).ok().filter(|length| *length > 0)?;
        PREVIOUS.get_or_init(install).as_ref()?;
        let map = MmapOptions::new().len(length).map_raw_read_only(file).ok()?;
        let slot = SLOTS.iter().find(|slot| {
            let free = slot
                .taken
                .compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst);
            free.is_ok()
        })?;
        slot.broken.store(false, Ordering::SeqCst);
        let start = map.as_ptr() as usize;
        let page = PAGE.load(Ordering::SeqCst);
        slot.set(start, start + length.next_multiple_of(page));
        Some(Self {
            map,
            slot,
            resident: AtomicUsize::new(0),
            end: AtomicU64::new(0),
            streak: AtomicUsize::new(0),
        })
    }

    /// The number of mapped bytes.
    pub fn len(&self) -> u64 {
        self.map.len() as u64
    }

    /// Is the next read, of these bytes, one of many sequential reads? Then the map is faster. For random reads, the pages read ahead cost more
    /// than system calls.
    pub fn goes_on(&self, offset: u64, end: u64) -> bool {
        let near = offset.wrapping_sub(self.end.swap(end, Ordering::Relaxed)) <= NEAR;
        let streak = if near {
            self.streak.load(Ordering::Relaxed).saturating_add(1)
        } else {
            0
        };
        self.streak.store(streak, Ordering::Relaxed);
        streak >= STREAK
    }

    /// Copies the bytes at `offset` out.
    ///
    /// # Errors
    /// If a page of the map is missing, these bytes or others.
    ///
    /// # Panics
    /// If they are not within the map.
    pub fn read_into(&self, offset: usize, into: &mut [u8]) -> Result<(), Broken> {
        let end = offset.checked_add(into.len()).expect("bytes within the map");
        assert!(end <= self.map.len(), "bytes within the map");
        if self.slot.broken.load(Ordering::SeqCst) {
            return Err(Broken);
        }
        // SAFETY: `offset..end` lies within the map, which lives as long as `self`; where a page is gone the handler puts another one there.
        // `into` is ours alone. The file may change meanwhile, so that no reference to the map is made: only what was copied is looked at.
        unsafe {
            std::ptr::copy_nonoverlapping(self.map.as_ptr().add(offset), into.as_mut_ptr(), into.len());
        }
        // The mark is read after the bytes.
        compiler_fence(Ordering::SeqCst);
        self.count(into.len());
        match self.slot.broken.load(Ordering::SeqCst) {
            true => Err(Broken),
            false => Ok(()),
        }
    }

    /// Counts read bytes, and releases pages if there are too many.
    fn count(&self, bytes: usize) {
        if bytes < COUNTED {
            return;
        }
        let more = bytes + READ_AHEAD;
        if self.resident.fetch_add(more, Ordering::Relaxed) + more > RESIDENT {
            self.resident.store(0, Ordering::Relaxed);
            // SAFETY: it is our map; what is read of it next comes from the file again, or is zero where a page was gone. Should it fail, the
            // pages stay.
            unsafe {
                libc::madvise(self.map.as_mut_ptr().cast(), self.map.len(), libc::MADV_DONTNEED);
            }
        }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // Before the memory is unmapped: it may then be used for something else.
        self.slot.set(0, 0);
        self.slot.taken.store(false, Ordering::SeqCst);
    }
}

/// Installs the handler, and returns the previous action.
fn install() -> Option<libc::sigaction> {
    // SAFETY: it asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    PAGE.store(
        usize::try_from(page).ok().filter(|page| page.is_power_of_two())?,
        Ordering::SeqCst,
    );
    // SAFETY: all bytes zero are a `sigaction`: the default, without flags, no signal blocked.
    let (mut ours, mut old): (libc::sigaction, libc::sigaction) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    ours.sa_sigaction = on_bus_error as *const () as usize;
    // On the stack for signals where a thread has one, as Rust's own handler.
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: both are valid; the handler does only what a handler may.
    let done = unsafe { libc::sigaction(libc::SIGBUS, &raw const ours, &raw mut old) };
    (done == 0).then_some(old)
}

extern "C" fn on_bus_error(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the system gives a handler with SA_SIGINFO a valid `siginfo_t`; of a fault (a positive code) it has the address.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    if code > 0 && mend(address) {
        return;
    }
    pass_on(signal, info, context);
}

/// Puts a page of zeros in place of a missing page of one of our maps.
fn mend(address: usize) -> bool {
    let Some(slot) = SLOTS.iter().find(|slot| slot.holds(address)) else {
        return false;
    };
    // First, so that whoever sees the zeros sees the mark.
    slot.broken.store(true, Ordering::SeqCst);
    let length = PAGE.load(Ordering::SeqCst);
    let page = (address & !(length - 1)) as *mut libc::c_void;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the page belongs to a map of ours that is being read, as this fault shows, and so stays; nothing refers to its bytes.
    let found = unsafe { libc::mmap(page, length, libc::PROT_READ, flags, -1, 0) };
    found == page
}

/// Does what would have been done without this handler.
fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // A fault during the installation of the handler finds none: the default action.
    let previous = PREVIOUS.get().and_then(Option::as_ref);
    let (handler, flags) = previous.map_or((libc::SIG_DFL, 0), |old| (old.sa_sigaction, old.sa_flags));
    if handler != libc::SIG_DFL && handler != libc::SIG_IGN {
        if flags & libc::SA_SIGINFO != 0 {
            // SAFETY: it was installed as a handler of three arguments.
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        } else {
            // SAFETY: it was installed as a handler of one argument.
            let handler: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(handler) };
            handler(signal);
        }
        return;
    }
    // SAFETY: as in `on_bus_error`.
    if handler == libc::SIG_IGN && unsafe { (*info).si_code } <= 0 {
        return;
    }
    // SAFETY: both may be called in a handler. The signal comes again when this one returns, and ends the process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
