//! The records that a program defines: names for the fields of a value.

use interpreter::atom::Atom;
use interpreter::print::{Encoding, Text, push_atom};
use rustc_hash::FxHashMap;

use std::sync::Arc;

use session::program::Sources;
use session::value::Value;

/// Names of fields, by the name of the record and how many fields it has; the fields as they are printed.
#[derive(Clone, Debug, Default)]
pub struct Records {
    fields: FxHashMap<(Arc<str>, usize), Option<Vec<String>>>,
}

impl Records {
    /// The records that the program's own modules define. If two modules define different records of one name and size, neither is used.
    #[must_use]
    pub fn of(sources: &Sources) -> Self {
        let mut records = Self::default();
        for (name, fields) in sources.record_definitions() {
            records.add(name, &fields);
        }
        records
    }

    fn add(&mut self, name: Atom, fields: &[Atom]) {
        let fields: Vec<String> = fields.iter().copied().map(printed).collect();
        let known = self
            .fields
            .entry((name.as_str().into(), fields.len()))
            .or_insert_with(|| Some(fields.clone()));
        if known.as_ref().is_some_and(|known| *known != fields) {
            *known = None;
        }
    }

    /// The name of the field at a place (from 1) of a tuple with this tag.
    #[must_use]
    pub fn field(&self, tag: &Value, size: usize, place: usize) -> Option<&str> {
        let Value::Atom(tag) = tag else { return None };
        let fields = self.fields.get(&(Arc::clone(tag), size.checked_sub(1)?))?.as_ref()?;
        Some(fields.get(place.checked_sub(2)?)?.as_str())
    }
}

/// An atom as it is printed.
fn printed(atom: Atom) -> String {
    let mut text = Text::new();
    push_atom(&mut text, atom.as_str(), Encoding::Unicode);
    text.into_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms(names: &[&str]) -> Vec<Atom> {
        names.iter().map(|name| Atom::new(name)).collect()
    }

    fn tag(name: &str) -> Value {
        Value::Atom(name.into())
    }

    #[test]
    fn fields_have_their_places() {
        let mut records = Records::default();
        records.add(Atom::new("st"), &atoms(&["free", "busy", "queue"]));
        records.add(Atom::new("odd name"), &atoms(&["unit", "Odd"]));
        records.add(Atom::new("empty"), &[]);
        assert_eq!(records.field(&tag("st"), 4, 3), Some("busy"));
        assert_eq!(
            (records.field(&tag("st"), 4, 1), records.field(&tag("st"), 4, 5)),
            (None, None)
        );
        assert_eq!(
            (records.field(&tag("st"), 3, 2), records.field(&tag("empty"), 1, 2)),
            (None, None)
        );
        assert_eq!(records.field(&tag("odd name"), 3, 3), Some("'Odd'"));
        records.add(Atom::new("st"), &atoms(&["free", "busy", "queue"]));
        assert_eq!(
            records.field(&tag("st"), 4, 3),
            Some("busy"),
            "one of a header, in two modules"
        );
        records.add(Atom::new("st"), &atoms(&["a", "b", "c"]));
        assert_eq!(records.field(&tag("st"), 4, 3), None, "two of one name and size");
    }
}
