//! What is said of accesses: the one room where a fact about them becomes a sentence.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::reads::{Found, ReadFact};
use session::shared::NamedResource;

impl fmt::Display for ReadFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            found,
            resource,
            by,
            by_end,
            writers,
            later,
            renamed,
            value,
        } = self;
        let what = resource.noun();
        let by = by.as_deref().unwrap_or("another process");
        match found {
            Found::Data if *by_end => write!(f, "read {what}, last changed by the end of {by}"),
            Found::Data => {
                write!(f, "read {what}, last written by {by}")?;
                if *writers > 1 {
                    write!(f, ", one of {writers} writers")?;
                }
                match value {
                    Some(value) => write!(f, ": {value}"),
                    None => Ok(()),
                }
            }
            Found::Code => write!(f, "met the module {what}, last changed by {by}"),
            Found::Taken => write!(f, "found the name {what} taken: {by} had registered it"),
            Found::Freed if *by_end => write!(f, "looked for the name {what}, but its holder {by} had ended"),
            Found::Freed => write!(f, "looked for the name {what}, which {by} had unregistered"),
            Found::Never => {
                let made = match resource {
                    NamedResource::TableName(_) => {
                        write!(f, "looked for {what}, which did not exist")?;
                        "created"
                    }
                    _ => {
                        write!(f, "looked for the name {what}, which was not registered")?;
                        "registered"
                    }
                };
                match later {
                    Some((pid, target)) => write!(f, " yet; {pid} {made} it later [{target}]"),
                    None => Ok(()),
                }
            }
            Found::Ended => write!(f, "found that {by} had ended"),
            Found::Gone if *by_end => write!(f, "found {what} deleted: its owner {by} had ended"),
            Found::Gone => match renamed {
                Some(name) => write!(f, "looked for {what}, which {by} had renamed to {name}"),
                None => write!(f, "found {what} deleted by {by}"),
            },
        }
    }
}

impl Serialize for ReadFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use log_format::{ObjectId, Pid};
    use session::shared::{SharedKey, SharedName, TableName};

    fn fact(found: Found, resource: NamedResource) -> ReadFact {
        ReadFact {
            found,
            resource,
            by: Some("0.2.0 add/1".to_owned()),
            by_end: false,
            writers: 1,
            later: None,
            renamed: None,
            value: None,
        }
    }

    #[test]
    fn what_was_read_is_said() {
        let name = |name: &str| NamedResource::Name(SharedName::new(name));
        let key = NamedResource::TableKey {
            table: TableName {
                id: ObjectId { creator: Pid(1), k: 1 },
                name: Some(SharedName::new("a, key b")),
            },
            key: SharedKey::Hash(255),
        };
        let read = fact(Found::Data, key);
        assert_eq!(
            read.to_string(),
            "read key ff of the table 'a, key b', last written by 0.2.0 add/1"
        );
        let valued = ReadFact {
            value: Some("40".to_owned()),
            ..read.clone()
        };
        assert!(valued.to_string().ends_with(", last written by 0.2.0 add/1: 40"));
        let shared = ReadFact { writers: 3, ..read };
        assert!(
            shared
                .to_string()
                .ends_with("last written by 0.2.0 add/1, one of 3 writers")
        );
        let freed = fact(Found::Freed, name("server"));
        assert_eq!(
            freed.to_string(),
            "looked for the name server, which 0.2.0 add/1 had unregistered"
        );
        let ended = ReadFact { by_end: true, ..freed };
        assert_eq!(
            ended.to_string(),
            "looked for the name server, but its holder 0.2.0 add/1 had ended"
        );
        let gone = fact(Found::Gone, NamedResource::TableName(SharedName::new("a")));
        assert_eq!(gone.to_string(), "found the table a deleted by 0.2.0 add/1");
        let renamed = ReadFact {
            renamed: Some(SharedName::new("b")),
            ..gone
        };
        assert_eq!(
            renamed.to_string(),
            "looked for the table a, which 0.2.0 add/1 had renamed to b"
        );
        let never = ReadFact {
            by: None,
            later: Some((Pid(3), "event:0.3.0/2".to_owned())),
            ..fact(Found::Never, NamedResource::TableName(SharedName::new("all")))
        };
        assert_eq!(
            never.to_string(),
            "looked for the table all, which did not exist yet; 0.3.0 created it later [event:0.3.0/2]"
        );
    }
}
