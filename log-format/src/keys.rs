//! The tables and keys that writer and reader of a log know (FORMAT.md, "Keys of tables"). The hash of a key is written once; from then on the
//! key is identified by its place in a list. What the process last saw of a key predicts most of what it sees next.

use rustc_hash::FxHashMap;

use crate::ids::{ActionId, ObjectId, Version};

/// The writer of a version.
type VersionWriter = Option<ActionId>;

/// A table whose keys were used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub id: ObjectId,
    /// The highest version of its keys that occurred.
    pub top: u64,
    /// What the last read of the table itself saw, of those before an access to a key.
    pub read: Option<(Version, VersionWriter)>,
}

/// A key that was used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsedKey {
    /// Its hash.
    pub hash: u64,
    /// The place of its table. invariant: there is one.
    pub table: u32,
    /// The last version that was read or written.
    pub version: u64,
    /// The writer of that version, as far as this process knows.
    pub writer: VersionWriter,
}

/// The known tables and keys. Empty at every restart point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    pub tables: Vec<Table>,
    pub keys: Vec<UsedKey>,
    /// The place of the last used table.
    pub table: usize,
    /// The action of the last writer that was written in full.
    pub named: u64,
}

impl Keys {
    /// Resets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.tables.clear();
        self.keys.clear();
        self.table = 0;
        self.named = 0;
    }

    /// A table is used for the first time.
    pub fn new_table(&mut self, id: ObjectId) {
        self.table = self.tables.len();
        self.tables.push(Table { id, top: 0, read: None });
    }

    /// A key of the last used table, before its first use.
    pub const fn unseen(&self, hash: u64) -> UsedKey {
        UsedKey {
            hash,
            table: self.table as u32,
            version: 0,
            writer: None,
        }
    }

    /// The expected version, for a step that writes or reads a key.
    #[inline]
    pub fn expected(&self, key: &UsedKey, write: bool) -> u64 {
        match write {
            true => self.tables[key.table as usize].top.wrapping_add(1),
            false => key.version,
        }
    }

    /// Notes the use of a key: at this place, or a new one.
    #[inline]
    pub fn used(&mut self, place: Option<usize>, key: UsedKey) {
        self.table = key.table as usize;
        let table = &mut self.tables[self.table];
        table.top = table.top.max(key.version);
        match place {
            Some(place) => self.keys[place] = key,
            None => self.keys.push(key),
        }
    }
}

/// The writer's counterpart, which also looks keys up.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownKeys {
    pub keys: Keys,
    tables: FxHashMap<ObjectId, u32>,
    /// The place of each key, by the place of its table and the hash.
    places: FxHashMap<(u32, u64), u32>,
    /// How many uses were of a key that had been used before.
    pub again: usize,
}

impl KnownKeys {
    /// With more keys than this, the memory is not kept for another process.
    const KEPT: usize = 256;

    /// Resets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.tables.clear();
        self.places.clear();
        self.again = 0;
    }

    /// Is this much memory?
    pub const fn is_large(&self) -> bool {
        self.keys.keys.capacity() > Self::KEPT || self.keys.tables.capacity() > Self::KEPT
    }

    /// The place of a table.
    #[inline]
    pub fn table(&self, id: ObjectId) -> Option<usize> {
        match self.keys.tables.get(self.keys.table) {
            Some(table) if table.id == id => Some(self.keys.table),
            _ => self.tables.get(&id).map(|place| *place as usize),
        }
    }

    /// A table is used for the first time.
    pub fn new_table(&mut self, id: ObjectId) {
        self.tables.insert(id, self.keys.tables.len() as u32);
        self.keys.new_table(id);
    }

    /// The place of a key.
    #[inline]
    pub fn place(&self, table: usize, hash: u64) -> Option<usize> {
        self.places.get(&(table as u32, hash)).map(|place| *place as usize)
    }

    /// Notes the use of a key: at this place, or a new one.
    #[inline]
    pub fn used(&mut self, place: Option<usize>, key: UsedKey) {
        if place.is_none() {
            self.places.insert((key.table, key.hash), self.keys.keys.len() as u32);
        } else {
            self.again += 1;
        }
        self.keys.used(place, key);
    }
}
