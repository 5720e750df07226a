//! What a reader who takes the tree over would count: sizes, names, errors that are texts, tests beside the code.
//! `REVIEW=PATH cargo test -p retell-tests review:: -- --nocapture` prints the table for the tree at PATH, which can be an older one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tests::root;

/// So many names can stand for types in [`MANY`] files or more.
const MOST_SHARED_NAMES: usize = 10;
/// A name that is a type in so many files says nothing to who searches for it.
const MANY: usize = 4;

/// A file of Rust: its path from the root of the tree, and its text.
struct SourceFile {
    path: PathBuf,
    text: String,
}

/// What is counted in a tree.
#[derive(Default)]
struct Counts {
    /// Lines of Rust in `src` folders, and in `tests` folders.
    lines: (usize, usize),
    /// The files in which a name is defined as a type.
    types: BTreeMap<String, BTreeSet<PathBuf>>,
    /// Functions whose error is a text.
    text_errors: usize,
    /// Tests in `src` folders, and in `tests` folders.
    tests: (usize, usize),
    /// Crates whose `src` has no tests.
    untested: Vec<String>,
    /// Files of more than 700 lines.
    long: usize,
    /// Files that name the kind of a receive.
    receive_kind: usize,
    /// Doc comments, and examples in them.
    docs: (usize, usize),
}

/// All files of Rust below a folder, without what was built.
fn sources(root: &Path, dir: &Path, list: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(dir).expect("a folder of the tree").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                sources(root, &path, list);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a file of the tree is text");
            let path = path.strip_prefix(root).expect("below the root").to_owned();
            list.push(SourceFile { path, text });
        }
    }
}

/// The type that a line defines: a struct, an enum, a union, a trait or an alias that belongs to no other item.
fn defined_type(line: &str) -> Option<&str> {
    let is_inner = line.starts_with(' ');
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        let bounded = public.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        rest = bounded.map_or(public, |(_, rest)| rest).trim_start();
    }
    let words = ["struct ", "enum ", "union ", "trait ", "type "];
    let word = words.iter().find(|word| rest.starts_with(**word))?;
    let name = &rest[word.len()..];
    let end = name
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(name.len());
    (!(is_inner && *word == "type ") && end > 0).then(|| &name[..end])
}

/// Does a text hold this path, and not as a part of longer names?
fn names_path(text: &str, path: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(path).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + path.len()..].chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

fn is_one_word(name: &str) -> bool {
    name.chars().filter(|letter| letter.is_uppercase()).count() == 1
}

impl Counts {
    fn of(tree: &Path) -> Self {
        let mut list = Vec::new();
        sources(tree, tree, &mut list);
        let mut counts = Self::default();
        let mut with_tests: BTreeMap<String, bool> = BTreeMap::new();
        for SourceFile { path, text } in &list {
            let has = |part: &str| path.components().any(|step| step.as_os_str() == part);
            let tests = text.matches("#[test]\n").count();
            if !has("src") {
                counts.lines.1 += text.lines().count();
                counts.tests.1 += tests;
                continue;
            }
            let name = path.iter().next().unwrap_or_default().to_string_lossy().into_owned();
            *with_tests.entry(name).or_default() |= tests > 0;
            let lines = text.lines().count();
            counts.lines.0 += lines;
            counts.tests.0 += tests;
            counts.long += usize::from(lines > 700);
            counts.receive_kind += usize::from(names_path(text, "Kind::Rec"));
            counts.text_errors += text
                .lines()
                .filter(|line| line.contains(", String>") && line.contains("Result<"))
                .count();
            for line in text.lines() {
                counts.add_line(path, line);
            }
        }
        let untested = with_tests.into_iter().filter(|(_, has)| !has);
        counts.untested = untested.map(|(name, _)| name).collect();
        counts
    }

    fn add_line(&mut self, path: &Path, line: &str) {
        if let Some(name) = defined_type(line) {
            self.types.entry(name.to_owned()).or_default().insert(path.to_owned());
        }
        let code = line.trim_start();
        if code.starts_with("/// ") || code.starts_with("//! ") {
            self.docs.0 += 1;
        }
        if matches!(code, "/// ```" | "//! ```" | "/// ```no_run" | "//! ```no_run") {
            self.docs.1 += 1;
        }
    }

    fn shared_names(&self) -> Vec<String> {
        let shared = self.types.iter().filter(|(_, files)| files.len() >= MANY);
        shared
            .map(|(name, files)| format!("{name} ({})", files.len()))
            .collect()
    }

    /// The rows of the table: what is counted, and the number.
    fn table(&self) -> Vec<(&'static str, String)> {
        let definitions: usize = self.types.values().map(BTreeSet::len).sum();
        let one_word = self.types.iter().filter(|(name, _)| is_one_word(name));
        let one_word: usize = one_word.map(|(_, files)| files.len()).sum();
        let (unit, whole) = self.tests;
        let percent = |part: usize, all: usize| format!("{part} of {all} ({} %)", part * 100 / all.max(1));
        vec![
            (
                "lines of Rust in src, in tests",
                format!("{}, {}", self.lines.0, self.lines.1),
            ),
            ("files of more than 700 lines", self.long.to_string()),
            ("type names of one word", percent(one_word, definitions)),
            (
                "names that are types in four or more files",
                self.shared_names().len().to_string(),
            ),
            ("functions whose error is a text", self.text_errors.to_string()),
            ("tests beside the code", percent(unit, unit + whole)),
            ("crates without tests beside the code", self.untested.join(", ")),
            ("files that name Kind::Rec", self.receive_kind.to_string()),
            (
                "doc lines; examples in them",
                format!("{}; {}", self.docs.0, self.docs.1 / 2),
            ),
        ]
    }
}

#[test]
fn names_can_be_searched() {
    let shared = Counts::of(&root()).shared_names();
    assert!(
        shared.len() <= MOST_SHARED_NAMES,
        "{} names are types in {MANY} or more files, and {MOST_SHARED_NAMES} may be: {}. A type that several modules could define says what it is: \
         `ReceivePlace`, not `Place`",
        shared.len(),
        shared.join(", ")
    );
}

#[test]
fn the_table_can_be_counted() {
    let tree = std::env::var_os("REVIEW").map_or_else(root, PathBuf::from);
    let counts = Counts::of(&tree);
    assert!(counts.types.len() > 100, "no tree of Rust: {}", tree.display());
    for (what, number) in counts.table() {
        println!("{what:45} {number}");
    }
}

#[test]
fn a_type_is_found_in_its_line() {
    assert_eq!(defined_type("pub(super) struct Found<'a> {"), Some("Found"));
    assert_eq!(defined_type("    enum Inner { A }"), Some("Inner"));
    assert_eq!(defined_type("type Answer = u8;"), Some("Answer"));
    assert_eq!(defined_type("    type Err = String;"), None);
    assert_eq!(defined_type("// a struct of two"), None);
    assert!(names_path("if Kind::Rec { .. }", "Kind::Rec") && !names_path("ActKind::Received", "Kind::Rec"));
}
