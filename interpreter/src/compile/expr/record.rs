//! Records.

use super::*;

impl<'a> Compiler<'a> {
    pub(in crate::compile) fn record_def(&mut self, name: Atom, loc: Loc) -> Option<&'a RecordDef> {
        let found = self.records.get(&name).copied();
        if found.is_none() {
            self.refuse(loc, format!("record {name} is undefined"));
        }
        found
    }

    /// Position of a field, counted from 1 with the tag.
    pub(in crate::compile) fn field_index(&mut self, r: &RecordIndex, loc: Loc) -> Option<usize> {
        let def = self.record_def(r.name, loc)?;
        let found = def.fields.iter().position(|f| f.name == r.field.atom);
        if found.is_none() {
            self.refuse(
                r.field.loc,
                format!("field {} is not defined in record {}", r.field.atom, r.name),
            );
        }
        found.map(|i| i + 2)
    }

    pub(super) fn record(&mut self, r: &'a RecordExpr, loc: Loc, dst: Dest) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        // The given fields are evaluated in the order of the definition, as in `erl_expand_records`.
        let tag = self.temp();
        self.load(tag, Term::atom(r.name));
        let mut regs = vec![tag];
        let wildcard = r.fields.iter().find(|f| f.is_wildcard);
        for field in &def.fields {
            let written = r.fields.iter().find(|f| !f.is_wildcard && f.name.atom == field.name);
            let value = written.or(wildcard).map(|f| &f.value).or(field.default.as_ref());
            regs.push(match value {
                Some(value) => self.operand(value),
                None => {
                    let reg = self.temp();
                    self.load(reg, Term::atom(Atom::UNDEFINED));
                    reg
                }
            });
        }
        self.check_fields(def, r.fields.iter().filter(|f| !f.is_wildcard).map(|f| f.name));
        self.tuple(&regs, dst);
    }

    pub(in crate::compile) fn check_fields(&mut self, def: &RecordDef, names: impl Iterator<Item = Name>) {
        for name in names {
            if !def.fields.iter().any(|f| f.name == name.atom) {
                self.refuse(
                    name.loc,
                    format!("field {} is not defined in record {}", name.atom, def.name),
                );
            }
        }
    }

    /// `{badrecord, V}` (or failure of the guard) unless the register holds a record of this name.
    pub(super) fn check_record(&mut self, src: Reg, name: Atom, loc: Loc) {
        let Some(def) = self.record_def(name, loc) else { return };
        let fail = self.fail_stub(FailKind::BadRecord, src, loc);
        self.not_tagged(src, def.fields.len() + 1, name, fail);
    }

    /// Jumps unless the register holds a tuple of this arity and first element.
    pub(in crate::compile) fn not_tagged(&mut self, src: Reg, arity: usize, name: Atom, fail: crate::compile::Label) {
        if let Some(tag) = self.tag(arity, name) {
            self.f.b.branch(Instr::NotTagged { src, tag, to: 0 }, fail);
        } else {
            self.f.b.branch(
                Instr::NotTuple {
                    src,
                    arity: arity as u16,
                    to: 0,
                },
                fail,
            );
            let first = self.f.next;
            self.touch(first);
            self.f.b.element(first, src, 0);
            self.not_constant(first, Term::atom(name), fail);
        }
    }

    pub(super) fn record_update(&mut self, r: &'a RecordUpdate, loc: Loc, dst: Dest) {
        let Some(def) = self.record_def(r.name, loc) else {
            return;
        };
        // Values come first, as in `erl_expand_records`.
        let values: Vec<(Atom, Reg)> = r.fields.iter().map(|f| (f.name.atom, self.operand(&f.value))).collect();
        let src = self.operand(&r.record);
        self.check_fields(def, r.fields.iter().filter(|f| !f.is_wildcard).map(|f| f.name));
        self.f.b.at(loc);
        self.check_record(src, r.name, loc);
        let tag = self.temp();
        self.load(tag, Term::atom(r.name));
        let mut regs = vec![tag];
        for (index, field) in (1..).zip(&def.fields) {
            match values.iter().find(|v| v.0 == field.name) {
                Some(value) => regs.push(value.1),
                None => {
                    let t = self.temp();
                    self.f.b.element(t, src, index);
                    regs.push(t);
                }
            }
        }
        self.tuple(&regs, dst);
    }
}
