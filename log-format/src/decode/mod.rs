//! Reading the actions of one process: the inverse of `encode`. Never panics, whatever the bytes are.

mod accesses;
mod full;
use crate::action::Action;
use crate::ids::{Pid, SendNo, Tag};
use crate::input::InputClass;
use crate::keys::Keys;
use crate::kinds::{Device, ExitClass, Kind};
use crate::model::{
    Birth, GAPS, LARGE_GAPS, MEDIUM_END, Model, OP_ACCESS, OP_AFTER, OP_EXIT, OP_FULL, OP_INPUT, OP_OBSERVE, OP_OUTPUT,
    OP_REC, OP_REC_DOWN, OP_REC_FIRST, OP_REC_GAP, OP_REC_LARGE, OP_REC_LINK, OP_REC_NEW, OP_REC_PLACE, OP_SEND,
    OP_SEND_ACCESS, OP_SPAWN, OP_SPAWN_NEXT, RUN, RUN_LONG, RUN_MAX, SHORT_END,
};
use crate::varint::{Malformed, byte, get, get_bytes, get_difference};

pub(crate) use self::accesses::get_resource;
pub(crate) use self::full::{get_node, get_tag, get_text};

/// The result of one step of reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decoded {
    /// The chunk ends here.
    End,
    /// This many plain sends (never 0).
    Sends(u64),
    /// An action, which was written to the caller's variable.
    Action,
}

/// Reads the chunks of one process in order.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    pub(crate) model: Model,
    /// The keys of tables that were used.
    keys: Keys,
    /// The number of the current action.
    number: u64,
    /// Offset in the chunk.
    pub(crate) at: usize,
    /// Is the run after the last item still to be read?
    run_open: bool,
}

impl Decoder {
    /// For a log whose next chunk begins in this state.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            keys: Keys::default(),
            number: 0,
            at: 0,
            run_open: true,
        }
    }

    /// Before the first chunk of a process with this birth, or before any other chunk that is a restart point.
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

    /// Continues reading the chunk `bytes`, of which `read` actions have been read. With `values`, the values of inputs, observations and drops
    /// are copied to `into`; otherwise they are left empty.
    #[inline]
    pub fn step(&mut self, bytes: &[u8], read: u64, into: &mut Action, values: bool) -> Result<Decoded, Malformed> {
        if self.run_open {
            let run = self.run(bytes)?;
            self.run_open = false;
            if run > 0 {
                return Ok(Decoded::Sends(run));
            }
        }
        let Some(&op) = bytes.get(self.at) else {
            return Ok(Decoded::End);
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
        Ok(Decoded::Action)
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

    /// Any item except a `rec` of one, two or three bytes.
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

    pub(crate) fn value(&mut self, bytes: &[u8], values: bool) -> Result<Vec<u8>, Malformed> {
        let value = get_bytes(bytes, &mut self.at, "the length of a value")?;
        // A choice is short, and says which way the run goes.
        let keeps = values || InputClass::picked(value).is_some();
        Ok(if keeps { value.to_vec() } else { Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::*;

    /// The error in a chunk of a process that is not its first one.
    fn error_of(bytes: &[u8]) -> Option<(usize, &'static str)> {
        let mut decoder = Decoder::new(Model::at_restart(Pid(7)));
        let mut action = Action::new(Kind::After);
        for read in 0.. {
            match decoder.step(bytes, read, &mut action, true) {
                Ok(Decoded::End) => break,
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
        // Unused bits, a table named twice, and no access after it.
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
