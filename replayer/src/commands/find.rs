//! `replay find`: everything in a run that matches a pattern or contains a text, each as a target. One replay, and nothing is kept but the hits.

use std::io::Write;

use log_format::{Kind, Pid, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::cli::shared::ShowArgs;
use crate::commands::{Out, open_session};
use crate::exit::Exit;
use crate::render::text::Layout;
use crate::words::{count, cut, number, path_argument};
use clap::Args;
use session::error::Error;
use session::predicate::Predicate;
use session::watch::{DoneAction, Every};
use session::{Goal, Session};
use std::path::PathBuf;
use system::whole_number;

/// `replay find`.
#[derive(Args, Debug)]
#[command(
    after_help = "PATTERN is an Erlang pattern, with or without a guard, as for --where; records of the program can be used: '#order{id = 7}',
'{add, N} when N > 3'. The request of a gen_server call or cast is looked at, too, and so is the reason of an error without its stack.

Example: replay find '{add, _}' my.bin"
)]
pub struct FindArgs {
    /// The pattern
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pub pattern: String,
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// PATTERN is a text: find what contains it when it is printed
    #[arg(long)]
    pub text: bool,
    /// Show so many hits; all are counted [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number(0..=u64::MAX))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Limits: characters of a term that are searched for a text, and that are shown in JSON.
const SEARCHED: usize = 10_000;
/// Hits in the text, if no limit is given.
pub const HITS: u64 = 100;

/// What is looked for.
enum FindWanted {
    Pattern(Box<Predicate>),
    Text(String),
}

/// What matched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Hit {
    /// The action as a target: of a message, its send, if the log has that.
    target: String,
    /// `message`, `input`, `output` or `end`.
    what: &'static str,
    pid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Of a message that was sent: the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// Of a message whose send is not in the log: who sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// Of a message that was sent: its receive, as a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<String>,
    content: String,
    /// `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct FindAnswer {
    pattern: String,
    /// Actions that were looked at.
    actions: u64,
    /// How many match.
    total: u64,
    /// The first of them, in causal order.
    hits: Vec<Hit>,
}

/// Runs `replay find`.
///
/// # Errors
/// The pattern is not Erlang; everything of [`Error`].
pub fn run(args: &FindArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let session = open_session(&args.trace)?;
    let wanted = match args.text {
        true => FindWanted::Text(args.pattern.clone()),
        false => FindWanted::Pattern(Box::new(
            Predicate::pattern(&args.pattern, session.program(), session.sources()).map_err(|error| match error {
                Error::Usage(text) => Error::Usage(format!("{text}; --text looks for a text instead")),
                error => error,
            })?,
        )),
    };
    let limit = args.limit.unwrap_or(HITS);
    let view = find(&session, wanted, &args.pattern, limit).map_err(|e| e.about(&args.trace))?;
    out.view(&view, args.show, |sink, view, layout| text(sink, view, layout, args))?;
    Ok(Exit::Success)
}

fn find(session: &Session, mut wanted: FindWanted, pattern: &str, limit: u64) -> Result<FindAnswer, Error> {
    let trace = session.trace();
    let mut search = FindSearch {
        session,
        limit,
        total: 0,
        hits: Vec::new(),
        open: FxHashSet::default(),
        matched: FxHashMap::default(),
        bases: FxHashMap::default(),
        failed: None,
    };
    let tell = |told: &DoneAction<'_>| {
        if let Err(error) = search.look(told, &mut wanted) {
            search.failed.get_or_insert(error);
        }
    };
    drop(session.replay(&Goal::everything(), Every { tell })?);
    match search.failed {
        Some(error) => Err(error),
        None => Ok(FindAnswer {
            pattern: pattern.to_owned(),
            actions: trace.totals().counts.actions,
            total: search.total,
            hits: search.hits,
        }),
    }
}

struct FindSearch<'s> {
    session: &'s Session,
    limit: u64,
    total: u64,
    hits: Vec<Hit>,
    /// Messages that did not match when they were sent, and arrive as they are.
    open: FxHashSet<Tag>,
    /// Messages that matched when they were sent, each with its hit, if that is shown; and whether it arrives as it is: that of a timer can be wrapped.
    matched: FxHashMap<Tag, (Option<usize>, bool)>,
    /// The number of receives before a process.
    bases: FxHashMap<Pid, u64>,
    failed: Option<Error>,
}

impl FindSearch<'_> {
    fn look(&mut self, told: &DoneAction<'_>, wanted: &mut FindWanted) -> Result<(), Error> {
        let what = match told.event.action.kind {
            Kind::Send | Kind::Rec(_) => "message",
            Kind::Input { .. } => "input",
            Kind::Output { .. } => "output",
            Kind::Exit { .. } | Kind::Signal { .. } => "end",
            _ => return Ok(()),
        };
        if let Kind::Rec(tag) = told.event.action.kind {
            if self.open.remove(&tag) {
                return Ok(());
            }
            if let Some((hit, is_plain)) = self.matched.remove(&tag) {
                if let Some(hit) = hit {
                    self.hits[hit].received = Some(self.target(told)?);
                }
                if is_plain {
                    return Ok(());
                }
            }
        }
        let matches = match wanted {
            FindWanted::Text(text) => told
                .content(SEARCHED)
                .is_some_and(|content| content.contains(text.as_str())),
            FindWanted::Pattern(pattern) => told.terms().iter().any(|term| pattern.matches(term)),
        };
        let (sent, is_plain) = (told.sent(), told.is_plain_send());
        if !matches {
            self.open.extend(sent.filter(|_| is_plain));
            return Ok(());
        }
        self.total += 1;
        let shown = (self.hits.len() as u64) < self.limit;
        if let Some(tag) = sent {
            self.matched.insert(tag, (shown.then_some(self.hits.len()), is_plain));
        }
        if shown {
            let hit = self.hit(told, what)?;
            self.hits.push(hit);
        }
        Ok(())
    }

    fn target(&mut self, told: &DoneAction<'_>) -> Result<String, Error> {
        let pid = told.event.pid;
        let base = match self.bases.get(&pid) {
            Some(base) => *base,
            None => {
                let base = self.session.trace().process(pid)?.base;
                self.bases.insert(pid, base);
                base
            }
        };
        Ok(session::name::target(pid, told.event.action, &told.tally, base))
    }

    fn hit(&mut self, told: &DoneAction<'_>, what: &'static str) -> Result<Hit, Error> {
        let is_send = matches!(told.event.action.kind, Kind::Send);
        let peer = told.peer().map(|pid| pid.to_string());
        let (to, from) = match is_send {
            true => (peer, None),
            false => (None, peer),
        };
        Ok(Hit {
            target: self.target(told)?,
            what,
            pid: told.event.pid.to_string(),
            name: told.runs(),
            to,
            from,
            received: None,
            content: told.content(SEARCHED).unwrap_or_default().text,
            place: told.place().map(|place| format!("{}:{}", place.file, place.line)),
        })
    }
}

fn text(sink: &mut dyn Write, found: &FindAnswer, layout: &Layout, args: &FindArgs) -> std::io::Result<()> {
    let paint = layout.paint;
    for hit in &found.hits {
        let name = hit.name.as_deref().map_or_else(String::new, |name| format!(" {name}"));
        let peer = match (&hit.to, &hit.from) {
            (Some(to), _) => format!(" to {to}"),
            (None, Some(from)) => format!(" from {from}"),
            (None, None) => String::new(),
        };
        let place = hit
            .place
            .as_deref()
            .map_or_else(String::new, |place| format!(", {place}"));
        let received = match (&hit.received, &hit.to) {
            (Some(target), _) => format!(", {target}"),
            (None, Some(_)) => ", never received".to_owned(),
            (None, None) => String::new(),
        };
        let what = if hit.what == "message" { "" } else { hit.what };
        let space = if what.is_empty() { "" } else { " " };
        writeln!(
            sink,
            "{:<18}  {what}{space}{}{name}{peer}{received}{place}",
            paint.strong(&hit.target),
            hit.pid
        )?;
        let room = if layout.all {
            usize::MAX
        } else {
            layout.width.saturating_sub(4)
        };
        writeln!(sink, "    {}", cut(&hit.content, room))?;
    }
    let shown = found.hits.len() as u64;
    let looked = count(found.actions, "action");
    match (found.total, shown) {
        (0, _) => writeln!(sink, "nothing matches, in {looked}"),
        (total, shown) if shown < total => writeln!(
            sink,
            "{} in {looked}; the first {} are shown (--limit)",
            count(total, "hit"),
            number(shown)
        ),
        (total, _) => writeln!(sink, "{} in {looked}", count(total, "hit")),
    }?;
    if let Some(first) = found.hits.first() {
        writeln!(sink, "  replay why {} {}", first.target, path_argument(&args.trace))?;
    }
    Ok(())
}
