//! Runs `M:F()` of Erlang files without any system layer: prints by `erlang:display/1` only. For measuring and for trying the core.
//!
//! `cargo run --release -p retell-interpreter --example exec -- FILE.erl… M F [REPEAT]`; `--print` first shows the result, `--compile FILE.erl…` only compiles,
//! `--listing` shows the bytecode.

use std::time::Instant;

use interpreter::atom::Atom;
use interpreter::print::{PrettyOptions as PrintOptions, Style, pretty};
use interpreter::term::Pid;
use interpreter::vm::{EndClass, Process, Program, Stop};
use syntax::{IncludeError, IncludeKind, Included, Includes, ReadOptions, parse_module};

struct Files;

impl Includes for Files {
    fn read(&self, _: IncludeKind, name: &str, from: &str) -> Result<Included, IncludeError> {
        let near = std::path::Path::new(from).parent().map(|p| p.join(name));
        let lib = name.split_once('/').and_then(|(app, rest)| {
            let apps = std::fs::read_dir("/usr/lib/erlang/lib").ok()?;
            let found = apps
                .flatten()
                .find(|e| e.file_name().to_string_lossy().starts_with(&format!("{app}-")))?;
            Some(found.path().join(rest))
        });
        let more = [
            near.clone().map(|p| p.with_file_name("../include").join(name)),
            Some(name.into()),
        ];
        let path = near
            .into_iter()
            .chain(lib)
            .chain(more.into_iter().flatten())
            .find(|p| p.is_file());
        let path = path.ok_or(IncludeError::NoFiles)?;
        let text = std::fs::read(&path)?;
        Ok(Included {
            name: path.to_string_lossy().into_owned(),
            text: text.into(),
        })
    }
}

fn load(program: &mut Program, file: &str, text: &[u8]) -> Result<(), String> {
    let parsed = parse_module(file, text, &ReadOptions::default(), &Files).map_err(|e| format!("{:?}", e.first()))?;
    let loaded = program.load(&parsed.module);
    loaded.map(|_| ()).map_err(|e| format!("{:?}", e.first()))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut program = Program::new(&[]);
    let only_compile = args.first().is_some_and(|a| a == "--compile");
    let listing = args.first().is_some_and(|a| a == "--listing");
    let print = args.first().is_some_and(|a| a == "--print");
    let (files, call): (Vec<&String>, Vec<&String>) = args
        .iter()
        .skip(usize::from(only_compile || listing || print))
        .partition(|a| a.ends_with(".erl"));
    let mut bad = 0;
    for file in &files {
        let Ok(text) = std::fs::read(file) else {
            eprintln!("{file}: cannot be read");
            continue;
        };
        if let Err(e) = load(&mut program, file, &text) {
            eprintln!("{file}: {e}");
            bad += 1;
        }
    }
    if listing {
        for file in &files {
            let module = std::path::Path::new(file)
                .file_stem()
                .expect("a file name")
                .to_string_lossy();
            print!("{}", program.listing(Atom::new(&module)));
        }
        return;
    }
    if only_compile {
        eprintln!("{} files, {bad} refused", files.len());
        return;
    }
    let [module, function, rest @ ..] = &call[..] else {
        panic!("M F")
    };
    let repeat: u32 = rest.first().map_or(1, |r| r.parse().expect("a number"));
    let mut best = f64::MAX;
    for _ in 0..repeat {
        let mut process = Process::new(&program, Pid::new(0, 1), Atom::NONODE_NOHOST);
        process.start_call(Atom::new(module), Atom::new(function), &[]);
        let start = Instant::now();
        let end = loop {
            match process.run(&program, 4000) {
                Stop::Preempted | Stop::Received(_) => {}
                Stop::Load(module) => match interpreter::library::source(module.as_str()) {
                    Some(source) if !program.is_loaded(module) => {
                        load(&mut program, &format!("{module}.erl"), source.as_bytes()).expect("library")
                    }
                    _ => process.undefined(),
                },
                Stop::Ended(end) => break end,
                other => panic!("{other:?}"),
            }
        };
        best = best.min(start.elapsed().as_secs_f64());
        if print {
            // A list: one element a line.
            let options = PrintOptions::new(Style::latin1(&program));
            for t in process.heap.list(end.reason).unwrap_or_else(|| vec![end.reason]) {
                println!("{}", pretty(&process.heap, t, &options));
            }
        }
        if end.class != EndClass::Normal {
            println!(
                "{:?} {:?} {:?}",
                end.class,
                process.heap.view(end.reason),
                process.heap.view(end.stacktrace)
            );
        }
    }
    if !print {
        println!("{:.3} ms", best * 1e3);
    }
}
