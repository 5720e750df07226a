//! Persistent terms.

use interpreter::atom::Atom;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::{Kind, Resource};

use crate::hash::fnv;
use crate::observer::Detail;
use crate::ops::{OK, OpResult, Operation, badarg};
use crate::state::resources::Value;
use crate::step::{Interrupt, Step};
use crate::terms;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("persistent_term", "get", 1, NativeClass::Access, get),
    Operation::new("persistent_term", "get", 2, NativeClass::Access, get),
    Operation::new("persistent_term", "put", 2, NativeClass::Access, put),
    Operation::new("persistent_term", "get", 0, NativeClass::Access, get_all),
    Operation::new("persistent_term", "info", 0, NativeClass::Access, info),
    Operation::new("persistent_term", "erase", 1, NativeClass::Access, erase),
    Operation::new("persistent_term", "put_new", 2, NativeClass::Access, put_new),
];

/// The resource of a key. Every node has its own terms, and a node that is started again has none.
fn resource_of(step: &Step<'_>, key: Term) -> Resource {
    let mut name = terms::encode(&step.process.machine.heap, key);
    name.extend(step.life_of_node());
    Resource::Persistent(fnv(&name))
}

fn expect(step: &Step<'_>) -> Result<(), Interrupt> {
    step.expect(|k| matches!(k, Kind::Access), || "use a persistent term".to_owned())
}

/// A blind write: what was there is not read.
fn put(step: &mut Step<'_>) -> OpResult {
    let [key, value] = step.args();
    let resource = resource_of(step, key);
    expect(step)?;
    step.note_persistent(key, resource)?;
    let value = step.process.machine.heap.export(value);
    step.write(resource, Value::Term(value), false)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(OK)
}

/// Fails if the key has another value.
fn put_new(step: &mut Step<'_>) -> OpResult {
    let [key, value] = step.args();
    let resource = resource_of(step, key);
    expect(step)?;
    let same = match step.read(resource)? {
        Value::Term(old) => {
            let heap = &mut step.process.machine.heap;
            let old = heap.import(&old);
            Some(interpreter::ops::exact_equal(heap, old, value))
        }
        _ => None,
    };
    if same.is_none() {
        step.note_persistent(key, resource)?;
        let value = step.process.machine.heap.export(value);
        step.write(resource, Value::Term(value), true)?;
    }
    step.commit(Kind::Access, 0, Detail::None);
    if same == Some(false) { Err(badarg()) } else { Ok(OK) }
}

fn get(step: &mut Step<'_>) -> OpResult {
    let [key, default] = step.args();
    let resource = resource_of(step, key);
    expect(step)?;
    let found = step.read(resource)?;
    let found = match &found {
        Value::Term(value) => Some(step.process.machine.heap.import(value)),
        _ => None,
    };
    step.commit(Kind::Access, 0, Detail::None);
    match found {
        Some(value) => Ok(value),
        None if default != Term::NONE => Ok(default),
        None => Err(badarg()),
    }
}

fn erase(step: &mut Step<'_>) -> OpResult {
    let [key] = step.args();
    let resource = resource_of(step, key);
    expect(step)?;
    let there = matches!(step.read(resource)?, Value::Term(_));
    step.write(resource, Value::Absent, true)?;
    step.commit(Kind::Access, 0, Detail::None);
    Ok(Term::boolean(there))
}

fn get_all(step: &mut Step<'_>) -> OpResult {
    let (pairs, _) = all(step)?;
    Ok(step.process.machine.heap.make_list(&pairs))
}

fn info(step: &mut Step<'_>) -> OpResult {
    let (pairs, words) = all(step)?;
    let entries = [("count", pairs.len()), ("memory", words * 8)];
    let entries = entries.map(|(key, n)| (Term::atom(Atom::new(key)), Term::small(n as i64)));
    Ok(interpreter::maps::from_pairs(&mut step.process.machine.heap, &entries))
}

/// All terms, and how many words they take: reads each of them, and that there are no others.
fn all(step: &mut Step<'_>) -> Result<(Vec<Term>, usize), Interrupt> {
    step.expect(|k| matches!(k, Kind::Access), || "use all persistent terms".to_owned())?;
    let (all, life) = step.persistent_keys();
    step.read(all)?;
    let mut keys: Vec<Resource> = match step.logged_accesses() {
        None => {
            let keys = step.world.resources.persistent.get(&life);
            keys.into_iter().flatten().map(|(resource, _)| *resource).collect()
        }
        Some(accesses) => {
            let all = accesses.iter().map(|access| access.resource);
            all.filter(|resource| matches!(resource, Resource::Persistent(_)))
                .collect()
        }
    };
    keys.sort_unstable();
    let (mut pairs, mut words) = (Vec::new(), 0);
    for resource in keys {
        let Value::Term(value) = step.read(resource)? else {
            continue;
        };
        // The process that put it noted its key.
        let key = step
            .world
            .resources
            .persistent
            .get(&life)
            .and_then(|keys| keys.get(&resource));
        let Some(key) = key.cloned() else { continue };
        words += key.size() + value.size() + 3;
        let pair = [
            step.process.machine.heap.import(&key),
            step.process.machine.heap.import(&value),
        ];
        pairs.push(step.process.machine.heap.make_tuple(&pair));
    }
    step.commit(Kind::Access, 0, Detail::None);
    Ok((pairs, words))
}

impl Step<'_> {
    /// What names of resources contain if they belong to one life of a node: empty on the first node.
    pub(super) fn life_of_node(&self) -> Vec<u8> {
        match self.process.pid.node() {
            0 => Vec::new(),
            node => format!("{}/{}", self.world.on_node(node), self.process.incarnation).into_bytes(),
        }
    }

    /// The resource for whether any persistent terms exist in this life of a node.
    pub(crate) fn persistent_keys(&mut self) -> (Resource, (u16, u64)) {
        let node = self.process.pid.node();
        let life = if node > 0 { self.process.incarnation } else { 0 };
        let text = match node {
            0 => "persistent_term:keys".to_owned(),
            _ => format!("persistent_term:keys{}/{life}", self.world.on_node(node)),
        };
        (Resource::Other(self.world.resources.text(&text)), (node, life))
    }

    /// Notes the first put of a key, for lists of all terms: a blind write, which depends on nothing either.
    pub(crate) fn note_persistent(&mut self, key: Term, resource: Resource) -> Result<(), Interrupt> {
        let (all, life) = self.persistent_keys();
        let first = self.uses(all, |world| world.resources.version(resource) == 0);
        let key = self.process.machine.heap.export(key);
        self.world
            .resources
            .persistent
            .entry(life)
            .or_default()
            .insert(resource, key);
        match first {
            true => self.write(all, Value::Absent, false),
            false => Ok(()),
        }
    }
}
