//! Tuples, lists and maps.

use super::*;

impl<'a> Compiler<'a> {
    pub(in crate::compile) fn tuple(&mut self, regs: &[Reg], dst: Dest) {
        let d = self.target(dst);
        if let [a, b] = *regs {
            self.f.b.emit(Instr::Tuple2 { dst: d, a, b });
        } else {
            self.f.b.emit(Instr::Tuple {
                dst: d,
                len: regs.len() as u16,
            });
            self.f.b.ops(regs);
        }
        self.done(dst, d);
    }

    pub(super) fn is_simple(&mut self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Var(_)) || self.literal(e).is_some()
    }

    pub(super) fn list(&mut self, list: &'a List<Expr>, dst: Dest) {
        let nil;
        let tail = match &list.tail {
            Some(tail) => &**tail,
            None => {
                nil = None::<&Expr>;
                return self.proper_list(&list.items, nil, dst);
            }
        };
        self.proper_list(&list.items, Some(tail), dst);
    }

    pub(super) fn proper_list(&mut self, items: &'a [Expr], tail: Option<&'a Expr>, dst: Dest) {
        let d = self.target(dst);
        if items.len() > LIST_CHUNK {
            if items.iter().all(|i| self.is_simple(i)) {
                // The order does not matter: built from the end.
                let acc = self.tail_operand(tail);
                let own = self.temp();
                self.f.b.mov(own, acc);
                for item in items.iter().rev() {
                    let mark = self.f.next;
                    let head = self.operand(item);
                    self.f.b.emit(Instr::Cons {
                        dst: own,
                        head,
                        tail: own,
                    });
                    self.f.next = mark;
                }
                self.give(Dest::To(d), own);
            } else {
                let acc = self.temp();
                self.load(acc, Term::NIL);
                for item in items {
                    let mark = self.f.next;
                    let head = self.operand(item);
                    self.f.b.emit(Instr::Cons {
                        dst: acc,
                        head,
                        tail: acc,
                    });
                    self.f.next = mark;
                }
                let tail = self.tail_operand(tail);
                self.f.b.emit(Instr::Reverse { dst: d, src: acc, tail });
            }
            self.done(dst, d);
            return;
        }
        let regs = self.operands(items);
        let mut acc = self.tail_operand(tail);
        let own = self.f.next;
        self.touch(own);
        for (i, head) in regs.iter().enumerate().rev() {
            let to = if i == 0 { d } else { own };
            self.f.b.emit(Instr::Cons {
                dst: to,
                head: *head,
                tail: acc,
            });
            acc = own;
        }
        self.done(dst, d);
    }

    pub(super) fn tail_operand(&mut self, tail: Option<&'a Expr>) -> Reg {
        match tail {
            Some(tail) => self.operand(tail),
            None => {
                let reg = self.temp();
                self.load(reg, Term::NIL);
                reg
            }
        }
    }

    pub(super) fn map_fields(&mut self, fields: &'a [MapField]) -> Vec<(Reg, Reg, Reg)> {
        fields
            .iter()
            .map(|f| {
                let key = self.operand(&f.key);
                let value = self.operand(&f.value);
                (key, value, Reg::from(f.op == MapOp::Exact))
            })
            .collect()
    }

    pub(super) fn map(&mut self, fields: &'a [MapField], dst: Dest) {
        let regs = self.map_fields(fields);
        let d = self.target(dst);
        self.f.b.emit(Instr::Map {
            dst: d,
            len: regs.len() as u16,
        });
        for (a, b, _) in regs {
            self.f.b.emit(Instr::Ops { a, b, c: 0 });
        }
        self.done(dst, d);
    }

    pub(super) fn map_update(&mut self, e: &'a Expr, map: &'a Expr, fields: &'a [MapField], dst: Dest) {
        let src = self.operand(map);
        let regs = self.map_fields(fields);
        let regs = self.grouped(fields, regs);
        let d = self.target(dst);
        self.f.b.at(e.loc);
        self.f.b.emit(Instr::MapUpdate {
            dst: d,
            src,
            len: regs.len() as u16,
        });
        for (a, b, c) in regs {
            self.f.b.emit(Instr::Ops { a, b, c });
        }
        self.done(dst, d);
    }

    /// OTP updates adjacent fields with constant keys at once (`v3_kernel:map_group_pairs/5`), which determines which missing key is reported:
    /// for a key that is written twice, the last value and the first operator count; `=>` comes before `:=`; the rest is in the order of the
    /// keys.
    pub(super) fn grouped(&mut self, fields: &'a [MapField], regs: Vec<(Reg, Reg, Reg)>) -> Vec<(Reg, Reg, Reg)> {
        if fields.iter().filter(|field| field.op == MapOp::Exact).count() == 0 || fields.len() < 2 {
            return regs;
        }
        let mut all = Vec::with_capacity(regs.len());
        let mut group: Vec<(Term, (Reg, Reg, Reg))> = Vec::new();
        for (field, (key, value, exact)) in fields.iter().zip(regs) {
            let Some(constant) = self.constant_key(&field.key) else {
                all.extend(group.drain(..).map(|(_, field)| field));
                all.push((key, value, exact));
                continue;
            };
            let heap = &self.unit.heap;
            let order = |a: Term, b: Term| crate::ops::compare_exact(heap, a, b);
            match group.iter_mut().find(|(known, _)| order(*known, constant).is_eq()) {
                Some((_, known)) => known.1 = value,
                None => group.push((constant, (key, value, exact))),
            }
            group.sort_by(|(a, x), (b, y)| x.2.cmp(&y.2).then_with(|| order(*a, *b)));
        }
        all.extend(group.drain(..).map(|(_, field)| field));
        all
    }

    /// The value of a key that is a constant to OTP's compiler: also a map, or a binary of bytes.
    pub(super) fn constant_key(&mut self, key: &'a Expr) -> Option<Term> {
        let ExprKind::Binary(segments) = &key.kind else {
            return self.literal(key);
        };
        let mut bytes = Vec::new();
        for segment in segments {
            match &segment.value.kind {
                ExprKind::String(text) if segment.size.is_none() && segment.spec.ty == SegmentType::Integer => {
                    bytes.extend(text.chars().map(|c| c as u32 as u8));
                }
                ExprKind::Integer(byte) if segment.size.is_none() && segment.spec.ty == SegmentType::Integer => {
                    bytes.push(*byte as u8);
                }
                _ => return None,
            }
        }
        Some(crate::compile::literal::bitstring(
            &mut self.unit.heap,
            &bytes,
            bytes.len() * 8,
        ))
    }
}
