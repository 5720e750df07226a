//! `chars_limit`: finds the depth that fits into a number of characters by growing a cut tree step by step.

use super::tree::{NodeId, Tree};
use crate::term::Term;

/// Builds `term` so that it takes about `room` characters (> 0); `depth` as for [`Tree::build`].
pub fn build(tree: &mut Tree<'_>, term: Term, depth: i64, room: i64) -> NodeId {
    let mut low = tree.build(term, 1, room);
    let mut low_depth = 1;
    let (len, dots) = measure(tree, low);
    if dots == 0 || len > room || depth == 1 {
        return low;
    }
    let mut step = 2;
    let mut last_len = len;
    loop {
        step *= 2;
        let next_depth = if depth < 0 {
            low_depth + step
        } else {
            (low_depth + step).min(depth)
        };
        let next = tree.expand(low, room, next_depth - low_depth);
        let (len, dots) = measure(tree, next);
        if dots == 0 || len == last_len {
            return next;
        }
        if len <= room && (next_depth < depth || depth < 0) {
            (low, low_depth, last_len) = (next, next_depth, len);
        } else {
            return search(tree, (low, low_depth), (next, next_depth), room);
        }
    }
}

fn measure(tree: &Tree<'_>, id: NodeId) -> (i64, i64) {
    let node = tree.node(id);
    (node.len, node.dots)
}

/// Between a tree that is short enough and one that is too long, both cut.
fn search(tree: &mut Tree<'_>, mut low: (NodeId, i64), mut high: (NodeId, i64), room: i64) -> NodeId {
    while high.1 - low.1 != 1 {
        let depth = (low.1 + high.1) / 2;
        let middle = tree.expand(low.0, room, depth - low.1);
        if measure(tree, middle).0 > room {
            high = (middle, depth);
        } else {
            low = (middle, depth);
        }
    }
    if measure(tree, low.0).0 == room { low.0 } else { high.0 }
}
