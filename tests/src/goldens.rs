//! Golden traces: recordings of every released version of the format, kept in `fixtures/traces/VERSION/` and replayed by the tests for ever.
//!
//! `list.txt` beside them has name, CRC-32 of the file, cuts, processes, actions, sends and receives of each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use log_format::{CompileOption, FinalState, Kind, RunEnd, Status, Tag, TestNote, Trace};

use crate::memory::sort_of_resource;
use crate::{BinaryRun, Folder, fixtures, node_of, root};

/// A trace that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Golden {
    /// Where it is.
    pub path: PathBuf,
    /// The version of the format, as its folder is called.
    pub version: String,
    /// Its line in the list.
    pub line: String,
}

/// The folder of the golden traces.
#[must_use]
pub fn folder() -> PathBuf {
    root().join("fixtures/traces")
}

/// All golden traces, by version and name. Every file has to be in the list of its folder, and the other way round.
///
/// # Panics
/// Where that is not so.
#[must_use]
pub fn all() -> Vec<Golden> {
    let mut found = Vec::new();
    for version in entries(&folder()).into_iter().filter(|path| path.is_dir()) {
        let list = version.join("list.txt");
        let Ok(text) = std::fs::read_to_string(&list) else {
            continue;
        };
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let traces = entries(&version)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|e| e == "trace"));
        let paths: Vec<PathBuf> = traces.collect();
        assert_eq!(paths.len(), lines.len(), "{} does not list its folder", list.display());
        for (path, line) in paths.into_iter().zip(lines) {
            found.push(Golden {
                version: name(&version),
                line: line.to_owned(),
                path,
            });
        }
    }
    found
}

/// The line of a trace in the list of its folder.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn line(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let crc = log_format::digest(&bytes);
    let trace = Trace::from_bytes(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let totals = trace.totals();
    let log_format::Counts {
        actions,
        sends,
        receives,
    } = totals.counts;
    format!(
        "{} {crc:08x} {} {} {actions} {sends} {receives}",
        name(path),
        totals.cuts,
        totals.processes
    )
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("a path of a folder has a name")
        .to_string_lossy()
        .into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder entry can be read").path())
        .collect();
    paths.sort();
    paths
}

/// The features that a trace contains, in words: kinds of actions, resources, tags, outcomes; and the natives that its run used, with versions.
///
/// # Errors
/// If it is damaged.
pub fn contents(trace: &Trace) -> log_format::Result<BTreeSet<String>> {
    let mut has = BTreeSet::new();
    for process in trace.processes() {
        for action in trace.log(process?.pid)? {
            let action = action?.1;
            has.insert(format!("kind {}", kind(&action.kind)));
            if let Kind::Rec(tag) | Kind::Signal { tag, .. } | Kind::Drop { tag: Some(tag), .. } = &action.kind {
                has.insert(format!("tag {}", tag_word(tag)));
            }
            for access in &action.accesses {
                let mode = if access.write { "write" } else { "read" };
                has.insert(format!("{mode} of {}", sort_of_resource(access.resource)));
            }
            if action.sends > 1 {
                has.insert("an action with many sends".to_owned());
            }
        }
    }
    for outcome in trace.outcomes()? {
        let word = match outcome.state {
            FinalState::Ended { .. } => "ended",
            FinalState::Running { .. } => "running",
            FinalState::Waiting { .. } => "waiting",
        };
        has.insert(format!("process {word}"));
        if !outcome.tags.is_empty() {
            has.insert("a mailbox with messages".to_owned());
        }
    }
    has.insert(format!("run {}", run_word(trace.run_end()?.as_ref())));
    if trace.is_slice() {
        has.insert("a slice".to_owned());
    }
    if matches!(trace.status(), Status::Incomplete { .. }) {
        has.insert("a trace that was cut".to_owned());
    }
    if trace.has_digests()? {
        has.insert("digests".to_owned());
    }
    let program = trace.program()?;
    for native in program.used.iter().filter_map(|at| program.natives.get(*at as usize)) {
        has.insert(format!("native {} {}", native.name, native.version));
    }
    for source in &program.sources {
        has.insert(format!("source of format {}", source.format));
        has.extend(source.options.iter().map(|option| match option {
            CompileOption::Define { value: None, .. } => "a macro".to_owned(),
            CompileOption::Define { value: Some(_), .. } => "a macro with a value".to_owned(),
            CompileOption::Feature(_) => "a feature".to_owned(),
        }));
    }
    Ok(has)
}

/// A kind, or the sort of it.
fn kind(kind: &Kind) -> String {
    let sort = match kind {
        Kind::Spawn { node: Some(_), .. } => " on a node",
        Kind::Signal { waiting: false, .. } => " while running",
        Kind::Signal { waiting: true, .. } => " while waiting",
        Kind::Drop { tag: None, .. } => " of nothing",
        Kind::Start { ok: false, .. } => " failed",
        Kind::Observe { of: Some(_), .. } => " of another",
        Kind::Test {
            note: TestNote::Failed { .. },
            ..
        } => " failed",
        Kind::Exit { class } => return format!("exit {}", class.word()),
        _ => "",
    };
    format!("{}{sort}", kind.word())
}

const fn tag_word(tag: &Tag) -> &'static str {
    match tag {
        Tag::Sent { .. } => "sent",
        Tag::EndTo { .. } => "end to a link",
        Tag::EndRef { .. } => "end to a monitor",
        Tag::EndTable { .. } => "end to an heir",
        Tag::Limit { .. } => "limit",
    }
}

const fn run_word(end: Option<&RunEnd>) -> &'static str {
    match end {
        None => "cut",
        Some(RunEnd::Returned(_)) => "returned",
        Some(RunEnd::Crashed { .. }) => "crashed",
        Some(RunEnd::Deadlock) => "deadlock",
        Some(RunEnd::Limit(_)) => "limit",
        Some(RunEnd::Halted(_)) => "halted",
        Some(RunEnd::Interrupted(_)) => "interrupted",
        Some(RunEnd::Unrecorded { .. }) => "unrecorded",
    }
}

/// A program of `tests/conformance/` or a fixture: its name, folder, files and node.
struct GoldenSubject {
    name: String,
    files: Vec<PathBuf>,
    node: Option<String>,
}

fn subjects() -> Vec<GoldenSubject> {
    let mut all = Vec::new();
    for name in fixtures() {
        let file = crate::fixture(&name);
        all.push(GoldenSubject {
            name: name.clone(),
            node: std::fs::read_to_string(&file).ok().and_then(|text| node_of(&text)),
            files: vec![file],
        });
    }
    let conformance = root().join("tests/conformance");
    // Areas that print texts meant for people (error messages, stacks) are left out, because the number of bytes printed is logged.
    let for_people = |area: &Path| ["crash", "errors"].contains(&name(area).as_str());
    for area in entries(&conformance)
        .into_iter()
        .filter(|path| path.is_dir() && !for_people(path))
    {
        for out in entries(&area)
            .into_iter()
            .filter(|p| p.extension().is_some_and(|e| e == "out"))
        {
            let source = out.with_extension("erl");
            let Ok(text) = std::fs::read_to_string(&source) else {
                continue;
            };
            let more = text.lines().next().and_then(|line| line.strip_prefix("%% with: "));
            let mut files = vec![source.clone()];
            files.extend(more.unwrap_or_default().split_whitespace().map(|file| area.join(file)));
            all.push(GoldenSubject {
                name: format!("{}_{}", name(&area), name(&source).trim_end_matches(".erl")),
                node: node_of(&text),
                files,
            });
        }
    }
    all
}

/// Longer traces are not kept.
const LONGEST: u64 = 120_000;

/// Records a golden set for the version that this tool writes, into `fixtures/traces/VERSION/`: all fixtures, as few conformance programs as
/// cover every feature, and traces that were cut, sliced, scrubbed, limited and interrupted.
///
/// # Errors
/// The folder is there already: what has been released never changes.
///
/// # Panics
/// If a file cannot be written.
pub fn record() -> Result<PathBuf, String> {
    let version = format!("{}.{}", log_format::MAJOR, log_format::MINOR);
    let target = folder().join(&version);
    if target.exists() {
        return Err(format!(
            "{} is there already; golden traces of a released version never change",
            target.display()
        ));
    }
    let work = Folder::new("goldens");
    let mut made: Vec<(String, u64, BTreeSet<String>)> = Vec::new();
    for subject in subjects() {
        let mut files = Vec::new();
        for file in &subject.files {
            std::fs::copy(file, work.path().join(name(file))).map_err(|e| format!("{}: {e}", file.display()))?;
            files.push(name(file));
        }
        let trace = format!("{}.trace", subject.name);
        let mut args: Vec<String> = ["run", "--quiet", "--seed", "1", "-o", &trace]
            .map(str::to_owned)
            .to_vec();
        args.extend(["--max-time".to_owned(), "300s".to_owned()]);
        if let Some(node) = &subject.node {
            args.extend(["--sname".to_owned(), node.clone()]);
        }
        args.extend(files);
        let outcome = BinaryRun::new("tracer", work.path(), &args).run();
        let path = work.path().join(&trace);
        let replays = path.exists() && BinaryRun::new("replay", work.path(), ["verify", &trace]).run().code == 0;
        if !replays {
            eprintln!("{}: not kept, exit code {}", subject.name, outcome.code);
            continue;
        }
        let read = Trace::open(&path).map_err(|e| e.to_string())?;
        made.push((subject.name, read.bytes(), contents(&read).map_err(|e| e.to_string())?));
    }
    let mut kept: Vec<String> = fixtures();
    let mut have: BTreeSet<String> = BTreeSet::new();
    for (_, _, has) in made.iter().filter(|(name, ..)| kept.contains(name)) {
        have.extend(has.iter().cloned());
    }
    // Repeatedly takes the trace with the most new features.
    while let Some((name, _, has)) = made
        .iter()
        .filter(|(_, bytes, _)| *bytes <= LONGEST)
        .max_by_key(|(_, bytes, has)| (has.difference(&have).count() * 1000) as u64 / (bytes / 1000 + 1))
        .filter(|(_, _, has)| !has.is_subset(&have))
    {
        kept.push(name.clone());
        have.extend(has.iter().cloned());
    }
    kept.retain(|name| made.iter().any(|(made, ..)| made == name));
    kept.extend(others(&work)?);
    std::fs::create_dir_all(&target).map_err(|e| format!("{}: {e}", target.display()))?;
    kept.sort();
    let mut list = String::from("# name, CRC-32, cuts, processes, actions, sends, receives\n");
    for name in &kept {
        let file = format!("{name}.trace");
        let path = target.join(&file);
        std::fs::copy(work.path().join(&file), &path).map_err(|e| format!("{file}: {e}"))?;
        let _whole = writeln!(list, "{}", line(&path));
    }
    std::fs::write(target.join("list.txt"), list).map_err(|e| e.to_string())?;
    Ok(target)
}

/// Traces that are not the plain record of a whole run. Returns their names.
fn others(work: &Folder) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut tracer = |name: &str, args: &[&str], code: i32| -> Result<(), String> {
        let file = format!("{name}.trace");
        let fixed = ["run", "--quiet", "--seed", "1", "-o", &file];
        let outcome = BinaryRun::new("tracer", work.path(), fixed.iter().chain(args)).run();
        if outcome.code != code {
            return Err(format!("{name}: exit code {}: {}", outcome.code, outcome.stderr));
        }
        names.push(name.to_owned());
        Ok(())
    };
    work.write("many.erl", MANY);
    tracer("limit_of_time", &["--max-time", "2ms", "many.erl", "--", "ever"], 81)?;
    tracer(
        "limit_of_trace",
        &["--max-trace-bytes", "10K", "many.erl", "--", "20000"],
        0,
    )?;
    tracer(
        "redacted_when_recording",
        &["--redact-input", "arguments,clock", "many.erl", "--", "10"],
        0,
    )?;
    tracer("long", &["many.erl", "--", "140000"], 0)?;
    tracer("short", &["many.erl", "--", "3"], 0)?;
    tracer("digests", &["--digests", "many.erl", "--", "40"], 0)?;
    work.write("macros.erl", MACROS);
    let options = [
        "-DTEST",
        "-DANSWER={a,[1,2]}",
        "--enable-feature=maybe_expr",
        "macros.erl",
    ];
    tracer("macros", &options, 2)?;
    work.write("ends.erl", ENDS);
    tracer("ends_and_halt", &["ends.erl"], 3)?;
    tracer("crashed", &["ends.erl", "--entry", "ends:crash"], 1)?;
    tracer("deadlock", &["ends.erl", "--entry", "ends:wait"], 80)?;
    interrupted(work)?;
    names.push("interrupted".to_owned());
    let whole = std::fs::read(work.path().join("long.trace")).map_err(|e| e.to_string())?;
    let bytes = std::fs::metadata(work.path().join("limit_of_trace.trace")).map_err(|e| e.to_string())?;
    for (name, length) in [("cut", whole.len() * 3 / 5), ("without_index", whole.len() - 5)] {
        work.write(&format!("{name}.trace"), &whole[..length]);
        names.push(name.to_owned());
    }
    assert!(bytes.len() < 16_384, "the limit was kept");
    let mut replay = |name: &str, args: &[&str]| -> Result<(), String> {
        let file = format!("{name}.trace");
        let outcome = BinaryRun::new("replay", work.path(), args.iter().chain(&["-o", &file])).run();
        if outcome.code != 0 {
            return Err(format!("{name}: exit code {}: {}", outcome.code, outcome.stderr));
        }
        names.push(name.to_owned());
        Ok(())
    };
    replay("slice", &["slice", "rec:5", "account.trace"])?;
    replay(
        "scrubbed",
        &[
            "scrub",
            "short.trace",
            "--input",
            "arguments",
            "--part",
            "command,reasons,observations",
        ],
    )?;
    Ok(names)
}

/// A run that waits for a timer when a signal terminates it.
fn interrupted(work: &Folder) -> Result<(), String> {
    work.write("sleeps.erl", SLEEPS);
    let args = ["run", "--quiet", "-o", "interrupted.trace", "sleeps.erl"];
    let child = BinaryRun::new("tracer", work.path(), args).start();
    steady::until_still(child.id());
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-s", "TERM", &pid]).status();
    match (killed.is_ok_and(|status| status.success()), crate::wait(child).code) {
        (true, 143) => Ok(()),
        (_, code) => Err(format!("interrupted: exit code {code}")),
    }
}

/// A program that depends on macros of the command line and on a feature.
const MACROS: &str = "-module(macros).
-export([main/0]).
-ifdef(TEST).
main() -> [spawn(fun() -> ok end) || _ <- element(2, ?ANSWER)], maybe {ok, N} ?= {ok, 2}, halt(N) end.
-else.
main() -> ?ANSWER.
-endif.
";

/// Ends of all kinds.
const ENDS: &str = "-module(ends).
-export([main/0, crash/0, wait/0]).
main() ->
    [spawn(F) || F <- [fun() -> throw(a) end, fun() -> error(b) end, fun() -> exit(c) end, fun() -> ok end]],
    {P, M} = spawn_monitor(fun() -> receive after infinity -> ok end end),
    exit(P, kill),
    receive {'DOWN', M, process, P, killed} -> halt(3) end.
crash() -> error(crashed).
wait() -> self() ! unread, receive never -> ok end.
";

/// Sleeps, with a message that is never received.
const SLEEPS: &str = "-module(sleeps).
-export([main/0]).
main() ->
    self() ! never_received,
    spawn(fun() -> receive after infinity -> ok end end),
    timer:sleep(1000000).
";

/// A server and a client with as many rounds as the argument gives.
const MANY: &str = "-module(many).
-export([main/1]).
main([Text]) ->
    _ = erlang:monotonic_time(),
    _ = init:get_plain_arguments(),
    Rounds = case Text of \"ever\" -> infinity; _ -> list_to_integer(Text) end,
    Server = spawn_link(fun() -> serve(0) end),
    ask(Server, Rounds),
    Server ! stop,
    io:format(\"done~n\").
ask(_, 0) -> ok;
ask(Server, N) ->
    Server ! {self(), N},
    receive {sum, _} -> ok end,
    ask(Server, if is_integer(N) -> N - 1; true -> N end).
serve(Sum) ->
    receive
        {From, N} -> From ! {sum, Sum}, serve(if is_integer(N) -> Sum + N; true -> Sum + 1 end);
        stop -> ok
    end.
";
