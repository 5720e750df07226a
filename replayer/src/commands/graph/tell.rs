//! The answer of `replay graph` as text.

use std::io::{Result, Write};

use super::{Chosen, Decides, GraphAnswer, LISTED, Parts, ShownState, ToldWay};
use crate::render::text::{Layout, wrap};
use crate::universes::end_so;
use crate::words::{count, cut, number};

/// Limit: lines of an outcome.
const DETAILS: usize = 8;

pub(super) fn text(out: &mut dyn Write, view: &GraphAnswer, layout: &Layout) -> Result<()> {
    if let Some(path) = &view.written {
        return writeln!(out, "{path}");
    }
    let all = match view.complete {
        true => "these are all",
        false => "as far as explored",
    };
    writeln!(
        out,
        "{}: {}, {}, {}; {all}",
        view.program,
        layout.paint.strong(&count(view.universes, "universe")),
        count(view.states, "state"),
        count(view.choices, "choice"),
    )?;
    for note in &view.notes {
        writeln!(out, "{}", wrap(&format!("  {note}"), layout.width))?;
    }
    writeln!(out)?;
    if let Some(way) = &view.way {
        return told(out, way, layout);
    }
    if let Some(answer) = &view.decides {
        return decides(out, view, answer, layout);
    }
    if let Some(answer) = &view.parts {
        return parts(out, answer, layout);
    }
    if let Some(answer) = &view.state {
        return state(out, answer, layout);
    }
    if let Some(answer) = &view.avoid {
        return avoid(out, answer, layout);
    }
    ends(out, view, layout)
}

fn ends(out: &mut dyn Write, view: &GraphAnswer, layout: &Layout) -> Result<()> {
    writeln!(out, "universes  outcome")?;
    for ends in &view.outcomes {
        let headline = cut(&ends.headline, layout.width);
        let headline = if ends.failure {
            layout.paint.bad(&headline)
        } else {
            headline
        };
        writeln!(out, "{:>9}  {:>3}  {headline}", number(ends.universes), ends.outcome)?;
        writeln!(
            out,
            "                at least {} and {}; {}{}",
            count(u64::from(ends.fewest_choices), "choice"),
            count(ends.fewest_actions, "action"),
            count(u64::from(ends.states), "end state"),
            match ends.endings {
                1 => String::new(),
                endings => format!("; {} endings that differ in values:", number(u64::from(endings))),
            }
        )?;
        for other in &ends.others {
            writeln!(out, "                or: {}", cut(other, layout.width))?;
        }
    }
    Ok(())
}

/// A choice, with a mark before it.
fn chosen(out: &mut dyn Write, mark: &str, one: &Chosen, layout: &Layout) -> Result<()> {
    let indent = " ".repeat(mark.chars().count());
    for (step, at) in one.steps.iter().zip(0..) {
        let then = if at + 1 < one.steps.len() { ", then" } else { "" };
        let lead = if at == 0 { mark } else { indent.as_str() };
        writeln!(out, "{lead}{}{then}", short(step, layout))?;
    }
    Ok(())
}

fn short(line: &str, layout: &Layout) -> String {
    match layout.all {
        true => line.to_owned(),
        false => cut(line, 2 * layout.width.clamp(40, 120)),
    }
}

fn told(out: &mut dyn Write, way: &ToldWay, layout: &Layout) -> Result<()> {
    writeln!(
        out,
        "The shortest way to {}: universe {}, {}",
        short(&way.headline, layout),
        number(way.universe),
        count(way.choices.len() as u64, "choice")
    )?;
    for (one, at) in way.choices.iter().zip(1..) {
        chosen(out, &format!("{at:>4}. "), one, layout)?;
    }
    Ok(())
}

fn decides(out: &mut dyn Write, view: &GraphAnswer, answer: &Decides, layout: &Layout) -> Result<()> {
    let headline = short(&answer.headline, layout);
    let headline = if answer.failure {
        layout.paint.bad(&headline)
    } else {
        headline
    };
    let explored = if view.complete { "" } else { ", as far as explored" };
    writeln!(
        out,
        "{headline}: {}{explored}",
        end_so((answer.universes, view.universes))
    )?;
    for line in answer.details.iter().take(DETAILS) {
        writeln!(out, "      {}", short(line, layout))?;
    }
    if answer.always {
        return writeln!(
            out,
            "\nIt is unavoidable from the start{explored}: no choice prevents it."
        );
    }
    writeln!(out, "\nThe shortest way there is universe {}:", number(answer.universe))?;
    for (turn, at) in answer.choices.iter().zip(1..) {
        chosen(out, &format!("{at:>4}. "), &turn.chosen, layout)?;
        writeln!(out, "          from here, {}", end_so(turn.after))?;
    }
    writeln!(out)?;
    if let Some(at) = answer.first_that_matters
        && Some(at) != answer.unavoidable_after
    {
        writeln!(
            out,
            "Choice {at} is the first that matters: there is another choice there that prevents it."
        )?;
    }
    let Some(at) = answer.unavoidable_after else {
        return writeln!(
            out,
            "No choice makes it unavoidable: up to its end, the run could come to another one."
        );
    };
    let turn = &answer.choices[at - 1];
    writeln!(
        out,
        "{}",
        layout.paint.strong(&format!(
            "Unavoidable after choice {at}{explored}: every run ends so, once"
        ))
    )?;
    chosen(out, "      ", &turn.chosen, layout)?;
    let until = match answer.instead.is_empty() {
        true => "Until then it can be avoided only by a halt, which could come at any time",
        false => "Until then it can be avoided: there could be instead",
    };
    writeln!(out, "{}", layout.paint.strong(until))?;
    for other in &answer.instead {
        chosen(out, "      ", other, layout)?;
    }
    others(out, answer, layout)
}

/// The other choices that make it unavoidable.
fn others(out: &mut dyn Write, answer: &Decides, layout: &Layout) -> Result<()> {
    if answer.deciding < 2 {
        return Ok(());
    }
    writeln!(
        out,
        "\nIn the whole graph, {} make it unavoidable{}:",
        count(answer.deciding as u64, "choice"),
        if answer.deciding > LISTED {
            "; those with the most universes"
        } else {
            ""
        }
    )?;
    for one in &answer.most {
        let mark = format!("{:>9}  ", number(one.universes));
        chosen(out, &mark, one, layout)?;
    }
    Ok(())
}

fn parts(out: &mut dyn Write, answer: &Parts, layout: &Layout) -> Result<()> {
    let (a, b) = answer.universes;
    let (Some(one), Some(other), Some(state)) = (&answer.one, &answer.other, answer.state) else {
        return writeln!(out, "Universes {a} and {b} are the same.");
    };
    writeln!(
        out,
        "Universes {a} and {b} share {} and part in state {state}:",
        count(answer.shared as u64, "choice")
    )?;
    for (number, one, end) in [(a, one, &answer.ends.0), (b, other, &answer.ends.1)] {
        chosen(out, &format!("{number:>6}: "), one, layout)?;
        writeln!(out, "        and ends: {}", short(end, layout))?;
    }
    Ok(())
}

fn state(out: &mut dyn Write, answer: &ShownState, layout: &Layout) -> Result<()> {
    writeln!(
        out,
        "State {}: {} go through it, after at least {}",
        answer.state,
        count(answer.universes, "universe"),
        count(answer.way.len() as u64, "choice")
    )?;
    for (one, at) in answer.way.iter().zip(1..) {
        chosen(out, &format!("{at:>4}. "), one, layout)?;
    }
    if let Some(ending) = &answer.ending {
        return writeln!(out, "It is an end: {}", short(ending, layout));
    }
    writeln!(out, "Possible from here:")?;
    for (group, headline) in answer.possible.iter().take(LISTED) {
        writeln!(out, "{group:>6}  {}", short(headline, layout))?;
    }
    writeln!(out, "Its choices:")?;
    for one in &answer.choices {
        chosen(
            out,
            &format!("{:>9}  to state {:<6} ", number(one.universes), one.next),
            one,
            layout,
        )?;
    }
    Ok(())
}

fn avoid(out: &mut dyn Write, answer: &super::Avoid, layout: &Layout) -> Result<()> {
    writeln!(out, "Ways that avoid state {}:", answer.state)?;
    for one in &answer.outcomes {
        writeln!(
            out,
            "\nOutcome {} ({}): {} avoid it, {} go through it",
            one.outcome,
            short(&one.headline, layout),
            count(one.avoiding, "universe"),
            number(one.through)
        )?;
        match &one.way {
            Some(way) => {
                writeln!(out, "  the shortest is universe {}:", number(way.universe))?;
                for (one, at) in way.choices.iter().zip(1..) {
                    chosen(out, &format!("{at:>4}. "), one, layout)?;
                }
            }
            None => writeln!(out, "  every way there goes through the state")?,
        }
    }
    Ok(())
}
