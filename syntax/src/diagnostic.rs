//! What is wrong with a source, where, and what to do about it.

use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use rustc_hash::FxHashMap;

use super::ast::Loc;
use super::scan::token_length;

/// The part of the front end that reports.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum DiagnosticKind {
    /// Bytes that are not text, or characters that are not a token.
    Scan,
    /// Directives and macros.
    Preprocess,
    /// Structure.
    Parse,
    /// Structure is fine, meaning is not.
    Lint,
    /// Valid Erlang that this tool does not support.
    Unsupported,
    /// Not an error; shown with `-W`.
    Warning,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The part that reports.
    pub kind: DiagnosticKind,
    /// Where.
    pub loc: Loc,
    /// Name of the file that `loc` is in.
    pub file: Arc<str>,
    /// One sentence without a full stop, worded as in OTP where OTP has the message.
    pub message: String,
    /// Text at the caret: what was expected or found.
    pub label: Option<String>,
    /// What to do.
    pub hint: Option<String>,
    /// Other places that matter: where something was first defined, or where a macro was called.
    pub notes: Vec<(Loc, Arc<str>, String)>,
    /// The source line (without its end) at `loc`, if the file's text is known.
    pub source: Option<Arc<str>>,
}

impl Diagnostic {
    /// An error without label and hint.
    pub fn error(kind: DiagnosticKind, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind,
            loc,
            file: "".into(),
            message: message.into(),
            label: None,
            hint: None,
            notes: Vec::new(),
            source: None,
        }
    }

    /// A warning.
    pub fn warning(loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(DiagnosticKind::Warning, loc, message)
    }

    /// Adds the text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Adds another place.
    pub fn note(mut self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        self.notes.push((loc, "".into(), text.into()));
        self
    }
}

/// Fills in file names and quoted lines. A line is stored once, however many diagnostics quote it.
pub(super) struct Locator<'a> {
    files: &'a [Box<str>],
    texts: &'a FxHashMap<u16, Arc<str>>,
    /// The texts of files that were quoted.
    lines: FxHashMap<u16, Vec<Arc<str>>>,
}

impl<'a> Locator<'a> {
    /// `files`: names by index; `texts`: their contents, as far as known.
    pub(super) fn new(files: &'a [Box<str>], texts: &'a FxHashMap<u16, Arc<str>>) -> Self {
        Self {
            files,
            texts,
            lines: FxHashMap::default(),
        }
    }

    pub(super) fn locate(&mut self, diagnostic: &mut Diagnostic) {
        let name = |file: u16| Arc::from(self.files.get(usize::from(file)).map_or("", |name| &**name));
        diagnostic.file = name(diagnostic.loc.file);
        for (loc, file, _) in &mut diagnostic.notes {
            *file = name(loc.file);
        }
        let Loc { file, line, .. } = diagnostic.loc;
        let texts = self.texts;
        let lines = self.lines.entry(file).or_insert_with(|| {
            let text = texts.get(&file).map_or("", |text| &**text);
            text.lines().map(Arc::from).collect()
        });
        let index = (line as usize).checked_sub(1);
        diagnostic.source = index.and_then(|index| lines.get(index).cloned());
    }
}

/// Maximum number of characters of a source line that are quoted around the place.
const QUOTED: usize = 240;

impl Diagnostic {
    /// The diagnostic for people: title, `file:line:column`, the source line with a caret, notes and hint. `width` is that of the terminal
    /// in columns; `color` adds ANSI colours. Ends without a line break.
    pub fn render(&self, color: bool, width: usize) -> String {
        let level = match self.kind {
            DiagnosticKind::Warning => Level::WARNING,
            DiagnosticKind::Unsupported => Level::ERROR.with_name("unsupported"),
            DiagnosticKind::Scan | DiagnosticKind::Preprocess | DiagnosticKind::Parse | DiagnosticKind::Lint => {
                Level::ERROR
            }
        };
        let file = if self.file.is_empty() { "(options)" } else { &self.file };
        let mut group = level.primary_title(visible(&self.message)).elements(None::<Origin<'_>>);
        let mut origin = Origin::path(visible(file));
        if self.loc != Loc::NONE {
            origin = origin.line(self.loc.line as usize).char_column(self.loc.col as usize);
        }
        let label = self.label.as_deref().map(visible);
        let quote = self
            .source
            .as_deref()
            .map(|line| Quote::new(line, self.loc.col as usize));
        match &quote {
            Some(quote) => {
                let mark = AnnotationKind::Primary.span(quote.span.clone()).label(label);
                let mut snippet = Snippet::source(quote.text.as_str()).line_start(self.loc.line as usize);
                if quote.is_exact {
                    snippet = snippet.path(visible(file));
                } else {
                    group = group.element(origin);
                }
                group = group.element(snippet.annotation(mark));
            }
            None => {
                group = group
                    .element(origin)
                    .elements(label.map(|label| Level::NOTE.message(label)));
            }
        }
        for (loc, file, text) in &self.notes {
            let place = format!("{}:{}:{}: {}", visible(file), loc.line, loc.col, visible(text));
            group = group.element(Level::NOTE.message(place));
        }
        group = group.elements(self.hint.as_deref().map(|hint| Level::HELP.message(visible(hint))));
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(width.clamp(20, 400)).render(&[group])
    }
}

/// A source line made safe for a terminal, and what to mark in it.
struct Quote {
    text: String,
    span: std::ops::Range<usize>,
    /// Whether columns in `text` equal those in the file.
    is_exact: bool,
}

impl Quote {
    /// The part of the line around a column (from 1), with invisible characters written as escapes.
    fn new(line: &str, col: usize) -> Quote {
        let at = col.saturating_sub(1);
        let skip = at.saturating_sub(QUOTED / 2);
        let mut text = if skip > 0 { "…".to_owned() } else { String::new() };
        let start = line.char_indices().nth(at).map_or(line.len(), |(index, _)| index);
        let marked = line[start..].chars().take(token_length(&line[start..])).count();
        let mut span = None;
        for (index, c) in line.chars().enumerate().skip(skip).take(QUOTED) {
            let from = text.len();
            show(c, &mut text);
            if index >= at && index < at + marked.max(1) {
                let first = span.map_or(from, |(first, _)| first);
                span = Some((first, text.len()));
            }
        }
        let end = text.len();
        let (first, last) = span.unwrap_or((end, end));
        if line.chars().nth(skip + QUOTED).is_some() {
            text.push('…');
        }
        let is_exact = skip == 0 && line.get(..start).is_some_and(|before| text.starts_with(before));
        Quote {
            text,
            span: first..last,
            is_exact,
        }
    }
}

/// The text with invisible and direction-changing characters as escapes, so that the reader sees what is in the file.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars()
        .for_each(|c| if c == '\n' { shown.push(c) } else { show(c, &mut shown) });
    shown
}

fn show(c: char, out: &mut String) {
    let invisible = match c {
        '\t' => {
            out.push_str("    ");
            return;
        }
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    };
    if invisible {
        out.push_str(&format!("\\x{{{:X}}}", c as u32));
    } else {
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoIncludes, ReadOptions, parse_module};

    fn first(source: &str) -> Diagnostic {
        let mut errors = parse_module("m.erl", source.as_bytes(), &ReadOptions::default(), &NoIncludes).unwrap_err();
        errors.remove(0)
    }

    #[test]
    fn a_rendered_error_names_place_and_expectation() {
        let error = first("-module(m).\n-export([f/1]).\nf(X) ->\n    g(X, 1 2).\n");
        let text = error.render(false, 100);
        assert_eq!(
            text,
            "error: syntax error before: 2\n --> m.erl:4:12\n  |\n4 |     g(X, 1 2).\n  |            ^ expected `,` or `)`"
        );
        assert!(error.render(true, 100).contains("\u{1b}["));
    }

    #[test]
    fn hints_and_notes_are_shown() {
        let error = first("-module(m).\n-export([f/1]).\n-record(r, {field}).\nf(X) -> X#r.filed.\n");
        let text = error.render(false, 100);
        assert!(text.contains("field filed undefined in record r"), "{text}");
        assert!(text.contains("m.erl:3:2: the record is defined here"), "{text}");
        assert!(text.contains("help: did you mean field?"), "{text}");
    }

    #[test]
    fn trojan_sources_are_visible() {
        let error = first("-module(m).\nf() -> \"\u{202e}\" Y\u{7}.\n");
        let text = error.render(false, 80);
        assert!(text.contains("\\x{202E}"), "{text}");
        assert!(!text.contains('\u{202e}') && !text.contains('\u{7}'), "{text}");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let source = format!("-module(m).\n-export([f/0]).\nf() -> [{}X].\n", "1, ".repeat(5000));
        let error = first(&source);
        let text = error.render(false, 80);
        assert!(text.contains("m.erl:3:15009"), "{text}");
        assert!(text.len() < 1500, "{} bytes", text.len());
    }

    #[test]
    fn what_is_not_supported_says_so() {
        let error = first("-module(m).\n-compile({parse_transform, lager_transform}).\n");
        assert_eq!(error.kind, DiagnosticKind::Unsupported);
        assert!(
            error
                .render(false, 80)
                .starts_with("unsupported: parse transform lager_transform")
        );
    }
}
