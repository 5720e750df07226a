//! The answer to `why` as text: what happened, the steps back, what could have come first, what else was required.

use report::{LeadKind, LeadWords, Title};
use std::io::{self, Write};

use crate::render::races::{self, at, who};
use crate::render::text::{Layout, commands, sentence, words, wrap};
use crate::view::{Act, ActKind};
use crate::words::{count, cut, number};
use ::why::changes::ABSENT;
use ::why::decided::Lead;
use ::why::story::{Because, Change, Got, Opening, TestFailed, Why};

mod beside;
mod lines;
mod link;
mod waits;

use beside::{failed, instead, never, overtaken, required, unseen};
use link::link;
use waits::{gave_up, waits};

/// Limit: characters of the variables of one place.
const STATE: usize = 240;
/// Limit: characters of a changed value.
const VALUE: usize = 60;
/// A message is never cut to fewer characters than this.
const LEAST: usize = 24;
/// Limit: lines of the variables of the target process.
const LINES: usize = 3;

/// Writes the answer to `why`.
///
/// # Errors
/// Those of the sink.
pub fn why(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    opening(out, &view.opening(), layout)?;
    why_it_happened(out, view, layout)
}

/// Writes the first line of the answer to `why`.
///
/// # Errors
/// Those of the sink.
pub fn opening(out: &mut dyn Write, opening: &Opening<'_>, layout: &Layout) -> io::Result<()> {
    let line = format!("{}: {}", opening.target, titled_as(opening));
    writeln!(out, "{}", layout.paint.bad(&limited(&line, 0, layout)))
}

/// Writes the answer to `why` without its first line.
///
/// # Errors
/// Those of the sink.
pub fn why_it_happened(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    happened(out, view, layout)?;
    waits(out, view, layout)?;
    // What the failure mentions comes first.
    unseen(out, view, true, layout)?;
    gave_up(out, view, true, layout)?;
    if !view.links.is_empty() {
        let title = if view.waits.is_empty() {
            "Because:"
        } else {
            "How it got there:"
        };
        writeln!(out, "\n{}", layout.paint.strong(title))?;
    }
    for (i, one) in view.links.iter().enumerate() {
        link(out, i + 1, one, layout)?;
    }
    if view.cut {
        let text = "    … and more steps before that; --all shows them";
        writeln!(out, "{}", layout.paint.faint(text))?;
    }
    unseen(out, view, false, layout)?;
    gave_up(out, view, false, layout)?;
    overtaken(out, view, layout)?;
    failed(out, view, layout)?;
    instead(out, view, layout)?;
    never(out, view, layout)?;
    required(out, view, layout)?;
    for note in &view.notes {
        writeln!(out, "\n{}", wrap(&sentence(note), layout.width))?;
    }
    let all = count(view.of_actions, "action");
    let of = match view.causes {
        n if view.beside.causes > 0 => format!(
            "{} of the run's {all} are causes of the program's own",
            number(n - view.beside.causes)
        ),
        1 if view.of_actions == 1 => "the only action of the run is the cause".to_owned(),
        n if n == view.of_actions => format!("all {all} of the run are causes"),
        1 => format!("1 of the run's {all} is a cause"),
        n => format!("{} of the run's {all} are causes", number(n)),
    };
    let mut text = format!("{of}, in {}", count(view.processes - view.beside.processes, "process"));
    if view.beside.causes > 0 {
        text += &format!("; {} more in Elixir, mix, ExUnit, Logger", number(view.beside.causes));
    }
    writeln!(out, "\n{}", layout.paint.faint(&text))?;
    commands(out, &view.next, layout)
}

pub use lines::lines;

/// A paragraph with a title.
fn titled(out: &mut dyn Write, title: &str, text: &str, layout: &Layout) -> io::Result<()> {
    let title = format!("{title}:");
    let text = wrap(&format!("{title} {text}"), layout.width.saturating_sub(2));
    let text = text.replacen(&title, &layout.paint.strong(&title), 1);
    writeln!(out, "{}", text.replace('\n', "\n  "))
}

/// A message and where it came from: `the cast stop (0.1.0 main/0, pool.erl:12)`.
fn message(got: &Got) -> String {
    let from = match &got.sent.place {
        Some(place) => at(place),
        None => got.sent.target.clone(),
    };
    match got.sent.kind {
        ActKind::Exit | ActKind::Signal => format!("the end of {} ({from})", who(&got.sent)),
        _ => {
            let what = got.sent.speech(false).noun();
            format!("{} ({}, {from})", cut(&what, VALUE), who(&got.sent))
        }
    }
}

/// What a message changed in a state.
fn changed(change: &Change) -> String {
    match (change.before.as_str(), change.after.as_str()) {
        (ABSENT, after) => format!("{} was added: {}", change.name, cut(after, VALUE)),
        (before, ABSENT) => format!("{} was removed (it was {})", change.name, cut(before, VALUE)),
        (before, after) => format!(
            "{} became {} (was {})",
            change.name,
            cut(after, VALUE),
            cut(before, VALUE)
        ),
    }
}

/// If what it had received was answered from a state: what had set that.
fn from_state(view: &Why) -> String {
    let mut links = view.links.iter();
    let answered = links
        .next()
        .is_some_and(|link| matches!(link.because, Because::Received | Because::Answered));
    let state = links.next().filter(|link| answered && link.because == Because::State);
    let Some((link, sent)) = state.and_then(|link| Some((link, link.sent.as_ref()?))) else {
        return String::new();
    };
    let Some(place) = sent.place.as_ref().or(sent.act.place.as_ref()) else {
        return String::new();
    };
    let what = sent.act.speech(false).noun();
    let change = link
        .changes
        .first()
        .map_or_else(String::new, |change| format!(": {}", changed(change)));
    format!(
        ", from a state that {} ({}, {}) had changed{change}",
        cut(&what, VALUE),
        who(&sent.act),
        at(place)
    )
}

/// Where the values of the failure came from.
fn data(view: &Why) -> String {
    let Some(origin) = &view.origin else {
        return String::new();
    };
    let mut text = String::new();
    let subject = match origin.own {
        true => "It".to_owned(),
        false => who(&origin.end),
    };
    let place = origin
        .end
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {}", at(place)));
    let first = if origin.first { " first" } else { "" };
    // That it had heard of an end says nothing of what it did then.
    // Nor does the answer of the runtime to what the process itself had asked for.
    let is_answer = |got: &&Got| got.sent.kind != ActKind::Send && got.sent.pid == got.act.pid;
    let tells =
        |got: &&Got| !is_answer(got) && (!origin.own || !matches!(got.sent.kind, ActKind::Exit | ActKind::Signal));
    let received = origin.received.as_ref().filter(tells).map(message);
    match (origin.own, received) {
        (true, None) => {}
        (true, Some(message)) => {
            let state = from_state(view);
            text.push_str(&format!(" It failed{place}, after it had received {message}{state}."));
        }
        (false, None) => text.push_str(&format!(" {subject} failed{first}{place}.")),
        (false, Some(message)) => {
            text.push_str(&format!(
                " {subject} failed{first}{place}, after it had received {message}."
            ));
        }
    }
    if let Some(inner) = &origin.inner {
        let name = inner.called();
        text.push_str(&format!(
            " Its reason holds an exception that was raised in {name} ({}).",
            at(inner)
        ));
    }
    for came in &origin.values {
        let what = match &came.variable {
            Some(name) => format!("{name} = {}", cut(&came.value, VALUE)),
            None => cut(&came.value, VALUE),
        };
        let name = came.from.called();
        text.push_str(&format!(
            " {what} came from {name} ({}), called at {}.",
            at(&came.from),
            at(&came.to)
        ));
    }
    if let Some(state) = &origin.state {
        let all: Vec<String> = state.changes.iter().map(changed).collect();
        let place = state
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!("at {}, ", at(place)));
        text.push_str(&format!(
            " Before that, {place}on {}: {}.",
            message(&state.got),
            all.join("; ")
        ));
    }
    let read = view
        .links
        .first()
        .filter(|link| link.because == Because::Read && origin.own);
    if let Some(link) = read
        && let (Some(read), Some(here)) = (&link.read, &link.act.place)
    {
        let sent = link
            .sent
            .as_ref()
            .and_then(|sent| sent.place.as_ref().or(sent.act.place.as_ref()));
        let deed = match read.found {
            ::why::reads::Found::Data if !read.by_end => "written",
            _ => "done",
        };
        let written = sent.map_or_else(String::new, |place| format!("; that was {deed} at {}", at(place)));
        text.push_str(&format!(" At {}, it had {read}{written}.", at(here)));
    }
    text
}

/// Where a likely cause stands.
#[derive(Clone, Copy)]
enum LikelyPlace {
    /// Without a choice that decided, or before it.
    Alone,
    /// After a choice that decided: it says what that means.
    Meaning,
    /// After a choice that decided, about something else.
    Beside,
}

/// Is it the failure, told again? Then it is no cause.
fn is_seen(likely: &::why::story::Diagnosis) -> bool {
    likely.pattern.is_fact()
}

/// What decided, what is likely, and what was tried.
#[must_use]
pub fn heading(view: &Why) -> Vec<LeadWords> {
    let mut all = causes(view);
    if let Some(timing) = &view.timing {
        // What decided comes first, and what was tried last.
        let leads = view.decided.as_ref().is_some_and(|decided| decided.lead == Lead::Flip);
        let at = usize::from(leads).min(all.len());
        let time = LeadWords {
            kind: LeadKind::Time,
            title: "Time (measured)",
            text: timing.text.clone(),
        };
        all.insert(at, time);
    }
    all
}

/// How a choice is called that decided.
const fn first_title(best: &decisive::Flip) -> &'static str {
    match (best.stall, best.otherwise.of) {
        (Some(_), _) => "Decisive only with a longer delay (tried)",
        // No other run was made that would say whether it was this choice, or a later one.
        (None, 0) => "Likely (tried once)",
        (None, _) => "Decisive (tried)",
    }
}

fn causes(view: &Why) -> Vec<LeadWords> {
    let mut all = Vec::new();
    let mut tell = |kind, title, text| all.push(LeadWords { kind, title, text });
    let likely = |place: LikelyPlace| {
        let likely = view.likely.as_ref()?;
        let (kind, title) = match (is_seen(likely), place) {
            (is_seen, LikelyPlace::Meaning) => (if is_seen { LeadKind::Seen } else { LeadKind::Likely }, "So"),
            (true, _) => (LeadKind::Seen, "Seen"),
            (false, LikelyPlace::Alone) => (LeadKind::Likely, "Likely cause"),
            (false, LikelyPlace::Beside) => (LeadKind::Likely, "Also likely"),
        };
        Some((kind, title, likely.text.clone()))
    };
    let alone = || likely(LikelyPlace::Alone).into_iter();
    let Some(decided) = &view.decided else {
        alone().for_each(|(kind, title, text)| tell(kind, title, text));
        return all;
    };
    if let Some(why) = &decided.untried {
        alone().for_each(|(kind, title, text)| tell(kind, title, text));
        tell(LeadKind::NotTried, "Nothing was tried", format!("{why}."));
        return all;
    }
    let decisive = LeadKind::Decisive;
    match (decided.lead, &decided.flip) {
        (Lead::Flip, Some(best)) => {
            let kind = match best.otherwise.of {
                0 => LeadKind::Likely,
                _ => decisive,
            };
            tell(kind, first_title(best), races::sentence(best));
            let place = match view.likely.as_ref().is_some_and(|likely| likely.is_about(best)) {
                true => LikelyPlace::Meaning,
                false => LikelyPlace::Beside,
            };
            likely(place)
                .into_iter()
                .for_each(|(kind, title, text)| tell(kind, title, text));
        }
        (Lead::Likely, Some(best)) => {
            alone().for_each(|(kind, title, text)| tell(kind, title, text));
            let title = match best.stall {
                None => "Also decisive (tried)",
                Some(_) => first_title(best),
            };
            tell(decisive, title, races::sentence(best));
        }
        (Lead::Together, _) => {
            let set = decided.answer.together.iter();
            let told = set
                .clone()
                .map(|set| (decisive, "Decisive together (tried)", races::together(set)));
            let mut flips = set.flat_map(|set| &set.choices);
            let is_about_it = |likely: &::why::story::Diagnosis| flips.any(|flip| likely.is_about(flip));
            // What it means for the values of the program says more.
            let all: Vec<(LeadKind, &'static str, String)> = match view.likely.as_ref().is_some_and(is_about_it) {
                true => alone().chain(told).collect(),
                false => told.chain(likely(LikelyPlace::Beside)).collect(),
            };
            all.into_iter().for_each(|(kind, title, text)| tell(kind, title, text));
        }
        (lead, _) => {
            alone().for_each(|(kind, title, text)| tell(kind, title, text));
            let none_passes = decided.answer.verdicts.passes == 0;
            let is_told = decided.answer.order_matters() || decided.answer.verdicts.moved > 0;
            if !none_passes {
                // A likely cause says more, and so do the times.
                if view.likely.as_ref().is_none_or(is_seen) && view.timing.is_none() {
                    let text = format!("{}.", races::undecided(&decided.answer));
                    tell(LeadKind::Tried, "Tried", text);
                }
            } else if lead != Lead::Nothing || is_told {
                let seen = view.likely.as_ref().is_none_or(is_seen);
                let first = view.origin.as_ref().is_some_and(|origin| !origin.own);
                let story = if seen || first { data(view) } else { String::new() };
                let of_time = view.likely.as_ref().is_some_and(|likely| likely.pattern.is_of_time());
                let tried = match of_time {
                    true => races::tried(&decided.answer),
                    false => races::summary(&decided.answer),
                };
                tell(LeadKind::Tried, "Tried", format!("{tried}.{story}"));
            } else if view.likely.is_none() && view.timing.is_none() {
                // What it failed on is known, however little was tried.
                let seen = data(view);
                if !seen.is_empty() {
                    tell(LeadKind::Seen, "Seen", seen.trim_start().to_owned());
                }
            }
        }
    }
    for earlier in &decided.chain {
        tell(decisive, "Before that", races::sentence(earlier));
    }
    for other in &decided.also {
        tell(decisive, "Also decisive", races::sentence(other));
    }
    let is_found = decided.flip.is_some() || decided.lead == Lead::Together;
    if let Some(text) = races::not_tried(&decided.answer).filter(|_| !is_found) {
        tell(LeadKind::NotTried, "", text);
    }
    all
}

/// What decided, as far as that was tried, and what is likely to be the cause.
fn decided(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    let all = heading(view);
    for one in &all {
        match one.title {
            "" => writeln!(out, "{}", wrap(&one.text, layout.width))?,
            title => titled(out, title, &one.text, layout)?,
        }
    }
    match view.decided.is_some() || !all.is_empty() {
        true => writeln!(out),
        false => Ok(()),
    }
}

fn limited(text: &str, indent: usize, layout: &Layout) -> String {
    if layout.all {
        text.to_owned()
    } else {
        cut(text, layout.width.saturating_sub(indent))
    }
}

/// What happened, in a line.
pub fn title(view: &Why) -> String {
    titled_as(&view.opening())
}

fn titled_as(opening: &Opening<'_>) -> String {
    // The target may be the name of the test.
    title_parts(opening, opening.test.is_none_or(|test| !test.by_name)).to_string()
}

/// The same in parts. `named`: with the name of a failed test.
fn title_parts(view: &Opening<'_>, named: bool) -> Title {
    let process = view.process;
    if let Some(test) = view.test {
        return Title {
            happened: match named && causality::is_of_exunit(&test.name) {
                true => failed_test(view, test, named),
                false => format!("test {}", failed_test(view, test, named)),
            },
            ..Title::default()
        };
    }
    let happened = match view.happened.kind {
        ActKind::Wait if view.waits => "waits for ever: nothing more can happen".to_owned(),
        ActKind::Wait => "waits".to_owned(),
        _ => words(view.happened),
    };
    Title {
        pid: Some(process.pid.clone()),
        name: process.name.as_ref().map(ToString::to_string),
        happened,
    }
}

fn happened(out: &mut dyn Write, view: &Why, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let process = &view.process;
    decided(out, view, layout)?;
    if let Some(stall) = &view.stall {
        titled(out, "Stall", &format!("{}.", stall.text), layout)?;
        if let Some(delivery) = &stall.delivery {
            titled(out, "Delivery", &format!("{delivery}."), layout)?;
        }
        writeln!(out)?;
    }
    if let Some(frame) = process.frames.first() {
        if let Some(place) = &frame.place {
            writeln!(out, "  in {}, {}:{}", place.called(), place.file, place.line)?;
        }
        for line in &frame.source {
            let text = limited(&format!("{:>5} | {}", line.line, line.text), 4, layout);
            if line.here {
                writeln!(out, "  {} {}", paint.target(">"), paint.strong(&text))?;
            } else {
                writeln!(out, "    {}", paint.faint(text.trim_end()))?;
            }
        }
        let known = frame.variables.iter();
        let state: Vec<(String, String)> = known.filter_map(|v| Some((v.name.clone(), v.value.clone()?))).collect();
        if !state.is_empty() {
            let text = wrap(&variables(&state), layout.width.saturating_sub(2));
            for line in text.lines().take(LINES) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    if process.mailbox_length > 0 && process.state != "ended" {
        let contents: Vec<String> = process.mailbox.iter().map(|m| m.content.noun(false)).collect();
        let text = format!("mailbox: {}", contents.join(", "));
        writeln!(out, "  {}", limited(&text, 2, layout))?;
    }
    Ok(())
}

/// `bank_tests:transfer_test failed at bank_tests.erl:12: expected 100, got 50`.
fn failed_test(view: &Opening<'_>, test: &TestFailed, named: bool) -> String {
    let place = view.process.frames.first().and_then(|frame| frame.place.as_ref());
    let place = place.map_or_else(String::new, |place| format!(" {}", at(place)));
    let place = match view.happened.kind {
        _ if place.is_empty() => place,
        ActKind::Wait => format!(" while it waited at{place}"),
        _ => format!(" at{place}"),
    };
    let name = if named {
        format!("{} ", causality::test_title(&test.name))
    } else {
        String::new()
    };
    format!("{name}failed{place}: {}", test.text)
}

fn variables(state: &[(String, String)]) -> String {
    let all: Vec<String> = state.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    cut(&all.join(", "), STATE)
}

/// The receiver of a message.
fn receiver_of(sent: &Act) -> String {
    let nobody = || "no existing process".to_owned();
    sent.peer.map_or_else(nobody, |pid| pid.to_string())
}

/// Writes a text under the line of a process, on as many lines as it needs.
fn whole(out: &mut dyn Write, text: &str, layout: &Layout) -> io::Result<()> {
    for line in wrap(text, layout.width.saturating_sub(7)).lines() {
        writeln!(out, "       {line}")?;
    }
    Ok(())
}
