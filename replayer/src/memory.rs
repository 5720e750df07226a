//! How much memory a replayed program may take. A trace can contain any program, and a changed one may recurse for ever. Without a limit, the
//! machine's memory would run out, or the tool would be aborted.

use std::sync::OnceLock;

static LIMIT: OnceLock<usize> = OnceLock::new();

/// The limit for what this command replays, in bytes; `None` before [`bound`] has been called.
pub fn limit() -> Option<usize> {
    LIMIT.get().copied()
}

/// Sets the limit for all that this command replays: `megabytes`, or else half the memory of the machine and at most a quarter of a limited
/// address space (memory grows by doubling, and old and new must fit).
pub fn bound(megabytes: Option<usize>) {
    let bytes = match megabytes {
        Some(megabytes) => megabytes.saturating_mul(1 << 20),
        None => machine().min(address_space().unwrap_or(usize::MAX)),
    };
    // The first call counts: a command line is read once.
    let _ = LIMIT.set(bytes);
}

/// For systems that do not say how much memory there is.
const USUAL: usize = 8 << 30;

/// Half the memory of the machine.
fn machine() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    number_behind(&text, "MemTotal:").map_or(USUAL, |kib| kib.saturating_mul(1024)) / 2
}

/// A quarter of the address space, if that is limited (`ulimit -v`).
fn address_space() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    Some(number_behind(&text, "Max address space")? / 4)
}

fn number_behind(text: &str, name: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax address space   4096000000   unlimited   bytes\n";
        assert_eq!(number_behind(limits, "Max address space"), Some(4_096_000_000));
        assert_eq!(
            number_behind(&limits.replace("4096000000", "unlimited"), "Max address space"),
            None
        );
        assert_eq!(
            number_behind("MemTotal:       16307204 kB\n", "MemTotal:"),
            Some(16_307_204)
        );
    }
}
