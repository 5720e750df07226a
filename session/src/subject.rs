//! A process at one moment: its activations, variables, mailbox.

use interpreter::heap::Fragment;
use interpreter::print::{self, Style, Terms};
use interpreter::term::Term;
use interpreter::vm;
use system::World;
use system::ids;
use system::process::{Process, ProcessActivity, Signal};

use crate::content::Content;
use crate::view;
use crate::watch::SeenEnd;
use crate::words::safe;

/// Limits on what is shown of a process.
#[derive(Clone, Copy, Debug)]
pub struct ShownBounds {
    /// Characters of a term.
    pub chars: usize,
    /// Frames.
    pub frames: usize,
    /// Messages, links and the like.
    pub items: usize,
}

/// The activations of a process, innermost first, and how many there are.
#[must_use]
pub fn frames(
    machine: &vm::Process,
    program: &vm::Program,
    limit: usize,
    chars: usize,
) -> (Vec<view::ShownFrame>, usize) {
    let style = Style::shown(program);
    let all = machine.frames(program);
    let depth = all.len();
    let shown = all.into_iter().take(limit).map(|frame| view::ShownFrame {
        place: frame
            .location
            .map(|location| crate::watch::place(location, style.terms)),
        source: Vec::new(),
        variables: crate::named::variables(&frame.variables, style.terms)
            .map(|(name, value)| view::Variable {
                name,
                value: value.map(|t| print::short(&machine.heap, t, chars, &style)),
            })
            .collect(),
    });
    (shown.collect(), depth)
}

/// Variables with their values, copied out of the process.
pub type Values = Vec<(String, Fragment)>;

/// The variables of the innermost activation of a function of the program, or else of any function; copied out of the process.
#[must_use]
pub fn values(machine: &vm::Process, program: &vm::Program, owns: impl Fn(&str) -> bool) -> Values {
    let frames = machine.frames(program);
    let own = frames
        .iter()
        .find(|frame| frame.location.as_ref().is_some_and(|l| owns(l.file)));
    let Some(frame) = own.or_else(|| frames.first()) else {
        return Vec::new();
    };
    exported(machine, frame, program.terms())
}

/// The variables of each of the innermost activations, with its file.
#[must_use]
pub fn all_values(machine: &vm::Process, program: &vm::Program, limit: usize) -> Vec<(String, Values)> {
    let frames = machine.frames(program);
    let file = |frame: &vm::Frame<'_>| frame.location.as_ref().map_or_else(String::new, |l| l.file.to_owned());
    frames
        .iter()
        .take(limit)
        .map(|frame| (file(frame), exported(machine, frame, program.terms())))
        .collect()
}

fn exported(machine: &vm::Process, frame: &vm::Frame<'_>, terms: Terms) -> Values {
    let known = crate::named::variables(&frame.variables, terms);
    let value = |(name, value): (String, Option<Term>)| Some((name, machine.heap.export_own(value?)));
    known.filter_map(value).collect()
}

/// The process dictionary.
#[must_use]
pub fn dictionary(machine: &vm::Process, style: &Style<'_>, chars: usize) -> Vec<view::Variable> {
    let short = |t: Term, chars| print::short(&machine.heap, t, chars, style);
    let pairs = machine.local.dictionary.iter();
    pairs
        .map(|(k, v)| view::Variable {
            name: short(k, 40),
            value: Some(short(v, chars)),
        })
        .collect()
}

/// A process that has ended, after this many actions.
#[must_use]
pub fn ended(pid: log_format::Pid, actions: u64, end: &SeenEnd) -> view::ProcessView {
    view::ProcessView {
        pid: pid.to_string(),
        actions,
        state: "ended".to_owned(),
        reason: Some(end.reason.clone()),
        frames: end.frames.clone(),
        depth: end.depth as u64,
        dictionary: end.dictionary.clone(),
        ..view::ProcessView::default()
    }
}

/// A living process.
#[must_use]
pub fn living(system: &World, p: &Process, bounds: &ShownBounds) -> view::ProcessView {
    let ShownBounds {
        chars,
        frames: limit,
        items,
    } = *bounds;
    let style = Style::shown(system.program.as_ref());
    let (frames, depth) = frames(&p.machine, &system.program, limit, chars);
    let waiting = p.waiting();
    let arrived = p.machine.mailbox.entries().map(|entry| view::WaitingSignal {
        signal: ids::unpack(entry.tag()).to_string(),
        kind: "message",
        content: Content::of_fragment(entry.fragment(), &system.program, chars),
    });
    let pooled = waiting.iter().map(|(tag, signal)| {
        let (kind, content) = match *signal {
            Signal::Message(message) | Signal::Aliased { message, .. } | Signal::Down { message, .. } => {
                ("message", message)
            }
            Signal::Exit { reason, .. } => ("exit signal", reason),
        };
        let content = Content::of_fragment(content, &system.program, chars);
        view::WaitingSignal {
            signal: tag.to_string(),
            kind,
            content,
        }
    });
    let mailbox: Vec<_> = arrived.chain(pooled).take(items).collect();
    let mut links: Vec<_> = p.rare.links.iter().copied().collect();
    links.sort_unstable();
    let mut monitors: Vec<_> = p.rare.monitors.values().map(|m| m.target).collect();
    monitors.sort_unstable();
    let pids = |pids: Vec<interpreter::term::Pid>| -> Vec<String> {
        pids.into_iter()
            .take(items)
            .map(|pid| ids::to_log(pid).to_string())
            .collect()
    };
    view::ProcessView {
        pid: ids::to_log(p.pid).to_string(),
        name: None,
        actions: p.actions,
        of_actions: p.actions,
        state: state(p.state).to_owned(),
        reason: None,
        frames,
        depth: depth as u64,
        mailbox,
        mailbox_length: (p.machine.mailbox.len() + waiting.len()) as u64,
        names: p
            .rare
            .names
            .iter()
            .map(|n| safe(crate::words::module(n.as_str(), style.terms)))
            .collect(),
        links: pids(links),
        monitors: pids(monitors),
        trap_exit: p.trap_exit,
        dictionary: dictionary(&p.machine, &style, chars),
        next: None,
    }
}

const fn state(state: ProcessActivity) -> &'static str {
    match state {
        ProcessActivity::Ready | ProcessActivity::Gated => "ready to run",
        ProcessActivity::Waiting => "waits in a receive",
        ProcessActivity::WaitingInput => "waits for input",
        ProcessActivity::Blocked => "waits for an action of another process",
        ProcessActivity::Frozen => "stopped here",
    }
}
