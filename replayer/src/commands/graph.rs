//! `replay graph`: questions to a graph of universes that `replay explore --graph` wrote.

mod tell;

use std::collections::BTreeSet;

use multiverse::map::{AskedGraph, Edge, Ending, Map, WayToEnd};
use serde::Serialize;

use crate::cli::shared::ShowArgs;
use crate::commands::Out;
use crate::exit::Exit;
use crate::universes::{self, GraphFileKind, Words};
use clap::Args;
use session::Error;
use std::path::PathBuf;

/// `replay graph`.
#[derive(Args, Debug)]
#[command(
    after_help = "OUTCOME is a number of the list that is shown without an option, `deadlock`, `crash`, or a part of the text.

Example: replay explore --graph u.sqlite counter.erl; replay graph --decides crash u.sqlite"
)]
#[group(skip)]
pub struct GraphArgs {
    /// A graph that `replay explore --graph FILE.sqlite` wrote
    #[arg(value_name = "FILE.sqlite")]
    pub file: PathBuf,
    /// Show the way to an outcome with the fewest choices
    #[arg(long, value_name = "OUTCOME", group = "question")]
    pub way: Option<String>,
    /// Show which choice makes an outcome unavoidable, and which is the first that matters
    #[arg(long, value_name = "OUTCOME", group = "question")]
    pub decides: Option<String>,
    /// Show where two universes part, for example 1,4
    #[arg(long, value_name = "N,M", group = "question")]
    pub parts: Option<String>,
    /// Show the ways that do not go through this state
    #[arg(long, value_name = "STATE", group = "question")]
    pub avoid: Option<u32>,
    /// Show a state: how to get there, what is possible from there, and its choices
    #[arg(long, value_name = "STATE", group = "question")]
    pub at: Option<u32>,
    /// Write the graph as .html, .json or .dot
    #[arg(short, long, value_name = "FILE", group = "question")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Limit: choices that make an outcome unavoidable, and other choices at one place.
const LISTED: usize = 12;
/// Limit: other endings of a group.
const OTHERS: usize = 3;

/// The answer.
#[derive(Serialize)]
pub(crate) struct GraphAnswer {
    program: String,
    universes: u64,
    states: u64,
    choices: u64,
    /// Are these all universes? Otherwise, the answer is true as far as explored.
    complete: bool,
    notes: Vec<String>,
    /// Not asked for with another question: how universes end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<Ends>,
    #[serde(skip_serializing_if = "Option::is_none")]
    way: Option<ToldWay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decides: Option<Decides>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Parts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    avoid: Option<Avoid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<ShownState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

/// Universes that end alike.
#[derive(Serialize)]
struct Ends {
    outcome: u32,
    headline: String,
    details: Vec<String>,
    failure: bool,
    universes: u64,
    /// How many different endings, which differ in values, and some of the others.
    endings: u32,
    others: Vec<String>,
    states: u32,
    fewest_choices: u32,
    fewest_actions: u64,
}

/// A choice.
#[derive(Serialize)]
struct Chosen {
    state: u32,
    next: u32,
    /// What leads to it, and then what is chosen.
    steps: Vec<String>,
    universes: u64,
    /// What can come after it, by outcome.
    possible: Vec<u32>,
}

/// A way.
#[derive(Serialize)]
struct ToldWay {
    headline: String,
    universe: u64,
    choices: Vec<Chosen>,
}

/// Where it is decided that universes end so.
#[derive(Serialize)]
struct Decides {
    headline: String,
    /// Of the universe with the fewest choices.
    details: Vec<String>,
    failure: bool,
    universes: u64,
    /// Is it so in all universes?
    always: bool,
    /// The shortest way there.
    universe: u64,
    choices: Vec<ShownTurn>,
    /// Of these, from 1: the first one where there is another choice that prevents it.
    first_that_matters: Option<usize>,
    /// The one after which it is unavoidable.
    unavoidable_after: Option<usize>,
    /// What could be chosen there instead to prevent it; if nothing does, so that it is not certain.
    instead: Vec<Chosen>,
    /// All choices of the graph after which it is unavoidable, and before which it is not: how many, and those with the most universes.
    deciding: usize,
    most: Vec<Chosen>,
}

/// A choice on a way.
#[derive(Serialize)]
struct ShownTurn {
    #[serde(flatten)]
    chosen: Chosen,
    /// Universes that end so, of all that go on: before it and after it.
    before: (u64, u64),
    after: (u64, u64),
}

/// Where two universes part.
#[derive(Serialize)]
struct Parts {
    universes: (u64, u64),
    /// How many choices they share.
    shared: usize,
    state: Option<u32>,
    one: Option<Chosen>,
    other: Option<Chosen>,
    ends: (String, String),
}

/// What comes of universes that avoid a state.
#[derive(Serialize)]
struct Avoid {
    state: u32,
    outcomes: Vec<Around>,
}

#[derive(Serialize)]
struct Around {
    outcome: u32,
    headline: String,
    through: u64,
    avoiding: u64,
    /// The shortest way that avoids it.
    way: Option<ToldWay>,
}

/// A state.
#[derive(Serialize)]
struct ShownState {
    state: u32,
    universes: u64,
    ending: Option<String>,
    possible: Vec<(u32, String)>,
    way: Vec<Chosen>,
    choices: Vec<Chosen>,
}

/// Runs `replay graph`.
///
/// # Errors
/// The file cannot be read or is not a graph; what is asked for is not there.
pub fn run(args: &GraphArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let map = universes::read(&args.file)?;
    let view = GraphQuestion {
        asked: AskedGraph::of(&map),
        words: Words(&map),
        map: &map,
        wanted: String::new(),
    }
    .view(args)?;
    out.view(&view, args.show, tell::text)?;
    Ok(Exit::Success)
}

struct GraphQuestion<'m> {
    map: &'m Map,
    asked: AskedGraph<'m>,
    words: Words<'m>,
    /// The outcome that is asked for, in words.
    wanted: String,
}

/// The group of the endings that are asked for; all others are group 0.
const WANTED: u32 = 1;

impl GraphQuestion<'_> {
    /// The same for the endings that a text names.
    fn about(&self, text: &str) -> Result<Self, Error> {
        let named = self.named(text)?;
        let first = named.iter().position(|named| *named).unwrap_or(0);
        let groups: BTreeSet<u32> = (self.map.endings.iter().zip(&named))
            .filter(|(_, named)| **named)
            .map(|(ending, _)| ending.group)
            .collect();
        let more = match groups.len() {
            0 | 1 => String::new(),
            more => format!(" (and {} more outcomes that `{text}` names)", more - 1),
        };
        Ok(Self {
            map: self.map,
            asked: AskedGraph::grouped(self.map, named.into_iter().map(u32::from).collect()),
            words: Words(self.map),
            wanted: format!("{}{more}", self.map.endings[first].headline),
        })
    }

    fn view(&self, args: &GraphArgs) -> Result<GraphAnswer, Error> {
        let map = self.map;
        let mut view = GraphAnswer {
            program: map.program.clone(),
            universes: map.universes,
            states: map.states() as u64,
            choices: map.edges.len() as u64,
            complete: map.complete,
            notes: map.notes.clone(),
            outcomes: Vec::new(),
            way: None,
            decides: None,
            parts: None,
            avoid: None,
            state: None,
            written: None,
        };
        if let Some(text) = &args.way {
            let about = self.about(text)?;
            view.way = about.asked.way(WANTED, None).map(|way| self.told(about.wanted, &way));
        } else if let Some(text) = &args.decides {
            let about = self.about(text)?;
            view.decides = self.decides(&about);
        } else if let Some(text) = &args.parts {
            view.parts = Some(self.parts(text)?);
        } else if let Some(state) = args.avoid {
            view.avoid = Some(self.avoid(self.state(state)?));
        } else if let Some(state) = args.at {
            view.state = Some(self.at(self.state(state)?));
        } else if let Some(path) = &args.output {
            universes::write(map, GraphFileKind::of(path)?, path)?;
            view.written = Some(path.display().to_string());
        } else {
            view.outcomes = self.asked.ends().iter().map(|ends| self.ends(ends)).collect();
        }
        Ok(view)
    }

    /// The endings that a text names.
    fn named(&self, text: &str) -> Result<Vec<bool>, Error> {
        let map = self.map;
        let wanted = match text.to_lowercase().as_str() {
            "deadlock" | "hang" => "waits for ever".to_owned(),
            "crash" => "crashed".to_owned(),
            other => other.to_owned(),
        };
        let of_number = text.parse::<u32>().ok();
        let of_number = of_number.filter(|number| map.endings.iter().any(|ending| ending.group == *number));
        let is_it = |ending: &Ending| match of_number {
            Some(number) => ending.group == number,
            None if wanted == "failure" => ending.failure,
            None => {
                let mut lines = std::iter::once(&ending.headline).chain(&ending.details);
                lines.any(|line| line.to_lowercase().contains(&wanted))
            }
        };
        let named: Vec<bool> = map.endings.iter().map(is_it).collect();
        if named.contains(&true) {
            return Ok(named);
        }
        let all = AskedGraph::of(map).ends();
        let lines = all
            .iter()
            .take(LISTED)
            .map(|ends| format!("\n  {}  {}", ends.group, map.endings[ends.ending as usize].headline));
        Err(Error::NoTarget(format!(
            "no universe ends with `{text}`; the outcomes are:{}",
            lines.collect::<String>()
        )))
    }

    fn state(&self, state: u32) -> Result<u32, Error> {
        match (state as usize) < self.map.states() {
            true => Ok(state),
            false => Err(Error::NoTarget(format!(
                "there is no state {state}: the last one is {}",
                self.map.states() - 1
            ))),
        }
    }

    fn ends(&self, ends: &multiverse::map::Ends) -> Ends {
        let ending = &self.map.endings[ends.ending as usize];
        Ends {
            outcome: ends.group,
            headline: ending.headline.clone(),
            details: ending.details.clone(),
            failure: ending.failure,
            universes: ends.universes,
            endings: ends.endings,
            others: self.others(ends),
            states: ends.states,
            fewest_choices: ends.choices,
            fewest_actions: ends.actions,
        }
    }

    /// Some other endings of a group.
    fn others(&self, ends: &multiverse::map::Ends) -> Vec<String> {
        let first = &self.map.endings[ends.ending as usize].headline;
        let all = self.map.endings.iter().filter(|ending| ending.group == ends.group);
        let others: BTreeSet<&String> = all.map(|ending| &ending.headline).filter(|one| *one != first).collect();
        others.into_iter().take(OTHERS).cloned().collect()
    }

    fn chosen(&self, edge: Edge) -> Chosen {
        Chosen {
            state: edge.from,
            next: edge.to,
            steps: self.words.choice(edge),
            universes: self.asked.through_edge(edge),
            possible: self.asked.groups_from(edge.to),
        }
    }

    fn told(&self, headline: String, way: &WayToEnd) -> ToldWay {
        ToldWay {
            headline,
            universe: way.universe,
            choices: way.edges.iter().map(|edge| self.chosen(*edge)).collect(),
        }
    }

    /// `about`: the same graph, with the endings that are asked for as a group.
    fn decides(&self, about: &Self) -> Option<Decides> {
        let found = about.asked.decisive(WANTED)?;
        let ends = about.asked.ends();
        let ends = ends.iter().find(|ends| ends.group == WANTED)?;
        let end = found.way.edges.last().map_or(0, |edge| edge.to);
        let ending = self.map.ends[end as usize].map(|ending| &self.map.endings[ending as usize]);
        let turn = |turn: &multiverse::map::WayTurn| ShownTurn {
            chosen: self.chosen(turn.edge),
            before: turn.before,
            after: turn.after,
        };
        let at = found.last.or(found.first).map(|at| found.way.edges[at]);
        let others = at.map_or_else(Vec::new, |edge| about.asked.instead(edge, WANTED));
        Some(Decides {
            headline: about.wanted.clone(),
            details: ending.map_or_else(Vec::new, |ending| ending.details.clone()),
            failure: self.map.endings[ends.ending as usize].failure,
            universes: ends.universes,
            always: found.always,
            universe: found.way.universe,
            choices: found.turns.iter().map(turn).collect(),
            first_that_matters: found.first.map(|at| at + 1),
            unavoidable_after: found.last.map(|at| at + 1),
            instead: others.iter().take(LISTED).map(|edge| self.chosen(*edge)).collect(),
            deciding: found.all.len(),
            most: found
                .all
                .iter()
                .take(LISTED)
                .map(|(edge, _)| self.chosen(*edge))
                .collect(),
        })
    }

    fn parts(&self, text: &str) -> Result<Parts, Error> {
        let numbers = text
            .split_once(',')
            .and_then(|(one, other)| Some((one.trim().parse::<u64>().ok()?, other.trim().parse::<u64>().ok()?)));
        let Some((one, other)) = numbers else {
            return Err(Error::Usage(format!(
                "--parts takes two numbers of universes, such as 1,2, and not `{text}`"
            )));
        };
        let way = |number: u64| {
            self.asked.universe(number).ok_or_else(|| {
                Error::NoTarget(format!(
                    "there is no universe {number}: they have the numbers 1 to {}",
                    self.map.universes
                ))
            })
        };
        let (a, b) = (way(one)?, way(other)?);
        let shared = AskedGraph::shared(&a, &b);
        let ending = |way: &WayToEnd| {
            let end = way.edges.last().map_or(0, |edge| edge.to);
            let ending = self.map.ends[end as usize].map(|ending| &self.map.endings[ending as usize]);
            ending.map_or_else(String::new, |ending| ending.headline.clone())
        };
        let chosen = |way: &WayToEnd| way.edges.get(shared).map(|edge| self.chosen(*edge));
        Ok(Parts {
            universes: (one, other),
            shared,
            state: a.edges.get(shared).map(|edge| edge.from),
            one: chosen(&a),
            other: chosen(&b),
            ends: (ending(&a), ending(&b)),
        })
    }

    fn avoid(&self, state: u32) -> Avoid {
        let around = self
            .asked
            .around(state)
            .into_iter()
            .map(|(group, through, avoiding)| Around {
                outcome: group,
                headline: self.words.group(group),
                through,
                avoiding,
                way: (self.asked.way(group, Some(state))).map(|way| self.told(self.words.group(group), &way)),
            });
        Avoid {
            state,
            outcomes: around.collect(),
        }
    }

    fn at(&self, state: u32) -> ShownState {
        let ending = self.map.ends[state as usize].map(|ending| self.map.endings[ending as usize].headline.clone());
        ShownState {
            state,
            universes: self.asked.through(state),
            ending,
            possible: self
                .asked
                .groups_from(state)
                .into_iter()
                .map(|group| (group, self.words.group(group)))
                .collect(),
            way: self
                .asked
                .to_state(state)
                .into_iter()
                .map(|edge| self.chosen(edge))
                .collect(),
            choices: self.map.edges_of(state).iter().map(|edge| self.chosen(*edge)).collect(),
        }
    }
}
