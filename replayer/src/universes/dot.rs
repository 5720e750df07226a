//! A graph of universes as a picture, in the language of Graphviz. A large one is folded.

use std::fmt::Write as _;

use multiverse::map::{AskedGraph, Map, folded};

use super::say::Words;
use crate::words::{count, cut, number};

/// How it begins.
pub(super) const START: &str = "digraph universes {\n";

/// With more states than these, the graph is folded.
const STATES: usize = 300;
/// Nodes of a folded graph.
const FOLDS: usize = 60;
/// Characters of a line in a node.
const CHARS: usize = 60;

pub(super) fn text(map: &Map) -> String {
    let asked = AskedGraph::of(map);
    let mut text = String::from(START);
    text.push_str(
        "  rankdir=TB;\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", fontsize=9];\n",
    );
    let all = if map.complete { "" } else { ", as far as explored" };
    let counts = format!(
        "{}: {}, {}, {}{all}",
        map.program,
        count(map.universes, "universe"),
        count(map.states() as u64, "state"),
        count(map.edges.len() as u64, "choice")
    );
    let _ = writeln!(text, "  label={};\n  labelloc=t;", quoted(&[counts]));
    match map.states() > STATES {
        true => fold(&mut text, &asked),
        false => whole(&mut text, &asked),
    }
    text.push_str("}\n");
    text
}

fn whole(text: &mut String, asked: &AskedGraph<'_>) {
    let (map, words) = (asked.map, Words(asked.map));
    for state in 0..map.states() as u32 {
        let ending = map.ends[state as usize].and_then(|ending| map.endings.get(ending as usize));
        let (mut lines, look) = match ending {
            Some(ending) => (
                vec![cut(&ending.headline, CHARS)],
                if ending.failure {
                    ", color=red, fontcolor=red"
                } else {
                    ", color=darkgreen"
                },
            ),
            None => (vec![state.to_string()], ", shape=circle"),
        };
        if ending.is_some() {
            lines.push(count(asked.through(state), "universe"));
        }
        let _ = writeln!(text, "  s{state} [label={}{look}];", quoted(&lines));
    }
    for edge in &map.edges {
        let lines: Vec<String> = words.choice(*edge).iter().map(|line| cut(line, CHARS)).collect();
        let _ = writeln!(text, "  s{} -> s{} [label={}];", edge.from, edge.to, quoted(&lines));
    }
}

fn fold(text: &mut String, asked: &AskedGraph<'_>) {
    let words = Words(asked.map);
    let folded = folded(asked, FOLDS);
    for (fold, at) in folded.folds.iter().zip(0..) {
        let mut lines = vec![format!(
            "{}, {}",
            count(fold.states, "state"),
            count(fold.universes, "universe")
        )];
        let is_failure = |group: &u32| {
            asked
                .map
                .endings
                .iter()
                .any(|ending| ending.group == *group && ending.failure)
        };
        let look = match fold.groups.as_slice() {
            [] => {
                lines.push("other states".to_owned());
                ""
            }
            [group] => {
                lines.push(format!("always: {}", cut(&words.group(*group), CHARS)));
                if is_failure(group) {
                    ", color=red, fontcolor=red"
                } else {
                    ", color=darkgreen"
                }
            }
            groups => {
                lines.push(format!("{} possible:", count(groups.len() as u64, "outcome")));
                lines.extend(groups.iter().take(6).map(|group| cut(&words.group(*group), CHARS)));
                lines.extend((groups.len() > 6).then(|| format!("and {} more", groups.len() - 6)));
                ""
            }
        };
        let _ = writeln!(text, "  f{at} [label={}{look}];", quoted(&lines));
    }
    for bundle in &folded.bundles {
        let mut lines = vec![format!(
            "{} ({})",
            count(bundle.choices, "choice"),
            count(bundle.universes, "universe")
        )];
        for (step, universes) in bundle.steps.iter().take(3) {
            let step = step
                .as_ref()
                .map_or_else(|| "the run ends first".to_owned(), |step| words.step(step));
            lines.push(format!("{}: {}", number(*universes), cut(&step, CHARS)));
        }
        let _ = writeln!(text, "  f{} -> f{} [label={}];", bundle.from, bundle.to, quoted(&lines));
    }
}

/// Lines as a label.
fn quoted(lines: &[String]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.replace('\\', "\\\\").replace('"', "\\\""))
        .collect();
    format!("\"{}\"", lines.join("\\n"))
}
