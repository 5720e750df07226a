//! The end of a compilation: calls find their groups, and facts for the search are collected.

use super::super::analyze;
use super::super::op::Op;
use super::super::optimize;
use super::super::ucd;
use super::{CompileResult, CompiledPattern, Compiler, GroupFrame, Lead, NO_BYTE_BEHIND, NO_REFERENCE, NOT_FIXED};

impl Compiler<'_> {
    pub(super) fn finish(mut self) -> CompileResult<CompiledPattern> {
        if self.at < self.pattern.len() {
            return self.fail("unmatched parentheses");
        }
        self.code.push(Op::End);
        for at in 0..self.code.len() {
            if let Op::Call { group, .. } = self.code[at] {
                let target = if group == 0 {
                    Some(0)
                } else {
                    analyze::find_group(&self.code, group)
                };
                let Some(target) = target else {
                    return self.fail("internal error: previously-checked referenced subpattern not found");
                };
                self.code[at] = Op::Call {
                    group,
                    target: target as u32,
                };
            }
        }
        if self.top_reference > self.number {
            return self.fail(NO_REFERENCE);
        }
        if self.check_behind {
            self.check_lookbehinds()?;
        }
        let GroupFrame { first, required, .. } = self.frames.pop().expect("the whole pattern is a frame");
        let required = if self.had_accept { Lead::None } else { required };
        let utf = self.settings.utf;
        let facts = analyze::Facts {
            references: self.reference_map,
            prune_or_skip: self.had_prune_or_skip,
        };
        let anchored = self.settings.anchored || analyze::is_anchored(&self.code, 0, 0, &facts, 0);
        let byte = |lead| match lead {
            Lead::Byte { byte, caseless, .. } => Some((byte, caseless && ucd::flip(byte) != byte)),
            _ => None,
        };
        let mut first = byte(first).filter(|_| !anchored);
        let mut start_of_line = false;
        if !anchored && first.is_none() {
            first = analyze::first_asserted(&self.code, 0, false, utf)
                .map(|(b, caseless)| (b, caseless && ucd::flip(b) != b));
            start_of_line = first.is_none() && analyze::is_start_of_line(&self.code, 0, 0, &facts, 0, false);
        }
        let required = match required {
            Lead::Byte { varying: false, .. } if anchored => None,
            lead => byte(lead),
        };
        let mut compiled = CompiledPattern {
            code: self.code,
            classes: self.classes,
            literals: Vec::new(),
            names: self.named,
            groups: self.number,
            settings: self.settings,
            anchored,
            first,
            required,
            start_of_line,
            has_then: self.has_then,
            has_verb: self.has_verb,
            mentions_newline: self.mentions_newline,
            starts: None,
        };
        optimize::run(&mut compiled);
        Ok(compiled)
    }

    /// Lookbehinds with calls: their groups are known now.
    fn check_lookbehinds(&mut self) -> CompileResult {
        for at in 1..self.code.len() {
            if self.code[at] == Op::Back(0) {
                match analyze::fixed_length(&self.code, at - 1, true, None) {
                    Ok(n) => self.code[at] = Op::Back(n),
                    Err(analyze::NotFixed::Byte) => return self.fail(NO_BYTE_BEHIND),
                    Err(_) => return self.fail(NOT_FIXED),
                }
            }
        }
        Ok(())
    }
}
