//! All failures of a trace: each failed test is judged by itself.

use causality::Target;
use session::Session;
use session::error::Error;

use crate::answer::Checked;
use crate::one::check_after;
use crate::options::Options;
use crate::search::SharedChecks;

/// Checks a trace: each of its failed tests, one after the other, or its failure if none failed. A target that the options name is the only one.
///
/// # Errors
/// As [`check`](crate::check()).
pub fn check_all(session: &Session, options: &Options) -> Result<Vec<Checked>, Error> {
    let targets = match &options.target {
        Some(target) => vec![Some(target.clone())],
        None => {
            let all = causality::failures(session.trace())?.into_iter();
            all.map(|target| (target != Target::Error).then(|| target.to_string()))
                .collect()
        }
    };
    let mut shared = SharedChecks::new(options);
    let mut all = Vec::with_capacity(targets.len());
    for (at, target) in targets.iter().enumerate() {
        shared.budget.share(targets.len() - at);
        let options = Options {
            target: target.clone(),
            ..options.clone()
        };
        let mut checked = check_after(session, &options, &mut shared)?;
        if targets.len() > 1 {
            // They have answers of their own.
            checked.others.retain(|other| !other.starts_with("test:"));
        }
        all.push(checked);
    }
    Ok(all)
}
