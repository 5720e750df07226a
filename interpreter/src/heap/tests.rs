use super::*;
use crate::term::SMALL_MIN;

fn heap() -> Heap {
    Heap::new(Arc::new(Vec::new()))
}

#[test]
fn export_import_keeps_structure() {
    let mut a = heap();
    let long = a.make_binary(&[7; 100]);
    let f = a.make_float(1.5);
    let big = a.make_big(true, &[0, 5]);
    let l = a.make_list(&[Term::small(1), f, long]);
    let t = a.make_tuple(&[l, big, Term::NIL]);
    let fragment = a.export(t);
    let mut b = heap();
    b.make_binary(&[1; 200]);
    let t = b.import(&fragment);
    let e = b.tuple(t).unwrap().to_vec();
    let l = b.list(e[0]).unwrap();
    assert_eq!(l[0], Term::small(1));
    assert!(matches!(b.view(l[1]), TermView::Float(x) if x == 1.5));
    assert_eq!(b.bytes(l[2]).unwrap().as_ref(), &[7; 100]);
    assert!(matches!(
        b.view(e[1]),
        TermView::Big {
            negative: true,
            limbs: [0, 5]
        }
    ));
}

#[test]
fn copies_are_compared_without_a_heap_where_that_can_be_told() {
    let mut h = heap();
    let mut copy = |n: i64, x: f64, bytes: &[u8]| {
        let float = h.make_float(x);
        let binary = if bytes.is_empty() {
            Term::NIL
        } else {
            h.make_binary(bytes)
        };
        let list = h.make_list(&[Term::small(n), float]);
        let tuple = h.make_tuple(&[list, binary]);
        h.export(tuple)
    };
    let plain = copy(1, 1.5, &[]);
    assert_eq!(plain.is_same(&copy(1, 1.5, &[])), Some(true));
    assert_eq!(plain.is_same(&copy(2, 1.5, &[])), Some(false));
    assert_eq!(copy(1, 0.0, &[]).is_same(&copy(1, -0.0, &[])), None);
    let short = copy(1, 1.5, &[7; 3]);
    assert_eq!(short.is_same(&copy(1, 1.5, &[7; 3])), Some(true));
    assert_eq!(short.is_same(&copy(1, 1.5, &[8; 3])), None);
    let long = copy(1, 1.5, &[7; 100]);
    assert_eq!(long.is_same(&copy(1, 1.5, &[7; 100])), None);
    assert_eq!(long.is_same(&plain), None);
}

#[test]
fn collection_keeps_roots_and_drops_the_rest() {
    let mut h = heap();
    for _ in 0..1000 {
        h.make_binary(&[1; 100]);
    }
    let keep = h.make_binary(&[9; 80]);
    let s = h.make_sub_binary(keep, 8, 72 * 8);
    let mut root = h.make_tuple(&[keep, s, keep]);
    h.collect(|mv| mv(&mut root));
    let e = h.tuple(root).unwrap().to_vec();
    assert_eq!(e[0], e[2], "sharing is kept");
    assert_eq!(h.bytes(e[1]).unwrap().len(), 72);
    assert_eq!(h.memory(), (4 + 4 + 4, 80), "two boxes over the same bytes");
}

#[test]
fn bytes_outside_are_counted_once_and_end_what_has_no_room() {
    let before = bytes_outside();
    let mut a = heap();
    let long = a.make_binary(&[7; 1000]);
    let mut b = heap();
    let there = b.import(&a.export(long));
    assert_eq!(bytes_outside() - before, 1000);
    a.set_room(before + 1500);
    assert!(!a.is_full());
    a.make_binary(&[7; 600]);
    assert!(a.is_full() && a.wants_collection());
    drop(a);
    assert_eq!((bytes_outside() - before, b.bytes(there).unwrap().len()), (1000, 1000));
    drop(b);
    assert_eq!(bytes_outside(), before);
    let mut c = heap();
    c.set_room(before + 100);
    assert!(c.has_room(100) && !c.is_full());
    assert!(!c.has_room(101) && c.is_full());
}

#[test]
fn small_range_is_normalised() {
    let mut h = heap();
    assert_eq!(h.make_int(SMALL_MIN), Term::small(SMALL_MIN));
    assert_eq!(h.make_big(true, &[1 << 60, 0]), Term::small(SMALL_MIN));
    assert!(h.make_big(false, &[1 << 60]).is_box());
    assert!(h.make_int(i64::MIN).is_box());
}
