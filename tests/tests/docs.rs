//! The pages for people name what there is, and nothing else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tests::root;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// All Markdown pages of the tree.
fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the tree") {
            let path = entry.expect("a folder entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    assert!(pages.len() > 10);
    for page in pages {
        let text = read(&page);
        for rest in text.split("](").skip(1) {
            let link = rest.split(')').next().expect("a split has a first part");
            let file = link.split('#').next().expect("a split has a first part");
            if file.is_empty() || link.contains("://") {
                continue;
            }
            let folder = page.parent().expect("a page lies in a folder");
            assert!(folder.join(file).exists(), "{} links to {link}", page.display());
        }
    }
}

/// What README.md shows of the demo is what the demo prints: all but the time, the widths of columns and what follows.
#[test]
fn readme_shows_what_the_demo_prints() {
    let words = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let heading = |line: String| match line.find(", in ") {
            Some(at) if line.starts_with("replayed up to") => line[..at].to_owned(),
            _ => line,
        };
        lines.map(heading).collect()
    };
    let folder = tests::Folder::new("readme");
    let shown = read(&root().join("README.md"));
    let block = shown
        .split("```text\n")
        .find(|block| block.starts_with("replayed up to"))
        .and_then(|block| block.split("\n```").next())
        .expect("README.md shows a replay");
    let demo = folder.replay(["demo"]).expect(0);
    let (shown, printed) = (words(block), words(&demo.out()));
    assert_eq!(shown, printed[..shown.len().min(printed.len())]);
}

#[test]
fn every_dependency_is_explained() {
    let page = read(&root().join("docs/dependencies.md"));
    let explained: BTreeSet<String> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1))
        .flat_map(|cell| {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let mut used = BTreeSet::new();
    let ours = [
        "log-format",
        "causality",
        "interpreter",
        "system",
        "tracer",
        "replayer",
        "tests",
    ];
    for package in ours {
        let mut inside = false;
        for line in read(&root().join(package).join("Cargo.toml")).lines() {
            if line.starts_with('[') {
                inside = line.ends_with("dependencies]");
            } else if let Some((name, _)) = line.split_once(['.', '=']).filter(|_| inside && !line.starts_with('#')) {
                used.insert(name.trim().to_owned());
            }
        }
    }
    used.retain(|name| !ours.contains(&name.as_str()));
    assert_eq!(
        used, explained,
        "used (left) and explained in docs/dependencies.md (right)"
    );
}

#[test]
fn every_fixture_has_its_story() {
    let overview = read(&root().join("fixtures/README.md"));
    for name in tests::fixtures() {
        let story = read(&root().join("fixtures").join(&name).join("README.md"));
        assert!(story.starts_with(&format!("# {name}: ")), "{name}: the story's title");
        assert!(
            story.contains(&format!("fixtures/{name}/{name}.erl")),
            "{name}: no command to run it"
        );
        assert!(
            overview.contains(&format!("[{name}]({name}/README.md)")),
            "{name} is missing in fixtures/README.md"
        );
    }
}
