//! Compares the results that a real Erlang/OTP gave to `tests/oracle/terms.escript` with ours.

use super::testing::Machine;
use crate::atom::Atom;
use crate::binary;
use crate::etf;
use crate::heap::TermView;
use crate::native::{Implementation, PureFn, Raise};
use crate::ops;
use crate::print;
use crate::term::Term;

/// Runs the captured calls of one area. `tolerated`: is a difference (call, OTP's answer, ours) a documented one?
fn area(name: &str, tolerated: impl Fn(&Machine, &Call, Term, Term) -> bool) {
    let path = format!("{}/../tests/oracle/terms/{name}.etf", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("run tests/oracle/terms.escript");
    let mut machine = Machine::new();
    let (calls, used) = etf::decode(&mut machine.heap, &bytes, false, None).expect("a capture is an external term");
    assert_eq!(used, bytes.len());
    let calls = machine.heap.list(calls).expect("a capture is a list");
    assert!(calls.len() > 100, "{name}: hardly anything was captured");
    let mut differences = Vec::new();
    let mut n = 0;
    for call in calls {
        let parts = machine.heap.tuple(call).expect("a call is a tuple").to_vec();
        let call = Call {
            module: parts[0].as_atom().unwrap(),
            function: parts[1].as_atom().unwrap(),
            args: machine.heap.list(parts[2]).unwrap(),
        };
        if call.function.as_str().ends_with("_to_existing_atom") {
            // Which atoms exist depends on the run: this is a native of the system layer (`tests/conformance`).
            continue;
        }
        let answer = match run(&mut machine, &call) {
            Ok(value) => machine.heap.make_tuple(&[Term::atom(Atom::OK), value]),
            Err(raise) => machine.heap.make_tuple(&[Term::atom(Atom::ERROR), raise.reason]),
        };
        // The sign of zero and the representation, which `=:=` ignores, must agree too.
        let form = |t| {
            etf::encode(
                &machine.heap,
                t,
                &etf::EtfOptions {
                    deterministic: true,
                    ..Default::default()
                },
            )
        };
        let same = ops::exact_equal(&machine.heap, answer, parts[3]) && form(answer) == form(parts[3]);
        if !same && !tolerated(&machine, &call, parts[3], answer) {
            n += 1;
            if differences.len() < 40 {
                let show = |t| print::short(&machine.heap, t, 300, &print::Style::unicode(&print::NoCode));
                differences.push(format!(
                    "{}:{}({}): otp {} ours {}",
                    call.module,
                    call.function,
                    call.args.iter().map(|a| show(*a)).collect::<Vec<_>>().join(", "),
                    show(parts[3]),
                    show(answer),
                ));
            }
        }
    }
    assert!(n == 0, "{name}: {n} differences\n{}", differences.join("\n"));
}

struct Call {
    module: Atom,
    function: Atom,
    args: Vec<Term>,
}

fn run(machine: &mut Machine, call: &Call) -> Result<Term, Raise> {
    if call.module.as_str() == "bit" {
        return bit(machine, call.function.as_str(), &call.args);
    }
    // The system layer has these, because of `safe` and because modules may have to be loaded.
    if call.function.as_str() == "binary_to_term" {
        let decode: PureFn = |cx, a| {
            let options = a.get(1).copied().unwrap_or(Term::NIL);
            let (safe, used) = super::convert::decoding_options(cx.heap, options)?;
            match super::convert::decode(cx, a[0], safe) {
                Ok((term, n)) if used => Ok(cx.heap.make_tuple(&[term, Term::small(n as i64)])),
                Ok((term, _)) => Ok(term),
                Err(super::convert::Undecoded::Raise(raise)) => Err(raise),
                Err(super::convert::Undecoded::Unloaded(_)) => Err(Raise::badarg()),
            }
        };
        return machine.call(decode, &call.args);
    }
    machine.call(native(call), &call.args)
}

fn native(call: &Call) -> PureFn {
    let name = call.function.as_str();
    let found = super::all().iter().flat_map(|table| table.iter()).find(|native| {
        native.module == call.module.as_str() && native.name == name && usize::from(native.arity) == call.args.len()
    });
    match found.map(|native| native.run) {
        Some(Implementation::Pure(f)) => f,
        _ => panic!("no native {}:{}/{}", call.module, name, call.args.len()),
    }
}

/// The bit syntax, as the escript's `bit/2`.
fn bit(machine: &mut Machine, kind: &str, args: &[Term]) -> Result<Term, Raise> {
    let heap = &mut machine.heap;
    let badmatch = |heap: &mut _, t| Raise::tagged(heap, Atom::BADMATCH, t);
    let size = |t: Term| t.small_value() as usize;
    let little = args.last().is_some_and(|t| *t == Term::atom(Atom::LITTLE));
    if !kind.starts_with("get_") {
        let mut builder = binary::Builder::new();
        match kind {
            "integer" => builder.put_integer(heap, args[0], size(args[1]), little)?,
            "float" => builder.put_float(heap, args[0], size(args[1]), little)?,
            "utf8" => builder.put_utf8(args[0])?,
            "utf16" => builder.put_utf16(args[0], little)?,
            "utf32" => builder.put_utf32(args[0], little)?,
            other => panic!("unknown construction {other}"),
        }
        return Ok(builder.finish(heap));
    }
    let (t, at) = (args[0], size(args[1]));
    let found = match kind {
        "get_integer" => {
            let little = args[3] == Term::atom(Atom::LITTLE);
            let signed = args[4] == Term::atom(Atom::SIGNED);
            binary::match_integer(heap, t, at, size(args[2]), little, signed)
        }
        "get_float" => binary::match_float(heap, t, at, size(args[2]), little),
        _ => {
            let found = match kind {
                "get_utf8" => binary::match_utf8(heap, t, at),
                "get_utf16" => binary::match_utf16(heap, t, at, little),
                _ => binary::match_utf32(heap, t, at, little),
            };
            let len = binary::len(heap, t).unwrap();
            found.map(|(c, n)| heap.make_tuple(&[c, Term::small((len - at - n) as i64)]))
        }
    };
    found.ok_or_else(|| badmatch(heap, t))
}

macro_rules! areas {
    ($($area:ident)*) => {$(
        #[test]
        fn $area() {
            area(stringify!($area), |_, _, _, _| false);
        }
    )*};
}

areas! { arithmetic floats order hashes external conversions binaries bits unicode maps }

/// Results of these four may differ from glibc's in the last bit (docs/limitations.md); all others are equal.
#[test]
fn math() {
    let off = std::cell::Cell::new(0);
    area("math", |machine, call, otp, ours| {
        let value = |t| match machine.heap.tuple(t).map(|answer| machine.heap.view(answer[1])) {
            Some(TermView::Float(x)) => Some(x.to_bits()),
            _ => None,
        };
        let near = matches!((value(otp), value(ours)), (Some(x), Some(y)) if x.abs_diff(y) == 1);
        off.set(off.get() + u32::from(near));
        near && matches!(call.function.as_str(), "erf" | "erfc" | "pow" | "tan")
    });
    assert!(
        off.get() <= 12,
        "{} of 5229 results are off by one bit, more than there were",
        off.get()
    );
}
