//! The diagram as a picture (SVG) without scripts and without anything from the network. Light and dark, as the reader's system is.

use std::fmt::Write as _;

use super::{Diagram, does, said};
use crate::view::ActKind;
use crate::words::cut;

/// How every such text begins.
pub const START: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"replay\"";
const LANE: usize = 190;
const ROW: usize = 26;
const TOP: usize = 66;
const LEFT: usize = 100;
/// Columns for targets.
const RIGHT: usize = 150;
/// Limit: characters of a label in a lane, and of a head.
const LABEL: usize = 30;
const HEAD: usize = 28;

const LOOKS: &str = "\
.replay{font:13px system-ui,sans-serif;--ink:#1b1b1b;--paper:#fff;--soft:#777;--line:#bbb;--cause:#0b62a4;--race:#b3261e}
@media (prefers-color-scheme:dark){.replay{--ink:#eee;--paper:#161616;--soft:#999;--line:#555;--cause:#7cb7ff;--race:#ff8a80}}
.replay rect.paper{fill:var(--paper)}.replay text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.replay .soft{fill:var(--soft)}.replay .lane{stroke:var(--line)}.replay .arrow{stroke:var(--cause);fill:none;stroke-width:1.5}
.replay .dot{fill:var(--cause)}.replay .race{stroke:var(--race);stroke-width:2.5}.replay .dot.race{fill:var(--race)}.replay .spawn{stroke-dasharray:4 3}
.replay text.race{fill:var(--race);font-weight:600;stroke-width:3px;stroke:var(--paper)}.replay .target{font-weight:700}";

/// The picture.
#[must_use]
pub fn svg(diagram: &Diagram) -> String {
    let width = LEFT + LANE * diagram.lanes.len().max(1) + RIGHT;
    let height = TOP + ROW * (diagram.steps.len() + 2) + 16;
    let mut out = format!(
        "{START} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>Causes of {}</title>\n<style>{LOOKS}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">\
         <path d=\"M0 0 8 4 0 8z\" fill=\"context-stroke\"/></marker></defs>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        escaped(&diagram.target)
    );
    heads(&mut out, diagram);
    for at in 0..diagram.steps.len() {
        step(&mut out, diagram, at);
    }
    let y = TOP + ROW * (diagram.steps.len() + 1);
    if let Some(what) = diagram.says_marked() {
        text(&mut out, (12, y), "race", "start", &format!("Marked: {what}."));
    }
    if let Some(left_out) = diagram.says_left_out() {
        text(&mut out, (12, y + ROW / 2 + 6), "soft", "start", &left_out);
    }
    out.push_str("</svg>\n");
    out
}

const fn column(lane: usize) -> usize {
    LEFT + LANE * lane
}

const fn row(at: usize) -> usize {
    TOP + ROW * (at + 1)
}

fn heads(out: &mut String, diagram: &Diagram) {
    let (births, ends) = (diagram.births(), diagram.ends());
    for (at, lane) in diagram.lanes.iter().enumerate() {
        let x = column(at);
        text(out, (x, 24), "target", "middle", &lane.pid.to_string());
        if let Some(name) = &lane.name {
            text(out, (x, 42), "soft", "middle", &cut(name, HEAD));
        }
        let top = births[at].map_or(TOP - 10, row);
        let bottom = ends[at].map_or_else(|| row(diagram.steps.len()), row);
        let _ = writeln!(out, "<path class=\"lane\" d=\"M{x} {top}V{bottom}\"/>");
    }
}

fn step(out: &mut String, diagram: &Diagram, at: usize) {
    let step = &diagram.steps[at];
    let (x, y) = (column(step.lane), row(at));
    let marked = step.marked || step.cause.is_some_and(|cause| diagram.steps[cause].marked);
    let race = if marked { " race" } else { "" };
    let what = format!("{}: {}", step.act.target, does(&step.act, 400));
    let _ = writeln!(out, "<g><title>{}</title>", escaped(&what));
    let from = match step.cause {
        Some(cause) => Some((column(diagram.steps[cause].lane), row(cause))),
        None => step
            .other
            .filter(|_| step.act.kind != ActKind::Send)
            .map(|other| (column(other), y)),
    };
    let arrow = |out: &mut String, class: &str, (ax, ay): (usize, usize), (bx, by): (usize, usize)| {
        let _ = writeln!(
            out,
            "<path class=\"arrow{class}{race}\" marker-end=\"url(#tip)\" d=\"M{ax} {ay}L{bx} {by}\"/>"
        );
    };
    match (step.act.kind, step.other) {
        (ActKind::Spawn, Some(child)) => arrow(out, " spawn", (x, y), (column(child), y)),
        (ActKind::Rec | ActKind::Signal, Some(_)) => {
            if let Some(from) = from {
                arrow(out, "", from, (x, y));
            }
        }
        (ActKind::Send, Some(to)) if step.received.is_none() => {
            // It is on its way, and never received.
            let middle = (x + column(to)) / 2;
            arrow(out, " spawn", (x, y), (middle, y));
        }
        _ => {}
    }
    let sign = match step.act.kind {
        ActKind::Exit | ActKind::Signal => format!(
            "<rect class=\"dot{race}\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/>",
            x - 5,
            y - 5
        ),
        _ => format!("<circle class=\"dot{race}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"),
    };
    let _ = writeln!(out, "{sign}");
    let label = match step.act.kind {
        // Its arrow says where that comes from.
        ActKind::Rec if step.cause.is_some() => String::new(),
        ActKind::Rec | ActKind::Send => said(&step.act, LABEL),
        _ => does(&step.act, LABEL),
    };
    let class = if step.act.is_target { "target" } else { race.trim() };
    if !label.is_empty() {
        text(out, (x + 9, y - 6), class, "start", &label);
    }
    let right = column(diagram.lanes.len()) - LANE + LANE / 2 + 90;
    text(out, (right, y + 4), "soft", "start", &step.act.target);
    out.push_str("</g>\n");
}

fn text(out: &mut String, (x, y): (usize, usize), class: &str, anchor: &str, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>",
        escaped(text)
    );
}

/// A text in XML: no character that XML does not allow, and none that means something.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() || log_format::is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escaped("<a href='x'>&\"\u{0}\u{ffff}"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{fffd}\u{fffd}"
        );
    }
}
