//! The answer to `--until` as text: heading, causes, the process at the target, what was printed.

use std::io::{self, Write};

use crate::paint::Paint;
use crate::view::{Act, ActKind, Consequences, Diff, Frame, Place, Printed, Process, Replay, Row, Variable};
use crate::words::{count, cut, duration, number, safe};

/// How text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Colours.
    pub paint: Paint,
    /// Characters on a line.
    pub width: usize,
    /// Nothing is left out.
    pub all: bool,
}

/// Lines of output of one process that are shown.
const OUTPUT_LINES: usize = 20;
/// Processes of which something was undone or depends on something, that are shown.
const SUFFIXES: usize = 20;
/// Columns of the label of a process, at most.
const LABEL: usize = 28;
/// Columns of a target, at most.
const TARGET: usize = 24;

/// Writes the answer to `--until`.
///
/// # Errors
/// Those of the sink.
pub fn replay(out: &mut dyn Write, view: &Replay, layout: &Layout) -> io::Result<()> {
    heading(out, view, layout)?;
    if !view.undone.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", layout.paint.strong("undone on the way back:"))?;
        suffixes(out, &view.undone, layout)?;
    }
    if !view.causes.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", layout.paint.strong("causes, in causal order:"))?;
        rows(out, &view.causes, layout)?;
    }
    if let Some(subject) = &view.process {
        writeln!(out)?;
        process(out, subject, layout)?;
    }
    output(out, &view.output, layout)?;
    for note in &view.notes {
        writeln!(out, "\n{}", wrap(note, layout.width))?;
    }
    if !view.next.is_empty() {
        writeln!(out)?;
        commands(out, &view.next, layout)?;
    }
    Ok(())
}

fn heading(out: &mut dyn Write, view: &Replay, layout: &Layout) -> io::Result<()> {
    let Replay { replayed, of, .. } = view;
    let what = match (&view.target, view.way.as_slice()) {
        (_, [_, _, ..]) => format!("replayed {}", safe(&view.way.join(", then "))),
        (Some(target), _) => format!("replayed up to {target}"),
        (None, _) => "replayed the whole run".to_owned(),
    };
    writeln!(
        out,
        "{}: {} of {} actions, {} of {} processes, in {}",
        layout.paint.strong(&what),
        number(replayed.actions),
        number(of.actions),
        number(replayed.processes),
        number(of.processes),
        duration(view.seconds)
    )
}

/// Writes a list of actions.
///
/// # Errors
/// Those of the sink.
pub fn rows(out: &mut dyn Write, rows: &[Row], layout: &Layout) -> io::Result<()> {
    let acts = || {
        rows.iter()
            .filter_map(|row| if let Row::Act(act) = row { Some(act) } else { None })
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
            Row::Act(act) => writeln!(out, "{}", act_line(act, &columns, layout))?,
            Row::Folded {
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

fn count_more(n: u64) -> String {
    if n == 1 {
        "1 more action".to_owned()
    } else {
        format!("{} more actions", number(n))
    }
}

struct Columns {
    label: usize,
    target: usize,
    place: usize,
}

fn label(act: &Act) -> String {
    named(&act.pid.to_string(), act.name.as_deref())
}

fn named(pid: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{pid} {name}"),
        None => pid.to_owned(),
    }
}

/// Files are shown by their last component in lists.
fn short_place(place: &Place) -> String {
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    format!("{file}:{}", place.line)
}

fn act_line(act: &Act, columns: &Columns, layout: &Layout) -> String {
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

fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// What an action did, as a verb phrase.
#[must_use]
pub fn words(act: &Act) -> String {
    let peer = act.peer.map(|pid| pid.to_string());
    let peer = peer.as_deref();
    let content = act.content.as_deref();
    let from = |peer: Option<&str>| peer.map(|p| format!(" from {p}")).unwrap_or_default();
    match act.kind {
        ActKind::Spawn => join("spawns", &[peer, content]),
        ActKind::SpawnFailed => join("spawns on an absent node, in vain:", &[peer]),
        ActKind::Send => {
            let to = peer.map(|p| format!(" to {p}")).unwrap_or_default();
            format!("sends {}{to}", content.unwrap_or("a message"))
        }
        ActKind::Rec => format!("receives {}{}", content.unwrap_or("a message"), from(peer)),
        ActKind::After => "its receive times out".to_owned(),
        ActKind::Signal => {
            let reason = content.map(|c| format!(": {c}")).unwrap_or_default();
            format!("is ended by an exit signal{}{reason}", from(peer))
        }
        ActKind::Drop => match (&act.signal, content) {
            (Some(signal), _) => format!("drops the signal {signal}"),
            (None, Some(answer)) => format!("asks to drop a signal that is not there: {answer}"),
            (None, None) => "asks to drop a signal that is not there".to_owned(),
        },
        ActKind::Access => uses(act).join(", "),
        ActKind::Start => join("starts a node", &[content]),
        ActKind::Nodes => "lists the nodes".to_owned(),
        ActKind::Observe => {
            let of = peer.map(|p| format!(" of {p}")).unwrap_or_default();
            match content {
                Some(content) => format!("looks at the state{of}: {content}"),
                None if act.accesses.is_empty() => format!("looks at the state{of}"),
                None => format!("looks at the state{of}: {}", uses(act).join(", ")),
            }
        }
        ActKind::Input => join("obtains", &[content.or(Some("a value from outside"))]),
        ActKind::Output => join("prints", &[content]),
        ActKind::Halt => join("halts the system with status", &[content]),
        ActKind::Exit => match content {
            Some(reason) => format!("ends: {reason}"),
            None => "ends normally".to_owned(),
        },
        ActKind::Wait => join("wait", &[peer, content]),
    }
}

/// The uses of shared things that say something: that a table is there goes without saying where a key of it is used.
#[must_use]
pub fn uses(act: &Act) -> Vec<&str> {
    let is_there = |text: &&str| {
        text.starts_with("reads table(") && !text.contains(", key ")
            || text.starts_with("reads ets:") && !text.ends_with("writes it")
    };
    let all = || act.accesses.iter().map(String::as_str);
    let said: Vec<&str> = all().filter(|text| !is_there(text)).collect();
    if said.is_empty() { all().collect() } else { said }
}

fn join(first: &str, rest: &[Option<&str>]) -> String {
    let mut out = first.to_owned();
    for part in rest.iter().flatten() {
        out.push(' ');
        out.push_str(part);
    }
    out
}

/// Writes a process.
///
/// # Errors
/// Those of the sink.
pub fn process(out: &mut dyn Write, view: &Process, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    let title = format!("process {}", named(&view.pid, view.name.as_deref()));
    let after = format!(
        "after {} of its {}",
        number(view.actions),
        count(view.of_actions, "action")
    );
    writeln!(out, "{}, {after}: {}", paint.strong(&title), view.state)?;
    if let Some(reason) = &view.reason {
        writeln!(
            out,
            "  {}",
            paint.bad(&limited(&format!("reason: {reason}"), layout, 2))
        )?;
    }
    for (i, f) in view.frames.iter().enumerate() {
        frame(out, f, i == 0, layout)?;
    }
    let hidden = view.depth.saturating_sub(view.frames.len() as u64);
    if hidden > 0 {
        let text = format!(
            "  … called through {}; --all shows them",
            count(hidden, "more function")
        );
        writeln!(out, "{}", paint.faint(&text))?;
    }
    if view.state != "ended" {
        mailbox(out, view, layout)?;
    }
    let facts = [
        ("registered as", &view.names),
        ("linked to", &view.links),
        ("monitors", &view.monitors),
    ];
    for (what, list) in facts {
        if !list.is_empty() {
            writeln!(out, "  {}", limited(&format!("{what}: {}", list.join(", ")), layout, 2))?;
        }
    }
    if view.trap_exit {
        writeln!(out, "  traps exits")?;
    }
    if !view.dictionary.is_empty() {
        writeln!(out, "  process dictionary:")?;
        variables(out, &view.dictionary, layout)?;
    }
    Ok(())
}

fn limited(text: &str, layout: &Layout, indent: usize) -> String {
    if layout.all {
        text.to_owned()
    } else {
        cut(text, layout.width.saturating_sub(indent))
    }
}

fn frame(out: &mut dyn Write, frame: &Frame, innermost: bool, layout: &Layout) -> io::Result<()> {
    let paint = layout.paint;
    match &frame.place {
        Some(Place {
            file,
            line,
            column,
            function,
        }) => {
            let word = if innermost { "in" } else { "called from" };
            writeln!(
                out,
                "  {word} {}, {file}:{line}:{column}",
                paint.strong(&crate::words::function(function))
            )?;
        }
        None => writeln!(out, "  in code without a source")?,
    }
    let digits = frame.source.iter().map(|l| l.line.to_string().len()).max().unwrap_or(0);
    for line in &frame.source {
        let text = limited(&line.text, layout, digits + 9);
        if line.here {
            writeln!(
                out,
                "  {} {:>digits$} | {}",
                paint.target(">"),
                line.line,
                paint.strong(&text)
            )?;
        } else {
            writeln!(
                out,
                "{}",
                paint.faint(format!("    {:>digits$} | {text}", line.line).trim_end())
            )?;
        }
    }
    variables(out, &frame.variables, layout)
}

fn variables(out: &mut dyn Write, variables: &[Variable], layout: &Layout) -> io::Result<()> {
    let longest = variables
        .iter()
        .map(|v| v.name.chars().count())
        .max()
        .unwrap_or(0)
        .min(20);
    for Variable { name, value } in variables {
        let value = value.as_deref().map_or_else(
            || layout.paint.faint("(no longer kept)"),
            |v| limited(v, layout, longest + 9),
        );
        writeln!(out, "      {} = {value}", pad(name, longest))?;
    }
    Ok(())
}

fn mailbox(out: &mut dyn Write, view: &Process, layout: &Layout) -> io::Result<()> {
    if view.mailbox_length == 0 {
        return writeln!(out, "  mailbox: empty");
    }
    writeln!(out, "  mailbox: {}", count(view.mailbox_length, "signal"))?;
    let longest = view.mailbox.iter().map(|m| m.signal.len()).max().unwrap_or(0);
    for message in &view.mailbox {
        let content = match message.kind {
            "message" => message.content.clone(),
            kind => format!("{kind}: {}", message.content),
        };
        writeln!(
            out,
            "      {}  {}",
            pad(&message.signal, longest),
            limited(&content, layout, longest + 8)
        )?;
    }
    let hidden = view.mailbox_length - view.mailbox.len() as u64;
    if hidden > 0 {
        writeln!(
            out,
            "{}",
            layout
                .paint
                .faint(&format!("      … {} more; --all shows them", number(hidden)))
        )?;
    }
    Ok(())
}

fn output(out: &mut dyn Write, printed: &[Printed], layout: &Layout) -> io::Result<()> {
    if printed.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for Printed {
        pid,
        name,
        bytes,
        left_out,
        text,
    } in printed
    {
        let title = format!("printed by {}", named(pid, name.as_deref()));
        writeln!(out, "{}:", layout.paint.strong(&title))?;
        if *left_out > 0 {
            let text = format!(
                "  … the first {} of {} bytes are left out; --all shows them",
                number(*left_out),
                number(*bytes)
            );
            writeln!(out, "{}", layout.paint.faint(&text))?;
        }
        let lines: Vec<&str> = text.lines().collect();
        let skip = if layout.all {
            0
        } else {
            lines.len().saturating_sub(OUTPUT_LINES)
        };
        if skip > 0 {
            let text = format!("  … {}; --all shows them", count(skip as u64, "earlier line"));
            writeln!(out, "{}", layout.paint.faint(&text))?;
        }
        for line in &lines[skip..] {
            writeln!(out, "  | {}", limited(line, layout, 4))?;
        }
    }
    Ok(())
}

/// Writes commands to type next.
///
/// # Errors
/// Those of the sink.
pub fn commands(out: &mut dyn Write, commands: &[crate::view::Command], layout: &Layout) -> io::Result<()> {
    let longest = commands
        .iter()
        .map(|c| c.command.chars().count())
        .max()
        .unwrap_or(0)
        .min(layout.width / 2 + 10);
    for command in commands {
        writeln!(
            out,
            "  {}  {}",
            pad(&command.command, longest),
            layout.paint.faint(&format!("# {}", command.what))
        )?;
    }
    Ok(())
}

/// Breaks a text into lines at spaces.
#[must_use]
pub fn wrap(text: &str, width: usize) -> String {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut out = text[..indent].to_owned();
    let mut column = indent;
    for word in text[indent..].split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            out.push('\n');
            out.push_str(&text[..indent]);
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// Writes the answer to `consequences`.
///
/// # Errors
/// Those of the sink.
pub fn consequences(out: &mut dyn Write, view: &Consequences, layout: &Layout) -> io::Result<()> {
    let Consequences {
        target,
        consequences,
        of,
        processes,
        more,
    } = view;
    let title = format!("consequences of {target}");
    writeln!(
        out,
        "{}: {} of {}, {} of {} (itself included)",
        layout.paint.strong(&title),
        number(consequences.actions),
        count(of.actions, "action"),
        number(consequences.processes),
        count(of.processes, "process")
    )?;
    suffixes(out, processes, layout)?;
    if *more > 0 {
        let text = format!("  … {}; --all shows them", count(*more, "more process"));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}

/// Writes the answer to `diff`.
///
/// # Errors
/// Those of the sink.
pub fn diff(out: &mut dyn Write, view: &Diff, layout: &Layout) -> io::Result<()> {
    let Diff {
        other_code,
        equal_actions,
        equal_processes,
        differences,
        more,
        follow,
        printed,
    } = view;
    if !other_code.is_empty() {
        writeln!(
            out,
            "the programs of the two runs differ: {}",
            safe(&other_code.join(", "))
        )?;
    }
    if differences.is_empty() {
        writeln!(
            out,
            "the same run: {} of {} are equal",
            count(*equal_actions, "action"),
            count(*equal_processes, "process")
        )?;
        return printed_otherwise(out, printed, layout);
    }
    let title = "the runs part here first:";
    writeln!(out, "{}", layout.paint.strong(title))?;
    for difference in differences {
        let side = |act: &Option<Act>| match act {
            Some(act) => {
                let signal = act.signal.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
                let place = act.place.as_ref().map(|place| {
                    let file = place.file.rsplit('/').next().unwrap_or_default();
                    format!("  {file}:{}", place.line)
                });
                format!("{}  {}{signal}{}", act.target, words(act), place.unwrap_or_default())
            }
            None => "did nothing more".to_owned(),
        };
        writeln!(out, "  {}, action {}", difference.pid, number(difference.number))?;
        writeln!(out, "    first   {}", limited(&side(&difference.a), layout, 12))?;
        writeln!(out, "    second  {}", limited(&side(&difference.b), layout, 12))?;
    }
    if *more > 0 {
        let text = format!("  … in {}; --all shows them", count(*more, "more process"));
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    let text = format!(
        "before that {} are equal; {} with no difference, {} that differ only as a consequence",
        count(*equal_actions, "action"),
        count(*equal_processes, "process"),
        number(*follow)
    );
    writeln!(out, "{}", layout.paint.faint(&text))?;
    printed_otherwise(out, printed, layout)
}

/// Texts of other lengths that were printed where the runs are equal.
fn printed_otherwise(out: &mut dyn Write, printed: &[crate::view::Difference], layout: &Layout) -> io::Result<()> {
    for difference in printed {
        let (Some(a), Some(b)) = (&difference.a, &difference.b) else {
            continue;
        };
        let bytes = |act: &Act| act.content.clone().unwrap_or_default();
        let text = format!("{} prints another text: {}, and {}", a.target, bytes(a), bytes(b));
        writeln!(out, "{}", limited(&text, layout, 0))?;
    }
    if !printed.is_empty() {
        let text = "other values lead to other texts: --values counts both as differences";
        writeln!(out, "{}", layout.paint.faint(text))?;
    }
    Ok(())
}

/// Writes stretches of logs.
///
/// # Errors
/// Those of the sink.
pub fn suffixes(out: &mut dyn Write, processes: &[crate::view::Suffix], layout: &Layout) -> io::Result<()> {
    let shown = if layout.all {
        processes.len()
    } else {
        SUFFIXES.min(processes.len())
    };
    let (shown, folded) = processes.split_at(shown);
    let longest = shown.iter().map(|p| p.first.target.chars().count()).max().unwrap_or(0);
    for suffix in shown {
        let text = format!(
            "  {:<10}  from {}  {}",
            suffix.pid,
            pad(&suffix.first.target, longest),
            count(suffix.actions, "action")
        );
        writeln!(out, "{text}  {}", layout.paint.faint(&words(&suffix.first)))?;
    }
    if !folded.is_empty() {
        let actions = folded.iter().map(|suffix| suffix.actions).sum();
        let text = format!(
            "  … {} of {}; --all shows them",
            count_more(actions),
            count(folded.len() as u64, "process")
        );
        writeln!(out, "{}", layout.paint.faint(&text))?;
    }
    Ok(())
}
