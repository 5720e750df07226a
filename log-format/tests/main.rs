//! The external tests of this crate, one executable: `cargo test -p retell-log-format failing_sink::` runs one file.

mod complete;
mod failing_sink;
mod finisher;
mod hostile;
mod independent_reader;
#[cfg(unix)]
mod mapped;
mod place;
mod round_trip;
mod versions;
