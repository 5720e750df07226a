//! The diagram as text: a lane for each process, time downwards, an arrow for each message. In 80 columns, for logs and READMEs.

use std::io::{self, Write};

use super::{Diagram, DrawnAction, does, said};
use crate::cli::shared::{ShowArgs, ViewArgs};
use crate::commands::Out;
use crate::paint::Paint;
use crate::view::ActKind;
use crate::words::{count, cut};

/// Columns of a lane, at least.
const LEAST: usize = 11;
/// Columns for the targets on the right.
const TARGETS: usize = 17;
/// Columns for marks on the left.
const MARKS: usize = 2;

/// How it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Characters on a line.
    pub width: usize,
    /// Only ASCII?
    pub ascii: bool,
    /// Colours.
    pub paint: Paint,
}

impl Style {
    /// As the command line says; without --width and a terminal: 80 columns.
    #[must_use]
    pub fn of(out: &Out<'_>, view: ViewArgs, show: ShowArgs) -> Self {
        let width = show.width.map(usize::from).or(out.columns).unwrap_or(WIDTH);
        Self {
            width: width.max(40),
            ascii: view.ascii || !locale_has_unicode(),
            paint: out.paint,
        }
    }
}

/// Columns, if nothing else is said.
const WIDTH: usize = 80;

/// Is the locale one of UTF-8, or none?
fn locale_has_unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    set.is_none_or(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// The characters of the drawing.
struct Signs {
    bar: char,
    line: char,
    right: char,
    left: char,
    from_left: char,
    from_right: char,
    lost: char,
    dot: char,
    end: char,
    cut: &'static str,
}

const UNICODE: Signs = Signs {
    bar: '│',
    line: '─',
    right: '▶',
    left: '◀',
    from_left: '├',
    from_right: '┤',
    lost: '×',
    dot: '●',
    end: '■',
    cut: "…",
};

const ASCII: Signs = Signs {
    bar: '|',
    line: '-',
    right: '>',
    left: '<',
    from_left: '+',
    from_right: '+',
    lost: 'x',
    dot: '*',
    end: '#',
    cut: "~",
};

/// Writes the diagram.
///
/// # Errors
/// Those of the sink.
pub fn lanes(out: &mut dyn Write, diagram: &Diagram, style: Style) -> io::Result<()> {
    if diagram.steps.is_empty() {
        return writeln!(out, "nothing that is logged led to it");
    }
    let drawing = Drawing::new(diagram, style);
    drawing.write(out)
}

struct Drawing<'d> {
    diagram: &'d Diagram,
    style: Style,
    signs: &'static Signs,
    /// The column of each lane that is drawn.
    columns: Vec<Option<usize>>,
    /// Columns of the lanes.
    area: usize,
    /// Columns of one lane.
    space: usize,
}

impl<'d> Drawing<'d> {
    fn new(diagram: &'d Diagram, style: Style) -> Self {
        let area = style.width.saturating_sub(MARKS + TARGETS).max(LEAST);
        let room = (area / LEAST).max(1);
        // The lanes of the target and of the race, then those with most to show.
        let mut weight = vec![0_usize; diagram.lanes.len()];
        for step in &diagram.steps {
            weight[step.lane] += 1;
            if step.marked || step.act.is_target {
                weight[step.lane] += diagram.steps.len();
            }
            if let Some(other) = step.other {
                weight[other] += 1;
            }
        }
        let mut best: Vec<usize> = (0..diagram.lanes.len()).collect();
        best.sort_by_key(|lane| std::cmp::Reverse(weight[*lane]));
        best.truncate(room);
        best.sort_unstable();
        let space = area / best.len().max(1);
        let mut columns = vec![None; diagram.lanes.len()];
        for (at, lane) in best.into_iter().enumerate() {
            columns[lane] = Some(at * space + 1);
        }
        Self {
            diagram,
            style,
            signs: if style.ascii { &ASCII } else { &UNICODE },
            columns,
            area,
            space,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.heads(out)?;
        let (births, ends) = (self.diagram.births(), self.diagram.ends());
        let mut hidden = 0_u64;
        for (at, step) in self.diagram.steps.iter().enumerate() {
            // A send that is received right away is drawn with its receive.
            if step.received.is_some_and(|receive| {
                self.diagram.is_direct(at, receive) && self.columns[self.diagram.steps[receive].lane].is_some()
            }) {
                continue;
            }
            if self.columns[step.lane].is_none() {
                hidden += 1;
                continue;
            }
            let alive = |lane: usize| {
                births[lane].is_none_or(|birth| at > birth || at == birth && step.lane != lane)
                    && ends[lane].is_none_or(|end| at <= end)
            };
            let mut row = DrawnRow::new(self.area - 1);
            for (lane, column) in self.columns.iter().enumerate() {
                if let Some(column) = column.filter(|_| alive(lane)) {
                    row.put(column, self.signs.bar);
                }
            }
            self.step(&mut row, at, step);
            self.line(out, &row, step)?;
        }
        self.foot(out, hidden)
    }

    fn heads(&self, out: &mut dyn Write) -> io::Result<()> {
        for part in 0..2 {
            let mut row = DrawnRow::new(self.area);
            for (lane, column) in self.diagram.lanes.iter().zip(&self.columns) {
                let Some(column) = column else { continue };
                let text = match part {
                    0 => lane.pid.to_string(),
                    _ => lane.name.clone().unwrap_or_default(),
                };
                row.text(column - 1, &self.cut(&text, self.space - 1));
            }
            if !row.is_empty() {
                writeln!(out, "{:MARKS$}{}", "", self.style.paint.strong(&row.done()))?;
            }
        }
        Ok(())
    }

    fn step(&self, row: &mut DrawnRow, at: usize, step: &DrawnAction) {
        let Some(here) = self.columns[step.lane] else { return };
        let other = step
            .other
            .and_then(|lane| self.columns[lane])
            .filter(|other| *other != here);
        let sent = step.cause.map(|cause| &self.diagram.steps[cause]);
        match (step.act.kind, other) {
            (ActKind::Spawn, Some(child)) => self.arrow(row, here, child, "spawn", true),
            (ActKind::Rec, Some(sender)) => {
                let direct = step.cause.is_some_and(|cause| self.diagram.is_direct(cause, at));
                let late = match (direct, sent) {
                    (false, Some(sent)) if sent.act.kind == ActKind::Send => "(late) ",
                    _ => "",
                };
                self.arrow(
                    row,
                    sender,
                    here,
                    &format!("{late}{}", said(&step.act, self.area)),
                    true,
                );
            }
            (ActKind::Signal, Some(sender)) => {
                self.arrow(row, sender, here, &does_end(step, self.area), true);
                row.put(here, self.signs.end);
            }
            (ActKind::Send, Some(receiver)) if step.received.is_none() => {
                self.arrow(row, here, receiver, &said(&step.act, self.area), false);
            }
            (kind, _) => {
                let sign = match kind {
                    ActKind::Exit | ActKind::Signal => self.signs.end,
                    _ => self.signs.dot,
                };
                row.put(here, sign);
                self.beside(row, here, here, &does(&step.act, self.area));
            }
        }
    }

    /// An arrow with its label; `arrives`: what it stands for was received.
    fn arrow(&self, row: &mut DrawnRow, from: usize, to: usize, label: &str, arrives: bool) {
        let signs = self.signs;
        let (low, high) = (from.min(to), from.max(to));
        for column in low + 1..high {
            row.put(column, signs.line);
        }
        let right = from < to;
        row.put(from, if right { signs.from_left } else { signs.from_right });
        let head = match (arrives, right) {
            (false, _) => signs.lost,
            (true, true) => signs.right,
            (true, false) => signs.left,
        };
        row.put(if right { to - 1 } else { to + 1 }, head);
        let inside = high - low - 1;
        let length = label.chars().count();
        if length + 4 <= inside || inside >= self.space * 2 {
            let label = self.cut(label, inside.saturating_sub(4));
            let start = low + 1 + (inside - label.chars().count()) / 2;
            row.text(start, &label);
        } else {
            self.beside(row, low, high, label);
        }
    }

    /// A text beside what is drawn between two columns, where there is more room.
    fn beside(&self, row: &mut DrawnRow, low: usize, high: usize, text: &str) {
        let right = (self.area - 1).saturating_sub(high + 2);
        let left = low.saturating_sub(2);
        let length = text.chars().count();
        if length <= right || right >= left {
            row.text(high + 2, &self.cut(text, right));
        } else {
            let text = self.cut(text, left);
            row.text(low - 1 - text.chars().count(), &text);
        }
    }

    fn cut(&self, text: &str, room: usize) -> String {
        let text = match self.style.ascii {
            true => text
                .chars()
                .map(|c| {
                    if c.is_ascii() {
                        c
                    } else if c == '…' {
                        '~'
                    } else {
                        '?'
                    }
                })
                .collect(),
            false => text.to_owned(),
        };
        match self.style.ascii {
            false => cut(&text, room),
            true if text.chars().count() <= room => text,
            true => text
                .chars()
                .take(room.saturating_sub(1))
                .chain(self.signs.cut.chars())
                .collect(),
        }
    }

    fn line(&self, out: &mut dyn Write, row: &DrawnRow, step: &DrawnAction) -> io::Result<()> {
        let paint = self.style.paint;
        let mark = match (step.marked || self.sent_is_marked(step), step.act.is_target) {
            (_, true) => '>',
            (true, false) => '!',
            (false, false) => ' ',
        };
        let target = self.cut(&step.act.target, TARGETS);
        let line = format!("{mark} {:<area$}{target}", row.done(), area = self.area);
        let line = line.trim_end();
        let painted = match mark {
            '>' => paint.target(line),
            '!' => paint.bad(line),
            _ => line.to_owned(),
        };
        writeln!(out, "{painted}")
    }

    fn sent_is_marked(&self, step: &DrawnAction) -> bool {
        step.cause.is_some_and(|cause| self.diagram.steps[cause].marked)
    }

    fn foot(&self, out: &mut dyn Write, hidden: u64) -> io::Result<()> {
        let mut notes = Vec::new();
        if let Some(what) = self.diagram.says_marked() {
            notes.push(format!("! {what}"));
        }
        let lanes = self.columns.iter().filter(|column| column.is_none()).count() as u64;
        if lanes > 0 {
            notes.push(format!(
                "{} without a lane, with {}",
                count(lanes, "process"),
                count(hidden, "action")
            ));
        }
        notes.extend(self.diagram.says_left_out());
        for note in notes {
            writeln!(
                out,
                "{:MARKS$}{}",
                "",
                self.style.paint.faint(&self.cut(&note, self.style.width - MARKS))
            )?;
        }
        Ok(())
    }
}

fn does_end(step: &DrawnAction, room: usize) -> String {
    let reason = step.act.content.as_deref().unwrap_or("exit signal");
    cut(reason, room)
}

/// A line under construction.
struct DrawnRow {
    cells: Vec<char>,
}

impl DrawnRow {
    fn new(width: usize) -> Self {
        Self {
            cells: vec![' '; width],
        }
    }

    fn put(&mut self, column: usize, sign: char) {
        if let Some(cell) = self.cells.get_mut(column) {
            *cell = sign;
        }
    }

    fn text(&mut self, column: usize, text: &str) {
        for (at, c) in text.chars().enumerate() {
            self.put(column + at, c);
        }
    }

    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| *cell == ' ')
    }

    fn done(&self) -> String {
        self.cells.iter().collect::<String>().trim_end().to_owned()
    }
}
