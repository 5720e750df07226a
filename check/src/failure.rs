//! Failures: that of the recorded run, that of another run, and whether they are the same.

use causality::Point;
use causality::{Future, Gravity};
use log_format::{ActionId, Cut, ExitClass, Pid, RunEnd, Trace};
use session::error::Error;
use session::value::Value;

use crate::answer::CheckVerdict;
use crate::choices::AbnormalEnd;
use crate::drive::Ran;
use crate::kin::Id;
use crate::listener::Listener;
use crate::options::Options;
use crate::reason::ReasonKind;

/// The failure of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CheckFailure {
    /// None.
    None,
    /// An abnormal end, or a failed test.
    End(AbnormalEnd),
    /// The entry waits for ever.
    Deadlock,
    /// A status that is not 0.
    Halt(i64),
}

impl CheckFailure {
    pub(crate) fn words(&self) -> String {
        match self {
            Self::None => "no failure".to_owned(),
            Self::End(end) => {
                let place = if end.place.is_empty() {
                    String::new()
                } else {
                    format!(" at {}", end.place)
                };
                let reason = if end.shown.is_empty() { &end.reason } else { &end.shown };
                match &end.test {
                    Some((name, _)) => format!("{} failed{place}: {reason}", causality::test_said(name)),
                    None => format!("{} ended{place}: {reason}", end.pid),
                }
            }
            Self::Deadlock => "the entry waits for ever".to_owned(),
            Self::Halt(code) => format!("the program halted with status {code}"),
        }
    }
}

/// Class and first word of the reason of an abnormal end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndKind {
    /// A test of this name failed.
    Test(String),
    /// A process ended so.
    Reason(ReasonKind),
}

/// The failure of a recorded run.
pub(crate) struct RecordedFailure {
    /// The failure.
    pub failure: CheckFailure,
    /// Its causes.
    pub slice: Cut,
    /// What came of it, and the action that it is; `None` if that is not known, or if the run goes on as it would have.
    pub effects: Option<(Future, ActionId)>,
    /// Abnormal ends that have nothing to do with it.
    pub peaceful: Vec<AbnormalEnd>,
}

impl RecordedFailure {
    /// A failure without a known cause: everything before it counts as its past, and earlier abnormal ends as a normal part of the run.
    fn of_the_run(failure: CheckFailure, trace: &Trace, heard: &Listener) -> Result<Self, Error> {
        Ok(Self {
            failure,
            slice: Cut::whole(trace)?,
            effects: None,
            peaceful: heard.ends.clone(),
        })
    }

    /// The abnormal end of a process.
    fn end(end: &AbnormalEnd, action: ActionId, trace: &Trace, heard: &Listener) -> Result<Self, Error> {
        let future = causality::consequences(trace, action)?;
        let mut apart = Vec::new();
        for end in &heard.ends {
            let at = match end.test {
                Some((_, noted)) => noted,
                None => last_action(trace, end.pid)?,
            };
            if !future.contains(at) {
                apart.push(end.clone());
            }
        }
        Ok(Self {
            failure: CheckFailure::End(end.clone()),
            slice: causality::causes(trace, action)?,
            effects: Some((future, action)),
            peaceful: apart,
        })
    }
}

impl RecordedFailure {
    /// A failed test. Other tests run whatever it does, so nothing else that failed is a consequence.
    fn test(end: &AbnormalEnd, noted: ActionId, trace: &Trace, heard: &Listener) -> Result<Self, Error> {
        let others = heard.ends.iter().filter(|other| *other != end);
        Ok(Self {
            failure: CheckFailure::End(end.clone()),
            slice: causality::causes(trace, noted)?,
            effects: None,
            peaceful: others.cloned().collect(),
        })
    }
}

/// The failed test among what was heard that this action noted.
fn test_noted(heard: &Listener, noted: ActionId) -> Option<&AbnormalEnd> {
    let is_it = |end: &&AbnormalEnd| matches!(end.test, Some((_, at)) if at == noted);
    heard.ends.iter().find(is_it)
}

/// The action that noted the failed test that a target shows, if it shows one.
fn test_shown(trace: &Trace, found: &Point) -> Result<Option<ActionId>, Error> {
    for test in causality::failed_tests(trace)? {
        if test.point(trace)?.is_at(found) {
            return Ok(test.failed().map(|(noted, ..)| noted));
        }
    }
    Ok(None)
}

fn last_action(trace: &Trace, pid: Pid) -> Result<ActionId, Error> {
    let number = trace.process(pid)?.counts.last_action();
    Ok(ActionId { pid, number })
}

/// Finds the failure of a recorded run: the target, or the first one.
pub(crate) fn recorded_failure(trace: &Trace, heard: &Listener, options: &Options) -> Result<RecordedFailure, Error> {
    let target = options.target.as_deref();
    let failure = causality::failure(trace)?;
    let tests_failed = matches!(failure, Some(causality::RunFailure::Tests(_)));
    // In a run that went well, abnormal ends are a normal part of the run.
    if options.expect_ok && target.is_none() && !tests_failed && matches!(trace.run_end()?, Some(RunEnd::Returned(_))) {
        return RecordedFailure::of_the_run(CheckFailure::None, trace, heard);
    }
    let named = match (target, failure) {
        (None, Some(causality::RunFailure::Ended { first, .. })) => Some(first),
        (None, Some(causality::RunFailure::Tests(tests))) => {
            let noted = tests.first().and_then(|test| test.failed()).map(|(noted, ..)| noted);
            if let Some(noted) = noted
                && let Some(end) = test_noted(heard, noted)
            {
                return RecordedFailure::test(end, noted, trace, heard);
            }
            None
        }
        (None, _) => None,
        (Some(target), _) => {
            let found = target.parse::<causality::Target>()?.resolve(trace)?;
            if let Some(noted) = test_shown(trace, &found)?
                && let Some(end) = test_noted(heard, noted)
            {
                return RecordedFailure::test(end, noted, trace, heard);
            }
            let is_entry = trace.process(found.pid)?.parent.is_none();
            if found.runs_on && is_entry && trace.run_end()? == Some(RunEnd::Deadlock) {
                return RecordedFailure::of_the_run(CheckFailure::Deadlock, trace, heard);
            }
            let is_end = heard.ends.iter().any(|end| end.pid == found.pid && end.test.is_none());
            let last = last_action(trace, found.pid)?;
            if !is_end || found.action != last.number {
                return Err(no_abnormal_end(target, trace, heard)?);
            }
            Some(last)
        }
    };
    if let Some(action) = named
        && let Some(end) = heard
            .ends
            .iter()
            .find(|end| end.pid == action.pid && end.test.is_none())
    {
        return RecordedFailure::end(end, action, trace, heard);
    }
    match trace.run_end()? {
        Some(RunEnd::Deadlock) => RecordedFailure::of_the_run(CheckFailure::Deadlock, trace, heard),
        Some(RunEnd::Halted(code)) if code != 0 => RecordedFailure::of_the_run(CheckFailure::Halt(code), trace, heard),
        _ => Ok(RecordedFailure {
            failure: CheckFailure::None,
            slice: Cut::whole(trace)?,
            effects: None,
            peaceful: Vec::new(),
        }),
    }
}

/// The error for a target that is not an abnormal end, with a list of those that there are.
fn no_abnormal_end(target: &str, trace: &Trace, heard: &Listener) -> Result<Error, Error> {
    let mut ends: Vec<String> = heard.ends.iter().map(as_target).collect();
    if trace.run_end()? == Some(RunEnd::Deadlock)
        && let Some(entry) = trace.processes().next().transpose()?
    {
        ends.push(format!("end:{} (which waits for ever)", entry.pid));
    }
    let there = if ends.is_empty() {
        "none".to_owned()
    } else {
        ends.join(", ")
    };
    Ok(Error::Usage(format!(
        "{target} is neither an abnormal end nor a failed test; those are: {there}"
    )))
}

fn as_target(end: &AbnormalEnd) -> String {
    match &end.test {
        Some((name, _)) => format!("test:{name}"),
        None => format!("exit:{}", end.pid),
    }
}

/// Other processes of the recorded run that failed by themselves, as targets.
pub(crate) fn others(heard: &Listener, failure: &CheckFailure) -> Vec<String> {
    let CheckFailure::End(failure) = failure else {
        return Vec::new();
    };
    let is_other = |end: &&AbnormalEnd| match (&end.test, &failure.test) {
        (None, None) => end.pid != failure.pid,
        // Ends of processes come and go while tests run.
        (None, Some(_)) => false,
        (now, then) => now != then,
    };
    let others = heard
        .ends
        .iter()
        .filter(|end| is_other(end) && end.gravity == Gravity::Failed);
    others.map(as_target).collect()
}

/// The failure of a driven run: the recorded one if it occurred, else another one.
pub(crate) fn judge(
    ran: &Ran,
    heard: &Listener,
    recorded: &CheckFailure,
    peaceful: &[AbnormalEnd],
    usual: &[EndKind],
) -> CheckFailure {
    let again = heard
        .ends
        .iter()
        .find(|end| is_same(&CheckFailure::End((*end).clone()), recorded));
    if let Some(end) = again {
        return CheckFailure::End(end.clone());
    }
    let is_one = |p: &AbnormalEnd, end: &AbnormalEnd| match (name(p), name(end)) {
        (None, None) => (p.reason == end.reason || is_another_result(p, end)) && (p.id == end.id || p.does == end.does),
        (p, end) => p == end,
    };
    // Of the test that failed, every other failure counts.
    let peaceful: Vec<&AbnormalEnd> = match recorded {
        CheckFailure::End(recorded) => peaceful
            .iter()
            .filter(|p| p.test.is_none() || name(p) != name(recorded))
            .collect(),
        _ => peaceful.iter().collect(),
    };
    let is_usual = |end: &AbnormalEnd| end.awaited && usual.contains(&kind_of(end));
    let known = |end: &AbnormalEnd| peaceful.iter().any(|p| is_one(p, end)) || is_usual(end);
    // Ending another process on purpose is not a failure: a fix may do that to tidy up.
    if let Some(end) = heard
        .ends
        .iter()
        .find(|end| end.gravity == Gravity::Failed && !known(end))
    {
        return CheckFailure::End(end.clone());
    }
    // A program tells by its status that tests failed: these others may fail as recorded.
    let of_a_test = matches!(recorded, CheckFailure::End(end) if end.test.is_some());
    match ran {
        Ran::Halted(code) if *code != 0 && !of_a_test => CheckFailure::Halt(*code),
        Ran::ToTheEnd { waiting: true } => CheckFailure::Deadlock,
        _ => CheckFailure::None,
    }
}

/// Has this run come to an end of the test that failed when recorded? True of any other failure, and of what is no test by itself: of a setup it is not
/// noted that it went well.
pub(crate) fn has_run(heard: &Listener, failure: &CheckFailure, recorded: &Listener) -> bool {
    let CheckFailure::End(AbnormalEnd {
        test: Some((test, _)), ..
    }) = failure
    else {
        return true;
    };
    let failed = |end: &AbnormalEnd| name(end) == Some(test);
    !recorded.tests_begun.contains(test) || heard.tests_passed.contains(test) || heard.ends.iter().any(failed)
}

pub(crate) fn is_same(found: &CheckFailure, recorded: &CheckFailure) -> bool {
    match (found, recorded) {
        (CheckFailure::End(a), CheckFailure::End(b)) => match (name(a), name(b)) {
            (None, None) => a.id == b.id && a.reason == b.reason,
            // A test that fails in another way fails; but that its time is up may be the driver's doing.
            (name_a, name_b) => name_a == name_b && is_time_up(a) == is_time_up(b),
        },
        (a, b) => a == b,
    }
}

/// Is it the recorded failure, whatever its values are now?
pub(crate) fn is_again(found: &CheckFailure, recorded: &CheckFailure) -> bool {
    match (found, recorded) {
        (CheckFailure::End(now), CheckFailure::End(then)) => {
            verdict_by_kind(now, then) == Some(CheckVerdict::StillFails)
        }
        (now, then) => now == then,
    }
}

/// Was the time of a test up?
fn is_time_up(end: &AbnormalEnd) -> bool {
    let up = ReasonKind::of(Some(ExitClass::Exit), &Value::Atom("timeout".into()));
    end.test.is_some() && end.kind == up
}

/// The name of a failed test.
fn name(end: &AbnormalEnd) -> Option<&str> {
    end.test.as_ref().map(|(name, _)| name.as_str())
}

/// Did the process end as recorded, except for values in a reason of the program's own?
pub(crate) fn differs_in_values(found: &CheckFailure, recorded: &CheckFailure) -> bool {
    let (CheckFailure::End(now), CheckFailure::End(then)) = (found, recorded) else {
        return false;
    };
    let is_own = then.test.is_some() || !then.kind.is_generic();
    now.id == then.id && is_own && verdict_by_kind(now, then) == Some(CheckVerdict::StillFails)
}

pub(crate) fn kind_of(end: &AbnormalEnd) -> EndKind {
    match name(end) {
        Some(name) => EndKind::Test(name.to_owned()),
        None => EndKind::Reason(end.kind.clone()),
    }
}

/// Is it an `exit` with a word of the program's own, which another process gets in a 'DOWN' message?
pub(crate) fn returns_a_result(found: &CheckFailure) -> bool {
    matches!(found, CheckFailure::End(end) if returns_a_result_by(end))
}

/// As [`returns_a_result`], for an end.
pub(crate) fn returns_a_result_by(end: &AbnormalEnd) -> bool {
    end.test.is_none() && end.awaited && end.kind.class == Some(ExitClass::Exit) && !end.kind.is_generic()
}

/// Does the process return its result by its end, as it did when recorded? It may be another one now: whoever awaits it judges it.
fn is_another_result(recorded: &AbnormalEnd, now: &AbnormalEnd) -> bool {
    let returns = |end: &AbnormalEnd| returns_a_result_by(end) && end.gravity == Gravity::Failed;
    returns(recorded) && returns(now) && kind_of(recorded) == kind_of(now)
}

/// Do two failures say the same, ignoring values? Of a failed test, too, what made it fail.
pub(crate) fn is_alike(now: &CheckFailure, recorded: &CheckFailure) -> bool {
    match (now, recorded) {
        (CheckFailure::End(now), CheckFailure::End(then)) => now.kind == then.kind,
        (now, then) => now == then,
    }
}

/// Are two failures of one kind: the same status, or ends with the same class and reason, ignoring values in the reason? That another process
/// ended so says nothing about the entry.
pub(crate) fn is_of_kind(a: &CheckFailure, b: &CheckFailure) -> bool {
    let of_entry = |end: &AbnormalEnd| end.id == Id(0) && end.test.is_none();
    match (a, b) {
        (CheckFailure::End(a), CheckFailure::End(b)) => kind_of(a) == kind_of(b) && of_entry(a) == of_entry(b),
        (a, b) => a == b,
    }
}

/// Is this end of the kind of the recorded one, ignoring values in the reasons? `still fails` if the process ran the same code and ended with
/// the same class, else `fails differently`.
pub(crate) fn verdict_by_kind(now: &AbnormalEnd, recorded: &AbnormalEnd) -> Option<CheckVerdict> {
    if name(now).is_some() || name(recorded).is_some() {
        let same = name(now) == name(recorded) && is_time_up(now) == is_time_up(recorded);
        return same.then_some(CheckVerdict::StillFails);
    }
    let (kind, then) = (&now.kind, &recorded.kind);
    if now.gravity != recorded.gravity || (kind.depth, &kind.word) != (then.depth, &then.word) {
        return None;
    }
    let same = kind.class == then.class && now.does == recorded.does;
    Some(if same {
        CheckVerdict::StillFails
    } else {
        CheckVerdict::FailsDifferently
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(name: &str) -> Value {
        Value::Atom(name.into())
    }

    fn tuple(items: &[Value]) -> Value {
        Value::Tuple(items.into())
    }

    fn number(n: u32) -> Value {
        Value::Number(n.to_string().into())
    }

    fn end(class: ExitClass, reason: &Value) -> AbnormalEnd {
        AbnormalEnd {
            test: None,
            id: Id(1),
            pid: Pid(2),
            gravity: Gravity::Failed,
            late: false,
            awaited: true,
            does: String::new(),
            kind: ReasonKind::of(Some(class), reason),
            reason: String::new(),
            shown: String::new(),
            place: String::new(),
        }
    }

    #[test]
    fn a_test_that_fails_for_another_reason_is_not_alike() {
        let test = |class, reason: &Value| {
            let noted = log_format::ActionId::new(Pid(2), 5);
            CheckFailure::End(AbnormalEnd {
                test: Some(("bank_tests:pay_test".to_owned(), noted)),
                ..end(class, reason)
            })
        };
        let unexpected = |n| test(ExitClass::Exit, &tuple(&[atom("unexpected"), number(n)]));
        let recorded = unexpected(7);
        assert!(is_alike(&unexpected(8), &recorded));
        let impatient = test(ExitClass::Error, &tuple(&[atom("assertReceive"), number(100)]));
        assert!(is_again(&impatient, &recorded), "it is the same test");
        assert!(!is_alike(&impatient, &recorded));
        assert!(!is_alike(&CheckFailure::Deadlock, &recorded));
        let CheckFailure::End(up) = test(ExitClass::Exit, &atom("timeout")) else {
            unreachable!()
        };
        assert!(is_time_up(&up));
    }

    #[test]
    fn of_a_reason_its_first_word_counts() {
        let kind = |reason: &Value| {
            let kind = ReasonKind::of(None, reason);
            (kind.depth, kind.word.as_deref().map(str::to_owned))
        };
        let word = |word: &str| Some(word.to_owned());
        assert_eq!(kind(&tuple(&[atom("sum"), number(4)])), (1, word("sum")));
        let inner = tuple(&[atom("a_b"), atom("c")]);
        assert_eq!(kind(&tuple(&[inner, atom("d")])), (2, word("a_b")));
        assert_eq!(kind(&atom("my {result")), (0, word("my {result")));
        assert_eq!(kind(&Value::Map([].into())), (0, None));
        let result = |name: &str, n| end(ExitClass::Exit, &tuple(&[atom(name), number(n)]));
        assert!(is_another_result(&result("the-sum", 4), &result("the-sum", 5)));
        assert!(!is_another_result(&result("badmatch", 4), &result("badmatch", 5)));
    }
}
