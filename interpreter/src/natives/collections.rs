//! Natives below the modules of collections that are written in Erlang.

use crate::maps;
use crate::native::{Context, Native, Raise};
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[Native::pure("maps", "$to_list", 1, map_to_list)];

/// The pairs of a map in the order of its iteration. The caller checks that it is a map.
fn map_to_list(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    if !maps::is_map(cx.heap, args[0]) {
        return Err(Raise::badarg());
    }
    let pairs = maps::pairs(cx.heap, args[0]);
    cx.local.charge += (pairs.len() / 10) as u32;
    let tuples: Vec<Term> = pairs.into_iter().map(|(k, v)| cx.heap.make_tuple(&[k, v])).collect();
    Ok(cx.heap.make_list(&tuples))
}
