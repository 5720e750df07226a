//! The variables in scope, with an undo log: entering a branch sets a mark, leaving it removes the new variables.

use rustc_hash::FxHashMap;

use crate::ast::Loc;
use crate::atom::Atom;

/// How a variable may be used, as in `erl_lint`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum VariableUse {
    /// Without restriction.
    Bound,
    /// Bound in every branch of a construct that has ended.
    Exported(&'static str, Loc),
    /// Bound only in some branches, or where control may not have passed.
    Unsafe(&'static str, Loc),
    /// A stack trace variable in the guard of its clause.
    StackTrace,
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) state: VariableUse,
    /// Where it was bound: one site per branch.
    pub(super) sites: Vec<usize>,
}

/// A place that binds a variable.
pub(super) struct Site {
    pub(super) name: Atom,
    pub(super) loc: Loc,
    pub(super) used: bool,
}

#[derive(Default)]
pub(super) struct Scope {
    vars: FxHashMap<Atom, Var>,
    log: Vec<(Atom, Option<Var>)>,
    pub(super) sites: Vec<Site>,
    /// Variables bound by earlier segments of the binary pattern whose segment's size is being checked.
    pub(super) segment_vars: Vec<(Atom, Vec<usize>)>,
}

/// Variables that a branch added.
pub(super) type Added = Vec<(Atom, Var)>;

impl Scope {
    pub(super) fn get(&self, name: Atom) -> Option<&Var> {
        self.vars.get(&name)
    }

    /// Variables in scope, in no particular order.
    pub(super) fn names(&self) -> impl Iterator<Item = Atom> {
        self.vars.keys().copied()
    }

    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Adds a variable; shadows one of the same name until the scope is undone to its mark.
    pub(super) fn bind(&mut self, name: Atom, var: Var) {
        let previous = self.vars.insert(name, var);
        self.log.push((name, previous));
    }

    pub(super) fn set_state(&mut self, name: Atom, state: VariableUse) {
        if let Some(var) = self.vars.get_mut(&name) {
            var.state = state;
        }
    }

    /// Undoes everything since the mark and returns the variables that were new (not those that shadowed), in order of binding.
    pub(super) fn take(&mut self, mark: usize) -> Added {
        let mut added = Vec::new();
        while self.log.len() > mark {
            let (name, previous) = self.log.pop().expect("longer than the mark");
            match previous {
                Some(previous) => {
                    self.vars.insert(name, previous);
                }
                None => added.extend(self.vars.remove(&name).map(|var| (name, var))),
            }
        }
        added.reverse();
        added
    }

    pub(super) fn new_site(&mut self, name: Atom, loc: Loc) -> usize {
        self.sites.push(Site { name, loc, used: false });
        self.sites.len() - 1
    }

    pub(super) fn use_sites(&mut self, sites: &[usize]) {
        for &site in sites {
            self.sites[site].used = true;
        }
    }

    /// Marks a variable as used.
    pub(super) fn touch(&mut self, name: Atom) {
        let Scope { vars, sites, .. } = self;
        for &site in vars.get(&name).map_or(&[][..], |var| &var.sites) {
            sites[site].used = true;
        }
    }

    /// Adds the variables bound by parallel expressions: one bound by two of them is compared, and so used.
    pub(super) fn merge(&mut self, added: Added) {
        for (name, var) in added {
            if self.merge_one(name, var) {
                self.touch(name);
            }
        }
    }

    /// The same without marking them as used.
    pub(super) fn merge_unmatched(&mut self, added: Added) {
        for (name, var) in added {
            self.merge_one(name, var);
        }
    }

    /// Returns whether the variable existed already.
    fn merge_one(&mut self, name: Atom, var: Var) -> bool {
        let Some(old) = self.vars.get_mut(&name) else {
            self.bind(name, var);
            return false;
        };
        old.sites.extend(var.sites);
        if matches!(var.state, VariableUse::Unsafe(..)) {
            old.state = var.state;
        }
        true
    }

    /// Adds variables as unsafe.
    pub(super) fn merge_unsafe(&mut self, what: &'static str, loc: Loc, added: Added) {
        for (name, mut var) in added {
            var.state = VariableUse::Unsafe(what, loc);
            match self.vars.get_mut(&name) {
                Some(old) => {
                    old.sites.extend(var.sites);
                    old.state = var.state;
                }
                None => self.bind(name, var),
            }
        }
    }

    /// Adds the variables that the branches of a construct have bound: exported if all branches bind them, otherwise unsafe
    /// (`erl_lint:icrt_export/3`).
    pub(super) fn export(&mut self, what: &'static str, loc: Loc, branches: Vec<Added>) {
        for (name, var) in Scope::exported(what, loc, branches) {
            self.bind(name, var);
        }
    }

    pub(super) fn exported(what: &'static str, loc: Loc, branches: Vec<Added>) -> Added {
        let count = branches.len();
        let mut order: Vec<Atom> = Vec::new();
        let mut merged: FxHashMap<Atom, (usize, Var)> = FxHashMap::default();
        for (name, var) in branches.into_iter().flatten() {
            let (seen, all) = merged.entry(name).or_insert_with(|| {
                order.push(name);
                (
                    0,
                    Var {
                        state: VariableUse::Exported(what, loc),
                        sites: Vec::new(),
                    },
                )
            });
            *seen += 1;
            if let VariableUse::Unsafe(..) = var.state {
                all.state = if let VariableUse::Unsafe(..) = all.state {
                    VariableUse::Unsafe(what, loc)
                } else {
                    var.state
                };
            }
            all.sites.extend(var.sites);
        }
        let finish = |name| {
            let (seen, mut var) = merged.remove(&name).expect("each name is in the order once");
            if seen < count {
                var.state = VariableUse::Unsafe(what, loc);
            }
            (name, var)
        };
        order.into_iter().map(finish).collect()
    }
}
