//! A graph of universes as a page. A large one is folded.

use std::collections::BTreeMap;

use multiverse::map::{AskedGraph, Map, folded};
use report::universes::{Decision, DrawnEdge, DrawnNode, OutcomeGroup, Universes};

use super::say::{Words, end_so};
use crate::words::{count, number};

/// With more states than these, the graph is folded.
const STATES: usize = 40;
/// Nodes of a folded graph.
const FOLDS: usize = 24;
/// Limits: outcomes of a node, choices of an edge, outcomes that are explained.
const OUTCOMES: usize = 5;
const CHOICES: usize = 8;
const EXPLAINED: usize = 6;

pub(super) fn html(map: &Map) -> String {
    let asked = AskedGraph::of(map);
    let all = if map.complete {
        "these are all"
    } else {
        "as far as explored"
    };
    let mut page = Universes {
        title: map.program.clone(),
        lead: format!(
            "{}, {}, {}; {all}.",
            count(map.universes, "universe"),
            count(map.states() as u64, "state"),
            count(map.edges.len() as u64, "choice")
        ),
        notes: map.notes.clone(),
        outcomes: outcomes(&asked),
        ..Universes::default()
    };
    match map.states() > STATES {
        true => fold(&mut page, &asked),
        false => whole(&mut page, &asked),
    }
    let failures = asked
        .ends()
        .into_iter()
        .filter(|ends| map.endings[ends.ending as usize].failure);
    page.decisions = failures
        .take(EXPLAINED)
        .filter_map(|ends| decision(&asked, ends.group))
        .collect();
    report::universes::universes(&page)
}

fn outcomes(asked: &AskedGraph<'_>) -> Vec<OutcomeGroup> {
    let one = |ends: &multiverse::map::Ends| {
        let ending = &asked.map.endings[ends.ending as usize];
        let more = match ends.endings {
            1 => String::new(),
            endings => format!(
                " (and {} more that differ only in values)",
                number(u64::from(endings) - 1)
            ),
        };
        OutcomeGroup {
            headline: format!("{}{more}", ending.headline),
            failure: ending.failure,
            universes: ends.universes,
            choices: u64::from(ends.choices),
            states: u64::from(ends.states),
        }
    };
    asked.ends().iter().map(one).collect()
}

/// Does an outcome fail?
fn fails(map: &Map, group: u32) -> bool {
    map.endings.iter().any(|ending| ending.group == group && ending.failure)
}

fn whole(page: &mut Universes, asked: &AskedGraph<'_>) {
    let (map, words) = (asked.map, Words(asked.map));
    page.graph = "Each box is a state, and each arrow a choice.".to_owned();
    for state in 0..map.states() as u32 {
        let groups = asked.groups_from(state);
        let through = count(asked.through(state), "universe");
        let node = match map.ends[state as usize] {
            Some(ending) => {
                let ending = &map.endings[ending as usize];
                DrawnNode {
                    lines: vec![ending.headline.clone(), through],
                    always: Some(ending.failure),
                    details: ending.details.clone(),
                }
            }
            None => DrawnNode {
                lines: match groups.as_slice() {
                    [group] => vec![
                        format!("state {state}: {through}"),
                        format!("always: {}", words.group(*group)),
                    ],
                    groups => vec![
                        format!("state {state}: {through}"),
                        format!("{} possible", count(groups.len() as u64, "outcome")),
                    ],
                },
                always: match groups.as_slice() {
                    [group] => Some(fails(map, *group)),
                    _ => None,
                },
                details: Vec::new(),
            },
        };
        page.nodes.push(node);
    }
    // Choices between the same states are one arrow.
    let mut arrows: BTreeMap<(u32, u32), Vec<multiverse::map::Edge>> = BTreeMap::new();
    for edge in &map.edges {
        arrows.entry((edge.from, edge.to)).or_default().push(*edge);
    }
    for ((from, to), edges) in arrows {
        let label = match edges.as_slice() {
            [edge] => map.choice(*edge).map_or_else(|| "ends first".to_owned(), Words::brief),
            edges => count(edges.len() as u64, "choice"),
        };
        page.edges.push(DrawnEdge {
            from: from as usize,
            to: to as usize,
            label,
            details: edges.iter().map(|edge| words.choice(*edge).join(", then ")).collect(),
        });
    }
}

fn fold(page: &mut Universes, asked: &AskedGraph<'_>) {
    let (map, words) = (asked.map, Words(asked.map));
    let folded = folded(asked, FOLDS);
    page.graph = "States from which the same outcomes are possible are one box. An arrow stands for choices after which fewer are possible.".to_owned();
    // From many possible outcomes to few, as the choices lead.
    let mut order: Vec<usize> = (0..folded.folds.len()).collect();
    order.sort_by_key(|at| {
        let fold = &folded.folds[*at];
        let rest = fold.groups.is_empty();
        (
            *at != 0,
            !rest && fold.groups.len() < 2,
            std::cmp::Reverse(fold.groups.len()),
            *at,
        )
    });
    let mut place = vec![0; order.len()];
    for (at, new) in order.iter().zip(0..) {
        place[*at] = new;
    }
    for at in &order {
        let fold = &folded.folds[*at];
        let mut lines = vec![format!(
            "{} in {}",
            count(fold.universes, "universe"),
            count(fold.states, "state")
        )];
        match fold.groups.as_slice() {
            [] => lines.push("other states".to_owned()),
            [group] => lines.insert(0, format!("always: {}", words.group(*group))),
            groups => {
                lines.insert(0, format!("{} possible", count(groups.len() as u64, "outcome")));
                lines.extend(groups.iter().take(OUTCOMES).map(|group| words.group(*group)));
                if groups.len() > OUTCOMES {
                    lines.push(format!("and {} more", groups.len() - OUTCOMES));
                }
            }
        }
        page.nodes.push(DrawnNode {
            lines,
            always: match fold.groups.as_slice() {
                [group] => Some(fails(map, *group)),
                _ => None,
            },
            details: match fold.within {
                0 => Vec::new(),
                within => vec![format!(
                    "{} between these states decide nothing",
                    count(within, "choice")
                )],
            },
        });
    }
    for bundle in &folded.bundles {
        let steps = bundle.steps.iter().take(CHOICES).map(|(step, universes)| {
            let step = step
                .as_ref()
                .map_or_else(|| "the run ends first".to_owned(), |step| words.step(step));
            format!("{}: {step}", count(*universes, "universe"))
        });
        page.edges.push(DrawnEdge {
            from: place[bundle.from],
            to: place[bundle.to],
            label: format!(
                "{}, {}",
                count(bundle.choices, "choice"),
                count(bundle.universes, "universe")
            ),
            details: steps.collect(),
        });
    }
}

fn decision(asked: &AskedGraph<'_>, group: u32) -> Option<Decision> {
    let (map, words) = (asked.map, Words(asked.map));
    let found = asked.decisive(group)?;
    let explored = if map.complete { "" } else { ", as far as explored" };
    let choice = |turn: &multiverse::map::WayTurn| {
        let after = format!("from here, {}", end_so(turn.after));
        (words.choice(turn.edge).join(", then "), after)
    };
    let at = found.last.map(|at| found.way.edges[at]);
    let others = at.map_or_else(Vec::new, |edge| asked.instead(edge, group));
    let until = match others.is_empty() {
        true => "only by a halt, which could come at any time.",
        false => "there could be instead",
    };
    let said = match (found.always, found.last) {
        (true, _) => format!("It is unavoidable from the start{explored}: no choice prevents it."),
        (false, Some(at)) => format!(
            "Unavoidable after choice {}{explored}: every run ends so once it is made. Until then it can be avoided{} {until}",
            at + 1,
            if others.is_empty() { "" } else { ":" }
        ),
        (false, None) => "No choice makes it unavoidable: up to its end, the run could come to another one.".to_owned(),
    };
    Some(Decision {
        headline: words.group(group),
        choices: found.turns.iter().map(choice).collect(),
        unavoidable: found.last.map(|at| at + 1),
        instead: others
            .iter()
            .take(CHOICES)
            .map(|edge| words.choice(*edge).join(", then "))
            .collect(),
        said,
    })
}
