//! Patterns.

use super::Encoder;
use crate::ast::*;
use crate::atom::Atom;
use crate::stack::with_stack;

impl Encoder {
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        with_stack(|| self.pattern_here(pattern));
    }

    pub(super) fn pattern_here(&mut self, pattern: &Pattern) {
        let loc = pattern.loc;
        match &pattern.kind {
            PatternKind::Wildcard => self.leaf("var", loc, Atom::WILDCARD),
            PatternKind::Var(name) => self.leaf("var", loc, *name),
            PatternKind::Atom(atom) => self.leaf("atom", loc, *atom),
            PatternKind::Integer(value) => {
                self.node("integer", loc, 1);
                self.integer(*value);
            }
            PatternKind::BigInteger(value) => {
                self.node("integer", loc, 1);
                self.big(value);
            }
            PatternKind::Float(value) => {
                self.node("float", loc, 1);
                self.float(*value);
            }
            PatternKind::Char(c) => {
                self.node("char", loc, 1);
                self.integer(i64::from(u32::from(*c)));
            }
            PatternKind::String(text) => {
                self.node("string", loc, 1);
                self.text(text);
            }
            PatternKind::Nil => self.node("nil", loc, 0),
            PatternKind::List(list) => {
                for (index, item) in list.items.iter().enumerate() {
                    let place = if index == 0 { loc } else { item.first_loc() };
                    self.node("cons", place, 2);
                    self.pattern(item);
                }
                match &list.tail {
                    Some(tail) => self.pattern(tail),
                    None => self.node("nil", list.end, 0),
                }
            }
            PatternKind::Tuple(items) => {
                self.node("tuple", loc, 1);
                self.items(items, Encoder::pattern);
            }
            PatternKind::Map(fields) => {
                self.node("map", loc, 1);
                self.items(fields, |out, field| {
                    out.node("map_field_exact", field.loc, 2);
                    out.expr(&field.key);
                    out.pattern(&field.value);
                });
            }
            PatternKind::Record(record) => {
                self.node("record", loc, 2);
                self.atom(record.name);
                self.items(&record.fields, |out, field| out.record_field(field, Encoder::pattern));
            }
            PatternKind::RecordIndex(index) => self.record_index(loc, index),
            PatternKind::Binary(segments) => {
                self.node("bin", loc, 1);
                self.items(segments, |out, segment| out.segment(segment, Encoder::pattern));
            }
            PatternKind::Match(both) => {
                self.node("match", loc, 2);
                self.pattern(&both[0]);
                self.pattern(&both[1]);
            }
            PatternKind::Append(both) => {
                self.node("op", loc, 3);
                self.name("++");
                self.pattern(&both[0]);
                self.pattern(&both[1]);
            }
            PatternKind::Const(constant) => self.expr(&constant.expr),
        }
    }
}
