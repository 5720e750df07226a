//! Quantifiers, and items repeated by them.

use super::super::analyze;
use super::super::op::{Group, Ket, Op, RepeatMode, Single, Times, UNLIMITED, Zero};
use super::parentheses::plain;
use super::{CompileResult, Compiler, Lead, MAX_NUMBER, TOO_LARGE};

impl Compiler<'_> {
    /// Is it `n}`, `n,}` or `n,m}`?
    pub(super) fn is_counted(&self, mut at: usize) -> bool {
        let digits = |at: &mut usize| {
            let from = *at;
            while self.byte(*at).is_ascii_digit() {
                *at += 1;
            }
            *at > from
        };
        if !digits(&mut at) {
            return false;
        }
        if self.byte(at) == b'}' {
            return true;
        }
        if self.byte(at) != b',' {
            return false;
        }
        at += 1;
        self.byte(at) == b'}' || (digits(&mut at) && self.byte(at) == b'}')
    }

    /// From `{` to `}`.
    pub(super) fn counts(&mut self) -> CompileResult<(u32, u32)> {
        self.at += 1;
        let read = |this: &mut Self| {
            let mut n = 0_u32;
            while this.peek(0).is_ascii_digit() {
                n = n.saturating_mul(10).saturating_add(u32::from(this.peek(0) - b'0'));
                this.at += 1;
            }
            if n > 65535 {
                return this.fail("number too big in {} quantifier");
            }
            Ok(n)
        };
        let min = read(self)?;
        if self.peek(0) == b'}' {
            return Ok((min, min));
        }
        self.at += 1;
        if self.peek(0) == b'}' {
            return Ok((min, UNLIMITED));
        }
        let max = read(self)?;
        if max < min {
            return self.fail("numbers out of order in {} quantifier");
        }
        Ok((min, max))
    }

    /// The current byte is the last of the quantifier.
    pub(super) fn repeat(&mut self, min: u32, max: u32) -> CompileResult {
        let Some(previous) = self.top().previous else {
            return self.fail("nothing to repeat");
        };
        if min == 0 {
            let top = self.top();
            top.branch_first = top.zero_first;
            top.branch_required = top.zero_required;
        }
        let varies = min != max;
        if self.flags().extended {
            self.at = self.skip_space(self.at + 1, true) - 1;
        }
        if self.looking_at(1, b"(?#") {
            self.at += 4;
            self.skip_comment()?;
        }
        let mode = match self.peek(1) {
            b'+' => {
                self.at += 1;
                RepeatMode::Possessive
            }
            b'?' => {
                self.at += 1;
                if self.flags().ungreedy {
                    RepeatMode::Greedy
                } else {
                    RepeatMode::Lazy
                }
            }
            _ if self.flags().ungreedy => RepeatMode::Lazy,
            _ => RepeatMode::Greedy,
        };
        let times = Times { min, max, mode };
        if let Op::Call { .. } = self.code[previous] {
            // A call that is repeated is atomic.
            self.code.insert(previous, Op::Open(Group::Once, 2));
            self.code.push(Op::Close(Ket::Once, 2));
            let top = self.top();
            top.size += 6;
            top.current += 6;
            top.previous_size = 9;
        }
        match self.code[previous] {
            Op::One(single) => {
                if let (Single::Char(c) | Single::Either(c, _), true) = (single, min > 1) {
                    let caseless = matches!(single, Single::Either(..));
                    if !self.settings.utf || c < 128 {
                        let varying = self.varying;
                        self.top().branch_required = Lead::Byte {
                            byte: c as u8,
                            caseless,
                            varying,
                        };
                    }
                }
                self.replace_item(previous, (max > 0).then_some(Op::Repeat(single, times)), times);
            }
            Op::Reference { group, caseless, .. } => {
                let (times, wrap) = unpossessed(times);
                self.replace_item(
                    previous,
                    (max > 0).then_some(Op::Reference { group, caseless, times }),
                    times,
                );
                if wrap && max > 0 {
                    self.wrap(previous);
                }
            }
            Op::NamedReference {
                first, count, caseless, ..
            } => {
                let (times, wrap) = unpossessed(times);
                let op = Op::NamedReference {
                    first,
                    count,
                    caseless,
                    times,
                };
                self.replace_item(previous, (max > 0).then_some(op), times);
                if wrap && max > 0 {
                    self.wrap(previous);
                }
            }
            Op::Open(group, _) => self.repeat_group(previous, group, times)?,
            other => unreachable!("not repeated: {other:?}"),
        }
        self.top().previous = None;
        self.varying |= varies;
        Ok(())
    }

    fn replace_item(&mut self, previous: usize, op: Option<Op>, times: Times) {
        let before = self.size_of(previous);
        self.code.truncate(previous);
        match op {
            Some(Op::Repeat(single, _)) if times.min == 1 && times.max == 1 => self.code.push(Op::One(single)),
            Some(op) => self.code.push(op),
            None => {}
        }
        let grown = self.size_of(previous) - before;
        let top = self.top();
        top.current += grown;
        top.size += grown.max(0);
    }

    /// Makes an atomic group of all from `from` on.
    fn wrap(&mut self, from: usize) {
        let distance = (self.code.len() - from + 1) as u32;
        self.code.insert(from, Op::Open(Group::Once, distance));
        self.code.push(Op::Close(Ket::Once, distance));
        let top = self.top();
        top.size += 6;
        top.current += 6;
    }

    fn repeat_group(&mut self, previous: usize, group: Group, times: Times) -> CompileResult {
        if matches!(
            (group, self.code.get(previous + 1)),
            (Group::Condition { .. }, Some(Op::Define))
        ) && !self.first_pass
        {
            return Ok(());
        }
        let (min, mut max) = (times.min, times.max);
        if group.is_assertion() {
            if min > 0 {
                return Ok(());
            }
            max = max.min(1);
        }
        if self.first_pass {
            return self.repeated_size(previous, min, max);
        }
        let zero = match times.mode {
            RepeatMode::Lazy => Zero::Lazy,
            _ => Zero::Greedy,
        };
        let length = self.code.len() - previous;
        let mut from = previous;
        let mut has_zero = false;
        let mut opened = Vec::new();
        let empty_group = Op::Open(plain(0), 0);
        let more = if min == 0 {
            if max == 0 {
                self.code.insert(previous, Op::Zero(Zero::Skip));
                return Ok(());
            }
            self.code.insert(previous, Op::Zero(zero));
            from += 1;
            if max == 1 || max == UNLIMITED {
                has_zero = true;
            } else {
                self.code.insert(from, empty_group);
                opened.push(from);
                from += 1;
            }
            (max != UNLIMITED).then(|| max - 1)
        } else {
            if min > 1 {
                if self.top().group_set_first && !self.top().branch_required.is_set() {
                    self.top().branch_required = self.top().branch_first;
                }
                for _ in 1..min {
                    self.code.extend_from_within(from..from + length);
                }
            }
            (max != UNLIMITED).then(|| max - min)
        };
        let mut possessive = times.mode == RepeatMode::Possessive;
        if let Some(more) = more {
            for left in (0..more).rev() {
                self.code.push(Op::Zero(zero));
                if left > 0 {
                    opened.push(self.code.len());
                    self.code.push(empty_group);
                }
                self.code.extend_from_within(from..from + length);
            }
            while let Some(open) = opened.pop() {
                let distance = (self.code.len() - open) as u32;
                self.code.push(Op::Close(Ket::Once, distance));
                self.link(open, distance);
            }
        } else {
            possessive &= self.unlimited(times, has_zero.then_some(previous));
        }
        if possessive {
            self.wrap(previous);
        }
        Ok(())
    }

    /// PCRE's bytes of the copies of a group.
    fn repeated_size(&mut self, previous: usize, min: u32, max: u32) -> CompileResult {
        let size = self.top().previous_size;
        let (min, mut left) = (i64::from(min), if max == UNLIMITED { -1 } else { i64::from(max) });
        let mut more = 0;
        if min == 0 {
            more += if left <= 1 { 1 } else { 4 };
            left -= 1;
        } else {
            more += (min - 1) * size;
            if left > 0 {
                left -= min;
            }
        }
        if left > 0 {
            more += left * (size + 7) - 6;
        }
        let top = self.top();
        top.size += more;
        // A copy would not be looked at in this pass.
        self.code.truncate(previous + 1);
        self.code[previous] = Op::Open(plain(0), 1);
        self.code.push(Op::Close(Ket::Once, 1));
        if self.top().size > MAX_NUMBER - 20 {
            return self.fail(TOO_LARGE);
        }
        Ok(())
    }

    /// Sets the repeating ket of the last group. Is an atomic group still to be made, if the repetition is possessive?
    fn unlimited(&mut self, times: Times, zero: Option<usize>) -> bool {
        let ket = self.code.len() - 1;
        let Op::Close(_, back) = self.code[ket] else {
            unreachable!("a group ends with its ket")
        };
        let open = ket - back as usize;
        let Op::Open(group, next) = self.code[open] else {
            unreachable!("a ket knows its group")
        };
        let possessive = times.mode == RepeatMode::Possessive;
        let repeats = if times.mode == RepeatMode::Lazy {
            Ket::Min
        } else {
            Ket::Max
        };
        let group = match group {
            Group::Once | Group::OnceWithout if possessive => plain(0),
            group => group,
        };
        if matches!(group, Group::Once | Group::OnceWithout) {
            self.code[ket] = Op::Close(repeats, back);
            return false;
        }
        let mut empty = false;
        let mut branch = open;
        while let Op::Open(_, next) | Op::Alternative(next) = self.code[branch] {
            empty = empty || analyze::could_be_empty(&self.code, branch, ket, &mut Vec::new());
            branch += next as usize;
        }
        let (kind, is_condition) = match group {
            Group::Condition { .. } => {
                let one_branch = !matches!(self.code[open + next as usize], Op::Alternative(_));
                (
                    Group::Condition {
                        empty: empty || one_branch,
                    },
                    true,
                )
            }
            Group::Plain { number, .. } => (
                Group::Plain {
                    number,
                    empty,
                    possessive,
                },
                false,
            ),
            other => (other, false),
        };
        self.code[open] = Op::Open(kind, next);
        if !possessive {
            self.code[ket] = Op::Close(repeats, back);
            return false;
        }
        if is_condition {
            let empty = kind == (Group::Condition { empty: true });
            let distance = back + 2;
            self.code.insert(
                open,
                Op::Open(
                    Group::Plain {
                        number: 0,
                        empty,
                        possessive: true,
                    },
                    distance,
                ),
            );
            self.code.push(Op::Close(Ket::Possessive, distance));
        } else {
            self.code[ket] = Op::Close(Ket::Possessive, back);
        }
        if let Some(at) = zero {
            self.code[at] = Op::Zero(Zero::Possessive);
        }
        times.min >= 2
    }
}

fn unpossessed(times: Times) -> (Times, bool) {
    match times.mode {
        RepeatMode::Possessive => (
            Times {
                mode: RepeatMode::Greedy,
                ..times
            },
            true,
        ),
        _ => (times, false),
    }
}
