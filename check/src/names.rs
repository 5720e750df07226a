//! Names of calls, tables and messages in a run.

use crate::align::align;
use crate::choices::{Alignment, Call, Naming, Nth, SignalKey};
use crate::kin::{Id, Spawned};
use crate::listener::{Listener, TableName};
use crate::shape::hash_question;
use interpreter::heap::TermView;
use interpreter::native::Native;
use interpreter::term::Term;
use interpreter::vm;
use log_format::{Pid, Tag};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use system::answers;
use system::observer::ActionEvent;

pub(crate) fn table_name(machine: &vm::Process, table: Term) -> Option<TableName> {
    if let Some(name) = table.as_atom() {
        return Some(TableName::Name(name));
    }
    match machine.heap.view(table) {
        TermView::Reference(reference) => Some(TableName::Reference(reference.owner.number(), reference.number)),
        _ => None,
    }
}

/// From here on, ordinals are those of messages that the record does not have.
pub(crate) const NEW: u64 = 1 << 32;

impl Listener {
    /// What a process is about to spawn, or has spawned; `None` if the native does not spawn.
    #[must_use]
    pub fn spawn(&self, pid: Pid, native: &Native, machine: &vm::Process, program: &vm::Program) -> Option<Call> {
        let parent = self.ids.get(&pid).filter(|_| Spawned::is_by(native))?;
        let child = self
            .kin
            .child(Some(*parent), Spawned::of(native, machine, program, &self.shapes));
        let mut hasher = rustc_hash::FxHasher::default();
        (4, child.0).hash(&mut hasher);
        Some(Call(hasher.finish().max(1)))
    }

    /// What a process is about to call or has called: the native, and its first argument if that is an atom, a process or a small number; for
    /// operations on tables also the key.
    #[must_use]
    pub fn call(&self, native: &Native, machine: &vm::Process) -> Call {
        let mut hasher = rustc_hash::FxHasher::default();
        (native.module, native.name, native.arity).hash(&mut hasher);
        let args = machine.args();
        let of_tables = native.module == "ets";
        let named = if of_tables { 2 } else { 1 };
        if of_tables && native.name == "new" {
            return Call(hasher.finish().max(1));
        }
        for (i, arg) in args.iter().take(named).enumerate() {
            if of_tables
                && i == 0
                && let Some(table) = table_name(machine, *arg).and_then(|name| self.tables.get(&name))
            {
                (5, table).hash(&mut hasher);
            } else if let Some(pid) = arg.as_pid() {
                let id = self.ids.get(&Pid(pid.number())).map(|id| id.0);
                (1, id).hash(&mut hasher);
            } else if let Some(atom) = arg.as_atom() {
                (2, self.kin.recorded_name(atom).as_str()).hash(&mut hasher);
            } else if let Some(n) = arg.as_small() {
                (3, n).hash(&mut hasher);
            }
        }
        // A recorded result fits only the same request: which item of a process, which environment variable.
        let question = match (native.module, native.name) {
            ("erlang", "process_info") => args.get(1),
            ("os", _) => args.first(),
            _ => None,
        };
        if let Some(question) = answers::question(native, machine) {
            (6, question).hash(&mut hasher);
        } else if let Some(question) = question {
            hash_question(&machine.heap, *question, &mut hasher, 2);
        }
        Call(hasher.finish().max(1))
    }

    /// Notes the tables and names that a step makes.
    pub(crate) fn note_names(&mut self, by: Id, event: &ActionEvent<'_>) {
        let native = event.program.native(event.native);
        let args = event.machine.args();
        let atom = |i: usize| args.get(i).and_then(|arg| arg.as_atom());
        match (native.module, native.name) {
            ("ets", "new") => {
                let Some(name) = atom(0) else { return };
                let options = args
                    .get(1)
                    .and_then(|list| event.machine.heap.list(*list))
                    .unwrap_or_default();
                let named = options
                    .iter()
                    .any(|o| o.as_atom().is_some_and(|o| o.as_str() == "named_table"));
                let table = self.kin.table(by, name);
                let called = if named {
                    TableName::Name(name)
                } else {
                    TableName::Reference(event.pid.0, event.machine.local.references)
                };
                self.name_table(called, table);
            }
            ("ets", "rename") => {
                if let (Some(table), Some(name)) = (args.first().and_then(|t| table_name(event.machine, *t)), atom(1))
                    && let Some(table) = self.tables.get(&table)
                {
                    self.name_table(TableName::Name(name), *table);
                }
            }
            ("erlang", "register") => {
                if let Some(name) = atom(0) {
                    self.kin.registered(by, name);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn name_table(&mut self, name: TableName, table: u32) {
        self.renamed |= self.tables.insert(name, table) != Some(table);
    }

    pub(crate) fn name_message(&mut self, by: Id, to: Pid, shape: u64) -> Nth {
        let count = self.sent.entry((by, to, shape)).or_default();
        if self.naming == Naming::Place {
            *count += 1;
            return Nth { shape, n: *count };
        }
        let named = self.named.entry((by, to)).or_default();
        let known = self.ids.get(&to).and_then(|to| self.alignment.get(&(by, *to)));
        let nth = match known.and_then(|known| known.get(named.len())) {
            // It is another message than in the run that this alignment comes from.
            Some(Some(nth)) if nth.shape != shape => None,
            Some(Some(nth)) => Some(*nth),
            Some(None) => Some(Nth {
                shape,
                n: NEW + named.len() as u64,
            }),
            None => None,
        };
        let nth = nth.unwrap_or(Nth { shape, n: *count + 1 });
        if nth.n < NEW {
            *count = nth.n;
        }
        named.push(nth);
        nth
    }

    /// Has this run shown that messages match other recorded ones than assumed? Notes it in `alignment`.
    pub fn is_misaligned(&self, recorded: &Self, alignment: &mut Arc<Alignment>) -> bool {
        let mut found = Alignment::default();
        let mut differs = false;
        for (&(by, to), named) in &self.named {
            let Some(&to) = self.ids.get(&to) else { continue };
            let then = recorded.pid(to).and_then(|to| recorded.named.get(&(by, to)));
            let aligned = align(then.map_or(&[][..], Vec::as_slice), named);
            let is_other = |(found, nth): (&Option<Nth>, &Nth)| found.map_or(nth.n < NEW, |found| found != *nth);
            differs |= aligned.iter().zip(named).any(is_other);
            found.insert((by, to), aligned);
        }
        if differs {
            *alignment = Arc::new(found);
        }
        differs
    }

    /// The name of a signal that has arrived at a process.
    pub fn key(&mut self, to: Pid, tag: Tag) -> SignalKey {
        if let Some((receiver, key)) = self.keys.get(&tag)
            && (*receiver == to || matches!(key, SignalKey::Made(..)))
        {
            return *key;
        }
        let sender = tag.sender().and_then(|pid| self.ids.get(&pid).copied());
        match (tag, sender) {
            (Tag::EndTo { .. }, Some(sender)) => return SignalKey::Link(sender),
            (Tag::EndRef { .. } | Tag::EndTable { .. }, Some(sender)) => return SignalKey::Down(sender),
            _ => {}
        }
        let n = self.others.entry((sender, to)).or_default();
        *n += 1;
        let key = SignalKey::Other(sender, *n);
        self.keys.insert(tag, (to, key));
        key
    }
}
