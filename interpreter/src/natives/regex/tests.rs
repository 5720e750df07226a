use super::*;
use crate::natives::testing::{Machine, atom, small};

fn places(pattern: &[u8], flags: &[&str], subject: &[u8], offset: i64, more: &[&str]) -> Option<Vec<(i64, i64)>> {
    let mut m = Machine::new();
    let pattern = m.heap.make_binary(pattern);
    let subject = m.heap.make_binary(subject);
    let flags: Vec<Term> = flags.iter().map(|f| atom(f)).collect();
    let flags = m.heap.make_list(&flags);
    let more: Vec<Term> = more.iter().map(|f| atom(f)).collect();
    let more = m.heap.make_list(&more);
    let r = m.call(run, &[pattern, flags, subject, small(offset), more]).unwrap();
    let list = m.heap.list(r)?;
    Some(
        list.iter()
            .map(|&t| {
                let e = m.heap.tuple(t).unwrap();
                (e[0].small_value(), e[1].small_value())
            })
            .collect(),
    )
}

#[test]
fn bytes_are_characters_without_unicode() {
    assert_eq!(places(b".", &[], "\u{e5}x".as_bytes(), 1, &[]), Some(vec![(1, 1)]));
    assert_eq!(
        places(b".", &["unicode"], "\u{e5}x".as_bytes(), 0, &[]),
        Some(vec![(0, 2)])
    );
    // OTP compiles without `unicode` with tables of Latin-1.
    assert_eq!(places(br"\w+", &[], b"\xe5b", 0, &[]), Some(vec![(0, 2)]));
    assert_eq!(places(&[0xe5], &["caseless"], &[0xc5], 0, &[]), Some(vec![(0, 1)]));
}

#[test]
fn empty_matches_can_be_refused() {
    assert_eq!(places(b"a*", &[], b"ba", 0, &[]), Some(vec![(0, 0)]));
    assert_eq!(places(b"a*", &[], b"ba", 0, &["notempty"]), Some(vec![(1, 1)]));
    assert_eq!(places(b"a*?", &[], b"aa", 0, &["notempty_atstart"]), Some(vec![(0, 1)]));
    assert_eq!(places(b"x*", &["extended"], b"", 0, &["notempty"]), None);
}
