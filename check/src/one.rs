//! One check, from the trace to the answer: again with modules that the trace lacks, and with messages named in another way where that decides more.

use session::Session;
use session::error::Error;
use system::loader::{LoadedFile, Role};

use crate::answer::{CheckVerdict, Checked};
use crate::choices::Naming;
use crate::drive::Divergence;
use crate::inquiry::check_by;
use crate::missing::AskedModules;
use crate::options::Options;
use crate::search::{Searched, SharedChecks};

/// Limit: divergences for which the recorded message is added.
const TOLD: usize = 3;
/// Characters of such a message.
const MESSAGE: usize = 200;

/// Runs a check.
///
/// # Errors
/// The trace is damaged, or holds no failure and that is not expected; a file cannot be read; the program does not compile.
pub fn check(session: &Session, options: &Options) -> Result<Checked, Error> {
    check_after(session, options, &mut SharedChecks::new(options))
}

/// A check of one failure, after those of others of the same trace.
pub(crate) fn check_after(session: &Session, options: &Options, shared: &mut SharedChecks) -> Result<Checked, Error> {
    let mut session = session.clone();
    let mut asked = AskedModules::default();
    loop {
        let mut searched = Searched::after(&asked, shared);
        let checked = check_with(&session, options, &searched)?;
        let checked = searched.budget.judged(checked);
        if let Some(refused) = searched.missing.refused() {
            return Err(Error::Changed(refused));
        }
        *shared = searched.share();
        let missing = asked.not_yet(&searched.missing);
        if options.no_compile && !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(String::as_str).collect();
            return Ok(Checked {
                verdict: CheckVerdict::Incomplete,
                now: format!(
                    "the program calls modules that the trace does not hold, and with --no-compile they are not looked for: {}",
                    names.join(", ")
                ),
                ..checked
            });
        }
        if missing.is_empty() || options.compile.is_none() {
            return Ok(without_gone(checked, &searched));
        }
        match asked.ask(&missing, &session, options) {
            Ok(Some(more)) => {
                session = more;
                // What the project is asked for has changed.
                shared.forget_compiled();
            }
            Ok(None) if searched.gave_up.get() => {}
            Ok(None) => return Ok(without_gone(checked, &searched)),
            Err(error) => {
                let names: Vec<&str> = missing.iter().map(String::as_str).collect();
                let now = format!(
                    "the program calls modules that the trace does not hold ({}), and replay cannot get them: {error}",
                    names.join(", ")
                );
                return Ok(Checked {
                    verdict: CheckVerdict::Incomplete,
                    now: now.trim_end().to_owned(),
                    ..checked
                });
            }
        }
    }
}

/// Without modules that the project no longer has, nothing can be said of a run that calls them.
fn without_gone(checked: Checked, searched: &Searched) -> Checked {
    let gone = searched.gone.borrow();
    let called: Vec<String> = gone
        .iter()
        .filter(|name| searched.missing.has_called(name))
        .cloned()
        .collect();
    let gone: Vec<String> = gone.iter().cloned().collect();
    if called.is_empty() {
        return Checked { gone, ..checked };
    }
    Checked {
        verdict: CheckVerdict::Incomplete,
        now: format!(
            "the program calls modules that the project no longer has: {}{}",
            called.join(", "),
            renamed(
                &called,
                checked.test.as_deref(),
                searched.compiled.get().map_or(&[][..], |now| &now.sources)
            ),
        ),
        gone,
        ..checked
    }
}

/// What modules that are gone may be called now: the only one with the failed test, or the nearest names.
fn renamed(gone: &[String], test: Option<&str>, now: &[LoadedFile]) -> String {
    const NAMED: usize = 3;
    let modules = now.iter().filter_map(|source| match &source.role {
        Role::Module(name) => Some((name.as_str(), &source.text)),
        _ => None,
    });
    let parts = test.and_then(|test| test.split_once(':'));
    if let Some((_, rest)) = parts.filter(|(module, _)| gone.iter().any(|name| name == module)) {
        let function = rest.split(':').next().unwrap_or(rest);
        let head = format!("{function}(");
        let has_it = |text: &[u8]| {
            String::from_utf8_lossy(text)
                .lines()
                .any(|line| line.starts_with(&head))
        };
        let mut found = modules.clone().filter(|(_, text)| has_it(text)).map(|(name, _)| name);
        if let (Some(other), None) = (found.next(), found.next()) {
            return format!("; {function} is only in {other} now, but a renamed test module is not followed");
        }
    }
    let names: Vec<&str> = modules.map(|(name, _)| name).collect();
    let near = gone
        .iter()
        .flat_map(|name| log_format::nearest(name, names.iter().copied(), NAMED));
    let near: Vec<&str> = near.collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; the nearest names are {}", near.join(", ")),
    }
}

/// One check with the modules that there are.
fn check_with(session: &Session, options: &Options, searched: &Searched) -> Result<Checked, Error> {
    let mut checked = check_by(session, options, Naming::Place, searched)?;
    if searched.gave_up.get() {
        return Ok(checked);
    }
    // One more message changes the ordinals of those that follow.
    let undecided = checked.verdict == CheckVerdict::Diverged || checked.verdict.is_fixed() && !options.expect_ok;
    if undecided && !checked.same_code && searched.budget.allows("messages named by their shape") {
        let other = check_by(session, options, Naming::Shape, searched)?;
        let better = match (checked.verdict, other.verdict) {
            (CheckVerdict::Diverged, now) if now.is_fixed() => true,
            (then, CheckVerdict::StillFails) if then != CheckVerdict::StillFails => true,
            (CheckVerdict::Fixed, CheckVerdict::FixedUnlessDelayed) => true,
            (then, now) if then == now => checked.other_order && !other.other_order,
            _ => false,
        };
        if better {
            checked = other;
        }
    }
    say_what_was_received(session, &mut checked.divergences)?;
    // A changed program may wait for, or be spared, what a slice leaves out: only a failure is certain.
    if session.trace().is_slice() && !checked.same_code && checked.verdict != CheckVerdict::StillFails {
        checked.verdict = CheckVerdict::Incomplete;
        checked.now += "; but the trace is a slice, which holds only the causes of one action: check the whole trace for a verdict";
    }
    Ok(checked)
}

/// Adds the recorded messages to the first divergences.
fn say_what_was_received(session: &Session, divergences: &mut [Divergence]) -> Result<(), Error> {
    let trace = session.trace();
    let bounds = session::subject::ShownBounds {
        chars: MESSAGE,
        frames: 1,
        items: 1,
    };
    for divergence in divergences.iter_mut().take(TOLD) {
        let Some(found) = recorded_action(trace, &divergence.recorded) else {
            continue;
        };
        let acts = session::scene::acts(session, &[found], &bounds)?;
        let Some(act) = acts.into_iter().flatten().next() else {
            continue;
        };
        if act.kind == session::view::ActKind::Rec {
            divergence.message = act.content;
        } else if divergence.place.is_empty() && !act.accesses.is_empty() {
            // A step that is not made now has its place in the recorded program.
            let at = |place: &session::view::SourcePlace| {
                format!(" (at {}:{} of the recorded program)", place.file, place.line)
            };
            let place = act.place.as_ref().map_or_else(String::new, at);
            divergence.expected = format!("{}{place}", session::shared::joined(&act.accesses));
            divergence.name = act.name.map_or_else(String::new, |name| name.text);
        }
    }
    Ok(())
}

/// The action of the trace that a target names, if it names one.
fn recorded_action(trace: &log_format::Trace, target: &str) -> Option<log_format::ActionId> {
    let target: causality::Target = target.parse().ok()?;
    Some(target.resolve(trace).ok()?.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_is_gone_is_told_with_what_it_may_be_now() {
        let module = |name: &str, text: &str| LoadedFile {
            role: Role::Module(name.to_owned()),
            path: format!("test/{name}.erl"),
            text: text.as_bytes().into(),
            options: Vec::new(),
        };
        let now = [
            module("shop_tests", "pay_test() -> ok.\n"),
            module("bank", "pay() -> ok.\n"),
        ];
        let gone = ["store_tests".to_owned()];
        assert_eq!(
            renamed(&gone, Some("store_tests:pay_test"), &now),
            "; pay_test is only in shop_tests now, but a renamed test module is not followed"
        );
        assert_eq!(
            renamed(&["shop_test".to_owned()], None, &now),
            "; the nearest names are shop_tests"
        );
        assert_eq!(renamed(&["other".to_owned()], None, &now), "");
    }
}
