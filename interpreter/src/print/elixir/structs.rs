//! Structs: their names and fields, and those that Elixir itself prints in a form of their own.

use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::native::CodeInfo;
use crate::term::Term;

type Pairs = Vec<(Term, Term)>;

/// What a map with the key `__struct__` is a struct of.
fn name_of(pairs: &Pairs) -> Option<Atom> {
    let named = |(key, value): &(Term, Term)| {
        key.as_atom()
            .filter(|key| key.as_str() == "__struct__")
            .and(value.as_atom())
    };
    pairs.iter().find_map(named)
}

/// The name of a struct and its fields in the order of its definition. A map that lacks a field of its definition, or has another one, is
/// printed as a map, as `inspect` does.
pub fn fields(mut pairs: Pairs, code: &dyn CodeInfo) -> (Option<Atom>, Pairs) {
    let Some(name) = name_of(&pairs) else {
        return (None, pairs);
    };
    let is_own = |key: &Term| {
        !key.as_atom()
            .is_some_and(|key| matches!(key.as_str(), "__struct__" | "__exception__"))
    };
    let Some(defined) = code.struct_fields(name) else {
        let are_atoms = pairs.iter().all(|(key, _)| key.as_atom().is_some());
        let is_module = super::module_name(name.as_str()).is_some();
        if are_atoms && is_module {
            pairs.retain(|(key, _)| is_own(key));
            return (Some(name), pairs);
        }
        return (None, pairs);
    };
    // What a version does not say is left out.
    let is_said = |field: &&Atom| {
        let value = pairs
            .iter()
            .find(|(key, _)| key.as_atom() == Some(**field))
            .map(|(_, value)| *value);
        let is_default = match field.as_str() {
            "pre" => value.is_some_and(Term::is_nil),
            "build" => value.and_then(Term::as_atom).is_some_and(|name| name.as_str() == "nil"),
            _ => false,
        };
        name.as_str() != "Elixir.Version" || !is_default
    };
    let value = |field: &Atom| pairs.iter().find(|(key, _)| key.as_atom() == Some(*field)).copied();
    let ordered: Option<Pairs> = defined.iter().map(value).collect();
    match ordered {
        Some(ordered) if ordered.len() == pairs.iter().filter(|(key, _)| is_own(key)).count() => {
            let said = defined.iter().zip(ordered).filter(|(field, _)| is_said(field));
            let said = said.map(|(_, pair)| pair).collect();
            (Some(name), said)
        }
        _ => (None, pairs),
    }
}

/// The members of a `MapSet`, at most this many and one.
pub fn members(heap: &Heap, pairs: &Pairs, limit: usize) -> Option<Vec<Term>> {
    let found = StructFields::of(heap, pairs, "Elixir.MapSet", 3)?;
    found.get("version")?.as_small()?;
    let map = found.get("map")?;
    matches!(heap.view(map), TermView::Map).then(|| {
        let inside = crate::print::map_pairs(heap, map, limit.saturating_add(1), crate::print::MapOrder::Usual);
        inside.into_iter().map(|(key, _)| key).collect()
    })
}

/// A range, a date, a time or a regular expression, if it is whole.
pub fn known(heap: &Heap, pairs: &Pairs) -> Option<String> {
    let text = match name_of(pairs)?.as_str() {
        "Elixir.Range" => range(&StructFields::of(heap, pairs, "Elixir.Range", 4)?)?,
        "Elixir.Date" => format!("~D[{}]", StructFields::of(heap, pairs, "Elixir.Date", 5)?.date()?),
        "Elixir.Time" => format!("~T[{}]", StructFields::of(heap, pairs, "Elixir.Time", 6)?.time()?),
        "Elixir.NaiveDateTime" => {
            let found = StructFields::of(heap, pairs, "Elixir.NaiveDateTime", 9)?;
            format!("~N[{} {}]", found.date()?, found.time()?)
        }
        "Elixir.DateTime" => {
            let found = StructFields::of(heap, pairs, "Elixir.DateTime", 13)?;
            let is_utc = found.number("utc_offset")? == 0
                && found.number("std_offset")? == 0
                && found.text("time_zone")? == "Etc/UTC";
            is_utc.then_some(())?;
            format!("~U[{} {}Z]", found.date()?, found.time()?)
        }
        "Elixir.Regex" => {
            let found = StructFields::of(heap, pairs, "Elixir.Regex", 5)?;
            regex(&found.text("source")?, &found.text("opts")?)?
        }
        _ => return None,
    };
    Some(text)
}

fn range(found: &StructFields<'_>) -> Option<String> {
    let [first, last, step] = ["first", "last", "step"].map(|name| found.number(name));
    let (first, last, step) = (first?, last?, step?);
    Some(match step {
        1 if first <= last => format!("{first}..{last}"),
        _ => format!("{first}..{last}//{step}"),
    })
}

/// `~r/…/`; none for a source with characters that need more than that.
fn regex(source: &str, options: &str) -> Option<String> {
    if source.chars().any(char::is_control) || !options.bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let mut text = String::from("~r/");
    let mut rest = source.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('/') => text.push_str("\\/"),
                Some(next) => text.extend(['\\', next]),
                None => return None,
            },
            '/' => text.push_str("\\/"),
            c => text.push(c),
        }
    }
    Some(text + "/" + options)
}

/// The fields of a struct with this name and number of keys.
struct StructFields<'a> {
    heap: &'a Heap,
    pairs: &'a Pairs,
}

impl<'a> StructFields<'a> {
    fn of(heap: &'a Heap, pairs: &'a Pairs, name: &str, keys: usize) -> Option<Self> {
        let is = pairs.len() == keys && name_of(pairs)?.as_str() == name;
        is.then_some(Self { heap, pairs })
    }

    fn get(&self, name: &str) -> Option<Term> {
        let named = |(key, _): &&(Term, Term)| key.as_atom().is_some_and(|key| key.as_str() == name);
        self.pairs.iter().find(named).map(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.as_small()
    }

    /// A number with at least this many digits.
    fn digits(&self, name: &str, width: usize) -> Option<String> {
        let n = self.number(name)?;
        let sign = if n < 0 { "-" } else { "" };
        Some(format!("{sign}{:0width$}", n.unsigned_abs()))
    }

    fn text(&self, name: &str) -> Option<String> {
        let bytes = self.heap.bytes(self.get(name)?)?;
        String::from_utf8(bytes.into_owned()).ok()
    }

    fn date(&self) -> Option<String> {
        (self.get("calendar")?.as_atom()?.as_str() == "Elixir.Calendar.ISO").then_some(())?;
        let (year, month, day) = (
            self.digits("year", 4)?,
            self.digits("month", 2)?,
            self.digits("day", 2)?,
        );
        Some(format!("{year}-{month}-{day}"))
    }

    fn time(&self) -> Option<String> {
        (self.get("calendar")?.as_atom()?.as_str() == "Elixir.Calendar.ISO").then_some(())?;
        let (hour, minute, second) = (
            self.digits("hour", 2)?,
            self.digits("minute", 2)?,
            self.digits("second", 2)?,
        );
        let &[micro, precision] = self.heap.tuple(self.get("microsecond")?)? else {
            return None;
        };
        let (micro, precision) = (micro.as_small()?, precision.as_small()?);
        let known = (0..1_000_000).contains(&micro) && (0..=6).contains(&precision);
        let digits = known.then(|| format!("{micro:06}"))?;
        let fraction = match usize::try_from(precision).ok()? {
            0 => String::new(),
            n => format!(".{}", &digits[..n]),
        };
        Some(format!("{hour}:{minute}:{second}{fraction}"))
    }
}
