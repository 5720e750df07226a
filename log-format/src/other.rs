//! What the names of [`Resource::Other`](crate::Resource::Other) stand for (FORMAT.md, "Names and hashes of resources").

use std::fmt;

/// What comes before the name of a table.
const TABLE: &str = "ets:";
/// The list of all tables, where a name stands otherwise.
const ALL: &str = "all";
/// Before a table that is fixed, where a name stands otherwise.
const FIXED: &str = "fixed:";
/// Before a name that would be read as one of these.
const MARK: char = '\'';

/// A resource that has only a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum OtherResource<'t> {
    /// The name of a table, with `@NODE`: which table has it.
    TableName(&'t str),
    /// The list of all tables.
    Tables,
    /// Whether a table is fixed.
    TableFixed(&'t str),
    /// Anything else.
    Named(&'t str),
}

impl<'t> OtherResource<'t> {
    /// What this text stands for.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        let Some(name) = text.strip_prefix(TABLE) else {
            return Self::Named(text);
        };
        match (name, name.strip_prefix(FIXED)) {
            (ALL, _) => Self::Tables,
            (_, Some(table)) => Self::TableFixed(table),
            (name, None) => Self::TableName(name.strip_prefix(MARK).unwrap_or(name)),
        }
    }
}

impl fmt::Display for OtherResource<'_> {
    /// The text that stands for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TableName(name) if name == ALL || name.starts_with(FIXED) || name.starts_with(MARK) => {
                write!(f, "{TABLE}{MARK}{name}")
            }
            Self::TableName(name) => write!(f, "{TABLE}{name}"),
            Self::Tables => write!(f, "{TABLE}{ALL}"),
            Self::TableFixed(table) => write!(f, "{TABLE}{FIXED}{table}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_table_is_taken_for_something_else() {
        for name in [
            "cache",
            "all",
            "fixed:0.1.0/1",
            "'all",
            "'",
            "",
            "ets:all",
            "all@b@host",
        ] {
            let text = OtherResource::TableName(name).to_string();
            assert_eq!(OtherResource::of(&text), OtherResource::TableName(name), "{text}");
        }
        for one in [
            OtherResource::Tables,
            OtherResource::TableFixed("0.1.0/1"),
            OtherResource::Named("nodes"),
        ] {
            assert_eq!(OtherResource::of(&one.to_string()), one);
        }
        assert_eq!(OtherResource::TableName("cache").to_string(), "ets:cache");
    }
}
