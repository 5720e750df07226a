//! The records that a program defines: names for the fields of a value.

use rustc_hash::FxHashMap;

use crate::changes::{bare, parts};
use session::program::Sources;

/// Names of fields, by the name of the record and how many fields it has.
#[derive(Clone, Debug, Default)]
pub struct Records {
    fields: FxHashMap<(String, usize), Option<Vec<String>>>,
}

impl Records {
    /// The records that the program's own files define. If two files define different records of one name and size, neither is used.
    #[must_use]
    pub fn of(sources: &Sources) -> Self {
        let mut records = Self::default();
        let own = sources.all().iter().filter(|source| sources.owns(&source.path));
        for source in own {
            records.read(&String::from_utf8_lossy(&source.text));
        }
        records
    }

    fn read(&mut self, text: &str) {
        let code: String = text
            .lines()
            .map(without_comment)
            .flat_map(|line| [line, "\n"])
            .collect();
        for definition in code.split("-record(").skip(1) {
            let Some((name, rest)) = definition.split_once(',') else {
                continue;
            };
            let Some(rest) = rest.trim_start().strip_prefix('{') else {
                continue;
            };
            // Up to the closing brace: what follows is outside its brackets.
            let Some(end) = closing(rest) else { continue };
            let known: Option<Vec<String>> = parts(&rest[..end])
                .into_iter()
                .map(|field| {
                    let field = field.trim();
                    let end = field
                        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'))
                        .unwrap_or(field.len());
                    (end > 0).then(|| field[..end].to_owned())
                })
                .collect();
            let Some(known) = known else { continue };
            let key = (name.trim().to_owned(), known.len());
            match self.fields.get_mut(&key) {
                Some(other) if other.as_ref() != Some(&known) => *other = None,
                Some(_) => {}
                None => {
                    self.fields.insert(key, Some(known));
                }
            }
        }
    }

    /// The name of the field at a place (from 1) of a tuple with this tag.
    #[must_use]
    pub fn field(&self, tag: &str, size: usize, place: usize) -> Option<&str> {
        let fields = self.fields.get(&(tag.to_owned(), size.checked_sub(1)?))?.as_ref()?;
        Some(fields.get(place.checked_sub(2)?)?.as_str())
    }
}

/// The place of the brace that closes the text's surrounding one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in bare(text) {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' if depth == 0 => return Some(at),
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    bare(line).find(|(_, c)| *c == '%').map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_defaults_types_and_comments() {
        let mut records = Records::default();
        records.read(
            "-record(st, {free = [] :: [pid()], % the free ones, {really}\n busy = #{} :: #{pid() => {reference(), pid()}},\n queue = queue:new()}).\n\
             -record(price, {unit = \"$\", sep = $,, open = ${}).\n-record(empty, {}).\n-record(one, {'odd name'}).\nf(#st{free = F}) -> F.",
        );
        assert_eq!(records.field("st", 4, 3), Some("busy"));
        assert_eq!((records.field("st", 4, 1), records.field("st", 4, 5)), (None, None));
        assert_eq!(
            (records.field("price", 4, 2), records.field("price", 4, 4)),
            (Some("unit"), Some("open"))
        );
        assert_eq!((records.field("st", 3, 2), records.field("empty", 1, 2)), (None, None));
        records.read("-record(st, {a, b, c}).");
        assert_eq!(records.field("st", 4, 3), None, "two of one name and size");
    }
}
