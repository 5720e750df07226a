//! Reading the actions of one process back. The mirror image of `encode`; never panics, whatever the bytes.

use crate::action::{Access, Action, Device, ExitClass, Kind, Resource};
use crate::ids::{ActionId, Node, ObjectId, Pid, SendNo, Tag, TextId, Version};
use crate::keys::Keys;
use crate::model::{
    ACCESS_BY, ACCESS_FULL, ACCESS_KEY, ACCESS_SAME_RESOURCE, ACCESS_WRITE, Birth, FULL_ACCESSES, FULL_SENDS, GAPS,
    KEY_BY, KEY_BY_KNOWN, KEY_NEW, KEY_READ, KEY_TABLE, KEY_TABLE_NEW, KEY_TABLE_READ, KEY_TABLE_READ_BY, KEY_VERSION,
    LARGE_GAPS, MEDIUM_END, Model, OP_ACCESS, OP_AFTER, OP_EXIT, OP_FULL, OP_INPUT, OP_OBSERVE, OP_OUTPUT, OP_REC,
    OP_REC_DOWN, OP_REC_FIRST, OP_REC_GAP, OP_REC_LARGE, OP_REC_LINK, OP_REC_NEW, OP_REC_PLACE, OP_SEND,
    OP_SEND_ACCESS, OP_SPAWN, OP_SPAWN_NEXT, RUN, RUN_LONG, RUN_MAX, SHORT_END,
};
use crate::varint::{Malformed, byte, get, get_bytes, get_difference};

/// What one step of reading found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The chunk ends here.
    End,
    /// So many plain sends (never 0).
    Sends(u64),
    /// The action that was put into the caller's place.
    Action,
}

/// Reads the chunks of one process in order.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    model: Model,
    /// The keys of tables that were used.
    keys: Keys,
    /// The number of the action that is read.
    number: u64,
    /// Offset in the chunk.
    at: usize,
    /// Is the run after the last item still to be read?
    run_open: bool,
}

impl Decoder {
    /// Before a chunk that begins with this knowledge.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            keys: Keys::default(),
            number: 0,
            at: 0,
            run_open: true,
        }
    }

    /// Before a first chunk, of a process that began like this, or before any other chunk that is a restart point.
    pub fn enter(&mut self, birth: Option<&Birth>) {
        self.number = 0;
        self.restart();
        if let Some(birth) = birth {
            self.model.know_parent(birth);
        }
    }

    /// Before the next chunk of the process.
    pub const fn next_chunk(&mut self) {
        self.at = 0;
        self.run_open = true;
        self.model.begin_chunk();
    }

    /// Before the next chunk of the process, which is a restart point.
    pub fn restart(&mut self) {
        self.at = 0;
        self.run_open = true;
        self.model.restart();
        self.keys.clear();
    }

    /// Reads on in the chunk `bytes`, when so many actions have been read. With `values`, the values of inputs, observations and drops are copied into `into`, otherwise
    /// they are left empty.
    #[inline]
    pub fn step(&mut self, bytes: &[u8], read: u64, into: &mut Action, values: bool) -> Result<Found, Malformed> {
        if self.run_open {
            let run = self.run(bytes)?;
            self.run_open = false;
            if run > 0 {
                return Ok(Found::Sends(run));
            }
        }
        let Some(&op) = bytes.get(self.at) else {
            return Ok(Found::End);
        };
        self.at += 1;
        self.run_open = true;
        self.number = read.wrapping_add(1);
        if op < RUN {
            into.sends = 0;
            into.accesses.clear();
            into.kind = Kind::Rec(self.rec(bytes, op)?);
        } else {
            self.item(bytes, op, into, values)?;
        }
        Ok(Found::Action)
    }

    /// The length of the run of sends after the last item.
    #[inline]
    fn run(&mut self, bytes: &[u8]) -> Result<u64, Malformed> {
        let mut run = self.model.expected;
        if let Some(&code @ RUN..=RUN_LONG) = bytes.get(self.at) {
            let start = self.at;
            self.at += 1;
            run = u64::from(code - RUN);
            if code == RUN_LONG {
                run = get(bytes, &mut self.at, "the length of a run of sends")?.saturating_add(15);
            }
            if run > RUN_MAX {
                return Err(Malformed {
                    at: start,
                    expected: "a run of at most 65536 sends",
                    found: run,
                });
            }
        }
        self.model.end_run(run);
        Ok(run)
    }

    /// A `rec` of one, two or three bytes.
    #[inline]
    fn rec(&mut self, bytes: &[u8], op: u8) -> Result<Tag, Malformed> {
        let (place, gap) = if op < SHORT_END {
            (usize::from(op >> 2), u64::from(op & 3) + 1)
        } else {
            let next = u64::from(byte(bytes, &mut self.at, "the second byte of a rec")?);
            if op < MEDIUM_END {
                let code = (u64::from(op - SHORT_END) << 8) + next;
                ((code / GAPS) as usize, code % GAPS + 1)
            } else {
                let low = next << 8 | u64::from(byte(bytes, &mut self.at, "the third byte of a rec")?);
                match op {
                    OP_REC_PLACE => (low as usize, 1),
                    OP_REC_GAP..OP_REC_LARGE => (usize::from(op - OP_REC_GAP), low + 1),
                    _ => {
                        let code = (u64::from(op - OP_REC_LARGE) << 16) + low;
                        ((code / LARGE_GAPS) as usize, code % LARGE_GAPS + 1)
                    }
                }
            }
        };
        let sender = self.sender(place)?;
        Ok(self.heard(place, sender.wrapping_add(gap)))
    }

    /// The last k received from the sender at a place.
    #[inline]
    fn sender(&self, place: usize) -> Result<u64, Malformed> {
        match self.model.senders.get(place) {
            Some(sender) => Ok(sender.last_k),
            None => Err(Malformed {
                at: self.at - 1,
                expected: "the place of a known sender",
                found: place as u64,
            }),
        }
    }

    #[inline]
    fn heard(&mut self, place: usize, k: u64) -> Tag {
        let to = self.model.heard(place, k);
        Tag::Sent {
            by: Pid(self.model.senders[to].pid),
            k: SendNo(k),
        }
    }

    /// Any other item than a `rec` of one, two or three bytes.
    fn item(&mut self, bytes: &[u8], op: u8, into: &mut Action, values: bool) -> Result<(), Malformed> {
        into.sends = 0;
        into.accesses.clear();
        match op {
            OP_REC => {
                let place = get(bytes, &mut self.at, "the place of a sender")?;
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                let last = self.sender(place)?;
                let k = get_difference(bytes, &mut self.at, last, "a gap")?;
                into.kind = Kind::Rec(self.heard(place, k));
                return Ok(());
            }
            OP_REC_FIRST | OP_REC_NEW => {
                let pid = get_difference(bytes, &mut self.at, self.model.last_new, "a pid")?;
                let k = if op == OP_REC_FIRST {
                    1
                } else {
                    get(bytes, &mut self.at, "the number of a message")?
                };
                self.model.heard_new(pid, k);
                into.kind = Kind::Rec(Tag::Sent {
                    by: Pid(pid),
                    k: SendNo(k),
                });
                return Ok(());
            }
            _ => {}
        }
        self.model.other_item();
        let me = self.model.me;
        into.kind = match op {
            OP_AFTER => Kind::After,
            OP_SPAWN_NEXT => self.spawn(self.model.last_child.wrapping_add(1)),
            OP_SPAWN => {
                let child = get_difference(bytes, &mut self.at, self.model.last_child, "a pid")?;
                self.spawn(child)
            }
            OP_EXIT => Kind::Exit {
                class: ExitClass::Normal,
            },
            OP_SEND_ACCESS | OP_ACCESS => {
                self.access(bytes, &mut into.accesses)?;
                into.sends = u32::from(op == OP_SEND_ACCESS);
                if op == OP_SEND_ACCESS { Kind::Send } else { Kind::Access }
            }
            OP_INPUT => Kind::Input {
                value: self.value(bytes, values)?,
            },
            OP_OUTPUT => Kind::Output {
                device: Device::Stdout,
                bytes: get(bytes, &mut self.at, "a number of bytes")?,
            },
            OP_OBSERVE => Kind::Observe {
                of: None,
                value: self.value(bytes, values)?,
            },
            OP_REC_DOWN => {
                let by = Pid(get_difference(bytes, &mut self.at, me, "a pid")?);
                let k = get(bytes, &mut self.at, "the number of a reference")?;
                Kind::Rec(Tag::EndRef { by, owner: Pid(me), k })
            }
            OP_REC_LINK => {
                let by = Pid(get_difference(bytes, &mut self.at, me, "a pid")?);
                Kind::Rec(Tag::EndTo { by, to: Pid(me) })
            }
            OP_SEND => {
                into.sends = 1;
                Kind::Send
            }
            OP_FULL => return self.full(bytes, into, values),
            _ => {
                let at = self.at - 1;
                return Err(Malformed {
                    at,
                    expected: "the code of an action",
                    found: u64::from(op),
                });
            }
        };
        Ok(())
    }

    const fn spawn(&mut self, child: u64) -> Kind {
        self.model.last_child = child;
        Kind::Spawn {
            child: Pid(child),
            node: None,
        }
    }

    fn value(&mut self, bytes: &[u8], values: bool) -> Result<Vec<u8>, Malformed> {
        let value = get_bytes(bytes, &mut self.at, "the length of a value")?;
        Ok(if values { value.to_vec() } else { Vec::new() })
    }

    /// An action in full.
    fn full(&mut self, bytes: &[u8], into: &mut Action, values: bool) -> Result<(), Malformed> {
        let at = &mut self.at;
        let me = self.model.me;
        let start = *at;
        let code = byte(bytes, at, "the kind of an action")?;
        let kind = code & !(FULL_SENDS | FULL_ACCESSES);
        into.sends = u32::from(kind == 3);
        if code & FULL_SENDS != 0 {
            let sends = get(bytes, at, "a number of sends")?;
            into.sends = u32::try_from(sends).map_err(|_| Malformed {
                at: start,
                expected: "a number of sends below 2^32",
                found: sends,
            })?;
        }
        if code & FULL_ACCESSES != 0 {
            let count = get(bytes, at, "a number of accesses")?;
            if count > (bytes.len() - *at) as u64 {
                return Err(Malformed {
                    at: start,
                    expected: "no more accesses than bytes",
                    found: count,
                });
            }
            for _ in 0..count {
                self.access(bytes, &mut into.accesses)?;
            }
        }
        let at = &mut self.at;
        let pid = |at: &mut usize| get_difference(bytes, at, me, "a pid").map(Pid);
        into.kind = match kind {
            0 => Kind::Spawn {
                child: pid(at)?,
                node: None,
            },
            1 => Kind::Spawn {
                child: pid(at)?,
                node: Some(get_node(bytes, at)?),
            },
            2 => Kind::SpawnFailed {
                child: pid(at)?,
                node: get_node(bytes, at)?,
            },
            3 => Kind::Send,
            4 => Kind::Rec(get_tag(bytes, at, me)?),
            5 => Kind::After,
            6 => Kind::Signal {
                tag: get_tag(bytes, at, me)?,
                events: get(bytes, at, "a number of counted events")?,
                waiting: match byte(bytes, at, "0 or 1")? {
                    0 => false,
                    1 => true,
                    b => {
                        return Err(Malformed {
                            at: *at - 1,
                            expected: "0 or 1",
                            found: u64::from(b),
                        });
                    }
                },
            },
            7 => Kind::Drop {
                tag: None,
                value: self.value(bytes, values)?,
            },
            8 => Kind::Drop {
                tag: Some(get_tag(bytes, at, me)?),
                value: self.value(bytes, values)?,
            },
            9 => Kind::Access,
            10 | 11 => Kind::Start {
                node: get_node(bytes, at)?,
                ok: kind == 11,
            },
            12 => Kind::Nodes,
            13 => Kind::Observe {
                of: None,
                value: self.value(bytes, values)?,
            },
            14 => Kind::Observe {
                of: Some(ActionId::new(pid(at)?, get(bytes, at, "the number of an action")?)),
                value: self.value(bytes, values)?,
            },
            15 => Kind::Input {
                value: self.value(bytes, values)?,
            },
            16..=18 => {
                let length = get(bytes, at, "a number of bytes")?;
                let device = match kind {
                    16 => Device::Stdout,
                    17 => Device::Stderr,
                    _ => Device::Other(get_text(bytes, at)?),
                };
                Kind::Output { device, bytes: length }
            }
            19 => Kind::Halt {
                code: get_difference(bytes, at, 0, "an exit status")? as i64,
            },
            20 => Kind::Exit {
                class: ExitClass::Normal,
            },
            21 => Kind::Exit {
                class: ExitClass::Error,
            },
            22 => Kind::Exit { class: ExitClass::Exit },
            23 => Kind::Exit {
                class: ExitClass::Throw,
            },
            _ => {
                return Err(Malformed {
                    at: start,
                    expected: "the kind of an action",
                    found: u64::from(kind),
                });
            }
        };
        Ok(())
    }

    fn access(&mut self, bytes: &[u8], into: &mut Vec<Access>) -> Result<(), Malformed> {
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

fn get_node(bytes: &[u8], at: &mut usize) -> Result<Node, Malformed> {
    let start = *at;
    let node = get(bytes, at, "a node")?;
    u16::try_from(node).map(Node).map_err(|_| Malformed {
        at: start,
        expected: "a node below 65536",
        found: node,
    })
}

fn get_text(bytes: &[u8], at: &mut usize) -> Result<TextId, Malformed> {
    let start = *at;
    let text = get(bytes, at, "a text")?;
    u32::try_from(text).map(TextId).map_err(|_| Malformed {
        at: start,
        expected: "a text below 2^32",
        found: text,
    })
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

fn get_object(bytes: &[u8], at: &mut usize, me: u64) -> Result<ObjectId, Malformed> {
    let creator = Pid(get_difference(bytes, at, me, "a pid")?);
    Ok(ObjectId {
        creator,
        k: get(bytes, at, "the number of a reference")?,
    })
}

fn get_resource(bytes: &[u8], at: &mut usize, me: u64, kind: u8) -> Result<Resource, Malformed> {
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

/// Reads what `put_tag` wrote.
pub(crate) fn get_tag(bytes: &[u8], at: &mut usize, me: u64) -> Result<Tag, Malformed> {
    let start = *at;
    let kind = byte(bytes, at, "the kind of a tag")?;
    if kind > 4 {
        return Err(Malformed {
            at: start,
            expected: "the kind of a tag",
            found: u64::from(kind),
        });
    }
    let by = Pid(get_difference(bytes, at, me, "a pid")?);
    Ok(match kind {
        0 => Tag::Sent {
            by,
            k: SendNo(get(bytes, at, "the number of a signal")?),
        },
        1 => Tag::EndTo {
            by,
            to: Pid(get_difference(bytes, at, me, "a pid")?),
        },
        2 => {
            let owner = Pid(get_difference(bytes, at, me, "a pid")?);
            Tag::EndRef {
                by,
                owner,
                k: get(bytes, at, "the number of a reference")?,
            }
        }
        3 => Tag::EndTable {
            by,
            table: get_object(bytes, at, me)?,
        },
        _ => Tag::Limit { to: by },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong with a chunk of a process, that is no first one.
    fn error_of(bytes: &[u8]) -> Option<(usize, &'static str)> {
        let mut decoder = Decoder::new(Model::at_restart(Pid(7)));
        let mut action = Action::new(Kind::After);
        for read in 0.. {
            match decoder.step(bytes, read, &mut action, true) {
                Ok(Found::End) => break,
                Ok(_) => {}
                Err(error) => return Some((error.at, error.expected)),
            }
        }
        None
    }

    #[test]
    fn keys_and_tables_that_nobody_named_are_damage() {
        const TABLE: [u8; 4] = [OP_ACCESS, KEY_TABLE_NEW, 0, 1];
        const HASH: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
        let new = |code: u8| [&TABLE[..], &[code], &HASH].concat();
        let and = |rest: &[u8]| [&new(ACCESS_KEY | KEY_NEW)[..], &[OP_ACCESS], rest].concat();
        assert_eq!(error_of(&and(&[ACCESS_KEY, 0])), None);
        assert_eq!(error_of(&and(&[ACCESS_KEY, 1])), Some((14, "the place of a known key")));
        let far = [ACCESS_KEY, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(error_of(&and(&far)), Some((14, "the place of a known key")));
        assert_eq!(
            error_of(&and(&[KEY_TABLE, 1, ACCESS_KEY, 0])),
            Some((14, "the place of a known table"))
        );
        assert_eq!(
            error_of(&and(&[ACCESS_KEY | KEY_READ, 0])),
            Some((14, "a table that was read"))
        );
        assert_eq!(error_of(&and(&[KEY_TABLE_READ, 1, ACCESS_KEY | KEY_READ, 0])), None);
        // Bits that say nothing, a table named twice, and no access behind it.
        for wrong in [ACCESS_KEY | 4, ACCESS_KEY | KEY_BY | KEY_BY_KNOWN] {
            assert_eq!(error_of(&and(&[wrong, 0])), Some((14, "an access to a key")));
        }
        assert_eq!(
            error_of(&and(&[KEY_TABLE, 0, KEY_TABLE, 0])),
            Some((16, "an access to a key"))
        );
        assert_eq!(error_of(&TABLE), Some((4, "an access to a key")));
        // No table was named.
        let hash = [&[OP_ACCESS, ACCESS_KEY | KEY_NEW][..], &HASH].concat();
        assert_eq!(error_of(&hash), Some((1, "the key of a known table")));
        assert_eq!(
            error_of(&[OP_ACCESS, KEY_TABLE_READ, 0]),
            Some((1, "the read of a known table"))
        );
    }
}
