//! Properties of operations: can they match nothing, is their length fixed, where can a match begin?

use super::op::{Group, Ket, Op, Single, UNLIMITED, Verb};

/// Where the group with a number is first.
pub(super) fn find_group(code: &[Op], number: u16) -> Option<usize> {
    code.iter()
        .position(|op| matches!(op, Op::Open(group, _) if group.number() == Some(number)))
}

/// The ket of the group or alternative at `at`; a group that is not complete has none and is its own.
pub(super) fn ket(code: &[Op], mut at: usize) -> usize {
    while let Op::Open(_, next) | Op::Alternative(next) = code[at]
        && next > 0
    {
        at += next as usize;
    }
    at
}

pub(super) enum NotFixed {
    /// It holds a call whose group may not be known yet.
    Call,
    Byte,
    Varies,
}

/// The groups that are being examined because of calls.
pub(super) struct Chain<'c> {
    before: Option<&'c Chain<'c>>,
    group: usize,
}

impl Chain<'_> {
    fn has(this: Option<&Self>, group: usize) -> bool {
        let mut at = this;
        while let Some(chain) = at {
            if chain.group == group {
                return true;
            }
            at = chain.before;
        }
        false
    }
}

/// How many characters the alternatives from the one at `start` on match; `known`: have all groups been compiled?
pub(super) fn fixed_length(code: &[Op], start: usize, known: bool, chain: Option<&Chain<'_>>) -> Result<u32, NotFixed> {
    let only_branch = chain.is_none() && matches!(code.get(start + 1), Some(Op::Back(_)));
    let mut length = None;
    let mut here: u32 = 0;
    let mut at = start + 1;
    loop {
        match code.get(at) {
            Some(Op::Open(group, _)) if group.is_assertion() => at = ket(code, at) + 1,
            Some(Op::Open(
                Group::Plain {
                    empty: false,
                    possessive: false,
                    ..
                }
                | Group::Once
                | Group::OnceWithout
                | Group::Condition { empty: false },
                _,
            )) => {
                here = here.saturating_add(fixed_length(
                    code,
                    at,
                    known,
                    Some(&Chain {
                        before: chain,
                        group: usize::MAX,
                    }),
                )?);
                at = ket(code, at) + 1;
            }
            None
            | Some(
                Op::End | Op::Alternative(_) | Op::Close(Ket::Once, _) | Op::Verb(Verb::Accept | Verb::AssertAccept, _),
            ) => {
                if length.is_some_and(|l| l != here) {
                    return Err(NotFixed::Varies);
                }
                length = Some(here);
                if only_branch || !matches!(code.get(at), Some(Op::Alternative(_))) {
                    return Ok(here);
                }
                here = 0;
                at += 1;
            }
            Some(&Op::Call { target, .. }) => {
                if !known {
                    return Err(NotFixed::Call);
                }
                let target = target as usize;
                if (target..=ket(code, target)).contains(&at) || Chain::has(chain, target) {
                    return Err(NotFixed::Varies);
                }
                let inner = Chain {
                    before: chain,
                    group: target,
                };
                here = here.saturating_add(fixed_length(code, target, known, Some(&inner))?);
                at += 1;
            }
            Some(Op::One(Single::Byte)) => return Err(NotFixed::Byte),
            Some(Op::One(Single::Newline | Single::Cluster)) => return Err(NotFixed::Varies),
            Some(Op::One(_)) => {
                here = here.saturating_add(1);
                at += 1;
            }
            Some(Op::Repeat(_, times)) if times.min == times.max => {
                here = here.saturating_add(times.min);
                at += 1;
            }
            Some(
                Op::Open(..)
                | Op::Close(..)
                | Op::Repeat(..)
                | Op::Zero(_)
                | Op::Reference { .. }
                | Op::NamedReference { .. },
            ) => {
                return Err(NotFixed::Varies);
            }
            Some(_) => at += 1,
        }
    }
}

/// Skips operations that say nothing about how a match begins.
fn significant(code: &[Op], mut at: usize, skip_assertions: bool) -> usize {
    loop {
        match code.get(at) {
            Some(Op::Open(Group::Ahead { negative: true } | Group::Behind { .. }, _)) if skip_assertions => {
                at = ket(code, at) + 1
            }
            Some(Op::WordBoundary { .. }) if skip_assertions => at += 1,
            Some(
                Op::Callout
                | Op::IfGroup(_)
                | Op::IfNamed { .. }
                | Op::IfRecursion(_)
                | Op::IfNamedRecursion { .. }
                | Op::Define,
            ) => at += 1,
            _ => return at,
        }
    }
}

/// Can the alternative at `start`, of which there is what is before `end`, match nothing?
pub(super) fn could_be_empty(code: &[Op], start: usize, end: usize, calls: &mut Vec<usize>) -> bool {
    let mut at = significant(code, start + 1, true);
    while at < end {
        at = match code[at] {
            Op::Open(Group::Ahead { .. }, _) => ket(code, at) + 1,
            Op::Call { group, .. } => {
                let Some(target) = (if group == 0 { Some(0) } else { find_group(code, group) }) else {
                    return true;
                };
                // PCRE fills in where a group behind the call begins only at the end of the pattern.
                if target > at || matches!(code[target], Op::Open(_, 0)) {
                    return true;
                }
                let last = ket(code, target);
                if !(target..=last).contains(&at) && !calls.contains(&target) {
                    calls.push(target);
                    let empty = any_branch_empty(code, target, end, calls);
                    calls.pop();
                    if !empty {
                        return false;
                    }
                }
                at + 1
            }
            Op::Zero(_) => ket(code, at + 1) + 1,
            Op::Open(Group::Plain { empty: true, .. }, _) => ket(code, at) + 1,
            Op::Open(group, next) => {
                if next == 0 {
                    return true;
                }
                let one_branch = !matches!(code[at + next as usize], Op::Alternative(_));
                let implied = matches!(group, Group::Condition { .. }) && one_branch;
                if !implied && !any_branch_empty(code, at, end, calls) {
                    return false;
                }
                ket(code, at) + 1
            }
            Op::One(_) => return false,
            Op::Repeat(_, times) if times.min > 0 => return false,
            Op::Close(..) | Op::Alternative(_) => return true,
            _ => at + 1,
        };
        at = significant(code, at, true);
    }
    true
}

fn any_branch_empty(code: &[Op], group: usize, end: usize, calls: &mut Vec<usize>) -> bool {
    let mut at = group;
    while let Op::Open(_, next) | Op::Alternative(next) = code[at] {
        if could_be_empty(code, at, end, calls) {
            return true;
        }
        at += next as usize;
    }
    false
}

/// Other facts that determine where a match can begin.
pub(super) struct Facts {
    /// Groups that are referred to, as bits.
    pub(super) references: u32,
    pub(super) prune_or_skip: bool,
}

fn with(map: u32, group: u16) -> u32 {
    match group {
        0 => map,
        1..32 => map | 1 << group,
        _ => map | 1,
    }
}

/// Can the group at `at` only match where the search begins? `map`: the groups around it, `atoms`: the atomic ones among them.
pub(super) fn is_anchored(code: &[Op], mut at: usize, map: u32, facts: &Facts, atoms: u32) -> bool {
    while let Op::Open(_, next) | Op::Alternative(next) = code[at] {
        let first = significant(code, at + 1, false);
        let anchored = match code[first] {
            Op::Open(Group::Plain { number, .. }, _) => is_anchored(code, first, with(map, number), facts, atoms),
            Op::Open(Group::Ahead { negative: false }, _) => is_anchored(code, first, map, facts, atoms),
            Op::Open(Group::Condition { empty: false }, next) => {
                matches!(code[first + next as usize], Op::Alternative(_)) && is_anchored(code, first, map, facts, atoms)
            }
            Op::Open(Group::Once | Group::OnceWithout, _) => is_anchored(code, first, map, facts, atoms + 1),
            Op::Repeat(Single::AllAny, times) if times.min == 0 && times.max == UNLIMITED => {
                map & facts.references == 0 && atoms == 0 && !facts.prune_or_skip
            }
            Op::SubjectStart | Op::MatchStart | Op::Circumflex { multiline: false } => true,
            _ => false,
        };
        if !anchored {
            return false;
        }
        at += next as usize;
    }
    true
}

/// Can the group at `at` only match at the start of a line?
pub(super) fn is_start_of_line(
    code: &[Op],
    mut at: usize,
    map: u32,
    facts: &Facts,
    atoms: u32,
    asserted: bool,
) -> bool {
    while let Op::Open(_, next) | Op::Alternative(next) = code[at] {
        let mut first = significant(code, at + 1, false);
        if let Op::Open(Group::Condition { empty: false }, _) = code[first] {
            first += 1;
            if code[first] == Op::Callout {
                first += 1;
            }
            if !matches!(code[first], Op::Open(..)) || !is_start_of_line(code, first, map, facts, atoms, true) {
                return false;
            }
            first = significant(code, ket(code, first) + 1, false);
        }
        let starts = match code[first] {
            Op::Open(Group::Plain { number, .. }, _) => {
                is_start_of_line(code, first, with(map, number), facts, atoms, asserted)
            }
            Op::Open(Group::Ahead { negative: false }, _) => is_start_of_line(code, first, map, facts, atoms, true),
            Op::Open(Group::Once | Group::OnceWithout, _) => {
                is_start_of_line(code, first, map, facts, atoms + 1, asserted)
            }
            Op::Repeat(Single::Any, times) if times.min == 0 && times.max == UNLIMITED => {
                map & facts.references == 0 && atoms == 0 && !facts.prune_or_skip && !asserted
            }
            Op::Circumflex { .. } => true,
            _ => false,
        };
        if !starts {
            return false;
        }
        at += next as usize;
    }
    true
}

/// The byte with which every match of the group at `at` begins, as assertions say; and is it caseless?
pub(super) fn first_asserted(code: &[Op], mut at: usize, asserted: bool, utf: bool) -> Option<(u8, bool)> {
    let mut all = None;
    while let Op::Open(_, next) | Op::Alternative(next) = code[at] {
        let first = significant(code, at + 1, true);
        let byte = |c: u32| match char::from_u32(c) {
            Some(c) if utf => c.encode_utf8(&mut [0; 4]).as_bytes()[0],
            _ => c as u8,
        };
        let found = match code[first] {
            Op::Open(
                group @ (Group::Plain { .. } | Group::Ahead { negative: false } | Group::Once | Group::OnceWithout),
                _,
            ) => {
                // A group that can match nothing and captures nothing says nothing.
                if let Group::Plain {
                    number: 0, empty: true, ..
                } = group
                {
                    return None;
                }
                first_asserted(code, first, group.is_assertion(), utf)?
            }
            Op::One(Single::Char(c)) if asserted => (byte(c), false),
            Op::One(Single::Either(c, _)) if asserted => (byte(c), true),
            Op::Repeat(Single::Char(c), times) if asserted && times.min > 0 => (byte(c), false),
            Op::Repeat(Single::Either(c, _), times) if asserted && times.min > 0 => (byte(c), true),
            _ => return None,
        };
        if all.is_some_and(|before| before != found) {
            return None;
        }
        all = Some(found);
        at += next as usize;
    }
    all
}
