//! A graph of universes as JSON: everything, with numbers that refer to places in lists.

use multiverse::map::{Ending, Map, SharedStep};
use serde::Serialize;

/// How it begins.
pub(super) const START: &str = "{\"program\":";

#[derive(Serialize)]
struct Document<'m> {
    program: &'m str,
    complete: bool,
    notes: &'m [String],
    /// What is done before the first choice: numbers of steps.
    start: &'m [u32],
    processes: Vec<JsonProcess<'m>>,
    steps: Vec<OneStep<'m>>,
    /// Numbers of steps, and the place of the choice among them.
    chains: Vec<Chain<'m>>,
    states: Vec<JsonState>,
    choices: Vec<JsonChoice>,
    endings: Vec<OneEnding<'m>>,
    universes: u64,
    lengths: Vec<OneLength>,
}

#[derive(Serialize)]
struct JsonProcess<'m> {
    pid: String,
    runs: &'m str,
}

#[derive(Serialize)]
struct OneStep<'m> {
    pid: String,
    deed: &'static str,
    text: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<u64>,
    place: &'m str,
}

#[derive(Serialize)]
struct Chain<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<u32>,
    steps: &'m [u32],
}

#[derive(Serialize)]
struct JsonState {
    state: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<u32>,
    /// Endings that are possible besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open: Vec<u32>,
}

#[derive(Serialize)]
struct JsonChoice {
    state: u32,
    next: u32,
    chain: u32,
}

#[derive(Serialize)]
struct OneEnding<'m> {
    group: u32,
    failure: bool,
    headline: &'m str,
    details: &'m [String],
}

#[derive(Serialize)]
struct OneLength {
    state: u32,
    actions: u64,
    universes: u64,
}

fn step(step: &SharedStep) -> OneStep<'_> {
    OneStep {
        pid: step.pid.to_string(),
        deed: step.deed.word(),
        text: &step.text,
        from: step.from.map(|from| from.to_string()),
        action: step.action,
        place: &step.place,
    }
}

fn ending(ending: &Ending) -> OneEnding<'_> {
    OneEnding {
        group: ending.group,
        failure: ending.failure,
        headline: &ending.headline,
        details: &ending.details,
    }
}

pub(super) fn bytes(map: &Map) -> std::io::Result<Vec<u8>> {
    let open = |state: u32| {
        map.open
            .iter()
            .filter(move |(of, _)| *of == state)
            .map(|(_, ending)| *ending)
    };
    let document = Document {
        program: &map.program,
        complete: map.complete,
        notes: &map.notes,
        start: &map.start,
        processes: map
            .processes
            .iter()
            .map(|(pid, runs)| JsonProcess {
                pid: pid.to_string(),
                runs,
            })
            .collect(),
        steps: map.steps.iter().map(step).collect(),
        chains: map
            .chains
            .iter()
            .map(|chain| Chain {
                choice: Some(chain.choice).filter(|choice| (*choice as usize) < chain.steps.len()),
                steps: &chain.steps,
            })
            .collect(),
        states: (0..)
            .zip(&map.ends)
            .map(|(state, ending)| JsonState {
                state,
                ending: *ending,
                open: if map.open.is_empty() {
                    Vec::new()
                } else {
                    open(state).collect()
                },
            })
            .collect(),
        choices: map
            .edges
            .iter()
            .map(|edge| JsonChoice {
                state: edge.from,
                next: edge.to,
                chain: edge.chain,
            })
            .collect(),
        endings: map.endings.iter().map(ending).collect(),
        universes: map.universes,
        lengths: map
            .lengths
            .iter()
            .map(|length| OneLength {
                state: length.end,
                actions: length.actions,
                universes: length.universes,
            })
            .collect(),
    };
    let mut out = Vec::new();
    crate::render::json::write_part(&mut out, &document)?;
    out.push(b'\n');
    Ok(out)
}
