//! Natives of the module `maps`, and the map functions of `erlang`. Functions that take a fun are written in Erlang, in `lib/maps.erl`.

use crate::atom::Atom;
use crate::maps;
use crate::native::{Context, Native, NativeArgs, NativeResult, Raise};
use crate::newer::Newer;
use crate::term::Term;

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("maps", "new", 0, |cx, _| Ok(maps::empty(cx.heap))),
    Native::pure("maps", "get", 2, get_2),
    Native::pure("maps", "get", 3, get_3),
    Native::pure("maps", "find", 2, find),
    Native::pure("maps", "is_key", 2, is_key),
    Native::pure("maps", "put", 3, put),
    Native::pure("maps", "update", 3, update),
    Native::pure("maps", "remove", 2, remove),
    Native::pure("maps", "take", 2, take),
    Native::pure("maps", "size", 1, |cx, a| {
        Ok(Term::small(map(cx, a[0]).map(|m| maps::size(cx.heap, m))? as i64))
    }),
    Native::pure("maps", "keys", 1, keys),
    Native::pure("maps", "values", 1, values),
    Native::pure("maps", "to_list", 1, to_list),
    Native::pure("maps", "from_list", 1, from_list),
    Native::pure("maps", "from_keys", 2, from_keys),
    Native::pure("maps", "merge", 2, merge),
    Native::pure("maps", "intersect", 2, intersect),
    Native::pure("maps", "with", 2, with),
    Native::pure("maps", "without", 2, without),
    Native::pure("maps", "iterator", 1, iterator),
    Native::pure("maps", "next", 1, next),
    Native::pure("maps", "$pairs", 1, generated),
    Native::pure("erlang", "map_size", 1, |cx, a| {
        Ok(Term::small(map(cx, a[0]).map(|m| maps::size(cx.heap, m))? as i64))
    }),
    Native::pure("erlang", "map_get", 2, get_2),
    Native::pure("erlang", "is_map_key", 2, is_key),
];

/// Fails unless the term is a map.
fn map(cx: &mut Context<'_>, t: Term) -> NativeResult {
    if maps::is_map(cx.heap, t) {
        Ok(t)
    } else {
        Err(Raise::tagged(cx.heap, Atom::BADMAP, t))
    }
}

fn get_2(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    maps::get(cx.heap, m, args[0]).ok_or_else(|| Raise::tagged(cx.heap, Atom::BADKEY, args[0]))
}

fn get_3(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    Ok(maps::get(cx.heap, m, args[0]).unwrap_or(args[2]))
}

fn find(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    Ok(match maps::get(cx.heap, m, args[0]) {
        Some(value) => cx.heap.make_tuple(&[Term::atom(Atom::OK), value]),
        None => Term::atom(Atom::ERROR),
    })
}

fn is_key(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    Ok(Term::boolean(maps::get(cx.heap, m, args[0]).is_some()))
}

fn put(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[2])?;
    Ok(maps::put(cx.heap, m, args[0], args[1]))
}

fn update(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[2])?;
    maps::update_exact(cx.heap, m, args[0], args[1]).ok_or_else(|| Raise::tagged(cx.heap, Atom::BADKEY, args[0]))
}

fn remove(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    Ok(maps::remove(cx.heap, m, args[0]))
}

fn take(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    Ok(match maps::get(cx.heap, m, args[0]) {
        Some(value) => {
            let rest = maps::remove(cx.heap, m, args[0]);
            cx.heap.make_tuple(&[value, rest])
        }
        None => Term::atom(Atom::ERROR),
    })
}

fn pairs(cx: &mut Context<'_>, t: Term) -> Result<Vec<(Term, Term)>, Raise> {
    let m = map(cx, t)?;
    let pairs = maps::listed_pairs(cx.heap, m);
    cx.local.charge += (pairs.len() / 10) as u32;
    Ok(pairs)
}

fn keys(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let keys: Vec<Term> = pairs(cx, args[0])?.into_iter().map(|(k, _)| k).collect();
    Ok(cx.heap.make_list(&keys))
}

fn values(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let values: Vec<Term> = pairs(cx, args[0])?.into_iter().map(|(_, v)| v).collect();
    Ok(cx.heap.make_list(&values))
}

fn list_of_pairs(cx: &mut Context<'_>, pairs: &[(Term, Term)]) -> Term {
    let pairs: Vec<Term> = pairs.iter().map(|(k, v)| cx.heap.make_tuple(&[*k, *v])).collect();
    cx.heap.make_list(&pairs)
}

fn to_list(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let of_iterator = match maps::is_map(cx.heap, args[0]) || !Newer::MapIterators.is_in(cx.code.release()) {
        true => None,
        false => pairs_of_iterator(cx, args[0]),
    };
    let pairs = match of_iterator {
        Some(pairs) => pairs,
        None => pairs(cx, args[0])?,
    };
    Ok(list_of_pairs(cx, &pairs))
}

fn list(cx: &Context<'_>, t: Term) -> Result<Vec<Term>, Raise> {
    cx.heap.list(t).ok_or(Raise::badarg())
}

/// The keys for `with` and `without`: OTP walks them in Erlang, so an improper tail matches no clause of its function.
fn keys_of(cx: &Context<'_>, t: Term) -> Result<Vec<Term>, Raise> {
    list(cx, t).map_err(|badarg| {
        if t.is_list() {
            Raise::error(Term::atom(Atom::FUNCTION_CLAUSE))
        } else {
            badarg
        }
    })
}

fn from_list(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let pairs: Option<Vec<(Term, Term)>> = list(cx, args[0])?
        .into_iter()
        .map(|t| match cx.heap.tuple(t) {
            Some(&[key, value]) => Some((key, value)),
            _ => None,
        })
        .collect();
    let pairs = pairs.ok_or(Raise::badarg())?;
    cx.local.charge += (pairs.len() / 4) as u32;
    Ok(maps::from_pairs(cx.heap, &pairs))
}

fn from_keys(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let pairs: Vec<(Term, Term)> = list(cx, args[0])?.into_iter().map(|k| (k, args[1])).collect();
    Ok(maps::from_pairs(cx.heap, &pairs))
}

fn merge(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let (a, b) = (map(cx, args[0])?, map(cx, args[1])?);
    Ok(maps::merge(cx.heap, a, b))
}

fn intersect(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let (a, b) = (map(cx, args[0])?, map(cx, args[1])?);
    // The keys of the smaller map (equal keys can differ in the sign of a zero), the values of the second.
    let small = if maps::size(cx.heap, a) <= maps::size(cx.heap, b) {
        a
    } else {
        b
    };
    let keys = maps::pairs(cx.heap, small).into_iter().map(|(k, _)| k);
    let both = keys.filter(|k| maps::get(cx.heap, a, *k).is_some());
    let common: Vec<(Term, Term)> = both.filter_map(|k| maps::get(cx.heap, b, k).map(|v| (k, v))).collect();
    Ok(maps::from_pairs(cx.heap, &common))
}

fn with(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    let kept: Vec<(Term, Term)> = keys_of(cx, args[0])?
        .into_iter()
        .filter_map(|k| maps::get(cx.heap, m, k).map(|v| (k, v)))
        .collect();
    Ok(maps::from_pairs(cx.heap, &kept))
}

fn without(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[1])?;
    let removed = keys_of(cx, args[0])?;
    Ok(removed.into_iter().fold(m, |m, k| maps::remove(cx.heap, m, k)))
}

fn iterator(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let m = map(cx, args[0])?;
    Ok(cx.heap.cons(Term::small(0), m))
}

/// What a generator runs over: the pairs of a map or an iterator, as a list; `false` of anything else.
fn generated(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    if maps::is_map(cx.heap, args[0]) {
        return to_list(cx, args);
    }
    Ok(match pairs_of_iterator(cx, args[0]) {
        Some(pairs) => list_of_pairs(cx, &pairs),
        None => Term::atom(Atom::FALSE),
    })
}

/// `{Key, Value, Rest}` or `none`. As in OTP a small iterator is unfolded whole; ours always is.
fn next(cx: &mut Context<'_>, args: NativeArgs<'_>) -> NativeResult {
    let iterator = args[0];
    if iterator == Term::atom(Atom::NONE) || cx.heap.tuple(iterator).is_some_and(|parts| parts.len() == 3) {
        return Ok(iterator);
    }
    let pairs = unopened(cx, iterator).ok_or(Raise::badarg())?;
    cx.local.charge += (pairs.len() / 10) as u32;
    Ok(pairs
        .into_iter()
        .rev()
        .fold(Term::atom(Atom::NONE), |rest, (key, value)| {
            cx.heap.make_tuple(&[key, value, rest])
        }))
}

/// The pairs of an iterator that has not begun: `[0 | Map]`, or `[Keys | Map]` in the order of the keys.
fn unopened(cx: &Context<'_>, iterator: Term) -> Option<Vec<(Term, Term)>> {
    let (path, m) = cx.heap.cons_cell(iterator).filter(|&(_, m)| maps::is_map(cx.heap, m))?;
    if path == Term::small(0) {
        return Some(maps::listed_pairs(cx.heap, m));
    }
    if !Newer::MapIterators.is_in(cx.code.release()) {
        return None;
    }
    let keys = cx.heap.list(path)?;
    keys.into_iter()
        .map(|key| maps::get(cx.heap, m, key).map(|value| (key, value)))
        .collect()
}

/// The pairs of an iterator, whether it has begun or not. OTP 25 took none here.
fn pairs_of_iterator(cx: &Context<'_>, mut iterator: Term) -> Option<Vec<(Term, Term)>> {
    let mut pairs = Vec::new();
    while let Some(&[key, value, rest]) = cx.heap.tuple(iterator) {
        pairs.push((key, value));
        iterator = rest;
    }
    if iterator != Term::atom(Atom::NONE) {
        pairs.extend(unopened(cx, iterator)?);
    }
    Some(pairs)
}
