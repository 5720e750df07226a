//! Actions in full (FORMAT.md, "Actions in full"), and tags.
use super::Decoder;
use super::accesses::get_object;
use crate::action::{Action, Device, ExitClass, Kind, TestNote};
use crate::ids::{ActionId, Node, Pid, SendNo, Tag, TextId};
use crate::model::{FULL_ACCESSES, FULL_SENDS};
use crate::varint::{Malformed, byte, get, get_difference};

impl Decoder {
    /// An action in full.
    pub(super) fn full(&mut self, bytes: &[u8], into: &mut Action, values: bool) -> Result<(), Malformed> {
        let at = &mut self.at;
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
        into.kind = self.kind(bytes, kind, start, values)?;
        Ok(())
    }

    /// What follows the accesses: the payload of a kind, by the kind's number, which stands at `start`.
    #[expect(
        clippy::too_many_lines,
        reason = "a table of all kinds, the counterpart of `payload` in `encode`"
    )]
    fn kind(&mut self, bytes: &[u8], number: u8, start: usize, values: bool) -> Result<Kind, Malformed> {
        let me = self.model.me;
        let at = &mut self.at;
        let pid = |at: &mut usize| get_difference(bytes, at, me, "a pid").map(Pid);
        Ok(match number {
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
                ok: number == 11,
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
                let device = match number {
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
            24..=27 => Kind::Test {
                of: pid(at)?,
                name: get_text(bytes, at)?,
                note: match number {
                    24 => TestNote::Began,
                    25 => TestNote::Passed,
                    26 => TestNote::Skipped,
                    _ => TestNote::Failed {
                        // Few, and part of every listing.
                        reason: text(self.value(bytes, true)?),
                        stack: text(self.value(bytes, true)?),
                    },
                },
            },
            _ => {
                return Err(Malformed {
                    at: start,
                    expected: "the kind of an action",
                    found: u64::from(number),
                });
            }
        })
    }
}

/// A text for people. What is not UTF-8 is shown as U+FFFD.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

pub(super) fn get_node(bytes: &[u8], at: &mut usize) -> Result<Node, Malformed> {
    let start = *at;
    let node = get(bytes, at, "a node")?;
    u16::try_from(node).map(Node).map_err(|_| Malformed {
        at: start,
        expected: "a node below 65536",
        found: node,
    })
}

pub(super) fn get_text(bytes: &[u8], at: &mut usize) -> Result<TextId, Malformed> {
    let start = *at;
    let text = get(bytes, at, "a text")?;
    u32::try_from(text).map(TextId).map_err(|_| Malformed {
        at: start,
        expected: "a text below 2^32",
        found: text,
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
