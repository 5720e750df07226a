//! What writer and reader of one log know of the tables whose keys its process has used, and of these keys (FORMAT.md, "Keys of tables"). A key
//! is named by its hash once, and by its place in a list from then on; what the process saw of it last says most of what it sees next.

use rustc_hash::FxHashMap;

use crate::ids::{ActionId, ObjectId, Version};

/// Who wrote a version.
type Writer = Option<ActionId>;

/// A table whose keys were used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub id: ObjectId,
    /// The highest version of its keys that was seen.
    pub top: u64,
    /// What the last read of the table itself saw, of those that stand in front of an access to a key.
    pub read: Option<(Version, Writer)>,
}

/// A key that was used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its hash.
    pub hash: u64,
    /// The place of its table. invariant: there is one.
    pub table: u32,
    /// The version that was seen or made last.
    pub version: u64,
    /// Who wrote it, as far as this process knows.
    pub writer: Writer,
}

/// The tables and keys that are known. Nothing at every restart point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    pub tables: Vec<Table>,
    pub keys: Vec<Key>,
    /// The place of the table used last.
    pub table: usize,
    /// The action of the last writer that was named in full.
    pub named: u64,
}

impl Keys {
    /// Forgets everything, keeping the memory.
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

    /// A key of the table used last, before its first use.
    pub const fn unseen(&self, hash: u64) -> Key {
        Key {
            hash,
            table: self.table as u32,
            version: 0,
            writer: None,
        }
    }

    /// The version that is expected of a step that writes, or reads, a key.
    #[inline]
    pub fn expected(&self, key: &Key, write: bool) -> u64 {
        match write {
            true => self.tables[key.table as usize].top.wrapping_add(1),
            false => key.version,
        }
    }

    /// A key was used: at this place, or at none yet.
    #[inline]
    pub fn used(&mut self, place: Option<usize>, key: Key) {
        self.table = key.table as usize;
        let table = &mut self.tables[self.table];
        table.top = table.top.max(key.version);
        match place {
            Some(place) => self.keys[place] = key,
            None => self.keys.push(key),
        }
    }
}

/// The same for a writer, who has to find them.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownKeys {
    pub keys: Keys,
    tables: FxHashMap<ObjectId, u32>,
    /// By the place of the table and the hash.
    places: FxHashMap<(u32, u64), u32>,
    /// How often a key was used that had been used before.
    pub again: usize,
}

impl KnownKeys {
    /// More keys are no memory to keep for another process.
    const KEPT: usize = 256;

    /// Forgets everything, keeping the memory.
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

    /// A key was used: at this place, or at none yet.
    #[inline]
    pub fn used(&mut self, place: Option<usize>, key: Key) {
        if place.is_none() {
            self.places.insert((key.table, key.hash), self.keys.keys.len() as u32);
        } else {
            self.again += 1;
        }
        self.keys.used(place, key);
    }
}
