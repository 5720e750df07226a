//! What went wrong is data: an error has a type, from which the exit code and the message follow. This finds functions and parts of types whose error is
//! a text. Each that is allowed is listed with its reason in `typed_errors.txt`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, GenericArgument, ImplItemType, Item, PathArguments, Type};
use tests::root;

/// The places in one file: names of the functions and types around them.
#[derive(Default)]
struct Texts {
    around: Vec<String>,
    found: Vec<String>,
}

impl Texts {
    fn note(&mut self) {
        self.found
            .push(self.around.last().cloned().unwrap_or_else(|| "?".to_owned()));
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.around.push(name);
        visit(self);
        self.around.pop();
    }
}

/// Is it a text, or does it hold a sentence beside something else?
fn is_text(error: &Type) -> bool {
    let is_string = |one: &Type| matches!(one, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String"));
    match error {
        Type::Reference(to) => matches!(&*to.elem, Type::Path(path) if path.path.is_ident("str")),
        Type::Tuple(parts) => parts.elems.iter().any(is_string),
        error => is_string(error),
    }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && matches!(attribute.parse_args::<syn::Path>(), Ok(path) if path.is_ident("test"))
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Mod(module) if is_of_tests(&module.attrs) => return,
            Item::Fn(function) => function.sig.ident.to_string(),
            Item::Type(alias) => alias.ident.to_string(),
            Item::Struct(one) => one.ident.to_string(),
            Item::Enum(one) => one.ident.to_string(),
            item => return visit::visit_item(self, item),
        };
        self.inside(name, |texts| visit::visit_item(texts, item));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.inside(function.sig.ident.to_string(), |texts| {
            visit::visit_impl_item_fn(texts, function);
        });
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.inside(function.sig.ident.to_string(), |texts| {
            visit::visit_trait_item_fn(texts, function);
        });
    }

    fn visit_impl_item_type(&mut self, one: &'ast ImplItemType) {
        if (one.ident == "Err" || one.ident == "Error") && is_text(&one.ty) {
            self.note();
        }
        visit::visit_impl_item_type(self, one);
    }

    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        if segment.ident == "Result"
            && let PathArguments::AngleBracketed(arguments) = &segment.arguments
            && let Some(GenericArgument::Type(error)) = arguments.args.iter().nth(1)
            && is_text(error)
        {
            self.note();
        }
        visit::visit_path_segment(self, segment);
    }
}

/// The places of a source: `path: name`.
fn texts(path: &str, source: &str) -> Vec<String> {
    let mut texts = Texts::default();
    texts.visit_file(&syn::parse_file(source).expect("our sources are Rust"));
    texts.found.iter().map(|name| format!("{path}: {name}")).collect()
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the tree") {
        let path = entry.expect("a file of the tree").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn no_new_error_is_a_text() {
    let allowed: Vec<(&str, &str)> = include_str!("typed_errors.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(" | ").expect("PLACE | REASON"))
        .collect();
    let mut used = vec![false; allowed.len()];
    let mut new = String::new();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root()).expect("the tree").flatten() {
        let folder = entry.path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    files.sort();
    assert!(files.len() > 500, "the sources are found");
    for file in files {
        let path = file.strip_prefix(root()).expect("a file of the tree").to_string_lossy();
        // Modules of tests, and their helpers.
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            continue;
        }
        for place in texts(&path, &std::fs::read_to_string(&file).expect("a source")) {
            match allowed.iter().position(|(allowed, _)| place.starts_with(allowed)) {
                Some(at) => used[at] = true,
                None => {
                    let _ = writeln!(new, "{place}");
                }
            }
        }
    }
    assert!(
        new.is_empty(),
        "an error is a text; give it a type, or say in tests/tests/typed_errors.txt why not:\n{new}"
    );
    for ((place, reason), used) in allowed.iter().zip(used) {
        assert!(used, "{place}: there is no such place");
        assert!(!reason.trim().is_empty(), "{place}: without a reason");
    }
}

#[test]
fn an_error_that_is_a_text_is_found() {
    let source = "
        fn a() -> Result<Vec<(u8, u8)>, String> { made() }
        fn b() -> std::result::Result<(), (Exit, String)> { made() }
        impl S { fn c(&self) -> Option<Result<u8, &'static str>> { None } }
        impl FromStr for S { type Err = String; fn from_str(_: &str) -> Result<Self, Self::Err> { made() } }
        fn good() -> Result<String, Error> { made() }
        #[cfg(test)]
        mod tests { fn d() -> Result<(), String> { made() } }";
    assert_eq!(texts("x.rs", source), ["x.rs: a", "x.rs: b", "x.rs: c", "x.rs: ?"]);
}
