//! Bytes that are no term, terms that Erlang spells otherwise, and forms of any depth and length.

use super::{from_external, read, with_body};
use crate::abstract_code::read::{FormsError, Refusal};
use crate::abstract_code::{TermFault, to_external};
use crate::ast::*;

#[test]
fn bytes_that_are_no_term_are_refused() {
    let why = |bytes: &[u8]| match from_external(bytes).unwrap_err() {
        FormsError {
            why: Refusal::External { offset, why },
            ..
        } => (offset, why),
        other => panic!("{other}"),
    };
    assert_eq!(why(b""), (0, TermFault::Short));
    assert_eq!(why(b"\x84\x6a"), (0, TermFault::NoVersion));
    assert_eq!(why(b"\x83\x50\0\0\0\x01x"), (1, TermFault::Compressed));
    assert_eq!(why(b"\x83\x07"), (1, TermFault::UnknownTag));
    assert_eq!(why(b"\x83\x68\x01\x77\x01\xff"), (3, TermFault::AtomText));
    assert_eq!(why(b"\x83\x46\x7f\xf0\0\0\0\0\0\0"), (1, TermFault::NotFinite));
    assert_eq!(why(b"\x83\x4d\0\0\0\x01\x09\0"), (1, TermFault::Bits));
    let long = [&[131, 118, 1, 0][..], &[b'a'; 256]].concat();
    assert_eq!(why(&long), (1, TermFault::LongAtom));
    // Lengths that nothing follows.
    for tag in [105, 108, 109, 111, 116] {
        assert_eq!(why(&[131, tag, 255, 255, 255, 255]).1, TermFault::Short, "{tag}");
    }
    // Each claims all bytes that are left.
    let claims: Vec<u8> = std::iter::once(131)
        .chain((0..20_000).flat_map(|_| [105, 0, 0, 255, 0]))
        .collect();
    assert_eq!(why(&claims).1, TermFault::Short);
    assert_eq!(from_external(b"\x83\x6a and more").unwrap().module.order, []);
}

#[test]
fn other_spellings_of_terms_are_read() {
    // Latin-1 atoms, a float as text, a list whose tail is a list, a list of small numbers, an empty string, a small number as a big one.
    let mut bytes = b"\x83\x6c\0\0\0\x01\x68\x04\x64\0\x09attribute\x61\x01\x73\x01\xe9\x68\x03\x63".to_vec();
    bytes.extend(b"1.50000000000000000000e+00\0\0\0\0\0");
    bytes.extend(b"\x6c\0\0\0\x01\x61\x01\x6c\0\0\0\0\x6b\0\x02\x02\x03\x6e\x01\x01\x05\x6a");
    let module = from_external(&bytes).unwrap().module;
    assert_eq!(module.attributes[0].name.as_str(), "é");
    let ExprKind::Tuple(parts) = &module.attributes[0].value.kind else {
        panic!("{:?}", module.attributes[0].value)
    };
    assert!(matches!(parts[0].kind, ExprKind::Float(1.5)));
    assert!(matches!(&parts[1].kind, ExprKind::List(list) if list.items.len() == 3 && list.tail.is_none()));
    assert!(matches!(parts[2].kind, ExprKind::Integer(-5)));
}

/// Deep and long forms, on a small thread stack.
#[test]
fn forms_of_any_depth_and_length_do_not_overflow() {
    let node = |tag: &str, more: u8| {
        let mut bytes = vec![104, more + 2, 119, tag.len() as u8];
        bytes.extend(tag.as_bytes());
        bytes.extend([97, 1]);
        bytes
    };
    // A function whose body is `depth` nodes `open` around `[]`, each closed by `close`.
    let module = move |open: &[u8], close: &[u8], depth: usize| {
        let mut bytes = vec![131, 108, 0, 0, 0, 1];
        bytes.extend(node("function", 3));
        bytes.extend(b"\x77\x01f\x61\0\x6c\0\0\0\x01");
        bytes.extend(node("clause", 3));
        bytes.extend(b"\x6a\x6a\x6c\0\0\0\x01");
        (0..depth).for_each(|_| bytes.extend(open));
        bytes.extend(node("nil", 0));
        (0..depth).for_each(|_| bytes.extend(close));
        bytes.extend(b"\x6a\x6a\x6a");
        bytes
    };
    let nil = node("nil", 0);
    let cons = [node("cons", 2), nil.clone()].concat();
    let catch = node("catch", 1);
    let pattern = [node("match", 2), nil.clone()].concat();
    let tuple = [node("tuple", 1), vec![108, 0, 0, 0, 1]].concat();
    let left = [node("op", 3), b"\x77\x01+".to_vec()].concat();
    let steps = move || {
        let read = |open: &[u8], close: &[u8], depth| from_external(&module(open, close, depth));
        for (open, close) in [(&catch, &[][..]), (&pattern, &[]), (&tuple, &[106]), (&left, &nil)] {
            let deep = read(open, close, 100_000).unwrap().module;
            assert_eq!(to_external(&deep).len(), module(open, close, 100_000).len() + 9);
            drop(deep);
            let error = read(open, close, 250_000).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with("unsupported form: nesting deeper than 200000 (at form 1, element 5.1.5.1.")
            );
        }
        let long = read(&cons, &[], 1_000_000).unwrap().module;
        assert!(
            matches!(&long.functions[0].clauses[0].body[0].kind, ExprKind::List(list) if list.items.len() == 1_000_000)
        );
        // A term of that depth is no form.
        let terms = [&[131][..], &[104, 1].repeat(1_000_000), &[106]].concat();
        assert!(
            from_external(&terms)
                .unwrap_err()
                .to_string()
                .contains("expected a list of forms, found {{{{{…}}}}}")
        );
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(steps)
        .unwrap()
        .join()
        .unwrap();
}

/// Places of their own of a list's cells are kept, up to a number that no source reaches.
#[test]
fn cells_with_places_of_their_own_do_not_nest_without_end() {
    let mut list = "{nil,1}".to_owned();
    for line in 2..200 {
        list = format!("{{cons,{line},{{atom,1,a}},{list}}}");
    }
    let module = read(&with_body(&list));
    let mut count = 0;
    let mut expr = &module.functions[0].clauses[0].body[0];
    while let ExprKind::List(list) = &expr.kind {
        count += list.items.len();
        let Some(tail) = &list.tail else { break };
        expr = tail;
    }
    assert_eq!(count, 198);
}
