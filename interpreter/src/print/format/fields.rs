//! Fields: numbers, padding, strings with a width.

use super::*;

/// An integer argument; integers beyond 64 bits are clamped.
pub(super) fn integer(heap: &Heap, t: Term) -> Result<i64, Bad> {
    match heap.view(t) {
        TermView::Small(n) => Ok(n),
        TermView::Big { negative, .. } => Ok(if negative { -1 } else { i64::MAX }),
        _ => Err(Bad),
    }
}

pub(super) fn float_digits(x: f64, spec: &Spec) -> Result<String, Bad> {
    let precision = spec.precision.unwrap_or(6);
    let at_least = |least| {
        if precision >= least {
            Ok(precision as usize)
        } else {
            Err(Bad)
        }
    };
    Ok(match spec.control {
        b'e' => float::scientific(x, at_least(2)?),
        b'f' => float::fixed(x, at_least(1)?),
        _ => match float::general(x, at_least(1)?) {
            Ok(decimals) => float::fixed(x, decimals),
            Err(digits) => float::scientific(x, digits),
        },
    })
}

/// The prefix of `~x`: an atom, or characters.
pub(super) fn prefix(out: &mut Text, heap: &Heap, t: Term) -> Result<(), Bad> {
    if let Some(atom) = t.as_atom() {
        out.push_str(atom.as_str());
        return Ok(());
    }
    let start = out.size();
    let valid = push_chardata(out, heap, t, Encoding::Unicode, usize::MAX)? == Chardata::Chars;
    let chars = std::str::from_utf8(&out.as_bytes()[start..]).map_err(|_| Bad)?;
    // `deep_char_list` rejects U+FFFE and U+FFFF.
    if valid && !chars.contains(['\u{fffe}', '\u{ffff}']) {
        Ok(())
    } else {
        Err(Bad)
    }
}

pub(super) fn repeated(out: &mut Text, start: usize, c: u32, spec: &Spec) -> Result<(), Bad> {
    match (spec.width, spec.precision) {
        (None, None) => out.push(c),
        (Some(n), None) | (None, Some(n)) if n >= 0 => out.push_times(c, n as usize),
        (Some(f), Some(p)) if p >= 0 && f >= p => {
            out.push_times(c, p as usize);
            adjust(out, start, (f - p) as usize, spec.left, spec.pad);
        }
        _ => return Err(Bad),
    }
    Ok(())
}

/// Adds `n` padding characters to what starts at `start`: after it if it is left-justified, else before it.
pub(super) fn adjust(out: &mut Text, start: usize, n: usize, left: bool, pad: u32) {
    if n == 0 {
        return;
    }
    if left {
        out.push_times(pad, n);
    } else {
        let mut padding = Text::new();
        padding.push_times(pad, n);
        out.insert(start, padding.as_bytes());
    }
}

/// Puts a term into its field; one that is too long becomes asterisks.
pub(super) fn pad_term(
    out: &mut Text,
    start: usize,
    width: Option<i64>,
    left: bool,
    precision: Option<i64>,
    pad: u32,
) -> Result<(), Bad> {
    let (field, precision) = match (width, precision) {
        (None, None) => return Ok(()),
        (None, Some(p)) => (p, p),
        (Some(f), None) => (f, f),
        (Some(f), Some(p)) => (f, p.min(f)),
    };
    if precision < 0 {
        return Err(Bad);
    }
    let len = text::length(&out.as_bytes()[start..]) as i64;
    if len > precision {
        out.truncate(start);
        out.push_times(u32::from(b'*'), precision as usize);
        adjust(out, start, (field - precision) as usize, left, pad);
    } else {
        adjust(out, start, (field - len) as usize, left, pad);
    }
    Ok(())
}

/// Puts a string into its field; one that is too long is cut.
pub(super) fn string_field(out: &mut Text, start: usize, spec: &Spec, width: Option<i64>) -> Result<(), Bad> {
    let (field, precision, left) = match (width, spec.precision) {
        (None, None) => return Ok(()),
        (Some(f), None) => (f, f, spec.left),
        (None, Some(p)) => (p, p, true),
        (Some(f), Some(p)) if f >= p => (f, p, spec.left),
        _ => return Err(Bad),
    };
    if precision < 0 {
        return Err(Bad);
    }
    let (field, precision) = (field as usize, precision as usize);
    let len = text::length(&out.as_bytes()[start..]);
    if len > precision {
        let string = &out.as_bytes()[start..];
        let kept = match spec.encoding() {
            Encoding::Latin1 => text::first_chars(string, precision).len(),
            Encoding::Unicode => grapheme::first(string, precision).len(),
        };
        out.truncate(start + kept);
    } else if field > precision {
        // The precision is a field within the field, in which the string is left-justified.
        out.push_times(spec.pad, precision - len);
    } else {
        adjust(out, start, precision - len, left, spec.pad);
    }
    adjust(out, start, field - precision, left, spec.pad);
    Ok(())
}
