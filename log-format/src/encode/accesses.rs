//! Accesses and resources (FORMAT.md, "Accesses", "Keys of tables").
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::ProcLog;
use crate::action::{Access, Resource};
use crate::ids::{ActionId, ObjectId};
use crate::model::{
    ACCESS_BY, ACCESS_FULL, ACCESS_KEY, ACCESS_SAME_RESOURCE, ACCESS_WRITE, KEY_BY, KEY_BY_KNOWN, KEY_NEW, KEY_READ,
    KEY_TABLE, KEY_TABLE_NEW, KEY_TABLE_READ, KEY_TABLE_READ_BY, KEY_VERSION, RECENT,
};
use crate::varint::{put, put_difference};

impl ProcLog {
    pub(super) fn accesses(&mut self, accesses: &[Access]) {
        let mut at = 0;
        while let Some(access) = accesses.get(at) {
            if let Some((next, table, key)) = read_and_key(&accesses[at..]) {
                self.key(Some(access), next, table, key);
                at += 2;
            } else {
                self.access(access);
                at += 1;
            }
        }
    }

    /// An access to the key of a table, with the read of the table itself that comes before it (FORMAT.md, "Keys of tables").
    fn key(&mut self, read: Option<&Access>, access: &Access, id: ObjectId, hash: u64) {
        let Self { buffer, keys, pid, .. } = self;
        let me = pid.0;
        let known = &mut **keys.get_or_insert_default();
        let table = known.table(id);
        let place = table.and_then(|table| known.place(table, hash));
        let other_read = match (read, table) {
            (None, _) => false,
            (Some(read), Some(table)) => known.keys.tables[table].read != Some((read.version, read.by)),
            (Some(_), None) => true,
        };
        match table {
            None => {
                buffer.push(KEY_TABLE_NEW);
                put_difference(buffer, me, id.creator.0);
                put(buffer, id.k);
                known.new_table(id);
            }
            // A known key implies its table.
            Some(table) if table != known.keys.table && (other_read || place.is_none()) => {
                buffer.push(KEY_TABLE);
                put(buffer, table as u64);
                known.keys.table = table;
            }
            Some(_) => {}
        }
        if other_read && let Some(read) = read {
            buffer.push(if read.by.is_some() {
                KEY_TABLE_READ_BY
            } else {
                KEY_TABLE_READ
            });
            put(buffer, read.version.0);
            if let Some(ActionId { pid, number: action }) = read.by {
                put_difference(buffer, me, pid.0);
                put(buffer, action.0);
            }
            let table = known.keys.table;
            known.keys.tables[table].read = Some((read.version, read.by));
        }
        let mut key = match place {
            Some(place) => known.keys.keys[place],
            None => known.keys.unseen(hash),
        };
        let expected = known.keys.expected(&key, access.write);
        let named = access.by.filter(|_| access.by != key.writer);
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        buffer.push(
            ACCESS_KEY
                | flag(place.is_none(), KEY_NEW)
                | flag(read.is_some(), KEY_READ)
                | flag(access.write, ACCESS_WRITE)
                | flag(access.version.0 != expected, KEY_VERSION)
                | match (access.by, named) {
                    (None, _) => 0,
                    (_, None) => KEY_BY_KNOWN,
                    _ => KEY_BY,
                },
        );
        match place {
            Some(place) => put(buffer, place as u64),
            None => buffer.extend_from_slice(&hash.to_le_bytes()),
        }
        if let Some(ActionId { pid, number: action }) = named {
            put_difference(buffer, me, pid.0);
            put_difference(buffer, known.keys.named, action.0);
            known.keys.named = action.0;
        }
        if access.version.0 != expected {
            put_difference(buffer, known.keys.tables[key.table as usize].top, access.version.0);
        }
        key.version = access.version.0;
        key.writer = match access.write {
            true => Some(ActionId::new(*pid, self.counts.actions)),
            false => access.by,
        };
        known.used(place, key);
    }

    pub(super) fn access(&mut self, access: &Access) {
        if let Resource::TableKey { table, key } = access.resource {
            return self.key(None, access, table, key);
        }
        let recent = &self.model.recent;
        let print = fingerprint(&access.resource);
        let (mut equal, mut known) = (None, None);
        let prints = self.prints[..recent.len()].iter().enumerate();
        for (place, _) in prints.filter(|(_, known)| **known == print) {
            match recent.get(place) {
                Some(before) if before == access => {
                    equal = Some(place);
                    break;
                }
                Some(before) if before.resource == access.resource => known = known.or(Some(place)),
                _ => {}
            }
        }
        if let Some(place) = equal {
            self.buffer.push(place as u8);
            self.remember(access, Some(place), print);
            return;
        }
        let flags = if access.write { ACCESS_WRITE } else { 0 } | if access.by.is_some() { ACCESS_BY } else { 0 };
        if let Some(place) = known {
            let before = recent.get(place).map_or(access.version, |before| before.version);
            self.buffer
                .extend_from_slice(&[ACCESS_SAME_RESOURCE + place as u8, flags]);
            put_difference(&mut self.buffer, before.0, access.version.0);
        } else {
            let start = self.buffer.len();
            self.buffer.push(0);
            let kind = put_resource(&mut self.buffer, self.pid.0, &access.resource);
            self.buffer[start] = ACCESS_FULL + kind + flags;
            put(&mut self.buffer, access.version.0);
        }
        if let Some(ActionId { pid, number: action }) = access.by {
            put_difference(&mut self.buffer, self.pid.0, pid.0);
            put(&mut self.buffer, action.0);
        }
        self.remember(access, known, print);
    }

    /// As [`Recent::remember`](crate::model::Recent::remember).
    fn remember(&mut self, access: &Access, place: Option<usize>, print: u32) {
        self.prints.copy_within(..place.unwrap_or(RECENT - 1), 1);
        self.prints[0] = print;
        self.model.recent.remember(*access, place);
    }
}

/// If accesses begin with a read of a table itself and an access to one of its keys, as in a step that uses a key: the second access, the
/// table, the key.
#[inline]
pub(super) fn read_and_key(accesses: &[Access]) -> Option<(&Access, ObjectId, u64)> {
    match accesses {
        [read, access, ..] if !read.write => match (read.resource, access.resource) {
            (Resource::Table(id), Resource::TableKey { table, key }) if id == table => Some((access, id, key)),
            _ => None,
        },
        _ => None,
    }
}

/// Equal resources have equal fingerprints; different ones mostly have different ones.
fn fingerprint(resource: &Resource) -> u32 {
    let mut hasher = FxHasher::default();
    resource.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// Writes a resource (FORMAT.md, "Accesses") and returns the number of its kind.
pub(crate) fn put_resource(out: &mut Vec<u8>, me: u64, resource: &Resource) -> u8 {
    match resource {
        Resource::Node(node) => {
            put(out, u64::from(node.0));
            0
        }
        Resource::Name(text) => {
            put(out, u64::from(text.0));
            1
        }
        Resource::Alive(pid) => {
            put_difference(out, me, pid.0);
            2
        }
        Resource::Table(table) => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            3
        }
        Resource::TableContents(table) => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            12
        }
        Resource::TableKey { table, key } => {
            put_difference(out, me, table.creator.0);
            put(out, table.k);
            out.extend_from_slice(&key.to_le_bytes());
            4
        }
        Resource::Persistent(key) => {
            out.extend_from_slice(&key.to_le_bytes());
            5
        }
        Resource::Env(key) => {
            out.extend_from_slice(&key.to_le_bytes());
            6
        }
        Resource::Counter { array, index } => {
            put_difference(out, me, array.creator.0);
            put(out, array.k);
            put(out, *index);
            7
        }
        Resource::Module(text) => {
            put(out, u64::from(text.0));
            8
        }
        Resource::Atom(text) => {
            put(out, u64::from(text.0));
            9
        }
        Resource::GroupLeader(pid) => {
            put_difference(out, me, pid.0);
            10
        }
        Resource::Other(text) => {
            put(out, u64::from(text.0));
            11
        }
    }
}
