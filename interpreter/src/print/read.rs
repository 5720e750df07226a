//! Terms from text: `erl_scan:string/3`, `erl_parse:parse_term/1`, `parse_exprs/1` and `parse_form/1`, and files of terms.

use crate::atom::Atom;
use crate::binary::Builder;
use crate::heap::{Heap, TermView};
use crate::maps;
use crate::native::Raise;
use crate::term::Term;
use syntax::abstract_code;
use syntax::ast::{Endian, Expr, ExprKind, Loc, MapOp, Module, Segment, SegmentType, UnaryOp};
use syntax::diagnostic::{Diagnostic, DiagnosticKind};
use syntax::parse::{parse_exprs, parse_form, parse_unchecked_exprs};
use syntax::scan::{Dialect, ScanError, Scanner, Unfinished};
use syntax::stack::with_stack;
use syntax::token::{Tok, Token};
use syntax::{Feature, Language, Release};

// ---- scanning ------------------------------------------------------------------------------------------------------

/// `erl_scan:string/2`: `{ok, Tokens, End}` or `{error, {At, erl_scan, Descriptor}, End}`. Locations are lines from `line`, or with `column`
/// pairs of line and column.
pub fn scan_string(heap: &mut Heap, text: &str, line: i64, column: Option<i64>, dialect: Dialect) -> Term {
    let mut scanner = scanner(text, dialect);
    let mut tokens = Vec::new();
    let place = LocationForm { line, column };
    loop {
        match scanner.form(&mut tokens) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let at = place.term(heap, error.loc);
                let descriptor = descriptor(heap, &error, dialect);
                let info = heap.make_tuple(&[at, Term::atom(Atom::new("erl_scan")), descriptor]);
                let end = place.term(heap, scanner.loc());
                return heap.make_tuple(&[Term::atom(Atom::ERROR), info, end]);
            }
        }
    }
    let list: Vec<Term> = tokens.iter().map(|t| token_term(heap, t, place)).collect();
    let list = heap.make_list(&list);
    let end = place.term(heap, scanner.loc());
    heap.make_tuple(&[Term::atom(Atom::OK), list, end])
}

/// In later releases, `maybe` and `else` are keywords.
fn scanner(text: &str, dialect: Dialect) -> Scanner<'_> {
    let mut scanner = Scanner::new(text, 0);
    scanner.dialect = dialect;
    scanner.maybe_keywords = Feature::MaybeKeyword.is_in(dialect.release);
    scanner
}

/// The tokens of a text that [`scan_string`] can scan, with the text between them: `{At, Between, Text, Tokens}` for each, where `At` is the
/// location of `Between`, and without tokens at the end.
///
/// # Errors
/// `badarg` if the text cannot be scanned.
pub fn scan_pieces(
    heap: &mut Heap,
    text: &str,
    line: i64,
    column: Option<i64>,
    dialect: Dialect,
) -> Result<Term, Raise> {
    let mut scanner = scanner(text, dialect);
    let place = LocationForm { line, column };
    let mut pieces = Vec::new();
    loop {
        let mut tokens = Vec::new();
        let (at, between, own) = scanner.piece(&mut tokens).map_err(|_| Raise::badarg())?;
        let at = place.term(heap, at);
        let between = heap.make_string(between);
        let own = heap.make_string(own);
        let terms: Vec<Term> = tokens.iter().map(|t| token_term(heap, t, place)).collect();
        let terms = heap.make_list(&terms);
        pieces.push(heap.make_tuple(&[at, between, own, terms]));
        if tokens.is_empty() {
            return Ok(heap.make_list(&pieces));
        }
    }
}

/// The form of locations.
#[derive(Clone, Copy)]
struct LocationForm {
    line: i64,
    column: Option<i64>,
}

impl LocationForm {
    fn term(self, heap: &mut Heap, loc: Loc) -> Term {
        let line = Term::small(self.line + i64::from(loc.line) - 1);
        match self.column {
            None => line,
            Some(first) => {
                let col = i64::from(loc.col) + if loc.line == 1 { first - 1 } else { 0 };
                heap.make_tuple(&[line, Term::small(col)])
            }
        }
    }
}

fn token_term(heap: &mut Heap, token: &Token, place: LocationForm) -> Term {
    let at = place.term(heap, token.loc);
    let (kind, value) = match &token.tok {
        Tok::Atom(a) => ("atom", Term::atom(*a)),
        Tok::Var(a) => ("var", Term::atom(*a)),
        Tok::Integer(n) => ("integer", heap.make_int(*n)),
        Tok::BigInteger(n) => {
            let (sign, limbs) = n.to_u64_digits();
            ("integer", heap.make_big(sign == num_bigint::Sign::Minus, &limbs))
        }
        Tok::Float(x) => ("float", heap.make_float(*x)),
        Tok::Char(c) => ("char", Term::small(i64::from(u32::from(*c)))),
        Tok::String(s) => ("string", heap.make_string(s)),
        Tok::SigilPrefix(kind) => ("sigil_prefix", Term::atom(*kind)),
        Tok::SigilSuffix(suffix) => ("sigil_suffix", heap.make_string(suffix)),
        Tok::Dot => return heap.make_tuple(&[Term::atom(Atom::new("dot")), at]),
        Tok::Period => return heap.make_tuple(&[Term::atom(Atom::DOT), at]),
        Tok::Other(c) => return heap.make_tuple(&[Term::atom(Atom::new(&c.to_string())), at]),
        tok => {
            let text = tok.fixed_text().expect("the other tokens are keywords and marks");
            return heap.make_tuple(&[Term::atom(Atom::new(text)), at]);
        }
    };
    heap.make_tuple(&[Term::atom(Atom::new(kind)), at, value])
}

/// The error as `erl_scan:format_error/1` takes it.
fn descriptor(heap: &mut Heap, error: &ScanError, dialect: Dialect) -> Term {
    let atom = |name: &str| Term::atom(Atom::new(name));
    if let Some(what) = error.message.strip_prefix("illegal ") {
        if let Some(base) = what.strip_prefix("base '").and_then(|rest| rest.strip_suffix('\'')) {
            let base = base.parse().unwrap_or(i64::MAX >> 4);
            return heap.make_tuple(&[atom("base"), Term::small(base)]);
        }
        let what = what.split(' ').next().unwrap_or(what);
        return heap.make_tuple(&[atom("illegal"), atom(what)]);
    }
    let newer = Feature::TripleQuoted.is_in(dialect.release);
    let Some((what, head)) = &error.unfinished else {
        return match error.message.as_str() {
            "unterminated character" if newer => heap.make_tuple(&[atom("unterminated"), atom("char")]),
            "unterminated character" => atom("char"),
            message if message.starts_with("bad indentation") => atom("indentation"),
            message if message.starts_with("adjacent") => atom("string_concat"),
            _ => atom("white_space"),
        };
    };
    let char = |c: char| Term::small(i64::from(u32::from(c)));
    let count = |n: usize| Term::small(n as i64);
    let head = heap.make_string(head);
    let (name, quote) = match *what {
        Unfinished::String => (atom("string"), '"'),
        Unfinished::Atom => (atom("atom"), '\''),
        Unfinished::Triple(quotes) => (heap.make_tuple(&[atom("string"), count(quotes)]), '"'),
        Unfinished::TripleSigil(kind, quotes) => {
            (heap.make_tuple(&[atom("sigil"), Term::atom(kind), count(quotes)]), '"')
        }
        Unfinished::Sigil(kind, open, close) => {
            let parts = [atom("sigil"), Term::atom(kind), char(open), char(close)];
            (heap.make_tuple(&parts), open)
        }
    };
    if newer {
        heap.make_tuple(&[atom("unterminated"), name, head])
    } else {
        heap.make_tuple(&[atom("string"), char(quote), head])
    }
}

// ---- parsing -------------------------------------------------------------------------------------------------------

/// What a list of tokens is parsed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseGoal {
    /// `erl_parse:parse_term/1`.
    Term,
    /// `erl_parse:parse_exprs/1`.
    Exprs(Patterns),
    /// `erl_parse:parse_form/1`.
    Form(Patterns),
}

/// What becomes of patterns that are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// They are errors, as they were in traces of the first versions.
    Checked,
    /// They are for `erl_lint`, or for a parse transform.
    Any,
}

/// The result of parsing.
enum TokensParsed {
    Exprs(Vec<Expr>),
    Form(Box<Module>),
}

impl ParseGoal {
    fn read(self, tokens: &[Token], language: Language) -> Result<TokensParsed, Vec<Diagnostic>> {
        match self {
            ParseGoal::Exprs(Patterns::Any) => parse_unchecked_exprs(tokens, language).map(TokensParsed::Exprs),
            ParseGoal::Term | ParseGoal::Exprs(Patterns::Checked) => parse_exprs(tokens).map(TokensParsed::Exprs),
            ParseGoal::Form(patterns) => {
                let mut diagnostics = Vec::new();
                let mut module = Module {
                    language,
                    ..Module::default()
                };
                parse_form(tokens, &mut module, &mut diagnostics);
                let is_wrong = |found: &Diagnostic| patterns == Patterns::Checked || found.kind != DiagnosticKind::Lint;
                match diagnostics.iter().any(is_wrong) {
                    false => Ok(TokensParsed::Form(Box::new(module))),
                    true => Err(diagnostics),
                }
            }
        }
    }
}

/// `erl_parse:parse_term/1` and its like over a list of tokens.
///
/// # Errors
/// `function_clause` if it is not a list of tokens.
pub fn parse(heap: &mut Heap, tokens: Term, wanted: ParseGoal, release: Release) -> Result<Term, Raise> {
    let language = Language::of(release);
    let bad = || Raise::error(Term::atom(Atom::FUNCTION_CLAUSE));
    let terms = heap.list(tokens).ok_or_else(bad)?;
    let mut places = Vec::with_capacity(terms.len());
    let mut parsed = Vec::with_capacity(terms.len());
    let mut columns = false;
    for &t in &terms {
        let (token, place) = token(heap, t).ok_or_else(bad)?;
        columns |= token.loc.col > 0;
        places.push(place);
        parsed.push(token);
    }
    // The parser stops at the first dot, and treats the end of the tokens as one.
    let dot = parsed.iter().position(|t| t.tok == Tok::Dot).unwrap_or(parsed.len());
    let result = match wanted.read(&parsed, language) {
        Ok(_) if dot + 1 != parsed.len() => Err(None),
        // Messages about something else than a wrong token: `head mismatch`, `bad attribute`.
        other => other.map_err(|diagnostics| {
            let message = diagnostics.into_iter().next()?.message;
            let is_own = message.starts_with("illegal sigil")
                || matches!(wanted, ParseGoal::Form(_)) && !message.starts_with("syntax error");
            is_own.then_some(message)
        }),
    };
    let result = match result {
        Ok(TokensParsed::Form(module)) => Ok(decoded(heap, &abstract_code::form_to_external(&module, columns))),
        Ok(TokensParsed::Exprs(exprs)) if matches!(wanted, ParseGoal::Exprs(_)) => {
            Ok(decoded(heap, &abstract_code::exprs_to_external(&exprs, columns)))
        }
        Ok(TokensParsed::Exprs(exprs)) => {
            let term = match &exprs[..] {
                [expr] => constant(heap, expr),
                _ => None,
            };
            let at = places.first().copied().unwrap_or(Term::small(0));
            term.ok_or_else(|| (at, heap.make_string("bad term")))
        }
        Err(message) => {
            let end = parsed.len().min(dot + 1);
            let found = failed_token(&parsed[..end], wanted, language).or((end < parsed.len()).then_some(end));
            let (at, shown) = match found {
                Some(i) => (places[i], token_text(&parsed[i].tok, language)),
                None => (places.last().copied().unwrap_or(Term::small(0)), String::new()),
            };
            let message = if let Some(message) = message {
                heap.make_string(&message)
            } else {
                let mut shown = heap.make_string(&shown);
                // What `erl_parse` has no text for is printed in a list of its own.
                if found.is_some_and(|i| matches!(parsed[i].tok, Tok::SigilPrefix(_) | Tok::SigilSuffix(_))) {
                    shown = heap.make_list(&[shown]);
                }
                let parts = [heap.make_string("syntax error before: "), shown];
                heap.make_list(&parts)
            };
            Err((at, message))
        }
    };
    Ok(match result {
        Ok(term) => heap.make_tuple(&[Term::atom(Atom::OK), term]),
        Err((at, message)) => {
            let info = heap.make_tuple(&[at, Term::atom(Atom::new("erl_parse")), message]);
            heap.make_tuple(&[Term::atom(Atom::ERROR), info])
        }
    })
}

fn decoded(heap: &mut Heap, bytes: &[u8]) -> Term {
    crate::etf::decode(heap, bytes, false, None)
        .expect("our own encoding")
        .0
}

/// The token that does not fit: found by parsing again with the tokens numbered in place of their lines. `None`: the end.
fn failed_token(tokens: &[Token], wanted: ParseGoal, language: Language) -> Option<usize> {
    let numbered: Vec<Token> = tokens
        .iter()
        .enumerate()
        .map(|(i, t)| Token {
            loc: Loc {
                line: i as u32 + 1,
                col: 1,
                file: 0,
            },
            tok: t.tok.clone(),
        })
        // A second end, so that the end can be distinguished from the last token.
        .chain([Token {
            loc: Loc {
                line: tokens.len() as u32 + 1,
                col: 1,
                file: 0,
            },
            tok: Tok::Dot,
        }])
        .collect();
    let ends = tokens.last().is_some_and(|t| t.tok == Tok::Dot);
    let numbered = if ends { &numbered[..tokens.len()] } else { &numbered[..] };
    let diagnostics = wanted.read(numbered, language).err()?;
    let at = diagnostics.first()?.loc.line as usize;
    (at >= 1 && at <= tokens.len()).then(|| at - 1)
}

/// A token as `erl_parse` shows it in its messages.
fn token_text(tok: &Tok, language: Language) -> String {
    match tok {
        Tok::Atom(word) if language.has_maybe() && super::is_newer_keyword(word.as_str()) => format!("'{word}'"),
        Tok::Dot => "'.'".to_owned(),
        Tok::Period => "'.'".to_owned(),
        Tok::Other(c) => syntax::token::quoted_with(&c.to_string(), '\''),
        Tok::SigilPrefix(kind) => syntax::token::quoted_atom(*kind),
        Tok::SigilSuffix(suffix) => Tok::String(suffix.clone()).to_string(),
        _ => match tok.fixed_text() {
            Some(text) => format!("'{text}'"),
            None => tok.to_string(),
        },
    }
}

/// A token from its term, and its location as given.
fn token(heap: &Heap, t: Term) -> Option<(Token, Term)> {
    let elements = heap.tuple(t)?;
    let (&kind, &place) = (elements.first()?, elements.get(1)?);
    let kind = kind.as_atom()?.as_str();
    let tok = match *elements {
        [_, _] if kind == "dot" => Tok::Dot,
        [_, _] if kind == "." => Tok::Period,
        // Whoever made the token has enabled the feature.
        [_, _] if kind == "maybe" => Tok::Maybe,
        [_, _] if kind == "else" => Tok::Else,
        [_, _] => match Tok::from_fixed_text(kind) {
            Some(tok) => tok,
            None => Tok::Other(kind.chars().next()?),
        },
        [_, _, value] => match kind {
            "atom" => Tok::Atom(value.as_atom()?),
            "var" => Tok::Var(value.as_atom()?),
            "integer" => match heap.view(value) {
                TermView::Small(n) => Tok::Integer(n),
                TermView::Big { negative, limbs } => big_token(negative, limbs),
                _ => return None,
            },
            "float" => match heap.view(value) {
                TermView::Float(x) => Tok::Float(x),
                _ => return None,
            },
            "char" => Tok::Char(char::from_u32(u32::try_from(value.as_small()?).ok()?)?),
            "string" => Tok::String(text(heap, value)?.into()),
            "sigil_prefix" => Tok::SigilPrefix(value.as_atom()?),
            "sigil_suffix" => Tok::SigilSuffix(text(heap, value)?.into()),
            _ => return None,
        },
        _ => return None,
    };
    Some((
        Token {
            loc: location(heap, place)?,
            tok,
        },
        place,
    ))
}

fn text(heap: &Heap, list: Term) -> Option<String> {
    let chars = heap.list(list)?.into_iter();
    chars
        .map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?))
        .collect()
}

fn big_token(negative: bool, limbs: &[u64]) -> Tok {
    let digits = limbs.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect();
    let sign = if negative {
        num_bigint::Sign::Minus
    } else {
        num_bigint::Sign::Plus
    };
    let value = num_bigint::BigInt::new(sign, digits);
    match i64::try_from(&value) {
        Ok(n) => Tok::Integer(n),
        Err(_) => Tok::BigInteger(value.into()),
    }
}

/// Line, `{Line, Column}`, or a list of annotations with `{location, …}`. A location without a column has column 0.
fn location(heap: &Heap, place: Term) -> Option<Loc> {
    let line = |t: Term| u32::try_from(t.as_small()?).ok();
    match heap.view(place) {
        TermView::Small(_) => Some(Loc {
            line: line(place)?,
            col: 0,
            file: 0,
        }),
        TermView::Tuple(&[l, c]) => Some(Loc {
            line: line(l)?,
            col: u16::try_from(c.as_small()?).unwrap_or(u16::MAX),
            file: 0,
        }),
        TermView::Cons(..) => heap.list(place)?.into_iter().find_map(|pair| match heap.tuple(pair) {
            Some(&[key, value]) if key == Term::atom(Atom::new("location")) => location(heap, value),
            _ => None,
        }),
        _ => None,
    }
}

// ---- constants -----------------------------------------------------------------------------------------------------

/// The value of a literal expression (`erl_parse:normalise/1`); `None` if it is not a literal.
pub fn constant(heap: &mut Heap, expr: &Expr) -> Option<Term> {
    with_stack(|| constant_here(heap, expr))
}

fn constant_here(heap: &mut Heap, expr: &Expr) -> Option<Term> {
    Some(match &expr.kind {
        ExprKind::Atom(a) => Term::atom(*a),
        ExprKind::Integer(n) => heap.make_int(*n),
        ExprKind::BigInteger(n) => {
            let (sign, limbs) = n.to_u64_digits();
            heap.make_big(sign == num_bigint::Sign::Minus, &limbs)
        }
        ExprKind::Float(x) => heap.make_float(*x),
        ExprKind::Char(c) => Term::small(i64::from(u32::from(*c))),
        ExprKind::String(s) => heap.make_string(s),
        ExprKind::Nil => Term::NIL,
        ExprKind::List(list) => {
            let items = constants(heap, &list.items)?;
            let tail = match &list.tail {
                Some(tail) => constant(heap, tail)?,
                None => Term::NIL,
            };
            heap.make_list_with_tail(&items, tail)
        }
        ExprKind::Tuple(items) => {
            let items = constants(heap, items)?;
            heap.make_tuple(&items)
        }
        ExprKind::Map(fields) => {
            let mut pairs = Vec::with_capacity(fields.len());
            for field in fields {
                if field.op != MapOp::Assoc {
                    return None;
                }
                pairs.push((constant(heap, &field.key)?, constant(heap, &field.value)?));
            }
            maps::from_pairs(heap, &pairs)
        }
        ExprKind::Binary(segments) => {
            let mut builder = Builder::new();
            for segment in segments {
                put_segment(heap, &mut builder, segment)?;
            }
            builder.finish(heap)
        }
        ExprKind::Unary(op @ (UnaryOp::Plus | UnaryOp::Minus), operand) => {
            let negate = *op == UnaryOp::Minus;
            match &operand.kind {
                ExprKind::Integer(_) | ExprKind::BigInteger(_) | ExprKind::Char(_) | ExprKind::Float(_) => {}
                _ => return None,
            }
            let value = constant(heap, operand)?;
            if negate {
                crate::arith::neg(heap, value).ok()?
            } else {
                value
            }
        }
        ExprKind::FunRemote(parts) => {
            let [module, function, arity] = &**parts;
            match (&module.kind, &function.kind, &arity.kind) {
                (ExprKind::Atom(m), ExprKind::Atom(f), ExprKind::Integer(a @ 0..=255)) => {
                    let payload = [Term::atom(*m).0, Term::atom(*f).0, Term::small(*a).0];
                    heap.make_box(crate::term::BoxKind::ExternalFun, &payload)
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn constants(heap: &mut Heap, exprs: &[Expr]) -> Option<Vec<Term>> {
    exprs.iter().map(|e| constant(heap, e)).collect()
}

fn put_segment(heap: &mut Heap, builder: &mut Builder, segment: &Segment<Expr>) -> Option<()> {
    let values = match &segment.value.kind {
        // Each character is a segment of its own.
        ExprKind::String(s) => s.chars().map(|c| Term::small(i64::from(u32::from(c)))).collect(),
        _ => vec![constant(heap, &segment.value)?],
    };
    let size = match &segment.size {
        Some(size) => Some(usize::try_from(constant(heap, size)?.as_small()?).ok()?),
        None => None,
    };
    let (spec, unit) = (&segment.spec, usize::from(segment.spec.unit));
    let little = spec.endian != Endian::Big;
    for value in values {
        match spec.ty {
            SegmentType::Integer => builder.put_integer(
                heap,
                value,
                size.unwrap_or(8) * if size.is_some() { unit } else { 1 },
                little,
            ),
            SegmentType::Float => builder.put_float(
                heap,
                value,
                size.unwrap_or(64) * if size.is_some() { unit } else { 1 },
                little,
            ),
            SegmentType::Binary => match size {
                Some(size) => builder.put_bits(heap, value, size * unit),
                None => builder.put_all(heap, value, unit),
            },
            SegmentType::Utf8 => builder.put_utf8(value),
            SegmentType::Utf16 => builder.put_utf16(value, little),
            SegmentType::Utf32 => builder.put_utf32(value, little),
        }
        .ok()?;
    }
    Some(())
}
