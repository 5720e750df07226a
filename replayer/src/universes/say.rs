//! Steps and choices of a graph of universes, in words.

use log_format::Pid;
use multiverse::map::{Deed, Edge, Map, SharedStep};

use crate::words::{count, number, safe};

/// The words for a graph.
pub(crate) struct Words<'m>(pub &'m Map);

impl Words<'_> {
    /// A process: what it runs, and its pid.
    pub fn who(&self, pid: Pid) -> String {
        let all = &self.0.processes;
        let runs = all
            .binary_search_by_key(&pid, |(pid, _)| *pid)
            .ok()
            .map(|at| all[at].1.as_str());
        match runs {
            Some(runs) if !runs.is_empty() => format!("{} <{pid}>", safe(runs)),
            _ => format!("<{pid}>"),
        }
    }

    /// What a step does, without who and where.
    pub fn does(&self, step: &SharedStep) -> String {
        let text = safe(&step.text);
        let from = |words: &str| {
            step.from
                .map_or_else(String::new, |from| format!("{words} {}", self.who(from)))
        };
        match step.deed {
            Deed::Receives => format!("takes {text}{}", from(" from")),
            Deed::TimesOut => "times out".to_owned(),
            Deed::IsEnded => format!("is ended by an exit signal{}", from(" from")),
            Deed::Finds => format!("calls {text} after a signal{} has arrived", from(" from")),
            Deed::Calls => {
                let action = step
                    .action
                    .map_or_else(String::new, |action| format!(", its action {action}"));
                format!("calls {text}{}{action}", from(", last changed by"))
            }
            Deed::Chooses => format!("chooses {text}"),
            Deed::Ends if text.is_empty() || text == "normal" || text == ":normal" => "ends".to_owned(),
            Deed::Ends => format!("ends with {text}"),
            Deed::Halts => format!("halts the run with {text}"),
            Deed::IsStuck => "waits for ever: what was sent to it was dropped".to_owned(),
        }
    }

    /// A step in few characters.
    pub fn brief(step: &SharedStep) -> String {
        let text = safe(&step.text);
        match step.deed {
            Deed::Receives => {
                // Of a request to a server, the pid and the reference in front would be all that there is room for.
                let said = step.said.as_deref().map_or(text, safe);
                format!("<{}> takes {said}", step.pid)
            }
            Deed::Finds | Deed::Calls => format!("<{}> {text}", step.pid),
            Deed::Chooses => format!("<{}> chooses {text}", step.pid),
            Deed::TimesOut => format!("<{}> times out", step.pid),
            Deed::IsEnded => format!("<{}> is ended", step.pid),
            Deed::Ends => format!("<{}> ends", step.pid),
            Deed::Halts => format!("<{}> halts the run", step.pid),
            Deed::IsStuck => format!("<{}> waits for ever", step.pid),
        }
    }

    /// A step, with its place.
    pub fn step(&self, step: &SharedStep) -> String {
        format!("{} {}{}", self.who(step.pid), self.does(step), place(step))
    }

    /// A choice: what is chosen, after what leads to it.
    pub fn choice(&self, edge: Edge) -> Vec<String> {
        let chain = &self.0.chains[edge.chain as usize];
        let end = (chain.choice as usize).saturating_add(1).min(chain.steps.len());
        let end = if self.0.choice(edge).is_some() { end } else { 0 };
        let steps = chain.steps[..end].iter().map(|step| &self.0.steps[*step as usize]);
        let mut lines: Vec<String> = steps.map(|step| self.step(step)).collect();
        if lines.is_empty() {
            lines.push("the run comes to its end first".to_owned());
        }
        lines
    }

    /// A group by the headline of its first ending.
    pub fn group(&self, group: u32) -> String {
        let first = self.0.endings.iter().find(|ending| ending.group == group);
        first.map_or_else(String::new, |ending| ending.headline.clone())
    }
}

/// `3 of 7 universes end so`.
pub(crate) fn end_so((some, all): (u64, u64)) -> String {
    let universes = count(all, "universe");
    match (some, all) {
        (1, 1) => "the only universe ends so".to_owned(),
        (1, _) => format!("1 of {universes} ends so"),
        _ if some == all => format!("all {universes} end so"),
        _ => format!("{} of {universes} end so", number(some)),
    }
}

/// Where a step is done.
fn place(step: &SharedStep) -> String {
    match step.place.is_empty() {
        true => String::new(),
        false => format!(" at {}", safe(&step.place)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_to_a_server_are_told_apart_in_few_characters() {
        let takes = |text: &str, said: Option<&str>| {
            Words::brief(&SharedStep {
                pid: Pid(2),
                deed: Deed::Receives,
                text: text.to_owned(),
                said: said.map(str::to_owned),
                from: Some(Pid(5)),
                action: None,
                place: String::new(),
            })
        };
        let call = "{'$gen_call',{<0.5.0>,#Ref<0.5.1.0>},{transfer,5}}";
        assert_eq!(
            takes(call, Some("the call {transfer,5}")),
            "<0.2.0> takes the call {transfer,5}"
        );
        assert_eq!(takes("{transfer,5}", None), "<0.2.0> takes {transfer,5}");
    }
}
