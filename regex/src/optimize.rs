//! Optimisations that change no result: repetitions that need not backtrack, joined literals, the bytes with which a match can begin.

use super::Settings;
use super::analyze::ket;
use super::compile::CompiledPattern;
use super::op::{CharClass, Group, Ket, Op, RepeatMode, Single, Verb, Zero};
use super::ucd;

/// Limit: steps for one question; beyond it the answer is "unknown".
const STEPS: usize = 1000;

type Bytes = [bool; 256];

pub(super) fn run(compiled: &mut CompiledPattern) {
    possessify(compiled);
    if compiled.first.is_none() && !compiled.anchored && !compiled.start_of_line && !compiled.has_verb {
        let mut walk = FirstBytesWalk::new(compiled, false);
        if walk.from(0) && !walk.ends && walk.bytes.contains(&false) {
            compiled.starts = Some(Box::new(walk.bytes));
        }
    }
    join_literals(compiled);
}

/// A greedy repetition need not backtrack if what follows cannot begin with what it matches.
fn possessify(compiled: &mut CompiledPattern) {
    for at in 0..compiled.code.len() {
        let Op::Repeat(single, mut times) = compiled.code[at] else {
            continue;
        };
        if times.mode == RepeatMode::Possessive || times.min == times.max {
            continue;
        }
        if is_held_apart(compiled, at + 1, single, times.mode) {
            times.mode = RepeatMode::Possessive;
            compiled.code[at] = Op::Repeat(single, times);
        }
        if times.mode != RepeatMode::Greedy {
            continue;
        }
        let mut walk = FirstBytesWalk::new(compiled, true);
        if !walk.from(at + 1) || (walk.ends && walk.asks) {
            continue;
        }
        let mut own = [false; 256];
        add_single(&mut own, single, &compiled.classes, &compiled.settings);
        if own.iter().zip(&walk.bytes).any(|(a, b)| *a && *b) {
            continue;
        }
        times.mode = RepeatMode::Possessive;
        compiled.code[at] = Op::Repeat(single, times);
    }
}

/// Does PCRE assume that nothing of what is repeated can follow, although it can? A dot matches a carriage return if lines end otherwise, but
/// PCRE takes `.+\R` for `.++\R`, which does not match `a\r`. In Latin-1, the character 0x85 is a newline, but not a space. For a lazy
/// repetition, PCRE does not look beyond the end of a group.
fn is_held_apart(compiled: &CompiledPattern, at: usize, single: Single, mode: RepeatMode) -> bool {
    if !matches!(
        single,
        Single::Any | Single::Newline | Single::Space(true) | Single::Vertical(false)
    ) {
        return false;
    }
    let mut own = [false; 256];
    add_single(&mut own, single, &compiled.classes, &compiled.settings);
    let mut walk = FirstBytesWalk::new(compiled, true);
    walk.apart_from = Some(single);
    walk.from(at)
        && !walk.ends
        && !walk.asks
        && !own.iter().zip(&walk.bytes).any(|(a, b)| *a && *b)
        && (mode == RepeatMode::Greedy || !walk.leaves_group)
}

/// The pairs for which PCRE assumes this, without properties of Unicode.
fn are_held_apart(single: Single, next: Single) -> bool {
    matches!(
        (single, next),
        (Single::Any, Single::Newline)
            | (Single::Newline, Single::Any | Single::Space(false))
            | (Single::Space(true), Single::Newline | Single::Vertical(false))
            | (Single::Vertical(false), Single::Space(true))
    )
}

/// Determines which bytes can come first.
struct FirstBytesWalk<'c> {
    compiled: &'c CompiledPattern,
    seen: Vec<usize>,
    bytes: Bytes,
    /// Can the end be reached without a byte?
    ends: bool,
    /// Is the question what comes after a repetition?
    after_repeat: bool,
    /// Can something on the way fail without consuming a byte?
    asks: bool,
    /// Was the end of a group passed?
    leaves_group: bool,
    /// Ignore what PCRE assumes to differ from this.
    apart_from: Option<Single>,
}

impl<'c> FirstBytesWalk<'c> {
    fn new(compiled: &'c CompiledPattern, after_repeat: bool) -> Self {
        Self {
            compiled,
            seen: Vec::new(),
            bytes: [false; 256],
            ends: false,
            after_repeat,
            asks: false,
            leaves_group: false,
            apart_from: None,
        }
    }

    fn is_apart(&self, next: Single) -> bool {
        self.apart_from.is_some_and(|single| are_held_apart(single, next))
    }

    /// `false`: unknown.
    fn from(&mut self, at: usize) -> bool {
        let code = &self.compiled.code;
        let mut todo = vec![at];
        let mut steps = 0;
        while let Some(at) = todo.pop() {
            steps += 1;
            if steps > STEPS {
                return false;
            }
            if self.seen.contains(&at) {
                continue;
            }
            self.seen.push(at);
            match code[at] {
                Op::End => self.ends = true,
                Op::One(next) if self.is_apart(next) => {}
                Op::Repeat(next, times) if self.is_apart(next) => {
                    if times.min == 0 {
                        todo.push(at + 1);
                    }
                }
                Op::One(single) => add_single(&mut self.bytes, single, &self.compiled.classes, &self.compiled.settings),
                Op::Repeat(single, times) => {
                    add_single(&mut self.bytes, single, &self.compiled.classes, &self.compiled.settings);
                    if times.min == 0 {
                        todo.push(at + 1);
                    }
                }
                Op::Open(Group::Condition { .. }, _) => return false,
                Op::Open(group, _) if group.is_assertion() => {
                    self.asks = true;
                    todo.push(ket(code, at) + 1);
                }
                Op::Dollar { .. } | Op::EndOrNewline if matches!(self.apart_from, Some(Single::Space(true))) => {}
                // Fewer repetitions help only if the rest is a newline.
                Op::Dollar { .. } | Op::EndOrNewline if self.after_repeat => {
                    add_single(
                        &mut self.bytes,
                        Single::Vertical(false),
                        &self.compiled.classes,
                        &self.compiled.settings,
                    );
                }
                Op::SubjectEnd if self.after_repeat => {}
                Op::Define | Op::Callout | Op::Capture(_) => todo.push(at + 1),
                Op::Open(..) => {
                    let mut branch = at;
                    while let Op::Open(_, next) | Op::Alternative(next) = code[branch] {
                        todo.push(branch + 1);
                        branch += next as usize;
                    }
                }
                Op::Alternative(_) => todo.push(ket(code, at)),
                Op::Close(kind, back) => {
                    let open = at - back as usize;
                    self.leaves_group = true;
                    match code[open] {
                        Op::Open(group, _) if group.is_assertion() => self.ends = true,
                        Op::Open(Group::Condition { .. }, _) => return false,
                        _ => {
                            if kind != Ket::Once {
                                todo.push(open);
                            }
                            todo.push(at + 1);
                        }
                    }
                }
                Op::Zero(zero) => {
                    if zero != Zero::Skip {
                        todo.push(at + 1);
                    }
                    todo.push(ket(code, at + 1) + 1);
                }
                Op::Verb(Verb::Fail, _) => {}
                Op::Literal { .. }
                | Op::Reference { .. }
                | Op::NamedReference { .. }
                | Op::Call { .. }
                | Op::Verb(..)
                | Op::Back(_) => {
                    return false;
                }
                _ => {
                    self.asks = true;
                    todo.push(at + 1);
                }
            }
        }
        true
    }
}

fn add_single(bytes: &mut Bytes, single: Single, classes: &[CharClass], settings: &Settings) {
    let utf = settings.utf;
    let mut add_char = |c: u32| {
        let byte = match char::from_u32(c) {
            Some(c) if utf => c.encode_utf8(&mut [0; 4]).as_bytes()[0],
            _ => c as u8,
        };
        bytes[byte as usize] = true;
    };
    // Which of the first characters, and can there be others?
    let limit = if utf { 128 } else { 256 };
    let (few, others): (Box<dyn Fn(u32) -> bool>, bool) = match single {
        Single::Char(c) => return add_char(c),
        Single::Either(c, d) => {
            add_char(c);
            return add_char(d);
        }
        Single::Neither(c, d) => (Box::new(move |x| x != c && x != d), true),
        // The newline of a run may be another than that of the pattern.
        Single::Any | Single::AllAny | Single::Byte | Single::Cluster => {
            bytes.fill(true);
            return;
        }
        Single::Digit(negative) => (Box::new(move |x| ucd::is_digit(x as u8) != negative), negative),
        Single::Space(negative) => (Box::new(move |x| ucd::is_space(x as u8) != negative), negative),
        Single::Word(negative) => (Box::new(move |x| ucd::is_word(x as u8) != negative), true),
        Single::Horizontal(negative) => (Box::new(move |x| ucd::is_horizontal(x) != negative), true),
        Single::Vertical(negative) => (Box::new(move |x| ucd::is_vertical(x) != negative), true),
        Single::Newline => (Box::new(ucd::is_vertical), true),
        Single::Property(property, negative) => (Box::new(move |x| property.holds(x) != negative), true),
        Single::Class(at) => {
            let class = &classes[at as usize];
            let others = class.wide
                || !class.ranges.is_empty()
                || !class.properties.is_empty()
                || class.map[2] | class.map[3] != 0;
            (Box::new(move |x| class.has(x)), others)
        }
    };
    for x in 0..limit {
        if few(x) {
            bytes[x as usize] = true;
        }
    }
    if utf && others {
        bytes[128..].fill(true);
    }
}

/// Turns consecutive characters into consecutive bytes; the operations stay where they are, because of the distances.
fn join_literals(compiled: &mut CompiledPattern) {
    let mut at = 0;
    while at < compiled.code.len() {
        let from = compiled.literals.len();
        let mut ops = 0;
        while let Some(Op::One(Single::Char(c))) = compiled.code.get(at + ops)
            && compiled.literals.len() - from < 60_000
        {
            match char::from_u32(*c) {
                Some(c) if compiled.settings.utf => {
                    compiled
                        .literals
                        .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => compiled.literals.push(*c as u8),
            }
            ops += 1;
        }
        let bytes = compiled.literals.len() - from;
        if bytes > 1 {
            compiled.code[at] = Op::Literal {
                at: from as u32,
                bytes: bytes as u16,
                ops: ops as u16,
            };
        } else {
            compiled.literals.truncate(from);
        }
        at += ops.max(1);
    }
}
