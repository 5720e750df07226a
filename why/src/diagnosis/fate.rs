//! How processes ended, in words.

use log_format::{ActionId, Pid};
use session::value::Value;
use session::watch::SeenAction;

use super::run::{Does, Run};

/// How a process ended, as a verb: `was killed by 0.2.0 watchdog/1 [signal:0.5.0]`.
pub(super) fn ended(run: &Run<'_>, pid: Pid) -> Option<String> {
    let step = run.end(pid)?;
    let end = ActionId::new(pid, step.number);
    Some(match step.does {
        Does::EndedBy(_, Some(by)) => {
            let reason = run.seen(end).and_then(SeenAction::told).unwrap_or("a signal");
            let reason = session::words::cut(reason, 60);
            let is_kill = |value: &Value| value.is_atom("killed") || value.is_atom("kill");
            match run.is_send(by) {
                true if run.value(end).is_some_and(is_kill) => {
                    format!("was killed by {} {}", run.who(by), run.at(by))
                }
                true => format!("was ended by {} {}: {reason}", run.who(by), run.at(by)),
                false => format!(
                    "was ended with {}, to which it was linked [{}]: {reason}",
                    run.who(by),
                    run.target(end)
                ),
            }
        }
        Does::EndedBy(_, None) => format!("was killed at a limit [{}]", run.target(end)),
        Does::Ended { failed: true } if run.value(end).is_none_or(|reason| !is_normal(reason)) => {
            let reason = run.seen(end).and_then(SeenAction::told).unwrap_or("an error");
            // `gen_server`: who ends so has not failed.
            let verb = match run.value(end).is_some_and(Value::is_peaceful) {
                true => "ended",
                false => "failed",
            };
            format!("{verb} with {} {}", session::words::cut(reason, 60), run.at(end))
        }
        _ => format!("ended {}", run.at(end)),
    })
}

/// Is it the reason of a process that called `exit(normal)`?
fn is_normal(reason: &Value) -> bool {
    matches!(reason, Value::Atom(name) if name.as_ref() == "normal")
}

/// `a, b, and c`.
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => {
            format!("{}, and {last}", first.join(", ")).replacen(", and", " and", usize::from(first.len() == 1))
        }
    }
}
