//! The external tests of this crate, one executable: `cargo test -p retell-log-format failing_sink::` runs one file.

mod checkpoints;
mod complete;
mod copied;
mod failing_sink;
mod finisher;
mod hostile;
mod independent_reader;
#[cfg(unix)]
mod mapped;
mod place;
mod round_trip;
mod versions;

/// The time of the processor that something takes, if what it could do on several threads is done on one.
fn on_one_thread(work: impl FnOnce() + Send) -> std::time::Duration {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread can be started").install(|| {
        let before = steady::used();
        work();
        steady::used() - before
    })
}
