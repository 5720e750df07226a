//! Expressions.

use super::error::{FormResult, FormsError, Inside};
use super::{FormNode, FormReader, Id, Term};
use crate::ast::*;
use crate::atom::Atom;

/// Maximum number of cells of one list whose places are kept apart from their elements' ones: each makes the tree one level deeper.
const OWN_PLACES: usize = 64;

impl FormReader<'_> {
    pub(super) fn expr(&mut self, id: Id) -> FormResult<Expr> {
        self.nested(|reader| {
            let node = reader.node(id, "an expression")?;
            let loc = node.loc;
            Ok(Expr::new(loc, reader.expr_kind(id, node).near(loc)?))
        })
    }

    pub(super) fn body(&mut self, id: Id) -> FormResult<Vec<Expr>> {
        self.some(id, "a list of at least one expression", Self::expr)
    }

    fn exprs(&mut self, id: Id) -> FormResult<Vec<Expr>> {
        self.list(id, "a list of expressions", Self::expr)
    }

    fn boxed(&mut self, id: Id, index: usize) -> FormResult<Box<Expr>> {
        self.expr(id).inside(index).map(Box::new)
    }

    fn two(&mut self, left: Id, right: Id) -> FormResult<Box<[Expr; 2]>> {
        Ok(Box::new([self.expr(left).inside(4)?, self.expr(right).inside(5)?]))
    }

    #[expect(clippy::too_many_lines, reason = "a table: for each tuple, its sort of expression")]
    fn expr_kind(&mut self, id: Id, node: FormNode<'_>) -> FormResult<ExprKind> {
        Ok(match (node.tag, node.args) {
            ("var", [name]) => ExprKind::Var(self.atom(*name, "a variable's name, an atom").inside(3)?),
            ("atom", [atom]) => ExprKind::Atom(self.atom(*atom, "an atom").inside(3)?),
            // Any term, in forms that transforms make: OTP's compiler takes it for the value.
            ("integer", [value]) => self.value(node.loc, *value).inside(3)?,
            ("float", [value]) => match self.terms.get(*value) {
                Term::Float(value) => ExprKind::Float(*value),
                Term::Integer(_) => {
                    return Err(FormsError::unsupported("an integer as the value of a float".to_owned())).inside(3);
                }
                _ => return Err(self.illegal(*value, "a float")).inside(3),
            },
            ("char", [code]) => ExprKind::Char(self.character(*code).inside(3)?),
            ("string", [codes]) => ExprKind::String(self.text(*codes).inside(3)?),
            ("nil", []) => ExprKind::Nil,
            ("cons", [head, tail]) => self.cons(node.loc, *head, *tail)?,
            ("tuple", [items]) => ExprKind::Tuple(self.exprs(*items).inside(3)?),
            ("map", [fields]) => ExprKind::Map(self.map_fields(*fields).inside(3)?),
            ("map", [map, fields]) => {
                let map = self.boxed(*map, 3)?;
                ExprKind::MapUpdate(map, self.map_fields(*fields).inside(4)?)
            }
            ("record", [name, fields]) => ExprKind::Record(Box::new(RecordExpr {
                name: self.record_name(*name).inside(3)?,
                fields: self.record_fields(*fields).inside(4)?,
            })),
            ("record", [record, name, fields]) => ExprKind::RecordUpdate(Box::new(RecordUpdate {
                record: self.expr(*record).inside(3)?,
                name: self.record_name(*name).inside(4)?,
                fields: self.record_fields(*fields).inside(5)?,
            })),
            ("record_field", [record, name, field]) => ExprKind::RecordAccess(Box::new(RecordAccess {
                record: self.expr(*record).inside(3)?,
                name: self.record_name(*name).inside(4)?,
                field: self.leaf(*field, "atom", FIELD).inside(5)?,
            })),
            ("record_index", [name, field]) => ExprKind::RecordIndex(Box::new(RecordIndex {
                name: self.record_name(*name).inside(3)?,
                field: self.leaf(*field, "atom", FIELD).inside(4)?,
            })),
            ("bin", [segments]) => {
                ExprKind::Binary(self.list(*segments, "a list of segments", Self::segment).inside(3)?)
            }
            ("lc", [template, qualifiers]) => ExprKind::ListComp(self.comprehension(*template, *qualifiers)?),
            ("bc", [template, qualifiers]) => ExprKind::BinaryComp(self.comprehension(*template, *qualifiers)?),
            ("mc", [template, qualifiers]) => {
                let (arrow, key, value) = self.association(*template, "map_field_assoc").inside(3)?;
                ExprKind::MapComp(Box::new(MapComprehension {
                    arrow,
                    key: self.expr(key).inside(3).inside(3)?,
                    value: self.expr(value).inside(4).inside(3)?,
                    qualifiers: self.qualifiers(*qualifiers).inside(4)?,
                }))
            }
            ("match", [pattern, value]) => ExprKind::Match(Box::new(MatchExpr {
                pattern: self.pattern(*pattern).inside(3)?,
                value: self.expr(*value).inside(4)?,
            })),
            ("op", [op, operand]) => {
                let op = self.terms.atom(*op).and_then(UnaryOp::named);
                let op = op.ok_or_else(|| self.illegal(id, "an operator with one operand"))?;
                ExprKind::Unary(op, self.boxed(*operand, 4)?)
            }
            ("op", [op, left, right]) => match self.terms.atom(*op) {
                Some("andalso") => ExprKind::AndAlso(self.two(*left, *right)?),
                Some("orelse") => ExprKind::OrElse(self.two(*left, *right)?),
                name => {
                    let op = name.and_then(BinaryOp::named);
                    let op = op.ok_or_else(|| self.illegal(id, "an operator with two operands"))?;
                    ExprKind::Binop(op, self.two(*left, *right)?)
                }
            },
            ("call", [callee, args]) => ExprKind::Call(Box::new(Call {
                callee: self.callee(*callee).inside(3)?,
                args: self.exprs(*args).inside(4)?,
            })),
            ("remote", [module, function]) => ExprKind::Remote(Box::new([
                self.expr(*module).inside(3)?,
                self.expr(*function).inside(4)?,
            ])),
            ("fun", [fun]) => self.fun(*fun).inside(3)?,
            ("named_fun", [name, clauses]) => {
                let name = self.atom(*name, "a variable's name, an atom").inside(3)?;
                ExprKind::NamedFun(name, self.fun_clauses(*clauses).inside(4)?)
            }
            ("block", [body]) => ExprKind::Block(self.body(*body).inside(3)?),
            ("if", [clauses]) => ExprKind::If(self.list(*clauses, CLAUSES, Self::if_clause).inside(3)?),
            ("case", [subject, clauses]) => {
                let subject = self.boxed(*subject, 3)?;
                ExprKind::Case(subject, self.some_clauses(*clauses, "case").inside(4)?)
            }
            ("receive", [clauses]) => ExprKind::Receive(Box::new(Receive {
                clauses: self.some_clauses(*clauses, "receive").inside(3)?,
                after: None,
            })),
            ("receive", [clauses, timeout, body]) => ExprKind::Receive(Box::new(Receive {
                clauses: self.clauses(*clauses).inside(3)?,
                after: Some((self.expr(*timeout).inside(4)?, self.body(*body).inside(5)?)),
            })),
            ("try", [body, of, catch, after]) => ExprKind::Try(Box::new(Try {
                body: self.body(*body).inside(3)?,
                of: self.clauses(*of).inside(4)?,
                catch: self.list(*catch, CLAUSES, Self::catch_clause).inside(5)?,
                after: self.exprs(*after).inside(6)?,
            })),
            ("catch", [body]) => ExprKind::Catch(self.boxed(*body, 3)?),
            ("maybe", [steps]) => self.maybe(*steps, None)?,
            ("maybe", [steps, otherwise]) => self.maybe(*steps, Some(*otherwise))?,
            ("executable_line" | "debug_line", _) => {
                return Err(FormsError::unsupported(format!(
                    "{}, which later releases make",
                    node.tag
                )));
            }
            _ => return Err(self.illegal(id, "an expression")),
        })
    }

    /// A list of any length, without recursion over its tails.
    fn cons(&mut self, loc: Loc, head: Id, tail: Id) -> FormResult<ExprKind> {
        let mut first = vec![self.expr(head).inside(3)?];
        // Lists that are the tail of the one before, by the place of their first cell.
        let mut others: Vec<(Loc, Vec<Expr>)> = Vec::new();
        let (mut rest, mut count) = (tail, 1);
        let deep = |mut error: Box<FormsError>, count: usize| {
            error.path.extend(std::iter::repeat_n(4, count));
            error
        };
        let (mut tail, mut end) = loop {
            let node = self.node(rest, "a list's tail").map_err(|error| deep(error, count))?;
            match (node.tag, node.args) {
                ("cons", [head, tail]) => {
                    let item = self.expr(*head).inside(3).near(node.loc);
                    let item = item.map_err(|error| deep(error, count))?;
                    if node.loc == item.first_loc() || others.len() >= OWN_PLACES {
                        others.last_mut().map_or(&mut first, |(_, items)| items).push(item);
                    } else {
                        others.push((node.loc, vec![item]));
                    }
                    rest = *tail;
                    count += 1;
                }
                ("nil", []) => break (None, node.loc),
                _ => {
                    let tail = self.expr(rest).map_err(|error| deep(error, count))?;
                    break (Some(Box::new(tail)), loc);
                }
            }
        };
        for (place, items) in others.into_iter().rev() {
            let list = ExprKind::List(List { items, tail, end });
            (tail, end) = (Some(Box::new(Expr::new(place, list))), loc);
        }
        Ok(ExprKind::List(List {
            items: first,
            tail,
            end,
        }))
    }

    fn map_fields(&mut self, id: Id) -> FormResult<Vec<MapField>> {
        self.list(id, "a list of map fields", |reader, field| {
            let node = reader.node(field, MAP_FIELD)?;
            let op = match node.tag {
                "map_field_assoc" => MapOp::Assoc,
                "map_field_exact" => MapOp::Exact,
                _ => return Err(reader.illegal(field, MAP_FIELD)),
            };
            let [key, value] = node.args else {
                return Err(reader.illegal(field, MAP_FIELD));
            };
            Ok(MapField {
                loc: node.loc,
                op,
                key: reader.expr(*key).inside(3)?,
                value: reader.expr(*value).inside(4)?,
            })
        })
    }

    /// `{Tag, Loc, Key, Value}` in a comprehension.
    pub(super) fn association(&self, id: Id, tag: &'static str) -> FormResult<(Loc, Id, Id)> {
        let node = self.node(id, MAP_FIELD)?;
        match node.args {
            [key, value] if node.tag == tag => Ok((node.loc, *key, *value)),
            _ => Err(self.illegal(id, MAP_FIELD)),
        }
    }

    pub(super) fn record_name(&self, id: Id) -> FormResult<Atom> {
        self.atom(id, "a record's name, an atom")
    }

    fn record_fields(&mut self, id: Id) -> FormResult<Vec<RecordField<Expr>>> {
        self.list(id, "a list of record fields", |reader, field| {
            let node = reader.node(field, RECORD_FIELD)?;
            let ("record_field", [name, value]) = (node.tag, node.args) else {
                return Err(reader.illegal(field, RECORD_FIELD));
            };
            let (name, is_wildcard) = match reader.leaf(*name, "atom", FIELD) {
                Ok(name) => (name, false),
                Err(error) => match reader.leaf(*name, "var", FIELD) {
                    Ok(wildcard) if wildcard.atom == Atom::WILDCARD => (wildcard, true),
                    _ => return Err(error).inside(3).near(node.loc),
                },
            };
            Ok(RecordField {
                name,
                is_wildcard,
                value: reader.expr(*value).inside(4)?,
            })
        })
    }

    fn callee(&mut self, id: Id) -> FormResult<Callee> {
        let node = self.node(id, "what to call, an expression")?;
        match (node.tag, node.args) {
            ("atom", [name]) => Ok(Callee::Local(Name {
                loc: node.loc,
                atom: self.atom(*name, "an atom").inside(3).near(node.loc)?,
            })),
            ("remote", [module, function]) => Ok(Callee::Remote {
                loc: node.loc,
                module: self.expr(*module).inside(3)?,
                function: self.expr(*function).inside(4)?,
            }),
            _ => self.expr(id).map(Callee::Dynamic),
        }
    }

    fn fun(&mut self, id: Id) -> FormResult<ExprKind> {
        const FUN: &str = "{clauses, …}, {function, Name, Arity} or {function, Module, Name, Arity}";
        let terms = self.terms;
        let Some([tag, parts @ ..]) = terms.tuple(id) else {
            return Err(self.illegal(id, FUN));
        };
        match (terms.atom(*tag), parts) {
            (Some("clauses"), [clauses]) => Ok(ExprKind::Fun(self.fun_clauses(*clauses).inside(2)?)),
            (Some("function"), [name, arity]) => Ok(ExprKind::FunLocal(FunId {
                name: self.atom(*name, "a function's name, an atom").inside(2)?,
                arity: self.arity(*arity).inside(3)?,
            })),
            (Some("function"), [module, name, arity]) => Ok(ExprKind::FunRemote(Box::new([
                self.expr(*module).inside(2)?,
                self.expr(*name).inside(3)?,
                self.expr(*arity).inside(4)?,
            ]))),
            _ => Err(self.illegal(id, FUN)),
        }
    }

    fn comprehension(&mut self, template: Id, qualifiers: Id) -> FormResult<Box<Comprehension>> {
        Ok(Box::new(Comprehension {
            template: self.expr(template).inside(3)?,
            qualifiers: self.qualifiers(qualifiers).inside(4)?,
        }))
    }
}

pub(super) const CLAUSES: &str = "a list of clauses";
const FIELD: &str = "a field's name as {atom, Anno, Name}";
const MAP_FIELD: &str = "a map field";
const RECORD_FIELD: &str = "a record field";
