//! `replay summary`: what failed, and why, as Markdown; for GitHub Actions also as annotations.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::shared::Format;
use crate::cli::shared::TimeArgs;
use crate::commands::{Out, Working, open_session, why};
use crate::exit::Exit;
use crate::paint::Paint;
use crate::render;
use crate::render::text::Layout;
use crate::store::{self, Bare};
use crate::words::{count, path_argument};
use ::why::story::Why;
use clap::Args;
use decisive::Limits;
use session::Session;
use session::error::Error;
use session::subject::ShownBounds;

/// `replay summary`.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0, also if a folder is empty because nothing failed; 68 if there is no such folder, or other files in it, and no traces.

Example: replay summary --github _traces"
)]
pub struct SummaryArgs {
    /// Append the Markdown to the file that GITHUB_STEP_SUMMARY names, and print an annotation for each failure, as GitHub Actions reads them
    #[arg(long)]
    pub github: bool,
    #[command(flatten)]
    pub time: TimeArgs,
    /// The traces; a folder stands for all traces in it
    #[arg(value_name = "TRACE|FOLDER", default_value = crate::store::FOLDER)]
    pub places: Vec<PathBuf>,
}

/// Characters on a line of a story.
const WIDTH: usize = 100;
/// Limit: activations of the process, and items of a list, that a story shows.
const SHOWN: usize = 10;
/// Limit: failed tests of a trace of which other choices are tried.
const DECIDED: usize = 8;
/// Limit: bytes of the story of one failure. The rest is one command away.
const STORY: usize = 32 << 10;
/// Limit: bytes of what a step of a job may add to its page (GitHub: 1 MiB), with room for the last lines.
const PAGE: usize = (1 << 20) - 4096;

/// One trace of the summary, or one of several failed tests of a trace.
#[derive(Serialize)]
struct SummaryPart {
    trace: String,
    /// What is told of the trace, as a target, if that is not its only failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// What happened, in a line.
    headline: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    story: Option<Box<Why>>,
    /// Does the trace hold a failure, or can it not be read?
    failed: bool,
    /// There is no such file, or it may not be read.
    #[serde(skip)]
    is_out_of_reach: bool,
    /// The page beside the trace, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// Other traces with the same failure; their stories are not told again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
}

impl SummaryPart {
    /// What `replay` has to be given: the target, if there are several, and the trace.
    fn arguments(&self) -> String {
        match &self.target {
            Some(target) => format!("{} {}", log_format::quoted(target.as_ref()), self.trace),
            None => self.trace.clone(),
        }
    }

    /// The name of the trace, and of the failed test if there are several.
    fn title(&self) -> String {
        match self
            .target
            .as_deref()
            .map(|target| target.strip_prefix("test:").unwrap_or(target))
        {
            Some("error") | None => self.trace.clone(),
            Some(test) => format!("{test} in {}", self.trace),
        }
    }

    /// What equal failures have in common: what happened, where, and why. Numbers of processes are not compared.
    fn sort(&self) -> Option<(String, String, String, Option<&str>)> {
        let story = self.story.as_ref().filter(|_| self.failed)?;
        let place = story.process.frames.iter().find_map(|frame| frame.place.as_ref());
        let place = place.map(|place| format!("{}:{}", place.file, place.line));
        let likely = story.likely.as_ref().map(|likely| without_pids(&likely.text));
        Some((
            without_pids(&self.headline),
            place.unwrap_or_default(),
            likely.unwrap_or_default(),
            // Each failed test is told.
            story.test.as_ref().map(|test| test.name.as_str()),
        ))
    }
}

/// How many traces there are, and how many failed.
fn counted(parts: &[SummaryPart]) -> String {
    let traces = |parts: &mut dyn Iterator<Item = &SummaryPart>| {
        let mut traces: Vec<&str> = parts.map(|part| part.trace.as_str()).collect();
        // Those of a trace follow each other.
        traces.dedup();
        traces.len() as u64
    };
    let failed = traces(&mut parts.iter().filter(|part| part.failed));
    let failures = parts.iter().filter(|part| part.failed).count() as u64;
    let several = match failures > failed {
        true => format!(": {}", count(failures, "failure")),
        false => String::new(),
    };
    let all = count(traces(&mut parts.iter()), "trace");
    format!("{all}, {failed} with a failure{several}")
}

/// A text without the numbers of pids, such as `0.82.0`: they differ from run to run.
fn without_pids(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_part) {
        plain.push_str(&rest[..at]);
        let number = &rest[at..];
        let end = number.find(|c| !is_part(c)).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        plain.push_str(if number.trim_end_matches('.').matches('.').count() >= 2 {
            "#"
        } else {
            number
        });
        rest = after;
    }
    plain + rest
}

/// One part for each failure: the first trace of it, with the names of the others.
fn told_once(parts: Vec<SummaryPart>) -> Vec<SummaryPart> {
    let mut told: Vec<SummaryPart> = Vec::new();
    for part in parts {
        let sort = part.sort();
        match told.iter_mut().find(|other| sort.is_some() && other.sort() == sort) {
            Some(other) => other.also.push(part.title()),
            None => told.push(part),
        }
    }
    told
}

/// Runs `replay summary`.
///
/// # Errors
/// A folder cannot be read; an output cannot be written.
pub fn run(args: &SummaryArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let mut bare = Vec::new();
    let mut full = Vec::new();
    for place in &args.places {
        match store::bare(place)? {
            Some(why) => bare.push((place, why)),
            None => full.push(place),
        }
    }
    let limits = args.time.limits();
    let working = Working::begin();
    let parts: Vec<SummaryPart> = store::at(&full)?
        .iter()
        .flat_map(|trace| parts_of(trace, limits))
        .collect();
    drop(working);
    let exit = if full.is_empty() && bare.iter().any(|(_, why)| *why != Bare::Empty) {
        Exit::NoTraces
    } else if parts.iter().any(|part| part.is_out_of_reach) {
        Exit::NoInput
    } else {
        Exit::Success
    };
    // On standard error, so that what reads the summary is not disturbed.
    for (place, why) in &bare {
        let _ = writeln!(std::io::stderr(), "replay: {}", without(place, *why));
    }
    if out.format == Format::Json {
        crate::render::json::write(out.sink, &parts)?;
        out.sink.flush()?;
        return Ok(exit);
    }
    let page = args.github.then(|| std::env::var_os("GITHUB_STEP_SUMMARY")).flatten();
    let counted = counted(&parts);
    let parts = told_once(parts);
    match page.map(PathBuf::from) {
        Some(page) => append(&page, &parts, &counted)?,
        None => out.sink.write_all(markdown(&parts, &counted, PAGE).as_bytes())?,
    }
    if args.github {
        for part in parts.iter().filter(|part| part.failed) {
            writeln!(out.sink, "{}", annotation(part))?;
        }
    }
    out.sink.flush()?;
    Ok(exit)
}

/// Why a place has no traces.
fn without(place: &Path, why: Bare) -> String {
    let place = log_format::safe_path(place);
    match why {
        Bare::Absent => format!(
            "there are no traces: {place} does not exist; `tracer test` and `tracer hunt` make it, and keep the traces of failed runs in it"
        ),
        Bare::Empty => format!("there are no traces: {place} is empty, as a run leaves it in which nothing failed"),
        Bare::Other => format!("there are no traces in {place}, which has other files"),
    }
}

fn parts_of(trace: &Path, limits: Limits) -> Vec<SummaryPart> {
    match open_session(trace) {
        Ok(session) => of_targets(&session, ("error", limits), trace),
        Err(error) => vec![part_of(Err(error), (None, limits), trace)],
    }
}

/// The summary of one target of an open trace, called `trace`.
pub(crate) fn of(session: &Session, target: &str, trace: &Path) -> String {
    let parts = of_targets(session, (target, Limits::default()), trace);
    markdown(&parts, &counted(&parts), PAGE)
}

/// A part for each failure of a trace that is told, or one for a target that is not `error`.
fn of_targets(session: &Session, (target, limits): (&str, Limits), trace: &Path) -> Vec<SummaryPart> {
    let all = match target {
        "error" => causality::failures(session.trace()),
        _ => return vec![part_of(Ok(session.clone()), (Some(target), limits), trace)],
    };
    match all {
        Ok(all) if all.len() > 1 => {
            let shared = limits.shared(all.len());
            let part = |(at, target): (usize, &causality::Target)| {
                // The page is to be there in time: what decided the others is told by `why`.
                let limits = if at < DECIDED { shared } else { shared.nothing() };
                part_of(Ok(session.clone()), (Some(&target.to_string()), limits), trace)
            };
            all.iter().enumerate().map(part).collect()
        }
        Ok(_) => vec![part_of(Ok(session.clone()), (None, limits), trace)],
        Err(error) => vec![part_of(Err(Error::from(error).about(trace)), (None, limits), trace)],
    }
}

/// `target`: `None` for the only failure.
fn part_of(session: Result<Session, Error>, (target, limits): (Option<&str>, Limits), trace: &Path) -> SummaryPart {
    let told = session.and_then(|session| {
        let bounds = ShownBounds {
            chars: WIDTH,
            frames: SHOWN,
            items: SHOWN,
        };
        why::story(&session, (target.unwrap_or("error"), limits), trace, &bounds, false).map_err(|e| e.about(trace))
    });
    let is_out_of_reach = told.as_ref().is_err_and(|error| Exit::from(error) == Exit::NoInput);
    let (headline, story, failed) = match told {
        Ok(story) => (render::why::title(&story), Some(Box::new(story)), true),
        Err(Error::NoTarget(_)) => ("no failure".to_owned(), None, false),
        Err(error) => (error.to_string(), None, true),
    };
    SummaryPart {
        trace: path_argument(trace),
        target: target.map(str::to_owned),
        headline,
        story,
        failed,
        is_out_of_reach,
        page: Some(trace.with_extension("html"))
            .filter(|page| page.is_file())
            .map(|page| path_argument(&page)),
        also: Vec::new(),
    }
}

/// Appends the summary to the page of a step, as far as there is room.
fn append(page: &Path, parts: &[SummaryPart], counted: &str) -> Result<(), Error> {
    let unwritable = |error: std::io::Error| Error::Output {
        path: page.to_path_buf(),
        error: error.to_string(),
    };
    let used = std::fs::metadata(page).map_or(0, |meta| usize::try_from(meta.len()).unwrap_or(usize::MAX));
    let text = markdown(parts, counted, PAGE.saturating_sub(used));
    let file = std::fs::File::options().append(true).create(true).open(page);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(unwritable)
}

/// The summary, in at most about `room` bytes; `counted`: how many traces there are.
fn markdown(parts: &[SummaryPart], counted: &str, room: usize) -> String {
    if parts.is_empty() {
        return "## Recorded runs\n\nThere are no traces.\n".to_owned();
    }
    let mut text = format!("## Recorded runs\n\n{counted}.\n");
    let mut left_out = 0_u64;
    // What needs attention comes first.
    let (bad, good): (Vec<&SummaryPart>, Vec<&SummaryPart>) = parts.iter().partition(|part| part.failed);
    for part in bad.into_iter().chain(good) {
        let section = section(part);
        if text.len() + section.len() > room {
            left_out += 1;
        } else {
            text.push_str(&section);
        }
    }
    if left_out > 0 {
        let _ = writeln!(
            text,
            "\n… and {} that this page has no room for.",
            count(left_out, "more part")
        );
    }
    text
}

fn section(part: &SummaryPart) -> String {
    let mut text = format!("\n### {}\n\n{}\n", code(&part.title()), code(&part.headline));
    let Some(story) = &part.story else { return text };
    for one in render::why::heading(story) {
        let _ = match one.title {
            "" => writeln!(text, "\n{}", escaped(&one.text)),
            title => writeln!(text, "\n**{title}:** {}", escaped(&one.text)),
        };
    }
    for (title, said) in time(story) {
        let _ = writeln!(text, "\n**{title}:** {}.", escaped(said));
    }
    if !part.also.is_empty() {
        let also: Vec<String> = part.also.iter().take(SHOWN).map(|trace| code(trace)).collect();
        let more = if part.also.len() > SHOWN { ", …" } else { "" };
        let _ = writeln!(text, "\nThe same failure: {}{more}", also.join(", "));
    }
    let _ = writeln!(
        text,
        "\nReplay it: {}",
        code(&format!("replay why {}", part.arguments()))
    );
    if let Some(page) = &part.page {
        let _ = writeln!(text, "\nIts page, among the artifacts: {}", code(page));
    }
    let layout = Layout {
        paint: Paint::off(),
        width: WIDTH,
        all: false,
    };
    let mut told = Vec::new();
    if crate::render::why::why(&mut told, story, &layout).is_ok() {
        let told = String::from_utf8_lossy(&told);
        let told = crate::words::cut(&told, STORY);
        let fence = "`".repeat(longest_run_of_backticks(&told).max(2) + 1);
        let _ = writeln!(
            text,
            "\n<details><summary>The causes</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>",
            told.trim_end()
        );
    }
    text
}

/// What the failure needs of time and delivery, each with its title.
fn time(story: &Why) -> impl Iterator<Item = (&'static str, &str)> {
    let stall = story.stall.iter();
    stall.flat_map(|stall| {
        let delivery = stall.delivery.as_deref().map(|text| ("Delivery", text));
        std::iter::once(("Stall", stall.text.as_str())).chain(delivery)
    })
}

/// Text as Markdown shows it unchanged, on one line.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let ticks = "`".repeat(longest_run_of_backticks(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text in which Markdown and HTML see no marks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | ';' | '(' | ')' | '/' | '-' | '\'' | '"') {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}

/// A workflow command of GitHub Actions: an error at the place of the failure.
fn annotation(part: &SummaryPart) -> String {
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let place = part.story.as_ref().and_then(|story| {
        let frame = story.process.frames.iter().find_map(|frame| frame.place.as_ref())?;
        Some(format!(
            "file={},line={},col={},",
            property(&frame.file),
            frame.line,
            frame.column.max(1)
        ))
    });
    let heading = part
        .story
        .as_ref()
        .map(|story| render::why::heading(story))
        .map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    let likely = heading.filter(|text| !text.is_empty()).map(|text| format!("\n{text}"));
    let also = match part.also.len() {
        0 => String::new(),
        n => format!(" (and {})", count(n as u64, "more trace")),
    };
    let message = format!(
        "{}{}\nreplay why {}{also}",
        part.headline,
        likely.unwrap_or_default(),
        part.arguments()
    );
    format!(
        "::error {}title={}::{}",
        place.unwrap_or_default(),
        property(&format!("Recorded failure: {}", part.title())),
        data(&message)
    )
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_program_is_no_markup() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x`\n"), "`` `x`  ``");
        assert_eq!(escaped("<b> *x* [y]"), r"\<b\> \*x\* \[y\]");
        assert_eq!(data("50%\n::error"), "50%25%0A::error");
    }

    #[test]
    fn pids_make_no_other_failure() {
        assert_eq!(
            without_pids("0.82.0 failed with 1.5 in 3 s."),
            "# failed with 1.5 in 3 s."
        );
        assert_eq!(without_pids("by <0.5.0>"), "by <#>");
    }

    #[test]
    fn a_page_keeps_to_its_room() {
        let part = |n: usize| SummaryPart {
            trace: format!("_traces/{n}.trace"),
            target: None,
            headline: "x".repeat(100),
            story: None,
            failed: n.is_multiple_of(2),
            is_out_of_reach: false,
            page: None,
            also: Vec::new(),
        };
        let parts: Vec<SummaryPart> = (0..100).map(part).collect();
        let text = markdown(&parts, &counted(&parts), 5_000);
        assert!(text.len() < 5_100, "{}", text.len());
        assert!(text.contains("more parts that this page has no room for"), "{text}");
        // Failures come first.
        assert!(text.contains("_traces/0.trace") && !text.contains("_traces/1.trace"));
    }
}
