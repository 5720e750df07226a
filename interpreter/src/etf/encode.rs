//! Writing external terms.

use std::io::Write;

use super::{
    ATOM, ATOM_UTF8, BINARY, BIT_BINARY, COMPRESSED, EXPORT, FLOAT, INTEGER, LARGE_BIG, LARGE_TUPLE, LIST, MAP,
    NEW_FLOAT, NEW_FUN, NEW_PID, NEW_PORT, NEWER_REFERENCE, NIL, SMALL_ATOM_UTF8, SMALL_BIG, SMALL_INTEGER,
    SMALL_TUPLE, STRING, VERSION,
};
use crate::atom::Atom;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::number::float_scientific;
use crate::term::{FunName, Pid, Term};

/// The options of `term_to_binary/2`.
#[derive(Clone, Copy)]
pub struct EtfOptions {
    /// 0: floats as text; 1 (the default of OTP 25): floats as bits; 2 (that of OTP 26 and newer): all atoms in UTF-8 too.
    pub minor_version: u8,
    /// Compression level 1 to 9; 0 for none.
    pub compression: u8,
    /// Pairs of large maps in term order.
    pub deterministic: bool,
}

impl Default for EtfOptions {
    fn default() -> Self {
        Self {
            minor_version: 1,
            compression: 0,
            deterministic: false,
        }
    }
}

enum EncodeWork<'a> {
    Term(Term),
    Terms(&'a [Term]),
    /// The size field of a fun, to be filled in at this position.
    FunEnd(usize),
}

/// The external form of a term.
#[must_use]
pub fn encode(heap: &Heap, term: Term, options: &EtfOptions) -> Vec<u8> {
    let mut writer = EtfWriter {
        heap,
        options,
        out: vec![VERSION],
    };
    writer.run(term);
    let plain = writer.out;
    if options.compression == 0 {
        return plain;
    }
    let mut out = vec![VERSION, COMPRESSED];
    out.extend_from_slice(&((plain.len() - 1) as u32).to_be_bytes());
    let level = flate2::Compression::new(u32::from(options.compression));
    let mut encoder = flate2::write::ZlibEncoder::new(out, level);
    let packed = encoder.write_all(&plain[1..]).and_then(|()| encoder.finish());
    let packed = packed.expect("writing to a vector does not fail");
    if packed.len() < plain.len() { packed } else { plain }
}

struct EtfWriter<'a> {
    heap: &'a Heap,
    options: &'a EtfOptions,
    out: Vec<u8>,
}

impl<'a> EtfWriter<'a> {
    fn u16(&mut self, value: usize) {
        self.out.extend_from_slice(&(value as u16).to_be_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_be_bytes());
    }

    fn tag_u32(&mut self, tag: u8, value: usize) {
        self.out.push(tag);
        self.u32(value as u32);
    }

    fn run(&mut self, term: Term) {
        let heap = self.heap;
        let mut stack = vec![EncodeWork::Term(term)];
        while let Some(work) = stack.pop() {
            let t = match work {
                EncodeWork::Term(t) => t,
                EncodeWork::Terms(ts) => match ts.split_first() {
                    None => continue,
                    Some((first, rest)) => {
                        stack.push(EncodeWork::Terms(rest));
                        *first
                    }
                },
                EncodeWork::FunEnd(at) => {
                    let size = (self.out.len() - at) as u32;
                    self.out[at..at + 4].copy_from_slice(&size.to_be_bytes());
                    continue;
                }
            };
            match heap.view(t) {
                TermView::Cons(..) => self.list(t, &mut stack),
                TermView::Tuple(elements) => {
                    match u8::try_from(elements.len()) {
                        Ok(n) => self.out.extend_from_slice(&[SMALL_TUPLE, n]),
                        Err(_) => self.tag_u32(LARGE_TUPLE, elements.len()),
                    }
                    stack.push(EncodeWork::Terms(elements));
                }
                TermView::Map => {
                    let pairs = if self.options.deterministic {
                        maps::sorted_pairs(heap, t)
                    } else {
                        maps::listed_pairs(heap, t)
                    };
                    self.tag_u32(MAP, pairs.len());
                    for (key, value) in pairs.into_iter().rev() {
                        stack.extend([EncodeWork::Term(value), EncodeWork::Term(key)]);
                    }
                }
                TermView::Fun { name, arity, free, .. } => self.fun(name, arity, free, &mut stack),
                view => self.leaf(t, view),
            }
        }
    }

    fn leaf(&mut self, t: Term, view: TermView<'_>) {
        match view {
            TermView::Small(i) => self.small(i),
            TermView::Big { negative, limbs } => self.big(negative, limbs),
            TermView::Float(x) => {
                if self.options.minor_version == 0 {
                    self.out.push(FLOAT);
                    let mut text = float_scientific(x, 20).into_bytes();
                    text.resize(31, 0);
                    self.out.extend_from_slice(&text);
                } else {
                    self.out.push(NEW_FLOAT);
                    self.out.extend_from_slice(&x.to_bits().to_be_bytes());
                }
            }
            TermView::Atom(a) => self.atom(a),
            TermView::Pid(p) => self.pid(p),
            TermView::Port(p) => {
                self.out.push(NEW_PORT);
                self.atom(Atom::NONODE_NOHOST);
                self.u32(p.0.number() as u32);
                self.u32(u32::from(p.0.node()));
            }
            TermView::Reference(r) => {
                self.out.push(NEWER_REFERENCE);
                self.u16(4);
                self.atom(Atom::NONODE_NOHOST);
                self.u32(u32::from(r.owner.node()));
                for word in [r.number, r.owner.number()] {
                    self.u32(word as u32);
                    self.u32((word >> 32) as u32);
                }
            }
            TermView::Nil => self.out.push(NIL),
            TermView::ExternalFun {
                module,
                function,
                arity,
            } => {
                self.out.push(EXPORT);
                self.atom(module);
                self.atom(function);
                self.small(i64::from(arity));
            }
            TermView::Binary => {
                let bits = self.heap.bits(t).expect("a binary");
                let left = bits.len % 8;
                self.tag_u32(if left == 0 { BINARY } else { BIT_BINARY }, bits.len.div_ceil(8));
                if left > 0 {
                    self.out.push(left as u8);
                }
                match bits.as_bytes() {
                    Some(bytes) => self.out.extend_from_slice(bytes),
                    None => self.out.extend(bits.to_vec()),
                }
            }
            TermView::Cons(..) | TermView::Tuple(_) | TermView::Map | TermView::Fun { .. } => {
                unreachable!("not a leaf")
            }
        }
    }

    fn small(&mut self, i: i64) {
        if let Ok(byte) = u8::try_from(i) {
            self.out.extend_from_slice(&[SMALL_INTEGER, byte]);
        } else if let Ok(word) = i32::try_from(i) {
            self.tag_u32(INTEGER, word as u32 as usize);
        } else {
            self.big(i < 0, &[i.unsigned_abs()]);
        }
    }

    fn big(&mut self, negative: bool, limbs: &[u64]) {
        let last = limbs[limbs.len() - 1];
        let n = limbs.len() * 8 - last.leading_zeros() as usize / 8;
        match u8::try_from(n) {
            Ok(n) => self.out.extend_from_slice(&[SMALL_BIG, n]),
            Err(_) => self.tag_u32(LARGE_BIG, n),
        }
        self.out.push(u8::from(negative));
        self.out.extend(limbs.iter().flat_map(|l| l.to_le_bytes()).take(n));
    }

    fn atom(&mut self, atom: Atom) {
        let name = atom.as_str();
        if self.options.minor_version < 2 && name.chars().all(|c| u32::from(c) < 256) {
            self.out.push(ATOM);
            self.u16(name.chars().count());
            self.out.extend(name.chars().map(|c| u32::from(c) as u8));
            return;
        }
        match u8::try_from(name.len()) {
            Ok(n) => self.out.extend_from_slice(&[SMALL_ATOM_UTF8, n]),
            Err(_) => {
                self.out.push(ATOM_UTF8);
                self.u16(name.len());
            }
        }
        self.out.extend_from_slice(name.as_bytes());
    }

    fn pid(&mut self, pid: Pid) {
        self.out.push(NEW_PID);
        self.atom(Atom::NONODE_NOHOST);
        self.u32(pid.number() as u32);
        self.u32((pid.number() >> 32) as u32);
        self.u32(u32::from(pid.node()));
    }

    fn list(&mut self, t: Term, stack: &mut Vec<EncodeWork<'_>>) {
        let (mut elements, mut tail, mut bytes) = (Vec::new(), t, true);
        while let Some((head, next)) = self.heap.cons_cell(tail) {
            bytes &= head.as_small().is_some_and(|i| (0..256).contains(&i));
            elements.push(head);
            tail = next;
        }
        if bytes && tail.is_nil() && elements.len() <= usize::from(u16::MAX) {
            self.out.push(STRING);
            self.u16(elements.len());
            self.out.extend(elements.iter().map(|b| b.small_value() as u8));
            return;
        }
        self.tag_u32(LIST, elements.len());
        stack.push(EncodeWork::Term(tail));
        stack.extend(elements.into_iter().rev().map(EncodeWork::Term));
    }

    fn fun(&mut self, name: FunName, arity: u8, free: &'a [Term], stack: &mut Vec<EncodeWork<'a>>) {
        let FunName { module, index, unique } = name;
        self.out.push(NEW_FUN);
        let size_at = self.out.len();
        self.u32(0);
        self.out.push(arity);
        // OTP writes the MD5 of the module here; we write the hash of the module four times.
        for _ in 0..4 {
            self.u32(unique);
        }
        self.u32(index);
        self.u32(free.len() as u32);
        self.atom(module);
        self.small(i64::from(index));
        self.small(i64::from(unique & 0x7fff_ffff));
        self.pid(Pid::new(0, 0));
        stack.push(EncodeWork::FunEnd(size_at));
        stack.push(EncodeWork::Terms(free));
    }
}
