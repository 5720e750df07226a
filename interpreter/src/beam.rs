//! Beam files as input: the forms that a compiler kept in one, in the debug information of `erl_abstract_code` or where the tool's own files have
//! them (`lib/retell_beam.erl`). Elixir's compiler keeps the definitions of a module, of which its own `elixir_erl` makes forms
//! (`lib/retell_elixir.erl`). The code itself is not read.
//!
//! A file is hostile input: every length is checked before it is used, nothing recurses, and what is unpacked is bounded.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::Read as _;

pub mod functions;
#[cfg(test)]
mod tests;

/// Limit: bytes of a file or of its debug information, unpacked.
const MOST: usize = 48 << 20;
/// What marks the forms in the tool's own files.
const OWN: &[u8] = b"retell1";
/// The tags of the external term format that are written here.
const VERSION: u8 = 131;
const SMALL_TUPLE: u8 = 104;
const LIST: u8 = 108;
const MAP: u8 = 116;
const NIL: u8 = 106;

/// Why there are no forms in a beam file. As text, a sentence about `it`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BeamError {
    /// It does not begin like one.
    NotBeam,
    /// It is shorter than it says.
    Cut,
    /// A chunk or a term in it is none.
    Damaged,
    /// It takes more memory than allowed.
    TooLarge,
    /// It has no debug information.
    WithoutDebugInfo,
    /// Its debug information is encrypted.
    Encrypted,
    /// Its debug information is that of this other compiler.
    OtherCompiler(String),
    /// Its debug information is that of another version of Elixir.
    OtherElixir,
    /// Its debug information has a format that is not known here.
    OtherFormat,
}

impl Display for BeamError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotBeam => "it is not a beam file",
            Self::Cut => "it ends too early",
            Self::Damaged => "it is damaged",
            Self::TooLarge => return write!(f, "it is larger than {} MB, unpacked", MOST >> 20),
            Self::WithoutDebugInfo => {
                "it has no debug information; compile it with the option debug_info (erlc +debug_info), or name its source"
            }
            Self::Encrypted => "its debug information is encrypted; name its source",
            Self::OtherCompiler(name) => {
                return write!(f, "its debug information is that of {}, not Erlang's", name.escape_debug());
            }
            Self::OtherElixir => "its debug information is that of another Elixir",
            Self::OtherFormat => "its debug information has another format",
        })
    }
}

impl Error for BeamError {}

/// Does a file begin like a beam file?
#[must_use]
pub fn is_beam(bytes: &[u8]) -> bool {
    bytes.starts_with(b"FOR1") || bytes.starts_with(&[31, 139])
}

/// What is in a beam file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The forms in the external term format, as `syntax::parse_forms` reads them.
    pub forms: Vec<u8>,
    /// The module that they are.
    pub module: String,
    /// The source file that they name first.
    pub file: Option<String>,
    /// They are still to be made: `retell_elixir` makes them of these, as a parse transform does.
    pub is_elixir: bool,
}

impl Object {
    /// The object that has these forms.
    ///
    /// # Errors
    /// They are no forms of a module.
    pub fn of_forms(forms: Vec<u8>) -> Result<Self, BeamError> {
        object(forms)
    }
}

/// Reads a beam file.
///
/// # Errors
/// Why there are none. Any bytes give a result; none makes it panic.
pub fn read(bytes: &[u8]) -> Result<Object, BeamError> {
    let bytes = plain(bytes)?;
    let chunks = Chunks::of(&bytes)?;
    if let Some(packed) = chunks.get(b"Line").and_then(|chunk| chunk.strip_prefix(OWN)) {
        return object(unpack(flate2::bufread::ZlibDecoder::new(packed))?);
    }
    let info = chunks.get(b"Dbgi").or_else(|| chunks.get(b"Abst")).unwrap_or(&[]);
    let info = match info {
        [] => return Err(BeamError::WithoutDebugInfo),
        [0, ..] => return Err(BeamError::Encrypted),
        [VERSION, 80, _, _, _, _, packed @ ..] => unpack(flate2::bufread::ZlibDecoder::new(packed))?,
        [VERSION, plain @ ..] => plain.to_vec(),
        _ => return Err(BeamError::Damaged),
    };
    let (forms, options) = match parts(&info)? {
        Kept::Forms(forms, options) => (forms, options),
        Kept::Elixir(definitions) => return elixir(definitions),
    };
    let mut more = options.map_or_else(Vec::new, meaning);
    if let Some([VERSION, attributes @ ..]) = chunks.get(b"Attr") {
        more.extend(version(attributes, forms));
    }
    object(with_more(forms, &more).ok_or(BeamError::Damaged)?)
}

fn object(forms: Vec<u8>) -> Result<Object, BeamError> {
    let all = forms.get(1..).and_then(items).ok_or(BeamError::Damaged)?;
    let module = all.iter().find_map(|form| match attribute(form)? {
        ("module", value) => Some(atom(value)?.to_owned()),
        _ => None,
    });
    let file = all.into_iter().find_map(|form| match attribute(form)? {
        ("file", value) => text(elements(value)?.first()?),
        _ => None,
    });
    let module = module.ok_or(BeamError::Damaged)?;
    Ok(Object {
        forms,
        module,
        file,
        is_elixir: false,
    })
}

/// The definitions of a module of Elixir, as forms: its name, and an attribute with all.
fn elixir(definitions: &[u8]) -> Result<Object, BeamError> {
    let whole = || {
        let [version, map, _] = elements(definitions)?[..] else {
            return None;
        };
        let module = atom(value(map, "module")?)?.to_owned();
        (atom(version)? == "elixir_v1").then_some((module, map))
    };
    let (module, map) = whole().ok_or(BeamError::OtherElixir)?;
    let file = value(map, "file").and_then(binary);
    let name = value(map, "module").unwrap_or_default();
    let forms = [
        make_attribute("module", name),
        make_attribute("elixir_definitions", definitions),
    ];
    let mut all = vec![VERSION, LIST, 0, 0, 0, 2];
    all.extend(forms.concat());
    all.push(NIL);
    Ok(Object {
        forms: all,
        module,
        file,
        is_elixir: true,
    })
}

/// A file as it is when it is not packed as a whole.
fn plain(bytes: &[u8]) -> Result<Cow<'_, [u8]>, BeamError> {
    match bytes {
        [31, 139, ..] => Ok(Cow::Owned(unpack(flate2::bufread::GzDecoder::new(bytes))?)),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

fn unpack(decoder: impl std::io::Read) -> Result<Vec<u8>, BeamError> {
    let mut plain = Vec::new();
    let read = decoder.take(MOST as u64 + 1).read_to_end(&mut plain);
    match read {
        Err(_) => Err(BeamError::Damaged),
        Ok(length) if length > MOST => Err(BeamError::TooLarge),
        Ok(_) => Ok(plain),
    }
}

/// The chunks of a file: their names and contents.
struct Chunks<'a>(Vec<([u8; 4], &'a [u8])>);

impl<'a> Chunks<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self, BeamError> {
        let (head, rest) = bytes.split_at_checked(12).ok_or(BeamError::NotBeam)?;
        if &head[..4] != b"FOR1" || &head[8..] != b"BEAM" {
            return Err(BeamError::NotBeam);
        }
        let size = number(&head[4..8]).checked_sub(4);
        let mut rest = size.and_then(|size| rest.get(..size)).ok_or(BeamError::Cut)?;
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let (head, after) = rest.split_at_checked(8).ok_or(BeamError::Damaged)?;
            let size = number(&head[4..]);
            let content = after.get(..size).ok_or(BeamError::Damaged)?;
            chunks.push(([head[0], head[1], head[2], head[3]], content));
            // The last one may lack its padding.
            rest = after.get(size.next_multiple_of(4)..).unwrap_or(&[]);
        }
        Ok(Self(chunks))
    }

    fn get(&self, name: &[u8; 4]) -> Option<&'a [u8]> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, content)| *content)
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// What a compiler kept.
enum Kept<'a> {
    /// Forms, and the options that it was given.
    Forms(&'a [u8], Option<&'a [u8]>),
    /// The definitions of a module of Elixir.
    Elixir(&'a [u8]),
}

/// What is in the debug information.
fn parts(info: &[u8]) -> Result<Kept<'_>, BeamError> {
    let all = elements(info).ok_or(BeamError::Damaged)?;
    match all[..] {
        [version, forms] if matches!(atom(version), Some("raw_abstract_v1")) => Ok(Kept::Forms(forms, None)),
        [_, _, data] if atom(data) == Some("none") => Err(BeamError::WithoutDebugInfo),
        [version, backend, data] if atom(version) == Some("debug_info_v1") => match atom(backend) {
            Some("erl_abstract_code") => match elements(data).ok_or(BeamError::Damaged)?[..] {
                [forms, _] if atom(forms) == Some("none") => Err(BeamError::WithoutDebugInfo),
                [forms, options] => Ok(Kept::Forms(forms, Some(options))),
                _ => Err(BeamError::Damaged),
            },
            Some("elixir_erl") => match elements(data).ok_or(BeamError::Damaged)?[..] {
                [_, _, _] => Ok(Kept::Elixir(data)),
                _ => Err(BeamError::Damaged),
            },
            Some(other) => Err(BeamError::OtherCompiler(other.to_owned())),
            None => Err(BeamError::Damaged),
        },
        [version, ..] if atom(version).is_some() => Err(BeamError::OtherFormat),
        _ => Err(BeamError::Damaged),
    }
}

/// Where the term that begins the bytes ends; `None`: it does not, or no source can contain it.
fn end(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut missing) = (0_usize, 1_usize);
    while missing > 0 {
        missing -= 1;
        let tag = *bytes.get(at)?;
        at += 1;
        let length = |size: usize| Some(number(bytes.get(at..at + size)?));
        let (own, parts) = match tag {
            97 => (1, 0),
            98 => (4, 0),
            70 => (8, 0),
            99 => (31, 0),
            NIL => (0, 0),
            100 | 107 | 118 => (2 + length(2)?, 0),
            115 | 119 => (1 + length(1)?, 0),
            109 => (4 + length(4)?, 0),
            77 => (5 + length(4)?, 0),
            110 => (2 + length(1)?, 0),
            111 => (5 + length(4)?, 0),
            113 => (0, 3),
            SMALL_TUPLE => (1, length(1)?),
            105 => (4, length(4)?),
            LIST => (4, length(4)? + 1),
            MAP => (4, length(4)? * 2),
            _ => return None,
        };
        at += own;
        missing += parts;
        // Each element takes a byte at least.
        if at > bytes.len() || missing > bytes.len() - at {
            return None;
        }
    }
    Some(at)
}

/// Several terms, one after the other.
fn several(mut bytes: &[u8], count: usize) -> Option<Vec<&[u8]>> {
    let mut all = Vec::new();
    for _ in 0..count {
        let (one, rest) = bytes.split_at_checked(end(bytes)?)?;
        all.push(one);
        bytes = rest;
    }
    Some(all)
}

/// The elements of a small tuple.
fn elements(term: &[u8]) -> Option<Vec<&[u8]>> {
    match term {
        [SMALL_TUPLE, count, rest @ ..] => several(rest, usize::from(*count)),
        _ => None,
    }
}

/// The elements of a proper list.
fn items(term: &[u8]) -> Option<Vec<&[u8]>> {
    match term {
        [NIL, ..] => Some(Vec::new()),
        [LIST, a, b, c, d, rest @ ..] => {
            let mut all = several(rest, number(&[*a, *b, *c, *d]) + 1)?;
            (all.pop()? == [NIL]).then_some(all)
        }
        _ => None,
    }
}

/// The text of a string: a list of characters.
fn text(term: &[u8]) -> Option<String> {
    match term {
        [107, a, b, text @ ..] => Some(text.get(..number(&[*a, *b]))?.iter().copied().map(char::from).collect()),
        _ => {
            let character = |item: &&[u8]| match item {
                [97, byte] => Some(char::from(*byte)),
                [98, number @ ..] => char::from_u32(self::number(number) as u32),
                _ => None,
            };
            items(term)?.iter().map(character).collect()
        }
    }
}

/// The value of a key of a map, if the key is an atom.
fn value<'a>(map: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let (&[MAP, a, b, c, d], rest) = map.split_first_chunk::<5>()? else {
        return None;
    };
    let all = several(rest, number(&[a, b, c, d]).checked_mul(2)?)?;
    let pair = all.chunks_exact(2).find(|pair| atom(pair[0]) == Some(key))?;
    Some(pair[1])
}

/// The text of a binary.
fn binary(term: &[u8]) -> Option<String> {
    match term {
        [109, a, b, c, d, text @ ..] => {
            let text = text.get(..number(&[*a, *b, *c, *d]))?;
            Some(String::from_utf8_lossy(text).into_owned())
        }
        _ => None,
    }
}

/// The text of an atom; that of an old encoding only if it is ASCII.
fn atom(term: &[u8]) -> Option<&str> {
    let (length, text) = match term {
        [100 | 118, a, b, text @ ..] => (number(&[*a, *b]), text),
        [115 | 119, length, text @ ..] => (usize::from(*length), text),
        _ => return None,
    };
    std::str::from_utf8(text.get(..length)?).ok()
}

/// The name of an attribute, and its value.
fn attribute(form: &[u8]) -> Option<(&str, &[u8])> {
    match elements(form)?[..] {
        [tag, _, name, value] if atom(tag) == Some("attribute") => Some((atom(name)?, value)),
        _ => None,
    }
}

/// `{attribute, 0, Name, Value}`
fn make_attribute(name: &str, value: &[u8]) -> Vec<u8> {
    let mut form = vec![SMALL_TUPLE, 4];
    let write = |form: &mut Vec<u8>, text: &str| {
        form.extend([119, u8::try_from(text.len()).unwrap_or(u8::MAX)]);
        form.extend(text.as_bytes());
    };
    write(&mut form, "attribute");
    form.extend([97, 0]);
    write(&mut form, name);
    form.extend(value);
    form
}

/// What of the options changes the meaning of the forms, as attributes.
fn meaning(options: &[u8]) -> Vec<Vec<u8>> {
    let changes = |option: &&[u8]| {
        let name = elements(option)
            .and_then(|parts| atom(parts.first()?))
            .or_else(|| atom(option));
        matches!(
            (name, atom(option)),
            (Some("no_auto_import"), _) | (_, Some("export_all" | "no_auto_import"))
        )
    };
    let all = items(options).unwrap_or_default();
    all.into_iter()
        .filter(changes)
        .map(|option| make_attribute("compile", option))
        .collect()
}

/// The version that the compiler computed: an attribute like others, unless the forms have one.
fn version(attributes: &[u8], forms: &[u8]) -> Option<Vec<u8>> {
    let has_one = items(forms)?
        .iter()
        .any(|form| attribute(form).is_some_and(|(name, _)| name == "vsn"));
    let value = items(attributes)?
        .into_iter()
        .find_map(|pair| match elements(pair)?[..] {
            [name, value] if atom(name) == Some("vsn") => Some(value),
            _ => None,
        })?;
    (!has_one).then(|| make_attribute("vsn", value))
}

/// Forms with attributes added behind the name of the module, with the byte that begins a term.
fn with_more(forms: &[u8], more: &[Vec<u8>]) -> Option<Vec<u8>> {
    let all = items(forms)?;
    let count = u32::try_from(all.len() + more.len()).ok()?;
    let mut out = Vec::with_capacity(forms.len() + 64);
    out.extend([VERSION, LIST]);
    out.extend(count.to_be_bytes());
    let mut is_named = false;
    for form in all {
        out.extend(form);
        if !is_named && attribute(form).is_some_and(|(name, _)| name == "module") {
            is_named = true;
            more.iter().for_each(|one| out.extend(one));
        }
    }
    out.push(NIL);
    is_named.then_some(out)
}
