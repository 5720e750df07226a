//! Matching at one place, by backtracking.
//!
//! It goes as PCRE's own `match` does, whose calls of itself are frames here: what is counted against the limits, what captures keep and what verbs
//! reach depend on it. A frame says what to do when what was tried behind it comes back with a code.

use super::Newline;
use super::analyze::ket;
use super::compile::Compiled;
use super::op::{Group, Ket, Mode, Op, Single, Times, UNLIMITED, Verb, Zero};
use super::search::{Limit, Request};
use super::ucd;

const NOTHING: u32 = u32::MAX;
const UNSET: i64 = -1;

/// What comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    NoMatch,
    Match,
    Accept,
    /// A possessive group has matched once more.
    Again,
    /// Back to the start of an atomic group.
    Once,
    Commit,
    Prune,
    /// To `start_out`; to the mark whose number `start_out` is.
    SkipTo,
    SkipMark,
    /// From the verb at `then_at`.
    Then,
    Error(Limit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resume {
    /// `pc` is at the alternative, `a`, `b`, `c` are the places before, `d` is the group.
    Capture,
    Plain,
    OnceWithout,
    /// `a` is where the group begins.
    OnceWithoutMin,
    OnceWithoutMax,
    PossessiveCapture,
    PossessivePlain,
    EmptyCondition,
    /// `pc` is at the assertion, `a` the condition's group.
    ConditionAssertion,
    /// `a`: is it a condition?
    Assertion,
    NegativeAssertion,
    /// `pc` is at the call, `a` at the alternative.
    Call,
    Zero,
    ZeroLazy,
    KetMin,
    KetMinOnce,
    KetMinEmpty,
    KetMax,
    KetMaxOnce,
    KetOnce,
    RepeatLazy,
    /// `a` is where the fewest end.
    RepeatGreedy,
    ReferenceLazy,
    ReferenceGreedy,
    Mark,
    Commit,
    Prune,
    Skip,
    SkipMark,
    Then,
}

#[derive(Clone, Copy)]
struct Frame {
    resume: Resume,
    /// Of a possessive group: has it matched once, may it match never?
    matched: bool,
    zero: bool,
    pc: u32,
    at: u32,
    start: u32,
    top: u32,
    empty: u32,
    empties: u32,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
}

struct Recursion {
    group: u16,
    at: u32,
    saved: usize,
}

pub(super) struct Matcher<'m> {
    compiled: &'m Compiled,
    subject: &'m [u8],
    newline: Newline,
    request: Request,
    limit: u32,
    depth: u32,
    frames: Vec<Frame>,
    /// Where repeated groups that can match nothing began, each with the one around it.
    empties: Vec<(u32, u32)>,
    recursions: Vec<Recursion>,
    saved: Vec<i64>,
    /// Starts and ends of groups, and after them where groups began that are not at their end.
    places: Vec<i64>,
    at_out: u32,
    top_out: u32,
    pub(super) start_out: usize,
    then_at: u32,
    once_target: u32,
    pub(super) skips: u32,
    pub(super) ignored_skips: u32,
}

/// Is the character that begins at `at` one of those? Where it ends then. `at` is before the end.
#[inline]
fn step(matcher: &Matcher<'_>, single: Single, at: usize) -> Option<usize> {
    let subject = matcher.subject;
    let byte = subject[at];
    let (c, next) = if byte < 0x80 || !matcher.compiled.settings.utf {
        (u32::from(byte), at + 1)
    } else {
        decode(subject, at)
    };
    let latin = |holds: fn(u8) -> bool| c < 256 && holds(c as u8);
    let is = match single {
        Single::Char(x) => c == x,
        Single::Either(x, y) => c == x || c == y,
        Single::Neither(x, y) => c != x && c != y,
        Single::Any => return (!matcher.at_newline(at)).then_some(next),
        Single::AllAny => true,
        Single::Byte => return Some(at + 1),
        Single::Digit(negative) => latin(ucd::is_digit) != negative,
        Single::Space(negative) => latin(ucd::is_space) != negative,
        Single::Word(negative) => latin(ucd::is_word) != negative,
        Single::Horizontal(negative) => ucd::is_horizontal(c) != negative,
        Single::Vertical(negative) => ucd::is_vertical(c) != negative,
        Single::Property(property, negative) => property.holds(c) != negative,
        Single::Class(class) => matcher.compiled.classes[class as usize].has(c),
        Single::Newline => {
            if c == 13 && subject.get(next) == Some(&b'\n') {
                return Some(next + 1);
            }
            c == 10 || c == 13 || (!matcher.compiled.settings.bsr_anycrlf && ucd::is_vertical(c))
        }
        Single::Cluster => {
            let (mut left, mut end) = (c, next);
            while end < subject.len() {
                let (right, next) = matcher.char_at(end);
                if !ucd::joined(left, right) {
                    break;
                }
                (left, end) = (right, next);
            }
            return Some(end);
        }
    };
    is.then_some(next)
}

/// A character of several bytes. In the middle of one, which only `\C` leads to, whatever comes out is one byte long.
fn decode(subject: &[u8], at: usize) -> (u32, usize) {
    let byte = subject[at];
    let (size, first) = match byte {
        0xc0..=0xdf => (2, u32::from(byte) & 0x1f),
        0xe0..=0xef => (3, u32::from(byte) & 0x0f),
        0xf0..=0xf7 => (4, u32::from(byte) & 0x07),
        _ => return (u32::from(byte), at + 1),
    };
    let Some(rest) = subject.get(at + 1..at + size) else {
        return (u32::from(byte), at + 1);
    };
    (rest.iter().fold(first, |c, b| c << 6 | u32::from(b & 0x3f)), at + size)
}

impl<'m> Matcher<'m> {
    pub(super) fn new(
        compiled: &'m Compiled,
        subject: &'m [u8],
        newline: Newline,
        request: &Request,
        limit: u32,
        depth: u32,
    ) -> Self {
        let groups = usize::from(compiled.groups) + 1;
        Self {
            compiled,
            subject,
            newline,
            request: *request,
            limit,
            depth,
            frames: Vec::new(),
            empties: Vec::new(),
            recursions: Vec::new(),
            saved: Vec::new(),
            places: vec![UNSET; 3 * groups],
            at_out: 0,
            top_out: 0,
            start_out: 0,
            then_at: 0,
            once_target: 0,
            skips: 0,
            ignored_skips: 0,
        }
    }

    /// Of the match that was found: where it and its groups begin and end.
    pub(super) fn places(&self) -> Vec<Option<(usize, usize)>> {
        let mut out = vec![Some((self.start_out, self.at_out as usize))];
        for group in 1..=usize::from(self.compiled.groups) {
            let (from, to) = (self.places[2 * group], self.places[2 * group + 1]);
            let is_set = 2 * group < self.top_out as usize && from >= 0;
            out.push(is_set.then_some((from as usize, to as usize)));
        }
        out
    }

    fn char_at(&self, at: usize) -> (u32, usize) {
        let byte = self.subject[at];
        if byte < 0x80 || !self.compiled.settings.utf {
            (u32::from(byte), at + 1)
        } else {
            decode(self.subject, at)
        }
    }

    /// Where the character begins that ends at `at`.
    fn before(&self, at: usize) -> usize {
        let mut at = at - 1;
        while self.compiled.settings.utf && at > 0 && self.subject[at] & 0xc0 == 0x80 {
            at -= 1;
        }
        at
    }

    #[inline]
    fn at_newline(&self, at: usize) -> bool {
        match self.newline {
            Newline::Lf => self.subject.get(at) == Some(&b'\n'),
            newline => newline
                .is_at(self.subject, at, self.subject.len(), self.compiled.settings.utf)
                .is_some(),
        }
    }

    fn is_word(&self, c: u32) -> bool {
        if self.compiled.settings.ucp {
            ucd::Property::Word.holds(c)
        } else {
            c < 256 && ucd::is_word(c as u8)
        }
    }

    fn is_boundary(&self, at: usize) -> bool {
        let left = at > 0 && self.is_word(self.char_at(self.before(at)).0);
        let right = at < self.subject.len() && self.is_word(self.char_at(at).0);
        left != right
    }

    fn at_end_or_newline(&self, at: usize) -> bool {
        let end = self.subject.len();
        let utf = self.compiled.settings.utf;
        at >= end
            || self
                .newline
                .is_at(self.subject, at, end, utf)
                .is_some_and(|len| at + len == end)
    }

    /// What a set group holds; `top`: of which groups are the places valid?
    fn captured(&self, group: u16, top: u32) -> Option<(usize, usize)> {
        let place = 2 * usize::from(group);
        let from = *self.places.get(place)?;
        (place < top as usize && from >= 0).then(|| (from as usize, self.places[place + 1] as usize))
    }

    /// The first of the groups of a name that is set.
    fn captured_named(&self, first: u16, count: u16, top: u32) -> Option<(usize, usize)> {
        let names = &self.compiled.names[usize::from(first)..usize::from(first) + usize::from(count)];
        names.iter().find_map(|&(_, group)| self.captured(group, top))
    }

    /// Is the same text at `at`? Where it ends then.
    fn same(&self, (from, to): (usize, usize), at: usize, caseless: bool) -> Option<usize> {
        let text = self.subject.get(from..to)?;
        if !caseless {
            return self.subject[at..].starts_with(text).then_some(at + text.len());
        }
        let (mut left, mut right) = (from, at);
        while left < to {
            if right >= self.subject.len() {
                return None;
            }
            if self.compiled.settings.utf {
                let ((c, after_c), (d, after_d)) = (self.char_at(left), self.char_at(right));
                let in_set = || ucd::case_set(d).is_some_and(|set| ucd::case_set_members(set).contains(&c));
                if c != d && c != ucd::other_case(d) && !in_set() {
                    return None;
                }
                (left, right) = (after_c, after_d);
            } else {
                let (c, d) = (self.subject[left], self.subject[right]);
                if c != d && c != ucd::flip(d) {
                    return None;
                }
                (left, right) = (left + 1, right + 1);
            }
        }
        Some(right)
    }

    /// A group's end: where it began and ends is captured.
    fn capture(&mut self, group: u16, at: u32, top: &mut u32) {
        let place = 2 * usize::from(group);
        if place > *top as usize {
            self.places[*top as usize..place].fill(UNSET);
        }
        self.places[place] = self.places[self.begun(group)];
        self.places[place + 1] = i64::from(at);
        if *top as usize <= place {
            *top = place as u32 + 2;
        }
    }

    /// Where the start of a group that is not at its end is kept.
    fn begun(&self, group: u16) -> usize {
        2 * (usize::from(self.compiled.groups) + 1) + usize::from(group)
    }

    fn enter_recursion(&mut self, group: u16, at: u32) {
        let saved = self.saved.len();
        self.saved.extend_from_slice(&self.places);
        self.recursions.push(Recursion { group, at, saved });
    }

    fn leave_recursion(&mut self) {
        let Recursion { saved, .. } = self.recursions.pop().expect("a call is a recursion");
        self.places.copy_from_slice(&self.saved[saved..]);
        self.saved.truncate(saved);
    }

    /// Tries to match at `begin`.
    pub(super) fn run(&mut self, begin: usize) -> Code {
        let compiled = self.compiled;
        let code = compiled.code.as_slice();
        let subject = self.subject;
        let end = subject.len() as u32;
        let mut pc: u32 = 0;
        let mut at = begin as u32;
        let mut start = at;
        let mut top: u32 = 2;
        let mut empty = NOTHING;
        let mut calls: u32 = 0;
        let mut condition = false;
        let mut zero = false;
        self.frames.clear();
        self.empties.clear();
        self.recursions.clear();
        self.saved.clear();
        self.skips = 0;
        // Every group's start is unset at first; what groups hold is not, but not valid.
        let first_begun = self.begun(0);
        self.places[first_begun..].fill(UNSET);
        calls += 1;
        if calls > self.limit {
            return Code::Error(Limit::Matches);
        }
        if self.depth == 0 {
            return Code::Error(Limit::Depth);
        }
        'ops: loop {
            // What comes back from the operations.
            let mut back: Code;
            /// Counts an entry, or gives up.
            macro_rules! count {
                () => {
                    if calls >= self.limit {
                        return Code::Error(Limit::Matches);
                    }
                    calls += 1;
                };
            }
            /// Goes on at `$to`, and comes back to `$resume`.
            macro_rules! call {
                ($($how:tt)*) => { call_remembered!(false, $($how)*) };
            }
            /// The same, at the start of a group whose start is remembered.
            macro_rules! call_remembered {
                ($remembers:expr, $resume:expr, $to:expr $(, $field:ident = $value:expr)*) => {{
                    let mut frame = Frame {
                        resume: $resume, matched: false, zero: false, pc, at, start, top, empty,
                        empties: self.empties.len() as u32, a: 0, b: 0, c: 0, d: 0,
                    };
                    $(frame.$field = $value;)*
                    let _ = &mut frame;
                    self.frames.push(frame);
                    count!();
                    if self.frames.len() as u32 >= self.depth {
                        return Code::Error(Limit::Depth);
                    }
                    if $remembers {
                        self.empties.push((at, empty));
                        empty = self.empties.len() as u32 - 1;
                    }
                    pc = $to;
                    continue 'ops;
                }};
            }
            /// An alternative of a group that is not captured: the last one needs no frame.
            macro_rules! alternative {
                ($open:expr, $group:expr) => {{
                    let (Op::Open(_, next) | Op::Alternative(next)) = code[pc as usize] else {
                        unreachable!("an alternative")
                    };
                    if !$group.remembers()
                        && !compiled.has_then
                        && !matches!(code[(pc + next) as usize], Op::Alternative(_))
                    {
                        pc += 1;
                        count!();
                        continue 'ops;
                    }
                    call_remembered!($group.remembers(), Resume::Plain, pc + 1, d = $open);
                }};
            }
            back = 'act: {
                match code[pc as usize] {
                    Op::Literal { at: from, bytes, ops } => {
                        let text = &compiled.literals[from as usize..from as usize + usize::from(bytes)];
                        if !subject[at as usize..].starts_with(text) {
                            break 'act Code::NoMatch;
                        }
                        at += u32::from(bytes);
                        pc += u32::from(ops);
                        continue 'ops;
                    }
                    Op::One(single) => {
                        if at >= end {
                            break 'act Code::NoMatch;
                        }
                        let Some(next) = step(self, single, at as usize) else {
                            break 'act Code::NoMatch;
                        };
                        at = next as u32;
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Repeat(single, Times { min, max, mode }) => {
                        let mut n = 0;
                        let by_bytes =
                            compiled.settings.utf && matches!(single, Single::Word(_)) && (min > 1 || max == UNLIMITED);
                        while n < min {
                            let next = match single {
                                _ if at >= end => None,
                                // The least number of `\w` is ASCII in UTF-8, if PCRE has an operation for the number.
                                Single::Word(negative) if by_bytes && subject[at as usize] >= 128 => {
                                    negative.then(|| self.char_at(at as usize).1)
                                }
                                _ => step(self, single, at as usize),
                            };
                            let Some(next) = next else { break 'act Code::NoMatch };
                            at = next as u32;
                            n += 1;
                        }
                        if min == max {
                            pc += 1;
                            continue 'ops;
                        }
                        if mode == Mode::Lazy {
                            call!(Resume::RepeatLazy, pc + 1, a = n);
                        }
                        let least = at;
                        at = self.run_of(single, at as usize, max - n) as u32;
                        if mode == Mode::Possessive || at == least {
                            if mode != Mode::Possessive {
                                count!();
                            }
                            pc += 1;
                            continue 'ops;
                        }
                        call!(Resume::RepeatGreedy, pc + 1, a = least);
                    }
                    Op::Circumflex { multiline } => {
                        let holds = if at == 0 {
                            !self.request.not_bol
                        } else {
                            multiline
                                && at != end
                                && self.newline.is_before(subject, at as usize, compiled.settings.utf)
                        };
                        if !holds {
                            break 'act Code::NoMatch;
                        }
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Dollar { multiline } => {
                        let holds = if multiline {
                            if at < end {
                                self.at_newline(at as usize)
                            } else {
                                !self.request.not_eol
                            }
                        } else {
                            !self.request.not_eol
                                && if compiled.settings.dollar_endonly {
                                    at >= end
                                } else {
                                    self.at_end_or_newline(at as usize)
                                }
                        };
                        if !holds {
                            break 'act Code::NoMatch;
                        }
                        pc += 1;
                        continue 'ops;
                    }
                    Op::SubjectStart | Op::MatchStart | Op::EndOrNewline | Op::SubjectEnd | Op::WordBoundary { .. } => {
                        let holds = match code[pc as usize] {
                            Op::SubjectStart => at == 0,
                            Op::MatchStart => at as usize == self.request.offset,
                            Op::EndOrNewline => self.at_end_or_newline(at as usize),
                            Op::SubjectEnd => at >= end,
                            Op::WordBoundary { negative } => self.is_boundary(at as usize) != negative,
                            _ => unreachable!("one of the five"),
                        };
                        if !holds {
                            break 'act Code::NoMatch;
                        }
                        pc += 1;
                        continue 'ops;
                    }
                    Op::SetStart => {
                        start = at;
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Callout
                    | Op::Define
                    | Op::IfGroup(_)
                    | Op::IfNamed { .. }
                    | Op::IfRecursion(_)
                    | Op::IfNamedRecursion { .. } => {
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Back(n) => {
                        if compiled.settings.utf {
                            let mut to = at as usize;
                            for _ in 0..n {
                                if to == 0 {
                                    break 'act Code::NoMatch;
                                }
                                to = self.before(to);
                            }
                            at = to as u32;
                        } else if n > at {
                            break 'act Code::NoMatch;
                        } else {
                            at -= n;
                        }
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Reference { times, caseless, .. } | Op::NamedReference { times, caseless, .. } => {
                        let found = match code[pc as usize] {
                            Op::Reference { group, .. } => self.captured(group, top),
                            Op::NamedReference { first, count, .. } => self.captured_named(first, count, top),
                            _ => None,
                        };
                        let Some(text) = found else {
                            if times.min > 0 {
                                break 'act Code::NoMatch;
                            }
                            pc += 1;
                            continue 'ops;
                        };
                        if text.0 >= text.1 {
                            pc += 1;
                            continue 'ops;
                        }
                        for _ in 0..times.min {
                            let Some(next) = self.same(text, at as usize, caseless) else {
                                break 'act Code::NoMatch;
                            };
                            at = next as u32;
                        }
                        if times.min == times.max {
                            pc += 1;
                            continue 'ops;
                        }
                        if times.mode == Mode::Lazy {
                            call!(Resume::ReferenceLazy, pc + 1, a = times.min);
                        }
                        let least = at;
                        let mut n = times.min;
                        while n < times.max {
                            let Some(next) = self.same(text, at as usize, caseless) else {
                                break;
                            };
                            at = next as u32;
                            n += 1;
                        }
                        call!(Resume::ReferenceGreedy, pc + 1, a = least, b = (text.1 - text.0) as u32);
                    }
                    Op::Call { group, target } => {
                        if self.recursions.iter().any(|r| r.group == group && r.at == at) {
                            return Code::Error(Limit::Loop);
                        }
                        self.enter_recursion(group, at);
                        let Op::Open(kind, _) = code[target as usize] else {
                            unreachable!("a call leads to a group")
                        };
                        let remembers = kind.remembers() && kind != Group::Once;
                        call_remembered!(remembers, Resume::Call, target + 1, a = target);
                    }
                    Op::Open(group, next) => match group {
                        Group::Plain {
                            number: 0,
                            possessive: false,
                            ..
                        }
                        | Group::Once => {
                            alternative!(pc, group);
                        }
                        Group::Plain {
                            number,
                            possessive: false,
                            ..
                        } => {
                            let place = 2 * usize::from(number);
                            let begun = self.begun(number);
                            let old = (
                                self.places[place] as u32,
                                self.places[place + 1] as u32,
                                self.places[begun] as u32,
                            );
                            self.places[begun] = i64::from(at);
                            call_remembered!(
                                group.remembers(),
                                Resume::Capture,
                                pc + 1,
                                a = old.0,
                                b = old.1,
                                c = old.2,
                                d = pc
                            );
                        }
                        Group::Plain {
                            number,
                            possessive: true,
                            ..
                        } => {
                            let may_be_none = std::mem::take(&mut zero);
                            let remembers = group.remembers() || may_be_none;
                            if number == 0 {
                                call_remembered!(
                                    remembers,
                                    Resume::PossessivePlain,
                                    pc + 1,
                                    d = pc,
                                    zero = may_be_none
                                );
                            }
                            let place = 2 * usize::from(number);
                            let begun = self.begun(number);
                            let old = (
                                self.places[place] as u32,
                                self.places[place + 1] as u32,
                                self.places[begun] as u32,
                            );
                            self.places[begun] = i64::from(at);
                            call_remembered!(
                                remembers,
                                Resume::PossessiveCapture,
                                pc + 1,
                                a = old.0,
                                b = old.1,
                                c = old.2,
                                d = pc,
                                zero = may_be_none
                            );
                        }
                        Group::OnceWithout => call!(Resume::OnceWithout, pc + 1, d = pc),
                        Group::Ahead { negative } | Group::Behind { negative } => {
                            let is_condition = u32::from(std::mem::take(&mut condition));
                            let resume = if negative {
                                Resume::NegativeAssertion
                            } else {
                                Resume::Assertion
                            };
                            call!(resume, pc + 1, a = is_condition, d = pc);
                        }
                        Group::Condition { empty: may_be_empty } => {
                            let open = pc;
                            let mut condition_at = pc + 1;
                            if code[condition_at as usize] == Op::Callout {
                                condition_at += 1;
                            }
                            let holds = match code[condition_at as usize] {
                                Op::IfGroup(n) => self.captured(n, top).is_some(),
                                Op::IfNamed { first, count } => self.captured_named(first, count, top).is_some(),
                                Op::IfRecursion(n) => {
                                    self.recursions.last().is_some_and(|r| n.is_none_or(|n| r.group == n))
                                }
                                Op::IfNamedRecursion { first, count } => {
                                    let names =
                                        &compiled.names[usize::from(first)..usize::from(first) + usize::from(count)];
                                    self.recursions
                                        .last()
                                        .is_some_and(|r| names.iter().any(|(_, n)| *n == r.group))
                                }
                                Op::Open(..) => {
                                    condition = true;
                                    pc = condition_at;
                                    call!(Resume::ConditionAssertion, condition_at, a = open);
                                }
                                _ => false,
                            };
                            let to = if holds { condition_at + 1 } else { open + next + 1 };
                            if !holds && !matches!(code[(open + next) as usize], Op::Alternative(_)) {
                                pc = to;
                                continue 'ops;
                            }
                            if may_be_empty {
                                call_remembered!(true, Resume::EmptyCondition, to);
                            }
                            pc = to;
                            count!();
                            continue 'ops;
                        }
                    },
                    Op::Alternative(_) => {
                        pc = ket(code, pc as usize) as u32;
                        continue 'ops;
                    }
                    Op::Close(kind, distance) => {
                        let open = pc - distance;
                        let Op::Open(group, _) = code[open as usize] else {
                            unreachable!("a ket knows its group")
                        };
                        let mut began = NOTHING;
                        if group.remembers()
                            && let Some(&(from, outer)) = self.empties.get(empty as usize)
                        {
                            began = from;
                            empty = outer;
                        }
                        if group.is_assertion() || group == Group::OnceWithout {
                            self.at_out = at;
                            self.top_out = top;
                            self.start_out = start as usize;
                            break 'act Code::Match;
                        }
                        if let Some(number) = group.number() {
                            if self.recursions.last().is_some_and(|r| r.group == number) {
                                self.at_out = at;
                                self.start_out = start as usize;
                                break 'act Code::Match;
                            }
                            self.capture(number, at, &mut top);
                        }
                        if kind == Ket::Possessive {
                            self.at_out = at;
                            self.top_out = top;
                            self.start_out = start as usize;
                            break 'act Code::Again;
                        }
                        if kind == Ket::Once || at == began {
                            if group == Group::Once {
                                call!(Resume::KetOnce, pc + 1, d = open);
                            }
                            pc += 1;
                            continue 'ops;
                        }
                        if kind == Ket::Min {
                            call!(Resume::KetMin, pc + 1, d = open);
                        }
                        call!(Resume::KetMax, open, d = open);
                    }
                    Op::Zero(Zero::Greedy) => call!(Resume::Zero, pc + 1),
                    Op::Zero(Zero::Lazy) => call!(Resume::ZeroLazy, ket(code, pc as usize + 1) as u32 + 1),
                    Op::Zero(Zero::Possessive) => {
                        zero = true;
                        pc += 1;
                        continue 'ops;
                    }
                    Op::Zero(Zero::Skip) => {
                        pc = ket(code, pc as usize + 1) as u32 + 1;
                        continue 'ops;
                    }
                    Op::Capture(number) => {
                        self.capture(number, at, &mut top);
                        pc += 1;
                        continue 'ops;
                    }
                    Op::End | Op::Verb(Verb::Accept | Verb::AssertAccept, _) => {
                        let in_assertion = matches!(code[pc as usize], Op::Verb(Verb::AssertAccept, _));
                        if at == start && !in_assertion && self.recursions.is_empty() {
                            let at_start = start as usize == self.request.offset;
                            if self.request.not_empty || (self.request.not_empty_at_start && at_start) {
                                break 'act Code::NoMatch;
                            }
                        }
                        self.at_out = at;
                        self.top_out = top;
                        self.start_out = start as usize;
                        if code[pc as usize] == Op::End {
                            Code::Match
                        } else {
                            Code::Accept
                        }
                    }
                    Op::Verb(verb, mark) => match verb {
                        Verb::Fail => Code::NoMatch,
                        Verb::Mark => call!(Resume::Mark, pc + 1),
                        Verb::Commit => call!(Resume::Commit, pc + 1),
                        Verb::Prune => call!(Resume::Prune, pc + 1),
                        Verb::Then => call!(Resume::Then, pc + 1),
                        Verb::Skip => {
                            if mark.is_none() {
                                call!(Resume::Skip, pc + 1);
                            }
                            self.skips += 1;
                            if self.skips <= self.ignored_skips {
                                pc += 1;
                                continue 'ops;
                            }
                            call!(Resume::SkipMark, pc + 1);
                        }
                        Verb::Accept | Verb::AssertAccept => unreachable!("seen above"),
                    },
                }
            };
            // Back, from frame to frame, until one goes on.
            loop {
                let Some(frame) = self.frames.pop() else { return back };
                Frame {
                    pc,
                    at,
                    start,
                    top,
                    empty,
                    ..
                } = frame;
                self.empties.truncate(frame.empties as usize);
                /// A `(*THEN)` in this alternative goes to the next one, if there are several.
                macro_rules! then_here {
                    () => {
                        if back == Code::Then
                            && let Op::Open(_, next) | Op::Alternative(next) = code[pc as usize]
                            && self.then_at < pc + next
                            && (matches!(code[pc as usize], Op::Alternative(_))
                                || matches!(code[(pc + next) as usize], Op::Alternative(_)))
                        {
                            back = Code::NoMatch;
                        }
                    };
                }
                macro_rules! next_alternative {
                    () => {
                        if let Op::Open(_, next) | Op::Alternative(next) = code[pc as usize] {
                            pc += next;
                        }
                    };
                }
                match frame.resume {
                    Resume::Capture => {
                        let Op::Open(group, _) = code[frame.d as usize] else {
                            unreachable!("a group")
                        };
                        if back != Code::Once {
                            then_here!();
                            if back != Code::NoMatch {
                                continue;
                            }
                            next_alternative!();
                            if matches!(code[pc as usize], Op::Alternative(_)) {
                                call_remembered!(
                                    group.remembers(),
                                    Resume::Capture,
                                    pc + 1,
                                    a = frame.a,
                                    b = frame.b,
                                    c = frame.c,
                                    d = frame.d
                                );
                            }
                        }
                        self.restore(group, &frame);
                    }
                    Resume::Plain => {
                        then_here!();
                        if back == Code::Once && self.once_target == frame.d {
                            back = Code::NoMatch;
                            continue;
                        }
                        if back != Code::NoMatch {
                            continue;
                        }
                        next_alternative!();
                        if matches!(code[pc as usize], Op::Alternative(_)) {
                            let Op::Open(group, _) = code[frame.d as usize] else {
                                unreachable!("a group")
                            };
                            alternative!(frame.d, group);
                        }
                    }
                    Resume::OnceWithout => {
                        then_here!();
                        if back == Code::NoMatch {
                            next_alternative!();
                            if matches!(code[pc as usize], Op::Alternative(_)) {
                                call!(Resume::OnceWithout, pc + 1, d = frame.d);
                            }
                            continue;
                        }
                        if back != Code::Match {
                            continue;
                        }
                        start = self.start_out as u32;
                        pc = ket(code, pc as usize) as u32;
                        top = self.top_out;
                        at = self.at_out;
                        let Op::Close(kind, _) = code[pc as usize] else {
                            unreachable!("a group ends with its ket")
                        };
                        if kind == Ket::Once || at == frame.at {
                            pc += 1;
                            continue 'ops;
                        }
                        if kind == Ket::Min {
                            call!(Resume::OnceWithoutMin, pc + 1, a = frame.d);
                        }
                        call!(Resume::OnceWithoutMax, frame.d, a = frame.d);
                    }
                    Resume::OnceWithoutMin => {
                        if back == Code::NoMatch {
                            pc = frame.a;
                            continue 'ops;
                        }
                    }
                    Resume::OnceWithoutMax => {
                        if back == Code::NoMatch {
                            pc += 1;
                            continue 'ops;
                        }
                    }
                    Resume::PossessiveCapture | Resume::PossessivePlain => {
                        let Op::Open(group, _) = code[frame.d as usize] else {
                            unreachable!("a group")
                        };
                        let remembers = group.remembers() || frame.zero;
                        if back == Code::Again {
                            top = self.top_out;
                            start = self.start_out as u32;
                            if at == self.at_out {
                                pc = ket(code, frame.d as usize) as u32 + 1;
                                continue 'ops;
                            }
                            at = self.at_out;
                            pc = frame.d;
                            if let Some(number) = group.number() {
                                let begun = self.begun(number);
                                self.places[begun] = i64::from(at);
                            }
                            call_remembered!(
                                remembers,
                                frame.resume,
                                pc + 1,
                                a = frame.a,
                                b = frame.b,
                                c = frame.c,
                                d = frame.d,
                                zero = frame.zero,
                                matched = true
                            );
                        }
                        then_here!();
                        if back != Code::NoMatch {
                            continue;
                        }
                        next_alternative!();
                        if matches!(code[pc as usize], Op::Alternative(_)) {
                            call_remembered!(
                                remembers,
                                frame.resume,
                                pc + 1,
                                a = frame.a,
                                b = frame.b,
                                c = frame.c,
                                d = frame.d,
                                zero = frame.zero,
                                matched = frame.matched
                            );
                        }
                        if !frame.matched && frame.resume == Resume::PossessiveCapture {
                            self.restore(group, &frame);
                        }
                        if frame.matched || frame.zero {
                            pc += 1;
                            continue 'ops;
                        }
                    }
                    Resume::EmptyCondition | Resume::KetMinEmpty => {}
                    Resume::ConditionAssertion => {
                        let holds = match back {
                            Code::Match => true,
                            Code::NoMatch | Code::Then => false,
                            _ => continue,
                        };
                        let open = frame.a;
                        let Op::Open(Group::Condition { empty: may_be_empty }, next) = code[open as usize] else {
                            unreachable!("a condition")
                        };
                        let to = if holds {
                            top = top.max(self.top_out);
                            ket(code, pc as usize) as u32 + 1
                        } else {
                            open + next + 1
                        };
                        pc = to;
                        if !holds && !matches!(code[(open + next) as usize], Op::Alternative(_)) {
                            continue 'ops;
                        }
                        if may_be_empty {
                            call_remembered!(true, Resume::EmptyCondition, to);
                        }
                        count!();
                        continue 'ops;
                    }
                    Resume::Assertion => {
                        if matches!(back, Code::Match | Code::Accept) {
                            if frame.a == 1 {
                                back = Code::Match;
                                continue;
                            }
                            start = self.start_out as u32;
                            pc = ket(code, pc as usize) as u32 + 1;
                            top = self.top_out;
                            continue 'ops;
                        }
                        then_here!();
                        if back != Code::NoMatch {
                            continue;
                        }
                        next_alternative!();
                        if matches!(code[pc as usize], Op::Alternative(_)) {
                            call!(Resume::Assertion, pc + 1, a = frame.a, d = frame.d);
                        }
                    }
                    Resume::NegativeAssertion => {
                        then_here!();
                        let holds = match back {
                            Code::Match | Code::Accept => {
                                back = Code::NoMatch;
                                continue;
                            }
                            Code::NoMatch => {
                                next_alternative!();
                                if matches!(code[pc as usize], Op::Alternative(_)) {
                                    call!(Resume::NegativeAssertion, pc + 1, a = frame.a, d = frame.d);
                                }
                                true
                            }
                            Code::Then | Code::Commit | Code::SkipTo | Code::SkipMark | Code::Prune => true,
                            _ => false,
                        };
                        if !holds {
                            continue;
                        }
                        if frame.a == 1 {
                            back = Code::Match;
                            continue;
                        }
                        pc = ket(code, pc as usize) as u32 + 1;
                        continue 'ops;
                    }
                    Resume::Call => {
                        let Op::Call { group, .. } = code[pc as usize] else {
                            unreachable!("a call")
                        };
                        self.leave_recursion();
                        match back {
                            Code::Match | Code::Accept => {
                                at = self.at_out;
                                start = self.start_out as u32;
                                pc += 1;
                                continue 'ops;
                            }
                            Code::NoMatch => {
                                let (Op::Open(_, next) | Op::Alternative(next)) = code[frame.a as usize] else {
                                    unreachable!("an alternative")
                                };
                                let alternative = frame.a + next;
                                if matches!(code[alternative as usize], Op::Alternative(_)) {
                                    self.enter_recursion(group, at);
                                    let Op::Call { target, .. } = code[pc as usize] else {
                                        unreachable!("a call")
                                    };
                                    let Op::Open(kind, _) = code[target as usize] else {
                                        unreachable!("a group")
                                    };
                                    let remembers = kind.remembers() && kind != Group::Once;
                                    call_remembered!(remembers, Resume::Call, alternative + 1, a = alternative);
                                }
                            }
                            Code::Commit | Code::Prune | Code::SkipTo | Code::SkipMark | Code::Then => {
                                back = Code::NoMatch
                            }
                            _ => {}
                        }
                    }
                    Resume::Zero => {
                        if back == Code::NoMatch {
                            pc = ket(code, pc as usize + 1) as u32 + 1;
                            continue 'ops;
                        }
                    }
                    Resume::ZeroLazy => {
                        if back == Code::NoMatch {
                            pc += 1;
                            continue 'ops;
                        }
                    }
                    Resume::KetMin => {
                        if back != Code::NoMatch {
                            continue;
                        }
                        let Op::Open(group, _) = code[frame.d as usize] else {
                            unreachable!("a group")
                        };
                        if group == Group::Once {
                            call!(Resume::KetMinOnce, frame.d, d = frame.d);
                        }
                        if group.remembers() || matches!(group, Group::Plain { empty: true, .. }) {
                            call!(Resume::KetMinEmpty, frame.d);
                        }
                        pc = frame.d;
                        count!();
                        continue 'ops;
                    }
                    Resume::KetMinOnce | Resume::KetMaxOnce | Resume::KetOnce => {
                        if back == Code::NoMatch {
                            self.once_target = frame.d;
                            back = Code::Once;
                        }
                    }
                    Resume::KetMax => {
                        if back == Code::Once && self.once_target == frame.d {
                            back = Code::NoMatch;
                        }
                        if back != Code::NoMatch {
                            continue;
                        }
                        if matches!(code[frame.d as usize], Op::Open(Group::Once, _)) {
                            call!(Resume::KetMaxOnce, pc + 1, d = frame.d);
                        }
                        pc += 1;
                        count!();
                        continue 'ops;
                    }
                    Resume::RepeatLazy => {
                        if back != Code::NoMatch {
                            continue;
                        }
                        let Op::Repeat(single, Times { max, .. }) = code[pc as usize] else {
                            unreachable!("a repetition")
                        };
                        if frame.a >= max || at >= end {
                            continue;
                        }
                        let Some(next) = step(self, single, at as usize) else {
                            continue;
                        };
                        at = next as u32;
                        call!(Resume::RepeatLazy, pc + 1, a = frame.a + 1);
                    }
                    Resume::RepeatGreedy => {
                        if back != Code::NoMatch {
                            continue;
                        }
                        let Op::Repeat(single, _) = code[pc as usize] else {
                            unreachable!("a repetition")
                        };
                        at = self.one_less(single, at as usize, frame.a as usize) as u32;
                        // What follows is often a character that is not there: no frame for that.
                        if let Op::One(Single::Char(c)) = code[pc as usize + 1]
                            && c < 128
                        {
                            while at > frame.a && u32::from(subject[at as usize]) != c {
                                count!();
                                at = self.one_less(single, at as usize, frame.a as usize) as u32;
                            }
                        }
                        if at <= frame.a {
                            pc += 1;
                            count!();
                            continue 'ops;
                        }
                        call!(Resume::RepeatGreedy, pc + 1, a = frame.a);
                    }
                    Resume::ReferenceLazy => {
                        if back != Code::NoMatch {
                            continue;
                        }
                        let (text, times, caseless) = match code[pc as usize] {
                            Op::Reference { group, times, caseless } => (self.captured(group, top), times, caseless),
                            Op::NamedReference {
                                first,
                                count,
                                times,
                                caseless,
                            } => (self.captured_named(first, count, top), times, caseless),
                            _ => unreachable!("a reference"),
                        };
                        if frame.a >= times.max {
                            continue;
                        }
                        let Some(next) = text.and_then(|text| self.same(text, at as usize, caseless)) else {
                            continue;
                        };
                        at = next as u32;
                        call!(Resume::ReferenceLazy, pc + 1, a = frame.a + 1);
                    }
                    Resume::ReferenceGreedy => {
                        if back != Code::NoMatch || at < frame.a + frame.b {
                            continue;
                        }
                        at -= frame.b;
                        call!(Resume::ReferenceGreedy, pc + 1, a = frame.a, b = frame.b);
                    }
                    Resume::Mark => {
                        let Op::Verb(_, mark) = code[pc as usize] else {
                            unreachable!("a verb")
                        };
                        if back == Code::SkipMark && mark.is_some_and(|m| usize::from(m) == self.start_out) {
                            self.start_out = at as usize;
                            back = Code::SkipTo;
                        }
                    }
                    Resume::Commit => {
                        if back == Code::NoMatch {
                            back = Code::Commit;
                        }
                    }
                    Resume::Prune => {
                        if back == Code::NoMatch {
                            back = Code::Prune;
                        }
                    }
                    Resume::Skip => {
                        if back == Code::NoMatch {
                            self.start_out = at as usize;
                            back = Code::SkipTo;
                        }
                    }
                    Resume::SkipMark => {
                        let Op::Verb(_, mark) = code[pc as usize] else {
                            unreachable!("a verb")
                        };
                        if back == Code::NoMatch {
                            self.start_out = usize::from(mark.unwrap_or(u16::MAX));
                            back = Code::SkipMark;
                        }
                    }
                    Resume::Then => {
                        if back == Code::NoMatch {
                            self.then_at = pc;
                            back = Code::Then;
                        }
                    }
                }
            }
        }
    }

    /// A group that did not match holds what it held before.
    fn restore(&mut self, group: Group, frame: &Frame) {
        let Some(number) = group.number() else { return };
        let place = 2 * usize::from(number);
        let begun = self.begun(number);
        // `UNSET` has passed through an unsigned number.
        let signed = |n: u32| i64::from(n as i32);
        self.places[place] = signed(frame.a);
        self.places[place + 1] = signed(frame.b);
        self.places[begun] = signed(frame.c);
    }

    /// Where as many as possible, at most `most`, of the characters end.
    fn run_of(&self, single: Single, from: usize, most: u32) -> usize {
        let subject = self.subject;
        let limit = subject.len();
        if !self.compiled.settings.utf || matches!(single, Single::Byte) {
            // One byte each: no characters to decode.
            let window = &subject[from..limit.min(from.saturating_add(most as usize))];
            let stop = match single {
                Single::AllAny | Single::Byte => return from + window.len(),
                Single::Any if self.newline == Newline::Lf => window.iter().position(|&b| b == b'\n'),
                Single::Char(c) => window.iter().position(|&b| u32::from(b) != c),
                Single::Neither(c, d) => window.iter().position(|&b| u32::from(b) == c || u32::from(b) == d),
                Single::Digit(negative) => window.iter().position(|&b| ucd::is_digit(b) == negative),
                Single::Space(negative) => window.iter().position(|&b| ucd::is_space(b) == negative),
                Single::Word(negative) => window.iter().position(|&b| ucd::is_word(b) == negative),
                Single::Class(at) => {
                    let class = &self.compiled.classes[at as usize];
                    window.iter().position(|&b| !class.byte(b))
                }
                _ => return self.steps(single, from, most),
            };
            return from + stop.unwrap_or(window.len());
        }
        self.steps(single, from, most)
    }

    fn steps(&self, single: Single, from: usize, most: u32) -> usize {
        let mut at = from;
        let mut n = 0;
        while n < most && at < self.subject.len() {
            let Some(next) = step(self, single, at) else { break };
            at = next;
            n += 1;
        }
        at
    }

    /// Gives one character back; `least` is where the fewest end.
    fn one_less(&self, single: Single, at: usize, least: usize) -> usize {
        match single {
            Single::Byte => at - 1,
            Single::Newline => {
                let to = self.before(at);
                if to > least && self.subject[to] == b'\n' && self.subject[to - 1] == b'\r' {
                    to - 1
                } else {
                    to
                }
            }
            Single::Cluster => {
                let mut to = self.before(at);
                let mut right = self.char_at(to).0;
                while to > least {
                    let left_at = self.before(to);
                    let left = self.char_at(left_at).0;
                    if !ucd::joined(left, right) {
                        break;
                    }
                    (to, right) = (left_at, left);
                }
                to
            }
            _ => self.before(at),
        }
    }
}
