//! The pages for people name everything that exists, and nothing else.

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

/// What a script or an editor leaves in a text when it stops half way.
fn leftover(line: &str) -> Option<&'static str> {
    let marks = [
        ("@@", "a marker"),
        ("<<<<<<<", "a conflict"),
        (">>>>>>>", "a conflict"),
        ("TODO", "a note to oneself"),
        ("FIXME", "a note to oneself"),
        ("XXX", "a note to oneself"),
        ("\u{fffd}", "a character that was lost"),
        ("PLACEHOLDER", "a placeholder"),
        ("{{", "a field of a template"),
    ];
    // Code and output that a page quotes may hold anything.
    let outside_code: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let found = marks.iter().find(|(mark, _)| outside_code.contains(mark));
    let broken_row = line.contains("| ") && !line.starts_with('|') && line.trim_end().ends_with('|');
    found
        .map(|(_, what)| *what)
        .or(broken_row.then_some("a row of a table that does not begin with a bar"))
}

#[test]
fn no_page_has_leftovers() {
    assert!(leftover("@@KB@@| kill_late | 211 |").is_some());
    assert!(leftover("x | kill_late | 211 |").is_some());
    let mut found = Vec::new();
    for page in pages() {
        let mut inside_code = false;
        for (number, line) in read(&page).lines().enumerate() {
            if line.trim_start().starts_with("```") {
                inside_code = !inside_code;
            } else if !inside_code && let Some(what) = leftover(line) {
                found.push(format!("{}:{}: {what}: {line}", page.display(), number + 1));
            }
        }
        if inside_code {
            found.push(format!("{}: a block of code does not end", page.display()));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The crates, and the modules of the first level, as files and folders name them.
fn modules() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root()).expect("the tree") {
        let folder = folder.expect("a folder entry").path();
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        if name == "tests" || !folder.join("Cargo.toml").exists() {
            continue;
        }
        for entry in std::fs::read_dir(folder.join("src")).into_iter().flatten() {
            let path = entry.expect("a folder entry").path();
            let is_module = path.is_dir() || path.extension().is_some_and(|ending| ending == "rs");
            let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
            if is_module && !["lib", "main", "tests", "bin"].contains(&module.as_str()) {
                found.push((name.clone(), module));
            }
        }
    }
    found
}

#[test]
fn the_architecture_names_every_module() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let modules = modules();
    assert!(modules.len() > 150, "only {} modules", modules.len());
    let missing: BTreeSet<String> = modules
        .into_iter()
        .filter(|(_, module)| !text.contains(&format!("`{module}`")) && !text.contains(&format!("`{module}/`")))
        .map(|(name, module)| format!("{name}: {module}"))
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}");
}

/// A line without what differs between runs: durations, rates, times, and the size of a trace in bytes.
fn plain(line: &str) -> String {
    let mut line = line.trim_end().to_owned();
    if line.starts_with("=ERROR REPORT==== ") || line.starts_with("recorded ") {
        line.truncate(line.find(' ').unwrap_or_default());
    }
    let words = line.split(' ').collect::<Vec<_>>();
    let bare = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.trim_matches(|c: char| !c.is_alphanumeric())
    };
    let number = |at: usize| bare(at).starts_with(|first: char| first.is_ascii_digit());
    let unit = |word: &str| ["µs", "us", "ms", "s", "min", "h", "seconds", "minutes"].contains(&word);
    // `0.1s` and `0.1 s`.
    let in_one = |at: usize| number(at) && unit(bare(at).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let in_two = |at: usize| number(at) && unit(bare(at + 1));
    let mut kept = String::new();
    // Whether a duration has just begun: `in 1 min 20 s`.
    let mut within = false;
    let mut at = 0;
    while at < words.len() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let may = within || at > 0 && bare(at - 1) == "in";
        let taken = if may && in_two(at) {
            2
        } else {
            usize::from(may && in_one(at))
        };
        if taken > 0 {
            let last = words[at + taken - 1];
            let behind = last.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
            kept += if within { "" } else { "TIME" };
            kept += &last[behind..];
        } else if number(at) && (next.starts_with("bytes") || bare(at + 1) == "kB" || next.contains("/s")) {
            kept.push('N');
        } else {
            kept += words[at];
        }
        within = taken > 0 && at + taken < words.len() && (in_one(at + taken) || in_two(at + taken));
        if !within {
            kept.push(' ');
        }
        at += taken.max(1);
    }
    kept.trim_end().to_owned()
}

#[test]
fn printed_times_and_rates_are_not_compared() {
    for (one, other) in [
        ("(6 runs in 0.0 s)", "(6 runs in 0.1 s)"),
        ("5 processes, in 28.1 ms", "5 processes, in 1.2 s"),
        ("passed in 0.2s; 3 modules", "passed in 1min 3s; 3 modules"),
        ("done in 59 s.", "done in 1 min 20 s."),
        ("40 runs, 12.5 runs/s", "40 runs, 9 runs/s"),
        ("(2 kB, 1,234 bytes)", "(3 kB, 999 bytes)"),
    ] {
        assert_eq!(plain(one), plain(other));
    }
    for (one, other) in [
        ("in 3 of 40 runs", "in 4 of 40 runs"),
        ("after 5 s", "after 6 s"),
        ("(6 runs in 0.0 s)", "(7 runs in 0.0 s)"),
        ("in 3 states", "in 4 states"),
    ] {
        assert_ne!(plain(one), plain(other));
    }
}

/// Whether `shown` is `printed`, where a line `…` stands for any number of lines.
fn shows(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=printed.len()).any(|from| shows(rest, &printed[from..])),
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, more)| plain(first) == plain(line) && shows(rest, more)),
    }
}

/// The replacement in the page for `shown` now that the command prints `printed`: the same number of lines before and after a `…`.
fn shown_anew(shown: &[String], printed: &[String]) -> Vec<String> {
    let gaps = shown.iter().filter(|line| line.trim() == "…").count();
    let Some(gap) = shown.iter().position(|line| line.trim() == "…") else {
        return printed.to_vec();
    };
    assert_eq!(gaps, 1, "quote this by hand:\n{}", printed.join("\n"));
    let tail = printed.len().saturating_sub(shown.len() - gap - 1).max(gap);
    let mut anew = printed[..gap.min(printed.len())].to_vec();
    anew.push("…".to_owned());
    anew.extend_from_slice(&printed[tail.min(printed.len())..]);
    anew
}

/// Runs the commands of the page's `console` blocks one after the other, as a reader would, in an own folder with `fixtures` and `tests` in it.
/// Returns the page with their current output.
fn run_commands(page: &Path, text: &str) -> String {
    let folder = tests::Folder::new("docs");
    for name in ["fixtures", "tests"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).expect("a link can be made");
    }
    let binaries = tests::binary("tracer")
        .parent()
        .expect("a binary lies in a folder")
        .to_owned();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap_or_default());
    let mut lines = text.lines().map(str::to_owned).peekable();
    let mut made: Vec<String> = Vec::new();
    let mut inside = false;
    while let Some(line) = lines.next() {
        made.push(line.clone());
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else {
            continue;
        };
        let mut command = command.to_owned();
        if command.contains("<<END") {
            while !command.ends_with("\nEND") {
                let more = lines.next().expect("END ends what is read");
                command = format!("{command}\n{more}");
                made.push(more);
            }
        }
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            shown.push(line);
        }
        let output = std::process::Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{command}\n")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("TRACER_OTP", "")
            // Schedules of a seed are those of a release.
            .env("TRACER_RELEASE", "25")
            .env_remove("ERL_LIBS")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            !printed.contains("panicked at"),
            "{}: {command}\n{printed}",
            page.display()
        );
        let printed: Vec<String> = printed
            .lines()
            // A machine that is slow or busy.
            .filter(|line| !line.starts_with("replay: this takes a while: "))
            .map(|line| line.trim_end().to_owned())
            .collect();
        if shows(&shown, &printed) {
            made.append(&mut shown);
        } else {
            made.append(&mut shown_anew(&shown, &printed));
        }
    }
    made.join("\n") + "\n"
}

/// Every command in a `console` block of a page prints what the page shows.
/// `BLESS=1 cargo test -p retell-tests -p retell-tracer -p retell-replayer docs::` writes the current output into the pages.
#[test]
fn commands_print_what_the_pages_show() {
    let mut tried = 0;
    for page in pages() {
        let text = read(&page);
        if !text.contains("```console\n") {
            continue;
        }
        tried += 1;
        let now = run_commands(&page, &text);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&page, now).unwrap_or_else(|error| panic!("cannot write {}: {error}", page.display()));
            continue;
        }
        for (shown, printed) in text.lines().zip(now.lines()) {
            assert_eq!(shown, printed, "{} (BLESS=1 writes it anew)", page.display());
        }
        assert_eq!(text, now, "{} (BLESS=1 writes it anew)", page.display());
    }
    assert!(tried >= 2, "README.md and the tutorial show commands");
}

/// The picture in README.md consists of output of `replay`; `docs/pictures/make` makes it again.
#[test]
fn the_picture_shows_what_the_demo_prints() {
    let folder = tests::Folder::new("picture");
    folder.replay(["demo"]).expect(0);
    let printed = folder
        .replay(["--until", "error", "--width", "84", "trace.bin"])
        .expect(0)
        .out();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // The picture shows no time.
    let untimed = |line: &str| plain(line).trim_end_matches(", in TIME").to_owned();
    let printed: Vec<String> = printed.lines().map(untimed).filter(|line| !line.is_empty()).collect();
    let picture = read(&root().join("docs/pictures/demo.svg"));
    let mut shown = String::new();
    for line in picture.lines().filter(|line| line.starts_with("<text")) {
        for piece in line
            .split('>')
            .filter_map(|piece| piece.split_once('<'))
            .map(|(text, _)| text)
        {
            shown += &format!("{piece} ");
        }
        shown.push('\n');
    }
    let shown = shown
        .replace("&#160;", " ")
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    let shown: Vec<Vec<String>> = shown.lines().skip(1).map(words).collect();
    let tight = |lines: &[Vec<String>]| lines.iter().map(|line| line.concat()).collect::<Vec<_>>();
    let printed: Vec<Vec<String>> = printed.iter().map(|line| words(line)).collect();
    assert_eq!(tight(&shown), tight(&printed), "docs/pictures/make makes it again");
}

/// docs/cli.md and the pages of `why` and `check` name every command, and every long option that `--help` lists.
#[test]
fn every_option_is_in_the_reference() {
    let folder = tests::Folder::new("options");
    let pages: String = ["cli", "why", "check", "hunting"]
        .iter()
        .map(|page| read(&root().join(format!("docs/{page}.md"))))
        .collect();
    let commands = |help: &str| -> Vec<String> {
        let list = help
            .split("Commands:\n")
            .nth(1)
            .and_then(|rest| rest.split("\n\n").next());
        let lines = list.expect("the help lists commands").lines();
        lines
            .filter_map(|line| line.split_whitespace().next())
            // It explains the others, and has no options.
            .filter(|command| *command != "help")
            .map(str::to_owned)
            .collect()
    };
    let mut missing = BTreeSet::new();
    let mut seen = 0;
    for binary in ["tracer", "replay"] {
        let help = |args: &[&str]| tests::BinaryRun::new(binary, folder.path(), args).run().expect(0).out();
        for command in commands(&help(&["--help"])) {
            if !pages.contains(&format!("`{command}`")) && !pages.contains(&format!("`{binary} {command}`")) {
                missing.insert(format!("{binary} {command}"));
            }
            // `help` has no options.
            if command == "help" {
                continue;
            }
            let said = help(&[&command, "--help"]);
            assert_eq!(said, help(&["help", &command]), "{binary} help {command}");
            for line in said.lines().filter(|line| line.trim_start().starts_with('-')) {
                for option in line
                    .split([' ', ',', '='])
                    .filter(|word| word.starts_with("--") && word.len() > 2)
                {
                    seen += 1;
                    if option != "--help" && !pages.contains(option) {
                        missing.insert(format!("{binary} {command} {option}"));
                    }
                }
            }
        }
    }
    assert!(seen > 60, "the help lists options");
    assert!(missing.is_empty(), "missing in docs/cli.md: {missing:?}");
}

#[test]
fn every_dependency_is_explained() {
    let page = read(&root().join("docs/dependencies.md"));
    let explained: BTreeSet<String> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1))
        // The text in parentheses gives the version or a feature of a crate.
        .map(|cell| {
            let outside = cell
                .split('(')
                .map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
            outside.collect::<String>()
        })
        .flat_map(|cell| {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let mut used = BTreeSet::new();
    let workspace = read(&root().join("Cargo.toml"));
    let members = workspace
        .split("members = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    let members = members
        .expect("the workspace has members")
        .split('"')
        .skip(1)
        .step_by(2);
    let ours: BTreeSet<&str> = workspace
        .lines()
        .filter(|line| line.contains("path = "))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .collect();
    for package in members {
        let mut inside = false;
        for line in read(&root().join(package).join("Cargo.toml")).lines() {
            if line.starts_with('[') {
                inside = line.ends_with("dependencies]");
            } else if let Some((name, _)) = line.split_once(['.', '=']).filter(|_| inside && !line.starts_with('#')) {
                used.insert(name.trim().to_owned());
            }
        }
    }
    used.retain(|name| !ours.contains(name.as_str()) && !name.starts_with("retell-"));
    assert_eq!(
        used, explained,
        "used (left) and explained in docs/dependencies.md (right)"
    );
}

/// Each package that Cargo compiles, with its features.
fn compiled(arguments: &[&str]) -> BTreeSet<String> {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let fixed = [
        "tree",
        "--offline",
        "--locked",
        "--prefix",
        "none",
        "--format",
        "{p} {f}",
    ];
    let done = cargo
        .current_dir(root())
        .args(fixed)
        .args(arguments)
        .output()
        .expect("cargo runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    printed
        .lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect()
}

#[test]
fn the_tools_and_the_tests_share_a_build() {
    let tools = compiled(&[
        "-p",
        "retell-replayer",
        "-p",
        "retell-tracer",
        "--edges",
        "normal,build",
    ]);
    let tests = compiled(&["--workspace", "--edges", "normal,build,dev"]);
    let twice: Vec<_> = tools.difference(&tests).collect();
    assert!(tools.len() > 50, "{tools:?}");
    assert!(
        twice.is_empty(),
        "with other features in the tests, these and all that uses them are built twice: {twice:?}"
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
