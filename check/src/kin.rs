//! Matches processes between the recorded and the changed run: by parent, and by what they were spawned to run.
//!
//! A fix may spawn an additional process, or one less. The children of one parent are matched in three rounds, each in the order of their
//! spawns: those with the same code and the same small arguments; then those with the same code; then the rest. During a run, later children
//! are not known yet, so each child takes the first recorded one that fits it best. When the run has shown all children, [`Kin::again`] says
//! whether another run would match them better.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interpreter::atom::Atom;
use interpreter::heap::{Heap, TermView};
use interpreter::native::Native;
use interpreter::term::Term;
use interpreter::vm;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// How deep lists in arguments are searched: `proc_lib` puts the program's own arguments into lists of lists.
const DEEP: u32 = 4;

/// A process, under the same number in all runs that are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u32);

/// What a process was spawned to run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spawned {
    /// The function, or the hash of a fun's code.
    code: u64,
    /// The same, hashed with the atoms and small numbers among its arguments, or captured by the fun.
    exact: u64,
}

/// Hashes of the code of funs ([`vm::Program::fun_shape`]), by their numbers in one program.
#[derive(Clone, Debug, Default)]
pub struct Shapes(RefCell<FxHashMap<u32, u64>>);

impl Shapes {
    fn hash_of(&self, fun: u32, program: &vm::Program) -> u64 {
        *self.0.borrow_mut().entry(fun).or_insert_with(|| program.fun_shape(fun))
    }
}

impl Spawned {
    /// The spawned function, or the code of the fun, as a number that is the same in all runs.
    #[must_use]
    pub const fn function(self) -> u64 {
        self.code
    }

    /// Does this native spawn processes?
    #[must_use]
    pub fn is_by(native: &Native) -> bool {
        let spawns = ["spawn", "spawn_link", "spawn_monitor", "spawn_opt", "spawn_request"];
        native.module == "erlang" && spawns.contains(&native.name)
    }

    /// What a process is about to spawn, or has spawned, by a native.
    #[must_use]
    pub fn of(native: &Native, machine: &vm::Process, program: &vm::Program, shapes: &Shapes) -> Self {
        let mut code = FxHasher::default();
        if !Self::is_by(native) {
            (native.module, native.name).hash(&mut code);
            let code = code.finish();
            return Self { code, exact: code };
        }
        let (heap, args) = (&machine.heap, machine.args());
        let mut exact = FxHasher::default();
        let function = args.iter().enumerate().find_map(|(i, &arg)| {
            let tuple = (
                arg.as_atom()?,
                args.get(i + 1)?.as_atom()?,
                heap.list(*args.get(i + 2)?)?,
            );
            Some(tuple)
        });
        let fun = args.iter().find(|&&arg| is_fun(heap, arg));
        match (fun.map(|&fun| heap.view(fun)), function) {
            (Some(TermView::Fun { id, free, .. }), _) => {
                shapes.hash_of(id, program).hash(&mut code);
                free.iter().for_each(|&value| small(heap, value, DEEP, &mut exact));
            }
            (Some(TermView::ExternalFun { module, function, .. }), _) => {
                (module.as_str(), function.as_str(), 0).hash(&mut code);
            }
            (_, Some((module, function, arguments))) => {
                (module.as_str(), function.as_str(), arguments.len()).hash(&mut code);
                arguments.iter().for_each(|&value| small(heap, value, DEEP, &mut exact));
            }
            _ => {}
        }
        let code = code.finish();
        code.hash(&mut exact);
        Self {
            code,
            exact: exact.finish(),
        }
    }
}

fn is_fun(heap: &Heap, term: Term) -> bool {
    matches!(heap.view(term), TermView::Fun { .. } | TermView::ExternalFun { .. })
}

/// Hashes the small parts of a value that are the same in every run.
fn small(heap: &Heap, term: Term, deep: u32, hasher: &mut FxHasher) {
    if let Some(atom) = term.as_atom() {
        (1, atom.as_str()).hash(hasher);
    } else if let Some(n) = term.as_small() {
        (2, n).hash(hasher);
    } else if deep > 0 {
        let elements = match heap.view(term) {
            TermView::Tuple(elements) => elements.to_vec(),
            TermView::Cons(..) => heap.list(term).unwrap_or_default(),
            _ => return,
        };
        elements.len().hash(hasher);
        elements
            .iter()
            .take(64)
            .for_each(|&element| small(heap, element, deep - 1, hasher));
    }
}

/// For each recorded process, its children in the order of their spawns.
#[derive(Clone, Debug, Default)]
struct RecordedKin {
    children: FxHashMap<Id, Vec<(Spawned, Id)>>,
    next: u32,
    /// Tables in the order in which they were made: the owner and the name.
    tables: Vec<(Id, Atom)>,
    /// Names in the order in which they were first registered, and the process.
    names: Vec<(Id, Atom)>,
}

/// The recorded children of a process that a run has not taken yet, by what they run, in the order of their spawns.
#[derive(Clone, Debug, Default)]
struct Left {
    all: BTreeMap<usize, (Spawned, Id)>,
    exact: FxHashMap<u64, BTreeSet<usize>>,
    code: FxHashMap<u64, BTreeSet<usize>>,
    places: FxHashMap<Id, usize>,
}

impl Left {
    fn of(children: &[(Spawned, Id)]) -> Self {
        let mut left = Self::default();
        for (at, &(spawned, id)) in children.iter().enumerate() {
            left.all.insert(at, (spawned, id));
            left.exact.entry(spawned.exact).or_default().insert(at);
            left.code.entry(spawned.code).or_default().insert(at);
            left.places.insert(id, at);
        }
        left
    }

    /// The first that fits best.
    fn first(&self, spawned: Spawned) -> Option<Id> {
        let first = |places: Option<&BTreeSet<usize>>| places.and_then(BTreeSet::first).copied();
        let at = first(self.exact.get(&spawned.exact))
            .or_else(|| first(self.code.get(&spawned.code)))
            .or_else(|| self.all.keys().next().copied())?;
        self.all.get(&at).map(|(_, id)| *id)
    }

    fn take(&mut self, id: Id) {
        let Some(at) = self.places.remove(&id) else { return };
        let Some((spawned, _)) = self.all.remove(&at) else {
            return;
        };
        let places = [self.exact.get_mut(&spawned.exact), self.code.get_mut(&spawned.code)];
        places.into_iter().flatten().for_each(|places| {
            places.remove(&at);
        });
    }
}

/// For each parent and number of the child (from 1), the recorded process.
type DrivePlan = FxHashMap<(Id, u64), Id>;

/// Gives the processes of one run their names in the record.
#[derive(Clone, Debug, Default)]
pub struct Kin {
    recorded: Arc<Mutex<RecordedKin>>,
    /// This is the recorded run: every process is new.
    records: bool,
    plan: DrivePlan,
    /// If several children are alike, match from the last one on.
    backwards: bool,
    /// By parent, where it has children in this run.
    left: FxHashMap<Id, Left>,
    seen: FxHashMap<Id, Vec<(Spawned, Id)>>,
    tables_taken: FxHashSet<u32>,
    /// Names that were registered, and the process.
    names_seen: Vec<(Id, Atom)>,
    /// The recorded name for each name of the changed program.
    renamed: FxHashMap<Atom, Atom>,
}

impl Kin {
    /// For the recorded run.
    #[must_use]
    pub fn recorded() -> Self {
        Self {
            records: true,
            ..Self::default()
        }
    }

    /// The same so far; from now on, neither learns of the other's processes.
    #[must_use]
    pub fn apart(&self) -> Self {
        let recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self {
            recorded: Arc::new(Mutex::new(recorded)),
            ..self.clone()
        }
    }

    /// For another run, to be matched with this one.
    #[must_use]
    pub fn another(&self) -> Self {
        Self {
            recorded: Arc::clone(&self.recorded),
            ..Self::default()
        }
    }

    fn all(&self) -> MutexGuard<'_, RecordedKin> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The recorded process that the next child of `parent` is, if it is spawned to run this.
    #[must_use]
    pub fn child(&self, parent: Option<Id>, spawned: Spawned) -> Id {
        let all = self.all();
        // There is only one entry.
        let Some(parent) = parent else { return Id(0) };
        let new = Id(all.next.max(1));
        if self.records {
            return new;
        }
        let j = self.seen.get(&parent).map_or(0, Vec::len) as u64 + 1;
        if let Some(id) = self.plan.get(&(parent, j)) {
            return if id.0 == u32::MAX { new } else { *id };
        }
        let found = match self.left.get(&parent) {
            Some(left) => left.first(spawned),
            None => all.children.get(&parent).and_then(|children| first(children, spawned)),
        };
        found.unwrap_or(new)
    }

    /// A process was created.
    pub fn born(&mut self, parent: Option<Id>, spawned: Spawned) -> Id {
        let id = self.child(parent, spawned);
        let records = self.records;
        let mut all = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        all.next = all.next.max(id.0 + 1);
        if let Some(parent) = parent {
            if records {
                all.children.entry(parent).or_default().push((spawned, id));
            }
            if !records && let Some(children) = all.children.get(&parent) {
                self.left.entry(parent).or_insert_with(|| Left::of(children)).take(id);
            }
            drop(all);
            self.seen.entry(parent).or_default().push((spawned, id));
        }
        id
    }

    /// A process makes a table: finds the recorded one by name and owner, or makes a new number.
    pub fn table(&mut self, by: Id, name: Atom) -> u32 {
        let mut all = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let next = (all.tables.len() + self.tables_taken.len()) as u32;
        let id = if self.records {
            all.tables.push((by, name));
            all.tables.len() as u32 - 1
        } else {
            let left = |fits: &dyn Fn(Id, Atom) -> bool| {
                let mut known = (0..).zip(&all.tables);
                let found = known.find(|(id, (by, name))| !self.tables_taken.contains(id) && fits(*by, *name));
                found.map(|(id, _)| id)
            };
            let found = left(&|other, called| other == by && called == name)
                .or_else(|| left(&|_, called| called == name))
                .or_else(|| left(&|other, _| other == by));
            found.unwrap_or(next)
        };
        self.tables_taken.insert(id);
        id
    }

    /// A process registers a name.
    pub fn registered(&mut self, by: Id, name: Atom) {
        if self.names_seen.iter().all(|(_, known)| *known != name) {
            self.names_seen.push((by, name));
            if self.records {
                self.all().names.push((by, name));
            }
        }
    }

    /// The recorded name that corresponds to this name.
    #[must_use]
    pub fn recorded_name(&self, name: Atom) -> Atom {
        self.renamed.get(&name).copied().unwrap_or(name)
    }

    /// Pairs new names with recorded names that are missing: first those that the same process registers.
    fn renamings(&self, recorded: &[(Id, Atom)]) -> FxHashMap<Atom, Atom> {
        let is_in = |list: &[(Id, Atom)], name| list.iter().any(|(_, known)| *known == name);
        let mut gone: Vec<&(Id, Atom)> = recorded
            .iter()
            .filter(|(_, name)| !is_in(&self.names_seen, *name))
            .collect();
        let fresh: Vec<&(Id, Atom)> = self
            .names_seen
            .iter()
            .filter(|(_, name)| !is_in(recorded, *name))
            .collect();
        let mut renamed = FxHashMap::default();
        let rounds: [fn(Id, Id) -> bool; 2] = [|a, b| a == b, |_, _| true];
        for fits in rounds {
            for (by, name) in &fresh {
                if !renamed.contains_key(name)
                    && let Some(at) = gone.iter().position(|(other, _)| fits(*other, *by))
                {
                    renamed.insert(*name, gone.remove(at).1);
                }
            }
        }
        renamed
    }

    /// For the same run again, now that all its children and names are known; `None` if they would be matched in the same way.
    #[must_use]
    pub fn again(&self) -> Option<Self> {
        let all = self.all();
        let mut plan = DrivePlan::default();
        let renamed = self.renamings(&all.names);
        let mut differs = renamed != self.renamed;
        for (parent, children) in &self.seen {
            let recorded = all.children.get(parent).map_or(&[][..], Vec::as_slice);
            let found = matched(children, recorded, self.backwards);
            let known: FxHashSet<Id> = recorded.iter().map(|(_, id)| *id).collect();
            for (j, (found, (_, id))) in (1..).zip(found.into_iter().zip(children)) {
                let is_new = !known.contains(id);
                differs |= found.map_or(!is_new, |found| found != *id);
                plan.insert((*parent, j), found.unwrap_or(Id(u32::MAX)));
            }
        }
        drop(all);
        let again = || Self {
            plan,
            renamed,
            backwards: self.backwards,
            ..self.another()
        };
        differs.then(again)
    }

    /// For the same run again, with the same matching.
    #[must_use]
    pub fn same_names(&self) -> Self {
        Self {
            plan: self.plan.clone(),
            renamed: self.renamed.clone(),
            backwards: self.backwards,
            ..self.another()
        }
    }

    /// Another possible matching, if more processes of a kind were spawned than are in the record: it is unclear which of them is new.
    #[must_use]
    pub fn otherwise(&self) -> Option<Self> {
        let other = Self {
            backwards: !self.backwards,
            seen: self.seen.clone(),
            names_seen: self.names_seen.clone(),
            renamed: self.renamed.clone(),
            ..self.another()
        };
        other.again().map(|known| Self {
            backwards: other.backwards,
            ..known
        })
    }
}

/// Of recorded children the first that fits best.
fn first(children: &[(Spawned, Id)], spawned: Spawned) -> Option<Id> {
    let find = |fits: &dyn Fn(&Spawned) -> bool| children.iter().find(|(known, _)| fits(known));
    let found = find(&|known| known.exact == spawned.exact).or_else(|| find(&|known| known.code == spawned.code));
    found.or_else(|| children.first()).map(|(_, id)| *id)
}

/// For each child, the recorded one.
fn matched(children: &[(Spawned, Id)], recorded: &[(Spawned, Id)], backwards: bool) -> Vec<Option<Id>> {
    if backwards {
        let turned = |list: &[(Spawned, Id)]| -> Vec<(Spawned, Id)> { list.iter().rev().copied().collect() };
        let mut found = matched(&turned(children), &turned(recorded), false);
        found.reverse();
        return found;
    }
    let mut found: Vec<Option<Id>> = vec![None; children.len()];
    let mut left = Left::of(recorded);
    let rounds: [fn(&Left, &Spawned) -> Option<usize>; 3] = [
        |left, spawned| left.exact.get(&spawned.exact)?.first().copied(),
        |left, spawned| left.code.get(&spawned.code)?.first().copied(),
        |left, _| left.all.keys().next().copied(),
    ];
    for best in rounds {
        for (i, (spawned, _)) in children.iter().enumerate() {
            if found[i].is_none()
                && let Some((_, id)) = best(&left, spawned).and_then(|at| left.all.get(&at)).copied()
            {
                left.take(id);
                found[i] = Some(id);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(list: &[(u64, u64)]) -> Vec<(Spawned, Id)> {
        let spawned = |&(code, exact)| Spawned { code, exact };
        list.iter().map(spawned).zip((1..).map(Id)).collect()
    }

    #[test]
    fn children_are_known_again_by_what_they_run() {
        let recorded = all(&[(1, 11), (1, 12), (2, 21)]);
        let known = |children: &[(u64, u64)]| -> Vec<u32> {
            let found = matched(&all(children), &recorded, false);
            found.into_iter().map(|id| id.map_or(0, |id| id.0)).collect()
        };
        assert_eq!(known(&[(1, 11), (1, 12), (2, 21)]), [1, 2, 3]);
        // One more before the others, of another kind or of the same.
        assert_eq!(known(&[(3, 31), (1, 11), (1, 12), (2, 21)]), [0, 1, 2, 3]);
        assert_eq!(known(&[(1, 10), (1, 11), (1, 12), (2, 21)]), [0, 1, 2, 3]);
        // One less; another order; other code in the place of one.
        assert_eq!(known(&[(1, 12), (2, 21)]), [2, 3]);
        assert_eq!(known(&[(2, 21), (1, 12), (1, 11)]), [3, 2, 1]);
        assert_eq!(known(&[(1, 11), (4, 41), (2, 21)]), [1, 2, 3]);
        assert_eq!(known(&[(1, 13), (1, 12), (2, 22)]), [1, 2, 3]);
        // Which of three alike is new?
        let twins = all(&[(1, 11), (1, 11)]);
        let three = all(&[(1, 11), (1, 11), (1, 11)]);
        assert_eq!(matched(&three, &twins, false), [Some(Id(1)), Some(Id(2)), None]);
        assert_eq!(matched(&three, &twins, true), [None, Some(Id(1)), Some(Id(2))]);
    }
}
