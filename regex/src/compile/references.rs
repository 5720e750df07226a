//! References to groups and calls of them.

use super::super::Error;
use super::super::analyze;
use super::super::op::{Op, RepeatMode, Times};
use super::super::ucd;
use super::parentheses::closing;
use super::{BAD_G, CompileResult, Compiler, Lead, MAX_NAME, NO_REFERENCE, NON_DIGIT, ZERO_REFERENCE};

impl Compiler<'_> {
    pub(super) fn reference(&mut self, group: u16) {
        let once = Times {
            min: 1,
            max: 1,
            mode: RepeatMode::Greedy,
        };
        let caseless = self.flags().caseless;
        let top = self.top();
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
            top.zero_first = Lead::None;
        }
        self.begin_item();
        self.emit(Op::Reference {
            group,
            caseless,
            times: once,
        });
        self.referred(group);
    }

    fn referred(&mut self, group: u16) {
        self.reference_map |= if group < 32 { 1 << group } else { 1 };
        self.top_reference = self.top_reference.max(group);
        self.mark_open(group);
    }

    fn mark_open(&mut self, group: u16) {
        if let Some(open) = self.open_captures.iter_mut().rev().find(|(n, _)| *n == group) {
            open.1 = true;
        }
    }

    /// A name from behind the current byte: where it begins. The current byte becomes the one after it.
    pub(super) fn name(&mut self) -> CompileResult<usize> {
        self.at += 1;
        let from = self.at;
        if self.peek(0).is_ascii_digit() {
            return self.fail(NON_DIGIT);
        }
        while ucd::is_word(self.peek(0)) {
            self.at += 1;
        }
        Ok(from)
    }

    /// A name up to `end` that is called or referred to.
    pub(super) fn named_use(&mut self, end: u8, is_call: bool) -> CompileResult {
        let from = self.name()?;
        let name = &self.pattern[from..self.at];
        if self.first_pass {
            if name.is_empty() {
                return self.fail("subpattern name expected");
            }
            if self.peek(0) != end {
                return self.fail("syntax error in subpattern name (missing terminator)");
            }
            if name.len() > MAX_NAME {
                return self.fail("subpattern name is too long (maximum 32 characters)");
            }
            let numbers: Vec<u16> = self.named.iter().filter(|(n, _)| n == name).map(|&(_, n)| n).collect();
            if is_call {
                return self.call(numbers.first().copied().unwrap_or(0));
            }
            for number in &numbers {
                self.mark_open(*number);
            }
            self.top().size += 18;
            self.reference(numbers.last().copied().unwrap_or(0));
            return Ok(());
        }
        let first = self.named.partition_point(|(n, _)| n.as_slice() < name);
        let count = self.named[first..].iter().take_while(|(n, _)| n == name).count();
        if count == 0 {
            return self.fail(NO_REFERENCE);
        }
        if is_call {
            return self.call(self.named[first].1);
        }
        if count == 1 {
            self.reference(self.named[first].1);
            return Ok(());
        }
        let once = Times {
            min: 1,
            max: 1,
            mode: RepeatMode::Greedy,
        };
        let caseless = self.flags().caseless;
        if self.top().branch_first == Lead::Unset {
            self.top().branch_first = Lead::None;
        }
        self.begin_item();
        self.emit(Op::NamedReference {
            first: first as u16,
            count: count as u16,
            caseless,
            times: once,
        });
        for at in first..first + count {
            self.referred(self.named[at].1);
        }
        Ok(())
    }

    /// After `\g`, before `<` or `'`.
    pub(super) fn call_in_quotes(&mut self) -> CompileResult {
        self.at += 1;
        let end = closing(self.peek(0));
        let c = self.peek(1);
        if !matches!(c, b'+' | b'-') && !c.is_ascii_digit() {
            return self.named_use(end, true);
        }
        let mut at = self.at + 2;
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        if self.byte(at) != end {
            return self.fail(BAD_G);
        }
        self.at += 1;
        self.call_number(end)
    }

    /// From the sign or the first digit.
    pub(super) fn call_number(&mut self, end: u8) -> CompileResult {
        let sign = self.peek(0);
        if sign == b'+' {
            if !self.peek(1).is_ascii_digit() {
                self.at += 1;
                return self.fail("digit expected after (?+");
            }
        } else if sign == b'-' {
            if !self.peek(1).is_ascii_digit() {
                return self.inline_options();
            }
        } else {
            self.at -= 1;
        }
        let n = self.number();
        self.at += 1;
        let mut n = n.map_err(|e| Error { at: self.at, ..e })?;
        if self.peek(0) != end {
            return self.fail("(?R or (?[+-]digits must be followed by )");
        }
        if matches!(sign, b'+' | b'-') {
            if n == 0 {
                return self.fail(ZERO_REFERENCE);
            }
            n = if sign == b'-' {
                i64::from(self.number) - n + 1
            } else {
                n + i64::from(self.number)
            };
            if n <= 0 {
                return self.fail(NO_REFERENCE);
            }
        }
        self.call(u16::try_from(n).unwrap_or(u16::MAX))
    }

    pub(super) fn call(&mut self, group: u16) -> CompileResult {
        let found = (group == 0)
            .then_some(0)
            .or_else(|| analyze::find_group(&self.code, group));
        if !self.first_pass {
            match found {
                None if group > self.final_number => return self.fail(NO_REFERENCE),
                None => {}
                Some(at) => {
                    let is_open = matches!(self.code[at], Op::Open(_, 0));
                    if is_open && self.top().condition_depth == 0 && self.could_loop(at) {
                        return self.fail("recursive call could loop indefinitely");
                    }
                }
            }
        }
        self.begin_item();
        self.emit(Op::Call { group, target: 0 });
        let top = self.top();
        top.group_set_first = false;
        if top.branch_first == Lead::Unset {
            top.branch_first = Lead::None;
        }
        top.zero_first = top.branch_first;
        Ok(())
    }

    /// Can the open group at `at` come to here without a character?
    fn could_loop(&self, at: usize) -> bool {
        self.frames
            .iter()
            .rev()
            .take_while(|f| f.branch >= at)
            .all(|f| analyze::could_be_empty(&self.code, f.branch, self.code.len(), &mut Vec::new()))
    }
}
