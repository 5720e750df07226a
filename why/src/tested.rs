//! Failed tests: what a test runner caught is explained as if the process that ran the test had ended there.

use interpreter::print::Terms;
use log_format::{ActionId, ActionNo, Cut, Kind, Pid, Resource, TestNote, Trace};
use rustc_hash::FxHashSet;
use system::System;

use causality::Point;
use session::Session;
use session::error::Error;
use session::value::Value;
use session::view::SourcePlace;
use session::watch::{SeenAction, SeenFrame, Watcher};
use session::words::{cut, safe};

use crate::story::{TestFailed, TestValue};

/// Characters of a value in the heading.
const CHARS: usize = 120;

/// The failed test that a target shows.
#[derive(Debug)]
pub(crate) struct Tested {
    /// Its name.
    pub(crate) name: String,
    /// Is the target this name?
    by_name: bool,
    /// The action with which it began.
    pub(crate) began: Option<ActionId>,
    /// What happened before it began.
    before: Cut,
    /// Class and reason, as recorded.
    reason: String,
    /// The point that is explained is the receive in which the test waited when its time was up.
    pub(crate) waits: bool,
    /// Where it waits: `file:line:column`.
    pub(crate) waits_at: Option<String>,
}

impl Tested {
    /// Finds the test; `None` if the target shows something else.
    pub(crate) fn of(trace: &Trace, found: &Point) -> Result<Option<Self>, Error> {
        for test in causality::tests(trace)? {
            let Some((_, reason, _)) = test.failed().filter(|_| test.of == found.pid) else {
                continue;
            };
            let waits = match test.point(trace)? {
                point if point.action != found.action => continue,
                point if point.rests => true,
                _ if !found.runs_on => false,
                _ => continue,
            };
            let before = match test.began {
                Some(began) => causality::causes(trace, began)?,
                None => Cut::default(),
            };
            return Ok(Some(Self {
                began: test.began,
                before,
                reason: reason.to_owned(),
                waits,
                waits_at: None,
                name: test.name.clone(),
                by_name: matches!(found.target, causality::Target::Test(..)),
            }));
        }
        Ok(None)
    }

    /// What happened before it began.
    pub(crate) fn before(&self) -> Cut {
        self.before.clone()
    }

    /// Did an action happen before the test began?
    pub(crate) fn is_earlier(&self, action: ActionId) -> bool {
        self.before.contains(action)
    }

    /// The process had ended before the test began.
    pub(crate) fn had_ended(&self, trace: &Trace, pid: Pid) -> Result<bool, Error> {
        let process = trace.process(pid)?;
        let last = process.counts.last_action();
        Ok(process.ended && self.before.contains(ActionId { pid, number: last }))
    }

    /// What the heading says of the test. `seen`: the note of the exception, if there was one. `ended`: the reason of the exit signal that
    /// ended the process of the test; `elsewhere`: where another process raised it.
    pub(crate) fn told(
        &self,
        seen: Option<&SeenAction>,
        (ended, elsewhere): (Option<&Value>, Option<&SourcePlace>),
        terms: Terms,
    ) -> TestFailed {
        let is_assertion = seen
            .and_then(|seen| seen.term.as_ref())
            .map_or(TestValue::default(), |reason| asserted(reason, terms));
        let text = is_assertion.text.clone().unwrap_or_else(|| {
            if self.waits && self.reason == "exit timeout" {
                "its time was up".to_owned()
            } else if self.waits {
                "it was cancelled".to_owned()
            } else if seen.is_none_or(|seen| seen.term.is_none()) {
                let reason = match ended {
                    Some(reason) => without_stack(reason).shown(terms).to_string(),
                    None => self.reason.clone(),
                };
                let reason = cut(&safe(&reason), CHARS);
                let raised = elsewhere.map_or_else(String::new, |place| format!(", raised at {}", place.short()));
                format!("its process was ended: {reason}{raised}")
            } else {
                let said = seen.and_then(|seen| seen.said.as_deref());
                cut(&safe(said.unwrap_or(&self.reason)), CHARS)
            }
        });
        TestFailed {
            name: safe(&self.name),
            by_name: self.by_name,
            text,
            reason: safe(&self.reason),
            expected: is_assertion.expected,
            value: is_assertion.value,
        }
    }
}

/// The reason of an exit signal without the stack trace that it may have.
fn without_stack(reason: &Value) -> &Value {
    let is_frame = |item: &Value| matches!(item.tuple(), [Value::Atom(_), Value::Atom(_), _, Value::List(..)]);
    match reason.tuple() {
        [inner, Value::List(frames, None)] if frames.first().is_some_and(is_frame) => inner,
        _ => reason,
    }
}

/// What an assertion of ExUnit says: its sides, and its text.
fn compared(message: &Value, sides: &[(Value, Value)], terms: Terms) -> TestValue {
    let side = |name: &str| {
        let found = sides.iter().find(|(key, _)| key.is_atom(name));
        found.map(|(_, value)| cut(&value.shown(terms).to_string(), CHARS))
    };
    let (left, right) = (side("left"), side("right"));
    let message = message.characters().unwrap_or_default();
    let message = message.lines().next().unwrap_or_default();
    let said: Vec<String> = [("left", &left), ("right", &right)]
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}: {}", value.as_ref()?)))
        .collect();
    let text = match said.is_empty() {
        true => message.to_owned(),
        false => format!("{} ({message})", said.join(", ")),
    };
    TestValue {
        text: Some(cut(&text, CHARS)),
        ..TestValue::default()
    }
}

/// What an assertion of `assert.hrl` says: `{assertEqual,[{module,m},{line,7},{expression,"f ( )"},{expected,1},{value,2}]}`.
fn asserted(reason: &Value, terms: Terms) -> TestValue {
    if let [kind, message @ Value::Text(_), Value::Map(sides)] = reason.tuple()
        && kind.is_atom("assertion_failed")
    {
        return compared(message, sides, terms);
    }
    let [Value::Atom(kind), Value::List(pairs, None)] = reason.tuple() else {
        return TestValue::default();
    };
    let find = |name: &str| {
        pairs.iter().find_map(|pair| match pair.tuple() {
            [key, value] if key.is_atom(name) => Some(value),
            _ => None,
        })
    };
    let shown = |value: &Value| cut(&value.shown(terms).to_string(), CHARS);
    let get = |name: &str| find(name).map(shown);
    let plain = |name: &str| {
        let text = |value: &Value| {
            value
                .characters()
                .map_or_else(|| shown(value), |text| cut(&safe(&text), CHARS))
        };
        find(name).map(text)
    };
    let (expected, value) = (get("expected"), get("value"));
    let (shown, pattern, raised) = (
        plain("expression").unwrap_or_else(|| "the expression".to_owned()),
        plain("pattern"),
        get("unexpected_exception"),
    );
    let got = value.clone().or_else(|| get("not_boolean"));
    let text = match (&**kind, &expected, &got, &pattern) {
        ("assertEqual", Some(expected), Some(value), _) => format!("expected {expected}, got {value}"),
        ("assertNotEqual", _, Some(value), _) => format!("expected anything but {value}, got it"),
        ("assert" | "assertNot", Some(expected), Some(value), _) => {
            format!("expected {shown} to be {expected}, got {value}")
        }
        ("assertMatch", _, Some(value), Some(pattern)) => format!("expected a match of {pattern}, got {value}"),
        ("assertNotMatch", _, Some(value), Some(pattern)) => format!("expected no match of {pattern}, got {value}"),
        ("assertException", _, _, Some(pattern)) => match (get("unexpected_success"), raised) {
            (Some(value), _) => format!("expected the exception {pattern}, got the value {value}"),
            (None, Some(raised)) => format!("expected the exception {pattern}, got {raised}"),
            (None, None) => return TestValue::default(),
        },
        ("assertNotException", _, _, Some(pattern)) => match raised {
            Some(raised) => format!("expected no exception {pattern}, got {raised}"),
            None => return TestValue::default(),
        },
        _ => return TestValue::default(),
    };
    TestValue {
        text: Some(match plain("comment") {
            Some(comment) => format!("{text} ({comment})"),
            None => text,
        }),
        expected,
        value: got,
    }
}

/// Is it the failure of its process: an end by itself that is not normal, or the note that its test failed?
pub(crate) fn is_failure(kind: &Kind) -> bool {
    match kind {
        Kind::Exit { class } => *class != log_format::ExitClass::Normal,
        Kind::Test {
            note: TestNote::Failed { .. },
            ..
        } => true,
        _ => false,
    }
}

/// The part of a failure's reason that messages may be searched for. Of an assertion, only the values: the rest is the text of the program.
pub(crate) fn spoken(reason: &Value) -> Value {
    let (Some(Value::Atom(kind)), true) = (reason.tuple().first(), reason.tuple().len() > 1) else {
        return reason.clone();
    };
    let is_assertion = matches!(
        &**kind,
        "assert"
            | "assertNot"
            | "assertEqual"
            | "assertNotEqual"
            | "assertMatch"
            | "assertNotMatch"
            | "assertException"
            | "assertNotException"
            | "assertion_failed"
    );
    if !is_assertion {
        return reason.clone();
    }
    let Value::List(pairs, None) = &reason.tuple()[1] else {
        return Value::Tuple([].into());
    };
    let value = |name: &str| {
        pairs.iter().find_map(|pair| match pair.tuple() {
            [key, value] if key.is_atom(name) => Some(value.clone()),
            _ => None,
        })
    };
    Value::Tuple(["value", "expected"].into_iter().filter_map(value).collect())
}

/// The last actions of a test: the variables of the function that failed are taken from them.
pub(crate) fn last_actions(found: &Point, tested: &Tested) -> Vec<ActionId> {
    const LAST: u64 = 12;
    let first = tested.began.map_or(1, |began| began.number.0 + 1);
    let first = found.action.0.saturating_sub(LAST).max(first);
    (first..found.action.0).map(|n| ActionId::new(found.pid, n)).collect()
}

/// The exception has left the functions of the program when it is noted. So its activations are made from the stack trace; their variables are
/// those that the functions had at the last action before, where they were on the stack.
pub(crate) fn restore_frames(session: &Session, system: &mut System<Watcher>, found: &Point) {
    let own = |file: &str| session.sources().owns(file);
    let Some(noted) = system.observer.seen.get(&found.id()) else {
        return;
    };
    let places: Vec<_> = noted.raised.iter().filter(|place| own(&place.file)).cloned().collect();
    let earlier = |n: &u64| ActionId::new(found.pid, *n);
    let mut frames = Vec::new();
    for place in places {
        let last = (1..found.action.0).rev().take(24).find_map(|n| {
            let seen = system.observer.seen.get(&earlier(&n))?;
            let is_it = |frame: &&SeenFrame| {
                let there = frame.place.as_ref();
                there.is_some_and(|there| there.function == place.function)
            };
            seen.frames.iter().find(is_it).cloned()
        });
        frames.push(SeenFrame {
            variables: last.map_or_else(Vec::new, |frame| frame.variables),
            place: Some(place),
        });
    }
    if let Some(noted) = system.observer.seen.get_mut(&found.id())
        && !frames.is_empty()
    {
        noted.frames = frames;
    }
}

/// The group leaders that test runners gave their tests: what is printed goes to them, as messages that lead to nothing.
pub(crate) fn leaders(trace: &Trace) -> log_format::Result<FxHashSet<Pid>> {
    let mut found = FxHashSet::default();
    let mut runners: Vec<Pid> = causality::tests(trace)?.iter().map(|test| test.of).collect();
    runners.dedup();
    for pid in runners {
        let mut spawned = None;
        for item in trace.log(pid)?.without_values() {
            let (ActionNo(number), action) = item?;
            let leads = |access: &log_format::Access| access.write && access.resource == Resource::GroupLeader(pid);
            if let (Some((child, at)), true) = (spawned, action.accesses.iter().any(leads))
                && at + 1 == number
            {
                found.insert(child);
            }
            if let Kind::Spawn { child, .. } = action.kind {
                spawned = Some((child, number));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::term;

    #[test]
    fn of_an_assertion_only_the_values_are_searched_for() {
        let reason =
            term("{assertEqual,[{module,m},{line,7},{expression,\"f ( )\"},{expected,{ok,1}},{value,[{a,2}]}]}");
        assert_eq!(spoken(&reason), term("{[{a,2}],{ok,1}}"));
        assert_eq!(spoken(&term("{badmatch,1}")), term("{badmatch,1}"));
        assert_eq!(spoken(&term("{assert,[{module,m}]}")), term("{}"));
    }
}
