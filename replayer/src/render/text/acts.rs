//! Actions as lines of text.

use log_format::InputClass;

use super::Layout;
use crate::view::{Act, ActKind, ActionRow, Purpose, SourcePlace};
use crate::words::{count, cut, number};
use session::shared::SharedUse;
use std::io::{self, Write};

/// Limit: columns of a process's label.
pub(super) const LABEL: usize = 28;

/// Limit: columns of a target.
pub(super) const TARGET: usize = 24;

/// Writes a list of actions.
///
/// # Errors
/// Those of the sink.
pub fn rows(out: &mut dyn Write, rows: &[ActionRow], layout: &Layout) -> io::Result<()> {
    let acts = || {
        rows.iter()
            .filter_map(|row| if let ActionRow::Act(act) = row { Some(act) } else { None })
    };
    let longest = |limit: usize, of: &dyn Fn(&Act) -> usize| acts().map(|act| of(act)).max().unwrap_or(0).min(limit);
    let columns = Columns {
        label: longest(LABEL, &|act| label(act).chars().count()),
        target: longest(TARGET, &|act| act.target.chars().count()),
        place: longest(layout.width / 3, &|act| {
            act.place.as_ref().map_or(0, |place| short_place(place).chars().count())
        }),
    };
    for row in rows {
        match row {
            ActionRow::Act(act) => writeln!(out, "{}", act_line(act, &columns, layout))?,
            ActionRow::Folded {
                folded_actions,
                folded_processes,
                folded: _,
            } => {
                let text = format!(
                    "  … {} of {}; --all shows them",
                    count_more(*folded_actions),
                    count(*folded_processes, "process")
                );
                writeln!(out, "{}", layout.paint.faint(&text))?;
            }
        }
    }
    Ok(())
}

pub(super) fn count_more(n: u64) -> String {
    if n == 1 {
        "1 more action".to_owned()
    } else {
        format!("{} more actions", number(n))
    }
}

pub(super) struct Columns {
    pub(super) label: usize,
    pub(super) target: usize,
    pub(super) place: usize,
}

pub(super) fn label(act: &Act) -> String {
    named(&act.pid.to_string(), act.name.as_deref())
}

pub(super) fn named(pid: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{pid} {name}"),
        None => pid.to_owned(),
    }
}

/// A place with only the last component of the file, for lists.
pub(super) fn short_place(place: &SourcePlace) -> String {
    let file = place.file_name();
    format!("{file}:{}", place.line)
}

pub(super) fn act_line(act: &Act, columns: &Columns, layout: &Layout) -> String {
    let paint = layout.paint;
    let label = pad(&cut(&label(act), columns.label), columns.label);
    let target = pad(&act.target, columns.target);
    let place = act.place.as_ref().map(short_place).unwrap_or_default();
    let used = 2 + columns.label + 2 + target.chars().count() + 2 + columns.place + 2;
    let room = layout.width.saturating_sub(used).max(16);
    let mut words = words(act);
    if !layout.all {
        words = cut(&words, room);
    }
    let words = if place.is_empty() { words } else { pad(&words, room) };
    let line = format!("{label}  {target}  {words}");
    if act.is_target {
        format!("{} {}  {}", paint.target(">"), paint.target(&line), paint.faint(&place))
            .trim_end()
            .to_owned()
    } else {
        let failed = matches!(act.kind, ActKind::Exit | ActKind::Signal) && act.content.is_some();
        let line = if failed { paint.bad(&line) } else { line };
        format!("  {line}  {}", paint.faint(&place)).trim_end().to_owned()
    }
}

pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// What an action does, as a verb phrase.
#[must_use]
pub fn words(act: &Act) -> String {
    let peer = act.peer.map(|pid| pid.to_string());
    let peer = peer.as_deref();
    let content = act.content.as_deref();
    let from = |peer: Option<&str>| peer.map(|p| format!(" from {p}")).unwrap_or_default();
    match act.kind {
        ActKind::Spawn => join("spawns", &[peer, content]),
        ActKind::SpawnFailed => join("fails to spawn on a missing node:", &[peer]),
        ActKind::Send => {
            let to = peer.map(|p| format!(" to {p}")).unwrap_or_default();
            format!("sends {}{to}", act.speech(false).noun())
        }
        ActKind::Rec => format!("receives {}{}", act.speech(false).noun(), from(peer)),
        ActKind::After if act.purpose == Some(Purpose::Look) => "finds no such message".to_owned(),
        ActKind::After => "times out in a receive".to_owned(),
        ActKind::Signal => {
            let reason = content.map(|c| format!(": {c}")).unwrap_or_default();
            format!("is ended by an exit signal{}{reason}", from(peer))
        }
        ActKind::Drop => match (&act.signal, content) {
            (Some(signal), _) => format!("cancels a monitor, alias or timer, and drops {signal}"),
            (None, Some(answer)) => format!("cancels a monitor, alias or timer; nothing to drop: {answer}"),
            (None, None) => "cancels a monitor, alias or timer; nothing to drop".to_owned(),
        },
        ActKind::Access => used(act),
        ActKind::Version => "sees another version of a module".to_owned(),
        ActKind::Start => join("starts a node", &[content]),
        ActKind::Nodes => "lists the nodes".to_owned(),
        ActKind::Observe => {
            let of = peer.map(|p| format!(" of {p}")).unwrap_or_default();
            match content {
                Some(content) => format!("observes the state{of}: {content}"),
                None if act.accesses.is_empty() => format!("observes the state{of}"),
                None => format!("observes the state{of}: {}", used(act)),
            }
        }
        ActKind::Input => input(act),
        ActKind::Output => join("prints", &[content]),
        ActKind::Halt => join("halts the system with status", &[content]),
        ActKind::Test => join("test", &[content]),
        ActKind::Exit => match content {
            Some(reason) => format!("ends: {reason}"),
            None => "ends normally".to_owned(),
        },
        ActKind::Wait => join("wait", &[peer, content]),
    }
}

fn input(act: &Act) -> String {
    let what = match act.input {
        Some(InputClass::Clock) => "reads the clock",
        Some(InputClass::Random) => "draws a random value",
        Some(InputClass::Unique) => "gets a unique value",
        Some(InputClass::System) => "reads system information",
        Some(InputClass::Env) => "reads the environment",
        Some(InputClass::File) => "reads or writes a file",
        Some(InputClass::Stdin) => "reads standard input",
        Some(InputClass::Arguments) => "reads the arguments",
        Some(InputClass::Command) => "runs a command",
        Some(InputClass::Choice) => "takes one of several values",
        None => "reads an input",
    };
    match &act.content {
        Some(value) => format!("{what}: {value}"),
        None => what.to_owned(),
    }
}

/// The informative uses of shared resources: the use of a key implies that its table exists.
#[must_use]
pub fn uses(act: &Act) -> Vec<&SharedUse> {
    let said = act.accesses.iter().filter(|used| !used.only_finds_table());
    let said: Vec<&SharedUse> = said.collect();
    if said.is_empty() {
        act.accesses.iter().collect()
    } else {
        said
    }
}

/// The same in words.
fn used(act: &Act) -> String {
    let texts: Vec<String> = uses(act).into_iter().map(SharedUse::to_string).collect();
    texts.join("; ")
}

pub(super) fn join(first: &str, rest: &[Option<&str>]) -> String {
    let mut out = first.to_owned();
    for part in rest.iter().flatten() {
        out.push(' ');
        out.push_str(part);
    }
    out
}
