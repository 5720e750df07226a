//! docs/limitations.md is made from docs/limitations.txt; `BLESS=1 cargo test -p retell-tests limitations::` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use tests::root;

const HEAD: &str = "# Limitations

Made from `docs/limitations.txt` by `tests/tests/limitations.rs`; do not edit.

What differs from Erlang/OTP of the release of a run, and what is missing. If the tool cannot compile a program, it says so with file, line and column. If a call
cannot work, it fails with `undef`, and standard error names the function once. The last column names the test, or the conformance program
`AREA/NAME`, that shows the row. Programs in `tests/conformance/differs/` lie beside the output of Erlang/OTP.
";

/// A paragraph of the data: one row of a table.
#[derive(Debug, Default)]
struct Row {
    want: String,
    here: String,
    kind: String,
    shown: Vec<String>,
}

/// A table: its title, the heading of its first column, and its rows.
#[derive(Debug)]
struct Area {
    title: String,
    heading: String,
    rows: Vec<Row>,
}

fn data() -> Vec<Area> {
    let text = std::fs::read_to_string(root().join("docs/limitations.txt")).expect("the data can be read");
    let mut areas: Vec<Area> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let place = format!("docs/limitations.txt:{}: {line}", number + 1);
        if let Some(title) = line.strip_prefix("= ") {
            let (title, heading) = title.split_once(" | ").unwrap_or_else(|| panic!("{place}"));
            let (title, heading) = (title.to_owned(), heading.to_owned());
            areas.push(Area {
                title,
                heading,
                rows: Vec::new(),
            });
            continue;
        }
        let Some((key, value)) = line.split_once(": ") else {
            assert!(line.is_empty(), "{place}");
            continue;
        };
        let rows = &mut areas.last_mut().expect("a row stands in an area").rows;
        if key == "want" {
            rows.push(Row::default());
        }
        let row = rows.last_mut().expect("a row begins with what is wanted");
        match key {
            "want" => row.want = value.to_owned(),
            "here" => row.here = value.to_owned(),
            "kind" => row.kind = value.to_owned(),
            "shown" => row.shown = value.split(", ").map(str::to_owned).collect(),
            _ => panic!("{place}"),
        }
    }
    areas
}

fn page(areas: &[Area]) -> String {
    let mut page = HEAD.to_owned();
    for area in areas {
        let _ = write!(
            page,
            "\n## {}\n\n| {} | here | kind | shown by |\n|---|---|---|---|\n",
            area.title, area.heading
        );
        for row in &area.rows {
            let shown = if row.shown == ["none"] {
                "none".to_owned()
            } else {
                let names = row.shown.iter().map(|name| format!("`{name}`"));
                names.collect::<Vec<_>>().join(", ")
            };
            let _ = writeln!(page, "| {} | {} | {} | {shown} |", row.want, row.here, row.kind);
        }
    }
    page
}

/// The sources of all tests of the workspace, in one text.
fn sources(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder of the tree") {
        let path = entry.expect("a folder entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            sources(&path, all);
        } else if name.ends_with(".rs") {
            *all += &std::fs::read_to_string(&path).expect("a source can be read");
        }
    }
}

#[test]
fn the_page_is_made_of_the_data() {
    let page = page(&data());
    let path = root().join("docs/limitations.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).expect("the page can be read");
    assert!(
        written == page,
        "docs/limitations.md is out of date: BLESS=1 cargo test -p retell-tests limitations::"
    );
}

#[test]
fn every_row_is_whole_and_names_what_exists() {
    let mut all = String::new();
    sources(&root(), &mut all);
    for row in data().iter().flat_map(|area| &area.rows) {
        assert!(!row.want.is_empty() && !row.here.is_empty(), "{row:?}");
        assert!(
            ["differs", "refused", "missing", "cost"].contains(&row.kind.as_str()),
            "{row:?}"
        );
        assert!(!row.shown.is_empty(), "{row:?}");
        for name in row.shown.iter().filter(|name| *name != "none") {
            let exists = if name.contains('/') {
                root().join(format!("tests/conformance/{name}.erl")).exists()
            } else {
                all.contains(&format!("fn {name}()"))
            };
            assert!(exists, "{name} of {row:?}");
        }
    }
}

/// Programs that a test leaves out, because they differ from OTP or cannot be followed, are named in a row of the page.
#[test]
fn every_program_that_a_test_leaves_out_is_in_the_page() {
    let mut left_out = Vec::new();
    for list in ["differences.txt", "unsupported.txt"] {
        let text = std::fs::read_to_string(root().join("tests/conformance").join(list)).expect("the list can be read");
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        left_out.extend(lines.map(|line| line.split(':').next().unwrap_or_default().to_owned()));
    }
    let mut all = String::new();
    sources(&root(), &mut all);
    let list = "NOT_FOLLOWED: &[&str] = &[";
    for list in all.split(list).skip(1).filter_map(|rest| rest.split(']').next()) {
        left_out.extend(list.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    left_out.retain(|program| program.contains('/'));
    assert!(left_out.len() >= 2, "the lists name programs: {left_out:?}");
    let areas = data();
    for program in left_out {
        let mut rows = areas.iter().flat_map(|area| &area.rows);
        let named = rows.any(|row| row.shown.contains(&program));
        assert!(named, "{program} is in no row of docs/limitations.txt");
    }
}
