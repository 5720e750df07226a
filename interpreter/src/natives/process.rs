//! Natives of the module `erlang` about the process itself, its funs, and names of processes.

use crate::atom::Atom;
use crate::dictionary::Dictionary;
use crate::heap::TermView;
use crate::native::{Context, Native, Raise};
use crate::ops;
use crate::otp;
use crate::term::{FIRST_OF_RUNTIME, Pid, Port, Term};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("erlang", "self", 0, self_0),
    Native::pure("erlang", "node", 0, node_0),
    Native::pure("erlang", "make_ref", 0, make_ref),
    Native::pure("erlang", "put", 2, put),
    Native::pure("erlang", "get", 0, get_0),
    Native::pure("erlang", "get", 1, get_1),
    Native::pure("erlang", "get_keys", 0, get_keys_0),
    Native::pure("erlang", "get_keys", 1, get_keys_1),
    Native::pure("erlang", "erase", 0, erase_0),
    Native::pure("erlang", "erase", 1, erase_1),
    Native::pure("erlang", "garbage_collect", 0, garbage_collect),
    Native::pure("erlang", "is_builtin", 3, is_native).retired(),
    Native::pure("erlang", "fun_info", 1, fun_info_1),
    Native::pure("erlang", "fun_info", 2, fun_info_2),
    Native::pure("erlang", "fun_info_mfa", 1, fun_info_mfa),
    Native::pure("erlang", "make_fun", 3, make_fun),
    Native::pure("application", "$modules", 1, modules),
    Native::pure("erlang", "pid_to_list", 1, pid_to_list),
    Native::pure("erlang", "list_to_pid", 1, list_to_pid),
    Native::pure("erlang", "$is_runtime", 1, |_, a| {
        let number = a[0].as_pid().map(Pid::number);
        Ok(Term::boolean(
            number.is_some_and(|number| number == 0 || number >= FIRST_OF_RUNTIME),
        ))
    }),
    Native::pure("erlang", "port_to_list", 1, port_to_list),
    Native::pure("erlang", "list_to_port", 1, list_to_port),
    Native::pure("c", "pid", 3, c_pid),
    Native::pure("erlang", "bump_reductions", 1, bump_reductions),
    Native::pure("erlang", "$is_builtin", 3, is_builtin),
];

fn self_0(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::pid(cx.local.pid))
}

fn node_0(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::atom(cx.local.node))
}

fn make_ref(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(cx.new_reference())
}

// ---- the process dictionary ------------------------------------------------------------------------------------------

const UNDEFINED: Term = Term::atom(Atom::UNDEFINED);

fn put(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(cx.local.dictionary.put(cx.heap, args[0], args[1]).unwrap_or(UNDEFINED))
}

fn get_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(cx.local.dictionary.get(cx.heap, args[0]).unwrap_or(UNDEFINED))
}

fn erase_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    Ok(cx.local.dictionary.erase(cx.heap, args[0]).unwrap_or(UNDEFINED))
}

fn pairs(cx: &mut Context<'_>) -> Term {
    let pairs: Vec<Term> = cx
        .local
        .dictionary
        .iter()
        .map(|(k, v)| cx.heap.make_tuple(&[k, v]))
        .collect();
    cx.heap.make_list(&pairs)
}

fn get_0(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(pairs(cx))
}

fn erase_0(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let all = pairs(cx);
    cx.local.dictionary = Dictionary::default();
    Ok(all)
}

fn get_keys_0(cx: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let keys: Vec<Term> = cx.local.dictionary.iter().map(|(k, _)| k).collect();
    Ok(cx.heap.make_list(&keys))
}

fn get_keys_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let heap = &*cx.heap;
    let keys: Vec<Term> = cx
        .local
        .dictionary
        .iter()
        .filter(|(_, v)| ops::exact_equal(heap, *v, args[0]))
        .map(|(k, _)| k)
        .collect();
    Ok(cx.heap.make_list(&keys))
}

// ---- scheduling ------------------------------------------------------------------------------------------------------

/// Nothing to do: collections happen at counted events, when one is due.
fn garbage_collect(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::boolean(true))
}

fn bump_reductions(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let n = args[0].as_small().filter(|&n| n >= 1).ok_or_else(Raise::badarg)?;
    cx.local.charge = cx.local.charge.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
    Ok(Term::boolean(true))
}

// ---- functions and funs ----------------------------------------------------------------------------------------------

/// Module, function and arity given as terms; an arity that no function can have is `None`.
fn mfa(args: &[Term]) -> Result<(Atom, Atom, Option<u8>), Raise> {
    match (args[0].as_atom(), args[1].as_atom(), args[2].as_small()) {
        (Some(m), Some(f), Some(a)) if a >= 0 => Ok((m, f, u8::try_from(a).ok())),
        _ => Err(Raise::badarg()),
    }
}

/// Is it one in OTP?
fn is_builtin(_: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (m, f, a) = mfa(args)?;
    Ok(Term::boolean(
        a.is_some_and(|a| otp::is_builtin(m.as_str(), f.as_str(), a)),
    ))
}

/// The modules of an application of OTP.
fn modules(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let application = args[0].as_atom().ok_or_else(Raise::badarg)?;
    let modules = otp::modules_of(cx.code.release(), application.as_str());
    let modules: Vec<Term> = modules.map(|name| Term::atom(Atom::new(name))).collect();
    Ok(cx.heap.make_list(&modules))
}

/// Is it a native of this tool?
fn is_native(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (m, f, a) = mfa(args)?;
    Ok(Term::boolean(a.is_some_and(|a| cx.code.is_native(m, f, a))))
}

fn make_fun(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let (_, _, arity) = mfa(args)?;
    if arity.is_none() {
        return Err(Raise::badarg());
    }
    Ok(cx
        .heap
        .make_box(crate::term::BoxKind::ExternalFun, crate::heap::as_words(args)))
}

/// One item of a fun; `None` if there is no such item for this kind of fun.
fn item(cx: &mut Context<'_>, fun: Term, item: Atom) -> Result<Option<Term>, Raise> {
    let value = match cx.heap.view(fun) {
        TermView::Fun { id, name, arity, free } => match item.as_str() {
            "module" => Term::atom(name.module),
            "name" => Term::atom(cx.code.fun(id).function),
            "arity" => Term::small(i64::from(arity)),
            "type" => Term::atom(Atom::LOCAL),
            "env" => {
                let free = free.to_vec();
                cx.heap.make_list(&free)
            }
            "index" | "new_index" => Term::small(i64::from(name.index)),
            "uniq" => Term::small(i64::from(name.unique)),
            "new_uniq" => {
                let mut bytes = [0; 16];
                bytes[12..].copy_from_slice(&name.unique.to_be_bytes());
                cx.heap.make_binary(&bytes)
            }
            "pid" => Term::pid(cx.local.pid),
            _ => return Ok(None),
        },
        TermView::ExternalFun {
            module,
            function,
            arity,
        } => match item.as_str() {
            "module" => Term::atom(module),
            "name" => Term::atom(function),
            "arity" => Term::small(i64::from(arity)),
            "type" => Term::atom(Atom::EXTERNAL),
            "env" => Term::NIL,
            "index" | "new_index" | "uniq" | "new_uniq" | "pid" => UNDEFINED,
            _ => return Ok(None),
        },
        _ => return Err(Raise::badarg()),
    };
    Ok(Some(value))
}

fn pair(cx: &mut Context<'_>, fun: Term, name: Atom) -> Result<Option<Term>, Raise> {
    Ok(match item(cx, fun, name)? {
        Some(value) => Some(cx.heap.make_tuple(&[Term::atom(name), value])),
        None => None,
    })
}

fn fun_info_2(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let name = args[1].as_atom().ok_or_else(Raise::badarg)?;
    pair(cx, args[0], name)?.ok_or_else(Raise::badarg)
}

fn fun_info_1(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let names: &[&str] = match cx.heap.view(args[0]) {
        TermView::Fun { .. } => &[
            "pid",
            "module",
            "new_index",
            "new_uniq",
            "index",
            "uniq",
            "name",
            "arity",
            "env",
            "type",
        ],
        TermView::ExternalFun { .. } => &["module", "name", "arity", "env", "type"],
        _ => return Err(Raise::badarg()),
    };
    let mut pairs = Vec::with_capacity(names.len());
    for name in names {
        pairs.extend(pair(cx, args[0], Atom::new(name))?);
    }
    Ok(cx.heap.make_list(&pairs))
}

fn fun_info_mfa(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let mut parts = [Term::NIL; 3];
    for (part, name) in parts.iter_mut().zip([Atom::MODULE, Atom::NAME, Atom::ARITY]) {
        *part = item(cx, args[0], name)?.ok_or_else(Raise::badarg)?;
    }
    Ok(cx.heap.make_tuple(&parts))
}

// ---- pids as text ----------------------------------------------------------------------------------------------------

/// `<Node.Number.0>`, Node being 0 for the process's own node.
fn pid_to_list(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let pid = args[0].as_pid().ok_or_else(Raise::badarg)?;
    let text = format!("<{}.{}.0>", pid.node(), pid.number());
    Ok(cx.heap.make_string(&text))
}

fn list_to_pid(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let chars = cx.heap.list(args[0]).ok_or_else(Raise::badarg)?;
    let text: Option<String> = chars
        .iter()
        .map(|t| char::from_u32(u32::try_from(t.as_small()?).ok()?))
        .collect();
    let pid = text.as_deref().and_then(parse_pid).ok_or_else(Raise::badarg)?;
    Ok(Term::pid(pid))
}

/// `#Port<Node.Number>`, Node being 0 for the process's own node.
fn port_to_list(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let port = args[0].as_port().ok_or_else(Raise::badarg)?.0;
    let text = format!("#Port<{}.{}>", port.node(), port.number());
    Ok(cx.heap.make_string(&text))
}

/// Only of the own node, as in OTP where no other node is known.
fn list_to_port(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let chars = cx.heap.list(args[0]).ok_or_else(Raise::badarg)?;
    let text: Option<String> = chars
        .iter()
        .map(|t| char::from_u32(u32::try_from(t.as_small()?).ok()?))
        .collect();
    let digits = text
        .as_deref()
        .and_then(|text| text.strip_prefix("#Port<0.")?.strip_suffix('>'));
    let number = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let number = number.and_then(|digits| digits.parse::<u32>().ok());
    let number = u64::from(number.ok_or_else(Raise::badarg)?);
    Ok(Term::port(Port(Pid::new(cx.local.pid.node(), number))))
}

fn parse_pid(text: &str) -> Option<Pid> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    let parts = inner
        .split('.')
        .map(|p| {
            if p.bytes().all(|b| b.is_ascii_digit()) {
                p.parse().ok()
            } else {
                None
            }
        })
        .collect::<Option<Vec<u64>>>()?;
    match parts[..] {
        [node, number, 0] if number < 1 << 40 => Some(Pid::new(u16::try_from(node).ok()?, number)),
        _ => None,
    }
}

fn c_pid(_: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    match (args[0].as_small(), args[1].as_small(), args[2].as_small()) {
        (Some(node), Some(number), Some(0)) if (0..1 << 40).contains(&number) => {
            let node = u16::try_from(node).map_err(|_| Raise::badarg())?;
            Ok(Term::pid(Pid::new(node, number as u64)))
        }
        _ => Err(Raise::badarg()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom, small};

    #[test]
    fn dictionary_keeps_the_order_of_insertion() {
        let mut m = Machine::new();
        assert_eq!(m.call(put, &[atom("a"), small(1)]).unwrap(), UNDEFINED);
        assert_eq!(m.call(put, &[atom("b"), small(1)]).unwrap(), UNDEFINED);
        assert_eq!(m.call(put, &[atom("a"), small(2)]).unwrap(), small(1));
        let keys = m.call(get_keys_0, &[]).unwrap();
        assert_eq!(m.heap.list(keys).unwrap(), [atom("a"), atom("b")]);
        let keys = m.call(get_keys_1, &[small(1)]).unwrap();
        assert_eq!(m.heap.list(keys).unwrap(), [atom("b")]);
        assert_eq!(m.call(erase_1, &[atom("a")]).unwrap(), small(2));
        assert_eq!(m.call(get_1, &[atom("a")]).unwrap(), UNDEFINED);
        let all = m.call(erase_0, &[]).unwrap();
        assert_eq!(m.heap.list(all).unwrap().len(), 1);
        assert_eq!(m.local.dictionary.len(), 0);
    }

    #[test]
    fn keys_that_need_the_heap_are_found() {
        let mut m = Machine::new();
        let key = m.heap.make_tuple(&[atom("k"), small(1)]);
        m.call(put, &[key, small(7)]).unwrap();
        let same = m.heap.make_tuple(&[atom("k"), small(1)]);
        assert_eq!(m.call(get_1, &[same]).unwrap(), small(7));
    }

    #[test]
    fn many_keys_are_found_and_keep_their_order() {
        let mut m = Machine::new();
        let key = |m: &mut Machine, i| m.heap.make_tuple(&[atom("k"), small(i)]);
        for i in 0..50 {
            let k = key(&mut m, i);
            assert_eq!(m.call(put, &[k, small(i)]).unwrap(), UNDEFINED);
        }
        for i in (0..50).step_by(2) {
            let k = key(&mut m, i);
            assert_eq!(m.call(erase_1, &[k]).unwrap(), small(i));
        }
        for i in 0..50 {
            let k = key(&mut m, i);
            let expected = if i % 2 == 0 { UNDEFINED } else { small(i) };
            assert_eq!(m.call(get_1, &[k]).unwrap(), expected);
        }
        let values: Vec<Term> = m.local.dictionary.iter().map(|p| p.1).collect();
        assert!(values.is_sorted_by_key(|v| v.as_small()));
    }

    #[test]
    fn pids_are_read_back() {
        let mut m = Machine::new();
        let pid = Term::pid(Pid::new(0, 84));
        let text = m.call(pid_to_list, &[pid]).unwrap();
        assert_eq!(m.call(list_to_pid, &[text]).unwrap(), pid);
        for bad in [
            "",
            "<0.1>",
            "<0.1.1>",
            "<0.+1.0>",
            "<0.1.0",
            "<0.99999999999999999999.0>",
            "<.1.0>",
        ] {
            let text = m.heap.make_string(bad);
            assert_eq!(m.reason(list_to_pid, &[text]), atom("badarg"), "{bad}");
        }
    }
}
