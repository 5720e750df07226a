//! Accesses and resources (FORMAT.md, "Accesses", "Keys of tables").
use super::Decoder;
use super::full::{get_node, get_text};
use crate::action::{Access, Resource};
use crate::ids::{ActionId, ObjectId, Pid, Version};
use crate::model::{
    ACCESS_BY, ACCESS_FULL, ACCESS_KEY, ACCESS_SAME_RESOURCE, ACCESS_WRITE, KEY_BY, KEY_BY_KNOWN, KEY_NEW, KEY_READ,
    KEY_TABLE, KEY_TABLE_NEW, KEY_TABLE_READ, KEY_TABLE_READ_BY, KEY_VERSION,
};
use crate::varint::{Malformed, byte, get, get_difference};

impl Decoder {
    pub(super) fn access(&mut self, bytes: &[u8], into: &mut Vec<Access>) -> Result<(), Malformed> {
        let at = &mut self.at;
        let me = self.model.me;
        let start = *at;
        let code = byte(bytes, at, "an access")?;
        let unknown = Malformed {
            at: start,
            expected: "the place of a known access",
            found: u64::from(code),
        };
        if code >= ACCESS_KEY || matches!(code, KEY_TABLE_NEW..=KEY_TABLE_READ_BY) {
            return self.key(bytes, code, into);
        }
        if code < ACCESS_SAME_RESOURCE {
            let place = usize::from(code);
            let access = *self.model.recent.get(place).ok_or(unknown)?;
            into.push(access);
            self.model.recent.remember(access, Some(place));
            return Ok(());
        }
        let (resource, version, flags, place);
        if code < ACCESS_FULL {
            place = Some(usize::from(code - ACCESS_SAME_RESOURCE));
            let before = place.and_then(|place| self.model.recent.get(place)).ok_or(unknown)?;
            flags = byte(bytes, at, "the flags of an access")?;
            resource = before.resource;
            version = get_difference(bytes, at, before.version.0, "a version")?;
        } else {
            place = None;
            flags = (code - ACCESS_FULL) & (ACCESS_WRITE | ACCESS_BY);
            let kind = (code - ACCESS_FULL) & 0x0f;
            resource = get_resource(bytes, at, me, kind)?;
            version = get(bytes, at, "a version")?;
        }
        if flags & !(ACCESS_WRITE | ACCESS_BY) != 0 {
            return Err(Malformed {
                at: start,
                expected: "the flags of an access",
                found: u64::from(flags),
            });
        }
        let by = if flags & ACCESS_BY != 0 {
            let pid = Pid(get_difference(bytes, at, me, "a pid")?);
            Some(ActionId::new(pid, get(bytes, at, "the number of an action")?))
        } else {
            None
        };
        let access = Access {
            resource,
            version: Version(version),
            write: flags & ACCESS_WRITE != 0,
            by,
        };
        into.push(access);
        self.model.recent.remember(access, place);
        Ok(())
    }

    /// An access to the key of a table, from its first byte on, which has been read.
    fn key(&mut self, bytes: &[u8], first: u8, into: &mut Vec<Access>) -> Result<(), Malformed> {
        let Self { keys, at, model, .. } = self;
        let me = model.me;
        let mut code = first;
        let mut start = *at - 1;
        let wrong = |at: usize, expected, found: u64| Malformed { at, expected, found };
        match code {
            KEY_TABLE_NEW => keys.new_table(get_object(bytes, at, me)?),
            KEY_TABLE => {
                let place = get(bytes, at, "the place of a table")?;
                if place >= keys.tables.len() as u64 {
                    return Err(wrong(start, "the place of a known table", place));
                }
                keys.table = place as usize;
            }
            _ => {}
        }
        if code <= KEY_TABLE {
            start = *at;
            code = byte(bytes, at, "an access to a key")?;
        }
        if code == KEY_TABLE_READ || code == KEY_TABLE_READ_BY {
            let version = Version(get(bytes, at, "a version")?);
            let by = match code {
                KEY_TABLE_READ => None,
                _ => {
                    let pid = Pid(get_difference(bytes, at, me, "a pid")?);
                    Some(ActionId::new(pid, get(bytes, at, "the number of an action")?))
                }
            };
            let Some(table) = keys.tables.get_mut(keys.table) else {
                return Err(wrong(start, "the read of a known table", u64::from(code)));
            };
            table.read = Some((version, by));
            start = *at;
            code = byte(bytes, at, "an access to a key")?;
        }
        let writer = code & (KEY_BY | KEY_BY_KNOWN);
        let flags = KEY_NEW | KEY_READ | ACCESS_WRITE | KEY_VERSION | KEY_BY | KEY_BY_KNOWN;
        if code & !flags != ACCESS_KEY || writer == KEY_BY | KEY_BY_KNOWN {
            return Err(wrong(start, "an access to a key", u64::from(code)));
        }
        let place;
        let mut key;
        if code & KEY_NEW != 0 {
            if keys.tables.is_empty() {
                return Err(wrong(start, "the key of a known table", u64::from(code)));
            }
            place = None;
            key = keys.unseen(get_hash(bytes, at)?);
        } else {
            let found = get(bytes, at, "the place of a key")?;
            let known = usize::try_from(found)
                .ok()
                .and_then(|place| Some((place, *keys.keys.get(place)?)));
            let Some((at, known)) = known else {
                return Err(wrong(start, "the place of a known key", found));
            };
            (place, key) = (Some(at), known);
        }
        let by = match writer {
            0 => None,
            KEY_BY_KNOWN => key.writer,
            _ => {
                let pid = Pid(get_difference(bytes, at, me, "a pid")?);
                keys.named = get_difference(bytes, at, keys.named, "the number of an action")?;
                Some(ActionId::new(pid, keys.named))
            }
        };
        let write = code & ACCESS_WRITE != 0;
        let table = keys.tables[key.table as usize];
        let version = match code & KEY_VERSION {
            0 => keys.expected(&key, write),
            _ => get_difference(bytes, at, table.top, "a version")?,
        };
        if code & KEY_READ != 0 {
            let Some((version, by)) = table.read else {
                return Err(wrong(start, "a table that was read", u64::from(code)));
            };
            into.push(Access::read(Resource::Table(table.id), version, by));
        }
        into.push(Access {
            resource: Resource::TableKey {
                table: table.id,
                key: key.hash,
            },
            version: Version(version),
            write,
            by,
        });
        key.version = version;
        key.writer = match write {
            true => Some(ActionId::new(Pid(me), self.number)),
            false => by,
        };
        keys.used(place, key);
        Ok(())
    }
}

fn get_hash(bytes: &[u8], at: &mut usize) -> Result<u64, Malformed> {
    let found = bytes.len() as u64;
    match bytes.get(*at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(hash) => {
            *at += 8;
            Ok(u64::from_le_bytes(*hash))
        }
        None => Err(Malformed {
            at: *at,
            expected: "the 8 bytes of a hash",
            found,
        }),
    }
}

pub(super) fn get_object(bytes: &[u8], at: &mut usize, me: u64) -> Result<ObjectId, Malformed> {
    let creator = Pid(get_difference(bytes, at, me, "a pid")?);
    Ok(ObjectId {
        creator,
        k: get(bytes, at, "the number of a reference")?,
    })
}

pub(crate) fn get_resource(bytes: &[u8], at: &mut usize, me: u64, kind: u8) -> Result<Resource, Malformed> {
    Ok(match kind {
        0 => Resource::Node(get_node(bytes, at)?),
        1 => Resource::Name(get_text(bytes, at)?),
        2 => Resource::Alive(Pid(get_difference(bytes, at, me, "a pid")?)),
        3 => Resource::Table(get_object(bytes, at, me)?),
        4 => Resource::TableKey {
            table: get_object(bytes, at, me)?,
            key: get_hash(bytes, at)?,
        },
        5 => Resource::Persistent(get_hash(bytes, at)?),
        6 => Resource::Env(get_hash(bytes, at)?),
        7 => Resource::Counter {
            array: get_object(bytes, at, me)?,
            index: get(bytes, at, "the place of a counter")?,
        },
        8 => Resource::Module(get_text(bytes, at)?),
        9 => Resource::Atom(get_text(bytes, at)?),
        10 => Resource::GroupLeader(Pid(get_difference(bytes, at, me, "a pid")?)),
        11 => Resource::Other(get_text(bytes, at)?),
        12 => Resource::TableContents(get_object(bytes, at, me)?),
        _ => {
            return Err(Malformed {
                at: *at,
                expected: "the kind of a resource",
                found: u64::from(kind),
            });
        }
    })
}
