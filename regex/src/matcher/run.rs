//! The loop: operations forward, frames back.

use super::super::analyze::ket;
use super::super::op::{Group, Ket, Op, RepeatMode, Single, Times, UNLIMITED, Verb, Zero};
use super::super::search::Limit;
use super::steps::step;
use super::{Code, Matcher, MatcherFrame, NOTHING, Resume, UNSET};

impl Matcher<'_> {
    /// Tries to match at `begin`.
    #[expect(
        clippy::too_many_lines,
        reason = "the matcher's loop: one flat match over its operations"
    )]
    pub(crate) fn run(&mut self, begin: usize) -> Code {
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
                    let mut frame = MatcherFrame {
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
                        if mode == RepeatMode::Lazy {
                            call!(Resume::RepeatLazy, pc + 1, a = n);
                        }
                        let least = at;
                        at = self.run_of(single, at as usize, max - n) as u32;
                        // Far faster than steps, but not free.
                        self.work += u64::from((at - least) >> 4);
                        if mode == RepeatMode::Possessive || at == least {
                            if mode != RepeatMode::Possessive {
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
                        if times.mode == RepeatMode::Lazy {
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
                            let old = self.begin(number, at);
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
                            let old = self.begin(number, at);
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
                let Some(frame) = self.frames.pop() else {
                    self.work += u64::from(calls);
                    return back;
                };
                MatcherFrame {
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
                        // One more byte is a whole character, if it is not one of the fewest.
                        let next = match single {
                            Single::Byte => Some(self.char_at(at as usize).1),
                            _ => step(self, single, at as usize),
                        };
                        let Some(next) = next else {
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
}
