//! docs/measurements.md is made from benches/results/; `BLESS=1 cargo test -p retell-tests measurements::` writes it anew.

use std::fmt::Write as _;

use tests::root;

const HEAD: &str = "# Measurements

Made from `benches/results/` by `tests/tests/measurements.rs`; do not edit.

The latest of each figure. [benches/results](../benches/results/README.md) has all of them, with machine and commit. Why things are built this
way is in [design.md](design.md).
";

/// The lines of a file of tab-separated values, without the head; each has as many cells as the head.
fn table<const CELLS: usize>(name: &str) -> Vec<[String; CELLS]> {
    let text = std::fs::read_to_string(root().join("benches/results").join(name)).expect("the data can be read");
    let lines = text.lines().skip(1).map(|line| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells
            .try_into()
            .unwrap_or_else(|_| panic!("{name}: not {CELLS} cells: {line}"))
    });
    lines.collect()
}

fn page() -> String {
    let results = table::<8>("results.tsv");
    let topics = table::<4>("topics.tsv");
    for [topic, ..] in &results {
        assert!(
            topics.iter().any(|[known, ..]| known == topic),
            "results.tsv: unknown topic {topic}"
        );
    }
    let mut page = HEAD.to_owned();
    for [topic, title, command, budget] in &topics {
        let _ = write!(page, "\n## {title}\n\n`{command}`\n\n");
        if budget != "none" {
            let _ = write!(page, "Budget: {budget}.\n\n");
        }
        page.push_str("| what | latest | date | note |\n|---|---|---|---|\n");
        let rows: Vec<_> = results.iter().filter(|[of, ..]| of == topic).collect();
        for (at, [_, what, value, unit, date, _, _, note]) in rows.iter().enumerate() {
            let newer = rows
                .iter()
                .skip(at + 1)
                .any(|[_, other, _, of, ..]| other == what && of == unit);
            if !newer {
                let value = format!("{value} {unit}");
                let line = [what, value.trim_end(), date, note].map(|cell| cell.replace('|', "\\|"));
                let _ = writeln!(page, "| {} |", line.join(" | "));
            }
        }
    }
    page.push_str("\n## Growth of each verb with the size of a run\n\n`benches/run growth`\n\nBudget: exponent 1.15 between the two larger sizes.\n\n");
    page.push_str("| program | verb | sizes | seconds of the processor | exponent | MB at the largest | date |\n|---|---|---|---|---|---|---|\n");
    for [program, verb, exponent, megabytes, sizes, seconds, date] in table("growth.tsv") {
        let line = [program, verb, sizes, seconds, exponent, megabytes, date];
        let _ = writeln!(page, "| {} |", line.join(" | "));
    }
    page.push_str(
        "\n## Instructions of each verb\n\n`benches/run instructions`\n\nBudget: a tenth more than the last time.\n\n",
    );
    page.push_str("| program | verb | size | million instructions | date |\n|---|---|---|---|---|\n");
    for [program, verb, millions, size, date] in table("instructions.tsv") {
        let _ = writeln!(page, "| {} |", [program, verb, size, millions, date].join(" | "));
    }
    page
}

#[test]
fn the_page_shows_the_latest_results() {
    let page = page();
    let path = root().join("docs/measurements.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).expect("the page can be read");
    assert!(
        written == page,
        "docs/measurements.md is out of date: BLESS=1 cargo test -p retell-tests measurements::"
    );
}
