//! The captures of groups, and what calls of groups keep.

use super::super::op::Group;
use super::super::ucd;
use super::{Matcher, MatcherFrame, Recursion, UNSET};

impl Matcher<'_> {
    /// What a set group holds; `top`: of which groups are the places valid?
    #[inline]
    pub(super) fn captured(&self, group: u16, top: u32) -> Option<(usize, usize)> {
        let place = 2 * usize::from(group);
        let from = *self.places.get(place)?;
        (place < top as usize && from >= 0).then(|| (from as usize, self.places[place + 1] as usize))
    }

    /// The first of the groups of a name that is set.
    pub(super) fn captured_named(&self, first: u16, count: u16, top: u32) -> Option<(usize, usize)> {
        let names = &self.compiled.names[usize::from(first)..usize::from(first) + usize::from(count)];
        names.iter().find_map(|&(_, group)| self.captured(group, top))
    }

    /// Is the same text at `at`? Returns where it ends.
    pub(super) fn same(&self, (from, to): (usize, usize), at: usize, caseless: bool) -> Option<usize> {
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
    #[inline]
    pub(super) fn capture(&mut self, group: u16, at: u32, top: &mut u32) {
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
    #[inline]
    pub(super) fn begun(&self, group: u16) -> usize {
        2 * (usize::from(self.compiled.groups) + 1) + usize::from(group)
    }

    /// A group begins here. Returns its previous state: its captured places, and where it had begun.
    pub(super) fn begin(&mut self, group: u16, at: u32) -> (u32, u32, u32) {
        let place = 2 * usize::from(group);
        let begun = self.begun(group);
        let old = (self.places[place], self.places[place + 1], self.places[begun]);
        self.places[begun] = i64::from(at);
        (old.0 as u32, old.1 as u32, old.2 as u32)
    }

    pub(super) fn enter_recursion(&mut self, group: u16, at: u32) {
        let saved = self.saved.len();
        self.saved.extend_from_slice(&self.places);
        self.recursions.push(Recursion { group, at, saved });
    }

    pub(super) fn leave_recursion(&mut self) {
        let Recursion { saved, .. } = self.recursions.pop().expect("a call is a recursion");
        self.places.copy_from_slice(&self.saved[saved..]);
        self.saved.truncate(saved);
    }

    /// Restores the capture of a group that did not match.
    #[inline]
    pub(super) fn restore(&mut self, group: Group, frame: &MatcherFrame) {
        let Some(number) = group.number() else { return };
        let place = 2 * usize::from(number);
        let begun = self.begun(number);
        // `UNSET` has passed through an unsigned number.
        let signed = |n: u32| i64::from(n as i32);
        self.places[place] = signed(frame.a);
        self.places[place + 1] = signed(frame.b);
        self.places[begun] = signed(frame.c);
    }
}
