//! Modules that use each other in a circle can only be understood together. `tests/tests/circles.txt` lists the circles of each crate;
//! `BLESS=1 cargo test -p retell-tests circles::` writes it anew. A new circle, or one that grows, fails here. A name that a module hands on
//! (`pub use`) leads to the module that defines it, and the crate's root is a module as any other (`root`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Item, UseTree};
use tests::root;

/// The crates, as their folders are called.
const CRATES: &[&str] = &[
    "causality",
    "cauder",
    "check",
    "dap",
    "debugger",
    "decisive",
    "delay",
    "interpreter",
    "log-format",
    "multiverse",
    "regex",
    "replayer",
    "report",
    "session",
    "syntax",
    "system",
    "tracer",
    "why",
];

/// Which modules each module of a crate uses, by path (`state::table`); the crate's root is `root`.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The modules of a crate, each with the names that it hands on from others, and where they come from.
type Handed = BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>;

/// The paths in one file, each from the crate's root, as far as they begin with `crate`, `super`, `self` or a module of the module.
struct Paths<'a> {
    module: &'a [String],
    modules: &'a BTreeMap<Vec<String>, String>,
    found: Vec<Vec<String>>,
    /// Names that are brought in, and their paths.
    named: BTreeMap<String, Vec<String>>,
}

impl Paths<'_> {
    /// A path from the crate's root; `None` if it leads out of the crate.
    fn rooted(&self, path: &[String]) -> Option<Vec<String>> {
        let mut from: Vec<String> = match path.first().map(String::as_str)? {
            "crate" => Vec::new(),
            "self" | "super" => self.module.to_vec(),
            name => {
                let inner = [self.module, &[name.to_owned()]].concat();
                self.modules.contains_key(&inner).then(|| self.module.to_vec())?
            }
        };
        for step in path {
            match step.as_str() {
                "crate" | "self" => {}
                "super" => drop(from.pop()),
                name => from.push(name.to_owned()),
            }
        }
        Some(from)
    }

    fn add(&mut self, path: &[String]) {
        self.found.extend(self.rooted(path));
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        let (path, name) = match tree {
            UseTree::Path(path) => return self.add_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.add_tree(before, tree)),
            UseTree::Glob(_) => return self.add(before),
            UseTree::Name(name) => (with(name.ident.to_string()), name.ident.to_string()),
            UseTree::Rename(name) => (with(name.ident.to_string()), name.rename.to_string()),
        };
        if let Some(path) = self.rooted(&path) {
            self.named.insert(name, path.clone());
            self.found.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let is_test = |attribute: &syn::Attribute| attribute.path().is_ident("cfg");
        match item {
            Item::Mod(module) if module.attrs.iter().any(is_test) => {}
            Item::Use(used) => self.add_tree(&[], &used.tree),
            item => visit::visit_item(self, item),
        }
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // A single name is a variable, or was brought in.
        if names.len() > 1 {
            self.add(&names);
        }
        visit::visit_path(self, path);
    }
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

/// The source files of a crate, by module.
fn modules(folder: &Path) -> BTreeMap<Vec<String>, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), Vec::new())];
    while let Some((folder, module)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the sources can be read") {
            let path = entry.expect("the sources can be read").path();
            let stem = path
                .file_stem()
                .and_then(|stem| stem.to_str())
                .expect("names are plain")
                .to_owned();
            let inner = [module.clone(), vec![stem.clone()]].concat();
            if path.is_dir() {
                folders.push((path, inner));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("the sources can be read");
                let is_face = stem == "mod" || (module.is_empty() && (stem == "lib" || stem == "main"));
                found.insert(if is_face { module.clone() } else { inner }, text);
            }
        }
    }
    found
}

/// The module that a path leads to: its longest part that is a module, or what that module hands on.
fn resolve<'p>(path: &'p [String], handed: &'p Handed, left: u32) -> Vec<String> {
    let known = (0..=path.len()).rev().find(|n| handed.contains_key(&path[..*n]));
    let known = known.expect("the root is a module");
    let onward = path.get(known).and_then(|name| handed[&path[..known]].get(name));
    match onward {
        Some(onward) if left > 0 => {
            let path = [onward.as_slice(), &path[known + 1..]].concat();
            resolve(&path, handed, left - 1)
        }
        _ => path[..known].to_vec(),
    }
}

fn uses(folder: &Path) -> Uses {
    /// No name is handed on so often.
    const OFTEN: u32 = 8;
    let name = |module: &[String]| match module {
        [] => "root".to_owned(),
        module => module.join("::"),
    };
    let modules = modules(folder);
    let (mut found, mut handed) = (Vec::new(), Handed::new());
    for (module, text) in &modules {
        let mut paths = Paths {
            module,
            modules: &modules,
            found: Vec::new(),
            named: BTreeMap::new(),
        };
        paths.visit_file(&syn::parse_file(text).expect("our sources are Rust"));
        found.push((module, paths.found));
        handed.insert(module.clone(), paths.named);
    }
    let mut uses = Uses::new();
    for (module, paths) in found {
        let used = paths.iter().map(|path| resolve(path, &handed, OFTEN));
        let used = used.filter(|used| used != module).map(|used| name(&used));
        uses.entry(name(module)).or_default().extend(used);
    }
    uses
}

/// The modules that a module reaches.
fn reached<'u>(uses: &'u Uses, from: &str) -> BTreeSet<&'u str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&str> = uses.get(from).into_iter().flatten().map(String::as_str).collect();
    while let Some(module) = next.pop() {
        if seen.insert(module) {
            next.extend(uses.get(module).into_iter().flatten().map(String::as_str));
        }
    }
    seen
}

/// Sets of modules that all reach each other, the largest first.
fn circles(uses: &Uses) -> Vec<Vec<&str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> = uses
        .keys()
        .map(|module| (module.as_str(), reached(uses, module)))
        .collect();
    let mut found: Vec<Vec<&str>> = Vec::new();
    for (module, theirs) in &reach {
        let circle: Vec<&str> = theirs
            .iter()
            .copied()
            .filter(|other| reach[other].contains(module))
            .collect();
        if circle.len() > 1 && circle[0] == *module {
            found.push(circle);
        }
    }
    found.sort_by_key(|circle| (usize::MAX - circle.len(), circle.clone()));
    found
}

#[test]
fn no_new_circle_of_modules() {
    let mut text =
        String::from("Modules that use each other in a circle. Made by tests/tests/circles.rs; do not edit.\n");
    for name in CRATES {
        let uses = uses(&root().join(name).join("src"));
        assert!(uses.len() > 2, "the modules of {name} are found");
        for circle in circles(&uses) {
            let _ = write!(text, "\n{name} {}: {}", circle.len(), circle.join(" "));
        }
    }
    text.push('\n');
    let file = root().join("tests/tests/circles.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &text).expect("the list can be written");
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        known, text,
        "a new circle of modules, or an old one has gone (then BLESS=1)"
    );
}

#[test]
fn a_circle_is_found() {
    let uses: Uses = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
        .into_iter()
        .map(|(user, used)| (user.to_owned(), BTreeSet::from([used.to_owned()])))
        .collect();
    assert_eq!(circles(&uses), [["a", "b", "c"]]);
}
