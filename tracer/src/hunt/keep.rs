//! A found run is made simpler and written to a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use causality::Target;
use log_format::Trace;
use system::scheduler::{Schedule, Switch};

use crate::hunt::figures;
use crate::hunt::once::Ran;
use crate::hunt::search::{Found, Search};
use crate::hunt::shrink::shrink;
use crate::hunt::tell;

/// Runs spent on making one failure simpler.
const SHRINKING_RUNS: usize = 400;

/// A failure, as simple as it could be made.
pub struct Simpler {
    /// Its schedule.
    pub schedule: Schedule,
    /// The run.
    pub ran: Ran,
    /// How many switches the found run had, and how many runs were made to need fewer.
    pub from: (usize, usize),
}

/// Makes a found run simpler. `None` if that is not possible.
///
/// # Errors
/// A trace cannot be made.
pub fn simpler(search: &Search<'_>, found: &Found) -> Result<Option<Simpler>, String> {
    let (Some(made), Some(failure)) = (&found.ran.made, &found.ran.failure) else {
        return Ok(None);
    };
    let run = |list: &[Switch]| {
        let Some(schedule) = found.schedule.with_switches(list.to_vec()) else {
            return Ok(None);
        };
        let command = tell::command(search.args, &schedule, found.seed);
        let ran = search.prey.run(&schedule, found.seed, command)?;
        let same = ran.failure.as_ref().is_some_and(|again| again.sort == failure.sort);
        Ok::<_, String>(same.then_some((schedule, ran)))
    };
    let (list, runs) = shrink(made.switches.clone(), SHRINKING_RUNS, |list| {
        let made = run(list)?.and_then(|(_, ran)| ran.made);
        Ok::<_, String>(made.map(|made| made.switches))
    })?;
    // What a program reads from outside can be another thing in every run.
    let again = run(&list)?;
    Ok(again.map(|(schedule, ran)| Simpler {
        schedule,
        ran,
        from: (made.switches.len(), runs),
    }))
}

/// Writes the trace of a failed run into the folder, under the name of the program and of the run's log. Returns its path.
///
/// # Errors
/// It cannot be written.
pub fn write(folder: &Path, program: &str, ran: &Ran) -> Result<PathBuf, String> {
    let log = Trace::from_bytes(ran.trace.clone()).and_then(|trace| figures::digest(&trace));
    let log = log.map_err(|error| error.to_string())?;
    let path = log_format::kept::path(folder, program, (log >> 32) as u32);
    let written = || {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&ran.trace)?;
        file.persist(&path)?;
        Ok(())
    };
    written().map_err(|error: std::io::Error| {
        format!(
            "cannot write the trace {}: {error}; name another folder with --traces",
            log_format::safe_path(&path)
        )
    })?;
    Ok(path)
}

/// How many actions the failure's causes are, and how many there are in all.
///
/// # Errors
/// The trace is damaged, or has no such failure.
pub fn causes(ran: &Ran) -> Result<(u64, u64), String> {
    let trace = Trace::from_bytes(ran.trace.clone()).map_err(|error| error.to_string())?;
    let target = ran.failure.as_ref().and_then(|failure| failure.target.as_deref());
    let target: Target = target.unwrap_or("error").parse().map_err(|error| format!("{error}"))?;
    let resolved = target.resolve(&trace).map_err(|error| error.to_string())?;
    let cut = resolved.causes(&trace).map_err(|error| error.to_string())?;
    Ok((cut.actions(), trace.totals().counts.actions))
}
