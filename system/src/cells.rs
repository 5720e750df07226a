//! Single-valued shared state: persistent terms and counters.

use interpreter::atom::Atom;
use interpreter::heap::View;
use interpreter::term::{Reference, Term};
use log_format::{Kind, Resource};

use crate::effects::{Answer, OK, args, badarg};
use crate::ids;
use crate::natives::Op;
use crate::observer::{Detail, Observer};
use crate::process::Process;
use crate::resources::Value;
use crate::system::{Interrupt, System};
use crate::tally::Change;
use crate::terms;

impl<O: Observer> System<O> {
    pub(crate) fn op_persistent(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        let [key, second] = args(p);
        let mut name = terms::encode(&self.program, &p.machine.heap, key);
        if p.pid.node() > 0 {
            // Every node has its own, and a node that is started again has none.
            name.extend_from_slice(format!("{}/{}", self.on_node(p.pid.node()), p.incarnation).as_bytes());
        }
        let resource = Resource::Persistent(key_hash(&name));
        self.expect(p, |k| matches!(k, Kind::Access), || "use a persistent term".to_owned())?;
        if op == Op::PersistentPut {
            self.note_persistent(p, key, resource)?;
            // Blind: nothing of what was there is needed.
            let value = p.machine.heap.export(second);
            self.write(p, resource, Value::Term(value), false)?;
            self.commit(p, Kind::Access, 0, Detail::None);
            return Ok(OK);
        }
        let old = self.read(p, resource)?;
        let found = match &old {
            Value::Term(fragment) => Some(p.machine.heap.import(fragment)),
            _ => None,
        };
        match op {
            Op::PersistentErase => {
                self.write(p, resource, Value::Absent, true)?;
                self.commit(p, Kind::Access, 0, Detail::None);
                Ok(Term::boolean(found.is_some()))
            }
            _ => {
                self.commit(p, Kind::Access, 0, Detail::None);
                match found {
                    Some(value) => Ok(value),
                    None if second != Term::NONE => Ok(second),
                    None => Err(badarg()),
                }
            }
        }
    }

    /// That there are persistent terms which there were not: of this life of a node.
    fn persistent_keys(&mut self, p: &Process<O::Log>) -> (Resource, (u16, u64)) {
        let node = p.pid.node();
        let life = if node > 0 { p.incarnation } else { 0 };
        let text = match node {
            0 => "persistent_term:keys".to_owned(),
            _ => format!("persistent_term:keys{}/{life}", self.on_node(node)),
        };
        (Resource::Other(self.resources.text(&text)), (node, life))
    }

    /// The first to put a key says so, for those who ask for all: a blind write, that depends on nothing either.
    fn note_persistent(&mut self, p: &Process<O::Log>, key: Term, resource: Resource) -> Result<(), Interrupt> {
        let (all, life) = self.persistent_keys(p);
        let first = match &p.feed {
            Some(feed) => feed.access(all).is_some(),
            None => self.resources.version(resource) == 0,
        };
        let key = p.machine.heap.export(key);
        self.resources.persistent.entry(life).or_default().insert(resource, key);
        match first {
            true => self.write(p, all, Value::Absent, false),
            false => Ok(()),
        }
    }

    /// `persistent_term:get/0` and `info/0`: a read of each, and of that there are no others.
    pub(crate) fn op_persistent_all(&mut self, p: &mut Process<O::Log>) -> Answer {
        self.expect(
            p,
            |k| matches!(k, Kind::Access),
            || "use all persistent terms".to_owned(),
        )?;
        let (all, life) = self.persistent_keys(p);
        self.read(p, all)?;
        let mut keys: Vec<Resource> = match &p.feed {
            None => {
                let keys = self.resources.persistent.get(&life);
                keys.into_iter().flatten().map(|(resource, _)| *resource).collect()
            }
            Some(feed) => {
                let accesses = feed.head().map_or(&[][..], |a| &a.accesses);
                let terms = accesses
                    .iter()
                    .filter(|a| matches!(a.resource, Resource::Persistent(_)));
                terms.map(|a| a.resource).collect()
            }
        };
        keys.sort_unstable();
        let (mut pairs, mut words) = (Vec::new(), 0);
        for resource in keys {
            let Value::Term(value) = self.read(p, resource)? else {
                continue;
            };
            // Whoever put it has noted its key.
            let key = self
                .resources
                .persistent
                .get(&life)
                .and_then(|keys| keys.get(&resource));
            let Some(key) = key.cloned() else { continue };
            words += key.size() + value.size() + 3;
            let pair = [p.machine.heap.import(&key), p.machine.heap.import(&value)];
            pairs.push(p.machine.heap.make_tuple(&pair));
        }
        self.commit(p, Kind::Access, 0, Detail::None);
        if self.program.native(self.native).name == "get" {
            return Ok(p.machine.heap.make_list(&pairs));
        }
        let (count, memory) = (Atom::new("count"), Atom::new("memory"));
        let entries = [(count, pairs.len()), (memory, words * 8)];
        let entries = entries.map(|(key, n)| (Term::atom(key), Term::small(n as i64)));
        Ok(interpreter::maps::from_pairs(&mut p.machine.heap, &entries))
    }

    /// A key of the environment of an application on this node, or with `None` the list of all keys that were ever set there.
    pub(crate) fn env_resource(&self, p: &mut Process<O::Log>, app: Term, key: Option<Term>) -> Resource {
        let mut name = terms::encode(&self.program, &p.machine.heap, app);
        if let Some(key) = key {
            name.push(b'/');
            name.extend(terms::encode(&self.program, &p.machine.heap, key));
        }
        if p.pid.node() > 0 {
            name.extend_from_slice(format!("{}/{}", self.on_node(p.pid.node()), p.incarnation).as_bytes());
        }
        Resource::Env(key_hash(&name))
    }

    /// The environments of applications, a resource for each key.
    pub(crate) fn op_env(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        let [app, key, value] = args(p);
        self.expect(
            p,
            |k| matches!(k, Kind::Access),
            || "use the environment of an application".to_owned(),
        )?;
        let all = self.env_resource(p, app, None);
        if op == Op::EnvAll {
            let keys = self.env_keys(p, all)?;
            let mut list = Vec::new();
            for key in keys {
                let resource = self.env_resource(p, app, Some(key));
                if let Value::Term(value) = self.read(p, resource)? {
                    let value = p.machine.heap.import(&value);
                    list.push(p.machine.heap.make_tuple(&[key, value]));
                }
            }
            self.commit(p, Kind::Access, 0, Detail::None);
            return Ok(p.machine.heap.make_list(&list));
        }
        let resource = self.env_resource(p, app, Some(key));
        let answer = match op {
            Op::EnvGet => match self.read(p, resource)? {
                Value::Term(value) => {
                    let value = p.machine.heap.import(&value);
                    p.machine.heap.make_tuple(&[OK, value])
                }
                _ => crate::effects::UNDEFINED,
            },
            Op::EnvSet => {
                // The first to set a key adds it to the list.
                let first = match &p.feed {
                    Some(feed) => feed.access(all).is_some(),
                    None => self.resources.version(resource) == 0,
                };
                if first {
                    let mut keys = self.env_keys(p, all)?;
                    keys.push(key);
                    let list = p.machine.heap.make_list(&keys);
                    let list = p.machine.heap.export(list);
                    self.write(p, all, Value::Term(list), true)?;
                }
                let value = p.machine.heap.export(value);
                self.write(p, resource, Value::Term(value), false)?;
                OK
            }
            _ => {
                self.write(p, resource, Value::Absent, false)?;
                OK
            }
        };
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(answer)
    }

    fn env_keys(&mut self, p: &mut Process<O::Log>, all: Resource) -> Result<Vec<Term>, Interrupt> {
        Ok(match self.read(p, all)? {
            Value::Term(list) => {
                let list = p.machine.heap.import(&list);
                p.machine.heap.list(list).unwrap_or_default()
            }
            _ => Vec::new(),
        })
    }

    /// One element of a counter array: `[array, index, …]` are the first arguments.
    fn counter(&self, p: &Process<O::Log>, array: Term, index: Term) -> Result<Resource, Interrupt> {
        let View::Reference(array) = p.machine.heap.view(array) else {
            return Err(badarg());
        };
        let (size, _) = self.counters.get(&array).copied().ok_or_else(badarg)?;
        let index = index
            .as_small()
            .and_then(|i| u64::try_from(i).ok())
            .filter(|i| (1..=size).contains(i));
        Ok(Resource::Counter {
            array: ids::object(array),
            index: index.ok_or_else(badarg)?,
        })
    }

    pub(crate) fn op_counter(&mut self, p: &mut Process<O::Log>, op: Op) -> Answer {
        let [first, second, third, fourth] = args(p);
        if op == Op::CounterNew {
            let size = first
                .as_small()
                .and_then(|n| u64::try_from(n).ok())
                .filter(|&n| n > 0)
                .ok_or_else(badarg)?;
            p.machine.local.references += 1;
            let reference = Reference {
                owner: p.pid,
                number: p.machine.local.references,
            };
            let kind = second.as_atom().unwrap_or(Atom::new("signed"));
            self.counters.insert(reference, (size, kind));
            return Ok(p.machine.heap.make_reference(reference));
        }
        if op == Op::CounterInfo {
            let known = match p.machine.heap.view(first) {
                View::Reference(array) => self.counters.get(&array).copied(),
                _ => None,
            };
            let Some((size, kind)) = known else {
                return Ok(Term::boolean(false));
            };
            let size = Term::small(i64::try_from(size).unwrap_or(i64::MAX));
            return Ok(p.machine.heap.make_tuple(&[size, Term::atom(kind)]));
        }
        let resource = self.counter(p, first, second)?;
        let number = |t: Term| integer(p, t).ok_or_else(badarg);
        let (third_number, fourth_number) = match op {
            Op::CounterGet => (0, 0),
            Op::CounterAdd | Op::CounterPut => (number(third)?, 0),
            _ if fourth == Term::NONE => (number(third)?, 0),
            _ => (number(third)?, number(fourth)?),
        };
        // What fails before this is no action.
        self.expect(p, |k| matches!(k, Kind::Access), || "use a counter".to_owned())?;
        // Blind, as a put of a persistent term; additions commute.
        let blind = match op {
            Op::CounterPut => Some(Change::Set(third_number)),
            Op::CounterAdd if fourth != Term::boolean(true) => Some(Change::Add(third_number)),
            _ => None,
        };
        if let Some(change) = blind {
            self.change_tally(p, resource, change)?;
            self.commit(p, Kind::Access, 0, Detail::None);
            return Ok(OK);
        }
        let old = self.tally(p, resource)?;
        let (new, result) = match op {
            Op::CounterGet => (None, Some(old)),
            Op::CounterAdd => {
                let new = old.wrapping_add(third_number);
                (Some(new), Some(new))
            }
            _ if fourth == Term::NONE => (Some(third_number), Some(old)),
            _ if old == third_number => (Some(fourth_number), None),
            _ => (None, Some(old)),
        };
        if let Some(new) = new {
            self.change_tally(p, resource, Change::Set(new))?;
        }
        self.commit(p, Kind::Access, 0, Detail::None);
        Ok(match result {
            Some(n) => p.machine.heap.make_int(n),
            None => Term::atom(Atom::OK),
        })
    }
}

fn integer<L>(p: &Process<L>, t: Term) -> Option<i64> {
    match p.machine.heap.view(t) {
        View::Small(n) => Some(n),
        View::Big {
            negative: false,
            limbs: [n],
        } => Some(*n as i64),
        View::Big {
            negative: true,
            limbs: [n],
        } => Some((*n as i64).wrapping_neg()),
        _ => None,
    }
}

/// FNV-1a: a hash of the key's encoding alone, the same in every version of the tool.
#[must_use]
pub fn key_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}
