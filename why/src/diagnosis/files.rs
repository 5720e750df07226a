//! Lost updates of files. A file is outside of the run: a replay knows what was read and written, and not in which order.

use log_format::ActionId;
use rustc_hash::FxHashMap;
use session::value::Value;
use session::words::cut;

use super::failure::Failure;
use super::run::Run;
use crate::story::{Diagnosis, Pattern, said};

/// Characters of a value.
const VALUE: usize = 40;

/// A process that read a file and then wrote it.
struct Update<'r> {
    read: (ActionId, &'r Value),
    write: (ActionId, &'r Value),
}

/// Two processes that read the same from a file, and then both wrote it.
pub(super) fn both_wrote(run: &Run<'_>, _: &Failure<'_>) -> Option<Diagnosis> {
    let mut updates: FxHashMap<&str, Vec<Update<'_>>> = FxHashMap::default();
    let mut written: Vec<(&str, &Value)> = Vec::new();
    for process in run.processes() {
        let mut reads: FxHashMap<&str, (ActionId, &Value)> = FxHashMap::default();
        for step in &process.steps {
            let id = ActionId::new(process.pid, step.number);
            let Some((seen, file)) = run.seen(id).and_then(|seen| Some((seen, seen.file.as_deref()?))) else {
                continue;
            };
            if let Some(wrote) = &seen.written {
                written.push((file, wrote));
                if let Some(read) = reads.remove(file) {
                    let write = (id, wrote);
                    updates.entry(file).or_default().push(Update { read, write });
                }
            } else if let Some([tag, value]) = seen.term.as_ref().map(Value::tuple)
                && tag.is_atom("ok")
            {
                reads.insert(file, (id, value));
            }
        }
    }
    let mut files: Vec<_> = updates.into_iter().collect();
    files.sort_unstable_by_key(|(file, _)| *file);
    files.into_iter().find_map(|(file, updates)| {
        let pair = |(at, one): (usize, &Update<'_>)| {
            // If it was written twice, there were two times at which it could be read.
            let once = written.iter().filter(|write| **write == (file, one.read.1)).count() <= 1;
            let is_like = |other: &&Update<'_>| other.read.1 == one.read.1 && other.read.0.pid != one.read.0.pid;
            let other = updates[at + 1..].iter().position(|other| is_like(&other))?;
            once.then_some((at, at + 1 + other))
        };
        let (one, other) = updates.iter().enumerate().find_map(pair)?;
        Some(told(run, file, &updates[one], &updates[other]))
    })
}

fn told(run: &Run<'_>, file: &str, one: &Update<'_>, other: &Update<'_>) -> Diagnosis {
    let brief = |value: &Value| cut(&value.shown(run.scene.terms()).to_string(), VALUE);
    let text = format!(
        "{} and {} both read {} from the file {file} {} {}, and then wrote {} {} and {} {} over it. Files are outside of a replay: no other order \
         of these was tried.",
        run.who(one.write.0),
        run.who(other.write.0),
        brief(one.read.1),
        run.at(one.read.0),
        run.at(other.read.0),
        brief(one.write.1),
        run.at(one.write.0),
        brief(other.write.1),
        run.at(other.write.0),
    );
    said(Pattern::FileUpdate, text)
}
