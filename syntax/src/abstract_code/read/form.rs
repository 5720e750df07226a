//! Forms.

use super::error::{FormResult, FormsError, Inside, shown};
use super::{FormReader, Id, Term};
use crate::abstract_code::fingerprint;
use crate::ast::*;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};

const FORM: &str = "a form {attribute, …}, {function, …}, {eof, …}, {error, …} or {warning, …}";
const FUN_IDS: &str = "a list of {Name, Arity}";

impl FormReader<'_> {
    pub(super) fn forms(&mut self, root: Id) -> FormResult<()> {
        let forms = self.items(root, "a list of forms")?;
        for (index, form) in forms.into_iter().enumerate() {
            self.form(form).inside(index + 1)?;
        }
        Ok(())
    }

    /// What a source's name and tokens give.
    pub(super) fn finish(&mut self) {
        if self.module.files.is_empty() {
            // As OTP's loader names it.
            let name = self.module.name.map_or("", |name| name.atom.as_str());
            self.module.files.push(format!("{name}.erl").into());
        }
        self.module.fingerprint = fingerprint(&self.module);
        let module = &self.module;
        let file = |file: u16| module.files.get(usize::from(file)).map_or("", |name| &**name);
        for diagnostic in &mut self.diagnostics {
            diagnostic.file = file(diagnostic.loc.file).into();
        }
    }

    fn form(&mut self, id: Id) -> FormResult<()> {
        let terms = self.terms;
        if let Some([tag, what]) = terms.tuple(id)
            && let Some(tag @ ("error" | "warning")) = terms.atom(*tag)
        {
            let diagnostic = self.told(tag == "error", *what);
            self.diagnostics.push(diagnostic);
            return Ok(());
        }
        let node = self.node(id, FORM)?;
        match (node.tag, node.args) {
            ("attribute", [name, value]) => {
                let name = self
                    .atom(*name, "an attribute's name, an atom")
                    .inside(3)
                    .near(node.loc)?;
                let form = self.attribute(node.loc, name, *value).inside(4).near(node.loc)?;
                self.module.order.extend(form);
            }
            ("function", [name, arity, clauses]) => {
                let function = self.function(node.loc, *name, *arity, *clauses).near(node.loc)?;
                self.module.order.push(FormRef::Function(self.module.functions.len()));
                self.module.functions.push(function);
            }
            ("eof", []) => self.module.eof = node.loc,
            _ => return Err(self.illegal(id, FORM)),
        }
        Ok(())
    }

    /// The error or warning that a form is, `{Location, Module, Description}`, as far as it can be told without calling the module.
    fn told(&self, is_error: bool, id: Id) -> Diagnostic {
        let terms = self.terms;
        let (loc, what) = match terms.tuple(id) {
            Some([location, _, description]) => (self.loc(*location).unwrap_or(Loc::NONE), *description),
            _ => (Loc::NONE, id),
        };
        let message = self.flat(what).unwrap_or_else(|| shown(terms, id));
        match is_error {
            true => Diagnostic::error(DiagnosticKind::Parse, loc, message),
            false => Diagnostic::warning(loc, message),
        }
    }

    /// The text of a list of characters and lists.
    fn flat(&self, id: Id) -> Option<String> {
        const LONGEST: usize = 1000;
        let mut text = String::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match self.terms.get(id) {
                Term::Nil => {}
                Term::List(range, tail) => {
                    todo.push(*tail);
                    todo.extend(self.terms.slice(range).iter().rev());
                }
                Term::Integer(code) => text.push(u32::try_from(*code).ok().and_then(char::from_u32)?),
                _ => return None,
            }
            if text.len() > LONGEST {
                text.push('…');
                break;
            }
        }
        (!text.is_empty()).then_some(text)
    }

    fn function(&mut self, loc: Loc, name: Id, arity: Id, clauses: Id) -> FormResult<Function> {
        let name = self.atom(name, "a function's name, an atom").inside(3)?;
        let wanted = arity;
        let arity = self.arity(arity).inside(4)?;
        let clauses = self.fun_clauses(clauses).inside(5)?;
        if clauses[0].params.len() != arity as usize {
            return Err(self.illegal(wanted, "the number of arguments of the clauses")).inside(4);
        }
        Ok(Function {
            loc,
            name,
            arity,
            clauses,
        })
    }

    /// An attribute; `None` if it only gave a diagnostic.
    fn attribute(&mut self, loc: Loc, name: Atom, value: Id) -> FormResult<Option<FormRef>> {
        /// Keeps the form in its list, and gives its reference.
        fn kept<T>(list: &mut Vec<T>, form: T, reference: fn(usize) -> FormRef) -> Option<FormRef> {
            list.push(form);
            Some(reference(list.len() - 1))
        }
        Ok(match name.as_str() {
            "module" => return self.module_name(loc, value),
            "export" => {
                let export = self.export(loc, value)?;
                kept(&mut self.module.exports, export, FormRef::Export)
            }
            "export_type" => {
                let export = self.export(loc, value)?;
                kept(&mut self.module.export_types, export, FormRef::ExportType)
            }
            "import" => {
                let import = self.import(loc, value)?;
                kept(&mut self.module.imports, import, FormRef::Import)
            }
            "record" => {
                let record = self.record_def(loc, value)?;
                kept(&mut self.module.records, record, FormRef::Record)
            }
            "type" | "opaque" | "nominal" => {
                let kind = TypeAttribute::of_name(name).unwrap_or(TypeAttribute::Type);
                let def = self.type_def(loc, kind, value)?;
                kept(&mut self.module.types, def, FormRef::Type)
            }
            "spec" | "callback" => {
                let spec = self.spec(loc, name.as_str() == "callback", value)?;
                kept(&mut self.module.specs, spec, FormRef::Spec)
            }
            "file" => {
                let mark = self.file_mark(loc, value)?;
                kept(&mut self.module.file_marks, mark, FormRef::File)
            }
            _ => {
                let value = self.constant(loc, value)?;
                let attribute = Attribute { loc, name, value };
                kept(&mut self.module.attributes, attribute, FormRef::Attribute)
            }
        })
    }

    fn module_name(&mut self, loc: Loc, value: Id) -> FormResult<Option<FormRef>> {
        if self.terms.tuple(value).is_some_and(|parts| parts.len() == 2) {
            return Err(FormsError::unsupported("a parameterized module".to_owned()));
        }
        let atom = self.atom(value, "the module's name, an atom")?;
        if self.module.name.is_some() {
            self.diagnostics
                .push(Diagnostic::error(DiagnosticKind::Parse, loc, "redefining module"));
            return Ok(None);
        }
        self.module.name = Some(Name { loc, atom });
        Ok(Some(FormRef::Module))
    }

    fn fun_id(&self, id: Id) -> FormResult<FunId> {
        let Some([name, arity]) = self.terms.tuple(id) else {
            return Err(self.illegal(id, "{Name, Arity}"));
        };
        Ok(FunId {
            name: self.atom(*name, "a name, an atom").inside(1)?,
            arity: self.arity(*arity).inside(2)?,
        })
    }

    fn export(&mut self, loc: Loc, value: Id) -> FormResult<Export> {
        let items = self.list(value, FUN_IDS, |reader, item| Ok((loc, reader.fun_id(item)?)))?;
        Ok(Export { loc, items })
    }

    fn import(&mut self, loc: Loc, value: Id) -> FormResult<Import> {
        let Some([module, items]) = self.terms.tuple(value) else {
            return Err(self.illegal(value, "{Module, [{Name, Arity}, …]}"));
        };
        let module = self.atom(*module, "a module's name, an atom").inside(1)?;
        let items = self.list(*items, FUN_IDS, |reader, item| Ok((loc, reader.fun_id(item)?)));
        Ok(Import {
            loc,
            module,
            items: items.inside(2)?,
        })
    }

    fn file_mark(&mut self, loc: Loc, value: Id) -> FormResult<FileMark> {
        let Some([name, line]) = self.terms.tuple(value) else {
            return Err(self.illegal(value, "{FileName, Line}"));
        };
        let name = self.text(*name).inside(1)?;
        let Term::Integer(number) = self.terms.get(*line) else {
            return Err(self.illegal(*line, "a line")).inside(2);
        };
        let Ok(line) = u32::try_from(*number) else {
            return Err(FormsError::unsupported(format!("line {number}"))).inside(2);
        };
        self.file = match self.file_index.get(&*name) {
            Some(index) => *index,
            None => {
                let Ok(index) = u16::try_from(self.module.files.len()) else {
                    let what = "more than 65,536 file names in one module".to_owned();
                    return Err(FormsError::unsupported(what)).inside(1);
                };
                self.file_index.insert(name.to_string(), index);
                self.module.files.push(name);
                index
            }
        };
        let file = self.file;
        Ok(FileMark {
            loc: Loc { file, ..loc },
            file,
            line,
        })
    }

    fn record_def(&mut self, loc: Loc, value: Id) -> FormResult<RecordDef> {
        let Some([name, fields]) = self.terms.tuple(value) else {
            return Err(self.illegal(value, "{RecordName, Fields}"));
        };
        let name = self.record_name(*name).inside(1)?;
        let fields = self.list(*fields, "a list of record fields", |reader, field| {
            reader.record_field_def(field, true)
        });
        Ok(RecordDef {
            loc,
            name,
            fields: fields.inside(2)?,
        })
    }

    fn record_field_def(&mut self, id: Id, may_be_typed: bool) -> FormResult<RecordFieldDef> {
        const FIELD: &str = "{record_field, …} or {typed_record_field, …}";
        let terms = self.terms;
        if let Some([tag, field, ty]) = terms.tuple(id)
            && terms.atom(*tag) == Some("typed_record_field")
            && may_be_typed
        {
            let field = self.record_field_def(*field, false).inside(2)?;
            let ty = Some(self.ty(*ty).inside(3).near(field.loc)?);
            return Ok(RecordFieldDef { ty, ..field });
        }
        let node = self.node(id, FIELD)?;
        let (name, default) = match (node.tag, node.args) {
            ("record_field", [name]) => (*name, None),
            ("record_field", [name, default]) => (*name, Some(*default)),
            _ => return Err(self.illegal(id, FIELD)),
        };
        let name = self.leaf(name, "atom", "a field's name as {atom, Anno, Name}");
        let name = name.inside(3).near(node.loc)?.atom;
        let default = match default {
            None => None,
            Some(id) => Some(self.expr(id).inside(4).near(node.loc)?),
        };
        Ok(RecordFieldDef {
            loc: node.loc,
            name,
            default,
            ty: None,
        })
    }

    fn type_def(&mut self, loc: Loc, kind: TypeAttribute, value: Id) -> FormResult<TypeDef> {
        let Some([name, ty, params]) = self.terms.tuple(value) else {
            return Err(self.illegal(value, "{TypeName, Type, Variables}"));
        };
        let name = self.atom(*name, "a type's name, an atom").inside(1)?;
        let ty = self.ty(*ty).inside(2)?;
        let params = self.list(*params, "a list of type variables", |reader, param| {
            reader.leaf(param, "var", "a type variable {var, Anno, Name}")
        });
        Ok(TypeDef {
            loc,
            kind,
            name,
            params: params.inside(3)?,
            ty,
        })
    }

    fn spec(&mut self, loc: Loc, callback: bool, value: Id) -> FormResult<Spec> {
        let Some([id, sigs]) = self.terms.tuple(value) else {
            return Err(self.illegal(value, "{{Name, Arity}, FunctionTypes}"));
        };
        let (module, id) = match self.terms.tuple(*id) {
            Some([module, name, arity]) => {
                let module = self.atom(*module, "a module's name, an atom").inside(1).inside(1)?;
                let name = self.atom(*name, "a name, an atom").inside(2).inside(1)?;
                let arity = self.arity(*arity).inside(3).inside(1)?;
                (Some(module), FunId { name, arity })
            }
            _ => (None, self.fun_id(*id).inside(1)?),
        };
        let sigs = self.some(*sigs, "a list of at least one function type", Self::signature);
        Ok(Spec {
            loc,
            callback,
            module,
            id,
            sigs: sigs.inside(2)?,
        })
    }
}
