//! A module as OTP's abstract format in the external term format: what `term_to_binary(Forms)` gives for the forms of
//! `epp:parse_file/2` with `{location, {1, 1}}`. `tests/oracle/abstract_code.escript` compares the two.

mod expr;
mod form;
mod pattern;
mod read;
mod term;
mod types;

use num_bigint::{BigInt, Sign};

pub use self::read::{Forms, FormsError, Refusal, from_external};
pub use self::term::TermFault;
use super::ast::*;
use crate::atom::Atom;

/// The module's forms, encoded.
pub fn to_external(module: &Module) -> Vec<u8> {
    let mut out = Encoder::new(PlaceStyle::Columns);
    out.list(
        &module.order,
        |out, form| out.form(module, *form),
        |out| {
            out.tuple(2);
            out.name("eof");
            out.loc(module.eof);
        },
    );
    out.bytes
}

/// The last form of a module, encoded; places are lines alone unless `columns`.
pub fn form_to_external(module: &Module, columns: bool) -> Vec<u8> {
    let mut out = Encoder::new(PlaceStyle::with(columns));
    match module.order.last() {
        Some(form) => out.form(module, *form),
        None => out.name("undefined"),
    }
    out.bytes
}

/// Expressions as a list, encoded; places are lines alone unless `columns`.
pub fn exprs_to_external(exprs: &[Expr], columns: bool) -> Vec<u8> {
    let mut out = Encoder::new(PlaceStyle::with(columns));
    out.exprs(exprs);
    out.bytes
}

/// A hash of the forms that does not depend on places and files. Two loads of the same forms have the same one; the hash of a source's tokens
/// is another.
fn fingerprint(module: &Module) -> u64 {
    let mut out = Encoder::new(PlaceStyle::None);
    let forms = module.order.iter().filter(|form| !matches!(form, FormRef::File(_)));
    forms.for_each(|form| out.form(module, *form));
    // As for tokens: it never changes, because programs can print and hash it.
    let mix = |hash: u64, value: u64| (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    out.bytes.iter().fold(0, |hash, byte| mix(hash, u64::from(*byte)))
}

struct Encoder {
    bytes: Vec<u8>,
    places: PlaceStyle,
}

/// How places are written.
#[derive(Copy, Clone)]
enum PlaceStyle {
    /// `{Line, Column}`, or the line where there is no column.
    Columns,
    /// Lines.
    Lines,
    /// All the same.
    None,
}

impl PlaceStyle {
    fn with(columns: bool) -> PlaceStyle {
        if columns {
            PlaceStyle::Columns
        } else {
            PlaceStyle::Lines
        }
    }
}

impl Encoder {
    fn new(places: PlaceStyle) -> Encoder {
        Encoder {
            bytes: vec![131],
            places,
        }
    }

    fn u32(&mut self, value: usize) {
        let value = u32::try_from(value).expect("a module's lists and names are counted in 32 bits");
        self.bytes.extend(value.to_be_bytes());
    }

    fn tuple(&mut self, arity: usize) {
        match u8::try_from(arity) {
            Ok(arity) => self.bytes.extend([104, arity]),
            Err(_) => {
                self.bytes.push(105);
                self.u32(arity);
            }
        }
    }

    fn name(&mut self, name: &str) {
        match u8::try_from(name.len()) {
            Ok(length) => self.bytes.extend([119, length]),
            Err(_) => {
                self.bytes.push(118);
                self.bytes.extend(
                    u16::try_from(name.len())
                        .expect("atoms have at most 255 characters")
                        .to_be_bytes(),
                );
            }
        }
        self.bytes.extend(name.as_bytes());
    }

    fn atom(&mut self, atom: Atom) {
        self.name(atom.as_str());
    }

    fn integer(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(value @ 0..=255) => self.bytes.extend([97, value as u8]),
            Ok(value) => {
                self.bytes.push(98);
                self.bytes.extend(value.to_be_bytes());
            }
            Err(_) => self.big(&BigInt::from(value)),
        }
    }

    fn big(&mut self, value: &BigInt) {
        let (sign, digits) = value.to_bytes_le();
        match u8::try_from(digits.len()) {
            Ok(length) => self.bytes.extend([110, length]),
            Err(_) => {
                self.bytes.push(111);
                self.u32(digits.len());
            }
        }
        self.bytes.push(u8::from(sign == Sign::Minus));
        self.bytes.extend(digits);
    }

    fn float(&mut self, value: f64) {
        self.bytes.push(70);
        self.bytes.extend(value.to_be_bytes());
    }

    fn nil(&mut self) {
        self.bytes.push(106);
    }

    fn text(&mut self, text: &str) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        if codes.is_empty() {
            self.nil();
        } else if codes.len() <= 65_535 && codes.iter().all(|code| *code < 256) {
            self.bytes.push(107);
            self.bytes.extend((codes.len() as u16).to_be_bytes());
            self.bytes.extend(codes.iter().map(|code| *code as u8));
        } else {
            self.items(&codes, |out, code| out.integer(i64::from(*code)));
        }
    }

    /// A proper list.
    fn items<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Encoder, &T)) {
        if !items.is_empty() {
            self.bytes.push(108);
            self.u32(items.len());
            items.iter().for_each(|item| each(self, item));
        }
        self.nil();
    }

    /// A proper list with one more element.
    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Encoder, &T), last: impl FnOnce(&mut Encoder)) {
        self.bytes.push(108);
        self.u32(items.len() + 1);
        items.iter().for_each(|item| each(self, item));
        last(self);
        self.nil();
    }

    fn loc(&mut self, loc: Loc) {
        match self.places {
            PlaceStyle::None => self.integer(0),
            PlaceStyle::Columns if loc.col > 0 => {
                self.tuple(2);
                self.integer(i64::from(loc.line));
                self.integer(i64::from(loc.col));
            }
            PlaceStyle::Columns | PlaceStyle::Lines => self.integer(i64::from(loc.line)),
        }
    }

    /// `{Tag, Loc, …` with `more` elements to come.
    fn node(&mut self, tag: &str, loc: Loc, more: usize) {
        self.tuple(2 + more);
        self.name(tag);
        self.loc(loc);
    }

    fn leaf(&mut self, tag: &str, loc: Loc, atom: Atom) {
        self.node(tag, loc, 1);
        self.atom(atom);
    }

    fn fun_id(&mut self, id: FunId) {
        self.tuple(2);
        self.atom(id.name);
        self.integer(i64::from(id.arity));
    }
}

#[cfg(test)]
mod tests {
    use crate::{NoIncludes, ReadOptions, parse_module};

    /// The form after the file mark and before the end, as `erl` gives it:
    /// `term_to_binary([{attribute,{1,1},file,{"m",1}},{attribute,{1,2},module,m},{eof,{1,13}}])`, atoms in UTF-8.
    #[test]
    fn a_small_module_encodes_as_otp_does() {
        let module = parse_module("m", b"-module(m).\n", &ReadOptions::default(), &NoIncludes)
            .unwrap()
            .module;
        let bytes = super::to_external(&module);
        let mut expected = vec![131, 108, 0, 0, 0, 3];
        expected.extend(b"\x68\x04\x77\x09attribute\x68\x02\x61\x01\x61\x01\x77\x04file\x68\x02\x6b\x00\x01m\x61\x01");
        expected.extend(b"\x68\x04\x77\x09attribute\x68\x02\x61\x01\x61\x02\x77\x06module\x77\x01m");
        expected.extend(b"\x68\x02\x77\x03eof\x68\x02\x61\x02\x61\x01\x6a");
        assert_eq!(bytes, expected);
    }
}
