//! The graph of universes as a page: how universes end, the folded graph as a picture, and what decides. It needs no script.

mod layout;

use std::fmt::Write as _;

use crate::page;
use layout::NodePlace;
use session::words::{cut, number};

/// What the page shows. All texts are for people, and may hold anything.
#[derive(Clone, Debug, Default)]
pub struct Universes {
    /// The program.
    pub title: String,
    /// How many universes, states and choices there are.
    pub lead: String,
    /// What was not explored.
    pub notes: Vec<String>,
    /// How universes end.
    pub outcomes: Vec<OutcomeGroup>,
    /// What the graph is, in a sentence.
    pub graph: String,
    /// Its nodes; the first one is where it begins.
    pub nodes: Vec<DrawnNode>,
    /// Its edges.
    pub edges: Vec<DrawnEdge>,
    /// What decides.
    pub decisions: Vec<Decision>,
}

/// Universes that end alike.
#[derive(Clone, Debug)]
pub struct OutcomeGroup {
    /// In a line.
    pub headline: String,
    /// Does it fail?
    pub failure: bool,
    /// How many universes.
    pub universes: u64,
    /// The fewest choices.
    pub choices: u64,
    /// How many different states they end in.
    pub states: u64,
}

/// A node: a state, or several.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// Lines of text; the first one is its title.
    pub lines: Vec<String>,
    /// Is only one outcome possible, and does that fail?
    pub always: Option<bool>,
    /// More lines, below the picture.
    pub details: Vec<String>,
}

/// Choices that lead from one node to another.
#[derive(Clone, Debug)]
pub struct DrawnEdge {
    /// From this node.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// A short label.
    pub label: String,
    /// What is chosen, in lines.
    pub details: Vec<String>,
}

/// What decides that universes end in some way.
#[derive(Clone, Debug)]
pub struct Decision {
    /// How they end.
    pub headline: String,
    /// The choices of the shortest way there, each with what is still possible after it.
    pub choices: Vec<(String, String)>,
    /// The choice after which it is unavoidable, from 1.
    pub unavoidable: Option<usize>,
    /// What could be chosen there instead.
    pub instead: Vec<String>,
    /// What is said in the end.
    pub said: String,
}

/// Limits: characters of a line in a node, of its title, and of the label of an edge.
const CHARS: usize = 38;
const TITLE: usize = 32;
const LABEL: usize = 30;

/// Makes the page.
#[must_use]
pub fn universes(what: &Universes) -> String {
    let mut body = String::new();
    head(&mut body, what);
    body.push_str("<main>\n");
    outcomes(&mut body, &what.outcomes);
    let _ = write!(body, "<h2>The graph</h2>\n<p>{}</p>\n", html(&what.graph));
    picture(&mut body, what);
    for decision in &what.decisions {
        decides(&mut body, decision);
    }
    parts(&mut body, what);
    body.push_str("</main>");
    page::plain_page(&body)
}

fn head(body: &mut String, what: &Universes) {
    let _ = write!(
        body,
        "<header><div class=\"eyebrow\">replay explore</div><h1>{}</h1><div class=\"lead\"><p>{}</p>",
        html(&what.title),
        html(&what.lead)
    );
    for note in &what.notes {
        let _ = write!(body, "<p class=\"minor\">{}</p>", html(note));
    }
    body.push_str("</div></header>\n");
}

fn outcomes(body: &mut String, outcomes: &[OutcomeGroup]) {
    body.push_str("<h2>Outcomes</h2>\n<table><thead><tr><th class=\"n\" scope=\"col\">universes</th><th scope=\"col\">outcome</th>");
    body.push_str("<th class=\"n\" scope=\"col\">fewest choices</th><th class=\"n\" scope=\"col\">end states</th></tr></thead><tbody>\n");
    for one in outcomes {
        let class = if one.failure { " class=\"fails\"" } else { "" };
        let _ = writeln!(
            body,
            "<tr><td class=\"n\">{}</td><td{class}>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            number(one.universes),
            html(&one.headline),
            number(one.choices),
            number(one.states)
        );
    }
    body.push_str("</tbody></table>\n");
}

fn picture(body: &mut String, what: &Universes) {
    let sizes: Vec<usize> = what.nodes.iter().map(|node| node.lines.len()).collect();
    let arrows: Vec<(usize, usize)> = what.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let drawn = layout::layout(&sizes, &arrows);
    let _ = writeln!(
        body,
        "<div class=\"map\" tabindex=\"0\" role=\"region\" aria-label=\"The graph as a picture\"><svg width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">",
        w = drawn.width,
        h = drawn.height
    );
    body.push_str("<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"context-stroke\"/></marker></defs>\n");
    for line in &drawn.lines {
        let _ = writeln!(body, "<path d=\"{line}\" marker-end=\"url(#arrow)\"/>");
    }
    for ((edge, at), (x, y)) in what.edges.iter().zip(0..).zip(&drawn.labels) {
        let _ = writeln!(
            body,
            "<a href=\"#e{at}\"><text class=\"e\" x=\"{x}\" y=\"{y}\">{}</text></a>",
            html(&cut(&edge.label, LABEL))
        );
    }
    for ((node, at), place) in what.nodes.iter().zip(0..).zip(&drawn.places) {
        draw_node(body, node, at, place);
    }
    body.push_str("</svg></div>\n");
}

fn draw_node(body: &mut String, node: &DrawnNode, number: usize, place: &NodePlace) {
    let class = match node.always {
        Some(true) => "failure",
        Some(false) => "always",
        None => "open",
    };
    let _ = write!(
        body,
        "<a href=\"#n{number}\" class=\"{class}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
        place.x,
        place.y,
        layout::WIDTH,
        place.height
    );
    for (line, at) in node.lines.iter().zip(0_i64..) {
        let class = if at == 0 { " class=\"b\"" } else { "" };
        let y = place.y + layout::first_line() + at * layout::LINE;
        let _ = write!(
            body,
            "<text{class} x=\"{}\" y=\"{y}\">{}</text>",
            place.x + 10,
            html(&cut(line, if at == 0 { TITLE } else { CHARS }))
        );
    }
    body.push_str("</a>\n");
}

fn decides(body: &mut String, decision: &Decision) {
    let _ = write!(body, "<h2>What decides: {}</h2>\n<ol>", html(&decision.headline));
    for ((choice, after), number) in decision.choices.iter().zip(1..) {
        let class = if Some(number) == decision.unavoidable {
            " class=\"turn\""
        } else {
            ""
        };
        let _ = write!(body, "<li{class}>{}<p>{}</p></li>", html(choice), html(after));
    }
    let _ = write!(body, "</ol>\n<p>{}</p>\n", html(&decision.said));
    list(body, &decision.instead);
}

/// What the picture has no room for.
fn parts(body: &mut String, what: &Universes) {
    body.push_str("<h2>States and choices</h2>\n");
    for (node, number) in what.nodes.iter().zip(0_usize..) {
        let _ = writeln!(
            body,
            "<div class=\"part\" id=\"n{number}\"><h3>{}</h3>",
            html(&node.lines.join(", "))
        );
        list(body, &node.details);
        for (edge, at) in what.edges.iter().zip(0_usize..).filter(|(edge, _)| edge.from == number) {
            let to = what.nodes.get(edge.to).and_then(|node| node.lines.first());
            let _ = writeln!(
                body,
                "<div class=\"part\" id=\"e{at}\"><a href=\"#n{}\">{} to: {}</a>",
                edge.to,
                html(&edge.label),
                html(to.map_or("", String::as_str))
            );
            list(body, &edge.details);
            body.push_str("</div>\n");
        }
        body.push_str("</div>\n");
    }
}

fn list(body: &mut String, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    body.push_str("<ul>");
    for line in lines {
        let _ = write!(body, "<li>{}</li>", html(line));
    }
    body.push_str("</ul>\n");
}

/// A text that is no markup.
fn html(text: &str) -> String {
    let text = session::words::safe(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup() {
        let evil = "<script>\"&\u{202e}".to_owned();
        let node = |always| DrawnNode {
            lines: vec![evil.clone(); 3],
            always,
            details: vec![evil.clone()],
        };
        let edge = |from, to| DrawnEdge {
            from,
            to,
            label: evil.clone(),
            details: vec![evil.clone()],
        };
        let page = universes(&Universes {
            title: evil.clone(),
            lead: evil.clone(),
            notes: vec![evil.clone()],
            outcomes: Vec::new(),
            graph: evil.clone(),
            nodes: vec![node(None), node(Some(true)), node(Some(false))],
            // A circle, and an edge to itself.
            edges: vec![edge(0, 1), edge(1, 0), edge(0, 2), edge(2, 2)],
            decisions: Vec::new(),
        });
        assert!(!page.contains("<script") && !page.contains('\u{202e}'));
        assert_eq!(page.matches("<rect").count(), 3);
    }
}
