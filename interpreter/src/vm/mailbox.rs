//! The mailbox of one process: messages in arrival order, and the position where the current `receive` scans.

use std::collections::VecDeque;

use crate::heap::{Fragment, Heap};
use crate::term::Term;

/// The unique name of a message (semantics.md §2). The machine does not interpret it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct MessageTag(pub u64, pub u64);

/// One message in a mailbox.
#[derive(Clone, Debug)]
pub struct MailboxEntry {
    tag: MessageTag,
    /// The message outside any heap; kept until it is consumed, so that it can be removed or shown without a heap.
    fragment: Fragment,
    /// The number of references that its receiver had made when it arrived. The message cannot contain later ones.
    references: u64,
    /// The message in the process's heap, once a `receive` has scanned it. A root of the collector.
    imported: Option<Term>,
}

impl MailboxEntry {
    /// The message's name.
    #[must_use]
    pub fn tag(&self) -> MessageTag {
        self.tag
    }
    /// The message.
    #[must_use]
    pub fn fragment(&self) -> &Fragment {
        &self.fragment
    }
}

/// Messages that have arrived and were not consumed yet, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Mailbox {
    entries: VecDeque<MailboxEntry>,
    /// The next entry for the current `receive`. invariant: at most `entries.len()`.
    cursor: usize,
    /// So many messages at the front are priority messages. invariant: at most `entries.len()`.
    urgent: usize,
    /// Messages from here on were never scanned, so the collector can skip them. invariant: at most `entries.len()`.
    scanned: usize,
    /// Is the last received message kept, for an observer?
    keeps: bool,
    kept: Option<Box<Fragment>>,
    /// Approximate memory of the entries, in words.
    words: usize,
}

/// Overhead of an entry in words.
const ENTRY_WORDS: usize = size_of::<MailboxEntry>() / size_of::<u64>();

impl Mailbox {
    /// Frees the memory of an empty mailbox.
    pub(super) fn release(&mut self) {
        if self.entries.is_empty() {
            self.entries = VecDeque::new();
        }
    }
    /// From now on, keeps the last received message.
    pub const fn keep_received(&mut self) {
        self.keeps = true;
    }
    /// Takes the last received message, if it is kept.
    pub fn take_kept(&mut self) -> Option<Fragment> {
        self.kept.take().map(|fragment| *fragment)
    }
    /// Appends a message. `references`: how many the receiver has made so far.
    pub(super) fn push(&mut self, tag: MessageTag, fragment: Fragment, references: u64) {
        self.words += fragment.size() + ENTRY_WORDS;
        self.entries.push_back(MailboxEntry {
            tag,
            fragment,
            references,
            imported: None,
        });
    }
    /// Makes the last message a priority message: it comes before all ordinary ones. The current scan looks at it.
    pub(super) fn put_first(&mut self) {
        let Some(entry) = self.entries.pop_back() else { return };
        let at = self.urgent;
        self.urgent += 1;
        self.scanned = self.scanned.min(self.entries.len());
        if at < self.scanned {
            self.scanned += 1;
        }
        self.cursor = self.cursor.min(at);
        self.entries.insert(at, entry);
    }
    /// As `put_first`, if the last message is this one.
    pub fn put_first_if(&mut self, tag: MessageTag) {
        if self.entries.back().is_some_and(|entry| entry.tag == tag) {
            self.put_first();
        }
    }
    /// Number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Approximate memory of the messages, in words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }
    /// No messages?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// Names of the messages, oldest first.
    pub fn tags(&self) -> impl Iterator<Item = MessageTag> + '_ {
        self.entries.iter().map(|e| e.tag)
    }
    /// The messages, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &MailboxEntry> {
        self.entries.iter()
    }
    /// Removes a message without receiving it.
    pub fn remove(&mut self, tag: MessageTag) -> Option<Fragment> {
        self.remove_from(0, tag)
    }
    /// As [`Mailbox::remove`], for a message that arrived after the receiver had made the reference of this number.
    pub fn remove_since(&mut self, reference: u64, tag: MessageTag) -> Option<Fragment> {
        self.remove_from(self.first_since(reference), tag)
    }
    fn remove_from(&mut self, first: usize, tag: MessageTag) -> Option<Fragment> {
        let at = first + self.entries.range(first..).position(|e| e.tag == tag)?;
        if at < self.cursor {
            self.cursor -= 1;
        }
        if at < self.scanned {
            self.scanned -= 1;
        }
        if at < self.urgent {
            self.urgent -= 1;
        }
        let fragment = self.entries.remove(at).map(|e| e.fragment)?;
        self.words -= fragment.size() + ENTRY_WORDS;
        Some(fragment)
    }

    /// Drops all messages; the scan begins again.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        (self.cursor, self.urgent, self.scanned, self.words) = (0, 0, 0, 0);
    }

    /// Removes the oldest message without receiving it.
    pub fn pop(&mut self) -> Option<(MessageTag, Fragment)> {
        let tag = self.entries.front()?.tag;
        Some((tag, self.remove(tag)?))
    }

    /// The current message of the scan, imported into the heap at the first time; `None` at the end.
    #[inline]
    pub(super) fn peek(&mut self, heap: &mut Heap) -> Option<Term> {
        let entry = self.entries.get_mut(self.cursor)?;
        self.scanned = self.scanned.max(self.cursor + 1);
        Some(*entry.imported.get_or_insert_with(|| heap.import(&entry.fragment)))
    }
    /// Consumes the current message of the scan.
    pub(super) fn accept(&mut self) -> MessageTag {
        let at = std::mem::take(&mut self.cursor);
        // invariant: `peek` has scanned it.
        self.scanned -= 1;
        self.urgent -= usize::from(at < self.urgent);
        let entry = if at == 0 {
            self.entries.pop_front()
        } else {
            self.entries.remove(at)
        };
        let MailboxEntry { tag, fragment, .. } = entry.expect("accept follows a successful peek");
        self.words -= fragment.size() + ENTRY_WORDS;
        if self.keeps {
            self.kept = Some(Box::new(fragment));
        }
        tag
    }
    /// The message does not match: moves on to the next one.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.cursor += 1;
    }
    /// Starts a scan from the oldest message.
    #[inline]
    pub(super) fn rewind(&mut self) {
        self.cursor = 0;
    }
    /// Starts a scan for messages that contain the receiver's reference of this number: messages that arrived before it was made are skipped.
    pub(super) fn rewind_to(&mut self, reference: u64) {
        self.cursor = self.first_since(reference);
    }
    /// Where the messages begin that arrived after the receiver had made the reference of this number.
    fn first_since(&self, reference: u64) -> usize {
        if self.urgent > 0 {
            // They are not in the order of their arrival.
            return 0;
        }
        self.entries.partition_point(|entry| entry.references < reference)
    }
    /// Messages that are in the heap, for the collector.
    pub(super) fn roots(&mut self) -> impl Iterator<Item = &mut Term> {
        let scanned = self.entries.iter_mut().take(self.scanned);
        scanned.filter_map(|e| e.imported.as_mut())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn mailbox(n: i64) -> (Mailbox, Heap) {
        let mut heap = Heap::new(Arc::default());
        let mut mailbox = Mailbox::default();
        for i in 0..n {
            let message = heap.make_tuple(&[Term::small(i)]);
            mailbox.push(MessageTag(1, i as u64), heap.export(message), i as u64 / 2);
        }
        (mailbox, heap)
    }

    #[test]
    fn messages_older_than_a_reference_are_passed_over() {
        let (mut mailbox, mut heap) = mailbox(7);
        mailbox.rewind_to(2);
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 4));
        mailbox.rewind_to(1);
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 2));
        assert_eq!(mailbox.roots().count(), 0, "what was passed over is in no heap");
        mailbox.rewind_to(9);
        assert!(mailbox.peek(&mut heap).is_none());
        mailbox.rewind();
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 0));
    }

    #[test]
    fn what_arrived_before_a_reference_is_not_looked_at_to_remove_a_message() {
        let (mut mailbox, _) = mailbox(7);
        assert!(mailbox.remove_since(2, MessageTag(1, 3)).is_none(), "it is older");
        assert!(mailbox.remove_since(2, MessageTag(1, 5)).is_some());
        assert!(mailbox.remove_since(9, MessageTag(1, 6)).is_none());
        assert!(mailbox.remove(MessageTag(1, 3)).is_some());
        assert_eq!(mailbox.len(), 5);
    }

    #[test]
    fn priority_messages_come_first_in_the_order_of_their_arrival() {
        let (mut mailbox, mut heap) = mailbox(4);
        // A receive has looked at three messages and waits for others.
        for _ in 0..3 {
            assert!(mailbox.peek(&mut heap).is_some());
            mailbox.advance();
        }
        mailbox.put_first();
        let order = |mailbox: &Mailbox| mailbox.tags().map(|tag| tag.1).collect::<Vec<_>>();
        assert_eq!(order(&mailbox), [3, 0, 1, 2]);
        assert_eq!(mailbox.roots().count(), 3);
        assert!(mailbox.peek(&mut heap).is_some(), "the scan looks at it");
        let message = heap.make_tuple(&[]);
        mailbox.push(MessageTag(1, 9), heap.export(message), 9);
        mailbox.put_first();
        assert_eq!(order(&mailbox), [3, 9, 0, 1, 2]);
        mailbox.rewind_to(8);
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 3), "nothing is passed over");
        assert!(mailbox.remove(MessageTag(1, 9)).is_some());
        mailbox.rewind_to(1);
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 2));
        assert_eq!(order(&mailbox), [0, 1]);
    }

    #[test]
    fn the_collector_looks_at_what_was_scanned_and_is_still_there() {
        let (mut mailbox, mut heap) = mailbox(5);
        assert_eq!(mailbox.roots().count(), 0);
        for _ in 0..3 {
            assert!(mailbox.peek(&mut heap).is_some());
            mailbox.advance();
        }
        assert_eq!(mailbox.roots().count(), 3);
        // The fourth is consumed, the second removed: the first and the third are in the heap.
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 3));
        assert!(mailbox.remove(MessageTag(1, 1)).is_some());
        assert_eq!(mailbox.roots().count(), 2);
        assert!(mailbox.remove(MessageTag(1, 4)).is_some());
        assert_eq!(mailbox.roots().count(), 2);
        assert!(mailbox.peek(&mut heap).is_some());
        assert_eq!(mailbox.accept(), MessageTag(1, 0));
        assert_eq!(mailbox.roots().count(), 1);
    }
}
