//! Segments of binaries.

use super::error::{FormResult, FormsError, Inside};
use super::{FormReader, Id, Integer};
use crate::ast::*;
use crate::atom::Atom;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::parse::resolve_segment;

const SEGMENT: &str = "a segment {bin_element, Anno, Value, Size, Types}";
const TYPES: &str = "default or a list of types";

impl FormReader<'_> {
    pub(super) fn segment(&mut self, id: Id) -> FormResult<Segment<Expr>> {
        let node = self.node(id, SEGMENT)?;
        let ("bin_element", [value, size, types]) = (node.tag, node.args) else {
            return Err(self.illegal(id, SEGMENT));
        };
        self.segment_here(node.loc, *value, *size, *types).near(node.loc)
    }

    fn segment_here(&mut self, loc: Loc, value: Id, size: Id, types: Id) -> FormResult<Segment<Expr>> {
        let value = self.expr(value).inside(3)?;
        let size = match self.terms.atom(size) {
            Some("default") => None,
            _ => Some(Box::new(self.expr(size).inside(4)?)),
        };
        let written = match self.terms.atom(types) {
            Some("default") => Vec::new(),
            _ => self
                .list(types, TYPES, |reader, item| reader.spec_item(item))
                .inside(5)?,
        };
        let (spec, refused) = resolve_segment(size.is_some(), &written);
        if let Some(error) = refused {
            self.diagnostics
                .push(Diagnostic::error(DiagnosticKind::Lint, loc, error.to_string()));
        }
        Ok(Segment {
            loc,
            value,
            size,
            spec,
            written,
        })
    }

    fn spec_item(&self, id: Id) -> FormResult<SpecItem> {
        match self.terms.tuple(id) {
            None => Ok(SpecItem::Name(self.atom(id, "a type of a segment")?)),
            Some([name, value]) => {
                let name: Atom = self.atom(*name, "the atom unit").inside(1)?;
                match self.integer(*value).inside(2)? {
                    Integer::Small(value) => Ok(SpecItem::Unit(name, value)),
                    Integer::Big(_) => Err(FormsError::unsupported("a unit of more than 64 bits".to_owned())).inside(2),
                }
            }
            Some(_) => Err(self.illegal(id, "a type of a segment")),
        }
    }
}
