//! What a system that rests can still use, as bytes: two systems at rest with the same bytes are in one state.
//!
//! What is dead does not count: stack slots that nothing reads, the order of messages of different senders, how often something was written. What a
//! run has printed is not part of it either. Where the bytes are the same, the states are; the converse need not hold (references have numbers).

use interpreter::heap::{Fragment, Heap};
use interpreter::term::Pid;
use log_format::Resource;

use crate::ids;
use crate::resources::Value;
use crate::terms;
use crate::world::World;

impl World {
    /// The bytes. `None`: something is not at rest, or it is not known what it stands for.
    #[must_use]
    pub fn standing(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut pids: Vec<log_format::Pid> = self.table().pids().into_iter().map(ids::to_log).collect();
        pids.sort_unstable();
        for pid in pids {
            self.process(pid, &mut out)?;
        }
        self.resources(&mut out)?;
        self.all_tables(&mut out);
        Some(out)
    }

    fn process(&self, pid: log_format::Pid, out: &mut Vec<u8>) -> Option<()> {
        let p = self.table().by_pid(Pid::new(0, pid.0))?;
        number(out, pid.0);
        out.push(u8::from(p.trap_exit));
        let (places, values) = p.machine.live(&self.program);
        number(out, places.len() as u64);
        places.iter().for_each(|pc| number(out, u64::from(pc.0)));
        number(out, values.len() as u64);
        for (slot, value) in values {
            number(out, slot as u64);
            bytes(out, &terms::encode(&p.machine.heap, value));
        }
        for (key, value) in p.machine.local.dictionary.iter() {
            bytes(out, &terms::encode(&p.machine.heap, key));
            bytes(out, &terms::encode(&p.machine.heap, value));
        }
        let messages = self.messages(pid);
        number(out, messages.len() as u64);
        for (tag, message) in messages {
            number(out, tag.sender().map_or(0, |by| by.0));
            self.fragment(&message, out);
        }
        Some(())
    }

    fn fragment(&self, term: &Fragment, out: &mut Vec<u8>) {
        let mut heap = Heap::new(self.program.literals().clone());
        let term = heap.import(term);
        bytes(out, &terms::encode(&heap, term));
    }

    /// Names, persistent terms, counters and the like. (Tables are below; who is alive is known.)
    fn resources(&self, out: &mut Vec<u8>) -> Option<()> {
        let mut all: Vec<(String, &Value)> = Vec::new();
        for (resource, value) in self.resources.current() {
            let name = match resource {
                Resource::Alive(_) | Resource::Table(_) | Resource::TableContents(_) | Resource::TableKey { .. } => {
                    continue;
                }
                Resource::Name(id) | Resource::Module(id) | Resource::Atom(id) | Resource::Other(id) => {
                    let kind = std::mem::discriminant(&resource);
                    format!("{kind:?} {}", self.resources.texts().get(id.0 as usize)?)
                }
                other => format!("{other:?}"),
            };
            all.push((name, value));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, value) in all {
            match value {
                Value::Absent | Value::Table(_) => continue,
                Value::Code(_) => return None,
                _ => bytes(out, name.as_bytes()),
            }
            match value {
                Value::Pid(pid) => number(out, ids::to_log(*pid).0),
                Value::Term(term) => self.fragment(term, out),
                Value::Number(n) => number(out, n.cast_unsigned()),
                Value::Reference(reference) => bytes(out, format!("{reference:?}").as_bytes()),
                Value::Absent | Value::Table(_) | Value::Code(_) => {}
            }
        }
        Some(())
    }

    fn all_tables(&self, out: &mut Vec<u8>) {
        let mut tables: Vec<_> = self
            .tables
            .values()
            .map(|table| (format!("{:?}", table.id), table))
            .collect();
        tables.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, table) in tables {
            bytes(out, name.as_bytes());
            for (key, objects) in table.contents.all(u64::MAX) {
                let (heap, term) = key.value();
                bytes(out, &terms::encode(heap, term));
                number(out, objects.len() as u64);
                objects.iter().for_each(|object| self.fragment(object, out));
            }
        }
    }
}

fn number(out: &mut Vec<u8>, n: u64) {
    out.extend_from_slice(&n.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, some: &[u8]) {
    number(out, some.len() as u64);
    out.extend_from_slice(some);
}
