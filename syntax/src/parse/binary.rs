//! Bit syntax: `<<Value:Size/Type, …>>` and binary comprehensions.

use std::fmt::{self, Display, Formatter};

use super::expr::prefix;
use super::{Parse, Parser};
use crate::ast::*;
use crate::atom::Atom;
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn binary_literal(&mut self) -> Parse<Expr> {
        let loc = self.bump();
        if self.eat(&Tok::RBin).is_some() {
            return Ok(Expr::new(loc, ExprKind::Binary(Vec::new())));
        }
        let first = self.segment()?;
        if *self.peek() == Tok::BarBar && first.size.is_none() && first.written.is_empty() {
            self.bump();
            let qualifiers = self.qualifiers()?;
            self.expect(&Tok::RBin)?;
            let comprehension = Comprehension {
                template: first.value,
                qualifiers,
            };
            return Ok(Expr::new(loc, ExprKind::BinaryComp(Box::new(comprehension))));
        }
        let mut segments = vec![first];
        while self.eat(&Tok::Comma).is_some() {
            segments.push(self.segment()?);
        }
        match self.eat(&Tok::RBin) {
            Some(_) => Ok(Expr::new(loc, ExprKind::Binary(segments))),
            None => Err(self.expected("`:` Size, `/` Type, `,` or `>>` (an operator needs parentheses here)")),
        }
    }

    fn segment(&mut self) -> Parse<Segment<Expr>> {
        let value = match prefix(self.peek()) {
            Some(op) => {
                let loc = self.bump();
                Expr::new(loc, ExprKind::Unary(op, Box::new(self.nested(Self::primary)?)))
            }
            None => self.nested(Self::primary)?,
        };
        let loc = value.first_loc();
        let size = match self.eat(&Tok::Colon) {
            Some(_) => Some(Box::new(self.nested(Self::primary)?)),
            None => None,
        };
        let mut written = Vec::new();
        if self.eat(&Tok::Slash).is_some() {
            loop {
                written.push(self.spec_item()?);
                if self.eat(&Tok::Minus).is_none() {
                    break;
                }
            }
        }
        let spec = self.resolve(loc, size.is_some(), &written);
        Ok(Segment {
            loc,
            value,
            size,
            spec,
            written,
        })
    }

    fn spec_item(&mut self) -> Parse<SpecItem> {
        let name = self.expect_atom("a type such as integer, binary, signed, little or unit:8")?;
        if self.eat(&Tok::Colon).is_none() {
            return Ok(SpecItem::Name(name));
        }
        let Tok::Integer(value) = *self.peek() else {
            return Err(self.expected("an integer"));
        };
        self.bump();
        Ok(SpecItem::Unit(name, value))
    }

    /// Fills in the defaults, and reports what `erl_bits` and `erl_lint` refuse.
    fn resolve(&mut self, loc: Loc, has_size: bool, written: &[SpecItem]) -> SegmentSpec {
        let (spec, refused) = resolve_segment(has_size, written);
        if let Some(error) = refused {
            self.report(loc, error.to_string());
        }
        spec
    }
}

/// The type of a segment with the defaults filled in, and what `erl_bits` and `erl_lint` refuse in it.
pub(crate) fn resolve_segment(has_size: bool, written: &[SpecItem]) -> (SegmentSpec, Option<SegmentError>) {
    match resolve(has_size, written) {
        Ok(spec) => (spec, None),
        Err(error) => {
            let spec = SegmentSpec {
                ty: SegmentType::Integer,
                signed: false,
                endian: Endian::Big,
                unit: 1,
            };
            (spec, Some(error))
        }
    }
}

/// What `erl_bits` and `erl_lint` refuse in the types of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SegmentError {
    /// Two types, signs, orders of bytes or units that exclude each other.
    Conflict(&'static str),
    /// A unit that is not 1 to 256.
    UnitRange(i64),
    /// A pair of another name than `unit`.
    UnknownPair(Atom, i64),
    /// No such type.
    Unknown(Atom),
    /// A size or a unit of a character.
    SizeOfUtf,
    /// A unit of nothing.
    UnitWithoutSize,
}

impl Display for SegmentError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(what) => write!(f, "conflict in {what} specification for bit field"),
            Self::UnitRange(unit) => write!(f, "bit type {{unit,{unit}}} undefined (a unit is 1 to 256)"),
            Self::UnknownPair(name, value) => write!(f, "bit type {{{name},{value}}} undefined"),
            Self::Unknown(name) => write!(f, "bit type {name} undefined"),
            Self::SizeOfUtf => f.write_str("neither size nor unit must be given for segments of type utf8/utf16/utf32"),
            Self::UnitWithoutSize => {
                f.write_str("a bit unit size must not be specified unless a size is specified too")
            }
        }
    }
}

/// What a type list contains, before the defaults.
#[derive(Default)]
struct TypeList {
    ty: Option<SegmentType>,
    signed: Option<bool>,
    endian: Option<Endian>,
    unit: Option<u16>,
}

fn set<T: PartialEq>(slot: &mut Option<T>, value: T, what: &'static str) -> Result<(), SegmentError> {
    match slot {
        Some(old) if *old != value => Err(SegmentError::Conflict(what)),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

fn resolve(has_size: bool, written: &[SpecItem]) -> Result<SegmentSpec, SegmentError> {
    let mut found = TypeList::default();
    for item in written {
        match *item {
            SpecItem::Unit(name, unit) if name == Atom::UNIT => match u16::try_from(unit) {
                Ok(unit @ 1..=256) => set(&mut found.unit, unit, "unit")?,
                _ => return Err(SegmentError::UnitRange(unit)),
            },
            SpecItem::Unit(name, value) => return Err(SegmentError::UnknownPair(name, value)),
            SpecItem::Name(name) => named(&mut found, name)?,
        }
    }
    let ty = found.ty.unwrap_or(SegmentType::Integer);
    let is_utf = matches!(ty, SegmentType::Utf8 | SegmentType::Utf16 | SegmentType::Utf32);
    if is_utf && (has_size || found.unit.is_some()) {
        return Err(SegmentError::SizeOfUtf);
    }
    if found.unit.is_some() && !has_size && ty != SegmentType::Binary {
        return Err(SegmentError::UnitWithoutSize);
    }
    let default_unit = if ty == SegmentType::Binary { 8 } else { 1 };
    Ok(SegmentSpec {
        ty,
        signed: found.signed.unwrap_or(false),
        endian: found.endian.unwrap_or(Endian::Big),
        unit: found.unit.unwrap_or(default_unit),
    })
}

fn named(found: &mut TypeList, name: Atom) -> Result<(), SegmentError> {
    use SegmentType::*;
    let (ty, unit) = match name.as_str() {
        "integer" => (Integer, None),
        "float" => (Float, None),
        "binary" => (Binary, None),
        "bytes" => (Binary, Some(8)),
        "bitstring" | "bits" => (Binary, Some(1)),
        "utf8" => (Utf8, None),
        "utf16" => (Utf16, None),
        "utf32" => (Utf32, None),
        "signed" => return set(&mut found.signed, true, "sign"),
        "unsigned" => return set(&mut found.signed, false, "sign"),
        "big" => return set(&mut found.endian, Endian::Big, "endianness"),
        "little" => return set(&mut found.endian, Endian::Little, "endianness"),
        "native" => return set(&mut found.endian, Endian::Native, "endianness"),
        _ => return Err(SegmentError::Unknown(name)),
    };
    set(&mut found.ty, ty, "type")?;
    unit.map_or(Ok(()), |unit| set(&mut found.unit, unit, "unit"))
}
