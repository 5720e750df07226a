//! The diagram in Mermaid's language for sequence diagrams, which GitHub and GitLab draw in Markdown.

use std::fmt::Write as _;

use super::{Diagram, does, said};
use crate::view::ActKind;
use crate::words::cut;

/// How every such text begins.
pub const START: &str = "%% replay export: ";
/// Limit: characters of a label.
const LABEL: usize = 60;

/// The text.
#[must_use]
pub fn mermaid(diagram: &Diagram) -> String {
    let mut out = format!("{START}{}\nsequenceDiagram\n", comment(&diagram.target));
    for (at, lane) in diagram.lanes.iter().enumerate() {
        let _ = writeln!(out, "    participant p{at} as {}", plain(&lane.title()));
    }
    for step in &diagram.steps {
        // It is drawn where it arrives.
        if step.act.kind == ActKind::Send && step.received.is_some() {
            continue;
        }
        let here = step.lane;
        let mark = match step.marked || step.cause.is_some_and(|cause| diagram.steps[cause].marked) {
            true => "(!) ",
            false => "",
        };
        let arrow =
            |from: usize, arrow: &str, to: usize, text: &str| format!("    p{from}{arrow}p{to}: {}", plain(text));
        let line = match (step.act.kind, step.other) {
            (ActKind::Spawn, Some(child)) => arrow(here, "-->>", child, "spawn"),
            (ActKind::Rec, Some(sender)) => arrow(sender, "->>", here, &format!("{mark}{}", said(&step.act, LABEL))),
            (ActKind::Send, Some(to)) => arrow(here, "-x", to, &format!("{mark}{}", said(&step.act, LABEL))),
            (ActKind::Signal, Some(by)) => arrow(by, "--x", here, &format!("{mark}{}", does(&step.act, LABEL))),
            _ => format!(
                "    Note over p{here}: {}",
                plain(&format!("{mark}{}", does(&step.act, LABEL)))
            ),
        };
        let _ = writeln!(out, "{line}");
    }
    if let Some(left_out) = diagram.says_left_out() {
        let last = diagram.lanes.len().saturating_sub(1);
        let over = if last == 0 {
            "p0".to_owned()
        } else {
            format!("p0,p{last}")
        };
        let _ = writeln!(out, "    Note over {over}: {}", plain(&left_out));
    }
    out
}

fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A text in which nothing means anything to Mermaid: what could is written as an entity.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in cut(text, 2 * LABEL).chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '.' | ',' | '/' | '_' | '(' | ')' | '!' | '=' => out.push(c),
            c if c.is_control() => out.push(' '),
            c => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    // `end` alone would close a block.
    match out.trim() {
        "" => "#160;".to_owned(),
        "end" => "#101;nd".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_label_means_anything() {
        assert_eq!(plain("{a, b}"), "#123;a, b#125;");
        assert_eq!(plain("a;b#c:d\n<x>"), "a#59;b#35;c#58;d #60;x#62;");
        assert_eq!(plain("end"), "#101;nd");
    }
}
