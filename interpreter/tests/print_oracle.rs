//! Printing against captured OTP output: `tests/oracle/print.escript` made the cases, random terms under random formats.
//! `PRINT_ORACLE=FILE` and `EXCEPTION_ORACLE=FILE` check other files of cases.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::{CodeInfo, ExceptionClass, FunInfo};
use interpreter::print::elixir::Fields;
use interpreter::print::{self, NoCode, Terms};
use interpreter::term::{BoxKind, Term};

/// A reader of Erlang's external term format, for the terms that the script makes.
struct Reader<'a> {
    rest: &'a [u8],
    heap: &'a mut Heap,
}

impl Reader<'_> {
    fn take(&mut self, n: usize) -> &[u8] {
        let (head, rest) = self.rest.split_at(n);
        self.rest = rest;
        head
    }
    fn number(&mut self, bytes: usize) -> usize {
        self.take(bytes).iter().fold(0, |n, &b| n << 8 | usize::from(b))
    }
    fn atom(&mut self) -> Atom {
        self.term().as_atom().expect("an atom")
    }
    fn term(&mut self) -> Term {
        match self.number(1) {
            97 => Term::small(self.number(1) as i64),
            98 => Term::small(i64::from(self.number(4) as u32 as i32)),
            70 => {
                let bits = self.number(8) as u64;
                self.heap.make_float(f64::from_bits(bits))
            }
            tag @ (100 | 118 | 119) => {
                let n = self.number(if tag == 119 { 1 } else { 2 });
                let name = self.take(n).to_vec();
                let name = match tag {
                    100 => name.iter().map(|&b| b as char).collect(),
                    _ => String::from_utf8(name).expect("UTF-8 atom"),
                };
                Term::atom(Atom::new(&name))
            }
            104 => {
                let n = self.number(1);
                let elements: Vec<Term> = (0..n).map(|_| self.term()).collect();
                self.heap.make_tuple(&elements)
            }
            106 => Term::NIL,
            107 => {
                let n = self.number(2);
                let chars: Vec<Term> = self.take(n).iter().map(|&b| Term::small(i64::from(b))).collect();
                self.heap.make_list(&chars)
            }
            108 => {
                let n = self.number(4);
                let elements: Vec<Term> = (0..n).map(|_| self.term()).collect();
                let tail = self.term();
                self.heap.make_list_with_tail(&elements, tail)
            }
            109 => {
                let n = self.number(4);
                let bytes = self.take(n).to_vec();
                self.heap.make_binary(&bytes)
            }
            77 => {
                let (n, bits) = (self.number(4), self.number(1));
                let bytes = self.take(n).to_vec();
                self.heap.make_bitstring(&bytes, (n - 1) * 8 + bits)
            }
            110 => {
                let n = self.number(1);
                let negative = self.number(1) == 1;
                let mut bytes = self.take(n).to_vec();
                bytes.resize(n.div_ceil(8) * 8, 0);
                let limbs: Vec<u64> = bytes
                    .chunks(8)
                    .map(|c| u64::from_le_bytes(c.try_into().expect("eight bytes")))
                    .collect();
                self.heap.make_big(negative, &limbs)
            }
            116 => {
                // The format keeps the order of the keys, which is term order for small maps.
                let n = self.number(4);
                let pairs: Vec<(Term, Term)> = (0..n).map(|_| (self.term(), self.term())).collect();
                let keys: Vec<Term> = pairs.iter().map(|p| p.0).collect();
                let keys = self.heap.make_tuple(&keys);
                let payload: Vec<u64> = std::iter::once(keys.0).chain(pairs.iter().map(|p| p.1.0)).collect();
                self.heap.make_box(BoxKind::FlatMap, &payload)
            }
            113 => {
                let (m, f) = (self.atom(), self.atom());
                let a = self.term();
                self.heap
                    .make_box(BoxKind::ExternalFun, &[Term::atom(m).0, Term::atom(f).0, a.0])
            }
            tag => panic!("tag {tag} of the external term format is not read here"),
        }
    }
}

/// The cases of a captured file, or of the file that an environment variable names.
fn cases(heap: &mut Heap, captured: &[u8], variable: &str) -> Vec<Term> {
    let file = std::env::var(variable).map_or(captured.to_vec(), |path| std::fs::read(path).expect("a file of cases"));
    assert_eq!(file[0], 131, "version of the external term format");
    let cases = Reader { rest: &file[1..], heap }.term();
    let cases = heap.list(cases).expect("a list of cases");
    assert!(cases.len() > 100);
    cases
}

#[test]
fn exceptions_are_what_otp_prints() {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let cases = cases(
        &mut heap,
        include_bytes!("../../tests/oracle/exceptions.etf"),
        "EXCEPTION_ORACLE",
    );
    let mut wrong = 0;
    for &case in &cases {
        let &[class, reason, trace, expected] = heap.tuple(case).unwrap() else {
            panic!("a case has four parts")
        };
        let class = match class.as_atom().unwrap().as_str() {
            "error" => ExceptionClass::Error,
            "exit" => ExceptionClass::Exit,
            _ => ExceptionClass::Throw,
        };
        let expected = String::from_utf8(heap.bytes(expected).unwrap().into_owned()).unwrap();
        let layout = print::Layout::escript(&NoCode);
        let found = print::exception(&heap, class, reason, trace, &print::Explanation::default(), &layout);
        if found != expected {
            wrong += 1;
            if wrong <= 10 {
                println!("OTP:\n{expected}\nours:\n{found}\n");
            }
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.len());
}

#[test]
fn formats_are_what_otp_prints() {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let cases = cases(
        &mut heap,
        include_bytes!("../../tests/oracle/print.etf"),
        "PRINT_ORACLE",
    );
    let mut wrong = 0;
    for &case in &cases {
        let &[format, args, limit, expected] = heap.tuple(case).unwrap() else {
            panic!("a case has four parts")
        };
        let limit = limit.as_small().unwrap();
        let expected = heap.bytes(expected).map(|b| String::from_utf8(b.into_owned()).unwrap());
        let found = print::format_limited(&heap, &NoCode, format, args, limit).ok();
        let found = found.map(|out| out.text.into_string_lossy());
        if found != expected {
            wrong += 1;
            if wrong <= 20 {
                let show = |t| print::write(&heap, t, -1, &print::Style::unicode(&NoCode));
                println!(
                    "format {} {} limit {limit}",
                    print::pretty(
                        &heap,
                        format,
                        &print::PrettyOptions::new(print::Style::unicode(&NoCode))
                    ),
                    show(args)
                );
                println!(
                    "OTP:\n{}\nours:\n{}\n",
                    expected.as_deref().unwrap_or("badarg"),
                    found.as_deref().unwrap_or("badarg")
                );
            }
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.len());
}

/// The structs that the script of Elixir knows.
struct Structs(Vec<(Atom, Fields)>);

impl CodeInfo for Structs {
    fn fun(&self, id: u32) -> FunInfo {
        NoCode.fun(id)
    }
    fn is_native(&self, _: Atom, _: Atom, _: u8) -> bool {
        false
    }
    fn is_exported(&self, _: Atom, _: Atom, _: u8) -> bool {
        false
    }
    fn terms(&self) -> Terms {
        Terms::Elixir
    }
    fn struct_fields(&self, module: Atom) -> Option<Fields> {
        let known = self.0.iter().find(|(name, _)| *name == module);
        known.map(|(_, fields)| Fields::clone(fields))
    }
}

/// Terms and exceptions of `tests/oracle/inspect.exs`, and what Elixir prints for them; `INSPECT_ORACLE=FILE` names another file of cases.
#[test]
fn terms_and_exceptions_are_what_elixir_prints() {
    let mut heap = Heap::new(Arc::new(Vec::new()));
    let captured = include_bytes!("../../tests/oracle/inspect.etf").to_vec();
    let file = std::env::var("INSPECT_ORACLE").map_or(captured, |path| std::fs::read(path).expect("a file of cases"));
    let whole = Reader {
        rest: &file[1..],
        heap: &mut heap,
    }
    .term();
    let &[structs, terms, banners] = heap.tuple(whole).unwrap() else {
        panic!("the file has three parts")
    };
    let pairs = |list: Term| -> Vec<(Term, Term)> {
        let pair = |pair: Term| heap.tuple(pair).map(|pair| (pair[0], pair[1])).unwrap();
        heap.list(list).unwrap().into_iter().map(pair).collect()
    };
    let atoms = |list: Term| -> Fields {
        heap.list(list)
            .unwrap()
            .into_iter()
            .map(|t| t.as_atom().unwrap())
            .collect()
    };
    let text = |term: Term| String::from_utf8(heap.bytes(term).unwrap().into_owned()).unwrap();
    let structs = pairs(structs)
        .into_iter()
        .map(|(name, fields)| (name.as_atom().unwrap(), atoms(fields)));
    let code = Structs(structs.collect());
    let style = print::Style::shown(&code);
    // In views, characters that do not show are escaped.
    let visible = |text: &str| text.replace('\u{200b}', "\\x{200B}").replace('\u{feff}', "\\x{FEFF}");
    let one_line = |text: &str| {
        text.split([' ', '\n'])
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut wrong = 0;
    let mut compare = |expected: String, found: String| {
        if found != expected {
            wrong += 1;
            if wrong <= 20 {
                println!("Elixir: {expected}\nours:   {found}\n");
            }
        }
    };
    let (terms, banners) = (pairs(terms), pairs(banners));
    assert!(terms.len() > 1000 && banners.len() > 300);
    for (term, expected) in terms {
        compare(visible(&text(expected)), print::short(&heap, term, 100_000, &style));
    }
    for (case, expected) in banners {
        let &[class, reason, stack] = heap.tuple(case).unwrap() else {
            panic!("an exception has three parts")
        };
        let class = match class.as_atom().unwrap().as_str() {
            "error" => ExceptionClass::Error,
            "exit" => ExceptionClass::Exit,
            _ => ExceptionClass::Throw,
        };
        let banner = print::elixir::Banner {
            heap: &heap,
            style: &style,
            chars: 100_000,
        };
        compare(
            one_line(&visible(&text(expected))),
            one_line(&banner.banner(class, reason, Some(stack))),
        );
    }
    assert_eq!(wrong, 0);
}
