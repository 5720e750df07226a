//! The shape of a failure's causes: which kinds of steps led to it, of which processes and on what. Two runs with the same failure and other
//! causes (a late reply, a lost update) have other shapes; numbers of processes, and how often a step was done, do not count. Neither does what
//! happened before the test began, such as earlier tests of its module.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use causality::Target;
use log_format::{Access, Action, Cut, Kind, LogStep, Pid, PidMap, Resource, TestNote, Trace};
use rustc_hash::FxHasher;

/// The shape of the causes of a target; none if the trace has no such target or is damaged.
pub fn of(trace: &Trace, target: &str) -> Option<u64> {
    let target: Target = target.parse().ok()?;
    let causes = target.resolve(trace).ok()?.causes(trace).ok()?;
    let Target::Test(name, n) = &target else {
        return None;
    };
    let tests = causality::tests(trace).ok()?;
    let name = &causality::runs_of(&tests, name, *n).0.first()?.name;
    labels(trace, &causes, name).ok().map(|labels| {
        let mut hasher = FxHasher::default();
        labels.hash(&mut hasher);
        hasher.finish()
    })
}

fn labels(trace: &Trace, causes: &Cut, test: &str) -> log_format::Result<BTreeSet<u64>> {
    let texts = trace.texts()?;
    let is_it = |name: log_format::TextId| texts.get(name.0 as usize).is_some_and(|text| text == test);
    // A process is named by how many births away from that of the test it is; the others have none.
    let mut generations: PidMap<u64> = PidMap::default();
    each(trace, causes, |pid, action| match action.kind {
        Kind::Test {
            of,
            name,
            note: TestNote::Began,
        } if of == pid && is_it(name) => {
            generations.insert(pid, 1);
        }
        Kind::Spawn { child, .. } => {
            if let Some(own) = generations.get(pid).copied() {
                generations.insert(child, own + 1);
            }
        }
        _ => {}
    })?;
    let generation = |pid: Pid| generations.get(pid).copied().unwrap_or_default();
    let mut labels = BTreeSet::new();
    let mut has_begun = false;
    each(trace, causes, |pid, action| {
        if let Kind::Test {
            of,
            name,
            note: TestNote::Began,
        } = action.kind
            && of == pid
            && is_it(name)
        {
            has_begun = true;
        }
        match generation(pid) {
            0 => return,
            1 if !has_begun => return,
            _ => {}
        }
        let mut label = FxHasher::default();
        generation(pid).hash(&mut label);
        std::mem::discriminant(&action.kind).hash(&mut label);
        match &action.kind {
            Kind::Rec(tag) | Kind::Signal { tag, .. } => tag.sender().map(generation).hash(&mut label),
            Kind::Test { name, .. } => texts.get(name.0 as usize).hash(&mut label),
            Kind::Exit { class } => class.hash(&mut label),
            _ => {}
        }
        for Access {
            resource, write, by, ..
        } in &action.accesses
        {
            std::mem::discriminant(resource).hash(&mut label);
            if let Resource::Name(text) | Resource::Module(text) | Resource::Other(text) = resource {
                texts
                    .get(text.0 as usize)
                    .map(|text| without_digits(text))
                    .hash(&mut label);
            }
            (write, by.map(|by| generation(by.pid))).hash(&mut label);
        }
        labels.insert(label.finish());
    })?;
    Ok(labels)
}

/// All actions of a cut, by process.
fn each(trace: &Trace, cut: &Cut, mut see: impl FnMut(Pid, &Action)) -> log_format::Result<()> {
    for process in trace.processes() {
        let pid = process?.pid;
        let mut left = cut.get(pid);
        if left == 0 {
            continue;
        }
        let mut reader = trace.log(pid)?.without_values();
        let send = Action::new(Kind::Send);
        while left > 0 {
            match reader.step(left)? {
                None => break,
                Some(LogStep::Sends(n)) => {
                    see(pid, &send);
                    left -= n.min(left);
                }
                Some(LogStep::Action(action)) => {
                    see(pid, action);
                    left -= 1;
                }
            }
        }
    }
    Ok(())
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}
