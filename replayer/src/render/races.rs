//! The answer to `races` as text, and the sentence of a flip.

use std::io::{self, Write};

use decisive::answer::Bound;
use decisive::{Answer, Class, Flip, Outcome, Side, Tally, Together, Verdict};

use crate::commands::races::Races;
use crate::render::text::{Layout, commands, uses, wrap};
use crate::view::{Act, ActKind, Purpose, SourcePlace};
use crate::words::{count, cut, number};
use session::shared::{NamedResource, SharedKey, SharedUse};

/// Limit: characters of a message in a sentence.
pub(super) const MESSAGE: usize = 60;
/// Limit: flips of each kind that are shown.
const SHOWN: usize = 8;

/// Writes the answer to `races`.
///
/// # Errors
/// Those of the sink.
pub fn races(out: &mut dyn Write, view: &Races, layout: &Layout) -> io::Result<()> {
    let answer = &view.answer;
    let paint = layout.paint;
    writeln!(out, "{}", paint.bad(&format!("{}: {}", view.target, summary(answer))))?;
    let of = |verdict: Verdict| answer.decisive.iter().filter(move |flip| flip.verdict == verdict);
    let lists: [(&str, Vec<&Flip>); 5] = [
        (
            "Decisive: with the other order it does not fail.",
            of(Verdict::Passes).filter(|flip| flip.stall.is_none()).collect(),
        ),
        (
            "No single choice decides. With the other order, more continuations end well.",
            answer.leaning.iter().collect(),
        ),
        (
            "Moved: with the other order something else fails in the same way.",
            of(Verdict::Moved).collect(),
        ),
        ("With the other order it fails.", of(Verdict::Another).collect()),
        (
            "Only if something is held up for longer than in this run: with the other order it does not fail.",
            of(Verdict::Passes).filter(|flip| flip.stall.is_some()).collect(),
        ),
    ];
    for (title, flips) in lists {
        section(out, title, &flips, layout)?;
    }
    if let Some(set) = &answer.together {
        writeln!(out, "\n{}", layout.paint.strong("Decisive together:"))?;
        writeln!(out, "{}", wrap(&together(set), layout.width))?;
    }
    if layout.all {
        let title = match answer.fails {
            true => "Not decisive: it fails with the other order, too.",
            false => "It does not fail with the other order, either.",
        };
        section(out, title, &answer.others.iter().collect::<Vec<_>>(), layout)?;
    }
    if let Some(text) = not_tried(answer) {
        writeln!(out, "\n{}", wrap(&text, layout.width))?;
    }
    commands(out, &view.next, layout)
}

fn section(out: &mut dyn Write, title: &str, flips: &[&Flip], layout: &Layout) -> io::Result<()> {
    if flips.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.paint.strong(title))?;
    let shown = if layout.all { flips.len() } else { SHOWN };
    for flip in flips.iter().take(shown) {
        let text = wrap(&sentence(flip), layout.width.saturating_sub(5));
        for (j, line) in text.lines().enumerate() {
            match j {
                0 => writeln!(out, "{:>3}. {line}", flip.number)?,
                _ => writeln!(out, "     {line}")?,
            }
        }
    }
    if flips.len() > shown {
        writeln!(out, "     … and {} more; --all shows them", flips.len() - shown)?;
    }
    Ok(())
}

/// `23 other choices tried, 4 of them decisive`.
#[must_use]
pub fn summary(answer: &Answer) -> String {
    let text = tried(answer);
    match () {
        () if !answer.fails => text,
        () if answer.is_no_race() => format!("{text}: not a race"),
        () if answer.is_likely_no_race() => {
            format!("{text}, and {} fail in the same way: likely not a race", random(answer))
        }
        () => text,
    }
}

/// What was tried, without a judgement.
#[must_use]
pub fn tried(answer: &Answer) -> String {
    let tried = count(answer.flips, "other choice");
    if !answer.fails {
        return match (answer.flips, answer.verdicts.another) {
            (0, _) => "nothing could have come in another order".to_owned(),
            (_, 0) => format!("does not fail in any order tried ({tried})"),
            (_, n) => format!("{tried} tried; it fails after {}", number(n)),
        };
    }
    // What was not tried could avoid it.
    let part = "no other choice that was tried avoids it";
    let (none, always) = match answer.stopped {
        None | Some(Bound::Found | Bound::Test) => ("no single other choice avoids it", "fails in every order tried"),
        Some(_) => (part, part),
    };
    match answer.verdicts.passes {
        _ if answer.flips == 0 && answer.at_random.failed == answer.at_random.of && !answer.order_matters() => {
            "nothing could have come in another order".to_owned()
        }
        0 if answer.at_random.passed > 0 => format!(
            "{none} ({tried}); of {}, {} end well: the order matters",
            random(answer),
            number(answer.at_random.passed)
        ),
        0 if answer.verdicts.stalls > 0 => format!(
            "no other choice avoids it as easily as it happened ({tried}); {} only if something is held up for longer than in this run: whether the order \
             matters is not known",
            match answer.verdicts.stalls {
                1 => "1 avoids it, but".to_owned(),
                n => format!("{} avoid it, but", number(n)),
            }
        ),
        0 if answer.at_random.failed < answer.at_random.of => format!(
            "{always} ({tried}; of {}, {} fail for another reason)",
            random(answer),
            number(answer.at_random.of - answer.at_random.failed)
        ),
        0 if answer.verdicts.moved > 0 => format!(
            "{none} ({tried}), but with {} it fails elsewhere instead: whether the order matters is not known",
            number(answer.verdicts.moved)
        ),
        0 => format!("{always} ({tried})"),
        n => {
            let more = match answer.verdicts.stalls {
                0 => String::new(),
                m => format!(
                    ", {} more only if something is held up for longer than in this run",
                    number(m)
                ),
            };
            format!("{tried} tried, {} of them decisive{more}", number(n))
        }
    }
}

/// Where choices avoid the failure, but none of them decides.
#[must_use]
pub fn undecided(answer: &Answer) -> String {
    format!(
        "no single other choice decides ({}): where one avoids the failure, random runs end well about as often without it",
        count(answer.flips, "other choice")
    )
}

/// `20 random runs from the beginning`.
fn random(answer: &Answer) -> String {
    let runs = count(answer.at_random.of, "random run");
    match answer.random_from {
        0 => format!("{runs} from the beginning"),
        from => format!(
            "{runs} of the last {}",
            count(answer.actions.saturating_sub(from), "action")
        ),
    }
}

/// What was not tried.
#[must_use]
pub fn not_tried(answer: &Answer) -> Option<String> {
    let why = match answer.stopped? {
        Bound::Found => return None,
        Bound::Flips => format!("the limit of {} was reached", count(answer.flips, "other choice")),
        Bound::Work => format!(
            "the limit of work was reached, after {}",
            count(answer.flips, "other choice")
        ),
        Bound::Steps => "the continuations had made all their steps".to_owned(),
        Bound::Places => "all places that are looked at by default were looked at".to_owned(),
        Bound::Time => "the time was up, so the answer depends on the machine".to_owned(),
        Bound::Window => "the run is long".to_owned(),
        Bound::Test => {
            return Some("What came before the test began was not tried: a choice after that decides.".to_owned());
        }
        Bound::From => return Some("Only what led to this action was tried.".to_owned()),
    };
    Some(format!(
        "Not all was tried: {why}. Other choices were looked for at the {} nearest to {} in its story, of {}.",
        count(answer.places, "place"),
        if answer.fails { "the failure" } else { "this action" },
        count(answer.actions, "action")
    ))
}

/// A process, with its name if it has one.
pub(super) fn who(act: &Act) -> String {
    match &act.name {
        Some(name) => format!("{} {name}", act.pid),
        None => act.pid.to_string(),
    }
}

/// `account.erl:40`, without the folder.
pub(super) fn at(place: &SourcePlace) -> String {
    format!("{}:{}", place.file_name(), place.line)
}

pub(super) fn placed(act: &Act) -> String {
    act.place.as_ref().map_or_else(|| act.target.clone(), at)
}

/// Where one of the two was done: `account.erl:40, called at account.erl:11`.
pub(super) fn place_of(side: &Side, act: &Act) -> String {
    let mut text = match (&act.place, &side.last, &side.started) {
        (None, Some(last), _) => format!("{}, after {}", act.target, at(last)),
        (None, None, _) if side.root.is_some() => format!("{}{}", act.target, root(side)),
        (None, None, Some(started)) => format!("{}, of the process started at {}", act.target, at(started)),
        _ => placed(act),
    };
    if let Some(caller) = side.callers.first() {
        text.push_str(&format!(", called at {}", at(caller)));
    }
    text
}

/// What the program did that led to what the library did.
fn root(side: &Side) -> String {
    match &side.root {
        Some(root) => format!(", which goes back to {} at {}", who(root), placed(root)),
        None => String::new(),
    }
}

/// What a use of something shared was, if it was the end of a process.
fn ended(side: &Side, act: &Act, other: &Act) -> String {
    let (verb, by) = match (act.kind, &side.origin) {
        (ActKind::Signal, Some(origin)) => ("was ended", format!(", by {} at {}", who(origin), placed(origin))),
        _ => ("ended", String::new()),
    };
    let is_name = |thing: &NamedResource| matches!(thing, NamedResource::Name(_) | NamedResource::TableName(_));
    let shared = shared_uses(act, Some(other)).into_iter();
    let mut freed: Vec<String> = shared
        .filter(|(one, thing)| one.access.write && is_name(thing))
        .map(|(_, thing)| thing.called())
        .collect();
    freed.dedup();
    let frees = match freed.is_empty() {
        true => String::new(),
        false => cut(&format!(" and so freed {}", freed.join(" and ")), MESSAGE),
    };
    let place = match &act.place {
        Some(place) => at(place),
        None => act.target.clone(),
    };
    let after = match (&side.last, &act.place) {
        (_, Some(_)) => String::new(),
        (Some(last), None) => format!(", after {}", at(last)),
        (None, None) => match (&side.root, &side.started) {
            (None, Some(started)) => format!(", of the process started at {}", at(started)),
            _ => root(side),
        },
    };
    format!("{} {verb}{frees} ({place}{by}{after})", who(act))
}

/// A message as a noun, and where it came from.
pub(crate) fn message(side: &Side) -> (String, String) {
    let Some(act) = &side.act else {
        return ("a signal".to_owned(), String::new());
    };
    let noun = match act.kind {
        ActKind::Exit | ActKind::Signal => format!("the end of {}", who(act)),
        _ => cut(&act.speech(false).noun(), MESSAGE),
    };
    match (side.after, act.kind) {
        (Some(ms), _) => (
            format!("the timer {noun}"),
            format!(" (after {ms} ms, set at {})", place_of(side, act)),
        ),
        (None, ActKind::Exit | ActKind::Signal) if side.origin.is_some() => {
            let origin = side.origin.as_ref().unwrap_or(act);
            let here = act
                .place
                .as_ref()
                .map_or_else(String::new, |place| format!("{}, ", at(place)));
            let root = match origin.place {
                Some(_) => String::new(),
                None => root(side),
            };
            (
                noun,
                format!(" ({here}ended by {} at {}{root})", who(origin), placed(origin)),
            )
        }
        (None, ActKind::Exit | ActKind::Signal) => (noun, format!(" ({})", place_of(side, act))),
        (None, _) => (noun, format!(" ({}, {})", who(act), place_of(side, act))),
    }
}

/// What an action did with something shared that another one used too, if it is given: how, and what.
fn shared_uses<'a>(act: &'a Act, other: Option<&'a Act>) -> Vec<(&'a SharedUse, &'a NamedResource)> {
    let all = uses(act);
    let theirs = other.map_or_else(Vec::new, uses);
    let clash = |one: &&&SharedUse| {
        let same = |other: &&&SharedUse| other.access.resource == one.access.resource;
        let mut same = theirs.iter().filter(same);
        same.any(|other| other.access.write || one.access.write)
    };
    let mut shared: Vec<&SharedUse> = all.iter().filter(clash).copied().collect();
    if shared.is_empty() && !theirs.is_empty() && theirs.iter().all(|other| !other.access.write) {
        // One thing can be part of another, as a key of the contents of a table. A write is what the other one saw.
        shared = all.iter().filter(|one| one.access.write).copied().collect();
    }
    if shared.is_empty() {
        shared = all;
    }
    // A key that only the other one named is told as that one named it.
    let named = |one: &'a SharedUse| match one.resource.key() {
        Some(SharedKey::Hash(_)) => {
            let same = |other: &&&SharedUse| other.access.resource == one.access.resource;
            theirs.iter().find(same).map_or(&one.resource, |other| &other.resource)
        }
        _ => &one.resource,
    };
    shared.into_iter().map(|one| (one, named(one))).collect()
}

/// The same in words: `looks up the name server`.
pub(super) fn use_of(act: &Act, other: Option<&Act>) -> String {
    let shared = shared_uses(act, other).into_iter();
    let mut texts: Vec<String> = shared.map(|(one, thing)| one.deed.words(thing)).collect();
    texts.dedup();
    match texts.is_empty() {
        true => crate::render::text::words(act),
        false => cut(&texts.join("; "), MESSAGE),
    }
}

/// As [`orders`], of a receive that timed out, or found nothing.
fn instead_of_timeout(flip: &Flip, process: &str, here: &str) -> (String, String) {
    let (instead, by) = message(&flip.instead);
    // A receive of the library that only looks once more says nothing of how long the program waited.
    let waited = flip.made.after.filter(|ms| *ms > 0);
    let ms = waited.map_or_else(String::new, |ms| format!(" after {ms} ms"));
    let looks = flip.at.purpose == Some(Purpose::Look);
    let found_none = if looks { "found no such message" } else { "timed out" };
    (
        format!("{process} {found_none}{ms} at {here} before it took {instead}{by}"),
        format!("Had {instead} come first"),
    )
}

/// As [`orders`], of a process that an exit signal ended.
fn instead_of_end(flip: &Flip, process: &str, here: &str) -> (String, String) {
    let (made, by) = message(&flip.made);
    let first = match &flip.instead.act {
        Some(act) if flip.instead.only_then => {
            return (
                format!(
                    "{process} was ended at {here} by an exit signal: {made}{by} before its own unlink of that process ({})",
                    placed(act)
                ),
                "Had the unlink come first".to_owned(),
            );
        }
        Some(_) => {
            let (instead, by) = message(&flip.instead);
            let when = if flip.instead.taken { "right after" } else { "before" };
            format!(" {when} it took {instead}{by}")
        }
        None => String::new(),
    };
    (
        format!("{process} was ended at {here} by an exit signal: {made}{by}{first}"),
        "Had that come later".to_owned(),
    )
}

/// The order that was recorded, and the order that was tried.
fn orders(flip: &Flip) -> (String, String) {
    let process = who(&flip.at);
    let here = placed(&flip.at);
    match flip.class {
        Class::Message => {
            let ((made, made_by), (instead, instead_by)) = (message(&flip.made), message(&flip.instead));
            (
                format!("{process} took {made}{made_by} before {instead}{instead_by}, at {here}"),
                format!("Had {instead} come first"),
            )
        }
        Class::MessageForTimeout => instead_of_timeout(flip, &process, &here),
        Class::TimeoutForMessage => {
            let (made, by) = message(&flip.made);
            let ms = flip.instead.after.map_or_else(String::new, |ms| format!(" of {ms} ms"));
            (
                format!("{process} took {made}{by} before its timeout{ms}, at {here}"),
                "Had the timeout come first".to_owned(),
            )
        }
        Class::Signal => {
            let (instead, by) = message(&flip.instead);
            let other = |act: &&Act| act.target != flip.at.target;
            if flip.made.act.as_ref().filter(other).is_some() {
                let (made, made_by) = message(&flip.made);
                return (
                    format!(
                        "{process} took {made}{made_by} before the exit signal of {instead}{by} came, and went on at {here}"
                    ),
                    "Had the exit signal come first".to_owned(),
                );
            }
            (
                format!("{process} went on at {here} before the exit signal of {instead}{by} came"),
                "Had it come then".to_owned(),
            )
        }
        Class::NoSignal => instead_of_end(flip, &process, &here),
        Class::Access => {
            let first = flip.made.act.as_ref().unwrap_or(&flip.at);
            let second = flip.instead.act.as_ref().unwrap_or(&flip.at);
            let one = |side: &Side, act: &Act, other: &Act| match act.kind {
                ActKind::Exit | ActKind::Signal => ended(side, act, other),
                _ => format!("{} {} ({})", who(act), use_of(act, Some(other)), place_of(side, act)),
            };
            (
                format!(
                    "{} before {}",
                    one(&flip.made, first, second),
                    one(&flip.instead, second, first)
                ),
                format!("Had {} been first", who(second)),
            )
        }
        Class::Later => later(flip),
        Class::MessageLast => {
            let (made, made_by) = message(&flip.made);
            let first = match &flip.instead.act {
                Some(_) => format!(
                    " before {}{}, at {here}",
                    message(&flip.instead).0,
                    message(&flip.instead).1
                ),
                None => format!(" at {here} before all others that could come"),
            };
            (
                format!("{process} took {made}{made_by}{first}"),
                format!("Had {made} come only after all others that could come"),
            )
        }
        Class::Input if flip.at.native.is_some_and(|native| native.is_erlang("$order")) => (
            "the order in which ExUnit ran the tests".to_owned(),
            "In another order".to_owned(),
        ),
        Class::Input => (
            format!(
                "{process} got the input {} at {here}",
                cut(flip.at.content.as_deref().unwrap_or("(not recorded)"), MESSAGE)
            ),
            "With another value".to_owned(),
        ),
    }
}

/// As [`orders`], for an action that could have waited for the others.
fn later(flip: &Flip) -> (String, String) {
    let process = who(&flip.at);
    let here = placed(&flip.at);
    let first = match flip.at.kind {
        ActKind::Rec => {
            let (made, by) = message(&flip.made);
            format!("{process} took {made}{by} at {here}")
        }
        _ => format!("{process} {} ({here})", use_of(&flip.at, flip.instead.act.as_ref())),
    };
    let then = match &flip.instead.act {
        Some(act) if flip.instead.only_then => format!(
            "what {} would have done then: it {} ({})",
            who(act),
            use_of(act, Some(&flip.at)),
            placed(act)
        ),
        Some(act) => format!(
            "{} {} ({})",
            who(act),
            use_of(act, Some(&flip.at)),
            place_of(&flip.instead, act)
        ),
        None => "the others had done all they could".to_owned(),
    };
    (
        format!("{first} before {then}"),
        "Had it come only after all that the others could do".to_owned(),
    )
}

fn result(flip: &Flip) -> String {
    let text = came_to(&flip.outcome, flip.verdict);
    // Of most continuations that is not so.
    match flip.verdict == Verdict::Passes && flip.otherwise.passed * 2 < flip.otherwise.of {
        true => text.replacen("would have", "could have", 1),
        false => text,
    }
}

/// What a run would have come to.
fn came_to(outcome: &Outcome, verdict: Verdict) -> String {
    match (outcome, verdict) {
        (Outcome::Returned(value), _) => match value.as_str() {
            "" => "the run would have ended well".to_owned(),
            value => format!("the run would have returned {}", cut(value, MESSAGE)),
        },
        (Outcome::Crashed { pid, reason }, Verdict::Same) => format!("{pid} would have failed, too: {reason}"),
        (Outcome::Crashed { pid, reason }, _) => format!("{pid} would have failed: {reason}"),
        (Outcome::Waits, Verdict::Passes) => "the run would have gone on without the failure".to_owned(),
        (Outcome::Waits, _) => "the run would wait for ever".to_owned(),
        (Outcome::Halted(status), _) => format!("the run would have halted with {status}"),
        (Outcome::TestPasses(_), _) => "the test would have passed".to_owned(),
        (Outcome::Lacks(name), _) => {
            format!(
                "it is not known how the run would have ended: it would have called {name}, which the trace has not"
            )
        }
        (Outcome::GoesOn, _) => "the run would have gone on without the failure, as far as it was followed".to_owned(),
        (Outcome::Unknown, _) => "the run would not have ended within the limits".to_owned(),
    }
}

fn evidence(flip: &Flip) -> String {
    let (other, recorded) = (flip.otherwise, flip.as_recorded);
    // The sentence before it may be about one that failed.
    let ended = if flip.verdict == Verdict::Passes {
        ""
    } else {
        " end well"
    };
    let tried = match (other.of, recorded.of) {
        (0, _) => match flip.apart {
            0 => String::new(),
            ms => format!("they were {ms} ms apart"),
        },
        (n, 0) => format!("{} of {n} continuations{ended}", other.passed),
        (n, m) => format!(
            "{} of {n} continuations{ended}; as recorded, {} of {m}",
            other.passed, recorded.passed
        ),
    };
    let all: Vec<String> = [tried, stall(flip)].into_iter().filter(|one| !one.is_empty()).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" ({})", all.join("; ")),
    }
}

/// Choices that decide together.
#[must_use]
pub fn together(set: &Together) -> String {
    let orders: Vec<(String, String)> = set.choices.iter().map(orders).collect();
    let result = came_to(&set.outcome, Verdict::Passes);
    let share = |tally: Tally| format!("{} of {}", tally.passed, tally.of);
    let with = share(set.otherwise);
    if let (Some(_), [(recorded, other)]) = (set.each, orders.as_slice()) {
        return format!(
            "{recorded}. This choice comes up more than once, and no single one of them avoids the failure. {other} each time, {result} ({with} continuations; \
             in the recorded order each time, {}).",
            share(set.without)
        );
    }
    let many = match orders.len() {
        2 => "Two",
        3 => "Three",
        _ => "Several",
    };
    let all: Vec<&str> = orders.iter().map(|(recorded, _)| recorded.as_str()).collect();
    format!(
        "{many} choices decide together: {}. With the other order each time, {result} ({with} continuations{}.",
        all.join("; and "),
        left_out(set.without)
    )
}

/// What random continuations without the last of several choices say. Where some end well, the first choices make that likelier already.
fn left_out(without: Tally) -> String {
    let fails = "; with any of them left out, it fails";
    match without {
        Tally { of: 0, .. } => format!("){fails}"),
        Tally { of, passed: 0, .. } => format!("; without the last, 0 of {of}){fails}"),
        Tally { of, passed, .. } => format!("; without the last, {passed} of {of})"),
    }
}

/// That it needs a longer stall than the recorded run.
fn stall(flip: &Flip) -> String {
    let Some(stall) = flip.stall else {
        return String::new();
    };
    let recorded = match stall.recorded {
        0 => "this run needed none".to_owned(),
        ms => format!("this run needed {ms} ms"),
    };
    match stall.ms {
        Some(ms) => format!("something must be held up for {ms} ms for that, and {recorded}"),
        None => "no order of arrival allows that".to_owned(),
    }
}

/// A flip in two sentences: the order that was recorded, and what the other one would have led to.
#[must_use]
pub fn sentence(flip: &Flip) -> String {
    let (recorded, other) = orders(flip);
    format!("{recorded}. {other}, {}{}.", result(flip), evidence(flip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_it_fails_without_a_choice_is_said_only_if_no_run_without_it_ends_well() {
        let tally = |passed| Tally {
            of: 10,
            passed,
            failed: 10 - passed,
        };
        let fails = |tally| left_out(tally).ends_with("it fails");
        assert!(fails(tally(0)) && fails(Tally::default()) && !fails(tally(5)));
        assert_eq!(left_out(tally(5)), "; without the last, 5 of 10)");
    }
}
